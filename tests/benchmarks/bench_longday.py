"""A long day in one window and in one `chat`: `python -m tests.benchmarks.bench_longday [--short]`.

1,000 sends, 600 switches of the thread without a pause, ten minutes of an answer that streams (as fast as it is read),
a minute at rest that stands for an hour: memory, handles, threads, tasks and children before and after each, wake-ups
of the GUI thread and of all threads at rest, CPU of the first and the last turns. `--short`: a tenth of all.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import mmap
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.in_the_window import make_history

if TYPE_CHECKING:
    from desktop_app.core.context.plan import ContextPlan
    from desktop_app.core.messages import JsonObject
    from tests.fakes.gated_backend import GatedBackend
    from tests.ui.open_window import OpenWindow

SENDS, SWITCHES, DELTAS, REST_S, TURNS = 1_000, 600, 24_000, 60.0, 500
"""Forty deltas a second for ten minutes; all are there as soon as they are read."""
QUIET_S = 5.0
ANSWER_S = 300.0
"""Patience for the long answer; no bound."""
MOST_WAKE_UPS = 5.0
"""Wake-ups a second at rest."""
MOST_GROWTH_MB = 5.0
"""For 600 switches: what they show is the same as before."""
MOST_MORE_CPU = 2.0
"""How many times the last turns of a thread may cost what the first ones did; with the database's thread, what those in
the middle did: a new file of some hundred turns is cheaper to write to than any later one."""


@dataclass(frozen=True)
class Stock:
    """What the process has."""

    memory_mb: float
    handles: int
    threads: int
    tasks: int
    children: int

    @classmethod
    def taken(cls) -> Stock:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        tasks = list(Path("/proc/self/task").iterdir())
        children = sum(len((path / "children").read_text("ascii").split()) for path in tasks)
        return cls(
            pages * mmap.PAGESIZE / 1e6,
            len(list(Path("/proc/self/fd").iterdir())),
            len(tasks),
            len(asyncio.all_tasks()),
            children,
        )

    def line(self, name: str, before: Stock | None = None) -> str:
        more = f"  {self.memory_mb - before.memory_mb:+7.1f} MB" if before is not None else ""
        return (
            f"{name:44} {self.memory_mb:7.1f} MB  {self.handles:3} handles  {self.threads:2} threads  "
            f"{self.tasks:2} tasks  {self.children} children{more}"
        )


def _switches() -> dict[str, int]:
    """How often each thread has gone to sleep so far: each time it was woken for it."""
    counts = {}
    for path in Path("/proc/self/task").iterdir():
        lines = (path / "status").read_text("ascii").splitlines()
        counts[path.name] = next(int(one.split()[1]) for one in lines if one.startswith("voluntary"))
    return counts


def _forget(backend: GatedBackend) -> None:
    """Empties what the test's own backend keeps of every request: the collection of garbage would go through it."""
    for kept in (backend.plans, backend.prepared, backend.counted):
        kept.clear()


async def _begin_thread(window: OpenWindow) -> None:
    window.app_state.close_thread()
    await window.app_state.made_thread(backend="scripted", model="big")
    await window.settled()


async def wake_ups(seconds: float) -> tuple[float, float]:
    """Wake-ups a second from now on: of the GUI thread, of all threads."""
    before = _switches()
    await asyncio.sleep(seconds)
    after = _switches()
    own = str(os.getpid())
    every = sum(count - before.get(thread, 0) for thread, count in after.items())
    return (after[own] - before[own]) / seconds, every / seconds


