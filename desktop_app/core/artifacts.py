"""The values of artifacts: documents and code that are kept beside a thread, in versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

ArtifactKind: TypeAlias = Literal["markdown", "html", "svg", "mermaid", "code", "text"]
VersionAuthor: TypeAlias = Literal["model", "user"]


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact's own facts; `versions` counts them, the newest has that number. Times are ISO 8601 UTC.

    `language` is that of code, as after a fence. `pinned`: its newest version is in every request in full.
    """

    id: str
    thread_id: str
    title: str
    kind: ArtifactKind = "markdown"
    language: str = ""
    pinned: bool = False
    versions: int = 0
    created: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True)
class ArtifactVersion:
    """One version, whole; they never change. `message_id`: the answer that made it, None for the user's own."""

    artifact_id: str
    number: int
    text: str
    author: VersionAuthor
    created: str
    message_id: str | None = None
