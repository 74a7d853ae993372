"""The documents and followed folders of projects: held in memory, read in the background, noticed when they change."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from desktop_app.controller.document_files import (
    MOST_FILES,
    FolderListing,
    checked_folder,
    copy_of,
    fingerprint,
    folder_listing,
    hash_of,
    keep_copy,
    shown_name,
)
from desktop_app.controller.ports import Announcements, Clock, DocumentExtractor, OwnVocabulary, ProjectHistory
from desktop_app.core import events
from desktop_app.core.citations import marked_document
from desktop_app.core.context.project_context import counted_text, document_tokens, fitting, is_exact
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import Failure
from desktop_app.core.model_catalog import TokenizerFamily, find_model
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import DocumentText, FolderChange, FollowedFolder, ProjectDocument
from desktop_app.system.files_below import path_of, path_text
from desktop_app.system.private_files import PrivateFolder, fitting_name


class ProjectDocuments:
    """The documents of projects as the history has them, read once until somebody else writes.

    What `of` returns never changes; after a change it is another object.
    """

    def __init__(self, history: ProjectHistory, announcements: Announcements) -> None:
        self._history = history
        self._announcements = announcements
        self._documents: dict[str, Mapping[str, ProjectDocument]] = {}
        self._folders: dict[str, Sequence[FollowedFolder]] = {}
        # two writes that read before either has written would lose one of them
        self._one_at_a_time = asyncio.Lock()
        self._writes = 0
        announcements.subscribe(self._on_announcement)

    async def of(self, project_id: str) -> Mapping[str, ProjectDocument]:
        """The documents of a project by id, in the history's order."""
        while (known := self._documents.get(project_id)) is None:
            writes = self._writes
            read = await self._history.documents(project_id)
            if writes == self._writes:  # else what was read may be older than what was written meanwhile
                self._documents[project_id] = MappingProxyType({document.id: document for document in read})
        return known

    async def removed(self, project_id: str) -> Sequence[ProjectDocument]:
        """The documents that were removed."""
        return await self._history.removed_documents(project_id)

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        if (known := self._folders.get(project_id)) is None:
            known = self._folders[project_id] = tuple(await self._history.folders(project_id))
        return known

    async def path_of(self, document: ProjectDocument) -> Path | None:
        """Return the path of a document's file when it was last seen; None where its folder is not followed any more.

        None, too, for a path that leads anywhere else, as one that came with an import may.
        """
        above = await self.folder_of(document)
        inside = path_of(document.path)
        if document.folder_id is not None and (above is None or inside.is_absolute() or ".." in inside.parts):
            return None
        path = inside if above is None else above / inside
        return path if path.is_absolute() else None

    async def folder_of(self, document: ProjectDocument) -> Path | None:
        """The followed folder that a document's file is in: no link is followed below. None where it is in none."""
        folders = await self.folders(document.project_id)
        return next((path_of(one.path) for one in folders if one.id == document.folder_id and one.chosen), None)

    async def add(self, project_id: str, documents: Sequence[ProjectDocument]) -> None:
        """Writes new documents."""
        if documents:
            async with self._one_at_a_time:
                await self._history.save_documents(documents)
            self._changed(project_id)

    async def change(self, project_id: str, facts: Mapping[str, Mapping[str, Any]]) -> Sequence[ProjectDocument]:
        """Writes fields of documents, by id; those that are gone meanwhile are left out. Returns them as they were."""
        async with self._one_at_a_time:
            known = await self.of(project_id)
            before = [known[one] for one in facts if one in known]
            after = {one.id: replace(one, **facts[one.id]) for one in before}
            changed = [one for one in after.values() if one != known[one.id]]
            if not changed:
                return before
            await self._history.save_documents(changed)
            self._writes += 1
            if self._documents.get(project_id) is known:
                self._documents[project_id] = MappingProxyType({**known, **after})
            else:  # what was read while this was written may be without it
                self.forget(project_id)
        self._announcements.publish(events.ProjectDocumentsChanged(project_id))
        return before

    async def remove(self, project_id: str, document_ids: Collection[str]) -> None:
        """Takes documents out of a project; `restore` brings them back."""
        async with self._one_at_a_time:
            await self._history.delete_documents(document_ids)
        self._changed(project_id)

    async def restore(self, project_id: str, document_ids: Collection[str]) -> None:
        """Brings documents back that were removed."""
        async with self._one_at_a_time:
            await self._history.restore_documents(document_ids)
        self._changed(project_id)

    async def follow(self, folder: FollowedFolder) -> None:
        """Writes a folder that a project follows."""
        await self._history.save_folder(folder)
        self._changed(folder.project_id)

    async def unfollow(self, folder: FollowedFolder) -> None:
        """Forgets a folder; its documents stay, under their whole paths."""
        known = await self.of(folder.project_id)
        inside = {one.id: one for one in known.values() if one.folder_id == folder.id}
        paths = {key: path_text(path) if (path := await self.path_of(one)) else "" for key, one in inside.items()}
        facts = {key: {"folder_id": None, "path": path} for key, path in paths.items()}
        await self.change(folder.project_id, facts)
        await self._history.delete_folder(folder.id)
        self._changed(folder.project_id)

    def forget(self, project_id: str) -> None:
        """Reads the project again when it is next asked for."""
        self._documents.pop(project_id, None)
        self._folders.pop(project_id, None)

    def _changed(self, project_id: str) -> None:
        self._writes += 1
        self.forget(project_id)
        self._announcements.publish(events.ProjectDocumentsChanged(project_id))

    def _on_announcement(self, fact: events.Announcement) -> None:
        if isinstance(fact, events.HistoryChangedElsewhere):
            self._writes += 1
            self._documents.clear()
            self._folders.clear()


