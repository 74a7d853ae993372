"""Holds the same talks with the app and with other ways of keeping a history, and prints tables for docs/benchmarks.md.

`./dev bench peers [--talk chat|documents|tools] [--peer NAME] [--turns N] [--no-talks] [--no-cpu] [--environment DIR]`:
LangChain, LlamaIndex, LiteLLM, `llm` and "the last 20" are installed from PyPI into an environment of their own, which
is kept for the next run. Each runs in a process of its own and speaks to a server on this computer with the provider's
cache semantics; proxies of nowhere keep them from any other address. A whole run
takes about an hour. Processor times are read from Linux's clocks of processes.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from desktop_app.controller.turn_tools import TurnState
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.messages import (
    DocumentPart,
    JsonObject,
    Part,
    TextPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
)
from desktop_app.core.recall import TOOL_NAME
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks import peer_driver
from tests.benchmarks.bench_backends import TEXT, long_thread
from tests.benchmarks.peer_books import HEAD, BookedApi, Held, cpu_of, holds, line_of
from tests.benchmarks.peer_talks import TALKS, PeerTalk, Turn
from tests.benchmarks.talks import GAP_S, MODEL
from tests.benchmarks.thread_loop import HeldThread, held_thread, wired_backend
from tests.servers import tokens

PINS: Final = (
    "langchain-core==1.8.3",
    "langchain-anthropic==1.7.10",
    "llama-index-core==0.14.25",
    "litellm==1.110.2",
    "llm==0.36",
    "llm-anthropic==0.30",
)
OURS: Final = "Plimsoll"
LIMIT: Final = 150_000
"""Tokens: our soft limit as it is set at first, and the limit of all peers that have one."""
WINDOW: Final = 1_000_000
"""Tokens of the model's window."""
SCHEMA: Final[JsonObject] = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
"""Of the tool, as the peers offer it."""
LENGTHS: Final = (20, 2_000, 10_000)
ROUNDS: Final = 5
LONGEST_S: Final = 120.0
"""Seconds by the clock that one line or one start may take; one that takes longer is ended and named."""
NOWHERE: Final = "http://127.0.0.1:9"
"""Where any request goes that is not to this computer."""


class TooSlowError(Exception):
    """A line took longer than `LONGEST_S`."""


class Client(Protocol):
    """Somebody who holds a talk."""

    async def say(self, turn: Turn) -> str | None:
        """One turn; the error that the user would see, or None."""
        ...


def environment_in(folder: Path | None) -> Path:
    """The Python that has the peers' packages; makes it where it is not there yet."""
    name = hashlib.sha256("\n".join(PINS).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = folder or cache / "plimsoll-bench" / f"peers-{name}"
    python = place / "bin" / "python"
    done = place / f"installed-{name}"
    if done.is_file():
        return python
    print(f"installing {', '.join(PINS)} (once, some 700 MB)", file=sys.stderr)
    venv.create(place, with_pip=True)
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *PINS]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        raise SystemExit(
            f"{ended.stderr[-1_500:]}\nThe peers could not be installed from PyPI. Check the network and run this "
            "again: what is there already is kept."
        )
    done.touch()
    return python


def environ_of(api: BookedApi, folder: Path) -> dict[str, str]:
    """The variables of a client's process: the loopback server, folders of its own, and no other address."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "ANTHROPIC_API_KEY": "sk-bench",
        "ANTHROPIC_BASE_URL": api.url,
        "HTTP_PROXY": NOWHERE,
        "HTTPS_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LLM_USER_PATH": str(folder),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }


class Program:
    """A process that takes a line and says when it is done with it."""

    def __init__(self, process: asyncio.subprocess.Process, done: bytes) -> None:
        self.process, self._done = process, done

    async def line(self, told: Mapping[str, object]) -> bytes:
        """Says a line and returns the last one that came back. TooSlowError where it takes too long."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line_of(told))
        try:
            async with asyncio.timeout(LONGEST_S):
                while line := await self.process.stdout.readline():
                    if self._done in line:
                        return line
        except TimeoutError:
            self.process.kill()  # or it would hold up those who are measured after it
            raise TooSlowError from None
        raise SystemExit(f"a client ended with status {await self.process.wait()}")

    async def say(self, turn: Turn) -> str | None:
        said = await self.line({"user": turn.pasted, "results": dict(turn.results)})
        return None if (found := json.loads(said)["error"]) is None else str(found)


@asynccontextmanager
async def running(command: Sequence[str], api: BookedApi, folder: Path, done: bytes) -> AsyncIterator[Program]:
    """A client's process, ended at the end."""
    with (folder / "errors.txt").open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env=environ_of(api, folder),
            limit=1 << 28,
        )
    try:
        yield Program(process, done)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def driver(python: Path, name: str, api: BookedApi, *, exact: bool) -> list[str]:
    """The command of a peer. `exact`: it counts tokens as the server does."""
    more = [str(Path(tokens.__file__))] if exact else []
    return [str(python), peer_driver.__file__, name, api.url, MODEL, str(LIMIT), *more]


