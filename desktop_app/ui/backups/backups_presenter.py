"""The flow behind the page of backups. Makes and restores nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core.backups import BackedUpThread, Backup
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BackupsChanged
from desktop_app.ui.backups.backups_page import BackupsPage
from desktop_app.ui.i18n.dates import day, moment
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.dialogs import asked_folder
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import TwoLineRow

if TYPE_CHECKING:
    from desktop_app.controller.backups import Backups

MEGABYTE = 1_000_000


class BackupsPresenter(QObject):
    """Keeps the page true while it is shown. A copy or a restore goes on when the page is left."""

    def __init__(self, app_state: AppState, page: BackupsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._ended = False
        page.make_wanted.connect(lambda: app_state.start(self._make()))
        page.chosen.connect(lambda backup: app_state.start(self._look_into(backup)))
        page.restore_wanted.connect(lambda backup, thread: app_state.start(self._restore(backup, thread)))
        page.folder_wanted.connect(lambda: app_state.start(self._change_folder()))
        app_state.bridge.subscribe(BackupsChanged, self._changed)
        app_state.start(self._open())

    def end(self) -> None:
        self._ended = True

    def _changed(self, _fact: object) -> None:
        if not self._ended:
            self._app_state.start(self._show())

    async def _open(self) -> None:
        await self._show()
        if not self._ended:
            self.page.focus_first()

    async def _show(self) -> None:
        services = await self._app_state.services()
        folder = services.preferences.settings.backups.folder
        every = await services.backups.all()
        if self._ended:
            return
        kept = self.tr("New backups are kept in {folder}.").format(folder=folder) if folder else ""
        self.page.show_place(kept or self.tr("New backups are kept in the data folder."))
        self.page.show_backups([TwoLineRow(one, moment(one.at), facts_of_backup(one)) for one in every])

    async def _look_into(self, backup: Backup) -> None:
        try:
            threads = await (await self._backups()).threads(backup.id)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        if not self._ended and self.page.backup == backup:
            untitled = self.tr("untitled")
            rows = [TwoLineRow(one, one.title or untitled, facts_of_thread(one)) for one in threads]
            self.page.show_threads(rows)

    async def _make(self) -> None:
        self._progress(self.tr("Backing up…"))
        try:
            await (await self._backups()).make()
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
        else:
            self._toast.show_message(self.tr("Backed up"))
        finally:
            self._progress("")

    async def _restore(self, backup: Backup, thread: BackedUpThread | None) -> None:
        self._progress(self.tr("Restoring…"))
        try:
            done = await (await self._backups()).restore(backup.id, None if thread is None else thread.id)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        finally:
            self._progress("")
        if not (done.threads or done.messages):
            words = self.tr("Nothing was missing")
        elif thread is not None:
            words = self.tr("“{title}” restored").format(title=thread.title or self.tr("untitled"))
        else:
            words = self.tr("{threads} threads and {messages} messages restored").format(
                threads=grouped(done.threads), messages=grouped(done.messages)
            )
        self._toast.show_message(words)

    async def _change_folder(self) -> None:
        folder = await asked_folder(self.page.window(), self.tr("Backup folder"))
        if folder is None:
            return
        try:
            await (await self._app_state.services()).preferences.set_value("backups.folder", str(folder))
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
        await self._show()

    def _progress(self, words: str) -> None:
        if not self._ended:
            self.page.show_progress(words)

    async def _backups(self) -> Backups:
        return (await self._app_state.services()).backups


def facts_of_backup(one: Backup) -> str:
    """Return the facts of a backup: its content, how big it is, and whether it is whole."""
    threads = tr("1 thread") if one.threads == 1 else tr("{n} threads").format(n=grouped(one.threads))
    messages = tr("1 message") if one.messages == 1 else tr("{n} messages").format(n=grouped(one.messages))
    size = tr("{size} MB").format(size=grouped(one.bytes / MEGABYTE, 1))
    return " · ".join((threads, messages, size, tr("verified") if one.verified else tr("damaged")))


def facts_of_thread(one: BackedUpThread) -> str:
    """When a thread was begun and used last, and how many messages it has."""
    messages = tr("1 message") if one.messages == 1 else tr("{n} messages").format(n=grouped(one.messages))
    return " · ".join(dict.fromkeys((day(one.created), day(one.updated), messages)))
