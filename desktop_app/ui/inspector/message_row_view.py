"""The list of the Messages tab and its keys. Turns them into wishes about rows; uses no controller."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop_app.core.context.plan import PlacedMessage
from desktop_app.ui.inspector.message_row_delegate import MessageRowDelegate
from desktop_app.ui.inspector.message_row_model import MessageRowModel, runs
from desktop_app.ui.inspector.message_rows import GroupName, MessageGroupRow
from desktop_app.ui.inspector.row_table import RowTable
from desktop_app.ui.theme.theme import Theme

Key = Qt.Key


class MessageRowView(RowTable):
    """Arrows move, Shift+arrows select, Left and Right fold a group; letters are wishes about the selection."""

    message_reached = Signal(str)  # id: the keyboard or a click came to this message
    jump_requested = Signal(str)
    pin_requested = Signal()
    exclude_requested = Signal()
    bring_back_requested = Signal()
    summarise_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()
    menu_requested = Signal(QPoint)  # in pixels of the viewport

    def __init__(self, model: MessageRowModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = model
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAccessibleName(self.tr("Messages of the next request"))
        self.setModel(model)
        self.painted = MessageRowDelegate(theme, self)
        self.setItemDelegate(self.painted)
        self.set_row_height(self.painted.height)
        self.doubleClicked.connect(self._jump)
        self._moving: tuple[set[str], str | None, GroupName | None, int] | None = None
        model.rows_to_be_replaced.connect(self._remember_place)
        model.rows_replaced.connect(self._return_to_place)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.set_row_height(self.painted.height)

    def current_message(self) -> PlacedMessage | None:
        """The message that the keyboard is at."""
        row = self.rows.row(self.currentIndex())
        return row if isinstance(row, PlacedMessage) else None

    def selected_messages(self) -> list[PlacedMessage]:
        """The selected messages in the order of the rows; without a selection the current one."""
        current = self.current_message()
        return self._selected() or ([current] if current is not None else [])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Redo) or _is_redo(event):
            self.redo_requested.emit()
        elif event.modifiers() in (_NO, Qt.KeyboardModifier.KeypadModifier) and self._take_key(event.key()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer, or with the keyboard of the row that it is at."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_requested.emit(self.visualRect(self.currentIndex()).center() if by_key else event.pos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row(index)
        if isinstance(row, MessageGroupRow) and event.button() == Qt.MouseButton.LeftButton:
            self.setCurrentIndex(index)
            self.rows.fold(row.group, not row.folded)
            event.accept()
        else:
            super().mousePressEvent(event)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        row = self.rows.row(current)
        if isinstance(row, PlacedMessage) and self._moving is None:
            self.message_reached.emit(row.id)

    def focus_rows(self) -> None:
        """Gives the keyboard to the list, at its first message where it was nowhere."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.currentIndex().isValid() and self.rows.rowCount():
            # without the message being looked for in the transcript: nobody has asked for one yet
            self.selectionModel().setCurrentIndex(self.rows.index(0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def select_messages(self, ids: Collection[str]) -> None:
        """Selects these messages and no others, as far as they have rows."""
        places = sorted(index.row() for one in ids if (index := self.rows.index_of(one)).isValid())
        chosen = QItemSelection()
        for first, last in runs(places):
            chosen.append(QItemSelectionRange(self.rows.index(first), self.rows.index(last)))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(chosen, flags.ClearAndSelect)

    def _take_key(self, key: int) -> bool:
        row = self.rows.row(self.currentIndex())
        if isinstance(row, MessageGroupRow) and key in (Key.Key_Left, Key.Key_Right, Key.Key_Return, Key.Key_Enter):
            folded = key == Key.Key_Left if key in (Key.Key_Left, Key.Key_Right) else not row.folded
            self.rows.fold(row.group, folded)
            return True
        match key:
            case Key.Key_Return | Key.Key_Enter:
                self._jump()
            case Key.Key_P:
                self.pin_requested.emit()
            case Key.Key_X:
                self.exclude_requested.emit()
            case Key.Key_B:
                self.bring_back_requested.emit()
            case Key.Key_S:
                self.summarise_requested.emit()
            case _:
                return False
        return True

    def _selected(self) -> list[PlacedMessage]:
        # by ranges: an index for each of ten thousand rows costs more than the rows
        chosen = self.selectionModel().selection().toList()
        places = sorted(place for part in chosen for place in range(part.top(), part.bottom() + 1))
        return [row for place in places if isinstance(row := self.rows.rows()[place], PlacedMessage)]

    def _jump(self) -> None:
        message = self.current_message()
        if message is not None:
            self.jump_requested.emit(message.id)

    def _remember_place(self) -> None:
        """Rows are about to go; messages that come back elsewhere stay selected, and the keyboard stays with them."""
        row = self.rows.row(self.currentIndex())
        selected = {message.id for message in self._selected()}
        self._moving = (
            selected,
            row.id if isinstance(row, PlacedMessage) else None,
            row.group if isinstance(row, MessageGroupRow) else None,
            self.verticalScrollBar().value(),
        )
        # else Qt would follow each selected row through the change
        self.selectionModel().clearSelection()

    def _return_to_place(self) -> None:
        moving = self._moving
        if moving is None:
            return
        selected, current, group, scrolled = moving
        selection, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        index = self.rows.index_of(current) if current is not None else QModelIndex()
        if group is not None:
            index = self.rows.index_of_group(group)
        if index.isValid():
            selection.setCurrentIndex(index, flags.NoUpdate)
        self.select_messages(selected)
        self.verticalScrollBar().setValue(scrolled)
        self._moving = None


_NO = Qt.KeyboardModifier.NoModifier


def _is_redo(event: QKeyEvent) -> bool:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return event.key() == Key.Key_Z and event.modifiers() == both
