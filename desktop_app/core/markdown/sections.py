"""Finds where a long text can be cut so that its parts, read one by one, give the blocks of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from desktop_app.core.markdown.block_building import pieces
from desktop_app.core.markdown.block_stream import MOST_CHARACTERS, MOST_LINES
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.long_blocks import OPENS

#: Characters of a section, at least; markdown-it reads about 3,000 characters in a millisecond.
SECTION = 4_000

#: A section is cut wherever it can be that is longer than this (lines, characters).
LONG_LINES = MOST_LINES + 50
LONG_CHARACTERS = MOST_CHARACTERS // 2
#: A fence in a list or quote is cut beyond that; one at the margin is not, as its lines cost little (lines).
LONG_FENCE = 4 * MOST_LINES
#: A text that is longer is read in sections even where it defines links, which then hold within these (characters).
_DEFINED_WITHIN = 16_000

#: Stands for the leaf above a cut: that leaf is text, or what comes beneath is a heading.
LEAF_ABOVE = Leaf("paragraph", "", -1, -1)

# A line at the margin that opens a block of its own after an empty line, whatever stands before it.
_OPENS_TEXT = re.compile(r"[^\W\d_]|\*\*[^\s*]")
_OPENS_HEADING = re.compile(r"#{1,6}[ \t]+[^\s#]")
# A line whose leaf is text, at the margin or in a list.
_ENDS_TEXT = re.compile(r"(?:[-+*] |\d{1,9}[.)] )?(?:[^\W\d_]|\*\*[^\s*])")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
# The same in a list or a quote.
_ANY_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}+|~{3,}+)(.*)")
_MATH = re.compile(r" {0,3}(?:\$\$|\\\[)")
# A link reference definition: it holds for the text before it, too.
_DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*\[(?:[^\[\]\\]|\\.)*\]:", re.MULTILINE | re.DOTALL)


# The line beneath a table's head.
_DELIMITERS = re.compile(r"[ \t:|-]+")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text; `first_line` is the number of its first line in the whole.

    `head`: what is read before it and not shown: the first two lines of a table, or the one that opens a fence, where
    that goes on in it; empty for none.
    """

    text: str
    first_line: int
    head: str = ""


