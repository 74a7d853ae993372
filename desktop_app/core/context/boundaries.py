"""The boundary where the model's view of a path begins, and how far a step moves it.

The boundary is persisted state: it stands on the user message whose request moved it, and is frozen until the next
step. A step goes down to the low mark at once, since a boundary that moves a little each turn rewrites the provider's
cache each time (PRODUCT.md CTX-4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from statistics import median_high
from typing import Final

from desktop_app.core.context.sent_content import message_starts, opens_turn
from desktop_app.core.messages import BoundaryCause, BoundaryState, Message
from desktop_app.core.settings import ContextSettings

CARRIER: Final = ""
"""`BoundaryState.first_kept` where the tail opens with the state's own message, which has no id at planning."""


LAST_TURN: Final = 3
"""Messages of the newest turn and the question after it, which a step for a cap keeps where the cap is not smaller."""

MOST_MESSAGES: Final = 1_000_000
"""More than any cap allows."""

LEAST_GAIN: Final = (49, 50)
"""A step that drops no message, and is taken for the images that it names only, has to save 2 % of the request."""

FILLED: Final = (4, 5)
"""A step for tokens that ends below 0.8 L takes the next older turn along where it fits."""

TURNS_TO_COME: Final = 4
"""The last messages are kept where this many turns of their size still fit below H.

Where messages are large, a step would else be due again after two or three turns, and each rewrites the cache: with
messages of 6,000 tokens regret is 1.65 for four turns, 1.9 for none, and what is kept falls from 0.80 to 0.77 H.
"""

MOST_JUDGED: Final = 10
"""Turns at the end from which is told how large one usually is."""

FITS: Final = (19, 20)
"""The next older turn fits where the request then weighs at most 0.95 H."""

ROOM_BESIDE: Final = 10
"""A tenth of H is left to the newest turns where what must stay fills H by itself (decision 0051)."""


INITIAL: Final = BoundaryState()
"""The state of a path before its first step."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A state, the path index of its tail's first message (0: all is sent), and of its own message (-1: none)."""

    start: int
    state: BoundaryState
    carrier: int = -1


@dataclass(frozen=True, slots=True)
class BoundaryHistory:
    """The boundaries of a path, oldest first, the initial one included; the last one is in force.

    `epoch` is the highest ever used on this path, `taken_back` True if the newest step or return was undone, and
    `declined` if that was a return. `last` is the newest decision, be it that undone return.
    """

    boundaries: tuple[Boundary, ...]
    epoch: int = 0
    taken_back: bool = False
    declined: bool = False
    last: BoundaryState = INITIAL

    @property
    def floor(self) -> int:
        """The place that the boundary can come back to: messages that a pause ended stay left out."""
        return max((one.start for one in self.boundaries if one.state.cause == "idle"), default=0)


def boundary_history(path: Sequence[Message], undone: Collection[str] = ()) -> BoundaryHistory:
    """Every boundary that the path had, but those taken back, and those that name a message not on it."""
    found = [Boundary(0, INITIAL)]
    carriers = [index for index, message in enumerate(path) if message.window is not None]
    if not carriers:
        return BoundaryHistory(tuple(found))
    places = {message.id: index for index, message in enumerate(path)}
    epoch, taken_back, declined, last = 0, False, False, INITIAL
    for index in carriers:
        if (state := path[index].window) is None:
            continue
        start = index if state.first_kept == CARRIER else places.get(state.first_kept or path[0].id)
        if start is None or start > index:
            continue
        epoch, taken_back = max(epoch, state.epoch), path[index].id in undone
        declined = taken_back and state.cause == "returned"
        if not taken_back:
            found.append(Boundary(start, state, index))
        if declined or not taken_back:
            last = state
    return BoundaryHistory(tuple(found), epoch, taken_back, declined, last)


def head_length(path: Sequence[Message], settings: ContextSettings) -> int:
    """Return how many rows at the start always stay: `preserve_first_n`, and the first user message in any case."""
    first_user = next((index for index, message in enumerate(path) if opens_turn(message)), len(path) - 1)
    first = next(islice(message_starts(path), settings.preserve_first_n, None), len(path))
    return min(len(path), max(first, first_user + 1))


