"""Owns where the model's view of a path begins, and how far a step moves it. Knows no tokenizer and no prices.

The boundary is persisted state: it stands on the user message whose request moved it, and is frozen until the next
step. A step goes down to the low mark at once, since a boundary that moves a little each turn rewrites the provider's
cache each time (PRODUCT.md CTX-4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.content import opens_turn
from desktop_app.core.context.plan import ContextSettings
from desktop_app.core.messages import Message, WindowState

CARRIER: Final = ""
"""`WindowState.first_kept` where the tail opens with the very message that the state stands on.

That message has no id yet when its plan is made.
"""


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
    """How many messages at the start always stay: `preserve_first_n`, and the first user message in any case."""
    first_user = next((index for index, message in enumerate(path) if opens_turn(message)), len(path) - 1)
    return min(len(path), max(settings.preserve_first_n, first_user + 1))


@dataclass(frozen=True, slots=True)
class Load:
    """What a request would weigh if its tail began at some place. `messages` and `turns` count the draft too."""

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

        It stops earlier at `preserve_last_n` messages, where the cap leaves room for these and one more turn.
        """
        messages, turns, last = settings.max_messages, settings.max_turns, settings.preserve_last_n
        low_messages, low_turns = max(head + 1, messages * 7 // 10), max(1, turns * 7 // 10)
        if head + last + 2 <= messages:
            low_messages = max(low_messages, head + last)
        if (last + 1) // 2 + 1 <= turns:
            low_turns = max(low_turns, (last + 1) // 2)
        return cls(soft, low, messages, low_messages, turns, low_turns)

    def step(self, current: int, candidates: Sequence[int], load: Callable[[int], Load]) -> int:
        """Where the tail begins after the check: `current`, or the earliest later candidate that obeys the low marks.

        `candidates` are the places, in order, at which a tail may begin; the last of them keeps only what must stay,
        and is taken when nothing obeys. `load` never grows from one candidate to the next.
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
        then = load(place)
        # a step past what stays anyway makes no room, and rewrites the cache
        saves = then.tokens < now.tokens * LEAST_GAIN[0] // LEAST_GAIN[1]
        return place if then.messages < now.messages or saves else current
