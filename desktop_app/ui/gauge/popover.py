"""Owns the gauge's popover: categories, count and source, cost, the slider of the soft limit. Counts nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from desktop_app.core.context.limits import highest_soft
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import dollars, thousands
from desktop_app.ui.theme import GRID, Theme

WIDTH = 320
STEP = 5_000
"""Tokens that one arrow key moves the soft limit by (INTERFACE.md)."""
SETTLE_MS = 250
"""The slider's position is taken when it has rested this long."""
CATEGORIES = ("system", "tools", "documents", "history", "summary", "draft", "overhead")
_TINTS = ("syntax-type", "syntax-operator", "syntax-string", "syntax-number", "syntax-name", "accent", "fill")


class _Bar(QWidget):
    """The categories side by side, to the scale of the emergency limit."""

    def __init__(self, theme: Theme, plan: ContextPlan, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        scale = max(plan.limits.emergency, plan.tokens.total, 1)
        self._shares = [getattr(plan.tokens, name) / scale for name in CATEGORIES]
        self.setFixedHeight(GRID)
        self.setAccessibleName(self.tr("Share of each category"))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("track"))
        left = 0.0
        for share, tint in zip(self._shares, _TINTS, strict=True):
            painter.fillRect(QRectF(left, 0, share * self.width(), GRID), self._theme.color(tint))
            left += share * self.width()
        painter.end()


class _LimitSlider(QSlider):
    """Arrows move by 5K; Home goes back to the default."""

    reset_requested = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Home:
            self.reset_requested.emit()
        else:
            super().keyPressEvent(event)


class GaugePopover(QFrame):
    """Shows one plan. `soft_limit_chosen` carries tokens, or None for the default."""

    soft_limit_chosen = Signal(object)

    def __init__(self, theme: Theme, plan: ContextPlan, free: bool, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(self.tr("What the next request holds"))
        self._theme = theme
        self._plan = plan
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        heading = QLabel(self.tr("The next request"), self)
        heading.setFont(theme.title_font())
        column.addWidget(heading)
        column.addWidget(_Bar(theme, plan, self))
        column.addLayout(self._categories())
        column.addWidget(self._rule())
        column.addLayout(self._facts(free))
        column.addWidget(self._rule())
        column.addLayout(self._limit())

    def open_above(self, strip: QWidget) -> None:
        """Opens over the strip, its right edge at the strip's right edge."""
        self.adjustSize()
        corner = strip.mapToGlobal(QPoint(strip.width() - self.width(), -self.height() - GRID // 2))
        self.move(corner)
        self.show()
        self.slider.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def words(self) -> tuple[str, ...]:
        """All that is written in the popover, in order."""
        return tuple(label.text() for label in self.findChildren(QLabel))

    def _categories(self) -> QGridLayout:
        names = {
            "system": self.tr("System prompt"),
            "tools": self.tr("Tools"),
            "documents": self.tr("Documents"),
            "history": self.tr("Conversation"),
            "summary": self.tr("Summary"),
            "draft": self.tr("Your message"),
            "overhead": self.tr("Added by the backend"),
        }
        grid = QGridLayout()
        grid.setVerticalSpacing(GRID // 2)
        grid.setHorizontalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        for name, tint in zip(CATEGORIES, _TINTS, strict=True):
            tokens = getattr(self._plan.tokens, name)
            if tokens:
                row = grid.rowCount()
                grid.addWidget(_swatch(self._theme.color(tint), self), row, 0)
                grid.addWidget(self._small(names[name]), row, 1)
                grid.addWidget(self._small(f"{tokens:,}", right=True), row, 2)
        return grid

    def _facts(self, free: bool) -> QGridLayout:
        plan = self._plan
        source = {
            "estimated": self.tr("estimated"),
            "calibrated": self.tr("estimated, calibrated on this model's counts"),
            "measured": self.tr("counted by the provider"),
        }[plan.tokens.source]
        spread = "" if plan.tokens.source == "measured" else f" ± {2 * plan.tokens.sigma:,}"
        facts = [(self.tr("Tokens"), f"{plan.tokens.total:,}{spread}"), (self.tr("Source"), source)]
        if not free:
            fresh = max(0, plan.tokens.total - plan.cached_tokens)
            cost = self.tr("unknown") if plan.cost_usd is None else dollars(plan.cost_usd)
            facts.append((self.tr("Cost of sending"), cost))
            facts.append((self.tr("Cached · fresh"), f"{thousands(plan.cached_tokens)} · {thousands(fresh)}"))
        window = thousands(plan.limits.window) if plan.limits.window_known else self.tr("unknown")
        facts.append((self.tr("The model's own limit"), window))
        facts.append((self.tr("Nothing is sent above"), thousands(plan.limits.emergency)))
        grid = QGridLayout()
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(facts):
            grid.addWidget(self._small(name, secondary=True), row, 0)
            grid.addWidget(self._small(value, right=True), row, 1)
        return grid

    def _limit(self) -> QVBoxLayout:
        limits = self._plan.limits
        most = max(limits.soft, highest_soft(self._plan.model))
        self.slider = _LimitSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(self.tr("Older messages are left out above"))
        self.slider.setRange(1, max(1, most // STEP))
        self.slider.setSingleStep(1)
        self.slider.setPageStep(5)
        self.slider.setValue(round(limits.soft / STEP))
        self._limit_words = self._small("", right=True)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._choose)
        self._show_limit(self.slider.value())
        self.slider.valueChanged.connect(self._show_limit)
        self.slider.valueChanged.connect(lambda _: self._settle.start())
        self.slider.reset_requested.connect(self._reset)
        row = QHBoxLayout()
        row.addWidget(self._small(self.tr("Leave out older messages above"), secondary=True))
        row.addWidget(self._limit_words)
        box = QVBoxLayout()
        box.addLayout(row)
        box.addWidget(self.slider)
        return box

    def _show_limit(self, steps: int) -> None:
        self._limit_words.setText(thousands(steps * STEP))

    def _choose(self) -> None:
        self.soft_limit_chosen.emit(self.slider.value() * STEP)

    def _reset(self) -> None:
        self._settle.stop()
        self.soft_limit_chosen.emit(None)
        self.close()

    def _small(self, words: str, *, secondary: bool = False, right: bool = False) -> QLabel:
        label = QLabel(words, self)
        label.setFont(self._theme.small_font())
        label.setWordWrap(len(words) > 30)
        if secondary:
            label.setProperty("tone", "secondary")
        if right:
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label

    def _rule(self) -> QFrame:
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        return rule


def _swatch(color: QColor, parent: QWidget) -> QWidget:
    swatch = QFrame(parent)
    swatch.setFixedSize(GRID, GRID)
    swatch.setStyleSheet(f"background: {color.name()}; border-radius: 2px;")
    return swatch
