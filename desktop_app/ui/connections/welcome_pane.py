"""The pane of the first start where nothing was found: a card for each way to a model, with its button or key field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QLabel, QLineEdit, QPushButton, QScrollArea, QWidget

from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_column, in_row, label_in

LEAST_WORDS = 22 * GRID
"""Pixels that the words need beside the button; with less it stands under them."""
LEAST_KEY = 16 * GRID
"""Pixels that the field for a key needs beside its button."""


@dataclass(frozen=True, slots=True)
class WelcomeOption:
    """One way to a model: one line and one action. `asks_key`: with a field for a key.

    `hint`: what speaks for it, beside the title. `guide`: the words on the button for the page that says how it is
    installed, or where one gets a key.
    """

    backend: str
    icon: str
    title: str
    detail: str
    button: str
    asks_key: bool = False
    hint: str = ""
    guide: str = ""


class WelcomeRow(QFrame):
    """One way: icon, title, one sentence, and a button or a field for a key with its button.

    A key stays in its field until it was stored: `show_problem` says why it was not.
    """

    taken = Signal()
    key_entered = Signal(str)

    def __init__(self, theme: Theme, way: WelcomeOption, primary: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.way = way
        self.setProperty("kind", "field")
        self._mark = QLabel(self)
        self._title = QLabel(way.title, self, wordWrap=True)
        self._title.setMinimumWidth(1)  # one long word shall not widen the pane
        self.detail = self._line(way.detail, "secondary")
        self.problem = self._line("", "danger")
        self.problem.hide()
        self._hint = QLabel(way.hint, self)
        self._hint.setProperty("tone", "secondary")
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(GRID)
        self.button = button_in(self, way.button, self._take)
        if primary:
            self.button.setProperty("kind", "primary")  # before it is first shown, when the style sheet looks at it
        self.button.setAccessibleName(f"{way.button}: {way.title}")
        self.button.setAutoDefault(True)
        self.guide = button_in(self, way.guide, name=f"{way.guide}: {way.title}")
        self.guide.setVisible(way.asks_key)
        self.key = QLineEdit(self, echoMode=QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("Paste your key"))
        self.key.setAccessibleName(way.title)
        self.key.setVisible(way.asks_key)
        self._busy = self.warned = self.unsaved = False
        self._lay_out()
        self.button.setEnabled(not way.asks_key)
        self.key.textChanged.connect(self._edited)
        self.key.returnPressed.connect(self._take)
        set_icon(self._mark, way.icon, theme, size=20)
        theme.set_font("title", self._title)
        theme.set_font("small", self.detail, self.problem, self._hint)

    def _lay_out(self) -> None:
        words = in_column(
            in_row((self._title, 1), (self._hint, 0, Qt.AlignmentFlag.AlignVCenter)), self.detail, spacing=GRID // 2
        )
        row = in_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop), of=self, spacing=2 * GRID, margins=(2 * GRID, GRID + GRID // 2)
        )
        place = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if self.way.asks_key:
            row.addLayout(words, 1)
            fill(words, GRID // 2, self._beside)
            fill(self._beside, (self.key, 1), FlowRow(self.button, self.guide, across=GRID, down=GRID))
        else:
            row.addLayout(self._beside, 1)
            fill(self._beside, (words, 1), (self.guide, 0, place), (self.button, 0, place))
        words.addWidget(self.problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_button()
        super().resizeEvent(event)

    def focus_first(self) -> None:
        """Puts the keyboard where this way begins."""
        (self.key if self.way.asks_key else self.button).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_guide(self, shown: bool) -> None:
        """Show or hide the offer of the page that says how it is installed."""
        self.guide.setVisible(shown)
        self._fit_button()

    def show_service(self, name: str) -> None:
        """Show whose key it is that was typed; "": that can't be told, or there is none."""
        self._hint.setText(name or self.way.hint)

    def choose_service(self, names: Sequence[str], chosen: Callable[[int], None], button: QWidget) -> None:
        """Offer services beneath a button; `chosen` is given the place of one."""
        menu = Menu(self)
        for place, name in enumerate(names):
            menu.addAction(name, partial(chosen, place))
        menu.open_at(button)

    def show_busy(self, busy: bool) -> None:
        """Show whether the key is being tried, or the program looked for, now. Meanwhile no other key can be typed."""
        self._busy = busy
        self.key.setReadOnly(busy)
        self.show_problem("")
        if busy:
            self.button.setText(self.tr("Testing…") if self.way.asks_key else self.tr("Checking…"))
        self.button.setEnabled(not busy and (not self.way.asks_key or bool(self.key.text().strip())))

    def offer_unsaved(self, offered: bool) -> None:
        """Set whether a key may be used without being saved, as no keyring takes it."""
        self.unsaved = offered
        self.button.setText(self._label)
        self._fit_button()

    @property
    def _label(self) -> str:
        return self.tr("Use without saving") if self.unsaved else self.way.button

    def show_problem(self, words: str, *, button: str = "") -> None:
        """Why it can't be taken as it is, and what to do; empty removes it.

        `button`: what the button says until the key is edited; then `warned` is true, and the user may insist.
        """
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.warned = bool(button)
        self.button.setText(button or self._label)
        if words:
            self.key.selectAll()

    def _fit_button(self) -> None:
        """A button that would leave too little room stands under what it belongs to."""
        aside = 6 * GRID + self._mark.sizeHint().width()  # margins, the icon and the space beside it
        room = self.width() - aside - GRID - self.button.sizeHint().width()
        if not self.guide.isHidden():
            room -= GRID + self.guide.sizeHint().width()
        field = self.key.fontMetrics().horizontalAdvance(self.key.placeholderText()) + LEAST_KEY // 2
        fits = room >= (max(LEAST_KEY, field) if self.way.asks_key else LEAST_WORDS)
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._beside.direction() != direction:
            self._beside.setDirection(direction)

    def _line(self, text: str, tone: str) -> QLabel:
        line = label_in(self, text, tone=tone, wrap=True)
        line.setMinimumWidth(1)
        return line

    def _edited(self, text: str) -> None:
        self.show_problem("")
        self.button.setEnabled(bool(text.strip()) and not self._busy)

    def _take(self) -> None:
        if self._busy:
            return
        if not self.way.asks_key:
            self.taken.emit()
        elif self.key.text().strip():
            self.key.setFocus()  # the button can't keep the keyboard while the key is tested
            self.key_entered.emit(self.key.text().strip())


