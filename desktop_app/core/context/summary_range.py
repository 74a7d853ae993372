"""Owns which messages one summary may stand for. Knows no words of a summary and no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from desktop_app.core.context.plan import Limits
from desktop_app.core.messages import Message, TextPart

FEWEST: Final = 10
"""A summary of fewer messages than this is not worth its price (PRODUCT.md CTX-7)."""

KEPT_TURNS: Final = 2
"""So many turns at the end of a thread that is opened again are not summarised: the talk goes on there."""

LEAST_SPOKEN: Final = 2
"""So many messages must hold text: a question and an answer. The rest may be tools."""


def summarisable(messages: Sequence[Message]) -> tuple[str, ...]:
    """The ids of these messages if one summary may stand for them, else none: too few, or nothing but tools."""
    spoken = (message for message in messages if any(isinstance(p, TextPart) and p.text.strip() for p in message.parts))
    if len(messages) < FEWEST or sum(1 for _ in islice(spoken, LEAST_SPOKEN)) < LEAST_SPOKEN:
        return ()
    return tuple(message.id for message in messages)


def summary_size(limits: Limits) -> int:
    """The most tokens that a summary may have: min(1,024, L / 8)."""
    return min(1_024, limits.low // 8)
