"""Turns a typed message into leaves: verbatim, but for its fenced code."""

from __future__ import annotations

import re

from desktop_app.core.markdown.block_building import pieces
from desktop_app.core.markdown.blocks import Block, Leaf

_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)[^`]*+")
#: Behind so many blocks there is no code any more: each is a card of its own.
MOST_BLOCKS = 400
_CLOSING = re.compile(r" {0,3}(`{3,}+|~{3,}+)[ \t]*+")


def plain_blocks(text: str) -> tuple[Block, ...]:
    """Verbatim blocks and code blocks of a typed text, in order; an unclosed fence is plain text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").split("\n")
    blocks: list[Block] = []
    start = line = 0
    longest = _longest_closings(lines)
    while line < len(lines) and len(blocks) < MOST_BLOCKS:
        opening = _FENCE.fullmatch(lines[line]) if lines[line] else None
        end = _closing(lines, line, opening.group(1), longest) if opening else None
        if opening is None or end is None:
            line += 1
            continue
        blocks += _verbatim(lines, start, line)
        code = "".join(f"{row}\n" for row in lines[line + 1 : end])
        leaf = Leaf("code", code, line, end + 1, language=opening.group(2))
        blocks.append(Block("\n".join(lines[line : end + 1]), line, (leaf,)))
        start = line = end + 1
    blocks += _verbatim(lines, start, len(lines))
    return tuple(blocks)


def _closing(lines: list[str], opening: int, mark: str, longest: dict[str, list[int]]) -> int | None:
    """The line that closes a fence, looked for only where there is one: so each line is looked at once."""
    if longest[mark[0]][opening + 1] < len(mark):
        return None
    return next(line for line in range(opening + 1, len(lines)) if _closes(lines[line], mark))


def _closes(line: str, mark: str) -> bool:
    found = _CLOSING.fullmatch(line)
    return found is not None and found.group(1).startswith(mark)


def _longest_closings(lines: list[str]) -> dict[str, list[int]]:
    """For each sign of fences and each line, how long the longest is that closes one from that line on; 0: none."""
    longest = {sign: [0] * (len(lines) + 1) for sign in "`~"}
    for line in range(len(lines) - 1, -1, -1):
        for lengths in longest.values():
            lengths[line] = lengths[line + 1]
        found = _CLOSING.fullmatch(lines[line]) if lines[line] else None
        if found is not None:
            lengths = longest[found.group(1)[0]]
            lengths[line] = max(lengths[line], len(found.group(1)))
    return longest


def _verbatim(lines: list[str], start: int, end: int) -> list[Block]:
    while start < end and not lines[start].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    if start == end:
        return []
    text = "\n".join(lines[start:end])
    return [
        Block(piece.removesuffix("\n"), start, (Leaf("plain", piece.removesuffix("\n"), start, end),))
        for piece in pieces(text)
    ]