log = logging.getLogger(__name__)

WRITTEN_AT_ONCE: Final = 50
"""Documents whose facts are written together: each write makes whoever shows them read them again."""
WRITTEN_AFTER_S: Final = 0.5
"""Seconds after which the documents read are written, however few they are."""
LARGEST_HASHED: Final = 512 * 2**20
"""Bytes of a file up to which it is looked up by its hash first; larger ones are refused when they are opened."""


@dataclass(eq=False)
class DocumentReading:
    """One task per project, while anything waits. A file that can't be read keeps its error and holds up nothing.

    `folder`: where copies of files are kept. `limit` as in `Projects`.
    """

    history: ProjectHistory
    documents: ProjectDocuments
    extractor: DocumentExtractor
    folder: Path
    announcements: Announcements
    _: KW_ONLY
    vocabulary: OwnVocabulary | None = None
    limit: Callable[[str], Awaitable[tuple[int, TokenizerFamily]]] | None = None
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _progress: dict[str, events.ReadingProgressed] = field(default_factory=dict, init=False)
    _problems: dict[str, Failure] = field(default_factory=dict, init=False)

    def start(self, project_id: str) -> None:
        """Reads what waits in a project, if that is not under way already."""
        if project_id not in self.tasks:
            self._problems.pop(project_id, None)
            task = asyncio.get_running_loop().create_task(self._run(project_id), name=f"reading {project_id}")
            self.tasks[project_id] = task

    async def finish(self, project_id: str) -> None:
        """Waits until nothing of a project waits; raises the `UserError("store")` that ended the reading."""
        self.start(project_id)
        # whoever waits may be cancelled without the reading
        await asyncio.wait([self.tasks[project_id]])
        if (problem := self._problems.get(project_id)) is not None:
            raise UserError(problem.code, problem.message, detail=problem.detail)

    async def stop(self, project_id: str) -> bool:
        """Ends the reading; what was not read goes on waiting. False where nothing was read."""
        if (task := self.tasks.get(project_id)) is not None:
            task.cancel()
            await asyncio.wait([task])
            if self.tasks.get(project_id) is task:  # cancelled before it began, it had no end of its own
                del self.tasks[project_id]
        return task is not None

    async def close(self) -> None:
        """Ends all reading."""
        for project_id in tuple(self.tasks):
            await self.stop(project_id)

    def progress(self, project_id: str) -> events.ReadingProgressed | None:
        """Return the progress of the reading; None where there is none."""
        return self._progress.get(project_id)

    def problem(self, project_id: str) -> Failure | None:
        """Return the failure that ended the last reading early: nothing could be written."""
        return self._problems.get(project_id)

    async def _run(self, project_id: str) -> None:
        done = 0
        try:
            done = await self._read_waiting(project_id)
        except PlimsollError as error:
            log.warning("the reading of documents ended: %s", error.failure.code)
            self._problems[project_id] = error.failure
        except Exception:
            log.exception("the reading of documents failed")
            words = phrase("Reading the documents failed. Try again; if it fails again, run “plimsoll doctor”.")
            self._problems[project_id] = Failure("store", words)
        finally:
            # in one step with the last look at what waits: what is added afterwards starts a task of its own
            del self.tasks[project_id]
            if (last := self._progress.pop(project_id, None)) is not None:
                self.announcements.publish(events.ReadingProgressed(project_id, max(done, last.done), last.total, ""))

    async def _read_waiting(self, project_id: str) -> int:
        done, loop, new = 0, asyncio.get_running_loop(), set[str]()
        while waiting := [one for one in (await self.documents.of(project_id)).values() if one.state == "waiting"]:
            facts: dict[str, Mapping[str, Any]] = {}
            until, total = loop.time() + WRITTEN_AFTER_S, done + len(waiting)
            try:
                for document in waiting[:WRITTEN_AT_ONCE]:
                    self._tell(events.ReadingProgressed(project_id, done, total, document.name))
                    facts[document.id] = await self._read(document)
                    done += 1
                    if not document.sha256 and document.folder_id is None:
                        new.add(document.id)
                    if loop.time() > until:
                        break
            finally:
                await self.documents.change(project_id, facts)
        if self.limit is not None and new:  # when all are read: the small ones come first, whichever was read first
            known = (await self.documents.of(project_id)).values()
            may = [one for one in known if one.id in new or one.mode == "always"]
            fit = await asyncio.to_thread(fitting, may, *await self.limit(project_id))
            await self.documents.change(project_id, {one.id: {"mode": "always"} for one in fit})
        await self._count_again(project_id)
        return done

    async def _count_again(self, project_id: str) -> None:
        """Counts what was read before this computer had the vocabulary."""
        old = [
            one for one in (await self.documents.of(project_id)).values() if one.state == "ready" and not is_exact(one)
        ]
        if not old or (own := await self._own_counter()) is None:
            return
        for document in old:
            if (text := await self.history.text(document.sha256)) is not None:
                counted = await asyncio.to_thread(counted_text, marked_document(document.name, text), own)
                await self.documents.change(project_id, {document.id: {"counted": counted}})

    async def _own_counter(self) -> Callable[[str], int] | None:
        return None if self.vocabulary is None else await self.vocabulary.counter(find_model("openai", "gpt-4o"))

    def _tell(self, progress: events.ReadingProgressed) -> None:
        self._progress[progress.project_id] = progress
        self.announcements.publish(progress)

    async def _read(self, document: ProjectDocument) -> Mapping[str, Any]:
        """The facts of a document after its file was read, or after that failed."""
        seen: dict[str, Any] = {}
        below = await self.documents.folder_of(document)
        try:
            path, modified, size = await self._file(document, below)
            seen = {"size": size, "modified": modified}
            text = await self._text(document, path, below)
        except UserError as error:
            if error.failure.code != "usage":
                raise
            # with the file's time: one that can't be read is no changed file at each look into its folder
            return {**seen, "state": "failed", "error": error.failure.message, "note": ""}
        own = await self._own_counter()
        marked = marked_document(document.name, text)
        read = replace(document, counted=await asyncio.to_thread(counted_text, marked, own))
        return {
            **seen,
            "state": "ready",
            "error": "",
            "note": text.note,
            "media_type": text.media_type,
            "sha256": text.sha256,
            "tokens": document_tokens(read, TokenEstimator.seeded("unknown")),
            "counted": read.counted,
            "pages": text.pages,
            "passages": len(text.passages),
        }

    async def _file(self, document: ProjectDocument, below: Path | None) -> tuple[Path, str, int]:
        """Return the file's path, its time and size. One that can't be looked at is for the extractor to tell of."""
        path = await self.documents.path_of(document)
        if path is None and document.sha256 and await asyncio.to_thread(copy_of(self.folder, document.sha256).is_file):
            # there is nothing but the copy; the name tells its kind
            named = self.folder / "imported" / shown_name(document.name).replace("/", " ")
            return named, document.modified, document.size
        if path is None:
            words = phrase("“{name}” has no file any more. Add it again.", name=document.name)
            raise UserError("usage", words)
        try:
            found = await asyncio.to_thread(fingerprint, path, below)
        except (OSError, ValueError):
            return path, document.modified, document.size
        return path, found.modified, found.size

    async def _text(self, document: ProjectDocument, path: Path, below: Path | None) -> DocumentText:
        """The text of a file, stored; the file of a document that is in no followed folder is copied first."""
        if document.sha256 and not await asyncio.to_thread(os.path.exists, path):
            return await self._of_copy(document, path, below)
        for _ in range(2):
            text = await self._known(path, below) or await self.extractor.extract(path, below)
            if document.folder_id is not None or await self._kept(document, path, text.sha256):
                await self.history.save_text(text)
                return text
        words = phrase(
            "“{name}” changes while it is read. Close it in other programs, then read it again.", name=path.name
        )
        raise UserError("usage", words)

    async def _of_copy(self, document: ProjectDocument, path: Path, below: Path | None) -> DocumentText:
        """Reads the copy of a file that is gone, under the file's own name: it tells the kind, and is in errors."""
        copy = copy_of(self.folder, document.sha256)
        if not await asyncio.to_thread(copy.is_file):
            return await self.extractor.extract(path, below)  # says that the file is gone
        with PrivateFolder() as folder:
            named = folder / fitting_name(shown_name(path.name))
            await asyncio.to_thread(shutil.copyfile, copy, named)
            text = await self.extractor.extract(named)
        await self.history.save_text(text)
        return text

    async def _known(self, path: Path, below: Path | None) -> DocumentText | None:
        """The text of a file with the same bytes that was read before."""
        try:
            if (await asyncio.to_thread(fingerprint, path, below)).size > LARGEST_HASHED:
                return None
            sha256 = await asyncio.to_thread(hash_of, path, below)
        except (OSError, ValueError):
            return None  # the extractor says why it can't be read
        return await self.history.text(sha256) if await self.history.has_text(sha256) else None

    async def _kept(self, document: ProjectDocument, path: Path, sha256: str) -> bool:
        try:
            return await asyncio.to_thread(keep_copy, path, sha256, self.folder)
        except OSError as error:
            words = phrase(
                "No copy of “{name}” could be kept: {reason}. Make room or check the file, then read it again.",
                name=document.name,
                reason=(error.strerror or type(error).__name__).lower(),
            )
            raise UserError("usage", words) from None


