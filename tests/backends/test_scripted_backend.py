"""The scripted backend: what other tests stand on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.scripted_backend import ScriptedBackend, read_script
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure, TextPart, ThinkingPart, ToolCallPart, UnknownPart, Usage
from desktop_app.core.stream_events import Ended, Failed, Notice, Reset, TextDelta, UsageReported
from tests.backends.plans import assistant, collect, plan_of, user
from tests.patience import PATIENCE_S

SCRIPT = """\
# a comment
{"thinking": "hm"}
{"text": "Grüße"}

{"tool": {"name": "find", "input": {"q": "x"}}}
{"block": {"type": "hologram", "depth": 1}}
{"notice": "Trying again", "code": "retry"}
{"usage": {"input": 10, "output": 2}}
{"end": "max_tokens"}
{"text": "lost"}
{"reset": true}
{"delay_ms": 1}
{"text": "second"}
{"error": {"code": "overloaded", "message": "Too much.", "actions": ["retry"]}}
"""


def scripted(path: Path, text: str) -> ScriptedBackend:
    file = path / "script.ndjson"
    file.write_text(text, encoding="utf-8")
    return ScriptedBackend(script=file)


async def test_plays_turn_after_turn_and_starts_over(tmp_path: Path) -> None:
    backend: Backend = scripted(tmp_path, SCRIPT)
    first = await collect(backend.stream(plan_of(user("a"))))
    assert first.message.parts == (
        ThinkingPart("hm"),
        TextPart("Grüße"),
        ToolCallPart("tool_1", "find", {"q": "x"}),
        UnknownPart({"type": "hologram", "depth": 1}),
    )
    assert first.of(Notice) == [Notice("retry", "Trying again")]
    assert first.of(UsageReported) == [UsageReported(Usage(10, output=2), "scripted")]
    assert first.events[-1] == Ended("max_tokens")
    second = await collect(backend.stream(plan_of(user("a"))))
    assert second.of(Reset)
    assert second.text == "second"
    assert second.failed == Failed(Failure("overloaded", "Too much.", "", ("retry",)))
    assert (await collect(backend.stream(plan_of(user("a"))))).events == first.events


async def test_an_open_end_is_an_end_turn(tmp_path: Path) -> None:
    backend = scripted(tmp_path, '{"text": "a"}')
    assert (await collect(backend.stream(plan_of(user("x"))))).events == [TextDelta("a"), Ended("end_turn")]


@pytest.mark.parametrize(
    "line",
    [
        *("nonsense", "[1]", "1", "{}", '{"text": 1}', '{"usage": {"inputs": 1}}', '{"usage": {"input": "x"}}'),
        *('{"error": {"code": "odd", "message": "x"}}', '{"error": {"code": "usage"}}', '{"delay_ms": "1"}'),
    ],
)
async def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    backend = scripted(tmp_path, f'{{"text": "a"}}\n\n{line}\n')
    failure = (await collect(backend.stream(plan_of(user("x"))))).failed.failure
    assert failure.code == "config"
    assert failure.message.startswith("Line 3 of the script")
    with pytest.raises(UserError):
        read_script(line)


async def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    backend = ScriptedBackend(script=tmp_path / "none.ndjson")
    failure = (await collect(backend.stream(plan_of(user("x"))))).failed.failure
    assert (failure.code, "none.ndjson" in failure.message) == ("config", True)


async def test_the_echo_tells_every_message_that_was_sent() -> None:
    backend = ScriptedBackend(script=None)
    plan = plan_of(user("one", "and"), assistant("two"), user("three  words"), system="Be brief.")
    answer = await collect(backend.stream(plan))
    assert answer.text == (
        "I was sent 3 messages.\n\nsystem: Be brief.\n\n1. user: one | and\n\n2. assistant: two\n\n"
        "3. user: three  words"
    )
    assert len(answer.of(TextDelta)) > 5
    usage = answer.of(UsageReported)[-1].usage
    assert usage.input == await backend.count_tokens(plan)
    assert usage.output == -(-len(answer.text) // 4)


async def test_the_echo_of_one_message() -> None:
    answer = await collect(ScriptedBackend(script=None).stream(plan_of(user("hi"))))
    assert answer.text == "I was sent 1 message.\n\n1. user: hi"


async def test_has_the_limits_of_a_200k_model() -> None:
    model = (await ScriptedBackend(script=None).models())[0]
    assert (model.id, model.window, model.max_output) == ("scripted", 200_000, 64_000)


async def test_a_pause_can_be_cancelled(tmp_path: Path) -> None:
    backend = scripted(tmp_path, '{"text": "a"}\n{"delay_ms": 60000}\n{"text": "b"}')
    stream = backend.stream(plan_of(user("x")))
    await anext(stream)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, PATIENCE_S)
