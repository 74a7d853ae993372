"""What would pass a cap is asked for first: nothing leaves, and the draft is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
import pytest_asyncio

from desktop_app.core.errors import ACTIONS
from desktop_app.core.events import MessageAdded, SendRefused
from desktop_app.core.history_records import CallRecord
from desktop_app.core.messages import Failure, Usage
from desktop_app.core.settings import Settings
from desktop_app.core.stream_events import Ended
from tests.controller.talks import LINE, PRICES, capped, summary_reply, talked, until_step
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend


@dataclass
class Purse:
    """A world whose settings change, whose clock is moved by hand, and whose backend costs money."""

    world: World
    backend: GatedBackend
    clock: HandClock
    settings: list[Settings] = field(default_factory=list)

    def cap(self, settings: Settings) -> None:
        self.settings[:] = [settings]

    async def spend(self, dollars: float, thread_id: str | None = None) -> None:
        now = self.clock.stamp()
        usage = Usage(input=1, output=1, cost_usd=dollars)
        call = CallRecord(self.clock.new_id(), thread_id, "test", "gated", "big", "money", now, now, usage)
        await self.world.history.record_call(call)


@pytest_asyncio.fixture
async def purse(history: WatchedHistory) -> AsyncIterator[Purse]:
    backend, clock = GatedBackend(cost_kind="money"), HandClock()
    backend.prices = PRICES
    settings = [Settings()]
    world = await make_world(history, {"gated": backend}, settings=lambda: settings[0], clock=clock)
    yield Purse(world, backend, clock, settings)
    await world.chat.close()


async def test_the_day_cap_is_told_in_words_and_nothing_leaves(purse: Purse) -> None:
    thread = await purse.world.thread()
    await purse.spend(4.93)
    purse.cap(capped(day=5.0))
    outcome = await purse.world.chat.send(thread.id, words(LINE * 6_000))
    expected = outcome.plan.price.cost_usd if outcome.plan is not None else None
    assert expected is not None
    assert outcome.failure == Failure(
        "config",
        f"This request would pass the cap of $5.00 a day: $4.93 spent, about ${expected:,.2f} expected. "
        "Nothing was sent; the draft is kept.",
        actions=("pass_cap", "edit_caps"),
    )
    assert set(outcome.failure.actions) <= set(ACTIONS)
    assert purse.backend.plans == []
    assert purse.world.of(MessageAdded) == []
    assert purse.world.of(SendRefused) == [SendRefused(thread.id, outcome.failure, outcome.plan)]
    assert (await purse.world.history.thread(thread.id)).draft == LINE * 6_000


async def test_a_cap_that_is_passed_already_is_said_to_be(purse: Purse) -> None:
    """$1.05 spent, about <$0.01 expected: the cap of $1.00 had been passed long before."""
    thread = await purse.world.thread()
    await purse.spend(1.05)
    purse.cap(capped(day=1.0))
    outcome = await purse.world.chat.send(thread.id, words("short"))
    assert outcome.failure is not None
    assert outcome.failure.message == (
        "The cap of $1.00 a day is passed: $1.05 spent. Nothing was sent; the draft is kept."
    )


async def test_the_user_may_pass_it_this_once(purse: Purse) -> None:
    thread = await purse.world.thread()
    await purse.spend(6.0)
    purse.cap(capped(day=5.0))
    assert (await purse.world.chat.send(thread.id, words("one"), pass_cap=True)).failure is None
    again = await purse.world.chat.send(thread.id, words("two"))
    assert again.failure is not None
    assert "pass_cap" in again.failure.actions
    refused = await purse.world.chat.retry(thread.id)
    assert refused.failure is not None
    assert (await purse.world.chat.retry(thread.id, pass_cap=True)).failure is None


async def test_what_fits_under_the_cap_is_sent(purse: Purse) -> None:
    thread = await purse.world.thread()
    await purse.spend(4.9)
    purse.cap(capped(day=5.0))
    assert (await purse.world.chat.send(thread.id, words("short"))).failure is None


async def test_a_day_ends_at_midnight_utc(purse: Purse) -> None:
    thread = await purse.world.thread()
    await purse.spend(6.0)
    purse.cap(capped(day=5.0))
    purse.clock.advance(hours=11, minutes=59)
    assert (await purse.world.chat.send(thread.id, words("one"))).failure is not None
    purse.clock.advance(minutes=2)
    assert (await purse.world.chat.send(thread.id, words("one"))).failure is None


async def test_the_cap_of_a_thread_is_its_own_and_knows_no_midnight(purse: Purse) -> None:
    rich, poor = await purse.world.thread(), await purse.world.thread()
    await purse.spend(2.0, rich.id)
    purse.clock.advance(days=3)
    purse.cap(capped(thread=1.0))
    refused = await purse.world.chat.send(rich.id, words("one"))
    assert refused.failure is not None
    assert refused.failure.message.startswith("The cap of $1.00 for this thread is passed: $2.00 spent.")
    assert (await purse.world.chat.send(poor.id, words("one"))).failure is None


@pytest.mark.parametrize("kind", ["free", "plan"])
async def test_only_money_is_capped(purse: Purse, kind: str) -> None:
    thread = await purse.world.thread()
    await purse.spend(6.0)
    purse.backend.cost_kind = "free" if kind == "free" else "plan"
    purse.cap(capped(day=5.0, thread=0.5))
    assert (await purse.world.chat.send(thread.id, words("one"))).failure is None
    rows = {row.purpose: row.cost_kind for row in await purse.world.history.ledger()}
    assert rows == {"test": "money", "chat": kind}


async def test_an_unknown_price_counts_as_nothing(purse: Purse) -> None:
    thread = await purse.world.thread()
    purse.backend.prices = None
    await purse.spend(4.9)
    purse.cap(capped(day=5.0))
    assert (await purse.world.chat.send(thread.id, words(LINE * 6_000))).failure is None


async def test_a_summary_by_hand_obeys_the_cap(purse: Purse) -> None:
    thread_id, ids = await talked(purse.world, purse.backend, 8)
    await purse.spend(6.0)
    purse.cap(capped(day=5.0))
    sent = len(purse.backend.plans)
    outcome = await purse.world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.failure is not None
    assert outcome.failure.actions == ("pass_cap", "edit_caps")
    assert "The cap of $5.00 a day is passed: $6.00 spent." in outcome.problem
    assert outcome.problem.endswith("Nothing was sent.")
    assert len(purse.backend.plans) == sent
    purse.backend.reply(*summary_reply())
    passed = await purse.world.chat.summaries.start(thread_id, ids[2:14], pass_cap=True)
    assert passed.summary is not None
    assert passed.summary.cost_usd == pytest.approx(0.01)


async def test_a_step_with_its_summary_is_weighed_together(purse: Purse) -> None:
    thread_id, _ = await talked(purse.world, purse.backend, 6, model="small")
    await until_step(purse.world, purse.backend, thread_id)
    plan = (await purse.world.chat.prepared(thread_id)).plan(words(LINE * 12))
    assert plan.price.cost_usd is not None
    spent = await purse.world.history.spent_usd(since="2026")
    # Enough for the request, not for request and summary.
    purse.cap(capped(thread=spent + plan.price.cost_usd * 1.2, summarise=True))
    sent = len(purse.backend.plans)
    refused = await purse.world.chat.send(thread_id, words(LINE * 12))
    assert refused.failure is not None
    assert "cap" in refused.failure.message
    assert refused.plan is not None
    assert len(purse.backend.plans) == sent
    assert (await purse.world.history.thread(thread_id)).draft == LINE * 12
    purse.backend.reply(*summary_reply())
    assert (await purse.world.chat.send(thread_id, words(LINE * 12), pass_cap=True)).failure is None
    assert len(purse.backend.plans) == sent + 2


async def test_what_a_clock_that_ran_ahead_has_spent_is_not_of_this_day(purse: Purse) -> None:
    thread = await purse.world.thread()
    purse.clock.moved[0] += timedelta(days=3_650)
    await purse.spend(4.0, thread.id)
    purse.clock.moved[0] -= timedelta(days=3_650)
    purse.cap(capped(day=1.0))
    purse.backend.reply(Ended("end_turn"))
    assert (await purse.world.chat.send(thread.id, words("short"))).failure is None
    purse.cap(capped(thread=1.0))
    assert (await purse.world.chat.send(thread.id, words("short"))).failure is not None
