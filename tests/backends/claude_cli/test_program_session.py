"""How long an answer may be silent, with programs that are played and with scripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from desktop_app.backends.claude_cli import program_session
from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader
from desktop_app.backends.claude_cli.claude_cli_backend import DEFAULT_TIMEOUT_S, ClaudeCliBackend
from desktop_app.backends.claude_cli.invocation import McpToolServer
from desktop_app.backends.claude_cli.program_process import LineFramer
from desktop_app.backends.claude_cli.program_session import Launched, ProgramSession
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Accumulator, Failed, PartFinished, Reset, SignOfLife, StreamEvent
from tests.backends.claude_cli.jumping_time import in_jumping_time
from tests.backends.claude_cli.plans import SEARCH, passes, plan_of
from tests.backends.claude_cli.tool_user import Run, ToolUser, found
from tests.patience import PATIENCE_S

LIMIT_S = 60.0


def event(**fields: object) -> dict[str, object]:
    return {"type": "stream_event", "event": fields}


START = event(type="message_start", message={"id": "m1", "model": "m", "usage": {"input_tokens": 1}})
PING = event(type="ping")
STOP = event(type="message_stop")
END = {"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}


def text(words: str) -> dict[str, object]:
    return event(type="content_block_delta", delta={"type": "text_delta", "text": words})


class PlayedProgram:
    """Stands in for a program: prints records, rests for seconds, reads a line at None; then it waits for ever."""

    stderr = ""

    def __init__(self, *steps: Mapping[str, object] | float | None) -> None:
        self._steps = iter(steps)
        self._written = 0
        self._read = 0

    def write(self, data: bytes) -> None:
        self._written += 1

    async def wait(self, seconds: float) -> bool:
        return True

    async def read(self) -> bytes:
        for step in self._steps:
            match step:
                case None:
                    self._read += 1
                    assert self._written >= self._read
                case float():
                    await asyncio.sleep(step)
                case _:
                    return json.dumps(step).encode() + b"\n"
        silence: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        return await silence


class NoSystemFile:
    def forget(self) -> None:
        pass


class PlayedBackend:
    """A session with a program that is played, as the backend begins one."""

    def __init__(self, *steps: Mapping[str, object] | float | None) -> None:
        self._program = PlayedProgram(*steps)

    def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        launched = Launched(cast("Any", self._program), cast("Any", NoSystemFile()), McpToolServer(plan.request.tools))
        return ProgramSession(launched, ClaudeAnswerReader(tools=bool(plan.request.tools)), LIMIT_S).events()


def played(*steps: Mapping[str, object] | float | None, run: Run = found) -> tuple[ToolUser, float]:
    """What came of it, and the seconds that it took in its own time."""
    plan = plan_of("hello", tools=[SEARCH])
    return in_jumping_time(ToolUser(run).read(cast("Any", PlayedBackend(*steps)), plan))


def backend_of(tmp_path: Path, *steps: Mapping[str, object] | None, timeout_s: float = PATIENCE_S) -> ClaudeCliBackend:
    """A program that is a script: it prints records once it is asked, reads a line at None, then waits for ever."""
    lines = ["#!/bin/sh", 'if [ "$1" = --version ]; then echo "2.1.330 (script)"; exit; fi', "read -r line"]
    lines += ["read -r line" if step is None else f"echo '{json.dumps(step)}'" for step in steps]
    path = tmp_path / "claude"
    path.write_text("\n".join([*lines, "exec sleep 600"]))
    path.chmod(0o755)
    return ClaudeCliBackend(
        program=path,
        work_dir=tmp_path / "work",
        environ={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        overrides={},
        trial=passes,
        timeout_s=timeout_s,
    )


async def answered(backend: ClaudeCliBackend) -> Accumulator:
    answer = Accumulator()
    async for one in backend.stream(plan_of("hello")):
        answer.add(one)
    assert psutil.Process().children(recursive=True) == []
    return answer


def test_the_limit_is_that_of_the_other_backends() -> None:
    assert DEFAULT_TIMEOUT_S == 600


async def test_a_silent_program_is_ended(tmp_path: Path) -> None:
    answer = await answered(backend_of(tmp_path, timeout_s=0.2))

    assert answer.failure is not None
    assert answer.failure.code == "network"


@pytest.mark.parametrize("steps", [(), (START,), (START, text("some "))], ids=["no word", "head", "text"])
def test_a_silent_program_is_given_up(steps: tuple[dict[str, object], ...]) -> None:
    user, seconds = played(*steps)

    assert seconds == pytest.approx(LIMIT_S)
    assert user.answer.failure is not None
    assert user.answer.failure.code == "network"
    shown = len(steps) == 2
    assert user.parts == ((TextPart("some "),) if shown else ())
    assert ("so far is saved" in user.answer.failure.message) is shown
    assert user.answer.failure.actions[0] == ("continue" if shown else "retry")


def test_signs_of_life_within_a_stream_count() -> None:
    rest = LIMIT_S / 2
    pings = [step for _ in range(5) for step in (rest, PING)]

    user, seconds = played(START, text("some "), *pings, text("more"), STOP, END)

    assert user.answer.failure is None
    assert user.parts == (TextPart("some more"),)
    assert seconds == pytest.approx(5 * rest)


def test_the_programs_own_signs_of_life_do_not() -> None:
    """It makes some while it waits for an answer that does not stream."""
    pings = [step for _ in range(20) for step in (LIMIT_S / 3, PING)]

    user, seconds = played(START, text("some "), STOP, *pings)

    assert user.answer.failure is not None
    assert user.answer.failure.code == "network"
    assert seconds == pytest.approx(LIMIT_S)


def test_a_call_that_is_being_written_gives_signs_of_life_and_a_ping_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.backends.response_bodies.SIGN_EVERY_S", 0.0)
    piece = event(type="content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": "{"})

    async def events() -> list[StreamEvent]:
        backend = PlayedBackend(START, text("some "), PING, piece, PING, STOP, END)
        return [one async for one in backend.stream(plan_of("hello"))]

    came, _ = in_jumping_time(events())
    assert came.count(SignOfLife()) == 2, "the piece, and the end of the message"


def test_a_wait_that_was_announced_is_not_silence() -> None:
    delay_s = 3 * LIMIT_S
    retry = {"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 2, "retry_delay_ms": delay_s * 1000}

    user, seconds = played(retry, delay_s, START, text("late"), STOP, END)

    assert user.answer.failure is None
    assert user.parts == (TextPart("late"),)
    assert seconds == pytest.approx(delay_s)


def test_the_time_of_a_tool_is_not_silence() -> None:
    block = {"type": "tool_use", "id": "t1", "name": "mcp__plimsoll__search_this_thread", "input": {"query": "q"}}
    message = {"method": "tools/call", "id": 1, "params": {"name": SEARCH.name, "arguments": {"query": "q"}}}
    call = {"subtype": "mcp_message", "server_name": "plimsoll", "message": message}

    async def slowly(call: ToolCallPart) -> ToolResultPart:
        await asyncio.sleep(2 * LIMIT_S)
        return ToolResultPart(call.id, "r")

    user, seconds = played(
        START,
        {"type": "assistant", "message": {"id": "m1", "model": "m", "content": [block]}},
        event(type="message_delta", delta={"stop_reason": "tool_use"}),
        STOP,
        {"type": "control_request", "request_id": "r", "request": call},
        *(None, LIMIT_S / 2),  # the result
        event(type="message_start", message={"id": "m2", "model": "m", "usage": {"input_tokens": 2}}),
        text("found"),
        event(type="message_delta", delta={"stop_reason": "end_turn"}),
        STOP,
        END,
        run=slowly,
    )

    assert user.answer.failure is None
    assert user.outline == ["call t1", "result t1", "text"]
    assert user.answer.usage is not None
    assert (user.answer.usage.input, user.answer.usage.first_prompt) == (3, 1)
    assert seconds == pytest.approx(2.5 * LIMIT_S)


async def test_a_call_that_the_program_did_not_show_is_run_too(tmp_path: Path) -> None:
    message = {"method": "tools/call", "id": 1, "params": {"name": SEARCH.name, "arguments": {"query": "q"}}}
    call = {"subtype": "mcp_message", "server_name": "plimsoll", "message": message}
    request = {"type": "control_request", "request_id": "r", "request": call}
    backend = backend_of(tmp_path, START, text("Look. "), STOP, request, None, None, START, text("found"), STOP, END)

    user = await ToolUser().read(backend, plan_of("hello", tools=[SEARCH]))

    assert [call.input for call in user.asked] == [{"query": "q"}]
    assert not any(isinstance(one, Failed) for one in user.events)
    assert not any(isinstance(one, Reset) for one in user.events[:4])
    assert PartFinished(ToolCallPart("r", SEARCH.name, {"query": "q"})) in user.events


@pytest.mark.parametrize(
    "wrong",
    [
        event(type="message_delta", delta=5, usage=5),
        event(type=[1]),
        {"type": "stream_event", "event": 5},
        {"type": {}},
    ],
)
async def test_records_of_a_wrong_form_lose_no_text(tmp_path: Path, wrong: Mapping[str, object]) -> None:
    answer = await answered(backend_of(tmp_path, START, text("Good text"), wrong, STOP, END))
    assert answer.parts == (TextPart("Good text"),)


async def test_a_line_without_an_end_ends_the_answer_and_keeps_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_session, "LineFramer", lambda: LineFramer(longest=100_000))
    answer = await answered(backend_of(tmp_path, START, text("Good text"), text("x" * 600_000)))
    assert answer.parts == (TextPart("Good text"),)
    assert answer.failure is not None
    assert "The text so far is saved" in answer.failure.message
