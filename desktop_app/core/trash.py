"""The deleted items that can still be restored, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

KEPT_DAYS: Final = 30
"""So long what was deleted can be restored; then it is deleted for good."""

TrashKind = Literal["thread", "message", "project", "document", "artifact", "prompt"]


@dataclass(frozen=True, slots=True)
class TrashItem:
    """Something deleted. `title`: its own, or how a message begins; `inside`: the title of the thread, or the name of
    the project, that it is of, whose id is `inside_id`. `deleted` is ISO 8601 UTC. `rest`: ids of the other messages
    that were deleted as one turn with this one.
    """

    kind: TrashKind
    id: str
    title: str
    deleted: str
    inside: str = ""
    inside_id: str = ""
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryCopy:
    """A copy of the history that still holds something that was deleted for good; `items`: how many."""

    path: str
    items: int


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of a deletion for good. `copies` still hold something that was deleted for good, now or before.

    `not_compacted`: why the file could not be made smaller yet ("": it was).
    """

    copies: Sequence[HistoryCopy] = ()
    not_compacted: str = ""
