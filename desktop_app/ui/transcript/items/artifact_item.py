"""The card of an artifact that an answer made or changed: how it is painted and pressed. Uses no message."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from desktop_app.ui.theme.theme import radius
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.focus_ring import paint_focus
from desktop_app.ui.transcript.items.item import ButtonItem, Selected

HEIGHT, INSET = 52, 12


class ArtifactItem(ButtonItem):
    """Title, a muted line beneath it, and at the right the word that opens it. `button` "" where nothing opens yet."""

    __slots__ = ("_button", "_detail", "_open", "_title", "_troubled")

    def __init__(self, style: TextStyle) -> None:
        super().__init__(style)
        self._title = self._detail = self._button = self._open = ""
        self._troubled = False

    def set_artifact(
        self, title: str, detail: str, *, button: str = "", words: str = "", troubled: bool = False
    ) -> None:
        """Set the text of the card from now on; `words` of the button. `troubled`: the detail is red."""
        said = (" ".join(title.split()), detail, button, words, troubled)
        if said != (self._title, self._detail, self._button, self._open, self._troubled):
            self._title, self._detail, self._button, self._open, self._troubled = said
            self.changed()

    @property
    def said(self) -> tuple[str, str]:
        """Title and detail."""
        return self._title, self._detail

    def buttons(self) -> Sequence[tuple[str, str]]:
        return ((self._button, f"{self._title}, {self._detail}, {self._open}"),) if self._button else ()

    def _estimate(self, width: int) -> int:
        return self.style.theme.pixels(HEIGHT)

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        style, height, width = self.style, self.height, self._width
        painter.setPen(style.color("hairline"))
        painter.setBrush(style.color("hover") if self._hot else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), radius("control"), radius("control"))
        if self._focused:
            paint_focus(painter, style, QRectF(0, 0, width, height))
        small, label = QFontMetricsF(style.small.font), QFontMetricsF(style.label.font)
        word = small.horizontalAdvance(self._open)
        room = width - 2 * INSET - (word + INSET if self._open else 0)
        half = height / 2
        painter.setFont(style.label.font)
        painter.setPen(style.color("text"))
        title = label.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(INSET, 4, room + 4, half - 2), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(style.small.font)
        painter.setPen(style.color("danger" if self._troubled else "text-secondary"))
        detail = small.elidedText(self._detail, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(INSET, half - 2, room + 4, half - 2), Qt.AlignmentFlag.AlignVCenter, detail)
        if self._open:
            painter.setPen(style.color("text" if self._hot else "link"))
            place = QRectF(width - INSET - word, 0, word + 4, height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._open)

    def button_at(self, x: int, y: int) -> str:
        return self._button if 0 <= y < self.height and 0 <= x < self._width else ""
