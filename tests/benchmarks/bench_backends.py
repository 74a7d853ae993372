"""Prints how long Send takes to become a request, for each backend, and how long the window waits for an SDK's import.

`./dev bench backends` prints these tables, how long Stop takes, and a row per length of thread (`--lengths`: only
these, `--sends`: only Send), beside PRODUCT's targets; `--compare` adds the ways in which an SDK could come in
otherwise. A loopback server stands for each provider, the `claude` program and the local model are the real ones. Send
is `ChatController.start_send` in a thread of 40 KB, so that plan, check and history are part of it.
"""

from __future__ import annotations

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.claude_cli.program_process import ProgramProcess
from desktop_app.backends.local import LocalBackend
from desktop_app.backends.local.llama_server import missing
from desktop_app.backends.scripted_backend import ScriptedBackend
from desktop_app.core.events import AnswerGrew
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, Role, TextPart, Thread
from desktop_app.core.model_catalog import ModelOverride
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks import sdk_stalls
from tests.benchmarks.hard_limits import HardLimits
from tests.controller.world import World, make_world, words
from tests.faults.backends.stopping import MOMENTS, STOP_S, stop
from tests.faults.backends.ways import MODELS, Name, claude_program, way_to
from tests.servers.loopback import ScriptedServer
from tests.servers.messages_script import CapturedRequest

RUNS: Final = 7
FEW_RUNS: Final = 3
"""Of what takes seconds: a cold start of the local model."""
READY_S: Final = 1.5
"""Typing a short question takes longer than this, and a program started at its first letter is ready by then."""
TARGET_MS: Final = 5.0
HARD_MS: Final = 20.0
TURNS: Final = 20
TEXT: Final = "and some words " * 66
"""A kilobyte: a thread of 40 messages has 40 KB."""
LENGTHS: Final = (2, 2_000, 10_000)
MORE_S: Final = 0.4
"""Seconds that `ask` may take more in the longest thread than in the shortest."""
SHORT: Final = 2
SHORT_TEXT: Final = "some words"
"""Turns and text of the thread of the local model, which reads a long one for seconds."""
SMALL_BACKEND: Final = "local"
SMALL: Final = "smollm2-135m"
FEW: Final = 8
"""Tokens of its answers."""
NAMES: Final = ("scripted", "anthropic", "openai", "local", "claude-cli")
STOPPED: Final[tuple[Name, ...]] = ("anthropic", "openai", "local", "claude-cli")


class Watch:
    """The moments at which a request's first byte left our hands, and at which it had reached the provider."""

    def __init__(self) -> None:
        self.handed = self.arrived = 0.0

    def reset(self) -> None:
        self.handed = self.arrived = 0.0

    def watch_sockets(self) -> None:
        """asyncio sends by this method; the loopback servers, which are in this process as well, do not."""
        watch = self

        class Watched(socket.socket):
            def send(self, data: Any, *flags: int) -> int:
                if not watch.handed and bytes(data[:5]) == b"POST ":
                    watch.handed = time.perf_counter()
                return super().send(data, *flags)

        socket.socket = Watched  # type: ignore[misc]

    def watch_programs(self) -> None:
        write = ProgramProcess.write

        def written(process: ProgramProcess, data: bytes) -> None:
            if not self.handed and data.startswith(b'{"type":"user"'):
                self.handed = time.perf_counter()
            write(process, data)

        ProgramProcess.write = written  # type: ignore[method-assign, assignment]

    def watch_server(self, server: ScriptedServer) -> None:
        note = server.note

        def noted(request: CapturedRequest) -> None:
            if request.method == "POST":
                self.arrived = time.perf_counter()
            note(request)

        server.note = noted  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True)
class Sent:
    """Milliseconds after Send; 0 where there is no such moment, or nobody saw it."""

    handed: float
    arrived: float
    first: float


@asynccontextmanager
async def backend_for(name: str, folder: Path, watch: Watch) -> AsyncIterator[tuple[Backend, str]]:
    """A backend that nothing was asked of yet, and its model."""
    async with AsyncExitStack() as stack:
        made: Backend
        if name == "scripted":
            script = folder / "script"
            script.write_text('{"text": "Hello."}', encoding="utf-8")
            made = ScriptedBackend(script=script)
        elif name == "local":
            made = LocalBackend(model_path=None, overrides={SMALL: ModelOverride(max_output=FEW)})
        else:
            way = await stack.enter_async_context(way_to(name, folder))  # type: ignore[arg-type]
            watch.watch_server(way.server)
            yield way.backend, MODELS[way.name]
            return
        stack.push_async_callback(made.close)
        yield made, made.default_model


