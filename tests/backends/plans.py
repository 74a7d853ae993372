"""Owns plans made by hand, and what collects a stream, for the tests of the backends. Knows no planner."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any, TypeVar

from desktop_app.core.context.plan import CacheMark, ContextPlacement, ContextPlan, Limits, PlannedRequest, TokenCount
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import BoundaryState, Part, TextPart
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.stream_events import Accumulator, Failed, StreamEvent, TextDelta
from tests.builders.placed import GivenPath
from tests.patience import PATIENCE_S

Event = TypeVar("Event", bound=StreamEvent)


def user(*parts: str | Part) -> PlannedMessage:
    return _message("user", parts)


def assistant(*parts: str | Part) -> PlannedMessage:
    return _message("assistant", parts)


def _message(role: str, parts: Sequence[str | Part]) -> PlannedMessage:
    blocks = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    return PlannedMessage("user" if role == "user" else "assistant", blocks, (None,) * len(blocks))


def plan_of(
    *messages: PlannedMessage,
    system: str = "",
    marks: Sequence[CacheMark] = (),
    model: ModelInfo | None = None,
    max_output: int = 1000,
) -> ContextPlan:
    """A plan that sends just these messages; the last one is the pending one."""
    model = model or find_model("anthropic", "claude-sonnet-5-5")
    *history, pending = messages
    return ContextPlan(
        backend="anthropic",
        model=model,
        decision="ok",
        limits=Limits(model.window, 150_000, 120_000, 180_000, max_output),
        tokens=TokenCount(),
        request=PlannedRequest(
            system=system,
            history=tuple(history),
            pending=pending,
            marks=tuple(marks),
        ),
        placement=ContextPlacement(
            messages=GivenPath(),
            boundary=BoundaryState(),
        ),
    )


class Collected:
    """Every event of a stream, and the message they fold into."""

    def __init__(self) -> None:
        self.events: list[StreamEvent] = []
        self.message = Accumulator()

    def add(self, event: StreamEvent) -> None:
        self.events.append(event)
        self.message.add(event)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.message.parts if isinstance(part, TextPart))

    @property
    def failed(self) -> Failed:
        """The only failure, which must be the last event."""
        assert isinstance(self.events[-1], Failed), self.events
        assert len(self.of(Failed)) == 1
        return self.events[-1]


async def collect(stream: AsyncIterator[StreamEvent]) -> Collected:
    collected = Collected()
    async for event in stream:
        collected.add(event)
    return collected


async def none_left(before: set[asyncio.Task[Any]]) -> None:
    """Fails unless there are no other tasks than `before`; the loop closes dropped generators in a last step."""
    until = time.monotonic() + PATIENCE_S
    while asyncio.all_tasks() != before:
        assert time.monotonic() < until, asyncio.all_tasks() - before
        await asyncio.sleep(0)


async def close_after(deltas: int, stream: AsyncGenerator[StreamEvent, None]) -> None:
    """Reads so many pieces of text and closes the stream; fails unless nothing is left of it."""
    before = asyncio.all_tasks()
    async for event in stream:
        deltas -= isinstance(event, TextDelta)
        if not deltas:
            break
    assert not deltas
    await stream.aclose()
    await none_left(before)
