"""What became of each message of a path, worked out when somebody looks: who only sends never does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from desktop_app.core.context.plan import PlacedMessage


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
