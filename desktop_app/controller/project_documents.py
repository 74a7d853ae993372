"""The documents and followed folders of projects in memory, written through to the history."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.project_ports import ProjectHistory
from desktop_app.core.events import Announcement, HistoryChangedElsewhere, ProjectDocumentsChanged
from desktop_app.core.projects import FollowedFolder, ProjectDocument
from desktop_app.system.files_below import path_of, path_text


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
        """The folders that a project follows."""
        known = self._folders.get(project_id)
        if known is None:
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
        self._announcements.publish(ProjectDocumentsChanged(project_id))
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
        self._announcements.publish(ProjectDocumentsChanged(project_id))

    def _on_announcement(self, fact: Announcement) -> None:
        if isinstance(fact, HistoryChangedElsewhere):
            self._writes += 1
            self._documents.clear()
            self._folders.clear()
