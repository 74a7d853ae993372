"""The page of backups: which there are, what one holds, make one, restore one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.controller.backup_copies import Backups
from desktop_app.core.events import BackupsChanged
from desktop_app.core.history_records import BackedUpThread, Backup
from desktop_app.ui.i18n.language import day, grouped, moment, size_words, tr
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Toast, asked_folder
from desktop_app.ui.widgets.list_parts import TwoLineRow
from desktop_app.ui.widgets.live_page import ListPage
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_row


class BackupsPage(ListPage):
    """The backups, and the threads of the chosen one. A copy or a restore goes on when the page is left."""

    restored = Signal(object)  # list[str]: ids of threads

    def __init__(self, theme: Theme, app_state: AppState, toast: Toast, parent: QWidget) -> None:
        super().__init__(theme, app_state, toast, parent, facts=(BackupsChanged,), lowest=22 * GRID)
        self._app_state = app_state
        self._looked_into = ""
        self.set_title(self.tr("Backups"))
        self.make_button = button_in(self.top, self.tr("Back up now"), self.wished(self._make))
        self.header_row.addWidget(self.make_button)
        self.place, column = self.small(), self.column
        self.folder_button = button_in(column, self.tr("Change folder…"), self.wished(self._change_folder))
        self.nothing.setText(self.tr("No backups yet"))
        self.view.setAccessibleName(self.tr("Backups"))
        self.inside_words = self.small(self.tr("Threads in this backup"))
        self.threads, self.threads_view = self.made_list(self.tr("Threads in this backup"))
        self.restore_button = button_in(
            column, self.tr("Restore thread"), self.wished(self._restore_thread), kind="primary"
        )
        self.restore_all_button = button_in(column, self.tr("Restore all"), self.wished(self._restore))
        self.buttons = self.button_row(self.restore_button, self.restore_all_button)
        self.about = self.small(self.tr("Restoring adds what is missing. What you have now stays."))
        where = in_row((self.place, 1), self.folder_button, spacing=2 * GRID)
        parts = (where, self.nothing, (self.view, 1), self.inside_words, self.buttons, (self.threads_view, 1))
        fill(self.inside, *parts, self.about, self.going_on, Stretch(0))
        self.threads_view.activated.connect(self.restore_button.click)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._choose())
        self.threads_view.selectionModel().selectionChanged.connect(self.show_state)
        self.show_progress("")
        self.show_backups(())
        app_state.start(self.open())

    def focus_first(self) -> None:
        (self.view if self.rows.rows else self.make_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_backups(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows the backups, newest first; the one that was chosen stays so, else the newest is."""
        before = self.backup
        self.rows.show(rows)
        for widget in (self.view, self.inside_words, self.threads_view, self.buttons, self.about):
            widget.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        same = (place for place, row in enumerate(rows) if before is not None and row.item.id == before.id)
        if rows:
            self.view.setCurrentIndex(self.rows.index(next(same, 0)))
        self.show_state()
        self.toast.make_way()

    def show_threads(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows what the chosen backup holds."""
        self.threads.show(rows)
        if rows:
            self.threads_view.setCurrentIndex(self.threads.index(0))
        self.show_state()

    @property
    def backup(self) -> Backup | None:
        return None if (chosen := self.rows.at(self.view.currentIndex())) is None else chosen.item

    @property
    def chosen_thread(self) -> BackedUpThread | None:
        return None if (chosen := self.threads.at(self.threads_view.currentIndex())) is None else chosen.item

    def show_state(self) -> None:
        free = not self.running
        self.make_button.setEnabled(free)
        self.restore_button.setEnabled(free and self.chosen_thread is not None)
        self.restore_all_button.setEnabled(free and self.backup is not None and bool(self.threads.rows))

    # --- what is read and done

    async def read_again(self) -> None:
        services = await self._app_state.services()
        every = await services.backups.all()
        if self.ended:
            return
        folder = services.preferences.settings.backups.folder
        kept = self.tr("New backups are kept in {folder}.").format(folder=folder) if folder else ""
        kept = kept or self.tr("New backups are kept in the data folder.")
        self.place.setToolTip(str(services.backups.folder))  # too long for a narrow window
        size = size_words(sum(one.bytes for one in every))
        taken = self.tr("All backups together take {size}.").format(size=size) if every else ""
        self.place.setText(f"{kept} {taken}".rstrip())
        minutes = Counter(moment(one.at) for one in every)
        self.show_backups([TwoLineRow(one, title_of_backup(one, minutes), facts_of_backup(one)) for one in every])

    def _choose(self) -> None:
        if self.backup is not None and self.backup.id == self._looked_into:
            return  # the list was read again; what a backup holds never changes
        self._looked_into = ""
        self.show_threads(())
        if self.backup is not None:
            self.do(self._look_into)

    async def _look_into(self) -> None:
        if (backup := self.backup) is None:
            return
        threads = await (await self._backups()).threads(backup.id)
        if not self.ended and self.backup == backup:
            self._looked_into = backup.id
            untitled = self.tr("untitled")
            self.show_threads([TwoLineRow(one, one.title or untitled, facts_of_thread(one)) for one in threads])

    async def _make(self) -> None:
        with self.progress_shown(self.tr("Backing up…")):
            await (await self._backups()).make()
        self.toast.show_message(self.tr("Backed up"))

    async def _restore_thread(self) -> None:
        await self._restore(self.chosen_thread)

    async def _restore(self, thread: BackedUpThread | None = None) -> None:
        """None: all threads of the chosen backup."""
        if (backup := self.backup) is None:
            return
        with self.progress_shown(self.tr("Restoring…")):
            done = await (await self._backups()).restore(backup.id, None if thread is None else thread.id)
        if not (done.threads or done.messages):
            words = self.tr("Nothing was missing")
        elif thread is not None:
            words = self.tr("“{title}” restored").format(title=thread.title or self.tr("untitled"))
            self.restored.emit([thread.id])
        else:
            messages = (
                tr("1 message") if done.messages == 1 else tr("{count} messages").format(count=grouped(done.messages))
            )
            words = self.tr("{threads} and {messages} restored")
            words = words.format(threads=_threads(done.threads), messages=messages)
        self.toast.show_message(words)

    async def _change_folder(self) -> None:
        if (folder := await asked_folder(self.window(), self.tr("Backup folder"))) is None:
            return
        try:
            await (await self._app_state.services()).preferences.set_value("backups.folder", str(folder))
        finally:
            await self.read_again()

    async def _backups(self) -> Backups:
        return (await self._app_state.services()).backups


def title_of_backup(one: Backup, minutes: Mapping[str, int]) -> str:
    """Return when a backup was made, to the second where others have its minute, and what for."""
    at = moment(one.at, seconds=minutes[moment(one.at)] > 1)
    kind = tr("before restoring") if one.before_restore else tr("manual") if one.by_hand else tr("automatic")
    return " · ".join((at, kind)) if one.rotates else at


def facts_of_backup(one: Backup) -> str:
    """Return the facts of a backup: its content, how big it is, and whether it is whole."""
    whole = tr("verified") if one.verified else tr("damaged")
    return " · ".join((_threads(one.threads), _asked(one.questions), size_words(one.bytes), whole))


def facts_of_thread(one: BackedUpThread) -> str:
    """When a thread was begun and used last, and how many questions were asked in it."""
    return " · ".join(dict.fromkeys((day(one.created), day(one.updated), _asked(one.questions))))


def _threads(threads: int) -> str:
    return tr("1 thread") if threads == 1 else tr("{n} threads").format(n=grouped(threads))


def _asked(questions: int) -> str:
    return tr("1 question") if questions == 1 else tr("{n} questions").format(n=grouped(questions))
