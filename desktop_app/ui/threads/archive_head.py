"""Owns what stands over the archived threads: the way back, the heading, and words where nothing is archived."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme


class ArchiveHead(QWidget):
    """`left`: all threads are wished for again."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Archived threads"))
        self.back = QToolButton(self)
        self.back.setAccessibleName(self.tr("Back to all threads"))
        self.back.setToolTip(self.tr("Back to all threads (Esc)"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.heading = QLabel(self.tr("Archived"), self)
        self.nothing = QLabel(self.tr("No archived threads"), self)
        self.nothing.setProperty("tone", "secondary")
        self.nothing.setWordWrap(True)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, 0, GRID, 0)
        grid.setHorizontalSpacing(GRID // 2)
        grid.addWidget(self.back, 0, 0)
        grid.addWidget(self.heading, 0, 1)
        grid.addWidget(self.nothing, 1, 1)
        grid.setColumnStretch(1, 1)
        self.back.clicked.connect(self.left)
        theme.set_font("title", self.heading)
        theme.set_font("small", self.nothing)
        set_icon(self.back, "back", theme)
