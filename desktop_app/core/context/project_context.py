"""The contents that a project adds to the requests of its threads."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.messages import DocumentPart
from desktop_app.core.projects import ProjectDocument


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """`instructions` join the system prompt; `documents` are the always included ones, in order, sent whole.

    `searchable`: how many documents the tools can find. `searches_threads`: the model may look into other threads.
    `listed`: every document of the project, for gauge and inspector. One value for as long as nothing of it changes:
    what is made ready of it is kept by identity.
    """

    id: str
    name: str
    instructions: str = ""
    documents: tuple[DocumentPart, ...] = ()
    searchable: int = 0
    searches_threads: bool = True
    listed: tuple[ProjectDocument, ...] = ()
