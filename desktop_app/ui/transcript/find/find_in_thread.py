"""The search for words in the open thread: reading all messages, hits that stand out, going from hit to hit."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.messages import Message
from desktop_app.core.search_terms import FindPattern
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.find.find_bars import FindBar, GoToBar
from desktop_app.ui.transcript.items.item import CanvasRow, Item, TextHighlight, utf16_length
from desktop_app.ui.transcript.message.read_messages import LeafText, leaf_texts, readable_groups
from desktop_app.ui.transcript.message.row_builder import RowBuilder

#: Longest uninterrupted reading on the GUI thread.
SLICE_S = 0.004


@dataclass(frozen=True, slots=True)
class FoundText:
    """The number of matches in one leaf: leaf `number` of part `part`, at a share of the message's text."""

    part: int
    number: int
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class TextMatch:
    """One hit: the `nth` (from 0) in leaf `number` of part `part` of message `message`."""

    message: int
    part: int
    number: int
    nth: int


class ThreadSearch(QObject):
    """Counts the hits of a needle in messages that are there and that come.

    `read_one(index)` hands out a message as it is now and whether it is still growing, None where there is none any
    more: that the path is shorter is told a moment later. `progressed` comes after every
    slice of reading; `done` is True when all messages have been read.
    """

    progressed = Signal()

    def __init__(self, row_builder: Callable[[], RowBuilder], read_one: Callable[[int], tuple[Message, bool] | None],
                 parent: QObject) -> None:  # fmt: skip
        super().__init__(parent)
        self._row_builder = row_builder
        self._read_one = read_one
        self.needle = FindPattern("")
        self.found: list[tuple[FoundText, ...]] = []
        """The places of matches in each message, so far."""
        self.counts: list[int] = []
        self._waiting: list[int] = []
        self._work: Iterator[None] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self.read_slice)

    # --- what is looked for, and where

    def look_for(self, needle: FindPattern, count: int, start: int = 0, *, only: bool = False) -> None:
        """Begin a new search over `count` messages; those from `start` on are read first, or that one `only`."""
        self.needle = needle
        self.found = [()] * count
        self.counts = [0] * count
        # taken from the end: the messages before the start come last
        self._waiting = [*range(start - 1, -1, -1), *range(count - 1, start - 1, -1)] if needle else []
        self._waiting = [start] if needle and only else self._waiting[:start][::-1] + self._waiting[start:]
        self._begin()

    def message_changed(self, index: int) -> None:
        """A message came, or is another one now."""
        while index >= len(self.found):
            self.found.append(())
            self.counts.append(0)
        if self.needle:
            if index not in self._waiting[-4:]:
                self._waiting.append(index)
            self._begin()

    def truncate(self, count: int) -> None:
        """Only the first `count` messages are left."""
        del self.found[count:]
        del self.counts[count:]
        self._waiting = [index for index in self._waiting if index < count]
        self._begin()

    def stop(self) -> None:
        """Looks for nothing any more."""
        self.look_for(FindPattern(""), 0)

    @property
    def done(self) -> bool:
        """True when all messages have been read."""
        return self._work is None and not self._waiting

    # --- what was found

    @property
    def total(self) -> int:
        """The number of hits in the messages read so far."""
        return sum(self.counts)

    def number_of(self, hit: TextMatch) -> int:
        """Which hit of the thread it is, counted from 1."""
        before = sum(self.counts[: hit.message])
        for found in self.found[hit.message]:
            if (found.part, found.number) == (hit.part, hit.number):
                break
            before += found.count
        return before + hit.nth + 1

    def holds(self, hit: TextMatch) -> bool:
        """True if this hit is still there."""
        if hit.message >= len(self.found):
            return False
        return any(
            (found.part, found.number) == (hit.part, hit.number) and hit.nth < found.count
            for found in self.found[hit.message]
        )

    def hits_of(self, message: int) -> list[TextMatch]:
        """The hits of one message, in order."""
        if not 0 <= message < len(self.found):
            return []
        return [
            TextMatch(message, found.part, found.number, nth)
            for found in self.found[message]
            for nth in range(found.count)
        ]

    def beside(self, hit: TextMatch, step: int) -> TextMatch | None:
        """The next hit in a direction, round the ends of the thread."""
        here = self.hits_of(hit.message)
        position = here.index(hit) + step if hit in here else -1
        if 0 <= position < len(here):
            return here[position]
        return self.from_message(hit.message + step, step)

    def from_message(self, message: int, step: int = 1) -> TextMatch | None:
        """The first hit from a message on in a direction, round the ends of the thread."""
        count = len(self.counts)
        for distance in range(count):
            index = (message + step * distance) % count
            if self.counts[index]:
                return self.hits_of(index)[0 if step > 0 else -1]
        return None

    # --- reading

    def _begin(self) -> None:
        self._work = None
        if self._waiting:
            self._timer.start()
        else:
            self._timer.stop()
        self.progressed.emit()

    def read_slice(self) -> None:
        deadline = time.perf_counter() + SLICE_S
        while time.perf_counter() < deadline:
            if self._work is None:
                if not self._waiting:
                    self._timer.stop()
                    break
                self._work = self._read(self._waiting.pop())
            if next(self._work, False) is False:
                self._work = None
        self.progressed.emit()

    def _read(self, index: int) -> Iterator[None]:
        if index >= len(self.found) or (now := self._read_one(index)) is None:
            return
        message, growing = now
        # what can't hold it is not read
        groups = [group for group in readable_groups(message) if self.needle.may_be_in(group.text)]
        found: list[tuple[LeafText, int]] = []
        read = 0
        places: list[int] = []
        wanted = self.needle.may_be_in
        texts = leaf_texts(self._row_builder(), message, groups, growing=growing, wanted=wanted)
        for leaf in texts:
            if spans := self.needle.spans(leaf.text):
                found.append((leaf, len(spans)))
                places.append(read)
            read += len(leaf.text) or len(leaf.leaf.text)
            yield
        self._take(
            index,
            tuple(
                FoundText(leaf.part, leaf.number, count, place / max(1, read))
                for (leaf, count), place in zip(found, places, strict=True)
            ),
        )

    def _take(self, index: int, found: tuple[FoundText, ...]) -> None:
        self.found[index] = found
        self.counts[index] = sum(each.count for each in found)


