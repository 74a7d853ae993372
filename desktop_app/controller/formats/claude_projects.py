"""Reads what a Claude.ai export holds beside conversations: projects with their documents, and what it remembers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from desktop_app.controller.formats.export_reading import (
    ExportSource,
    Found,
    as_instant,
    as_object,
    as_text,
    objects_in,
)
from desktop_app.controller.formats.message_tree import EPOCH, stable_id
from desktop_app.core.history_records import ImportedProject, ImportedThread
from desktop_app.core.messages import DocumentPart, JsonObject, Message, Part, TextPart, Thread
from desktop_app.core.phrases import phrase

SOURCE: Final = "claude"


def read_beside(source: ExportSource) -> Iterator[Found]:
    """Each project with its instructions, its documents as a thread in it; what Claude remembers as a thread."""
    names: dict[str, str] = {}
    for member in sorted(filter(_holds_projects, source.members)):
        for item in source.items(member):
            project = as_object(item.value) or {}
            name = " ".join(as_text(project.get("name")).split())
            if not name or project.get("is_starter_project") is True:
                continue
            names[as_text(project.get("uuid"))] = name
            yield ImportedProject(name, as_text(project.get("prompt_template")).strip())
            yield from _knowledge(project, name)
    for member in sorted(one for one in source.members if one.lower().split("/")[-1] == "memories.json"):
        for item in source.items(member):
            yield from _memories(as_object(item.value) or {}, names)


def _holds_projects(member: str) -> bool:
    """`projects.json`, or a file of one project in the folder `projects`."""
    *folders, name = member.lower().split("/")
    return name == "projects.json" or (folders[-1:] == ["projects"] and name.endswith(".json"))


def _knowledge(project: JsonObject, name: str) -> Iterator[ImportedThread]:
    """The documents of a project, attached to one message of a thread in it."""
    documents: list[Part] = []
    for doc in objects_in(project.get("docs")):
        text = as_text(doc.get("content"))
        if text.strip():
            sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            documents.append(DocumentPart(as_text(doc.get("filename")) or "document.txt", text, sha256))
    if documents:
        key = f"project {as_text(project.get('uuid')) or name}"
        created = as_instant(project.get("created_at")) or EPOCH
        yield _thread(key, phrase("Documents of {project}", project=name), created, (*documents,), name)


def _memories(memory: JsonObject, projects: dict[str, str]) -> Iterator[ImportedThread]:
    """Yield Claude's notes of the user: in general, then of each project."""
    texts = [as_text(memory.get("conversations_memory"))]
    for project, text in (as_object(memory.get("project_memories")) or {}).items():
        if as_text(text).strip():
            texts.append(f"## {projects.get(project, project)}\n\n{as_text(text)}")
    whole = "\n\n".join(text for text in texts if text.strip())
    if whole:
        key = f"memory {as_text(memory.get('account_uuid'))}"
        yield _thread(key, phrase("Claude's memory"), EPOCH, (TextPart(whole),), None)


def _thread(key: str, title: str, created: str, parts: tuple[Part, ...], project: str | None) -> ImportedThread:
    """A thread of one message; what stands in it at another import otherwise is another message."""
    thread_id = stable_id(SOURCE, key)
    said = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
    message_id = stable_id(SOURCE, f"{key}/{said}")
    message = Message(message_id, thread_id, None, "user", parts, created)
    thread = Thread(thread_id, title, created, created, tip=message_id, seen=message_id, project=project)
    return ImportedThread(f"{SOURCE}:{key}", thread, (message,))
