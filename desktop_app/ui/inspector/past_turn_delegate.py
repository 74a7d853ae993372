"""The painting of a turn of the Past tab. Uses the model's roles and words, not its rows."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.context.costs import PastTurn
from desktop_app.ui.inspector.past_turn_model import ANCHOR_ROLE, TURN_ROLE, PastTurnModel
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 44
"""Pixels at the default text size: two lines."""


class PastTurnDelegate(QStyledItemDelegate):
    """Two lines: number, time and model with the cache's fate; the counts with the price."""

    def __init__(self, theme: Theme, model: PastTurnModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font = theme.small_font()
        self._metrics = QFontMetricsF(self._font)
        self._line = max(18, round(self._metrics.height()) + 2)
        self.height = max(ROW_HEIGHT, 2 * self._line + GRID)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        turn = cast("PastTurn", index.data(TURN_ROLE))
        theme, state = self._theme, option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(GRID, 1, -GRID, -1)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("track" if selected else "hover"))
            painter.drawRoundedRect(box, radius("small"), radius("small"))
        if index.data(ANCHOR_ROLE):
            painter.fillRect(QRectF(box.left(), box.top() + 4, 3, box.height() - 8), theme.color("accent"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.color("focus"), stroke("hair")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius("small"), radius("small"))
        room = QRectF(option.rect).adjusted(2 * GRID, 0, -2 * GRID, 0)
        top = room.center().y() - self._line
        role = "warning" if turn.cache == "rewritten" else "text-secondary"
        first = QRectF(room.left(), top, room.width(), self._line)
        self._paint_line(painter, first, (self._model.heading(turn), "text"), (self._model.cache(turn), role))
        second = first.translated(0, self._line)
        quiet = "text-secondary"
        self._paint_line(painter, second, (self._model.counts(turn), quiet), (self._model.price(turn), quiet))
        painter.restore()

    def _paint_line(self, painter: QPainter, box: QRectF, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Each side is words and the role of their colour; the left one gives way."""
        painter.setFont(self._font)
        painter.setPen(self._theme.color(right[1]))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right[0])
        room = box.adjusted(0, 0, -(self._metrics.horizontalAdvance(right[0]) + GRID) if right[0] else 0, 0)
        painter.setPen(self._theme.color(left[1]))
        shown = self._metrics.elidedText(left[0], Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
