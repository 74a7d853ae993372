"""The thread list's speed with 10,000 and 100,000 threads, beside PRODUCT.md section 7: CPU milliseconds, offscreen.

Of a search the longest work at one time is measured: titles are looked at in turns.

`python -m tests.benchmarks.bench_threads` prints a table and exits 1 where a hard limit is passed twice over.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from tests.benchmarks.hard_limits import HardLimits

THREADS = 10_000
MANY = 100_000
ROUNDS = 40


def measured(act: Callable[[int], object], rounds: int = ROUNDS) -> list[float]:
    """CPU milliseconds of each round."""
    found: list[float] = []
    for number in range(rounds):
        begun = time.thread_time()
        act(number)
        found.append((time.thread_time() - begun) * 1000)
    return found


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


@dataclass(frozen=True)
class Figure:
    """One line of the table, in milliseconds."""

    name: str
    measured: float
    target: float
    limit: float

    def line(self) -> str:
        verdict = "ok" if self.measured <= self.target else "within limit" if self.measured <= self.limit else "over"
        return f"{self.name:<58}{self.measured:>9.1f}{self.target:>9.0f}{self.limit:>8.0f}  {verdict}"


def figures(count: int = THREADS) -> list[Figure]:
    from PySide6.QtWidgets import QApplication

    from desktop_app.core.messages import Thread, ThreadSummary
    from desktop_app.ui.shell.opening import make_application
    from desktop_app.ui.theme.style import apply_theme
    from desktop_app.ui.theme.theme import load_theme
    from desktop_app.ui.threads.threads_pane import ThreadsPane

    app, theme = QApplication.instance() or make_application(), load_theme("light")
    assert isinstance(app, QApplication)
    apply_theme(app, theme)
    pane = ThreadsPane(theme)
    pane.resize(248, 760)
    now = datetime.now(UTC)

    def made(number: int) -> Thread:
        when = (now - timedelta(days=number * 500 / count)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        project = f"Project {number % 12}" if number % 10 == 0 else None
        return Thread(f"{number:032x}", f"Thread number {number}: how ropes are spliced", when, when, project=project)

    threads = [made(number) for number in range(count)]
    summaries = [ThreadSummary(thread, 2) for thread in threads]
    pane.model.set_threads(summaries)
    pane.show()
    app.processEvents()
    view, bar, model = pane.view, pane.view.verticalScrollBar(), pane.model

    def painted(_: int = 0) -> None:
        view.viewport().repaint()

    def scrolled(number: int) -> None:
        bar.setValue(number * 37)
        app.processEvents()

    def dragged(number: int) -> None:
        bar.setValue(bar.maximum() * number // ROUNDS)
        app.processEvents()

    def reset(number: int) -> None:
        model.set_filter("")
        model.set_threads(summaries[number:] + summaries[:number])
        model.set_filter(f"number {number}")
        model.finish_search()
        app.processEvents()

    def whole(_: int) -> None:
        model.beginResetModel()
        model.endResetModel()
        app.processEvents()

    def moved(number: int) -> None:
        stamp = (now + timedelta(seconds=number + 1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        model.put_thread(replace(threads[count // 3 + number * 7], updated=stamp))
        app.processEvents()

    def told(number: int) -> None:
        model.put_thread(replace(threads[5_000 + number], title=f"Renamed {number}"))
        app.processEvents()

    longest: list[float] = []

    def typed(number: int) -> None:
        """A key, and then one slice of the search after the other."""
        key = measured(lambda _: model.set_filter("thread number 77"[: number % 17]), 1)
        most = max(key + measured(lambda _: app.processEvents(), count // 2_000 + 5))
        (cleared if number % 17 == 0 else longest).append(most)

    cleared: list[float] = []

    painted()
    if count == MANY:
        measured(typed, 1 + 2 * 17)
        pane.close()
        return [
            Figure("100,000 threads: a letter in the search box, p95", p95(longest), 16, 33),
            Figure("100,000 threads: the search box is emptied, median", statistics.median(cleared[1:]), 16, 50),
            Figure("100,000 threads: a thread comes up, median", statistics.median(measured(moved)), 16, 50),
        ]
    measured(typed)
    model.set_filter("")
    found = [
        Figure("thread list: frame of a full list, p95", p95(measured(painted)), 4, 8),
        Figure("thread list: wheel frame, p95", p95(measured(scrolled)), 4, 8),
        Figure("thread list: scrollbar drag frame, p95", p95(measured(dragged)), 12, 20),
        Figure("thread list: reset of 10,000 rows, median", statistics.median(measured(whole)), 16, 50),
        Figure("thread list: a thread is renamed, median", statistics.median(measured(told)), 4, 16),
        Figure("thread list: a thread comes up, median", statistics.median(measured(moved)), 16, 50),
        Figure("thread list: a key in the search box, p95", p95(longest), 16, 33),
        Figure("thread list: read anew and filtered, median", statistics.median(measured(reset, 10)), 50, 100),
    ]
    pane.close()
    return found


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found = [*figures(), *figures(MANY)]
    print(f"{'10,000 threads, CPU ms':<58}{'measured':>9}{'target':>9}{'limit':>8}")
    held = HardLimits()
    for figure in found:
        print(figure.line())
        held.hold(figure.name, figure.measured, figure.limit)
    return held.status


if __name__ == "__main__":
    sys.exit(main())
