"""A line of words with space around it, which is not there while it has no words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop_app.ui.theme.theme import GRID, Theme


class Caption(QWidget):
    """Wraps; plain text. `name` is what a screen reader calls it, "" for its words alone."""

    def __init__(self, theme: Theme, parent: QWidget, *, name: str = "", tone: str = "secondary") -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("tone", tone)
        self._name = name
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        row.addWidget(self._label)
        theme.set_font("small", self._label)
        self.hide()

    @property
    def words(self) -> str:
        """The words it says now."""
        return self._label.text()

    def say(self, words: str, *, tone: str | None = None) -> None:
        """Says this from now on; nothing happens where it does so already."""
        label = self._label
        if tone is not None and label.property("tone") != tone:
            label.setProperty("tone", tone)
            label.style().unpolish(label)
            label.style().polish(label)
        if words != label.text():
            label.setText(words)
            label.setAccessibleName(f"{self._name}: {words}" if self._name else words)
        if self.isHidden() == bool(words):
            self.setVisible(bool(words))
