"""Owns where the model's view of a path begins, and how far a step moves it. Knows no tokenizer and no prices.

The boundary is persisted state: it stands on the user message whose request moved it, and is frozen until the next
step. A step goes down to the low mark at once, since a boundary that moves a little each turn rewrites the provider's
cache each time (PRODUCT.md CTX-4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from desktop_app.core.context.content import message_starts, opens_turn
from desktop_app.core.context.plan import ContextSettings
from desktop_app.core.messages import Message, WindowState

CARRIER: Final = ""
"""`WindowState.first_kept` where the tail opens with the very message that the state stands on.

That message has no id yet when its plan is made.
"""


LAST_TURN: Final = 3
"""Messages of the newest turn and the question after it, which a step for a cap keeps where the cap is not smaller."""

MOST_MESSAGES: Final = 1_000_000
"""More than any cap allows."""

LEAST_GAIN: Final = (49, 50)
"""A step that drops no message, and is taken for the images that it names only, has to save 2 % of the request."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A window state and the path index of the first message of its tail; 0: everything is sent.

    `carrier` is the path index of the message that the state stands on, -1 for the beginning.
    """

    start: int
    state: WindowState
    carrier: int = -1


@dataclass(frozen=True, slots=True)
class Steps:
    """The boundaries of a path, oldest first, the initial one included; the last one is in force.

    `epoch` is the highest ever used on this path, `taken_back` True if the newest step was undone.
    """

    boundaries: tuple[Boundary, ...]
    epoch: int = 0
    taken_back: bool = False


def steps_of(path: Sequence[Message], undone: Collection[str] = ()) -> Steps:
    """Every boundary the path has had.

    A state that names a message which is not on the path (damaged or foreign data) is passed over, and so is one
    that the user took back.
    """
    found = [Boundary(0, WindowState())]
    carriers = [index for index, message in enumerate(path) if message.window is not None]
    if not carriers:
        return Steps(tuple(found))
    places = {message.id: index for index, message in enumerate(path)}
    epoch, taken_back = 0, False
    for index in carriers:
        state = path[index].window
        if state is None:
            continue
        start = index if state.first_kept == CARRIER else places.get(state.first_kept or path[0].id)
        if start is None or start > index:
            continue
        epoch, taken_back = max(epoch, state.epoch), path[index].id in undone
        if not taken_back:
            found.append(Boundary(start, state, index))
    return Steps(tuple(found), epoch, taken_back)


def head_length(path: Sequence[Message], settings: ContextSettings) -> int:
    """How many rows at the start always stay: `preserve_first_n` messages, and the first user message in any case."""
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
class Load:
    """What a request would weigh if its tail began at some place. `messages` and `turns` count the draft too.

    A message is a question, or an answer with all its rounds of tools.
    """

    tokens: int
    messages: int
    turns: int


@dataclass(frozen=True, slots=True)
class Caps:
    """The most a request may weigh, and where a step ends. 0 turns a cap off."""

    soft: int
    low: int
    max_messages: int = 0
    low_messages: int = 0
    max_turns: int = 0
    low_turns: int = 0

    @classmethod
    def of(cls, settings: ContextSettings, *, soft: int, low: int, head: int) -> Caps:
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
        return cls(soft, low, messages, low_messages, turns, low_turns)

    def step(self, current: int, candidates: Sequence[int], load: Callable[[int], Load], end: int) -> int:
        """Where the tail begins after the check: `current`, or the earliest later candidate that obeys the low marks.

        `candidates` are the places, in order, at which a tail may begin; the last of them keeps only what must stay,
        and is taken when nothing obeys. `load` never grows from one candidate to the next. What stands before `end` is
        answered.
        """
        now = load(current)
        tokens = now.tokens > self.soft
        messages = bool(self.max_messages) and now.messages > self.max_messages
        turns = bool(self.max_turns) and now.turns > self.max_turns
        if not (tokens or messages or turns):
            return current

        def obeys(start: int) -> bool:
            then = load(start)
            return (
                (not tokens or then.tokens <= self.low)
                and (not messages or then.messages <= self.low_messages)
                and (not turns or then.turns <= self.low_turns)
            )

        later = candidates[bisect_left(candidates, current + 1) :]
        if not later:
            return current
        place = later[min(bisect_left(later, True, key=obeys), len(later) - 1)]
        if not tokens and self._has_room_for_a_turn:
            answered = bisect_left(candidates, end)
            place = min(place, max(current, candidates[answered - 1] if answered else 0))
        then = load(place)
        # a step past what stays anyway makes no room, and rewrites the cache
        saves = then.tokens < now.tokens * LEAST_GAIN[0] // LEAST_GAIN[1]
        return place if then.messages < now.messages or saves else current

    @property
    def _has_room_for_a_turn(self) -> bool:
        """Whether the turn just made fits beside a new question, so that a step for a cap never leaves it out."""
        return not 0 < self.max_messages <= LAST_TURN and self.max_turns != 1
