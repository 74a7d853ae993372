"""The menu that every menu of the window is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.ui.theme.theme import stroke
from desktop_app.ui.widgets.floating import Floating

HIGHEST = 640
"""Pixels of any menu: what is longer, as a list of many projects, scrolls."""
CHECK: Final = ((-4.5, 0.5), (-1.0, 4.0), (5.0, -4.0))
ARROW: Final = ((-2.0, -4.0), (2.0, 0.0), (-2.0, 4.0))
"""Corners of the marks, in pixels at the usual text size, as are the following."""
MARGIN: Final = 9.0
"""The middle of a mark from the side of its item."""
CAPITAL: Final = 11.0
"""The height of a capital."""


class Menu(QMenu):
    """A menu in the look of all that floats; `open_at` opens it beneath a button and destroys it when it closes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaximumHeight(HIGHEST)
        Floating(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks what is chosen, and what leads to a menu of its own."""
        super().paintEvent(event)
        marked = [one for one in self.actions() if one.isVisible() and (one.isChecked() or one.menu() is not None)]
        if not marked:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        zoom = QFontMetricsF(self.font()).capHeight() / CAPITAL
        for action in marked:
            chosen, leftwards = action.isChecked(), self.isRightToLeft()
            group = QPalette.ColorGroup.Normal if action.isEnabled() else QPalette.ColorGroup.Disabled
            painter.setPen(QPen(self.palette().color(group, QPalette.ColorRole.Text), stroke("glyph")))
            place, across = QRectF(self.actionGeometry(action)), MARGIN * zoom
            painter.save()
            painter.translate(
                place.left() + across if chosen != leftwards else place.right() - across, place.center().y()
            )
            painter.scale(-zoom if leftwards and not chosen else zoom, zoom)
            painter.drawPolyline([QPointF(*corner) for corner in (CHECK if chosen else ARROW)])
            painter.restore()
        painter.end()

    def add_submenu(self, words: str) -> Menu:
        """A menu within this one."""
        submenu = Menu(self)
        submenu.setTitle(words)
        self.addMenu(submenu)
        return submenu

    def open_at(self, button: QWidget, *, end: bool = False) -> None:
        """Opens beneath a button, the left edges in line, with `end` the right ones."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        left = button.width() - self.sizeHint().width() if end else 0
        self.popup(button.mapToGlobal(QPoint(left, button.height())))
