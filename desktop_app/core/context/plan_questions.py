"""Events and questions of a plan beside the request itself (CTX-14), and remedies: actions that would really work.

Everything here is read off weights and limits that are there already: a remedy is offered only where the arithmetic of
the plan says that it suffices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.boundaries import TURNS_TO_COME
from desktop_app.core.context.costs import prices_for, request_cost
from desktop_app.core.context.limits import COLD_SHARE, highest_soft, limit_assumed, most_output
from desktop_app.core.context.plan import (
    CacheClock,
    ContextPlan,
    Decision,
    Limits,
    PlacedMessage,
    PlanOption,
    TokenCount,
)
from desktop_app.core.context.summary_request import FEWEST, summary_size
from desktop_app.core.context.token_estimator import MOST_STATED
from desktop_app.core.errors import ACTIONS
from desktop_app.core.history_records import ContextEvent
from desktop_app.core.messages import DocumentPart
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import Phrase

LONG_SHARE: Final = 0.20
"""Share of the soft limit from which a thread counts as long, so that reading it again is worth a question."""

RAISE_STEP: Final = 5_000
"""A limit that is offered is rounded up to this many tokens: the step of the slider."""

ROOM: Final = (5, 4)
"""The factor over its weight that is offered to a long thread, so that it is not asked again soon."""

PAYS_WITHIN: Final = 20
"""Turns within which a summary that is offered has saved its price."""

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
        gone = facts.newly or facts.summarised
        events.append(ContextEvent("fresh_start" if facts.by_idle else "trimmed", facts.whole, total, gone, model))
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
    raised = min(2 * limits.soft if whole <= 2 * limits.soft else _roomy(whole), highest_soft(model))
    return raised if raised > limits.soft else None


def _roomy(whole: int, turns: int = 0) -> int:
    """A limit with room for more turns; for those that weigh `turns` also when the cache has grown cold."""
    roomy = max(whole * ROOM[0] // ROOM[1], (whole + turns) * COLD_SHARE[1] // COLD_SHARE[0])
    return -(-roomy // RAISE_STEP) * RAISE_STEP


def option_of(plan: ContextPlan, action: str, *, turn_usd: float | None = None, summarises: bool = False) -> PlanOption:
    """An answer with the `plan` it sends; `summarises`: what a step leaves out goes along as a summary made first."""
    cost, most = plan.price.cost_usd, plan.price.most_usd
    size, due = summary_size(plan.limits), summarises and plan.advice.summary_due and cost
    written = summary_price(plan.writer, _left_out(plan), size) if due else None
    read = request_cost(plan.model, size, writes=plan.price.writes) if due else None
    if cost and written is not None and read is not None:
        most = max(cost, most or 0.0) + written[1] + read
        cost += written[0] + read
    return PlanOption(action, plan.tokens.total, cost, plan.limits.soft, most, turn_usd, plan.price.at_most)


def _left_out(plan: ContextPlan) -> int:
    """Tokens that the plan's step leaves out: they have no weight in it any more, its event has it."""
    return max(0, *(event.before - event.after for event in plan.advice.events), 0)


def cold_reopen(facts: PlanFacts, summarisable: int, size: int) -> tuple[PlanOption, ...]:
    """A long thread with a cold cache: as it is, or a summary of `summarisable` tokens first, where that pays soon."""
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
        prices = prices_for(facts.model, after)
        saved = 0.0 if prices is None else PAYS_WITHIN * (summarisable - size) * prices.cache_read / 1_000_000
        if reading is not None and following is not None and reading[0] + following <= facts.cost_usd + saved:
            most = _price(facts, facts.tokens.upper - summarisable + size, 0) or following
            options.append(PlanOption("summarise", after, reading[0] + following, most_usd=reading[1] + most))
    return tuple(options)


def summary_cost(model: ModelInfo, tokens: int, size: int) -> float | None:
    """Dollars for having `tokens` summarised in at most `size`; None where the prices are not known."""
    if (read := request_cost(model, tokens + ANSWERED)) is None or model.prices is None:
        return None
    return read + size * model.prices.output / 1_000_000


def summary_price(model: ModelInfo, tokens: int, size: int) -> tuple[float, float] | None:
    """Dollars for having `tokens` summarised: as `summary_cost`, and at most, with all of the output it may use."""
    expected = summary_cost(model, tokens, size)
    most = summary_cost(model, round(tokens * (1 + 2 * MOST_STATED)), most_output(model, size))
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


