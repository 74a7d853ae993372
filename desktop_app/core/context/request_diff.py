"""Compares two requests of a thread: block by block, then line by line inside changed blocks.

Its time is bounded: what is too large to be matched is told as taken away and added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.request_view import ReadableRequest, RequestBlock
from desktop_app.core.text_diff import opcodes

HunkKind: TypeAlias = Literal["same", "changed", "added", "removed"]
CacheFate: TypeAlias = Literal["kept", "rewritten", "unmarked"]
Sign: TypeAlias = Literal[" ", "+", "-"]

CONTEXT: Final = 2
"""Unchanged lines that are shown around a change inside a block."""

CACHED_SETTINGS: Final = ("model", "thinking", "reasoning")
"""A change of one of these makes the whole cached prefix worthless."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line inside a changed block; `skipped` unchanged lines before it are not shown."""

    sign: Sign
    text: str
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """Blocks in a row that had the same fate. `first` is the number of the first one, from 1.

    It counts in the later request, for `removed` in the earlier one. `block` is the block itself where there is only
    one, in its later form; `lines` are filled for `changed`, and for `added` and `removed` hold the block's text.
    """

    kind: HunkKind
    first: int
    count: int
    block: RequestBlock | None = None
    lines: tuple[DiffLine, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestDiff:
    """`same` blocks at the beginning are equal. `cache`: what became of the earlier request's cache marks.

    `block`: kept up to this block, or rewritten from this block on; both count from 1. `settings` are (name, before,
    after) of the settings that differ.
    """

    hunks: tuple[DiffHunk, ...]
    same: int
    cache: CacheFate
    block: int
    settings: tuple[tuple[str, str, str], ...] = ()


def compare_requests(before: ReadableRequest, after: ReadableRequest) -> RequestDiff:
    """Return the changes from one request to another. To be called off the GUI thread."""
    old, new = [block.said for block in before.blocks], [block.said for block in after.blocks]
    hunks: list[DiffHunk] = []
    for kind, i, i_end, j, j_end in opcodes(old, new):
        if kind == "equal":
            hunks.append(DiffHunk("same", j + 1, j_end - j))
        else:
            hunks += _changes(before.blocks[i:i_end], after.blocks[j:j_end], i, j)
    names = dict.fromkeys(name for name, _ in (*before.settings, *after.settings))
    settings = tuple(
        (name, before.setting(name), after.setting(name))
        for name in names
        if before.setting(name) != after.setting(name)
    )
    same = hunks[0].count if hunks and hunks[0].kind == "same" else 0
    spoilt = any(name in CACHED_SETTINGS for name, _, _ in settings)
    cache, block = _fate(before.blocks, 0 if spoilt else same)
    return RequestDiff(tuple(hunks), same, cache, block, settings)


def _fate(before: Sequence[RequestBlock], same: int) -> tuple[CacheFate, int]:
    """A cache holds what stands before the marks of the earlier request, and is read up to the last mark still true."""
    marked = [number for number, block in enumerate(before, 1) if block.mark]
    if not marked:
        return "unmarked", same
    held = max((number for number in marked if number <= same), default=0)
    return ("kept", held) if held == marked[-1] else ("rewritten", held + 1)


def _changes(old: Sequence[RequestBlock], new: Sequence[RequestBlock], old_at: int, new_at: int) -> Iterator[DiffHunk]:
    """Blocks of one place: those of one kind are told as changed, the rest as taken away and added."""
    paired = 0
    for before, after in zip(old, new, strict=False):
        if (before.speaker, before.kind, before.title) != (after.speaker, after.kind, after.title):
            break
        yield DiffHunk("changed", new_at + paired + 1, 1, after, tuple(line_changes(before.text, after.text)))
        paired += 1
    for number, block in enumerate(old[paired:], old_at + paired + 1):
        yield DiffHunk("removed", number, 1, block, _whole(block, "-"))
    for number, block in enumerate(new[paired:], new_at + paired + 1):
        yield DiffHunk("added", number, 1, block, _whole(block, "+"))


def _whole(block: RequestBlock, sign: Sign) -> tuple[DiffLine, ...]:
    return tuple(DiffLine(sign, line) for line in block.text.split("\n"))


def line_changes(before: str, after: str) -> Iterator[DiffLine]:
    """The lines that differ, with some unchanged ones around them."""
    old, new = before.split("\n"), after.split("\n")
    steps = list(opcodes(old, new))
    skipped = 0
    for place, (kind, i, i_end, j, j_end) in enumerate(steps):
        if kind != "equal":
            for sign, lines in (("-", old[i:i_end]), ("+", new[j:j_end])):
                for line in lines:
                    yield DiffLine("-" if sign == "-" else "+", line, skipped)
                    skipped = 0
            continue
        head = CONTEXT if place else 0
        tail = CONTEXT if place < len(steps) - 1 else 0
        if i_end - i <= head + tail:
            head, tail = i_end - i, 0
        for line in old[i : i + head]:
            yield DiffLine(" ", line)
        skipped = i_end - i - head - tail
        for line in old[i_end - tail : i_end] if tail else ():
            yield DiffLine(" ", line, skipped)
            skipped = 0
