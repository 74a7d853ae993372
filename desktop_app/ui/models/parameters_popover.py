"""Owns the popover of a thread's parameters: only what its model takes, each with a line on what it does.

Knows no thread and no controller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.parameters import Parameters
from desktop_app.ui.i18n.language import editable
from desktop_app.ui.models.thread_parameters import ThreadParameters, effort_words
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating

WIDTH = 48 * GRID
TEMPERATURES = (0.0, 0.2, 0.5, 0.7, 1.0)
"""What is offered: all providers take these, some take more."""


class _Choices(QWidget):
    """Some words of which one is chosen; arrows move, as in any group of exclusive buttons."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, name: str, words: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        for number, word in enumerate(words):
            button = QPushButton(word, self)
            button.setProperty("kind", "choice")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setFont(theme.small_font())
            button.setAccessibleName(f"{name}: {word}")
            self._group.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        self._group.idClicked.connect(self.chosen)

    @property
    def buttons(self) -> list[QPushButton]:
        """The buttons in order."""
        return [button for button in self._group.buttons() if isinstance(button, QPushButton)]

    def show_choice(self, number: int | None) -> None:
        """Marks one of them; None: what holds is not among them."""
        self._group.setExclusive(number is not None)
        for button in self.buttons:
            button.setChecked(self._group.id(button) == number)
        self._group.setExclusive(True)


class ParametersPopover(QFrame):
    """Every change is a signal at once; there is nothing to confirm."""

    parameters_chosen = Signal(object)  # Parameters
    recall_chosen = Signal(bool)
    hidden = Signal()

    def __init__(self, theme: Theme, shown: ThreadParameters, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(self.tr("Parameters of this thread"))
        self._theme = theme
        self._shown = shown
        self._showing: list[Callable[[ThreadParameters], None]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._column.setSpacing(GRID // 2)
        heading = QLabel(self.tr("Parameters of this thread"), self)
        heading.setFont(theme.title_font())
        self._column.addWidget(heading)
        self.effort: _Choices | None = None
        self.thinking: _Choices | None = None
        self.web: _Choices | None = None
        self.recall: _Choices | None = None
        self.temperature: _Choices | None = None
        self._add_all(shown)
        if not self._showing:
            self._column.addWidget(self._small(self.tr("This model has no parameters.")))
        self.price = self._small(shown.price)
        self._column.addSpacing(GRID // 2)
        self._column.addWidget(self.price)
        self.show_parameters(shown)

    def show_parameters(self, shown: ThreadParameters) -> None:
        """Shows other values; of another model, only what both take."""
        self._shown = shown
        for show in self._showing:
            show(shown)
        self.price.setText(shown.price)
        self.price.setVisible(bool(shown.price) and bool(self._showing))
        # as wide as its widest row of words at any text size
        rows = (group.sizeHint().width() for group in self.findChildren(_Choices))
        width = max((WIDTH, *(row + 4 * GRID + 2 for row in rows)))
        # adjustSize() would give a popup no more than two thirds of the screen
        self.setFixedSize(width, self._column.totalHeightForWidth(width))

    def words(self) -> tuple[str, ...]:
        """All that is written in the popover, in order."""
        return tuple(label.text() for label in self.findChildren(QLabel) if not label.isHidden())

    def open_at(self, anchor: QWidget) -> None:
        """Opens above a control where there is room, else below."""
        screen, window = anchor.screen().availableGeometry(), anchor.window().geometry()
        above = anchor.mapToGlobal(QPoint(0, -self.height() - GRID // 2))
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + GRID // 2))
        place = above if above.y() >= screen.top() else below
        # within the window where that is wide enough, else within the screen
        right = min(window.right() if window.width() > self.width() else screen.right(), screen.right())
        left = max(screen.left() + GRID, min(place.x(), right - self.width() - GRID))
        self.move(left, place.y())
        self.show()
        groups = (self.effort, self.thinking, self.web, self.recall, self.temperature)
        first = next((group for group in groups if group is not None), None)
        if first is not None:
            next((button for button in first.buttons if button.isChecked()), first.buttons[0]).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    # --- what a model takes

    def _add_all(self, shown: ThreadParameters) -> None:
        model = shown.model
        if model.efforts:
            self._add_effort(model.efforts)
        if model.thinking == "choice":
            self.thinking = self._switch(
                self.tr("Thinking"),
                self.tr("Without thinking, answers are faster and cheaper."),
                lambda now: now.parameters.thinking is not False,
                lambda wished: self._choose(replace(self._shown.parameters, thinking=None if wished else False)),
            )
        if model.web_search:
            self.web = self._switch(
                self.tr("Search the web"),
                self.tr("The provider may search the web for an answer. It charges for each search."),
                lambda now: now.parameters.web_search,
                lambda wished: self._choose(replace(self._shown.parameters, web_search=wished)),
            )
        if model.accepts_tools:
            self.recall = self._switch(
                self.tr("Look up earlier messages"),
                self.tr("The model may search messages that were left out."),
                lambda now: now.recall,
                self.recall_chosen.emit,
            )
        if model.temperature:
            self._add_temperature(shown.parameters.temperature)

    def _add_effort(self, levels: Sequence[str]) -> None:
        name = self.tr("Effort")
        words = [self.tr("default"), *(effort_words(level) for level in levels)]
        self.effort = _Choices(self._theme, name, words, self)
        known = ("", *levels)
        self._add(name, self.tr("Higher effort takes longer and costs more."), self.effort)
        self.effort.chosen.connect(lambda number: self._choose(replace(self._shown.parameters, effort=known[number])))
        effort = self.effort

        def show(now: ThreadParameters) -> None:
            asked = now.parameters.effort
            effort.show_choice(known.index(asked) if asked in known else 0)

        self._showing.append(show)

    def _add_temperature(self, asked: float | None) -> None:
        name = self.tr("Temperature")
        own = {asked} if asked is not None else set()
        known: tuple[float | None, ...] = (None, *sorted({*TEMPERATURES, *own}))
        words = [self.tr("default") if value is None else editable(f"{value:g}") for value in known]
        choices = self.temperature = _Choices(self._theme, name, words, self)
        self._add(name, self.tr("Lower is more focused, higher more varied."), choices)
        choices.chosen.connect(lambda number: self._choose(replace(self._shown.parameters, temperature=known[number])))

        def show(now: ThreadParameters) -> None:
            asked = now.parameters.temperature
            choices.show_choice(known.index(asked) if asked in known else None)

        self._showing.append(show)

    def _switch(
        self,
        name: str,
        explanation: str,
        is_on: Callable[[ThreadParameters], bool],
        choose: Callable[[bool], object],
    ) -> _Choices:
        choices = _Choices(self._theme, name, (self.tr("on"), self.tr("off")), self)
        self._add(name, explanation, choices)
        choices.chosen.connect(lambda number: choose(number == 0))
        self._showing.append(lambda now: choices.show_choice(0 if is_on(now) else 1))
        return choices

    def _add(self, name: str, explanation: str, field: QWidget) -> None:
        label = QLabel(name, self)
        label.setBuddy(field)
        self._column.addSpacing(GRID)
        self._column.addWidget(label)
        self._column.addWidget(self._small(explanation))
        self._column.addWidget(field)

    def _choose(self, parameters: Parameters) -> None:
        if parameters != self._shown.parameters:
            self.parameters_chosen.emit(parameters)

    def _small(self, words: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(self._theme.small_font())
        label.setProperty("tone", "secondary")
        label.setWordWrap(True)
        return label
