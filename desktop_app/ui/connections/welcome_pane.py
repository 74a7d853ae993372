"""The pane of the first start where nothing was found: a card for each way to a model. Never imports a backend."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.connections.welcome_row import WelcomeOption, WelcomeRow
from desktop_app.ui.theme.theme import GRID, Theme

WIDTH = 70 * GRID
"""Widest column of the pane in pixels, at the usual text size."""

CLAUDE_CODE_GUIDE = "https://docs.anthropic.com/en/docs/claude-code"
"""Says how Claude Code is installed; opened in the browser where the user asks for it."""


class WelcomePane(QScrollArea):
    """The cards are there from the start, and fill in. Wishes: `way_taken(backend)`, `key_entered(backend, key)`."""

    way_taken = Signal(str)
    key_entered = Signal(str, str)
    import_requested = Signal()
    chats_requested = Signal()
    link_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Welcome"))
        self._theme = theme
        page = QWidget()
        page.setObjectName("centre")
        column = self._column = QWidget(page)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(3 * GRID, 6 * GRID, 3 * GRID, 3 * GRID)
        inside.setSpacing(GRID)
        mark = QLabel(column)
        mark.setPixmap(_app_mark(self.devicePixelRatioF()))
        self._heading = QLabel(self.tr("Connect a model"), column)
        self._heading.setWordWrap(True)
        lead = QLabel(
            self.tr(
                "Plimsoll is a chat app that shows what the model will see, what is left out and what it costs, before "
                "you send."
            ),
            column,
        )
        lead.setProperty("tone", "secondary")
        lead.setWordWrap(True)
        self.rows = [self._made_row(way, column) for way in self._cards()]
        inside.addWidget(mark)
        inside.addSpacing(GRID)
        inside.addWidget(self._heading)
        inside.addWidget(lead)
        inside.addSpacing(2 * GRID)
        for row in self.rows:
            inside.addWidget(row)
        inside.addSpacing(GRID)
        self.found = QPushButton(column)
        self.found.clicked.connect(self.chats_requested)
        self.found.hide()
        inside.addWidget(self.found, 0, Qt.AlignmentFlag.AlignLeft)
        self.bring = self._import_button(column)
        inside.addWidget(self.bring, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addStretch(1)
        outside = QHBoxLayout(page)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addStretch(1)
        outside.addWidget(column, 1000)
        outside.addStretch(1)
        self.setWidget(page)
        self._order_tabs()
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        font = theme.title_font()
        font.setPointSizeF(theme.points("welcome"))
        self._heading.setFont(font)
        self._column.setMaximumWidth(theme.pixels(WIDTH))

    def row(self, backend: str) -> WelcomeRow | None:
        """The card of a backend."""
        return next((row for row in self.rows if row.way.backend == backend), None)

    def show_detail(self, backend: str, words: str, *, guide: bool = False) -> None:
        """Show the finding of a check, in the card's one line. `guide`: with the page that says how it is installed."""
        row = self.row(backend)
        if row is not None:
            row.detail.setText(words)
            row.show_guide(guide)

    def show_offline(self, *, offered: bool) -> None:
        """Show or hide the card of an installed local model. It is the last one, so that nothing moves when it goes."""
        row = self.row("local")
        if row is not None:
            row.setVisible(offered)

    def show_found(self, words: str) -> None:
        """Offers the chats that another program keeps on this computer; "": there are none."""
        self.found.setText(words)
        self.found.setVisible(bool(words))

    def focus_first(self) -> None:
        """Puts the keyboard into the first card, at the top, if it is nowhere in the pane yet."""
        focused = QApplication.focusWidget()
        if focused is None or focused is self or not self.isAncestorOf(focused):
            self.rows[0].focus_first()
            self.verticalScrollBar().setValue(0)

    def _import_button(self, column: QWidget) -> QPushButton:
        button = QPushButton(self.tr("Import chats…"), column)
        button.clicked.connect(self.import_requested)
        return button

    def _cards(self) -> tuple[WelcomeOption, ...]:
        return (
            WelcomeOption(
                "anthropic",
                "key",
                self.tr("Anthropic API"),
                self.tr("A key from console.anthropic.com, kept in the system keyring."),
                self.tr("Save key"),
                asks_key=True,
                hint=self.tr("Recommended"),
            ),
            WelcomeOption(
                "claude-cli",
                "terminal",
                "Claude Code",
                self.tr("Looking for the claude program…"),
                self.tr("Check again"),
                guide=self.tr("How to install"),
            ),
            WelcomeOption(
                "openai",
                "globe",
                self.tr("OpenAI-compatible server"),
                self.tr("OpenAI, Gemini, OpenRouter, Ollama, or any address."),
                self.tr("Set up"),
            ),
            WelcomeOption(
                "local",
                "computer",
                self.tr("Try it offline"),
                self.tr("A tiny model on this computer, often wrong."),
                self.tr("Start"),
            ),
        )

    def _made_row(self, way: WelcomeOption, column: QWidget) -> WelcomeRow:
        row = WelcomeRow(self._theme, way, way.asks_key, column)
        row.taken.connect(lambda: self.way_taken.emit(way.backend))
        row.key_entered.connect(lambda key: self.key_entered.emit(way.backend, key))
        row.guide.clicked.connect(lambda: self.link_wanted.emit(CLAUDE_CODE_GUIDE))
        return row

    def _order_tabs(self) -> None:
        parts = [part for row in self.rows for part in (row.key, row.guide, row.button)]
        for before, after in pairwise([*parts, self.found, self.bring]):
            QWidget.setTabOrder(before, after)


def _app_mark(scale: float) -> QPixmap:
    mark = QPixmap(str(resource("icons", "plimsoll-128.png")))
    size = round(48 * scale)
    mark = mark.scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    mark.setDevicePixelRatio(scale)
    return mark
