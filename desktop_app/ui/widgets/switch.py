"""Owns the switch: a check box drawn as a track with a knob. Knows no setting."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, stroke

TRACK = QSize(5 * GRID, 3 * GRID - 2)
RING = 3
"""Pixels around the track for the ring of the keyboard's place."""


class Switch(QCheckBox):
    """On and off differ by the knob's place and its filling, not by colour alone."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return TRACK + QSize(2 * RING, 2 * RING)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(RING + 0.5, RING + 0.5, TRACK.width() - 1, TRACK.height() - 1)
        radius = track.height() / 2
        painter.setPen(QPen(theme.color("accent" if on else "fill"), stroke("hair")))
        painter.setBrush(theme.color("accent" if on else "background"))
        painter.drawRoundedRect(track, radius, radius)
        knob = track.adjusted(4, 4, -4, -4)
        knob.setWidth(knob.height())
        if on:
            knob.moveRight(track.right() - 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("on-accent" if on else "fill"))
        painter.drawEllipse(knob)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("focus"), stroke("focus")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