#: Ticks begin this far from each other at least (pixels): very many are still ticks, no band.
TICKS_APART = 4
#: How long after what was found has changed the ticks are worked out again.
AGAIN_MS = 150
#: Longest uninterrupted work; the finder may read in the same turn of the event loop.
TICKS_SLICE_S = 0.002
#: Messages between two looks at the clock.
STRIDE = 32


class HitTicks(QObject):
    """Shows where in a view's messages a finder has found something."""

    def __init__(self, canvas: Canvas, search: ThreadSearch) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._search = search
        self._lines: set[int] = set()
        self._work: Iterator[None] | None = None
        self._stale = False
        self.timer = QTimer(self, singleShot=True)
        self.timer.timeout.connect(self.go_on)

    @property
    def busy(self) -> bool:
        """True until the ticks are those of what was found."""
        return self._work is not None or self.timer.isActive()

    def renew(self) -> None:
        """Renew the ticks soon, as the matches or their places have changed."""
        if self._work is not None:
            self._stale = True
        elif not self.timer.isActive():
            self.timer.start(AGAIN_MS)

    def forget(self) -> None:
        """Nothing of what was found before counts any more; the ticks stay till there are others."""
        self.timer.stop()
        self._work, self._stale = None, False

    def clear(self) -> None:
        """No ticks."""
        self.forget()
        self._canvas.ticked_bar.set_ticks((), self._canvas.text_style.color("fill"))

    def go_on(self) -> None:
        deadline = time.perf_counter() + TICKS_SLICE_S
        self._work = self._work or self._read()
        while next(self._work, True) is None:
            if time.perf_counter() > deadline:
                self.timer.start(0)
                return
        self._canvas.ticked_bar.set_ticks(self._lines, self._canvas.text_style.color("fill-warning"))
        again = self._stale
        self.forget()
        if again:
            self.renew()

    def _read(self) -> Iterator[None]:
        """Fills `_lines`. Heights that become exact meanwhile shift a tick by less than anybody sees."""
        row_layout, room = self._canvas.row_layout, self._canvas.ticked_bar.room
        scale = room / max(1, row_layout.extent)
        lines = self._lines = set()
        top = 0
        for index, (height, found) in enumerate(zip(row_layout.heights, self._search.found, strict=False)):
            shares = (each.share for each in found) if height * scale >= 2 else (0.0,) if found else ()
            lines.update(int((top + share * height) * scale) // TICKS_APART * TICKS_APART for share in shares)
            top += height
            if index % STRIDE == 0:
                yield


#: Where in the view a hit comes to stand that was out of it.
HIT_SHARE = 0.3
#: More hits than this in one row do not stand out: painting them would hold up the screen.
MOST_MARKS = 2_000
#: Rows whose marks are kept.
KEPT = 400
#: Words selected in the transcript are looked for at once, if they are no more than this.
LONGEST_SEED = 80


class SearchedMessages(Protocol):
    """The questions asked about messages that may still be growing."""

    def is_growing(self, index: int) -> bool: ...
    def message_now(self, index: int) -> tuple[Message, bool]: ...
    def is_read(self, index: int, part: int) -> bool: ...


@dataclass(slots=True)
class _RowHighlights:
    """The marks of a row, and what they were made from."""

    item: Item
    version: int
    spans: Sequence[tuple[int, int]]


class FindInThread(QObject):
    """Finds in the messages of a view.

    `looked_through(needle)`: all messages have been read for it; with an empty one nothing is looked for any more.
    `elsewhere_requested`: what was found outside of these messages is to be shown.
    """

    looked_through = Signal(object)
    elsewhere_requested = Signal()
    close_requested = Signal()

    def __init__(
        self,
        canvas: Canvas,
        messages: SearchedMessages,
        row_builder: Callable[[], RowBuilder],
        selected: Callable[[], str],
    ) -> None:
        """`selected`: what is selected in one row."""
        super().__init__(canvas)
        self._canvas = canvas
        self._messages = messages
        self._selected = selected
        self._bar: FindBar | None = None
        self.search = ThreadSearch(row_builder, self._message, self)
        self.search.progressed.connect(self._progressed)
        self.current_hit: TextMatch | None = None
        self._seeking = False
        self._marks_message = ""  # the message whose first hit is still to be shown, where the bar is not open
        self._marked = ""  # the message whose words stand out then
        self._marking = False
        self._spans: dict[int, _RowHighlights] = {}
        self._read: list[Message] = []
        self._told: tuple[FindPattern, tuple[str, ...]] | None = None
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self.read_again)
        self.ticks = HitTicks(canvas, self.search)
        canvas.highlights_in = self.highlights_in
        canvas.rows_shown.connect(self._look_again)
        canvas.style_changed.connect(self._restyle)

    # --- the bar

    @property
    def bar(self) -> FindBar:
        """The bar, made when it is first asked for."""
        if self._bar is None:
            self._bar = FindBar(self._canvas)
            self._bar.set_theme(self._canvas.text_style.theme)
            self._bar.wanted.connect(self._look_for)
            self._bar.step_requested.connect(self.step)
            self._bar.closed.connect(self.close_requested)
            self._bar.elsewhere_requested.connect(self.elsewhere_requested)
        return self._bar

    @property
    def shown(self) -> bool:
        """True while the bar is open."""
        return self._bar is not None and not self._bar.isHidden()

    @property
    def active(self) -> bool:
        """True while something is looked for: in the bar, or because a search led here."""
        return self.shown or self._marking

    @property
    def done(self) -> bool:
        """True when all messages have been read."""
        return self.search.done

    def open(self) -> None:
        """Opens the bar; a few selected words are looked for at once."""
        words = self._selected()
        self._marking = False
        self._canvas.set_top_bar(self.bar)
        self.bar.begin(words if "\n" not in words and len(words) <= LONGEST_SEED else "")

    def close(self) -> None:
        """Puts the bar away; nothing stands out any more."""
        if self.active:
            if self.shown:
                self._canvas.set_top_bar(None)
            self._marking = False
            self.search.stop()
            self._read, self._told = [], None
            self.looked_through.emit(FindPattern(""))
            self._forget()
            self.ticks.clear()
            self._canvas.repaint_all()

    def mark(self, words: str, message_id: str) -> None:
        """Has words of a message stand out without the bar, as a search led here; the first comes into view."""
        needle, number = FindPattern(words, any_word=True), self._number(message_id)
        if not needle or number is None:
            return
        if self.shown:
            self._canvas.set_top_bar(None)
        self._marking, self._marks_message, self._marked = True, message_id, message_id
        self._look_for(needle, jump=False, start=number)

    def unmark(self) -> None:
        """Remove the marks of a search's matches; the find bar stays."""
        if not self.shown:
            self.close()

    def _restyle(self) -> None:
        self._spans.clear()
        if self._bar is not None:
            self._bar.set_theme(self._canvas.text_style.theme)
            self.ticks.renew()

    # --- messages come and change

    def _look_again(self) -> None:
        # something is shown anew: messages may have come, grown or changed
        if self.active and not self._again.isActive():
            self._again.start()

    def read_again(self) -> None:
        """Reads messages that have come, grown or changed."""
        if not self.active:
            return
        messages, read = self._canvas.row_layout.messages, self._read
        if messages and read and messages[0].id != read[0].id:
            self._look_for(self.search.needle, jump=False, start=self._number(self._marked) if self._marking else None)
            return
        if len(messages) < len(read):
            self.search.truncate(len(messages))
        if self._marking:
            return
        for index, message in enumerate(messages):
            if index >= len(read) or message is not read[index]:
                self.search.message_changed(index)
        if (last := len(messages) - 1) >= 0 and self._messages.is_growing(last):
            self.search.message_changed(last)
        self._read = list(messages)

    def _message(self, index: int) -> tuple[Message, bool] | None:
        return self._messages.message_now(index) if index < len(self._canvas.row_layout.messages) else None

    # --- looking

    def _look_for(self, needle: FindPattern, *, jump: bool = True, start: int | None = None) -> None:
        self._forget()
        row_layout = self._canvas.row_layout
        if start is None:
            start = min(row_layout.placed[0].message, max(0, len(row_layout.messages) - 1)) if row_layout.placed else 0
        self._seeking = jump and bool(needle)
        self._read = list(row_layout.messages)
        self.search.look_for(needle, len(row_layout.messages), start, only=self._marking)
        self._canvas.repaint_all()

    def _forget(self) -> None:
        self.current_hit = None
        self._seeking = False
        self._spans.clear()
        self.ticks.forget()

    def _progressed(self) -> None:
        if not self.active:
            return
        if self.current_hit is not None and not self.search.holds(self.current_hit):
            self.current_hit = None
        if self._seeking and (self.search.total or self.search.done):
            # The first hit from what is in view on, without moving the view where one is in view already.
            self._seeking = False
            if (placed := self._canvas.row_layout.placed) and self.search.total:
                first = placed[0].message
                in_view = [hit for hit in self.search.hits_of(first) if self._is_in_view(hit)]
                later = self.search.from_message(first + 1) if not in_view else None
                hit = in_view[0] if in_view else later
                if hit is not None:
                    self._go_to(hit)
        if self._marking:
            self._show_first()
            self.ticks.renew()
            return
        number = self.search.number_of(self.current_hit) if self.current_hit is not None else 0
        self.bar.show_count(number, self.search.total, done=self.search.done)
        if self.search.done:
            # All has been read: once for each needle on each path.
            now = (self.search.needle, tuple(message.id for message in self._canvas.row_layout.messages))
            if now != self._told:
                self._told = now
                self.bar.show_elsewhere(0)
                self.looked_through.emit(self.search.needle)
        self.ticks.renew()

    def show_elsewhere(self, messages: int) -> None:
        """Show how many messages that are not shown here hold the words looked for."""
        if self.shown:
            self.bar.show_elsewhere(messages)

    def _show_first(self) -> None:
        """The first hit in the message that a search led to, as soon as that has been read."""
        number = self._number(self._marks_message) if self._marks_message else None
        hits = self.search.hits_of(number) if number is not None else []
        if hits:
            self._go_to(hits[0])
        if hits or self.search.done:
            self._marks_message = ""

    def _number(self, message_id: str) -> int | None:
        return next((n for n, one in enumerate(self._canvas.row_layout.messages) if one.id == message_id), None)

    def step(self, step: int) -> None:
        """Goes to the next hit (1) or the previous one (-1), round the ends of the thread."""
        if not self.active:
            self.open()
            return
        if (here := self.current_hit) is None:
            placed = self._canvas.row_layout.placed
            hit = self.search.from_message(placed[0].message if placed else 0, step) if self.search.total else None
        else:
            hit = self.search.beside(here, step)
        if hit is not None:
            self._go_to(hit)
            if self.shown:
                self.bar.show_count(self.search.number_of(hit), self.search.total, done=self.search.done)
                self.bar.announce()

    def _go_to(self, hit: TextMatch) -> None:
        self.current_hit = hit
        if (row := self._row_of(hit, unfold=True)) is not None:
            spans = self._spans_of(row)
            start = _position(row.item, spans[min(hit.nth, len(spans) - 1)][0]) if spans else 0
            self._canvas.reveal(hit.message, row, start, HIT_SHARE)
        self._canvas.repaint_all()

    # --- rows

    def _row_of(self, hit: TextMatch, *, unfold: bool = False) -> CanvasRow | None:
        """The row of a hit; thinking that is folded is unfolded if that is wanted."""
        if hit.message >= len(self._canvas.row_layout.messages):
            return None  # the path has just become shorter
        if not unfold and not self._canvas.row_layout.has_layout(hit.message):
            return None
        layout = self._canvas.row_layout.message_layout(hit.message)
        if unfold:
            layout.open_all()
            layout.open_folded()
        rows = [row for row in layout.rows if row.part == hit.part and row.leaf is not None and not row.decoration]
        if not rows and unfold:
            layout.toggle(hit.part)
            layout.open_all()
            rows = [row for row in layout.rows if row.part == hit.part and row.leaf is not None and not row.decoration]
        return rows[hit.number] if hit.number < len(rows) else None

    def _is_in_view(self, hit: TextMatch) -> bool:
        row = self._row_of(hit)
        placed = self._canvas.placed_row(row) if row is not None else None
        spans = self._spans_of(row) if row is not None else ()
        if placed is None or row is None or hit.nth >= len(spans):
            return False
        line = row.item.caret_rect(_position(row.item, spans[hit.nth][0])).translated(0, placed.item_top)
        # what the bar has come to cover was in view a moment ago
        covered = self.bar.height() if self.shown else 0
        return line.top() >= row.item.held_header - covered and line.bottom() <= self._canvas.row_layout.view

    def _spans_of(self, row: CanvasRow) -> Sequence[tuple[int, int]]:
        kept = self._spans.get(id(row.item))
        if kept is None or kept.item is not row.item or kept.version != row.item.version:
            if len(self._spans) > KEPT:
                self._spans.clear()
            spans = self.search.needle.spans(row.item.reading)
            kept = self._spans[id(row.item)] = _RowHighlights(row.item, row.item.version, spans)
        return kept.spans

    def highlights_in(self, placed: PlacedRow) -> Sequence[TextHighlight]:
        """Return the ranges of text that stand out in a row."""
        row = placed.row
        if not self.search.needle or row.slot < 0 or row.leaf is None or row.decoration:
            return ()
        if not self._messages.is_read(placed.message, row.part):
            return ()
        if self._marking and self._canvas.row_layout.messages[placed.message].id != self._marked:
            return ()
        if not (spans := self._spans_of(row)):
            return ()
        current = self.current_hit
        at = -1
        if current is not None and (current.message, current.part) == (placed.message, row.part):
            at = current.nth if self._row_of(current) is row else -1
        text = row.item.reading
        first = 0 if at < MOST_MARKS else at - MOST_MARKS // 2
        chosen = spans[first : first + MOST_MARKS]
        ends = _positions(text, [end for span in chosen for end in span])
        return [
            TextHighlight(ends[2 * n], ends[2 * n + 1], "found-current" if first + n == at else "found")
            for n in range(len(chosen))
        ]


