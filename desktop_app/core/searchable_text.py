"""Texts of a message that can be found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from desktop_app.core.context.sent_content import SEARCH_TOOLS, without_notes
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

_SIGNS: Final = re.compile(r"\[[0-9a-f]{10}-[0-9]{1,9}\] ?|^(?:> ?){1,9}", re.MULTILINE)


def attached_texts(message: Message) -> Iterator[str]:
    """Yield the texts found of a message besides its own: names and texts of documents, tools' questions and answers.

    Thinking is not: it is neither said nor sent again.
    """
    for part in message.parts:
        match part:
            case DocumentPart(name, text):
                yield name
                yield text
            case ToolResultPart(_, text):
                yield text
            case ToolCallPart(_, name, given):
                yield name
                yield from _strings(given)
            case ImagePart(name):
                yield name
            case TextPart() | ThinkingPart() | UnknownPart():
                pass
            case _:
                assert_never(part)


def attached_text(message: Message) -> str:
    """All of them, a paragraph each."""
    return "\n\n".join(attached_texts(message))


def tool_text(message: Message) -> str:
    """Return what tools were given and answered, as people read it: without ids of passages and signs of quotes."""
    parts = tuple(part for part in message.parts if isinstance(part, ToolCallPart | ToolResultPart))
    return _SIGNS.sub("", attached_text(replace(message, parts=parts))) if parts else ""


def whole_text(message: Message) -> str:
    """Everything of a message that can be found: what was said, then what was attached."""
    return "\n\n".join(filter(None, (message.text, attached_text(message))))


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _strings(one)


def recallable_text(message: Message) -> str:
    """Everything of a message that a search of its own thread may bring back (CTX-13).

    Neither what searches found, which can be found where it stands, nor the app's notes.
    """
    own = {part.id for part in message.parts if isinstance(part, ToolCallPart) and part.name in SEARCH_TOOLS}
    kept = tuple(part for part in message.parts if not _searched(part, own))
    text = whole_text(message if len(kept) == len(message.parts) else replace(message, parts=kept))
    return without_notes(text) if message.role == "assistant" else text


def _searched(part: Part, own: Collection[str]) -> bool:
    match part:
        case ToolCallPart(name=name):
            return name in SEARCH_TOOLS
        case ToolResultPart(call_id=call_id, extra=extra):
            return call_id in own or "messages" in extra
        case TextPart() | ThinkingPart() | ImagePart() | DocumentPart() | UnknownPart():
            return False
        case _:
            assert_never(part)
