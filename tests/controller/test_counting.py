"""A count that a provider was asked for is kept with the draft; who does not wish it is not asked (CTX-5, CTX-10)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from desktop_app.controller.private_history import PrivateHistory
from desktop_app.core.context.plan import ContextPlan, RequestHasher
from desktop_app.core.model_catalog import Prices
from desktop_app.core.settings import ContextSettings, CostSettings, Settings
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend

LINE = "The mark on the hull shows how deep the ship may be loaded before she sails again. "
TOO_MANY = 181_000
PRICES = Prices(3, 15, 0.3, 3.75, 6)


class Counting:
    """A controller over a backend that counts on its provider's side, and a text that may be too long."""

    def __init__(self, world: World, backend: GatedBackend, settings: list[Settings]) -> None:
        self.world, self.backend, self._settings = world, backend, settings

    def set(self, settings: Settings) -> None:
        self._settings[:] = [settings]

    async def doubtful(self, thread_id: str) -> str:
        """A text whose estimate is under the emergency limit, but not with its error."""
        unit = (await self.world.chat.prepared(thread_id)).plan(words(LINE * 1_000)).tokens
        return LINE * int(180_000 * 1_000 / (unit.total + unit.sigma))

    async def shown(self, thread_id: str, text: str) -> ContextPlan:
        """What the gauge would show."""
        return (await self.world.chat.prepared(thread_id)).plan(words(text))


@pytest_asyncio.fixture
async def counting(with_private: PrivateHistory) -> AsyncIterator[Counting]:
    backend = GatedBackend(cost_kind="money")
    backend.count = TOO_MANY
    current = [Settings()]
    world = await make_world(with_private, {"gated": backend}, settings=lambda: current[0])
    yield Counting(world, backend, current)
    await world.chat.close()


async def test_the_count_of_a_refused_draft_is_shown_until_the_draft_changes(counting: Counting) -> None:
    world, thread = counting.world, await counting.world.thread()
    text = await counting.doubtful(thread.id)
    assert (await counting.shown(thread.id, text)).tokens.source == "estimated"
    outcome = await world.chat.send(thread.id, words(text))
    assert outcome.failure is not None
    assert f"({TOO_MANY:,} tokens, limit 180,000). Counted by Gated, not sent to a model" in outcome.failure.message
    assert "send_anyway" not in outcome.failure.actions
    shown = await counting.shown(thread.id, text)
    assert shown == outcome.plan
    assert (shown.tokens.total, shown.tokens.source, shown.counted_by) == (TOO_MANY, "measured", "Gated")
    assert (await counting.shown(thread.id, text + "x")).tokens.source == "estimated"
    await world.chat.send(thread.id, words(text))
    assert len(counting.backend.counted) == 1
    assert (await world.chat.send(thread.id, words("short"))).failure is None
    assert (await world.history.thread(thread.id)).draft_count is None
    assert counting.backend.plans[0].request.pending is not None


async def test_another_process_shows_the_count_and_asks_nobody(counting: Counting, history: WatchedHistory) -> None:
    thread = await counting.world.thread()
    text = await counting.doubtful(thread.id)
    await counting.world.chat.send(thread.id, words(text))
    elsewhere = GatedBackend(cost_kind="money")
    world = await make_world(history, {"gated": elsewhere})
    plan = (await world.chat.prepared(thread.id)).plan(words(f"\n{text.strip()}\n"))
    assert (plan.tokens.total, plan.counted_by, elsewhere.counted) == (TOO_MANY, "Gated", [])
    await world.chat.close()


async def test_a_count_that_lets_the_draft_pass_stays_where_a_cap_holds_it(counting: Counting) -> None:
    counting.backend.count = 170_000
    counting.backend.prices = PRICES
    counting.set(Settings(costs=CostSettings(day_cap_usd=0.01)))
    thread = await counting.world.thread()
    text = await counting.doubtful(thread.id)
    outcome = await counting.world.chat.send(thread.id, words(text))
    assert outcome.failure is not None
    assert outcome.failure.message.endswith("Counted by Gated, not sent to a model; the draft is kept.")
    kept = (await counting.world.history.thread(thread.id)).draft_count
    assert kept is not None
    assert (kept.tokens, kept.by) == (170_000, "Gated")
    assert (await counting.shown(thread.id, text)).decision == "ok"


@pytest.mark.parametrize("private", [False, True])
async def test_who_does_not_wish_it_is_not_counted_elsewhere(counting: Counting, private: bool) -> None:
    if not private:
        counting.set(Settings(context=ContextSettings(ask_provider_to_count=False)))
    thread = await counting.world.thread(private=private)
    outcome = await counting.world.chat.send(thread.id, words(await counting.doubtful(thread.id)))
    assert outcome.failure is not None
    assert outcome.failure.message.endswith("Nothing was sent; the draft is kept.")
    assert outcome.failure.actions[0] == "send_anyway"
    assert (counting.backend.counted, counting.backend.plans) == ([], [])


async def test_what_only_may_be_too_long_is_sent_anyway_with_the_rest_of_the_window_for_the_answer(
    counting: Counting,
) -> None:
    counting.backend.count = None
    thread = await counting.world.thread()
    text = await counting.doubtful(thread.id)
    refused = (await counting.world.chat.send(thread.id, words(text))).plan
    assert refused is not None
    assert refused.only_uncertain
    outcome = await counting.world.chat.start_send(thread.id, words(text), send_anyway=True)
    (sent,) = counting.backend.plans
    assert (outcome.failure, sent.decision) == (None, "ok")
    assert sent.tokens.total == refused.tokens.expected < 180_000 < refused.tokens.total == sent.tokens.upper
    assert sent.limits.max_output == min(sent.model.max_output, sent.model.window - sent.tokens.total)


async def test_a_request_that_was_accepted_goes_and_no_other_one(counting: Counting) -> None:
    counting.backend.count = None
    chat, thread = counting.world.chat, await counting.world.thread()
    text = await counting.doubtful(thread.id)
    refused = (await chat.send(thread.id, words(text))).plan
    assert refused is not None
    chat.sender.accept_uncertain(thread.id, refused)
    assert (await chat.send(thread.id, words(f"Another. {text}"))).failure is not None
    assert (await chat.send(thread.id, words(text))).failure is None


async def test_what_is_too_long_by_its_count_or_its_estimate_goes_by_no_wish(counting: Counting) -> None:
    chat, thread = counting.world.chat, await counting.world.thread()
    text = await counting.doubtful(thread.id)
    counted = await chat.start_send(thread.id, words(text), send_anyway=True)
    longer = await chat.start_send(thread.id, words(text * 2), send_anyway=True)
    assert counted.failure is not None
    assert longer.failure is not None
    assert counting.backend.plans == []


async def test_a_key_in_a_counted_draft_hashes_nothing(counting: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = await counting.world.thread()
    text = await counting.doubtful(thread.id)
    await counting.world.chat.send(thread.id, words(text))
    prepared = await counting.world.chat.prepared(thread.id)
    hashed: list[ContextPlan] = []
    of = RequestHasher.of

    def watched(self: RequestHasher, plan: ContextPlan) -> str:
        hashed.append(plan)
        return of(self, plan)

    monkeypatch.setattr(RequestHasher, "of", watched)
    assert prepared.plan(words(text + "x")).tokens.source == "estimated"
    assert hashed == []
    assert prepared.plan(words(text)).tokens.source == "measured"
    assert len(hashed) == 1
