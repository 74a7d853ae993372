"""Owns one row of the canvas: an item with its indent, its list marker and the space around it. Knows no message.

Rows tile a message without holes: each paints its whole cell, so that moved pixels can be compared cell by cell.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.markdown.blocks import Containers, Leaf
from desktop_app.ui.transcript.canvas.text_style import INDENT
from desktop_app.ui.transcript.items.item import Item

#: What the button of an attachment begins with (the number of its part follows), and that of a passage's heading (the
#: message's id follows).
ATTACHMENT, JUMP = "attachment-", "jump:"

PARAGRAPH_GAP = 12
LIST_GAP = 6
CARD_GAP = 16
NOTES_GAP = 28


@dataclass(slots=True, eq=False)
class CanvasRow:
    """`gap` and `tail` are the empty pixels above and below the item inside the row's cell.

    `containers` are those of the leaf (`q` quote, `u`/`o` lists, `n` note, `t` unfolded thinking). `slot` is the row's
    number among the selectable rows of its message, -1 for decoration. `leaf` is what it was made from.
    `first_slot` is what its slot counts from in its part where rows before it may not be made yet.
    `decoration` names a line that is not part of the message; `quoted_above`: the row above stands in the same quote.
    """

    item: Item
    gap: int = 0
    tail: int = 0
    containers: Containers = ""
    marker: str = ""
    slot: int = -1
    first_slot: int = 0
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
        """What is read before its text: the marker of its list item, or what the reference to the note reads."""
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
