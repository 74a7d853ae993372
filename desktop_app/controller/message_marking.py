"""Owns the use cases of what a user marks messages with: ratings, notes, and how far a thread was read.

Local only: nothing here is ever part of a request. Must not know turns.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import History
from desktop_app.core.events import MarkChanged
from desktop_app.core.messages import NO_MARK, MessageMark


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
