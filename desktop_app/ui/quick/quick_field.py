"""Owns the keys of the quick line's text field. Knows nothing of what is asked."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.message_field import MessageField

MOST_LINES = 6
"""How many lines the field grows to."""


class QuickField(MessageField):
    """Enter asks, Ctrl+Enter opens a thread, Esc closes; none of them while an input method is composing."""

    thread_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(self.tr("Quick question"))
        self.setPlaceholderText(self.tr("Ask anything"))

    def _apply_theme(self) -> None:
        super()._apply_theme()
        self.set_most_height(round(MOST_LINES * self._pitch) + GRID // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.composing():
            super().keyPressEvent(event)
        elif enter and control:
            self.thread_requested.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
