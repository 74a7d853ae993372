"""Owns the rows of one message and how they change while the message grows. Knows nothing of other messages.

Order: head (load line), body (the parts), foot (state of a broken answer, trim line).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from desktop_app.core.markdown.leaves import Leaf
from desktop_app.core.markdown.plain import plain_blocks
from desktop_app.core.markdown.sections import LEAF_ABOVE, Section, sections
from desktop_app.core.markdown.stream import BlockStream
from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart, ToolResultPart
from desktop_app.ui.transcript.fold_item import FoldItem
from desktop_app.ui.transcript.line_item import NoteItem
from desktop_app.ui.transcript.row import Row, gap_between
from desktop_app.ui.transcript.stretch_item import StretchItem
from desktop_app.ui.transcript.strip import Strip
from desktop_app.ui.transcript.typesetter import Typesetter, tr

#: Empty space above and below the text of a message; a question's card lies half in it.
PAD = 20
CARD_INSET = 8
PART_GAP = 12

#: Longer texts are read in sections, as they come near the view (characters).
LONG = 10_000
#: More than a part has rows: what is selected keeps its numbers when rows before it are made.
SLOTS = 1 << 32

Kind = Literal["text", "thinking"]


@dataclass(slots=True, eq=False)
class _Section:
    """One part: its fold line, its rows, and for text the stream it is read from."""

    part: Part
    fold: Row | None = None
    rows: list[Row] = field(default_factory=list)
    stream: BlockStream | None = None
    text: list[str] = field(default_factory=list)
    closed_blocks: int = 0
    closed_rows: int = 0
    growing: bool = False


class Sheet(Strip):
    """The rows of a message at one width. `unfolded` holds the numbers of the parts that are shown whole."""

    def __init__(self, typesetter: Typesetter, message: Message, unfolded: set[int]) -> None:
        super().__init__()
        self._typesetter = typesetter
        self.message = message
        self.unfolded = unfolded
        self.awaiting = False
        self._sections: list[_Section] = []
        for part in message.parts:
            self._add(part)
        self.arrange()

    @property
    def is_question(self) -> bool:
        """True where the message is shown as the user's card."""
        return self.message.role == "user" and not all(isinstance(p, ToolResultPart) for p in self.message.parts)

    def arrange(self) -> None:
        """Puts head, body and foot together, numbers the selectable rows and spaces them."""
        body: list[Row] = []
        for section in self._sections:
            rows = [section.fold] if section.fold is not None else []
            if section.fold is None or self._sections.index(section) in self.unfolded:
                rows += section.rows
            if rows and body:
                rows[0].gap = PART_GAP
            elif rows:
                rows[0].gap = 0
            body += rows
        if not body and self.awaiting:
            body = [Row(NoteItem(self._typesetter.look, tr("Waiting for the answer…")))]
        slot, above = 0, ""
        for row in body:
            slot = max(slot, max(0, row.part) * SLOTS + row.first_slot)
            row.quoted_above = bool(row.containers) and row.containers[:1] == above[:1] and row.containers[0] in "qt"
            above = row.containers
            row.tail = 0
            row.slot = -1
            if row.item.selectable:
                row.slot = slot
                slot += 1
        if body:
            body[0].gap += PAD if self.message.role == "assistant" or self.is_question else PAD // 5
            body[-1].tail = PAD
        self.set_rows([*self.head, *body, *self.foot])

    # --- parts

    def _add(self, part: Part) -> _Section:
        number = len(self._sections)
        section = _Section(part)
        self._sections.append(section)
        section.fold = self._typesetter.fold(part, is_open=number in self.unfolded)
        if isinstance(part, TextPart | ThinkingPart):
            if self.message.role == "user":
                leaves = [leaf for block in plain_blocks(part.text) for leaf in block.leaves]
                section.rows = self._typesetter.rows(leaves, {})
            elif len(part.text) > LONG:
                section.text.append(part.text)
                section.rows = self._stretches(section)
            else:
                section.stream = self._typesetter.stream()
                section.text.append(part.text)
                section.stream.feed(part.text)
                section.stream.finish()
                self._sync(section)
        elif number in self.unfolded:
            section.rows = self._typesetter.unfolded(part)
        for row in section.rows:
            row.part = number
        if section.fold is not None:
            section.fold.part = number
        return section

    def _stretches(self, section: _Section) -> list[Row]:
        """Room for the sections of a long text. Each counts its slots from its first character, which is enough."""
        rows: list[Row] = []
        first_slot = 0
        for piece in sections("".join(section.text)):
            item = StretchItem(self._typesetter.look, piece)
            rows.append(Row(item, 0, 0, _inset_of(section.part), first_slot=first_slot))
            first_slot += len(piece.text) + 1
        return rows

    def open_at(self, position: int) -> int:
        row = self.rows[position]
        if not isinstance(row.item, StretchItem):
            return 0
        section = self._sections[row.part]
        place = section.rows.index(row)
        made = self._read(row.item.section, section.part, is_first=place == 0)
        for new in made:
            new.part = row.part
        made[0].first_slot = row.first_slot
        section.rows[place : place + 1] = made
        self.arrange()
        return len(made)

    def open_all(self) -> None:
        """Makes all rows that only have their room yet."""
        position = 0
        while position < len(self.rows):
            position += max(1, self.open_at(position))

    def _read(self, piece: Section, part: Part, *, is_first: bool) -> list[Row]:
        inset = _inset_of(part)
        blocks, references = self._typesetter.read(piece)
        leaves = [_inset(leaf, inset) for block in blocks for leaf in block.leaves]
        above = None if is_first else _inset(LEAF_ABOVE, inset)
        return self._typesetter.rows(leaves or [_inset(LEAF_ABOVE, inset)], references, above)

    def toggle(self, number: int) -> None:
        """Folds or unfolds a part."""
        section = self._sections[number]
        self.unfolded ^= {number}
        if section.fold is not None and isinstance(section.fold.item, FoldItem):
            section.fold.item.set_open(number in self.unfolded)
        if section.stream is None and not section.rows:
            section.rows = self._typesetter.unfolded(section.part)
            for row in section.rows:
                row.part = number
        self.arrange()

    # --- growing

    def grow(self, kind: Kind, text: str) -> None:
        """Text that continues the open part, or opens one."""
        part_type = TextPart if kind == "text" else ThinkingPart
        section = self._sections[-1] if self._sections else None
        if section is None or not section.growing or not isinstance(section.part, part_type):
            self._close_open()
            section = self._add(part_type(""))
            section.stream = self._typesetter.stream()
            section.growing = True
            section.closed_blocks = section.closed_rows = 0
            section.rows = []
            self._name_thinking(section)
        if section.stream is not None:
            section.text.append(text)
            section.stream.feed(text)
            self._sync(section)
        self.arrange()

    def finish_part(self, part: Part) -> None:
        """The finished form of the open part, or a part of its own."""
        section = self._sections[-1] if self._sections else None
        if section is not None and section.growing and type(section.part) is type(part):
            if "".join(section.text) == getattr(part, "text", None):
                self._close_open()
                section.part = part
                self.arrange()
                return
            self._sections.pop()
        self._close_open()
        self._add(part)
        self.arrange()

    def reset(self) -> None:
        """All that came so far is superseded."""
        self._sections.clear()
        self.arrange()

    def finish(self, message: Message) -> None:
        """The stored form of the message; rows stay where the text is what has been shown."""
        self._close_open()
        self.message = message
        shown = [self._shown(section) for section in self._sections]
        if shown != [_content(part) for part in message.parts]:
            self._sections.clear()
            for part in message.parts:
                self._add(part)
        self.arrange()

    def _shown(self, section: _Section) -> tuple[type[Part], object]:
        if section.stream is not None:
            return type(section.part), "".join(section.text)
        return _content(section.part)

    def _close_open(self) -> None:
        if self._sections and self._sections[-1].growing:
            section = self._sections[-1]
            section.growing = False
            if section.stream is not None:
                section.stream.finish()
                self._sync(section)
            self._name_thinking(section)

    def _name_thinking(self, section: _Section) -> None:
        if section.fold is not None and isinstance(section.part, ThinkingPart):
            named = self._typesetter.fold(section.part, is_open=False, running=section.growing)
            if named is not None and isinstance(section.fold.item, FoldItem) and isinstance(named.item, FoldItem):
                section.fold.item.set_title(named.item.title)

    def _sync(self, section: _Section) -> None:
        """Brings the rows in line with the stream: closed rows stay, only those behind them are compared."""
        stream = section.stream
        if stream is None:
            return
        inset = _inset_of(section.part)
        fresh = stream.closed[section.closed_blocks :]
        closed = [_inset(leaf, inset) for block in fresh for leaf in block.leaves]
        leaves = closed + [_inset(leaf, inset) for block in stream.tail for leaf in block.leaves]
        references = stream.references
        start = section.closed_rows
        above = section.rows[start - 1].leaf if start else None
        for number, leaf in enumerate(leaves):
            growing = section.growing and number == len(leaves) - 1
            place = start + number
            row = section.rows[place] if place < len(section.rows) else None
            if row is None or not self._same(row, leaf, growing, references):
                made = self._typesetter.row(leaf, references, above, growing=growing)
                made.part = self._sections.index(section)
                section.rows[place : place + 1] = [made]
            section.rows[place].gap = gap_between(above, leaf)
            above = leaf
        del section.rows[start + len(leaves) :]
        section.closed_blocks = len(stream.closed)
        section.closed_rows = start + len(closed)

    def _same(self, row: Row, leaf: Leaf, growing: bool, references: object) -> bool:
        if row.leaf == leaf and getattr(row.item, "growing", False) == growing:
            return True
        return self._typesetter.update(row, leaf, references, growing=growing)  # type: ignore[arg-type]

    # --- decoration

    def decorate(self, head: Sequence[Row], foot: Sequence[Row]) -> None:
        """Sets the lines before and behind the message."""
        self.head, self.foot = list(head), list(foot)
        self.arrange()

    def source_lines(self, part: int, first: int, end: int) -> str:
        """Lines of a part as it was written."""
        section = self._sections[part]
        text = "".join(section.text) or str(getattr(section.part, "text", ""))
        return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[first:end])

    @property
    def shown_text(self) -> str:
        """The text parts as far as they have come."""
        return "\n\n".join("".join(s.text) for s in self._sections if isinstance(s.part, TextPart))


def _content(part: Part) -> tuple[type[Part], object]:
    return type(part), part.text if isinstance(part, TextPart | ThinkingPart) else part


def _inset_of(part: Part) -> str:
    return "t" if isinstance(part, ThinkingPart) else ""


def _inset(leaf: Leaf, inset: str) -> Leaf:
    if not inset:
        return leaf
    return Leaf(
        leaf.kind, leaf.text, leaf.first_line, leaf.end_line, inset + leaf.containers, leaf.marker, leaf.level,
        leaf.language, leaf.table,
    )  # fmt: skip
