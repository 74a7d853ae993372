"""Shows where the load line goes while it is dragged, with what the next request would be. Counts nothing."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.reading_column import OUTDENT
from desktop_app.ui.theme.theme import flood, radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.line_items import GRIP, paint_grip

PADDING = 10
"""Pixels beside the words."""


class LoadLinePreview(QWidget):
    """A line over the text with words on it. The mouse goes through it."""

    def __init__(self, viewport: QWidget, style: TextStyle) -> None:
        super().__init__(viewport)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._style = style
        self._pill = 2 * round(QFontMetricsF(style.small.font).height() / 2) + 12
        self.words = ""
        self.refused = False

    def show_words(self, words: str, *, refused: bool) -> None:
        """What the next request would be, or why the line can't stay here."""
        self.words, self.refused = words, refused
        self.setAccessibleName(words)
        self.update()

    def place(self, column: QRect, y: int, height: int) -> None:
        """Puts the line at a height of the view, which is so many pixels high; out of it, it is hidden."""
        half = self._pill // 2
        inside = max(half, min(height - half, y))
        self.setGeometry(column.left() - OUTDENT, inside - half, column.width() + 2 * OUTDENT, self._pill)
        self.setVisible(-half <= y <= height + half)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        style, middle = self._style, self._pill // 2
        role = "danger" if self.refused else "accent"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        flood(painter, QRect(0, middle - 1, self.width(), 2), style.color(role))
        paint_grip(painter, style, self.width() - OUTDENT, middle, held=True, color=role)
        if self.words:
            metrics = QFontMetricsF(style.small.font)
            room = self.width() - 3 * OUTDENT - style.theme.pixels(GRIP[0]) - 2 * PADDING
            words = metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, room)
            box = QRectF(OUTDENT + 0.5, 0.5, metrics.horizontalAdvance(words) + 2 * PADDING, self._pill - 1)
            painter.setPen(QPen(style.color(role), stroke("hair")))
            painter.setBrush(style.color("raised"))
            painter.drawRoundedRect(box, radius("control"), radius("control"))
            painter.setFont(style.small.font)
            painter.setPen(style.color("danger" if self.refused else "text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()
