"""The program that is started ahead: one at most, used once, given up when it does not fit or nobody comes."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.claude_cli.program_finder import Program
from desktop_app.backends.claude_cli.program_session import IDLE_S, Launch, Launched, PrewarmedProgram
from desktop_app.core.messages import Parameters
from desktop_app.core.stream_events import Ended
from tests.backends.claude_cli.plans import SEARCH, plan_of
from tests.backends.plans import collect
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, MessagesApi, Stall

SCRIPT = """#!/bin/sh
read ready; echo '{"type":"control_response"}'
read line; echo "heard $line"
"""


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    path = tmp_path / "claude"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    program = Program(path, (2, 1, 330), (path, 0, 0))
    return Launch.of(plan_of("hello"), program, tmp_path, {"PATH": os.environ["PATH"]})


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    _, alive = psutil.wait_procs(psutil.Process().children(recursive=True), timeout=PATIENCE_S)
    assert alive == []
    assert list(Path(tempfile.gettempdir()).glob("plimsoll-*.txt")) == []


async def test_who_waits_has_said_as_whom_it_will_ask(launch: Launch) -> None:
    account = '{"account": {"email": "ada@example.org", "subscriptionType": "Claude Max"}}'
    launch.program.path.write_text(
        f"""#!/bin/sh
read ready; echo '{{"type":"control_response","response":{{"response":{account}}}}}'
read line
"""
    )
    told: list[str] = []
    prewarmed = PrewarmedProgram(signed_in=told.append)
    await prewarmed.hold(launch)
    assert prewarmed.held is not None
    async with asyncio.timeout(PATIENCE_S):
        await prewarmed.held.ready.wait()
    await prewarmed.close()
    assert told == ['{"email": "ada@example.org"}']


def other(launch: Launch, **fields: str) -> Launch:
    return Launch(
        launch.program,
        launch.folder,
        fields.get("model", launch.model),
        fields.get("system", launch.system),
        {**launch.environ, **{name: text for name, text in fields.items() if name.isupper()}},
    )


def running() -> list[psutil.Process]:
    return psutil.Process().children()


async def test_what_is_held_is_taken_once(launch: Launch) -> None:
    prewarmed = PrewarmedProgram()
    await prewarmed.hold(launch)
    await prewarmed.hold(launch)
    assert len(running()) == 1

    held = await prewarmed.take(launch)

    assert held is not None
    assert await prewarmed.take(launch) is None
    held.process.write(b"question\n")
    said = b""
    while b"heard" not in said:
        said += await held.process.read()
    assert b"heard question" in said
    await held.stop()
    await prewarmed.close()


@pytest.mark.parametrize("change", [{"model": "m"}, {"system": "s"}, {"CLAUDE_CODE_PROMPT_CACHE_TTL": "1h"}])
async def test_what_does_not_fit_is_ended(launch: Launch, change: dict[str, str]) -> None:
    prewarmed = PrewarmedProgram()
    await prewarmed.hold(launch)

    assert await prewarmed.take(other(launch, **change)) is None
    await prewarmed.close()

    assert running() == []


@pytest.mark.parametrize("change", [{"tools": (SEARCH,)}, {"effort": "low"}, {"thinks": False}])
async def test_one_for_another_kind_of_answer_is_ended(launch: Launch, change: dict[str, Any]) -> None:
    prewarmed = PrewarmedProgram()
    await prewarmed.hold(launch)

    assert await prewarmed.take(replace(launch, **change)) is None
    await prewarmed.close()

    assert running() == []


def test_a_start_depends_on_what_is_offered_and_wished(launch: Launch) -> None:
    def of(**fields: Any) -> Launch:
        return Launch.of(plan_of("hello", **fields), launch.program, launch.folder, {})

    assert of() == of()
    assert of(tools=[SEARCH]) == of(tools=[SEARCH])
    assert of(tools=[SEARCH]) != of()
    assert of(parameters=Parameters(effort="low")) != of()
    assert of(parameters=Parameters(thinking=False)) != of()
    assert of(parameters=Parameters(thinking=True, temperature=0.5, web_search=True)) == of()


def test_what_the_model_does_not_take_is_not_asked_for(launch: Launch) -> None:
    plan = plan_of("hello", parameters=Parameters(effort="low", thinking=False))
    plan = replace(plan, model=replace(plan.model, efforts=("high",), thinking="always"))

    made = Launch.of(plan, launch.program, launch.folder, {})

    assert (made.effort, made.thinks) == ("", True)


async def test_a_program_that_asks_for_the_tools_while_it_waits_is_answered(launch: Launch) -> None:
    """As versions do that can't be told of them beforehand."""
    message = {"jsonrpc": "2.0", "method": "tools/list", "id": 4}
    request = {"subtype": "mcp_message", "server_name": "plimsoll", "message": message}
    asked = json.dumps({"type": "control_request", "request_id": "r", "request": request})
    launch.program.path.write_text(
        f"#!/bin/sh\nread -r greeting; echo '{asked}'; read -r reply; echo '{{\"type\":\"control_response\"}}'\n"
        'read -r line; echo "$greeting"; echo "$reply"; sleep 600\n'
    )
    prewarmed, with_tools = PrewarmedProgram(), replace(launch, tools=(SEARCH,))
    await prewarmed.hold(with_tools)
    assert prewarmed.held is not None
    await asyncio.wait_for(prewarmed.held.ready.wait(), PATIENCE_S)

    held = await prewarmed.take(with_tools)

    assert held is not None
    held.process.write(b"question\n")
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(lines) < 2:
            lines += held.framer.feed(await held.process.read())
    greeting, reply = (json.loads(line) for line in lines)
    assert greeting["request"]["sdkMcpServers"] == ["plimsoll"]
    (tool,) = reply["response"]["response"]["mcp_response"]["result"]["tools"]
    assert tool["name"] == SEARCH.name
    await held.stop()
    await prewarmed.close()


