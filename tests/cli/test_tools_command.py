"""`plimsoll tools`: servers that really start, their tools with weight and consent, secrets that stand nowhere."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.cli.command_process import Output
from desktop_app.cli.options import ToolsOptions
from desktop_app.cli.tool_commands import run_tools
from desktop_app.composition import compose
from desktop_app.core.errors import UserError
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, ToolUse

SERVER = Path(__file__).parents[1] / "servers" / "tool_server.py"


def added(here: Here, way: str = "well", *options: str) -> None:
    ended = here("tools", "add", "Demo", *options, "--", sys.executable, str(SERVER), way)
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_a_server_is_added_tested_listed_and_removed(here: Here) -> None:
    added(here)
    known = {"server": "Demo", "state": "off", "tokens": 0, "found_when_needed": False, "model": "scripted"}
    assert here("tools", "list", "--json").json == [{**known, "tools": []}]
    (tested,) = here("tools", "test", "demo", "--json").json
    assert [tool["name"] for tool in tested["tools"]] == ["echo", "commit", "send", "picture", "long"]
    assert tested["tokens"] >= sum(tool["tokens"] for tool in tested["tools"]) - 1 > 0
    assert tested["tools"][0].keys() == {"name", "tokens", "enabled", "consent"}
    assert all(tool["tokens"] > 10 and tool["enabled"] and tool["consent"] == "ask" for tool in tested["tools"])
    listed = here("tools", "list")
    assert listed.out.startswith("Demo  (off · 5 tools · ≈ ")
    assert "ask       commit" in listed.out
    assert here("tools", "list", "--json").json == [tested]
    assert here("tools", "remove", "Demo", "--json").json == []
    assert here("tools", "list").err == ("There are no servers yet. `plimsoll tools add SERVER -- COMMAND` adds one.\n")


def test_a_server_of_a_project_is_on_there(here: Here) -> None:
    assert here("tools", "add", "Demo", "--project", "Shop", "--", "x").status == 3
    here("project", "create", "Shop")
    added(here, "well", "--project", "Shop")
    assert here("tools", "list", "--json").json[0]["state"] == "ready"


def test_what_a_server_is_given_is_its_own_even_where_it_looks_like_ours(here: Here, plimsoll: Plimsoll) -> None:
    assert here("tools", "add", "Demo", "--", "server", "--json", "--url", "x", "--", "-h").status == 0
    assert 'arguments = ["--json", "--url", "x", "--", "-h"]' in (plimsoll.folder / "settings.toml").read_text()


@pytest.mark.parametrize(
    ("way", "said"), [("die", "exit status 7"), ("missing", "was not found")], ids=["that dies", "that is not there"]
)
def test_a_server_that_can_not_be_used_is_told_and_remembered(here: Here, way: str, said: str) -> None:
    if way == "die":
        added(here, "die")
    else:
        here("tools", "add", "Demo", "--", "no-such-program-anywhere")
    ended = here("tools", "test")
    assert (ended.status, said in ended.err) == (5, True)
    assert said in here("tools", "list").out


def test_a_change_of_its_tools_is_a_state_of_a_server(here: Here, tmp_path: Path) -> None:
    here("project", "create", "Shop")
    added(here, f"file:{tmp_path / 'changed'}", "--project", "Shop")
    assert here("tools", "test", "--json").json[0]["state"] == "ready"
    (tmp_path / "changed").touch()
    assert here("tools", "test", "--json").json[0]["state"] == "changed"
    assert here("tools", "list", "--json").json[0]["state"] == "changed"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ("tools", 2),
        ("tools add", 2),
        ("tools add Demo", 2),
        ("tools add Demo --", 2),
        ("tools add Demo --url https://a.example -- b", 2),
        ("tools add Demo --url ftp://a.example", 2),
        ("tools add a/b -- c", 2),
        ("tools add Demo --secret TOKEN --url https://a.example", 2),
        ("tools test nobody", 3),
        ("tools remove nobody", 3),
    ],
)
def test_what_can_not_be_done_says_why(here: Here, arguments: str, status: int) -> None:
    ended = here(*arguments.split())
    assert (ended.status, ended.out) == (status, "")
    assert ended.err
    assert "Traceback" not in ended.err


async def test_the_values_of_secrets_are_read_and_kept_in_the_keyring_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = MemorySecrets()
    services = await compose(tmp_path, environ={"PATH": "", "HOME": str(tmp_path)}, secrets=secrets)
    try:
        monkeypatch.setattr(sys, "stdin", io.StringIO("plain-looking\nBearer abc\n"))
        await run_tools(services, ToolsOptions("add", "Demo", None, ("REGION",), "", ("server",)), Output(plain=True))
        web = ToolsOptions("add", "Web", None, ("Authorization",), "https://a.example/mcp")
        await run_tools(services, web, Output(plain=True))
        assert await secrets.get("tools/Demo/REGION") == "plain-looking"
        assert await secrets.get("tools/Web/Authorization") == "Bearer abc"
        assert (await services.tool_servers.launch("Demo")).environment == {"REGION": "plain-looking"}
        assert (await services.tool_servers.launch("Web")).headers == {"Authorization": "Bearer abc"}
        text = (tmp_path / "settings.toml").read_text()
        assert "plain-looking" not in text
        assert "Bearer" not in text
        with pytest.raises(UserError, match="no value for MORE"):
            await run_tools(services, ToolsOptions("add", "C", None, ("MORE",), "", ("x",)), Output(plain=True))
        assert [one.name for one in services.tool_servers.all] == ["Demo", "Web"]
    finally:
        await services.close()


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "not allowed"])
def test_ask_has_the_tools_of_a_server_and_runs_only_what_is_allowed(
    here: Here, plimsoll: Plimsoll, allowed: bool
) -> None:
    def model(request: CapturedRequest) -> Answer:
        if "tool_result" in json.dumps(request.body["messages"]):
            return Answer("Done.")
        return Answer("I keep it.", ToolUse("Demo__commit", {"text": "kept by the server"}), stop_reason="tool_use")

    with MessagesApi(default=model) as api:
        plimsoll.environ |= {"ANTHROPIC_API_KEY": "sk-dummy", "ANTHROPIC_BASE_URL": api.url}
        added(here)
        allow = ("--allow", "demo/commit") if allowed else ()
        ended = here("ask", "--backend", "anthropic", "--tools", "demo", *allow, "--json", "Keep it.")
        assert (ended.status, ended.lines[-1]["stop_reason"]) == (0, "end_turn")
        first, second = (one for one in api.requests if one.path.startswith("/v1/messages"))
        assert "Demo__commit" in [tool["name"] for tool in first.body["tools"]]
        assert first.body["tools"] == second.body["tools"]
        result = json.dumps(second.body["messages"][-1])
        assert ("kept by the server" in result) is allowed
        assert ("--allow Demo/commit" in result) is not allowed


ASKING = """
import asyncio, os, sys
from desktop_app.composition import compose
from desktop_app.core.events import ConsentAsked
from desktop_app.core.messages import TextPart

