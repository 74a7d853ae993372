"""The distance between the lines of a plain text field. Uses no theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout


class LineSpacingLayout(QPlainTextDocumentLayout):
    """Puts the lines as far apart as it is told: Qt's own layout of plain text knows no line height."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._pitch = 0

    def set_pitch(self, pixels: int) -> None:
        """From the top of one line to that of the next; less than a line's own height counts as that."""
        if pixels != self._pitch:
            self._pitch = pixels
            self.requestUpdate()

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        rect = super().blockBoundingRect(block)
        layout = block.layout()
        count = layout.lineCount()
        if not count or not self._pitch or not block.isVisible():
            return rect
        # the room is below each line, so that a placeholder, which Qt paints at the top, stands where the text will
        pitch = max(float(self._pitch), layout.lineAt(0).height())
        if count > 1 and abs(layout.lineAt(1).y() - pitch) > 0.01:
            for number in range(count):
                line = layout.lineAt(number)
                line.setPosition(QPointF(line.x(), number * pitch))
        return QRectF(rect.x(), rect.y(), rect.width(), count * pitch)
