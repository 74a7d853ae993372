"""The frame of a page that takes the transcript's place: header and column. Uses no page's content."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.ui.theme.reading_column import WIDEST, column
from desktop_app.ui.theme.theme import GRID, Theme, space

HEADER = 6 * GRID
"""Pixels of a page's header, in whose place otherwise the window's stands."""
LONG_TITLE = 24
"""Letters of a title to be written over that have room beside Back, or it stands beneath."""


class HeaderBar(QWidget):
    """The header's parts beside each other."""

    parts_changed = Signal()  # one came, went, or has other words

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.parts_changed.emit()
        return done


class PageFrame(QWidget):
    """The header stays at the top, the column scrolls where it must, on the edges of the transcript's column.

    Esc and Back are the wish to leave, no more. `windowTitle` is what the page is called.
    """

    left = Signal()

    def __init__(self, theme: Theme, heading: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.top = HeaderBar(self)
        self.back = QPushButton(self.tr("Back"), self.top)
        self.back.setAccessibleName(self.tr("Back to the thread"))
        self.back.setToolTip(self.tr("Back to the thread (Esc)"))
        self.heading = QLabel(self.top)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setMinimumWidth(1)
        self.heading.setWordWrap(True)
        self._title: QLabel | QLineEdit = self.heading  # beside Back, or beneath it in a narrow page
        self.header_row = QHBoxLayout(self.top)
        self.header_row.setSpacing(2 * GRID)
        self.header_row.addWidget(self.back)
        self.header_row.addWidget(self.heading, 1)
        self.pinned = QVBoxLayout()
        self.pinned.setSpacing(GRID)
        self.column = QWidget()
        self.inside = QVBoxLayout(self.column)
        self.inside.setSpacing(GRID)
        middle = QWidget()
        middle.setObjectName("centre")
        self._middle = QHBoxLayout(middle)
        self._middle.addWidget(self.column)
        self.scroller = QScrollArea(self)
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setWidgetResizable(True)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # always there, invisible while it has nothing to do: the column never moves aside for it
        self.scroller.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.scroller.setWidget(middle)
        self.whole = QVBoxLayout(self)
        self.whole.setContentsMargins(0, 0, 0, 0)
        self.whole.setSpacing(0)
        self._beneath = QVBoxLayout()
        self.whole.addWidget(self.top)
        self.whole.addLayout(self._beneath)
        self.whole.addLayout(self.pinned)
        self.whole.addWidget(self.scroller, 1)
        self.back.clicked.connect(self.left)
        self.top.parts_changed.connect(self._place_title)
        self.set_title(heading)
        theme.follow(self._apply_theme_to_heading)

    @property
    def room(self) -> int:
        """Pixels that the column has at the page's width, also before it is laid out."""
        return column(self.width() - space("scroll"), self.widest)[1]

    def set_title(self, words: str) -> None:
        """Set the page's name, in its header, in the window's frame and for screen readers."""
        self.heading.setText(words)
        self.setAccessibleName(words)
        self.setWindowTitle(words)

    def replace_title(self, part: QLineEdit) -> None:
        """A title that can be written over stands where the words stood."""
        for place in (self.header_row, self._beneath):
            if place.indexOf(self._title) >= 0:
                place.replaceWidget(self._title, part)
        self._title.hide()
        self._title = part

    @property
    def widest(self) -> int:
        """Pixels that the column has at most."""
        return WIDEST

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stand_on_edges()

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
        self.top.setMinimumHeight(self.theme.pixels(HEADER))
        self._stand_on_edges()

    def _place_title(self) -> None:
        """Beside Back, or beneath it where the words and the page's action leave too little room."""
        title, margins = self._title, self.header_row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        others = [item for item in map(self.header_row.itemAt, range(self.header_row.count())) if item is not None]
        parts = [part for item in others if (part := item.widget()) is not None and part is not title]
        needs = sum(part.sizeHint().width() + self.header_row.spacing() for part in parts if not part.isHidden())
        beside = needs + self._title_width() <= room
        if beside and self._beneath.count():
            self._beneath.removeWidget(title)
            self.header_row.takeAt(1)  # the stretch in its place
            self.header_row.insertWidget(1, title, 1)
        elif not beside and not self._beneath.count():
            self.header_row.removeWidget(title)
            self.header_row.insertStretch(1, 1)
            self._beneath.addWidget(title)

    def _title_width(self) -> int:
        """The room in pixels that the title needs beside Back: in one line, or so much of one that can be edited."""
        metrics, words = self._title.fontMetrics(), self._title.text()
        whole = metrics.horizontalAdvance(words)
        return whole if self._title is self.heading else min(whole, metrics.averageCharWidth() * LONG_TITLE)

    def _stand_on_edges(self) -> None:
        bar = space("scroll")
        left, width = column(self.width() - bar, self.widest)
        right = self.width() - left - width
        self.header_row.setContentsMargins(left, 0, right, 0)
        self._beneath.setContentsMargins(left, 0, right, 0)
        self._place_title()
        pinned = bool(self.pinned.count())
        self.pinned.setContentsMargins(left, GRID // 2 * pinned, right, GRID * pinned)
        self.inside.setContentsMargins(0, GRID * (not pinned), 0, 2 * GRID)
        self._middle.setContentsMargins(left, 0, right - bar, 0)
        self.whole.activate()
