"""Builds blocks of leaves from a parser's block tokens, and from a message that was typed."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN, Alignment, Block, Leaf, TablePiece
from desktop_app.core.markdown.blocks import LONGEST as LONGEST_FORMULA
from desktop_app.core.markdown.footnotes import marker_of

#: A paragraph longer than this is drawn in pieces, so that no single layout takes long (characters).
PIECE = 4_000
#: Rows per piece of a table: a piece is laid out as a whole when it comes into view.
TABLE_PIECE = 40

#: What the delimiters of a formula and the white space around it may add to its length (characters).
DELIMITERS = 16

_TASK = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_CONTAINERS = {
    "blockquote_open": "q",
    "bullet_list_open": "u",
    "ordered_list_open": "o",
    "note_open": "n",
}
_BREAKS = re.compile(r"[.!?…][\"'”)]*\s|[。！？]"), re.compile(r"\s")


def blocks_from(tokens: Sequence[Token], lines: Sequence[str], first_line: int) -> list[Block]:
    """The top-level blocks in `tokens`; `lines` are the parsed text's lines, the first is line `first_line`."""
    blocks = []
    for start, end in _top_level(tokens):
        first, last = tokens[start].map or [0, 0]
        leaves = tuple(_Walk(first_line).leaves(tokens[start:end]))
        blocks.append(Block("\n".join(lines[first:last]), first_line + first, leaves))
    return blocks


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """`text` cut behind a line, else a sentence, else a word after every `size` characters, whatever follows."""
    start = 0
    while len(text) - start > 2 * size:
        newline, span = text.find("\n", start + size, start + 2 * size), (start + size, start + 2 * size)
        found = newline < 0 and (_BREAKS[0].search(text, *span) or _BREAKS[1].search(text, *span))
        cut = newline + 1 if newline >= 0 else found.end() if found else start + 2 * size
        yield text[start:cut]
        start = cut
    yield text[start:]


