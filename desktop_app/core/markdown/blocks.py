"""The values that Markdown is cut into: top-level blocks and the leaves in them.

A leaf is one thing that is drawn as a unit (a paragraph, a heading, a code card, a piece of a table) together with the
lists and quotes it stands in. Because a list is many leaves, a streamed list repaints only the item that grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LeafKind: TypeAlias = Literal["paragraph", "heading", "code", "math", "table", "rule", "plain"]
Alignment: TypeAlias = Literal["left", "center", "right"]

#: Containers of a leaf, outermost first, one letter each: `q` a quote, `u` a bullet list, `o` a numbered list, `n` a
#: note.
Containers: TypeAlias = str

TASK_OPEN = "[ ]"
TASK_DONE = "[x]"
BULLET = "•"


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A piece of a table. `rows` are cells of inline source; the first row is the header where `has_header`.

    `head` is the header of the whole table. `widest` holds for each column the longest sources of the whole table, at
    most three. From both, every piece of one table can compute the same column widths.
    """

    rows: tuple[tuple[str, ...], ...]
    alignments: tuple[Alignment, ...]
    widest: tuple[tuple[str, ...], ...]
    head: tuple[str, ...]
    has_header: bool = True


@dataclass(frozen=True, slots=True)
class Leaf:
    """One unit to draw. `text` is inline source, or the verbatim text of `code`, `math` and `plain` leaves.

    `level` is 1-6 for headings. `marker` stands on the first leaf of a list item: a bullet, a number with its
    delimiter, or `[ ]` / `[x]`; on that of a note it is `[^label]:`. `language` is the first word of a fence's info
    line. `first_line` and `end_line` (exclusive) are lines of the source the leaf comes from.
    """

    kind: LeafKind
    text: str
    first_line: int
    end_line: int
    containers: Containers = ""
    marker: str = ""
    level: int = 0
    language: str = ""
    table: TablePiece | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: the unit that, once closed, never changes while its text goes on growing behind it."""

    source: str
    first_line: int
    leaves: tuple[Leaf, ...]
