"""The process of the servers of tools: what each way of failing looks like, and that nothing is left of any of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from desktop_app.backends.tool_host import ToolHostProcess
from desktop_app.core.tool_servers import ServerLaunch, ServerReport
from tests.patience import PATIENCE_S, until
from tests.servers.tool_site import ToolSite

SERVER = Path(__file__).parents[1] / "servers" / "tool_server.py"
ROOT = str(Path(__file__).parents[2])


def launch(way: str, name: str = "Test", **environment: str) -> ServerLaunch:
    return ServerLaunch(name, sys.executable, (str(SERVER), way), environment)


def left(token: str) -> list[int]:
    """The processes with this text in their environment: servers, and whatever these have started."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get("TOKEN") == token:
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def has(token: str, count: int) -> bool:
    return len(left(token)) == count


@pytest.fixture
async def host() -> AsyncIterator[ToolHostProcess]:
    host = ToolHostProcess(connect_s=PATIENCE_S, call_s=PATIENCE_S)
    yield host
    await host.close()


async def test_a_server_tells_its_tools_and_answers(host: ToolHostProcess) -> None:
    assert host.report("Test").state == "off"

    report = await host.connect(launch("well"))

    assert (report.state, report.version) == ("ready", "test-server 1.0")
    assert [tool.name for tool in report.tools] == ["echo", "commit", "send", "picture", "long"]
    assert [tool.acts for tool in report.tools[:4]] == ["reads", "writes", "sends", "runs"], "as the server marked them"
    assert (await host.call("Test", "echo", {"text": "Grüße"})).text == "Grüße"
    picture = await host.call("Test", "picture", {"text": ""})
    assert [one.media_type for one in picture.images] == ["image/png"]
    assert "it has begun" in await host.log("Test")


async def test_arguments_are_held_against_the_schema(host: ToolHostProcess) -> None:
    await host.connect(launch("well"))
    assert not await host.misfit("Test", "echo", {"text": "x"})
    assert await host.misfit("Test", "echo", {}) == "$: 'text' is a required property"
    assert "is not of type 'string'" in await host.misfit("Test", "echo", {"text": 3})
    assert await host.misfit("Test", "nothing", {}) == "There is no tool nothing."


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("die", "It ended by itself (exit status 7): it can not go on with [removed]"),
        ("long-words", f"It ended by itself (exit status 1): ImportError: No module named 'x'. {'word ' * 113}…"),
        ("die-in-node", "It ended by itself (exit status 1): Error: Cannot find module 'x'"),
        ("junk", "It writes something else than messages to its output."),
        ("big", "It sent a message of more than 16 MB."),
    ],
)
async def test_a_server_that_fails_is_a_line(host: ToolHostProcess, way: str, said: str) -> None:
    report = await host.connect(launch(way, TOKEN=f"token-{way}"))

    assert (report.state, report.problem) == ("failed", said)
    await until(lambda: not left(f"token-{way}"), "the end of all its processes")


async def test_a_server_that_hangs_is_a_line() -> None:
    host = ToolHostProcess(connect_s=3, call_s=3)
    try:
        assert (await host.connect(launch("hang", TOKEN="hangs"))).problem == "It did not answer within 3 seconds."
        await until(lambda: not left("hangs"), "the end of the server")
    finally:
        await host.close()


async def test_a_call_that_hangs_is_a_line_and_can_be_given_up(host: ToolHostProcess) -> None:
    await host.connect(launch("hang-late"))
    call = asyncio.create_task(host.call("Test", "echo", {"text": ""}))
    await asyncio.sleep(0)
    call.cancel()
    assert await asyncio.wait({call}, timeout=PATIENCE_S)
    assert call.cancelled()

    assert (await host.connect(launch("well", "Other"))).state == "ready", "one that hangs holds up the others"


