"""The part over the archived threads: the way back, the heading, and words where nothing is archived."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.buttons import ElidedButton
from desktop_app.ui.widgets.list_parts import EmptyState


class ArchiveHead(QWidget):
    """`left`: all threads are wished for again; `empty_wanted`: all archived ones are to be deleted for good."""

    left = Signal()
    empty_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Archived threads"))
        self.back = QToolButton(self)
        self.back.setAccessibleName(self.tr("Back to all threads"))
        self.back.setToolTip(self.tr("Back to all threads (Esc)"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.heading = QLabel(self.tr("Archived"), self)
        self.nothing = EmptyState(theme, self)
        self.nothing.say(self.tr("No archived threads"), self.tr("Show all threads"))
        self.nothing.wanted.connect(self.left)
        self.empty = ElidedButton(theme, self)
        self.empty.setText(self.tr("Delete all archived…"))
        self.empty.setProperty("kind", "delete")
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, 0, GRID, 0)
        grid.setHorizontalSpacing(GRID // 2)
        grid.addWidget(self.back, 0, 0)
        grid.addWidget(self.heading, 0, 1)
        grid.addWidget(self.nothing, 1, 1)
        grid.addWidget(self.empty, 1, 0, 1, 2)  # beneath, as a list may be narrow
        grid.setColumnStretch(1, 1)
        self.back.clicked.connect(self.left)
        theme.set_font("title", self.heading)
        theme.set_font("small", self.empty)
        self.empty.clicked.connect(self.empty_wanted)
        set_icon(self.empty, "trash", theme, "danger")
        set_icon(self.back, "back", theme)

    def show_count(self, count: int) -> None:
        """Show how many threads are archived."""
        self.nothing.setVisible(count == 0)
        self.empty.setVisible(count > 0)
