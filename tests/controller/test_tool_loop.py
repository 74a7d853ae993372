"""The tool loop: calls are run, their results go back, the turn goes on; stopped, failed and counted as it goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.events import (
    AnswerContinued,
    DraftSaved,
    MessageAdded,
    NoticeRaised,
    ToolAnswered,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from desktop_app.core.messages import Failure, Message, TextPart, ToolCallPart, ToolResultPart, Usage
from desktop_app.core.recall import ALL_IN_VIEW, TOOL_NAME
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, Failed, PartFinished, StreamEvent, TextDelta, ToolAsked, UsageReported
from tests.controller.talks import talked
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.expired_timers import ExpiredTimers
from tests.fakes.gated_backend import Gate, GatedBackend, said
from tests.patience import PATIENCE_S

FEW = Settings(context=ContextSettings(max_messages=6))


def call(query: str = "deep", call_id: str = "c1", name: str = TOOL_NAME) -> ToolCallPart:
    return ToolCallPart(call_id, name, {"query": query})


def asks(*calls: ToolCallPart, say: str = "") -> tuple[StreamEvent, ...]:
    """An answer that ends with calls."""
    texts = (TextDelta(say),) if say else ()
    usage = UsageReported(Usage(input=100, output=9), "big")
    return (*texts, *map(PartFinished, calls), usage, Ended("tool_use"))


@pytest.fixture
def backend() -> GatedBackend:
    made = GatedBackend()
    made.accepts_tools = True
    made.overhead = Overhead(cache_marks=4)
    return made


def results_of(message: Message) -> list[ToolResultPart]:
    return [part for part in message.parts if isinstance(part, ToolResultPart)]


async def long_thread(history: WatchedHistory, backend: GatedBackend) -> tuple[World, str]:
    """A thread that has left out most of what was said, with a fact in its second turn."""
    world = await make_world(history, {"gated": backend}, settings=lambda: FEW)
    thread_id, _ = await talked(world, backend, 1)
    await world.chat.send(thread_id, words("The harbour master is called Ingeborg Vestergaard."))
    for turn in range(8):
        await world.chat.send(thread_id, words(f"Go on, {turn}."))
    backend.plans.clear()
    world.heard.clear()
    return world, thread_id


async def test_a_call_is_run_and_the_turn_goes_on_with_its_result(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world, thread_id = await long_thread(history, backend)
    backend.reply(*asks(call("harbour master"), say="Let me look."))
    backend.reply(TextDelta("Ingeborg Vestergaard."), Ended("end_turn"))
    outcome = await world.chat.send(thread_id, words("What was the harbour master's name?"))

    assert outcome.failure is None
    assert outcome.message is not None
    assert outcome.message.text == "Ingeborg Vestergaard."
    asked, first, results, last = (await world.stored(thread_id))[-4:]
    assert asked.text == "What was the harbour master's name?"
    assert (first.stop_reason, first.state, first.text) == ("tool_use", "complete", "Let me look.")
    (result,) = results_of(results)
    assert results.role == "user"
    assert "Ingeborg Vestergaard" in result.text
    assert result.extra["passages"] == 1
    assert (last.parent_id, last.text) == (results.id, "Ingeborg Vestergaard.")
    # within the running loop the model has call and result in full, paired
    second = backend.plans[-1].request.messages
    assert second[-2].blocks == (TextPart("Let me look."), call("harbour master"))
    assert second[-1].blocks == (result,)
    assert backend.plans[-1].request.tools == backend.plans[-2].request.tools != ()
    assert world.kinds().count("TurnEnded") == 1
    told = [kind for kind in world.kinds() if kind in ("TurnStarted", "ToolAnswered", "AnswerContinued", "TurnEnded")]
    assert told == ["TurnStarted", "ToolAnswered", "AnswerContinued", "TurnStarted", "TurnEnded"]
    assert world.of(AnswerContinued)[0].results == results
    assert [added.message.id for added in world.of(MessageAdded)] == [asked.id]


async def test_afterwards_one_line_stands_for_call_and_result(history: WatchedHistory, backend: GatedBackend) -> None:
    world, thread_id = await long_thread(history, backend)
    backend.reply(*asks(call("harbour master"), say="Let me look."))
    backend.reply(TextDelta("Ingeborg Vestergaard."), Ended("end_turn"))
    await world.chat.send(thread_id, words("What was the harbour master's name?"))
    await world.chat.send(thread_id, words("Thanks."))
    *_, (role, texts), _ = said(backend.plans[-1])
    assert role == "assistant"
    line = '[searched this thread] "harbour master" -> 1 passage: messages 3-4'
    assert texts == ("Let me look.", line, "Ingeborg Vestergaard.")


async def test_parallel_calls_are_answered_in_one_message_in_their_order(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world, thread_id = await long_thread(history, backend)
    calls = (call("harbour master", "c1"), call("", "c2"), call("x", "c3", name="rm_rf"))
    backend.reply(*asks(*calls))
    await world.chat.send(thread_id, words("Look three times."))
    first, empty, unknown = results_of((await world.stored(thread_id))[-2])
    assert [first.call_id, empty.call_id, unknown.call_id] == ["c1", "c2", "c3"]
    assert [first.is_error, empty.is_error, unknown.is_error] == [False, True, True]
    assert "rm_rf" in unknown.text
    assert [told.call for told in world.of(ToolAnswered)] == list(calls)


async def test_where_all_is_in_view_the_tool_says_so(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(*asks(call()))
    await world.chat.send(thread.id, words("one"))
    assert backend.plans[0].request.tools  # offered from the first request: a change would rewrite the cache
    (result,) = results_of((await world.stored(thread.id))[-2])
    assert result.text == ALL_IN_VIEW


async def test_a_backend_without_a_cache_offers_the_search_once_something_is_out_of_view(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    backend.overhead = Overhead()
    world = await make_world(history, {"gated": backend}, settings=lambda: FEW)
    await talked(world, backend, 6)
    offered = [bool(plan.request.tools) for plan in backend.plans]
    assert not offered[0]
    assert offered[-1]
    assert offered == sorted(offered)


async def test_switched_off_for_a_thread_nothing_is_offered(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    await world.chat.context_editing.set_recall(thread.id, False)
    await world.chat.send(thread.id, words("one"))
    assert backend.plans[-1].request.tools == ()
    assert backend.plans[-1].tokens.tools == 0


async def test_tools_are_counted_and_the_parts_sum_up(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    tokens = (await world.chat.prepared(thread.id)).plan(words("one")).tokens
    assert tokens.tools > 100
    await world.chat.context_editing.set_recall(thread.id, False)
    without = (await world.chat.prepared(thread.id)).plan(words("one")).tokens
    assert tokens.total > without.total + tokens.tools - 2


async def test_after_its_rounds_the_model_has_to_answer(history: WatchedHistory, backend: GatedBackend) -> None:
    settings = Settings(context=ContextSettings(max_tool_rounds=4))
    world = await make_world(history, {"gated": backend}, settings=lambda: settings)
    thread = await world.thread()
    for number in range(4):
        backend.reply(*asks(call(call_id=f"a{number}"), call(call_id=f"b{number}")))
    backend.reply(*asks(call(call_id="late")))
    outcome = await world.chat.send(thread.id, words("one"))
    assert [plan.request.answer_now for plan in backend.plans] == [False] * 4 + [True]
    assert outcome.message is not None
    assert outcome.message.stop_reason == "tool_use"
    assert [notice.code for notice in world.of(NoticeRaised)] == ["tool_limit"]
    assert not world.chat.running(thread.id)


async def test_stop_while_a_tool_runs_keeps_the_answer_and_waits_for_nothing(
    history: WatchedHistory, backend: GatedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, thread_id = await long_thread(history, backend)
    reached = asyncio.Event()

    async def never(*args: object) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(history, "search_thread", never)
    backend.reply(*asks(call(), say="Let me look."))
    task = world.chat.start_send(thread_id, words("Look."))
    async with asyncio.timeout(PATIENCE_S):
        await reached.wait()
    with ExpiredTimers() as waits:
        await world.chat.stop(thread_id)
    assert waits.seconds == []
    answer = (await world.stored(thread_id))[-1]
    assert (answer.state, answer.stop_reason, answer.text) == ("partial", "interrupted", "Let me look.")
    assert (await task).stop_reason == "interrupted"
    assert world.of(TurnEnded)[-1].message == answer


async def test_stop_in_the_second_answer_keeps_the_first_with_its_results(world: World, backend: GatedBackend) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(*asks(call(), say="Let me look."))
    backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await world.chat.stop(thread.id)
    _, first, results, second = await world.stored(thread.id)
    assert (first.state, second.state, second.text) == ("complete", "partial", "half")
    assert results_of(results)
    await world.chat.send(thread.id, words("two"))
    assert [role for role, _ in said(backend.plans[-1])] == ["user", "assistant", "user"]


async def test_trying_again_after_a_failure_goes_on_from_the_results(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(*asks(call()))
    backend.reply(Failed(Failure("network", "The connection broke.")))
    backend.reply(TextDelta("found"), Ended("end_turn"))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is not None
    assert world.of(TurnFailed)
    again = await world.chat.retry(thread.id)
    assert again.message is not None
    assert again.message.text == "found"
    assert backend.plans[-1].request.messages == backend.plans[-2].request.messages


async def test_what_is_typed_while_tools_run_stays_the_draft(world: World, backend: GatedBackend) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(gate, *asks(call()))
    task = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await world.chat.keep_draft(thread.id, "the next question")
    gate.open()
    await task
    assert (await world.history.thread(thread.id)).draft == "the next question"
    assert (await world.chat.open_thread(thread.id)).thread.draft == "the next question"
    assert [saved.text for saved in world.of(DraftSaved)] == ["the next question"]


async def test_results_that_find_no_room_end_the_turn_with_the_card(world: World, backend: GatedBackend) -> None:
    thread = await world.thread(model="small")
    backend.reply(*asks(ToolCallPart("c1", TOOL_NAME, {"query": "word " * 8_000})))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    answer = (await world.stored(thread.id))[-1]
    assert (answer.state, answer.failure) == ("partial", outcome.failure)
    assert len(backend.plans) == 1


async def test_each_call_is_a_row_of_its_own_in_the_ledger(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(*asks(call()))
    await world.chat.send(thread.id, words("one"))
    (row,) = await world.history.ledger()
    assert row.calls == 2


class AskingBackend(GatedBackend):
    """Runs the tool loop itself, as a program does: asks for results within one answer."""

    def __init__(self) -> None:
        super().__init__()
        self.accepts_tools = True
        self.overhead = Overhead(cache_marks=4, labels=True)
        self.got: list[ToolResultPart | None] = []

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        self.plans.append(plan)
        for number in range(2):
            asked = call(call_id=f"c{number}")
            yield PartFinished(asked)
            self.got.append((yield ToolAsked(asked)))
        yield TextDelta("done")
        yield UsageReported(Usage(input=900, output=5, first_prompt=300), "big")
        yield Ended("end_turn")


async def test_a_program_that_runs_the_loop_gets_its_results_within_the_answer(history: WatchedHistory) -> None:
    backend = AskingBackend()
    world = await make_world(history, {"gated": backend})
    thread = await world.thread()
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is None
    _, answer = await world.stored(thread.id)
    kinds = [type(part) for part in answer.parts]
    assert kinds == [ToolCallPart, ToolResultPart, ToolCallPart, ToolResultPart, TextPart]
    assert backend.got == [part for part in answer.parts if isinstance(part, ToolResultPart)]
    assert len(world.of(ToolAnswered)) == 2
    assert len(world.of(TurnStarted)) == 1
    # the next count starts from the first call's request, and one line stands for each call
    await world.chat.send(thread.id, words("two"))
    texts = [text for _, texts in said(backend.plans[-1]) for text in texts]
    assert sum(text.startswith("[searched this thread]") for text in texts) == 2
