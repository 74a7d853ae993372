"""The attachments of one draft as the window has them: stored, waiting, leaving, being read. Uses no widget."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_app.core.attachment_facts import without
from desktop_app.core.messages import Failure, Part


@dataclass(eq=False)
class PendingRead:
    """Files, a picture or a text on their way into the draft."""

    name: str
    task: asyncio.Task[Sequence[Failure]] | None = None
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True
        if self.task is not None:
            self.task.cancel()


@dataclass
class DraftAttachments:
    """The attachments of one thread's draft.

    `stored` is what the history has; `waiting` of it goes with the queued message, `leaving` with the one on its way.
    `removed`: what was taken away last, with the place where it stood. `busy`: changes of ours under way.
    """

    stored: tuple[Part, ...] = ()
    waiting: tuple[Part, ...] = ()
    leaving: tuple[Part, ...] = ()
    reading: list[PendingRead] = field(default_factory=list)
    removed: list[tuple[int, Part]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    busy: int = 0
    announced: int = 0
    order: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def shown(self) -> tuple[Part, ...]:
        """The attachments to show: one on its way is shown until it is in the history, as the text is."""
        return without(self.stored, self.waiting)


def the_same(parts: Sequence[Part], known: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, those that are known already as the very same objects: what was made of them is still good."""
    return tuple(next((one for one in known if one is part or one == part), part) for part in parts)
