"""What is too long is not sent, what is trimmed is told, and the provider is asked only where that can help."""

from __future__ import annotations

import pytest_asyncio

from desktop_app.core.context.plan_questions import offered_limit
from desktop_app.core.events import DraftSaved, NoticeRaised, SendRefused, TurnStarted
from desktop_app.core.messages import Usage
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import World, words
from tests.fakes.gated_backend import GatedBackend

LINE = "The mark on the hull shows how deep the ship may be loaded before she sails again. "
LONG = LINE * (900_000 // len(LINE))
"""900 KB of English."""


async def test_900_kb_are_refused_with_the_count_and_nothing_is_sent(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words(LONG))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert "180,000" in outcome.failure.message
    assert outcome.plan is not None
    assert f"{outcome.plan.tokens.upper:,}" in outcome.failure.message
    assert outcome.failure.message.startswith("This message is too long to send (")
    assert "edit_draft" in outcome.failure.actions
    assert backend.plans == []
    assert await world.stored(thread.id) == ()
    assert (await world.history.thread(thread.id)).draft == LONG
    assert world.of(SendRefused) == [SendRefused(thread.id, outcome.failure, outcome.plan)]
    assert world.of(DraftSaved) == [DraftSaved(thread.id, LONG)]
    assert not world.chat.running(thread.id)


async def test_nobody_is_asked_where_even_the_lowest_estimate_is_too_long(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.count = 1
    outcome = await world.chat.send(thread.id, words(LONG * 2))
    assert outcome.failure is not None
    assert backend.counted == []
    assert backend.plans == []


async def test_a_refused_thread_goes_on_with_a_shorter_message(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words(LONG))
    assert (await world.chat.send(thread.id, words("short"))).failure is None
    assert (await world.history.thread(thread.id)).draft == LONG, "what was kept is not what was sent"


@pytest_asyncio.fixture
async def near_limit(world: World, backend: GatedBackend) -> str:
    """A text whose estimate is under the emergency limit, but not with its error."""
    thread = await world.thread()
    prepared = await world.chat.prepared(thread.id)
    unit = prepared.plan(words(LINE * 1_000)).tokens
    each = (unit.total + unit.sigma) / 1_000
    return LINE * int(180_000 / each)


async def test_a_close_call_is_measured_once_and_sent(world: World, backend: GatedBackend, near_limit: str) -> None:
    thread = await world.thread()
    backend.count = 170_000
    outcome = await world.chat.send(thread.id, words(near_limit))
    assert outcome.failure is None
    assert len(backend.counted) == 1
    (sent,) = backend.plans
    assert (sent.tokens.source, sent.tokens.total) == ("measured", 170_000)
    assert sent.decision != "refuse"


async def test_a_measured_count_above_the_limit_is_the_one_named(
    world: World, backend: GatedBackend, near_limit: str
) -> None:
    thread = await world.thread()
    backend.count = 183_412
    outcome = await world.chat.send(thread.id, words(near_limit))
    assert outcome.failure is not None
    assert "183,412" in outcome.failure.message
    assert "180,000" in outcome.failure.message
    assert backend.plans == []


async def test_where_nobody_counts_the_estimate_decides(world: World, backend: GatedBackend, near_limit: str) -> None:
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words(near_limit))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert len(backend.counted) == 1


async def test_an_accepted_limit_lets_one_request_pass(backend: GatedBackend, world: World) -> None:
    backend.window = 1_000_000
    thread = await world.thread()
    refused = await world.chat.send(thread.id, words(LONG))
    assert refused.failure is not None
    assert refused.plan is not None
    assert refused.failure.actions[0] == "raise_limit"
    accepted = await world.chat.send(thread.id, words(LONG), accept_limit=offered_limit(refused.plan))
    assert accepted.failure is None
    assert (await world.history.thread(thread.id)).soft_limit is None


async def test_the_threads_own_soft_limit_counts(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    changed = await world.chat.set_soft_limit(thread.id, 20_000)
    assert changed.soft_limit == 20_000
    assert (await world.chat.prepared(thread.id)).plan(words("x")).limits.soft == 20_000
    await world.chat.set_soft_limit(thread.id, None)
    assert (await world.chat.prepared(thread.id)).plan(words("x")).limits.soft == 150_000


async def full_thread(world: World, backend: GatedBackend) -> str:
    """A thread of a small model that the next message fills over its soft limit."""
    thread = await world.thread(model="small")
    for _ in range(14):
        backend.reply(TextDelta(LINE * 15), Ended("end_turn"))
        outcome = await world.chat.send(thread.id, words(LINE * 15))
        assert outcome.failure is None
    return thread.id


async def test_a_trim_is_told_and_its_boundary_is_kept_with_the_question(world: World, backend: GatedBackend) -> None:
    thread_id = await full_thread(world, backend)
    trims = [started.plan for started in world.of(TurnStarted) if started.plan.decision == "trim"]
    assert trims
    notices = [notice for notice in world.of(NoticeRaised) if notice.code == "trimmed"]
    assert len(notices) == len(trims)
    assert str(trims[0].placement.newly_left_out) in notices[0].message
    assert "left out" in notices[0].message
    kept = [message.window for message in await world.stored(thread_id) if message.window is not None]
    assert kept == [plan.placement.boundary for plan in trims]
    later = (await world.chat.prepared(thread_id)).plan(())
    assert later.placement.boundary == kept[-1]


async def test_a_measured_thread_goes_on_after_a_trim(world: World, backend: GatedBackend) -> None:
    thread = await world.thread(model="small")
    trims = 0
    while trims < 2 or backend.plans[-1].decision == "trim":
        outcome = await world.chat.send(thread.id, words(LINE * 40))
        assert outcome.failure is None
        trims += backend.plans[-1].decision == "trim"
    assert len(backend.plans) < 40


async def test_the_estimator_learns_from_what_the_provider_counted(
    world: World, backend: GatedBackend, history: SqliteHistory
) -> None:
    thread = await world.thread()
    for _ in range(4):
        before = (await world.chat.prepared(thread.id)).plan(words(LINE * 50)).tokens.total
        usage = UsageReported(Usage(input=before * 2, output=5), "big")
        backend.reply(TextDelta("yes"), usage, Ended("end_turn"))
        await world.chat.send(thread.id, words(LINE * 50))
    weights = await history.token_weights("gated", "big")
    assert weights is not None
    assert weights.observations > 0


async def test_a_prepared_context_is_kept_until_something_changes(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    prepared = await world.chat.prepared(thread.id)
    assert await world.chat.prepared(thread.id) is prepared
    await world.chat.set_system(thread.id, "Be brief.")
    changed = await world.chat.prepared(thread.id)
    assert changed is not prepared
    await world.chat.send(thread.id, words("two"))
    assert await world.chat.prepared(thread.id) is not changed


async def test_what_has_to_stay_above_the_soft_limit_is_sent_and_told(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    await world.chat.set_soft_limit(thread.id, 10_000)
    each = (await world.chat.prepared(thread.id)).plan(words(LINE * 100)).tokens.total / 100
    backend.count = 11_000
    outcome = await world.chat.send(thread.id, words(LINE * int(10_800 / each)))
    assert outcome.failure is None
    (sent,) = backend.plans
    assert sent.limits.soft < sent.tokens.total <= sent.limits.emergency
    (notice,) = [notice for notice in world.of(NoticeRaised) if notice.code == "limit_passed"]
    assert "over your limit of 10K" in notice.message
    assert (await world.chat.send(thread.id, words("short"))).failure is None