FIRST_TOKENS: Final = 40_000
"""Tokens of a document that is sent in part, where nothing else is chosen: they leave room to talk about them."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One action with what it needs. `action` is an id of `core.errors.ACTIONS`.

    `target` is the id of the message, or of the project's document, that it acts on (None: the draft, or the thread);
    `name` the document's name;
    `limit` the soft limit in tokens that it sets, the tokens of the document that stay, or those that it saves; `ids`
    the messages of a summary, or of a pin to take away, or servers of tools; `cost_usd` what it costs (None: nothing,
    or not known), `most_usd` at most, `turn_usd` what a turn costs after it; `at_most`: it may cost less.
    """

    action: str
    target: str | None = None
    name: str = ""
    limit: int = 0
    ids: tuple[str, ...] = ()
    cost_usd: float | None = None
    most_usd: float | None = None
    turn_usd: float | None = None
    at_most: bool = False

    def label(self) -> str:
        """The words on the button: `Raise the limit to 250K`; the price is the caller's to add."""
        limit = f"{self.limit // 1_000:,}K" if self.limit >= 1_000 else str(self.limit)
        return Phrase(ACTIONS[self.action], {"limit": limit, "name": self.name})


def offered_limit(plan: ContextPlan) -> int | None:
    """The soft limit in tokens with which this request could be sent, or None if the model takes no more.

    One that holds all of it where the model has one, and some of the thread's usual turns: else the next question would
    leave out what it was raised for. Room alone is no reason to pass a price cliff.
    """
    upper, cliff = plan.tokens.upper, plan.model.price_cliff
    offered = min(_roomy(upper, TURNS_TO_COME * plan.advice.usual_turn), highest_soft(plan.model))
    if cliff is not None and upper <= cliff:
        offered = min(offered, cliff)
    return offered if plan.limits.soft < offered and upper * 5 <= offered * 6 else None


def refusal_remedies(plan: ContextPlan) -> tuple[Remedy, ...]:
    """Return the remedies for this refusal, best first; shortening the message and another model come last, always."""
    excess = plan.tokens.upper - plan.limits.emergency
    if plan.decision != "refuse" or excess <= 0:
        return ()
    anyway = (Remedy("send_anyway"),) if plan.only_uncertain else ()
    if limit_assumed(plan):  # who knows what the model takes has nothing to leave out
        anyway = (Remedy("set_limit"), *anyway)
    found = [*_raising(plan), *_switching_off(plan, excess), *_summarising(plan, excess)]
    beside = [*_documents(plan, excess), *_unpinning(plan, excess)]
    if plan.tokens.system > excess:
        beside.append(Remedy("edit_system"))
    kept = sum(message.tokens for message in plan.placement.messages)
    if plan.tokens.draft > excess or not (found or beside):
        first = all(item.tokens <= plan.tokens.draft for item in plan.advice.biggest)  # the text is what is largest
        beside.insert(0 if first else len(beside), Remedy("edit_draft"))
    found += beside
    if kept > excess:
        if _spoken_to(plan) >= FEWEST and kept > excess + summary_size(plan.limits):
            found.append(_summary("new_thread_summary", plan, _expected(plan, kept)))
        found.append(Remedy("new_thread"))
    return (*anyway, *found, Remedy("switch_model"))


def trim_remedies(plan: ContextPlan) -> tuple[Remedy, ...]:
    """Return the choices at a step: the answers to the plan's questions, and a summary of the messages left out."""
    found = [_remedy(option) for option in plan.advice.options]
    if plan.decision == "trim" and plan.advice.summary_due:
        found.append(_summary("summarise", plan, _left_out(plan), plan.advice.summary_due))
    return tuple(found)


def _raising(plan: ContextPlan) -> Iterator[Remedy]:
    yield from (_remedy(option) for option in plan.advice.options if option.action == "raise_limit")


def _remedy(option: PlanOption) -> Remedy:
    return Remedy(
        option.action,
        limit=option.limit,
        cost_usd=option.cost_usd,
        most_usd=option.most_usd,
        turn_usd=option.turn_usd,
        at_most=option.at_most,
    )


