"""Imports threads, all or nothing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.clock import Clock
from desktop_app.controller.export_sources import open_source
from desktop_app.controller.formats.export_reading import Found, Skipped, UnreadableExportError
from desktop_app.controller.formats.importers import EXPECTED, importer_of
from desktop_app.controller.ports import History
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.projects import NAME_LIMIT, Project

Progress: TypeAlias = Callable[[int, int], None]
"""Called on the event loop with how many threads are done, and of how many."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did: new threads and messages, what was left out and why, threads that were there already."""

    threads: int
    messages: int
    skipped: tuple[Skipped, ...]
    already: int


class Transfer:
    """Brings conversations into the history."""

    def __init__(self, history: History, announcements: Announcements, clock: Clock | None = None) -> None:
        self._history = history
        self._announcements = announcements
        self._clock = clock or Clock()

    async def import_files(self, paths: Sequence[Path], progress: Progress | None = None) -> ImportReport:
        """Imports files, zip archives and folders together: all of them, or none; none where it is cancelled.

        Raises `UserError("usage")` for a path that isn't there and `UserError("store")`, naming the file and what was
        expected in it, for one that can't be read; the history is then as it was.
        """
        found = await asyncio.to_thread(lambda: [one for path in paths for one in _found(path)])
        threads = [one for one in found if isinstance(one, ImportedThread)]
        # An archive may hold a conversation twice (shards overlap); the history takes each key once.
        unique = {thread.key: thread for thread in threads}
        made: list[Project] = []
        try:
            placed = await self._placed(tuple(unique.values()), made)
            count = await self._history.import_threads(
                placed, None if progress is None else partial(_tell, progress, len(unique))
            )
        finally:
            await self._remove_unused(made)
        if count.messages or count.threads:
            self._announcements.publish(HistoryChangedElsewhere())
        skipped = tuple(one for one in found if isinstance(one, Skipped))
        return ImportReport(count.threads, count.messages, skipped, count.already)

    async def _placed(self, threads: Sequence[ImportedThread], made: list[Project]) -> Sequence[ImportedThread]:
        """The threads in the projects of the names that they have in an export; `made` gets those that are new."""
        ids: dict[str, str | None] = {}
        for imported in threads:
            name = " ".join((imported.thread.project or "").split())[:NAME_LIMIT]
            if name and name.casefold() not in ids:
                project = await self._history.projects.find(name)
                if project is None:
                    now = self._clock.stamp()
                    project = Project(self._clock.new_id(), name, created=now, updated=now)
                    await self._history.projects.save(project)
                    made.append(project)
                ids[name.casefold()] = project.id
        return [
            replace(one, thread=replace(one.thread, project=ids.get(_folded_name(one.thread.project))))
            if one.thread.project is not None
            else one
            for one in threads
        ]

    async def _remove_unused(self, made: Sequence[Project]) -> None:
        """Where the import failed, or the threads were there already, nothing of it stays."""
        used = {one.thread.project for one in await self._history.threads()} if made else set()
        for project in made:
            if project.id not in used:
                await self._history.projects.delete(project.id)
        if any(project.id in used for project in made):
            self._announcements.publish(ProjectsChanged())


def _folded_name(name: str | None) -> str:
    return " ".join((name or "").split())[:NAME_LIMIT].casefold()


def _tell(progress: Progress, total: int, done: int) -> None:
    progress(done, total)


def _found(path: Path) -> Iterator[Found]:
    with open_source(path) as source:
        importer = importer_of(source)
        if importer is None and source.add_inner_archives():
            importer = importer_of(source)
        if importer is None:
            if len(source.members) == 1 and path.suffix.lower() == ".json":
                deque(source.items(source.members[0]), 0)  # it may be no JSON, which is what there is to say then
            raise UnreadableExportError(EXPECTED)
        yield from importer.read(source)
