"""The sortable, copyable tables of figures of the usage page, and their content, made beside the event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFrame, QTableView, QWidget

from desktop_app.core.usage_totals import UsageTotals
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, Theme, space
from desktop_app.ui.usage import usage_reading as figures
from desktop_app.ui.usage.usage_reading import FACETS, UsageReading, at_least

KEY_ROLE = Qt.ItemDataRole.UserRole + 1
ROWS_SHOWN = 10
"""So many lines are seen at once; the others are scrolled to."""
NAME_WIDTH = 16 * GRID
"""Pixels that names have at least, before a column is left out."""
Order: TypeAlias = tuple[int, Qt.SortOrder]
FIRST_ORDER: Order = (1, Qt.SortOrder.DescendingOrder)
_ROOT = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line: its name, and per further column the figure to sort by and its exact words.

    `least`: its counts are the least there can have been.
    """

    key: str
    name: str
    values: tuple[float, ...]
    cells: tuple[str, ...]
    least: bool = False


@dataclass(frozen=True, slots=True)
class FigureRows:
    """Lines under heads, ready to be shown. `longest` are the widest words of each column after the first.

    `rounded` columns are counts that are shown as `62K`; of the `by_weight` columns the last ones are left out first.
    """

    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    hidden: tuple[int, ...]
    longest: tuple[str, ...]
    rounded: frozenset[int]
    by_weight: tuple[int, ...]

    @classmethod
    def of(
        cls,
        heads: Sequence[str],
        lines: Iterable[TableLine],
        hidden: Sequence[int] = (),
        *,
        rounded: Iterable[int] = (),
        by_weight: Sequence[int] = (),
    ) -> FigureRows:
        """`hidden` columns say nothing here. Takes some 10 ms for ten thousand lines: not for the GUI thread."""
        ordered, counts = arranged(lines, FIRST_ORDER), frozenset(rounded)
        columns = range(1, len(heads))
        longest = tuple(_longest(ordered, column, rounded=column in counts) for column in columns)
        weights = tuple(by_weight) or tuple(columns)
        return cls(tuple(heads), tuple(ordered), tuple(hidden), longest, counts, weights)

    def shown(self, line: TableLine, column: int) -> str:
        """Return the text in the cell."""
        if column in self.rounded:
            count = round(line.values[column - 1])
            return at_least(count, thousands(count)) if line.least else thousands(count)
        return line.cells[column - 1] if column else line.name

    def exact(self, line: TableLine) -> str:
        """Every figure of the line under its name, as a tool tip shows it."""
        told = (column for column in range(1, len(self.heads)) if column not in self.hidden)
        return "\n".join([line.name, *(f"{self.heads[column]}: {line.cells[column - 1]}" for column in told)])


def _longest(lines: Sequence[TableLine], column: int, *, rounded: bool) -> str:
    """Figures have no wide and narrow digits: the one with the most is the widest."""
    cells = (line.cells[column - 1] for line in lines)
    if rounded:
        # not each of thousands of lines: the widest of any with so many digits
        digits = len(str(round(max((line.values[column - 1] for line in lines), default=0))))
        cells = (thousands(int("8" * count)) for count in range(1, digits + 1))
        if any(line.least for line in lines):
            cells = (at_least(1, words) for words in cells)
    return max(cells, key=len, default="")


def in_two_lines(head: str) -> str:
    """A head of several words as two lines, which are as short as can be."""
    words = head.split(" ")
    pairs = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return "\n".join(min(pairs, key=lambda pair: max(map(len, pair)), default=(head,)))


def arranged(lines: Iterable[TableLine], order: Order) -> list[TableLine]:
    """The lines sorted by one column, equal ones by name; names ignore the case of letters."""
    column, direction = order
    down = direction == Qt.SortOrder.DescendingOrder
    ordered = sorted(lines, key=lambda line: line.name.casefold(), reverse=column == 0 and down)
    if column > 0:
        ordered.sort(key=lambda line: line.values[column - 1], reverse=down)
    return ordered