def long_thread(backend: str, model: str, turns: int = 0) -> ImportedThread:
    """A thread as an import brings it."""
    stamps = (f"2026-11-01T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000Z" for at in count())
    messages: list[Message] = []
    for at in range(2 * (turns or (SHORT if backend == SMALL_BACKEND else TURNS))):
        role: Role = "assistant" if at % 2 else "user"
        parent = messages[-1].id if messages else None
        messages.append(
            Message(
                f"m{at}",
                "bench",
                parent,
                role,
                (TextPart(f"{at}. {SHORT_TEXT if backend == SMALL_BACKEND else TEXT}"),),
                next(stamps),
            )
        )
    stamp = next(stamps)
    tip = messages[-1].id
    return ImportedThread("bench", Thread("bench", "Bench", stamp, stamp, backend, model, tip=tip), tuple(messages))


@asynccontextmanager
async def world_with(backend: Backend, model: str, folder: Path) -> AsyncIterator[World]:
    """The controller over a history file with the long thread, which is open."""
    history = await SqliteHistory.open(folder / "history.db")
    await history.import_threads([long_thread(backend.name, model)])
    world = await make_world(history, {backend.name: backend})
    await world.chat.open_thread("bench")
    # the gauge has done so by the time that anything is typed
    (await world.chat.prepared("bench")).plan(words("a"))
    try:
        yield world
    finally:
        await world.chat.close()
        await history.close()


async def sent(world: World, watch: Watch) -> Sent:
    """One question, from Send to the end of its answer."""
    watch.reset()
    first = 0.0

    def look(fact: object) -> None:
        nonlocal first
        if isinstance(fact, AnswerGrew):
            first = first or time.perf_counter()

    unsubscribe = world.announcements.subscribe(look)
    start = time.perf_counter()
    outcome = await world.chat.start_send("bench", words("And what does the log say?"))
    unsubscribe()
    if outcome.failure is not None:
        raise SystemExit(f"no answer: {outcome.failure.message} {outcome.failure.detail}")
    return Sent(*(max(0.0, moment - start) * 1e3 for moment in (watch.handed, watch.arrived, first)))


async def measured(name: str, root: Path, watch: Watch) -> AsyncIterator[tuple[str, list[Sent]]]:
    """What was measured, cold and then prepared."""
    places = (root / f"{name}-{number}" for number in count())

    @asynccontextmanager
    async def fresh() -> AsyncIterator[World]:
        folder = next(places)
        folder.mkdir()
        async with backend_for(name, folder, watch) as (backend, model), world_with(backend, model, folder) as world:
            yield world

    alone = next(places)
    alone.mkdir()
    async with backend_for(name, alone, watch) as (backend, _):
        start = time.perf_counter()
        await backend.prepare()
        yield "first preparation", [Sent((time.perf_counter() - start) * 1e3, 0.0, 0.0)]
    cold = []
    for _ in range(FEW_RUNS if name == SMALL_BACKEND else RUNS):
        async with fresh() as world:
            cold.append(await sent(world, watch))
    yield "cold", cold
    prepared = []
    async with fresh() as world:
        for _ in range(RUNS):
            await world.chat.prepare_backend("bench")
            await asyncio.sleep(READY_S if name in ("claude-cli", "local") else 0.05)
            prepared.append(await sent(world, watch))
    yield "prepared", prepared


async def measure_sends() -> int:
    """Prints the table; 1 where a prepared backend passes twice the hard limit."""
    watch, held = Watch(), HardLimits()
    watch.watch_sockets()
    watch.watch_programs()
    print(f"milliseconds after Send, medians of {RUNS}; target {TARGET_MS:.0f}, hard limit {HARD_MS:.0f} (prepared)")
    print(f"{'':<12}{'':<20}{'first byte':>12}{'arrived':>12}{'first word':>12}   (a preparation: until it is done)")
    with tempfile.TemporaryDirectory() as root:
        for name in NAMES:
            if (name == "local" and missing(None)) or (name == "claude-cli" and claude_program() is None):
                print(f"{name:<12}is not installed")
                continue
            async for state, times in measured(name, Path(root), watch):
                columns = (statistics.median(column) for column in zip(*map(_moments, times), strict=True))
                handed, arrived, first = columns
                shown = "".join(f"{value:>12.1f}" if value else f"{'':>12}" for value in (handed, arrived, first))
                verdict = ""
                if state == "prepared" and handed:
                    if name != SMALL_BACKEND:  # of it PRODUCT says nothing
                        held.hold(f"Send -> first byte, {name}", handed, HARD_MS)
                    verdict = _verdict(handed)
                print(f"{name:<12}{state:<20}{shown}  {verdict}", flush=True)
    return held.status


def _moments(one: Sent) -> tuple[float, float, float]:
    return one.handed, one.arrived, one.first