WIDTH = 70 * GRID
"""Widest column of the pane in pixels, at the usual text size."""

CLAUDE_CODE_GUIDE = "https://docs.anthropic.com/en/docs/claude-code"
"""Says how Claude Code is installed; opened in the browser where the user asks for it."""


class WelcomePane(QScrollArea):
    """The cards are there from the start, and fill in. Wishes: `way_taken(backend)`, `key_entered(key)`."""

    way_taken = Signal(str)
    key_edited = Signal(str)
    key_entered = Signal(str)
    key_wanted = Signal()  # a page that gives one
    import_requested = Signal()
    sync_requested = Signal()
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
        mark = QLabel(column)
        mark.setPixmap(_app_mark(self.devicePixelRatioF()))
        self._heading = label_in(column, self.tr("Connect a model"), wrap=True)
        lead = label_in(
            column,
            self.tr(
                "Plimsoll is a chat app that shows what the model will see, what is left out and what it costs, before "
                "you send."
            ),
            tone="secondary",
            wrap=True,
        )
        self.rows = [self._made_row(way, column) for way in self._cards()]
        inside = in_column(
            mark,
            GRID,
            self._heading,
            lead,
            2 * GRID,
            of=column,
            spacing=GRID,
            margins=(3 * GRID, 6 * GRID, 3 * GRID, 3 * GRID),
        )
        for row in self.rows:
            inside.addWidget(row)
        inside.addSpacing(GRID)
        self.found = button_in(column, "", self.chats_requested)
        self.found.hide()
        inside.addWidget(self.found, 0, Qt.AlignmentFlag.AlignLeft)
        self.bring = button_in(column, self.tr("Import chats…"), self.import_requested)
        self.join = button_in(column, self.tr("Sync with another computer…"), self.sync_requested)
        fill(inside, FlowRow(self.bring, self.join, across=GRID, down=GRID), Stretch())
        in_row(Stretch(), (column, 1000), Stretch(), of=page, margins=0)
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
        return next((row for row in self.rows if row.way.backend == backend), None)

    def show_detail(self, backend: str, words: str, *, guide: bool = False) -> None:
        """Show the finding of a check, in the card's one line. `guide`: with the page that says how it is installed."""
        if (row := self.row(backend)) is not None:
            row.detail.setText(words)
            row.show_guide(guide)

    def show_offline(self, *, offered: bool) -> None:
        """Show or hide the card of an installed local model. It is the last one, so that nothing moves when it goes."""
        if (row := self.row("local")) is not None:
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

    def _cards(self) -> tuple[WelcomeOption, ...]:
        return (
            WelcomeOption(
                "key",
                "key",
                self.tr("API key"),
                self.tr("Anthropic, OpenAI, Gemini and more, kept in the system keyring."),
                self.tr("Save key"),
                asks_key=True,
                hint=self.tr("Recommended"),
                guide=self.tr("Get a key"),
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
                self.tr("Ollama, LM Studio, llama.cpp, or any address."),
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
        row.key_entered.connect(self.key_entered)
        row.key.textChanged.connect(self.key_edited)
        row.guide.clicked.connect(self.key_wanted if way.asks_key else lambda: self.link_wanted.emit(CLAUDE_CODE_GUIDE))
        return row

    def _order_tabs(self) -> None:
        parts = [part for row in self.rows for part in (row.key, *_in_order(row))]
        for before, after in pairwise([*parts, self.found, self.bring, self.join]):
            QWidget.setTabOrder(before, after)


def _in_order(row: WelcomeRow) -> tuple[QPushButton, QPushButton]:
    return (row.button, row.guide) if row.way.asks_key else (row.guide, row.button)


def _app_mark(scale: float) -> QPixmap:
    mark = QPixmap(str(resource("icons", "plimsoll-128.png")))
    size = round(48 * scale)
    mark = mark.scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    mark.setDevicePixelRatio(scale)
    return mark
