"""A summary by hand: made, judged, kept, undone; and everything that can go wrong with it."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from desktop_app.controller.summaries import BUSY, BY_HAND, STOPPED, TOO_FEW
from desktop_app.core.context.context_choices import NO_CHOICES, Summary
from desktop_app.core.context.plan import Overhead
from desktop_app.core.errors import UserError
from desktop_app.core.events import NoticeRaised, SummaryEnded, SummaryStarted
from desktop_app.core.history_records import CallRecord, LedgerRow
from desktop_app.core.messages import Failure, Usage
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    Reset,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)
from tests.controller.talks import LINE, SUMMARY, summary_reply, talked, until_step
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


async def of_summaries(world: World) -> list[LedgerRow]:
    return [row for row in await world.history.ledger() if row.purpose == "summary"]


async def test_a_range_is_summarised_and_sent_in_its_place(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 10)
    before = (await world.chat.prepared(thread_id)).plan(words("next")).tokens
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert (outcome.problem, outcome.stopped, outcome.before) == ("", False, NO_CHOICES)
    summary = outcome.summary
    assert summary is not None
    assert (summary.sources, summary.text, summary.model) == (tuple(ids[2:14]), SUMMARY, "big-served")
    assert (await world.history.thread(thread_id)).choices.summaries == (summary,)

    plan = (await world.chat.prepared(thread_id)).plan(words("next"))
    assert plan.tokens.total < before.total
    assert plan.tokens.summary > 0
    texts = [text for _, texts in said(plan) for text in texts]
    assert any(SUMMARY in text for text in texts)
    assert not any(text.startswith("Question 3.") for text in texts)
    assert any(text.startswith("Question 0.") for text in texts)
    states = {message.id: message.state for message in plan.placement.messages}
    assert {states[name] for name in ids[2:14]} == {"summarised"}


async def test_undo_brings_back_the_request_byte_for_byte(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    before = await world.would_send(thread_id, words("next"))
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert await world.would_send(thread_id, words("next")) != before
    made = await world.chat.context_editing.restore(thread_id, outcome.before)
    assert await world.would_send(thread_id, words("next")) == before
    await world.chat.context_editing.restore(thread_id, made)
    assert (await world.chat.context_editing.choices(thread_id)).summaries == (outcome.summary,)


async def test_what_happens_is_told_and_stands_in_the_ledger(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    world.heard.clear()
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.summary is not None
    kinds = [kind for kind in world.kinds() if kind != "ThreadChanged"]
    assert kinds == ["SummaryStarted", "SummaryEnded", "NoticeRaised"]
    (started,), (ended,) = world.of(SummaryStarted), world.of(SummaryEnded)
    assert (started.messages, started.summary_id) == (12, outcome.summary.id)
    assert ended == SummaryEnded(thread_id, outcome.summary.id, outcome.summary)
    assert world.of(NoticeRaised)[0].message == "12 messages summarized."
    (row,) = await of_summaries(world)
    assert (row.thread_id, row.backend, row.model, row.cost_kind) == (thread_id, "gated", "big-served", "free")
    assert (row.calls, row.input, row.output) == (1, 3_000, 40)
    assert row.cost_usd == pytest.approx(0.01)


async def test_whole_turns_are_taken_and_pins_among_them_end(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 10)
    await world.chat.context_editing.pin(thread_id, [ids[4], ids[16]])
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[3:14])
    assert outcome.summary is not None
    assert outcome.summary.sources == tuple(ids[2:14])
    choices = await world.chat.context_editing.choices(thread_id)
    assert choices.pinned == {ids[16]}
    assert outcome.before.pinned == {ids[4], ids[16]}


async def test_what_is_excluded_is_not_told_to_the_model(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 10)
    await world.chat.context_editing.exclude(thread_id, [ids[4]])
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[2:16])
    assert outcome.summary is not None
    assert set(outcome.summary.sources) == set(ids[2:16]) - set(ids[4:6])
    asked = str(said(backend.plans[-1]))
    assert "Question 2." not in asked
    assert "Question 3." in asked


async def test_a_summary_it_shares_messages_with_is_taken_over_whole(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 14)
    for first, last in ((2, 14), (14, 26)):
        backend.reply(*summary_reply())
        assert (await world.chat.summaries.start(thread_id, ids[first:last])).problem == ""
    backend.reply(*summary_reply("Found: the mark again."))
    outcome = await world.chat.summaries.start(thread_id, ids[10:16])
    assert outcome.summary is not None
    assert outcome.summary.sources == tuple(ids[2:26])
    assert (await world.chat.context_editing.choices(thread_id)).summaries == (outcome.summary,)


async def test_a_summary_is_made_again(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    backend.reply(*summary_reply("First."))
    first = (await world.chat.summaries.start(thread_id, ids[2:14])).summary
    assert first is not None
    await world.chat.context_editing.edit_summary(thread_id, first.id, "In my own words.")
    backend.reply(*summary_reply("Second."))
    second = await world.chat.summaries.start(thread_id, first.sources, replaces=first.id)
    assert [summary.text for summary in (await world.chat.context_editing.choices(thread_id)).summaries] == ["Second."]
    assert [summary.text for summary in second.before.summaries] == ["In my own words."]


async def stepped(world: World, backend: GatedBackend) -> tuple[str, list[str]]:
    """A thread of a small model after its first step; the ids of its path."""
    thread_id, _ = await talked(world, backend, 6, model="small")
    await until_step(world, backend, thread_id)
    await world.chat.send(thread_id, words(LINE * 12))
    assert backend.plans[-1].decision == "trim"
    return thread_id, [message.id for message in (await world.chat.open_thread(thread_id)).path]


async def test_one_that_is_in_force_is_made_again_without_a_gap(world: World, backend: GatedBackend) -> None:
    backend.text = ""
    thread_id, _ = await stepped(world, backend)
    gone = [m.id for m in (await world.chat.prepared(thread_id)).plan(()).placement.messages if m.state == "left_out"]
    await world.chat.context_editing.add_summary(
        thread_id, Summary("old", tuple(gone), "The old one.", "m", "2026-01-01T00:00:00.000Z", at_step=True)
    )
    assert (await world.chat.prepared(thread_id)).plan(()).tokens.summary > 0
    backend.reply(*summary_reply("The new one."))
    outcome = await world.chat.summaries.start(thread_id, gone, replaces="old")
    assert outcome.summary is not None
    assert (outcome.summary.sources, outcome.summary.at_step) == (tuple(gone), True)
    assert "The new one." in str(said((await world.chat.prepared(thread_id)).plan(())))


async def test_pins_of_old_messages_become_a_summary_at_once(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await stepped(world, backend)
    await world.chat.context_editing.pin(thread_id, ids[2:12])
    before = (await world.chat.prepared(thread_id)).plan(()).tokens.total
    backend.reply(*summary_reply())
    assert (await world.chat.summaries.start(thread_id, ids[2:12])).problem == ""
    plan = (await world.chat.prepared(thread_id)).plan(())
    assert plan.tokens.total < before
    assert "Decided: to the mark." in str(said(plan))


async def test_a_summary_of_what_is_left_out_already_is_in_the_very_next_request(
    world: World, backend: GatedBackend
) -> None:
    thread_id, _ = await stepped(world, backend)
    gone = [m.id for m in (await world.chat.prepared(thread_id)).plan(()).placement.messages if m.state == "left_out"]
    backend.reply(*summary_reply())
    made = (await world.chat.summaries.start(thread_id, gone)).summary
    assert made is not None
    await world.chat.send(thread_id, words("next"))
    sent = backend.plans[-1]
    assert "Decided: to the mark." in str(said(sent))
    states = {message.id: message.state for message in sent.placement.messages}
    assert {states[source] for source in made.sources} == {"summarised"}
    assert sent.placement.summaries == (made.id,)


async def test_one_that_was_made_for_a_step_waits_where_the_step_is_undone(world: World, backend: GatedBackend) -> None:
    thread_id, _ = await stepped(world, backend)
    gone = [m.id for m in (await world.chat.prepared(thread_id)).plan(()).placement.messages if m.state == "left_out"]
    made = Summary("s", tuple(gone), "Found: it.", "m", "2099-01-01T00:00:00.000Z", at_step=True)
    await world.chat.context_editing.add_summary(thread_id, made)
    assert (await world.chat.prepared(thread_id)).plan(words("next")).placement.summaries == ()


async def test_its_request_is_a_plain_one_of_its_own(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    await world.chat.set_system(thread_id, "Be a pirate.")
    backend.reply(*summary_reply())
    await world.chat.summaries.start(thread_id, ids[2:14])
    plan = backend.plans[-1]
    assert plan.request.history == ()
    assert "pirate" not in plan.request.system
    assert plan.limits.max_output < 8_000
    assert plan.tokens.total <= plan.limits.emergency
    assert len(await world.stored(thread_id)) == 16, "it is no turn"


@pytest.mark.slow
async def test_a_long_source_is_asked_for_in_pieces_that_fit(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8, lines=400)
    await world.chat.switch(thread_id, backend="gated", model="small")
    parts = ("First part.", "First and second.", "All of it.", "All of it.", "All of it.")
    asked = len(backend.plans)
    for number in range(40):
        backend.reply(*summary_reply(parts[min(number, 4)]))
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.summary is not None
    assert outcome.summary.text == "All of it."
    calls = backend.plans[asked:]
    assert len(calls) > 3
    assert all(plan.tokens.total <= plan.limits.emergency for plan in calls)
    assert "First part." in str(said(calls[1]))
    (row,) = await of_summaries(world)
    assert row.calls == len(calls)
    assert outcome.summary.cost_usd == 0.0, "a model on this computer costs nothing"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((TextDelta("  \n"), Ended("end_turn")), (BY_HAND["empty"], "")),
        ((Ended("end_turn"),), (BY_HAND["empty"], "")),
        ((TextDelta("half"), Failed(Failure("network", "Connection lost."))), ("Connection lost.", "network")),
        ((Failed(Failure("rate_limited", "Slow down.")),), ("Slow down.", "rate_limited")),
        ((TextDelta("I won't."), Ended("refusal")), ("declined", "")),
        ((ThinkingDelta("hm " * 900), TextDelta("Asked: ho"), Ended("max_tokens")), ("length limit", "")),
        ((TextDelta("half"),), ("was cut off", "backend")),
        ((TextDelta(LINE * 40), Ended("end_turn")), (BY_HAND["too_long"], "")),
        ((TextDelta("x"), RuntimeError("a bug")), ("error in Plimsoll", "backend")),
    ],
)
async def test_what_is_no_summary_changes_nothing(
    world: World, backend: GatedBackend, steps: tuple[StreamEvent, ...], expected: tuple[str, str], tmp_path: Path
) -> None:
    thread_id, ids = await talked(world, backend, 8, lines=6)
    usage = UsageReported(Usage(input=500, output=7, cost_usd=0.002), "big")
    backend.reply(usage, *steps)
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.summary is None
    problem, code = expected
    assert problem in outcome.problem
    assert world.of(SummaryEnded)[-1].problem == outcome.problem
    notice = world.of(NoticeRaised)[-1]
    assert (notice.code, notice.message) == ("summary_failed", outcome.problem)
    assert (await world.history.thread(thread_id)).choices == NO_CHOICES
    assert not world.chat.summaries.running(thread_id)
    (row,) = await of_summaries(world)
    assert (row.input, row.output) == (500, 7), "it was paid for all the same"
    assert row.cost_usd == pytest.approx(0.002)
    with sqlite3.connect(tmp_path / "history.db") as file:
        assert file.execute("SELECT coalesce(failure_code, '') FROM model_call").fetchall() == [(code,)]
    assert (await world.chat.send(thread_id, words("go on"))).failure is None


@pytest.mark.parametrize("text", ["half", LINE * 40])
async def test_what_failed_and_was_billed_says_so(history: WatchedHistory, text: str) -> None:
    backend = GatedBackend(cost_kind="money")
    world = await make_world(history, {"gated": backend})
    thread_id, ids = await talked(world, backend, 8, lines=6)
    ended = Ended("max_tokens" if text == "half" else "end_turn")
    backend.reply(UsageReported(Usage(input=500, output=7, cost_usd=0.06), "big"), TextDelta(text), ended)
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    notice = world.of(NoticeRaised)[-1]
    assert (notice.code, notice.message) == ("summary_failed", outcome.problem)
    assert outcome.problem.endswith(" It cost $0.06.")
    await world.chat.close()


async def test_one_that_a_full_disk_does_not_take_is_kept_and_not_paid_twice(
    world: World, backend: GatedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise UserError("store", "The disk is full.")

    thread_id, ids = await talked(world, backend, 8)
    backend.reply(*summary_reply())
    with monkeypatch.context() as disk:
        disk.setattr(world.history, "update_thread", full)
        outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.summary is None
    assert outcome.problem.startswith("The summary is written but not saved. The disk is full.")
    assert (await world.history.thread(thread_id)).choices == NO_CHOICES
    asked = len(backend.plans)
    again = await world.chat.summaries.start(thread_id, ids[2:14])
    assert again.summary is not None
    assert (again.summary.text, len(backend.plans)) == (SUMMARY, asked)
    assert (await world.history.thread(thread_id)).choices.summaries == (again.summary,)
    backend.reply(*summary_reply())
    await world.chat.summaries.start(thread_id, ids[2:14])
    assert len(backend.plans) == asked + 1, "a saved one is written anew"


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["end_turn", "max_tokens"])
async def test_a_summary_that_is_longer_than_it_may_be_is_not_used(
    world: World, backend: GatedBackend, reason: str
) -> None:
    thread_id, ids = await talked(world, backend, 40, lines=60)
    backend.reply(TextDelta(LINE * 200), Ended(reason))
    outcome = await world.chat.summaries.start(thread_id, ids[2:70])
    assert outcome.summary is None
    assert outcome.problem.startswith("The summary could not be made. Nothing was changed. It has 3,")
    assert outcome.problem.endswith(" tokens; the limit is 1,024.")
    assert (await world.chat.context_editing.choices(thread_id)).summaries == ()


@pytest.mark.parametrize(("thinking", "most"), [("never", 1_024), ("choice", 1_024), ("always", 1_024 + 2_048)])
async def test_its_output_is_bounded_by_what_may_be_used(
    world: World, backend: GatedBackend, thinking: str, most: int
) -> None:
    thread_id, ids = await talked(world, backend, 8)
    backend.abilities = {"thinking": thinking}
    backend.overhead = Overhead(cache_marks=4)
    backend.reply(*summary_reply())
    assert (await world.chat.summaries.start(thread_id, ids[2:14])).summary is not None
    asked = backend.plans[-1]
    assert asked.limits.max_output == most
    assert asked.request.marks == (), "nobody reads this request again, so no cache is written"


async def test_a_retried_stream_counts_from_its_last_beginning(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    backend.reply(TextDelta("wrong"), Notice("retry", "Trying again."), Reset(), *summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids[2:14])
    assert outcome.summary is not None
    assert outcome.summary.text == SUMMARY


async def test_fewer_than_ten_messages_are_not_sent_to_anybody(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 6)
    asked = len(backend.plans)
    outcome = await world.chat.summaries.start(thread_id, ids[2:10])
    assert outcome.problem == TOO_FEW
    assert len(backend.plans) == asked
    assert await of_summaries(world) == []


async def test_stopped_in_the_middle_it_changes_nothing_and_is_in_the_ledger(
    world: World, backend: GatedBackend
) -> None:
    thread_id, ids = await talked(world, backend, 8)
    gate = Gate()
    backend.reply(UsageReported(Usage(input=900, output=1, cost_usd=0.003), "big"), TextDelta("half"), gate)
    task = world.chat.summaries.start(thread_id, ids[2:14])
    await gate.arrive()
    assert world.chat.summaries.running(thread_id)
    await world.chat.summaries.stop(thread_id)
    outcome = await task
    assert (outcome.summary, outcome.problem, outcome.stopped) == (None, STOPPED, True)
    assert not world.chat.summaries.running(thread_id)
    assert backend.open_streams == 0
    (row,) = await of_summaries(world)
    assert row.input == 900
    assert row.cost_usd == pytest.approx(0.003)
    assert (await world.history.thread(thread_id)).choices == NO_CHOICES
    assert "summary_failed" not in [notice.code for notice in world.of(NoticeRaised)], "who stops it knows"


async def test_stopped_between_two_pieces_it_asks_for_no_more(
    world: World, backend: GatedBackend, history: WatchedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread_id, ids = await talked(world, backend, 8, lines=400)
    await world.chat.switch(thread_id, backend="gated", model="small")
    record = history.record_call

    async def stopping(call: CallRecord) -> None:
        task.cancel()
        await record(call)

    monkeypatch.setattr(history, "record_call", stopping)
    asked = len(backend.plans)
    for _ in range(40):
        backend.reply(*summary_reply())
    task = world.chat.summaries.start(thread_id, ids[2:14])
    assert (await task).stopped
    assert len(backend.plans) == asked + 1
    assert [row.calls for row in await of_summaries(world)] == [1]


async def test_stop_of_the_thread_ends_it_too(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    gate = Gate()
    backend.reply(gate)
    task = world.chat.summaries.start(thread_id, ids[2:14])
    await gate.arrive()
    await world.chat.stop(thread_id)
    assert (await task).stopped


async def test_closing_ends_it_and_refuses_later_ones(history: WatchedHistory, backend: GatedBackend) -> None:
    world = await make_world(history, {"gated": backend})
    thread_id, ids = await talked(world, backend, 8)
    gate = Gate()
    backend.reply(gate)
    task = world.chat.summaries.start(thread_id, ids[2:14])
    await gate.arrive()
    await world.chat.close()
    assert (await task).stopped
    late = await world.chat.summaries.start(thread_id, ids[2:14])
    assert "closing" in late.problem


async def test_one_at_a_time(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    gate = Gate()
    backend.reply(gate, *summary_reply())
    first = world.chat.summaries.start(thread_id, ids[2:14])
    await gate.arrive()
    second = await world.chat.summaries.start(thread_id, ids[2:14])
    assert second.problem == BUSY
    gate.open()
    assert (await first).summary is not None


async def test_the_next_may_begin_when_the_end_is_told(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 14)
    again: list[asyncio.Task[object]] = []

    def more(fact: object) -> None:
        if isinstance(fact, SummaryEnded) and not again:
            again.append(asyncio.ensure_future(world.chat.summaries.start(thread_id, ids[14:26])))

    world.announcements.subscribe(more)
    for _ in range(2):
        backend.reply(*summary_reply())
    await world.chat.summaries.start(thread_id, ids[2:14])
    await asyncio.gather(*again)
    assert len((await world.chat.context_editing.choices(thread_id)).summaries) == 2


async def test_what_is_changed_meanwhile_stays(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 10)
    gate = Gate()
    backend.reply(gate, *summary_reply())
    task = world.chat.summaries.start(thread_id, ids[2:14])
    await gate.arrive()
    await world.chat.context_editing.pin(thread_id, [ids[16]])
    gate.open()
    outcome = await task
    choices = await world.chat.context_editing.choices(thread_id)
    assert (choices.pinned, choices.summaries) == (frozenset({ids[16]}), (outcome.summary,))
    assert outcome.before.pinned == {ids[16]}


async def test_the_question_that_waits_is_never_summarised(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 8)
    backend.reply(Failed(Failure("overloaded", "Busy.")))
    await world.chat.send(thread_id, words("waiting"))
    path = [message.id for message in (await world.chat.open_thread(thread_id)).path]
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, path)
    assert outcome.summary is not None
    assert outcome.summary.sources == tuple(ids)
    texts = [text for _, texts in said((await world.chat.prepared(thread_id)).plan(())) for text in texts]
    assert texts[-1] == "waiting"


async def test_nothing_before_a_fresh_start_is_summarised(world: World, backend: GatedBackend) -> None:
    thread_id, ids = await talked(world, backend, 12)
    await world.chat.context_editing.start_fresh(thread_id, ids[3])
    backend.reply(*summary_reply())
    outcome = await world.chat.summaries.start(thread_id, ids)
    assert outcome.summary is not None
    assert outcome.summary.sources == tuple(ids[4:])


async def test_an_unknown_thread_is_a_problem_in_words(world: World) -> None:
    outcome = await world.chat.summaries.start("nowhere", ["a"])
    assert outcome.failure is not None
    assert outcome.failure.code == "usage"
    assert outcome.problem.endswith(outcome.failure.message)


async def test_the_model_of_the_setting_writes_it_where_the_backend_has_it(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    settings = [Settings(context=ContextSettings(summary_model="small"))]
    world = await make_world(history, {"gated": backend}, settings=lambda: settings[0])
    thread_id, ids = await talked(world, backend, 8)
    backend.reply(*summary_reply())
    assert (await world.chat.summaries.start(thread_id, ids[2:14])).summary is not None
    asked = backend.plans[-1]
    assert asked.model.id == "small"
    assert asked.tokens.total <= asked.limits.emergency < 10_000, "its own window is what the request has to fit"
    assert (await of_summaries(world))[0].model == "big-served"
    plan = (await world.chat.prepared(thread_id)).plan(words("next"))
    assert (plan.model.id, plan.writer.id) == ("big", "small")
    settings[:] = [Settings(context=ContextSettings(summary_model="of-another-provider"))]
    assert (await world.chat.prepared(thread_id)).plan(words("next")).writer.id == "big"
    await world.chat.close()
