"""The list of a project's threads by title. Opens none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.core.messages import Thread
from desktop_app.ui.i18n.dates import day
from desktop_app.ui.i18n.language import title_of
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.list_parts import paint_ground

THREAD_ROLE: Final = Qt.ItemDataRole.UserRole + 1

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ThreadRows(QAbstractListModel):
    """The threads of a project by title."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[Thread] = ()

    def show(self, threads: Sequence[Thread]) -> None:
        if list(threads) != list(self.rows):
            self.beginResetModel()
            self.rows = threads
            self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        thread = self.rows[index.row()]
        match role:
            case _ if role == THREAD_ROLE:
                return thread
            case Qt.ItemDataRole.DisplayRole:
                return title_of(thread)
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return f"{title_of(thread)}, {day(thread.updated)}"
        return None


class ThreadTitleDelegate(QStyledItemDelegate):
    """One line: the title, and at its end the day it was last used."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font, self._small = self._theme.body_font(), self._theme.small_font()
        self._metrics, self._small_metrics = QFontMetricsF(self._font), QFontMetricsF(self._small)
        self.height = round(self._metrics.height()) + 2 * GRID

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        thread, theme = cast("Thread", index.data(THREAD_ROLE)), self._theme
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._view.hasFocus() and index.row() == self._view.currentIndex().row()
        if focused or option.state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, rect.adjusted(0, 1, 0, -1), theme, current=focused, focused=focused)
        box, when = rect.adjusted(GRID, 0, -GRID, 0), day(thread.updated)
        painter.setFont(self._small)
        painter.setPen(theme.color("text-secondary"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | _MIDDLE, when)
        box.adjust(0, 0, -(self._small_metrics.horizontalAdvance(when) + GRID), 0)
        painter.setFont(self._font)
        painter.setPen(theme.color("text"))
        title = self._metrics.elidedText(title_of(thread), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | _MIDDLE, title)
        painter.restore()


class ThreadTitles(QListView):
    """A click or Enter opens a thread."""

    thread_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = ThreadRows(self)
        self.setModel(self.rows)
        self.delegate = ThreadTitleDelegate(theme, self)
        self.setItemDelegate(self.delegate)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Threads of this project"))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        self.thread_chosen.emit(self.rows.rows[index.row()].id)
