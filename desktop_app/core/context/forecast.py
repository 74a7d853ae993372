"""Owns what can be foretold of a thread from its last turns: how many more fit, whether a cache has expired.

Knows no draft's text and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.core.messages import Message


@dataclass(frozen=True, slots=True)
class Forecast:
    """`turns`: how many of the newest turns it judges by, `tokens`: what they weigh together."""

    turns: int
    tokens: int

    @property
    def usual(self) -> float:
        """Tokens of a turn like the last ones; 0 before the first."""
        return self.tokens / self.turns if self.turns else 0.0

    def turns_left(self, room: int, draft: int) -> int | None:
        """How many turns like the last ones fit into `room` tokens; None before the first turn.

        A draft is a turn under way: a book pasted into a thread of short turns is not followed by hundreds of them.
        """
        if not self.tokens:
            return None
        expected = (self.tokens + max(draft, self.usual)) / (self.turns + 1) if draft else self.usual
        return int(max(0, room) / expected)


def was_cached(path: Sequence[Message], backend: str) -> bool:
    """Whether the newest answer's request was in the cache of the backend that would be asked now."""
    last = next((message for message in reversed(path) if message.usage is not None), None)
    if last is None or last.usage is None or last.backend != backend:
        return False
    return last.usage.cache_read + last.usage.cache_write > 0
