"""Owns how one group of parts is laid out in one theme: captions, and the parts beneath. Knows no part."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_app.ui.theme.style import palette, style_sheet
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow

WIDTH = 640
"""Pixels that a part may take; a page is wider by its margins."""
MARGIN = 2 * GRID


class Page(QWidget):
    """Parts in a column, each beneath what it shows. The page wears its own theme, whatever the application wears."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setFont(theme.body_font())
        self.setPalette(palette(theme))
        self.setStyleSheet(style_sheet(theme))
        self.setAutoFillBackground(True)
        self.setFixedWidth(WIDTH + 2 * MARGIN)
        # else the first part would get the keyboard, and look as it never does beside a posed one
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self._column.setSpacing(GRID // 2)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            # of itself a page would be as high as its parts with all their words in one line
            column = self._column
            wrapped = column.totalHeightForWidth(self.width()) if column.hasHeightForWidth() else 0
            self.setFixedHeight(wrapped or column.totalSizeHint().height())
        return handled

    def add(self, caption: str, *parts: QWidget) -> None:
        """Shows parts under a caption: one in its own width, several side by side as far as there is room."""
        words = QLabel(caption, self)
        words.setFont(self.theme.small_font())
        words.setProperty("tone", "secondary")
        self._column.addWidget(words)
        if len(parts) == 1:
            self._column.addWidget(parts[0])
            parts[0].show()
        else:
            row = QWidget(self)
            row.setLayout(FlowRow(*parts, across=GRID, down=GRID))
            policy = row.sizePolicy()
            policy.setHeightForWidth(True)
            row.setSizePolicy(policy)
            self._column.addWidget(row)
        self._column.addSpacing(GRID)

    def add_at_left(self, caption: str, part: QWidget) -> None:
        """Shows a part that keeps its own width."""
        self.add(caption, part)
        self._column.setAlignment(part, Qt.AlignmentFlag.AlignLeft)
