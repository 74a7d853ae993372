"""Routes the artifacts of private threads to the history in memory, and all others to the history file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from desktop_app.controller.ports import History
from desktop_app.controller.project_ports import ArtifactHistory
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError


class PrivateArtifacts:
    """An `ArtifactHistory` over the one of the file. `of` gives the history that has a thread, `private` those in
    memory."""

    def __init__(self, file: History, of: Callable[[str], History], private: Callable[[], Sequence[History]]) -> None:
        self._file = file
        self._of = of
        self._private = private

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        return await self._of(thread_id).artifacts.of_thread(thread_id)

    async def all(self) -> Sequence[Artifact]:
        """Those of private threads are left out: commands and lists of all threads do not show what is private."""
        return await self._file.artifacts.all()

    async def one(self, artifact_id: str) -> Artifact:
        return await (await self._having(artifact_id)).one(artifact_id)

    async def find(self, prefix: str) -> Artifact:
        return await self._file.artifacts.find(prefix)

    async def save(self, artifact: Artifact) -> None:
        await self._of(artifact.thread_id).artifacts.save(artifact)

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        await self._of(artifact.thread_id).artifacts.add_version(artifact, version)

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        return await (await self._having(artifact_id)).versions(artifact_id)

    async def delete(self, artifact_id: str) -> None:
        await (await self._having(artifact_id)).delete(artifact_id)

    async def restore(self, artifact_id: str) -> None:
        for history in self._private():
            with suppress(UserError):
                await history.artifacts.restore(artifact_id)
                return
        await self._file.artifacts.restore(artifact_id)

    async def _having(self, artifact_id: str) -> ArtifactHistory:
        for history in self._private():
            with suppress(UserError):
                await history.artifacts.one(artifact_id)
                return history.artifacts
        return self._file.artifacts