async def test_another_one_takes_the_place(launch: Launch) -> None:
    prewarmed, second = PrewarmedProgram(), other(launch, model="m")
    await prewarmed.hold(launch)
    await prewarmed.hold(second)

    held = await prewarmed.take(second)

    assert held is not None
    await held.stop()
    await prewarmed.close()


async def test_one_that_nobody_wants_is_ended(launch: Launch) -> None:
    assert IDLE_S == 60
    prewarmed = PrewarmedProgram(idle_s=0.2)
    await prewarmed.hold(launch)
    (process,) = running()

    await asyncio.to_thread(process.wait, PATIENCE_S)

    assert await prewarmed.take(launch) is None
    await prewarmed.close()  # asyncio hears of the end in its own time


async def test_one_that_died_is_not_given_out(launch: Launch) -> None:
    prewarmed = PrewarmedProgram()
    await prewarmed.hold(launch)
    (process,) = running()

    process.kill()
    async with asyncio.timeout(PATIENCE_S):
        while prewarmed.fits(launch):  # noqa: ASYNC110 - asyncio hears of the end in its own time
            await asyncio.sleep(0.01)

    assert await prewarmed.take(launch) is None
    await prewarmed.close()


async def test_nothing_is_held_by_what_is_closed(launch: Launch) -> None:
    prewarmed = PrewarmedProgram()
    await prewarmed.hold(launch)
    await prewarmed.close()

    await prewarmed.hold(launch)

    assert running() == []


@pytest.mark.slow
async def test_the_real_program_is_started_before_the_question_when_it_is_prepared(
    backend: ClaudeCliBackend, api: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much sooner its answer comes is measured by `./dev bench backends`."""
    plan, started, start = plan_of("one", "two", "three"), list[str](), Launch.start

    async def counted(wanted: Launch) -> Launched:
        started.append(wanted.model)
        return await start(wanted)

    async def answered() -> None:
        assert isinstance([event async for event in backend.stream(plan)][-1], Ended)

    monkeypatch.setattr(Launch, "start", counted)
    for turn in range(2):
        await answered()
        assert len(started) == 2 * turn + 1
        await backend.prepare(plan)
        (process,) = running()
        assert backend.prewarmed.held is not None
        await asyncio.wait_for(backend.prewarmed.held.ready.wait(), PATIENCE_S)
        await answered()
        assert len(started) == 2 * turn + 2, "none for the question"
        assert not process.is_running()

    bodies = [{**request.body, "metadata": None} for request in api.answers]
    assert all(body == bodies[0] for body in bodies), "the start ahead changes nothing that is sent"


@pytest.mark.slow
async def test_a_stop_of_a_prepared_answer_leaves_no_program(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    api.default = Answer(Stall())
    await backend.prepare(plan_of("hello"))
    task = asyncio.create_task(collect(backend.stream(plan_of("hello"))))
    await asyncio.wait({task}, timeout=0.02)

    task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE_S)

    assert task.done()
