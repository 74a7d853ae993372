"""The JSON shapes of the history that scripts may rely on (PRODUCT.md section 6); those of plans: `plan_shapes`."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.controller.formats.plimsoll_json import part_to_json
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.history_records import Backup, RestoreCount, SearchHit
from desktop_app.core.messages import Failure, Json, Message, Thread, ThreadSummary, Usage


def fields_of(of: object, names: str) -> dict[str, Json]:
    """The fields that a shape calls as the value itself does, in this order."""
    return {name: getattr(of, name) for name in names.split()}


def usage_shape(usage: Usage) -> dict[str, Json]:
    """Return what one call used, in tokens; `cost_usd` null where it is unknown."""
    return fields_of(usage, "input cache_read cache_write output cost_usd")


def error_shape(failure: Failure, thread_id: str | None) -> dict[str, Json]:
    """The last line of a turn that did not end well."""
    return {
        "type": "error",
        **fields_of(failure, "code message"),
        "thread": thread_id,
        "actions": list(failure.actions),
    }


def thread_shape(summary: ThreadSummary, projects: Mapping[str, str]) -> dict[str, Json]:
    """One line of `threads`; `projects` has the names by id."""
    thread = summary.thread
    return {
        **fields_of(thread, "id title created updated backend model"),
        "messages": summary.messages,
        "project": projects.get(thread.project or ""),
        **fields_of(thread, "pinned archived"),
    }


def hit_shape(hit: SearchHit) -> dict[str, Json]:
    """One hit of `search`."""
    return {"thread": hit.thread_id, "message": hit.message_id, **fields_of(hit, "role title snippet created")}


def conversation_shape(thread: Thread, messages: tuple[Message, ...], reasons: Mapping[str, str]) -> dict[str, Json]:
    """Return the output of `show`; `reasons`: by answer's id, why it cost much more than the one before."""
    return {
        **fields_of(thread, "id title"),
        "messages": [_message_shape(message, reasons.get(message.id)) for message in messages],
        "draft": thread.draft,
    }


def _message_shape(message: Message, why: str | None) -> dict[str, Json]:
    return {
        "id": message.id,
        "parent": message.parent_id,
        "role": message.role,
        "text": message.text,
        "parts": [part_to_json(part) for part in message.parts],
        **fields_of(message, "state created model"),
        "asked": (message.usage.asked or None) if message.usage is not None else None,
        "usage": usage_shape(message.usage) if message.usage is not None and message.usage.is_counted else None,
        "why": why,
    }


def backup_shape(backup: Backup) -> dict[str, Json]:
    """A backup in `backup list`."""
    return fields_of(backup, "id at threads messages bytes verified")


def restore_shape(done: RestoreCount) -> dict[str, Json]:
    """Return what `backup restore` did; `before`: the backup of what was here."""
    return fields_of(done, "backup before threads messages already")


def artifact_shape(artifact: Artifact) -> dict[str, Json]:
    """One of what `artifact list` prints."""
    return {
        "id": artifact.id,
        "thread": artifact.thread_id,
        **fields_of(artifact, "title kind versions updated"),
    }


def artifact_text_shape(artifact: Artifact, version: ArtifactVersion) -> dict[str, Json]:
    """Return the output of `artifact show`: one version, whole."""
    return {
        **artifact_shape(artifact),
        **fields_of(artifact, "language pinned"),
        "version": version.number,
        "author": version.author,
        "created": version.created,
        "message": version.message_id,
        "text": version.text,
    }
