"""The lines that stand for something longer: thinking, tool calls, attachments."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from desktop_app.ui.theme.theme import radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.focus_ring import paint_focus
from desktop_app.ui.transcript.items.item import ButtonItem, Selected

BARE, CARD = 28, 36


class ExpandableItem(ButtonItem):
    """The line that stands for something folded away, with an arrow that says whether it is open."""

    __slots__ = ("_open",)

    def __init__(self, style: TextStyle) -> None:
        super().__init__(style)
        self._open = False

    def set_open(self, is_open: bool) -> None:
        """Turns the arrow."""
        if is_open != self._open:
            self._open = is_open
            self.changed()


class FoldItem(ExpandableItem):
    """A title, a muted detail, and an arrow where it unfolds. `framed` draws a hairline card around it."""

    __slots__ = ("_detail", "_foldable", "_framed", "_title", "_troubled")

    def __init__(
        self,
        style: TextStyle,
        title: str,
        detail: str = "",
        *,
        framed: bool,
        foldable: bool = True,
        troubled: bool = False,
    ) -> None:
        super().__init__(style)
        self._title = title
        self._detail = " ".join(detail.split())[:300]
        self._framed = framed
        self._foldable = foldable
        self._troubled = troubled

    def buttons(self) -> Sequence[tuple[str, str]]:
        words = f"{self._title}, {folded_words(is_open=self._open)}. {self._detail}".rstrip(". ")
        return (("fold", words),) if self._foldable else ()

    @property
    def title(self) -> str:
        """The words that are always shown."""
        return self._title

    def set_title(self, title: str) -> None:
        """Replaces the words."""
        if title != self._title:
            self._title = title
            self.changed()

    def _estimate(self, width: int) -> int:
        return CARD if self._framed else BARE

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, height = self.style, self.height
        left = 0.0
        if self._focused:
            paint_focus(painter, style, QRectF(0, 0, self._width, height).adjusted(-4, 2, 4, -2))
        if self._framed:
            painter.setPen(style.color("hairline"))
            painter.setBrush(style.color("hover") if self._hot else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(0.5, 0.5, self._width - 1, height - 1), radius("control"), radius("control"))
            left = 12.0
        quiet = style.color("text-secondary")
        if self._foldable:
            color = style.color("text") if self._hot else quiet
            paint_arrow(painter, style, color, QPointF(left + 2, height / 2), is_open=self._open)
            left += 12 + style.theme.pixels(8)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style.label.font)
        painter.setPen(style.color("text") if self._framed or self._hot else quiet)
        if self._troubled:
            painter.setPen(style.color("danger"))
        metrics = QFontMetricsF(style.label.font)
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideMiddle, self._width - left - 12)
        painter.drawText(QRectF(left, 0, self._width - left, height), middle, title)
        left += metrics.horizontalAdvance(title) + 12
        room = self._width - left - 12
        if self._detail and room > 40:
            painter.setFont(style.small.font)
            painter.setPen(quiet)
            detail = QFontMetricsF(style.small.font).elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room + 4, height), middle, detail)

    def button_at(self, x: int, y: int) -> str:
        return "fold" if self._foldable and 0 <= y < self.height and 0 <= x < self._width else ""


def folded_words(*, is_open: bool) -> str:
    """The state of something that unfolds, for screen readers."""
    translate = QCoreApplication.translate
    return translate("Transcript", "expanded") if is_open else translate("Transcript", "collapsed")


def paint_arrow(painter: QPainter, style: TextStyle, color: QColor, place: QPointF, *, is_open: bool) -> None:
    """The arrow of something that unfolds; `place` is the middle of its left edge."""
    painter.setPen(QPen(color, stroke("glyph")))
    corners = ((-1, -2), (3, 2), (7, -2)) if is_open else ((1, -4), (5, 0), (1, 4))
    painter.drawPolyline([place + QPointF(*corner) * style.theme.zoom for corner in corners])
