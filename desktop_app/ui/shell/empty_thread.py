"""The content of a thread without messages: a greeting, the model and prompts, or that no model is connected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea, QGridLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.buttons import ElidedButton
from desktop_app.ui.widgets.fitting import ElidedLabel
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_row

if TYPE_CHECKING:  # come after the first paint
    from desktop_app.core.prompts import Prompt

MARK: Final = 48
WIDEST: Final = 76 * GRID
"""Pixels of the starters beside each other, at the usual text size."""
MOST_STARTERS: Final = 4
COLUMNS: Final = 2
ABOVE: Final = 0.4
"""Share of the free height that lies above."""

TIP: Final = 300
"""Characters of a prompt's text that its tooltip shows."""


class EmptyThread(QWidget):
    """Lies over the transcript. What has no room in a low window is left away: the mark first, then starters.

    The greeting stands where it stands, whether the starters are there yet or not.
    """

    starter_chosen = Signal(object)  # Prompt
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QAbstractScrollArea) -> None:
        super().__init__(parent)
        self._theme = theme
        # The column of the text stands beside the scroll bar: the middle of both is the middle of the viewport.
        self._room = parent.viewport()
        self.buttons: list[ElidedButton] = []
        self._mark = QLabel(self)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._greeting = QLabel(self)
        self._greeting.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._greeting.setWordWrap(True)
        self.model = ElidedLabel(self)
        self.model.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.model.setProperty("tone", "secondary")
        self._grid = QGridLayout()
        self._grid.setSpacing(GRID)
        starters = in_row(Stretch(), (self._grid, 1000), Stretch())
        self._column = QVBoxLayout(self)
        self._column.setSpacing(GRID)
        for label in (self._mark, self._greeting, self.model):
            self._column.addWidget(label)
        self._column.addSpacing(GRID)
        self.connect_button = button_in(self, self.tr("Connect a model"), self.connect_requested, kind="primary")
        fill(self._column, (self.connect_button, 0, Qt.AlignmentFlag.AlignHCenter), starters, Stretch())
        self._room.installEventFilter(self)
        self._lacks_model = False
        theme.set_font("small", self.model)  # before it is first shown
        self._show_greeting()
        theme.follow(self._apply_theme)

    def show_model(self, words: str) -> None:
        """Names what will answer; "": nothing is chosen."""
        self.model.set_words(words)

    def show_lacks_model(self, lacks: bool) -> None:
        """Show or hide the words that nothing would answer now, with the one thing to do about it."""
        if lacks != self._lacks_model:
            self._lacks_model = lacks
            self._show_greeting()
            self.fill()

    def _show_greeting(self) -> None:
        self._greeting.setText(self.tr("No model connected") if self._lacks_model else self.tr("How can I help?"))
        self.model.setVisible(not self._lacks_model)
        self.connect_button.setVisible(self._lacks_model)

    def show_starters(self, starters: Sequence[Prompt]) -> None:
        """Offers prompts to begin with; a click only writes them into the message."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(prompt) for prompt in starters[:MOST_STARTERS]]
        self.fill()

    def fill(self) -> None:
        """Takes the room that the text would have."""
        self.setGeometry(self._room.geometry())
        width = min(self.width() - 4 * GRID, self._theme.pixels(WIDEST))
        columns = COLUMNS if width >= self._theme.pixels(WIDEST) * 3 // 4 else 1
        row = self._greeting.fontMetrics().height() + 2 * GRID
        rows = MOST_STARTERS // columns
        left = self.height() - self._greeting.heightForWidth(max(1, width)) - 4 * GRID
        self._greeting.setVisible(left >= 0)
        left -= self.model.sizeHint().height() + 2 * GRID
        self.model.setVisible(left >= 0 and not self._lacks_model)
        shown_rows = max(0, min(rows, left // row))
        left -= shown_rows * row
        self._mark.setVisible(left >= MARK + GRID)
        left -= (MARK + GRID) * (not self._mark.isHidden())
        aside = max(2 * GRID, (self.width() - width) // 2)
        self._column.setContentsMargins(aside, 2 * GRID + max(0, round(left * ABOVE)), aside, 0)
        for place, button in enumerate(self.buttons):
            self._grid.addWidget(button, place // columns, place % columns)
            button.setVisible(place < shown_rows * columns and not self._lacks_model)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))
        self._column.activate()  # at once: no frame is painted with what has gone

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fill()
        return False

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click beside the starters means nothing; the composer gets the keyboard as after every click."""

    def _button(self, prompt: Prompt) -> ElidedButton:
        button = ElidedButton(self._theme, self)
        button.setText(prompt.title)
        button.setToolTip(prompt.text if len(prompt.text) <= TIP else f"{prompt.text[:TIP]}…")
        button.setAccessibleDescription(self.tr("Insert this prompt"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setMinimumWidth(1)
        button.clicked.connect(lambda: self.starter_chosen.emit(prompt))
        return button

    def _apply_theme(self) -> None:
        scale = self.devicePixelRatioF()
        drawing = QPixmap(str(resource("icons", "plimsoll-128.png"))).scaledToWidth(
            round(MARK * scale), Qt.TransformationMode.SmoothTransformation
        )
        drawing.setDevicePixelRatio(scale)
        self._mark.setPixmap(drawing)
        font = self._theme.title_font()
        font.setPointSizeF(self._theme.points("page"))
        self._greeting.setFont(font)
        self.fill()
