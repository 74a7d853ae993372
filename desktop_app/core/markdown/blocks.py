"""The values that Markdown is cut into: top-level blocks, the leaves in them, keys of notes, formulas as written.

A leaf is one thing that is drawn as a unit (a paragraph, a heading, a code card, a piece of a table) together with the
lists and quotes it stands in. Because a list is many leaves, a streamed list repaints only the item that grows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

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

    `head` is the header of the whole table, `first` the row behind it, once that is over.
    `widest` holds for each column the longest sources below it, at most three, and the one with the longest word;
    `heaviest` are rows that are likely high. From these, every piece of one table can compute the same column widths.
    """

    rows: tuple[tuple[str, ...], ...]
    alignments: tuple[Alignment, ...]
    widest: tuple[tuple[str, ...], ...]
    heaviest: tuple[tuple[str, ...], ...]
    head: tuple[str, ...]
    first: tuple[str, ...] = ()
    has_header: bool = True


@dataclass(frozen=True, slots=True)
class Leaf:
    """One unit to draw. `text` is inline source, or the verbatim text of `code`, `math` and `plain` leaves.

    `level` is 1-6 for headings. `marker` stands on the first leaf of a list item: a bullet, a number with its
    delimiter, or `[ ]` / `[x]` in their place; on that of a note it is `[^label]:`. `info` is a fence's info line,
    `language` its first word. `first_line` and `end_line` (exclusive) are lines of the source the leaf comes from.
    """

    kind: LeafKind
    text: str
    first_line: int
    end_line: int
    containers: Containers = ""
    marker: str = ""
    level: int = 0
    language: str = ""
    info: str = ""
    table: TablePiece | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: the unit that, once closed, never changes while its text goes on growing behind it."""

    source: str
    first_line: int
    leaves: tuple[Leaf, ...]


#: What the labels of notes begin with among the link references, where no label of a link can begin so.
NOTE = "\0^"
NUMBER = "number"
#: Key under which is what was sent, and so can be cited; without it there are no citations.
SENT = "\0sent"


def number_of(label: str, references: Mapping[str, Mapping[str, Any]]) -> int:
    """The number of a note; 0: nothing refers to it."""
    return int(references.get(NOTE + label, {}).get(NUMBER, 0))


#: Longer formulas are shown as what they are written in: bounds the time that hostile input can cost (characters).
LONGEST: Final = 2_000
#: Braces, environments and fences within each other in a formula that is typeset; a continued fraction has ten.
MOST_NESTED: Final = 30

_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_NESTING = r"(?s)\\(?:left|right|begin|end)(?![A-Za-z])|\\.|[{}]"
_DEPTH = {"{": 1, "\\left": 1, "\\begin": 1, "}": -1, "\\right": -1, "\\end": -1}


@lru_cache(maxsize=4_000)  # each formula of a text is asked for three or four times before it stands there
def inner_source(source: str) -> str:
    """The formula without its delimiters; empty where they are missing or nothing stands between them."""
    whole = source.strip()
    for opener, closer in _DELIMITERS:
        if whole.startswith(opener) and whole.endswith(closer) and len(whole) > len(opener) + len(closer):
            return whole[len(opener) : -len(closer)].strip()
    return ""


def is_demanding(source: str) -> bool:
    """True for a formula, without its delimiters, that is too long or nested too deeply to be typeset."""
    if len(source) > LONGEST:
        return True
    depth = deepest = 0
    for mark in re.findall(_NESTING, source):
        depth += _DEPTH.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest > MOST_NESTED
