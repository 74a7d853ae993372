"""Imports threads, all or nothing: found on this computer, previewed, read in a thread of its own, written."""

from __future__ import annotations

import asyncio
import os
import re
from array import array
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial as partial_call
from pathlib import Path
from typing import TypeAlias

from desktop_app.controller.document_files import MOST_FILES, copy_of, shown_name
from desktop_app.controller.everything import Everything, ImportReport, consents_left_out, is_everything
from desktop_app.controller.export_files import write_bytes
from desktop_app.controller.export_sources import EXPECTED, OpenedSource, importer_of, looks_like_export, open_source
from desktop_app.controller.formats.export_reading import Importer, Skipped, UnreadableExportError, stable_id
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.history_records import ImportChange, ImportedDocument, ImportedProject, ImportedThread, in_batches
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import NAME_LIMIT, Project, ProjectDocument
from desktop_app.core.thread_copy import without_consent

ImportProgress: TypeAlias = Callable[[int, float], None]
"""Called on the event loop with how many threads were found so far, and the share of the files that was read."""

NO_TIME = "1970"
"""Begins the times of what names none."""


@dataclass(slots=True)
class PreviewedFile:
    """The contents of one of the paths: the product it comes from ("": unknown) and its good threads."""

    name: str
    product: str = ""
    threads: int = 0
    broken: list[Skipped] = field(default_factory=list)


class ImportReading:
    """Reads the paths one after the other; what it found so far is in its attributes.

    `only_good`: what is broken is collected in `broken`; else it raises `UserError`. `keep` gets each document of a
    project, with its bytes.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        only_good: bool,
        progress: ImportProgress | None = None,
        keep: Callable[[ImportedDocument], object] | None = None,
    ) -> None:
        self.skipped: list[Skipped] = []
        self.broken: list[Skipped] = []
        self.files: list[PreviewedFile] = []
        self.projects: dict[str, ImportedProject] = {}
        """By their names in one case, without their documents' bytes; a project is found before its threads."""
        self.earliest: str | None = None
        self.latest: str | None = None
        self.found = 0
        self._paths = tuple(paths)
        self._only_good = only_good
        self._keep = keep
        self._progress = progress
        self._share = 0.0
        self._threads = self._read()
        self._batches = in_batches(self._threads)
        self._next: asyncio.Future[Sequence[ImportedThread] | None] | None = None

    async def next_batch(self) -> Sequence[ImportedThread] | None:
        """The next threads, None at the end; the ones after them are read meanwhile."""
        batch = await asyncio.shield(self._next or self._begin())
        self._next = None if batch is None else self._begin()
        if batch is not None and self._progress is not None:
            self._progress(self.found, self._share)
        return batch

    async def close(self) -> None:
        """Ends the reading and closes what is open."""
        if self._next is not None:
            await asyncio.wait([self._next])
            self._next.exception()  # nobody waits for it any more
        await asyncio.to_thread(self._threads.close)

    def _begin(self) -> asyncio.Future[Sequence[ImportedThread] | None]:
        self._next = asyncio.ensure_future(asyncio.to_thread(next, self._batches, None))
        return self._next

    def _read(self) -> Generator[ImportedThread, None, None]:
        for number, path in enumerate(self._paths):
            file = PreviewedFile(path.name)
            self.files.append(file)
            try:
                with open_source(path, only_good=self._only_good) as source:
                    for imported in self._found(source, file):
                        file.threads += 1
                        self.found += 1
                        for message in imported.messages:
                            if not message.created.startswith(NO_TIME):
                                self.earliest = min(self.earliest or message.created, message.created)
                                self.latest = max(self.latest or message.created, message.created)
                        self._share = (number + source.share_read) / len(self._paths)
                        yield imported
                    file.broken += source.broken
            except UserError as error:
                if not self._only_good or error.failure.code == "usage":
                    raise
                cause = error.__cause__
                why = cause.why if isinstance(cause, UnreadableExportError) else error.failure.message
                file.broken.append(Skipped(path.name, why))
            self.broken += file.broken

    def _found(self, source: OpenedSource, file: PreviewedFile) -> Iterator[ImportedThread]:
        importer = self._importer(source)
        file.product = importer.name
        for found in importer.read(source):
            if isinstance(found, ImportedThread):
                yield found
            elif isinstance(found, ImportedProject):
                if self._keep is not None:
                    for one in found.documents:
                        self._keep(one)
                known = self.projects.setdefault(found.name.casefold(), replace(found, documents=()))
                documents = (*known.documents, *(replace(one, data=b"") for one in found.documents))
                self.projects[found.name.casefold()] = replace(known, documents=documents)
            else:
                self.skipped.append(found)

    def _importer(self, source: OpenedSource) -> Importer:
        if (importer := importer_of(source)) is None and source.add_inner_archives():
            importer = importer_of(source)
        if importer is None:
            if len(source.members) == 1 and source.members[0].lower().endswith(".json"):
                deque(source.items(source.members[0]), 0)  # it may be no JSON, which is what there is to say then
            raise UnreadableExportError(EXPECTED)
        return importer


