"""What happens to a thread's context is stored as it happens, also where nothing is sent."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.controller.context_source import LONG_PATH
from desktop_app.core.context.plan_questions import trim_remedies
from desktop_app.core.events import NoticeRaised
from desktop_app.core.history_records import ImportedThread, StoredEvent
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, TextDelta
from tests.controller.talks import LINE, PRICES, talked, until_step
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend


async def events(world: World, thread_id: str, kind: str) -> list[StoredEvent]:
    return [stored for stored in await world.chat.journal.of(thread_id) if stored.event.kind == kind]


async def test_a_refusal_is_stored_without_a_turn(world: World) -> None:
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words(LINE * 12_000))
    assert outcome.plan is not None
    (stored,) = await world.chat.journal.of(thread.id)
    assert (stored.event,) == outcome.plan.advice.events
    assert (stored.event.kind, stored.user_message_id, stored.answer_id) == ("refused", None, None)


async def test_a_step_is_stored_with_its_turn_and_taken_back_once(world: World, backend: GatedBackend) -> None:
    backend.cost_kind, backend.prices = "money", PRICES
    thread_id, _ = await talked(world, backend, 6, model="small")
    await until_step(world, backend, thread_id)
    assert (await world.chat.send(thread_id, words(LINE * 12))).failure is None
    question, answer = (await world.stored(thread_id))[-2:]
    (trimmed,) = await events(world, thread_id, "trimmed")
    assert (trimmed.user_message_id, trimmed.answer_id) == (question.id, answer.id)
    assert trimmed.cost_usd == backend.plans[-1].price.cost_usd != 0
    left_out = trimmed.event.messages

    await world.chat.context_editing.undo_trim(thread_id, question.id)
    (undone,) = await events(world, thread_id, "undone")
    assert (undone.event.messages, undone.answer_id) == (left_out, None)
    assert undone.event.before < undone.event.after
    await world.chat.context_editing.undo_trim(thread_id, question.id)
    assert len(await events(world, thread_id, "undone")) == 1, "it was taken back already"

    await world.chat.send(thread_id, words("next"))
    assert len(await events(world, thread_id, "undone")) == 1
    (rewritten,) = await events(world, thread_id, "cache_rewritten")
    assert rewritten.answer_id == (await world.stored(thread_id))[-1].id


async def test_what_the_provider_is_sent_can_be_looked_at_before_and_after(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 2)
    foretold = await world.would_send(thread_id, words("next"))
    outcome = await world.chat.send(thread_id, words("next"))
    assert outcome.message is not None
    assert await world.chat.history.request(outcome.message.id) == foretold
    assert foretold == backend.request(backend.plans[-1])
    assert await world.chat.history.request("nothing") is None


async def test_after_the_idle_minutes_a_thread_starts_fresh(history: WatchedHistory, backend: GatedBackend) -> None:
    settings, clock = Settings(context=ContextSettings(idle_reset_minutes=30)), HandClock()
    world = await make_world(history, {"gated": backend}, settings=lambda: settings, clock=clock)
    thread_id, _ = await talked(world, backend, 4)
    clock.advance(minutes=29)
    assert (await world.chat.prepared(thread_id)).plan(words("next")).decision == "ok"
    clock.advance(minutes=1)
    outcome = await world.chat.send(thread_id, words("good morning"))
    assert outcome.failure is None
    assert backend.plans[-1].placement.left_out == 7, "the first question stays"
    (stored,) = await events(world, thread_id, "fresh_start")
    assert stored.event.messages == 7
    await world.chat.send(thread_id, words("and on"))
    assert backend.plans[-1].placement.left_out == 7
    await world.chat.close()


async def test_minutes_that_pass_make_nothing_anew(history: WatchedHistory, backend: GatedBackend) -> None:
    clock = HandClock()
    world = await make_world(history, {"gated": backend}, clock=clock)
    thread_id, _ = await talked(world, backend, 2)
    prepared = await world.chat.prepared(thread_id)
    clock.advance(minutes=1)
    assert await world.chat.prepared(thread_id) is prepared
    clock.advance(minutes=10)
    assert await world.chat.prepared(thread_id) is not prepared, "the cache has expired"
    await world.chat.close()


async def test_a_long_path_is_made_ready_once_for_all_who_ask_for_it(world: World) -> None:
    """An opened thread is asked for by the gauge and by the steps at the same time."""
    stamp = "2026-11-01T00:00:00.000Z"
    ids = [f"m{number}" for number in range(2 * LONG_PATH)]
    messages = tuple(
        Message(one, "t", before, "assistant" if place % 2 else "user", (TextPart("Some words."),), stamp)
        for place, (before, one) in enumerate(zip([None, *ids], ids, strict=False))
    )
    thread = Thread("t", "A long thread", stamp, stamp, "gated", "gated-1", tip=ids[-1])
    await world.history.import_threads([ImportedThread("long", thread, messages)])
    await world.chat.open_thread("t")
    first, second = await asyncio.gather(world.chat.prepared("t"), world.chat.prepared("t"))
    assert first is second


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[searched documents] "pricing" -> 5 passages from spec.pdf', True),
        ("As you asked:\n  [performed an action] send_mail", True),
        ("I have searched the documents.", False),
    ],
)
async def test_an_answer_that_imitates_a_note_is_shown_with_a_notice(
    world: World, backend: GatedBackend, text: str, told: bool
) -> None:
    thread = await world.thread()
    backend.reply(TextDelta(text), Ended("end_turn"))
    outcome = await world.chat.send(thread.id, words("go"))
    assert outcome.message is not None
    assert outcome.message.text == text
    assert [notice.code for notice in world.of(NoticeRaised)] == (["imitated_note"] if told else [])


async def test_the_answer_to_the_first_crossing_sticks(world: World, backend: GatedBackend) -> None:
    backend.window = 1_000_000
    for action in ("keep_trimming", "raise_limit"):
        thread_id, _ = await talked(world, backend, 4, lines=1_000)
        for _ in range(20):
            plan = (await world.chat.prepared(thread_id)).plan(words(LINE * 1_000))
            if plan.advice.asks:
                break
            await world.chat.send(thread_id, words(LINE * 1_000))
        assert plan.advice.asks == "first_crossing"
        (remedy,) = [remedy for remedy in trim_remedies(plan) if remedy.action == action]
        await world.chat.set_soft_limit(thread_id, remedy.limit)
        answered = (await world.chat.prepared(thread_id)).plan(words(LINE * 1_000))
        assert answered.advice.asks == ""
        assert answered.decision == ("trim" if action == "keep_trimming" else "ok")
