"""The usage page's chart: its values and axis, the painting of grid, bars and legend, the bar under the pointer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme, stroke
from desktop_app.ui.widgets.splitter import ValueInterface, install

Unit: TypeAlias = Literal["tokens", "dollars"]
Pattern: TypeAlias = Literal["solid", "diagonal", "dots", "lines"]
STEPS = (1.0, 2.0, 5.0, 10.0)
"""An axis counts in one of these times a power of ten."""


@dataclass(frozen=True, slots=True)
class Series:
    """One layer of the bars. `tint` is a colour role of the theme; the pattern tells it apart without colour."""

    name: str
    tint: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar: `label` stands on the axis, `name` is the time in full, `values` are one per series, from below."""

    label: str
    name: str
    values: tuple[float, ...]

    @property
    def height(self) -> float:
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars from left to right in time, in tokens or US dollars."""

    series: tuple[Series, ...]
    bars: tuple[ChartBar, ...]
    unit: Unit = "tokens"

    def totals(self) -> tuple[float, ...]:
        """The sum of each series over all bars."""
        return tuple(sum(bar.values[place] for bar in self.bars) for place in range(len(self.series)))

    def exact(self, value: float) -> str:
        """`12,345` tokens or `$1.23`."""
        return dollars(value) if self.unit == "dollars" else grouped(value)

    def rounded(self, value: float) -> str:
        """As it stands on the axis: `200K`, `$0.50`."""
        return dollars(value) if self.unit == "dollars" else thousands(round(value))


def axis(most: float, unit: Unit) -> tuple[float, ...]:
    """Round numbers from 0 to at least `most`, at most four above 0: where the lines of the grid stand.

    Tokens are whole and cents the smallest money, so the axis of an almost empty plot does not go below either.
    """
    least = 1.0 if unit == "tokens" else 0.01
    rough = max(most / 4, least)
    power = 10.0 ** math.floor(math.log10(rough))
    # the small excess forgives what binary fractions do to 0.05
    step = next(power * factor for factor in STEPS if power * factor >= rough * (1 - 1e-9))
    count = max(1, math.ceil(most / step - 1e-9))
    return tuple(step * place for place in range(count + 1))


def paint_pattern(painter: QPainter, rect: QRectF, tint: QColor, pattern: Pattern) -> None:
    """Fills a rectangle so that it can be told from its neighbours without seeing colours."""
    if pattern == "solid":
        painter.fillRect(rect, tint)
        return
    ground = QColor(tint)
    ground.setAlphaF(0.22)
    painter.fillRect(rect, ground)
    painter.save()
    painter.setClipRect(rect)
    painter.setPen(QPen(tint, stroke("stroke")))
    if pattern == "diagonal":
        x = rect.left() - rect.height() - (rect.left() - rect.height()) % 5
        while x < rect.right():
            painter.drawLine(QLineF(x, rect.bottom(), x + rect.height(), rect.top()))
            x += 5
    elif pattern == "lines":
        y = rect.bottom() - 1.5
        while y > rect.top():
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
            y -= 3
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        y, odd = rect.bottom() - 2.0, False
        while y > rect.top():
            x = rect.left() + (4.0 if odd else 2.0)
            while x < rect.right():
                painter.drawEllipse(QPointF(x, y), 1.1, 1.1)
                x += 4
            y, odd = y - 3, not odd
    painter.setPen(QPen(tint, stroke("hair")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


PLOT_HEIGHT = 22 * GRID
"""Pixels between the top line of the grid and the axis."""
WIDEST_BAR = 6 * GRID
SWATCH = 12
NOTHING = Chart((), ())


class Plot(QWidget):
    """Stacked bars. Arrows, Home and End go from bar to bar; `bar_shown` says which is meant (-1: none)."""

    bar_shown = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.chart = NOTHING
        self._ticks: tuple[float, ...] = (0.0, 1.0)
        self._hovered = -1
        self._chosen = -1
        self._picture: QPixmap | None = None
        install(Plot)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font = self._theme.small_font()
        self._metrics = QFontMetricsF(self._font)
        self._picture = None
        self.updateGeometry()

    def show_chart(self, chart: Chart, name: str) -> None:
        """Shows other figures; `name` says what is plotted."""
        self.chart = chart
        self._picture = None
        self._ticks = axis(max((bar.height for bar in chart.bars), default=0.0), chart.unit)
        self._hovered = -1
        self._chosen = len(chart.bars) - 1
        self.setAccessibleName(name)
        self.updateGeometry()
        self._tell()

    @property
    def current(self) -> int:
        """The bar that is meant: the one under the pointer, else the chosen one while the plot has the keyboard."""
        if self._hovered >= 0:
            return self._hovered
        return self._chosen if self.hasFocus() else -1

    def sentence(self) -> str:
        """The exact figures of the chosen bar, for screen readers."""
        return self.told(self._chosen)

    def told(self, place: int) -> str:
        """The exact figures of one bar; empty where there is no such bar."""
        if not 0 <= place < len(self.chart.bars):
            return ""
        bar, chart = self.chart.bars[place], self.chart
        parts = [f"{series.name} {chart.exact(value)}" for series, value in zip(chart.series, bar.values, strict=True)]
        if len(parts) > 1:
            parts.append(self.tr("{sum} in total").format(sum=chart.exact(bar.height)))
        return f"{bar.name}: {' · '.join(parts)}"

    def table(self) -> str:
        """All figures as tab-separated lines."""
        head = ["", *(series.name for series in self.chart.series)]
        places = 0 if self.chart.unit == "tokens" else 4
        rows = [[bar.name, *(f"{value:.{places}f}" for value in bar.values)] for bar in self.chart.bars]
        return "\n".join("\t".join(row) for row in (head, *rows))

    def interface(self) -> ValueInterface:
        """Return a new interface of the plot for screen readers."""
        return ValueInterface(self, self, QAccessible.Role.Chart)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._legend_height(width) + GRID + PLOT_HEIGHT + self._line + GRID)

    def sizeHint(self) -> QSize:
        return QSize(60 * GRID, self.heightForWidth(60 * GRID))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._paint_current(painter)
            painter.drawPixmap(0, 0, self._drawn())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.bar_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if (place := self.bar_at(event.position())) >= 0:
            self._choose(place)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self.chart.bars) - 1
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.table())
            return
        target = {
            Qt.Key.Key_Left: max(0, self._chosen - 1),
            Qt.Key.Key_Right: min(last, self._chosen + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is None or last < 0:
            super().keyPressEvent(event)
        else:
            self._hovered = -1
            self._choose(target)

    def bar_at(self, place: QPointF) -> int:
        """The bar whose column holds a point of the widget; -1 beside them."""
        area = self._area()
        if not self.chart.bars or not area.contains(place):
            return -1
        return min(len(self.chart.bars) - 1, int((place.x() - area.x()) / self._pitch(area)))

    def column_rect(self, place: int) -> QRectF:
        """The full-height column of a bar."""
        area = self._area()
        pitch = self._pitch(area)
        return QRectF(area.x() + place * pitch, area.y(), pitch, area.height())

    # --- moving

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self._tell()

    def _choose(self, place: int) -> None:
        self._chosen = place
        self._tell()
        if self.hasFocus() and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.told(place)))

    def _tell(self) -> None:
        self.setAccessibleDescription(self.sentence())
        self.bar_shown.emit(self.current)
        self.update()

    # --- places

    @property
    def _line(self) -> float:
        return self._metrics.height() + GRID / 2

    def _area(self) -> QRectF:
        top = self._legend_height(self.width()) + GRID
        widest = max(self._metrics.horizontalAdvance(self.chart.rounded(tick)) for tick in self._ticks)
        left = widest + GRID
        return QRectF(left, top, max(1.0, self.width() - left - 2), PLOT_HEIGHT)

    def _pitch(self, area: QRectF) -> float:
        return min(area.width() / max(1, len(self.chart.bars)), 2.0 * WIDEST_BAR)

    def _legend_places(self, width: float) -> list[tuple[QPointF, str]]:
        places: list[tuple[QPointF, str]] = []
        x = y = 0.0
        for series, total in zip(self.chart.series, self.chart.totals(), strict=True):
            words = f"{series.name} {self.chart.rounded(total)}"
            room = SWATCH + GRID / 2 + self._metrics.horizontalAdvance(words) + 2 * GRID
            if x > 0 and x + room > width:
                x, y = 0.0, y + self._line
            places.append((QPointF(x, y), words))
            x += room
        return places

    def _legend_height(self, width: float) -> float:
        places = self._legend_places(width)
        return places[-1][0].y() + self._line if places else 0.0

    # --- painting

    def _paint_current(self, painter: QPainter) -> None:
        """The ground behind the bar that is meant."""
        if self.current < 0:
            return
        column = self.column_rect(self.current)
        painter.fillRect(column, self._theme.color("hover"))
        if self.hasFocus() and self._hovered < 0:
            painter.setPen(QPen(self._theme.color("focus"), stroke("hair")))
            painter.drawRect(column.adjusted(0.5, 0.5, -0.5, -0.5))

    def _drawn(self) -> QPixmap:
        """Everything else, drawn once: the pointer moves over it many times a second."""
        scale = self.devicePixelRatioF()
        size = (self.size().toSizeF() * scale).toSize()
        if self._picture is None or self._picture.size() != size:
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(scale)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font)
            self._paint_legend(painter)
            area = self._area()
            for tick in self._ticks:
                y = round(area.bottom() - area.height() * tick / self._ticks[-1]) + 0.5
                painter.setPen(QPen(self._theme.color("fill" if tick == 0 else "hairline"), stroke("hair")))
                painter.drawLine(QLineF(area.left(), y, area.right(), y))
                words = self.chart.rounded(tick)
                painter.setPen(self._theme.color("text-secondary"))
                left = area.left() - GRID - self._metrics.horizontalAdvance(words)
                painter.drawText(QPointF(left, y + self._metrics.ascent() / 2 - 1), words)
            self._paint_bars(painter)
            self._paint_labels(painter)
            painter.end()
        return self._picture

    def _paint_legend(self, painter: QPainter) -> None:
        for series, (place, words) in zip(self.chart.series, self._legend_places(self.width()), strict=True):
            swatch = QRectF(place.x(), place.y() + (self._metrics.height() - SWATCH) / 2, SWATCH, SWATCH)
            paint_pattern(painter, swatch, self._theme.color(series.tint), series.pattern)
            painter.setPen(self._theme.color("text-secondary"))
            painter.drawText(QPointF(place.x() + SWATCH + GRID / 2, place.y() + self._metrics.ascent()), words)

    def _paint_bars(self, painter: QPainter) -> None:
        area = self._area()
        pitch = self._pitch(area)
        # At a year of days a bar is a pixel or two: then there is no room for a gap.
        width = min(WIDEST_BAR, max(1.0, pitch * 0.72))
        for place, bar in enumerate(self.chart.bars):
            left = area.x() + place * pitch + (pitch - width) / 2
            base = area.bottom()
            for series, value in zip(self.chart.series, bar.values, strict=True):
                if (height := area.height() * value / self._ticks[-1]) <= 0:
                    continue
                # What was used at all can be seen.
                layer = QRectF(left, base - max(1.0, height), width, max(1.0, height))
                base -= max(1.0, height)
                if layer.height() > 3:
                    layer.setTop(layer.top() + 1)
                paint_pattern(painter, layer, self._theme.color(series.tint), series.pattern)

    def _paint_labels(self, painter: QPainter) -> None:
        """As many times as fit beneath the bars, evenly spaced; the newest always."""
        if not (bars := self.chart.bars):
            return
        area = self._area()
        pitch = self._pitch(area)
        widest = max(self._metrics.horizontalAdvance(bar.label) for bar in bars) + 2 * GRID
        every = max(1, -(-int(widest) // max(1, int(pitch))))
        base = area.bottom() + GRID / 2 + self._metrics.ascent()
        painter.setPen(self._theme.color("text-secondary"))
        room = float(self.width())
        for place in range(len(bars) - 1, -1, -every):
            middle = area.x() + (place + 0.5) * pitch
            half = self._metrics.horizontalAdvance(bars[place].label) / 2
            left = min(max(middle - half, 0.0), self.width() - 2 * half)
            if left + 2 * half > room:  # the newest was moved into sight
                continue
            painter.drawText(QPointF(left, base), bars[place].label)
            room = left - GRID