def _verdict(milliseconds: float) -> str:
    return "ok" if milliseconds <= TARGET_MS else "within limit" if milliseconds <= HARD_MS else "over"


async def chat_at(length: int, folder: Path, watch: Watch) -> tuple[float, float, float]:
    """Milliseconds until the request is out: of the first line, of one that comes at once, of one that was awaited."""
    async with backend_for("anthropic", folder, watch) as (backend, model):
        history = await SqliteHistory.open(folder / "history.db")
        await history.import_threads([long_thread(backend.name, model, length // 2)])
        world = await make_world(history, {backend.name: backend})
        first = (await sent(world, watch)).handed
        at_once = [(await sent(world, watch)).handed for _ in range(RUNS)]
        awaited = []
        for _ in range(RUNS):
            await world.chat.prepare_backend("bench")  # as `chat` does while it waits for a line
            awaited.append((await sent(world, watch)).handed)
        await world.chat.close()
        await history.close()
    return first, statistics.median(at_once), statistics.median(awaited)


async def folder_with(length: int, folder: Path) -> None:
    """A data folder with one thread of the scripted backend."""
    (folder / "script").write_text('{"text": "Hello."}', encoding="utf-8")
    history = await SqliteHistory.open(folder / "history.db")
    await history.import_threads([long_thread("scripted", "scripted", length // 2)])
    await history.close()


def ask_at(length: int, folder: Path) -> float:
    """Seconds that `ask` takes from its start to its end, by the clock."""
    asyncio.run(folder_with(length, folder))
    command = [sys.executable, "-m", "desktop_app", "--data-dir", str(folder), "ask", "--thread", "bench", "And now?"]
    environ = {**os.environ, "PLIMSOLL_SCRIPT": str(folder / "script")}
    times = []
    for _ in range(FEW_RUNS):
        start = time.perf_counter()
        subprocess.run(command, env=environ, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def measure_lengths() -> int:
    """Prints a row per length of thread; 1 where a line that was awaited, or `ask`, takes longer than it may."""
    watch = Watch()
    watch.watch_sockets()
    worst, asks = 0.0, []
    print(
        f"a thread's length: milliseconds from line to request in `chat` (awaited: at most {HARD_MS:.0f}), `ask` whole"
    )
    print(f"{'messages':<12}{'first line':>12}{'at once':>12}{'awaited':>12}{'ask (s)':>12}")
    with tempfile.TemporaryDirectory() as root:
        for length in LENGTHS:
            folders = [Path(root) / f"{length}-{use}" for use in ("chat", "ask")]
            for folder in folders:
                folder.mkdir()
            figures = asyncio.run(chat_at(length, folders[0], watch))
            asks.append(ask_at(length, folders[1]))
            worst = max(worst, figures[-1])
            print(f"{length:<12,}{''.join(f'{one:>12.1f}' for one in figures)}{asks[-1]:>12.2f}", flush=True)
    more = asks[-1] - asks[0]
    print(f"`ask` takes {more:.2f} s more at {LENGTHS[-1]:,} messages than at {LENGTHS[0]} (at most {MORE_S})")
    return int(worst > HARD_MS or more > MORE_S)


async def measure_stops() -> int:
    """Prints how long Stop takes, medians over the moments of an answer; 1 where the model is cut off too late."""
    worst = 0.0
    print(f"milliseconds from Stop until (target {STOP_S * 1000:.0f}; the `claude` program may take longer to be gone)")
    print(f"{'':<12}{'the model is cut off':>24}{'all is stored and gone':>26}")
    with tempfile.TemporaryDirectory() as root:
        for name in STOPPED:
            if (name == "local" and missing(None)) or (name == "claude-cli" and claude_program() is None):
                print(f"{name:<12}is not installed")
                continue
            stops = []
            for number, moment in enumerate(MOMENTS):
                folder = Path(root) / f"{name}-{number}"
                folder.mkdir()
                stops.append(await stop(name, moment, folder))
            cut = statistics.median(one.cut_s for one in stops)
            worst = max(worst, cut)
            gone = statistics.median(one.seconds for one in stops)
            print(f"{name:<12}{cut * 1000:>24.1f}{gone * 1000:>26.1f}", flush=True)
    return int(worst > STOP_S)


def main() -> int:
    """Measures and prints; the exit status is that of the worst."""
    if "--sends" in sys.argv[1:]:
        return asyncio.run(measure_sends())
    status = measure_lengths()
    print()
    if "--lengths" in sys.argv[1:]:
        return status
    status = max(status, asyncio.run(measure_sends()))
    print()
    status = max(status, asyncio.run(measure_stops()))
    print()
    return max(status, sdk_stalls.main(compare="--compare" in sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
