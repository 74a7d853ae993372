"""The quiet line above the text: something that was said once, with one thing to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme


class NoticeRow(QFrame):
    """Words, a button where there is something to do, and a cross. Hidden while it has nothing to say."""

    taken = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = QLabel(self)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self.button = QPushButton(self)
        self.button.setProperty("kind", "quiet")
        self.second = QPushButton(self)
        self.second.setProperty("kind", "quiet")
        self.cross = QToolButton(self)
        self.cross.setAccessibleName(self.tr("Close this line"))
        self.cross.setToolTip(self.tr("Close this line"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 0, 0)  # the words begin where those of the field do
        row.setSpacing(GRID)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        row.addWidget(self.second)
        row.addWidget(self.cross)
        self.button.clicked.connect(self.taken)
        self.cross.clicked.connect(self.closed)
        theme.set_font("small", self._words, self.button, self.second)
        set_icon(self.cross, "close", theme)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def say(
        self, words: str, *, button: str = "", second: str = "", tone: str = "secondary", aloud: bool = True
    ) -> None:
        """Shows a line; `tone` "secondary" or "danger". No words hide it. `aloud`: screen readers say it at once."""
        if aloud and words and words != self.words:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._words.setText(words)
        self._words.setProperty("tone", tone)
        self._words.style().unpolish(self._words)
        self._words.style().polish(self._words)
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self.second.setText(second)
        self.second.setAccessibleName(second)
        self.second.setVisible(bool(second))
        self.setAccessibleName(words)
        self.setVisible(bool(words))
