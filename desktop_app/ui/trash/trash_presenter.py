"""The flow behind the page of the trash. Deletes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.controller.trash import days_left
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import (
    ArtifactChanged,
    HistoryChangedElsewhere,
    ProjectDocumentsChanged,
    ProjectsChanged,
    PromptsChanged,
    ThreadCreated,
    ThreadDeleted,
    TrashChanged,
)
from desktop_app.core.trash import TrashItem
from desktop_app.system_clock import utc_now
from desktop_app.ui.i18n.dates import day
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.trash.trash_page import TrashPage
from desktop_app.ui.widgets.dialogs import confirmed
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import TwoLineRow

if TYPE_CHECKING:
    from desktop_app.controller.trash import Trash

FACTS = (
    ThreadCreated,
    ThreadDeleted,
    PromptsChanged,
    ProjectsChanged,
    ProjectDocumentsChanged,
    ArtifactChanged,
    TrashChanged,
    HistoryChangedElsewhere,
)
"""The announcements that may change the trash."""
TITLE_SHOWN = 60


class TrashPresenter(QObject):
    """Keeps the page true while it is shown. What is deleted for good goes on when the page is left."""

    def __init__(self, app_state: AppState, page: TrashPage, toast: Toast, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._ended = False
        page.restore_wanted.connect(lambda items: app_state.start(self._restore(items)))
        page.erase_wanted.connect(lambda items: app_state.start(self._erase(items)))
        page.empty_wanted.connect(lambda: app_state.start(self._erase(None)))
        page.copies_wanted.connect(lambda: app_state.start(self._erase_in_copies()))
        app_state.bridge.subscribe_each(FACTS, self._changed)
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
        trash = await self._trash()
        count = len(await trash.copies())
        if not self._ended:
            self.page.show_copies(count)

    async def _show(self) -> None:
        items = await (await self._trash()).items()
        now = utc_now()
        if not self._ended:
            self.page.show_rows([TwoLineRow(one, title_of_item(one), facts_of(one, now)) for one in items])

    async def _restore(self, items: Sequence[TrashItem]) -> None:
        trash = await self._trash()
        try:
            await trash.restore(items)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
        else:
            one = self.tr("“{title}” restored").format(title=_cut(title_of_item(items[0])))
            words = one if len(items) == 1 else self.tr("{n} items restored").format(n=grouped(len(items)))
            self._toast.show_message(words)
        if not self._ended:
            await self._show()

    async def _erase(self, items: Sequence[TrashItem] | None) -> None:
        """None: all of them."""
        trash = await self._trash()
        wanted = await trash.items() if items is None else items
        if not wanted:
            return
        if len(wanted) == 1:
            question = self.tr("Delete “{title}” for good?").format(title=_cut(title_of_item(wanted[0])))
        else:
            question = self.tr("Delete {n} items for good?").format(n=grouped(len(wanted)))
        if not await self._confirmed(question, self.tr("Delete for good")):
            return
        self._progress(self.tr("Deleting for good…"))
        try:
            done = await trash.erase(wanted, lambda now, all_: self._progress(self.tr("Deleting for good…"), now, all_))
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        finally:
            self._progress("")
        self._toast.show_message(translated(done.not_compacted) if done.not_compacted else self.tr("Deleted for good"))
        if not self._ended:
            self.page.show_copies(len(done.copies))

    async def _erase_in_copies(self) -> None:
        question = self.page.copies.text() + " " + self.tr("Delete them there too?")
        if not await self._confirmed(question, self.tr("Delete there too")):
            return
        trash = await self._trash()
        self._progress(self.tr("Deleting from backups…"))
        try:
            left = await trash.erase_in_copies(
                lambda now, all_: self._progress(self.tr("Deleting from backups…"), now, all_)
            )
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        finally:
            self._progress("")
        if left:
            names = ", ".join(one.path for one in left)
            self._toast.show_message(
                self.tr("Still in {names}. Remove the file to delete it there.").format(names=names)
            )
        else:
            self._toast.show_message(self.tr("Deleted from the backups"))
        if not self._ended:
            self.page.show_copies(len(left))

    async def _confirmed(self, question: str, yes: str) -> bool:
        text = f"{question}\n\n" + self.tr("This can't be undone.")
        return await confirmed(self.page.window(), yes, text, yes, lasting=True)

    def _progress(self, words: str, done: int = 0, total: int = 0) -> None:
        if not self._ended:
            self.page.show_progress(words, done, total)

    async def _trash(self) -> Trash:
        return (await self._app_state.services()).trash


def title_of_item(item: TrashItem) -> str:
    """The title of an item, or what it is where it has none."""
    return item.title or _kind(item)


def facts_of(item: TrashItem, now: datetime) -> str:
    """Return an item's kind, its origin, when it was deleted, and for how long it can be restored."""
    left = days_left(item.deleted, now)
    words = tr("1 day left") if left == 1 else tr("{n} days left").format(n=left)
    facts = [_kind(item), item.inside, tr("deleted {day}").format(day=day(item.deleted)), words]
    return " · ".join(fact for fact in facts if fact)


def _kind(item: TrashItem) -> str:
    kinds = {
        "thread": tr("Thread"),
        "message": tr("Question and answer") if item.rest else tr("Message"),
        "project": tr("Project"),
        "document": tr("Document"),
        "artifact": tr("Artifact"),
        "prompt": tr("Prompt"),
    }
    return kinds[item.kind]


def _cut(words: str) -> str:
    return words if len(words) <= TITLE_SHOWN else words[:TITLE_SHOWN].rstrip() + "…"
