"""A piece of a table: cells of text between hairlines. Uses no Markdown beyond its cells' alignments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from desktop_app.core.markdown.blocks import TablePiece
from desktop_app.core.markdown.inline_text import Inline
from desktop_app.ui.theme.theme import flood
from desktop_app.ui.transcript.items.item import HorizontallyScrolledItem, Selected, TextHighlight, TextStyle
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:  # formulas are imported with the first one
    from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache

PAD_X = 12
PAD_Y = 6
#: A column is not made narrower than this for the sake of others (pixels).
NARROWEST = 88
#: A column of a table that has to be scrolled is no wider than this (pixels).
WIDEST = 280
#: Where no cell need take more lines than these, no column is so narrow that one does.
FEW_LINES = (2, 3)
#: What is broken in no line: Chinese and Japanese are between any two signs.
_UNBROKEN = re.compile(r"[^\s\-\u2e80-\uffff]+-?")


class TableItem(HorizontallyScrolledItem):
    """Cells in columns that fill the room: as the header and its alignments say, which are known from the beginning.

    Where a cell would need a second line so, the columns follow the whole table's longest cells; while it grows, those
    of its first row, before which nothing is shown. `fixed` widths, once painted then, stay: rows that are already read
    must not move.
    """

    __slots__ = (
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
        self._steady = False
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
        """Replaces the content; while it grows the columns keep the widths they have been painted with.

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
        self._steady = True
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

    def _natural_width(self, source: str, metrics: QFontMetricsF) -> int:
        """Return the width of a cell in one line."""
        inline = self._read(source)
        if not any(span.kind == "formula" for span in inline.spans):
            return int(metrics.horizontalAdvance(inline.text))
        from desktop_app.ui.transcript.formulas.inline_formulas import natural_width

        formulas = self._formulas() if self._formulas is not None else None
        return int(natural_width(inline, self.style.strong, formulas)) + 1

    def _estimate(self, width: int) -> int:
        return len(self._table.rows) * (self.style.body.pitch + 2 * PAD_Y + 1) + 1

    def _columns(self, width: int) -> list[int]:
        metrics = QFontMetricsF(self.style.strong.font)

        def room_for(*cells: str) -> int:
            return 2 * PAD_X + 4 + max((self._natural_width(cell, metrics) for cell in cells), default=0)

        heads = [max(NARROWEST, room_for(cell)) for cell in self._table.head]
        # later cells of a column of numbers or marks are hardly longer, those of words often are
        first = self._table.first or self._table.head
        shares = [
            4 if alignment == "left" and any(letter.isalpha() for letter in cell) else 1
            for alignment, cell in zip(self._table.alignments, first, strict=False)
        ]

        def weighed(columns: Sequence[int]) -> list[int]:
            return [column * share for column, share in zip(columns, shares, strict=False)]

        filled = _filled(heads, width, weighed(heads)) if sum(heads) <= width else []
        if self.growing:  # later cells may be longer than those of the first row
            wanted = [max(head, room_for(cell)) for head, cell in zip(heads, first, strict=False)]
        else:
            wanted = [room_for(*cells) for cells in self._table.widest]
        if filled and all(want <= column for want, column in zip(wanted, filled, strict=False)):
            return filled
        if sum(wanted) <= width:
            return _filled(wanted, width, weighed(wanted))
        # the widest columns give way first, and none breaks a word
        read = [(head, *cells) for head, cells in zip(self._table.head, self._table.widest, strict=False)]
        words = [[word for cell in cells for word in _UNBROKEN.findall(self._read(cell).text)] for cells in read]
        longest = [2 * PAD_X + 4 + int(max(map(metrics.horizontalAdvance, each), default=0)) for each in words]
        least = [min(want, WIDEST, max(NARROWEST, word)) for want, word in zip(wanted, longest, strict=False)]
        room, left, columns = width, sum(least), dict(enumerate(wanted))
        if left > width:
            return [min(want, WIDEST) for want in wanted]  # it has to be scrolled: then nothing need be narrow
        for lines in FEW_LINES:
            if sum(wanted) > lines * width:
                continue  # long texts: measuring them would cost, and names are rather left whole
            few = [self._width_for(cells, lines, low) for low, cells in zip(least, read, strict=False)]
            if sum(few) <= width:
                return _filled(few, width, [max(0, want - one) for want, one in zip(wanted, few, strict=False)])
        given: dict[int, int] = {}
        for index, want in sorted(columns.items(), key=lambda pair: pair[1]):
            left -= least[index]
            share = min(room // (len(columns) - len(given)), room - left)
            given[index] = min(want, max(least[index], share))
            room -= given[index]
        return [given[index] for index in range(len(wanted))]

    def _width_for(self, cells: Sequence[str], lines: int, width: int) -> int:
        """Return the width of a column, at least this one, where none of the cells, header first, takes more lines."""
        for number, cell in enumerate(cells):
            metrics = QFontMetricsF((self.style.body if number else self.style.strong).font)
            text, around = self._read(cell), 2 * PAD_X + 4
            if any(span.kind == "formula" for span in text.spans):
                width = max(width, self._natural_width(cell, metrics) + around)
            room = QRectF(0, 0, width - around, (lines + 1) * metrics.lineSpacing())
            while metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text.text).height() >= room.height() - 1:
                room.setWidth(room.width() + metrics.averageCharWidth())
            width = round(room.width()) + around
        return width

    def _arrange(self, width: int) -> int:
        if self.growing and self.fixed is None and self._table.first:
            self.fixed = self._columns(width)
        columns = self.fixed if self.fixed is not None else self._columns(width)
        self._edges = [0, *accumulate(columns)]
        for number, row in enumerate(self._table.rows[len(self.cells) :], len(self.cells)):
            face = self.style.strong if self._table.has_header and number == 0 else self.style.body
            self.cells.append(
                [
                    TextItem(self.style, face, cell, self._reader(number), alignment, formulas=self._formulas)
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
        # room that is empty counts as read: its header would come up above the line that grows
        return 0 if self.waits else sum(self._heights) + (1 if self._table.has_header else 0)

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


def _filled(wanted: Sequence[int], width: int, weights: Sequence[int]) -> list[int]:
    """Columns as wide as wanted, and wider by shares of the room that is left, to the last pixel."""
    spare, total = width - sum(wanted), max(1, sum(weights))
    edges = [edge * spare // total for edge in accumulate(weights, initial=0)]
    return [want + end - start for want, (start, end) in zip(wanted, pairwise(edges), strict=False)]
