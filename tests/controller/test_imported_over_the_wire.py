"""Imported threads go on over the real wire, and real sessions of the real `claude` program are imported."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.controller.everything import ImportReport
from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer, find_chats
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message, ToolCallPart, ToolResultPart
from tests.builders import chatgpt_export, claude_export
from tests.builders.claude_code_sessions import answered, asked, call, result
from tests.builders.llm_logs import OLD, response, write
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.faults.backends.ways import claude_program
from tests.patience import PATIENCE_S
from tests.servers.messages_api import Answer, MessagesApi, Text, Think, ToolUse

PNG = b"\x89PNG\r\n\x1a\n picture"


@pytest_asyncio.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


@pytest_asyncio.fixture
async def wired(api: MessagesApi, history: WatchedHistory) -> AsyncIterator[World]:
    async def key() -> str | None:
        return "sk-ant-api03-very-secret"

    backend = AnthropicBackend(key=key, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
    world = await make_world(history, {"anthropic": backend}, default_backend="anthropic")
    yield world
    await world.chat.close()
    await backend.close()


def foreign(folder: Path) -> list[Path]:
    """A file of each format, with what no provider takes as it stands there."""
    said, node = chatgpt_export.said, chatgpt_export.node
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file-1"}
    shown = {"content_type": "multimodal_text", "parts": [picture, {"content_type": "strange", "x": 1}]}
    drawn = chatgpt_export.conversation(
        node("q", None, said("user", shown), "c"),
        node("c", "q", said("assistant", '{"prompt": "a sea"}', recipient="dalle.text2im"), "t"),
        node("t", "c", said("tool", shown, name="dalle.text2im"), "a"),
        node("a", "t", said("assistant", "Here it is.")),
        current="a",
    )
    export = folder / "chatgpt"
    export.mkdir()
    (export / "conversations.json").write_text(json.dumps([drawn]), "utf-8")
    (export / "file-1-sea.png").write_bytes(PNG)
    made = claude_export.artifact_call("create", type="text/markdown", title="Poem", content="Sea")
    strange = {"type": "hologram", "x": 1}
    claude = claude_export.conversation(
        claude_export.said("q", "human", "Write", strange, files=[{"file_name": "a.pdf"}]),
        claude_export.said(
            "a", "assistant", {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, made, strange
        ),
    )
    (folder / "claude.json").write_text(json.dumps([claude]), "utf-8")
    session = [
        asked("q", None, "Look"),
        answered("a", "q", {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, call("t1")),
        asked("r", "a", [result("t1"), strange]),
        answered("b", "r", {"type": "redacted_thinking", "data": "eA=="}, "Done."),
    ]
    (folder / "session.jsonl").write_text("".join(json.dumps(one) + "\n" for one in session), "utf-8")
    logs = write(folder / "logs.db", OLD, [response("r", "Where to?", "North.", reasoning="Hm.")])
    return [export, folder / "claude.json", folder / "session.jsonl", logs]


async def test_an_imported_thread_of_any_format_goes_on(wired: World, api: MessagesApi, tmp_path: Path) -> None:
    """And stays with the backend and model that it is asked of, under its own title."""
    report = await Transfer(wired.history, Announcements()).import_files(foreign(tmp_path))
    assert report.threads == 4
    for summary in await wired.history.threads():
        api.script(Answer("On we go."))
        outcome = await wired.chat.send(summary.thread.id, words("And now?"))
        assert outcome.failure is None, summary.thread.title
        kinds = {
            (message["role"], block["type"])
            for message in api.answers[-1].body["messages"]
            for block in message["content"]
        }
        assert kinds <= {("user", "text"), ("assistant", "text"), ("user", "image"), ("user", "document")}
        stays = await wired.history.thread(summary.thread.id)
        answered = outcome.message
        assert answered is not None
        assert (stays.title, stays.backend, stays.model) == (summary.thread.title, "anthropic", answered.model)
    assert api.violations == []


async def ran(api: MessagesApi, folder: Path, *arguments: str) -> str:
    """The session id after the real program has answered, with its configuration below the folder."""
    program = claude_program()
    assert program is not None
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "CLAUDE_CONFIG_DIR": str(folder / "config"),
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "sk-dummy",
        **dict.fromkeys(("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"), "1"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    work = folder / "work"
    work.mkdir(exist_ok=True)
    (work / "a.txt").write_text("Land ahoy\n", "utf-8")
    process = await asyncio.create_subprocess_exec(
        str(program), "-p", "--model", "claude-opus-4-6", "--output-format", "json", *arguments,
        env=environment, cwd=work, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return str(json.loads(output)["session_id"])


@pytest.mark.slow
@pytest.mark.skipif(claude_program() is None, reason="claude_agent_sdk is not installed")
async def test_sessions_of_the_real_program(api: MessagesApi, history: WatchedHistory, tmp_path: Path) -> None:
    """A session with a tool, one that goes on from it, and a fork of it: one thread, which grows at each look."""
    api.validate = False  # the program's own requests are not what is tested
    reading = ToolUse("Read", {"file_path": str(tmp_path / "work" / "a.txt")})
    api.script(Answer(Think("Hm.", "c2ln"), Text("Reading."), reading, stop_reason="tool_use"), Answer("It says land."))
    session = await ran(api, tmp_path, "Read a.txt")
    assert await look(history, tmp_path) == (1, 4, 0)
    (summary,) = await history.threads()
    question, calling, results, last = await shown(history)
    assert (summary.thread.title, question.text, last.text) == ("Read a.txt", "Read a.txt", "It says land.")
    assert [type(part).__name__ for part in calling.parts] == ["ThinkingPart", "TextPart", "ToolCallPart"]
    assert isinstance(calling.parts[2], ToolCallPart)
    assert isinstance(results.parts[0], ToolResultPart)
    assert "Land ahoy" in results.parts[0].text
    assert calling.model == "claude-opus-4-6"
    assert calling.usage is not None
    assert calling.usage.prompt > 0
    assert await look(history, tmp_path) == (0, 0, 1)

    api.script(Answer("Second."))
    assert await ran(api, tmp_path, "--resume", session, "Go on") == session
    assert await look(history, tmp_path) == (0, 2, 1)
    assert [one.text for one in await shown(history)][-2:] == ["Go on", "Second."]

    api.script(Answer("Third."))
    assert await ran(api, tmp_path, "--resume", session, "--fork-session", "Go elsewhere") != session
    assert await look(history, tmp_path) == (0, 2, 1)
    (summary,) = await history.threads()
    assert summary.messages == 8
    assert await look(history, tmp_path) == (0, 0, 1)


async def look(history: WatchedHistory, folder: Path) -> tuple[int, int, int]:
    found = await find_chats({"CLAUDE_CONFIG_DIR": str(folder / "config")})
    assert found is not None
    report: ImportReport = await Transfer(history, Announcements()).import_files([found.folder])
    return report.threads, report.messages, report.already


async def shown(history: WatchedHistory) -> tuple[Message, ...]:
    (summary,) = await history.threads()
    return Conversation(await history.messages(summary.thread.id)).path(summary.thread.tip)
