"""The painting that rows of lists have in common: the ground of the row in hand, lines with marked letters."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout

from desktop_app.ui.theme.theme import Theme, radius


def utf16_place(text: str, place: int) -> int:
    """A place among code points as one among Qt's UTF-16 units."""
    return place if text.isascii() else len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def match_format(theme: Theme) -> QTextCharFormat:
    """Return the format of letters that were typed: not by color alone."""
    made = QTextCharFormat()
    made.setForeground(theme.color("accent"))
    made.setFontWeight(QFont.Weight.Bold)
    return made


def format_range(text: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """A span of the text, in code points, in another look."""
    part = QTextLayout.FormatRange()
    part.start = utf16_place(text, start)
    part.length = utf16_place(text, end) - part.start
    part.format = look
    return part


def marked_line(text: str, font: QFont, spans: Iterable[tuple[int, int]], look: QTextCharFormat) -> QTextLayout:
    """One line with some spans of it, in code points, in another look."""
    layout = QTextLayout(text, font)
    layout.setFormats([format_range(text, start, end, look) for start, end in spans])
    layout.beginLayout()
    layout.createLine().setLineWidth(1_000_000)
    layout.endLayout()
    return layout


def paint_ground(painter: QPainter, place: QRectF, theme: Theme, *, current: bool, focused: bool = False) -> None:
    """The ground of the row that is current or pointed at, and the frame of the one that has the keyboard."""
    corner = radius("control")
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track" if current else "hover"))
    painter.drawRoundedRect(place, corner, corner)
    if focused:
        painter.setPen(theme.color("focus"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
