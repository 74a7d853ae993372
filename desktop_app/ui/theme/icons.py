"""The action icons: small drawings of one set, coloured by a theme. Uses no widget."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel

from desktop_app.resources import resource
from desktop_app.ui.theme.theme import Theme

FINEST = 3
"""The highest pixel ratio that icons are drawn for."""


def icon_pixmap(name: str, theme: Theme, role: str, size: int = 16, scale: float = 1) -> QPixmap:
    """The drawing `resources/icons/actions/<name>.svg` in a theme colour, `size` device-independent pixels wide."""
    return _painted(_drawing(name, theme, role), size, scale)


def icon(name: str, theme: Theme, role: str = "text-secondary", size: int = 16) -> QIcon:
    """An icon of one colour at the pixel ratios of all screens: each drawing takes 0.1 ms, and a start has a dozen.

    `size` is that at the usual text size.
    """
    drawn, drawing, size = QIcon(), _drawing(name, theme, role), theme.pixels(size)
    for scale in {min(FINEST, ceil(screen.devicePixelRatio())) for screen in QGuiApplication.screens()} or {1}:
        drawn.addPixmap(_painted(drawing, size, scale))
    return drawn


def set_icon(
    place: QAbstractButton | QLabel, name: str, theme: Theme, role: str = "text-secondary", size: int = 16
) -> None:
    """Shows an icon in a button or a label, now and after every change of the theme."""
    _ThemedIcon(place, name, theme, role, size)


class _ThemedIcon(QObject):
    """Lives as long as the button or label that it belongs to."""

    def __init__(self, place: QAbstractButton | QLabel, name: str, theme: Theme, role: str, size: int) -> None:
        super().__init__(place)
        self._name, self._theme, self._role, self._size = name, theme, role, size
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        place, theme = self.parent(), self._theme
        if isinstance(place, QLabel):
            size = theme.pixels(self._size)
            place.setPixmap(icon_pixmap(self._name, theme, self._role, size, place.devicePixelRatioF()))
        elif isinstance(place, QAbstractButton):
            place.setIcon(icon(self._name, theme, self._role, self._size))


def _drawing(name: str, theme: Theme, role: str) -> QSvgRenderer:
    source = resource("icons", "actions", f"{name}.svg").read_text("utf-8")
    return QSvgRenderer(QByteArray(source.replace("currentColor", theme.css_color(role)).encode()))


def _painted(drawing: QSvgRenderer, size: int, scale: float) -> QPixmap:
    pixmap = QPixmap(round(size * scale), round(size * scale))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    drawing.render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap
