"""One way to a model in the welcome pane: its words, its button, its field for a key. Never imports a backend."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme

LEAST_WORDS = 22 * GRID
"""Pixels that the words need beside the button; with less it stands under them."""
LEAST_KEY = 16 * GRID
"""Pixels that the field for a key needs beside its button."""


@dataclass(frozen=True, slots=True)
class WelcomeOption:
    """One way to a model: one line and one action. `asks_key`: with a field for a key.

    `hint`: what speaks for it, beside the title. `guide`: the words on the button for the page that says how it is
    installed.
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
        self._title = QLabel(way.title, self)
        self._title.setWordWrap(True)
        self._title.setMinimumWidth(1)  # one long word shall not widen the pane
        self.detail = self._line(way.detail, "secondary")
        self.problem = self._line("", "danger")
        self.problem.hide()
        self._hint = QLabel(way.hint, self)
        self._hint.setProperty("tone", "secondary")
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(GRID)
        self.button = QPushButton(way.button, self)
        if primary:
            self.button.setProperty("kind", "primary")  # before it is first shown, when the style sheet looks at it
        self.button.setAccessibleName(f"{way.button}: {way.title}")
        self.button.setAutoDefault(True)
        self.guide = QPushButton(way.guide, self)
        self.guide.setAccessibleName(f"{way.guide}: {way.title}")
        self.guide.hide()
        self.key = QLineEdit(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("Paste your key"))
        self.key.setAccessibleName(self.tr("API key: {title}").format(title=way.title))
        self.key.setVisible(way.asks_key)
        self._busy = self.warned = self.unsaved = False
        self._lay_out()
        self.button.setEnabled(not way.asks_key)
        self.key.textChanged.connect(self._edited)
        self.key.returnPressed.connect(self._take)
        self.button.clicked.connect(self._take)
        set_icon(self._mark, way.icon, theme, size=20)
        theme.set_font("title", self._title)
        theme.set_font("small", self.detail, self.problem, self._hint)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignVCenter)
        words.addLayout(head)
        words.addWidget(self.detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        row.setSpacing(2 * GRID)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        place = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if self.way.asks_key:
            row.addLayout(words, 1)
            words.addSpacing(GRID // 2)
            words.addLayout(self._beside)
            self._beside.addWidget(self.key, 1)
            self._beside.addWidget(self.button, 0, place)
        else:
            row.addLayout(self._beside, 1)
            self._beside.addLayout(words, 1)
            self._beside.addWidget(self.guide, 0, place)
            self._beside.addWidget(self.button, 0, place)
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
        line = QLabel(text, self)
        line.setTextFormat(Qt.TextFormat.PlainText)
        line.setProperty("tone", tone)
        line.setWordWrap(True)
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
