"""Owns a reader of answers that runs the calls in them, for the tests of this backend. Knows no real tool."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from contextlib import aclosing

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Part, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Accumulator, PartFinished, StreamEvent, ToolAsked

Run = Callable[[ToolCallPart], ToolResultPart | Awaitable[ToolResultPart | None] | None]


def found(call: ToolCallPart) -> ToolResultPart:
    """The usual result: it repeats the query."""
    return ToolResultPart(call.id, f"found {call.input.get('query')}")


class ToolUser:
    """Reads one answer, gives each call what `run` makes of it, and keeps all that came."""

    def __init__(self, run: Run = found) -> None:
        self.answer = Accumulator()
        self.events: list[StreamEvent] = []
        self.asked: list[ToolCallPart] = []
        self._run = run

    async def read(self, backend: ClaudeCliBackend, plan: ContextPlan) -> ToolUser:
        given: ToolResultPart | None = None
        async with aclosing(backend.stream(plan)) as stream:
            while True:
                try:
                    event = await stream.asend(given)
                except StopAsyncIteration:
                    return self
                given = None
                self.answer.add(event)
                self.events.append(event)
                if isinstance(event, ToolAsked):
                    self.asked.append(event.call)
                    made = self._run(event.call)
                    given = await made if inspect.isawaitable(made) else made
                    if given is not None:
                        self.answer.add(PartFinished(given))

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.answer.parts

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def outline(self) -> list[str]:
        """The parts in short: `text`, `call ID`, `result ID`."""
        names = {TextPart: "text", ToolCallPart: "call", ToolResultPart: "result"}
        ids = [getattr(part, "call_id", getattr(part, "id", "")) for part in self.parts]
        return [f"{names.get(type(part), '?')} {one}".strip() for part, one in zip(self.parts, ids, strict=True)]
