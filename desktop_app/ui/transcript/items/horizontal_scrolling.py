"""The sideways movement of content wider than the column, and the bar beneath it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from desktop_app.ui.theme.theme import radius
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.item import Item

BAR = 4


@dataclass(frozen=True, slots=True)
class HorizontalScrollBar:
    """A bar beneath something wide: the width of the view, where the bar stands, what lies outside, how far it is."""

    width: int
    top: int
    span: int
    offset: int

    @property
    def length(self) -> float:
        """The length of the handle."""
        return max(24.0, self.room * self.room / (self.room + max(1, self.span)))

    @property
    def room(self) -> int:
        """The room in which the handle can move."""
        return self.width - 2 * round(radius("control"))

    def dragged(self, pixels: int) -> int:
        """Return how far the content moves when the handle is dragged so many pixels."""
        return round(pixels * self.span / max(1.0, self.room - self.length))


class HorizontallyScrolledItem(Item):
    """An item that shows a stretch of what is wider than it; subclasses have the slots `_offset` and `_hot`."""

    __slots__ = ()  # so that it can stand beside another base that has some

    _offset: int
    _hot: bool

    def scroll_sideways(self, pixels: int) -> bool:
        offset = max(0, min(self.overflow, self._offset + pixels))
        if offset == self._offset:
            return False
        self._offset = offset  # type: ignore[misc]
        self.changed()
        return True

    def drag_bar(self, pixels: int) -> bool:
        return self.scroll_sideways(HorizontalScrollBar(self._width, 0, self.overflow, 0).dragged(pixels))

    def button_at(self, x: int, y: int) -> str:
        return "bar" if self.overflow and self.height - 2 * BAR - 3 <= y < self.height and 0 <= x < self._width else ""

    def set_hot(self, button: str) -> bool:
        if self._hot == (button == "bar"):
            return False
        self._hot = button == "bar"  # type: ignore[misc]
        self.changed()
        return True

    def paint_side_bar(self, painter: QPainter) -> None:
        """The bar at the lower edge, where there is anything to scroll."""
        bar = HorizontalScrollBar(self._width, self.height - BAR - 2, self.overflow, self._offset)
        paint_bar(painter, self.style, bar, hot=self._hot)


def paint_bar(painter: QPainter, style: TextStyle, bar: HorizontalScrollBar, *, hot: bool) -> None:
    """A handle that tells how much lies outside, and where the reader is in it."""
    if bar.span <= 0:
        return
    left = radius("control") + (bar.room - bar.length) * bar.offset / bar.span
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.color("fill" if hot else "track"))
    painter.drawRoundedRect(QRectF(left, bar.top, bar.length, BAR), BAR / 2, BAR / 2)
