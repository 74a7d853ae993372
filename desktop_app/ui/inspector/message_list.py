"""The list of the Messages tab: its table of rows, how a row is painted, and the keys, which become wishes about rows.

A `QListView` lays all its rows out anew whenever one of them changes, and asks the model for each: 20 ms for ten
thousand. A table's rows are sections of a header, which Qt moves by itself; the Past tab's list is such a table too."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, cast

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_app.core.context.plan import PlacedDocument, PlacedMessage, PlacedState
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.inspector.message_rows import (
    EXCERPT_ROLE,
    ROW_ROLE,
    UNUSED_ROLE,
    FixedKind,
    FixedRow,
    GroupName,
    MessageGroupRow,
    MessageRowModel,
    Row,
    fixed_name,
    group_name,
    runs,
)
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, stroke

Key = Qt.Key


class RowTable(QTableView):
    """Home and End go to the first and the last row; letters do nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # rows are painted by their delegate, the selected ones too
        self.setProperty("kind", "rows")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self.verticalScrollBar().setSingleStep(2 * GRID)

    def set_row_height(self, pixels: int) -> None:
        """Every row has this height."""
        self.verticalHeader().setMinimumSectionSize(pixels)
        self.verticalHeader().setDefaultSectionSize(pixels)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Key.Key_Home, Key.Key_End) and self.model().rowCount():
            row = 0 if event.key() == Key.Key_Home else self.model().rowCount() - 1
            flags = QItemSelectionModel.SelectionFlag
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            taken = flags.SelectCurrent if shifted else flags.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), taken | flags.Rows)
        elif _is_letter(event):
            # Qt would look for a row that begins with it
            event.ignore()
        else:
            super().keyPressEvent(event)


def _is_letter(event: QKeyEvent) -> bool:
    plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return plain and bool(event.text()) and event.text().isprintable()


ROW_HEIGHT = 28
"""Pixels at the default text size (INTERFACE.md); headings have the same, so that 10,000 rows need no measuring."""
GLYPH = 16

STATE_GLYPHS: Final[Mapping[PlacedState, str]] = {
    "whole": "state-sent",
    "annotated": "state-annotated",
    "pinned": "pin",
    "summarised": "state-summarised",
    "left_out": "state-left-out",
    "excluded": "state-excluded",
}
_FIXED_GLYPHS: Final[Mapping[FixedKind, str]] = {"draft": "pencil", "summary": "state-summarised"}
DOCUMENT_GLYPHS: Final = {"whole": "state-sent", "searched": "search", "left_out": "alert"}
_QUIET: Final = frozenset({"left_out", "excluded", "summarised", "searched"})


