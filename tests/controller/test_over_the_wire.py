"""Summaries and overflows through the real backends, against a server that speaks the real wire."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.controller.summaries import STOPPED
from desktop_app.core.events import NoticeRaised
from desktop_app.core.history_records import LedgerRow
from desktop_app.core.settings import Settings
from tests.controller.talks import LINE, SUMMARISING, SUMMARY
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, ErrorEvent, MessagesApi, Stall, Think, Wait, too_long

pytestmark = pytest.mark.slow

MODEL = "claude-sonnet-5-5"
SIZE = 100
"""Lines in each message: twelve of them are a source that SUMMARY is far less than a quarter of."""


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


def anthropic(url: str) -> AnthropicBackend:
    async def key() -> str | None:
        return "sk-ant-api03-very-secret"

    return AnthropicBackend(key=key, base_url=url, timeout_s=None, overrides={}, has_key=lambda: True)


def claude(url: str, folder: Path) -> ClaudeCliBackend:
    if (package := importlib.util.find_spec("claude_agent_sdk")) is None or package.origin is None:
        pytest.skip("claude_agent_sdk is not installed")
    home = folder / "home"
    home.mkdir()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-dummy",
    }
    program = Path(package.origin).parent / "_bundled" / "claude"
    return ClaudeCliBackend(program=program, work_dir=folder / "claude", environ=environ, overrides={})


@pytest_asyncio.fixture(params=["anthropic", pytest.param("claude-cli", marks=pytest.mark.slow)])
async def wired(
    request: pytest.FixtureRequest, api: MessagesApi, history: WatchedHistory, tmp_path: Path
) -> AsyncIterator[World]:
    """A controller whose only backend is a real one, connected to the loopback server."""
    made: Backend = anthropic(api.url) if request.param == "anthropic" else claude(api.url, tmp_path)
    world = await make_world(history, {made.name: made}, settings=lambda: current[0])
    current[:] = [Settings()]
    yield world
    await world.chat.close()
    await made.close()
    assert api.violations == []


current: list[Settings] = [Settings()]
"""The settings of the wired world; its fixture sets them back."""


async def talk(world: World, api: MessagesApi, turns: int, *, size: int = SIZE) -> tuple[str, list[str]]:
    (name,) = world.backends
    thread = await world.thread(name, model=MODEL)
    for turn in range(turns):
        api.script(Answer(f"Answer {turn}. " + LINE * size))
        outcome = await world.chat.send(thread.id, words(f"Question {turn}. " + LINE * size))
        assert outcome.failure is None
    return thread.id, [message.id for message in (await world.chat.open_thread(thread.id)).path]


async def of_summaries(world: World) -> LedgerRow:
    (row,) = [row for row in await world.history.ledger() if row.purpose == "summary"]
    return row


def asked(body: dict[str, Any]) -> str:
    return str(body["messages"])


async def test_a_summary_by_hand(wired: World, api: MessagesApi) -> None:
    thread_id, ids = await talk(wired, api, 7)
    api.script(Answer(Think("What mattered?"), SUMMARY))
    outcome = await wired.chat.summaries.start(thread_id, ids[2:])
    assert outcome.problem == ""
    assert outcome.summary is not None
    assert (outcome.summary.text, outcome.summary.model) == (SUMMARY, MODEL)
    body = api.answers[-1].body
    assert "assistant" not in [message["role"] for message in body["messages"]]
    assert "Condense the conversation below" in asked(body)
    assert "You condense a part of a conversation" in str(body["system"])
    assert body["max_tokens"] == 1_024 + 2_048, "the size, and room for a model that always thinks"
    assert "cache_control" not in str(body), "no request reads what this one would write"
    row = await of_summaries(wired)
    assert (row.calls, row.cost_kind, row.thread_id) == (1, "money", thread_id)
    assert row.input + row.cache_write + row.cache_read > 10_000
    assert row.priced == 1
    assert outcome.summary.cost_usd == pytest.approx(row.cost_usd)
    assert row.cost_usd > 0.02
    assert (await wired.chat.send(thread_id, words("and now?"))).failure is None
    sent = asked(api.answers[-1].body)
    assert "Decided: to the mark." in sent
    assert "Question 3." not in sent
    assert "Question 0." in sent


async def test_a_summary_at_a_step(wired: World, api: MessagesApi) -> None:
    current[:] = [SUMMARISING]
    thread_id, _ = await talk(wired, api, 13, size=30)
    await wired.chat.set_soft_limit(thread_id, 10_000)
    assert (await wired.chat.prepared(thread_id)).plan(words("and now?")).decision == "trim"
    api.default = lambda request: Answer(SUMMARY if "Condense" in asked(request.body) else "Yes.")
    outcome = await wired.chat.send(thread_id, words("and now?"))
    assert outcome.message is not None
    assert outcome.message.text == "Yes."
    assert "Decided: to the mark." in asked(api.answers[-1].body)
    assert (await of_summaries(wired)).calls == sum("Condense" in asked(call.body) for call in api.answers)


@pytest.mark.parametrize("wired", ["anthropic"], indirect=True)
async def test_a_summary_that_breaks_in_the_stream(wired: World, api: MessagesApi) -> None:
    thread_id, ids = await talk(wired, api, 7)
    before = await wired.chat.context_editing.choices(thread_id)
    api.script(Answer("Asked: half", ErrorEvent("api_error", "Internal server error")))
    outcome = await wired.chat.summaries.start(thread_id, ids[2:])
    assert outcome.summary is None
    assert outcome.failure is not None
    assert outcome.failure.code in {"backend", "overloaded"}
    assert await wired.chat.context_editing.choices(thread_id) == before
    assert (await of_summaries(wired)).calls == 1
    assert not wired.chat.summaries.running(thread_id)


async def test_a_summary_that_is_stopped_ends_the_call(wired: World, api: MessagesApi) -> None:
    thread_id, ids = await talk(wired, api, 7)
    count = len(api.answers)
    gate = threading.Event()
    api.script(Answer("Asked: half", Wait(gate), Stall()))
    task = wired.chat.summaries.start(thread_id, ids[2:])
    await api.arrived(count + 1, timeout=PATIENCE_S)
    await wired.chat.stop(thread_id)
    assert (await task).problem == STOPPED
    gate.set()
    assert (await of_summaries(wired)).calls == 1
    assert api.answers[-1].ended.wait(PATIENCE_S)
    assert api.answers[-1].disconnected


async def test_an_overflow_is_learned_from_and_tried_once_more(wired: World, api: MessagesApi) -> None:
    thread_id, _ = await talk(wired, api, 7)
    (name,) = wired.backends
    plan = (await wired.chat.prepared(thread_id)).plan(words("and now?"))
    count = len(api.answers)
    most = plan.tokens.total * 3 // 4
    api.script(too_long(plan.tokens.total, most), Answer("Yes."))
    outcome = await wired.chat.send(thread_id, words("and now?"))
    assert outcome.message is not None
    assert outcome.message.text == "Yes."
    first, second = api.answers[count:]
    assert len(second.raw) < len(first.raw) / 2
    assert "and now?" in asked(second.body)
    assert await wired.chat.windows.of(name, MODEL) == most
    told = [notice.code for notice in wired.of(NoticeRaised) if notice.code != "check"]
    assert told[:2] == ["learned_window", "overflow"]


async def test_an_overflow_twice_is_a_failure(wired: World, api: MessagesApi) -> None:
    thread_id, _ = await talk(wired, api, 7)
    plan = (await wired.chat.prepared(thread_id)).plan(words("and now?"))
    count = len(api.answers)
    api.script(too_long(plan.tokens.total, 9_000), too_long(4_000, 1_000))
    outcome = await wired.chat.send(thread_id, words("and now?"))
    assert outcome.failure is not None
    assert outcome.failure.code == "context_limit"
    assert len(api.answers) == count + 2
    assert api.answers[-1].raw != api.answers[-2].raw


async def test_the_scripted_backend_makes_summaries_too(history: WatchedHistory, tmp_path: Path) -> None:
    script = tmp_path / "script.ndjson"
    answer = "word " * 200
    turn = f'{{"text": "{answer}"}}\n{{"end": "end_turn"}}\n'
    script.write_text(turn * 7 + '{"text": "Asked: for words."}\n{"end": "end_turn"}\n')
    world = await make_world(history, {"scripted": ScriptedBackend(script=script)})
    thread = await world.thread("scripted")
    for turn_number in range(7):
        await world.chat.send(thread.id, words(f"Question {turn_number}"))
    path = (await world.chat.open_thread(thread.id)).path
    outcome = await world.chat.summaries.start(thread.id, [message.id for message in path])
    assert outcome.summary is not None
    assert (outcome.summary.text, outcome.summary.cost_usd) == ("Asked: for words.", 0.0)
    await world.chat.close()
