"""Signed thinking of a running turn that still goes back.

Newer models refuse thinking behind anything but what it came behind (PRODUCT.md CTX-15): a boundary that moved, a
system prompt or a choice that changed while tools ran. The answers' prefix keys tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from desktop_app.core.context.sent_content import Content
from desktop_app.core.context.token_counting import Counted, count_message
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.model_catalog import TokenizerFamily


def is_bound(part: Part) -> bool:
    """Return True if a part is thinking that its provider takes back only as it came, where it came."""
    match part:
        case ThinkingPart(signature=signature):
            return bool(signature)
        case UnknownPart(raw):
            return raw.get("type") == "redacted_thinking"
        case TextPart() | ToolCallPart() | ToolResultPart() | ImagePart() | DocumentPart():
            return False
        case _:
            assert_never(part)


def unbound_answers(
    counted: Sequence[Counted], running: int, *, labels: bool, family: TokenizerFamily
) -> dict[int, Counted]:
    """The answers of the turn that runs from place `running` on, as they go behind another prefix than their own.

    What an answer without a key came behind is not known: the provider says, and what it refuses goes again without.
    """
    found = {}
    for index in range(running, len(counted)):
        item = counted[index]
        kept = tuple(block for block in item.content.blocks if not is_bound(block))
        if item.message.role == "assistant" and item.message.prefix_key and len(kept) < len(item.content.blocks):
            content = Content(kept, item.content.annotated)
            found[index] = count_message(item.message, content, labels, family, running=True)
    return found
