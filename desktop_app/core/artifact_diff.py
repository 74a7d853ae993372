"""Compares two versions of an artifact: line by line, and within changed lines word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

from desktop_app.core.text_diff import opcodes

VersionSign: TypeAlias = Literal[" ", "+", "-"]
Span: TypeAlias = tuple[int, int]

CONTEXT: Final = 3
"""Unchanged lines that are shown around a change."""
MOST_WORD_PAIRS: Final = 40_000
"""Pairs of words that one pair of lines may cost; a longer one is shown as replaced whole."""
ALL_WORD_PAIRS: Final = 4_000_000
"""Pairs of words for all lines of a comparison together."""
ALIKE: Final = 0.35
"""Share of characters that two lines have in common from which their words are compared."""

_Ranges: TypeAlias = tuple[list[tuple[Span, ...]], list[tuple[Span, ...]], int]
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A line of a comparison. `changed`: the ranges of its characters that differ, () where the whole line does.

    `number` counts from 1, in the later version, for a line that is gone in the earlier one. `skipped` unchanged lines
    before it are not shown.
    """

    sign: VersionSign
    text: str
    number: int
    changed: tuple[Span, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """The differences, and how many lines were added and removed. `skipped`: unchanged lines at the end, not shown."""

    lines: tuple[VersionLine, ...]
    added: int
    removed: int
    skipped: int = 0


def compare_versions(before: str, after: str) -> VersionDiff:
    """Return the differences of two versions. 200 KB take some tenths of a second: to be called off the GUI thread."""
    old, new = before.split("\n"), after.split("\n")
    steps = list(opcodes(old, new))
    lines: list[VersionLine] = []
    budget, skipped, added, removed = ALL_WORD_PAIRS, 0, 0, 0
    for place, (kind, i, i_end, j, j_end) in enumerate(steps):
        if kind == "equal":
            head = CONTEXT if place else 0
            tail = CONTEXT if place < len(steps) - 1 else 0
            if j_end - j <= head + tail:
                head, tail = j_end - j, 0
            lines += (VersionLine(" ", new[at], at + 1) for at in range(j, j + head))
            skipped = j_end - j - head - tail
            for at in range(j_end - tail, j_end):
                lines.append(VersionLine(" ", new[at], at + 1, skipped=skipped))
                skipped = 0
            continue
        gone, come, budget = _spans(old[i:i_end], new[j:j_end], budget)
        for number, (text, spans) in enumerate(zip(old[i:i_end], gone, strict=True), i + 1):
            lines.append(VersionLine("-", text, number, spans, skipped))
            skipped = 0
        for number, (text, spans) in enumerate(zip(new[j:j_end], come, strict=True), j + 1):
            lines.append(VersionLine("+", text, number, spans, skipped))
            skipped = 0
        added, removed = added + j_end - j, removed + i_end - i
    return VersionDiff(tuple(lines), added, removed, skipped)


def _spans(old: Sequence[str], new: Sequence[str], budget: int) -> _Ranges:
    """For lines in each other's place the ranges that differ, and what is left of the budget."""
    gone: list[tuple[Span, ...]] = [()] * len(old)
    come: list[tuple[Span, ...]] = [()] * len(new)
    for place, (before, after) in enumerate(zip(old, new, strict=False)):
        one, other = _WORD.findall(before), _WORD.findall(after)
        cost = len(one) * len(other)
        if not cost or cost > min(MOST_WORD_PAIRS, budget):
            continue
        budget -= cost
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        kept = sum(len("".join(one[block.a : block.a + block.size]).strip()) for block in blocks)
        if kept < ALIKE * max(len(before.strip()), len(after.strip())):
            continue
        gone[place] = tuple(_outside(one, [(block.a, block.size) for block in blocks]))
        come[place] = tuple(_outside(other, [(block.b, block.size) for block in blocks]))
    return gone, come, budget


def _outside(words: Sequence[str], kept: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """The ranges of characters of the words that are in none of the runs `kept`."""
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    at = 0
    for first, size in (*kept, (len(words), 0)):
        if first > at:
            yield offsets[at], offsets[first]
        at = first + size
