"""Compares texts and sequences, line by line and word by word, and merges two texts of one draft.

Common ends are taken off, elements that occur once in both anchor the rest, and only what lies between two anchors is
matched element by element; what is still too large for that counts as replaced.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from desktop_app.core.messages import QUEUED

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
    old: Sequence[Hashable], new: Sequence[Hashable], gap: Gap, *, anchored: bool, most: int = MOST_PAIRS
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
        if (i_end - i) * (j_end - j) <= most:
            matcher = SequenceMatcher(None, old[i:i_end], new[j:j_end], autojunk=False)
            yield from ((i + a, j + b, size) for a, b, size in matcher.get_matching_blocks() if size)
        elif anchored:
            before, other = i, j
            for at, beside in _anchors(old, new, (i, i_end, j, j_end)):
                yield from _runs(old, new, (before, at, other, beside), anchored=False, most=most)
                yield at, beside, 1
                before, other = at + 1, beside + 1
            yield from _runs(old, new, (before, i_end, other, j_end), anchored=False, most=most)
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


VersionSign: TypeAlias = Literal[" ", "+", "-"]
Span: TypeAlias = tuple[int, int]

CONTEXT: Final = 3
"""Unchanged lines that are shown around a change."""
MOST_WORD_PAIRS: Final = 40_000
"""Pairs of words that are matched at once; in a longer line only words that occur once lead to the places."""
ALL_WORD_PAIRS: Final = 4_000_000
"""Pairs of words for all lines of a comparison together."""
MOST_MARKS: Final = 200
"""Changed places of one line that are marked; a line with more is shown as replaced whole."""
ALIKE: Final = 0.35
"""Share of characters that two lines have in common from which their words are compared."""

_Ranges: TypeAlias = tuple[list[tuple[Span, ...]], list[tuple[Span, ...]], int]
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A line of a comparison. `changed`: the ranges of its characters that differ, () where the whole line does;
    an empty range stands where the other line has more.

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
        most = MOST_WORD_PAIRS if (cost := len(one) * len(other)) <= budget else 0
        budget -= cost if most else 0
        blocks = list(_runs(one, other, (0, len(one), 0, len(other)), anchored=True, most=most))
        kept = sum(len("".join(one[start : start + size]).strip()) for start, _, size in blocks)
        if kept < ALIKE * max(len(before.strip()), len(after.strip())):
            continue
        spans = list(_between(one, other, blocks))
        if spans and len(spans) <= MOST_MARKS:
            gone[place], come[place] = zip(*spans, strict=True)
    return gone, come, budget


def _between(
    one: Sequence[str], other: Sequence[str], kept: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[Span, Span]]:
    """The ranges of characters between the runs of words that two lines share, in the one and in the other."""
    ours, theirs = (list(accumulate(map(len, words), initial=0)) for words in (one, other))
    at, beside = 0, 0
    for start, opposite, size in (*kept, (len(one), len(other), 0)):
        if (at, beside) != (start, opposite):
            yield (ours[at], ours[start]), (theirs[beside], theirs[opposite])
        at, beside = start + size, opposite + size


GAP = "\n\n"


def queued(text: str, attachments: int) -> str:
    """Return a queued message as it stands in a draft."""
    return text + GAP + QUEUED * (1 + attachments)


def taken_apart(draft: str) -> tuple[list[tuple[str, int]], str]:
    """Return the queued messages of a draft, each with the number of its attachments, and the text behind them."""
    *queue, text = re.split(f"(?:^|{GAP})({QUEUED}+)", draft)
    return [(one, len(ends) - 1) for one, ends in zip(queue[::2], queue[1::2], strict=True)], text


def together(first: str, second: str) -> str:
    """Both texts, one below the other; one alone where it has the other as paragraphs of its own."""
    if not second.strip() or _holds(first, second):
        return first
    if not first.strip() or _holds(second, first):
        return second
    return first + GAP + second


def merged(base: str, mine: str, theirs: str) -> str:
    """Return the text of a writer who began with `base` and finds that another has made `theirs` of it meanwhile."""
    if mine == base:
        return theirs
    if _holds(base, theirs):  # nothing is new in it; what it lacks was sent
        return mine
    return together(mine, theirs.removeprefix(base + GAP) if base else theirs)


def without_sent(draft: str, sent: str) -> str:
    """Return the rest of a draft when a message is in the history: all but the message itself."""
    if draft.startswith(queued(sent, 0)):
        return draft[len(sent + GAP) :].lstrip(QUEUED)
    if (text := draft.strip("\n").rstrip()) == sent.strip("\n").rstrip():
        return ""
    if text.startswith(sent + GAP):  # it waited, and more was written below it
        return text[len(sent) :].lstrip("\n")
    return text[: -len(sent)].rstrip("\n") if text.endswith((GAP + sent, QUEUED + sent)) else draft


def _holds(text: str, part: str) -> bool:
    return GAP + part.replace(QUEUED, "") + GAP in GAP + text.replace(QUEUED, "") + GAP
