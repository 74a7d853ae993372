"""Owns the frame of a page that takes the transcript's place: Back, a heading, a column. Knows no page's matter."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme


class PageFrame(QWidget):
    """Back stays at the top, the rest scrolls where it must. Esc and Back are the wish to leave, no more."""

    left = Signal()

    def __init__(self, theme: Theme, heading: str, parent: QWidget, *, width: int) -> None:
        """`width`: the widest column in pixels."""
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(heading)
        self.back = QPushButton(self.tr("Back"), self)
        self.back.setAccessibleName(self.tr("Back to the thread"))
        self.back.setToolTip(self.tr("Back to the thread (Esc)"))
        self.heading = QLabel(heading, self)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setMinimumWidth(1)
        self.heading.setWordWrap(True)
        top = self.header_row = QHBoxLayout()
        top.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        top.setSpacing(2 * GRID)
        top.addWidget(self.back)
        top.addWidget(self.heading, 1)
        self.column = QWidget()
        self.column.setMaximumWidth(width)
        self.inside = QVBoxLayout(self.column)
        self.inside.setContentsMargins(2 * GRID, GRID, 2 * GRID, 2 * GRID)
        self.inside.setSpacing(GRID)
        middle = QWidget()
        middle.setObjectName("centre")
        outside = QHBoxLayout(middle)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addStretch(1)
        outside.addWidget(self.column, 1000)
        outside.addStretch(1)
        self.scroller = QScrollArea(self)
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setWidgetResizable(True)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setWidget(middle)
        whole = self.whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(self.scroller, 1)
        self.back.clicked.connect(self.left)
        theme.follow(self._apply_theme_to_heading)

    def focus_first(self) -> None:
        """Puts the keyboard where the page's work begins."""
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def small(self, words: str = "", *, tone: str = "secondary") -> QLabel:
        """A line of small words that wraps; `tone` "secondary", "danger" or "" for the text colour."""
        label = QLabel(words, self.column)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self.theme.set_font("small", label)
        label.setWordWrap(True)
        if tone:
            label.setProperty("tone", tone)
        return label

    def subheading(self, words: str) -> QLabel:
        """The title of a part of the column."""
        label = QLabel(words, self.column)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self.theme.set_font("title", label)
        return label

    def _apply_theme_to_heading(self) -> None:
        font = self.theme.title_font()
        font.setPointSizeF(self.theme.points("page"))
        self.heading.setFont(font)
