"""The ways to messages: to questions, to those that are named elsewhere, back, and the button to the latest text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.state.window_state import ReadingPosition
from desktop_app.ui.theme.theme import GRID, Theme, radius, space, stroke
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.code_item import HEADER, CodeItem
from desktop_app.ui.transcript.message.row_builder import is_results
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.reader import AutoScroll

#: Where in the view a question comes to stand that the keyboard leads to.
QUESTION_TOP = 8
#: Where in the view a message comes to stand that a passage leads to.
JUMP_SHARE = 0.2


class MessageNavigation(QObject):
    """Brings messages into view. Ids are those of any message of the path."""

    def __init__(
        self, canvas: Canvas, path: ShownPath, auto_scroll: AutoScroll, leave_link: Callable[[], None]
    ) -> None:
        """`leave_link`: the keyboard is on no link or button any more."""
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._path = path
        self._auto_scroll = auto_scroll
        self._leave_link = leave_link

    # --- from question to question

    def go_to_question(self, step: int) -> None:
        """Brings the next question (1), or the previous one (-1), to the top of the view."""
        messages, placed = self._row_layout.messages, self._row_layout.placed
        if not placed or not messages:
            return
        top = next((p for p in placed if p.bottom > QUESTION_TOP), placed[-1])
        index = top.message
        if step < 0 and not (top.first and top.top >= 0) and index < len(messages) and self._is_question(index):
            index += 1  # its beginning is out of view: that is where to go
        index += step
        while 0 <= index < len(messages) and not self._is_question(index):
            index += step
        if 0 <= index < len(messages):
            self.go_to_message(index)
        elif step > 0:
            self._canvas.scroll_by(self._row_layout.bottom - self._row_layout.y)

    def _is_question(self, index: int) -> bool:
        return (message := self._row_layout.messages[index]).role == "user" and not is_results(message)

    def go_to_message(self, index: int) -> None:
        """Brings a message to the top of the view; for a reader with the keyboard here, the keyboard goes along."""
        if self._canvas.hasFocus():
            self._leave_link()
            self._row_layout.focused = index
        self.begin_at(index)
        self._row_layout.place_again()
        self._canvas.refresh()
        self._canvas.start_rest()
        self._canvas.scrolled_by_user.emit()

    def begin_at(self, index: int) -> None:
        """Has a message begin at the top of the view; painted when that is asked for."""
        self._row_layout.place_message(index, QUESTION_TOP)

    # --- to one message

    def scroll_to_message(self, message_id: str, share: float = 0.0) -> bool:
        """Brings a message to so much of the view's height from its top, as far as the content allows.

        False if there is no such message.
        """
        if found := self._path.bring(message_id, int(self._row_layout.view * share)):
            self._canvas.refresh()
            self._canvas.start_rest()
        return found

    def point_out(self, message_id: str | None) -> None:
        """Marks a message that another pane speaks of, and brings it into view where it is not; None: no message."""
        place = None if message_id is None else self._path.number(message_id)
        index = -1 if place is None else place
        if index == self._row_layout.focused:
            return
        self._row_layout.focused = index
        in_view = any(placed.message == index for placed in self._row_layout.placed)
        if message_id is not None and index >= 0 and not in_view:
            self._path.bring(message_id, self._row_layout.view // 4)
            self._canvas.start_rest()
        self._auto_scroll.show_changes()

    def jump_to(self, message_id: str) -> None:
        """Brings a message to the upper part of the view and marks it; nothing where it is not on this branch."""
        if self.scroll_to_message(message_id, JUMP_SHARE):
            self._row_layout.focused = self._path.number(message_id) or 0
            self._row_layout.message_layout(self._row_layout.focused).open_folded()
            self._auto_scroll.show_changes()

    # --- where somebody reads

    @property
    def top_message(self) -> int:
        """The number of the message at the top of the view, -1: there is none."""
        return next((placed.message for placed in self._row_layout.placed if placed.bottom > 0), -1)

    @property
    def whereabouts(self) -> ReadingPosition | None:
        """The place where the reader is; None: there is nothing to read."""
        index, row_layout = self.top_message, self._row_layout
        if not 0 <= index < len(row_layout.messages):
            return None
        held = (row_layout.messages[row_layout.hold[0]].id, row_layout.hold[1]) if row_layout.hold is not None else None
        begins = row_layout.heights.before(index) - row_layout.y
        if begins >= 0 or (found := row_layout.line_in_view()) is None:
            return ReadingPosition(row_layout.messages[index].id, begins, held=held)
        of, slot, text, top = found
        return ReadingPosition(row_layout.messages[of].id, top, slot, held, text)

    def return_to(self, place: ReadingPosition) -> None:
        """Goes back to `whereabouts`; nothing where the message is not shown."""
        if (index := self._path.number(place.message)) is None:
            return
        held = self._path.number(place.held[0]) if place.held is not None else None
        self._row_layout.hold = (held, place.held[1]) if held is not None and place.held is not None else None
        if place.slot < 0:
            self._row_layout.place_message(index, place.top)
        else:
            self._row_layout.place_line(index, place.slot, place.text, place.top)
        self._canvas.refresh()
        self._canvas.start_rest()


class CodeHeader(QWidget):
    """The header of code that begins above the view: its language and its buttons stay there while it is read.

    `pressed(placed, button)`: a click.
    """

    pressed = Signal(object, str)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._placed: PlacedRow | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Code"))
        self.hide()

    def follow(self, placed: PlacedRow | None) -> None:
        """Stands at the upper edge for that code, moved up by what comes after it; None: there is none."""
        self._placed = placed
        if placed is not None:
            left = self._canvas.column.left() + placed.row.left + self._canvas.viewport().x()
            top = min(0, placed.item_top + placed.row.item.height - HEADER) + self._canvas.viewport().y()
            self.setGeometry(left, top, placed.row.item.width, HEADER)
            self.update()
        self.setVisible(placed is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._placed is None or not isinstance(self._placed.row.item, CodeItem):
            return
        style = self._canvas.text_style
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), style.color("code-header"))
            for edge in (
                QRect(0, 0, 1, HEADER),
                QRect(self.width() - 1, 0, 1, HEADER),
                QRect(0, HEADER - 1, self.width(), 1),
            ):
                painter.fillRect(edge, style.color("hairline"))
            self._placed.row.item.paint_header(painter)

    def _button_at(self, point: QPoint) -> str:
        return self._placed.row.item.button_at(point.x(), point.y()) if self._placed is not None else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        button = self._button_at(event.position().toPoint())
        self.setCursor(Qt.CursorShape.PointingHandCursor if button else Qt.CursorShape.ArrowCursor)
        if self._placed is not None and self._placed.row.item.set_hot(button):
            self._canvas.refresh()

    def leaveEvent(self, event: QEvent) -> None:
        if self._placed is not None and self._placed.row.item.set_hot(""):
            self._canvas.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Nothing is chosen beneath it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        button = self._button_at(event.position().toPoint())
        if self._placed is not None and button and event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(self._placed, button)


ABOVE_EDGE = 16
HIGHEST = 3
"""So many times its height it may move up."""


class LatestButton(QPushButton):
    """Lies at the lower edge of the transcript, hidden while the end is in view or something is written there.

    It stands beside the column where there is room for its words, else as a sign at the column's end, so that it covers
    as little text as it can.
    `announces`: it says that the answer failed, whose card stands at the end.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.announces = False
        self._theme: Theme | None = None
        self._say()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Takes over colors and font."""
        self._theme = theme
        css, hair, corner = theme.css_color, stroke("hair"), theme.pixels(radius("round"))
        text, edge = ("danger", "danger") if self.announces else ("text", "hairline")
        self.setStyleSheet(
            f"QPushButton {{ background: {css('raised')}; color: {css(text)}; border: {hair}px solid"
            f" {css(edge)}; border-radius: {corner}px; padding: 0 {theme.pixels(space('pill-x'))}px;"
            f" min-height: {2 * (corner - hair)}px; }}"
            f"QPushButton:hover {{ background: {css('hover')}; }}"
            f"QPushButton:focus {{ border-color: {css('accent')}; }}"
        )
        self.setFont(theme.small_font())  # another sheet brings back the font before
        self.adjustSize()

    def announce(self, failed: bool) -> None:
        """Set whether the answer failed, out of view."""
        if failed != self.announces:
            self.announces = failed
            self._say()
            if self._theme is not None:
                self.set_theme(self._theme)

    def _say(self) -> None:
        self._show_words(short=False)
        self.setAccessibleName(tr("Show why the answer failed") if self.announces else tr("Show the latest text"))

    def stand_over(self, viewport: QWidget, end: int, is_control: Callable[[QPoint], bool]) -> None:
        """Stands above the lower edge of the viewport, whose column ends so many pixels from its left edge.

        Higher where it would cover something to click: `is_control` looks at a point of the viewport.
        """
        beside = self._room + 2 * GRID <= viewport.width() - end
        self._show_words(short=not beside and not self.announces)
        if self.announces:
            left = (viewport.width() - self.width()) // 2
        else:
            left = end + GRID if beside else viewport.width() - self.width() - GRID
        lowest = viewport.height() - self.height() - ABOVE_EDGE
        tops = range(lowest, max(-1, lowest - HIGHEST * self.height()), -GRID)
        top = next((top for top in tops if beside or not self._covers(QPoint(left, top), is_control)), lowest)
        self.move(viewport.x() + left, viewport.y() + top)

    def _covers(self, corner: QPoint, is_control: Callable[[QPoint], bool]) -> bool:
        across = (0, self.width() // 2, self.width() - 1)
        down = (*range(0, self.height(), GRID), self.height() - 1)
        return any(is_control(corner + QPoint(x, y)) for y in down for x in across)

    @property
    def _room(self) -> int:
        """Pixels that the button takes with its words."""
        padding = self._theme.pixels(space("pill-x")) if self._theme is not None else 0
        return self.fontMetrics().horizontalAdvance(tr("↓ Latest")) + 2 * padding + 2

    def _show_words(self, *, short: bool) -> None:
        words = tr("↓ The answer failed") if self.announces else "↓" if short else tr("↓ Latest")
        if words != self.text():
            self.setText(words)
            self.adjustSize()
