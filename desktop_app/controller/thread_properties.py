"""Owns changes of a thread's own facts (title, model, limits, pins): one at a time, stored, then announced.

Must not know messages or turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import History
from desktop_app.core.events import ThreadChanged
from desktop_app.core.messages import Thread


class ThreadProperties:
    """Changes facts without losing one of two changes that come at the same time."""

    def __init__(self, history: History, open_threads: OpenThreads, announcements: Announcements) -> None:
        self._history = history
        self._open_threads = open_threads
        self._announcements = announcements
        self._one_at_a_time = asyncio.Lock()

    async def change(self, thread_id: str, **facts: Any) -> Thread:
        """Writes the named fields of `Thread` (not tip, draft or created) and returns the thread after it."""
        return await self.update(thread_id, lambda thread: replace(thread, **facts))

    async def fill_in(self, thread_id: str, *, title: str, backend: str, model: str) -> Thread:
        """Writes what nobody has set meanwhile: after its first question a thread stays with what it was asked of."""

        def filled(thread: Thread) -> Thread:
            own = thread.backend in (None, backend)
            return replace(
                thread,
                title=thread.title or title,
                backend=thread.backend or backend,
                model=thread.model or (model if own else None),
            )

        return await self.update(thread_id, filled)

    async def update(self, thread_id: str, changed: Callable[[Thread], Thread]) -> Thread:
        """Writes what `changed` makes of the thread (not tip, draft or created) and returns it."""
        async with self._one_at_a_time:
            thread = changed(await self._history.thread(thread_id))
            await self._history.update_thread(thread)
        self._open_threads.changed(thread)
        self._announcements.publish(ThreadChanged(thread))
        return thread
