"""The look of parts that float over the window: round corners and one shadow; and what their going leaves behind.

The shadow is a widget of the window beneath, so that it needs no compositor and is the same on every system.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QPainter, QPainterPath, QPaintEvent, QPalette, QRegion
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QStyle, QStyleOption, QWidget
from shiboken6 import isValid

from desktop_app.ui.theme.theme import radius, space

FOLLOWED = (QEvent.Type.Show, QEvent.Type.Move, QEvent.Type.Resize)
EDGE = 8
"""Pixels between a popup and the edge of what it lies in."""
NARROWEST = 320
LAYERS = 8
"""Of which a shadow is painted, the closer the nearer to what floats."""


class Floating(QObject):
    """Follows one widget, a window of its own or a child that lies over others, as long as that lives."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._shadow: Shadow | None = None
        self._is_popup = widget.isWindow()
        # X11 shows black where nothing is painted if nothing composes the screen
        self._is_cut = self._is_popup and QGuiApplication.platformName() == "xcb"
        if self._is_popup:
            widget.setWindowFlag(Qt.WindowType.FramelessWindowHint)
            widget.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
            widget.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._is_cut)
        # Qt paints no ground of the style sheet for a frame that may let through what is beneath; a menu paints its own
        self._needs_ground = self._is_popup and not self._is_cut and not isinstance(widget, QMenu)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Paint and self._needs_ground:
            _paint_ground(self._widget)
        # a widget that is being destroyed is hidden once more
        elif (kind in FOLLOWED or kind == QEvent.Type.Hide) and isValid(self._widget):
            if kind == QEvent.Type.Hide:
                self._leave()
            elif self._widget.isVisible():
                self._follow()
        return False

    def _follow(self) -> None:
        widget = self._widget
        if self._is_cut:
            widget.setMask(_rounded(widget.rect()))
        beneath = widget.parentWidget()
        if beneath is None:
            return
        host = _window_of(beneath) if self._is_popup else beneath
        if self._shadow is None or not isValid(self._shadow):
            self._shadow = Shadow(host)
            widget.destroyed.connect(self._shadow.deleteLater)
        corner = widget.mapToGlobal(QPoint()) if self._is_popup else QPoint()
        place = QRect(host.mapFromGlobal(corner), widget.size()) if self._is_popup else widget.geometry()
        self._shadow.lie_around(place)
        if self._is_popup:
            self._shadow.raise_()
        else:
            self._shadow.stackUnder(widget)

    def _leave(self) -> None:
        if self._shadow is not None and isValid(self._shadow):
            self._shadow.hide()
            self._shadow.deleteLater()
        self._shadow = None
        parent = self._widget.parentWidget()
        if self._is_popup and parent is not None:
            release_buttons(_window_of(parent))


class Shadow(QWidget):
    """A soft shadow around a rectangle of its parent; lets every click through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._reach = space("shadow")

    def lie_around(self, place: QRect) -> None:
        """Surrounds that rectangle, a little lower than it."""
        reach = self._reach
        self.setGeometry(place.adjusted(-reach, -reach, reach, reach).translated(0, reach // 4))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        reach, corner = self._reach, radius("control")
        inner = self.rect().adjusted(reach, reach, -reach, -reach).translated(0, -(reach // 4))
        around = QPainterPath()
        around.addRect(QRectF(self.rect()))
        covered = QPainterPath()
        covered.addRoundedRect(QRectF(inner), corner, corner)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipPath(around.subtracted(covered))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_thin(self.palette().color(QPalette.ColorRole.Shadow), LAYERS))
        for layer in range(1, LAYERS + 1):
            out = reach * (layer / LAYERS) ** 2
            ring = QRectF(inner).translated(0, reach // 4).adjusted(-out, -out, out, out)
            painter.drawRoundedRect(ring, corner + out, corner + out)
        painter.end()


def room_around(anchor: QWidget) -> QRect:
    """Return the room, left to right, where a popup of a control may lie: in its window, in the screen if that is
    narrow.
    """
    screen, window = anchor.screen().availableGeometry(), anchor.window().geometry()
    within = window.intersected(screen) if window.width() >= NARROWEST else screen
    return within.adjusted(EDGE, 0, -EDGE, 0)


def show_at_once() -> None:
    """Turns off what the system does to menus and tooltips when they open, so that all that floats opens alike."""
    effects = Qt.UIEffect
    for effect in (effects.UI_AnimateMenu, effects.UI_FadeMenu, effects.UI_AnimateTooltip, effects.UI_FadeTooltip):
        QApplication.setEffectEnabled(effect, False)


def release_buttons(window: QWidget) -> None:
    """Takes the look of being pointed at from buttons that the pointer left while a popup had the mouse."""
    for button in window.findChildren(QAbstractButton):
        if button.underMouse() and not button.rect().contains(button.mapFromGlobal(QCursor.pos())):
            button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            button.setDown(False)
            QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
            button.update()


def _paint_ground(widget: QWidget) -> None:
    option = QStyleOption()
    option.initFrom(widget)
    painter = QPainter(widget)
    widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, widget)
    painter.end()


def _window_of(widget: QWidget) -> QWidget:
    """The window beneath all popups that a widget belongs to."""
    window = widget.window()
    parent = window.parentWidget()
    return window if parent is None or window.windowType() != Qt.WindowType.Popup else _window_of(parent)


def _thin(color: QColor, layers: int) -> QColor:
    """So thin that as many layers of it are the color."""
    made = QColor(color)
    made.setAlphaF(color.alphaF() / layers)
    return made


def _rounded(rect: QRect) -> QRegion:
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(rect), radius("control"), radius("control"))
    return QRegion(shape.toFillPolygon().toPolygon())