def within_caps(settings: ContextSettings) -> ContextSettings:
    """The settings with as much of the beginning as the caps leave room for behind the newest messages."""
    cap = min(settings.max_messages or MOST_MESSAGES, 2 * settings.max_turns or MOST_MESSAGES)
    first = min(settings.preserve_first_n, max(1, cap - max(settings.preserve_last_n, LAST_TURN)))
    return settings if first == settings.preserve_first_n else replace(settings, preserve_first_n=first)


def after_undoing(settings: ContextSettings) -> ContextSettings:
    """The settings with caps as far above the usual ones as the emergency limit is above the soft limit.

    So an undone step is not taken again by the next request.
    """
    messages, turns = settings.max_messages, settings.max_turns
    return replace(
        settings,
        max_messages=messages and max(messages * 6 // 5, messages + 2),
        max_turns=turns and max(turns * 6 // 5, turns + 1),
    )


@dataclass(frozen=True, slots=True)
class RequestSize:
    """A request's weight if its tail began at some place; `messages` (an answer is one) and `turns` count the draft."""

    tokens: int
    messages: int
    turns: int


@dataclass(frozen=True, slots=True)
class StepLimits:
    """The most a request may weigh, and where a step ends. 0 turns a cap off.

    `soft` is H (`warm`, where that is lower for a cold cache), `low` L; a step for tokens is due above `due` where that
    is another mark than H. `last`: how many messages at the end a step for tokens keeps where there is room; `most`:
    what a request may weigh for the newest ones beside what must stay.
    """

    soft: int
    low: int
    max_messages: int = 0
    low_messages: int = 0
    max_turns: int = 0
    low_turns: int = 0
    last: int = 0
    due: int | None = None
    most: int = 0
    warm: int = 0

    @classmethod
    def of(cls, settings: ContextSettings, *, soft: int, low: int, head: int, due: int | None = None) -> StepLimits:
        """The caps of a thread. A step of a message or turn cap goes down to 70 % of it.

        It stops earlier at `preserve_last_n` messages, where the cap leaves room for these and one more turn, and at
        the turn just made in any case. `head` counts messages.
        """
        messages, turns, last = settings.max_messages, settings.max_turns, settings.preserve_last_n
        low_messages = max(head + 1, messages * 7 // 10, min(messages, head + LAST_TURN))
        low_turns = max(1, turns * 7 // 10, min(turns, 2))
        if head + last + 2 <= messages:
            low_messages = max(low_messages, head + last)
        if (last + 1) // 2 + 1 <= turns:
            low_turns = max(low_turns, (last + 1) // 2)
        return cls(soft, low, messages, low_messages, turns, low_turns, last, due)

    def step(self, current: int, candidates: Sequence[int], load: Callable[[int], RequestSize], end: int) -> int:
        """Return the place where the tail begins after the check: `current`, or the later candidate that a step takes.

        `candidates` are the places, in order, at which a tail may begin; the last of them keeps only what must stay,
        and is taken when nothing obeys. `load` never grows from one candidate to the next. What stands before `end` is
        answered.
        """
        now = load(current)
        over = self.passed(now)
        if not candidates[bisect_left(candidates, current + 1) :] or not over:
            return current
        if (wider := self._beside_what_stays(current, candidates, load, end)) is not None:
            return wider.step(current, candidates, load, end)
        place = self.place(current, candidates, load, end, over)
        if "tokens" not in over and "tokens" in self.passed(load(place)):
            # what a step for a cap leaves out may weigh less than the note that says so
            place = self.place(current, candidates, load, end, [*over, "tokens"])
        then = load(place)
        # a step past what stays anyway makes no room, and rewrites the cache
        saves = then.tokens < now.tokens * LEAST_GAIN[0] // LEAST_GAIN[1]
        return place if then.messages < now.messages or saves else current

    def _beside_what_stays(
        self, current: int, places: Sequence[int], load: Callable[[int], RequestSize], end: int
    ) -> StepLimits | None:
        """The limits with a tenth of H beside what must stay, where that alone leaves no room for the turn just made.

        Leaving that turn out, too, would save next to nothing, at every turn anew, and the model would know nothing of
        what it said last. Where what must stay passes H by itself the turn has all the room that there is.
        """
        answered = bisect_left(places, end) - 1
        newest = places[answered] if answered >= 0 else current  # the first answer's question stays anyway
        if newest < current:
            return None
        least, kept = load(places[-1]).tokens, load(newest).tokens
        # no more than while the cache holds: the stored question is sent then, and a second step would be due
        soft = min(self._room(high, least, kept) for high in (self.soft, max(self.soft, self.warm)))
        if not self.soft < kept <= soft:
            return None
        due = None if self.due is None else max(self.due, soft)
        return replace(self, soft=soft, low=least + (soft - least) * 7 // 10, due=due, most=0)

    def _room(self, high: int, least: int, kept: int) -> int:
        """The most that a request weighs under this limit, where so much must stay and so much with the last turn."""
        room = min(self.most, least + high // ROOM_BESIDE)
        if least > high:
            room = max(room, min(self.most, kept))
        return room if high < kept <= room else high

    def passed(self, now: RequestSize) -> Sequence[BoundaryCause]:
        """Which limits a request passes, so that a step is due."""
        over: list[BoundaryCause] = []
        if now.tokens > (self.soft if self.due is None else self.due):
            over.append("tokens")
        if self.max_messages and now.messages > self.max_messages:
            over.append("messages")
        if self.max_turns and now.turns > self.max_turns:
            over.append("turns")
        return over

    def place(
        self,
        current: int,
        candidates: Sequence[int],
        load: Callable[[int], RequestSize],
        end: int,
        over: Collection[BoundaryCause],
    ) -> int:
        """Return the place where a step taken for the limits `over` ends, behind `current`: a candidate."""
        later = candidates[bisect_left(candidates, current + 1) :]
        tokens, messages, turns = ("tokens" in over, "messages" in over, "turns" in over)

        def obeys(start: int) -> bool:
            then = load(start)
            return (not messages or then.messages <= self.low_messages) and (not turns or then.turns <= self.low_turns)

        load = cache(load)
        place = later[0]
        if messages or turns:
            place = later[min(bisect_left(later, True, key=obeys), len(later) - 1)]
            if self._has_room_for_a_turn:
                answered = bisect_left(candidates, end)
                place = min(place, max(current, candidates[answered - 1] if answered else 0))
        if tokens:
            place = max(place, self._with_room(later, load, end))
        return place

    @property
    def _has_room_for_a_turn(self) -> bool:
        """True if the turn just made fits beside a new question, so that a step for a cap never leaves it out."""
        return not 0 < self.max_messages <= LAST_TURN and self.max_turns != 1

    def _with_room(self, places: Sequence[int], load: Callable[[int], RequestSize], end: int) -> int:
        """Return the place where a step for tokens ends: it makes room, and uses what there is (PRODUCT.md CTX-4)."""

        def tokens(at: int) -> int:
            return load(places[at]).tokens

        at = min(bisect_left(places, True, key=lambda place: load(place).tokens <= self.low), len(places) - 1)
        if at and tokens(at) < self.low * FILLED[0] // FILLED[1] and tokens(at - 1) <= self.soft * FITS[0] // FITS[1]:
            at -= 1
        answered = bisect_left(places, end) - 1
        if 0 <= answered < at and tokens(answered) <= self.soft:
            at = answered
        return places[self._preserved(places, at, load, end)]

    def _preserved(self, places: Sequence[int], at: int, load: Callable[[int], RequestSize], end: int) -> int:
        """Which place, at most `at`, keeps the last messages that have room beside the turns that are to come."""
        least, answered = load(end).messages, bisect_left(places, end)
        first = min(at, max(0, answered - self.last))  # a turn has a message at least
        last = bisect_left(places, True, first, at, key=lambda place: load(place).messages - least <= self.last)
        if last == at:
            return at
        newest = [load(place).tokens for place in (*places[max(last, answered - MOST_JUDGED) : answered], end)]
        # the middle one: a document among them says nothing of the others
        usual = median_high(before - after for before, after in pairwise(newest))
        most = min((self.soft + self.low) // 2, self.soft - TURNS_TO_COME * usual)
        return bisect_left(places, True, lo=last, hi=at, key=lambda place: load(place).tokens <= most)
