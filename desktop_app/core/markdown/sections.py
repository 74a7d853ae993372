"""Owns where a long text can be cut so that its parts, read one by one, give the blocks of the whole.

Knows no parser: it finds only cuts that hold whatever stands around them, and none where it is in doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from desktop_app.core.markdown.leaves import Leaf

#: Characters of a section, at least; markdown-it reads about 3,000 characters in a millisecond.
SECTION = 4_000

#: Stands for the leaf above a cut: that leaf is text, or what comes beneath is a heading.
LEAF_ABOVE = Leaf("paragraph", "", -1, -1)

# A line at the margin that opens a block of its own after an empty line, whatever stands before it.
_OPENS_TEXT = re.compile(r"[^\W\d_]|\*\*[^\s*]")
_OPENS_HEADING = re.compile(r"#{1,6}[ \t]+[^\s#]")
# A line whose leaf is text, at the margin or in a list.
_ENDS_TEXT = re.compile(r"(?:[-+*] |\d{1,9}[.)] )?(?:[^\W\d_]|\*\*[^\s*])")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")
_MATH = re.compile(r" {0,3}(?:\$\$|\\\[)")
# A link reference definition: it holds for the text before it, too.
_DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*\[(?:[^\[\]\\]|\\.)*\]:", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text; `first_line` is the number of its first line in the whole."""

    text: str
    first_line: int


def sections(text: str, size: int = SECTION) -> tuple[Section, ...]:
    """Parts of at least `size` characters that can be parsed on their own; where that is in doubt they are longer.

    All but the first open with text or a heading; for the space above them `LEAF_ABOVE` stands for what is there.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) < 2 * size or _DEFINITION.search(text):
        return (Section(text, 0),)
    lines = text.split("\n")
    cuts = _cuts(lines, size)
    last = cuts[-1] if cuts else 0
    # with the line break before each cut: an empty line there may belong to the code of an open fence
    cut_off = [Section("\n".join([*lines[start:end], ""]), start) for start, end in pairwise([0, *cuts])]
    return (*cut_off, Section("\n".join(lines[last:]), last))


def _cuts(lines: list[str], size: int) -> list[int]:
    cuts: list[int] = []
    fence: _Fence | None = None
    size_so_far, in_math = 0, False
    for number, line in enumerate(lines):
        if fence is None and size_so_far >= size and not lines[number - 1].strip() and _is_cut(lines, number):
            cuts.append(number)
            size_so_far = 0
        size_so_far += len(line) + 1
        if not line.strip():
            in_math = False
            continue
        opening = _FENCE.fullmatch(line)
        if fence is not None:
            if opening is not None and fence.is_closed_by(opening):
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
        in_math = in_math or (fence is None and _MATH.match(line) is not None)
    return cuts


@dataclass(frozen=True, slots=True)
class _Fence:
    indent: str
    mark: str

    def is_closed_by(self, line: re.Match[str]) -> bool:
        return line.group(2).startswith(self.mark) and not line.group(3).strip()


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
