"""The list itself: keyboard, selection, headings that stay in view, dragging. Turns all of it into wishes.

Dragging is done here and not by Qt, whose own way runs an event loop inside the event loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView, QWidget

from desktop_app.core.messages import Thread
from desktop_app.ui.theme.theme import GRID, Theme, flood, frame, motion
from desktop_app.ui.threads.thread_list_model import Index, ThreadListModel
from desktop_app.ui.threads.thread_rows import (
    GROUP_ROLE,
    PINNED,
    PREVIEW_ROLE,
    PROJECT,
    STEPS,
    THREAD_ROLE,
    RowInput,
    ThreadDelegate,
    ThreadGroupRow,
)
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING:  # made when a row is first pointed at or the keyboard first comes
    from desktop_app.ui.threads.list_controls import RowButtons

HELD_MS: Final = 1_500
"""The list keeps its order for this long after the mouse moved over it: somebody may be about to click."""
EDGE: Final = 3 * GRID
"""Pixels from the upper and lower edge within which dragging scrolls."""


class ThreadListView(QListView):
    """Enter opens, F2 and double click rename, Delete deletes, Ctrl+Z takes a deletion back, Left and Right fold."""

    chosen = Signal(str)
    new_window_requested = Signal(str)  # by its menu or the middle button
    delete_requested = Signal(object)  # list of ids
    undo_requested = Signal()
    selection_changed = Signal(int)  # how many threads are selected
    left = Signal()  # Esc among archived threads
    dropped = Signal(object, str)  # list of ids, key of the group
    menu_requested = Signal(str, QPoint)  # id of the thread, place on the screen
    project_chosen = Signal(str)  # id of the project whose heading was clicked
    project_menu_requested = Signal(str, QPoint)  # id of the project, place on the screen

    def __init__(self, model: ThreadListModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        # As in the transcript's canvas: for a viewport that Qt made, PySide would load every kind of widget there is.
        self.setViewport(QWidget())
        self.rows = model
        self.painter = ThreadDelegate(theme, self)
        self.reduced_motion = False
        self._surface, self._focus = theme.color("surface"), theme.color("focus")
        self._modifiers = Qt.KeyboardModifier.NoModifier
        self._pressed: QPoint | None = None
        self._dragged: list[str] = []
        self._place: tuple[str, int] | None = None
        self._was_at_top = False  # before the rows were arranged last
        self._kept_value = 0  # of the scroll bar, after that
        self._follow = False
        self._pointer: QPoint | None = None
        self._selected = 0
        self._kept_selection: list[str] = []
        self._kept_row = -1
        self._theme = theme
        self._buttons: RowButtons | None = None
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the pane lays one over the rows
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)
        self.setModel(model)
        self.setItemDelegate(self.painter)
        self.verticalScrollBar().setSingleStep(2 * GRID)
        self.turning = QTimer(self)
        self.turning.setInterval(motion("turn"))
        self.turning.timeout.connect(self._turn)
        self._release = single_shot(self, self._let_go, HELD_MS)
        self.clicked.connect(self._on_clicked)
        model.dataChanged.connect(self._look_whether_turning)
        model.about_to_arrange.connect(self._remember_place)
        model.arranged.connect(self._return_to_place)
        model.arranged.connect(self.place_buttons)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._surface, self._focus = theme.color("surface"), theme.color("focus")
        if not theme.list_previews:
            self.rows.previews = None
        elif self.rows.previews is None:
            from desktop_app.ui.threads.thread_row_words import ThreadPreviews

            self.rows.previews = ThreadPreviews(self.rows, self.rows.last_words_wanted.emit, self._repaint_preview)
        self.doItemsLayout()

    def _repaint_preview(self, thread_id: str) -> None:
        self.rows.repaint(thread_id, PREVIEW_ROLE)

    # --- what is open, current, selected

    def show_open(self, thread_id: str | None) -> None:
        """Marks the thread that the window shows; it becomes the current one, and comes into view."""
        before, self.painter.open_id = self.painter.open_id, thread_id
        changed, index = before != thread_id, self.rows.index_of(thread_id)
        # where the keyboard is here and the open thread is gone, it goes on at the row beside
        if (changed or not self.selected_ids()) and (index.isValid() or not self.hasFocus()):
            self.make_current(index)
        if changed and index.isValid() and self.isVisible():  # else it is brought into view when the list is shown
            self.scrollTo(index)
        # hidden, as before the first paint, there is nothing to paint again, and to ask where a row stands lays out all
        for row in (self.rows.index_of(before), index) if self.isVisible() else ():
            self.update(row)

    def show_covered(self, covered: bool) -> None:
        """Mutes the mark of the open thread while a page covers it."""
        self.painter.covered = covered
        self.viewport().update()

    def make_current(self, index: QModelIndex) -> None:
        """Makes a row the current and only selected one, whatever keys are down: Ctrl+PgDown selects no second one."""
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect if index.isValid() else flag.Clear)

    def bring(self, thread_id: str) -> None:
        """Brings a thread into view that the user has put elsewhere: with its heading where there is room.

        A list at its top stays there where it can: what the user has moved, the row under the mouse need not follow.
        """
        self.rows.reveal(thread_id)
        index = self.rows.index_of(thread_id)
        group = self.rows.group_at(index.row())
        if not index.isValid() or group is None:
            return
        heading = self.rows.index(self.rows.row_of_group(group.key))
        self.updateGeometries()  # rows have just come or gone
        if self._was_at_top:
            self._was_at_top = False
            self.verticalScrollBar().setValue(0)
        if self._covered(index) and (index.row() - heading.row() + 1) * self.painter.height <= self.viewport().height():
            self.scrollTo(heading)
        self.scrollTo(index)

    def _covered(self, index: Index) -> bool:
        """Return True if a row is not wholly to be seen."""
        row, sticky = self.visualRect(index), self.sticky()
        top = sticky[1].bottom() + 1 if sticky is not None else 0
        return row.top() < top or row.bottom() >= self.viewport().height()

    def current_thread(self) -> Thread | None:
        return cast("Thread | None", self.currentIndex().data(THREAD_ROLE)) if self.currentIndex().isValid() else None

    def current_project(self) -> str | None:
        """The id of the project whose heading is the current row."""
        return group.project if (group := self._current_group()) is not None else None

    def selected_ids(self) -> list[str]:
        """The selected threads, from the top."""
        selection = self.selectionModel().selection()
        ranges = sorted((one.top(), one.bottom()) for one in map(selection.at, range(selection.size())))
        return [name for top, bottom in ranges for name in self.rows.threads_between(top, bottom)]

    def clear_selection(self) -> None:
        """Only the open thread is selected again."""
        self.make_current(self.rows.index_of(self.painter.open_id))

    def selectAll(self) -> None:
        self.rows.fetch_all()
        super().selectAll()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self._count_selected()

    def _count_selected(self) -> None:
        if (count := len(self.selected_ids())) != self._selected:
            self._selected = count
            self.selection_changed.emit(count)

    def ids_at(self, thread_id: str) -> list[str]:
        """Return the threads meant by a wish for this row: the selection that it is part of, else the row."""
        selected = self.selected_ids()
        return selected if thread_id in selected else [thread_id]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == self.State.EditingState:
            return  # a key that the field left over is not for the row
        thread, group = self.current_thread(), self._current_group()
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
            return
        key = event.key()
        opening = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if thread is not None and opening:
            self.chosen.emit(thread.id)
        elif thread is not None and key == Qt.Key.Key_Delete:
            self.delete_requested.emit(self.ids_at(thread.id))
        elif group is not None and (opening or key == Qt.Key.Key_Space):
            self._fold(group, not group.collapsed)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.currentIndex().isValid():
            self._fold_by_key(closing=(key == Qt.Key.Key_Left) == self.isLeftToRight())
        elif key == Qt.Key.Key_Escape and self._dragged:
            self._end_drag()
        elif key == Qt.Key.Key_Escape and self._selected > 1:
            self.clear_selection()
        elif key == Qt.Key.Key_Escape and self.rows.archived:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _current_group(self) -> ThreadGroupRow | None:
        index = self.currentIndex()
        return cast("ThreadGroupRow | None", index.data(GROUP_ROLE)) if index.isValid() else None

    def _fold_by_key(self, *, closing: bool) -> None:
        """Left goes to the heading, or closes it; Right opens it, or goes to its first thread."""
        row = self.currentIndex().row()
        if (group := self.rows.group_at(row)) is None:
            return
        on_heading = self._current_group() is not None
        if closing and not on_heading:
            self.make_current(self.rows.index(self.rows.row_of_group(group.key)))
        elif on_heading and closing != group.collapsed:
            self._fold(group, closing)
        elif on_heading and not closing and row + 1 < self.rows.rowCount():
            self.make_current(self.rows.index(row + 1))

    def _fold(self, group: ThreadGroupRow, collapsed: bool) -> None:
        if not group.folds:
            return
        self.rows.set_collapsed(group.key, collapsed)
        if (row := self.rows.row_of_group(group.key)) >= 0 and self.hasFocus():
            self.make_current(self.rows.index(row))

    def _on_clicked(self, index: QModelIndex) -> None:
        """A plain click opens; with Ctrl or Shift it only selects."""
        thread = index.data(THREAD_ROLE)
        selecting = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if isinstance(thread, Thread) and not self._modifiers & selecting:
            self.chosen.emit(thread.id)

    # --- the place stays when rows move

    def _remember_place(self) -> None:
        """The row under the mouse, else the first one in view, and where it stands; also what is selected.

        While nobody is about to use the list, the open thread stays in view instead.
        """
        self._kept_selection = self.selected_ids() if self._selected > 1 else []
        self._kept_row = self.currentIndex().row()
        if not self.isVisible():
            # nobody looks yet: at the start, the first use of the cursor and its kin alone takes 10 ms
            self._place, self._follow = None, False
            return
        point = self.viewport().mapFromGlobal(QCursor.pos())
        inside = self.underMouse() and self.viewport().rect().contains(point)
        index = self.indexAt(point if inside else QPoint(0, 0))
        name = self._name_of(index)
        value = self.verticalScrollBar().value()
        # one that rows came in above the mouse is at its top still, as long as nobody has scrolled
        self._was_at_top = value == 0 or (self._was_at_top and value == self._kept_value)
        stays = value == 0 and not inside
        self._place = None if name is None or stays else (name, self.visualRect(index).top())
        self._follow = not inside and not self.hasFocus() and self._open_in_view()

    def _return_to_place(self) -> None:
        place, self._place = self._place, None
        self._look_whether_turning()
        if not self.selected_ids():
            self._select(self._kept_selection)
        if self.painter.open_id is not None and not self.selected_ids() and not self.hasFocus():
            self.make_current(self.rows.index_of(self.painter.open_id))
        elif self.hasFocus() and not self.currentIndex().isValid() and self._kept_row >= 0:
            row = min(self._kept_row, self.rows.rowCount() - 1)  # the keys go on where they were
            self.selectionModel().setCurrentIndex(self.rows.index(row), QItemSelectionModel.SelectionFlag.NoUpdate)
        if place is not None:
            row = self.rows.row_of_group(place[0][1:]) if place[0][0] == "#" else self.rows.index_of(place[0]).row()
            if row >= 0:
                bar = self.verticalScrollBar()
                self.updateGeometries()
                bar.setValue(bar.value() + self.visualRect(self.rows.index(row)).top() - place[1])
        self._kept_value = self.verticalScrollBar().value()
        if self._follow and not self._open_in_view():
            self.scrollTo(self.rows.index_of(self.painter.open_id))
        self._count_selected()

    def _select(self, ids: Sequence[str]) -> None:
        """Select threads again whose rows were remade."""
        chosen, first, last = QItemSelection(), -1, -2
        for row in (*sorted(row for one in ids if (row := self.rows.index_of(one).row()) >= 0), -1):
            if row != last + 1:
                if first >= 0:
                    chosen.select(self.rows.index(first), self.rows.index(last))
                first = row
            last = row
        if not chosen.isEmpty():
            self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.Select)

    def _open_in_view(self) -> bool:
        index = self.rows.index_of(self.painter.open_id)
        return index.isValid() and self.viewport().rect().contains(self.visualRect(index).center())

    def _name_of(self, index: QModelIndex) -> str | None:
        if not index.isValid():
            return None
        thread = index.data(THREAD_ROLE)
        return thread.id if isinstance(thread, Thread) else f"#{index.data(GROUP_ROLE).key}"

    def _let_go(self) -> None:
        busy = self._dragged or QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if busy or QApplication.activePopupWidget() is not None or self.state() == self.State.EditingState:
            self._release.start()
        else:
            self.rows.hold(False)

    # --- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._modifiers = event.modifiers()
        point = event.position().toPoint()
        if self._pressed_heading(event):
            return
        left = event.button() == Qt.MouseButton.LeftButton
        index = self.indexAt(point)
        on_thread = index.isValid() and isinstance(index.data(THREAD_ROLE), Thread)
        self._pressed = point if left and on_thread else None
        if event.button() == Qt.MouseButton.MiddleButton:
            if on_thread:
                self.new_window_requested.emit(index.data(THREAD_ROLE).id)
            return
        if event.button() == Qt.MouseButton.RightButton and on_thread:
            return  # the menu is about the selection, or about this row alone: neither is opened nor selected by it
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._pressed_heading(event):
            super().mouseDoubleClickEvent(event)

    def _pressed_heading(self, event: QMouseEvent) -> bool:
        """Return True if a heading was pressed: its arrow folds the group, a project's name opens the project."""
        point = event.position().toPoint()
        if (found := self.heading_at(point)) is None:
            return False
        group, place = found
        if event.button() != Qt.MouseButton.LeftButton:
            return True
        if self.painter.arrow_rect(place).contains(point):
            self._fold(group, not group.collapsed)
        elif group.project is not None and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.project_chosen.emit(group.project)
        return True

    def heading_at(self, point: QPoint) -> tuple[ThreadGroupRow, QRect] | None:
        """The heading that is seen at a place, at the upper edge or among the rows, and where it stands."""
        if (found := self.sticky()) is not None and found[1].contains(point):
            return found
        index = self.indexAt(point)
        group = index.data(GROUP_ROLE) if index.isValid() else None
        return (group, self.visualRect(index)) if isinstance(group, ThreadGroupRow) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.rows.hold(True)
        self._release.start()
        self.point_at(event.position().toPoint())
        if not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        point = event.position().toPoint()
        if self._pressed is not None and not self._dragged:
            if (point - self._pressed).manhattanLength() < QApplication.startDragDistance():
                return
            thread = self.indexAt(self._pressed).data(THREAD_ROLE)
            if isinstance(thread, Thread) and not self.rows.archived:
                self._dragged = self.ids_at(thread.id)
                self.viewport().setCursor(Qt.CursorShape.DragMoveCursor)
        if self._dragged:
            self._drag_to(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._modifiers = event.modifiers()
        self._pressed = None
        if self._dragged:
            ids, target = self._dragged, self.painter.target
            self._end_drag()
            if target is not None:
                self.dropped.emit(ids, target)
            self.setState(self.State.NoState)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.visualRect(index).center() if by_key else event.pos()
            self._show_menu_of(index.row(), self.viewport().mapToGlobal(place))

    def _show_menu_of(self, row: int, place: QPoint) -> None:
        index = self.rows.index(row)
        thread, group = index.data(THREAD_ROLE), index.data(GROUP_ROLE)
        if isinstance(thread, Thread):
            self.menu_requested.emit(thread.id, place)
        elif isinstance(group, ThreadGroupRow) and group.project is not None:
            self.project_menu_requested.emit(group.project, place)

    # --- the buttons of the rows

    def place_buttons(self) -> None:
        """One button in the row under the pointer, one in the row that has the keyboard."""
        pointed = self.indexAt(self._pointer).row() if self._pointer is not None and not self._dragged else -1
        has_keyboard = self.hasFocus() or (self._buttons is not None and self._buttons.has_keyboard)
        current = self.currentIndex().row() if has_keyboard else -1
        self.painter.pointed = pointed
        if self._buttons is None and (pointed >= 0 or current >= 0):
            from desktop_app.ui.threads.list_controls import RowButtons

            self._buttons = RowButtons(self, self.button_rect, self._theme)
            self._buttons.left.connect(self.place_buttons)
            self._buttons.pressed.connect(self._show_menu_of)
        if self._buttons is not None:
            self._buttons.place(pointed, current)
            self.painter.buttoned = self._buttons.rows

    @property
    def last_stop(self) -> QWidget:
        """The widget in the list that the Tab key comes to last."""
        return (self._buttons.stop if self._buttons is not None else None) or self

    def button_rect(self, row: int) -> QRect:
        """Return the place of a row's button; none for a heading without a menu and for the one at the edge."""
        index = self.rows.index(row)
        rect, group = self.visualRect(index), index.data(GROUP_ROLE)
        if isinstance(group, ThreadGroupRow) and group.project is None:
            return QRect()
        if group is not None:
            rect = self.painter.heading_rect(rect)
        place = self.painter.button_rect(rect, heading=group is not None)
        return QRect() if (found := self.sticky()) is not None and found[1].intersects(place) else place

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.place_buttons()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.place_buttons()
        if event.reason() == Qt.FocusReason.BacktabFocusReason and self._buttons is not None:
            self._buttons.take_from_behind()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        QTimer.singleShot(0, self, self.place_buttons)  # the button in the row may be about to get the keyboard

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and QApplication.activePopupWidget() is None:
            self.point_at(None)
        return super().viewportEvent(event)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        if self._buttons is not None:
            self.place_buttons()

    def point_at(self, point: QPoint | None) -> None:
        """Set the place of the pointer; the heading at the upper edge shows its arrow under it."""
        before, self._pointer = self._pointer, point
        found = self.sticky()
        if found is not None and any(each is not None and found[1].contains(each) for each in (before, point)):
            self.viewport().update(found[1])
        row = self.painter.pointed
        self.place_buttons()
        for changed in {row, self.painter.pointed} if row != self.painter.pointed else ():
            if changed >= 0:
                self.update(self.rows.index(changed))

    def look_for_pointer(self) -> None:
        """A menu was in the pointer's way."""
        point = self.viewport().mapFromGlobal(QCursor.pos())
        self.point_at(point if self.viewport().rect().contains(point) else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._let_go()

    @property
    def dragging(self) -> bool:
        return bool(self._dragged)

    def _drag_to(self, point: QPoint) -> None:
        row = self.indexAt(point).row()
        group = self.rows.group_at(row) if row >= 0 else None
        takes = (
            group is not None
            and group.folds
            and any(self._changes(thread_id, group.key) for thread_id in self._dragged)
        )
        target = group.key if takes and group is not None else None
        if target != self.painter.target:
            self.painter.target = target
            self.viewport().update()
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if point.y() < EDGE or point.y() > height - EDGE:
            bar.setValue(bar.value() + (-GRID if point.y() < EDGE else GRID))

    def _changes(self, thread_id: str, key: str) -> bool:
        """Return True if dropping a thread on a group would change anything."""
        if (thread := self.rows.thread_of(thread_id)) is None:
            return False
        if key == PINNED:
            return not thread.pinned
        if key.startswith(PROJECT):
            return thread.pinned or thread.project != key.removeprefix(PROJECT)
        return thread.pinned or thread.project is not None

    def _end_drag(self) -> None:
        self._dragged, self.painter.target = [], None
        self.viewport().unsetCursor()
        self.viewport().update()

    # --- painting

    def sticky(self) -> tuple[ThreadGroupRow, QRect] | None:
        """The heading that is painted at the upper edge, as its own row is scrolled away, and where."""
        if (top := self.indexAt(QPoint(0, 0)).row()) < 0:
            return None
        if (group := self.rows.group_at(top)) is None:
            return None
        own = self.visualRect(self.rows.index(self.rows.row_of_group(group.key)))
        if self.painter.heading_rect(own).top() >= 0:
            return None
        height, shift = self.painter.line, 0
        heading_below = next((row for row in (top + 1, top + 2) if self._is_heading(row)), None)
        if heading_below is not None:  # the last row of its group pushes it out, else it would hide a group of one
            shift = min(0, self.visualRect(self.rows.index(heading_below - 1)).top() - height)
        return (group, QRect(0, shift, self.viewport().width(), height)) if shift > -height else None

    def _is_heading(self, row: int) -> bool:
        return row < self.rows.rowCount() and isinstance(self.rows.index(row).data(GROUP_ROLE), ThreadGroupRow)

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Brings a row into view, and out from under the heading at the upper edge."""
        super().scrollTo(index, hint)
        if isinstance(index.data(THREAD_ROLE), Thread) and self.sticky() is not None:
            covered = self.painter.line - self.visualRect(index).top()
            if covered > 0:
                self.verticalScrollBar().setValue(self.verticalScrollBar().value() - covered)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if (found := self.sticky()) is not None:
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            flood(painter, found[1], self._surface)
            pointed = self._pointer is not None and found[1].contains(self._pointer)
            self.painter.paint_heading(painter, found[1], found[0], RowInput(pointed=pointed))
            painter.end()
        if self.hasFocus() and not self.currentIndex().isValid():
            painter = QPainter(self.viewport())
            frame(painter, self.viewport().rect(), self._focus)
            painter.end()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint again. Rows are equally high: nothing is laid out for a changed title, as a `QListView` would do."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # the heading at the edge does not scroll
        self.place_buttons()

    def _look_whether_turning(self) -> None:
        turning = bool(self.rows.marked("running")) and not self.reduced_motion
        if turning and not self.turning.isActive():
            self.turning.start()
        elif not turning:
            self.turning.stop()

    def _turn(self) -> None:
        if not self.isVisible():
            return
        self.painter.step = (self.painter.step + 1) % STEPS
        for thread_id in self.rows.marked("running"):
            self.update(self.rows.index_of(thread_id))
