"""Owns what one node of a ChatGPT conversation says: its parts, role and time. Knows nothing of the tree around it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from desktop_app.controller.formats.export_reading import as_instant, as_list, as_object, as_text
from desktop_app.core.messages import (
    Json,
    JsonObject,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

LOOK_BACK = 16
"""How many open tool calls are searched for the one that a result names."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call on the way down a branch, linked to the one before it."""

    id: str
    name: str
    before: Call | None


@dataclass(frozen=True, slots=True)
class NodeContent:
    """What a node adds to its message; no parts: nothing to show. `calls` is what its children inherit.

    `system` is the text of a visible system message; it has parts too, for where it can't be the thread's system
    prompt. `hidden` counts a message with content that ChatGPT does not show either.
    """

    role: Literal["user", "assistant"] = "assistant"
    parts: tuple[Part, ...] = ()
    created: str | None = None
    model: str | None = None
    partial: bool = False
    calls: Call | None = None
    system: str | None = None
    hidden: int = 0


def read_node(node_id: str, value: Json, calls: Call | None) -> NodeContent:
    """Reads a node's `message` (null for roots). `calls` are the tool calls on the path to it."""
    message = as_object(value)
    if message is None:
        return NodeContent(calls=calls)
    content = as_object(message.get("content")) or {}
    kind = as_text(content.get("content_type"))
    metadata = as_object(message.get("metadata")) or {}
    parts = tuple(_parts(kind, content))
    if message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation") is True:
        return NodeContent(calls=calls, hidden=int(bool(parts)))
    if kind in ("user_editable_context", "model_editable_context"):
        return NodeContent(calls=calls, hidden=1)

    author = as_object(message.get("author")) or {}
    role, recipient = as_text(author.get("role")), as_text(message.get("recipient")) or "all"
    text = _text(parts)
    system = None
    if role == "tool":
        parts = _result(as_text(author.get("name")), kind, content, parts, calls)
    elif role == "assistant" and recipient != "all" and parts:
        calls = Call(as_text(message.get("id")) or node_id, recipient, calls)
        parts = (ToolCallPart(calls.id, recipient, _arguments(kind, content, text)),)
    elif role == "system":
        system = text or None
        parts = (UnknownPart({"type": "chatgpt.system", "content": content}),) if parts else ()
    elif role == "user":
        parts = (*parts, *_attachments(metadata))
    return NodeContent(
        role="user" if role == "user" else "assistant",
        parts=parts,
        created=as_instant(message.get("create_time")),
        model=as_text(metadata.get("model_slug")) or None,
        partial=as_text(message.get("status")) in ("finished_partial_completion", "in_progress"),
        calls=calls,
        system=system,
    )


def _parts(kind: str, content: JsonObject) -> Iterator[Part]:
    """The content as parts, before the author's role is looked at; empty text gives none."""
    match kind:
        case "text" | "multimodal_text":
            for piece in as_list(content.get("parts")):
                yield from _piece(piece)
        case "code":
            if text := as_text(content.get("text")):
                language = as_text(content.get("language"))
                yield TextPart(f"```{'' if language == 'unknown' else language}\n{text}\n```")
        case "execution_output" | "system_error":
            if text := as_text(content.get("text")):
                yield TextPart(text)
        case "thoughts":
            thoughts = [as_object(thought) or {} for thought in as_list(content.get("thoughts"))]
            lines = [as_text(thought.get(name)) for thought in thoughts for name in ("summary", "content")]
            if text := "\n\n".join(line for line in lines if line):
                yield ThinkingPart(text)
        case "reasoning_recap":
            if text := as_text(content.get("content")):
                yield ThinkingPart(text)
        case _:
            if any(value for name, value in content.items() if name != "content_type"):
                yield UnknownPart({"type": f"chatgpt.{kind}", "content": content})


def _piece(piece: Json) -> Iterator[Part]:
    """One entry of `parts`: text, a transcribed voice message, or a pointer to a file of the export."""
    if isinstance(piece, str):
        if piece.strip():
            yield TextPart(piece)
    elif isinstance(piece, Mapping) and piece:
        spoken = as_text(piece.get("text"))
        if piece.get("content_type") == "audio_transcription" and spoken:
            yield TextPart(spoken)
        else:
            yield UnknownPart({"type": "chatgpt.part", "content": piece})


def _arguments(kind: str, content: JsonObject, text: str) -> JsonObject:
    """A tool call's input: the JSON object that its text is, else the text itself."""
    text = as_text(content.get("text")) if kind == "code" else text
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, Mapping):
        return parsed
    language = as_text(content.get("language"))
    return {"text": text, "language": language} if language and language != "unknown" else {"text": text}


def _result(name: str, kind: str, content: JsonObject, parts: tuple[Part, ...], calls: Call | None) -> tuple[Part, ...]:
    """A tool's answer, paired with the newest call of its name, else with the newest call at all."""
    if not parts:
        return ()
    if calls is None:
        return (UnknownPart({"type": "chatgpt.tool", "name": name, "content": content}),)
    call, candidate = calls, calls
    for _ in range(LOOK_BACK):
        if candidate.name == name:
            call = candidate
            break
        if candidate.before is None:
            break
        candidate = candidate.before
    whole = all(isinstance(part, TextPart) for part in parts)
    text = _text(parts) or as_text(content.get("text")) or as_text(content.get("result"))
    extra: JsonObject = {} if whole else {"chatgpt": content}
    return (ToolResultPart(call.id, text, kind == "system_error", extra),)


def _attachments(metadata: JsonObject) -> Iterator[Part]:
    """What was attached to a user's message, by name and size: the files themselves are not in this JSON."""
    for item in as_list(metadata.get("attachments")):
        if attachment := as_object(item):
            yield UnknownPart({"type": "chatgpt.attachment", "content": attachment})


def _text(parts: tuple[Part, ...]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))
