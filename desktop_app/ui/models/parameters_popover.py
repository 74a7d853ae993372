"""The popover of a thread's parameters: only those its model takes, each with a line on its effect.

Knows no thread and no controller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.parameters import NO_PARAMETERS, Parameters
from desktop_app.ui.i18n.language import editable
from desktop_app.ui.models.thread_parameters import ThreadParameters, effort_words
from desktop_app.ui.models.value_slider import ValueSlider
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating, room_around
from desktop_app.ui.widgets.setting_parts import Switch

WIDTH = 48 * GRID
TEMPERATURES = tuple(tenth / 10 for tenth in range(11))
"""The temperatures on offer: all providers take these, some take more."""


class ParametersPopover(QFrame):
    """Every change is a signal at once; there is nothing to confirm."""

    parameters_chosen = Signal(object)  # Parameters
    recall_chosen = Signal(bool)
    hidden = Signal()

    def __init__(self, theme: Theme, shown: ThreadParameters, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setFixedWidth(min(theme.pixels(WIDTH), room_around(parent).width()))
        self.setAccessibleName(self.tr("Parameters of this thread"))
        self._theme = theme
        self._shown = shown
        self._showing: list[Callable[[ThreadParameters], None]] = []
        self._controls: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._column.setSpacing(GRID // 2)
        self._add_heading()
        self.effort: ValueSlider | None = None
        self.thinking: Switch | None = None
        self.web: Switch | None = None
        self.recall: Switch | None = None
        self.temperature: ValueSlider | None = None
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
        self.reset.setVisible(shown.parameters != NO_PARAMETERS or not shown.recall)
        self.price.setText(shown.price)
        self.price.setVisible(bool(shown.price))
        for part in self.findChildren(QWidget):
            part.ensurePolished()  # its size is the style sheet's
            part.updateGeometry()
        self._column.invalidate()
        # Qt's own adjusting would stop at two thirds of the screen
        self.resize(self.width(), self._column.totalHeightForWidth(self.width()))

    def words(self) -> tuple[str, ...]:
        """All that is written in the popover, in order."""
        return tuple(label.text() for label in self.findChildren(QLabel) if not label.isHidden())

    def open_at(self, anchor: QWidget) -> None:
        """Opens above a control where there is room, else below."""
        screen, around = anchor.screen().availableGeometry(), room_around(anchor)
        above = anchor.mapToGlobal(QPoint(0, -self.height() - GRID // 2))
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + GRID // 2))
        place = above if above.y() >= screen.top() else below
        left = max(around.left(), min(place.x(), around.right() - self.width() + 1))
        # within the window where it is high enough
        bounds = anchor.window().geometry().intersected(screen)
        bounds = bounds if bounds.height() >= self.height() else screen
        self.move(left, max(bounds.top(), min(place.y(), bounds.bottom() - self.height())))
        self.show()
        if self._controls:
            self._controls[0].setFocus()

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
            self._add_temperature(shown)

    def _add_effort(self, levels: Sequence[str]) -> None:
        effort = self.effort = ValueSlider(
            self._theme,
            self.tr("Effort"),
            [effort_words(level).capitalize() for level in levels],
            self,
            default=self.tr("Model default"),
            resting=len(levels) // 2,
        )
        self._add(effort, effort, self.tr("Higher effort takes longer and costs more."))
        effort.chosen.connect(
            lambda number: self._choose(
                replace(self._shown.parameters, effort="" if number is None else levels[number])
            )
        )

        def show(now: ThreadParameters) -> None:
            asked = now.parameters.effort
            effort.show_value(levels.index(asked) if asked in levels else None)

        self._showing.append(show)

    def _add_temperature(self, shown: ThreadParameters) -> None:
        asked, usual = shown.parameters.temperature, shown.usual_temperature
        known = sorted({*TEMPERATURES, *({asked} if asked is not None else ())})
        default = (
            self.tr("Model default") if usual is None else self.tr("Default ({value})").format(value=_figure(usual))
        )
        temperature = self.temperature = ValueSlider(
            self._theme,
            self.tr("Temperature"),
            [_figure(value) for value in known],
            self,
            default=default,
            resting=known.index(1.0 if usual is None else usual),
        )
        self._add(temperature, temperature, self.tr("Lower is more focused, higher more varied."))
        temperature.chosen.connect(
            lambda number: self._choose(
                replace(self._shown.parameters, temperature=None if number is None else known[number])
            )
        )

        def show(now: ThreadParameters) -> None:
            asked = now.parameters.temperature
            temperature.show_value(known.index(asked) if asked in known else None)

        self._showing.append(show)

    def _switch(
        self,
        name: str,
        explanation: str,
        is_on: Callable[[ThreadParameters], bool],
        choose: Callable[[bool], object],
    ) -> Switch:
        switch = Switch(self._theme, self)
        switch.setAccessibleName(name)
        switch.setAccessibleDescription(explanation)
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        label = QLabel(name, row)
        label.setBuddy(switch)
        label.setWordWrap(True)
        line.addWidget(label, 1)
        line.addWidget(switch)
        self._add(row, switch, explanation)
        switch.clicked.connect(lambda on: choose(on))  # noqa: PLW0108 - a signal would be given no argument
        self._showing.append(lambda now: switch.setChecked(is_on(now)))
        return switch

    def _add_heading(self) -> None:
        heading = QLabel(self.tr("Parameters of this thread"), self)
        heading.setFont(self._theme.title_font())
        self.reset = QPushButton(self.tr("Reset"), self)
        self.reset.setProperty("kind", "quiet")
        self.reset.setFont(self._theme.small_font())
        self.reset.setToolTip(self.tr("Reset all parameters"))
        self.reset.clicked.connect(self._reset)
        line = QHBoxLayout()
        line.addWidget(heading, 1)
        line.addWidget(self.reset)
        self._column.addLayout(line)

    def _reset(self) -> None:
        if self._controls:
            self._controls[0].setFocus()  # the button goes
        if not self._shown.recall:
            self.recall_chosen.emit(True)
        self._choose(NO_PARAMETERS)

    def _add(self, row: QWidget, control: QWidget, explanation: str) -> None:
        self._controls.append(control)
        self._column.addSpacing(GRID)
        self._column.addWidget(row)
        self._column.addWidget(self._small(explanation))

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


def _figure(value: float) -> str:
    return editable(f"{value:g}")
