"""Owns the bar beneath something that is wider than the column. Knows not what it is that is wide."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from desktop_app.ui.transcript.look import CORNER, Look

BAR = 4


@dataclass(frozen=True, slots=True)
class SideBar:
    """A bar beneath something wide: the width of the view, where the bar stands, what lies outside, how far it is."""

    width: int
    top: int
    span: int
    offset: int

    @property
    def length(self) -> float:
        """How long the handle is."""
        return max(24.0, self.room * self.room / (self.room + max(1, self.span)))

    @property
    def room(self) -> int:
        """Where the handle can move."""
        return self.width - 2 * CORNER

    def dragged(self, pixels: int) -> int:
        """How far the content moves when the handle is dragged so many pixels."""
        return round(pixels * self.span / max(1.0, self.room - self.length))


def paint_bar(painter: QPainter, look: Look, bar: SideBar, *, hot: bool) -> None:
    """A handle that tells how much lies outside, and where the reader is in it."""
    if bar.span <= 0:
        return
    left = CORNER + (bar.room - bar.length) * bar.offset / bar.span
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color("fill" if hot else "track"))
    painter.drawRoundedRect(QRectF(left, bar.top, bar.length, BAR), BAR / 2, BAR / 2)
