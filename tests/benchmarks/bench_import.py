"""Measures imports by the real command: time, and the most memory it takes, of a file, an archive, and once more.

Generated conversations in the shape of ChatGPT's export, 50 messages each, ten a megabyte. `--gb`: a gigabyte of them,
which takes some minutes and 3 GB of disk. CPU seconds of the whole process, and its peak of resident memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.hard_limits import HardLimits
from tests.builders.chatgpt_export import conversation, node, said
from tests.storage.test_size import English

MEGABYTES = 100
"""Of PRODUCT's row: 1,000 conversations."""

MOST_MEMORY = 400
"""Megabytes, whatever the size of the file."""

MESSAGES = 50
SHARDS = 10


def conversations(megabytes: int) -> Iterator[dict[str, Any]]:
    """Ten conversations a megabyte."""
    english, chance = English(7), random.Random(3)
    sentences = [english.text(14) + " " for _ in range(20_000)]
    size = 1_000_000 // 500
    for number in range(megabytes * 10):
        names = [f"{chance.getrandbits(128):032x}" for _ in range(MESSAGES)]
        nodes = []
        for place, name in enumerate(names):
            words = "".join(chance.choices(sentences, k=max(1, int(size * chance.choice((0.2, 0.5, 1, 1.3, 2)) / 76))))
            message = said("user" if place % 2 == 0 else "assistant", words, create_time=1.7e9 + place)
            nodes.append(node(name, names[place - 1] if place else None, message, *names[place + 1 : place + 2]))
        yield conversation(*nodes, current=names[-1], conversation_id=f"c{number}", title=f"Talk {number}")


def write_export(path: Path, megabytes: int) -> int:
    """One `conversations.json`; returns its bytes."""
    with path.open("w", encoding="utf-8") as file:
        for number, talk in enumerate(conversations(megabytes)):
            file.write((", " if number else "[") + json.dumps(talk))
        file.write("]")
    return path.stat().st_size


def write_archive(path: Path, export: Path) -> None:
    """The same as an archive of one file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(export, "conversations.json")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: its report, CPU seconds, seconds on the clock, the most memory in megabytes."""

    report: dict[str, Any]
    cpu_s: float
    wall_s: float
    peak_mb: float


def run(folder: Path, *arguments: str) -> Run:
    """Runs `plimsoll import` with these arguments."""
    if sys.platform == "win32":
        raise RuntimeError("what a process has used can't be asked for here")
    else:  # noqa: RET506 - without it, a look at the types as Windows has them finds what is never reached
        command = [sys.executable, "-m", "desktop_app", "--data-dir", str(folder), "import", *arguments, "--json"]
        started = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            out = child.stdout.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise RuntimeError(f"the import ended with {child.returncode}")
        peak = used.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
        return Run(json.loads(out), used.ru_utime + used.ru_stime, time.perf_counter() - started, peak)


def line(held: HardLimits, named: str, one: Run, hard_s: float | None = None) -> None:
    """Prints a run, and holds it to its limits."""
    report = one.report
    print(
        f"{named:<34}{one.cpu_s:>8.1f} s CPU {one.wall_s:>8.1f} s {one.peak_mb:>8.0f} MB at most, "
        f"{report['threads']:,} new threads, {report['already']:,} known",
        flush=True,
    )
    held.hold(f"{named}, memory (MB)", one.peak_mb, MOST_MEMORY)
    if hard_s is not None:
        held.hold(f"{named} (s)", one.cpu_s, hard_s)


async def longest_wait(folder: Path, export: Path) -> float:
    """Milliseconds for which another use of the database waits while an import runs in the same process."""
    history = await SqliteHistory.open(folder / "history.db")
    waits = [0.0]
    importing = asyncio.create_task(Transfer(history, Announcements()).import_files([export]))
    while not importing.done():
        await asyncio.wait([importing], timeout=0.1)
        asked = time.perf_counter()
        await history.data_version()
        waits.append((time.perf_counter() - asked) * 1000)
    await importing
    await history.close()
    return max(waits)


def main() -> int:
    """Prints a line for each run; 1 where a hard limit is passed twice over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", action="store_true", help="a gigabyte instead of 100 MB")
    megabytes = 1_000 if parser.parse_args().gb else MEGABYTES
    held = HardLimits()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export, archive = folder / "conversations.json", folder / "export.zip"
        size = write_export(export, megabytes) / 1e6
        write_archive(archive, export)
        print(f"{size:,.0f} MB, {megabytes * 10:,} conversations, {megabytes * 10 * MESSAGES:,} messages", flush=True)
        print(f"target {megabytes / 10:.0f} s CPU, hard {megabytes / 5:.0f} s; {MOST_MEMORY} MB", flush=True)
        line(held, "preview", run(folder / "one", str(export), "--preview"))
        line(held, "import", run(folder / "one", str(export)), megabytes / 5)
        line(held, "import again", run(folder / "one", str(export)), megabytes / 5)
        stored = sum(path.stat().st_size for path in (folder / "one").rglob("*") if path.is_file()) / 1e6
        print(f"{'data folder':<34}{stored:>8.0f} MB", flush=True)
        line(held, "import of the archive", run(folder / "two", str(archive)), megabytes / 5)
        if megabytes == MEGABYTES:
            wait = asyncio.run(longest_wait(folder, export))
            print(f"{'longest wait for the database':<34}{wait:>8.0f} ms meanwhile, wall", flush=True)
    return held.status


if __name__ == "__main__":
    sys.exit(main())
