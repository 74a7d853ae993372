"""Prints what commands take of a processor, in runs that take turns: `./dev bench commands [--rounds N]`.

`--messages N`: how long the thread is that is read. `--beside PROGRAM` runs another program in the same rounds, as
`--beside "llm logs list"`. Another load on the computer slows all of a round alike, so that the least of all rounds is
given, with the median beside it. The last row is `ask` to the Anthropic API, up to the moment when its request arrives
at a loopback server: its processor time, and its time by the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.peer_books import BookedApi
from tests.benchmarks.peer_talks import Turn

TIME = "2026-03-01T10:00:00.000Z"
REQUEST = "ask, to its request"
TARGETS = {"threads --json": 0.35, REQUEST: 1.0}
"""CPU seconds."""


async def _fill(folder: Path, messages: int) -> str:
    """Makes a history with one thread and returns its id."""
    thread = Thread("t" * 32, "A talk", TIME, TIME, backend="scripted")
    said: list[Message] = []
    for number in range(messages):
        parent = said[-1].id if said else None
        text = (TextPart(f"word {number}"),)
        said.append(Message(f"m{number}", thread.id, parent, "assistant" if number % 2 else "user", text, TIME))
    (folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
    history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
    try:
        running = await history.imports.begin()
        await running.add([ImportedThread("bench", replace(thread, tip=said[-1].id), tuple(said))])
        await running.finish()
        return (await history.threads())[0].thread.id
    finally:
        await history.close()


def _cpu(line: Sequence[str]) -> float:
    if sys.platform == "win32":
        raise OSError("what a process used is not told here")
    else:  # noqa: RET506 (so that the types of Windows are clean)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _to_request(folder: str, api: BookedApi) -> tuple[float, float]:
    """Seconds of the processor and by the clock until the request of an `ask` has arrived."""
    api.begin(Turn("", "Hello."))
    line = [sys.executable, "-m", "desktop_app", "--data-dir", folder, "ask", "--backend", "anthropic", "hi"]
    environ = {**os.environ, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-ant-api03-none"}
    began = time.monotonic()
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ) as asking:
        api.watched = asking.pid
        api.wait_for(1)
        return api.cpu_at_arrival, time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--beside", action="append", default=[], help="another program and its arguments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, BookedApi(200_000) as api:
        thread = asyncio.run(_fill(Path(name), given.messages))
        ours = ("threads --json", f"show {thread} --json", "search word --json", f"context {thread} --json", "ask hi")
        plimsoll = [sys.executable, "-m", "desktop_app", "--data-dir", name]
        lines = {line: [*plimsoll, *line.split()] for line in ours}
        lines |= {line: shlex.split(line) for line in given.beside}
        taken: dict[str, list[float]] = {line: [] for line in (*lines, REQUEST)}
        by_clock: list[float] = []
        for _ in range(given.rounds):
            for line, words in lines.items():
                taken[line].append(_cpu(words))
            cpu, wall = _to_request(name, api)
            taken[REQUEST].append(cpu)
            by_clock.append(wall)
    print(f"{'CPU s':<40}{'target':>8}{'least':>8}{'median':>8}")
    for line, times in taken.items():
        target = f"{TARGETS[line]:.2f}" if line in TARGETS else ""
        print(f"{line.replace(thread, 'THREAD'):<40}{target:>8}{min(times):>8.2f}{statistics.median(times):>8.2f}")
    print(f"{'the same by the clock':<40}{'':>8}{min(by_clock):>8.2f}{statistics.median(by_clock):>8.2f}")


if __name__ == "__main__":
    main()
