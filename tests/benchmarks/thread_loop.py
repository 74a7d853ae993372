"""Owns a thread that is held through the whole product: the real controller over a real history file. Measures nothing.

Only the clock is the test's own: it is the one that the loopback server's cache lives by, so that a gap of an hour
passes for both at once.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.controller.chat import ChatController
from desktop_app.controller.ports import Announcements, Clock
from desktop_app.controller.server_tools import ServerTools
from desktop_app.controller.tool_library import ToolServers
from desktop_app.controller.turn_tools import TurnTool
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Part, Usage
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import NoKeys
from tests.servers.loopback import ScriptedServer
from tests.servers.prompt_cache import HandClock

LONGEST_S: Final = 60.0
"""The longest that one turn may take on a busy computer; all of it is local."""

START: Final = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ServerTime(Clock):
    """The time of day by the clock that the server's cache lives by."""

    hand: HandClock = field(default_factory=HandClock)

    def now(self) -> datetime:
        return START + timedelta(seconds=self.hand.now)


@dataclass(frozen=True, slots=True)
class TurnDone:
    """One turn: what was planned and what the provider counted."""

    plan: ContextPlan
    usage: Usage


class HeldThread:
    """A thread of the app. `send` one question at a time."""

    def __init__(self, chat: ChatController, thread_id: str, backend: str) -> None:
        self.chat, self.id, self._backend = chat, thread_id, backend

    async def send(self, parts: Sequence[Part]) -> TurnDone:
        """Asks and waits until the answer is stored. RuntimeError where it is not whole, TimeoutError if none comes."""
        async with asyncio.timeout(LONGEST_S):
            outcome = await self.chat.send(self.id, parts)
        answer = outcome.message
        if outcome.plan is None or answer is None or answer.usage is None or outcome.stop_reason != "end_turn":
            raise RuntimeError(f"no whole answer: {outcome.failure or outcome.stop_reason}")
        return TurnDone(outcome.plan, answer.usage)

    async def switch(self, model: str) -> None:
        """Goes on with another model of the same backend."""
        await self.chat.switch(self.id, backend=self._backend, model=model)


@asynccontextmanager
async def held_thread(
    backend: Backend,
    *,
    model: str,
    system: str,
    soft_limit: int,
    clock: HandClock,
    folder: Path,
    tools: Sequence[TurnTool] = (),
    servers: ToolServers | None = None,
) -> AsyncIterator[HeldThread]:
    """A new thread through `backend`, in a history file of its own in `folder`. `soft_limit` in tokens."""
    settings = Settings(context=ContextSettings(soft_limit=soft_limit))
    history = await SqliteHistory.open(folder / "history.db")
    offered: list[ServerTools] = []
    chat = ChatController(
        history=history,
        backends={backend.name: backend},
        secrets=NoKeys(),
        settings=lambda: settings,
        announcements=Announcements(),
        clock=ServerTime(clock),
        tools=tools,
        servers=lambda: offered[0] if offered else None,
    )
    if servers is not None:
        offered.append(ServerTools(servers, chat.facts))
    try:
        await chat.start()
        thread = await chat.new_thread(backend=backend.name, model=model, system=system)
        yield HeldThread(chat, thread.id, backend.name)
    finally:
        await chat.close()
        await history.close()


@asynccontextmanager
async def wired_backend(name: str, api: ScriptedServer, folder: Path) -> AsyncIterator[Backend]:
    """The real backend `anthropic`, `openai` or `claude-cli` (the program that its SDK carries), speaking to `api`."""
    backend: Backend

    async def key() -> str:
        return "sk-bench"

    if name == "openai":
        backend = OpenAiBackend(
            key=lambda _: key(), base_url=lambda: f"{api.root}/v1", timeout_s=None, overrides={}, has_key=lambda: True
        )
    elif name == "anthropic":
        backend = AnthropicBackend(key=key, base_url=api.root, timeout_s=None, overrides={}, has_key=lambda: True)
    else:
        if (package := importlib.util.find_spec("claude_agent_sdk")) is None or package.origin is None:
            raise SystemExit("the claude program is not installed: it comes with claude-agent-sdk")
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": api.root,
            "ANTHROPIC_API_KEY": "sk-bench",
        }
        program = Path(package.origin).parent / "_bundled" / "claude"
        backend = ClaudeCliBackend(program=program, work_dir=folder / "claude", environ=environ, overrides={})
    try:
        yield backend
    finally:
        await backend.close()