@pytest.mark.parametrize(("way", "said"), [("die-late", "exit status 3"), ("big-late", "more than 16 MB")])
async def test_a_server_that_fails_within_a_call(way: str, said: str) -> None:
    told: list[ServerReport] = []
    host = ToolHostProcess(reported=told.append)
    try:
        await host.connect(launch(way))
        outcome = await host.call("Test", "echo", {"text": "hello"})
        assert outcome.is_error
        assert said in outcome.text
        await until(lambda: bool(told), "its end")
        assert host.report("Test").state == "failed"
        assert (await host.connect(launch("well"))).state == "ready"
    finally:
        await host.close()


async def test_lines_for_people_are_passed_over(host: ToolHostProcess) -> None:
    assert (await host.connect(launch("chatty"))).state == "ready"
    assert (await host.call("Test", "echo", {"text": "x"})).text == "x"
    assert "a line for people" in await host.log("Test")


async def test_a_command_that_is_not_there_says_so(host: ToolHostProcess) -> None:
    report = await host.connect(ServerLaunch("Test", "no-such-program-at-all"))
    assert report.problem == "no-such-program-at-all was not found. Is it installed, and on the PATH of your terminal?"


async def test_no_key_of_anybody_reaches_a_server(host: ToolHostProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    await host.connect(launch("well", TOKEN="keys"))
    (pid,) = left("keys")
    assert "ANTHROPIC_API_KEY" not in psutil.Process(pid).environ()


async def test_a_changed_launch_starts_it_again_and_the_same_does_not(host: ToolHostProcess) -> None:
    await host.connect(launch("well", TOKEN="first"))
    before = left("first")
    await host.connect(launch("well", TOKEN="first"))
    assert left("first") == before
    await host.connect(launch("well", TOKEN="second"))
    assert not left("first")
    await host.end("Test")
    assert not left("second")


SECRET = "tok-3f9d0c1b7a"


def at(site: ToolSite, secret: str = SECRET) -> ServerLaunch:
    return ServerLaunch("Test", url=site.url, headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize("streams", [False, True])
async def test_a_server_at_an_address_is_asked_with_its_headers(host: ToolHostProcess, *, streams: bool) -> None:
    with ToolSite(streams=streams, token=SECRET) as site:
        assert (await host.connect(at(site))).state == "ready"
        assert (await host.call("Test", "echo", {"text": "Grüße"})).text == "Grüße"
        assert {one.headers.get("authorization") for one in site.requests} == {f"Bearer {SECRET}"}
        assert {one.headers.get("accept-encoding") for one in site.requests} == {"identity"}


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (
            "401",
            "It answered with status 401 Unauthorized. Its headers may be wrong, or it wants a login (OAuth), which "
            "Plimsoll doesn't have yet.",
        ),
        ("500", "It answered with status 500 Internal Server Error."),
        ("big", "It sent a message of more than 16 MB."),
        ("junk", "Unexpected content type: text/html"),
        ("cut", "SSE stream ended without a response"),
    ],
)
async def test_a_server_at_an_address_that_fails_is_a_line(host: ToolHostProcess, way: str, said: str) -> None:
    with ToolSite(way, token=SECRET) as site:
        report = await host.connect(at(site))
        assert (report.state, report.problem) == ("failed", said)
        assert SECRET not in await host.log("Test")

    with ToolSite(way, late=True, token=SECRET) as site:
        assert (await host.connect(at(site))).state == "ready"
        outcome = await host.call("Test", "echo", {"text": "x"})
        assert (outcome.is_error, outcome.text) == (True, said)


async def test_a_packed_answer_is_not_unpacked(host: ToolHostProcess) -> None:
    with ToolSite("packed") as site:
        assert "Invalid JSON" in (await host.connect(at(site))).problem


async def test_events_of_a_server_are_bounded(host: ToolHostProcess) -> None:
    with ToolSite("big", streams=True) as site:
        assert "exceeded the 16777216 byte limit" in (await host.connect(at(site))).problem


@pytest.mark.parametrize("late", [False, True])
async def test_a_server_at_an_address_that_hangs_is_a_line(*, late: bool) -> None:
    host = ToolHostProcess(connect_s=PATIENCE_S if late else 3, call_s=3)
    try:
        with ToolSite("hang", late=late) as site:
            report = await host.connect(at(site))
            said = (await host.call("Test", "echo", {"text": ""})).text if late else report.problem
            assert said == "It did not answer within 3 seconds."
            await host.end("Test")
    finally:
        await host.close()


