"""Parses text that grows: closed blocks that never change, and the open tail.

Only the tail is parsed again when text arrives. A block is closed as soon as the line that opens the block behind it
is complete: until then that line may still turn out to continue it (`2` becomes `2. ` and goes on with the list).
A block without an end is closed in parts, so that no chunk costs more than a part does.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_app.core.markdown.block_building import blocks_from
from desktop_app.core.markdown.blocks import Block, Leaf
from desktop_app.core.markdown.footnotes import defined_notes, is_note
from desktop_app.core.markdown.markdown_dialect import GROWING, OPEN

References = Mapping[str, Mapping[str, Any]]

#: A block that is longer than this may be cut (lines, characters).
MOST_LINES = 150
MOST_CHARACTERS = 16_000
#: A line that is as long as this is cut, too, as no other line is.
LONGEST_LINE = 64_000
#: Longer texts are read in sections (characters).
LONG = 10_000

_FENCE = re.compile(r"(`{3,}+|~{3,}+)([^\n]*+)\n")
_UNDECIDED = re.compile(
    r"[ \t]*(?:[-=*+_#>|~`$\\]+|\d{1,9}[.)]?|(?:`{3,}|~{3,})[^\n]*|\|[^\n]*|[-*+] \[[ xX]?\]?"
    r"|\[(?:\^[^\s\]]{0,60}(?:\]:?)?)?)[ \t]*"
)
_TABLE_LINE = re.compile(r" {0,3}\|")
_SPACE = re.compile(r"\s")


def is_long(text: str) -> bool:
    """Return True if a finished text is read in sections, as they come near the view."""
    return len(text) > LONG or text.count("\n") > 2 * MOST_LINES


def part_end(text: str, stretch: int = 1) -> int:
    """Return the end of the first part of a text that begins with a block that is too long; 0: it is not that long.

    A part ends behind a line, but for one line that alone is too long.
    """
    lines, characters, longest = MOST_LINES * stretch, MOST_CHARACTERS * stretch, LONGEST_LINE * stretch
    if len(text) < lines:
        return 0
    end = count = 0
    while count < lines and (following := text.find("\n", end, end + longest) + 1):
        if following > characters and end:
            return end
        end, count = following, count + 1
        if end > characters:
            break
    if count == lines or end > characters:
        return end
    if len(text) - end < longest:  # what comes next may yet be a line that is not too long
        return 0
    found = None if end else _SPACE.search(text, longest // 2, longest)
    return end or (found.end() if found is not None else longest)


@dataclass(frozen=True, slots=True)
class _Read:
    """The result of reading a text; lines of `references` and `unsure` count from the text's first."""

    blocks: Sequence[Block]
    lines: Sequence[str]
    references: Mapping[str, Mapping[str, Any]]
    unsure: Container[int]


