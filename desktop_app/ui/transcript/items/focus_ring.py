"""Draws the ring around what the keyboard is on."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from desktop_app.ui.theme.theme import radius, stroke
from desktop_app.ui.transcript.canvas.text_style import TextStyle


def paint_focus(painter: QPainter, style: TextStyle, place: QRectF) -> None:
    """The ring around what the keyboard is on."""
    painter.setPen(QPen(style.color("focus"), stroke("bold")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(0.75, 0.75, -0.75, -0.75), radius("small"), radius("small"))
