"""The page of the trash: the items, restore, delete for good, what backups still hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop_app.controller.trash import Trash, days_left
from desktop_app.core import events
from desktop_app.core.history_records import KEPT_DAYS, TrashItem
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import day, grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Menu, Toast, confirmed
from desktop_app.ui.widgets.list_parts import MarginBar, TwoLineRow
from desktop_app.ui.widgets.live_page import ListPage
from desktop_app.ui.widgets.parts import Stretch, button_in, fill

FACTS = (
    events.ThreadCreated,
    events.ThreadDeleted,
    events.PromptsChanged,
    events.ProjectsChanged,
    events.ProjectDocumentsChanged,
    events.ArtifactChanged,
    events.TrashChanged,
    events.HistoryChangedElsewhere,
)
"""The announcements that may change the trash."""
TITLE_SHOWN: Final = 60
"""Letters of a title in a sentence."""


class TrashPage(ListPage):
    """The items, several of which can be selected. What is deleted for good goes on when the page is left."""

    restored = Signal(object)  # list[str]: ids of threads

    def __init__(self, theme: Theme, app_state: AppState, toast: Toast, parent: QWidget) -> None:
        super().__init__(theme, app_state, toast, parent, facts=FACTS, lowest=30 * GRID)
        self._app_state = app_state
        self.set_title(self.tr("Trash"))
        self.empty_button = button_in(self, self.tr("Empty trash"), self.wished(self._erase_all))
        self.header_row.addWidget(self.empty_button)
        self.about = self.small(self.tr("Items are deleted for good after {n} days.").format(n=KEPT_DAYS))
        self.nothing.setText(self.tr("The trash is empty"))
        self.view.setAccessibleName(self.tr("Trash"))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.installEventFilter(self)
        self.view.selectionModel().selectionChanged.connect(self.show_state)
        column = self.column
        self.restore_button = button_in(column, self.tr("Restore"), self.wished(self._restore), kind="primary")
        self.erase_button = button_in(column, self.tr("Delete for good"), self.wished(self._erase_chosen))
        self.buttons = self.button_row(self.restore_button, self.erase_button)
        self.copies = self.small()
        self.copies_button = button_in(column, self.tr("Delete there too"), self.wished(self._erase_in_copies))
        for part in (self.copies, self.copies_button):
            # found a moment after the page is shown: nothing above may move, least of all from under the pointer
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
        self.menu: Menu | None = None
        parts = (self.about, self.buttons, self.nothing, (self.view, 1), self.going_on, 2 * GRID, self.copies)
        fill(self.inside, *parts, (self.copies_button, 0, Qt.AlignmentFlag.AlignLeft), Stretch(0))
        MarginBar(self.view, column)
        self.show_copies(0)
        self.show_progress("")
        self.show_rows(())
        app_state.start(self._open())

    def show_rows(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows what is in the trash now; what was selected stays so, else the first is."""
        chosen = {one.id for one in self.chosen()}
        at = self.view.currentIndex().row()
        had_focus = self.view.hasFocus()
        self.rows.show(rows)
        for part in (self.view, self.buttons, self.about, self.empty_button):
            part.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        selection = self.view.selectionModel()
        for number, row in enumerate(rows):
            if row.item.id in chosen:
                selection.select(self.rows.index(number), QItemSelectionModel.SelectionFlag.Select)
        if rows and not selection.hasSelection():
            self.view.setCurrentIndex(self.rows.index(max(0, min(at, len(rows) - 1))))
        if had_focus and not rows:
            self.back.setFocus(Qt.FocusReason.OtherFocusReason)
        self.show_state()

    def show_copies(self, count: int) -> None:
        """Says how many backups still hold what was deleted for good."""
        words = (
            self.tr("1 backup still holds items you deleted for good.")
            if count == 1
            else self.tr("{n} backups still hold items you deleted for good.").format(n=grouped(count))
        )
        self.copies.setText(words if count else "")
        self.copies.setVisible(count > 0)
        self.copies_button.setVisible(count > 0)

    def chosen(self) -> list[TrashItem]:
        rows = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        return [self.rows.rows[row].item for row in rows]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Enter restores and Del deletes for good."""
        if watched is self.view and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.restore_button.click()
                return True
            if event.key() == Qt.Key.Key_Delete:
                self.erase_button.click()
                return True
        return super().eventFilter(watched, event)

    def show_state(self) -> None:
        possible = not self.running and self.view.selectionModel().hasSelection()
        self.restore_button.setEnabled(possible)
        self.erase_button.setEnabled(possible)
        self.empty_button.setEnabled(not self.running)
        self.copies_button.setEnabled(not self.running)

    def _show_menu(self, place: QPoint) -> None:
        if not self.restore_button.isEnabled():
            return
        self.menu = Menu(self, self.tr("Trash"), once=True)
        for one in (self.restore_button, self.erase_button):
            self.menu.addAction(one.text(), one.click)
        self.menu.popup(self.view.viewport().mapToGlobal(place))

    # --- what is read and done

    async def _open(self) -> None:
        await self.open()
        count = len(await (await self._trash()).copies())
        if not self.ended:
            self.show_copies(count)

    async def read_again(self) -> None:
        items = await (await self._trash()).items()
        now = utc_now()
        if not self.ended:
            self.show_rows([TwoLineRow(one, title_of_item(one), facts_of(one, now)) for one in items])

    async def _restore(self) -> None:
        items = self.chosen()
        trash = await self._trash()
        try:
            await trash.restore(items)
            self.restored.emit([item.id for item in items if item.kind == "thread"])
            one = self.tr("“{title}” restored").format(title=_cut(title_of_item(items[0])))
            words = one if len(items) == 1 else self.tr("{n} items restored").format(n=grouped(len(items)))
            self.toast.show_message(words)
        finally:
            if not self.ended:
                await self.read_again()

    async def _erase_all(self) -> None:
        await self._erase(await (await self._trash()).items())

    async def _erase_chosen(self) -> None:
        await self._erase(self.chosen())

    async def _erase(self, wanted: Sequence[TrashItem]) -> None:
        if not wanted:
            return
        if len(wanted) == 1:
            question = self.tr("Delete “{title}” for good?").format(title=_cut(title_of_item(wanted[0])))
        else:
            question = self.tr("Delete {n} items for good?").format(n=grouped(len(wanted)))
        if not await self._confirmed(question, self.tr("Delete for good")):
            return
        words, trash = self.tr("Deleting for good…"), await self._trash()
        with self.progress_shown(words):
            done = await trash.erase(wanted, lambda now, all_: self.show_progress(words, now, all_))
        self.toast.show_message(translated(done.not_compacted) if done.not_compacted else self.tr("Deleted for good"))
        if not self.ended:
            self.show_copies(len(done.copies))

    async def _erase_in_copies(self) -> None:
        question = self.copies.text() + " " + self.tr("Delete them there too?")
        if not await self._confirmed(question, self.tr("Delete there too")):
            return
        words, trash = self.tr("Deleting from backups…"), await self._trash()
        with self.progress_shown(words):
            left = await trash.erase_in_copies(lambda now, all_: self.show_progress(words, now, all_))
        if left:
            names = ", ".join(one.path for one in left)
            told = self.tr("Still in {names}. Remove the file to delete it there.").format(names=names)
        else:
            told = self.tr("Deleted from the backups")
        self.toast.show_message(told)
        if not self.ended:
            self.show_copies(len(left))

    async def _confirmed(self, question: str, yes: str) -> bool:
        text = f"{question}\n\n" + self.tr("This can't be undone.")
        return await confirmed(self.window(), yes, text, yes, lasting=True)

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
