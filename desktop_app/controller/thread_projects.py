"""Which project a thread is in, as those see it who choose its model and make its requests."""

from __future__ import annotations

from typing import Final, Protocol

from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.messages import Thread
from desktop_app.core.projects import Project


class ThreadProjects(Protocol):
    """The part of `Projects` that turns need. Both may raise `UserError("store")`."""

    async def of_thread(self, thread: Thread) -> Project | None:
        """The project that a thread is in; None where it is in none."""
        ...

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        """Return what it adds to the thread's requests: the same object for as long as nothing of it changes."""
        ...


class NoProjects:
    """Every thread is in none."""

    async def of_thread(self, thread: Thread) -> Project | None:
        return None

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return None


NO_PROJECTS: Final = NoProjects()


def own_limit(thread: Thread, project: Project | None) -> int | None:
    """The soft limit that the user gave the thread, or else its project, in tokens; None: the setting holds."""
    if thread.soft_limit is not None or project is None:
        return thread.soft_limit
    return project.soft_limit
