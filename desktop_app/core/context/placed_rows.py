"""The state of each message or document, in order; worked out when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")


class PlacedRows(Sequence[Row]):
    """`make` is called once, at the first look; `length`, where it is known before, needs none."""

    def __init__(self, length: int | None, make: Callable[[], Iterable[Row]]) -> None:
        self._length = length
        self._make: Callable[[], Iterable[Row]] | None = make
        self._made: tuple[Row, ...] = ()

    def _look(self) -> tuple[Row, ...]:
        if self._make is not None:
            self._made, self._make = tuple(self._make()), None
        return self._made

    def __len__(self) -> int:
        return len(self._look()) if self._length is None else self._length

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self._look()[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._look())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PlacedRows):
            return self is other or self._look() == other._look()
        return isinstance(other, tuple) and self._look() == other

    def __hash__(self) -> int:
        return hash(self._look())

    def __repr__(self) -> str:
        return repr(self._look())
