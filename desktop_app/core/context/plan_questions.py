"""Events and questions of a plan beside the request itself (CTX-14).

Everything here is read off weights and limits that are there already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from desktop_app.core.context.costs import request_cost
from desktop_app.core.context.limits import highest_soft, most_output
from desktop_app.core.context.plan import (
    CacheClock,
    ContextEvent,
    ContextPlan,
    Decision,
    Limits,
    PlanOption,
    TokenCount,
)
from desktop_app.core.context.token_estimator import MOST_STATED
from desktop_app.core.model_catalog import ModelInfo

LONG_SHARE: Final = 0.20
"""Share of the soft limit from which a thread counts as long, so that reading it again is worth a question."""

RAISE_STEP: Final = 5_000
"""A limit that is offered is rounded up to this many tokens: the step of the slider."""

ROOM: Final = (5, 4)
"""The factor over its weight that is offered to a long thread, so that it is not asked again soon."""

ANSWERED: Final = 300
"""Tokens of the short answer that a summary's price allows for beside what is read; see `summary_cost`."""

FITTING: Final = (3, 5)
"""Share of a model's window that the text of one summary request may fill by estimate."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The facts that the questions and events are made of. `whole` is the request without the step, in tokens."""

    model: ModelInfo
    writer: ModelInfo
    limits: Limits
    decision: Decision
    tokens: TokenCount
    whole: int
    newly: int
    free: bool
    cache: CacheClock
    may_be_cached: bool
    cost_usd: float | None
    most_usd: float | None
    by_idle: bool
    begins_fresh: bool
    summarised: int
    taken_back: bool
    key_changed: bool
    returned: int = 0


def events_of(facts: PlanFacts) -> tuple[ContextEvent, ...]:
    """Return the events that the user must be able to see afterwards (PRODUCT.md CTX-11)."""
    model, total = facts.model.id, facts.tokens.total
    if facts.decision == "refuse":
        return (ContextEvent("refused", facts.tokens.upper, facts.limits.emergency, facts.newly, model),)
    events: list[ContextEvent] = []
    if facts.decision == "trim":
        kind = ContextEvent("fresh_start" if facts.by_idle else "trimmed", facts.whole, total, facts.newly, model)
        events.append(kind)
    if facts.summarised:
        events.append(ContextEvent("summarised", facts.whole, total, facts.summarised, model))
    if facts.returned:
        events.append(ContextEvent("returned", facts.whole, total, facts.returned, model))
    elif facts.decision == "ok" and facts.key_changed:
        # whatever a cache has that lives is not rewritten
        if facts.begins_fresh:
            events.append(ContextEvent("fresh_start", facts.whole, total, facts.newly, model))
        elif facts.taken_back:
            events.append(ContextEvent("undone", facts.whole, total, 0, model))
        elif not facts.may_be_cached:
            events.append(ContextEvent("cache_rewritten", facts.whole, total, 0, model))
    if total > facts.limits.soft:
        events.append(ContextEvent("limit_passed", total, facts.limits.soft, 0, model))
    return tuple(events)


def limit_to_offer(whole: int, limits: Limits, model: ModelInfo) -> int | None:
    """The soft limit that is offered where a request of `whole` tokens passes the one it has; None: it can't be raised.

    Twice as high; where that is not enough, so high that there is room for more turns.
    """
    roomy = -(-whole * ROOM[0] // (ROOM[1] * RAISE_STEP)) * RAISE_STEP
    raised = min(2 * limits.soft if whole <= 2 * limits.soft else roomy, highest_soft(model))
    return raised if raised > limits.soft else None


def option_of(plan: ContextPlan, action: str, *, turn_usd: float | None = None) -> PlanOption:
    """An answer to what a plan asks, where `plan` is what would be sent then."""
    return PlanOption(action, plan.tokens.total, plan.price.cost_usd, plan.limits.soft, plan.price.most_usd, turn_usd)


def cold_reopen(facts: PlanFacts, summarisable: int, size: int) -> tuple[PlanOption, ...]:
    """A long thread whose cache has expired: send it as it is, or summarise first. `summarisable` in tokens."""
    if facts.decision == "refuse" or not facts.cache.known_cold or facts.free or not facts.cost_usd:
        return ()
    if facts.may_be_cached:
        return ()
    if facts.tokens.total < LONG_SHARE * facts.limits.soft:
        return ()
    options = [PlanOption("send", facts.tokens.total, facts.cost_usd, most_usd=facts.most_usd)]
    if summarisable > 4 * size:
        after = facts.tokens.total - summarisable + size
        reading, following = summary_price(facts.writer, summarisable, size), _price(facts, after, 0)
        if reading is not None and following is not None:
            most = _price(facts, facts.tokens.upper - summarisable + size, 0) or following
            options.append(PlanOption("summarise", after, reading[0] + following, most_usd=reading[1] + most))
    return tuple(options)


def summary_cost(model: ModelInfo, tokens: int, size: int) -> float | None:
    """Dollars for having `tokens` summarised in at most `size`; None where the prices are not known."""
    read = request_cost(model, tokens + ANSWERED)
    if read is None or model.prices is None:
        return None
    return read + size * model.prices.output / 1_000_000


def summary_price(model: ModelInfo, tokens: int, size: int) -> tuple[float, float] | None:
    """Dollars for having `tokens` summarised: as `summary_cost`, and at most, with all of the output it may use."""
    expected = summary_cost(model, tokens, size)
    most = summary_cost(model, round(tokens * (1 + 2 * MOST_STATED)), most_output(model, size * 5 // 4))
    return None if expected is None or most is None else (expected, most)


def cheapest_writer(
    models: Iterable[ModelInfo], now: ModelInfo, tokens: int, size: int
) -> tuple[ModelInfo, tuple[float, float]] | None:
    """The model that would summarise these tokens for the least, with its price; None where `now` is the cheapest.

    Only models that take all of it in one request are looked at. The price is expected and at most, and so compared.
    """
    best: tuple[ModelInfo, tuple[float, float]] | None = None
    least = summary_price(now, tokens, size)
    for model in models:
        price = summary_price(model, tokens, size)
        if price is None or least is None or tokens > model.window * FITTING[0] // FITTING[1]:
            continue
        if all(own < other for own, other in zip(price, least, strict=True)):
            best, least = (model, price), price
    return best


def _price(facts: PlanFacts, tokens: int, cached: int) -> float | None:
    if facts.free:
        return 0.0
    return request_cost(facts.model, tokens, cached=min(cached, tokens), writes=True, lifetime=facts.cache.lifetime)
