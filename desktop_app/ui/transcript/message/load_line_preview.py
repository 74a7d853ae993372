"""Shows where the load line goes while it is dragged, with what the next request would be. Counts nothing."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import OUTDENT, flood, radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.line_items import GRIP, paint_grip

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
        self._arrow = ""  # "": the line is in view

    def show_words(self, words: str, *, refused: bool) -> None:
        """Show what the next request would be, or why the line can't stay here."""
        self.words, self.refused = words, refused
        self.setAccessibleName(words)
        self.update()

    @property
    def arrow(self) -> str:
        """The direction of the line that is out of view, "" where it is in view."""
        return self._arrow

    def place(self, column: QRect, y: int, height: int, *, held: int | None = None) -> None:
        """Puts the line at a height of the view, which is so many pixels high.

        Out of it only the words are seen, at the height `held` where the pointer is, if it is what holds the line.
        """
        half = self._pill // 2
        arrow = "↑" if y < -half else "↓" if y > height + half else ""
        if arrow != self._arrow:
            self._arrow = arrow
            self.update()
        shown = held if arrow and held is not None else y
        inside = max(half, min(height - half, shown))
        self.setGeometry(column.left() - OUTDENT, inside - half, column.width() + 2 * OUTDENT, self._pill)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        style, middle = self._style, self._pill // 2
        role = "danger" if self.refused else "accent"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._arrow:
            flood(painter, QRect(0, middle - 1, self.width(), 2), style.color(role))
            paint_grip(painter, style, self.width() - OUTDENT, middle, held=True, color=role)
        if self.words:
            metrics = QFontMetricsF(style.small.font)
            room = self.width() - 3 * OUTDENT - style.theme.pixels(GRIP[0]) - 2 * PADDING
            said = f"{self._arrow}  {self.words}" if self._arrow else self.words
            words = metrics.elidedText(said, Qt.TextElideMode.ElideRight, room)
            box = QRectF(OUTDENT + 0.5, 0.5, metrics.horizontalAdvance(words) + 2 * PADDING, self._pill - 1)
            painter.setPen(QPen(style.color(role), stroke("hair")))
            painter.setBrush(style.color("raised"))
            painter.drawRoundedRect(box, radius("control"), radius("control"))
            painter.setFont(style.small.font)
            painter.setPen(style.color("danger" if self.refused else "text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()
