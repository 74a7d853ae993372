"""A turn at its cap: it waits for the user, who lets it go on or ends it; commands end there by themselves."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from desktop_app.controller import turn_notices
from desktop_app.controller.turn_tools import ENOUGH
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.events import NoticeRaised, TurnEnded, TurnPaused, TurnProgressed, TurnResumed
from desktop_app.core.messages import ToolCallPart, ToolResultPart, Usage
from desktop_app.core.recall import TOOL_NAME
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, PartFinished, StreamEvent, TextDelta, ToolAsked, UsageReported
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend
from tests.patience import until

FREE = ContextSettings(turn_cap_usd=0, turn_cap_calls=0)


def call(call_id: str) -> ToolCallPart:
    return ToolCallPart(call_id, TOOL_NAME, {"query": "deep"})


def asks(*ids: str, usd: float = 0.0) -> tuple[StreamEvent, ...]:
    usage = UsageReported(Usage(input=100, output=9, cost_usd=usd), "big")
    return (TextDelta("Let me look. "), *(PartFinished(call(one)) for one in ids), usage, Ended("tool_use"))


DONE = (TextDelta("Done."), UsageReported(Usage(input=100, output=9, cost_usd=0.1), "big"), Ended("end_turn"))


@pytest.fixture
def backend() -> GatedBackend:
    made = GatedBackend(cost_kind="money")
    made.accepts_tools = True
    made.overhead = Overhead(cache_marks=4)
    return made


async def world_of(history: WatchedHistory, backend: GatedBackend, **settings: float) -> tuple[World, str]:
    chosen = Settings(context=replace(FREE, **settings))  # type: ignore[arg-type]
    world = await make_world(history, {"gated": backend}, settings=lambda: chosen)
    return world, (await world.thread()).id


async def paused(world: World, times: int = 1) -> TurnPaused:
    await until(lambda: len(world.of(TurnPaused)) >= times, "the pause")
    return world.of(TurnPaused)[-1]


async def test_a_turn_waits_at_its_cap_of_dollars_and_goes_on_to_the_next(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world, thread_id = await world_of(history, backend, turn_cap_usd=1.0)
    for number in range(4):
        backend.reply(*asks(f"c{number}", usd=0.6))
    backend.reply(*DONE)
    task = world.chat.start_send(thread_id, words("one"))
    first = await paused(world)
    assert (first.calls, first.to_usd, first.to_calls) == (1, 2.0, 0)
    assert first.usd == pytest.approx(1.2)
    assert len(backend.plans) == 2
    assert world.chat.running(thread_id)
    assert first.cached_until > world.chat._clock.stamp()
    assert first.ends == "", "nobody gives up a call that no program holds"
    world.chat.answer_pause(thread_id, go_on=True)
    second = await paused(world, 2)
    assert second.usd == pytest.approx(2.4)
    assert second.to_usd == 3.0
    world.chat.answer_pause(thread_id, go_on=True)
    outcome = await task
    assert outcome.message is not None
    assert outcome.message.text == "Done."
    assert len(world.of(TurnResumed)) == 2
    assert [told.calls for told in world.of(TurnProgressed)] == [1, 2, 3, 4]


async def test_a_turn_that_is_ended_at_its_cap_keeps_what_there_is(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world, thread_id = await world_of(history, backend, turn_cap_calls=2)
    backend.reply(*asks("a", "b", "c"))
    task = world.chat.start_send(thread_id, words("one"))
    asked = await paused(world)
    assert (asked.calls, asked.to_calls, asked.to_usd) == (2, 4, 0.0)
    world.chat.answer_pause(thread_id, go_on=False)
    outcome = await task
    assert (outcome.failure, outcome.stop_reason) == (None, "turn_cap")
    answer = (await world.stored(thread_id))[-1]
    assert (answer.state, answer.stop_reason, answer.text) == ("partial", "turn_cap", "Let me look. ")
    assert len(backend.plans) == 1
    assert world.of(TurnEnded)[-1].message == answer
    backend.reply(*DONE)
    assert (await world.chat.send(thread_id, words("two"))).failure is None, "the thread goes on behind it"


async def test_quitting_at_the_cap_leaves_a_cut_answer(history: WatchedHistory, backend: GatedBackend) -> None:
    world, thread_id = await world_of(history, backend, turn_cap_calls=1)
    backend.reply(*asks("a", "b"))
    task = world.chat.start_send(thread_id, words("one"))
    await paused(world)
    await world.chat.close()
    assert (await task).stop_reason == "interrupted"
    answer = (await world.stored(thread_id))[-1]
    assert (answer.state, answer.stop_reason, answer.text) == ("partial", "interrupted", "Let me look. ")
    assert world.of(TurnResumed)


async def test_a_command_ends_there_unless_it_is_told_to_pass(history: WatchedHistory, backend: GatedBackend) -> None:
    world, thread_id = await world_of(history, backend, turn_cap_usd=1.0)
    backend.reply(*asks("a", usd=3.0))
    outcome = await world.chat.start_send(thread_id, words("one"), at_cap="end")
    assert outcome.stop_reason == "turn_cap"
    (notice,) = world.of(NoticeRaised)
    assert (notice.code, "$3.00" in notice.message) == ("turn_cap", True)
    assert world.of(TurnPaused) == []
    backend.reply(*asks("a", usd=3.0))
    backend.reply(*DONE)
    outcome = await world.chat.start_send(thread_id, words("two"), at_cap="pass")
    assert outcome.stop_reason == "end_turn"


async def test_where_nothing_is_billed_calls_alone_count(history: WatchedHistory) -> None:
    backend = GatedBackend(cost_kind="plan")
    backend.accepts_tools, backend.overhead = True, Overhead(cache_marks=4)
    world, thread_id = await world_of(history, backend, turn_cap_usd=1.0, turn_cap_calls=2)
    backend.reply(*asks("a", usd=9.0))
    backend.reply(*asks("b", usd=9.0))
    backend.reply(*asks("c", usd=9.0))
    backend.reply(*DONE)
    task = world.chat.start_send(thread_id, words("one"))
    asked = await paused(world)
    assert (asked.calls, asked.usd, asked.to_calls) == (2, None, 4)
    world.chat.answer_pause(thread_id, go_on=True)
    assert (await task).stop_reason == "end_turn"


async def test_a_task_of_many_more_than_fifty_calls_completes(history: WatchedHistory, backend: GatedBackend) -> None:
    world, thread_id = await world_of(history, backend)
    for round_ in range(20):
        backend.reply(*asks(*(f"c{round_}-{number}" for number in range(6))))
    backend.reply(*DONE)
    outcome = await world.chat.send(thread_id, words("one"))
    assert outcome.stop_reason == "end_turn"
    results = [part for one in await world.stored(thread_id) for part in one.parts if isinstance(part, ToolResultPart)]
    assert len(results) == 120
    assert not any(result.text == ENOUGH for result in results)


class HoldingBackend(GatedBackend):
    """Runs the tool loop itself and holds each call open, as the `claude` program does."""

    def __init__(self, rounds: int, parallel: int = 1) -> None:
        super().__init__(cost_kind="plan")
        self.accepts_tools = True
        self.rounds, self.parallel = rounds, parallel
        self.got: list[ToolResultPart | None] = []
        self.closed_early = False

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        self.plans.append(plan)
        try:
            for round_ in range(self.rounds):
                yield TextDelta(f"{round_}. ")
                asked = [call(f"c{round_}-{number}") for number in range(self.parallel)]
                for one in asked:
                    yield PartFinished(one)
                for one in asked:
                    self.got.append((yield ToolAsked(one)))
            yield TextDelta("done")
            yield Ended("end_turn")
        except GeneratorExit:
            self.closed_early = True
            raise


async def test_a_held_call_ends_by_itself_before_the_program_gives_it_up(
    history: WatchedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert turn_notices.HELD_CALL_S == 9 * 60
    monkeypatch.setattr(turn_notices, "HELD_CALL_S", 0.01)
    backend = HoldingBackend(5)
    world, thread_id = await world_of(history, backend, turn_cap_calls=2)
    outcome = await world.chat.send(thread_id, words("one"))
    (asked,) = world.of(TurnPaused)
    assert asked.ends
    assert outcome.stop_reason == "turn_cap"
    answer = (await world.stored(thread_id))[-1]
    assert (answer.state, answer.text.split()) == ("partial", ["0.", "1.", "2."])
    assert backend.closed_early


async def test_a_held_call_goes_on_and_its_rounds_are_counted(history: WatchedHistory) -> None:
    backend = HoldingBackend(5, parallel=3)
    world, thread_id = await world_of(history, backend, turn_cap_calls=4, max_tool_rounds=3)
    task = world.chat.start_send(thread_id, words("one"))
    for times in (1, 2):
        await paused(world, times)
        world.chat.answer_pause(thread_id, go_on=True)
    assert (await task).stop_reason == "end_turn"
    refused = [result is not None and result.text == ENOUGH for result in backend.got]
    assert refused == [False] * 9 + [True] * 6
