"""The load line while it is moved, by mouse or keyboard: where it can go, where it is, what it would cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import OUTDENT, flood, radius, stroke
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.pointer import Pointer
from desktop_app.ui.transcript.items.item import LOAD_LINE, CanvasRow, TextStyle
from desktop_app.ui.transcript.items.line_items import GRIP, note_height, paint_grip
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.message_navigation import MessageNavigation
from desktop_app.ui.widgets.dragging import EscapeWatch

if TYPE_CHECKING:
    from desktop_app.ui.transcript.reading.keyboard_navigation import KeyboardNavigation


PADDING = 10
"""Pixels beside the words."""


class LoadLinePreview(QWidget):
    """A line over the text with words on it. The mouse goes through it.

    Where the line is out of view the words stay, with an arrow to where it is.
    """

    def __init__(self, viewport: QWidget, style: TextStyle) -> None:
        super().__init__(viewport)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._style = style
        self._pill = 2 * round(QFontMetricsF(style.small.font).height() / 2) + 12
        self.words = ""
        self.refused = False
        self.arrow = ""  # "": the line is in view
        """The direction of the line that is out of view, "" where it is in view."""

    def show_words(self, words: str, *, refused: bool) -> None:
        """Show what the next request would be, or why the line can't stay here."""
        self.words, self.refused = words, refused
        self.setAccessibleName(words)
        self.update()

    def place(self, column: QRect, y: int, height: int, *, held: int | None = None) -> None:
        """Puts the line at a height of the view, which is so many pixels high.

        Out of it only the words are seen, at the height `held` where the pointer is, if it is what holds the line.
        """
        half = self._pill // 2
        arrow = "↑" if y < -half else "↓" if y > height + half else ""
        if arrow != self.arrow:
            self.arrow = arrow
            self.update()
        shown = held if arrow and held is not None else y
        inside = max(half, min(height - half, shown))
        self.setGeometry(column.left() - OUTDENT, inside - half, column.width() + 2 * OUTDENT, self._pill)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        style, middle = self._style, self._pill // 2
        role = "danger" if self.refused else "accent"
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if not self.arrow:
                flood(painter, QRect(0, middle - 1, self.width(), 2), style.color(role))
                paint_grip(painter, style, self.width() - OUTDENT, middle, held=True, color=role)
            if self.words:
                metrics = QFontMetricsF(style.small.font)
                room = self.width() - 3 * OUTDENT - style.theme.pixels(GRIP[0]) - 2 * PADDING
                said = f"{self.arrow}  {self.words}" if self.arrow else self.words
                words = metrics.elidedText(said, Qt.TextElideMode.ElideRight, room)
                box = QRectF(OUTDENT + 0.5, 0.5, metrics.horizontalAdvance(words) + 2 * PADDING, self._pill - 1)
                painter.setPen(QPen(style.color(role), stroke("hair")))
                painter.setBrush(style.color("raised"))
                painter.drawRoundedRect(box, radius("control"), radius("control"))
                painter.setFont(style.small.font)
                painter.setPen(style.color("danger" if self.refused else "text"))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


Key = Qt.Key
EDGE = 48
"""Pixels from the upper and lower edge of the view where dragging scrolls it."""
EDGE_MS = 16
EDGE_PACE = 24
FASTEST = 2_400
"""The speed of scrolling for each pixel into that, and at most (pixels a second)."""
LONGEST_STEP_S = 0.1
_ALL = 1 << 30
STEPS = {
    Key.Key_Up: -1,
    Key.Key_Down: 1,
    Key.Key_PageUp: -5,
    Key.Key_PageDown: 5,
    Key.Key_Home: -_ALL,
    Key.Key_End: _ALL,
}
"""Turns that a key moves the line by."""
KEYBOARD_SHARE = 0.4
"""The share of the view at which the line comes to stand that the keyboard moves out of it."""
#: Where on the line's row of the view the hairline runs, from the top of its cell.
ROW_GAP = 8


