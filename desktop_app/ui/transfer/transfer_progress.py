"""The part of a page that shows an import or export going on, and its report. Cancels nothing itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.transfer.transfer_state import TransferState

MOST_DETAILS = 100
"""Lines of a report; an archive of years may have thousands of reasons."""


class TransferProgress(QWidget):
    """A line of words, a bar with Cancel while it runs, and afterwards the report, with the folder to be shown."""

    cancel_wanted = Signal()
    folder_wanted = Signal(object)  # Path
    ended_under_keyboard = Signal()  # the button that had the keyboard is gone

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setProperty("kind", "quiet")
        self.cancel.clicked.connect(self.cancel_wanted)
        self.details = QLabel(self)
        self.details.setWordWrap(True)
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self.details.setProperty("tone", "secondary")
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.show_folder = QPushButton(self.tr("Show in folder"), self)
        self.show_folder.clicked.connect(lambda: self.folder_wanted.emit(self._folder))
        self._folder: Path | None = None
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addWidget(self.bar, 1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, GRID)
        column.setSpacing(GRID)
        column.addWidget(self.words)
        column.addLayout(row)
        column.addWidget(self.details)
        column.addWidget(self.show_folder, 0, Qt.AlignmentFlag.AlignLeft)
        theme.set_font("small", self.details)
        self.hide()

    def show_state(self, state: TransferState | None) -> None:
        """Shows how far it is, or how it ended; None: nothing was begun."""
        self.setVisible(state is not None)
        if state is None:
            return
        running = state.phase == "running"
        had_focus = self.cancel.hasFocus()
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        self.bar.setRange(0, state.total or 1)
        self.bar.setValue(state.done if state.total else 0)
        changed = self.words.text() != state.words
        self.words.setText(state.words)
        tone = "danger" if state.phase == "failed" else ""
        if self.words.property("tone") != tone:
            self.words.setProperty("tone", tone)
            self.words.style().unpolish(self.words)
            self.words.style().polish(self.words)
        lines = list(state.details[:MOST_DETAILS])
        if len(state.details) > MOST_DETAILS:
            lines.append(self.tr("and {count} more").format(count=grouped(len(state.details) - MOST_DETAILS)))
        self.details.setText("\n".join(lines))
        self.details.setVisible(bool(lines))
        self._folder = state.folder
        self.show_folder.setVisible(state.folder is not None)
        if changed and not running:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, state.words))
            if had_focus:
                self.ended_under_keyboard.emit()
