"""The projects and artifacts as the controller sees them: `controller.project_ports` over one SQLite file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.history_records import RecallHit
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    DocumentText,
    FollowedFolder,
    PassageHit,
    Project,
    ProjectDocument,
    SearchedDocuments,
)
from desktop_app.storage.database import Database


class SqliteProjects:
    """The projects of a history. Methods are those of `ProjectHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[Project]:
        return await self._database.run(lambda store: store.projects.all())

    async def one(self, project_id: str) -> Project:
        return await self._database.run(lambda store: store.projects.one(project_id))

    async def find(self, name: str) -> Project | None:
        return await self._database.run(lambda store: store.projects.find(name))

    async def save(self, project: Project) -> None:
        await self._database.run(lambda store: store.projects.save(project))

    async def delete(self, project_id: str) -> None:
        await self._database.run(lambda store: store.projects.delete(project_id))

    async def restore(self, project_id: str) -> None:
        await self._database.run(lambda store: store.projects.restore(project_id))

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        return await self._database.run(lambda store: store.projects.documents(project_id))

    async def removed_documents(self, project_id: str) -> Sequence[ProjectDocument]:
        return await self._database.run(lambda store: store.projects.removed_documents(project_id))

    async def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        kept = tuple(documents)
        await self._database.run(lambda store: store.projects.save_documents(kept))

    async def delete_documents(self, document_ids: Collection[str]) -> None:
        ids = tuple(document_ids)
        await self._database.run(lambda store: store.projects.delete_documents(ids))

    async def restore_documents(self, document_ids: Collection[str]) -> None:
        ids = tuple(document_ids)
        await self._database.run(lambda store: store.projects.restore_documents(ids))

    async def has_text(self, sha256: str) -> bool:
        return await self._database.run(lambda store: store.texts.has(sha256))

    async def save_text(self, text: DocumentText) -> None:
        writing = await self._database.run(lambda store: store.texts.begin(text))
        try:
            # One job for each slice, so that the partial answers of running turns are not kept waiting.
            while not await self._database.run(lambda _: writing.step()):
                pass
        except BaseException:
            await self._database.run(lambda _: writing.undo())
            raise

    async def text(self, sha256: str) -> DocumentText | None:
        return await self._database.run(lambda store: store.texts.one(sha256))

    async def search_documents(
        self, project_id: str | None, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        return await self._database.run(lambda store: store.passages.best(project_id, question, within, limit=limit))

    async def passage(self, project_id: str, passage_id: str) -> PassageHit | None:
        return await self._database.run(lambda store: store.passages.one(project_id, passage_id))

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]:
        return await self._database.run(lambda store: store.projects.folders(project_id))

    async def save_folder(self, folder: FollowedFolder) -> None:
        await self._database.run(lambda store: store.projects.save_folder(folder))

    async def delete_folder(self, folder_id: str) -> None:
        await self._database.run(lambda store: store.projects.delete_folder(folder_id))

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        ids = tuple(among)
        # Threads that were just brought in are looked into all the same.
        for thread_id in await self._database.run(lambda store: store.threads_search.waiting(ids)):
            while await self._database.run(lambda store, one=thread_id: store.indexing.step(one)):  # type: ignore[misc]
                pass
        return await self._database.run(lambda store: store.threads_search.best(question, ids, limit))


class SqliteArtifacts:
    """The artifacts of a history. Methods are those of `ArtifactHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        return await self._database.run(lambda store: store.artifacts.of_thread(thread_id))

    async def all(self) -> Sequence[Artifact]:
        return await self._database.run(lambda store: store.artifacts.all())

    async def one(self, artifact_id: str) -> Artifact:
        return await self._database.run(lambda store: store.artifacts.one(artifact_id))

    async def find(self, prefix: str) -> Artifact:
        return await self._database.run(lambda store: store.artifacts.find(prefix))

    async def save(self, artifact: Artifact) -> None:
        await self._database.run(lambda store: store.artifacts.save(artifact))

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        await self._database.run(lambda store: store.artifacts.add_version(artifact, version))

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        return await self._database.run(lambda store: store.artifacts.versions(artifact_id))

    async def delete(self, artifact_id: str) -> None:
        await self._database.run(lambda store: store.artifacts.delete(artifact_id))

    async def restore(self, artifact_id: str) -> None:
        await self._database.run(lambda store: store.artifacts.restore(artifact_id))