async def window_day(data_dir: Path, share: float) -> list[str]:
    """The window's day; what is over its bound."""
    from desktop_app.core.stream_events import Ended, TextDelta
    from tests.ui.open_window import OpenWindow

    await make_history(data_dir, (100,))
    over: list[str] = []
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        stock = Stock.taken()
        print(stock.line("opened"), flush=True)

        cpu: list[float] = []
        for number in range(int(SENDS * share)):
            if number % 50 == 0:
                await _begin_thread(window)
            begun = time.process_time()
            await window.send(f"question {number}")
            cpu.append((time.process_time() - begun) * 1000)
            _forget(window.backend)
        before, stock = stock, Stock.taken()
        tenth = max(1, len(cpu) // 10)
        print(stock.line(f"{len(cpu)} sends", before), flush=True)
        print(
            f"    CPU per send: first tenth {statistics.median(cpu[:tenth]):.0f} ms, "
            f"last tenth {statistics.median(cpu[-tenth:]):.0f} ms",
            flush=True,
        )

        ids = [f"short{number:027x}" for number in range(200)]

        async def switch(count: int) -> None:
            for number in range(count):
                await window.app_state.open_thread(ids[number % len(ids)])
                window.window.repaint()
                await asyncio.sleep(0)

        await switch(200)  # what is kept of each thread is kept
        before = Stock.taken()
        await switch(int(SWITCHES * share))
        stock = Stock.taken()
        print(stock.line(f"{int(SWITCHES * share)} switches without a pause", before), flush=True)
        if stock.memory_mb - before.memory_mb > MOST_GROWTH_MB:
            over.append(f"switches: {stock.memory_mb - before.memory_mb:.1f} MB")

        await _begin_thread(window)
        words = [TextDelta(f"word{number} of a long answer{'.' * (number % 9 == 0)} ") for number in range(40)]
        paragraph = TextDelta("\n\n")
        deltas = int(DELTAS * share)
        steps = [paragraph if number % 120 == 119 else words[number % 40] for number in range(deltas)]
        window.backend.reply(*steps, Ended("end_turn"))
        before, begun = stock, time.process_time()
        await window.send("a long answer", ANSWER_S)
        stock = Stock.taken()
        print(stock.line(f"an answer of {deltas} deltas", before), flush=True)
        print(f"    CPU: {time.process_time() - begun:.1f} s", flush=True)

        await window.app_state.open_thread(ids[0])
        await window.settled()
        before = stock
        await asyncio.sleep(QUIET_S)
        gui, every = await wake_ups(max(10.0, REST_S * share))
        gc.collect()
        stock = Stock.taken()
        print(stock.line(f"{max(10.0, REST_S * share):.0f} s at rest", before), flush=True)
        print(f"    wake-ups a second: GUI thread {gui:.1f}, all threads {every:.1f} (an hour: {every * 3600:,.0f})")
        if every >= MOST_WAKE_UPS:
            over.append(f"at rest: {every:.1f} wake-ups a second")
    return over


async def chat_day(folder: Path, turns: int) -> list[str]:
    """CPU per turn of one thread through the controller, as `chat` has it."""
    from desktop_app.core.messages import TextPart
    from tests.benchmarks.thread_loop import held_thread
    from tests.fakes.gated_backend import GatedBackend
    from tests.servers.prompt_cache import HandClock

    class Bodiless(GatedBackend):
        """Its request is nothing: a real one has the whole thread in it, and costs what that is long."""

        def request(self, plan: ContextPlan) -> JsonObject:
            return {"tokens": plan.tokens.total}

    backend, spent = Bodiless("gated"), list[tuple[float, float]]()
    async with held_thread(
        backend, model="big", system="", soft_limit=150_000, clock=HandClock(), folder=folder
    ) as thread:
        for number in range(turns):
            begun, began = time.thread_time(), time.process_time()
            await thread.chat.send(thread.id, (TextPart(f"question {number}"),))
            spent.append(((time.thread_time() - begun) * 1000, (time.process_time() - began) * 1000))
            _forget(backend)
    tenth = max(1, turns // 10)
    thirds = [spent[:tenth], spent[turns // 2 :][:tenth], spent[-tenth:]]
    own, every = ([statistics.median(one[which] for one in some) for some in thirds] for which in (0, 1))
    print(f"{turns} turns of one thread, CPU per turn in the first, the middle and the last tenth:")
    print(
        f"    {' '.join(f'{one:.1f}' for one in own)} ms, with the database's thread "
        f"{' '.join(f'{one:.1f}' for one in every)} ms",
        flush=True,
    )
    if own[2] > MOST_MORE_CPU * own[0] or every[2] > MOST_MORE_CPU * every[1]:
        return ["the last turns of a thread cost more"]
    return []


def main() -> int:
    """Prints every figure; 1 where one is over its bound."""
    parser = argparse.ArgumentParser(prog="bench_longday")
    parser.add_argument("--short", action="store_true", help="a tenth of all")
    share = 0.1 if parser.parse_args().short else 1.0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="longday.") as folder:
        import qasync

        from desktop_app.ui.startup.background_imports import give_way_sooner
        from desktop_app.ui.startup.single_instance import make_application

        give_way_sooner()  # as the app does
        loop = qasync.QEventLoop(make_application())
        asyncio.set_event_loop(loop)
        over = loop.run_until_complete(window_day(Path(folder) / "data", share))
        over += asyncio.run(chat_day(Path(folder), int(TURNS * share)))
    for one in over:
        print(f"over: {one}")
    sys.stdout.flush()
    os._exit(1 if over else 0)  # what Qt still holds is nobody's


if __name__ == "__main__":
    main()
