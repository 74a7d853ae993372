"""Projects in memory: what the tools need of `history.projects`, with a search that counts the words asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from desktop_app.core.history_records import RecallHit
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    DocumentText,
    FollowedFolder,
    Passage,
    PassageHit,
    Project,
    ProjectDocument,
    SearchedDocuments,
    passage_id,
)


def document_text(name: str, *passages: str | tuple[str, Passage]) -> DocumentText:
    """A text of passages that stand behind one another; with a `Passage` for what is known of one."""
    parts: list[Passage] = []
    text = ""
    for number, given in enumerate(passages, 1):
        said, facts = given if isinstance(given, tuple) else (given, Passage(number, "text", 0, 0))
        start = len(text) + (2 if text else 0)
        text = f"{text}\n\n{said}" if text else said
        parts.append(replace(facts, number=number, start=start, end=len(text)))
    sha256 = hashlib.sha256(f"{name}{text}".encode()).hexdigest()
    return DocumentText(sha256, "text/plain", text, tuple(parts), max((part.page for part in parts), default=0))


def document_of(project: str, name: str, text: DocumentText, **more: object) -> ProjectDocument:
    """The document that a text was read from."""
    made = ProjectDocument(
        f"id of {name}",
        project,
        name,
        sha256=text.sha256,
        tokens=len(text.text) // 4,
        pages=text.pages,
        passages=len(text.passages),
        state="ready",
        path=f"/home/anna/{name}",
        modified="2026-01-02T03:04:05.000Z",
    )
    return replace(made, **more)  # type: ignore[arg-type]


class MemoryProjects:
    """The parts of `ProjectHistory` that hold documents; what only a window asks for is not here."""

    def __init__(self) -> None:
        self.kept: dict[str, Project] = {}
        self.listed: dict[str, ProjectDocument] = {}
        self.texts: dict[str, DocumentText] = {}
        self.searches: list[tuple[str, SearchedDocuments]] = []

    async def all(self) -> Sequence[Project]:
        return list(self.kept.values())

    async def one(self, project_id: str) -> Project:
        return self.kept[project_id]

    async def find(self, name: str) -> Project | None:
        return next((one for one in self.kept.values() if one.name.casefold() == name.casefold()), None)

    async def save(self, project: Project) -> None:
        self.kept[project.id] = project

    async def delete(self, project_id: str) -> None:
        del self.kept[project_id]

    async def restore(self, project_id: str) -> None:
        raise NotImplementedError

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        return [one for one in self.listed.values() if one.project_id == project_id]

    async def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        self.listed |= {one.id: one for one in documents}

    async def delete_documents(self, document_ids: Collection[str]) -> None:
        for one in document_ids:
            del self.listed[one]

    async def restore_documents(self, document_ids: Collection[str]) -> None:
        raise NotImplementedError

    async def has_text(self, sha256: str) -> bool:
        return sha256 in self.texts

    async def save_text(self, text: DocumentText) -> None:
        self.texts[text.sha256] = text

    async def text(self, sha256: str) -> DocumentText | None:
        return self.texts.get(sha256)

    async def search_documents(
        self, project_id: str, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        self.searches.append((question, within))
        words = question.casefold().split()
        hits = [
            replace(hit, score=float(score))
            for hit in self._passages(project_id)
            if within.document_ids is None or hit.document.id in within.document_ids
            if (score := sum(hit.text.casefold().count(word) for word in words))
        ]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    async def passage(self, project_id: str, passage_id: str) -> PassageHit | None:
        return next((hit for hit in self._passages(project_id) if hit.id == passage_id), None)

    def _passages(self, project_id: str) -> list[PassageHit]:
        return [
            PassageHit(document, passage, text.text[passage.start : passage.end], 0.0)
            for document in self.listed.values()
            if document.project_id == project_id and (text := self.texts.get(document.sha256)) is not None
            for passage in text.passages
        ]

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        return ()

    async def save_folder(self, folder: FollowedFolder) -> None:
        raise NotImplementedError

    async def delete_folder(self, folder_id: str) -> None:
        raise NotImplementedError

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        raise NotImplementedError


def id_in(text: DocumentText, number: int) -> str:
    """The id of a text's passage."""
    return passage_id(text.sha256, number)
