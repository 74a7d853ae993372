"""Owns what a request costs, cached and fresh. Knows no plan in the making and no currency but US dollars."""

from __future__ import annotations

from typing import Final

from desktop_app.core.context.plan import CacheLifetime, ContextPlan
from desktop_app.core.messages import Usage
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
    prices = prices_for(model, prompt)
    if prices is None:
        return None
    fresh = prices.input
    if writes and prompt >= model.min_cache_tokens:
        fresh = prices.cache_write_5m if lifetime == "5m" else prices.cache_write_1h
    return (cached * prices.cache_read + (prompt - cached) * fresh) / MILLION


def uncached_cost(plan: ContextPlan) -> tuple[float, float] | None:
    """Dollars for a plan's request where nothing of it is cached: as expected, and at most; None where not known."""
    lifetime = plan.marks[0].lifetime if plan.marks else "5m"
    expected, most = (
        request_cost(plan.model, tokens, writes=bool(plan.marks), lifetime=lifetime)
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
