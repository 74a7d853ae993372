"""Imports threads, all or nothing."""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial as partial_call
from pathlib import Path

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.clock import Clock
from desktop_app.controller.everything import (
    Everything,
    ImportReport,
    consents_left_out,
    is_everything,
)
from desktop_app.controller.export_sources import looks_like_export
from desktop_app.controller.formats.export_reading import Skipped
from desktop_app.controller.import_reading import ImportProgress, ImportReading, PreviewedFile
from desktop_app.controller.ports import History
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.history_records import ImportChange, ImportedThread
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import NAME_LIMIT, Project
from desktop_app.core.thread_copy import without_consent


@dataclass(frozen=True, slots=True)
class ImportPreview(ImportReport):
    """The effects of importing the good part of some files. Any of `broken` refuses them as a whole.

    `everything`: the file is an archive of everything, which has more than threads in it.
    """

    broken: tuple[Skipped, ...] = ()
    files: tuple[PreviewedFile, ...] = ()
    everything: bool = False


def can_be_imported(path: Path) -> bool:
    """Return True if a file or folder at a path is likely to be an export; looks at names and beginnings only and
    raises nothing.
    """
    return is_everything(path) or looks_like_export(path)


class Transfer:
    """Brings conversations into the history."""

    def __init__(
        self,
        history: History,
        announcements: Announcements,
        clock: Clock | None = None,
        everything: Everything | None = None,
    ) -> None:
        """`everything` brings in archives of everything; None: such an archive is refused as any other zip."""
        self._history = history
        self._announcements = announcements
        self._clock = clock or Clock()
        self._everything = everything

    async def preview(self, paths: Sequence[Path], progress: ImportProgress | None = None) -> ImportPreview:
        """Return what `import_files` would do; changes nothing.

        Raises `UserError("usage")` for a path that isn't there. What is broken in the others is in the preview.
        """
        if self._everything is not None and (archive := await _archive_in(paths)) is not None:
            whole = await self._everything.preview(archive)
            files = (PreviewedFile(archive.name, "Plimsoll", whole.threads),)
            return ImportPreview(
                **{one.name: getattr(whole, one.name) for one in fields(whole)}, files=files, everything=True
            )
        reading = ImportReading(paths, only_good=True, progress=progress)
        expected = _ExpectedChanges(self._history, _ImportedProjects(self._history, self._clock, reading.instructions))
        try:
            while (batch := await reading.next_batch()) is not None:
                await expected.prepared(batch)
        finally:
            await reading.close()
        return ImportPreview(
            sum(one.change != "more" for one in expected.threads.values()),
            sum(one.counts["messages"] for one in expected.threads.values()),
            (*reading.skipped, *expected.skipped()),
            expected.already,
            reading.earliest,
            reading.latest,
            changes=expected.changes(),
            broken=tuple(reading.broken),
            files=tuple(reading.files),
        )

    async def import_files(
        self,
        paths: Sequence[Path],
        progress: ImportProgress | None = None,
        *,
        partial: bool = False,
        with_settings: bool = True,
    ) -> ImportReport:
        """Imports files, zip archives and folders together: all of them, or none; none where it is cancelled.

        `partial`: only what is not broken; what is counts as skipped. `with_settings`: those that may travel, too. One
        conversation is in memory at a time.

        Raises `UserError("usage")` for a path that isn't there and `UserError("store")`, naming the file, the place
        and what was expected there, for one that can't be read; the history is then as it was.
        """
        if self._everything is not None and (archive := await _archive_in(paths)) is not None:
            tell = None if progress is None else partial_call(_tell_share, progress)
            return await self._everything.bring_in(archive, tell, with_settings=with_settings)
        reading = ImportReading(paths, only_good=partial, progress=progress)
        projects = _ImportedProjects(self._history, self._clock, reading.instructions)
        expected = _ExpectedChanges(self._history, projects)
        writing = await self._history.imports.begin()
        try:
            while (batch := await reading.next_batch()) is not None:
                await writing.add(await expected.prepared(batch))
            if reading.broken and not reading.found:
                one = reading.broken[0]
                raise UserError("store", phrase("{what} can't be imported: {why}.", what=one.what, why=one.why))
            count = await writing.finish(projects.made)
        except BaseException:
            await writing.undo()
            raise
        finally:
            await reading.close()
        if count.messages or count.threads:
            self._announcements.publish(HistoryChangedElsewhere())
        if projects.made:
            self._announcements.publish(ProjectsChanged())
        skipped = (*reading.skipped, *expected.skipped(), *reading.broken)
        times = (reading.earliest, reading.latest)
        return ImportReport(count.threads, count.messages, skipped, count.already, *times, changes=expected.changes())