class LoadLineDrag(QObject):
    """Takes the load line from one message to another. `moved`, `dropped` carry the message that it stands above.

    `places_of` gives the messages of the path that it can stand above, in order, and `blocked` why it can't be moved
    now, "" where it can.
    """

    moved = Signal(str)
    dropped = Signal(str)
    ended = Signal()
    refused = Signal(str)
    undo_requested = Signal()

    def __init__(
        self,
        canvas: Canvas,
        path: ShownPath,
        navigation: MessageNavigation,
        *,
        pointer: Pointer,
        keyboard: KeyboardNavigation,
        decorations: Decorations,
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._path, self._decorations = canvas, path, decorations
        self._navigation, self._pointer, self._keyboard = navigation, pointer, keyboard
        self.places_of: Callable[[], Sequence[str]] = lambda: ()
        self.blocked: Callable[[], str] = lambda: ""
        self._places: Sequence[str] = ()
        self._numbers: list[int] = []
        self._at = -1  # which of the places; -1: the line is not being moved
        self._from = -1
        self._by_keyboard = False
        self._refocus = False
        self._pressed: QPoint | None = None
        self._over = False  # this press moves nothing any more: it was refused, or cancelled
        self._point = QPoint()
        self.preview: LoadLinePreview | None = None
        """The line where it is held, with its words; None while it is not moved."""
        self._escape = EscapeWatch(canvas, self.cancel)
        self._edge = QTimer(self, interval=EDGE_MS)
        self._edge.timeout.connect(self._scroll_at_edge)
        self._since = QElapsedTimer()

    @property
    def moving(self) -> bool:
        """True where the line is off its place."""
        return self._at >= 0

    @property
    def holding(self) -> bool:
        """True while a mouse button is down that took the line: its events are not for the text."""
        return self._pressed is not None

    @property
    def at(self) -> str:
        """The message above which the line would come to stand, "" while it is not being moved."""
        return self._places[self._at] if self.moving else ""

    @property
    def words(self) -> str:
        return self.preview.words if self.preview is not None else ""

    def show_words(self, words: str, *, refused: bool) -> None:
        """Show what the next request would be with the line where it is."""
        if self.preview is None:
            return
        self.preview.show_words(words, refused=refused)
        if self._by_keyboard and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._canvas, words))

    def cancel(self) -> None:
        """Leaves the line where it was."""
        if self.moving:
            self._over = True
            self._end()

    # --- by mouse

    def press(self, event: QMouseEvent) -> bool:
        """True if the line was taken."""
        if event.button() != Qt.MouseButton.LeftButton:
            self.cancel()
            return self.holding
        self.cancel()
        if (touch := self._pointer.touch(event.position().toPoint())) is None or touch.button != LOAD_LINE:
            return False
        self._pressed, self._over = event.position().toPoint(), False
        return True

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves with the line."""
        if self._pressed is None:
            return
        self._point = event.position().toPoint()
        far = (self._point - self._pressed).manhattanLength() >= QGuiApplication.styleHints().startDragDistance()
        if far and not self.moving and not self._over:
            self._over = not self._begin()
        if self.moving:
            self._follow_pointer()
            if self._depth() and not self._edge.isActive():
                self._since.start()
                self._edge.start()

    def release(self, event: QMouseEvent) -> None:
        """The line is put where it is now."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = None
            self._drop()

    def _follow_pointer(self) -> None:
        self._go_to(self._nearest(self._point.y()))

    def _nearest(self, y: int) -> int:
        """The place nearest to a height of the view, of those around the message that is there."""
        height = self._canvas.row_layout.view
        if (placed := self._canvas.placed_at(max(0, min(height - 1, y)))) is None:
            return self._at
        above = max(0, bisect_right(self._numbers, placed.message) - 1)
        below = min(above + 1, len(self._places) - 1)
        tops = [self._top(self._numbers[place]) for place in (above, below)]
        if tops[0] is None or tops[1] is None:
            # of a turn that is higher than the view the nearer end is meant
            whole = tops[0] is not None or (tops[1] is None and y < height // 2)
            return above if whole else below
        return above if abs(y - tops[0]) <= abs(y - tops[1]) else below

    def _depth(self) -> int:
        """Return how far into the edge of the view the pointer is: below 0 at the upper one."""
        y, height = self._point.y(), self._canvas.row_layout.view
        return y - EDGE if y < EDGE else max(0, y - height + EDGE)

    def _scroll_at_edge(self) -> None:
        if not (depth := self._depth()) or not self.moving or not self.holding:
            self._edge.stop()
            return
        seconds = min(LONGEST_STEP_S, self._since.restart() / 1_000)
        self._canvas.scroll_by(round(max(-FASTEST, min(FASTEST, EDGE_PACE * depth)) * seconds))
        self._follow_pointer()

    # --- by keyboard

    def key(self, event: QKeyEvent) -> bool:
        """True if the key was for the line: the keyboard is on it, or moves it."""
        stop, key = self._keyboard.stop, Key(event.key())
        if not self._by_keyboard and (stop is None or stop[1] != LOAD_LINE):
            return False
        if event.matches(QKeySequence.StandardKey.Undo) and not self.moving:
            self.undo_requested.emit()
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        elif key in STEPS:
            if self.moving or self._begin(by_keyboard=True):
                self._go_to(max(0, min(len(self._places) - 1, self._at + STEPS[key])))
        elif key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space}:
            if self.moving:
                self._refocus = True
                self._drop()
            else:
                self._begin(by_keyboard=True)
        else:
            return False
        return True

    def plan_shown(self) -> None:
        """The line has come to stand elsewhere: the keyboard that put it there goes along."""
        line = self._decorations.load_line
        if not self._refocus or line is None or not self._canvas.hasFocus():
            return
        number = self._path.number(line)
        row = self._row(number) if number is not None else None
        if number is not None and row is not None:
            self._refocus = False
            self._keyboard.stop_at(number, row, LOAD_LINE)
            self._canvas.reveal(number, row, 0)

    # --- both

    def path_shown(self) -> None:
        """The thread was read again: the line is let go where its messages stand elsewhere now."""
        if self.moving and [self._path.number(one) for one in self._places] != self._numbers:
            self.cancel()

    def _begin(self, *, by_keyboard: bool = False) -> bool:
        """Takes the line off its place; False where it can't be moved."""
        if why := self.blocked():
            self.refused.emit(why)
            return False
        line = self._decorations.load_line
        found = [(self._path.number(one), one) for one in self.places_of()]
        self._places = [one for number, one in found if number is not None]
        self._numbers = [number for number, _ in found if number is not None]
        here = self._path.number(line) if line is not None else None
        if here is None or not self._places:
            return False
        self._by_keyboard = by_keyboard
        self._from = here
        self._at = max(0, bisect_right(self._numbers, here) - 1)
        self.preview = LoadLinePreview(self._canvas.viewport(), self._canvas.text_style)
        self._canvas.rows_shown.connect(self._place)
        self._escape.start()
        self._show()
        self.moved.emit(self.at)
        return True

    def _go_to(self, place: int) -> None:
        if place != self._at:
            self._at = place
            self._show()
            self.moved.emit(self.at)

    def _show(self) -> None:
        """Tone down the messages that the line leaves out, as if it stood there already."""
        self._decorations.toned_down_by_drag = self._tones_down
        self._decorations.mark_rows()
        self._canvas.row_layout.place_again()
        if self._by_keyboard and self._top(self._numbers[self._at]) is None:
            self._navigation.scroll_to_message(self.at, KEYBOARD_SHARE)
        self._canvas.refresh()

    def _tones_down(self, message_id: str) -> bool:
        if (number := self._path.number(message_id)) is None or self._decorations.keeps(message_id):
            return False
        if number < self._numbers[self._at]:
            return True
        # further down only what is left out for another reason
        return number >= self._from and self._decorations.tones_down(message_id)

    def _place(self) -> None:
        if self.preview is not None and self.moving:
            number = self._numbers[self._at]
            top = self._top(number)
            view, overlay = self._canvas.row_layout.view, self._canvas.bottom_overlay
            if overlay is not None:
                overlay.hide()  # it would lie over the words; whoever shows it does so again when rows are shown
            if top is None:
                placed = self._canvas.row_layout.placed
                top = 2 * view if placed and number > placed[-1].message else -view
            self.preview.place(self._canvas.column, top, view, held=self._point.y() if self.holding else None)

    def _top(self, number: int) -> int | None:
        """Return the place in the view where the line would stand above a message; None: out of view."""
        first = next((placed for placed in self._canvas.row_layout.placed if placed.message == number), None)
        if first is None or self._canvas.row_layout.row_list(first.message).rows[0] is not first.row:
            return None
        if first.row.decoration == LOAD_LINE:
            return first.top + ROW_GAP + note_height(self._canvas.text_style) // 2
        return first.top

    def _row(self, number: int) -> CanvasRow | None:
        rows = self._canvas.row_layout.message_layout(number).head
        return next((row for row in rows if row.decoration == LOAD_LINE), None)

    def _drop(self) -> None:
        target, same = self.at, self.moving and self._numbers[self._at] == self._from
        self._end()
        if target and not same:
            self.dropped.emit(target)

    def _end(self) -> None:
        self._edge.stop()
        if not self.moving:
            return
        self._at, self._by_keyboard = -1, False
        self._escape.stop()
        self._canvas.rows_shown.disconnect(self._place)
        if self.preview is not None:
            self.preview.hide()
            self.preview.deleteLater()
            self.preview = None
        self._decorations.toned_down_by_drag = None
        self._decorations.mark_rows()
        self._canvas.row_layout.place_again()
        self._canvas.refresh()
        self.ended.emit()