class BlockStream:
    """Takes text in any chunks. After `finish()` the blocks equal those of one parse of the whole text."""

    def __init__(self, parser: MarkdownIt, first_line: int = 0, head: str = "") -> None:
        """`first_line` is the number of the text's first line; `head` as in `Section`."""
        self._parser = parser
        self._head = head
        self._stretch = 1
        self.closed: list[Block] = []
        """Blocks that can never change again. The same list grows: do not keep slices, keep lengths."""
        self._references: dict[str, Mapping[str, Any]] = {}
        self._tail_references: dict[str, Mapping[str, Any]] = {}
        self._tail: tuple[Block, ...] = ()
        self._text = ""
        self._line = first_line
        self._carriage_return = False
        self._fence: _OpenFence | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Closed blocks and the open tail."""
        return (*self.closed, *self.tail)

    @property
    def tail(self) -> tuple[Block, ...]:
        """The blocks that may still change: usually one."""
        return (self._fence.block(self._line),) if self._fence is not None else self._tail

    @property
    def rest(self) -> tuple[str, int, str]:
        """The text behind the closed blocks, the number of its first line, and its `head` as in `Section`."""
        text = self._text if self._fence is None else self._fence.source
        return text + "\r" * self._carriage_return, self._line, self._head

    @property
    def references(self) -> References:
        """Link reference definitions seen so far, by normalised label, and the notes that are defined."""
        return {**self._tail_references, **self._references}

    def feed(self, text: str) -> None:
        """Takes the next chunk. A last line that is not decided yet (`--`, `| a`) is parsed but held back."""
        self._append(text)
        self._advance(final=False)

    def finish(self) -> None:
        """Says that the text is complete: nothing is held back any more."""
        if self._carriage_return:
            self._append("\n")
        self._advance(final=True)

    def _append(self, text: str) -> None:
        if self._carriage_return:
            text = "\r" + text
        self._carriage_return = text.endswith("\r")
        if self._carriage_return:
            text = text[:-1]
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        if self._fence is not None:
            self._fence.append(text)
        else:
            self._text += text

    def _advance(self, *, final: bool) -> None:
        fence, self._fence = self._fence, None
        if fence is not None:
            if fence.closed:
                self.closed.append(fence.block(self._line))
                self._line += 2 + fence.lines
                self._text = fence.rest
            elif final:
                self._end_fence(fence)
                return
            else:
                self._fence = fence
                return
        first = -1
        while first != self._line:  # what is left behind a closed block may be too long again
            if self._close_parts(growing=not final):
                return
            first = self._line
            read = self._close_decided(self._text if final else self._text[: _decided(self._text)], growing=not final)
            if not part_end(self._text, self._stretch):
                break
        self._tail_references = dict(read.references)
        fence = self._open_fence() if not final else None
        if fence is not None and not fence.closed:
            self._fence = fence

    def _read(self, text: str, *, growing: bool) -> _Read:
        env: dict[str, Any] = {GROWING: growing}
        text = self._head + text
        above = self._head.count("\n")
        tokens = self._parser.parse(text, env)
        lines = text.split("\n")
        blocks = blocks_from(tokens, lines, self._line - above)
        references = {**env.get("references", {}), **defined_notes(tokens)}
        unsure = _unsure(tokens, lines)
        if above:
            from desktop_app.core.markdown.long_blocks import without_head  # only text that was cut has a head

            blocks = without_head(blocks, above)
            references = {
                label: {**one, "map": [line - above for line in one["map"]]} for label, one in references.items()
            }
            unsure = [line - above for line in unsure]
        return _Read(blocks, lines[above:], references, unsure)

    def _close_decided(self, text: str, *, growing: bool) -> _Read:
        """Closes the blocks of the text that can't change any more and takes the others for the tail."""
        read = self._read(text, growing=growing)
        keep = self._first_open(read.blocks, read.references, read.unsure, len(read.lines) - 1)
        if keep > 0:
            self._close(read, keep, read.blocks[keep].first_line - self._line)
        self._tail = tuple(read.blocks[keep:])
        return read

    def _close(self, read: _Read, keep: int, boundary: int) -> None:
        """Closes the first blocks that were read, which end before a line of the text."""
        self.closed += read.blocks[:keep]
        for label, definition in read.references.items():
            if definition["map"][1] <= boundary:
                self._references.setdefault(label, definition)
        # what was held back follows behind the text that was read and stays
        self._go_on(self._text[sum(len(line) + 1 for line in read.lines[:boundary]) :], boundary)

    def _go_on(self, text: str, lines: int, head: str = "") -> None:
        """Go on with this text; the text before it is closed."""
        self._text, self._head, self._stretch = text, head, 1
        self._line += lines

    def _end_fence(self, fence: _OpenFence) -> None:
        """The text is complete and a fence is its end: to read that again would take as long as it has lines."""
        fence.end()
        self.closed.append(fence.block(self._line))
        self._text, self._tail, self._tail_references = "", (), {}

    def _close_parts(self, *, growing: bool) -> bool:
        """Closes parts of a block that would take long to be read again with each chunk; True: what is left is a fence.

        Where it is cut depends only on the text, not on the chunks in which it comes.
        """
        while end := part_end(self._text, self._stretch):
            from desktop_app.core.markdown.long_blocks import before, cut_in  # most texts are never cut

            part = self._text[:end]
            if not part.endswith("\n"):  # of a line that is too long
                self.closed += self._read(part, growing=False).blocks
                self._go_on(self._text[end:], 0)
                continue
            line = self._line
            read = self._close_decided(part, growing=True)
            if self._line > line:
                continue
            if (fence := self._open_fence()) is not None and not fence.closed:
                if growing:
                    self._fence = fence
                else:
                    self._end_fence(fence)
                return True
            cut = cut_in(read.blocks, part.split("\n")[:-1], line, self._stretch) if fence is None else None
            if fence is not None:
                self.closed.append(fence.block(line))
                self._go_on(fence.rest, 2 + fence.lines)
            elif cut is None:
                self._stretch *= 2
            else:
                head = (self._head or cut.head) if cut.head else ""
                # what a line opens that is text behind the cut would be read no otherwise if the text ended there
                splits = any(one["map"][0] < cut.line < one["map"][1] for one in read.references.values())
                is_known = cut.line < len(read.lines) - 1 and not splits
                blocks: Sequence[Block] | None = before(read.blocks, line + cut.line) if is_known else None
                if blocks is None:
                    text = "".join(f"{one}\n" for one in read.lines[: cut.line])
                    read = self._read(text, growing=False)
                    blocks = read.blocks
                self._close(replace(read, blocks=blocks), len(blocks), cut.line)
                self._head = head
        return False

    def _first_open(
        self, blocks: Sequence[Block], references: References, unsure: Container[int], complete: int
    ) -> int:
        """Index of the last block whose opening line is complete and cannot belong to what stands before it.

        It could as the title of a reference, or as a further line of a paragraph (`unsure`). Where the text was read
        further than a part reaches it is the first: what follows would else not be cut as when it comes in pieces.
        """
        reference_ends = {found["map"][1] for label, found in references.items() if not is_note(label)}
        order = range(1, len(blocks)) if self._stretch > 1 else range(len(blocks) - 1, 0, -1)
        for index in order:
            line = blocks[index].first_line - self._line
            if line < complete and line not in reference_ends and line not in unsure:
                return index
        return 0

    def _open_fence(self) -> _OpenFence | None:
        """The top-level fence that the text is, whose lines are followed without the parser; None: it is none."""
        opening = _FENCE.match(self._text)
        if opening is None or len(self._tail) != 1 or set(opening.group(2)) & {"`", "|"}:
            return None  # backticks cannot stand in its info line, and a line with bars may yet be a table's header
        if (leaf := self._tail[0].leaves[0]).kind != "code" or self._head:
            return None
        fence = _OpenFence(opening, leaf.language, leaf.info)
        fence.append(self._text[opening.end() :])
        return fence