@dataclass(slots=True)
class LookUp:
    """The tool of the talk with tools, as a tool of ours."""

    results: Mapping[str, str]

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(peer_driver.TOOL, peer_driver.ABOUT, SCHEMA)

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return True

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        return ToolResultPart(call.id, self.results[str(call.input["key"])])


@dataclass(slots=True)
class Ours:
    """A thread of the app."""

    thread: HeldThread
    tool: LookUp

    async def say(self, turn: Turn) -> str | None:
        self.tool.results = dict(turn.results)
        parts: list[Part] = [TextPart(turn.said)]
        if turn.document is not None:
            name, text = turn.document
            parts.insert(0, DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest()))
        try:
            await self.thread.send(parts)
        except RuntimeError as failure:
            return str(failure)
        return None


async def hold(talk: PeerTalk, client: Client, api: BookedApi) -> Held:
    """Holds a talk; what the server counted of it."""
    held, began = Held(facts=len(talk.facts)), time.monotonic()
    for turn in talk.turns:
        api.clock.advance(GAP_S)
        api.begin(turn)
        held.note(turn, await client.say(turn), api)
    held.bills, held.seconds = list(api.bills), time.monotonic() - began
    sent = {fact.said for fact in talk.facts if holds(held.last, fact.said)}
    held.in_request = len(sent)
    if isinstance(client, Ours):
        for fact in talk.facts:
            if fact.said not in sent:
                held.found += await looked_up(client.thread, api, fact.asked, fact.said)
    return held


async def looked_up(thread: HeldThread, api: BookedApi, asked: str, said: str) -> bool:
    """Whether the app's own search brings a fact back where the model asks it as the user worded the question."""
    api.expect(TOOL_NAME, {"query": asked})
    await thread.send((TextPart(asked),))
    return holds({"messages": api.answers[-1].body["messages"][-1:]}, said)


async def talked(name: str, talk: PeerTalk, python: Path) -> Held:
    """One talk with one client, over the wire."""
    with tempfile.TemporaryDirectory() as place, BookedApi(WINDOW) as api:
        folder = Path(place)
        if name != OURS:
            async with running(driver(python, name, api, exact=True), api, folder, b'{"error"') as program:
                return await hold(talk, program, api)
        tool = LookUp({})
        async with (
            wired_backend("anthropic", api, folder) as backend,
            held_thread(
                backend,
                model=MODEL,
                system=peer_driver.SYSTEM,
                soft_limit=LIMIT,
                clock=api.clock,
                folder=folder,
                tools=(tool,),
            ) as thread,
        ):
            return await hold(talk, Ours(thread, tool), api)


async def show_talk(title: str, turns: int, names: Sequence[str], python: Path) -> None:
    """Prints the table of one talk."""
    talk = TALKS[title][0](turns)
    print(f"\n### {title}: {turns} turns, {len(talk.facts)} facts\n\n{HEAD}", flush=True)
    errors = []
    for name in names:
        try:
            held = await talked(name, talk, python)
        except TooSlowError:
            print(f"| {name} | a turn took more than {LONGEST_S:.0f} s |", flush=True)
            continue
        print(held.row(name), flush=True)
        print(f"  {name}: {held.seconds:.0f} s", file=sys.stderr)
        errors += [f"{name}, {one[:300]}" for one in held.errors[:1]]
    print("", *errors, sep="\n", flush=True)


