"""The contents that each project adds to requests, kept for as long as nothing of it changes: they are asked for at
every key press.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desktop_app.controller.project_documents import ProjectDocuments
from desktop_app.controller.project_ports import ProjectHistory
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.marked_documents import marked_document
from desktop_app.core.messages import DocumentPart
from desktop_app.core.projects import Project, ProjectDocument

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
        made = self._made.get(project.id)
        if made is not None and made[0] is project and made[1] is documents:
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
        # what is added later comes behind: what stands before it stays in the provider's cache
        always = sorted(
            (one for one in readable if one.mode == "always"), key=lambda one: (one.added, one.path, one.id)
        )
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
