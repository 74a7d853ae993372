"""One chip above the text: a small picture or a sign, a name, a number of tokens, a way to remove it.

Knows no part and decodes nothing.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from desktop_app.ui.i18n.content_words import AttachmentText
from desktop_app.ui.theme.icons import icon_pixmap, set_icon
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke

HEIGHT = 5 * GRID
PICTURE = 4 * GRID
"""Side of the small picture, which is cut to a square."""
WIDEST = 34 * GRID
NARROWEST_NAME = 7 * GRID


class AttachmentChip(QAbstractButton):
    """One attachment, or one that is being read. Pressed: it is opened.

    Arrows, Home and End are `moved`; Delete, Backspace and the cross are `remove_requested`.
    """

    remove_requested = Signal()
    menu_requested = Signal(QPoint)
    moved = Signal(object)  # Qt.Key
    focused = Signal()

    def __init__(self, theme: Theme, sign: str, parent: QWidget) -> None:
        """`sign`: the name of the icon that stands where there is no picture."""
        super().__init__(parent)
        self._sign = sign
        self._picture: QImage | None = None
        self._told = AttachmentText("", "", "", "", "")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.cross = QToolButton(self)
        self.cross.setProperty("kind", "cross")
        # Delete does the same with the keyboard, and a hundred chips are one stop of Tab
        self.cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.cross.setCursor(Qt.CursorShape.ArrowCursor)
        self.cross.clicked.connect(self.remove_requested)
        self._theme = theme
        set_icon(self.cross, "close", theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        """Sign and cross grow with the text, as far as the chip is high."""
        self._side = min(HEIGHT - 2 * GRID, self._theme.pixels(2 * GRID))
        cross = min(HEIGHT - GRID // 2, self._theme.pixels(3 * GRID))
        self.cross.setFixedSize(cross, cross)
        self.cross.setIconSize(QSize(self._side, self._side))
        self._place_cross()
        self.updateGeometry()

    def tell(self, told: AttachmentText, *, removing: str) -> None:
        """Shows these words; `removing` is what the cross does."""
        if told == self._told:
            return
        self._told = told
        self.setAccessibleName(told.spoken)
        self.setToolTip(told.hint)
        self.cross.setAccessibleName(removing)
        self.cross.setToolTip(removing)
        self.updateGeometry()
        self.update()

    def show_picture(self, picture: QImage) -> None:
        """Shows a picture in place of the sign; a null one changes nothing."""
        if not picture.isNull():
            self._picture = picture
            self.update()

    @property
    def told(self) -> AttachmentText:
        return self._told

    def sizeHint(self) -> QSize:
        name = QFontMetricsF(self._theme.small_font()).horizontalAdvance(self._told.name)
        return QSize(
            min(self._theme.pixels(WIDEST), math.ceil(self._left + name + self._end_width + self._right)), HEIGHT
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), math.ceil(self._left + NARROWEST_NAME + self._right)), HEIGHT)

    @property
    def _left(self) -> float:
        return GRID // 2 + PICTURE + GRID if self._pictured else GRID + self._side + GRID

    @property
    def _right(self) -> int:
        """The width of the cross, with the space around it."""
        return self.cross.width() + GRID

    @property
    def _pictured(self) -> bool:
        """A picture that the model can't look at gives way to the sign that says so."""
        return self._picture is not None and not self._told.warning

    @property
    def _end(self) -> str:
        """The text behind the name: why it can't be sent, else how much it is."""
        return self._told.warning or self._told.tokens

    @property
    def _end_width(self) -> float:
        end = self._end
        return QFontMetricsF(self._theme.small_font()).horizontalAdvance(end) + GRID if end else 0.0

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, box = self._theme, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        role = "warning" if self._told.warning else "hairline"
        painter.setPen(QPen(theme.color("focus"), stroke("focus")) if self.hasFocus() else theme.color(role))
        painter.setBrush(theme.color("hover" if self.underMouse() else "surface"))
        painter.drawRoundedRect(box, radius("control"), radius("control"))
        self._paint_sign(painter)
        self._paint_words(painter)
        painter.end()

    def _paint_sign(self, painter: QPainter) -> None:
        theme, picture = self._theme, self._picture
        if picture is None or not self._pictured:
            role = "warning" if self._told.warning else "text-secondary"
            sign = "alert" if self._told.warning else self._sign
            drawing = icon_pixmap(sign, theme, role, self._side, self.devicePixelRatioF())
            painter.drawPixmap(GRID, (self.height() - self._side) // 2, drawing)
            return
        place = QRectF(GRID // 2, (self.height() - PICTURE) / 2, PICTURE, PICTURE)
        outline = QPainterPath()
        outline.addRoundedRect(place, radius("picture"), radius("picture"))
        side = min(picture.width(), picture.height())
        middle = QRectF((picture.width() - side) / 2, (picture.height() - side) / 2, side, side)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(outline)
        painter.fillPath(outline, theme.color("track"))
        painter.drawImage(place, picture, middle)
        painter.restore()

    def _paint_words(self, painter: QPainter) -> None:
        theme, end = self._theme, self._end
        metrics = QFontMetricsF(theme.small_font())
        painter.setFont(theme.small_font())
        left, right = self._left, float(self.width() - self._right + GRID // 2)
        middle = Qt.AlignmentFlag.AlignVCenter
        if end:
            room = max(0.0, right - left - min(NARROWEST_NAME, metrics.horizontalAdvance(self._told.name)) - GRID)
            width = min(metrics.horizontalAdvance(end), room)
            painter.setPen(theme.color("warning" if self._told.warning else "text-secondary"))
            words = metrics.elidedText(end, Qt.TextElideMode.ElideRight, width + 1)
            painter.drawText(QRectF(right - width - 1, 0, width + 2, self.height()), middle, words)
            right -= width + GRID
        painter.setPen(theme.color("text"))
        name = metrics.elidedText(self._told.name, Qt.TextElideMode.ElideMiddle, max(0.0, right - left))
        painter.drawText(QRectF(left, 0, right - left + 2, self.height()), middle, name)

    # --- acting

    def resizeEvent(self, event: object) -> None:
        self._place_cross()

    def _place_cross(self) -> None:
        self.cross.move(self.width() - self.cross.width() - GRID // 2, (self.height() - self.cross.height()) // 2)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_requested.emit(self.mapToGlobal(self.rect().bottomLeft()) if keyboard else event.globalPos())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.remove_requested.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            self.moved.emit(key)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_requested.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)
