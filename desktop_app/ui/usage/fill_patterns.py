"""Owns how the layers of a plot are filled: a colour and a pattern each. Knows no chart."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui.theme.theme import stroke
from desktop_app.ui.usage.chart import Pattern


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
