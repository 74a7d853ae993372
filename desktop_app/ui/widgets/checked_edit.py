"""The interface at which a text field shows marks under words and says more in its menu. Uses no spelling."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent, QShowEvent, QTextBlock


class WordMarks(Protocol):
    """The marks that a field is given while its words are checked."""

    def paint(self, event: QPaintEvent) -> None:
        """The field has painted itself."""
        ...

    def open_menu(self, event: QContextMenuEvent) -> bool:
        """The field's menu was asked for; True where it comes from here."""
        ...

    def come_into_view(self) -> None:
        """The field is shown (again)."""
        ...


class CheckedEdit(QPlainTextEdit):
    """A plain text field whose words may be checked while `marks` are there."""

    marks: WordMarks | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.marks is not None:
            self.marks.paint(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.marks is not None:
            self.marks.come_into_view()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.marks is None or not self.marks.open_menu(event):
            super().contextMenuEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+F10 opens the menu at the cursor, as the menu key does: without Windows Qt knows only that one."""
        shift_f10 = event.key() == Qt.Key.Key_F10 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if sys.platform != "win32" and shift_f10:
            from PySide6.QtGui import QContextMenuEvent

            place = self.cursorRect().center()
            at = self.viewport().mapToGlobal(place)
            self.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, at))
        else:
            super().keyPressEvent(event)

    def shown_blocks(self) -> list[tuple[QTextBlock, QRectF]]:
        """The lines of text that are in view, each with its place in the viewport."""
        found: list[tuple[QTextBlock, QRectF]] = []
        block, offset, bottom = self.firstVisibleBlock(), self.contentOffset(), self.viewport().height()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(offset)
            if area.top() > bottom:
                break
            if block.isVisible():
                found.append((block, area))
            block = block.next()
        return found