async def test_wrong_headers_say_so_and_are_not_said(host: ToolHostProcess) -> None:
    with ToolSite(token=SECRET) as site:
        assert "status 401" in (await host.connect(at(site, "another-secret"))).problem
        assert "another-secret" not in await host.log("Test")
        for secret in ("another\nsecret", "another-sécret"):
            asked = len(site.requests)
            report = await host.connect(at(site, secret))
            assert report.problem == "The header Authorization has characters that headers can't have."
            assert len(site.requests) == asked


async def test_headers_go_to_no_other_address(host: ToolHostProcess) -> None:
    with ToolSite() as other, ToolSite() as site:
        site.moved_to = other.url
        assert "not followed" in (await host.connect(at(site))).problem
        assert not other.requests


async def test_a_server_at_an_address_that_began_anew_is_connected_again(host: ToolHostProcess) -> None:
    with ToolSite() as site:
        site.session = "first"
        assert (await host.connect(at(site))).state == "ready"
        site.session = "second"
        assert (await host.call("Test", "echo", {"text": "x"})).text == "It does not know this session any more."
        await until(lambda: host.report("Test").state == "failed", "its end")
        assert (await host.connect(at(site))).state == "ready"
        assert (await host.call("Test", "echo", {"text": "x"})).text == "x"


async def test_a_server_at_an_address_that_is_gone_is_a_line(host: ToolHostProcess) -> None:
    with ToolSite() as site:
        launched = at(site)
        assert (await host.connect(launched)).state == "ready"
    outcome = await host.call("Test", "echo", {"text": "x"})
    assert (outcome.is_error, outcome.text) == (True, "It can't be reached: All connection attempts failed.")
    await until(lambda: host.report("Test").state == "failed", "its end")
    assert "can't be reached" in (await host.connect(launched)).problem


WAYS = ("server", "host", "closed", "app")
"""Of what is killed; `./dev faults --kind tools` does it a thousand times."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by their environment")
@pytest.mark.parametrize("killed", WAYS)
async def test_nothing_is_left(killed: str) -> None:
    for number in range(5):
        await kill_once(killed, f"{killed} {os.getpid()} {number}")


async def kill_once(killed: str, token: str) -> None:
    """Has servers run that fork and hear of no end, kills one of `WAYS`, and waits until all of their processes are
    gone.
    """
    if killed == "app":
        await _kill_app(token)
        return
    host = ToolHostProcess()
    try:
        assert (await host.connect(launch("fork", TOKEN=token))).state == "ready"
        await host.connect(launch("deaf", "Deaf", TOKEN=token))
        await until(partial(has, token, 4), "a server that forked")
        assert host._process is not None
        if killed == "host":
            host._process.kill()
        elif killed == "server":
            for pid in left(token):
                with contextlib.suppress(psutil.NoSuchProcess):  # it may have ended with another
                    if str(SERVER) in (process := psutil.Process(pid)).cmdline():
                        process.kill()
        if killed != "closed":
            await until(partial(has, token, 0), "the end of all processes")
    finally:
        await host.close()
    assert not left(token)


APP = f"""
import asyncio, sys
sys.path.insert(0, {ROOT!r})
from tests.backends.test_tool_host import launch
from desktop_app.backends.tool_host import ToolHostProcess

async def main():
    host = ToolHostProcess()
    await host.connect(launch("fork", TOKEN=sys.argv[1]))
    print("ready", flush=True)
    await asyncio.sleep(1000)

asyncio.run(main())
"""


async def _kill_app(token: str) -> None:
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-c", APP, token, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert app.stdout is not None
    await app.stdout.readline()
    await until(partial(has, token, 3), "a server that forked")
    app.kill()
    await app.wait()
    await until(partial(has, token, 0), "the end of all processes")
