"""Alternates the roles of a request, and cleans its blocks.

Roles alternate, the first and the last message are the user's, consecutive messages of one role become blocks of one
message (PRODUCT.md CTX-8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

from desktop_app.core.context.truncation import as_sent
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

if TYPE_CHECKING:
    from desktop_app.core.context.plan import PlannedMessage

OPENING: Final = "[The conversation begins with the assistant]"
"""Stands in the user's role before a conversation whose first message is the assistant's."""

_BREAKS: Final = "\\n\\r\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029"
_FORGED: Final = re.compile(
    rf"(^|[{_BREAKS}])((?:(?![{_BREAKS}])\s)*)(?=\[(?:USER|ASSISTANT)\]:)",
    re.IGNORECASE,
)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """The text without NUL and with U+FFFD for lone surrogates, which no provider takes."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def clean_part(part: Part) -> Part | None:
    """The part as it may be sent, or None if nothing of it is left."""
    if isinstance(part, DocumentPart):
        part = as_sent(part)
    match part:
        case ThinkingPart(signature=str()):
            return part  # signed: it goes back as it came or not at all
        case TextPart(text) | ThinkingPart(text) | DocumentPart(text=text) | ToolResultPart(text=text):
            cleaned = clean_text(text)
            if not cleaned.strip() and not isinstance(part, ToolResultPart):
                return None
            return part if cleaned == text else replace(part, text=cleaned)
        case ImagePart(data=data):
            return part if data else None
        case ToolCallPart() | UnknownPart():
            return part
        case _:
            assert_never(part)


def labelled(block_text: str, role: Role) -> str:
    """One past or pending message as a block of a flattened history: label, text, blank line.

    A line of the text that begins, after spaces, with one of the labels in any case gets a backslash before the
    bracket, so that no text can pass for another speaker's.
    """
    label = "[USER]: " if role == "user" else "[ASSISTANT]: "
    return f"{label}{without_forged_labels(clean_text(block_text))}\n\n"


def without_forged_labels(text: str) -> str:
    """The text with every line-opening label escaped; unchanged, and quickly, where there is none."""
    return _FORGED.sub(r"\1\2\\", text) if "]:" in text else text


def merge(messages: Iterable[PlannedMessage]) -> tuple[PlannedMessage, ...]:
    """The messages with neighbours of one role made one; messages without blocks vanish."""
    from desktop_app.core.context.plan import PlannedMessage

    merged: list[PlannedMessage] = []
    for message in messages:
        if not message.blocks:
            continue
        if merged and merged[-1].role == message.role:
            last = merged[-1]
            merged[-1] = PlannedMessage(last.role, last.blocks + message.blocks, last.sources + message.sources)
        else:
            merged.append(message)
    return tuple(merged)


def opened_by_user(messages: tuple[PlannedMessage, ...]) -> tuple[PlannedMessage, ...]:
    """The messages with an opening note in front if the assistant would speak first."""
    if not messages or messages[0].role == "user":
        return messages
    return (note("user", TextPart(OPENING)), *messages)


def note(role: Role, part: TextPart) -> PlannedMessage:
    """A message of the app's own."""
    from desktop_app.core.context.plan import PlannedMessage

    return PlannedMessage(role, (part,), (None,))
