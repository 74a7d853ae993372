"""The transcript's scroll bar with ticks at the places of matches."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QWidget

TICK = 2


class TickedScrollBar(QScrollBar):
    """A vertical scroll bar with ticks at lines of its pixels, from 0 to `room`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: frozenset[int] = frozenset()
        self._runs: list[tuple[int, int]] = []
        self._color = QColor()

    @property
    def ticks(self) -> frozenset[int]:
        """The lines of pixels where ticks stand."""
        return self._lines

    @property
    def room(self) -> int:
        """The line of pixels at which the last tick can stand."""
        return max(1, self.height() - TICK)

    def set_ticks(self, lines: Iterable[int], color: QColor) -> None:
        """Replaces the ticks."""
        ticks = frozenset(lines)
        if ticks != self._lines or color != self._color:
            self._lines, self._color = ticks, QColor(color)
            self._runs = _runs(sorted(ticks))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._lines:
            painter = QPainter(self)
            for top, height in self._runs:
                painter.fillRect(1, top, self.width() - 2, height, self._color)
            painter.end()


def _runs(lines: list[int]) -> list[tuple[int, int]]:
    """Top and height of what neighbouring ticks cover together."""
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line <= sum(runs[-1]):
            runs[-1] = (runs[-1][0], line + TICK - runs[-1][0])
        else:
            runs.append((line, TICK))
    return runs
