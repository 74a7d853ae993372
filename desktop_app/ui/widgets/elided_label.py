"""A line of words that is elided where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget


class ElidedLabel(QLabel):
    """Words on one line, as far as there is room; all of them in the tooltip and for screen readers.

    It asks for the room of all its words, and takes any.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(1)
        self.words = ""

    def set_words(self, words: str) -> None:
        self.words = words
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        wide = self.fontMetrics().horizontalAdvance(self.words) + margins.left() + margins.right() + 1
        return QSize(wide, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        self.setText(self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room))
