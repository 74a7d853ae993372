"""The use cases of projects: their facts, documents and followed folders, and what they add to requests.

A document has one figure wherever it is shown: that of the plan of a new thread."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from desktop_app.controller.chat import ChatController
from desktop_app.controller.document_files import MOST_FILES, copy_of, fingerprint, found_files, shown_name, whole_path
from desktop_app.controller.ports import Announcements, Clock, DocumentExtractor, OwnVocabulary, ProjectHistory
from desktop_app.controller.project_documents import DocumentReading, FollowedFolders, ProjectDocuments
from desktop_app.core.citations import marked_document
from desktop_app.core.context.plan import PlacedDocument
from desktop_app.core.context.project_context import ProjectContext, is_exact, order_in_requests
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import Announcement, HistoryChangedElsewhere, ProjectsChanged
from desktop_app.core.messages import DocumentPart, Failure, Thread
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import NAME_LIMIT, DocumentMode, FolderChange, FollowedFolder, Project, ProjectDocument
from desktop_app.system.files_below import path_text

MOST_TOKENS: Final = 1_000_000
"""Of the always included documents together, beyond which further ones are left to the search: no window takes more."""


class ProjectContexts:
    """One context per project; texts are read when a document becomes always included."""

    def __init__(self, history: ProjectHistory, documents: ProjectDocuments) -> None:
        self._history = history
        self._documents = documents
        self._made: dict[str, tuple[Project, Mapping[str, ProjectDocument], ProjectContext]] = {}

    async def of(self, project: Project) -> ProjectContext:
        """The context of a project as it is now."""
        documents = await self._documents.of(project.id)
        if (made := self._made.get(project.id)) is not None and made[0] is project and made[1] is documents:
            return made[2]
        context = await self._make(project, documents, made[2] if made else None)
        self._made[project.id] = (project, documents, context)
        return context

    def forget(self, project_id: str) -> None:
        """Reads the project's texts again when it is next asked for."""
        self._made.pop(project_id, None)

    async def _make(
        self, project: Project, documents: Mapping[str, ProjectDocument], before: ProjectContext | None
    ) -> ProjectContext:
        readable = [one for one in documents.values() if one.sha256 and one.state != "failed"]
        always = sorted((one for one in readable if one.mode == "always"), key=order_in_requests)
        known = {(part.sha256, part.name): part for part in (before.documents if before else ())}
        parts: list[DocumentPart] = []
        tokens = 0
        for document in always:
            tokens += document.tokens
            if tokens > MOST_TOKENS:
                break
            part = known.get((document.sha256, document.name)) or await self._part(document)
            if part is not None and part not in parts:
                parts.append(part)
        made = ProjectContext(
            project.id,
            project.name,
            project.instructions,
            tuple(parts),
            len(readable) - len(parts),
            project.searches_threads,
            tuple(documents.values()),
        )
        return before if made == before and before is not None else made

    async def _part(self, document: ProjectDocument) -> DocumentPart | None:
        text = await self._history.text(document.sha256)
        return None if text is None else marked_document(document.name, text)


INSTRUCTIONS_LIMIT: Final = 100_000
"""Characters of instructions: as many as a prompt may have."""