def _summarising(plan: ContextPlan, excess: int) -> Iterator[Remedy]:
    """Pins and a long beginning are all that a refused plan still keeps: a summary of them may be short enough."""
    size = summary_size(plan.limits)
    first = next((index for index, message in enumerate(plan.placement.messages) if message.role == "user"), 0)
    waiting = _waiting(plan)
    kept = [
        m for m in plan.placement.messages[first + 1 :] if m.tokens and m.id not in waiting and m.state != "summarised"
    ]
    if len(kept) >= FEWEST and sum(message.tokens for message in kept) - size > excess:
        tokens = sum(message.tokens for message in kept)
        ids = tuple(message.id for message in kept)
        yield _summary("summarise", plan, _expected(plan, tokens), ids)


def _summary(action: str, plan: ContextPlan, tokens: int, ids: tuple[str, ...] = ()) -> Remedy:
    """A summary of so many tokens. The price of a refused question that is sent behind it goes along."""
    cost, most = summary_price(plan.writer, tokens, summary_size(plan.limits)) or (None, None)
    if action == "summarise" and plan.decision == "refuse" and cost is not None and most is not None:
        rest = max(0, plan.tokens.upper - tokens) + summary_size(plan.limits)
        sent = request_cost(plan.model, rest, writes=plan.price.writes) or 0.0
        cost, most = cost + sent, most + sent
    return Remedy(action, ids=ids, cost_usd=cost, most_usd=most)


def _documents(plan: ContextPlan, excess: int) -> Iterator[Remedy]:
    """Documents that are large enough: taken out of the draft, or left out with the turn they stand in."""
    biggest = {(item.label, item.id): item.tokens for item in plan.advice.biggest}
    if plan.request.pending is not None:
        # neither the project's own are the draft's, nor what the app adds for this turn
        first, end = (
            0 if plan.request.history else plan.request.always,
            len(plan.request.pending.blocks) - plan.request.of_turn,
        )
        own = zip(plan.request.pending.blocks[first:end], plan.request.pending.sources[first:end], strict=True)
        typed = [block for block, source in own if source is None and isinstance(block, DocumentPart)]
        for document in sorted(typed, key=lambda one: -biggest.get((one.name, None), 0)):
            if (weighs := biggest.get((document.name, None), 0)) > excess:
                if (most := _first_that_fits(plan, weighs - excess)) and scanned_pdf(document) is None:
                    yield Remedy("shorten_document", name=document.name, limit=most)
                yield Remedy("remove_document", name=document.name)
    tokens = {message.id: message.tokens for message in plan.placement.messages}
    for message in plan.request.history:
        for block, source in zip(message.blocks, message.sources, strict=True):
            if source is not None and isinstance(block, DocumentPart) and tokens.get(source, 0) > excess:
                yield Remedy("exclude", target=source, name=block.name)
    for placed in sorted(plan.placement.documents, key=lambda one: -one.tokens)[:1] if plan.request.always else ():
        if placed.tokens > excess and placed.id:
            yield Remedy("search_instead", target=placed.id, name=placed.name)


def _first_that_fits(plan: ContextPlan, room: int) -> int:
    """Return how many tokens of a document to offer where it may have `room`: a round number, 0 where there is none.

    Half of the soft limit at most: the rest is for the answer and what is asked next, which would have to go else.
    """
    fits = min(FIRST_TOKENS, plan.limits.soft // 2, _expected(plan, room))
    step = next((step for step in (5_000, 1_000) if fits >= step), 0)
    return fits // step * step if step else 0


def _switching_off(plan: ContextPlan, excess: int) -> Iterator[Remedy]:
    """The fewest of the user's servers of tools that are heavy enough, the heaviest first."""
    saved, names = 0, list[str]()
    for item in plan.advice.tool_servers:
        saved += item.tokens
        names.append(item.label)
        if saved > excess:
            yield Remedy("tools_off", name=", ".join(names), limit=saved, ids=tuple(names))
            return


def _unpinning(plan: ContextPlan, excess: int) -> Iterator[Remedy]:
    pinned: list[PlacedMessage] = [message for message in plan.placement.messages if message.state == "pinned"]
    if sum(message.tokens for message in pinned) > excess:
        yield Remedy("unpin", ids=tuple(message.id for message in pinned))


def _expected(plan: ContextPlan, tokens: int) -> int:
    """Return the expected weight of a part of a refused plan, which is told at most: that weight is its cost."""
    return tokens * plan.tokens.expected // plan.tokens.total


def _waiting(plan: ContextPlan) -> frozenset[str | None]:
    return frozenset(() if plan.request.pending is None else plan.request.pending.sources)


def _spoken_to(plan: ContextPlan) -> int:
    return sum(1 for message in plan.placement.messages if message.state != "excluded")
