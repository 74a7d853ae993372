"""The prompts as rows of a list: the Qt model and how a row is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.matching import Span, marks
from desktop_app.core.prompts import Prompt, PromptTemplate
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.list_parts import marked_line, match_format, paint_ground

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `PromptRow`."""
EXCERPT: Final = 200
"""Characters of a prompt's text that a row shows at most."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt in a list; the marks of its title follow from what was `typed`."""

    prompt: Prompt
    typed: str = ""


class PromptRows(QAbstractListModel):
    """Some prompts, and behind them lines of words that stand for something to do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[PromptRow | str] = ()

    @property
    def rows(self) -> Sequence[PromptRow | str]:
        return self._rows

    @property
    def prompts(self) -> list[Prompt]:
        return [row.prompt for row in self._rows if isinstance(row, PromptRow)]

    def show(self, rows: Sequence[PromptRow | str]) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def place_of(self, prompt_id: str) -> int:
        """The row of a prompt; -1 where it is not shown."""
        places = (at for at, row in enumerate(self._rows) if isinstance(row, PromptRow) and row.prompt.id == prompt_id)
        return next(places, -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else row.prompt.title
        return spoken(row) if role == Qt.ItemDataRole.AccessibleTextRole else None


def excerpt(text: str) -> str:
    """A prompt's text on one line, as far as a row can show it."""
    return " ".join(text[: 4 * EXCERPT].split())[:EXCERPT]


def spoken(row: PromptRow | str) -> str:
    """A row for screen readers."""
    return row if isinstance(row, str) else f"{row.prompt.title}, {excerpt(row.prompt.text)}"


class PromptDelegate(QStyledItemDelegate):
    """Two lines: the title with its marked letters, the beginning of the text with its variables."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font, self._small = theme.body_font(), theme.small_font()
        self._metrics, self._small_metrics = QFontMetricsF(self._font), QFontMetricsF(self._small)
        lines = self._metrics.height() + self._small_metrics.height()
        self.height = round(lines) + 2 * GRID + GRID // 2
        self._mark, self._variable = match_format(theme), QTextCharFormat()
        self._variable.setForeground(theme.color("syntax-name"))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, theme = cast("PromptRow | str", index.data(ROW_ROLE)), self._theme
        rect, state = QRectF(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = bool(state & QStyle.StateFlag.State_Selected)
        if current or state & QStyle.StateFlag.State_MouseOver:
            focused = current and bool(state & QStyle.StateFlag.State_HasFocus)
            place = rect.adjusted(GRID // 2, 1, -GRID // 2, -1)
            paint_ground(painter, place, theme, current=current, focused=focused)
        box = rect.adjusted(2 * GRID, GRID, -2 * GRID, -GRID)
        painter.setClipRect(box)
        if isinstance(row, str):
            painter.setFont(self._font)
            painter.setPen(theme.color("text-secondary"))
            words = self._metrics.elidedText(row, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        else:
            title = " ".join(row.prompt.title.split())
            painter.setPen(theme.color("text"))
            found = marks(row.typed, title) if row.typed else []
            self._titled(title, found, box.width()).draw(painter, box.topLeft())
            below = QPointF(box.left(), box.bottom() - self._small_metrics.height())
            painter.setPen(theme.color("text-secondary"))
            self._excerpted(excerpt(row.prompt.text), box.width()).draw(painter, below)
        painter.restore()

    def _titled(self, title: str, found: Sequence[Span], room: float) -> QTextLayout:
        """As much of a title as there is room for; bold letters take a little more."""
        bold = sum(end - start for start, end in found)
        shown = self._metrics.elidedText(title, Qt.TextElideMode.ElideRight, room - bold)
        return marked_line(shown, self._font, _within(found, shown, title), self._mark)

    def _excerpted(self, text: str, room: float) -> QTextLayout:
        shown = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        places = [(place.start, place.end) for place in PromptTemplate(text).places]
        return marked_line(shown, self._small, _within(places, shown, text), self._variable)


def _within(spans: Sequence[Span], shown: str, whole: str) -> list[Span]:
    """The spans as far as they are shown."""
    last = len(shown) if shown == whole else len(shown) - 1
    return [(start, min(end, last)) for start, end in spans if start < last]
