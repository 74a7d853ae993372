"""Prints how long Send takes to become a request, prepared and cold, for each backend: `./dev bench backends`.

A loopback server stands for each provider; the `claude` program is the real one. The target of PRODUCT for the
prepared program is 5 ms from Send to the first byte on its standard input, and 20 ms at most.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from desktop_app.backends.base import Backend
from desktop_app.backends.claude_cli.process import ProgramProcess
from desktop_app.backends.openai.backend import OpenAiBackend
from desktop_app.backends.scripted import ScriptedBackend
from desktop_app.core.stream import Failed
from tests.backends.claude_cli.plans import plan_of
from tests.benchmarks.thread_loop import wired_backend
from tests.servers.chat_api import ChatApi
from tests.servers.loopback import ScriptedServer
from tests.servers.messages_api import MessagesApi
from tests.servers.messages_script import CapturedRequest

RUNS: Final = 5
READY_S: Final = 1.5
"""Typing a short question takes longer than this, and a program started at its first letter is ready by then."""
TARGET_MS: Final = 5.0
HARD_MS: Final = 20.0
HISTORY: Final = tuple(f"message {at} " + "and some words " * 60 for at in range(41))
"""A conversation of 40 KB."""

Make = Callable[[Path], AbstractAsyncContextManager[Backend]]


class Clock:
    """The moments at which a request left our hands and reached the provider."""

    def __init__(self) -> None:
        self.handed = self.arrived = 0.0

    def watch(self, server: ScriptedServer) -> None:
        note = server.note

        def noted(request: CapturedRequest) -> None:
            if request.method == "POST":
                self.arrived = time.perf_counter()
            note(request)

        server.note = noted  # type: ignore[method-assign]

    def watch_programs(self) -> None:
        write = ProgramProcess.write

        def written(process: ProgramProcess, data: bytes) -> None:
            write(process, data)
            if data.startswith(b'{"type":"user"'):
                self.handed = time.perf_counter()

        ProgramProcess.write = written  # type: ignore[method-assign, assignment]


async def sent(backend: Backend, clock: Clock) -> tuple[float, float, float]:
    """Milliseconds after Send: handed over (0 for an API), arrived at the provider, first event."""
    models = await backend.models()
    plan = plan_of(*HISTORY, model=models[0].id if backend.name == "openai" else "claude-sonnet-5-5")
    clock.handed = clock.arrived = first = 0.0
    start = time.perf_counter()
    async for event in backend.stream(plan):
        first = first or time.perf_counter()
        if isinstance(event, Failed):
            raise SystemExit(f"{backend.name}: {event.failure.message}")
    return tuple(max(0.0, moment - start) * 1e3 for moment in (clock.handed, clock.arrived, first))  # type: ignore[return-value]


async def rows(name: str, make: Make, clock: Clock) -> AsyncIterator[tuple[str, float]]:
    """The lines of one backend, each with the prepared hand-over in milliseconds (0 for others)."""
    cold, prepared = [], []
    with tempfile.TemporaryDirectory() as folder:
        async with make(Path(folder)) as backend:
            start = time.perf_counter()
            await backend.prepare()
            yield f"{name:<12}{'first preparation':<18}{(time.perf_counter() - start) * 1e3:>12.1f}", 0.0
        for _ in range(RUNS):
            async with make(Path(folder)) as backend:
                cold.append(await sent(backend, clock))
        async with make(Path(folder)) as backend:
            for _ in range(RUNS):
                await backend.prepare(plan_of(*HISTORY))
                await asyncio.sleep(READY_S if name == "claude-cli" else 0.05)
                prepared.append(await sent(backend, clock))
    for state, times in (("cold", cold), ("prepared", prepared)):
        handed, arrived, event = (statistics.median(column) for column in zip(*times, strict=True))
        shown = "".join(f"{value:>12.1f}" if value else f"{'':>12}" for value in (handed, arrived, event))
        yield f"{name:<12}{state:<18}{shown}", handed if state == "prepared" else 0.0


async def measure() -> int:
    """Prints the table; 1 where the prepared program is over the hard limit."""
    clock, worst = Clock(), 0.0
    clock.watch_programs()
    with MessagesApi() as messages, ChatApi() as chat:
        clock.watch(messages)
        clock.watch(chat)
        print(f"{'milliseconds after Send, medians':<30}{'handed over':>12}{'arrived':>12}{'first event':>12}")
        for name in ("scripted", "anthropic", "openai", "claude-cli"):
            async for line, handed in rows(name, _maker(name, messages, chat), clock):
                print(line, flush=True)
                worst = max(worst, handed)
    print(
        f"prepared program: {worst:.1f} ms to its standard input; target {TARGET_MS:.0f} ms, at most {HARD_MS:.0f} ms"
    )
    return int(worst > HARD_MS)


def _maker(name: str, messages: MessagesApi, chat: ChatApi) -> Make:
    async def key() -> str:
        return "sk-bench"

    @asynccontextmanager
    async def other(_folder: Path) -> AsyncIterator[Backend]:
        options: dict[str, Any] = {"key": key, "has_key": lambda: True, "timeout_s": None, "overrides": {}}
        made: Backend = (
            ScriptedBackend(script=None) if name == "scripted" else OpenAiBackend(base_url=lambda: chat.url, **options)
        )
        try:
            yield made
        finally:
            await made.close()

    if name in ("scripted", "openai"):
        return other
    return lambda folder: wired_backend(name, messages, folder)


def main() -> int:
    """Measures and prints."""
    return asyncio.run(measure())


if __name__ == "__main__":
    sys.exit(main())
