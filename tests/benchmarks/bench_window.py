"""The window's speed beside PRODUCT.md section 7: start, switch, keystroke, stream, stalls. Offscreen, real history.

`python -m tests.benchmarks.bench_window` prints a table and exits 1 where a hard limit is passed twice over. Modules
are read as an installed app reads them, from bytecode, which a first start that does not count has written. Beside the
start stands what PySide6 itself takes for one empty widget: wall figures say little while other programs run.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STARTS = 11
MESSAGES = 2_000
THREADS = 200
KEYS = 200
CHUNKS = 200
FRAME_S = 1 / 60


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


_START = """
import gc, os, sys, time
gc.disable()  # as app.main does before it imports what follows
from desktop_app.__main__ import main
from desktop_app.ui.imports import spare_source_reading
spare_source_reading()
from desktop_app.ui import opening
class Timed(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(self.painted)
    def painted(self):
        print(time.time(), time.process_time(), flush=True)
        os._exit(0)
opening.Opening = Timed
main(["--data-dir", sys.argv[1], "--backend", "scripted"])
"""


_FLOOR = """
import os, sys, time
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
class Bare(QWidget):
    def paintEvent(self, event):
        QTimer.singleShot(0, self.painted)
    def painted(self):
        print(time.time(), time.process_time(), flush=True)
        os._exit(0)
app = QApplication(sys.argv[:1])
window = Bare()
window.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
window.show()
app.exec()
"""


_STALL = """
import gc, sys
gc.disable()  # as app.main does before it imports what follows
from PySide6.QtCore import QTimer
from desktop_app.__main__ import main
from desktop_app.ui.imports import spare_source_reading
spare_source_reading()
from desktop_app.ui import opening
from tests.benchmarks.bench_window import Pulse
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(self.painted)
    def painted(self):
        self.pulse = Pulse()
        QTimer.singleShot(3000, self.told)
    def told(self):
        print(self.pulse.taken(), self.pulse.busiest * 1000, flush=True)
        self.window.close()
opening.Opening = Watched
main(["--data-dir", sys.argv[1], "--backend", "scripted"])
"""


def start_stalls(data_dir: Path) -> tuple[float, float]:
    """The longest stall in the three seconds after the first paint, in milliseconds, medians of 5 processes: wall, and
    processor time of the GUI thread alone.
    """
    command = [sys.executable, "-c", _STALL, str(data_dir)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    return statistics.median(float(wall) for wall, _ in runs), statistics.median(float(cpu) for _, cpu in runs)


def start_figures(data_dir: Path) -> list[Figure]:
    """From process start to the painted window, and to a bare widget; the two take turns, one process each."""
    times: dict[str, list[tuple[float, float]]] = {_FLOOR: [], _START: []}
    for number in range(STARTS + 1):
        for program, taken in times.items():
            begun = time.time()
            child = subprocess.run(
                [sys.executable, "-c", program, str(data_dir)], capture_output=True, text=True, check=True, timeout=60
            )
            ended, cpu = map(float, child.stdout.split())
            if number > 0:  # the first writes the bytecode
                taken.append(((ended - begun) * 1000, cpu * 1000))
    wall, cpu = (statistics.median(each) for each in zip(*times[_START], strict=True))
    floor_wall, floor_cpu = (statistics.median(each) for each in zip(*times[_FLOOR], strict=True))
    return [
        Figure(f"process start -> painted window (wall, median of {STARTS})", wall, 250, 350),
        Figure("process start -> painted window (CPU, median)", cpu, 250, 350),
        Figure("  of it PySide6 and one bare widget (wall)", floor_wall, 250, 350),
        Figure("  of it PySide6 and one bare widget (CPU)", floor_cpu, 250, 350),
    ]


class Pulse:
    """Notes how late the GUI thread comes to a tick every 4 ms: the longest gap is the longest stall."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(4)
        self._timer.timeout.connect(self._tick)
        self.longest = 0.0
        self.busiest = 0.0
        """Most seconds of processor time that the GUI thread spent between two ticks: other programs don't count."""
        self._last = time.perf_counter()
        self._last_cpu = time.thread_time()
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last - 0.004)
        self._last = now
        spent = time.thread_time()
        self.busiest = max(self.busiest, spent - self._last_cpu)
        self._last_cpu = spent

    def taken(self) -> float:
        """Milliseconds of the longest stall since the last call."""
        longest, self.longest = self.longest, 0.0
        return longest * 1000


async def make_history(data_dir: Path) -> None:
    """200 short threads, and one with 2,000 messages that was used last."""
    from desktop_app.controller.ports import ImportedThread
    from desktop_app.core.messages import Message, TextPart, Thread
    from desktop_app.storage.history import SqliteHistory

    history = await SqliteHistory.open(data_dir / "history.db")
    threads = []
    for number in range(THREADS + 1):
        long = number == THREADS
        stamp = f"2026-11-{1 + number // 12:02}T{number % 12:02}:00:00.000Z"
        thread_id = f"{number:032x}"
        messages = []
        parent = None
        for place in range(MESSAGES if long else 10):
            role = "user" if place % 2 == 0 else "assistant"
            message_id = f"{number:016x}{place:016x}"
            messages.append(
                Message(message_id, thread_id, parent, role, (TextPart(_text(place)),), stamp)  # type: ignore[arg-type]
            )
            parent = message_id
        thread = Thread(thread_id, f"Thread number {number}", stamp, stamp, "scripted", "scripted", tip=parent)
        threads.append(ImportedThread(f"bench/{number}", thread, tuple(messages)))
    await history.import_threads(threads)
    await history.close()


