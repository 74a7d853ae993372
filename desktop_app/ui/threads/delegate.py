"""Owns how a row of the thread list is painted and edited. Knows the model's roles, not its rows."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.messages import Thread
from desktop_app.ui.icons import icon_pixmap
from desktop_app.ui.theme import GRID, RADIUS, Theme
from desktop_app.ui.threads.model import RUNNING_ROLE, THREAD_ROLE

ROW_HEIGHT = 4 * GRID
"""Pixels at the default text size; headings have the same height, so that 10,000 rows need no measuring."""


class ThreadDelegate(QStyledItemDelegate):
    """Paints headings and threads straight from the theme, without a style."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._font = theme.body_font()
        self._font.setPointSizeF(theme.text_size - 0.5)
        self._small = theme.small_font()
        self._metrics = QFontMetricsF(self._font)
        self._pin: QPixmap | None = None
        self._height = max(ROW_HEIGHT, round(self._metrics.height()) + GRID + GRID // 2)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self._height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = option.rect
        state = option.state
        thread = cast("Thread | None", index.data(THREAD_ROLE))
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if thread is None:
            self._paint_heading(painter, rect, text)
        else:
            running = bool(index.data(RUNNING_ROLE))
            self._paint_ground(painter, rect, state)
            self._paint_thread(painter, rect, thread, title=text, running=running)
        painter.restore()

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("Title of the thread"))
        editor.setFont(self._font)
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = option.rect
        editor.setGeometry(rect.adjusted(GRID, 1, -GRID, -1))

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(self._small)
        painter.setPen(self._theme.color("text-secondary"))
        box = rect.adjusted(2 * GRID, 0, -GRID, -GRID // 2)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("track" if selected else "hover"))
            painter.drawRoundedRect(box, RADIUS, RADIUS)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(self._theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _paint_thread(self, painter: QPainter, rect: QRect, thread: Thread, *, title: str, running: bool) -> None:
        room = QRectF(rect.adjusted(2 * GRID, 1, -2 * GRID, -1))
        if running:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(QRectF(room.right() - 6, room.center().y() - 3, 6, 6))
            room.setRight(room.right() - 2 * GRID)
        if thread.pinned:
            painter.drawPixmap(int(room.right()) - 12, int(room.center().y()) - 6, self._pin_mark(painter))
            room.setRight(room.right() - 2 * GRID)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text" if thread.title else "text-secondary"))
        shown = self._metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _pin_mark(self, painter: QPainter) -> QPixmap:
        scale = painter.device().devicePixelRatioF()
        if self._pin is None or self._pin.devicePixelRatio() != scale:
            self._pin = icon_pixmap("pin", self._theme, "text-secondary", 12, scale)
        return self._pin
