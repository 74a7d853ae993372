"""Owns how a message that was typed, not written by a model, becomes leaves: verbatim, but for its fenced code.

Knows no Markdown beyond fences: what somebody typed or pasted is shown as it stands.
"""

from __future__ import annotations

import re

from desktop_app.core.markdown.leaves import Block, Leaf
from desktop_app.core.markdown.structure import pieces

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*")


def plain_blocks(text: str) -> tuple[Block, ...]:
    """Verbatim blocks and code blocks of a typed text, in order; an unclosed fence is plain text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").split("\n")
    blocks: list[Block] = []
    start = line = 0
    while line < len(lines):
        opening = _FENCE.fullmatch(lines[line])
        end = _closing(lines, line, opening.group(1)) if opening else None
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


def _closing(lines: list[str], opening: int, mark: str) -> int | None:
    closing = re.compile(rf" {{0,3}}{re.escape(mark)}{mark[0]}*[ \t]*")
    return next((line for line in range(opening + 1, len(lines)) if closing.fullmatch(lines[line])), None)


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
