"""Holds what is shown of one group of parts, and reads its text in slices while it grows.

A server may send megabytes at once, or thousands of deltas between two frames: what one turn of the event loop reads of
it is bounded, and so is what is shown of it before the answer is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from desktop_app.core.markdown.block_stream import BlockStream
from desktop_app.core.markdown.footnotes import NoteNumbers
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.line_items import LINE
from desktop_app.ui.transcript.message.part_groups import PartGroup, PartGroupKind

if TYPE_CHECKING:  # most answers are never read in sections
    from desktop_app.core.markdown.sections import Section

#: More than a part has rows: what is selected keeps its numbers when rows before it are made.
SLOTS = 1 << 32

#: Kinds of groups that are a use of tools.
TOOLS = ("recall", "documents", "history", "web", "tool")

#: What one turn of the event loop reads: a character counts one, a line `LINE` more.
SLICE = 3_000
#: So much is read before the answer is over (characters, rows): no model writes as much in one, and each row costs a
#: little with every frame.
MOST_GROWING = 2_000_000
MOST_ROWS = 8_000
#: A delta is cut into pieces of so many characters, which are read whole.
PIECE = 500


@dataclass(slots=True, eq=False)
class GroupRows:
    """One group: its fold line, its rows, and for text the stream it is read from.

    `text` is what has come, `unread` the end of it that `read_slice` has not read yet. `began`: when thinking began to
    come, on the clock that only goes on; `seconds`: how long it took, 0: not known.
    """

    group: PartGroup
    fold: CanvasRow | None = None
    rows: list[CanvasRow] = field(default_factory=list)
    stream: BlockStream | None = None
    notes: NoteNumbers = field(default_factory=NoteNumbers)
    text: list[str] = field(default_factory=list)
    unread: deque[str] = field(default_factory=deque)
    read: int = 0
    closed_blocks: int = 0
    closed_rows: int = 0
    free_rows: int = 0  # so many from the first on wait for nothing
    growing: bool = False
    still: bool = False  # it has grown: what is painted of it must not change
    began: float = 0.0
    seconds: float = 0.0

    @property
    def number(self) -> int:
        """The place of the group's first part in the message, which its rows carry."""
        return self.group.number

    @property
    def inset(self) -> str:
        """The container that its rows stand in."""
        return "t" if self.group.kind == "thinking" else ""

    @property
    def uses_tools(self) -> bool:
        """True for a group whose results may be missing yet."""
        return self.group.kind in TOOLS and bool(self.group.calls)

    @property
    def content(self) -> tuple[PartGroupKind, object]:
        """The content shown of it, in the form of `PartGroup.content`."""
        return (self.group.kind, "".join(self.text)) if self.text else self.group.content

    def begin(self, text: str) -> None:
        """Takes a text from its beginning, to be read in slices."""
        self.text, self.read = [], 0
        self.unread.clear()
        if text:
            self.add(text)

    def add(self, text: str) -> None:
        """Takes text that came, to be read in slices."""
        self.text.append(text)
        self.unread.extend(_pieces(text))

    @property
    def reads_on(self) -> bool:
        """True while more is to be read before the answer is over."""
        return bool(self.unread) and self.read < MOST_GROWING and len(self.rows) < MOST_ROWS

    @property
    def cut(self) -> bool:
        """True where the rest is not read before the answer is over."""
        return bool(self.unread) and not self.reads_on

    def not_closed(self) -> Sequence[Section]:
        """The sections of its text, of one that is read those of its end that may still change."""
        from desktop_app.core.markdown.sections import sections

        if self.stream is None:
            return sections("".join(self.text))
        text, line, head = self.stream.rest
        first, *others = sections(text + "".join(self.unread))
        return [replace(one, first_line=line + one.first_line) for one in (replace(first, head=head), *others)]

    def leave_unread(self) -> None:
        """The answer is over: what is not read is room that is read as it comes near the view."""
        self.unread.clear()
        self.stream, self.still = None, False

    def read_slice(self) -> None:
        """Reads as much as may take time at once."""
        assert self.stream is not None
        pieces: list[str] = []
        weight = 0
        while self.unread and weight < SLICE:
            pieces.append(self.unread.popleft())
            weight += len(pieces[-1]) + LINE * pieces[-1].count("\n")
        self.read += sum(map(len, pieces))
        self.stream.feed("".join(pieces))


def number_rows(rows: Sequence[CanvasRow], above: CanvasRow | None) -> None:
    """Numbers the selectable ones of rows that stand beneath another, and joins the quotes that go on."""
    slot = 0 if above is None else above.next_slot
    outer = above.containers if above is not None else ""
    for row in rows:
        first, containers = row.first_slot, row.containers
        if row.part > 0:
            first += row.part * SLOTS
        if first > slot:  # noqa: PLR1730 - a call for each row would cost more
            slot = first
        row.quoted_above = containers != "" and containers[:1] == outer[:1] and containers[0] in "qtn"
        outer = containers
        row.tail = 0
        row.slot = -1
        if row.item.selectable:
            row.slot = slot
            slot += 1
        row.next_slot = slot


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(0, len(text), PIECE))
