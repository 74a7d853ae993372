"""Owns what a conversation's input costs, and what other clients would have paid for it. Knows no backend.

The unit is the price of one uncached input token.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tests.servers.prompt_cache import Billing, CacheBlock, HandClock, Lifetime, PromptCache

WRITE_5M: Final = 1.25
WRITE_1H: Final = 2.0
"""What writing a token costs against plain input."""


def billed(billing: Billing, read_price: float) -> float:
    """What the input of one request costs."""
    return billing.fresh + read_price * billing.read + WRITE_5M * billing.written_5m + WRITE_1H * billing.written_1h


class IdealClient:
    """Sends the same contexts, writes each block once a model, and reads it ever after, whatever stood before it.

    Its cache never expires.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[str, bytes]] = set()

    def send(self, request: Iterable[CacheBlock], model: str = "") -> Billing:
        """What this client would be charged for one more request."""
        read = written = 0
        for block in request:
            if (model, block.digest) in self._seen:
                read += block.tokens
            else:
                written += block.tokens
                self._seen.add((model, block.digest))
        return Billing(0, read, written)


def with_marks(request: Iterable[CacheBlock], lifetime: Lifetime) -> list[CacheBlock]:
    """The request as a client would send it that knows one lifetime only."""
    return [block if block.mark is None else replace(block, mark=lifetime) for block in request]


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation by its tokens in the request."""

    name: str
    tokens: int


class SlidingClient:
    """Keeps the first message and as much of the end as fits below the limit, and so drops a little every turn.

    It marks what the app's own planner would: system prompt, first message, the last two questions.
    """

    def __init__(self, model: str, clock: HandClock, *, limit: int, fixed: int) -> None:
        self._model, self._limit, self._fixed = model, limit, fixed
        self._cache = PromptCache(clock)

    def send(self, path: Sequence[Said]) -> Billing:
        """`path` are all messages up to the question."""
        start = len(path) - 1
        room = self._limit - self._fixed - path[0].tokens - (path[start].tokens if start else 0)
        while start and (turn := sum(said.tokens for said in path[max(1, start - 2) : start])) <= room:
            room -= turn
            start -= 2
        kept = [Said("system", self._fixed), path[0], *path[max(1, start) :]]
        marked = {0, 1, max(0, len(kept) - 3), len(kept) - 1}
        return self._cache.bill(
            self._model,
            [
                CacheBlock(said.name.encode(), said.tokens, "5m" if at in marked else None)
                for at, said in enumerate(kept)
            ],
        )