async def main():
    services = await compose(__import__("pathlib").Path(sys.argv[1]), environ=dict(os.environ), interactive=True)
    thread = await services.chat.new_thread(backend=sys.argv[2], model=sys.argv[3])
    services.announcements.subscribe(lambda fact: isinstance(fact, ConsentAsked) and print(thread.id, flush=True))
    await services.chat.start_send(thread.id, (TextPart("Keep it."),), tools=("Demo",))

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("door", ["anthropic", "openai"])
def test_a_call_that_waits_for_its_consent_when_plimsoll_is_killed_is_told_as_not_run(
    here: Here, plimsoll: Plimsoll, door: str
) -> None:
    def model(request: CapturedRequest) -> Answer:
        if len([one for one in request.body["messages"] if one["role"] == "user"]) > 1:
            return Answer("I see.")
        return Answer("I keep it.", ToolUse("Demo__commit", {"text": "kept"}), stop_reason="tool_use")

    with MessagesApi(default=model) if door == "anthropic" else ChatApi(default=model) as api:
        names = {"anthropic": "ANTHROPIC", "openai": "OPENAI"}[door]
        plimsoll.environ |= {f"{names}_API_KEY": "sk-dummy", f"{names}_BASE_URL": api.url}
        added(here)
        name = {"anthropic": "claude-sonnet-4-5", "openai": "gpt-4o"}[door]
        command = [sys.executable, "-c", ASKING, str(plimsoll.folder), door, name]
        with subprocess.Popen(command, env=plimsoll.environment(), stdout=subprocess.PIPE, text=True) as asking:
            assert asking.stdout is not None
            thread = asking.stdout.readline().strip()
            asking.kill()
        assert thread
        assert here("ask", "--thread", thread, "And now?").status == 0
        sent = json.dumps(api.requests[-1].body["messages"])
        assert "[performed an action] Demo/commit, which was not run: Plimsoll ended before the user answered" in sent


@pytest.mark.parametrize(
    ("arguments", "status"), [("--tools nobody", 3), ("--allow nobody/x", 3), ("--allow x", 2), ("--allow x/", 2)]
)
def test_ask_with_a_server_that_is_not_there_sends_nothing(here: Here, arguments: str, status: int) -> None:
    ended = here("ask", *arguments.split(), "Hi")
    assert (ended.status, ended.out) == (status, "")
    assert here("threads", "--json").json == []
