"""Matches two sequences, or two texts line by line, in a time that grows with their length.

Common ends are taken off, elements that occur once in both anchor the rest, and only what lies between two anchors is
matched element by element; what is still too large for that counts as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, TypeAlias

Opcode: TypeAlias = tuple[str, int, int, int, int]
Gap: TypeAlias = tuple[int, int, int, int]

MOST_PAIRS: Final = 250_000
"""Matching n elements with m others looks at up to n times m pairs; above this only anchors are matched."""


def opcodes(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Opcode]:
    """As `SequenceMatcher.get_opcodes`; neighbours of one kind are one."""
    kind, i, i_end, j, j_end = "", 0, 0, 0, 0
    for step in _steps(old, new):
        if step[0] == kind:
            i_end, j_end = step[2], step[4]
            continue
        if kind:
            yield _named(kind, i, i_end, j, j_end)
        kind, i, i_end, j, j_end = step
    if kind:
        yield _named(kind, i, i_end, j, j_end)


def _named(kind: str, i: int, i_end: int, j: int, j_end: int) -> Opcode:
    """`differ` under the name that `SequenceMatcher` has for it."""
    if kind == "equal":
        return kind, i, i_end, j, j_end
    return ("insert" if i == i_end else "delete" if j == j_end else "replace"), i, i_end, j, j_end


def _steps(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Opcode]:
    """`equal` and `differ` in order."""
    position = (0, 0)
    for start, other, length in _runs(old, new, (0, len(old), 0, len(new)), anchored=True):
        if position != (start, other):
            yield "differ", position[0], start, position[1], other
        if length:
            yield "equal", start, start + length, other, other + length
        position = start + length, other + length
    if position != (len(old), len(new)):
        yield "differ", position[0], len(old), position[1], len(new)


def _runs(
    old: Sequence[Hashable], new: Sequence[Hashable], gap: Gap, *, anchored: bool
) -> Iterator[tuple[int, int, int]]:
    """The runs of equal elements within a gap, in order: where in `old`, where in `new`, how many."""
    i, i_end, j, j_end = gap
    start = i
    while i < i_end and j < j_end and old[i] == new[j]:
        i, j = i + 1, j + 1
    if i > start:
        yield start, j - (i - start), i - start
    end = 0
    while end < min(i_end - i, j_end - j) and old[i_end - 1 - end] == new[j_end - 1 - end]:
        end += 1
    i_end, j_end = i_end - end, j_end - end
    if i < i_end and j < j_end:
        if (i_end - i) * (j_end - j) <= MOST_PAIRS:
            matcher = SequenceMatcher(None, old[i:i_end], new[j:j_end], autojunk=False)
            yield from ((i + a, j + b, size) for a, b, size in matcher.get_matching_blocks() if size)
        elif anchored:
            before, other = i, j
            for at, beside in _anchors(old, new, (i, i_end, j, j_end)):
                yield from _runs(old, new, (before, at, other, beside), anchored=False)
                yield at, beside, 1
                before, other = at + 1, beside + 1
            yield from _runs(old, new, (before, i_end, other, j_end), anchored=False)
    if end:
        yield i_end, j_end, end


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable], gap: Gap) -> list[tuple[int, int]]:
    """The longest rising series of elements that occur once on both sides."""
    i, i_end, j, j_end = gap
    once_old, once_new = Counter(old[i:i_end]), Counter(new[j:j_end])
    places = {new[at]: at for at in range(j, j_end) if once_new[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(i, i_end) if once_old[old[at]] == 1 and old[at] in places]
    ends: list[int] = []  # the least last place in `new` of a series of each length
    series: list[int] = []  # the pair that it ends with
    before: list[int] = []  # for each pair the one before it in its series
    for number, (_, beside) in enumerate(pairs):
        length = bisect_left(ends, beside)
        before.append(series[length - 1] if length else -1)
        ends[length : length + 1] = [beside]
        series[length : length + 1] = [number]
    found: list[tuple[int, int]] = []
    number = series[-1] if series else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
