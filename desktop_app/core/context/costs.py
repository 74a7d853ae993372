"""The costs of a request, cached and fresh, and the figures that can be foretold from the last turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.plan import CacheLifetime, ContextPlan
from desktop_app.core.messages import Message, Usage
from desktop_app.core.model_catalog import ModelInfo, Prices

MILLION: Final = 1_000_000


def prices_for(model: ModelInfo, prompt: int) -> Prices | None:
    """The prices of a request of `prompt` tokens; above the price cliff the whole request costs more."""
    if model.price_cliff is not None and prompt > model.price_cliff and model.prices_above is not None:
        return model.prices_above
    return model.prices


def request_cost(
    model: ModelInfo, prompt: int, *, cached: int = 0, writes: bool = False, lifetime: CacheLifetime = "5m"
) -> float | None:
    """Dollars for the tokens of a request before anything is answered; None where the prices are not known.

    `cached` of its `prompt` tokens are read from the cache; the rest is written to it if the request has marks
    (`writes`) and is long enough to be cached at all.
    """
    return part_cost(model, prompt, prompt, cached=cached, writes=writes, lifetime=lifetime)


def part_cost(
    model: ModelInfo, prompt: int, tokens: int, *, cached: int, writes: bool, lifetime: CacheLifetime
) -> float | None:
    """Dollars for `tokens` of a request, `cached` of them read from the cache; None where the prices are not known."""
    prices = prices_for(model, prompt)
    if prices is None:
        return None
    fresh = prices.input
    if writes and prompt >= model.min_cache_tokens:
        fresh = prices.cache_write_5m if lifetime == "5m" else prices.cache_write_1h
    return (cached * prices.cache_read + (tokens - cached) * fresh) / MILLION


def uncached_cost(plan: ContextPlan) -> tuple[float, float] | None:
    """Dollars for a plan's request where nothing of it is cached: as expected, and at most; None where not known."""
    lifetime = plan.request.marks[0].lifetime if plan.request.marks else "5m"
    expected, most = (
        request_cost(plan.model, tokens, writes=bool(plan.request.marks), lifetime=lifetime)
        for tokens in (plan.tokens.expected, plan.tokens.upper)
    )
    return None if expected is None or most is None else (expected, most)


def usage_cost(model: ModelInfo, usage: Usage, *, lifetime: CacheLifetime = "5m") -> float | None:
    """Dollars for a finished call; `lifetime` is that of its cache marks. None where the prices are not known."""
    prices = prices_for(model, usage.prompt)
    if prices is None:
        return None
    write = prices.cache_write_5m if lifetime == "5m" else prices.cache_write_1h
    return (
        usage.input * prices.input
        + usage.cache_read * prices.cache_read
        + usage.cache_write * write
        + usage.output * prices.output
    ) / MILLION


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
        """Return how many turns like the last ones fit into `room` tokens; None before the first turn.

        A draft is a turn under way: a book pasted into a thread of short turns is not followed by hundreds of them.
        """
        if not self.tokens:
            return None
        expected = (self.tokens + max(draft, self.usual)) / (self.turns + 1) if draft else self.usual
        return int(max(0, room) / expected)


def was_cached(path: Sequence[Message], backend: str) -> bool:
    """Return True if the newest answer's request was in the cache of the backend that would be asked now."""
    last = next((message for message in reversed(path) if message.usage is not None), None)
    if last is None or last.usage is None or last.backend != backend:
        return False
    return last.usage.cache_read + last.usage.cache_write > 0
