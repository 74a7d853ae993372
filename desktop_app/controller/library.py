"""Owns the use cases of the list of threads: find, rename, pin, archive, delete, restore. Must not know turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.ports import History
from desktop_app.controller.thread_facts import ThreadFacts
from desktop_app.core.errors import UserError
from desktop_app.core.events import ThreadCreated, ThreadDeleted
from desktop_app.core.messages import Thread, ThreadSummary


class Library:
    """The threads as a list. `stop` ends a thread's running answer before the thread goes away."""

    def __init__(
        self,
        history: History,
        facts: ThreadFacts,
        announcements: Announcements,
        *,
        stop: Callable[[str], Awaitable[None]],
    ) -> None:
        self._history = history
        self._facts = facts
        self._announcements = announcements
        self._stop = stop

    async def threads(self) -> Sequence[ThreadSummary]:
        """All threads, last updated first."""
        return await self._history.threads()

    async def find(self, prefix: str) -> Thread:
        """The one thread whose id starts with `prefix`; `UserError("usage")` if there is none or more than one."""
        return await self._history.find_thread(prefix)

    async def rename(self, thread_id: str, title: str) -> Thread:
        """Sets the title, on one line. `UserError("usage")` for an empty one."""
        words = " ".join(title.split())
        if not words:
            raise UserError("usage", "A thread needs a title.")
        return await self._facts.change(thread_id, title=words)

    async def pin(self, thread_id: str, pinned: bool = True) -> Thread:
        """Puts the thread at the top of the list, or back."""
        return await self._facts.change(thread_id, pinned=pinned)

    async def archive(self, thread_id: str, archived: bool = True) -> Thread:
        """Takes the thread out of the daily list, or back."""
        return await self._facts.change(thread_id, archived=archived)

    async def delete(self, thread_id: str) -> None:
        """Takes the thread away after ending its running answer; `restore` brings it back whole."""
        await self._stop(thread_id)
        await self._history.delete_thread(thread_id)
        self._announcements.publish(ThreadDeleted(thread_id))

    async def restore(self, thread_id: str) -> Thread:
        """Brings a deleted thread back."""
        await self._history.restore_thread(thread_id)
        thread = await self._history.thread(thread_id)
        self._announcements.publish(ThreadCreated(thread))
        return thread
