"""Shares the width of a table among its columns. Uses no cells that are painted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from heapq import nlargest
from itertools import zip_longest
from math import ceil, inf
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontMetricsF

from desktop_app.core.markdown.blocks import TablePiece
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline
from desktop_app.ui.theme.theme import MeasuredFont
from desktop_app.ui.transcript.items.item import AROUND, NARROWEST, TextStyle, filled

if TYPE_CHECKING:  # formulas are imported with the first one
    from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache

#: A column of a table that has to be scrolled is no wider than this (pixels).
WIDEST = 280
#: Where no cell need take more lines than these, none does.
FEW_LINES = (2, 3)
#: Lines of a longer text are estimated (words).
LONG = 50
#: A word that is broken is worse than so many lines.
BROKEN = 10_000
#: What is broken in no line: Chinese and Japanese are between any two signs.
_WORD = re.compile(r"(?:[^\s\-\u2e80-\uffff]|-(?=\d))+-*|-+|[\u2e80-\uffff]")


def word_begin(text: str, start: int, end: int) -> int:
    """Return where the word begins that a line from `start` to `end` breaks; the end where it breaks none."""
    if max(text) > "\uffff" or len(_WORD.findall(text, end - 1, end + 1)) > 1:
        return end
    return max(word.start() for word in _WORD.finditer(text, start, end))


class CellText:
    """A cell's text as words, each with the gap before it, in pixels: how much room it takes.

    `whole` is the room for one line, `least` that for its longest word. Without words its lines are estimated.
    """

    __slots__ = ("_lines", "_rooms", "_words", "least", "whole")

    def __init__(self, whole: float, longest: float, words: Sequence[tuple[float, float]] = ()) -> None:
        self.whole, self.least = ceil(whole), min(ceil(longest), WIDEST - AROUND)
        self._words = words
        self._lines: dict[int, int] = {}
        self._rooms: dict[int, int] = {}

    def lines(self, room: int) -> int:
        """Return the number of lines in such room."""
        if (known := self._lines.get(room)) is not None:
            return known
        count, left = 1, float(room)
        for gap, word in self._words:
            if gap + word > left < room:
                count, left = count + 1, room - word
            else:
                left -= gap + word
        self._lines[room] = count = count if self._words else 1 + int(1.05 * self.whole / max(1, room))
        return count

    def room_for(self, lines: int) -> int:
        """Return the least room in which it takes no more lines, if there is such a room."""
        if lines not in self._rooms:
            least, most = self.least, max(self.least, self.whole)
            while least < most:
                middle = (least + most) // 2
                least, most = (least, middle) if self.lines(middle) <= lines else (middle + 1, most)
            self._rooms[lines] = most
        return self._rooms[lines]


class TableColumns:
    """The parts of a table that decide on its columns: header, highest rows, longest cells and words."""

    def __init__(
        self, table: TablePiece, read: Callable[[str], Inline], style: TextStyle, formulas: FormulaCache | None
    ) -> None:
        self._read, self._style, self._formulas = read, style, formulas
        self._table = table
        self._known: dict[str, CellText] = {}
        self._head = [self._measured(cell, style.strong) for cell in table.head]

    def _cells(self, sources: Sequence[str]) -> list[CellText]:
        for source in sources:
            if source not in self._known:
                self._known[source] = self._measured(source, self._style.body)
        return [self._known[source] for source in sources]

    def _measured(self, source: str, face: MeasuredFont) -> CellText:
        inline = self._read(source)
        kinds = {span.kind for span in inline.spans}
        face = self._style.strong if "strong" in kinds else face
        metrics = QFontMetricsF(face.font)
        if "formula" in kinds:
            from desktop_app.ui.transcript.formulas.inline_formulas import natural_width

            whole = natural_width(inline, face, self._formulas) + 1
            return CellText(whole, whole)
        letter = self._style.code.average if "code" in kinds else 0
        text, found = inline.text, list(_WORD.finditer(inline.text))
        if len(found) > LONG:
            longest = max(metrics.horizontalAdvance(word) for word in nlargest(3, (word[0] for word in found), key=len))
            return CellText(max(metrics.horizontalAdvance(text), letter * len(text)), longest)
        space = metrics.horizontalAdvance(" ")
        words, end = [], 0
        for word in found:
            gap = inf if LINE_BREAK in text[end : word.start()] else space * (word.start() - end)
            words.append((gap, max(metrics.horizontalAdvance(word[0]), letter * len(word[0]))))
            end = word.end()
        whole = sum(word + (gap if gap < inf else 0) for gap, word in words)
        return CellText(whole, max((word for _, word in words), default=0), words)

    def shared(self, width: int, begun: list[int] | None, weights: Sequence[int], *, whole: bool) -> list[int]:
        """Return columns that fill the width; those for the header and the first row alone unless `whole` saves lines.

        `begun` are these if they have room in one line.
        """
        begun = begun or _Rows([self._head, self._cells(self._table.first or self._table.head)]).shared(width, weights)
        if not whole:
            return begun
        columns = [*map(self._cells, self._table.widest)]
        rows = _Rows([self._head, *map(self._cells, self._table.heaviest)], columns)
        shared = rows.shared(width, weights)
        return begun if rows.cost(begun) <= rows.cost(shared) else shared


class _Rows:
    """Rows of a table, and more cells of its columns."""

    def __init__(self, rows: Sequence[Sequence[CellText]], columns: Sequence[Sequence[CellText]] = ()) -> None:
        self._rows = rows
        cells = [*zip(*rows, *zip_longest(*columns, fillvalue=CellText(0, 0)), strict=False)]
        self._wanted = [AROUND + max(cell.whole for cell in column) for column in cells]
        self._least = [AROUND + max(cell.least for cell in column) for column in cells]

    def _heights(self, widths: Sequence[int]) -> list[int]:
        pairs = (zip(row, widths, strict=False) for row in self._rows)
        return [max(cell.lines(width - AROUND) for cell, width in row) for row in pairs]

    def cost(self, widths: Sequence[int]) -> int:
        """Return what the lines of all rows cost: a high row costs more than low ones of as many lines."""
        broken = [least for width, least in zip(widths, self._least, strict=True) if width < least]
        return sum(height**3 for height in self._heights(widths)) + BROKEN * len(broken)

    def shared(self, width: int, weights: Sequence[int]) -> list[int]:
        """Return columns that fill the width: each has room for its longest word, and more where that saves lines."""
        wanted = self._wanted
        for wide in ([max(NARROWEST, want) for want in wanted], wanted):
            if sum(wide) <= width:
                return filled(wide, width, [want * weight for want, weight in zip(wide, weights, strict=False)])
        got = [min(want, max(NARROWEST, least)) for want, least in zip(wanted, self._least, strict=True)]
        if sum(got) > width:
            return [min(want, WIDEST) for want in wanted]  # it has to be scrolled: then nothing need be narrow
        for lines in FEW_LINES:
            few = [
                max(now, *(AROUND + one.room_for(lines) for one in column))
                for now, *column in zip(got, *self._rows, strict=False)
            ]
            if sum(few) <= width:
                got = few
                break
        while True:
            cost = self.cost(got)
            steps: list[tuple[float, list[int]]] = []
            for row, height in zip(self._rows, self._heights(got), strict=True):
                fewer = height - max(1, height // 4)
                wider = [max(now, AROUND + cell.room_for(fewer)) for now, cell in zip(got, row, strict=False)]
                if height > 1 and sum(wider) <= width and (saved := cost - self.cost(wider)):
                    steps.append((saved / (sum(wider) - sum(got)), wider))
            if not steps:
                return filled(got, width, [max(0, want - now) for want, now in zip(wanted, got, strict=True)])
            _, got = max(steps)
