"""The rows of one message and how they change while the message grows. Uses no other message.

Order: head (load line), body (the parts), foot (state of a broken answer, trim line). A server may send megabytes at
once, or thousands of deltas between two frames: what one turn of the event loop reads of it is bounded, and so is what
is shown of it before the answer is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Literal

from desktop_app.core.markdown.block_building import folded, plain_blocks
from desktop_app.core.markdown.block_stream import BlockStream, References, is_long
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.footnotes import EXPECTED, NoteNumbers
from desktop_app.core.messages import (
    LONGEST_ANSWER,
    AttachedPart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolResultPart,
)
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.transcript.items.item import CanvasRow, RowList, gap_between
from desktop_app.ui.transcript.items.line_items import LINE, NoteItem, PlaceholderItem
from desktop_app.ui.transcript.message.row_builder import PartGroup, PartGroupKind, PartGroups, RowBuilder, citations_of

if TYPE_CHECKING:
    from desktop_app.core.markdown.sections import Section
    from desktop_app.ui.transcript.items.fold_items import AttachmentsItem
    from desktop_app.ui.transcript.message.tool_rows import AnswerStatus


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
        self.unread.extend(text[start : start + PIECE] for start in range(0, len(text), PIECE))

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


#: Rows and characters of a question that are all laid out to know how wide it is; a longer one has the whole column.
MOST_CARD_ROWS, MOST_CARD_CHARACTERS = 16, 4_000


def card_width(rows: Sequence[CanvasRow], column: int, lay_out: Callable[[CanvasRow], None]) -> int:
    """Return how many pixels of a column these rows take. All where a line wraps."""
    if (
        not rows
        or len(rows) > MOST_CARD_ROWS
        or sum(len(row.leaf.text) for row in rows if row.leaf) > MOST_CARD_CHARACTERS
    ):
        return column
    for row in rows:
        lay_out(row)
    return max(row.left + row.item.text_width for row in rows)


#: Empty space above and below the text of a message; a question's card lies half in it.
PAD = 20
CARD_INSET = 8
PART_GAP = 12

Kind = Literal["text", "thinking"]

#: Part number of the line that names the sources of an answer, and what is added to the number of a part whose long
#: result is shown to its end.
SOURCES = -2
WHOLE = 1 << 30


class MessageLayout(RowList):
    """The rows of a message at one width. `unfolded` holds the numbers of the parts that are shown whole.

    `awaiting`: more of the answer is expected.
    """

    def __init__(
        self, row_builder: RowBuilder, message: Message, unfolded: set[int], *, awaiting: bool = False
    ) -> None:
        super().__init__()
        self._card_width: int | None = None
        self._row_builder = row_builder
        self.message = message
        self.unfolded = unfolded
        self.awaiting = awaiting
        self.status: AnswerStatus | None = None  # what is said while it is awaited
        self.asking = ""  # the call that waits for the user
        self._sections: list[GroupRows] = []
        self._groups = PartGroups(typed=self._typed)
        self._parts: list[Part] = []
        self._arranged = 0  # so many rows of the last section stand among `rows`
        self._open: list[str] | None = None  # what has come of the last part while it is not finished
        #: how many parts are those of earlier answers of the same turn
        self.kept = 0
        #: rows are not shown yet, because one above them waits for a formula
        self.held = False
        self._load(message.parts)
        self.arrange()

    @property
    def _typed(self) -> bool:
        return self.message.role == "user"

    @property
    def is_question(self) -> bool:
        """True where the message is shown as the user's card."""
        return self.message.role == "user" and not all(isinstance(p, ToolResultPart) for p in self.message.parts)

    @property
    def card_width(self) -> int:
        """Pixels of the column that a question's text takes; 0 for what is no question."""
        if not self.is_question:
            return 0
        if self._card_width is None:
            body = self.rows[len(self.head) : len(self.rows) - len(self.foot)]
            self._card_width = card_width(body, self._width, super().lay_out)
        return self._card_width

    def lay_out(self, row: CanvasRow) -> None:
        super().lay_out(row)
        if self._card_width is None:
            _ = self.card_width  # before rows are placed, as it may lay out all of them

    def measure(self, width: int) -> int:
        if width != self._width:
            self._card_width = None
        return super().measure(width)

    def set_rows(self, rows: list[CanvasRow]) -> None:
        self._card_width = None
        super().set_rows(rows)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the message as far as they have come."""
        if self._open is None:
            return tuple(self._parts)
        part, text = self._parts[-1], "".join(self._open)
        return (*self._parts[:-1], ThinkingPart(text) if isinstance(part, ThinkingPart) else TextPart(text))

    def arrange(self) -> None:
        """Puts head, body and foot together, numbers the selectable rows and spaces them."""
        body: list[CanvasRow] = []
        self.held = False
        for section in self._sections:
            rows = [section.fold] if section.fold is not None else []
            if section.fold is None or section.number in self.unfolded:
                rows += self._ready(section)
            if rows and body:
                rows[0].gap = PART_GAP
            elif rows:
                rows[0].gap = 0
            body += rows
            if self.held:
                break
            self._arranged = len(rows)
        if not self.held:
            body += self._end_rows(PART_GAP if body else 0)
        number_rows(body, None)
        if body:
            body[0].gap += PAD if self.message.role == "assistant" or self.is_question else PAD // 5
            body[-1].tail = PAD
        self.set_rows([*self.head, *body, *self.foot])

    def _arrange_end(self, section: GroupRows, first: int) -> None:
        """Puts in what has grown of the last section, its rows from a number on: nothing before them has changed."""
        place = len(self.rows) - len(self.foot) - self._arranged + first
        if (
            self.held
            or not self.awaiting
            or not 0 < first <= self._arranged
            or self._ready(section) is not section.rows
        ):
            self.arrange()
            return
        grown = section.rows[first:]
        number_rows(grown, self.rows[place - 1])
        self.rows[place - 1].tail = 0
        self._arranged = len(section.rows)
        self.rows[place:] = [*grown, *self.foot]
        self.rows[place + len(grown) - 1].tail = PAD
        if self._width > 0:
            self.measure_rows(grown)

    def _ready(self, section: GroupRows) -> Sequence[CanvasRow]:
        """The rows of a section that can be shown: none behind one that waits for a formula."""
        if not section.still:
            return section.rows
        for number in range(section.free_rows, len(section.rows)):
            if section.rows[number].item.holds:
                self.held = True
                for row in section.rows[number + 1 :]:
                    row.item.ask_formulas()
                return section.rows[: number + 1]
            section.rows[number].item.take_formulas(still=True)  # what it held back comes before what is behind it
            if number < section.closed_rows:
                section.free_rows = number + 1
        return section.rows

    def _end_rows(self, gap: int) -> list[CanvasRow]:
        """Return the rows behind the parts: that more is awaited, or the sources the answer is taken from."""
        if self.awaiting:
            last = self._sections[-1] if self._sections else None
            if last is None or (last.uses_tools and not last.group.waiting):
                from desktop_app.ui.transcript.message.tool_rows import status_rows

                return status_rows(self._row_builder, self.status, gap)
        ends_at_bound = any(len(getattr(part, "text", "")) >= LONGEST_ANSWER for part in self.message.parts)
        if (ends_at_bound and self.message.failure is None) or (
            self.awaiting and self._sections and self._sections[-1].cut
        ):
            from desktop_app.ui.transcript.message.tool_rows import cut_rows

            return cut_rows(self._row_builder, gap, growing=self.awaiting)
        if self.awaiting or self.message.role != "assistant" or not any(map(citations_of, self._parts)):
            return []
        from desktop_app.ui.transcript.message.tool_rows import cited_rows

        rows = cited_rows(self._row_builder, self._parts, is_open=SOURCES in self.unfolded)
        for row in rows:
            row.part = SOURCES
        if rows:
            rows[0].gap = gap
        return rows

    # --- parts

    def _load(self, parts: Sequence[Part]) -> None:
        """Shows these parts, all finished."""
        self._parts, self._open = list(parts), None
        self._groups = PartGroups(parts, typed=self._typed)
        self._sections = [self._section(group) for group in self._groups.list]

    def _section(self, group: PartGroup) -> GroupRows:
        section = GroupRows(group)
        number, part, is_open = group.number, group.parts[0], group.number in self.unfolded
        if section.uses_tools:
            from desktop_app.ui.transcript.message.tool_rows import fold_of

            item = fold_of(self._row_builder, group, is_open=is_open, ended=not self.awaiting, asking=self.asking)
            section.fold = CanvasRow(item)
        else:
            section.fold = self._row_builder.fold(part, is_open=is_open)
        if group.kind in ("text", "thinking"):
            text = group.text
            if self._typed:
                leaves, whole = [leaf for block in plain_blocks(text) for leaf in block.leaves], number + WHOLE
                short, lines = folded(leaves)
                section.rows = self._row_builder.rows(leaves if whole in self.unfolded else short, {})
                if lines:
                    words = tr("Show all {lines} lines").format(lines=grouped(lines))
                    words = tr("Show less") if whole in self.unfolded else words
                    item = NoteItem(self._row_builder.style, "", (("all", words),))
                    section.rows.append(CanvasRow(item, PART_GAP // 2))
            elif is_long(text):
                section.text.append(text)
                section.rows = self._stretches(section)
            else:
                section.stream = self._row_builder.stream()
                section.text.append(text)
                section.stream.feed(text)
                section.stream.finish()
                self._sync(section)
        elif group.kind == "attached":
            section.rows = [CanvasRow(self._attachments(group))]
        elif is_open:
            section.rows = self._unfolded(section)
        for row in section.rows:
            row.part = number
        if section.fold is not None:
            section.fold.part = number
        return section

    def _attachments(self, group: PartGroup) -> AttachmentsItem:
        item = self._row_builder.attachments()
        for place, part in enumerate(group.parts, group.number):
            if isinstance(part, AttachedPart):
                item.add(place, part)
        return item

    def _unfolded(self, section: GroupRows) -> list[CanvasRow]:
        """Return the rows that a part shows when it is unfolded."""
        number, group = section.number, section.group
        if section.uses_tools:
            from desktop_app.ui.transcript.message.tool_rows import unfolded

            rows = unfolded(self._row_builder, group, whole=number + WHOLE in self.unfolded)
        else:
            rows = self._row_builder.unfolded(group.parts[0])
        for row in rows:
            row.part = number
        return rows

    def _refresh(self, section: GroupRows) -> None:
        """Show that a use of tools went on: its line says so, and its unfolded rows are made again."""
        is_open = section.number in self.unfolded
        if section.fold is not None:
            from desktop_app.ui.transcript.message.tool_rows import show

            show(section.fold.item, section.group, is_open=is_open, ended=not self.awaiting, asking=self.asking)
        section.rows = self._unfolded(section) if is_open else []

    def _of(self, group: PartGroup) -> GroupRows | None:
        return next((section for section in reversed(self._sections) if section.group is group), None)

    def _stretches(self, section: GroupRows) -> list[CanvasRow]:
        """Room for the sections of a long text. Each counts its slots from its first character, which is enough.

        Of one that has grown the rows that can't change any more stay.
        """
        rows = section.rows[: section.closed_rows]
        first_slot = len(rows)
        for piece in section.not_closed():
            item = PlaceholderItem(self._row_builder.style, piece)
            rows.append(CanvasRow(item, 0, 0, section.inset, first_slot=first_slot))
            first_slot += len(piece.text) + 1
        return rows

    def open_at(self, position: int) -> int:
        if not isinstance((row := self.rows[position]).item, PlaceholderItem):
            return 0
        section = self._numbered(row.part)
        place = section.rows.index(row)
        made = self._read(row.item.section, section.inset, is_first=place == 0)
        for new in made:
            new.part = row.part
        made[0].first_slot = row.first_slot
        section.rows[place : place + 1] = made
        self.arrange()
        return len(made)

    def slot_of(self, row: CanvasRow) -> int:
        """The number of a row, of a stretch that of the first row it will be; -1: it has none."""
        return max(0, row.part) * SLOTS + row.first_slot if isinstance(row.item, PlaceholderItem) else row.slot

    def open_all(self) -> None:
        """Makes all rows that only have their room yet."""
        position = 0
        while position < len(self.rows):
            position += max(1, self.open_at(position))

    def _numbered(self, number: int) -> GroupRows:
        return next(section for section in self._sections if section.number == number)

    def _read(self, piece: Section, inset: str, *, is_first: bool) -> list[CanvasRow]:
        from desktop_app.core.markdown.sections import LEAF_ABOVE

        blocks, references = self._row_builder.read(piece)
        leaves = [_inset(leaf, inset) for block in blocks for leaf in block.leaves]
        above = None if is_first else _inset(LEAF_ABOVE, inset)
        return self._row_builder.rows(leaves or [_inset(LEAF_ABOVE, inset)], references, above)

    def toggle(self, number: int) -> None:
        """Folds or unfolds a part, or the sources."""
        self.unfolded ^= {number}
        if number != SOURCES:
            section = self._numbered(number)
            is_open = number in self.unfolded
            if section.uses_tools:
                self._refresh(section)
            elif section.fold is not None:
                self._row_builder.turn(section.fold, is_open=is_open)
            if section.stream is None and not section.rows:
                section.rows = self._unfolded(section)
        self.arrange()

    def show_whole(self, number: int) -> None:
        """Shows a long result or question to its end, or folds it again."""
        self.unfolded ^= {number + WHOLE}
        if (section := self._numbered(number)).uses_tools:
            self._refresh(section)
        else:
            self._sections[self._sections.index(section)] = self._section(section.group)
        self.arrange()

    def open_folded(self) -> None:
        """Shows a question to its end, of which something was found or chosen."""
        for row in list(self.rows) if self.is_question else ():
            if isinstance(row.item, NoteItem) and not row.decoration and row.part + WHOLE not in self.unfolded:
                self.show_whole(row.part)

    def row_of(self, place: int) -> CanvasRow | None:
        """The first row of what the part at a place of the message is shown as."""
        group = self._groups.of_part(place)
        section = self._of(group) if group is not None else None
        return None if section is None else section.fold or next(iter(section.rows), None)

    # --- growing

    def begin_next(self) -> None:
        """The turn goes on with its next answer, which is shown behind what there is."""
        self._close_open()
        self.awaiting = True
        self.kept = len(self._parts)
        self._refresh_tools()
        self.arrange()

    @property
    def has_grown(self) -> bool:
        """True where what is painted is kept as it was when it came."""
        return any(section.still for section in self._sections)

    @property
    def grows(self) -> bool:
        """True while the last part is not finished."""
        return self._open is not None

    def go_on(self) -> None:
        """The last part is not finished: more of it is coming."""
        section = self._sections[-1]
        self._open = [getattr(self._parts[-1], "text", "")]
        section.rows = []  # they read as those of a text that is whole
        self._stream_again(section, section.group.text)
        self._name_thinking(section)
        self.arrange()

    def grow(self, kind: Kind, text: str) -> None:
        """Text that continues the open part, or opens one."""
        part_type = TextPart if kind == "text" else ThinkingPart
        if self._open is None or type(self._parts[-1]) is not part_type:
            self._begin(part_type(text))
        else:
            self._open.append(text)
        section = self._sections[-1]
        section.add(text)
        if section.reads_on:
            self.read_on()

    @property
    def unread(self) -> bool:
        """True while more of what has come is to be shown by `read_on`."""
        return bool(self._sections) and self._sections[-1].reads_on

    def read_on(self) -> None:
        """Shows a further slice of what has come."""
        section = self._sections[-1]
        first = section.closed_rows
        section.read_slice()
        self._sync(section)
        if section.cut:
            self.arrange()
        else:
            self._arrange_end(section, first)

    def _begin(self, part: TextPart | ThinkingPart) -> None:
        """Opens a part that grows; text that runs on from the one before grows in the same rows."""
        self._parts.append(part)
        self._open = [part.text]
        group = self._groups.add(part)
        if (section := self._of(group)) is not None and section.growing:
            return
        if section is None:
            self._close_open(keep_part=True)
            section = self._section(PartGroup(group.kind, group.number, [type(part)("")]))
            section.group = group
            section.began = monotonic()
            self._sections.append(section)
        self._stream_again(section, "".join(section.text))
        self._name_thinking(section)

    def _stream_again(self, section: GroupRows, text: str) -> None:
        """Lets a section grow behind this text; rows that are the same stay."""
        section.stream, section.notes = self._row_builder.stream(), NoteNumbers()
        section.begin(text)
        section.growing = section.still = True
        section.closed_blocks = section.closed_rows = section.free_rows = 0
        section.rows = [row for row in section.rows if not isinstance(row.item, PlaceholderItem)] if text else []
        section.read_slice()
        self._sync(section)

    def finish_part(self, part: Part) -> None:
        """The finished form of the open part, or a part of its own; a result goes to its call."""
        if isinstance(part, ToolResultPart):
            if self._has_result(part):
                return
            self._row_builder.learn_sent((part,))
        if self._open is not None and type(self._parts[-1]) is type(part):
            section, came = self._sections[-1], "".join(self._open)
            self._parts[-1] = section.group.parts[-1] = part
            self._open = None
            if came != getattr(part, "text", None):
                self._stream_again(section, section.group.text)
            if section.group.kind == "thinking":
                self._close_open()
        else:
            self._add(part)
        self.arrange()

    def show_asking(self, call_id: str) -> None:
        """Says which call waits for the user; "": none does."""
        self.asking = call_id
        for section in self._sections:
            if section.uses_tools and section.group.waiting:
                self._refresh(section)
        self.arrange()

    def _has_result(self, result: ToolResultPart) -> bool:
        asked = self._groups.of_call(result.call_id)
        return asked is not None and asked.results.get(result.call_id) == result

    def _add(self, part: Part) -> None:
        """A finished part that did not grow."""
        self._open = None
        self._parts.append(part)
        group = self._groups.add(part)
        if (section := self._of(group)) is None:
            self._close_open()
            self._sections.append(self._section(group))
        elif section.uses_tools:
            self._close_open()
            self._refresh(section)
        elif group.kind == "attached":
            self._sections[self._sections.index(section)] = self._section(group)
        else:
            self._stream_again(section, group.text)

    def reset(self) -> None:
        """All that came so far of this answer is superseded; what earlier answers of its turn said stays."""
        self._load(self._parts[: self.kept])
        self.arrange()

    def finish(self, message: Message) -> None:
        """The stored form of the message; rows stay where the text is what has been shown."""
        self._close_open()
        self.message = message
        groups = PartGroups(message.parts, typed=self._typed)
        shown = [section.content for section in self._sections]
        if shown != [group.content for group in groups.list]:
            self._load(message.parts)
        else:
            for section, group in zip(self._sections, groups.list, strict=True):
                section.group.parts, section.group.results = group.parts, group.results
                if section.stream is not None and section.still and not self.awaiting:
                    self._read_again(section, section.stream)
            self._parts = list(message.parts)
        self._refresh_tools()
        self.arrange()

    def _read_again(self, section: GroupRows, stream: BlockStream) -> None:
        """Nothing more comes: what refers to something that came behind it reads as when it is opened afresh."""
        section.notes = NoteNumbers()
        leaves = [row.leaf for row in section.rows if row.leaf is not None]
        references, notes = self._references(section, stream, leaves, ())
        mark = "[" if stream.references or self._row_builder.cited else "[^"  # a note was expected for each number
        self._row_builder.read_again(section.rows, references, mark)
        self._row_builder.number_notes(section.rows, notes)

    def _refresh_tools(self) -> None:
        for section in self._sections:
            if section.uses_tools:
                self._refresh(section)

    def _close_open(self, *, keep_part: bool = False) -> None:
        if not keep_part:
            if self._open is not None:
                self._parts[-1] = self.parts[-1]
            self._open = None
        if self._sections and self._sections[-1].growing:
            section = self._sections[-1]
            section.growing = False
            section.seconds = monotonic() - section.began if section.began else 0.0
            if section.unread:
                section.rows = self._stretches(section)
                section.leave_unread()
            elif section.stream is not None:
                section.stream.finish()
                self._sync(section)
            for row in section.rows:
                row.part = section.number
            self._name_thinking(section)

    def _name_thinking(self, section: GroupRows) -> None:
        if section.group.kind == "thinking" and section.fold is not None:
            self._row_builder.name_thinking(section.fold, section.seconds, running=section.growing)

    def _sync(self, section: GroupRows) -> None:
        """Brings the rows in line with the stream: closed rows stay, only those behind them are compared."""
        if (stream := section.stream) is None:
            return
        inset = section.inset
        fresh = stream.closed[section.closed_blocks :]
        closed = [_inset(leaf, inset) for block in fresh for leaf in block.leaves]
        leaves = closed + [_inset(leaf, inset) for block in stream.tail for leaf in block.leaves]
        references, notes = self._references(section, stream, closed, leaves[len(closed) :])
        start = section.closed_rows
        above = section.rows[start - 1].leaf if start else None
        for number, leaf in enumerate(leaves):
            growing = section.growing and len(closed) <= number == len(leaves) - 1
            place = start + number
            row = section.rows[place] if place < len(section.rows) else None
            if row is None or not self._same(row, leaf, growing, references):
                made = self._row_builder.row(leaf, references, above, growing=growing)
                made.part = section.number
                if section.growing:
                    made.item.hold_still()
                section.rows[place : place + 1] = [made]
            section.rows[place].gap = gap_between(above, leaf)
            above = leaf
        if not section.unread:  # rows that are the same stay while a text is read again
            del section.rows[start + len(leaves) :]
        section.closed_blocks = len(stream.closed)
        section.closed_rows = start + len(closed)
        self._row_builder.number_notes(section.rows if notes else (), notes)

    def _references(
        self, section: GroupRows, stream: BlockStream, closed: Sequence[Leaf], tail: Sequence[Leaf]
    ) -> tuple[References, NoteNumbers]:
        """Return what the leaves of a section may refer to, and the numbers of its notes, those of the tail for now."""
        growing = section.still and self.awaiting  # a note may yet come for each number
        references = {**stream.references, **(EXPECTED if growing else {}), **self._row_builder.cited}
        section.notes.count(closed, references, growing=growing)
        notes = NoteNumbers(section.notes)
        notes.count(tail, references, growing=growing)
        return notes.within(references), notes

    def _same(self, row: CanvasRow, leaf: Leaf, growing: bool, references: object) -> bool:
        same = row.leaf == leaf and getattr(row.item, "growing", False) == growing
        return same or self._row_builder.update(row, leaf, references, growing=growing)  # type: ignore[arg-type]

    # --- decoration

    def decorate(self, head: Sequence[CanvasRow], foot: Sequence[CanvasRow]) -> None:
        """Sets the lines before and behind the message."""
        self.head, self.foot = list(head), list(foot)
        self.arrange()

    def source_lines(self, part: int, first: int, end: int) -> str:
        """Lines of a part as it was written."""
        section = self._numbered(part)
        text = "".join(section.text) or section.group.text
        return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[first:end])


def _inset(leaf: Leaf, inset: str) -> Leaf:
    return replace(leaf, containers=inset + leaf.containers) if inset else leaf
