"""The places of rows in the viewport, and the heights of all messages. Uses no widget and paints nothing.

Heights above and below the view are estimates until they come into view. Whatever is visible is exact, and stays where
it is when an estimate elsewhere is corrected: the anchor is always a visible row, never a sum of guesses. The sums of
whole groups are kept: a thread of 10,000 messages is summed in 0.1 ms."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import is_
from typing import TYPE_CHECKING

from desktop_app.core.markdown.block_building import FOLDED_LINES
from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.transcript.items.item import CanvasRow, RowList, TextStyle
from desktop_app.ui.transcript.items.line_items import PlaceholderItem
from desktop_app.ui.transcript.message.message_layout import MessageLayout

if TYPE_CHECKING:
    from desktop_app.ui.transcript.canvas.height_files import StoredHeights


#: Heights in one group: about the square root of the length of a long thread.
GROUP = 128


class Heights:
    """Whole pixels, indexed from 0."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self._groups = [sum(self._values[start : start + GROUP]) for start in range(0, len(self._values), GROUP)]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    def set(self, index: int, value: int) -> int:
        """Sets one height; returns by how much it grew."""
        change = value - self._values[index]
        self._values[index] = value
        self._groups[index // GROUP] += change
        return change

    def append(self, value: int) -> None:
        """Adds a height at the end."""
        if len(self._values) % GROUP == 0:
            self._groups.append(0)
        self._values.append(value)
        self._groups[-1] += value

    def before(self, index: int) -> int:
        """The sum of the heights of all entries before `index`: the top of that entry."""
        group = index // GROUP
        return sum(self._groups[:group]) + sum(self._values[group * GROUP : index])

    @property
    def total(self) -> int:
        """The sum of all heights."""
        return sum(self._groups)

    def at(self, offset: int) -> int:
        """The entry that covers `offset`; the nearest one if it lies outside. There must be an entry."""
        ends = list(accumulate(self._groups))
        group = min(bisect_right(ends, offset), len(ends) - 1)
        start = group * GROUP
        top = ends[group] - self._groups[group]
        found = bisect_right(list(accumulate(self._values[start : start + GROUP], initial=top)), offset) - 1
        return min(start + max(0, found), len(self._values) - 1)


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

    `card`: how wide the text is that a question's card surrounds, 0 for no card.
    `tick`: a step was made here, which the margin shows. `focused`: the keyboard is on this message.
    """

    message: int
    row: CanvasRow
    top: int
    height: int
    first: bool
    last: bool
    faded: bool
    card: int
    tick: bool = False
    focused: bool = False

    @property
    def item_top(self) -> int:
        """Top of the item itself in viewport pixels."""
        return self.top + self.row.gap

    @property
    def bottom(self) -> int:
        """The place where the next cell begins."""
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
    """The content of the view: the line of a row's text that is read, the room that is held, in so many pixels.

    `text`: a position in that line, `top` the line's top: at another width the row's own top tells nothing.
    `at_end`: the view ends where the content does, which counts more than any row. `in_room`: or where held room does.
    """

    anchor: PlacedRow
    text: int
    top: int
    hold: tuple[int, int] | None
    view: int
    at_end: bool
    in_room: bool


@dataclass(frozen=True, slots=True)
class _CachedThread:
    """A thread that was shown: its messages, and what of its layout is used again if it is shown again unchanged."""

    messages: list[Message]
    heights: Heights
    width: int
    text_style: TextStyle
    layouts: dict[int, MessageLayout]


def _line_top(row: CanvasRow, text: int) -> int:
    """The top of the line in which a position of a row's text stands, in pixels below that of the cell."""
    return row.gap + row.item.caret_rect(text).top() if text > 0 else 0


def _line_in_view(placed: PlacedRow) -> tuple[int, int]:
    """A position of a row's text in the line at the upper edge of the view, of any cell in a table, and its top."""
    item = placed.row.item
    found = [item.position_at(x, -placed.item_top) for x in range(0, item.width, max(1, item.width // 16))]
    lines = [(placed.top + _line_top(placed.row, text), text) for text in found if placed.item_top < 0]
    top, text = min(lines, key=lambda line: abs(line[0]), default=(placed.top, 0))
    return text, top


class RowLayout:
    """The messages of a path and a viewport that looks at a stretch of them.

    `make_layout(index)` makes the rows of a message. The last entry, behind the messages, is the foot: notice and card.
    """

    def __init__(self, make_layout: Callable[[int], MessageLayout], text_style: TextStyle) -> None:
        self._make_layout = make_layout
        self.text_style = text_style
        self.messages: list[Message] = []
        self.foot = RowList()
        self.heights = Heights([0])
        self.width = 600
        self.view = 1
        self.y = 0
        #: (message, pixels): there is room for so much from that message's top on, content or not
        self.hold: tuple[int, int] | None = None
        self.placed: list[PlacedRow] = []
        #: the end came into view with the thread: it stays there, whatever is laid out late, until something is done
        self.keeps_end = False
        #: numbers of the messages that are toned down
        self.faded: Container[int] = ()
        #: numbers of the messages with a tick in the margin
        self.ticked: Container[int] = ()
        #: what is read from its top, as a document is: where all of it is in view, its top stays there
        self.from_top = False
        #: number of the message that the keyboard is on, -1: none
        self.focused = -1
        #: the heights that a thread had when it was shown at an earlier time
        self.known: Callable[[str], StoredHeights | None] = lambda _thread_id: None
        self._layouts: OrderedDict[int, MessageLayout] = OrderedDict()
        #: a part in view is not read yet, so that nothing else waits for it: `place_again` reads on
        self.unread = False
        self._read = 0
        #: rows that are no longer shown and are still to be destroyed
        self.cast_off: list[RowList] = []
        #: whether rows that are in view may be used again when their thread is shown again
        self.rows_are_whole = True
        #: threads shown before, each as it was at that width and in that look
        self.recent: OrderedDict[str, _CachedThread] = OrderedDict()

    # --- content

    def show(self, messages: Sequence[Message]) -> None:
        """Replaces all messages; nothing is laid out yet. Heights learnt when they were shown last are used again."""
        self._remember_thread()
        self.messages = list(messages)
        self._cast_off_rows()
        self.placed = []
        self.y = 0
        self.hold = None
        remembered = self._remembered()
        self.heights = remembered.heights if remembered is not None else Heights([*self._guessed(), 0])
        if remembered is not None:
            self._layouts.update(remembered.layouts)
        self.heights.set(len(self.messages), self.foot.height)

    def _remember_thread(self) -> None:
        if not self.messages:
            return
        thread = self.messages[0].thread_id
        in_view = {placed.message for placed in self.placed if placed.message in self._layouts}
        layouts = {index: self._layouts[index] for index in in_view if self.rows_are_whole}
        whole = {index: one for index, one in layouts.items() if not (one.awaiting or one.unfolded or one.has_grown)}
        self.recent[thread] = _CachedThread(self.messages, self.heights, self.width, self.text_style, whole)
        self.recent.move_to_end(thread)
        while len(self.recent) > SHELVED:
            self.recent.popitem(last=False)

    def _remembered(self) -> _CachedThread | None:
        remembered = self.recent.pop(self.messages[0].thread_id, None) if self.messages else None
        if remembered is None or remembered.width != self.width or remembered.text_style is not self.text_style:
            return None
        # only the same values: to compare the texts of a long thread would cost more than to estimate them
        same = len(remembered.messages) == len(self.messages) and all(map(is_, remembered.messages, self.messages))
        return remembered if same else None

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
        self._layouts = OrderedDict((index + count, layout) for index, layout in self._layouts.items())
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
        self.heights.append(self.foot.height)
        return index

    def drop(self, index: int) -> None:
        """Forgets the rows of a message; they are made again when needed."""
        self._layouts.pop(index, None)

    def forget_rows(self) -> None:
        """Forgets all rows, for a new look."""
        self._cast_off_rows()
        for remembered in self.recent.values():
            remembered.layouts.clear()

    def _cast_off_rows(self) -> None:
        """Rows go once there is time: to destroy those of 150 messages takes 10 ms."""
        if len(self.cast_off) > KEPT:
            self.cast_off.clear()
        self.cast_off += self._layouts.values()
        self._layouts = OrderedDict()

    def truncate(self, count: int) -> None:
        """Keeps only the first `count` messages."""
        del self.messages[count:]
        for index in [index for index in self._layouts if index >= count]:
            del self._layouts[index]
        self.heights = Heights([*list(self.heights)[:count], self.foot.height])
        self.placed = [placed for placed in self.placed if placed.message < count]

    def row_list(self, index: int) -> RowList:
        """The rows of a message, made if they are not there."""
        if index == len(self.messages):
            return self.foot
        if (layout := self._layouts.get(index)) is None:
            layout = self._make_layout(index)
            layout.measure(self.width)
            self._layouts[index] = layout
            while len(self._layouts) > KEPT:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(index)
        return layout

    def message_layout(self, index: int) -> MessageLayout:
        """The rows of a message, never the foot's."""
        layout = self.row_list(index)
        assert isinstance(layout, MessageLayout)
        return layout

    def has_layout(self, index: int) -> bool:
        """True if the rows of a message are at hand."""
        return index in self._layouts or index == len(self.messages)

    @property
    def made(self) -> tuple[int, ...]:
        """The numbers of the messages whose rows are at hand."""
        return tuple(self._layouts)

    def _estimates(self, messages: Sequence[Message]) -> list[int]:
        """Heights guessed from the length of the text: 10,000 messages must cost next to nothing. Questions fold."""
        sizes = [
            len(message.parts[0].text)
            if len(message.parts) == 1 and type(message.parts[0]) is TextPart
            else sum(len(part.text) if isinstance(part, TextPart) else 120 for part in message.parts)
            for message in messages
        ]
        pitch = self.text_style.body.pitch
        lines = self.text_style.lines_per_character(self.width)
        most = {"user": FOLDED_LINES + 1}
        return [
            40 + pitch * min(1 + int(size * lines), most.get(message.role, size + 1))
            for size, message in zip(sizes, messages, strict=True)
        ]

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
        """A new column width: all estimates are scaled, nothing is laid out or placed (`restore`)."""
        if width == self.width:
            return
        ratio = self.width / width
        self.width = width
        self.heights = Heights([int(height * ratio) for height in self.heights])
        for index, layout in self._layouts.items():
            self.heights.set(index, layout.measure(width))
        self.heights.set(len(self.messages), self.foot.measure(width))
        self.hold = None

    def _settle(self, index: int) -> int:
        """Takes the height of a message's rows into the sums; returns by how much it grew."""
        return self.heights.set(index, self.row_list(index).height)

    def _has_settled(self, index: int) -> bool:
        """Return True if the sums have the height of a message's rows; those never in view are guessed."""
        return (layout := self._layouts.get(index)) is not None and layout.height == self.heights[index]

    # --- placing

    def place_at(self, y: int) -> None:
        """Looks at the content from `y` on; a row that is in view already keeps its exact distance."""
        self._begin_reading()
        self.keeps_end = False
        y = max(0, min(self.bottom, y))
        shift = self.y - y
        if (anchor := self._anchor(shift)) is not None:
            self._place(anchor.message, anchor.row, anchor.top + shift)
            return
        index = self.heights.at(y)
        self._settle(index)
        index = self.heights.at(y)
        row_list, position, top = self.row_list(index), 0, self.heights.before(index) - y
        while position < len(row_list.rows):
            row = row_list.rows[position]
            if top + row.height <= 0:
                top += row.height
                position += 1
            elif not self._open(index, position):
                self._place(index, row, top)
                return
        if row_list.rows:
            last = self._last_row(index)
            self._place(index, last, top - last.height)
        else:
            self._place_from_end()

    def place_again(self) -> None:
        """Lays out and places what is in view after something changed; the topmost row stays where it is."""
        if self.keeps_end:
            self.place_end()
            return
        self._begin_reading()
        if (anchor := self._anchor()) is not None:
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
        if (row_list := self.row_list(index)).rows:
            self._begin_reading()
            self._open(index, 0)
            self.place_row(index, row_list.rows[0], top)

    def view_position(self) -> ViewPosition | None:
        """Return the content of the view now; None while it shows nothing."""
        if (anchor := self._anchor()) is None:
            return None
        return ViewPosition(anchor, *_line_in_view(anchor), self.hold, self.view, self.at_end, self.y >= self.bottom)

    @property
    def at_end(self) -> bool:
        """True where the view ends where the content does, and is to go on doing so."""
        return self.y >= self.bottom and self.extent == self.heights.total and not (self.from_top and self.y <= 0)

    def restore(self, view_position: ViewPosition) -> None:
        """Shows again what was shown, in a view of another size: the end, or the line that is read where it was."""
        if view_position.at_end:
            self.place_end()
            return
        index, row, held = view_position.anchor.message, view_position.anchor.row, view_position.hold
        self._begin_reading()
        if held is not None:
            self.hold = (held[0], AMPLE if view_position.in_room else held[1] + self.view - view_position.view)
        self._lay_out(index, row)
        self._place(index, row, view_position.top - _line_top(row, view_position.text))
        if held is not None and view_position.in_room:
            self.hold = (held[0], self.y + self.view - self.heights.before(held[0]))

    def line_in_view(self) -> tuple[int, int, int, int] | None:
        """Numbers of a message and its first selectable row in view, a position in its text, the top of that line."""
        placed = next((placed for placed in self.placed if placed.bottom > 0 and placed.row.slot >= 0), None)
        return None if placed is None else (placed.message, placed.row.slot, *_line_in_view(placed))

    def place_line(self, index: int, slot: int, text: int, top: int) -> None:
        """Brings the line of a row with a number (`CanvasRow.slot`), made first if it has to be, to `top`."""
        self._begin_reading()
        if (row := self._row_with(index, slot)) is None:
            self.place_message(index, top)
        else:
            self.row_list(index).lay_out(row)
            self.place_row(index, row, top - _line_top(row, text))

    def _row_with(self, index: int, slot: int) -> CanvasRow | None:
        """The last row of a message up to a number, made where only its room is kept yet."""
        layout = self.message_layout(index)
        while True:
            numbered = [(place, layout.slot_of(row)) for place, row in enumerate(layout.rows)]
            place = max((place for place, number in numbered if 0 <= number <= slot), default=None)
            if place is None or not self._open(index, place):
                return None if place is None else layout.rows[place]

    def place_row(self, index: int, row: CanvasRow, top: int) -> None:
        """Brings a row of a message to `top` pixels below the top of the view, as far as there is content for it."""
        self._begin_reading()
        self.keeps_end = False
        self.row_list(index).lay_out(row)
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
        if not isinstance(item := self.row_list(message).rows[position].item, PlaceholderItem):
            return 0
        if self._read >= MOST_READ:
            self.unread = True
            return None
        self._read += item.weight
        return self.row_list(message).open_at(position)

    def _anchor(self, shift: int = 0) -> PlacedRow | None:
        """The topmost row that stays in view, one that is read if there is any: of no other the height is known."""
        staying = [one for one in self.placed if one.bottom + shift > 0 and one.top + shift < self.view]
        staying.sort(key=lambda placed: isinstance(placed.row.item, PlaceholderItem))
        return next(filter(self.is_shown, staying), None)

    def is_shown(self, placed: PlacedRow) -> bool:
        """Return True if a row that was placed is one of its message's still."""
        return self.has_layout(placed.message) and placed.row in self.row_list(placed.message).rows

    def _place_from_end(self) -> None:
        for index in range(len(self.messages), -1, -1):
            if self.row_list(index).rows:
                last = self._last_row(index)
                self.row_list(index).lay_out(last)
                self._settle(index)
                self._place(index, last, self.view - last.height)
                return
        self.placed = []
        self.y = 0

    def _last_row(self, index: int) -> CanvasRow:
        row_list = self.row_list(index)
        self._open(index, len(row_list.rows) - 1)
        return row_list.rows[-1]

    def _place(self, index: int, anchor: CanvasRow, top: int) -> None:
        """Lays out rows from the anchor in both directions until the view is full, then mends the ends."""
        placed = self._fill(index, anchor, top)
        first, last = placed[0], placed[-1]
        if self._is_first(first) and first.top > 0:
            placed = self._fill(first.message, first.row, 0)
        elif (
            self._neighbour(last.message, self._index_of(last.message, last.row), 1) is None and last.bottom < self.view
        ):
            self._note(placed)
            if (slack := self.y - self.bottom) > 0:
                placed = self._fill(last.message, last.row, last.top + slack)
                first = placed[0]
                if self._is_first(first) and first.top > 0:
                    placed = self._fill(first.message, first.row, 0)
        self._note(placed)

    def _note(self, placed: list[PlacedRow]) -> None:
        self.placed, first = placed, placed[0]
        above = self.row_list(first.message).rows[: self._index_of(first.message, first.row)]
        within = sum(row.gap + row.item.height + row.tail for row in above)  # no call for each of thousands
        self.y = self.heights.before(first.message) + within - first.top

    def _is_first(self, placed: PlacedRow) -> bool:
        return self._neighbour(placed.message, self._index_of(placed.message, placed.row), -1) is None

    def _index_of(self, message: int, wanted: CanvasRow) -> int:
        return self.row_list(message).rows.index(wanted)

    def _neighbour(self, message: int, position: int, step: int) -> tuple[int, int] | None:
        """The next row in a direction, over the ends of messages; messages without rows are skipped."""
        position += step
        while not 0 <= position < len(self.row_list(message).rows):
            message += step
            if not 0 <= message <= len(self.messages):
                return None
            position = 0 if step > 0 else len(self.row_list(message).rows) - 1
        return message, position

    def _fill(self, message: int, anchor: CanvasRow, top: int) -> list[PlacedRow]:
        start = self._index_of(message, anchor)
        self._lay_out(message, anchor)
        below: list[tuple[int, CanvasRow, int]] = []
        here: tuple[int, int] | None = (message, start)
        y = top
        while here is not None and y < self.view:
            made = self._open(*here)
            row = self.row_list(here[0]).rows[here[1]]
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
            row = self.row_list(here[0]).rows[here[1]]
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
            self.row_list(message).lay_out(row)

    def _placed(self, message: int, row: CanvasRow, top: int) -> PlacedRow:
        if row.decoration or message == len(self.messages):
            return PlacedRow(message, row, top, row.height, False, False, False, 0)
        layout = self.message_layout(message)
        body = (layout.rows[len(layout.head)], layout.rows[-1 - len(layout.foot)])
        first, faded = row is body[0], message in self.faded
        tick, focused = first and message in self.ticked, message == self.focused
        return PlacedRow(
            message, row, top, row.height, first, row is body[1], faded, layout.card_width, tick=tick, focused=focused
        )
