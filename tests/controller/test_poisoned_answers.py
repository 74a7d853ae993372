"""Whatever an answer holds, its turn ends, its text is kept, and its thread is free for the next question."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from desktop_app.backends.backend_protocol import with_redaction
from desktop_app.controller import sender
from desktop_app.core.events import NoticeRaised, TurnEnded, TurnFailed
from desktop_app.core.messages import Failure, Message, TextPart, ToolCallPart, UnknownPart, Usage
from desktop_app.core.redaction import Redaction
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend


def nested(depth: int) -> Any:
    """A JSON value as a model can write it."""
    return json.loads('{"a":' * depth + "1" + "}" * depth)


def call(values: Any) -> PartFinished:
    return PartFinished(ToolCallPart("c1", "look", values))


POISON: dict[str, tuple[StreamEvent, ...]] = {
    "arguments nested 600 deep": (call(nested(600)), Ended("end_turn")),
    "a block nested 600 deep": (PartFinished(UnknownPart({"type": "new", "x": nested(600)})), Ended("end_turn")),
    "citations nested 600 deep": (PartFinished(TextPart("what came", {"citations": nested(600)})), Ended("end_turn")),
    "tokens of 2^63": (UsageReported(Usage(input=2**63), "big"), Ended("end_turn")),
    "tokens of 400 digits": (UsageReported(Usage(output=10**400), "big"), Ended("end_turn")),
    "negative tokens": (UsageReported(Usage(input=-5), "big"), Ended("end_turn")),
    "tokens that are NaN": (UsageReported(Usage(input=math.nan), "big"), Ended("end_turn")),  # type: ignore[arg-type]
    "a cost that is NaN": (UsageReported(Usage(cost_usd=math.nan), "big"), Ended("end_turn")),
    "a cost without end": (UsageReported(Usage(cost_usd=math.inf), "big"), Ended("end_turn")),
    "a negative cost": (UsageReported(Usage(cost_usd=-3000.0), "big"), Ended("end_turn")),
    "a model that is a list": (UsageReported(Usage(), ["big"]), Ended("end_turn")),  # type: ignore[arg-type]
    "NaN in arguments": (call({"x": [math.nan, -math.inf, 10**5000]}), Ended("end_turn")),
    "arguments with half a character": (call({"query": "\ud83d"}), Ended("end_turn")),
    "a stop reason that is an object": (Ended({"type": "end"}),),  # type: ignore[arg-type]
    "a text that is a number": (TextDelta(7), Ended("end_turn")),  # type: ignore[arg-type]
    "thinking that is nothing": (ThinkingDelta(None), Ended("end_turn")),  # type: ignore[arg-type]
    "a call whose name is an object": (PartFinished(ToolCallPart("c1", {}, {})), Ended("end_turn")),  # type: ignore[arg-type]
    "a wait that is NaN": (Failed(Failure("overloaded", "Busy.", retry_after_s=math.nan)),),
    "an error that is an object": (Failed(Failure("backend", {"error": 1})),),  # type: ignore[arg-type]
}


@pytest_asyncio.fixture
async def world(history: WatchedHistory, backend: GatedBackend) -> AsyncIterator[World]:
    """As the app puts it together: what a backend reports comes through the door."""
    made = await make_world(history, {"gated": with_redaction(backend, Redaction())})
    yield made
    await made.chat.close()


@pytest.mark.parametrize("events", POISON.values(), ids=POISON)
async def test_a_poisoned_answer_ends_and_keeps_its_text(
    world: World, backend: GatedBackend, events: tuple[StreamEvent, ...]
) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("what came"), *events)
    outcome = await world.chat.send(thread.id, words("q"))
    assert not world.chat.running(thread.id)
    assert len(world.of(TurnEnded)) + len(world.of(TurnFailed)) == 1
    assert outcome.message is not None
    (_, answer) = await world.stored(thread.id)
    assert answer == outcome.message
    assert "what came" in answer.text
    assert_sound(answer)
    assert (await world.chat.send(thread.id, words("and now?"))).failure is None


@pytest.mark.parametrize("poison", ["tokens of 2^63", "negative tokens", "a cost that is NaN", "a negative cost"])
async def test_figures_that_can_not_be_right_are_unknown_and_said(
    world: World, backend: GatedBackend, poison: str
) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("what came"), *POISON[poison])
    outcome = await world.chat.send(thread.id, words("q"))
    assert outcome.failure is None
    assert outcome.message is not None
    assert outcome.message.usage is None or outcome.message.usage.cost_usd is None
    assert [notice.code for notice in world.of(NoticeRaised)] == ["usage_unreadable"]
    assert sum(row.cost_usd for row in await world.history.ledger()) == 0


async def test_what_is_learned_of_an_answer_may_fail(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = await world.thread()

    def broken(*_: object) -> None:
        raise OverflowError

    monkeypatch.setattr(type(world.chat.context), "learn", broken)
    assert (await world.chat.send(thread.id, words("q"))).failure is None
    assert len(world.of(TurnEnded)) == 1


async def test_deep_arguments_stay_readable(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    backend.reply(TextDelta("look: "), call({"query": "hull", "deep": nested(600)}), Ended("end_turn"))
    await world.chat.send(thread.id, words("q"))
    (_, answer) = await world.stored(thread.id)
    asked = answer.parts[1]
    assert isinstance(asked, ToolCallPart)
    assert asked.input["query"] == "hull"
    assert json.dumps(asked.input).count("{") == 601
    assert [notice.code for notice in world.of(NoticeRaised)] == ["values_unreadable"]


async def test_what_the_history_can_not_take_at_all_costs_no_text(
    world: World, backend: GatedBackend, history: WatchedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that no check foresaw: the history's own code fails at it."""
    thread = await world.thread()
    end = history.end_turn

    async def narrow(turn_id: str, answer: Message, usage: Usage | None) -> None:
        if any(isinstance(part, UnknownPart) for part in answer.parts) or usage is not None:
            raise RecursionError
        await end(turn_id, answer, usage)

    monkeypatch.setattr(history, "end_turn", narrow)
    backend.reply(
        TextDelta("kept"),
        PartFinished(UnknownPart({"type": "new"})),
        UsageReported(Usage(5), "big"),
        Ended("end_turn"),
    )
    outcome = await world.chat.send(thread.id, words("q"))
    assert outcome.failure is not None
    assert outcome.failure.code == "store"
    (_, answer) = await world.stored(thread.id)
    assert answer.text == "kept"
    assert (await world.chat.send(thread.id, words("r"))).message is not None
    assert not world.chat.running(thread.id)


async def test_a_fault_anywhere_in_a_turn_frees_its_thread(
    world: World, backend: GatedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`finally`: not even a bug behind the answer keeps the thread."""
    thread = await world.thread()

    def broken(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(f"{sender.__name__}.imitates_note", broken)
    with pytest.raises(ValueError, match="a bug"):
        await world.chat.send(thread.id, words("q"))
    assert not world.chat.running(thread.id)
    (_, answer) = await world.stored(thread.id)
    assert (answer.text, answer.state) == ("answer 1", "complete")
    monkeypatch.undo()
    assert (await world.chat.send(thread.id, words("r"))).failure is None


def assert_sound(answer: Message) -> None:
    """Strict JSON can be made of all of it."""
    for part in answer.parts:
        if isinstance(part, ToolCallPart):
            json.dumps(part.input, allow_nan=False, ensure_ascii=False).encode()
        if isinstance(part, UnknownPart):
            json.dumps(part.raw, allow_nan=False)
    if answer.usage is not None:
        assert answer.usage.input >= 0
        assert answer.usage.cost_usd is None or 0 <= answer.usage.cost_usd < math.inf