async def opened(name: str, length: int, api: BookedApi, folder: Path, python: Path) -> AsyncGenerator[Program, None]:
    """A client with a history of so many messages of a kilobyte."""
    folder.mkdir()
    if name == OURS:
        history = await SqliteHistory.open(folder / "history.db")
        await history.import_threads([long_thread("anthropic", MODEL, length // 2)])
        await history.close()
        command = [
            sys.executable,
            "-m",
            "desktop_app",
            "--data-dir",
            str(folder),
            "chat",
            "--json",
            "--thread",
            "bench",
        ]
        async with running(command, api, folder, b'"type": "done"') as program:
            yield program
    else:
        async with running(driver(python, name, api, exact=False), api, folder, b'{"error"') as program:
            await program.line({"preload": length, "words": TEXT})
            yield program


async def show_lengths(names: Sequence[str], python: Path, lengths: Sequence[int]) -> None:
    """Prints the processor time from a line to its request, and of the whole turn; the clients take turns."""
    made: dict[tuple[str, int], str] = {}
    for length in lengths:
        with tempfile.TemporaryDirectory() as place, BookedApi(WINDOW) as api:
            times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
            makers = {name: opened(name, length, api, Path(place) / name, python) for name in names}
            programs: dict[str, Program] = {}
            for name, maker in makers.items():
                try:
                    programs[name] = await anext(maker)
                except TooSlowError:
                    made[name, length] = f"> {LONGEST_S:.0f} s"
            for number in range(ROUNDS + 1):
                for name in list(programs):
                    try:
                        took = await line_time(programs[name], name, api)
                    except TooSlowError:
                        made[name, length] = f"> {LONGEST_S:.0f} s"
                        del programs[name]
                        continue
                    if number:  # the first line imports and connects
                        times[name].append(took)
            for name in programs:
                out, whole = (statistics.median(column) for column in zip(*times[name], strict=True))
                made[name, length] = f"{out * 1000:,.0f} ({whole * 1000:,.0f})"
            for maker in makers.values():
                await maker.aclose()
        print(f"  {length} messages measured", file=sys.stderr)
    print("\n### CPU, ms from line to request (and of the whole turn)\n")
    print("| messages | " + " | ".join(f"{length:,}" for length in lengths) + " |\n|---|" + "---:|" * len(lengths))
    for name in names:
        print(f"| {name} | " + " | ".join(made[name, length] for length in lengths) + " |", flush=True)


async def line_time(program: Program, name: str, api: BookedApi) -> tuple[float, float]:
    """Processor seconds of one line: until its request is there, and until all is done."""
    api.clock.advance(GAP_S)
    api.begin(Turn("", "Hello."))
    api.watched = program.process.pid
    before = cpu_of(api.watched)
    question = "And what does the log say?"
    await program.line({"text": question} if name == OURS else {"user": question})
    await asyncio.sleep(0.3)  # what is tidied up after an answer belongs to it
    return api.cpu_at_arrival - before, cpu_of(program.process.pid) - before


async def show_starts(names: Sequence[str], python: Path) -> None:
    """Prints the processor time from the start of a process to its first request, medians of runs in turns."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as place, BookedApi(WINDOW) as api:
        for number in range(ROUNDS + 1):
            for name in names:
                took = await start_time(name, api, Path(place), python)
                if number:  # the first one compiles what was installed
                    times[name].append(took)
    print("\n### Start to first request\n\n| | CPU, s | by the clock, s |\n|---|---:|---:|")
    for name in names:
        cpu, wall = (statistics.median(column) for column in zip(*times[name], strict=True))
        print(f"| {name} | {cpu:.2f} | {wall:.2f} |", flush=True)


async def start_time(name: str, api: BookedApi, place: Path, python: Path) -> tuple[float, float]:
    """Seconds of the processor and by the clock; `ask` of ours, the command `llm`, and the drivers of the others."""
    folder = place / name
    folder.mkdir(exist_ok=True)
    if name == OURS:
        command = [sys.executable, "-m", "desktop_app", "--data-dir", str(folder)]
        command += ["ask", "--backend", "anthropic", "--model", MODEL, "Hello"]
    elif name == "llm":
        command = [str(python.with_name("llm")), "-m", MODEL, "Hello"]
    else:
        command = driver(python, name, api, exact=False)
    api.begin(Turn("", "Hello."))
    began = time.monotonic()
    async with running(command, api, folder, b'{"error"') as program:
        api.watched = program.process.pid
        assert program.process.stdin is not None
        if name not in (OURS, "llm"):
            program.process.stdin.write(line_of({"user": "Hello"}))
        else:
            program.process.stdin.close()
        await api.arrived(1, LONGEST_S)
        wall = time.monotonic() - began
        await program.process.stdout.read(1) if program.process.stdout else None
    return api.cpu_at_arrival, wall


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = (OURS, *peer_driver.PEERS)
    parser.add_argument("--talk", choices=tuple(TALKS), action="append")
    parser.add_argument("--peer", choices=names, action="append")
    parser.add_argument("--turns", type=int, help="turns of each talk, fewer than it has")
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--no-talks", action="store_true")
    parser.add_argument("--no-cpu", action="store_true", help="only the talks")
    parser.add_argument("--environment", type=Path, help="a folder for the peers' packages")
    asked = parser.parse_args(arguments)
    python = environment_in(asked.environment)
    chosen = tuple(asked.peer or names)
    if not asked.no_talks:
        for title in asked.talk or TALKS:
            asyncio.run(show_talk(title, asked.turns or TALKS[title][1], chosen, python))
    if not asked.no_cpu:
        asyncio.run(show_lengths(chosen, python, asked.lengths))
        asyncio.run(show_starts(chosen, python))
    return 0


if __name__ == "__main__":
    sys.exit(main())
