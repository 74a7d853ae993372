"""Changes a thread's own facts (title, model, limits, pins) and the marks on its messages: stored, then announced.

Local only: nothing here is ever part of a request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import History
from desktop_app.core.events import MarkChanged, ThreadChanged
from desktop_app.core.messages import NO_MARK, MessageMark, Thread


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


class MessageMarking:
    """Reads and writes marks, and tells of them."""

    def __init__(self, history: History, open_threads: OpenThreads, announcements: Announcements) -> None:
        self._history = history
        self._open_threads = open_threads
        self._announcements = announcements

    async def of(self, thread_id: str) -> Mapping[str, MessageMark]:
        """The marks of a thread by message id; `UserError("usage")` for an unknown thread."""
        return await self._history.marks(thread_id)

    async def put(self, thread_id: str, message_id: str, mark: MessageMark) -> MessageMark:
        """Gives a message a mark, an empty one takes it away; returns the one that was there.

        Raises `UserError("usage")` for a message that is not in the thread.
        """
        before = (await self._history.marks(thread_id)).get(message_id, NO_MARK)
        if mark != before:
            await self._history.save_mark(thread_id, message_id, mark)
            self._announcements.publish(MarkChanged(thread_id, message_id, mark))
        return before

    async def seen(self, thread_id: str, tip: str) -> None:
        """The user has looked at the thread up to that message."""
        self._open_threads.grown(thread_id, (), seen=tip)
        await self._history.set_seen(thread_id, tip)
