"""The soft limit while it is moved: its mark on the gauge, and the popover's slider. Counts nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLabel, QSlider, QStyleOptionSlider, QWidget

from desktop_app.core.context.limits import highest_soft
from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.dragging import EscapeWatch
from desktop_app.ui.widgets.parts import in_column, in_row, single_shot

Key = Qt.Key
FINE, COARSE = 100, 1_000
"""Tokens that the limit is rounded to: of a model that takes little, and of others."""
MUCH = 50_000
KEY_STEP = 5
"""The number of these units by which an arrow key moves it: 5K tokens, as in the popover."""
_ALL = 1 << 40
STEPS = {
    Key.Key_Left: -KEY_STEP,
    Key.Key_Down: -KEY_STEP,
    Key.Key_Right: KEY_STEP,
    Key.Key_Up: KEY_STEP,
    Key.Key_PageDown: -5 * KEY_STEP,
    Key.Key_PageUp: 5 * KEY_STEP,
    Key.Key_Home: -_ALL,
    Key.Key_End: _ALL,
}
EDGE = 4
"""Pixels from the gauge's right end, where the scale grows for as long as the mark is held there."""
EDGE_MS = 30
GROWTH = 1.2
"""By how much it grows in a second."""
LONGEST_STEP_S = 0.1


@dataclass(frozen=True, slots=True)
class LimitRange:
    """In tokens: the limit as it is, the highest that the model takes, and how many the gauge is wide."""

    limit: int
    highest: int
    scale: int

    @property
    def unit(self) -> int:
        """The tokens that the limit is rounded to; the least it can be."""
        return COARSE if self.highest >= MUCH else FINE

    def at(self, share: float, scale: float) -> int:
        """The limit at a share of the gauge's width."""
        return self.nearest(share * scale)

    def nearest(self, tokens: float) -> int:
        """The nearest limit that can be set, rounded."""
        return self.within(round(tokens / self.unit) * self.unit)

    def within(self, tokens: int) -> int:
        """The nearest limit that can be set."""
        return max(self.unit, min(self.highest, tokens))


class LimitDrag(QObject):
    """Takes the limit from one amount of tokens to another.

    `limits` gives what can be set (None: nothing can), `blocked` why it can't be moved now, "" where it can.
    """

    moved = Signal(int)
    dropped = Signal(int)
    changed = Signal()  # it is taken, or its place or scale is another, or it is let go
    held_changed = Signal(object)  # the GaugeReading to show while it is held, else None
    ended = Signal()
    refused = Signal(str)
    undo_requested = Signal()

    def __init__(self, strip: QWidget, shown: Callable[[], GaugeReading]) -> None:
        """`shown`: what the strip says while nothing is held."""
        super().__init__(strip)
        self._strip, self._shown = strip, shown
        self._held: GaugeReading | None = None
        self.limits: Callable[[], LimitRange | None] = lambda: None
        self.blocked: Callable[[], str] = lambda: ""
        self.scale = 1.0
        self.tokens = 0
        """The tokens at which the mark is held; 0: it is not."""
        self._range = LimitRange(0, 0, 1)
        self._pressed: QPoint | None = None
        self._over = False  # this press moves nothing any more: it was refused, or cancelled
        self._x = 0
        self._escape = EscapeWatch(strip, self.cancel)
        self._since = QElapsedTimer()
        self._edge = QTimer(self, interval=EDGE_MS)
        self._edge.timeout.connect(self._grow)
        self.changed.connect(self._show_mark)

    @property
    def moving(self) -> bool:
        """True while the mark is off its place."""
        return self.tokens > 0

    @property
    def holding(self) -> bool:
        """True while a mouse button is down that took the mark."""
        return self._pressed is not None

    def show_held(self, reading: GaugeReading) -> None:
        """Show what the next request would be with the mark where it is held."""
        before, self._held = self._held, reading
        self.held_changed.emit(reading)
        if QAccessible.isActive() and (before is None or before.line != reading.line):
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._strip, reading.sentence))

    def _show_mark(self) -> None:
        """The mark is at once where it is held; the words come with the plan."""
        if self.moving:
            shown = self._held or replace(self._shown(), action="", notch=None)
            self._held = replace(shown, soft=min(1.0, self.tokens / self.scale))
        else:
            self._held = None
        self.held_changed.emit(self._held)

    def cancel(self) -> None:
        """Leaves the limit as it was."""
        if self.moving:
            self._over = True
            self._end()

    # --- by mouse

    def press(self, point: QPoint) -> None:
        """The mark is taken."""
        self.cancel()
        self._pressed, self._over = point, False

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves with it."""
        if self._pressed is None:
            return
        self._x = event.position().toPoint().x()
        far = abs(self._x - self._pressed.x()) >= QGuiApplication.styleHints().startDragDistance() // 2
        if far and not self.moving and not self._over:
            self._over = not self._begin()
        if self.moving:
            self._follow_pointer()
            if self._at_edge and not self._edge.isActive():
                self._since.start()
                self._edge.start()

    def release(self) -> bool:
        """The button goes up; False where that was a click."""
        self._pressed = None
        moved = self.moving or self._over
        self._drop()
        return moved

    def _follow_pointer(self) -> None:
        self._go_to(self._range.at(self._x / max(1, self._strip.width()), self.scale))

    @property
    def _at_edge(self) -> bool:
        return self._x >= self._strip.width() - EDGE

    def _grow(self) -> None:
        """Held at the end, the mark goes on to limits that had no room there."""
        if not (self.moving and self.holding and self._at_edge and self.tokens < self._range.highest):
            self._edge.stop()
            return
        self.scale *= 1 + GROWTH * min(LONGEST_STEP_S, self._since.restart() / 1_000)
        self._follow_pointer()
        self.changed.emit()

    # --- by keyboard

    def key(self, event: QKeyEvent) -> bool:
        """True if the key was for the mark."""
        key = Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in STEPS:
            if self.moving or self._begin():
                self._go_to(self._range.within(self.tokens + STEPS[key] * self._range.unit))
        elif self.moving and key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space}:
            self._drop()
        else:
            return False
        return True

    # --- both

    def _begin(self) -> bool:
        if why := self.blocked():
            self.refused.emit(why)
            return False
        if (limits := self.limits()) is None:
            return False
        self._range, self.scale, self.tokens = limits, float(limits.scale), limits.limit
        self._escape.start()
        self.changed.emit()
        self.moved.emit(self.tokens)
        return True

    def _go_to(self, tokens: int) -> None:
        if tokens != self.tokens:
            self.tokens = tokens
            self.scale = max(self.scale, float(tokens))
            self.changed.emit()
            self.moved.emit(tokens)

    def _drop(self) -> None:
        tokens, same = self.tokens, self.tokens == self._range.limit
        self._end()
        if tokens and not same:
            self.dropped.emit(tokens)

    def _end(self) -> None:
        self._edge.stop()
        if self.moving:
            self.tokens = 0
            self._escape.stop()
            self.changed.emit()
            self.ended.emit()


STEP = 5_000
"""Tokens that one arrow key moves the soft limit by (INTERFACE.md)."""
SETTLE_MS = 250
"""The slider's position is taken when it has rested this long."""
HANDLE = 14
"""Width of the handle in pixels, as the style sheet has it."""


