"""The text that was extracted of a file, with its sections, and its writing as Markdown while elements are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.document_structure import DocumentSection, markdown_sections, table_row, table_rule


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """`sections` are of `text`, in order; `pages` 0 where it has none. `note`: one phrase where it is not whole or not
    sure. `scan`: its pages are pictures.
    """

    text: str
    sections: tuple[DocumentSection, ...]
    pages: int = 0
    note: str = ""
    scan: bool = False


def of_markdown(text: str, note: str = "") -> ExtractedText:
    """A text whose structure is told by the marks of Markdown."""
    return ExtractedText(text, markdown_sections(text), note=note)


MOST_COLUMNS: Final = 1_000
"""Cells of a row; more is a file that says one cell is there a million times."""


class MarkdownWriter:
    """The text so far, and whether it is in a table. Tables within a table become a part of its cell.

    Nothing that was said is dropped: HTML need not end cells, rows or tables. Words of a table that stand in no cell,
    such as its caption, come before it, as browsers show them.
    """

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._words: list[str] = []
        self._cells: list[list[str]] = []
        self._tables = 0
        self._in_cell = False
        self.prefix = ""
        """The beginning of the open paragraph: `## `, `- `."""
        self.size = 0

    def text(self) -> str:
        """All that was written; what is open ends here."""
        while self._tables:
            self.close_table()
        self.end_paragraph()
        return "\n".join(self._blocks).strip()

    @property
    def in_table(self) -> bool:
        """True if a table is open."""
        return self._tables > 0

    @property
    def words(self) -> str:
        """The text of the open paragraph or cell so far."""
        return "".join(self._words)

    def say(self, text: str) -> None:
        """Adds to the open paragraph or cell."""
        self._words.append(text)
        self.size += len(text)

    def end_paragraph(self, *, blank: bool = False) -> None:
        """Ends a paragraph; one without words leaves an empty line where it is `blank`. In a cell it leaves a space."""
        if self._tables:
            self._words.append(" ")
            return
        words = "".join(self._words).strip(" ")
        if words or blank:
            self.add_line(self.prefix + words if words else "")
        self._words, self.prefix = [], ""

    def add_line(self, line: str) -> None:
        """A line of its own; empty ones do not come twice."""
        if line or (self._blocks and self._blocks[-1]):
            self._blocks.append(line)

    def open_table(self) -> None:
        """A table, or one within a cell."""
        if not self._tables:
            self.end_paragraph()
        self._tables += 1

    def open_row(self) -> None:
        """A row of the outermost table."""
        if self._tables == 1:
            self.close_cell()
            self._cells.append([])

    def open_cell(self) -> None:
        """A cell of the outermost table."""
        if self._tables == 1:
            self.close_cell()
            self._in_cell = True
            if not self._cells:
                self._cells.append([])

    def close_cell(self, times: int = 1) -> None:
        """Ends a cell, which stands there so many times."""
        if self._tables == 1:
            said = " ".join("".join(self._words).split())
            if self._in_cell:
                row = self._cells[-1]
                row += [said] * max(min(times, MOST_COLUMNS - len(row)), bool(said))
                self.size += len(said) * (times - 1) if said else 0
            elif said:
                self.add_line(said)
            self._words, self._in_cell = [], False

    def close_table(self) -> None:
        """Ends a table; the outermost is written."""
        self.close_cell()
        if self._tables != 1:
            self._tables = max(0, self._tables - 1)
            return
        for line in (*table_lines(self._cells), ""):
            self.add_line(line)
        self._tables, self._cells, self.prefix = 0, [], ""


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first row is its header, without empty columns at its right edge."""
    width = max((column for row in rows for column, cell in enumerate(row, 1) if cell), default=0)
    filled = [list(row[:width]) for row in rows if any(row)]
    if not filled:
        return []
    head, *others = filled
    return [table_row(head), table_rule(len(head)), *map(table_row, others)]
