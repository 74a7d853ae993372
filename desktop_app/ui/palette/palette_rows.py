"""The rows of the palette as a Qt model, and how they are painted."""

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
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.matching import marks
from desktop_app.system_clock import utc_now
from desktop_app.ui.i18n.dates import ago
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.palette.palette_entries import PaletteEntry, PaletteRow
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.list_parts import marked_line, match_format, paint_ground

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `PaletteRow`."""
LOWEST: Final = 4 * GRID + GRID // 2
"""Pixels of a row at least."""
ICON: Final = 16
ABOUT_SHARE: Final = 0.45
"""The share of a row that the words at its right may take."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class PaletteRows(QAbstractListModel):
    """The rows left by the typed letters."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[PaletteRow] = ()

    @property
    def rows(self) -> Sequence[PaletteRow]:
        return self._rows

    def show(self, rows: Sequence[PaletteRow]) -> None:
        """Replaces everything."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def beside(self, row: int, step: int) -> int:
        """The row with which the next group begins (`step` 1) or the one before (-1), round the ends."""
        begins = [place for place, each in enumerate(self._rows) if each.first]
        if not begins:
            return row
        here = max((n for n, place in enumerate(begins) if place <= row), default=0)
        return begins[(here + step) % len(begins)]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.entry.name
        return spoken(row.entry) if role == Qt.ItemDataRole.AccessibleTextRole else None


def kind_words(entry: PaletteEntry) -> str:
    """Return the kind of an entry, in a word."""
    return {
        "action": tr("Action"),
        "thread": tr("Thread"),
        "project": tr("Project"),
        "model": tr("Model"),
        "prompt": tr("Prompt"),
        "message": tr("Message"),
        "passage": tr("Document"),
        "search": "",
    }[entry.kind]


def about(entry: PaletteEntry) -> str:
    """Return the words at the right of an entry: its kind, and where it belongs."""
    return " · ".join(words for words in (_belongs(entry), kind_words(entry)) if words)


def spoken(entry: PaletteEntry) -> str:
    """A row for screen readers."""
    chosen = tr("chosen") if entry.chosen else ""
    return ", ".join(part for part in (entry.name, kind_words(entry), _belongs(entry), chosen, entry.shortcut) if part)


def _belongs(entry: PaletteEntry) -> str:
    """Reckoned only for rows that are seen: it takes longer than everything else of an entry."""
    return entry.about or (ago(entry.updated, utc_now()) if entry.updated else "")


class PaletteDelegate(QStyledItemDelegate):
    """Icon, name with its marked letters, what it is, keys. A hairline begins each group but the first."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._icons: dict[tuple[str, float], QPixmap] = {}
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._font, self._small = theme.body_font(), theme.small_font()
        self._metrics, self._small_metrics = QFontMetricsF(self._font), QFontMetricsF(self._small)
        self.height = max(LOWEST, round(self._metrics.height()) + 2 * GRID)
        self._icons.clear()
        self.icon = theme.pixels(ICON)
        self._mark = match_format(theme)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, theme = cast("PaletteRow", index.data(ROW_ROLE)), self._theme
        rect, state = QRectF(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.first and index.row():
            painter.fillRect(
                QRectF(rect.left() + 2 * GRID, rect.top(), rect.width() - 4 * GRID, 1), theme.color("hairline")
            )
        current = bool(state & QStyle.StateFlag.State_Selected)
        if current or state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, rect.adjusted(GRID // 2, 2, -GRID // 2, -1), theme, current=current)
        box = rect.adjusted(2 * GRID, 1, -2 * GRID, 0)
        if row.entry.icon:
            place = QPointF(box.left(), round(box.center().y() - self.icon / 2))
            painter.drawPixmap(place, self._icon(row.entry.icon, painter.device().devicePixelRatioF()))
        box.setLeft(box.left() + self.icon + GRID + GRID // 2)
        taken = self._paint_right(painter, box, row.entry)
        box.setRight(box.right() - taken)
        self._paint_name(painter, box, row)
        painter.restore()

    def _icon(self, name: str, scale: float) -> QPixmap:
        drawn = self._icons.get((name, scale))
        if drawn is None:
            drawn = self._icons[name, scale] = icon_pixmap(name, self._theme, "text-secondary", self.icon, scale)
        return drawn

    def _paint_right(self, painter: QPainter, box: QRectF, entry: PaletteEntry) -> float:
        """Paints what stands at the right; the pixels that it takes."""
        metrics, theme = self._small_metrics, self._theme
        painter.setFont(self._small)
        keys = 0.0
        if entry.shortcut:
            painter.setPen(theme.color("text"))
            painter.drawText(box, _RIGHT, entry.shortcut)
            keys = metrics.horizontalAdvance(entry.shortcut) + 2 * GRID
        words = f"● {about(entry)}" if entry.chosen else about(entry)
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width() * ABOUT_SHARE - keys)
        painter.setPen(theme.color("text-secondary"))
        painter.drawText(box.adjusted(0, 0, -keys, 0), _RIGHT, words)
        return keys + metrics.horizontalAdvance(words) + 2 * GRID

    def _paint_name(self, painter: QPainter, box: QRectF, row: PaletteRow) -> None:
        text, spans = self._visible(row, box.width())
        layout = marked_line(text, self._font, spans, self._mark)
        painter.setPen(self._theme.color("text"))
        painter.setClipRect(box)
        layout.draw(painter, QPointF(box.left(), box.center().y() - layout.lineAt(0).height() / 2))

    def _visible(self, row: PaletteRow, room: float) -> tuple[str, list[tuple[int, int]]]:
        """As much of the name as there is room for, its first mark within."""
        if row.entry.spans:
            name, spans = row.entry.name, list(row.entry.spans)
        else:
            name = " ".join(row.entry.name.split())
            spans = marks(row.typed, name) if row.typed else []
        bold = sum(end - start for start, end in spans)
        start = 0
        if spans and self._metrics.horizontalAdvance(name[: spans[-1][1]]) + bold > room:
            start = self._start(name, spans, room - bold)
        shown = ("…" if start else "") + name[start:]
        shown = self._metrics.elidedText(shown, Qt.TextElideMode.ElideRight, room - bold)
        shift = (1 if start else 0) - start
        last = len(shown) - 1 if shown.endswith("…") and not name.endswith("…") else len(shown)
        moved = ((max(0, begin + shift), min(last, end + shift)) for begin, end in spans)
        return shown, [(begin, end) for begin, end in moved if begin < end]

    def _start(self, name: str, spans: Sequence[tuple[int, int]], room: float) -> int:
        """Return the start of a name at which its marks are seen, as far to the left as there is room; the first is."""
        first, last = 0, spans[0][0]
        while first < last:
            middle = (first + last) // 2
            if self._metrics.horizontalAdvance("…" + name[middle : spans[-1][1]] + "…") > room:
                first = middle + 1
            else:
                last = middle
        return first
