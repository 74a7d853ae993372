"""Prints what a history of many messages costs: `./dev bench history [--messages N] [--keep FOLDER]`.

A million messages in 20,000 threads by default; they are made as `bench_search` makes them, some four minutes of CPU.
Measured are the window's start with that history, the list, opening a thread, searches, a backup, both integrity
checks, and the file's size against the text it holds. CPU time unless wall is said; the longest work of the window's
thread after its start is said beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import statistics
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from time import perf_counter

from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.bench_search import A_THREAD, LIMIT, TARGET, Chatter, cases, generate
from tests.benchmarks.bench_storage import Stopwatch, Table
from tests.benchmarks.bench_window import start_figures

MILLION = 1_000_000
OPENED = 40
"""Threads that are opened, spread over the file."""


def spread(times: list[float]) -> tuple[float, float]:
    """The median and the time that 95 of 100 stay below."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


async def measure_store(table: Table, path: Path, rare: str, messages: int) -> float:
    """List, opening, searches and a backup, as the history does them; the MB of all texts, from those of some."""
    watch = Stopwatch()
    with watch.running():
        assert read_first_screen(path) is not None
    table.line("first screen of the start, from the file", watch.times[0])
    watch = Stopwatch()
    with watch.running():
        history = await SqliteHistory.open(path)
    table.line("open the file", watch.times[0])
    try:
        watch = Stopwatch()
        for _ in range(5):
            with watch.running():
                listed = await history.threads()
        table.line(f"list of {len(listed):,} threads", statistics.median(watch.times))
        watch = Stopwatch()
        threads = messages // A_THREAD
        size = 0
        for number in range(OPENED):
            with watch.running():
                found = await history.messages(f"t{number * (threads - 1) // (OPENED - 1)}")
            size += sum(len(message.text.encode()) for message in found)
        table.line(f"messages of a thread of {len(found)}", statistics.median(watch.times))
        watch = Stopwatch()
        for _ in range(4):
            for case in cases(rare):
                with watch.running():
                    await history.search(case.query, case.within, limit=20, offset=case.offset)
        p50, p95 = spread(watch.times)
        table.line(f"searches of {len(list(cases(rare)))} kinds, p50", p50, TARGET, LIMIT)
        table.line("the same, p95", p95, TARGET, LIMIT)
        begun, watch = perf_counter(), Stopwatch()
        with watch.running():
            await history.copy_to(path.with_name("copy.db"))
        table.line("a backup, verified", watch.times[0])
        table.line("the same, wall", (perf_counter() - begun) * 1000)
        return size / OPENED * threads / 1e6
    finally:
        await history.close()


def measure_file(table: Table, path: Path, text_mb: float) -> None:
    """The integrity checks, and what the file takes for its text."""
    with closing(sqlite3.connect(path)) as connection:
        for check in ("quick_check", "integrity_check"):
            watch = Stopwatch()
            with watch.running():
                assert connection.execute(f"PRAGMA {check}(1)").fetchone()[0] == "ok"
            table.line(f"PRAGMA {check}", watch.times[0])
    size_mb = path.stat().st_size / 1e6
    print(f"{'file, MB':<58}{'':>16}{size_mb:>10.0f}")
    print(f"{'the same, for each byte of text':<58}{'':>8}{1.5:>8}{size_mb / text_mb:>10.2f}")


def measure_window(table: Table, folder: Path) -> None:
    """The window's start with this history."""
    environ = {**os.environ, "HOME": str(folder), "PYTHONPYCACHEPREFIX": str(folder), "PLIMSOLL_HOME": str(folder)}
    environ |= {"QT_QPA_PLATFORM": "offscreen"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    figures = start_figures(environ)
    table.line("process start -> painted window, wall", figures["start wall"][0], 250, 350)
    table.line("the same, CPU", figures["start cpu"][0], 250, 350)
    table.line("longest work of the GUI thread after the start", figures["start stall"][0], 16, 50)


def main() -> int:
    """Generates once and prints a table; 1 where a hard limit is passed twice over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MILLION, help="messages in the history (default 1,000,000)")
    parser.add_argument("--keep", type=Path, help="the folder of the history, used again where it is there already")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.keep or Path(name) / "data"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "history.db"
        if not path.exists():
            generate(path, chosen.messages)
        print(f"{chosen.messages:,} messages")
        table = Table()
        measure_window(table, folder)
        text_mb = asyncio.run(measure_store(table, path, Chatter(5).rare, chosen.messages))
        measure_file(table, path, text_mb)
        return table.held.status


if __name__ == "__main__":
    sys.exit(main())
