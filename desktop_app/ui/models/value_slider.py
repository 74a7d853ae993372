"""A slider over a few named values, which may also be left to the model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import GRID, Theme


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
        self, theme: Theme, name: str, values: Sequence[str], parent: QWidget, *, default: str, resting: int
    ) -> None:
        """`values`: what each step is called. `default`: what stands there while nothing is chosen, with the handle
        at `resting`."""
        super().__init__(parent)
        self._name, self._values, self._default, self._resting = name, values, default, resting
        self._number: int | None = None
        self.value = QLabel(self)
        self.value.setProperty("tone", "secondary")
        self.slider = _StepSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, len(values) - 1)
        self.slider.setPageStep(1)
        self.slider.setTracking(False)  # only where the handle is let go is it chosen
        self.slider.setToolTip(self.tr("Home: default"))
        self.slider.sliderMoved.connect(self._say)
        self.slider.valueChanged.connect(self._choose)
        self.slider.sliderReleased.connect(lambda: self._choose(self.slider.sliderPosition()))
        self.slider.left_alone.connect(lambda: self._choose(None))
        words = QHBoxLayout()
        words.addWidget(QLabel(name, self), 1)
        words.addWidget(self.value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(words)
        column.addWidget(self.slider)
        self.setFocusProxy(self.slider)
        self.slider.setFixedHeight(3 * GRID)  # the whole handle, which the style sheet makes higher
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_value(self, number: int | None) -> None:
        """Shows a value as chosen; None: the default."""
        self._number = number
        self.slider.blockSignals(True)
        self.slider.setValue(self._resting if number is None else number)
        self.slider.blockSignals(False)
        self.slider.setProperty("resting", number is None)
        self.slider.style().unpolish(self.slider)
        self.slider.style().polish(self.slider)
        self._say(number)

    def _say(self, number: int | None) -> None:
        words = self._default if number is None else self._values[number]
        self.value.setText(words)
        self.slider.setAccessibleName(f"{self._name}: {words}")

    def _choose(self, number: int | None) -> None:
        if number != self._number:
            self.show_value(number)
            self.chosen.emit(number)
