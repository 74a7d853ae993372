"""What a request may hold of an artifact that was made earlier in its thread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArtifactContext:
    """The newest version of an artifact. `pinned`: its text goes with every new message, not only where it is named."""

    id: str
    title: str
    version: int
    text: str
    pinned: bool = False
