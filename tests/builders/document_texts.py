"""Texts of documents as a reader makes them, for tests that need no file."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from desktop_app.core.projects import DocumentText, Passage, ProjectDocument, passage_id


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


def id_in(text: DocumentText, number: int) -> str:
    """The id of a text's passage."""
    return passage_id(text.sha256, number)
