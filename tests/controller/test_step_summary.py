"""With the setting on, what a request leaves out is summarised before it leaves; without luck it leaves without one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.context.summary_request import PROBLEMS
from desktop_app.core.events import MessageAdded, NoticeRaised, SendRefused
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Failed, StreamEvent, TextDelta
from tests.controller.talks import LINE, SUMMARISING, SUMMARY, summary_reply, talked, until_step
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


@pytest_asyncio.fixture
async def summarising(history: WatchedHistory, backend: GatedBackend) -> AsyncIterator[World]:
    """A controller that summarises what is left out."""
    made = await make_world(history, {"gated": backend}, settings=lambda: SUMMARISING, clock=HandClock())
    yield made
    await made.chat.close()


@pytest_asyncio.fixture
async def full(summarising: World, backend: GatedBackend) -> str:
    """A thread of a small model that leaves messages out with its next one of twelve lines."""
    thread_id, _ = await talked(summarising, backend, 6, model="small")
    await until_step(summarising, backend, thread_id)
    return thread_id


async def test_the_step_swaps_the_summary_in(summarising: World, backend: GatedBackend, full: str) -> None:
    world = summarising
    due = (await world.chat.prepared(full)).plan(words(LINE * 12)).advice.summary_due
    assert len(due) >= 10
    backend.reply(*summary_reply())
    outcome = await world.chat.send(full, words(LINE * 12))
    assert outcome.failure is None
    (summary,) = (await world.history.thread(full)).choices.summaries
    assert summary.sources == due
    question = (await world.stored(full))[-2]
    assert question.window is not None
    assert summary.created < question.created

    asked, sent = backend.plans[-2:]
    assert asked.request.history == ()
    assert sent.decision == "trim"
    assert sent.tokens.summary > 0
    assert any(SUMMARY in text for _, texts in said(sent) for text in texts)
    told = {event.kind: event.messages for event in sent.advice.events}
    assert told == {"trimmed": told["summarised"], "summarised": len(due)}, "0 messages left out"
    states = {message.id: message.state for message in sent.placement.messages}
    assert {states[name] for name in due} == {"summarised"}
    assert "trimmed" not in [notice.code for notice in world.of(NoticeRaised)], "nothing is left out"


async def test_the_bytes_stay_until_the_next_step(summarising: World, backend: GatedBackend, full: str) -> None:
    world = summarising
    backend.reply(*summary_reply())
    await world.chat.send(full, words(LINE * 12))
    first = backend.plans[-1]
    await world.chat.send(full, words("short"))
    second = backend.plans[-1]
    assert second.decision == "ok"
    assert said(second)[: len(said(first))] == said(first)


async def test_each_step_has_a_summary_of_its_own(summarising: World, backend: GatedBackend, full: str) -> None:
    world = summarising
    for number in range(2):
        await until_step(world, backend, full)
        backend.reply(*summary_reply(f"Part {number}."))
        await world.chat.send(full, words(LINE * 12))
    texts = str(said(backend.plans[-1]))
    assert "Part 0." in texts
    assert "Part 1." in texts
    first, second = (await world.history.thread(full)).choices.summaries
    assert set(first.sources).isdisjoint(second.sources)


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ((TextDelta(" "), Ended("end_turn")), "empty"),
        ((TextDelta("half"), Failed(Failure("network", "Connection lost."))), "failed"),
    ],
)
async def test_without_luck_the_request_goes_on_with_a_notice(
    summarising: World, backend: GatedBackend, full: str, steps: tuple[StreamEvent, ...], problem: str
) -> None:
    world = summarising
    backend.reply(*steps)
    outcome = await world.chat.send(full, words(LINE * 12))
    assert outcome.failure is None
    sent = backend.plans[-1]
    assert (sent.decision, sent.tokens.summary) == ("trim", 0)
    (notice,) = [notice for notice in world.of(NoticeRaised) if notice.code == "summary_failed"]
    assert notice.message.startswith(PROBLEMS[problem])  # type: ignore[index]
    assert (await world.history.thread(full)).choices == NO_CHOICES
    assert [row.calls for row in await world.history.ledger() if row.purpose == "summary"] == [1]


async def test_stop_while_it_is_written_sends_nothing_and_keeps_the_draft(
    summarising: World, backend: GatedBackend, full: str
) -> None:
    world, gate = summarising, Gate()
    world.heard.clear()
    tip = (await world.history.thread(full)).tip
    backend.reply(TextDelta("half"), gate)
    task = world.chat.start_send(full, words(LINE * 12))
    await gate.arrive()
    assert world.chat.running(full)
    await world.chat.stop(full)
    outcome = await task
    assert outcome.stop_reason == "interrupted"
    assert world.of(MessageAdded) == []
    assert len(world.of(SendRefused)) == 1
    thread = await world.history.thread(full)
    assert (thread.draft, thread.tip, thread.choices) == (LINE * 12, tip, NO_CHOICES)
    assert not world.chat.summaries.running(full)
    assert backend.open_streams == 0


async def test_stopping_the_summary_alone_is_the_same(summarising: World, backend: GatedBackend, full: str) -> None:
    gate = Gate()
    backend.reply(gate)
    task = summarising.chat.start_send(full, words(LINE * 12))
    await gate.arrive()
    await summarising.chat.summaries.stop(full)
    outcome = await task
    assert (outcome.message, outcome.stop_reason) == (None, "interrupted")
    assert (await summarising.history.thread(full)).draft == LINE * 12


async def test_one_that_is_being_written_is_waited_for(summarising: World, backend: GatedBackend, full: str) -> None:
    world, gate = summarising, Gate()
    due = (await world.chat.prepared(full)).plan(words(LINE * 12)).advice.summary_due
    backend.reply(gate, *summary_reply("By hand."))
    by_hand = world.chat.summaries.start(full, due)
    await gate.arrive()
    sending = world.chat.start_send(full, words(LINE * 12))
    gate.open()
    assert (await by_hand).summary is not None
    assert (await sending).failure is None
    assert "By hand." in str(said(backend.plans[-1]))
    assert len((await world.history.thread(full)).choices.summaries) == 1


async def test_what_is_decided_meanwhile_counts(summarising: World, backend: GatedBackend, full: str) -> None:
    world, gate = summarising, Gate()
    pinned = (await world.chat.prepared(full)).plan(words(LINE * 12)).advice.summary_due[3]
    backend.reply(gate, TextDelta(" "), Ended("end_turn"))
    sending = world.chat.start_send(full, words(LINE * 12))
    await gate.arrive()
    await world.chat.context_editing.pin(full, [pinned])
    gate.open()
    assert (await sending).failure is None
    assert {m.id: m.state for m in backend.plans[-1].placement.messages}[pinned] == "pinned"


async def test_without_the_setting_nobody_is_asked(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await talked(world, backend, 6, model="small")
    await until_step(world, backend, thread_id)
    asked = len(backend.plans)
    assert (await world.chat.send(thread_id, words(LINE * 12))).failure is None
    assert len(backend.plans) == asked + 1


async def test_undo_of_the_step_takes_its_summary_along_and_lasts(
    summarising: World, backend: GatedBackend, full: str
) -> None:
    world = summarising
    backend.reply(*summary_reply())
    await world.chat.send(full, words(LINE * 12))
    stepped = await world.would_send(full, words("next"))
    carrier = (await world.stored(full))[-2]
    before = await world.chat.context_editing.undo_trim(full, carrier.id)
    assert before.undone == frozenset()
    plan = (await world.chat.prepared(full)).plan(words("next"))
    assert (plan.decision, plan.placement.left_out, plan.tokens.summary) == ("ok", 0, 0)
    asked = len(backend.plans)
    undone = await world.chat.context_editing.restore(full, before)
    assert await world.would_send(full, words("next")) == stepped
    await world.chat.context_editing.restore(full, undone)
    assert (await world.chat.send(full, words("next"))).failure is None
    assert len(backend.plans) == asked + 1, "nobody was asked for another summary"
    assert backend.plans[-1].placement.left_out == 0


async def test_a_summary_whose_request_did_not_leave_serves_the_next_one(
    summarising: World, backend: GatedBackend, full: str
) -> None:
    world = summarising

    backend.reply(*summary_reply())
    working = backend.request
    backend.request = lambda plan: {"a bug": 1 / 0}  # type: ignore[method-assign]
    assert (await world.chat.send(full, words(LINE * 12))).failure is not None
    backend.request = working  # type: ignore[method-assign]
    asked = len(backend.plans)
    assert (await world.chat.send(full, words(LINE * 12))).failure is None
    assert len(backend.plans) == asked + 1
    assert backend.plans[-1].tokens.summary > 0
