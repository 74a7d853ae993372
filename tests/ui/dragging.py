"""Sends the mouse to a widget, event by event."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


def mouse(widget: QWidget, kind: QEvent.Type, at: QPoint) -> None:
    """A press or release of the left button, or a move with it down."""
    down = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    spot, none = QPointF(at), Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QMouseEvent(kind, spot, widget.mapToGlobal(spot), button, down, none))
