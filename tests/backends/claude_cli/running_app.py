"""A small app of its own process that lets the backend answer: `python -m ... LOOP FOLDER` with the tests' environment.

LOOP is `asyncio`, `qt`, `idle`, which only prepares, or `tool`, which runs a call for ever; or `consent` and `call`: a
turn over a history, with a server of tools whose call waits for the user or runs. Prints a line for each piece of text
and one for the end.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.tool_host import ToolHostProcess
from desktop_app.controller.ports import Announcements, History
from desktop_app.controller.preferences import Preferences
from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.controller.server_tools import ServerTools
from desktop_app.controller.tool_library import ToolServers
from desktop_app.core.events import ConsentAsked
from desktop_app.core.stream_events import Ended, Failed, TextDelta, ToolAsked
from desktop_app.core.tool_servers import add_by_parts
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.backends.claude_cli.plans import SEARCH, plan_of
from tests.controller.world import World, make_world, words
from tests.fakes.memory_secrets import MemorySecrets


async def answer(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    async for event in backend.stream(plan_of("hello")):
        match event:
            case TextDelta(text):
                print("text", text, flush=True)
            case Ended(reason):
                print("ended", reason, flush=True)
            case Failed(failure):
                print("failed", failure, flush=True)


async def prepare(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    await backend.prepare(plan_of("hello"))
    print("prepared", flush=True)
    await asyncio.Event().wait()


async def run_a_tool(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    async for event in backend.stream(plan_of("hello", tools=[SEARCH])):
        if isinstance(event, ToolAsked):
            print("asked", event.call.name, flush=True)
            await asyncio.Event().wait()


async def world_with_tools(
    backend: ClaudeCliBackend, history: History, folder: Path, way: str
) -> tuple[World, ToolServers]:
    """A controller with a server of tools that does as `way` says."""
    announcements, keys = Announcements(), RememberedKeys(MemorySecrets())
    preferences = Preferences(folder / "settings.toml", keys, announcements)
    servers = ToolServers(
        preferences, keys, lambda told: ToolHostProcess(reported=told), folder / "tools.json", announcements
    )
    program = str(Path(__file__).parents[2] / "servers" / "tool_server.py")
    await servers.add(add_by_parts("Test", command=sys.executable, arguments=(program, way)))
    await servers.switch("Test", everywhere=True)
    made: list[ServerTools] = []
    world = await make_world(
        history, {"claude-cli": backend}, announcements=announcements, servers=lambda: made[0] if made else None
    )
    made.append(ServerTools(servers, world.chat.facts))
    return world, servers


async def ask_for_a_tool(folder: Path, way: str, allow: frozenset[str]) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    world, _ = await world_with_tools(backend, await SqliteHistory.open(folder / "history.db"), folder, way)
    thread = await world.thread("claude-cli")
    sending = world.chat.start_send(thread.id, words("keep it"), allow=allow)
    print("sends" if allow else f"asked {(await world.until(ConsentAsked)).tool}", flush=True)
    await sending


async def answer_and_cancel(folder: Path) -> None:
    await answer(folder)
    task = asyncio.create_task(answer(folder))
    await asyncio.wait({task}, timeout=0.6)
    task.cancel()
    await asyncio.wait({task})
    print("cancelled", task.cancelled(), flush=True)


def main() -> None:
    loop_kind, folder = sys.argv[1], Path(sys.argv[2])
    if loop_kind != "qt":
        modes: dict[str, Callable[[Path], Coroutine[None, None, None]]] = {
            "idle": prepare,
            "tool": run_a_tool,
            "consent": partial(ask_for_a_tool, way="well", allow=frozenset()),
            "call": partial(ask_for_a_tool, way="hang-late", allow=frozenset({"Test/commit"})),
        }
        asyncio.run(modes.get(loop_kind, answer)(folder))
        return
    from PySide6.QtCore import QCoreApplication
    from qasync import QEventLoop

    app = QCoreApplication([])
    with QEventLoop(app) as loop:
        loop.run_until_complete(answer_and_cancel(folder))


if __name__ == "__main__":
    main()
