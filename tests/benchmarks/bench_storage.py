"""Prints the history's times beside their targets: `./dev bench storage [--full]`.

`--full` imports 100 MB instead of 10. CPU time of the whole process; medians, except where one run is all there is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.history_records import ImportedThread, TurnRecord
from desktop_app.core.messages import Message, TextPart, Thread, Usage
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.hard_limits import HardLimits
from tests.builders.chatgpt_export import conversation, node, said
from tests.storage.test_size import English, api_request, program_request

TIME = "2026-03-01T10:00:00.000Z"
AROUND = 7
"""Turns before and after the one a median is given for."""


class Stopwatch:
    """CPU milliseconds of what was done."""

    def __init__(self) -> None:
        self.times: list[float] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        start = time.process_time()
        yield
        self.times.append((time.process_time() - start) * 1000)

    def around(self, place: int) -> float:
        return statistics.median(self.times[max(0, place - AROUND) : place + AROUND])


class Table:
    """What was measured, a line each."""

    def __init__(self) -> None:
        self.held = HardLimits()
        print(f"{'CPU ms':<58}{'target':>8}{'limit':>8}{'measured':>10}")

    def line(self, what: str, measured: float, target: float | None = None, limit: float | None = None) -> None:
        print(f"{what:<58}{_number(target):>8}{_number(limit):>8}{measured:>10.2f}", flush=True)
        if limit is not None:
            self.held.hold(what, measured, limit)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


async def turns(table: Table, folder: Path, form: str, request_of: Callable[[list[Message]], dict[str, Any]]) -> None:
    """A thread of 400 turns, about 1,000 tokens each, and its next turn after the history was opened again."""
    path, english, talked = folder / f"{form}.db", English(7), list[Message]()
    history = await SqliteHistory.open(path)
    await history.create_thread(Thread("thread", "Tides", TIME, TIME))
    begin, save, end = Stopwatch(), Stopwatch(), Stopwatch()

    async def turn(number: int, watch: Stopwatch) -> None:
        tip = talked[-1].id if talked else None
        question = Message(f"q{number:031}", "thread", tip, "user", (TextPart(english.text(400)),), TIME)
        answer = Message(f"a{number:031}", "thread", question.id, "assistant", (), TIME)
        record = TurnRecord(f"t{number:031}", "thread", question.id, answer.id, "anthropic", "m", TIME)
        request = request_of([*talked, question])
        with watch.running():
            await history.begin_turn(record, new_messages=[question], answer=answer, expected_tip=tip, request=request)
        answer = replace(answer, parts=(TextPart(english.text(600)),), state="complete")
        with save.running():
            await history.save_partial(answer)
        with end.running():
            await history.end_turn(record.id, answer, Usage(1, 2, 3, 4))
        talked.extend((question, answer))

    for number in range(1, 401):
        await turn(number, begin)
    await history.close()
    history = await SqliteHistory.open(path)
    first, prepare, prepared = Stopwatch(), Stopwatch(), Stopwatch()
    await turn(401, first)
    await history.close()
    history = await SqliteHistory.open(path)
    with prepare.running():
        await history.prepare_turn("thread")
    await turn(402, prepared)
    await history.close()
    for number in (10, 100, 400):
        # of PRODUCT's "Send -> first byte at the backend" this is one part
        table.line(f"begin_turn, {form}, turn {number}", begin.around(number), 5, 20)
    table.line(f"begin_turn, {form}, turn 401, first after opening", first.times[0], 5, 20)
    table.line(f"begin_turn, {form}, turn 402, after prepare_turn", prepared.times[0], 5, 20)
    table.line(f"prepare_turn, {form}, turn 402", prepare.times[0])
    table.line(f"save_partial, {form}, 2.7 KB", statistics.median(save.times), 3, 6)
    table.line(f"end_turn, {form}", statistics.median(end.times))


async def long_thread(table: Table, folder: Path) -> None:
    """Opening a thread of 10,000 messages."""
    sentences, chance = [English(3).text(14) for _ in range(2_000)], random.Random(3)
    messages: list[Message] = []
    for number in range(10_000):
        text = " ".join(chance.choices(sentences, k=chance.choice((2, 8, 16, 32))))
        parent = messages[-1].id if messages else None
        message = Message(f"m{number:031}", "thread", parent, "user", (TextPart(text),), TIME)
        if number % 2:
            message = replace(message, role="assistant", usage=Usage(1, 2, 3, 4, 5, 0.25), model="m")
        messages.append(message)
    thread = Thread("thread", "Tides", TIME, TIME, tip=messages[-1].id)
    path = folder / "long.db"
    history = await SqliteHistory.open(path)
    await history.import_threads([ImportedThread("one", thread, tuple(messages))])
    watch = Stopwatch()
    for _ in range(9):
        with watch.running():
            await history.messages("thread")
    table.line("messages() of 10,000 messages", statistics.median(watch.times), 100)
    await history.close()
    watch = Stopwatch()
    for _ in range(15):
        with watch.running():
            read_first_screen(path)
    table.line("first screen of a thread of 10,000 messages", statistics.median(watch.times))


def write_export(path: Path, megabytes: int) -> int:
    """A ChatGPT export of ten conversations a megabyte, 50 messages each; returns its bytes."""
    english, chance = English(7), random.Random(3)
    sentences = [english.text(14) + " " for _ in range(20_000)]
    size = 1_000_000 // 500
    talks = []
    for number in range(megabytes * 10):
        names = [f"{chance.getrandbits(128):032x}" for _ in range(50)]
        nodes = []
        for place, name in enumerate(names):
            words = "".join(chance.choices(sentences, k=max(1, int(size * chance.choice((0.2, 0.5, 1, 1.3, 2)) / 76))))
            message = said("user" if place % 2 == 0 else "assistant", words, create_time=1.7e9 + place)
            nodes.append(node(name, names[place - 1] if place else None, message, *names[place + 1 : place + 2]))
        talks.append(conversation(*nodes, current=names[-1], conversation_id=f"c{number}", title=f"Talk {number}"))
    path.write_text(json.dumps(talks), "utf-8")
    return path.stat().st_size


async def imports(table: Table, folder: Path, megabytes: int) -> None:
    """An import from the file to the history, and how long a running turn's save waits for it."""
    export = folder / "conversations.json"
    size = write_export(export, megabytes)
    history = await SqliteHistory.open(folder / "import.db")
    transfer = Transfer(history, Announcements())
    share = megabytes / 100
    watch, waits, started = Stopwatch(), [0.0], time.perf_counter()
    with watch.running():
        importing = asyncio.create_task(transfer.import_files([export]))
        while not importing.done():
            await asyncio.wait([importing], timeout=0.1)
            asked = time.perf_counter()
            await history.data_version()
            waits.append((time.perf_counter() - asked) * 1000)
    wall = (time.perf_counter() - started) * 1000
    report = await importing
    named = f"import of {size / 1e6:.0f} MB, {report.threads:,} conversations"
    table.line(named, watch.times[0], 10_000 * share, 20_000 * share)
    table.line(f"{named}, wall", wall)
    table.line("longest wait for the database meanwhile, wall", max(waits))
    again = Stopwatch()
    with again.running():
        await transfer.import_files([export])
    table.line(f"{named}, again", again.times[0])
    await history.close()


async def measure(table: Table, folder: Path, megabytes: int) -> None:
    """Everything, one after the other."""
    await turns(table, folder, "API", api_request)
    await turns(table, folder, "program", program_request)
    await long_thread(table, folder)
    await imports(table, folder, megabytes)


def main() -> int:
    """Runs everything once and prints a table; 1 where a hard limit is passed twice over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="import 100 MB instead of 10")
    megabytes = 100 if parser.parse_args().full else 10
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(measure(table, Path(name), megabytes))
    return table.held.status


if __name__ == "__main__":
    sys.exit(main())
