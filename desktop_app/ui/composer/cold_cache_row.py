"""Owns the row that says what the next message of a long, cold thread costs, and offers a summary. Knows no plan."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme


class ColdCacheRow(QFrame):
    """One calm line; it can be closed and blocks nothing."""

    summary_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = QLabel(self)
        self._words.setProperty("tone", "secondary")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self.summarise = QPushButton(self.tr("Summarise first"), self)
        self.summarise.setProperty("kind", "quiet")
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName(self.tr("Close this line"))
        self.close_button.setToolTip(self.tr("Close this line"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 0, 0)  # the words begin where those of the field do
        row.setSpacing(GRID)
        row.addWidget(self._words, 1)
        row.addWidget(self.summarise)
        row.addWidget(self.close_button)
        self.summarise.clicked.connect(self.summary_requested)
        self.close_button.clicked.connect(self.closed)
        theme.set_font("small", self._words, self.summarise)
        set_icon(self.close_button, "close", theme)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def show_words(self, words: str, *, offer_summary: bool) -> None:
        """Shows the line; empty words hide it."""
        if words != self.words:
            self._words.setText(words)
            self.setAccessibleName(words)
        self.summarise.setVisible(offer_summary)
        self.setVisible(bool(words))