class MessageRowDelegate(QStyledItemDelegate):
    """Paints straight from the theme, without a style. What the assistant said stands a little further in."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font = theme.small_font()
        self.glyph = theme.pixels(GLYPH)
        self._asked = theme.small_font()
        self._asked.setWeight(QFont.Weight.Medium)
        self._metrics = {False: QFontMetricsF(self._font), True: QFontMetricsF(self._asked)}
        self._glyphs: dict[tuple[str, str], QPixmap] = {}
        self.height = max(theme.pixels(ROW_HEIGHT), round(self._metrics[False].height()) + GRID)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = cast("Row", index.data(ROW_ROLE))
        rect, state = option.rect, option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, state)
        room = QRectF(rect).adjusted(2 * GRID, 0, -2 * GRID, 0)
        if isinstance(row, MessageGroupRow):
            self._paint_heading(painter, room, row)
        elif isinstance(row, FixedRow):
            self._paint_glyph(painter, room, _FIXED_GLYPHS.get(row.kind, "state-fixed"), "text-secondary")
            self._paint_words(painter, room, fixed_name(row.kind), thousands(row.tokens), "text", asked=False)
        elif isinstance(row, PlacedDocument):
            self._paint_document(painter, room, row)
        else:
            pointed = state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus)
            unused = str(index.data(UNUSED_ROLE)) if pointed else ""
            self._paint_message(painter, room, row, unused or str(index.data(EXCERPT_ROLE)))
        painter.restore()

    def _paint_message(self, painter: QPainter, room: QRectF, row: PlacedMessage, words: str) -> None:
        quiet = row.state in _QUIET
        self._paint_glyph(
            painter, room, STATE_GLYPHS[row.state], "accent" if row.state == "pinned" else "text-secondary"
        )
        if not row.asked:
            room = room.adjusted(1.5 * GRID, 0, 0, 0)
        # what is not sent has no part in the sum: its weight stands in brackets
        tokens = f"({thousands(row.whole)})" if quiet and row.whole else thousands(row.tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary" if quiet else "text", asked=row.asked)

    def _paint_document(self, painter: QPainter, room: QRectF, row: PlacedDocument) -> None:
        self._paint_glyph(painter, room, DOCUMENT_GLYPHS[row.state], "text-secondary")
        if row.state == "whole":
            amount = thousands(row.whole)
            amount = f"{amount} · {dollars(row.cost_usd)}" if row.cost_usd else amount
        else:
            amount = f"({thousands(row.whole)})" if row.whole else ""
        self._paint_words(painter, room, row.name, amount, "text" if row.state == "whole" else "text-secondary")

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("track" if selected else "hover"))
            painter.drawRoundedRect(box, radius("small"), radius("small"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("focus"), stroke("hair")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius("small"), radius("small"))

    def _paint_heading(self, painter: QPainter, room: QRectF, row: MessageGroupRow) -> None:
        painter.setPen(QPen(self._theme.color("text-secondary"), stroke("glyph")))
        middle = QPointF(room.left() + self.glyph / 2, room.center().y())
        first, second, third = (-2.0, -3.5), (1.5, 0.0), (-2.0, 3.5)
        if not row.folded:
            first, second, third = (-3.5, -1.5), (0.0, 2.0), (3.5, -1.5)
        painter.drawPolyline([middle + QPointF(*corner) * self._theme.zoom for corner in (first, second, third)])
        words = f"{group_name(row.group)} {grouped(row.count)}"
        tokens = f"({thousands(row.whole)})" if row.group in _QUIET and row.whole else thousands(row.tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary", asked=True)

    def _paint_glyph(self, painter: QPainter, room: QRectF, name: str, role: str) -> None:
        scale = painter.device().devicePixelRatioF()
        if (glyph := self._glyphs.get((name, role))) is None or glyph.devicePixelRatio() != scale:
            glyph = self._glyphs[name, role] = icon_pixmap(name, self._theme, role, self.glyph, scale)
        painter.drawPixmap(QPointF(round(room.left()), round(room.center().y() - self.glyph / 2)), glyph)

    def _paint_words(
        self, painter: QPainter, room: QRectF, words: str, tokens: str, role: str, *, asked: bool = False
    ) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text-secondary"))
        painter.drawText(room, right, tokens)
        taken = self._metrics[False].horizontalAdvance(tokens) + 1.5 * GRID
        box = room.adjusted(self.glyph + GRID, 0, -taken, 0)
        painter.setFont(self._asked if asked else self._font)
        painter.setPen(self._theme.color(role))
        shown = self._metrics[asked].elidedText(words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


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
        self._moving: tuple[set[str], str | None, GroupName | None, int, bool] | None = None
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
        if isinstance(row := self.rows.row(current), PlacedMessage) and self._moving is None:
            self.message_reached.emit(row.id)

    def focus_rows(self) -> None:
        """Gives the keyboard to the list, at its first message where it was nowhere."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.currentIndex().isValid() and self.rows.rowCount():
            # without the message being looked for in the transcript: nobody has asked for one yet
            self.selectionModel().setCurrentIndex(self.rows.index(0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def show_messages(self, ids: Sequence[str]) -> None:
        """Selects these messages; the last of them is where the keyboard goes on, and in view."""
        self.select_messages(ids)
        last = self.rows.index_of(ids[-1])
        with QSignalBlocker(self):  # nobody has asked for it in the transcript
            self.selectionModel().setCurrentIndex(last, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.scrollTo(last)

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
        if (message := self.current_message()) is not None:
            self.jump_requested.emit(message.id)

    def _remember_place(self) -> None:
        """Rows are about to go; messages that come back elsewhere stay selected, and the keyboard stays with them.

        The row that it is at stays in view.
        """
        row = self.rows.row(self.currentIndex())
        selected = {message.id for message in self._selected()}
        self._moving = (
            selected,
            row.id if isinstance(row, PlacedMessage) else None,
            row.group if isinstance(row, MessageGroupRow) else None,
            self.verticalScrollBar().value(),
            self.viewport().rect().contains(self.visualRect(self.currentIndex())),
        )
        # else Qt would follow each selected row through the change
        self.selectionModel().clearSelection()

    def _return_to_place(self) -> None:
        if (moving := self._moving) is None:
            return
        selected, current, group, scrolled, in_view = moving
        selection, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        index = self.rows.index_of(current) if current is not None else QModelIndex()
        if group is not None:
            index = self.rows.index_of_group(group)
        if index.isValid():
            selection.setCurrentIndex(index, flags.NoUpdate)
        self.select_messages(selected)
        self.verticalScrollBar().setValue(scrolled)
        if in_view:
            self.updateGeometries()  # else the bar ends where the rows ended before
            self.scrollTo(self.currentIndex())
        self._moving = None


_NO = Qt.KeyboardModifier.NoModifier


def _is_redo(event: QKeyEvent) -> bool:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return event.key() == Key.Key_Z and event.modifiers() == both
