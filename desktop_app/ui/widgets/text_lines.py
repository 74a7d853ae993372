"""A long text as lines for the eye, none longer than `LONGEST`, so that laying out one costs little.

May be called on any thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

LineKind: TypeAlias = Literal["text", "heading", "title", "note", "mark", "fold", "added", "removed"]

LONGEST: Final = 1_000
"""Characters of a line; what is longer goes on in the next one, which says so."""


class TextLine(NamedTuple):
    """One line. `goes_on`: it continues the one before without a line break. `fold`: what unfolding it shows.

    `marked`: the ranges of its characters that stand out, from and to before.

    A tuple, as tens of thousands of them are compared at a time.
    """

    kind: LineKind
    text: str
    goes_on: bool = False
    fold: int | None = None
    marked: tuple[tuple[int, int], ...] = ()


def text_lines(text: str, kind: LineKind = "text") -> Iterator[TextLine]:
    """The lines of a text, long ones in pieces."""
    # the text edit would take these for the end of a line, or of a paragraph
    for line in text.replace("\r", "").replace("\u2029", " ").replace("\u2028", " ").split("\n"):
        start, end = 0, _cut(line, 0)
        yield TextLine(kind, line[:end])
        while end < len(line):
            start, end = end, _cut(line, end)
            yield TextLine(kind, line[start:end], goes_on=True)


def _cut(line: str, start: int) -> int:
    """Return the end of a piece of a long line that begins at `start`: behind a space, where there is one near."""
    end = start + LONGEST
    if end >= len(line):
        return len(line)
    space = line.rfind(" ", end - LONGEST // 4, end)
    return space + 1 if space > 0 else end


def plain_text(lines: Sequence[TextLine]) -> str:
    """The lines as one text, long ones whole again."""
    return "".join(line.text if not place or line.goes_on else f"\n{line.text}" for place, line in enumerate(lines))
