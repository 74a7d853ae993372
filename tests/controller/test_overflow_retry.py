"""What a provider finds too long teaches its real window, and is tried once more with less; never the same twice."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.errors import ACTIONS
from desktop_app.core.events import NoticeRaised, SendRefused, TurnFailed
from desktop_app.core.messages import Failure
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said

LINE = "The mark on the hull shows how deep the ship may be loaded before she sails again. "
NO_SIZE = Failure("context_limit", "The prompt is too long.", "HTTP 400 prompt is too long")


def sized(sent: int, most: int) -> Failure:
    return Failure("context_limit", "The prompt is too long.", f"prompt is too long: {sent} tokens > {most} maximum")


@pytest_asyncio.fixture
async def long_thread(world: World, backend: GatedBackend) -> str:
    """A thread of 60 messages, about 120,000 tokens."""
    thread = await world.thread()
    for _ in range(30):
        backend.reply(TextDelta(LINE * 120), Ended("end_turn"))
        assert (await world.chat.send(thread.id, words(LINE * 120))).failure is None
    return thread.id


async def test_it_is_tried_once_more_with_half_of_what_is_left(
    world: World, backend: GatedBackend, long_thread: str
) -> None:
    sent = len(backend.plans)
    backend.reply(Failed(NO_SIZE))
    outcome = await world.chat.send(long_thread, words("and now?"))
    assert outcome.failure is None
    first, second = backend.plans[sent:]
    learned = first.tokens.total // 2
    assert second.request.shrunk
    assert second.tokens.total <= learned * 3 // 4 // 2
    assert second.model.window_source == "learned"
    notices = [notice for notice in world.of(NoticeRaised) if notice.code in {"learned_window", "overflow", "trimmed"}]
    assert [notice.code for notice in notices[-3:]] == ["learned_window", "overflow", "trimmed"]
    failed, answered = (await world.stored(long_thread))[-2:]
    assert (failed.state, answered.state) == ("error", "complete")
    assert failed.parent_id == answered.parent_id
    assert answered.window == second.placement.boundary, "the question stands already: the answer carries the boundary"


async def test_what_was_learned_is_kept_for_every_later_request(
    world: World, backend: GatedBackend, history: WatchedHistory, long_thread: str
) -> None:
    tokens = (await world.chat.prepared(long_thread)).plan(()).tokens.total
    backend.reply(Failed(sized(tokens * 5 // 4, 100_000)))
    assert (await world.chat.send(long_thread, words("and now?"))).failure is None
    assert await world.chat.windows.of("gated", "big") == 100_000
    (event,) = [e.event for e in await world.chat.journal.of(long_thread) if e.event.kind == "learned_window"]
    assert (event.before, event.after, event.model) == (200_000, 100_000, "big")

    later = await make_world(history, world.backends)
    plan = (await later.chat.prepared(long_thread)).plan(())
    assert (plan.limits.window, plan.model.window_source) == (100_000, "learned")
    await later.chat.forget_learned_window("gated", "big")
    assert (await later.chat.prepared(long_thread)).plan(()).limits.window == 200_000
    assert await later.chat.windows.of("gated", "big") is None
    assert await history.learned_windows() == {}
    await later.chat.close()


async def test_another_process_is_heard_of(world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    other = await WatchedHistory.open(tmp_path / "history.db")
    await other.save_learned_window("gated", "big", 50_000)
    await other.close()
    assert await world.chat.watch.look()
    assert (await world.chat.prepared(thread.id)).plan(()).limits.window == 50_000


async def test_the_users_own_window_wins_over_what_was_learned(backend: GatedBackend, world: World) -> None:
    thread = await world.thread()
    backend.override = ModelOverride(window=90_000)
    backend.reply(Failed(sized(90_000, 40_000)))
    await world.chat.send(thread.id, words("short"))
    assert await world.chat.windows.of("gated", "big") == 40_000
    assert (await world.chat.prepared(thread.id)).plan(()).limits.window == 90_000
    (notice,) = [notice for notice in world.of(NoticeRaised) if notice.code == "learned_window"]
    assert "setting" in notice.message


async def test_too_long_twice_is_a_failure_with_actions(world: World, backend: GatedBackend, long_thread: str) -> None:
    sent = len(backend.plans)
    backend.reply(Failed(NO_SIZE))
    backend.reply(Failed(NO_SIZE))
    outcome = await world.chat.send(long_thread, words("and now?"))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert len(backend.plans) == sent + 2
    assert outcome.failure.actions == ("new_thread_summary", "new_thread", "switch_model")
    assert set(outcome.failure.actions) <= set(ACTIONS)
    assert NO_SIZE.detail in outcome.failure.detail
    assert world.of(TurnFailed)[-1].failure == outcome.failure
    stored = (await world.stored(long_thread))[-1]
    assert (stored.failure, stored.state) == (outcome.failure, "error")
    assert (await world.history.thread(long_thread)).choices == NO_CHOICES


async def test_the_same_bytes_never_go_twice(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(Failed(NO_SIZE))
    outcome = await world.chat.send(thread.id, words("short, but too long for this provider"))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert outcome.failure.actions == ("new_thread", "switch_model")
    assert len(backend.plans) == 1
    assert world.of(SendRefused) == [], "one card, in the answer's place"
    assert len(world.of(TurnFailed)) == 1


async def test_asking_again_sends_other_bytes_or_none(world: World, backend: GatedBackend, long_thread: str) -> None:
    sent = len(backend.plans)
    for _ in range(4):
        backend.reply(Failed(NO_SIZE))
    await world.chat.send(long_thread, words("and now?"))
    for _ in range(2):
        await world.chat.retry(long_thread)
    texts = [str(said(plan)) for plan in backend.plans[sent:]]
    assert len(texts) > 2
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("summarise", [False, True])
async def test_no_model_is_asked_for_a_summary_on_this_path(
    history: WatchedHistory, backend: GatedBackend, summarise: bool
) -> None:
    settings = Settings(context=ContextSettings(summarize_on_trim=summarise))
    world = await make_world(history, {"gated": backend}, settings=lambda: settings)
    thread = await world.thread()
    for _ in range(30):
        backend.reply(TextDelta(LINE * 120), Ended("end_turn"))
        await world.chat.send(thread.id, words(LINE * 120))
    sent = len(backend.plans)
    backend.reply(Failed(NO_SIZE))
    assert (await world.chat.send(thread.id, words("and now?"))).failure is None
    assert len(backend.plans) == sent + 2
    assert (await history.thread(thread.id)).choices.summaries == ()
    await world.chat.close()


async def test_a_stop_during_the_retry_keeps_the_question(
    world: World, backend: GatedBackend, long_thread: str
) -> None:
    gate = Gate()
    backend.reply(Failed(NO_SIZE))
    backend.reply(TextDelta("half"), gate)
    task = world.chat.start_send(long_thread, words("and now?"))
    await gate.arrive()
    await world.chat.stop(long_thread)
    outcome = await task
    assert outcome.stop_reason == "interrupted"
    assert [message.text for message in (await world.chat.open_thread(long_thread)).path[-2:]] == ["and now?", "half"]


async def test_what_fails_after_its_first_words_is_no_overflow(
    world: World, backend: GatedBackend, long_thread: str
) -> None:
    sent = len(backend.plans)
    backend.reply(TextDelta("some"), Failed(NO_SIZE))
    outcome = await world.chat.send(long_thread, words("and now?"))
    assert outcome.failure == NO_SIZE
    assert len(backend.plans) == sent + 1
    assert await world.chat.windows.of("gated", "big") is None