def sections(text: str, size: int = SECTION) -> tuple[Section, ...]:
    """Parts of at least `size` characters that can be parsed on their own; where that is in doubt they are longer.

    All but the first open with text or a heading; for the space above them `LEAF_ABOVE` stands for what is there. A
    part that would be so long that reading it holds up the window is cut within its list, table or paragraph.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if len(text) < 2 * size and len(lines) <= LONG_LINES:
        return (Section(text, 0),)
    # a definition holds for the whole text, unless that is too long
    cuts = [] if len(text) < _DEFINED_WITHIN and _DEFINITION.search(text) else _cuts(lines, size)
    last = cuts[-1] if cuts else 0
    # with the line break before each cut: an empty line there may belong to the code of an open fence
    cut_off = [_Part(start, [*lines[start:end], ""]) for start, end in pairwise([0, *cuts])]
    return tuple(chain.from_iterable(map(_short_parts, [*cut_off, _Part(last, lines[last:])])))


@dataclass(frozen=True, slots=True)
class _Part:
    first_line: int
    lines: list[str]


def _short_parts(part: _Part) -> Iterator[Section]:
    """The part in sections none of which takes long to be read, but for the code of one fence."""
    if len(part.lines) <= LONG_LINES and sum(map(len, part.lines)) <= LONG_CHARACTERS:
        yield Section("\n".join(part.lines), part.first_line)
        return
    fence = _FenceLines()
    start = size = 0
    head, cut_head = "", ""
    for number, line in enumerate(part.lines):
        if (outside := fence.is_outside(line)) and len(line) > LONG_CHARACTERS:
            if number > start:
                yield Section("\n".join([*part.lines[start:number], ""]), part.first_line + start, cut_head)
            *firsts, rest = pieces(line, LONG_CHARACTERS // 2)
            yield from (Section(piece, part.first_line + number) for piece in firsts)
            part.lines[number] = rest
            start, size, head, cut_head = number, len(rest), "", ""
            continue
        if not outside and fence.at_margin:
            size += len(line) + 1
            continue
        if not outside and number - start >= LONG_FENCE:
            yield Section("\n".join([*part.lines[start:number], ""]), part.first_line + start, cut_head)
            start, size, head, cut_head = number, 0, "", f"{fence.opening}\n"
            size += len(line) + 1
            continue
        if not line or line.isspace():
            head = ""
        elif not head and number and "|" in line and _is_table(part.lines[number - 1], line):
            head = f"{part.lines[number - 1]}\n{line}\n"
            size += len(line) + 1
            continue
        length = number - start
        if outside and (length >= MOST_LINES or (size + len(line) > LONG_CHARACTERS and number > start)):
            in_table = bool(head) and "|" in line
            forced = length >= 2 * MOST_LINES or size > 2 * LONG_CHARACTERS
            if in_table or forced or OPENS.match(line):
                yield Section("\n".join([*part.lines[start:number], ""]), part.first_line + start, cut_head)
                start, size, cut_head = number, 0, head if in_table else ""
        size += len(line) + 1
    if not start or cut_head or any(map(str.strip, part.lines[start:])):  # what ends a fence may be the end
        yield Section("\n".join(part.lines[start:]), part.first_line + start, cut_head)


def _is_table(line: str, below: str) -> bool:
    """Return True if two lines may be the head of a table."""
    return "|" in line and "|" in below and "-" in below and _DELIMITERS.fullmatch(below) is not None


class _FenceLines:
    """Tells which lines of a text stand outside of fences, in whatever list or quote these are."""

    def __init__(self) -> None:
        self.opening = ""
        """The line that opens the last fence."""
        self.at_margin = False
        """True where that stands in no list or quote."""
        self._mark = ""

    def is_outside(self, line: str) -> bool:
        found = _ANY_FENCE.match(line) if line and ("`" in line or "~" in line) else None
        if found is None:
            return not self._mark
        if not self._mark:
            if found.group(1)[0] == "~" or "`" not in found.group(2):
                self._mark, self.opening = found.group(1), line
                self.at_margin = line[0] not in " \t>-*+0123456789"
                return True
        elif found.group(1).startswith(self._mark) and not found.group(2).strip():
            self._mark = ""
            return False
        return not self._mark


def _cuts(lines: list[str], size: int) -> list[int]:
    cuts: list[int] = []
    fence: _Fence | None = None
    size_so_far, in_math = 0, False
    for number, line in enumerate(lines):
        if not line or line.isspace():
            size_so_far += len(line) + 1
            in_math = False
            continue
        if fence is None and size_so_far >= size and not lines[number - 1].strip() and _is_cut(lines, number):
            cuts.append(number)
            size_so_far = 0
        size_so_far += len(line) + 1
        opening = _FENCE.fullmatch(line) if "`" in line or "~" in line else None
        if fence is not None:
            if opening is not None and opening.group(2).startswith(fence.mark) and not opening.group(3).strip():
                if opening.group(1) != fence.indent and fence.indent:
                    break
                fence = None
            elif fence.indent and not line[0].isspace():
                break  # a fence in a list would have ended here, one at the margin goes on
        elif opening is not None:
            indent, mark, info = opening.groups()
            if in_math or "|" in info:
                break  # a line of math, or the header of a table
            if mark[0] == "~" or "`" not in info:
                fence = _Fence(indent, mark)
        if not in_math and fence is None and ("$$" in line or "\\[" in line):
            in_math = _MATH.match(line) is not None
    return cuts


@dataclass(frozen=True, slots=True)
class _Fence:
    indent: str
    mark: str


def _is_cut(lines: list[str], number: int) -> bool:
    if _OPENS_HEADING.match(lines[number]):
        return True
    if not _OPENS_TEXT.match(lines[number]):
        return False
    last = number - 1
    while last > 0 and not lines[last].strip():
        last -= 1
    first = last
    while first > 0 and lines[first - 1].strip():
        first -= 1
    above = lines[first : last + 1]
    return _ENDS_TEXT.match(lines[last]) is not None and not any("|" in line for line in above)
