"""Owns a sortable, copyable table of figures. Knows no ledger: it gets names, figures and their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFrame, QTableView, QWidget

from desktop_app.ui.theme.theme import GRID, Theme

KEY_ROLE = Qt.ItemDataRole.UserRole + 1
ROWS_SHOWN = 10
"""So many lines are seen at once; the others are scrolled to."""
NAME_WIDTH = 22 * GRID
Order: TypeAlias = tuple[int, Qt.SortOrder]
FIRST_ORDER: Order = (1, Qt.SortOrder.DescendingOrder)
_ROOT = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line: its name, and per further column the figure to sort by and its words."""

    key: str
    name: str
    values: tuple[float, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigureRows:
    """Lines under heads, ready to be shown. `longest` are the widest words of each column after the first."""

    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    hidden: tuple[int, ...]
    longest: tuple[str, ...]

    @classmethod
    def of(cls, heads: Sequence[str], lines: Iterable[TableLine], hidden: Sequence[int] = ()) -> FigureRows:
        """`hidden` columns say nothing here. Takes some 10 ms for ten thousand lines: not for the GUI thread."""
        ordered = arranged(lines, FIRST_ORDER)
        columns = range(len(heads) - 1)
        # Figures have no wide and narrow digits: the one with the most is the widest.
        longest = tuple(max((line.cells[column] for line in ordered), key=len, default="") for column in columns)
        return cls(tuple(heads), tuple(ordered), tuple(hidden), longest)


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
        self._heads: tuple[str, ...] = ()
        self._lines: list[TableLine] = []
        self._sorted_by = FIRST_ORDER

    def show_table(self, table: FigureRows) -> None:
        """Replaces everything; the order asked for last goes on."""
        self.beginResetModel()
        self._heads = table.heads
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
        return self._heads

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line, column = self._lines[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._cell(line, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                # A figure without its head would mean nothing to somebody who hears one cell.
                return line.name if column == 0 else f"{line.name}, {self._heads[column]}: {line.cells[column - 1]}"
            case Qt.ItemDataRole.ToolTipRole:
                return line.name if column == 0 else None
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
            case _:
                return line.key if role == KEY_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section] + (f" {self._arrow}" if section == self._sorted_by[0] else "")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
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
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._heads) - 1)

    def _cell(self, line: TableLine, column: int) -> str:
        return line.name if column == 0 else line.cells[column - 1]


class FigureTable(QTableView):
    """Click a head, or press S in a column, to sort; Ctrl+C copies; Enter or a double click opens a line."""

    opened = Signal(str)  # the key of a line

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines = TableModel(self)
        self._table = FigureRows((), (), (), ())
        self._widths: list[int] = [NAME_WIDTH]
        self._fitted_to = 0
        self.setModel(self.lines)
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
        self.doubleClicked.connect(lambda index: self.opened.emit(str(index.data(KEY_ROLE))))
        theme.set_font("small", self)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self.horizontalHeader().setFont(self.font())
        height = self.fontMetrics().height() + GRID + GRID // 2
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setMinimumSectionSize(height)
        self._measure()
        self._fit()

    def show_table(self, table: FigureRows) -> None:
        """Shows other lines."""
        self._table = table
        self._measure()
        self.lines.show_table(table)
        for column in range(self.lines.columnCount()):
            self.setColumnHidden(column, column in table.hidden)
        if table.lines:
            self.setCurrentIndex(self.lines.index(0, 0))
            self.clearSelection()
        self._fit()

    def copied(self) -> str:
        """The selected lines, or all of them, with their heads, as tab-separated lines."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        lines = self.lines.lines
        chosen = [lines[row] for row in rows] or lines
        shown = [column for column in range(self.lines.columnCount()) if not self.isColumnHidden(column)]
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
        # A bar that comes or goes resizes the lines' room, but not the table.
        if self.width() != self._fitted_to:
            self._fit()

    def _fit(self) -> None:
        """Columns as wide as their words need, the names what is left; as high as the lines, up to so many."""
        head, shown = self.horizontalHeader(), range(self.lines.columnCount())
        if not shown:
            return
        others = 0
        for column in shown[1:]:
            self.setColumnWidth(column, self._widths[column])
            others += 0 if self.isColumnHidden(column) else self._widths[column]
        self._fitted_to = self.width()
        rows = min(max(1, self.lines.rowCount()), ROWS_SHOWN)
        bar = self.verticalScrollBar().sizeHint().width() if self.lines.rowCount() > rows else 0
        room = self.width() - bar
        self.setColumnWidth(0, max(NAME_WIDTH, room - others))
        height = head.sizeHint().height() + rows * self.verticalHeader().defaultSectionSize() + 2
        wide = NAME_WIDTH + others > room
        self.setFixedHeight(height + (self.horizontalScrollBar().sizeHint().height() if wide else 0))

    def _measure(self) -> None:
        """Not by `resizeColumnsToContents`: that asks a delegate per line."""
        advance = self.fontMetrics().horizontalAdvance
        pairs = zip(self._table.heads[1:], self._table.longest, strict=True)
        self._widths = [
            NAME_WIDTH,
            *(max(advance(longest), advance(f"{head} ↓")) + 3 * GRID for head, longest in pairs),
        ]