class Projects:
    """The user's projects. Every change is stored, then announced; every method may raise `UserError("store")`.

    Documents are read in the background, which `start` resumes; `await close()` once, at the end.
    """

    def __init__(
        self,
        history: ProjectHistory,
        extractor: DocumentExtractor,
        announcements: Announcements,
        *,
        files: Path,
        clock: Clock | None = None,
        vocabulary: OwnVocabulary | None = None,
        limit: Callable[[str], Awaitable[tuple[int, TokenizerFamily]]] | None = None,
    ) -> None:
        """`files`: the folder of the copies of files that were added, made when it is needed.

        `limit`: the soft limit and the tokenizer of what answers in a project's threads; of the files that are added,
        as many of the smallest are always included as have room. None: the user alone chooses.
        """
        self._history = history
        self._announcements = announcements
        self._files = files
        self._clock = clock or Clock()
        self._documents = ProjectDocuments(history, announcements)
        self.document_reading = DocumentReading(
            history, self._documents, extractor, files, announcements, vocabulary=vocabulary, limit=limit
        )
        self.followed_folders = FollowedFolders(self._documents, announcements, self._clock)
        self._contexts = ProjectContexts(history, self._documents)
        self._known: dict[str, Project] = {}
        self._ended_reading: set[str] = set()  # deleted while they were read
        self._changing = asyncio.Lock()
        announcements.subscribe(self._on_announcement)

    # --- a project's own facts

    async def all(self) -> Sequence[Project]:
        """By name; archived ones too."""
        return await self._history.all()

    async def one(self, project_id: str) -> Project:
        """The project with that id; `UserError("usage")` where there is none."""
        if (known := self._known.get(project_id)) is None:
            known = self._known[project_id] = await self._history.one(project_id)
        return known

    async def find(self, name: str) -> Project:
        """The project of that name, whatever the case of its letters; `UserError("usage")` naming it if none."""
        if (found := await self._history.find(_on_one_line(name))) is None:
            words = phrase("There is no project “{name}”. Check the name, or create it.", name=_on_one_line(name))
            raise UserError("usage", words)
        return found

    async def create(self, name: str, instructions: str = "") -> Project:
        """A new project; `UserError("usage")` where its name is taken, empty or too long."""
        async with self._changing:
            now = self._clock.stamp()
            checked = _checked_instructions(instructions)
            made = Project(self._clock.new_id(), await self._free_name(name), checked, created=now, updated=now)
            return await self._save(made)

    async def free_name(self, name: str) -> str:
        """`name`, with a number behind it where there is a project of that name."""
        return _numbered(name, await self._history.all())

    async def rename(self, project_id: str, name: str) -> Project:
        """Sets the name; `UserError("usage")` as for a new project."""
        async with self._changing:
            project = await self.one(project_id)
            return await self._save(replace(project, name=await self._free_name(name, but=project_id)))

    async def set_instructions(self, project_id: str, instructions: str) -> Project:
        """Sets what joins the system prompt of its threads; `UserError("usage")` for more than any model takes."""
        return await self._change(project_id, instructions=_checked_instructions(instructions))

    async def set_model(self, project_id: str, backend: str | None, model: str | None) -> Project:
        """Sets the model of its threads that have none of their own; None: the default."""
        return await self._change(project_id, backend=backend, model=model)

    async def set_soft_limit(self, project_id: str, tokens: int | None) -> Project:
        """Sets the soft limit of its threads that have none of their own; None: the setting."""
        return await self._change(project_id, soft_limit=tokens)

    async def set_searches_threads(self, project_id: str, searches: bool) -> Project:
        """Sets whether the model may look things up in the project's other threads."""
        return await self._change(project_id, searches_threads=searches)

    async def archive(self, project_id: str) -> Project:
        """Takes a project out of the daily list."""
        return await self._change(project_id, archived=True)

    async def unarchive(self, project_id: str) -> Project:
        """Brings an archived project back."""
        return await self._change(project_id, archived=False)

    async def delete(self, project_id: str) -> None:
        """Takes a project away after ending its reading; its threads stay. `restore` brings it back whole."""
        if await self.document_reading.stop(project_id):
            self._ended_reading.add(project_id)
        await self._history.delete(project_id)
        self._forget(project_id)
        self._announcements.publish(ProjectsChanged())

    async def restore(self, project_id: str) -> Project:
        """Brings a deleted project back; with a number behind its name where that was given away meanwhile."""
        async with self._changing:
            others = await self._history.all()
            await self._history.restore(project_id)
            self._forget(project_id)
            project = await self.one(project_id)
            restored = await self._save(replace(project, name=_numbered(project.name, others)))
        if project_id in self._ended_reading:
            self._ended_reading.remove(project_id)
            self.document_reading.start(project_id)
        return restored

    # --- documents

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        """By path and name."""
        return tuple((await self._documents.of(project_id)).values())

    async def add_files(
        self, project_id: str, paths: Sequence[Path]
    ) -> tuple[Sequence[ProjectDocument], Sequence[Failure]]:
        """Adds files, and those in folders, and begins to read them.

        Returns the documents that they are, and one failure for each thing that was left out. A file that is in the
        project already is read again. Hidden files, links and folders such as `node_modules` are not meant.
        """
        await self.one(project_id)
        async with self._changing:
            known = await self._documents.of(project_id)
            files, failures = await asyncio.to_thread(found_files, tuple(paths), MOST_FILES - len(known))
            folders: dict[str | None, str] = {one.id: one.path for one in await self._documents.folders(project_id)}
            there = {_place(one, folders): one for one in known.values()}
            now = self._clock.stamp()
            places = {path_text(file): file.name for file in files}
            new = [
                ProjectDocument(self._clock.new_id(), project_id, shown_name(name), path=path, added=now)
                for path, name in places.items()
                if path not in there
            ]
            again = [there[path] for path in places if path in there]
            await self._documents.change(project_id, {one.id: {"state": "waiting", "error": ""} for one in again})
            await self._documents.add(project_id, new)
        if new or again:
            self.document_reading.start(project_id)
        return (*new, *again), failures

    async def remove_documents(self, project_id: str, document_ids: Collection[str]) -> None:
        """Takes documents out of a project; their files stay where they are."""
        await self._documents.remove(project_id, document_ids)

    async def restore_documents(self, project_id: str, document_ids: Collection[str]) -> None:
        """Brings removed documents back."""
        await self._documents.restore(project_id, document_ids)

    async def set_mode(
        self, project_id: str, document_ids: Collection[str], mode: DocumentMode
    ) -> Sequence[ProjectDocument]:
        """Sets how documents get to the model; returns them as they were."""
        return await self._documents.change(project_id, {one: {"mode": mode} for one in document_ids})

    async def read_again(self, project_id: str, document_ids: Collection[str]) -> None:
        """Reads documents again, as when what was wrong with them is mended."""
        await self._documents.change(project_id, {one: {"state": "waiting", "error": ""} for one in document_ids})
        self.document_reading.start(project_id)

    async def choose_file(self, project_id: str, document_id: str, path: Path) -> None:
        """Reads a document again, from the file that it is here."""
        whole = await asyncio.to_thread(whole_path, path)
        facts = {"path": path_text(whole), "folder_id": None, "state": "waiting", "error": ""}
        await self._documents.change(project_id, {document_id: facts})
        self.document_reading.start(project_id)

    async def file_of(self, document: ProjectDocument) -> tuple[Path, Path | None] | None:
        """Return a document's copy, or its original with the folder in which no link may be followed; or None."""
        copy = copy_of(self._files, document.sha256) if document.sha256 else None
        if copy is not None and await asyncio.to_thread(copy.is_file):
            return copy, None
        path = await self.original_of(document)
        return None if path is None else (path, await self._documents.folder_of(document))

    async def original_of(self, document: ProjectDocument) -> Path | None:
        """Return the path of the user's own file of a document; None where it is not there any more."""
        if (path := await self._documents.path_of(document)) is None:
            return None
        try:
            await asyncio.to_thread(fingerprint, path, await self._documents.folder_of(document))
        except (OSError, ValueError):
            return None
        return path

    # --- reading

    async def start(self) -> None:
        """Goes on reading what waits in every project, and counts what can be counted better."""
        for project in await self._history.all():
            known = (await self._documents.of(project.id)).values()
            if any(one.state == "waiting" or (one.state == "ready" and not is_exact(one)) for one in known):
                self.document_reading.start(project.id)

    async def read_all(self, project_id: str) -> Sequence[ProjectDocument]:
        """Waits until nothing of a project waits to be read; its documents then."""
        await self.document_reading.finish(project_id)
        return await self.documents(project_id)

    # --- followed folders

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        return await self._documents.folders(project_id)

    async def follow(self, project_id: str, path: Path, folder_id: str | None = None) -> FollowedFolder:
        """Follows a folder and reads it; `UserError("usage")` for what is none. `folder_id`: of the import's folder."""
        await self.one(project_id)
        folder = await self.followed_folders.follow(project_id, path, folder_id)
        self.document_reading.start(project_id)
        return folder

    async def accept_changes(self, project_id: str, changes: Collection[FolderChange]) -> None:
        """Takes changes over, and reads what is new and changed. Removed files leave their documents, as missing."""
        await self.followed_folders.accept(project_id, changes)
        self.document_reading.start(project_id)

    # --- requests

    async def of_thread(self, thread: Thread) -> Project | None:
        """The project that a thread is in; None where it is in none, or in one that was deleted."""
        if thread.project is None:
            return None
        try:
            return await self.one(thread.project)
        except UserError as error:
            if error.failure.code != "usage":
                raise
            return None

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        """Return what a thread's project adds to its requests: the same object for as long as nothing of it changes."""
        return None if (project := await self.of_thread(thread)) is None else await self._contexts.of(project)

    async def close(self) -> None:
        """Ends reading and looking; what was read is stored."""
        await self.followed_folders.close()
        await self.document_reading.close()

    async def _change(self, project_id: str, **facts: Any) -> Project:
        async with self._changing:
            return await self._save(replace(await self.one(project_id), **facts))

    async def _save(self, project: Project) -> Project:
        stored = replace(project, updated=self._clock.stamp())
        await self._history.save(stored)
        self._known[stored.id] = stored
        self._announcements.publish(ProjectsChanged())
        return stored

    async def _free_name(self, name: str, but: str | None = None) -> str:
        if not (words := _on_one_line(name)):
            raise UserError("usage", phrase("A project needs a name."))
        if len(words) > NAME_LIMIT:
            raise UserError("usage", phrase("A project's name has at most {most} characters.", most=NAME_LIMIT))
        if (there := await self._history.find(words)) is not None and there.id != but:
            message = (
                phrase("There is an archived project “{name}”. Choose another name.", name=there.name)
                if there.archived
                else phrase("There is a project “{name}” already. Choose another name.", name=there.name)
            )
            raise UserError("usage", message)
        return words

    def _forget(self, project_id: str) -> None:
        self._known.pop(project_id, None)
        self._contexts.forget(project_id)
        self._documents.forget(project_id)

    def _on_announcement(self, fact: Announcement) -> None:
        if isinstance(fact, HistoryChangedElsewhere):
            self._known.clear()


