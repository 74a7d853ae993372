"""The placement of messages that a test names itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from desktop_app.core.context.plan import PlacedMessage, PlacedPath, PlacedSpan


@dataclass(frozen=True)
class GivenPath(PlacedPath):
    """These rows, a span each."""

    rows: Sequence[PlacedMessage] = ()
    start: int = 0

    @property
    def spans(self) -> Sequence[PlacedSpan]:
        return [PlacedSpan(index, index + 1, row) for index, row in enumerate(self.rows)]

    def index_of(self, message_id: str) -> int | None:
        return next((index for index, row in enumerate(self.rows) if row.id == message_id), None)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[PlacedMessage]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> PlacedMessage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PlacedMessage]: ...
    def __getitem__(self, index: int | slice) -> PlacedMessage | Sequence[PlacedMessage]:
        return self.rows[index]
