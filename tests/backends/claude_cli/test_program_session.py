"""How long an answer may be silent, with programs that are scripts."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from desktop_app.backends.claude_cli import launch
from desktop_app.backends.claude_cli.claude_cli_backend import DEFAULT_TIMEOUT_S, ClaudeCliBackend
from desktop_app.backends.claude_cli.framing import LineFramer
from desktop_app.core.messages import TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Accumulator, Failed, PartFinished, Reset
from tests.backends.claude_cli.plans import SEARCH, passes, plan_of
from tests.backends.claude_cli.tool_user import ToolUser

LIMIT_S = 0.6


def event(**fields: object) -> dict[str, object]:
    return {"type": "stream_event", "event": fields}


START = event(type="message_start", message={"id": "m1", "model": "m", "usage": {"input_tokens": 1}})
PING = event(type="ping")
STOP = event(type="message_stop")
END = {"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}


def text(words: str) -> dict[str, object]:
    return event(type="content_block_delta", delta={"type": "text_delta", "text": words})


def backend_of(tmp_path: Path, *steps: Mapping[str, object] | float | None) -> ClaudeCliBackend:
    """A program that prints records, rests for seconds, and reads a line at None; then it waits for ever."""
    lines = ["#!/bin/sh", 'if [ "$1" = --version ]; then echo "2.1.330 (script)"; exit; fi', "read -r line"]
    lines += [_command(step) for step in steps]
    path = tmp_path / "claude"
    path.write_text("\n".join([*lines, "exec sleep 600"]))
    path.chmod(0o755)
    return ClaudeCliBackend(
        program=path,
        work_dir=tmp_path / "work",
        environ={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        overrides={},
        trial=passes,
        timeout_s=LIMIT_S,
    )


def _command(step: Mapping[str, object] | float | None) -> str:
    match step:
        case None:
            return "read -r line"
        case float():
            return f"sleep {step}"
        case _:
            return f"echo '{json.dumps(step)}'"


async def answered(backend: ClaudeCliBackend) -> tuple[Accumulator, float]:
    answer, start = Accumulator(), time.perf_counter()
    async for one in backend.stream(plan_of("hello")):
        answer.add(one)
    assert psutil.Process().children(recursive=True) == []
    return answer, time.perf_counter() - start


def test_the_limit_is_that_of_the_other_backends() -> None:
    assert DEFAULT_TIMEOUT_S == 600


@pytest.mark.parametrize("steps", [(), (START,), (START, text("some "))], ids=["no word", "head", "text"])
async def test_a_silent_program_is_given_up(tmp_path: Path, steps: tuple[dict[str, object], ...]) -> None:
    answer, seconds = await answered(backend_of(tmp_path, *steps))

    assert seconds >= LIMIT_S
    assert answer.failure is not None
    assert answer.failure.code == "network"
    shown = len(steps) == 2
    assert answer.parts == ((TextPart("some "),) if shown else ())
    assert ("so far is saved" in answer.failure.message) is shown
    assert answer.failure.actions[0] == ("continue" if shown else "retry")


@pytest.mark.slow
async def test_signs_of_life_within_a_stream_count(tmp_path: Path) -> None:
    pings = [step for _ in range(5) for step in (0.3, PING)]

    answer, seconds = await answered(backend_of(tmp_path, START, text("some "), *pings, text("more"), STOP, END))

    assert answer.failure is None
    assert answer.parts == (TextPart("some more"),)
    assert seconds > 2 * LIMIT_S


async def test_the_programs_own_signs_of_life_do_not(tmp_path: Path) -> None:
    """It makes some while it waits for an answer that does not stream."""
    pings = [step for _ in range(20) for step in (0.2, PING)]

    answer, seconds = await answered(backend_of(tmp_path, START, text("some "), STOP, *pings))

    assert answer.failure is not None
    assert answer.failure.code == "network"
    assert seconds < 3


@pytest.mark.slow
async def test_a_wait_that_was_announced_is_not_silence(tmp_path: Path) -> None:
    retry = {"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 2, "retry_delay_ms": 2_000}

    answer, seconds = await answered(backend_of(tmp_path, retry, 1.2, START, text("late"), STOP, END))

    assert answer.failure is None
    assert answer.parts == (TextPart("late"),)
    assert seconds > LIMIT_S


@pytest.mark.slow
async def test_the_time_of_a_tool_is_not_silence(tmp_path: Path) -> None:
    block = {"type": "tool_use", "id": "t1", "name": "mcp__plimsoll__search_this_thread", "input": {"query": "q"}}
    message = {"method": "tools/call", "id": 1, "params": {"name": SEARCH.name, "arguments": {"query": "q"}}}
    call = {"subtype": "mcp_message", "server_name": "plimsoll", "message": message}
    backend = backend_of(
        tmp_path,
        START,
        {"type": "assistant", "message": {"id": "m1", "model": "m", "content": [block]}},
        event(type="message_delta", delta={"stop_reason": "tool_use"}),
        STOP,
        {"type": "control_request", "request_id": "r", "request": call},
        *(None, None, 0.3),  # the conversation behind the greeting, and the result
        event(type="message_start", message={"id": "m2", "model": "m", "usage": {"input_tokens": 2}}),
        text("found"),
        event(type="message_delta", delta={"stop_reason": "end_turn"}),
        STOP,
        END,
    )

    async def slowly(call: ToolCallPart) -> ToolResultPart:
        await asyncio.sleep(2 * LIMIT_S)
        return ToolResultPart(call.id, "r")

    user = await ToolUser(slowly).read(backend, plan_of("hello", tools=[SEARCH]))

    assert user.answer.failure is None
    assert user.outline == ["call t1", "result t1", "text"]
    assert user.answer.usage is not None
    assert (user.answer.usage.input, user.answer.usage.first_prompt) == (3, 1)


async def test_a_call_that_the_program_did_not_show_is_run_too(tmp_path: Path) -> None:
    message = {"method": "tools/call", "id": 1, "params": {"name": SEARCH.name, "arguments": {"query": "q"}}}
    call = {"subtype": "mcp_message", "server_name": "plimsoll", "message": message}
    request = {"type": "control_request", "request_id": "r", "request": call}
    backend = backend_of(tmp_path, START, text("Look. "), STOP, request, 0.2, {**START}, text("found"), STOP, END)

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
    answer, _ = await answered(backend_of(tmp_path, START, text("Good text"), wrong, STOP, END))
    assert answer.parts == (TextPart("Good text"),)


async def test_a_line_without_an_end_ends_the_answer_and_keeps_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "LineFramer", lambda: LineFramer(longest=2_000))
    answer, _ = await answered(backend_of(tmp_path, START, text("Good text"), 0.2, text("x" * 3_000)))
    assert answer.parts == (TextPart("Good text"),)
    assert answer.failure is not None
    assert "The text so far is saved" in answer.failure.message
