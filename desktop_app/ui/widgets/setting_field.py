"""The line in which a setting, or a search among settings, is written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit


class SettingField(QLineEdit):
    """A line to write in. With nothing written, undo and redo are the page's, and Esc is the page's, too."""

    given_up = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not self._has_own(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def _has_own(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.isUndoAvailable()
        return not event.matches(QKeySequence.StandardKey.Redo) or self.isRedoAvailable()
