"""Selects the messages of a path that can be sent and those that always are, by the user's choices.

Pins, exclusions, fresh starts and summaries act on whole turns. A message is sent if it is not out, and either stands
in the tail or always stays.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from desktop_app.core.context.boundaries import Boundary, head_length
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.sent_content import gap_marker, summary_block
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.settings import ContextSettings


@dataclass(frozen=True, slots=True)
class TurnSpans:
    """The places where turns begin. `waiting`: the last one has no answer yet, so nothing may take it away."""

    starts: Sequence[int]
    length: int
    waiting: bool

    def span(self, index: int) -> range:
        """The whole turn that a message belongs to; what stands before the first question belongs to it."""
        place = bisect_right(self.starts, index)
        first = self.starts[place - 1] if place > 1 else 0
        return range(first, self.starts[place] if place < len(self.starts) else self.length)

    def at_or_after(self, index: int) -> int:
        """The next place where a tail may begin; what waits for an answer is never behind it."""
        if (place := bisect_left(self.starts, index)) < len(self.starts):
            return self.starts[place]
        return self.protected

    @property
    def protected(self) -> int:
        """From here on the path is the question that is being asked."""
        if not self.waiting:
            return self.length
        return self.starts[-1] if self.starts else 0


@dataclass(frozen=True, slots=True)
class PathChoices:
    """The user's choices as indexes of one path. Everything before `base` is left out, but for `head` and pins.

    `leaving`: what goes at the first step after a time, `gone` what has.
    """

    pinned: frozenset[int] = frozenset()
    excluded: frozenset[int] = frozenset()
    deleted: frozenset[int] = frozenset()
    base: int = 0
    head: range = range(0)
    summaries: tuple[tuple[Summary, tuple[int, ...]], ...] = ()
    leaving: tuple[tuple[str, frozenset[int]], ...] = ()
    gone: frozenset[int] = frozenset()

    def stepped(self, at: str) -> PathChoices:
        """Return them where the newest step was made `at` (ISO 8601 UTC; "": there was none)."""
        gone = frozenset[int]().union(*(places for since, places in self.leaving if since <= at))
        return replace(self, gone=gone) if gone != self.gone else self


def path_choices(
    path: Sequence[Message],
    turns: TurnSpans,
    choices: ContextChoices,
    settings: ContextSettings,
    deleted: frozenset[int] = frozenset(),
) -> PathChoices:
    """Return the meaning of the choices on this path; those that name messages of other branches mean nothing here.

    `deleted` are empty already: no summary stands for them, and the beginning that always stays is that of the others.
    """
    named = choices.pinned or choices.excluded or choices.fresh_from or choices.summaries or choices.leaving
    places = {message.id: index for index, message in enumerate(path)} if named else {}
    base = 0
    if choices.fresh_from in places:
        base = min(turns.span(places[choices.fresh_from]).stop, turns.protected)
    first = 0 if choices.keeps_start else base
    head = _head(path, first, deleted, settings)
    excluded = frozenset(_whole_turns(choices.excluded, places, turns)) - frozenset(
        range(turns.protected, len(path)) if choices.excluded else ()
    )
    pinned = frozenset(_whole_turns(choices.pinned, places, turns)) - excluded
    stays = pinned | deleted | excluded | frozenset(range(turns.protected, len(path)) if choices.leaving else ())
    marked = ((one.since, frozenset(_whole_turns((one.message,), places, turns))) for one in sorted(choices.leaving))
    leaving = tuple((since, rows - stays) for since, rows in marked if rows - stays)
    summaries = []
    for summary in choices.summaries:
        sources = tuple(places[name] for name in summary.sources if name in places)
        whole = len(sources) == len(summary.sources) and deleted.isdisjoint(sources)  # its text tells of these
        usable = whole and sources and summary.text.strip()
        if usable and list(sources) == sorted(set(sources)) and sources[-1] < turns.protected and sources[0] >= first:
            summaries.append((summary, sources))
    return PathChoices(pinned - deleted, excluded - deleted, deleted, base, head, tuple(summaries), leaving)


def _head(path: Sequence[Message], base: int, deleted: frozenset[int], settings: ContextSettings) -> range:
    if base >= len(path):
        return range(base, base)
    if not deleted:
        return range(base, base + head_length(path[base:] if base else path, settings))
    kept = [index for index in range(base, len(path)) if index not in deleted]
    length = head_length([path[index] for index in kept], settings) if kept else 0
    return range(base, kept[length - 1] + 1 if length else base)


def _whole_turns(names: Iterable[str], places: dict[str, int], turns: TurnSpans) -> Iterable[int]:
    for name in names:
        if name in places:
            yield from turns.span(places[name])


@dataclass(frozen=True, slots=True)
class Gap:
    """Messages in a row that are not sent, and the block in their place (None where the request begins with them)."""

    first: int
    end: int
    block: TextPart | None
    summarised: bool = False


@dataclass(slots=True)
class MessageSelection:
    """One way to send a path, but for where the tail begins. `stays` are the indexes that are always sent, in order.

    `spoken`: how many questions and answers stand before each place, since these are the messages that notes count.
    """

    decided: PathChoices
    spoken: Sequence[int] = field(compare=False)
    summaries: tuple[tuple[Summary, tuple[int, ...]], ...] = ()
    covered: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()
    stays: tuple[int, ...] = ()
    _stays_set: frozenset[int] = frozenset()
    _out_sorted: tuple[int, ...] = ()
    _gap_starts: tuple[list[int], list[int]] | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls,
        decided: PathChoices,
        spoken: Sequence[int],
        summaries: Iterable[tuple[Summary, tuple[int, ...]]],
    ) -> MessageSelection:
        """With these summaries in force; of two that overlap, the later one."""
        dropped = decided.excluded | decided.gone
        stays = frozenset(index for index in decided.head if index not in dropped) | decided.pinned
        applied: list[tuple[Summary, tuple[int, ...]]] = []
        covered: set[int] = set()
        for summary, sources in reversed(tuple(summaries)):
            free = [index for index in sources if index not in stays and index not in dropped]
            if free and covered.isdisjoint(sources):
                applied.append((summary, tuple(free)))
                covered.update(free)
        applied.sort(key=lambda entry: entry[1][0])
        before_base = (index for index in range(decided.base) if index not in stays)
        out = frozenset(before_base) | dropped | covered
        return cls(
            decided, spoken, tuple(applied), frozenset(covered), out, tuple(sorted(stays)), stays, tuple(sorted(out))
        )

    @property
    def length(self) -> int:
        """The number of rows of the path."""
        return len(self.spoken) - 1

    def spoken_in(self, first: int, end: int) -> int:
        """Return the number of questions and answers in a range of the path."""
        return self.spoken[end] - self.spoken[first]

    def is_sent(self, index: int, start: int) -> bool:
        """Return True if a message is part of the request whose tail begins at `start`."""
        return index not in self.out and (index >= start or index in self._stays_set)

    def always(self, index: int) -> bool:
        """Return True if a message is part of every request."""
        return index in self._stays_set

    def sent(self, start: int) -> list[int]:
        """The indexes of the messages in the request, in order."""
        tail = range(start, self.length)
        kept = [index for index in tail if index not in self.out] if self.out else list(tail)
        return [*(self.stays[: bisect_left(self.stays, start)]), *kept]

    def gaps(self, start: int) -> list[Gap]:
        """Return what takes the place of the messages not sent, in path order."""
        gaps: list[Gap] = []
        end = 0
        for first, stop in self._runs(start):
            if first > end:
                gaps.append(self._gap(end, first))
            end = stop
        if end < self.length:
            gaps.append(self._gap(end, self.length))
        return gaps

    def _runs(self, start: int) -> Iterable[tuple[int, int]]:
        """The messages that are sent, as ranges; an unbroken tail is one."""
        for index in self.stays[: bisect_left(self.stays, start)]:
            yield index, index + 1
        end = start
        for index in self._out_sorted[bisect_left(self._out_sorted, start) :]:
            if index > end:
                yield end, index
            end = index + 1
        if end < self.length:
            yield end, self.length

    def _gap(self, first: int, end: int) -> Gap:
        texts = [summary.text for summary, sources in self.summaries if first <= sources[0] < end]
        covered = sum(self.spoken_in(index, index + 1) for index in self.covered if first <= index < end)
        others = self.spoken_in(first, end) - covered
        if texts:
            return Gap(first, end, summary_block(texts, others), summarised=True)
        # a request that begins with a gap says nothing of it: that is what a fresh start is for
        return Gap(first, end, gap_marker(others) if others and first else None)

    def gap_count(self, start: int) -> int:
        """At most how many gaps of the request have a note, at the same cost for any length of the path."""
        if self._gap_starts is None:
            self._gap_starts = self._find_gap_starts()
        left, tail = self._gap_starts
        return bisect_left(left, start) + len(tail) - bisect_left(tail, start)

    def _find_gap_starts(self) -> tuple[list[int], list[int]]:
        # nothing is said of the one that a request begins with
        ends = [index + 1 for index in self.stays]
        left = [index for index in ends if index < self.length and index not in self._stays_set]
        tail = [index for index in self._out_sorted if index and index - 1 not in self.out]
        return left, tail

    def key_facts(self, start: int) -> tuple[object, ...]:
        """Return what the request's bytes depend on beside the boundary; empty where the user chose nothing."""
        decided = self.decided
        pins = [index for index in decided.pinned if index < max(start, decided.base) and index not in decided.head]
        dropped = decided.excluded | decided.gone
        missing = [index for index in dropped if index >= start or index in decided.head]
        if not (decided.base or pins or missing or self.summaries or decided.deleted):
            return ()
        texts = [[summary.id, summary.text, list(sources)] for summary, sources in self.summaries]
        facts: tuple[object, ...] = decided.base, sorted(pins), sorted(missing), texts
        if decided.head.start < decided.base:
            # what stays behind the base is sent anyway, and its end grows with a path that is short
            facts = (*facts, "keeps start", min(decided.head.stop, decided.base))
        return (*facts, sorted(decided.deleted)) if decided.deleted else facts


def summaries_in_force(
    decided: PathChoices, boundary: Boundary, carried: str | None
) -> list[tuple[Summary, tuple[int, ...]]]:
    """The summaries that the request in force holds (PRODUCT.md CTX-7).

    One that was asked for by hand counts at once; one made for a step, from that step on, and not for messages that a
    return brought back. `carried` is when the boundary in force was made.
    """
    returned = boundary.state.cause == "returned"
    return [
        entry
        for entry in decided.summaries
        if not (returned and entry[0].at_step and entry[1][-1] >= boundary.start)
        and (not entry[0].at_step or entry[0].edited or (carried is not None and entry[0].created <= carried))
    ]


@dataclass(frozen=True, slots=True)
class IsSent:
    """A test if a message is sent where the tail begins at `start`."""

    selection: MessageSelection
    start: int

    def __call__(self, index: int) -> bool:
        return self.selection.is_sent(index, self.start)
