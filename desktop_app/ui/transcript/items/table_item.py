"""A piece of a table: cells of text between hairlines. Uses no Markdown beyond its cells' alignments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QTextLine

from desktop_app.core.markdown.blocks import TablePiece
from desktop_app.core.markdown.inline_text import Inline
from desktop_app.ui.theme.theme import flood
from desktop_app.ui.transcript.items.item import (
    AROUND,
    NARROWEST,
    PAD_X,
    HorizontallyScrolledItem,
    Selected,
    TextHighlight,
    TextStyle,
    filled,
)
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:  # formulas are imported with the first one
    from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache

PAD_Y = 6


class TableItem(HorizontallyScrolledItem):
    """Cells in columns that fill the room.

    While its answer comes the columns follow the header and the first row, before which nothing is shown: rows that
    are already read must not move. `settle` gives it those of the whole table.
    """

    __slots__ = (
        "_comes",
        "_edges",
        "_formulas",
        "_heights",
        "_hot",
        "_offset",
        "_read",
        "_read_end",
        "_steady",
        "_table",
        "cells",
        "fixed",
        "growing",
    )

    selectable = True

    def __init__(
        self,
        style: TextStyle,
        table: TablePiece,
        read: Callable[[str], Inline],
        read_end: Callable[[str], Inline],
        formulas: Callable[[], FormulaCache] | None = None,
    ) -> None:
        super().__init__(style)
        self._formulas = formulas
        self._steady = self._comes = False
        self._read, self._read_end = read, read_end
        self._table = table
        self.cells: list[list[TextItem]] = []
        """The cells by rows; none before the item was laid out."""
        self._heights: list[int] = []
        self._edges: list[int] = []
        self.fixed: list[int] | None = None
        self._offset = 0
        self._hot = False
        self.growing = False

    def set_table(
        self, table: TablePiece, read: Callable[[str], Inline], read_end: Callable[[str], Inline], *, growing: bool
    ) -> None:
        """Replaces the content; the columns keep the widths they have been painted with.

        `read_end` reads the cells of the last row while more of it may come.
        """
        if (table, growing) == (self._table, self.growing):
            return
        self._read, self._read_end = read, read_end
        last = len(self._table.rows) - 1
        same = 0
        if table.alignments == self._table.alignments:  # its second line may have come in pieces
            for old, new in zip(self._table.rows, table.rows, strict=False):
                if old != new:
                    break
                same += 1
        self._table, self.growing = table, growing
        del self.cells[same:]
        for row in self.cells[last:]:  # it was read as one of which more comes
            for cell in row:
                cell.read_by(self._reader(last))
        self._laid_out = False
        self.changed()

    def read_by(self, read: Callable[[str], Inline]) -> None:
        """Cells read otherwise by now, maybe: they are read again when the item is next laid out."""
        self._read = self._read_end = read
        for row in self.cells:
            for cell in row:
                cell.read_by(read)
        self._laid_out = False
        self.changed()

    def _reader(self, number: int) -> Callable[[str], Inline]:
        return self._read_end if self.growing and number == len(self._table.rows) - 1 else self._read

    def settle(self) -> None:
        """Its answer is whole: the columns are what they are when it is opened afresh."""
        self._comes, self.fixed, self._laid_out = False, None, False
        self.changed()

    def let_go(self) -> None:
        self.fixed = None
        for row in self.cells:
            for cell in row:
                cell.let_go()

    def dismiss(self) -> None:
        self.cells = []
        self._laid_out = False

    # --- formulas

    def hold_still(self) -> None:
        self._steady = self._comes = True
        for row in self.cells:
            for cell in row:
                cell.hold_still()

    @property
    def holds(self) -> bool:
        return self._steady and any(cell.holds for row in self.cells for cell in row)

    @property
    def lacks_formulas(self) -> bool:
        return any(cell.lacks_formulas for row in self.cells for cell in row)

    @property
    def is_still(self) -> bool:
        return self._steady

    def take_formulas(self, *, still: bool) -> bool:
        if not sum(cell.take_formulas(still=still) for row in self.cells for cell in row):
            return False
        self._laid_out = False
        self.changed()
        return True

    def _estimate(self, width: int) -> int:
        return len(self._table.rows) * (self.style.body.pitch + 2 * PAD_Y + 1) + 1

    def _columns(self, width: int) -> list[int]:
        """Return the columns' widths: nothing but the table and its width decides on them.

        They are those that its header and first row want, as long as others save no line.
        """
        table, first = self._table, self._table.first or self._table.head
        shares = [_room(alignment, cell) for alignment, cell in zip(table.alignments, first, strict=False)]
        begun = [max(NARROWEST, *map(self._natural_width, cells)) for cells in zip(table.head, first, strict=False)]
        if fits := sum(begun) <= width:
            begun = filled(begun, width, [column * share for column, share in zip(begun, shares, strict=True)])
        longest = () if self._comes and table.first else table.widest
        pairs = zip(begun, longest, strict=False)
        if fits and all(wide >= max(map(self._natural_width, cells)) for wide, cells in pairs):
            return begun
        from desktop_app.ui.transcript.items.table_columns import TableColumns  # most tables have room

        formulas = self._formulas() if self._formulas is not None else None
        columns = TableColumns(table, self._read, self.style, formulas)
        return columns.shared(width, begun if fits else None, shares, whole=bool(longest))

    def _natural_width(self, source: str) -> int:
        """Return the room for a cell in one line, or very much where that is not simply told."""
        inline = self._read(source)
        if any(span.kind in ("formula", "code") for span in inline.spans):
            return sys.maxsize
        return AROUND + ceil(QFontMetricsF(self.style.strong.font).horizontalAdvance(inline.text))

    def _arrange(self, width: int) -> int:
        if self._comes and self.fixed is None and self._table.first:
            self.fixed = self._columns(width)
        if self.waits:  # room that is empty would count as read: its header would come up above the line that grows
            return 0
        columns = self.fixed if self.fixed is not None else self._columns(width)
        self._edges = [0, *accumulate(columns)]
        for number, row in enumerate(self._table.rows[len(self.cells) :], len(self.cells)):
            face = self.style.strong if self._table.has_header and number == 0 else self.style.body
            self.cells.append(
                [
                    _Cell(self.style, face, cell, self._reader(number), alignment, formulas=self._formulas)
                    for cell, alignment in zip(row, self._table.alignments, strict=False)
                ]
            )
            for made in self.cells[-1] if self._steady or self.growing else ():
                made.hold_still()
        self._heights = [
            max(
                (cell.lay_out(max(16, column - 2 * PAD_X)) for cell, column in zip(row, columns, strict=False)),
                default=0,
            )
            + 2 * PAD_Y
            + 1
            for row in self.cells
        ]
        self._offset = min(self._offset, self.overflow)
        return sum(self._heights) + (1 if self._table.has_header else 0)

    @property
    def overflow(self) -> int:
        return max(0, (self._edges[-1] if self._edges else 0) - self._width)

    def buttons(self) -> Sequence[tuple[str, str]]:
        return tuple({button: words for row in self.cells for cell in row for button, words in cell.buttons()}.items())

    def set_focus(self, button: str) -> bool:
        changed = sum(cell.set_focus(button) for row in self.cells for cell in row) > 0
        if changed:
            self.changed()
        return changed

    @property
    def waits(self) -> bool:
        """True until its first row has come, as that decides on the columns: it is not painted and takes no room."""
        return self.growing and self.fixed is None

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        if self.waits:
            return
        if self.overflow:
            painter.save()
            painter.setClipRect(QRectF(0, 0, self._width, self.height), Qt.ClipOperation.IntersectClip)
            painter.translate(-self._offset, 0)
            self._paint_cells(painter, ink, top, bottom, selected)
            painter.restore()
            self.paint_side_bar(painter)
        else:
            self._paint_cells(painter, ink, top, bottom, selected)

    def _paint_cells(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        right = self._edges[-1] if self._edges else 0
        line = self.style.color("hairline")
        y = 1 if self._table.has_header else 0
        start = 0
        for number, (row, height) in enumerate(zip(self.cells, self._heights, strict=True)):
            if y + height > top and y < bottom:
                header = self._table.has_header and number == 0
                cell_ink = self.style.color("text-secondary") if header else ink
                for column, cell in enumerate(row):
                    painter.save()
                    painter.translate(self._edges[column] + PAD_X, y + PAD_Y)
                    part = (selected[0] - start, selected[1] - start) if selected else None
                    cell.marks = [TextHighlight(mark.start - start, mark.end - start, mark.kind) for mark in self.marks]
                    cell.paint(painter, cell_ink, 0, cell.height, part)
                    painter.restore()
                    start += cell.length + 1
                flood(painter, QRect(0, y + height - 1, right, 1), line)
            else:
                start += sum(cell.length + 1 for cell in row)
            y += height

    @property
    def baseline(self) -> int:
        return PAD_Y + self.style.body.baseline

    @property
    def length(self) -> int:
        return max(0, sum(cell.length + 1 for row in self.cells for cell in row) - 1)

    def text(self, start: int, end: int) -> str:
        rows, offset = [], 0
        for row in self.cells:
            cells = []
            for cell in row:
                if offset <= end and offset + cell.length >= start:
                    cells.append(cell.text(max(0, start - offset), min(cell.length, end - offset)))
                offset += cell.length + 1
            if cells:
                rows.append("\t".join(cells))
        return "\n".join(rows)

    def _places(self) -> Iterator[tuple[TextItem, int, int, int]]:
        """All cells, with the offset of their text and their top left corners."""
        offset, top = 0, 1 if self._table.has_header else 0
        for row, height in zip(self.cells, self._heights, strict=True):
            for column, cell in enumerate(row):
                yield cell, offset, self._edges[column], top
                offset += cell.length + 1
            top += height

    def _cell_of(self, position: int) -> tuple[TextItem, int, int, int] | None:
        return next((place for place in self._places() if position <= place[1] + place[0].length), None)

    @property
    def reading(self) -> str:
        rows = [[cell.reading for cell in row] for row in self.cells]
        for number, row in enumerate(self._table.rows[len(rows) :], len(rows)):  # cells come as it is laid out
            rows.append([self._reader(number)(cell).text for cell in row])
        return "\n".join(map("\t".join, rows))

    def caret_rect(self, position: int) -> QRect:
        if (place := self._cell_of(position)) is None:
            return QRect(0, 0, 1, self.height)
        cell, start, left, top = place
        return cell.caret_rect(position - start).translated(left + PAD_X - self._offset, top + PAD_Y)

    def reveal(self, position: int) -> bool:
        x = self.caret_rect(position).x()
        beyond = x - self._width + 3 * PAD_X if x > self._width - PAD_X else min(0, x - 3 * PAD_X)
        return bool(self.overflow and beyond) and self.scroll_sideways(beyond)

    def _cell_at(self, x: int, y: int) -> tuple[TextItem, int, int, int] | None:
        """The cell under a point, the offset of its text, and the point in the cell."""
        x += self._offset
        offset, top = 0, 1 if self._table.has_header else 0
        for number, (row, height) in enumerate(zip(self.cells, self._heights, strict=True)):
            if y < top + height or number == len(self.cells) - 1:
                for column, cell in enumerate(row):
                    if x < self._edges[column + 1] or column == len(row) - 1:
                        return cell, offset, x - self._edges[column] - PAD_X, y - top - PAD_Y
                    offset += cell.length + 1
                return None
            offset += sum(cell.length + 1 for cell in row)
            top += height
        return None

    def position_at(self, x: int, y: int) -> int:
        found = self._cell_at(x, y)
        return 0 if found is None else found[1] + found[0].position_at(found[2], found[3])

    def word_at(self, position: int) -> Selected:
        offset = 0
        for row in self.cells:
            for cell in row:
                if position <= offset + cell.length:
                    start, end = cell.word_at(position - offset)
                    return offset + start, offset + end
                offset += cell.length + 1
        return position, position

    def link_at(self, x: int, y: int) -> str:
        return "" if (found := self._cell_at(x, y)) is None else found[0].link_at(found[2], found[3])


def _room(alignment: str, cell: str) -> int:
    """The share of the room that is left for a column which begins so: later cells of words, not numbers, are longer.

    Those of several words still more.
    """
    words = sum(any(map(str.isalpha, word)) for word in cell.split())
    return 1 if alignment == "right" or not words else 4 * min(2, words)


class _Cell(TextItem):
    """Text that is broken at a slash or the like, as in "kg/m³", only where a line has no room for the whole."""

    __slots__ = ()

    def _fill(self, line: QTextLine, text: str, width: int) -> None:
        super()._fill(line, text, width)
        start, end = line.textStart(), line.textStart() + line.textLength()
        if end < len(text) and not text[end - 1].isspace() and not text[end].isspace():
            from desktop_app.ui.transcript.items.table_columns import word_begin

            if (begin := word_begin(text, start, end)) > start:
                line.setNumColumns(begin - start, width)