def _top_level(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    start = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0:
            start = index
        if token.level == 0 and token.nesting <= 0:
            yield start, index + 1


class _Walk:
    """Follows the tokens of one top-level block and keeps what the next leaf stands in."""

    def __init__(self, first_line: int) -> None:
        self._offset = first_line
        self._containers = ""
        self._marker = ""
        self._item: Token | None = None
        self._level = 0
        self._table_tokens: list[Token] = []

    def leaves(self, tokens: Sequence[Token]) -> Iterator[Leaf]:
        for token in tokens:
            if self._table_tokens:
                self._table_tokens.append(token)
                if token.type == "table_close":
                    yield from self._table(self._table_tokens)
                    self._table_tokens = []
            elif token.nesting > 0:
                if token.type in _CONTAINERS:
                    self._containers += _CONTAINERS[token.type]
                    if token.type == "note_open":
                        self._marker, self._item = marker_of(str(token.meta["label"])), token
                elif token.type == "list_item_open":
                    self._marker = f"{token.info}{token.markup}" if token.info else BULLET
                    self._item = token
                elif token.type == "heading_open":
                    self._level = int(token.tag[1])
                elif token.type == "table_open":
                    self._table_tokens = [token]
            elif token.nesting < 0:
                yield from self._leave(token)
            else:
                yield from self._content(token)

    def _leave(self, token: Token) -> Iterator[Leaf]:
        if token.type == "note_close" and self._marker and self._item is not None:
            yield self._leaf(self._item, "paragraph", "")  # a note without a word is still led to
        if token.type.replace("_close", "_open") in _CONTAINERS:
            self._containers = self._containers[:-1]
        elif token.type == "heading_close":
            self._level = 0
        elif token.type == "list_item_close" and self._marker and self._item is not None:
            yield self._leaf(self._item, "paragraph", "")  # an empty item still has its marker

    def _content(self, token: Token) -> Iterator[Leaf]:
        match token.type:
            case "inline":
                yield from self._paragraph(token)
            case "fence":
                words = token.info.split()
                yield self._leaf(token, "code", token.content, language=words[0] if words else "", info=" ".join(words))
            case "code_block":
                yield self._leaf(token, "code", token.content)
            case "math_block":
                # what no formula is as long as is shown as what it is written in
                long = len(token.content) > LONGEST_FORMULA + DELIMITERS
                yield self._leaf(token, "code" if long else "math", token.content)
            case "hr":
                yield self._leaf(token, "rule", "")

    def _leaf(self, token: Token, kind: str, text: str, **fields: object) -> Leaf:
        marker, self._marker = self._marker, ""
        first, end = token.map or (0, 0)
        return Leaf(
            kind=kind,  # type: ignore[arg-type]
            text=text,
            first_line=self._offset + first,
            end_line=self._offset + end,
            containers=self._containers,
            marker=marker,
            **fields,  # type: ignore[arg-type]
        )

    def _paragraph(self, token: Token) -> Iterator[Leaf]:
        text = token.content
        if self._marker and not self._marker.startswith("[^") and (task := _TASK.match(text)):
            self._marker = TASK_OPEN if task.group(1) == " " else TASK_DONE
            text = text[task.end() :]
        for piece in pieces(text):
            yield self._leaf(token, "heading" if self._level else "paragraph", piece, level=self._level)

    def _table(self, tokens: Sequence[Token]) -> Iterator[Leaf]:
        rows: list[list[str]] = []
        alignments: list[Alignment] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                alignments.append(_alignment(token))
            elif token.type == "inline":
                rows[-1].append(token.content)
        body = rows[1:] or rows
        widest = tuple(_widest({row[column] for row in body}) for column in range(len(alignments)))
        heaviest = _heaviest(body, [max(map(len, cells)) for cells in widest])
        first = tuple(rows[1]) if len(rows) > 2 else ()
        for start in range(0, len(rows), TABLE_PIECE):
            piece = tuple(tuple(row) for row in rows[start : start + TABLE_PIECE])
            table = TablePiece(piece, tuple(alignments), widest, heaviest, tuple(rows[0]), first, has_header=start == 0)
            yield self._leaf(tokens[0], "table", "", table=table)


def _heaviest(rows: Sequence[Sequence[str]], longest: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return the six rows whose cells come nearest to the longest of their columns."""

    def weight(row: Sequence[str]) -> tuple[float, int]:
        return max(len(cell) / (most or 1) for cell, most in zip(row, longest, strict=False)), sum(map(len, row))

    return tuple(map(tuple, heapq.nlargest(6, rows, key=weight)))


def _widest(cells: set[str]) -> tuple[str, ...]:
    """Return the three longest cells, and the one with the longest word."""
    wordy = max(cells, key=lambda cell: (max(map(len, cell.split()), default=0), len(cell), cell))
    return tuple(dict.fromkeys((*heapq.nlargest(3, cells, key=lambda cell: (len(cell), cell)), wordy)))


def _alignment(token: Token) -> Alignment:
    style = str(token.attrGet("style") or "")
    return "right" if style.endswith("right") else "center" if style.endswith("center") else "left"


_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)([^`]*+)")
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
        info = " ".join("".join(opening.group(2, 3)).split())
        leaf = Leaf("code", code, line, end + 1, language=opening.group(2), info=info)
        blocks.append(Block("\n".join(lines[line : end + 1]), line, (leaf,)))
        start = line = end + 1
    blocks += _verbatim(lines, start, len(lines))
    return tuple(blocks)


#: A typed text that is longer is folded to so many lines.
FOLDED_LINES = 8
#: Characters of a line that a column shows in one, of scripts with wide letters half as many.
COLUMN = 90


def folded(leaves: Sequence[Leaf]) -> tuple[list[Leaf], int]:
    """The beginning of a typed text, and of how many lines all of it is, as a column shows them; 0: that is all.

    Code is shown whole where it begins: what is copied of its card is all of it, and it folds by itself.
    """
    shown: list[Leaf] = []
    total = 0
    for leaf in leaves:
        if leaf.kind == "code" and total < FOLDED_LINES:
            shown.append(leaf)
        kept: list[str] = []
        for line in leaf.text.removesuffix("\n").split("\n"):
            wide = 0 if line.isascii() else sum(letter > "\u2e80" for letter in line)
            left, count = FOLDED_LINES - total, max(1, -(-(len(line) + wide) // COLUMN))
            if left > 0:
                room = left * COLUMN * len(line) // max(1, len(line) + wide)
                kept.append(line if count <= left else line[:room].rsplit(" ", 1)[0])
            total += count
        if kept and leaf.kind != "code":
            text = "\n".join(kept)
            cut = replace(leaf, text=text, end_line=leaf.first_line + len(kept))
            shown.append(leaf if text == leaf.text else cut)
    # a line less is not worth the words in its place
    return (list(leaves), 0) if shown == list(leaves) or total <= FOLDED_LINES + 1 else (shown, total)


def _closing(lines: list[str], opening: int, mark: str, longest: dict[str, list[int]]) -> int | None:
    """The line that closes a fence, looked for only where there is one: so each line is looked at once."""
    if longest[mark[0]][opening + 1] < len(mark):
        return None
    return next(line for line in range(opening + 1, len(lines)) if _closes(lines[line], mark))


def _closes(line: str, mark: str) -> bool:
    return (found := _CLOSING.fullmatch(line)) is not None and found.group(1).startswith(mark)


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
