"""The rows of found messages and how they are painted: title, who and when, the passage with its marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.history_records import SearchHit
from desktop_app.system_clock import utc_now
from desktop_app.ui.i18n.dates import ago, moment
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, Theme, radius
from desktop_app.ui.widgets.list_parts import paint_ground

HIT_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `SearchHit` of a row."""
LINES: Final = 2
"""Lines of the passage."""
BEFORE_MARK: Final = 24
"""Characters of the passage before its first mark: in a narrow list the mark has to be in view."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class HitsModel(QAbstractListModel):
    """The hits of one search, page after page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[SearchHit] = []

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def add_hits(self, hits: Sequence[SearchHit]) -> None:
        if hits:
            self.beginInsertRows(_ROOT, len(self._hits), len(self._hits) + len(hits) - 1)
            self._hits.extend(hits)
            self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        hit = self._hits[index.row()]
        match role:
            case _ if role == HIT_ROLE:
                return hit
            case Qt.ItemDataRole.DisplayRole:
                return hit.snippet
            case Qt.ItemDataRole.ToolTipRole:
                return f"{title_of_hit(hit)}\n{who(hit)}, {moment(hit.created)}"
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title_of_hit(hit)}, {who(hit)}, {moment(hit.created)}: {hit.snippet}"
        return None


def title_of_hit(hit: SearchHit) -> str:
    return hit.title or tr("Untitled thread")


def who(hit: SearchHit) -> str:
    """Who said it, or whose document or tool it stands in; or that it is the user's own note."""
    if hit.noted:
        return tr("Your note")
    if hit.tool:
        return tr("Tool")
    said = tr("You") if hit.role == "user" else tr("Assistant")
    return tr("{who}, attached").format(who=said) if hit.attached else said


class HitDelegate(QStyledItemDelegate):
    """Paints a hit in three lines and a bit: title and time, then the passage; rows are equally high."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._title = theme.body_font()
        self._title.setPointSizeF(theme.points("row"))
        self._small = theme.small_font()
        self.title_metrics = QFontMetricsF(self._title)
        self.small_metrics = QFontMetricsF(self._small)
        lines = self.title_metrics.height() + LINES * self.small_metrics.lineSpacing()
        self.height = round(lines) + 2 * GRID + 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, state = option.rect, option.state
        hit = cast("SearchHit", index.data(HIT_ROLE))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(rect.adjusted(GRID, 1, -GRID, -1))
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, box, self._theme, current=selected)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(self._theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius("control"), radius("control"))
        room = box.adjusted(GRID, GRID // 2 + 1, -GRID, -GRID // 2)
        above = index.sibling(index.row() - 1, 0).data(HIT_ROLE)
        self._paint_heading(painter, room, hit, titled=above is None or above.thread_id != hit.thread_id)
        room.setTop(room.top() + self.title_metrics.height() + 2)
        self._paint_passage(painter, room, hit)
        painter.restore()

    def _paint_heading(self, painter: QPainter, room: QRectF, hit: SearchHit, *, titled: bool) -> None:
        """The thread's title once for the hits that follow one another there, and who said it when."""
        line = QRectF(room.left(), room.top(), room.width(), self.title_metrics.height())
        title, facts = self.heading(hit, line.width(), titled=titled)
        painter.setFont(self._small)
        painter.setPen(self._theme.color("text-secondary"))
        side = Qt.AlignmentFlag.AlignRight if titled else Qt.AlignmentFlag.AlignLeft
        painter.drawText(line, side | Qt.AlignmentFlag.AlignVCenter, facts)
        if not titled:
            return
        painter.setFont(self._title)
        painter.setPen(self._theme.color("text" if hit.title else "text-secondary"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)

    def heading(self, hit: SearchHit, width: float, *, titled: bool) -> tuple[str, str]:
        """The title as it is shown, and the facts beside it: a title that needs the room takes that of who said it."""
        when = ago(hit.created, utc_now())
        facts, title = f"{who(hit)} · {when}", title_of_hit(hit)
        if not titled:
            return "", facts

        def room() -> float:
            return width - self.small_metrics.horizontalAdvance(facts) - GRID

        if self.title_metrics.horizontalAdvance(title) > room():
            facts = when
        return self.title_metrics.elidedText(title, Qt.TextElideMode.ElideRight, room()), facts

    def _paint_passage(self, painter: QPainter, room: QRectF, hit: SearchHit) -> None:
        text, marks = _from_first_mark(hit)
        layout = QTextLayout(text, self._small)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([self._marked(start, end) for start, end in marks])
        layout.beginLayout()
        for number in range(LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, number * self.small_metrics.lineSpacing()))
        layout.endLayout()
        painter.setPen(self._theme.color("text-secondary"))
        layout.draw(painter, room.topLeft())

    def _marked(self, start: int, end: int) -> QTextLayout.FormatRange:
        """Darker, on a ground of its own, and underlined: not by colour alone."""
        shown = QTextCharFormat()
        shown.setForeground(self._theme.color("text"))
        shown.setBackground(self._theme.color("selection"))
        shown.setFontUnderline(True)
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = start, end - start, shown
        return part


def _from_first_mark(hit: SearchHit) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The passage with its first mark near its beginning. Places are moved to Qt's UTF-16 units."""
    first = hit.marks[0][0] if hit.marks else 0
    start = max(0, first - BEFORE_MARK)
    if start:
        blank = hit.snippet.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    text = ("…" if start else "") + hit.snippet[start:]
    shift = len("…") if start else 0

    def place(at: int) -> int:
        before = text[: at - start + shift]
        return len(before.encode("utf-16-le", "surrogatepass")) // 2

    return text, tuple((place(begin), place(end)) for begin, end in hit.marks if begin >= start)
