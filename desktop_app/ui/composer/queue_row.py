"""The row that shows the message waiting for the running answer. Sends nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme

SHOWN_CHARACTERS = 160
"""Most characters of the message: more than the widest column shows in small type."""


class QueueRow(QFrame):
    """One queued message; it can be taken back into the composer or removed."""

    edit_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = QLabel(self)
        self._words.setProperty("tone", "secondary")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setMinimumWidth(1)  # a long message shall not widen the column
        self._told = ""
        self._edit = QPushButton(self.tr("Edit"), self)
        self._edit.setProperty("kind", "quiet")
        self._edit.setAccessibleName(self.tr("Edit the queued message"))
        self._remove = QToolButton(self)
        self._remove.setAccessibleName(self.tr("Remove the queued message"))
        self._remove.setToolTip(self.tr("Remove the queued message"))
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 0, 0)  # the words begin where those of the field do
        row.addWidget(self._words, 1)
        row.addWidget(self._edit)
        row.addWidget(self._remove)
        self._edit.clicked.connect(self.edit_requested)
        self._remove.clicked.connect(self.remove_requested)
        theme.set_font("small", self._words, self._edit)
        set_icon(self._remove, "close", theme)
        theme.follow(self._elide)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    @property
    def last_button(self) -> QWidget:
        """The widget that the Tab key leads to last here."""
        return self._remove

    def show_text(self, text: str, names: Sequence[str] = ()) -> None:
        """Shows the beginning of the queued text and the names of what goes with it; with neither it is hidden."""
        excerpt = " ".join(text[: 4 * SHOWN_CHARACTERS].split())
        if len(excerpt) > SHOWN_CHARACTERS:
            excerpt = excerpt[:SHOWN_CHARACTERS].rstrip() + "…"
        if names:
            with_it = names[0] if len(names) == 1 else self.tr("{count} attachments").format(count=len(names))
            excerpt = " · ".join(words for words in (excerpt, with_it) if words)
        self._told = self.tr("Next: {text}").format(text=excerpt)
        self._words.setToolTip(self._told)
        self._elide()
        self.setAccessibleName(self.tr("Queued message: {text}").format(text=excerpt))
        self.setVisible(bool(text or names))

    def _elide(self) -> None:
        self._row.activate()  # the label's width is that of this row, not of the one before
        room = self._words.width()
        self._words.setText(self._words.fontMetrics().elidedText(self._told, Qt.TextElideMode.ElideRight, room))
