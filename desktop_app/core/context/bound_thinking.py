"""Owns which signed thinking of a running turn still goes back. Knows no provider and no limits.

Newer models refuse thinking behind anything but what it came behind (PRODUCT.md CTX-15): a boundary that moved, a
system prompt or a choice that changed while tools ran. The answers' prefix keys tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_app.core.context.content import running_turn_start
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import features
from desktop_app.core.context.plan import PlannedMessage
from desktop_app.core.context.tally import block_text
from desktop_app.core.messages import Message, Part, ThinkingPart, UnknownPart


def is_bound(part: Part) -> bool:
    """Whether a part is thinking that its provider takes back only as it came, where it came."""
    match part:
        case ThinkingPart(signature=signature):
            return bool(signature)
        case UnknownPart(raw):
            return raw.get("type") == "redacted_thinking"
    return False


def behind_another_prefix(path: Sequence[Message], key: str) -> frozenset[str]:
    """The answers of the running turn whose requests did not begin as one with the prefix key `key` does.

    What an answer without a key came behind is not known: the provider says, and what it refuses goes again without.
    """
    running = path[running_turn_start(path) :]
    return frozenset(one.id for one in running if one.role == "assistant" and one.prefix_key not in {None, key})


def without_thinking_of(message: PlannedMessage, answers: frozenset[str]) -> PlannedMessage:
    """The message without the bound thinking of these answers; the very same one where it has none."""
    kept = [
        (block, source)
        for block, source in zip(message.blocks, message.sources, strict=True)
        if source not in answers or not is_bound(block)
    ]
    if len(kept) == len(message.blocks):
        return message
    return replace(message, blocks=tuple(block for block, _ in kept), sources=tuple(source for _, source in kept))


def thinking_tokens(messages: Sequence[PlannedMessage], answers: frozenset[str], estimator: TokenEstimator) -> int:
    """What the bound thinking of these answers weighs in a request."""
    parts = (
        block
        for message in messages
        for block, source in zip(message.blocks, message.sources, strict=True)
        if source in answers and is_bound(block)
    )
    return round(sum(estimator.tokens(features(block_text(part))) for part in parts))