def _position(item: Item, index: int) -> int:
    return utf16_length(item.reading[:index])


def _positions(text: str, indices: Sequence[int]) -> Sequence[int]:
    """UTF-16 positions of rising code point indices."""
    if text.isascii() or max(text) <= "\uffff":
        return indices
    wide = [number for number, character in enumerate(text) if character > "\uffff"]
    return [index + bisect_right(wide, index - 1) for index in indices]


class TopBars(QObject):
    """Shows one bar at a time. `closed` comes when the reader has closed it, `chosen` with the number of a message."""

    closed = Signal()
    chosen = Signal(int)

    def __init__(self, canvas: Canvas, find_in_thread: FindInThread) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._find_in_thread = find_in_thread
        self._go_to: GoToBar | None = None
        find_in_thread.close_requested.connect(self.close)

    @property
    def go_to(self) -> GoToBar:
        """The bar that leads to a message by number or date, made when it is first asked for."""
        if self._go_to is None:
            self._go_to = GoToBar(self._canvas)
            self._go_to.set_theme(self._canvas.text_style.theme)
            self._canvas.style_changed.connect(lambda: self.go_to.set_theme(self._canvas.text_style.theme))
            self._go_to.closed.connect(self.close)
            self._go_to.chosen.connect(self._on_chosen)
        return self._go_to

    def open_find(self) -> None:
        """Opens the bar in which words are found."""
        if self._go_to is not None:
            self._go_to.hide()
        self._find_in_thread.open()

    def ask_where(self) -> None:
        """Opens the bar that leads to a message by number or date."""
        self._find_in_thread.close()
        self._canvas.set_top_bar(self.go_to)
        self.go_to.begin(self._canvas.row_layout.messages)

    def close(self) -> bool:
        """Closes the bar over the text; False if there was none. What a search found stands out no more."""
        found, asked = self._find_in_thread.shown, self._go_to is not None and not self._go_to.isHidden()
        self._find_in_thread.close()
        if asked and not found:
            self._canvas.set_top_bar(None)
        if found or asked:
            self.closed.emit()
        return found or asked

    def _on_chosen(self, index: int) -> None:
        self.close()
        self.chosen.emit(index)