def _text(place: int) -> str:
    if place % 2 == 0:
        return f"Question {place}: how does a ring buffer keep its order when it wraps around?"
    code = "```python\ndef push(self, item):\n    self._items[self._head % len(self._items)] = item\n```"
    return (
        f"Answer {place}. It **overwrites** the oldest entry once `capacity` is reached.\n\n{code}\n\n"
        "| Structure | push | pop |\n|---|---|---|\n| list | O(1) | O(n) |\n| deque | O(1) | O(1) |\n\n"
        "- the head moves on\n- the tail follows\n\n" + "Some more prose to fill a paragraph. " * 6
    )


async def in_the_window(data_dir: Path) -> list[Figure]:
    """Switching, typing, streaming and stalls, in one window."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from tests.ui.open_window import OpenWindow

    figures: list[Figure] = []
    pulse = Pulse()
    async with OpenWindow.opened(data_dir) as window:
        await asyncio.sleep(0.5)
        ids = [summary.thread.id for summary in await window.services.library.threads()]
        long, short = f"{THREADS:032x}", next(each for each in ids if each != f"{THREADS:032x}")
        switches = []
        for number in range(21):
            wanted = short if number % 2 == 0 else long
            begun = time.process_time()
            await window.desk.open_thread(wanted)
            window.window.repaint()
            if number > 1 and wanted == long:
                switches.append((time.process_time() - begun) * 1000)
            await asyncio.sleep(0.05)
        figures.append(
            Figure(f"switch to a thread of {MESSAGES:,} messages, warm (CPU, median)", _p(switches, 50), 10, 20)
        )
        await window.settled()
        pulse.taken()
        keys = []
        for number in range(KEYS):
            begun = time.process_time()
            QTest.keyClick(window.editor, Qt.Key(ord("A") + number % 26))
            window.composer.repaint()
            keys.append((time.process_time() - begun) * 1000)
            await asyncio.sleep(0)
        figures.append(Figure("keystroke incl. gauge and painting, p95 (CPU)", _p(keys, 95), 4, 8))
        figures += await _stream(window, pulse)
    return figures


async def _stream(window: object, pulse: Pulse) -> list[Figure]:
    from PySide6.QtCore import QEvent, QObject, Qt

    from desktop_app.core.stream import Ended, TextDelta
    from tests.fakes.gated_backend import Gate
    from tests.ui.open_window import OpenWindow

    assert isinstance(window, OpenWindow)
    received: list[float] = []
    painted: list[float] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.Paint and received:
                now = time.perf_counter()
                painted.extend(now - then for then in received)
                received.clear()
            return False

    watch = Watch()
    gates = [Gate() for _ in range(CHUNKS)]
    steps: list[Gate | TextDelta | Ended] = []
    for number, gate in enumerate(gates):
        steps += [gate, TextDelta(f"word{number} and some more of the answer, ")]
    window.backend.reply(*steps, Ended("end_turn"))
    pulse.taken()
    window.press(Qt.Key.Key_Return)
    await gates[0].arrive()
    await asyncio.sleep(0.2)
    figures = [Figure("longest stall during the first send (wall)", pulse.taken(), 16, 50)]
    window.transcript.viewport().installEventFilter(watch)
    window.desk.bridge.answer_grew.connect(lambda _: received.append(time.perf_counter()))
    for gate in gates:
        await gate.arrive()
        gate.open()
        await asyncio.sleep(FRAME_S * 0.9)
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await asyncio.sleep(0.1)
    figures.append(Figure("chunk received -> painted, p95 (wall)", _p([each * 1000 for each in painted], 95), 17, 25))
    figures.append(Figure("longest stall while an answer streams (wall)", pulse.taken(), 16, 50))
    return figures


def _p(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]


def main() -> int:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="plimsoll-bench-") as folder:
        os.environ["HOME"] = folder
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        data_dir = Path(folder) / "d"
        data_dir.mkdir(mode=0o700)
        asyncio.run(make_history(data_dir))
        figures = start_figures(data_dir)
        wall, cpu = start_stalls(data_dir)
        figures += [
            Figure("longest stall after the first paint (wall, median of 5)", wall, 16, 50),
            Figure("longest work of the GUI thread after it (CPU, median of 5)", cpu, 16, 50),
        ]
        import qasync

        from desktop_app.ui.opening import make_application

        app = make_application()
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        figures += loop.run_until_complete(in_the_window(data_dir))
        loop.close()
    print(f"{'milliseconds':<58}{'measured':>9}{'target':>9}{'limit':>8}")
    for figure in figures:
        print(figure.line())
    return int(any(figure.measured > 2 * figure.limit for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
