"""Before a thread passes its soft limit for the first time, whoever is there to answer is asked (CTX-14)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from desktop_app.core.context.plan_questions import trim_remedies
from desktop_app.core.errors import UserError
from desktop_app.core.events import CrossingAsked, MessageAdded, SendRefused, TurnStarted
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Failed
from tests.controller.talks import LINE, talked
from tests.controller.world import World, words
from tests.fakes.gated_backend import GatedBackend

BIG = words(LINE * 1_000)


async def full(world: World, backend: GatedBackend) -> tuple[str, list[str]]:
    """A thread near its soft limit, with a model that takes a million tokens; its path's ids."""
    backend.window = 1_000_000
    thread_id, _ = await talked(world, backend, 4, lines=1_000)
    while not (await world.chat.prepared(thread_id)).plan(BIG).advice.asks:
        assert (await world.chat.send(thread_id, BIG)).failure is None
    ids = [message.id for message in (await world.chat.open_thread(thread_id)).path]
    world.heard.clear()
    backend.plans.clear()
    return thread_id, ids


def nothing_was_sent(world: World, backend: GatedBackend) -> bool:
    said = [fact for fact in world.heard if isinstance(fact, MessageAdded | TurnStarted | SendRefused)]
    return not (backend.plans or said)


async def test_who_can_answer_is_asked_and_nothing_is_sent(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await full(world, backend)
    outcome = await world.chat.start_send(thread_id, BIG, ask_first=True)
    (asked,) = world.of(CrossingAsked)
    assert (asked.thread_id, asked.plan.advice.asks) == (thread_id, "first_crossing")
    assert [option.action for option in asked.plan.advice.options] == ["keep_trimming", "raise_limit"]
    assert (outcome.message, outcome.failure, outcome.plan) == (None, None, asked.plan)
    assert nothing_was_sent(world, backend)
    assert [message.id for message in (await world.chat.open_thread(thread_id)).path] == ids
    assert not world.chat.running(thread_id)


async def test_who_can_not_answer_keeps_to_the_limit(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await full(world, backend)
    outcome = await world.chat.start_send(thread_id, BIG)
    assert outcome.failure is None
    assert world.of(CrossingAsked) == []
    assert [plan.decision for plan in backend.plans] == ["trim"]


@pytest.mark.parametrize("action", ["keep_trimming", "raise_limit"])
async def test_an_answer_is_enough_for_the_thread(world: World, backend: GatedBackend, action: str) -> None:
    thread_id, _ = await full(world, backend)
    await world.chat.start_send(thread_id, BIG, ask_first=True)
    (asked,) = world.of(CrossingAsked)
    (remedy,) = [remedy for remedy in trim_remedies(asked.plan) if remedy.action == action]
    await world.chat.set_soft_limit(thread_id, remedy.limit)
    outcome = await world.chat.start_send(thread_id, BIG, ask_first=True)
    assert outcome.message is not None
    assert [plan.decision for plan in backend.plans] == ["trim" if action == "keep_trimming" else "ok"]
    assert len(world.of(CrossingAsked)) == 1


Ask = Callable[[World, str, list[str]], Awaitable[asyncio.Task[object]]]


async def edited(world: World, thread_id: str, ids: list[str]) -> asyncio.Task[object]:
    return await world.chat.start_edit(thread_id, ids[-2], words(LINE * 4_000), ask_first=True)


async def continued(world: World, thread_id: str, _ids: list[str]) -> asyncio.Task[object]:
    return world.chat.start_continue(thread_id, BIG[0].text, ask_first=True)


@pytest.mark.parametrize("ask", [edited, continued])
async def test_what_is_asked_beside_the_draft_is_asked_about_too(world: World, backend: GatedBackend, ask: Ask) -> None:
    thread_id, ids = await full(world, backend)
    await (await ask(world, thread_id, ids))
    assert len(world.of(CrossingAsked)) == 1
    assert nothing_was_sent(world, backend)


@pytest.mark.parametrize("regenerate", [False, True])
async def test_an_answer_again_is_asked_about_too(world: World, backend: GatedBackend, regenerate: bool) -> None:
    """The limit had been raised for this one request, whose answer failed."""
    thread_id, _ = await full(world, backend)
    backend.reply(Failed(Failure("overloaded", "Busy.")))
    answer = (await world.chat.send(thread_id, BIG, accept_limit=300_000)).message
    assert answer is not None
    world.heard.clear()
    backend.plans.clear()
    again = (
        await (await world.chat.start_regenerate(thread_id, answer.id, ask_first=True))
        if regenerate
        else await world.chat.start_retry(thread_id, ask_first=True)
    )
    assert again.message is None
    assert len(world.of(CrossingAsked)) == 1
    assert nothing_was_sent(world, backend)


async def test_where_no_plan_can_be_made_sending_says_why(
    world: World, backend: GatedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread_id, _ = await full(world, backend)

    async def unreadable(*_: object, **__: object) -> None:
        raise UserError("store", "It can't be read.")

    monkeypatch.setattr(world.history, "thread", unreadable)
    world.chat.open_threads.forget_all()
    outcome = await world.chat.start_send(thread_id, BIG, ask_first=True)
    assert outcome.failure is not None
    assert outcome.failure.message == "It can't be read."
    assert world.of(CrossingAsked) == []


async def test_stopping_before_it_is_asked_sends_nothing(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await full(world, backend)
    task = world.chat.start_send(thread_id, BIG, ask_first=True)
    await asyncio.sleep(0)  # it has begun
    await world.chat.stop(thread_id)
    outcome = await task
    assert outcome.message is None
    assert backend.plans == []
    assert not world.chat.running(thread_id)
