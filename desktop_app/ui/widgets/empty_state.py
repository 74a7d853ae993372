"""The part where a list has nothing to show: one line, and one thing to do about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.elided_button import ElidedButton


class EmptyState(QWidget):
    """`wanted`: the button was pressed."""

    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = QLabel(self)
        self.line.setTextFormat(Qt.TextFormat.PlainText)
        self.line.setWordWrap(True)
        self.line.setProperty("tone", "secondary")
        self.button = ElidedButton(theme, self)
        self.button.setMinimumWidth(1)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.line)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.button.clicked.connect(self.wanted)
        theme.set_font("small", self.line, self.button)

    def say(self, line: str, action: str = "") -> None:
        """Shows the line, and the button where there is something to do."""
        self.line.setText(line)
        self.button.setText(action)
        self.button.setVisible(bool(action))
