"""The parameters that can be asked of a model in a thread, and the popover with a line on each one's effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QSlider, QVBoxLayout, QWidget

from desktop_app.core.messages import NO_PARAMETERS, Parameters
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.i18n.language import editable, tr
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating, room_around
from desktop_app.ui.widgets.page import Switch
from desktop_app.ui.widgets.parts import button_in, fill, in_column, in_row, label_in, say_in, set_look


class _StepSlider(QSlider):
    """A step for each value; Enter and Space take the one it stands at, Home leaves it to the model."""

    left_alone = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Home:
            self.left_alone.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.sliderReleased.emit()
        else:
            super().keyPressEvent(event)


class ValueSlider(QWidget):
    """Name, value and slider; the handle is hollow while nothing is chosen. `chosen`: number of a value, or None."""

    chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        name: str,
        values: Sequence[str],
        parent: QWidget,
        *,
        default: str,
        resting: int,
        is_known: bool = True,
    ) -> None:
        """`values`: what each step is called. `default`: what stands there while nothing is chosen, with the handle
        at `resting`, from where keys move it; not `is_known`: nobody knows where that is, and none is seen."""
        super().__init__(parent)
        self._name, self._values, self._default = name, values, default
        self._resting, self._unchosen = resting, "known" if is_known else "unknown"
        self._number: int | None = None
        self.value = label_in(self, tone="secondary")
        self.slider = _StepSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, len(values) - 1)
        self.slider.setPageStep(1)
        self.slider.setTracking(False)  # only where the handle is let go is it chosen
        self.slider.setToolTip(self.tr("Home: default"))
        self.slider.sliderMoved.connect(self._say)
        self.slider.valueChanged.connect(self._choose)
        self.slider.sliderReleased.connect(lambda: self._choose(self.slider.sliderPosition()))
        self.slider.left_alone.connect(lambda: self._choose(None))
        in_column(in_row((QLabel(name, self), 1), self.value), self.slider, of=self, spacing=GRID // 2, margins=0)
        self.setFocusProxy(self.slider)
        self.slider.setFixedHeight(3 * GRID)  # the whole handle, which the style sheet makes higher
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_value(self, number: int | None) -> None:
        """Shows a value as chosen; None: the default."""
        self._number = number
        self.slider.blockSignals(True)
        self.slider.setValue(self._resting if number is None else number)
        self.slider.blockSignals(False)
        set_look(self.slider, "resting", self._unchosen if number is None else "")
        self._say(number)

    def _say(self, number: int | None) -> None:
        words = self._default if number is None else self._values[number]
        self.value.setText(words)
        self.slider.setAccessibleName(f"{self._name}: {words}")

    def _choose(self, number: int | None) -> None:
        if number != self._number:
            self.show_value(number)
            self.chosen.emit(number)


@dataclass(frozen=True, slots=True)
class ThreadParameters:
    """The parameters of a thread: the model, what can be asked of it, what was asked, and whether it may look things
    up.

    `price`: one sentence on what a change costs now, "" where it costs nothing. `usual_temperature`: what is taken
    where none is asked for; None: only the provider knows.
    """

    model: ModelInfo
    parameters: Parameters = NO_PARAMETERS
    recall: bool = True
    price: str = ""
    usual_temperature: float | None = None


def differences(shown: ThreadParameters) -> tuple[str, ...]:
    """Return the differences from the defaults, each as a word or two; those the model does not take are left out.

    Searching the web has a switch of its own, which shows it.
    """
    model, asked = shown.model, shown.parameters
    words = []
    if asked.effort in model.efforts:
        words.append(effort_words(asked.effort))
    if asked.thinking is False and model.thinking == "choice":
        words.append(tr("no thinking"))
    if asked.temperature is not None and model.temperature:
        words.append(tr("temperature {value}").format(value=editable(f"{asked.temperature:g}")))
    if not shown.recall and model.accepts_tools:
        words.append(tr("no look-ups"))
    return tuple(words)


def effort_words(level: str) -> str:
    """A level of effort for people; the provider's own word where none is known."""
    known = {
        "minimal": tr("minimal"),
        "low": tr("low"),
        "medium": tr("medium"),
        "high": tr("high"),
        "xhigh": tr("extra high"),
        "max": tr("max"),
    }
    return known.get(level, level)


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
        fill(self._column, GRID // 2, self.price)
        self.show_parameters(shown)

    def show_parameters(self, shown: ThreadParameters) -> None:
        """Shows other values; of another model, only what both take."""
        self._shown = shown
        for show in self._showing:
            show(shown)
        self.reset.setVisible(shown.parameters != NO_PARAMETERS or not shown.recall)
        say_in(self.price, shown.price)
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
        if (model := shown.model).efforts:
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
            is_known=False,
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
            resting=len(known) - 1 if usual is None else known.index(usual),
            is_known=usual is not None,
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
        label = QLabel(name, row, wordWrap=True)
        label.setBuddy(switch)
        in_row((label, 1), switch, of=row, margins=0)
        self._add(row, switch, explanation)
        switch.clicked.connect(lambda on: choose(on))  # noqa: PLW0108 - a signal would be given no argument
        self._showing.append(lambda now: switch.setChecked(is_on(now)))
        return switch

    def _add_heading(self) -> None:
        heading = QLabel(self.tr("Parameters of this thread"), self)
        heading.setFont(self._theme.title_font())
        self.reset = button_in(self, self.tr("Reset"), self._reset, kind="quiet")
        self.reset.setFont(self._theme.small_font())
        self.reset.setToolTip(self.tr("Reset all parameters"))
        self._column.addLayout(in_row((heading, 1), self.reset))

    def _reset(self) -> None:
        if self._controls:
            self._controls[0].setFocus()  # the button goes
        if not self._shown.recall:
            self.recall_chosen.emit(True)
        self._choose(NO_PARAMETERS)

    def _add(self, row: QWidget, control: QWidget, explanation: str) -> None:
        self._controls.append(control)
        fill(self._column, GRID, row, self._small(explanation))

    def _choose(self, parameters: Parameters) -> None:
        if parameters != self._shown.parameters:
            self.parameters_chosen.emit(parameters)

    def _small(self, words: str) -> QLabel:
        label = label_in(self, words)
        label.setFont(self._theme.small_font())
        label.setProperty("tone", "secondary")
        label.setWordWrap(True)
        return label


def _figure(value: float) -> str:
    return editable(f"{value:g}")
