"""Talks with one running `claude` program: records become events, calls of our tools get their results."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader, PairedEvents
from desktop_app.backends.claude_cli.claude_failures import endless
from desktop_app.backends.claude_cli.invocation import INTERRUPT, NO_RESULT, McpToolCall
from desktop_app.backends.claude_cli.launch import Launched
from desktop_app.backends.claude_cli.program_process import LineTooLongError
from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import PartFinished, StreamEvent, ToolAsked

LAST_WORDS_S: Final = 1.0
"""Seconds that an interrupted program gets for its `result` line, which has the cost, and an answered one to end."""

ANSWER_NOW: Final = "No more calls can be made in this turn. Answer with what you have."

_GRACE_S: Final = 0.05

PATIENCE: Final = 10
"""Calls that are refused because the model has to answer, until the answer is given up."""


class ProgramSession:
    """One answer of a started program. `timeout_s`: the longest silence. `refuses_calls`: none is run any more."""

    def __init__(
        self, launched: Launched, reader: ClaudeAnswerReader, timeout_s: float, *, refuses_calls: bool = False
    ) -> None:
        self._launched = launched
        self._reader = reader
        self._timeout_s = timeout_s
        self._refuses_calls = refuses_calls
        self._paired = PairedEvents(pairing=launched.tool_server.open)
        self._refused = 0
        self._interrupted = self._over = False
        self._heard = _now()

    async def events(self) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        """The events up to the one that ends the answer; takes the result of each `ToolAsked` by `asend`."""
        reader, paired, tool_server = self._reader, self._paired, self._launched.tool_server
        while reader.outcome is None and (lines := await self._lines()) is not None:
            for line in lines:
                self._hear(line)
                for event in paired.give():
                    yield event
                while reader.outcome is None and (asked := tool_server.next_call()) is not None:
                    call = self._call(asked)
                    if call is None:
                        break
                    for event in paired.give(until=call):
                        yield event
                    result = None if self._refuses_calls else (yield ToolAsked(call))
                    if result is None or result.extra.get("budget") == "rounds":
                        self._refused += 1
                    if result is None:
                        words = ANSWER_NOW if self._refuses_calls else NO_RESULT
                        result = ToolResultPart(call.id, words, is_error=True)
                        yield PartFinished(result)
                    self._answer(asked, call, result)
                    for event in paired.give():
                        yield event
        if reader.outcome is None:
            await self._launched.process.wait(LAST_WORDS_S)
            paired.add(reader.end(self._launched.process.stderr))
        for event in paired.give(all_of_it=True):
            yield event

    async def _lines(self) -> Sequence[str] | None:
        """The next whole lines; None where the output is over, or nothing more is to be waited for."""
        if self._over:
            return None
        limit = self._timeout_s + self._reader.retry_delay_s
        # whoever reads the events may have taken longer than that: what lies there by now counts
        until = _now() + LAST_WORDS_S if self._interrupted else max(self._heard + limit, _now() + _GRACE_S)
        try:
            async with asyncio.timeout_at(until):
                data = await self._launched.process.read()
        except TimeoutError:
            if not self._interrupted:
                self._paired.add(self._reader.stall(limit))
            return None
        self._over = not data
        try:
            return self._launched.framer.feed(data) if data else self._launched.framer.end()
        except LineTooLongError as error:
            self._paired.add(self._reader.give_up(str(error)))
            return None

    def _hear(self, line: str) -> None:
        reader = self._reader
        record = self._launched.hear(line)
        if reader.streaming or not _is_ping(record):
            self._heard = _now()
        try:
            self._paired.add(reader.read(record))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            detail = f"a record that is not of the program's form ({type(error).__name__})"
            self._paired.add(reader.give_up(detail))
        if reader.wants_interrupt and not self._interrupted:
            self._launched.process.write(INTERRUPT)
            self._interrupted = True
        if reader.started:
            self._launched.forget_system()

    def _call(self, asked: McpToolCall) -> ToolCallPart | None:
        """The model's call that the program wants the result of; None where it is yet to come."""
        known = next((call for call in self._paired.unanswered() if asked.is_for(call)), None)
        if known is not None or self._reader.streaming:
            return known
        # a call that the program did not show
        call = ToolCallPart(asked.call_id or asked.request_id, asked.name, asked.input)
        self._paired.add(self._reader.call(call))
        return call

    def _answer(self, asked: McpToolCall, call: ToolCallPart, result: ToolResultPart) -> None:
        self._launched.process.write(self._launched.tool_server.answer(asked, result))
        self._reader.answered(result)
        self._paired.answered(call.id)
        self._heard = _now()
        if self._refused > PATIENCE:
            self._paired.add(self._reader.fail(endless(self._refused)))


def _is_ping(record: Mapping[str, Any]) -> bool:
    """A sign of life of a stream; without one it is the program's own, made while the provider is silent."""
    event = record.get("event")
    return isinstance(event, dict) and event.get("type") == "ping"


def _now() -> float:
    return asyncio.get_running_loop().time()
