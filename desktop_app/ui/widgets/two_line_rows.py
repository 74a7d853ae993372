"""The rows of two lines, a title and facts: the Qt model of a list and how a row is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.marked_rows import paint_ground

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `TwoLineRow`."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TwoLineRow:
    """Something in words: its title, and what is to be known of it; `item` is what it stands for."""

    item: Any
    title: str
    facts: str


class TwoLineRows(QAbstractListModel):
    """The rows in their order."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[TwoLineRow] = ()

    def show(self, rows: Sequence[TwoLineRow]) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return f"{row.title}, {row.facts}"
        return row if role == ROW_ROLE else None


class TwoLineDelegate(QStyledItemDelegate):
    """Two lines: the title, and beneath it the facts."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font, self._small = self._theme.body_font(), self._theme.small_font()
        self._metrics, self._small_metrics = QFontMetricsF(self._font), QFontMetricsF(self._small)
        self._height = round(self._metrics.height() + self._small_metrics.height()) + 2 * GRID + GRID // 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, state = cast("TwoLineRow", index.data(ROW_ROLE)), option.state
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            focused = bool(state & QStyle.StateFlag.State_HasFocus)
            place = rect.adjusted(GRID // 2, 1, -GRID // 2, -1)
            paint_ground(painter, place, self._theme, current=selected, focused=focused)
        box = rect.adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        for words, font, metrics, color, side in (
            (row.title, self._font, self._metrics, "text", Qt.AlignmentFlag.AlignTop),
            (row.facts, self._small, self._small_metrics, "text-secondary", Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            painter.drawText(box, side, metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width()))
        painter.restore()
