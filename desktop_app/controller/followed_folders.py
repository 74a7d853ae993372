"""Notices what is new, changed or gone in the folders that projects follow; it counts when the user takes it over."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.clock import Clock
from desktop_app.controller.document_files import (
    MOST_FILES,
    FolderListing,
    checked_folder,
    fingerprint,
    folder_listing,
    hash_of,
    shown_name,
)
from desktop_app.controller.project_documents import ProjectDocuments
from desktop_app.core.errors import UserError
from desktop_app.core.events import FolderChangesFound
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import FolderChange, FollowedFolder, ProjectDocument
from desktop_app.system.files_below import path_of, path_text


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
        task = self._looking.get(project_id)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._look(project_id), name=f"looking {project_id}")
            self._looking[project_id] = task
            task.add_done_callback(lambda _: self._looking.pop(project_id, None))
        return await asyncio.shield(task)

    async def accept(self, project_id: str, changes: Collection[FolderChange]) -> None:
        """Takes changes over: new and changed files wait to be read, documents of removed ones are marked missing."""
        new = [self._document(project_id, change) for change in changes if change.kind == "new"]
        facts: dict[str, Mapping[str, Any]] = {}
        for change in changes:
            if change.document_id is not None:
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
            self._announcements.publish(FolderChangesFound(project_id, now))
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
        document = known.get(path)
        if document is None:
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
