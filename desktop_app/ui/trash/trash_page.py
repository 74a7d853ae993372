"""The page of the trash: its items, restore, delete for good, what backups still hold. Deletes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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

from desktop_app.core.trash import KEPT_DAYS, TrashItem
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.list_parts import MarginBar, TwoLineDelegate, TwoLineRow, TwoLineRows
from desktop_app.ui.widgets.page import PageFrame

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