class TableModel(QAbstractTableModel):
    """The lines of a table in the order asked for."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = FigureRows.of((), ())
        self._lines: list[TableLine] = []
        self.left_out: frozenset[int] = frozenset()
        """Columns that have no room: their figures are heard with the name."""
        self._sorted_by = FIRST_ORDER

    def show_table(self, table: FigureRows) -> None:
        """Replaces everything; the order asked for last goes on."""
        self.beginResetModel()
        self._table = table
        self._lines = list(table.lines)
        if self._sorted_by != FIRST_ORDER:
            self._lines = arranged(self._lines, self._sorted_by)
        self.endResetModel()

    @property
    def lines(self) -> Sequence[TableLine]:
        """The lines in the order shown."""
        return tuple(self._lines)

    @property
    def _arrow(self) -> str:
        return "↓" if self._sorted_by[1] == Qt.SortOrder.DescendingOrder else "↑"

    @property
    def heads(self) -> tuple[str, ...]:
        return self._table.heads

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self._lines[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._table.shown(line, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                # A figure without its head would mean nothing to somebody who hears one cell.
                told = (column,) if column else sorted(self.left_out)
                return ", ".join([line.name, *(f"{self.heads[one]}: {line.cells[one - 1]}" for one in told)])
            case Qt.ItemDataRole.ToolTipRole:
                return self._table.exact(line)
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
            case _:
                return line.key if role == KEY_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return in_two_lines(self.heads[section]) + (f" {self._arrow}" if section == self._sorted_by[0] else "")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignBottom
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self._lines
        kept = [(index, before[index.row()]) for index in self.persistentIndexList()]
        self._sorted_by = (column, order)
        self._lines = arranged(before, self._sorted_by)
        places = {id(line): place for place, line in enumerate(self._lines)}
        for index, line in kept:
            self.changePersistentIndex(index, self.index(places[id(line)], index.column()))
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.heads) - 1)


class FigureTable(QTableView):
    """Click a head, or press S in a column, to sort; Ctrl+C copies; Enter or a double click opens a line."""

    opened = Signal(str)  # the key of a line

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lines = TableModel(self)
        self._table = FigureRows.of((), ())
        self._widths: list[int] = [NAME_WIDTH]
        self._fitted_to = 0
        self.setModel(self.lines)
        self.setProperty("kind", "figures")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        for corner in self.findChildren(QAbstractButton):
            corner.setAccessibleName(self.tr("Select all"))
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it stands in the page's margin
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleDescription(
            self.tr("S sorts by the column you are in, Ctrl+C copies the selected lines, or all of them.")
        )
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSortIndicator(*FIRST_ORDER)
        head.setSectionsMovable(False)
        self.setSortingEnabled(True)
        head.setSortIndicatorShown(False)  # the arrow stands with the words; another would take room from them
        self.doubleClicked.connect(lambda index: self.opened.emit(str(index.data(KEY_ROLE))))
        theme.set_font("small", self)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.horizontalHeader().setFont(self.font())
        height = self.fontMetrics().height() + GRID + GRID // 2
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)  # which is never below the least
        self._measure()
        self._fit()

    def show_table(self, table: FigureRows) -> None:
        """Shows other lines."""
        self._table = table
        self._measure()
        self.lines.show_table(table)
        self._fit()
        if table.lines:
            self.setCurrentIndex(self.lines.index(0, 0))
            self.clearSelection()

    def copied(self) -> str:
        """The selected lines, or all of them, as tab-separated lines under their heads: exact, with every column."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        lines = self.lines.lines
        chosen = [lines[row] for row in rows] or lines
        shown = [column for column in range(self.lines.columnCount()) if column not in self._table.hidden]
        table = [self.lines.heads, *((line.name, *line.cells) for line in chosen)]
        return "\n".join("\t".join(row[column] for column in shown) for row in table)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied())
        elif event.key() == Qt.Key.Key_S and not event.modifiers() and current.isValid():
            self._sort_by(current.column())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            self.opened.emit(str(current.data(KEY_ROLE)))
        else:
            super().keyPressEvent(event)

    def _sort_by(self, column: int) -> None:
        head = self.horizontalHeader()
        down = head.sortIndicatorSection() == column and head.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        # Figures begin with the largest, names with A.
        first = Qt.SortOrder.AscendingOrder if column == 0 or down else Qt.SortOrder.DescendingOrder
        if column == 0 and head.sortIndicatorSection() == 0 and not down:
            first = Qt.SortOrder.DescendingOrder
        self.sortByColumn(column, first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.viewport().width() != self._fitted_to:
            self._fit()

    def _fit(self) -> None:
        """Columns as wide as their words need, as many as have room beside the names; as high as so many lines."""
        if not (columns := range(self.lines.columnCount())):
            return
        width = self._fitted_to = self.viewport().width()
        room, shown = width - NAME_WIDTH, {0}
        for column in self._table.by_weight:
            if column in self._table.hidden:
                continue
            room -= self._widths[column]
            if room < 0 and len(shown) > 1:
                break
            shown.add(column)
        for column in columns:
            self.setColumnHidden(column, column not in shown)
            self.setColumnWidth(column, self._widths[column])
        self.lines.left_out = frozenset(columns) - shown - set(self._table.hidden)
        self.setColumnWidth(0, max(0, width - sum(self._widths[column] for column in shown - {0})))
        rows = min(max(1, self.lines.rowCount()), ROWS_SHOWN)
        self.setFixedHeight(
            self.horizontalHeader().sizeHint().height() + rows * self.verticalHeader().defaultSectionSize() + 2
        )

    def _measure(self) -> None:
        """Not by `resizeColumnsToContents`: that asks a delegate per line."""
        advance, edge = self.fontMetrics().horizontalAdvance, space("head-x")
        pairs = zip(self._table.heads[1:], self._table.longest, strict=True)
        self._widths = [NAME_WIDTH]
        for head, longest in pairs:
            words = max(map(advance, f"{in_two_lines(head)} ↓".split("\n")))
            self._widths.append(max(words + edge + space("half"), advance(longest) + 2 * edge + 1))


DAYS = "days"
"""The table that says what the plot shows."""
BILLED_COLUMN, PLAN_COLUMN = 7, 8
TOKEN_COLUMNS: Final = (2, 3, 4, 5)
"""Shown in thousands."""
BY_WEIGHT: Final = (BILLED_COLUMN, 1, PLAN_COLUMN, 5, 2, 6, 3, 4)
"""The columns that are paid, calls, output and fresh input, and last those from the cache: see
`usage_reading.columns`.
"""


def tables_of(reading: UsageReading, backends: Mapping[str, str]) -> dict[str, FigureRows]:
    """One table per facet, and `DAYS`; `backends` are their names for people."""
    used = reading.sums.all
    shown = {BILLED_COLUMN: used.money.calls + used.free.calls, PLAN_COLUMN: used.plan.calls}
    hidden = tuple(column for column, calls in shown.items() if not calls)
    heads = {
        "thread": tr("Thread"),
        "model": tr("Model"),
        "purpose": tr("Purpose"),
        "backend": tr("Connection"),
    }
    tables: dict[str, FigureRows] = {
        facet: _rows(
            heads[facet],
            (
                _line(group.key, figures.name_of(group, facet, backends), group.totals)
                for group in reading.tables[facet]
            ),
            hidden,
        )
        for facet in FACETS
    }
    head = {"day": tr("Day"), "week": tr("Week"), "month": tr("Month")}[reading.grain]
    days = [
        _line(period.first.isoformat(), figures.period_name(period, reading.grain), period.totals)
        for period in reversed(reading.periods)
        if period.totals.calls
    ]
    tables[DAYS] = _rows(head, days, hidden)
    return tables


def _rows(head: str, lines: Iterable[TableLine], hidden: tuple[int, ...]) -> FigureRows:
    return FigureRows.of((head, *figures.columns()), lines, hidden, rounded=TOKEN_COLUMNS, by_weight=BY_WEIGHT)


def _line(key: str, name: str, used: UsageTotals) -> TableLine:
    return TableLine(key, name, figures.values(used), figures.cells(used), least=used.unreported > 0)