def _place(document: ProjectDocument, folders: Mapping[str | None, str]) -> str:
    """The whole path of a document's file, made of texts alone: there may be 10,000."""
    folder = folders.get(document.folder_id)
    return document.path if folder is None else f"{folder}{os.sep}{document.path.replace('/', os.sep)}"


def _numbered(name: str, others: Sequence[Project]) -> str:
    taken = {one.name.casefold() for one in others}
    free, number = name, 2
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _on_one_line(name: str) -> str:
    return " ".join(name.split())


def _checked_instructions(instructions: str) -> str:
    if len(instructions) > INSTRUCTIONS_LIMIT:
        words = phrase(
            "Instructions have at most {most:,} characters; these have {count:,}. Put long texts into a document.",
            most=INSTRUCTIONS_LIMIT,
            count=len(instructions),
        )
        raise UserError("usage", words)
    return instructions.strip()


@dataclass(frozen=True, slots=True)
class WeighedDocuments:
    """Documents with a plan's tokens; ids of those `sent` whole; `instead`: why an always included one is not."""

    documents: Sequence[ProjectDocument]
    sent: frozenset[str]
    instead: Mapping[str, str]


async def weighed_documents(
    chat: ChatController, project: str, documents: Sequence[ProjectDocument]
) -> WeighedDocuments:
    """A project's documents as a plan weighs them; as they were read where nothing is set up that could answer."""
    try:
        plan = (await chat.prepared_new(project=project)).plan(())
    except PlimsollError:
        return WeighedDocuments(documents, frozenset(), {})
    return await asyncio.to_thread(_weighed, documents, plan.placement.documents)  # there may be ten thousand


def _weighed(documents: Sequence[ProjectDocument], rows: Sequence[PlacedDocument]) -> WeighedDocuments:
    placed = {one.id: one for one in rows}
    return WeighedDocuments(
        [replace(one, tokens=placed[one.id].whole) if one.id in placed else one for one in documents],
        frozenset(one.id for one in placed.values() if one.state == "whole"),
        {one.id: one.reason for one in placed.values() if one.mode == "always" and one.state == "searched"},
    )
