"""Every price that is offered, against what a server bills for the request that the choice then sends (CTX-16)."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from desktop_app.core.context.costs import uncached_cost, usage_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_questions import Remedy, refusal_remedies, trim_remedies
from desktop_app.core.messages import DocumentPart, Part, TextPart, Usage
from desktop_app.core.model_catalog import find_model
from desktop_app.ui.conversation.notices import summarised_first
from tests.controller.talks import SUMMARY
from tests.controller.test_over_the_wire import MODEL, anthropic
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.tokens import by_pieces

LINE = "the harbour master counted vessel number {n} under the old lighthouse, and wrote it down\n"


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(count_text=by_pieces) as running:
        yield running


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def world(api: MessagesApi, history: WatchedHistory, clock: HandClock) -> AsyncIterator[World]:
    backend = anthropic(api.url)
    made = await make_world(history, {backend.name: backend}, clock=clock)
    yield made
    await made.chat.close()
    await backend.close()
    assert api.violations == []


def text(tokens: int) -> str:
    lines = (LINE.format(n=n) for n in range(tokens // 14))
    return "".join(lines)


async def billed(world: World, thread: str, parts: tuple[Part, ...]) -> float:
    """What the request costs by the server's own usage, the answer left aside."""
    outcome = await world.chat.send(thread, parts)
    assert outcome.failure is None, outcome.failure
    assert outcome.message is not None
    usage = outcome.message.usage
    assert isinstance(usage, Usage)
    cost = usage_cost(find_model("anthropic", MODEL), replace(usage, output=0))
    assert cost is not None
    return cost


def holds(remedy: Remedy, cost: float) -> None:
    """The price was the request's."""
    assert remedy.cost_usd is not None
    assert remedy.most_usd is not None
    bounds(remedy.cost_usd, remedy.most_usd, cost)


def bounds(expected: float, most: float, cost: float) -> None:
    """What was billed never passed the bound, which is no empty one either."""
    assert cost <= most * 1.001
    assert expected == pytest.approx(cost, rel=0.25)
    assert most <= 1.5 * cost


async def test_raising_the_limit_on_the_card(world: World, api: MessagesApi) -> None:
    """$0.42 stood on the button, $0.57 was billed: the text is written to the cache, at its price."""
    thread = (await world.thread("anthropic", model=MODEL)).id
    book = text(260_000)
    draft = (DocumentPart("book.txt", book, hashlib.sha256(book.encode()).hexdigest()), TextPart("Sum this up"))
    plan = (await world.chat.prepared(thread)).plan(draft)
    assert plan.decision == "refuse"
    (raising,) = [remedy for remedy in refusal_remedies(plan) if remedy.action == "raise_limit"]
    await world.chat.set_soft_limit(thread, raising.limit)
    gauge = (await world.chat.prepared(thread)).plan(draft)
    assert (raising.cost_usd, raising.most_usd) == (gauge.price.cost_usd, gauge.price.most_usd)
    api.script(Answer("It is about ships."))
    holds(raising, await billed(world, thread, draft))


@pytest.mark.parametrize("action", ["keep_trimming", "raise_limit"])
async def test_the_first_crossing(world: World, api: MessagesApi, action: str) -> None:
    thread = (await world.thread("anthropic", model=MODEL)).id
    api.default = Answer(text(3_000))
    question = words(text(12_000))
    plan: ContextPlan | None = None
    for _ in range(14):
        plan = (await world.chat.prepared(thread)).plan(question)
        if plan.advice.asks:
            break
        await billed(world, thread, question)
    assert plan is not None
    assert plan.advice.asks == "first_crossing"
    (chosen,) = [remedy for remedy in trim_remedies(plan) if remedy.action == action]
    await world.chat.set_soft_limit(thread, chosen.limit)
    holds(chosen, await billed(world, thread, question))
    assert chosen.turn_usd is not None
    assert await billed(world, thread, words(text(12_000))) == pytest.approx(chosen.turn_usd, rel=0.3)


async def test_a_changed_system_prompt_has_the_thread_read_anew(world: World, api: MessagesApi) -> None:
    thread = (await world.thread("anthropic", model=MODEL, system="Be brief.")).id
    api.default = Answer(text(2_000))
    for _ in range(3):
        await billed(world, thread, words(text(9_000)))
    plan = (await world.chat.prepared(thread)).plan(words("And now?"))
    assert plan.price.cost_usd is not None
    assert plan.price.cost_usd < 0.03
    offered = uncached_cost(plan)
    assert offered is not None
    await world.chat.set_system(thread, "Be long.")
    bounds(*offered, await billed(world, thread, words("And now?")))


@pytest.mark.parametrize("action", ["send", "summarise"])
async def test_a_long_thread_that_is_opened_again(
    world: World, api: MessagesApi, clock: HandClock, action: str
) -> None:
    thread = (await world.thread("anthropic", model=MODEL, system="Be brief.")).id
    api.default = Answer(text(3_000))
    for _ in range(9):
        await billed(world, thread, words(text(5_000)))
    clock.advance(hours=3)
    api.clock.advance(3 * 3600)
    plan = (await world.chat.prepared(thread)).plan(words("And now?"))
    assert plan.advice.asks == "cold_reopen"
    (offer,) = [remedy for remedy in trim_remedies(plan) if remedy.action == action]
    cost = 0.0
    if action == "summarise":
        api.default = Answer(SUMMARY)
        outcome = await world.chat.summaries.start(thread, summarised_first(plan))
        assert outcome.summary is not None, outcome
        assert outcome.summary.cost_usd is not None
        cost = outcome.summary.cost_usd
    cost += await billed(world, thread, words("And now?"))
    assert offer.cost_usd is not None
    assert offer.most_usd is not None
    assert 0.7 * offer.cost_usd <= cost <= offer.most_usd * 1.001
    assert offer.most_usd <= 1.6 * cost