@dataclass(frozen=True, slots=True)
class ImportPreview(ImportReport):
    """The effects of importing the good part of files, which `broken` refuses whole; `everything`: an archive."""

    broken: tuple[Skipped, ...] = ()
    files: tuple[PreviewedFile, ...] = ()
    everything: bool = False


def can_be_imported(path: Path) -> bool:
    """True if what is at a path is likely to be an export; looks at names and beginnings only and raises nothing."""
    return is_everything(path) or looks_like_export(path)


class Transfer:
    """Brings conversations into the history."""

    def __init__(
        self,
        history: History,
        announcements: Announcements,
        clock: Clock | None = None,
        *,
        everything: Everything | None = None,
        documents: Path | None = None,
        read_documents: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """`everything` brings in archives of everything; None: such an archive is refused as any other zip. Copies of
        the documents of projects are kept in the folder `documents`, None: they are left out.
        """
        self._history = history
        self._announcements = announcements
        self._clock = clock or Clock()
        self._everything = everything
        self._documents = documents
        self._read_documents = read_documents

    async def preview(self, paths: Sequence[Path], progress: ImportProgress | None = None) -> ImportPreview:
        """Return what `import_files` would do, and what is broken. `UserError("usage")` for a path that isn't there."""
        if self._everything is not None and (archive := await _archive_in(paths)) is not None:
            whole = await self._everything.preview(archive)
            files = (PreviewedFile(archive.name, "Plimsoll", whole.threads),)
            return ImportPreview(
                **{one.name: getattr(whole, one.name) for one in fields(whole)}, files=files, everything=True
            )
        reading = ImportReading(paths, only_good=True, progress=progress)
        projects = _ImportedProjects(self._history, self._clock, reading.projects)
        expected = _ExpectedChanges(self._history, projects)
        try:
            while (batch := await reading.next_batch()) is not None:
                await expected.prepared(batch)
        finally:
            await reading.close()
        if self._documents is not None:
            await projects.find_documents()
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
        kept: list[Path] = []
        reading = ImportReading(paths, only_good=partial, progress=progress, keep=partial_call(self._keep, kept))
        projects = _ImportedProjects(self._history, self._clock, reading.projects)
        expected = _ExpectedChanges(self._history, projects)
        writing = await self._history.imports.begin()
        try:
            while (batch := await reading.next_batch()) is not None:
                await writing.add(await expected.prepared(batch))
            if reading.broken and not reading.found:
                one = reading.broken[0]
                raise UserError("store", phrase("{what} can't be imported: {why}.", what=one.what, why=one.why))
            if self._documents is not None:
                await projects.find_documents()
            count = await writing.finish(projects.made, projects.documents)
        except BaseException:
            await writing.undo()
            for copy in kept:
                copy.unlink(missing_ok=True)
            raise
        finally:
            await reading.close()
        if count.messages or count.threads:
            self._announcements.publish(HistoryChangedElsewhere())
        if projects.made or projects.documents:
            self._announcements.publish(ProjectsChanged())
        if projects.documents and self._read_documents is not None:
            await self._read_documents()
        skipped = (*reading.skipped, *expected.skipped(), *reading.broken)
        times = (reading.earliest, reading.latest)
        return ImportReport(count.threads, count.messages, skipped, count.already, *times, changes=expected.changes())

    def _keep(self, kept: list[Path], document: ImportedDocument) -> None:
        """Keeps a copy, unless there is one."""
        if self._documents is not None and not (copy := copy_of(self._documents, document.sha256)).is_file():
            kept.append(write_bytes(copy, (document.data,)))


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

    def __init__(self, history: History, clock: Clock, exported: Mapping[str, ImportedProject]) -> None:
        self._history = history
        self._clock = clock
        self._exported = exported
        self._ids: dict[str, str] = {}
        self.made: list[Project] = []
        """Those of names that no project has."""
        self.found: list[Project] = []
        """Those, and the ones that were here."""
        self.documents: list[ProjectDocument] = []
        """Those that the projects have not, and those that have other bytes."""

    async def placed(self, imported: ImportedThread) -> ImportedThread:
        """The thread in the project of the name that its project has in the export."""
        if imported.thread.project is None:
            return imported
        project_id = await self._id_of(imported.thread.project)
        return replace(imported, thread=replace(imported.thread, project=project_id))

    async def find_documents(self) -> None:
        """Looks, once all was read, for the documents that are new here; one that was removed stays away."""
        for exported in [one for one in self._exported.values() if one.documents]:
            if (project_id := await self._id_of(exported.name)) is None:
                continue
            same: dict[str, str] = {}
            if all(one.id != project_id for one in self.made):
                same = {one.id: one.sha256 for one in await self._history.projects.documents(project_id)}
                away = {one.id for one in await self._history.projects.removed_documents(project_id)}
            else:
                away = set[str]()
            for one in exported.documents[: MOST_FILES - len(same)]:
                if (made := stable_id(project_id, one.key)) not in away and same.get(made) != one.sha256:
                    name, now = shown_name(re.split(r"[/\\]", one.name)[-1]), self._clock.stamp()
                    self.documents.append(
                        ProjectDocument(made, project_id, name, size=one.size, sha256=one.sha256, added=now)
                    )

    async def _id_of(self, written: str) -> str | None:
        """The id of the project of a name in the export; None for a name without a letter."""
        if (name := " ".join(written.split())[:NAME_LIMIT]) and name.casefold() not in self._ids:
            if (project := await self._history.projects.find(name)) is None:
                now = self._clock.stamp()
                told = self._exported.get(name.casefold())
                instructions = told.instructions if told is not None else ""
                project = Project(self._clock.new_id(), name, instructions, created=now, updated=now)
                self.made.append(project)
            self.found.append(project)
            self._ids[name.casefold()] = project.id
        return self._ids.get(name.casefold())


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
        placed = [await self._projects.placed(one) for one in batch]
        first, copies = list[ImportedThread](), list[ImportedThread]()
        for one in placed:
            (copies if one.thread.id in self._seen else first).append(self._unseen(one))
        looks = (*first, *copies, *(replace(one, messages=()) for one in copies))
        found = await self._history.imports.look(looks)
        for imported, change in zip(first, found, strict=False):
            self.already += change is None or change.change == "more"
            if change is not None:
                self.threads[imported.thread.id] = change
            if change is not None and change.change == "new":
                self._consents += imported.thread != without_consent(imported.thread)
                self._in_project[imported.thread.project or ""] += 1
        of_copies = found[len(first) :]
        for copy, change, without in zip(copies, of_copies, of_copies[len(copies) :], strict=False):
            # The additions of a copy to those before it, of which some may be written by now; `without` its messages.
            if (before := self.threads.get(copy.thread.id)) is None and change is not None:
                self.threads[copy.thread.id] = change
            elif before is not None and change is not None:
                more = change.counts["messages"] - (0 if without is None else without.counts["messages"])
                self.threads[copy.thread.id] = replace(before, counts={"messages": before.counts["messages"] + more})
        return [replace(one, thread=without_consent(one.thread)) for one in placed]

    def _unseen(self, imported: ImportedThread) -> ImportedThread:
        """The thread with the messages that no copy before it had: an archive may hold a conversation many times."""
        seen = self._seen.setdefault(imported.thread.id, array("q"))
        before = set(seen)
        unseen = tuple(one for one in imported.messages if hash(one.id) not in before)
        seen.extend({hash(one.id) for one in unseen})
        return imported if len(unseen) == len(imported.messages) else replace(imported, messages=unseen)

    def changes(self) -> tuple[ImportChange, ...]:
        """All that is added or added to."""
        made = {one.id for one in self._projects.made}
        documents = Counter(one.project_id for one in self._projects.documents)
        projects = [
            ImportChange("project", "new" if one.id in made else "more", one.id, one.name, counts)
            for one in self._projects.found
            if any((counts := {"threads": self._in_project[one.id], "documents": documents[one.id]}).values())
        ]
        return (*self.threads.values(), *projects)

    def skipped(self) -> tuple[Skipped, ...]:
        """Return the skipped parts: those that the user here has not agreed to."""
        return consents_left_out(self._consents)


MOST_LISTED = 10_000
"""Sessions that are counted; more are that many."""


@dataclass(frozen=True, slots=True)
class FoundChats:
    """Chats of a product in a folder of this computer: how many, or how many messages of them, are new."""

    product: str
    folder: Path
    count: int
    messages: int = 0


async def find_chats(environment: Mapping[str, str] | None = None) -> FoundChats | None:
    """The sessions that Claude Code keeps, whether they were imported or not; None where there are none."""
    return await asyncio.to_thread(_sessions, os.environ if environment is None else environment)


async def find_new_chats(transfer: Transfer, environment: Mapping[str, str] | None = None) -> FoundChats | None:
    """Those of them that are new since they were imported, None where nothing is."""
    if (found := await find_chats(environment)) is None:
        return None
    preview = await transfer.preview([found.folder])
    new = preview.threads or preview.messages
    return FoundChats(found.product, found.folder, preview.threads, preview.messages) if new else None


def _sessions(environment: Mapping[str, str]) -> FoundChats | None:
    chosen = environment.get("CLAUDE_CONFIG_DIR")
    try:
        folder = (Path(chosen) if chosen else Path.home() / ".claude") / "projects"
        count = 0
        for path in folder.glob("*/*.jsonl"):
            # Nor what a link leads to elsewhere: an import does not follow it.
            linked = path.is_symlink() or path.parent.is_symlink()
            count += not linked and not path.name.startswith("agent-") and path.stat().st_size > 0
            if count == MOST_LISTED:
                break
    except (OSError, RuntimeError):  # no home
        return None
    return FoundChats("Claude Code", folder, count) if count else None
