"""The places of matches in a thread, and their ticks in the scroll bar: all messages are read, a slice at a time.

Uses no row."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.find_pattern import FindPattern
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.canvas.canvas import Canvas
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
        self._found: list[tuple[FoundText, ...]] = []
        self.counts: list[int] = []
        self._waiting: list[int] = []
        self._work: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.read_slice)

    # --- what is looked for, and where

    def look_for(self, needle: FindPattern, count: int, start: int = 0) -> None:
        """Begin a new search over `count` messages; those from `start` on are read first."""
        self.needle = needle
        self._found = [()] * count
        self.counts = [0] * count
        # taken from the end: the messages before the start come last
        self._waiting = [*range(start - 1, -1, -1), *range(count - 1, start - 1, -1)] if needle else []
        self._waiting = self._waiting[:start][::-1] + self._waiting[start:]
        self._begin()

    def message_changed(self, index: int) -> None:
        """A message came, or is another one now."""
        while index >= len(self._found):
            self._found.append(())
            self.counts.append(0)
        if self.needle:
            if index not in self._waiting[-4:]:
                self._waiting.append(index)
            self._begin()

    def truncate(self, count: int) -> None:
        """Only the first `count` messages are left."""
        del self._found[count:]
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
        for found in self._found[hit.message]:
            if (found.part, found.number) == (hit.part, hit.number):
                break
            before += found.count
        return before + hit.nth + 1

    def holds(self, hit: TextMatch) -> bool:
        """True if this hit is still there."""
        if hit.message >= len(self._found):
            return False
        return any(
            (found.part, found.number) == (hit.part, hit.number) and hit.nth < found.count
            for found in self._found[hit.message]
        )

    def hits_of(self, message: int) -> list[TextMatch]:
        """The hits of one message, in order."""
        if not 0 <= message < len(self._found):
            return []
        return [
            TextMatch(message, found.part, found.number, nth)
            for found in self._found[message]
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

    @property
    def found(self) -> Sequence[Sequence[FoundText]]:
        """The places of matches in each message, so far."""
        return self._found

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
        if index >= len(self._found):
            return
        now = self._read_one(index)
        if now is None:
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
            spans = self.needle.spans(leaf.text)
            if spans:
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
        self._found[index] = found
        self.counts[index] = sum(each.count for each in found)


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
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
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
            if found and height * scale < 2:
                lines.add(int(top * scale))
            else:
                lines.update(int((top + each.share * height) * scale) for each in found)
            top += height
            if index % STRIDE == 0:
                yield