async def _archive_in(paths: Sequence[Path]) -> Path | None:
    """The one archive of everything among the paths; it comes by itself or not at all."""
    found = [path for path in paths if await asyncio.to_thread(is_everything, path)]
    if found and len(paths) > 1:
        words = phrase("{name} is an archive of everything. Import it by itself.", name=found[0].name)
        raise UserError("usage", words)
    return found[0] if found else None


def _tell_share(progress: ImportProgress, share: float) -> None:
    progress(0, share)


class _ImportedProjects:
    """The projects that threads of an export are in, by their names there."""

    def __init__(self, history: History, clock: Clock, instructions: Mapping[str, str]) -> None:
        self._history = history
        self._clock = clock
        self._instructions = instructions
        self._ids: dict[str, str] = {}
        self.made: list[Project] = []
        """Those of names that no project has."""
        self.found: list[Project] = []
        """Those, and the ones that were here."""

    async def placed(self, imported: ImportedThread) -> ImportedThread:
        """The thread in the project of the name that its project has in the export."""
        if imported.thread.project is None:
            return imported
        name = " ".join(imported.thread.project.split())[:NAME_LIMIT]
        if name and name.casefold() not in self._ids:
            project = await self._history.projects.find(name)
            if project is None:
                now = self._clock.stamp()
                told = self._instructions.get(name.casefold(), "")
                project = Project(self._clock.new_id(), name, told, created=now, updated=now)
                self.made.append(project)
            self.found.append(project)
            self._ids[name.casefold()] = project.id
        return replace(imported, thread=replace(imported.thread, project=self._ids.get(name.casefold())))


class _ExpectedChanges:
    """Says of threads, before they are written, what they change, and takes from them what their user agreed to."""

    def __init__(self, history: History, projects: _ImportedProjects) -> None:
        self._history = history
        self._projects = projects
        self._seen: dict[str, array[int]] = {}
        """Hashes of the messages' ids, by the threads' ids: few bytes for each message of an archive."""
        self._in_project: Counter[str] = Counter()
        self._consents = 0
        self.threads: dict[str, ImportChange] = {}
        """By the ids that the threads have in what is imported."""
        self.already = 0

    async def prepared(self, batch: Sequence[ImportedThread]) -> Sequence[ImportedThread]:
        """The threads as they are imported."""
        placed = [await self._projects.placed(one) for one in batch]
        first, copies = list[ImportedThread](), list[ImportedThread]()
        for one in placed:
            (copies if one.thread.id in self._seen else first).append(self._unseen(one))
        looks = (*first, *copies, *(replace(one, messages=()) for one in copies))
        found = await self._history.imports.look(looks)
        for imported, change in zip(first, found, strict=False):
            self._add_first(imported, change)
        of_copies = found[len(first) :]
        for copy, change, without in zip(copies, of_copies, of_copies[len(copies) :], strict=False):
            self._add_copy(copy.thread.id, change, without)
        return [replace(one, thread=without_consent(one.thread)) for one in placed]

    def _unseen(self, imported: ImportedThread) -> ImportedThread:
        """The thread with the messages that no copy before it had: an archive may hold a conversation many times."""
        seen = self._seen.setdefault(imported.thread.id, array("q"))
        before = set(seen)
        unseen = tuple(one for one in imported.messages if hash(one.id) not in before)
        seen.extend({hash(one.id) for one in unseen})
        return imported if len(unseen) == len(imported.messages) else replace(imported, messages=unseen)

    def _add_first(self, imported: ImportedThread, change: ImportChange | None) -> None:
        self.already += change is None or change.change == "more"
        if change is not None:
            self.threads[imported.thread.id] = change
        if change is not None and change.change == "new":
            self._consents += imported.thread != without_consent(imported.thread)
            self._in_project[imported.thread.project or ""] += 1

    def _add_copy(self, thread_id: str, change: ImportChange | None, without: ImportChange | None) -> None:
        """The additions of a copy to those before it, of which some may be written by now; `without` its messages."""
        before = self.threads.get(thread_id)
        if before is None and change is not None:
            self.threads[thread_id] = change
        elif before is not None and change is not None:
            more = change.counts["messages"] - (0 if without is None else without.counts["messages"])
            self.threads[thread_id] = replace(before, counts={"messages": before.counts["messages"] + more})

    def changes(self) -> tuple[ImportChange, ...]:
        """All that is added or added to."""
        made = {one.id for one in self._projects.made}
        projects = [
            ImportChange("project", "new" if one.id in made else "more", one.id, one.name, {"threads": count})
            for one in self._projects.found
            if (count := self._in_project[one.id])
        ]
        return (*self.threads.values(), *projects)

    def skipped(self) -> tuple[Skipped, ...]:
        """Return the skipped parts: those that the user here has not agreed to."""
        return consents_left_out(self._consents)
