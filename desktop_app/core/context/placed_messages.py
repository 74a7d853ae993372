"""What became of each message of a path, and why it is left out; worked out when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, overload

from desktop_app.core.context.boundaries import Boundary
from desktop_app.core.context.plan import PlacedMessage
from desktop_app.core.context.plan_text import thousands
from desktop_app.core.messages import BoundaryState
from desktop_app.core.phrases import phrase

LEFT_OUT: Final = phrase("left out: older than the limits of this thread allow")
"""Where the limit is not known: an older version stored the step."""


def left_out_reason(state: BoundaryState) -> str:
    """Why the step to this state left something out."""
    if state.cause == "tokens" and state.soft:
        return phrase("left out to stay under the soft limit of {limit}", limit=thousands(state.soft))
    if state.cause == "messages" and state.max_messages:
        return phrase("left out by the message limit of {count:,}", count=state.max_messages)
    if state.cause == "turns" and state.max_turns:
        return phrase("left out by the turn limit of {count:,}", count=state.max_turns)
    if state.cause == "idle":
        return phrase("left out after a long pause")
    return LEFT_OUT


def left_out_reasons(boundaries: Sequence[Boundary], newest: BoundaryState, length: int) -> list[str]:
    """For every place of a path why it is left out where it is: the first step that it has been behind ever since.

    `boundaries` are those of the path, oldest first; what none of them leaves out, the step to `newest` does.
    """
    steps: list[tuple[int, str]] = []
    for boundary in boundaries:
        passed = steps[-1][0] if steps else 0
        if boundary.start >= passed:
            steps.append((boundary.start, left_out_reason(boundary.state)))
        while steps and steps[-1][0] > boundary.start:
            _, reason = steps.pop()
            if not steps or steps[-1][0] < boundary.start:
                steps.append((boundary.start, reason))
    found: list[str] = []
    for end, reason in (*steps, (length, left_out_reason(newest))):
        found += [reason] * (end - len(found))
    return found


class PlacedMessages(Sequence[PlacedMessage]):
    """The messages in path order; `make` is called once, at the first look. `length` is known before."""

    def __init__(self, length: int, make: Callable[[], Sequence[PlacedMessage]]) -> None:
        self._length = length
        self._make: Callable[[], Sequence[PlacedMessage]] | None = make
        self._made: tuple[PlacedMessage, ...] = ()

    def _look(self) -> tuple[PlacedMessage, ...]:
        if self._make is not None:
            self._made, self._make = tuple(self._make()), None
        return self._made

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> PlacedMessage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PlacedMessage, ...]: ...
    def __getitem__(self, index: int | slice) -> PlacedMessage | tuple[PlacedMessage, ...]:
        return self._look()[index]

    def __iter__(self) -> Iterator[PlacedMessage]:
        return iter(self._look())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PlacedMessages):
            return self is other or self._look() == other._look()
        return isinstance(other, tuple) and self._look() == other

    def __hash__(self) -> int:
        return hash(self._look())

    def __repr__(self) -> str:
        return repr(self._look())
