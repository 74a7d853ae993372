"""The table of tools: whom each is offered, and what a tool sees of the turn that calls it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from desktop_app.controller.turn_tools import TurnState
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Message, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.recall import RECALL
from tests.controller.test_tool_loop import AskingBackend, asks, call
from tests.controller.world import WatchedHistory, make_world, words
from tests.fakes.gated_backend import GatedBackend


@dataclass
class WeighingTool:
    """Answers each call with its number, and remembers what it saw."""

    name: str = "weigh"
    wanted: bool = True
    seen: list[TurnState] = field(default_factory=list)

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "Weighs.", {"type": "object", "properties": {}})

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return self.wanted and thread.title != "without"

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        self.seen.append(turn)
        if call.input.get("query") == "fail":
            raise UserError("store", "The scales are locked.")
        return ToolResultPart(call.id, f"{len(self.seen)} pounds")


def own(backend: GatedBackend) -> GatedBackend:
    backend.accepts_tools = True
    return backend


def weigh(call_id: str, query: str = "") -> ToolCallPart:
    return call(query, call_id, name="weigh")


def parts_of(message: Message) -> list[str]:
    return [part.id if isinstance(part, ToolCallPart) else part.call_id + "!" for part in message.parts]  # type: ignore[union-attr]


@pytest.mark.parametrize("caching", [True, False])
async def test_tools_are_offered_in_their_order_to_those_who_have_a_use_for_them(
    history: WatchedHistory, caching: bool
) -> None:
    backend, tool = own(GatedBackend()), WeighingTool()
    backend.overhead = Overhead(cache_marks=4) if caching else Overhead()
    world = await make_world(history, {"gated": backend}, tools=(tool, WeighingTool("hidden", wanted=False)))
    thread, other = await world.thread(), await world.thread(title="without")
    for one in (thread, other):
        await world.chat.send(one.id, words("one"))
    offered = [[spec.name for spec in plan.request.tools] for plan in backend.plans]
    # a tool that finds more than what is out of view is offered from the first request on, whatever that costs
    assert offered == [[RECALL.name, "weigh"], [RECALL.name] if caching else []]


async def test_a_tool_that_is_offered_from_now_on_is_in_the_next_plan(history: WatchedHistory) -> None:
    backend, tool = own(GatedBackend()), WeighingTool(wanted=False)
    world = await make_world(history, {"gated": backend}, tools=(tool,))
    thread = await world.thread()
    assert (await world.chat.prepared(thread.id)).plan(words("one")).request.tools == ()
    tool.wanted = True
    assert "weigh" in [spec.name for spec in (await world.chat.prepared(thread.id)).plan(words("one")).request.tools]


async def test_a_tool_sees_the_answer_that_calls_it_with_what_it_got_before(history: WatchedHistory) -> None:
    backend, tool = own(GatedBackend()), WeighingTool()
    world = await make_world(history, {"gated": backend}, tools=(tool,))
    thread = await world.thread()
    backend.reply(*asks(weigh("a"), weigh("b")))
    backend.reply(*asks(weigh("c")))
    await world.chat.send(thread.id, words("one"))
    assert [parts_of(turn.path[-1]) for turn in tool.seen] == [["a", "b"], ["a", "b", "a!"], ["c"]]
    stored = await world.stored(thread.id)
    assert [message.id for message in tool.seen[2].path] == [message.id for message in stored[:4]]
    assert tool.seen[0].room > tool.seen[1].room
    # the first request was counted meanwhile, below its estimate: that leaves more room than was thought
    assert tool.seen[2].room > tool.seen[1].room
    assert tool.seen[0].plan is backend.plans[0]


async def test_a_tool_sees_what_it_answered_to_a_program_that_runs_the_loop(
    history: WatchedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.controller.test_tool_loop.call", weigh)
    tool = WeighingTool()
    world = await make_world(history, {"gated": AskingBackend()}, tools=(tool,))
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    assert [parts_of(turn.path[-1]) for turn in tool.seen] == [["c0"], ["c0", "c0!", "c1"]]


async def test_a_tool_that_fails_says_so_by_its_name(history: WatchedHistory) -> None:
    backend = own(GatedBackend())
    world = await make_world(history, {"gated": backend}, tools=(WeighingTool(),))
    thread = await world.thread()
    backend.reply(*asks(weigh("a", "fail")))
    outcome = await world.chat.send(thread.id, words("one"))
    assert outcome.failure is None
    (result,) = (await world.stored(thread.id))[-2].parts
    assert result == ToolResultPart("a", "weigh failed: The scales are locked.", is_error=True)
