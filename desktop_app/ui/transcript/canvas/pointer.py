"""The actions of the mouse on the canvas: selecting, hovering, clicking. Uses only placed rows of the layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import CITE, LOAD_LINE, UNSENT
from desktop_app.ui.transcript.message.links import shown_target
from desktop_app.ui.transcript.reading.reader import END, Selection, Spot

#: How often the view scrolls while a selection is dragged beyond its edge (ms), how fast for each pixel beyond it, and
#: how fast at most (pixels a second).
EDGE_MS = 16
EDGE_PACE = 60
FASTEST = 4_000
LONGEST_STEP_S = 0.1


class ButtonPresser(Protocol):
    """The handler of a click."""

    def open_link(self, target: str) -> None: ...
    def press(self, placed: PlacedRow, button: str) -> None: ...


@dataclass(slots=True, eq=False)
class PointerHit:
    """The target under a point: a row, the point within its item, and the link or button there."""

    placed: PlacedRow
    x: int
    y: int
    link: str = ""
    button: str = ""


class Pointer(QObject):
    """Turns mouse events into a selection, clicks on links and buttons, and the cursor's shape."""

    def __init__(self, canvas: Canvas, selection: Selection, presser: ButtonPresser) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._presser = presser
        self._selection = selection
        self._pressed: PointerHit | None = None
        self._press_at = QPoint()
        self._group: tuple[Spot, Spot] | None = None
        self._by = "character"
        self._double = QElapsedTimer()
        self._last = QPointF()
        self._hot: PlacedRow | None = None
        self._since = QElapsedTimer()
        self._edge = QTimer(self, interval=EDGE_MS)
        self._edge.timeout.connect(self._beyond_edge)

    # --- events

    def show_hint(self, event: QHelpEvent, hint_for: Callable[[PlacedRow, int], str]) -> None:
        """Says what is under a pointer that rests: of a button, else of its row."""
        placed, touch = self._canvas.placed_at(event.pos().y()), self.touch(event.pos())
        hint = hint_for(placed, event.pos().x()) if placed is not None else ""
        if touch is not None and touch.button and (said := self._canvas.button_hint(touch.button)):
            hint = "<p>" + escape(said).replace("\n", "<br>") + "</p>"  # rich text is wrapped
        if hint:
            QToolTip.showText(event.globalPos(), hint, self._canvas.viewport())

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._pressed = self.touch(point)
        self._press_at = point
        self._last = event.position()
        if (self._pressed is not None and self._pressed.button) or (spot := self._spot(point)) is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._selection.anchor is not None:
            self._selection.caret = spot
        elif self._is_triple(point):
            self._by = "row"
            self._take(spot)
        else:
            self._by = "character"
            self._group = (spot, spot)
            self._selection.anchor = self._selection.caret = spot
        self._selection.show()

    def double_click(self, event: QMouseEvent) -> None:
        """The second press of a double click selects a word."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._pressed = self.touch(point)
        if self._pressed is not None and self._pressed.button:
            return
        if (spot := self._spot(point)) is not None:
            self._by = "word"
            self._take(spot)
            self._press_at = point
            self._double.start()
            self._selection.show()

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button down."""
        self._last = event.position()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self.hover(event.position().toPoint())
            return
        if self._pressed is not None and self._pressed.button:
            if self._pressed.button == "bar":
                self._drag_bar(event.position().toPoint())
            return
        height = self._canvas.viewport().height()
        beyond = event.position().y() < 0 or event.position().y() >= height or bool(self._beyond_side())
        if beyond and not self._edge.isActive():
            self._since.start()
            self._edge.start()
        elif not beyond:
            self._edge.stop()
        self._extend(event.position().toPoint())

    def release(self, event: QMouseEvent) -> None:
        """A button goes up: a click on the same link or button counts."""
        self._edge.stop()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        pressed, self._pressed = self._pressed, None
        touch = self.touch(point)
        if pressed is None or touch is None or touch.placed.row is not pressed.placed.row:
            return
        if touch.button and touch.button == pressed.button:
            self._presser.press(touch.placed, touch.button)
        elif touch.link and touch.link == pressed.link and self._selection.range is None:
            self._presser.open_link(touch.link)

    def hover(self, point: QPoint | None) -> None:
        """Shows what would happen on a click; None: the pointer has left."""
        touch = self.touch(point) if point is not None else None
        placed = touch.placed if touch is not None else None
        changed = False
        if self._hot is not None and (placed is None or placed.row is not self._hot.row):
            changed = self._hot.row.item.set_hot("")
        self._hot = placed
        if placed is not None and touch is not None:
            changed = placed.row.item.set_hot(touch.button) or changed
        if changed:
            self._canvas.refresh()
        self._canvas.viewport().setCursor(_cursor(touch))
        hinted = touch is not None and touch.button.startswith((CITE, UNSENT))
        if touch is not None and touch.link:
            where = QRect(touch.x, touch.y, 1, 1)
            viewport = self._canvas.viewport()
            at = viewport.mapToGlobal(point or QPoint())
            QToolTip.showText(at, shown_target(touch.link), viewport, where)
        elif QToolTip.isVisible() and touch is not None and not (touch.placed.faded or touch.placed.tick or hinted):
            QToolTip.hideText()

    def _drag_bar(self, point: QPoint) -> None:
        """The bar beneath wide content follows the pointer."""
        if self._pressed is not None and self._pressed.placed.row.item.drag_bar(point.x() - self._press_at.x()):
            self._press_at = point
            self._canvas.refresh()

    # --- what lies where

    def touch(self, point: QPoint) -> PointerHit | None:
        """Return the target under a viewport point."""
        if (placed := self._canvas.placed_at(point.y())) is None or not placed.top <= point.y() < placed.bottom:
            return None
        item = placed.row.item
        x, y = point.x() - self._canvas.column.left() - placed.row.left, point.y() - placed.item_top
        if not 0 <= y < item.height:
            return PointerHit(placed, x, y)
        return PointerHit(placed, x, y, item.link_at(x, y), item.button_at(x, y))

    def _spot(self, point: QPoint) -> Spot | None:
        """The caret position nearest to a point: on a decoration, the end of the text above it or what follows."""
        rows = self._canvas.row_layout.placed
        if (on := self._canvas.placed_at(point.y())) is None:
            return None
        if on.row.slot < 0:
            number = next(i for i, placed in enumerate(rows) if placed is on)
            if (above := next((p for p in reversed(rows[:number]) if p.row.slot >= 0), None)) is not None:
                return above.message, above.row.slot, above.row.item.length
            below = next((p for p in rows[number:] if p.row.slot >= 0), None)
            return None if below is None else (below.message, below.row.slot, 0)
        item = on.row.item
        x, y = point.x() - self._canvas.column.left() - on.row.left, point.y() - on.item_top
        if y < 0 and point.y() < on.top:
            return on.message, on.row.slot, 0
        if point.y() >= on.bottom:
            return on.message, on.row.slot, item.length
        return on.message, on.row.slot, item.position_at(x, max(0, min(item.height - 1, y)))

    # --- selecting

    def _is_triple(self, point: QPoint) -> bool:
        interval = QGuiApplication.styleHints().mouseDoubleClickInterval()
        near = (point - self._press_at).manhattanLength() < QGuiApplication.styleHints().startDragDistance()
        return self._double.isValid() and self._double.elapsed() < interval and near

    def _around(self, spot: Spot) -> tuple[Spot, Spot]:
        """The word or row around a spot, as the selection goes by."""
        message, slot, position = spot
        if self._by == "row":
            return (message, slot, 0), (message, slot, END)
        if self._by == "word":
            for placed in self._canvas.row_layout.placed:
                if placed.message == message and placed.row.slot == slot:
                    start, end = placed.row.item.word_at(position)
                    return (message, slot, start), (message, slot, end)
        return spot, spot

    def _take(self, spot: Spot) -> None:
        self._group = self._around(spot)
        self._selection.anchor, self._selection.caret = self._group

    def _extend(self, point: QPoint) -> None:
        if (spot := self._spot(point)) is None or self._group is None or self._selection.anchor is None:
            return
        start, end = self._around(spot)
        if start < self._group[0]:
            self._selection.anchor, self._selection.caret = self._group[1], start
        else:
            self._selection.anchor, self._selection.caret = self._group[0], max(end, self._group[1])
        self._selection.show()

    def _beyond_edge(self) -> None:
        height = self._canvas.viewport().height()
        y = int(self._last.y())
        beyond = y if y < 0 else y - height + 1 if y >= height else 0
        side = self._beyond_side()
        if not beyond and not side:
            self._edge.stop()
            return
        # as far as the time since the last step asks for, however late the timer comes
        seconds = min(LONGEST_STEP_S, self._since.restart() / 1_000)
        if beyond:
            self._canvas.scroll_by(round(max(-FASTEST, min(FASTEST, EDGE_PACE * beyond)) * seconds))
        elif self._pressed is not None:
            self._canvas.scroll_row_sideways(
                self._pressed.placed, round(max(-FASTEST, min(FASTEST, EDGE_PACE * side)) * seconds)
            )
        self._extend(QPoint(int(self._last.x()), max(0, min(height - 1, y))))

    def _beyond_side(self) -> int:
        """Return how far beyond the column the pointer is that selects in something wider than the column."""
        if self._pressed is None or self._pressed.placed.row.item.overflow <= 0:
            return 0
        on = self._canvas.placed_at(int(self._last.y()))
        if on is None or on.row is not self._pressed.placed.row:
            return 0
        column, x = self._canvas.column, int(self._last.x())
        return x - column.left() if x < column.left() else x - column.right() if x > column.right() else 0


def _cursor(touch: PointerHit | None) -> Qt.CursorShape:
    if touch is None or touch.button == "bar":
        return Qt.CursorShape.ArrowCursor
    if touch.button == LOAD_LINE:
        return Qt.CursorShape.SizeVerCursor
    if touch.link or touch.button:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.IBeamCursor if touch.placed.row.slot >= 0 else Qt.CursorShape.ArrowCursor
