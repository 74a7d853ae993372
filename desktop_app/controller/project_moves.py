"""Says what it means that a thread was moved into a project, or out of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.thread_projects import ThreadProjects
from desktop_app.controller.turn_notices import moved
from desktop_app.core.context.plan import PreparedContext
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import NoticeRaised
from desktop_app.core.messages import Thread


class ProjectMoves:
    """`prepared` makes a thread's context ready by its id."""

    def __init__(
        self,
        open_threads: OpenThreads,
        prepared: Callable[[str], Awaitable[PreparedContext]],
        projects: ThreadProjects,
        announcements: Announcements,
    ) -> None:
        self._open_threads = open_threads
        self._prepared = prepared
        self._projects = projects
        self._announcements = announcements

    async def tell(self, thread: Thread) -> None:
        """Raise a notice of what the thread's requests hold from here on, and what reading its history again costs.

        None for a thread without messages, nor where no request could be made now: the next one says why.
        """
        with suppress(PlimsollError):
            opened = await self._open_threads.get(thread.id)
            if opened.path:
                plan = (await self._prepared(thread.id)).plan(())
                project = await self._projects.of_thread(opened.thread)
                words = moved(project.name if project is not None else "", plan)
                self._announcements.publish(NoticeRaised(thread.id, "moved", words))
