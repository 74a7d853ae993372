"""The values of a project: its own facts, its documents, the folders it follows, and passages of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DocumentMode: TypeAlias = Literal["always", "search"]
"""The way a document gets to the model: in every request, or by the tool that searches."""

DocumentState: TypeAlias = Literal["waiting", "ready", "failed", "missing"]
"""`waiting`: not read yet. `failed`: not readable, as `error` says. `missing`: its file is gone, its text stays."""

PassageKind: TypeAlias = Literal["text", "table", "slide", "sheet", "code"]

READER = 1
"""The version of how files are read; a higher one gives other texts or passages, and files are read again."""

NAME_LIMIT = 120
"""Characters of a project's name."""

ID_DIGITS = 10
"""Digits of a text's SHA-256 that the ids of its passages begin with: 2**40 texts, some thousand in a project."""
CITED_ID = rf"[0-9a-f]{{{ID_DIGITS}}}-\d{{1,6}}"
CITATION = rf"\[({CITED_ID}(?:[,;] ?{CITED_ID}){{0,9}})\]"
"""The ids of passages in square brackets, as the model is told to cite them."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project's own facts. `backend`, `model` and `soft_limit` (tokens) hold for its threads that have none of their
    own; times are ISO 8601 UTC. `searches_threads`: the model may look things up in the project's other threads.
    """

    id: str
    name: str
    instructions: str = ""
    backend: str | None = None
    model: str | None = None
    soft_limit: int | None = None
    created: str = ""
    updated: str = ""
    archived: bool = False
    searches_threads: bool = True


@dataclass(frozen=True, slots=True)
class ProjectDocument:
    """A document of a project. `sha256` (hex) is that of its file, "" until it was read; `size` in bytes.

    `tokens`, `pages` and `passages` are of its extracted text. `path` is where it came from: within the followed folder
    `folder_id` relative to it, with `/`; else absolute. `modified` is the file's time when it was read. `error`
    and `note` are phrases, so that they are shown in the user's language. `counted`: the features of the text as it
    goes whole, from which any model's tokens follow; "" for one that an earlier version read: then `tokens` stands.
    """

    id: str
    project_id: str
    name: str
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    tokens: int = 0
    pages: int = 0
    passages: int = 0
    mode: DocumentMode = "search"
    state: DocumentState = "waiting"
    error: str = ""
    note: str = ""
    folder_id: str | None = None
    path: str = ""
    modified: str = ""
    added: str = ""
    counted: str = ""


@dataclass(frozen=True, slots=True)
class FollowedFolder:
    """A folder on this computer whose new, changed and removed files are noticed; `path` is its real path.

    Of one that came with an import, `path` is only its name, until the user chooses it here.
    """

    id: str
    project_id: str
    path: str

    @property
    def chosen(self) -> bool:
        """True if the user of this computer chose it; else nothing of it is looked at."""
        return "/" in self.path or "\\" in self.path


@dataclass(frozen=True, slots=True)
class FolderChange:
    """One file that differs from what the project has; `path` as in `ProjectDocument`. It counts once it is accepted.

    `document_id`: the document that it was, None for a new file. One that was renamed or moved has its new path.
    """

    kind: Literal["new", "changed", "renamed", "removed"]
    folder_id: str
    path: str
    size: int = 0
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document's text along its own structure: characters `start` to `end` of it.

    `number` counts from 1. `heading` is the way to it (`Pricing > Tiers`, a sheet's or slide's name), `page` its page
    (0: it has none). `table_head`: the header row that belongs to a table's rows, "" elsewhere.
    """

    number: int
    kind: PassageKind
    start: int
    end: int
    heading: str = ""
    page: int = 0
    table_head: str = ""


def passage_id(sha256: str, number: int) -> str:
    """The id of a passage, as the model cites it: `3f2a1b9c04-12`. It names exactly this text, whatever comes after."""
    return f"{sha256[:ID_DIGITS]}-{number}"


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text extracted of a file: the text, its passages in order, and how it was read.

    `sha256` (hex) and `media_type` are the file's; `pages` 0 where it has none. `note`: something to know about it,
    such as that it was read by OCR.
    """

    sha256: str
    media_type: str
    text: str
    passages: tuple[Passage, ...]
    pages: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that a search found, with its text and the document it is of; `score`: more is better."""

    document: ProjectDocument
    passage: Passage
    text: str
    score: float

    @property
    def id(self) -> str:
        """See `passage_id`."""
        return passage_id(self.document.sha256, self.passage.number)


@dataclass(frozen=True, slots=True)
class SearchedDocuments:
    """Which documents of a project a search looks into; None: not asked for.

    `document_ids`: only these. `folder`: a path's beginning. `since` and `until`: `modified`, ISO 8601 UTC or the
    beginning of such, the second exclusive.
    """

    document_ids: frozenset[str] | None = None
    folder: str | None = None
    since: str | None = None
    until: str | None = None


ALL_DOCUMENTS = SearchedDocuments()
