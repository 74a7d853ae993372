"""The page of the trash and its flow: the items, restore, delete for good, what backups still hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

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
from desktop_app.core.history_records import KEPT_DAYS, TrashItem
from desktop_app.system_clock import utc_now
from desktop_app.ui.i18n.dates import day
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.dialogs import confirmed
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu, Toast
from desktop_app.ui.widgets.list_parts import MarginBar, TwoLineDelegate, TwoLineRow, TwoLineRows
from desktop_app.ui.widgets.page import PageFrame

if TYPE_CHECKING:
    from desktop_app.controller.trash import Trash


LOWEST: Final = 30 * GRID


class TrashPage(PageFrame):
    """Wishes with the items that are meant; `empty_wanted`: all of them."""

    restore_wanted = Signal(object)
    erase_wanted = Signal(object)
    empty_wanted = Signal()
    copies_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Trash"))
        self.empty_button = QPushButton(self.tr("Empty trash"), self)
        self.header_row.addWidget(self.empty_button)
        self.about = self.small(self.tr("Items are deleted for good after {n} days.").format(n=KEPT_DAYS))
        self.nothing = QLabel(self.tr("The trash is empty"), self.column)
        self.nothing.setProperty("tone", "secondary")
        self.rows = TwoLineRows(self)
        self.view = QListView(self.column)
        self.delegate = TwoLineDelegate(theme, self.view)
        self._set_up_view()
        self.restore_button = QPushButton(self.tr("Restore"), self.column)
        self.restore_button.setProperty("kind", "primary")
        self.erase_button = QPushButton(self.tr("Delete for good"), self.column)
        self.buttons = QWidget(self.column)
        self.buttons.setLayout(FlowRow(self.restore_button, self.erase_button, across=GRID, down=GRID))
        self.progress_words = self.small()
        self.progress = QProgressBar(self.column)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.copies = self.small()
        self.copies_button = QPushButton(self.tr("Delete there too"), self.column)
        self.menu: Menu | None = None
        self._running = False
        self._lay_out()
        self.empty_button.clicked.connect(self.empty_wanted)
        self.restore_button.clicked.connect(self._wish_restore)
        self.erase_button.clicked.connect(self._wish_erase)
        self.copies_button.clicked.connect(self.copies_wanted)
        self.view.selectionModel().selectionChanged.connect(self._show_selection)
        theme.set_font("body", self.nothing)
        self.show_copies(0)
        self.show_progress("")
        self.show_rows(())

    def focus_first(self) -> None:
        (self.view if self.rows.rows else self.back).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_rows(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows what is in the trash now; what was selected stays so, else the first is."""
        chosen = {one.id for one in self.chosen()}
        at = self.view.currentIndex().row()
        had_focus = self.view.hasFocus()
        self.rows.show(rows)
        self.view.setVisible(bool(rows))
        self.buttons.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        self.about.setVisible(bool(rows))
        self.empty_button.setVisible(bool(rows))
        selection = self.view.selectionModel()
        for number, row in enumerate(rows):
            if row.item.id in chosen:
                selection.select(self.rows.index(number), QItemSelectionModel.SelectionFlag.Select)
        if rows and not selection.hasSelection():
            self.view.setCurrentIndex(self.rows.index(max(0, min(at, len(rows) - 1))))
        if had_focus and not rows:
            self.back.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_selection()

    def show_progress(self, words: str, done: int = 0, total: int = 0) -> None:
        """Shows what is going on; "": nothing."""
        self._running = bool(words)
        self.progress_words.setText(words)
        self.progress_words.setVisible(bool(words))
        self.progress.setVisible(bool(words))
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self._show_selection()

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
        """The selected items, in order."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        return [self.rows.rows[row].item for row in rows]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Enter restores and Del deletes for good."""
        if watched is self.view and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._wish_restore()
                return True
            if event.key() == Qt.Key.Key_Delete:
                self._wish_erase()
                return True
        return super().eventFilter(watched, event)

    def _set_up_view(self) -> None:
        view = self.view
        view.setAccessibleName(self.tr("Trash"))
        view.setModel(self.rows)
        view.setItemDelegate(self.delegate)
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setMinimumHeight(LOWEST)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.installEventFilter(self)

    def _lay_out(self) -> None:
        policy = self.buttons.sizePolicy()
        policy.setHeightForWidth(True)
        self.buttons.setSizePolicy(policy)
        for part in (self.copies, self.copies_button):
            # found a moment after the page is shown: nothing above may move, least of all from under the pointer
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
        going_on = QVBoxLayout()
        going_on.setSpacing(GRID // 2)
        going_on.addWidget(self.progress_words)
        going_on.addWidget(self.progress)
        self.inside.addWidget(self.about)
        self.inside.addWidget(self.nothing)
        self.inside.addWidget(self.view, 1)
        MarginBar(self.view, self.column)
        self.inside.addWidget(self.buttons)
        self.inside.addLayout(going_on)
        self.inside.addSpacing(2 * GRID)
        self.inside.addWidget(self.copies)
        self.inside.addWidget(self.copies_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.inside.addStretch(0)

    def _show_selection(self) -> None:
        possible = not self._running and self.view.selectionModel().hasSelection()
        self.restore_button.setEnabled(possible)
        self.erase_button.setEnabled(possible)
        self.empty_button.setEnabled(not self._running)
        self.copies_button.setEnabled(not self._running)

    def _show_menu(self, place: QPoint) -> None:
        if not self.restore_button.isEnabled():
            return
        self.menu = Menu(self)
        self.menu.setAccessibleName(self.tr("Trash"))
        for words, act in ((self.tr("Restore"), self._wish_restore), (self.tr("Delete for good"), self._wish_erase)):
            action = QAction(words, self.menu)
            action.triggered.connect(act)
            self.menu.addAction(action)
        self.menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu.popup(self.view.viewport().mapToGlobal(place))

    def _wish_restore(self) -> None:
        if self.restore_button.isEnabled():
            self.restore_wanted.emit(self.chosen())

    def _wish_erase(self) -> None:
        if self.erase_button.isEnabled():
            self.erase_wanted.emit(self.chosen())


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
