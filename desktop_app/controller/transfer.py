"""Imports and exports threads, all or nothing."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.clock import Clock
from desktop_app.controller.export_files import write_export
from desktop_app.controller.export_sources import open_source
from desktop_app.controller.formats import ExportFormat, markdown_export, plimsoll_json
from desktop_app.controller.formats.export_reading import Found, Skipped, UnreadableExportError
from desktop_app.controller.formats.importers import EXPECTED, importer_of
from desktop_app.controller.ports import History
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import without_deleted
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, Thread
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import NAME_LIMIT, Project

ENDINGS: dict[ExportFormat, str] = {"markdown": ".md", "json": ".json"}


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
    """Brings conversations in and out of the history."""

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

    async def export(
        self,
        thread_ids: Sequence[str] | None,
        kind: ExportFormat,
        output: Path,
        progress: Progress | None = None,
    ) -> Sequence[Path]:
        """Writes the threads (None: all) and returns the files written, each whole or not at all.

        Where it is cancelled, the files that are written by then stay.

        A folder (one that exists, or for all threads as Markdown a new one) gets one file per thread; otherwise all
        go into the one file. Markdown holds the current branch, JSON everything. Raises `UserError("usage")` for an
        unknown thread or an output that is neither a plain file nor a folder, `UserError("store")` if writing fails.
        """
        everything = thread_ids is None
        if thread_ids is None:
            # Oldest first and not by last use, so that two exports of the same threads are the same bytes.
            summaries = await self._history.threads()
            stamped = sorted((summary.thread.created, summary.thread.id) for summary in summaries)
            thread_ids = [thread_id for _, thread_id in stamped]
        into_folder = (everything and kind == "markdown") or await asyncio.to_thread(output.is_dir)
        if not into_folder:
            if kind == "markdown" and len(thread_ids) != 1:
                raise UserError(
                    "usage",
                    phrase("{output} is one file; give a folder for several threads as Markdown.", output=output),
                )
            written = await self._written(thread_ids, kind, progress)
            return [await asyncio.to_thread(write_export, output, written)]
        taken: set[str] = set()
        files = []
        for done, thread_id in enumerate(thread_ids):
            if progress is not None:
                progress(done, len(thread_ids))
            thread = await self._history.thread(thread_id)
            file = output / _file_name(thread, ENDINGS[kind], taken)
            files.append(await asyncio.to_thread(write_export, file, await self._written([thread_id], kind)))
        return files

    async def _written(
        self, thread_ids: Sequence[str], kind: ExportFormat, progress: Progress | None = None
    ) -> Iterable[str]:
        history = self._history
        names = {one.id: one.name for one in await history.projects.all()}
        whole = []
        for done, one in enumerate(thread_ids):
            if progress is not None:
                progress(done, len(thread_ids))
            thread = await history.thread(one)
            named = replace(thread, project=names.get(thread.project or ""))
            whole.append((named, await history.messages(one), await history.marks(one)))
        if kind == "json":
            return plimsoll_json.write_export(whole)
        return [markdown_export.write_branch(thread, _branch(thread, messages)) for thread, messages, _ in whole]


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


def _branch(thread: Thread, messages: Sequence[Message]) -> Sequence[Message]:
    return without_deleted(Conversation(messages).path(thread.tip), thread.choices)


def _file_name(thread: Thread, ending: str, taken: set[str]) -> str:
    """A name that every file system takes: the title's letters and the first characters of the id."""
    words = re.sub(r"[^\w]+", "-", thread.title, flags=re.UNICODE).strip("-_")[:60] or "thread"
    length = 8
    while (name := f"{words}-{_plain(thread.id[:length])}{ending}").casefold() in taken and length < len(thread.id):
        length += 4
    taken.add(name.casefold())
    return name


def _plain(thread_id: str) -> str:
    return re.sub(r"[^\w]", "", thread_id)
