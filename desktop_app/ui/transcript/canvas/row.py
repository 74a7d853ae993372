"""One row of the canvas: an item with its indent, its list marker and the space around it. Uses no message.

Rows tile a message without holes: each paints its whole cell, so that moved pixels can be compared cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_app.core.markdown.blocks import Containers, Leaf
from desktop_app.ui.transcript.canvas.text_style import INDENT
from desktop_app.ui.transcript.items.item import Item

#: What the button of an attachment begins with (the number of its part follows), and that of a passage's heading (the
#: message's id follows). A passage's own id, or that of a thread with `/` and that of its message, follow the others;
#: behind the last stand an artifact's id, a colon and its version.
ATTACHMENT, JUMP, PASSAGE, THREAD, ARTIFACT = "attachment-", "jump:", "passage:", "thread:", "artifact:"

PARAGRAPH_GAP = 12
LIST_GAP = 6
CARD_GAP = 16
NOTES_GAP = 28


@dataclass(slots=True, eq=False)
class CanvasRow:
    """`gap` and `tail` are the empty pixels above and below the item inside the row's cell.

    `containers` are those of the leaf (`q` quote, `u`/`o` lists, `n` note, `t` unfolded thinking). `slot` is the row's
    number among the selectable rows of its message, -1 for decoration. `leaf` is what it was made from.
    `first_slot` is what its slot counts from in its part where rows before it may not be made yet, `next_slot` what
    the rows beneath it go on with.
    `decoration` names a line that is not part of the message; `quoted_above`: the row above stands in the same quote.
    """

    item: Item
    gap: int = 0
    tail: int = 0
    containers: Containers = ""
    marker: str = ""
    slot: int = -1
    first_slot: int = 0
    next_slot: int = 0
    leaf: Leaf | None = None
    part: int = -1
    decoration: str = ""
    quoted_above: bool = False

    @property
    def indent(self) -> int:
        """Left edge of the item in the column."""
        return INDENT * len(self.containers)

    @property
    def left(self) -> int:
        """Left edge of the item as it is painted: text that runs leftwards is indented from the right."""
        return 0 if self.item.reads_leftwards else self.indent

    @property
    def sign(self) -> str:
        """The words read before its text: the marker of its list item, or the text of the reference to the note."""
        return self.item.sign or self.marker

    @property
    def height(self) -> int:
        """Height of the cell."""
        return self.gap + self.item.height + self.tail


def gap_between(above: Leaf | None, below: Leaf) -> int:
    """Empty pixels between two leaves; it depends only on these two, so that a growing end moves nothing."""
    if above is None or _one_thing(above, below):
        return 0
    if below.kind == "heading":
        return 24 if below.level < 3 else 20
    if above.kind == "heading":
        return 8
    if "n" in below.containers + above.containers and (below.marker or "n" not in below.containers):
        return LIST_GAP if "n" in above.containers and "n" in below.containers else NOTES_GAP
    if {above.kind, below.kind} & {"code", "table", "rule"}:
        return CARD_GAP
    return _paragraph_gap(above, below)


def _paragraph_gap(above: Leaf, below: Leaf) -> int:
    if _in_list(below) and not below.marker:
        return 8
    same_list = _in_list(below) and _in_list(above) and above.containers[0] == below.containers[0]
    return LIST_GAP if same_list else PARAGRAPH_GAP


def _one_thing(above: Leaf, below: Leaf) -> bool:
    """True for two pieces of one table or of one long paragraph."""
    if below.table is not None:
        return above.table is not None and not below.table.has_header
    return above.kind == below.kind and above.first_line == below.first_line and not below.marker


def _in_list(leaf: Leaf) -> bool:
    return "u" in leaf.containers or "o" in leaf.containers


class RowList:
    """Rows one beneath the other. `head` and `foot` are how many decoration rows stand before and behind the body."""

    def __init__(self) -> None:
        self.rows: list[CanvasRow] = []
        self.head: list[CanvasRow] = []
        self.foot: list[CanvasRow] = []
        self._width = -1

    @property
    def height(self) -> int:
        """The height of all rows, with estimates for those that are not laid out."""
        height = 0
        for row in self.rows:  # an answer may have thousands, and is measured with each frame: no call for each
            height += row.gap + row.item.height + row.tail
        return height

    def measure(self, width: int) -> int:
        """Estimates all rows for a width; returns the height."""
        self._width = width
        self.measure_rows(self.rows)
        return self.height

    def measure_rows(self, rows: Iterable[CanvasRow]) -> None:
        """Estimates some of the rows for the width."""
        plain = max(40, self._width)
        for row in rows:
            item, width = row.item, plain if not row.containers else max(40, self._width - row.indent)
            if item.width != width:
                item.measure(width)

    def lay_out(self, row: CanvasRow) -> None:
        """Lays out one row at its width."""
        row.item.lay_out(max(40, self._width - row.indent))

    def open_at(self, position: int) -> int:
        """Makes rows where the row at `position` only keeps room for them; returns how many, 0 if it is a row."""
        return 0

    def set_rows(self, rows: list[CanvasRow]) -> None:
        """Replaces the rows."""
        self.rows = rows
        if self._width > 0:
            self.measure(self._width)
