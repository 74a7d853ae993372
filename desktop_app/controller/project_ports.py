"""The protocols through which the controller sees projects, artifacts and the reading of documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

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


class ProjectHistory(Protocol):
    """The projects of the history file: `history.projects`. Every method may raise `UserError("store")`.

    A write is all or nothing. Unknown ids raise `UserError("usage")`. What is deleted is marked, and can be restored.
    """

    async def all(self) -> Sequence[Project]:
        """By name; archived ones too, not the deleted ones."""
        ...

    async def one(self, project_id: str) -> Project: ...

    async def find(self, name: str) -> Project | None:
        """The project of that name, whatever the case of its letters; None where there is none."""
        ...

    async def save(self, project: Project) -> None:
        """Writes a project's facts; one with its id that is there is replaced."""
        ...

    async def delete(self, project_id: str) -> None:
        """Marks it deleted; its threads stay, out of any project as long as it is."""
        ...

    async def restore(self, project_id: str) -> None: ...

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        """By path and name, deleted ones left out. Without texts: 10,000 are listed in a moment."""
        ...

    async def removed_documents(self, project_id: str) -> Sequence[ProjectDocument]:
        """Those that were deleted, which `restore_documents` brings back."""
        ...

    async def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        """Writes facts of documents; those with an id that is there are replaced. Their texts are not touched."""
        ...

    async def delete_documents(self, document_ids: Collection[str]) -> None: ...

    async def restore_documents(self, document_ids: Collection[str]) -> None: ...

    async def has_text(self, sha256: str) -> bool:
        """Return True if a file with this hash was read by this version, so that it need not be read again."""
        ...

    async def save_text(self, text: DocumentText) -> None:
        """Keeps a text with its passages once, whichever documents it is of, and makes it findable."""
        ...

    async def text(self, sha256: str) -> DocumentText | None: ...

    async def search_documents(
        self, project_id: str | None, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        """The passages of a project's documents, `None`: of all, that say most of what is asked, best first."""
        ...

    async def passage(self, project_id: str, passage_id: str) -> PassageHit | None:
        """The passage with this id, where one of the project's documents has it, or had it before it changed."""
        ...

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]: ...

    async def save_folder(self, folder: FollowedFolder) -> None: ...

    async def delete_folder(self, folder_id: str) -> None: ...

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        """Messages of the threads with the ids `among` that say most of what is asked: thread's id and hit, best first.

        Those on each thread's current branch only.
        """
        ...


class ArtifactHistory(Protocol):
    """The artifacts of the history: `history.artifacts`. Every method may raise `UserError("store")`.

    Unknown ids raise `UserError("usage")`. Those of a private thread stay in memory.
    """

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        """In the order they were made, deleted ones left out."""
        ...

    async def all(self) -> Sequence[Artifact]:
        """Those of every thread that is not deleted, last updated first."""
        ...

    async def one(self, artifact_id: str) -> Artifact: ...

    async def find(self, prefix: str) -> Artifact:
        """The one whose id starts with `prefix`; `UserError("usage")` if none or several."""
        ...

    async def save(self, artifact: Artifact) -> None:
        """Writes its facts; one with its id that is there is replaced. `versions` is not written."""
        ...

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        """Adds the next version, with the facts of its artifact; `UserError("store")` if its number is taken."""
        ...

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        """All of them, oldest first."""
        ...

    async def delete(self, artifact_id: str) -> None: ...

    async def restore(self, artifact_id: str) -> None: ...


class DocumentExtractor(Protocol):
    """Reads files into texts with their structure, in a process apart; `below` a folder no link is followed."""

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        """Raises `UserError("usage")` whose words name the file and say what to do. Cancelling it ends the reading."""
        ...

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page of a PDF (from 1) as PNG, `width` pixels wide. Raises `UserError("usage")`."""
        ...


class DocumentPages(Protocol):
    """Renders pages of PDFs, in a process apart; `below` a folder no link is followed.

    Every method raises `UserError("usage")`.
    """

    async def page_sizes(self, path: Path, below: Path | None = None) -> Sequence[tuple[float, float]]:
        """Width and height of each page in points."""
        ...

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page (from 1) as PNG, `width` pixels wide."""
        ...

    async def text_boxes(
        self, path: Path, page: int, first: int, last: int, below: Path | None = None
    ) -> Sequence[tuple[float, float, float, float]]:
        """Return the places of the characters `first` to `last` of a page, counted without spaces: left, top, right,
        bottom.

        As shares of its width and height; none where the page is a picture.
        """
        ...