@dataclass(slots=True)
class _Differences:
    """The result of one look at a folder: changes, and documents whose file is the same under another time."""

    changes: list[FolderChange] = field(default_factory=list)
    same: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class FollowedFolders:
    """Looks at folders when it is asked to, beside the event loop. Nothing of a project changes by a look."""

    def __init__(self, documents: ProjectDocuments, announcements: Announcements, clock: Clock) -> None:
        self._documents = documents
        self._announcements = announcements
        self._clock = clock
        self._found: dict[str, tuple[FolderChange, ...]] = {}
        self._unreachable: dict[str, tuple[FollowedFolder, ...]] = {}
        self._looking: dict[str, asyncio.Task[tuple[FolderChange, ...]]] = {}

    async def follow(self, project_id: str, path: Path, folder_id: str | None = None) -> FollowedFolder:
        """Follows a folder and adds what is in it, still to be read. `UserError("usage")` for one that can't be.

        `folder_id`: it is this one, which came with an import; None: it may be one of its name.
        """
        folder = await asyncio.to_thread(checked_folder, path)
        for one in await self._documents.folders(project_id):
            if not one.chosen:
                folder_id = folder_id or (one.id if one.path == folder.name else None)
                continue
            other = path_of(one.path)
            if folder != other and await asyncio.to_thread(os.path.realpath, other) == str(folder):
                folder_id = one.id  # older versions kept the links in a path
                continue
            if folder == other:
                raise UserError("usage", phrase("The folder {path} is followed already.", path=path_text(folder)))
            if folder.is_relative_to(other) or other.is_relative_to(folder):
                words = phrase(
                    "{path} can't be followed beside {other}, which is followed already: they share files.",
                    path=path_text(folder),
                    other=one.path,
                )
                raise UserError("usage", words)
        made = FollowedFolder(folder_id or self._clock.new_id(), project_id, path_text(folder))
        await self._documents.follow(made)
        found = await self.look(project_id)
        await self.accept(project_id, [one for one in found if one.folder_id == made.id])
        return made

    async def unfollow(self, project_id: str, folder_id: str) -> None:
        """Follows a folder no longer; its documents stay in the project."""
        for folder in await self._documents.folders(project_id):
            if folder.id == folder_id:
                await self._documents.unfollow(folder)
        self._tell(project_id, [one for one in self.found(project_id) if one.folder_id != folder_id])

    def found(self, project_id: str) -> tuple[FolderChange, ...]:
        """The changes that the last look found and nobody has taken over."""
        return self._found.get(project_id, ())

    def unreachable(self, project_id: str) -> tuple[FollowedFolder, ...]:
        """The folders that could not be opened at the last look."""
        return self._unreachable.get(project_id, ())

    async def look(self, project_id: str) -> tuple[FolderChange, ...]:
        """Return what differs from the project in its folders. Two that ask at a time get one look."""
        if (task := self._looking.get(project_id)) is None:
            task = asyncio.get_running_loop().create_task(self._look(project_id), name=f"looking {project_id}")
            self._looking[project_id] = task
            task.add_done_callback(lambda _: self._looking.pop(project_id, None))
        return await asyncio.shield(task)

    async def accept(self, project_id: str, changes: Collection[FolderChange]) -> None:
        """Takes changes over: new and changed files wait, removed are marked, renamed keep all but path and name."""
        new = [self._document(project_id, change) for change in changes if change.kind == "new"]
        facts: dict[str, Mapping[str, Any]] = {}
        for change in changes:
            if change.document_id is not None and change.kind == "renamed":
                facts[change.document_id] = {"path": change.path, "name": shown_name(change.path.rpartition("/")[2])}
            elif change.document_id is not None:
                facts[change.document_id] = {"state": "waiting" if change.kind == "changed" else "missing"}
        await self._documents.change(project_id, facts)
        await self._documents.add(project_id, new)
        taken = set(changes)
        self._tell(project_id, [one for one in self.found(project_id) if one not in taken])

    async def close(self) -> None:
        """Ends all looks."""
        tasks = tuple(self._looking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _document(self, project_id: str, change: FolderChange) -> ProjectDocument:
        return ProjectDocument(
            self._clock.new_id(),
            project_id,
            shown_name(change.path.rpartition("/")[2]),
            size=change.size,
            folder_id=change.folder_id,
            path=change.path,
            added=self._clock.stamp(),
        )

    async def _look(self, project_id: str) -> tuple[FolderChange, ...]:
        folders = await self._documents.folders(project_id)
        documents = await self._documents.of(project_id)
        removed = await self._documents.removed(project_id) if folders else ()
        # what was added by itself is not new, nor what the user has removed
        apart = {one.path for one in documents.values() if one.folder_id is None}
        room = MOST_FILES - sum(document.folder_id is None for document in documents.values())
        changes: list[FolderChange] = []
        unreachable: list[FollowedFolder] = []
        for folder in (one for one in folders if one.chosen):
            inside = [one for one in documents.values() if one.folder_id == folder.id]
            left_out = apart | {_place(folder, one.path) for one in removed if one.folder_id == folder.id}
            try:
                differences = await asyncio.to_thread(_differences, folder, inside, left_out, room)
            except OSError:
                unreachable.append(folder)
                continue
            changes += differences.changes
            if differences.same:
                await self._documents.change(project_id, differences.same)
        self._unreachable[project_id] = tuple(unreachable)
        return self._tell(project_id, changes)

    def _tell(self, project_id: str, changes: Sequence[FolderChange]) -> tuple[FolderChange, ...]:
        before, now = self.found(project_id), tuple(changes)
        self._found[project_id] = now
        if now != before:
            self._announcements.publish(events.FolderChangesFound(project_id, now))
        return now


def _differences(
    folder: FollowedFolder, documents: Sequence[ProjectDocument], left_out: Collection[str], room: int
) -> _Differences:
    """Compares sizes and times, then the hashes of files where those differ. Raises `OSError` for the folder itself.

    `left_out`: whole paths of files that are never new.
    """
    root = path_of(folder.path)
    listing: FolderListing = folder_listing(root, room)
    known = {document.path: document for document in documents}
    found = _Differences()
    for path, file in listing.files.items():
        if (document := known.get(path)) is None:
            if _place(folder, path) in left_out:
                continue
            found.changes.append(FolderChange("new", folder.id, path, file.size))
        elif document.state == "missing" or (
            document.state != "waiting" and (document.size, document.modified) != (file.size, file.modified)
        ):
            if document.sha256 and document.passages and _hash(root, path) == document.sha256:
                # touched, or back where it was: its text is the same
                found.same[document.id] = {"state": "ready", "size": file.size, "modified": file.modified}
            else:
                found.changes.append(FolderChange("changed", folder.id, path, file.size, document.id))
    for path, document in known.items():
        if path not in listing.files and document.state != "missing" and not _is_there(root, path):
            found.changes.append(FolderChange("removed", folder.id, path, document.size, document.id))
    # a file that is gone and one with the same bytes under a new path are one change
    gone = {one.document_id: one for one in found.changes if one.kind == "removed"}
    by_file = {(one.size, one.sha256): one.id for one in documents if one.id in gone and one.sha256}
    sizes, renamed = {size for size, _ in by_file}, list[FolderChange]()
    for change in found.changes:
        if change.kind == "new" and change.size in sizes:
            was = by_file.pop((change.size, _hash(root, change.path)), None)
            if was is not None:
                del gone[was]
                renamed.append(replace(change, kind="renamed", document_id=was))
                continue
        renamed.append(change)
    found.changes[:] = [one for one in renamed if one.kind != "removed" or one.document_id in gone]
    return found


def _place(folder: FollowedFolder, path: str) -> str:
    return path_text(path_of(folder.path) / path_of(path))


def _hash(root: Path, path: str) -> str:
    try:
        return hash_of(root / path_of(path), root)
    except OSError:
        return ""


def _is_there(root: Path, path: str) -> bool:
    """Return True if a file that a look left out, as beyond the most or emptied, is there all the same."""
    try:
        fingerprint(root / path_of(path), root)
    except (OSError, ValueError):
        return False
    return True
