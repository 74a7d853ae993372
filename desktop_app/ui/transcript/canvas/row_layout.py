"""Owns which rows stand where in the viewport. Knows no widget and paints nothing.

Heights above and below the view are estimates until they come into view. Whatever is visible is exact, and stays where
it is when an estimate elsewhere is corrected: the anchor is always a visible row, never a sum of guesses.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from operator import is_
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.transcript.canvas.heights import Heights
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.row_list import RowList
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.placeholder_item import PlaceholderItem
from desktop_app.ui.transcript.message.message_layout import MessageLayout

if TYPE_CHECKING:
    from desktop_app.ui.transcript.canvas.height_files import StoredHeights

#: Messages whose rows are kept. A laid-out message of 1.7 KB takes about 60 KB.
KEPT = 150
#: Threads whose heights are kept. Their messages stay in memory so long; the controller keeps as many.
SHELVED = 8
#: More pixels than any thread is high.
AMPLE = 1 << 40
#: What is read at a time to fill the view: parts of long texts until their weight (`PlaceholderItem.weight`) is this.
#: More than fills a view, unless what is read has almost no height.
MOST_READ = 8_000


@dataclass(slots=True, eq=False)
class PlacedRow:
    """A row in view: `top` of its cell in viewport pixels. `first` and `last` tell its place in the message's body.

    `tick`: a step was made here, which the margin shows. `focused`: the keyboard is on this message.
    """

    message: int
    row: CanvasRow
    top: int
    height: int
    first: bool
    last: bool
    faded: bool
    card: bool
    tick: bool = False
    focused: bool = False

    @property
    def item_top(self) -> int:
        """Top of the item itself in viewport pixels."""
        return self.top + self.row.gap

    @property
    def bottom(self) -> int:
        """Where the next cell begins."""
        return self.top + self.height

    def paints_like(self, other: PlacedRow, version: int) -> bool:
        """True if moving the pixels of `other` gives what painting this one would give."""
        return (
            self.height == other.height
            and self.row.item.version == version
            and (self.first, self.last, self.faded, self.card) == (other.first, other.last, other.faded, other.card)
            and (self.tick, self.focused) == (other.tick, other.focused)
        )


@dataclass(frozen=True, slots=True)
class ViewPosition:
    """What the view shows: a row and the `top` of its cell, the room that is held, in a view of so many pixels.

    `at_end`: the view ends where the content does, which counts more than any row.
    """

    anchor: PlacedRow
    top: int
    hold: tuple[int, int] | None
    view: int
    at_end: bool


@dataclass(frozen=True, slots=True)
class _CachedThread:
    """A thread that was shown: its messages, and what of its layout is used again if it is shown again unchanged."""

    messages: list[Message]
    heights: Heights
    width: int
    look: TextStyle
    sheets: dict[int, MessageLayout]


class RowLayout:
    """The messages of a path and a viewport that looks at a stretch of them.

    `make_sheet(index)` makes the rows of a message. The last entry, behind the messages, is the foot: notice and card.
    """

    def __init__(self, make_sheet: Callable[[int], MessageLayout], look: TextStyle) -> None:
        self._make_sheet = make_sheet
        self.look = look
        self.messages: list[Message] = []
        self.foot = RowList()
        self.heights = Heights([0])
        self.width = 600
        self.view = 1
        self.y = 0
        #: (message, pixels): there is room for so much from that message's top on, content or not
        self.hold: tuple[int, int] | None = None
        self.placed: list[PlacedRow] = []
        #: numbers of the messages that are toned down
        self.faded: Container[int] = ()
        #: numbers of the messages with a tick in the margin
        self.ticked: Container[int] = ()
        #: number of the message that the keyboard is on, -1: none
        self.focused = -1
        #: the heights that a thread had when it was shown at an earlier time
        self.known: Callable[[str], StoredHeights | None] = lambda _thread_id: None
        self._sheets: OrderedDict[int, MessageLayout] = OrderedDict()
        #: a part in view is not read yet, so that nothing else waits for it: `place_again` reads on
        self.unread = False
        self._read = 0
        #: rows that are no longer shown and are still to be destroyed
        self.cast_off: list[RowList] = []
        #: whether rows that are in view may be used again when their thread is shown again
        self.rows_are_whole = True
        #: threads shown before, each as it was at that width and in that look
        self._shelf: OrderedDict[str, _CachedThread] = OrderedDict()

    # --- content

    def show(self, messages: Sequence[Message]) -> None:
        """Replaces all messages; nothing is laid out yet. Heights learnt when they were shown last are used again."""
        self._shelve()
        self.messages = list(messages)
        self._cast_off_rows()
        self.placed = []
        self.y = 0
        self.hold = None
        shelved = self._shelved()
        self.heights = shelved.heights if shelved is not None else Heights([*self._guessed(), 0])
        if shelved is not None:
            self._sheets.update(shelved.sheets)
        self.heights.set(len(self.messages), self._foot_height())

    def _shelve(self) -> None:
        if not self.messages:
            return
        thread = self.messages[0].thread_id
        in_view = {placed.message for placed in self.placed if placed.message in self._sheets}
        sheets = {index: self._sheets[index] for index in in_view if self.rows_are_whole}
        whole = {index: sheet for index, sheet in sheets.items() if not sheet.awaiting and not sheet.unfolded}
        self._shelf[thread] = _CachedThread(self.messages, self.heights, self.width, self.look, whole)
        self._shelf.move_to_end(thread)
        while len(self._shelf) > SHELVED:
            self._shelf.popitem(last=False)

    def _shelved(self) -> _CachedThread | None:
        shelved = self._shelf.pop(self.messages[0].thread_id, None) if self.messages else None
        if shelved is None or shelved.width != self.width or shelved.look is not self.look:
            return None
        # only the same values: to compare the texts of a long thread would cost more than to estimate them
        same = len(shelved.messages) == len(self.messages) and all(map(is_, shelved.messages, self.messages))
        return shelved if same else None

    def _guessed(self) -> list[int]:
        """Heights of all messages: as they are known from earlier, else estimated."""
        known = self.known(self.messages[0].thread_id) if self.messages else None
        if known is None or not 0 < len(known.values) <= len(self.messages):
            return self._estimates(self.messages)
        count = len(known.values)
        if self.messages[count - 1].id != known.last:
            return self._estimates(self.messages)
        ratio = known.width / self.width
        values = known.values if ratio == 1 else [int(height * ratio) for height in known.values]
        return [*values, *self._estimates(self.messages[count:])]

    def release(self) -> None:
        """Gives up held room that is out of view."""
        if self.hold is not None:
            index, pixels = self.hold
            seen = self.y + self.view - self.heights.before(index)
            self.hold = (index, min(pixels, seen)) if seen > 0 else None

    def prepend(self, messages: Sequence[Message]) -> None:
        """Adds earlier messages; what is in view stays in view."""
        count = len(messages)
        self.messages[:0] = messages
        guessed = self._guessed()
        grown = guessed[:count]
        # what is known of the whole thread is better than what the end of it was guessed to be
        shown = [h if self._has_settled(i) else guessed[count + i] for i, h in enumerate(list(self.heights)[:-1])]
        self.heights = Heights([*grown, *shown, self.heights[len(shown)]])
        self._sheets = OrderedDict((index + count, sheet) for index, sheet in self._sheets.items())
        for placed in self.placed:
            placed.message += count
        self.y += sum(grown)
        if self.hold is not None:
            self.hold = (self.hold[0] + count, self.hold[1])

    def append(self, message: Message) -> int:
        """Adds a message at the end; returns its index."""
        index = len(self.messages)
        self.messages.append(message)
        self.heights.set(index, self._estimates([message])[0])
        self.heights.append(self._foot_height())
        return index

    def drop(self, index: int) -> None:
        """Forgets the rows of a message; they are made again when needed."""
        self._sheets.pop(index, None)

    def forget_rows(self) -> None:
        """Forgets all rows, for a new look."""
        self._cast_off_rows()
        for shelved in self._shelf.values():
            shelved.sheets.clear()

    def _cast_off_rows(self) -> None:
        """Rows go once there is time: to destroy those of 150 messages takes 10 ms."""
        if len(self.cast_off) > KEPT:
            self.cast_off.clear()
        self.cast_off += self._sheets.values()
        self._sheets = OrderedDict()

    def truncate(self, count: int) -> None:
        """Keeps only the first `count` messages."""
        del self.messages[count:]
        for index in [index for index in self._sheets if index >= count]:
            del self._sheets[index]
        self.heights = Heights([*list(self.heights)[:count], self._foot_height()])
        self.placed = [placed for placed in self.placed if placed.message < count]

    def sheet(self, index: int) -> RowList:
        """The rows of a message, made if they are not there."""
        if index == len(self.messages):
            return self.foot
        sheet = self._sheets.get(index)
        if sheet is None:
            sheet = self._make_sheet(index)
            sheet.measure(self.width)
            self._sheets[index] = sheet
            while len(self._sheets) > KEPT:
                self._sheets.popitem(last=False)
        else:
            self._sheets.move_to_end(index)
        return sheet

    def message_sheet(self, index: int) -> MessageLayout:
        """The rows of a message, never the foot's."""
        sheet = self.sheet(index)
        assert isinstance(sheet, MessageLayout)
        return sheet

    def has_sheet(self, index: int) -> bool:
        """True if the rows of a message are at hand."""
        return index in self._sheets or index == len(self.messages)

    @property
    def made(self) -> tuple[int, ...]:
        """The numbers of the messages whose rows are at hand."""
        return tuple(self._sheets)

    def _foot_height(self) -> int:
        return self.foot.height

    def _estimates(self, messages: Sequence[Message]) -> list[int]:
        """Heights guessed from the length of the text: 10,000 messages must cost next to nothing."""
        sizes = [
            len(message.parts[0].text)
            if len(message.parts) == 1 and type(message.parts[0]) is TextPart
            else _size(message)
            for message in messages
        ]
        pitch = self.look.body.pitch
        lines = self.look.lines_per_character(self.width)
        return [40 + pitch * (1 + int(size * lines)) for size in sizes]

    # --- geometry

    @property
    def extent(self) -> int:
        """Height of all content; at least what keeps a started answer's question at the top (`hold`)."""
        held = 0 if self.hold is None else self.heights.before(self.hold[0]) + self.hold[1]
        return max(self.heights.total, held)

    @property
    def bottom(self) -> int:
        """The largest possible `y`."""
        return max(0, self.extent - self.view)

    def set_width(self, width: int) -> None:
        """A new column width: all estimates are scaled, nothing is laid out."""
        if width == self.width:
            return
        anchor = next((p for p in self.placed if p.bottom > 0), None)
        ratio = self.width / width
        self.width = width
        self.heights = Heights([int(height * ratio) for height in self.heights])
        for sheet in (*self._sheets.values(), self.foot):
            sheet.measure(width)
        for index, sheet in self._sheets.items():
            self.heights.set(index, sheet.height)
        self.heights.set(len(self.messages), self._foot_height())
        if anchor is not None:
            self._settle(anchor.message)
            self.y = self.heights.before(anchor.message) + self._row_top(anchor.message, anchor.row) - anchor.top
        self.hold = None

    def _row_top(self, index: int, wanted: CanvasRow) -> int:
        top = 0
        for row in self.sheet(index).rows:
            if row is wanted:
                return top
            top += row.height
        return 0

    def _settle(self, index: int) -> int:
        """Takes the height of a message's rows into the sums; returns by how much it grew."""
        return self.heights.set(index, self.sheet(index).height)

    def _has_settled(self, index: int) -> bool:
        """Whether the sums have the height of a message's rows; those that were made and never in view are guessed."""
        sheet = self._sheets.get(index)
        return sheet is not None and sheet.height == self.heights[index]

    # --- placing

    def place_at(self, y: int) -> None:
        """Looks at the content from `y` on; a row that is in view already keeps its exact distance."""
        self._begin_reading()
        y = max(0, min(self.bottom, y))
        shift = self.y - y
        anchor = self._anchor(shift)
        if anchor is not None:
            self._place(anchor.message, anchor.row, anchor.top + shift)
            return
        index = self.heights.at(y)
        self._settle(index)
        index = self.heights.at(y)
        strip, position, top = self.sheet(index), 0, self.heights.before(index) - y
        while position < len(strip.rows):
            row = strip.rows[position]
            if top + row.height <= 0:
                top += row.height
                position += 1
            elif not self._open(index, position):
                self._place(index, row, top)
                return
        if strip.rows:
            last = self._last_row(index)
            self._place(index, last, top - last.height)
        else:
            self._place_from_end()

    def place_again(self) -> None:
        """Lays out and places what is in view after something changed; the topmost row stays where it is."""
        self._begin_reading()
        anchor = self._anchor()
        if anchor is not None:
            self._place(anchor.message, anchor.row, anchor.top)
        else:
            self.place_at(self.y)

    def place_end(self) -> None:
        """Looks at the end."""
        self._begin_reading()
        self.placed = []
        self.hold = None
        self._place_from_end()

    def place_message(self, index: int, top: int) -> None:
        """Brings a message's top to `top` pixels below the top of the view, as far as there is content for it."""
        self._begin_reading()
        strip = self.sheet(index)
        if strip.rows:
            self._open(index, 0)
            self._settle(index)
            self._place(index, strip.rows[0], top)

    def standing(self) -> ViewPosition | None:
        """What the view shows now; None while it shows nothing."""
        anchor = self._anchor()
        if anchor is None:
            return None
        at_end = self.y >= self.bottom and self.hold is None
        return ViewPosition(anchor, anchor.top, self.hold, self.view, at_end)

    def can_stand(self, standing: ViewPosition) -> bool:
        """Whether the row of `standing` is still shown."""
        return self._stands(standing.anchor)

    def stand(self, standing: ViewPosition) -> None:
        """Shows again what was shown, in a view of another size: the end, or the row where it was."""
        if standing.at_end:
            self.place_end()
            return
        self._begin_reading()
        if standing.hold is not None:
            self.hold = (standing.hold[0], standing.hold[1] + self.view - standing.view)
        self._place(standing.anchor.message, standing.anchor.row, standing.top)

    def slot_in_view(self) -> tuple[int, int, int] | None:
        """Number of a message, of its first selectable row in view, and its top; None: no such row is in view."""
        return next(((p.message, p.row.slot, p.top) for p in self.placed if p.bottom > 0 and p.row.slot >= 0), None)

    def place_slot(self, index: int, slot: int, top: int) -> None:
        """Brings the row with a number (`CanvasRow.slot`) of a message to `top`, also where it has to be made first."""
        self._begin_reading()
        sheet, row = self.message_sheet(index), self._row_with(index, slot)
        if row is None:
            self.place_message(index, top)
        else:
            sheet.lay_out(row)
            self._settle(index)
            self._place(index, row, top)

    def _row_with(self, index: int, slot: int) -> CanvasRow | None:
        """The last row of a message up to a number, made where only its room is kept yet."""
        sheet = self.message_sheet(index)
        while True:
            numbered = [(place, sheet.slot_of(row)) for place, row in enumerate(sheet.rows)]
            place = max((place for place, number in numbered if 0 <= number <= slot), default=None)
            if place is None or not self._open(index, place):
                return None if place is None else sheet.rows[place]

    def place_row(self, index: int, row: CanvasRow, top: int) -> None:
        """Brings a row of a message to `top` pixels below the top of the view, as far as there is content for it."""
        self._begin_reading()
        self.sheet(index).lay_out(row)
        self._settle(index)
        self._place(index, row, top)

    def place_row_with_room(self, index: int, row: CanvasRow, top: int) -> None:
        """Brings a row of a message exactly to `top`, with empty room beneath where there is not enough content."""
        self.hold = (index, AMPLE)
        self.place_row(index, row, top)
        self.hold = (index, self.y + self.view - self.heights.before(index))

    def _begin_reading(self) -> None:
        self._read, self.unread = 0, False

    def _open(self, message: int, position: int) -> int | None:
        """Makes the rows of a part that is not read; how many, 0 where it is read; None: enough was read for now."""
        item = self.sheet(message).rows[position].item
        if not isinstance(item, PlaceholderItem):
            return 0
        if self._read >= MOST_READ:
            self.unread = True
            return None
        self._read += item.weight
        return self.sheet(message).open_at(position)

    def _anchor(self, shift: int = 0) -> PlacedRow | None:
        """The topmost row that stays in view, one that is read if there is any: of no other the height is known."""
        staying = [one for one in self.placed if one.bottom + shift > 0 and one.top + shift < self.view]
        staying.sort(key=lambda placed: isinstance(placed.row.item, PlaceholderItem))
        return next(filter(self._stands, staying), None)

    def _stands(self, placed: PlacedRow) -> bool:
        return self.has_sheet(placed.message) and any(row is placed.row for row in self.sheet(placed.message).rows)

    def _place_from_end(self) -> None:
        for index in range(len(self.messages), -1, -1):
            if self.sheet(index).rows:
                last = self._last_row(index)
                self.sheet(index).lay_out(last)
                self._settle(index)
                self._place(index, last, self.view - last.height)
                return
        self.placed = []
        self.y = 0

    def _last_row(self, index: int) -> CanvasRow:
        strip = self.sheet(index)
        self._open(index, len(strip.rows) - 1)
        return strip.rows[-1]

    def _place(self, index: int, anchor: CanvasRow, top: int) -> None:
        """Lays out rows from the anchor in both directions until the view is full, then mends the ends."""
        placed = self._fill(index, anchor, top)
        first, last = placed[0], placed[-1]
        if self._is_first(first) and first.top > 0:
            placed = self._fill(first.message, first.row, 0)
        elif self._is_last(last) and last.bottom < self.view:
            self._note(placed)
            slack = self.y - self.bottom
            if slack > 0:
                placed = self._fill(last.message, last.row, last.top + slack)
                first = placed[0]
                if self._is_first(first) and first.top > 0:
                    placed = self._fill(first.message, first.row, 0)
        self._note(placed)

    def _note(self, placed: list[PlacedRow]) -> None:
        first = placed[0]
        before = self.heights.before(first.message) + self._row_top(first.message, first.row)
        self.y = before - first.top
        self.placed = placed

    def _is_first(self, placed: PlacedRow) -> bool:
        return self._neighbour(placed.message, self._position(placed), -1) is None

    def _is_last(self, placed: PlacedRow) -> bool:
        return self._neighbour(placed.message, self._position(placed), 1) is None

    def _position(self, placed: PlacedRow) -> int:
        return self._index_of(placed.message, placed.row)

    def _index_of(self, message: int, wanted: CanvasRow) -> int:
        return next(i for i, row in enumerate(self.sheet(message).rows) if row is wanted)

    def _neighbour(self, message: int, position: int, step: int) -> tuple[int, int] | None:
        """The next row in a direction, over the ends of messages; messages without rows are skipped."""
        position += step
        while not 0 <= position < len(self.sheet(message).rows):
            message += step
            if not 0 <= message <= len(self.messages):
                return None
            position = 0 if step > 0 else len(self.sheet(message).rows) - 1
        return message, position

    def _fill(self, message: int, anchor: CanvasRow, top: int) -> list[PlacedRow]:
        start = self._index_of(message, anchor)
        self._lay_out(message, anchor)
        below: list[tuple[int, CanvasRow, int]] = []
        here: tuple[int, int] | None = (message, start)
        y = top
        while here is not None and y < self.view:
            made = self._open(*here)
            row = self.sheet(here[0]).rows[here[1]]
            self._lay_out(here[0], row)
            below.append((here[0], row, y))
            y += row.height
            here = self._neighbour(here[0], here[1], 1) if made is not None else None
        above: list[tuple[int, CanvasRow, int]] = []
        here = self._neighbour(message, start, -1)
        y = top
        while here is not None and y > 0:
            made = self._open(*here)
            here = (here[0], here[1] + max(0, (made or 0) - 1))
            row = self.sheet(here[0]).rows[here[1]]
            self._lay_out(here[0], row)
            y -= row.height
            above.append((here[0], row, y))
            here = self._neighbour(here[0], here[1], -1) if made is not None else None
        spans = [span for span in (*reversed(above), *below) if span[2] + span[1].height > 0 and span[2] < self.view]
        if not spans:
            spans = below[:1] or above[:1] or [(message, anchor, top)]
        for index in {span[0] for span in spans}:
            self._settle(index)
        return [self._placed(*span) for span in spans]

    def _lay_out(self, message: int, row: CanvasRow) -> None:
        if not row.item.laid_out:
            self.sheet(message).lay_out(row)

    def _placed(self, message: int, row: CanvasRow, top: int) -> PlacedRow:
        if row.decoration or message == len(self.messages):
            return PlacedRow(message, row, top, row.height, False, False, False, False)
        sheet = self.message_sheet(message)
        body = (sheet.rows[len(sheet.head)], sheet.rows[-1 - len(sheet.foot)])
        first, faded = row is body[0], message in self.faded
        tick, focused = first and message in self.ticked, message == self.focused
        return PlacedRow(
            message, row, top, row.height, first, row is body[1], faded, sheet.is_question, tick=tick, focused=focused
        )


def _size(message: Message) -> int:
    return sum(len(part.text) if isinstance(part, TextPart) else 120 for part in message.parts)