def parse_blocks(
    parser: MarkdownIt, text: str, first_line: int = 0, head: str = ""
) -> tuple[tuple[Block, ...], References]:
    """A complete text's blocks, and link references by label; `first_line` and `head` for a part, as in `Section`."""
    stream = BlockStream(parser, first_line, head)
    stream._append(text)
    stream.finish()
    return stream.blocks, stream.references


class _OpenFence:
    def __init__(self, opening: re.Match[str], language: str, info: str) -> None:
        self.closed = False
        self.rest = ""
        self.lines = 0
        self._opening = opening.group()
        self._language, self._info = language, info
        self._content = ""
        self._open_line = ""
        self._closing_line = ""
        self._ended = False
        mark = opening.group(1)
        self._closing = re.compile(rf" {{0,3}}{re.escape(mark)}{mark[0]}*[ \t]*")

    def append(self, text: str) -> None:
        *complete, self._open_line = (self._open_line + text).split("\n")
        for index, line in enumerate(complete):
            if line and self._closing.fullmatch(line):
                self.closed = True
                self.rest = "\n".join([*complete[index + 1 :], self._open_line])
                complete, self._closing_line, self._open_line = complete[:index], line, ""
                break
        self._content += "".join(f"{line}\n" for line in complete)
        self.lines += len(complete)

    def end(self) -> None:
        """Says that the text is complete."""
        if self._closing.fullmatch(self._open_line):
            self.append("\n")
        self._open_line = self._open_line if self._open_line.strip(" \t") else ""
        self._ended = True

    @property
    def source(self) -> str:
        if self._ended and not self.closed:
            return (self._opening + self._content + self._open_line).removesuffix("\n")
        return self._opening + self._content + (self._closing_line if self.closed else self._open_line)

    def block(self, first_line: int) -> Block:
        shown = "" if not self._ended and _UNDECIDED.fullmatch(self._open_line) else self._open_line
        end = first_line + 1 + self.lines + (self.closed or bool(shown))
        leaf = Leaf("code", self._content + shown, first_line, end, language=self._language, info=self._info)
        return Block(self.source, first_line, (leaf,))


def _unsure(tokens: Sequence[Token], lines: Sequence[str]) -> list[int]:
    """Lines that may yet be text of the paragraph above: of a formula without an end, of a table with half a head."""
    unsure = []
    for token in tokens:
        if token.type not in ("math_block", "table_open") or token.map is None:
            continue
        first, end = token.map
        known = first + 2 < len(lines) if token.type == "table_open" else OPEN not in token.meta and end < len(lines)
        if not known and first and lines[first - 1].strip():
            unsure.append(first)
    return unsure


def _decided(text: str) -> int:
    """Return how much of a growing text can be shown: a last line that may yet become something else is left out.

    `-` under a paragraph would make it a heading until it becomes a list; a first table line would be a paragraph
    until the line beneath it comes. Neither may flicker.
    """
    start = text.rfind("\n") + 1
    before = text.rfind("\n", 0, start - 1) + 1 if start else 0
    candidate = _TABLE_LINE.match(text, before, start) is not None and (
        before == 0 or _TABLE_LINE.match(text, text.rfind("\n", 0, before - 1) + 1, before) is None
    )
    if _TABLE_LINE.match(text, start) and not candidate and start and _TABLE_LINE.match(text, before, start):
        return len(text)  # a further row of a table
    if start < len(text) and not _UNDECIDED.fullmatch(text, start):
        return len(text)
    return before if candidate else start
