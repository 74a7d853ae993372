"""Cuts blocks that are too long to be read as one: a list, quote, table or paragraph without end.

The reading of a part costs time for each of its lines. The cuts depend only on what stands before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.core.markdown.blocks import Block

#: A part whose end is in the midst of code is made so many times as long at most, to end behind the code.
MOST_STRETCH = 4

# A line that begins an item, goes on with a quote, or is text: what follows reads the same on its own.
OPENS = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+\S|>|[^\W\d_]|\*\*[^\s*]")


@dataclass(frozen=True, slots=True)
class Cut:
    """Before which line of a part it is cut; `head` are lines without which the rest would read otherwise.

    These are the first two lines of a table, or the one that opens a fence in a list or quote.
    """

    line: int
    head: str = ""


def cut_in(blocks: Sequence[Block], lines: Sequence[str], first_line: int, stretch: int) -> Cut | None:
    """Return the cut of a part that is one block, by its lines from this number; None: within code, take more."""
    leaves = [leaf for block in blocks for leaf in block.leaves]
    last = leaves[-1] if leaves else None
    if last is not None and last.table is not None and not last.containers:
        head = last.first_line - first_line
        return Cut(len(lines), "".join(f"{line}\n" for line in lines[head : head + 2]))
    verbatim = {
        number
        for leaf in leaves
        if leaf.kind in ("code", "math")
        for number in range(leaf.first_line - first_line, leaf.end_line - first_line)
    }
    for number in range(len(lines) - 1, len(lines) // 2, -1):
        if number not in verbatim and OPENS.match(lines[number]):
            return Cut(number)
    if stretch >= MOST_STRETCH and last is not None and last.kind == "code" and last.containers:
        return Cut(len(lines), lines[max(0, last.first_line - first_line)] + "\n")
    return Cut(len(lines)) if stretch >= MOST_STRETCH or len(lines) - 1 not in verbatim else None


def before(blocks: Sequence[Block], line: int) -> list[Block] | None:
    """The blocks of the lines before one, by those of a longer text; None: something stands on both sides of it."""
    if any(leaf.first_line < line < leaf.end_line for block in blocks for leaf in block.leaves):
        return None
    kept = []
    for block in blocks:
        lines = block.source.split("\n")
        leaves = tuple(leaf for leaf in block.leaves if leaf.first_line < line)
        if block.first_line + len(lines) <= line:
            kept.append(block)
        elif block.first_line < line:
            kept.append(Block("\n".join(lines[: line - block.first_line]), block.first_line, leaves))
    return kept


def without_head(blocks: Sequence[Block], lines: int) -> list[Block]:
    """Blocks of a text that was read behind so many lines of head, which are left out again."""
    if not blocks:
        return []
    first, *others = blocks
    kept = []
    for leaf in first.leaves:
        begin = max(leaf.first_line, first.first_line + lines)
        if leaf is first.leaves[0] and leaf.table is not None:
            leaf = replace(leaf, table=replace(leaf.table, rows=leaf.table.rows[1:], has_header=False))  # noqa: PLW2901
        elif leaf is first.leaves[0]:
            leaf = replace(leaf, marker="")  # noqa: PLW2901
        empty = not leaf.table.rows if leaf.table is not None else leaf.kind == "code" and not leaf.text
        if not empty:
            kept.append(replace(leaf, first_line=begin, end_line=max(begin, leaf.end_line)))
    if not kept:
        return others
    source = "\n".join(first.source.split("\n")[lines:])
    return [Block(source, first.first_line + lines, tuple(kept)), *others]
