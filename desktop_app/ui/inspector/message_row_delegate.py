"""The painting of a row of the Messages tab: glyph, excerpt, tokens. Uses the model's roles, not its rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.context.plan import PlacedDocument, PlacedMessage, PlacedState
from desktop_app.ui.i18n.amounts import dollars, thousands
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.inspector.message_row_model import EXCERPT_ROLE, ROW_ROLE
from desktop_app.ui.inspector.message_rows import FixedKind, FixedRow, MessageGroupRow, Row
from desktop_app.ui.inspector.message_words import fixed_name, group_name
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke

ROW_HEIGHT = 28
"""Pixels at the default text size (INTERFACE.md); headings have the same, so that 10,000 rows need no measuring."""
GLYPH = 16

STATE_GLYPHS: Final[Mapping[PlacedState, str]] = {
    "whole": "state-sent",
    "annotated": "state-annotated",
    "pinned": "pin",
    "summarised": "state-summarised",
    "left_out": "state-left-out",
    "excluded": "state-excluded",
}
_FIXED_GLYPHS: Final[Mapping[FixedKind, str]] = {"draft": "pencil", "summary": "state-summarised"}
DOCUMENT_GLYPHS: Final = {"whole": "state-sent", "searched": "search", "left_out": "alert"}
_QUIET: Final = frozenset({"left_out", "excluded", "summarised", "searched"})


class MessageRowDelegate(QStyledItemDelegate):
    """Paints straight from the theme, without a style. What the assistant said stands a little further in."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font = theme.small_font()
        self.glyph = theme.pixels(GLYPH)
        self._asked = theme.small_font()
        self._asked.setWeight(QFont.Weight.Medium)
        self._metrics = {False: QFontMetricsF(self._font), True: QFontMetricsF(self._asked)}
        self._glyphs: dict[tuple[str, str], QPixmap] = {}
        self.height = max(theme.pixels(ROW_HEIGHT), round(self._metrics[False].height()) + GRID)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = cast("Row", index.data(ROW_ROLE))
        rect, state = option.rect, option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, state)
        room = QRectF(rect).adjusted(2 * GRID, 0, -2 * GRID, 0)
        if isinstance(row, MessageGroupRow):
            self._paint_heading(painter, room, row)
        elif isinstance(row, FixedRow):
            self._paint_glyph(painter, room, _FIXED_GLYPHS.get(row.kind, "state-fixed"), "text-secondary")
            self._paint_words(painter, room, fixed_name(row.kind), thousands(row.tokens), "text", asked=False)
        elif isinstance(row, PlacedDocument):
            self._paint_document(painter, room, row)
        else:
            self._paint_message(painter, room, row, str(index.data(EXCERPT_ROLE)))
        painter.restore()

    def _paint_message(self, painter: QPainter, room: QRectF, row: PlacedMessage, words: str) -> None:
        quiet = row.state in _QUIET
        self._paint_glyph(
            painter, room, STATE_GLYPHS[row.state], "accent" if row.state == "pinned" else "text-secondary"
        )
        if not row.asked:
            room = room.adjusted(1.5 * GRID, 0, 0, 0)
        # what is not sent has no part in the sum: its weight stands in brackets
        tokens = f"({thousands(row.whole)})" if quiet and row.whole else thousands(row.tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary" if quiet else "text", asked=row.asked)

    def _paint_document(self, painter: QPainter, room: QRectF, row: PlacedDocument) -> None:
        self._paint_glyph(painter, room, DOCUMENT_GLYPHS[row.state], "text-secondary")
        if row.state == "whole":
            amount = thousands(row.whole)
            amount = f"{amount} · {dollars(row.cost_usd)}" if row.cost_usd else amount
        else:
            amount = f"({thousands(row.whole)})" if row.whole else ""
        self._paint_words(painter, room, row.name, amount, "text" if row.state == "whole" else "text-secondary")

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("track" if selected else "hover"))
            painter.drawRoundedRect(box, radius("small"), radius("small"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("focus"), stroke("hair")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius("small"), radius("small"))

    def _paint_heading(self, painter: QPainter, room: QRectF, row: MessageGroupRow) -> None:
        painter.setPen(QPen(self._theme.color("text-secondary"), stroke("glyph")))
        middle = QPointF(room.left() + self.glyph / 2, room.center().y())
        first, second, third = (-2.0, -3.5), (1.5, 0.0), (-2.0, 3.5)
        if not row.folded:
            first, second, third = (-3.5, -1.5), (0.0, 2.0), (3.5, -1.5)
        painter.drawPolyline([middle + QPointF(*corner) * self._theme.zoom for corner in (first, second, third)])
        words = f"{group_name(row.group)} {grouped(row.count)}"
        tokens = f"({thousands(row.whole)})" if row.group in _QUIET and row.whole else thousands(row.tokens)
        self._paint_words(painter, room, words, tokens, "text-secondary", asked=True)

    def _paint_glyph(self, painter: QPainter, room: QRectF, name: str, role: str) -> None:
        scale = painter.device().devicePixelRatioF()
        glyph = self._glyphs.get((name, role))
        if glyph is None or glyph.devicePixelRatio() != scale:
            glyph = self._glyphs[name, role] = icon_pixmap(name, self._theme, role, self.glyph, scale)
        painter.drawPixmap(QPointF(round(room.left()), round(room.center().y() - self.glyph / 2)), glyph)

    def _paint_words(
        self, painter: QPainter, room: QRectF, words: str, tokens: str, role: str, *, asked: bool = False
    ) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text-secondary"))
        painter.drawText(room, right, tokens)
        taken = self._metrics[False].horizontalAdvance(tokens) + 1.5 * GRID
        box = room.adjusted(self.glyph + GRID, 0, -taken, 0)
        painter.setFont(self._asked if asked else self._font)
        painter.setPen(self._theme.color(role))
        shown = self._metrics[asked].elidedText(words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
