"""Owns the pane with the thread list, its search box and the new-thread button. Knows no other pane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.messages import Thread
from desktop_app.ui.icons import icon
from desktop_app.ui.theme import GRID, Theme
from desktop_app.ui.threads.delegate import ThreadDelegate
from desktop_app.ui.threads.model import THREAD_ROLE, ThreadListModel


class ThreadListView(QListView):
    """The list itself: Enter opens, F2 renames, Delete deletes; the pane turns these into wishes."""

    chosen = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self._choose)
        self.verticalScrollBar().setSingleStep(2 * GRID)

    def current_thread(self) -> Thread | None:
        thread = self.currentIndex().data(THREAD_ROLE) if self.currentIndex().isValid() else None
        return thread if isinstance(thread, Thread) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        thread = self.current_thread()
        if thread is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(thread.id)
        elif thread is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit(thread.id)
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        thread = index.data(THREAD_ROLE)
        if isinstance(thread, Thread):
            self.chosen.emit(thread.id)


class ThreadsPane(QWidget):
    """What the user can do with threads, as wishes."""

    thread_chosen = Signal(str)
    new_thread_requested = Signal()
    rename_requested = Signal(str, str)
    pin_requested = Signal(str, bool)
    delete_requested = Signal(str)
    collapse_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("threads")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Threads"))
        self.setMinimumWidth(22 * GRID)
        self.model = ThreadListModel(self)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search titles"))
        self.search.setAccessibleName(self.tr("Search thread titles"))
        self.search.setClearButtonEnabled(True)
        self.new_button = QToolButton(self)
        self.new_button.setAccessibleName(self.tr("New thread"))
        self.collapse_button = QToolButton(self)
        self.collapse_button.setAccessibleName(self.tr("Hide the thread list"))
        self.collapse_button.setToolTip(self.tr("Hide the thread list (Ctrl+B)"))
        self.new_button.setToolTip(self.tr("New thread (Ctrl+N)"))
        self.view = ThreadListView(self)
        self.view.setAccessibleName(self.tr("Threads"))
        self.view.setModel(self.model)
        self._delegate = ThreadDelegate(theme, self.view)
        self.view.setItemDelegate(self._delegate)
        self._open: str | None = None

        top = QHBoxLayout()
        top.setContentsMargins(GRID, GRID, GRID, 0)
        top.addWidget(self.collapse_button)
        top.addStretch(1)
        top.addWidget(self.new_button)
        box = QHBoxLayout()
        box.setContentsMargins(GRID, 0, GRID, 0)
        box.addWidget(self.search)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addLayout(box)
        column.addWidget(self.view, 1)

        self.search.textChanged.connect(self.model.set_filter)
        self.search.installEventFilter(self)
        self.new_button.clicked.connect(self.new_thread_requested)
        self.collapse_button.clicked.connect(self.collapse_requested)
        self.view.chosen.connect(self.thread_chosen)
        self.view.delete_requested.connect(self.delete_requested)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.model.renamed.connect(self.rename_requested)
        self.model.modelAboutToBeReset.connect(self._remember_place)
        self.model.modelReset.connect(self._return_to_place)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.set_theme(theme)
        self.collapse_button.setIcon(icon("sidebar", theme))
        self.new_button.setIcon(icon("compose", theme))
        self.view.doItemsLayout()

    def show_open(self, thread_id: str | None) -> None:
        """Marks the thread that is open in the window."""
        self._open = thread_id
        index = self.model.index_of(thread_id)
        self.view.setCurrentIndex(index)
        if index.isValid():
            self.view.scrollTo(index)

    def choose_beside(self, step: int) -> None:
        """Opens the thread `step` threads below (above where negative) the open one."""
        row = self.model.index_of(self._open).row() + step
        while 0 <= row < self.model.rowCount():
            thread = self.model.index(row).data(THREAD_ROLE)
            if isinstance(thread, Thread):
                self.thread_chosen.emit(thread.id)
                return
            row += step

    def rename_open(self) -> None:
        """Edits the title of the open thread in place."""
        index = self.model.index_of(self._open)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.edit(index)

    def thread_menu(self, thread: Thread) -> QMenu:
        """What can be done with one thread."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = QAction(self.tr("Rename"), menu)
        rename.triggered.connect(lambda: self.view.edit(self.model.index_of(thread.id)))
        pin = QAction(self.tr("Unpin") if thread.pinned else self.tr("Pin"), menu)
        pin.triggered.connect(lambda: self.pin_requested.emit(thread.id, not thread.pinned))
        delete = QAction(self.tr("Delete"), menu)
        delete.triggered.connect(lambda: self.delete_requested.emit(thread.id))
        menu.addActions([rename, pin])
        menu.addSeparator()
        menu.addAction(delete)
        return menu

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Down or Enter in the search box goes to the list."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.model.rowCount() > 1:
                self.view.setFocus(Qt.FocusReason.TabFocusReason)
                self.view.setCurrentIndex(self.model.index(1))
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return False

    def _show_menu(self, place: QPoint) -> None:
        thread = self.view.indexAt(place).data(THREAD_ROLE)
        if isinstance(thread, Thread):
            self.thread_menu(thread).popup(self.view.viewport().mapToGlobal(place))

    def _remember_place(self) -> None:
        self._scroll = self.view.verticalScrollBar().value()

    def _return_to_place(self) -> None:
        self.view.setCurrentIndex(self.model.index_of(self._open))
        self.view.verticalScrollBar().setValue(self._scroll)
