"""Every row of PRODUCT.md section 7 that concerns the window: `./dev bench window`. Takes about four minutes.

Measured twice: without a screen, and on an X server that is started for it (left out, with words, where Xvfb is
missing). Rows that depend on the length of the thread stand for 20, 200, 2,000 and 10,000 messages. Exits 1 where a
hard limit is passed twice over.

CPU figures are processor time of the GUI thread, or of the whole process where that is said; figures of the wall clock
say little while other programs run, so beside the start stands what PySide6 takes for one empty widget. Modules are
read as an installed app reads them, from bytecode, which a first start that does not count has written.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from tests.benchmarks.bench_transcript import SIZES
from tests.benchmarks.hard_limits import HardLimits
from tests.benchmarks.in_the_window import LAST_USED, LONGEST, long_id

STARTS = 9
STALLS = 3
HISTORY = "history"
ANSWER_PARAGRAPHS = 1_000
"""Of 20 tokens each."""
GROWING = {
    "switch": "a switch",
    "send stall": "the longest work at a send",
    "stream stall": "and while an answer comes",
}
"""Rows of which it is said how they grow with the thread."""


@dataclass(frozen=True)
class Row:
    """One line of the table: what is asked for, with its target and hard limit (milliseconds, or MB)."""

    key: str
    name: str
    target: float
    limit: float
    judged: bool = True


ROWS = (
    Row("start wall", f"process start -> painted window, wall, median of {STARTS}", 250, 350),
    Row("start cpu", "  the same, CPU of the process", 250, 350),
    Row("floor wall", "  of it PySide6 and one bare widget, wall", 250, 350, judged=False),
    Row("floor cpu", "  the same, CPU of the process", 250, 350, judged=False),
    Row("switch", "switch to a thread, warm, median", 10, 20),
    Row("switch process", "  the same, CPU of all threads of the process", 10, 20, judged=False),
    Row("wheel p95", "wheel frame p95", 4, 8),
    Row("wheel max", "wheel frame max", 8, 16.7),
    Row("drag p95", "scroll bar frame p95", 12, 20),
    Row("drag max", "scroll bar frame max", 16.7, 33),
    Row("stream p50", "streamed update at 60 Hz p50", 1, 2),
    Row("stream p95", "streamed update at 60 Hz p95", 3, 5),
    Row("stream max", "streamed update at 60 Hz max", 5, 10),
    Row("painted", "chunk received -> painted p95, wall", 17, 25),
    Row("key", "keystroke incl. gauge and painting p95", 4, 8),
    Row("start stall", f"longest work of the GUI thread after the start, median of {STALLS}", 16, 50),
    Row("start stall wall", "  the same as the longest stall, wall", 16, 50, judged=False),
    Row("send stall", "longest work of the GUI thread at the first send", 16, 50),
    Row("stream stall", "longest work of the GUI thread while an answer streams", 16, 50),
    Row("stream stall wall", "  the same as the longest stall, wall", 16, 50, judged=False),
    Row("memory", "memory of the whole app with the thread open (MB)", 200, 260),
    Row("memory answer", "  the same after an answer of 20,000 tokens (MB)", 220, 280),
    Row("list letter", "a letter in the list's search, 100,000 threads, p95", 16, 33),
)

Figures = dict[str, dict[int, float]]
"""By row and number of messages; 0 where the row does not depend on it."""


START = """
import gc, os, sys, time
gc.disable()  # as app.main does before it imports what follows
from desktop_app.__main__ import main
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from desktop_app.ui.shell import opening
class Timed(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(self.painted)
    def painted(self):
        print(time.time(), time.process_time(), flush=True)
        os._exit(0)
opening.Opening = Timed
main([])
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
from desktop_app.__main__ import main
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from PySide6.QtCore import QTimer
from desktop_app.ui.shell import opening
from tests.benchmarks.pulse import Pulse
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(self.painted)
    def painted(self):
        self.pulse = Pulse()
        QTimer.singleShot(3000, self.told)
    def told(self):
        print(*self.pulse.taken(), flush=True)
        self.window.close()
opening.Opening = Watched
main(["--backend", "scripted"])
"""


_MEMORY = """
import gc, os, sys
gc.disable()  # as app.main does before it imports what follows
from desktop_app.__main__ import main
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from desktop_app.ui.shell import opening
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(lambda: QTimer.singleShot(5000, self.ask))
    def tell(self):
        import psutil
        here = psutil.Process()
        print(sum(one.memory_info().rss for one in (here, *here.children(recursive=True))) / 1e6, flush=True)
    def ask(self):
        from PySide6.QtTest import QTest
        self.tell()
        QTest.keyClicks(QApplication.focusWidget(), "Go on")
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        QTimer.singleShot(1000, self.wait)
    def wait(self):
        streams = self.window.composer.streaming
        QTimer.singleShot(1000 if streams else 5000, self.wait if streams else self.told)
    def told(self):
        self.tell()
        os._exit(0)
opening.Opening = Watched
main(["--backend", "scripted", "--open", sys.argv[1]])
"""


def memory_figures(size: int, environ: Mapping[str, str]) -> Figures:
    """Memory of the app with a thread of that length open, and once an answer of 20,000 tokens came in it."""
    words = "Some words of a paragraph that goes on for a while, as answers do, and then it ends.\n\n"
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as script:
        script.writelines(json.dumps({"text": words}) + "\n" for _ in range(ANSWER_PARAGRAPHS))
        script.write(json.dumps({"end": "end_turn"}) + "\n")
        script.flush()
        opened, answered = run(_MEMORY, {**environ, "PLIMSOLL_SCRIPT": script.name}, long_id(size))
    return {"memory": {size: opened}, "memory answer": {size: answered}}


def run(program: str, environ: Mapping[str, str], *arguments: str) -> list[float]:
    """What a program prints, as numbers."""
    child = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if child.returncode:
        raise RuntimeError(child.stderr)
    return [float(word) for word in child.stdout.split()]


def start_figures(environ: Mapping[str, str]) -> Figures:
    """From process start to the painted window, and to a bare widget; the two take turns, one process each."""
    import time

    taken: dict[str, list[tuple[float, float]]] = {"floor": [], "start": []}
    for number in range(STARTS + 1):
        for name, program in (("floor", _FLOOR), ("start", START)):
            begun = time.time()
            ended, cpu = run(program, environ)
            if number > 0:  # the first writes the bytecode
                taken[name].append(((ended - begun) * 1000, cpu * 1000))
    figures: Figures = {}
    for name, times in taken.items():
        walls, cpus = zip(*times, strict=True)
        figures[f"{name} wall"] = {0: statistics.median(walls)}
        figures[f"{name} cpu"] = {0: statistics.median(cpus)}
    stalls = [run(_STALL, environ) for _ in range(STALLS)]
    figures["start stall wall"] = {0: statistics.median(wall for wall, _ in stalls)}
    figures["start stall"] = {0: statistics.median(cpu for _, cpu in stalls)}
    return figures


def figures_of(size: int, environ: Mapping[str, str]) -> Figures:
    """What depends on the length of the thread; each length in processes of its own, so that memory is its own."""
    return {**part_figures("transcript", size, environ), **part_figures("window", size, environ)}


def part_figures(part: str, size: int, environ: Mapping[str, str]) -> Figures:
    """What one part of `in_the_window` prints."""
    command = [sys.executable, "-m", "tests.benchmarks.in_the_window", part, str(size), environ["PLIMSOLL_HOME"]]
    child = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)
    if child.returncode:
        raise RuntimeError(child.stderr)
    return {key: {size: value} for key, value in json.loads(child.stdout.splitlines()[-1]).items()}


def measure(environ: Mapping[str, str]) -> Figures:
    """All figures on one platform."""
    figures = start_figures(environ)
    for size in SIZES:
        for key, values in figures_of(size, environ).items():
            figures.setdefault(key, {}).update(values)
    # after the others, since the thread is longer from then on; before the longest, which the window would open with
    figures.update(memory_figures(SIZES[-1], environ))
    for key, values in part_figures("window", LONGEST, environ).items():
        if key in GROWING:
            figures[key].update(values)
    figures["list letter"] = {0: part_figures("list", 0, environ)["list letter"][0]}
    return figures


def line(row: Row, values: Mapping[int, float]) -> str:
    """A row with its figures, its target and limit, and what to think of it."""
    cells = [f"{values[size]:.1f}" if size in values else "" for size in SIZES]
    if 0 in values:
        cells[-1] = f"{values[0]:.1f}"
    worst = max(values.values())
    verdict = "ok" if worst <= row.target else "within limit" if worst <= row.limit else "OVER"
    shown = "".join(f"{cell:>8}" for cell in cells)
    asked = f"{row.target:>8g}{row.limit:>7g}  {verdict}" if row.judged else ""
    return f"{row.name:<64}{shown}{asked}"


def growth(few: float, many: float) -> float:
    """The exponent with which a figure grows from `LAST_USED` to `LONGEST` messages: 1 in step with them, 0 not."""
    return math.log(max(many, 0.01) / max(few, 0.01)) / math.log(LONGEST / LAST_USED)


def report(title: str, figures: Figures, held: HardLimits) -> None:
    """Prints a table, and holds what is judged to its limit."""
    heads = "".join(f"{size:>8,}" for size in SIZES)
    print(f"\n{title + ', ms; by number of messages':<64}{heads}{'target':>8}{'limit':>7}")
    for row in ROWS:
        if row.key in figures:
            print(line(row, figures[row.key]), flush=True)
            if row.judged:
                held.hold(f"{row.name} ({title})", max(figures[row.key].values()), row.limit)
    for key, name in GROWING.items():
        if LONGEST in figures.get(key, {}):
            few, many = figures[key][LAST_USED], figures[key][LONGEST]
            print(f"  {name} at {LONGEST:,}: {many:.1f} ms, growth {growth(few, many):.2f} from {LAST_USED:,} on")


@contextmanager
def screen() -> Iterator[str | None]:
    """An X server of its own on a free display, until the block ends; None where there is no Xvfb."""
    if (program := shutil.which("Xvfb")) is None:
        yield None
        return
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        yield f":{number}" if number else None
    finally:
        server.terminate()
        server.wait()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="plimsoll-bench-") as folder:
        environ = {**os.environ, "HOME": folder, "PYTHONPYCACHEPREFIX": folder, "PLIMSOLL_HOME": f"{folder}/d"}
        for name in ("PYTHONDONTWRITEBYTECODE", "DISPLAY", "WAYLAND_DISPLAY"):
            environ.pop(name, None)
        made = [sys.executable, "-m", "tests.benchmarks.in_the_window", HISTORY, "0", environ["PLIMSOLL_HOME"]]
        subprocess.run(made, env=environ, check=True, timeout=120)
        held = HardLimits()
        report("without a screen", measure({**environ, "QT_QPA_PLATFORM": "offscreen"}), held)
        with screen() as display:
            if display is None:
                print("\nOn an X server: left out, as Xvfb is not installed (apt-get install xvfb).")
            else:
                report("on an X server", measure({**environ, "DISPLAY": display}), held)
        return held.status


if __name__ == "__main__":
    sys.exit(main())
