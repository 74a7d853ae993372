"""Owns the pane that lists the ways to a model on this computer, with one button each. Knows no backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.icons import icon_pixmap
from desktop_app.ui.theme import GRID, Theme

WIDTH = 70 * GRID
"""Widest column of the pane in pixels."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a model. `button` empty: it can't be used now, and `detail` says what to do. `asks_key`: a field."""

    backend: str
    icon: str
    title: str
    detail: str
    button: str
    asks_key: bool = False


class WayRow(QFrame):
    """One way: icon, title, one sentence, and a button or a field for a key with its button."""

    taken = Signal()
    key_entered = Signal(str)

    def __init__(self, theme: Theme, way: Way, primary: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.way = way
        self.setProperty("kind", "field")
        mark = QLabel(self)
        mark.setPixmap(icon_pixmap(way.icon, theme, "text-secondary", 20, self.devicePixelRatioF()))
        title = QLabel(way.title, self)
        title.setFont(theme.title_font())
        self.detail = QLabel(way.detail, self)
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setProperty("tone", "secondary")
        self.detail.setFont(theme.small_font())
        self.detail.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        words.addWidget(title)
        words.addWidget(self.detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        row.setSpacing(2 * GRID)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.button = QPushButton(way.button, self)
        self.button.setAccessibleName(f"{way.button}: {way.title}")
        self.button.setVisible(bool(way.button))
        self.button.setAutoDefault(True)
        if primary:
            self.button.setProperty("kind", "primary")
        self.key = QLineEdit(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("Paste your key"))
        self.key.setAccessibleName(self.tr("API key: {title}").format(title=way.title))
        self.key.setVisible(way.asks_key)
        if way.asks_key:
            entry = QHBoxLayout()
            entry.addWidget(self.key, 1)
            entry.addWidget(self.button)
            words.addSpacing(GRID // 2)
            words.addLayout(entry)
            self.button.setEnabled(False)
            self.key.textChanged.connect(lambda text: self.button.setEnabled(bool(text.strip())))
            self.key.returnPressed.connect(self._take)
        else:
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.button.clicked.connect(self._take)

    def _take(self) -> None:
        if not self.way.asks_key:
            self.taken.emit()
        elif self.key.text().strip():
            self.key_entered.emit(self.key.text().strip())
            self.key.clear()


class WelcomePane(QScrollArea):
    """Wishes: `way_taken(backend)`, `key_entered(backend, key)`."""

    way_taken = Signal(str)
    key_entered = Signal(str, str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("Connections"))
        self._theme = theme
        self._ways: Sequence[Way] | None = None
        self._message = ""
        self.rows: list[WayRow] = []

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._ways is not None:
            self.show_ways(self._ways)

    def show_ways(self, ways: Sequence[Way]) -> None:
        """Shows the ways found; the first that can be used gets the accent and the keyboard."""
        self._ways = ways
        page = QWidget()
        page.setObjectName("centre")
        column = QWidget(page)
        column.setMaximumWidth(WIDTH)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(3 * GRID, 6 * GRID, 3 * GRID, 3 * GRID)
        inside.setSpacing(GRID)
        mark = QLabel(column)
        mark.setPixmap(_app_mark(self.devicePixelRatioF()))
        heading = QLabel(self.tr("Choose how Plimsoll reaches a model"), column)
        font = self._theme.title_font()
        font.setPointSizeF(self._theme.text_size + 6)
        heading.setFont(font)
        heading.setWordWrap(True)
        lead = QLabel(self.tr("Nothing is sent before you send it. You can change this later for each thread."), column)
        lead.setProperty("tone", "secondary")
        lead.setWordWrap(True)
        self.message = QLabel(self._message, column)
        self.message.setProperty("tone", "danger")
        self.message.setWordWrap(True)
        self.message.setVisible(bool(self._message))
        inside.addWidget(mark)
        inside.addSpacing(GRID)
        inside.addWidget(heading)
        inside.addWidget(lead)
        inside.addSpacing(2 * GRID)
        inside.addWidget(self.message)
        self.rows = []
        primary_given = False
        for way in ways:
            primary = bool(way.button) and not way.asks_key and not primary_given
            primary_given = primary_given or primary
            row = WayRow(self._theme, way, primary, column)
            row.taken.connect(lambda name=way.backend: self.way_taken.emit(name))
            row.key_entered.connect(lambda key, name=way.backend: self.key_entered.emit(name, key))
            inside.addWidget(row)
            self.rows.append(row)
        inside.addStretch(1)
        outside = QHBoxLayout(page)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addStretch(1)
        outside.addWidget(column, 1000)
        outside.addStretch(1)
        self.setWidget(page)

    def show_message(self, words: str) -> None:
        """One sentence above the ways, such as why a key could not be stored; empty removes it."""
        self._message = words
        if self._ways is not None:
            self.message.setText(words)
            self.message.setVisible(bool(words))

    def row(self, backend: str) -> WayRow | None:
        """The first row of a backend."""
        return next((row for row in self.rows if row.way.backend == backend), None)

    def focus_first(self) -> None:
        for row in self.rows:
            if row.way.button and row.button.isEnabled():
                row.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return


def _app_mark(scale: float) -> QPixmap:
    mark = QPixmap(str(resource("icons", "plimsoll-128.png")))
    size = round(48 * scale)
    mark = mark.scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    mark.setDevicePixelRatio(scale)
    return mark