class _Slider(QSlider):
    """Arrows move by 5K; Home goes back to the default.

    Its way grows with the root of the tokens: of a million, the first 50K would be but a twentieth of it.
    """

    reset_requested = Signal()

    def share(self, tokens: int) -> float:
        """Return how much of the way lies before so many tokens, 0 to 1."""
        span = self.maximum() - self.minimum()
        return float(((tokens - self.minimum()) / span) ** 0.5) if span else 1.0

    def initStyleOption(self, option: QStyleOptionSlider) -> None:
        super().initStyleOption(option)
        place = self.minimum() + self.share(self.sliderPosition()) * (self.maximum() - self.minimum())
        option.sliderPosition = round(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            share = (event.position().x() - HANDLE / 2) / max(1, self.width() - HANDLE)
            span = self.maximum() - self.minimum()
            self.setSliderPosition(self.minimum() + round(max(0.0, min(1.0, share)) ** 2 * span))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

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
        with QPainter(self) as painter:
            painter.setFont(self._font)
            painter.setPen(self._theme.color("text-secondary"))
            metrics = QFontMetricsF(self._font)
            taken = float(self.width() + 1)
            # from the right: the highest limit is always told, the cliff where there is room for its words
            for share, told in reversed(self._marks):
                x = HANDLE / 2 + share * (self.width() - HANDLE)
                painter.fillRect(QRectF(round(x), 0, 1, GRID // 2), self._theme.color("text-secondary"))
                words = metrics.elidedText(told, Qt.TextElideMode.ElideRight, self.width())
                width = metrics.horizontalAdvance(words)
                left = max(0.0, min(x - width / 2, self.width() - width))
                if left + width < taken:
                    place = QRectF(left, GRID // 2, width + 1, self.height() - GRID // 2)
                    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
                    taken = left - GRID


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
        self._name = QLabel(self.tr("Soft limit"), self, wordWrap=True)
        self._name.setProperty("tone", "secondary")
        self._words = QLabel(thousands(plan.limits.soft), self)
        for label in (self._name, self._words):
            label.setFont(theme.small_font())
        self._settle = single_shot(self, lambda: self.chosen.emit(self.tokens), SETTLE_MS)
        self.slider.valueChanged.connect(self._moved)
        self.slider.reset_requested.connect(self._reset)
        row = in_row((self._name, 1), self._words)
        in_column(row, self.slider, _Marks(theme, self._marks(plan), self), of=self, spacing=GRID // 2, margins=0)
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
            marks.append((self.slider.share(cliff), words))
        words = self.tr("Up to {tokens} with a {window} window")
        marks.append((1.0, words.format(tokens=thousands(most), window=thousands(plan.limits.window))))
        return tuple(marks)
