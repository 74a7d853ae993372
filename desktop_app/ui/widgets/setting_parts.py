"""The parts of a row of settings: the line to write in, the switch, the hairline between rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, stroke
from desktop_app.ui.widgets.parts import frame_in


class SettingField(QLineEdit):
    """A line to write in. With nothing written, undo and redo are the page's, and Esc is the page's, too."""

    given_up = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not self._has_own(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.given_up.emit()
        else:
            super().keyPressEvent(event)

    def _has_own(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.isUndoAvailable()
        return not event.matches(QKeySequence.StandardKey.Redo) or self.isRedoAvailable()


TRACK = QSize(5 * GRID, 3 * GRID - 2)
"""Pixels at the usual text size."""
INSET = 5
"""Pixels from the knob to the track's edges, at the usual text size."""


class Switch(QCheckBox):
    """On and off differ by the knob's place and its filling, not by colour alone. Ends on the edges it is given."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return TRACK * self._theme.zoom

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
        line, edge = stroke("hair"), "accent" if on else "fill"
        if self.hasFocus():
            line, edge = stroke("focus"), "text" if on else "focus"
        whole, inset = QRectF(QPointF(0, 0), self.sizeHint()), INSET * theme.zoom
        track = whole.adjusted(line / 2, line / 2, -line / 2, -line / 2)
        radius = track.height() / 2
        painter.setPen(QPen(theme.color(edge), line))
        painter.setBrush(theme.color("accent" if on else "background"))
        painter.drawRoundedRect(track, radius, radius)
        knob = whole.adjusted(inset, inset, -inset, -inset)
        knob.setWidth(knob.height())
        if on:
            knob.moveRight(whole.width() - inset)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("on-accent" if on else "fill"))
        painter.drawEllipse(knob)


def rule_in(parent: QWidget) -> QFrame:
    """A hairline as wide as the rows that it parts."""
    rule = frame_in(parent, "rule")
    rule.setFixedHeight(1)
    return rule
