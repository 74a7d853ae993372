"""Reads messages whose text is a JSON array of content blocks, as some exports have them.

What was typed or answered here is never read so: such text is meant as it stands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from desktop_app.core.context.app_notes import image_note
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

_KINDS: Final = frozenset(
    (
        *("text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "image_url", "document"),
        *("server_tool_use", "web_search_tool_result", "search_result"),
    )
)


def decoded_path(
    path: Sequence[Message], known: Mapping[str, tuple[Message, Message]], begun: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """The path with every JSON-encoded message in parts. `known` (id -> as stored, as read) saves reading again.

    `begun`: the first messages of it as they were read before, each with the one behind it as it is now.

    Read are answers that no backend of this app gave, and user messages before such an answer, or with results for
    the calls of the message before them.
    """
    changed: dict[int, Message] = {}
    first = len(begun)
    for index, message in enumerate(islice(path, first, None), first):
        if not may_hold_blocks(message):
            continue
        earlier = known.get(message.id)
        if earlier is not None and earlier[0] is message:
            changed[index] = earlier[1]
            continue
        read = decoded_parts(message.text)
        if read is None:
            continue
        before = None
        if index:
            before = begun[-1] if index == first else changed.get(index - 1, path[index - 1])
        if _is_foreign(message, path[index + 1] if index + 1 < len(path) else None) or _answers_calls(read, before):
            changed[index] = replace(message, parts=read)
    if not changed:
        return (*begun, *path[first:])
    return (*begun, *(changed.get(index, path[index]) for index in range(first, len(path))))


def decoded_parts(text: str) -> tuple[Part, ...] | None:
    """The parts of a JSON array of content blocks; None if the text is anything else."""
    try:
        blocks = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(blocks, list) or not blocks:
        return None
    if not all(isinstance(block, dict) and block.get("type") in _KINDS for block in blocks):
        return None
    return tuple(_part(block) for block in blocks)


def may_hold_blocks(message: Message) -> bool:
    """Return True if a message looks as if its only text were a JSON array of blocks; quick, and never a false no."""
    parts = message.parts
    if len(parts) != 1 or not isinstance(parts[0], TextPart):
        return False
    text = parts[0].text
    return text[:64].lstrip().startswith("[") and '"type"' in text


def _is_foreign(message: Message, after: Message | None) -> bool:
    if message.role == "assistant":
        return message.backend is None
    return after is not None and after.role == "assistant" and after.backend is None


def _answers_calls(read: Sequence[Part], before: Message | None) -> bool:
    calls = {part.id for part in before.parts if isinstance(part, ToolCallPart)} if before is not None else set()
    return any(isinstance(part, ToolResultPart) and part.call_id in calls for part in read)


def _part(block: dict[str, Any]) -> Part:  # noqa: PLR0911
    match block:
        case {"type": "text", "text": str(text)}:
            return TextPart(text)
        case {"type": "thinking", "thinking": str(text)}:
            signature = block.get("signature")
            return ThinkingPart(text, signature if isinstance(signature, str) else None)
        case {"type": "tool_use" | "server_tool_use", "id": str(call), "name": str(name)}:
            given = block.get("input")
            return ToolCallPart(call, name, given if isinstance(given, dict) else {})
        case {"type": "tool_result" | "web_search_tool_result", "tool_use_id": str(call)}:
            return ToolResultPart(call, _result_text(block.get("content")), bool(block.get("is_error")))
        case {"type": "image", "source": {"type": "base64", "media_type": str(kind), "data": str(data)}}:
            return ImagePart(str(block.get("name") or "image"), kind, data)
        case {"type": "image" | "image_url"}:
            # an image that lies elsewhere can't be sent, but that there was one is told
            return TextPart(image_note(ImagePart(str(block.get("name") or "image"), "", "")).text)
        case {"type": "document", "source": {"type": "text", "data": str(data)}}:
            title = block.get("title")
            return DocumentPart(
                str(title or "document"), data, hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()
            )
        case _:
            return UnknownPart(block)


def _result_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return "" if content is None else json.dumps(content, ensure_ascii=False)
    texts = [item.get("text") for item in content if isinstance(item, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))
