"""What a project adds to the requests of its threads."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.messages import DocumentPart


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """`instructions` join the system prompt; `documents` are the always included ones, in order, sent whole.

    `searchable`: how many documents the tools can find. `searches_threads`: the model may look into other threads.
    """

    id: str
    name: str
    instructions: str = ""
    documents: tuple[DocumentPart, ...] = ()
    searchable: int = 0
    searches_threads: bool = True
