"""The slider of a thread's soft limit, with the marks worth knowing on its way. Counts nothing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from desktop_app.core.context.limits import highest_soft
from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.gauge.limit_drag import LimitRange
from desktop_app.ui.i18n.amounts import thousands
from desktop_app.ui.theme.theme import GRID, Theme

STEP = 5_000
"""Tokens that one arrow key moves the soft limit by (INTERFACE.md)."""
SETTLE_MS = 250
"""The slider's position is taken when it has rested this long."""
HANDLE = 14
"""Width of the handle in pixels, as the style sheet has it."""


class _Slider(QSlider):
    """Arrows move by 5K; Home goes back to the default."""

    reset_requested = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Home:
            self.reset_requested.emit()
        else:
            super().keyPressEvent(event)


class _Marks(QWidget):
    """Ticks with words under the slider: a price cliff, and the highest limit that the model takes."""

    def __init__(self, theme: Theme, marks: tuple[tuple[float, str], ...], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._marks = theme, marks
        self._font = theme.small_font()
        self.setFixedHeight(theme.pixels(3 * GRID))
        self.setAccessibleName(", ".join(words for _, words in marks))
        self.setToolTip(self.accessibleName())

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.pixels(3 * GRID))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text-secondary"))
        metrics = QFontMetricsF(self._font)
        taken = float(self.width() + 1)
        # from the right: the highest limit is always told, the cliff where there is room for its words
        for share, words in reversed(self._marks):
            x = HANDLE / 2 + share * (self.width() - HANDLE)
            painter.fillRect(QRectF(round(x), 0, 1, GRID // 2), self._theme.color("text-secondary"))
            width = metrics.horizontalAdvance(words)
            left = max(0.0, min(x - width / 2, self.width() - width))
            if left + width < taken:
                place = QRectF(left, GRID // 2, width + 1, self.height() - GRID // 2)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
                taken = left - GRID
        painter.end()


class LimitSlider(QWidget):
    """The thread's soft limit. `chosen` carries tokens once the slider rests, None for the default."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, plan: ContextPlan, parent: QWidget) -> None:
        super().__init__(parent)
        self._most = max(plan.limits.soft, highest_soft(plan.model))
        self._soft = plan.limits.soft
        self._range = LimitRange(self._soft, self._most, self._most)
        self.slider = _Slider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(self.tr("Soft limit"))
        self.slider.setToolTip(self.tr("Older messages are left out above it. Arrow keys: 5K tokens. Home: default."))
        # in tokens: the handle stands where the figure is, on the scale of the marks
        self.slider.setRange(min(self._range.unit, self._soft), self._most)
        self.slider.setSingleStep(STEP)
        self.slider.setPageStep(5 * STEP)
        self.slider.setValue(self._soft)
        self._name = QLabel(self.tr("Soft limit"), self)
        self._name.setProperty("tone", "secondary")
        self._name.setWordWrap(True)
        self._words = QLabel(thousands(plan.limits.soft), self)
        for label in (self._name, self._words):
            label.setFont(theme.small_font())
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(lambda: self.chosen.emit(self.tokens))
        self.slider.valueChanged.connect(self._moved)
        self.slider.reset_requested.connect(self._reset)
        row = QHBoxLayout()
        row.addWidget(self._name, 1)
        row.addWidget(self._words)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(GRID // 2)
        box.addLayout(row)
        box.addWidget(self.slider)
        box.addWidget(_Marks(theme, self._marks(plan), self))
        self._tell()

    @property
    def tokens(self) -> int:
        """The position of the slider, in tokens."""
        value = self.slider.value()
        return value if value == self._soft else self._range.nearest(value)

    def _moved(self, _steps: int) -> None:
        self._words.setText(thousands(self.tokens))
        self._tell()
        self._settle.start()

    def _tell(self) -> None:
        self.slider.setAccessibleDescription(self.tr("{limit} tokens").format(limit=self._words.text()))

    def _reset(self) -> None:
        self._settle.stop()
        self.chosen.emit(None)

    def _marks(self, plan: ContextPlan) -> tuple[tuple[float, str], ...]:
        cliff, most = plan.model.price_cliff, self._most
        marks = []
        if cliff is not None and cliff < most:
            words = self.tr("{tokens}: costs more above").format(tokens=thousands(cliff))
            marks.append((self._share(cliff), words))
        marks.append((1.0, self.tr("{tokens}: maximum for this model").format(tokens=thousands(most))))
        return tuple(marks)

    def _share(self, tokens: int) -> float:
        span = self.slider.maximum() - self.slider.minimum()
        return (tokens - self.slider.minimum()) / span if span else 1.0
