"""The protocols through which the controller imports into the history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from desktop_app.core.history_records import ImportChange, ImportCount, ImportedThread
from desktop_app.core.projects import Project


class ImportWriting(Protocol):
    """One import: of what is added nothing is seen before `finish`. To be undone unless it was finished."""

    async def add(self, threads: Sequence[ImportedThread]) -> None:
        """Writes a batch (`core.history_records.in_batches`) in one transaction."""
        ...

    async def finish(self, projects: Sequence[Project] = ()) -> ImportCount:
        """Makes all of it seen, with those of the new projects that a new thread is in."""
        ...

    async def undo(self) -> None:
        """Takes out what was written; what can't be is taken out at a later start. Raises nothing."""
        ...


class ImportHistory(Protocol):
    """Imports that may be bigger than memory. Threads of the same `key` are known and get only what is new."""

    async def begin(self) -> ImportWriting: ...

    async def look(self, threads: Sequence[ImportedThread]) -> Sequence[ImportChange | None]:
        """Return what an import of each of these would do; None: nothing, as all of it is here. Changes nothing."""
        ...

    async def known(self, keys: Collection[str]) -> Mapping[str, str]:
        """Of these origins, those that are there already and not deleted, with the time of the thread's last change."""
        ...
