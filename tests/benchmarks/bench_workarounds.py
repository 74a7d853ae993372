"""What the window's start gains by each way around PySide and Python: `./dev bench workarounds`.

Every start is a process of its own, with the way around and without it in turns; CPU of the process until the window
is painted, median, without a screen. Then one look for cyclic garbage in a window with the longest
thread: with what was loaded set aside, and without; and the colors of code that streams in, which our own loop goes on
with where it stood.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Final

from desktop_app.core.code_lexing import LineLexer, find_lexer
from tests.benchmarks.bench_transcript import SIZES
from tests.benchmarks.bench_window import START, run
from tests.benchmarks.in_the_window import long_id

STARTS: Final = 15

PLAIN_IMPORT: Final = """
import importlib
from desktop_app.ui.startup import pyside
def plain():
    importlib.import_module("PySide6.QtCore")
    pyside._spare_source_reading()
pyside.import_pyside = plain
"""
SOURCES_READ: Final = """
from desktop_app.ui.startup import pyside
pyside._spare_source_reading = lambda: None
"""
NOTHING_AROUND: Final = """
import importlib
from desktop_app.ui.startup import pyside
pyside.import_pyside = lambda: importlib.import_module("PySide6.QtCore")
"""
WITHOUT: Final = {
    "as it is": "",
    "every module inside PySide is run": PLAIN_IMPORT,
    "PySide reads the source of every module": SOURCES_READ,
    "both": NOTHING_AROUND,
}

GARBAGE: Final = """
import gc, os, sys, time
gc.disable()  # as app.main does before it imports what follows
from desktop_app.__main__ import main
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from PySide6.QtCore import QTimer
from desktop_app.ui.shell import opening
def look():
    begun = time.thread_time()
    gc.collect()
    return time.thread_time() - begun
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.window.first_painted.connect(lambda: QTimer.singleShot(5000, self.told))
    def told(self):
        look()
        aside, spared = gc.get_freeze_count(), look()
        gc.unfreeze()
        look()
        print(aside, spared, look(), flush=True)
        os._exit(0)
opening.Opening = Watched
main(["--backend", "scripted", "--open", sys.argv[1]])
"""
LOOKS: Final = 5
PIECE: Final = "    def count(self, name: str) -> int:\n        return len(self.names[name]) + 1  # one more\n"
PIECES: Final = 200


def growing_code(*, incremental: bool) -> float:
    """Milliseconds to lex code that streams in, from the last whole line on or each time from its beginning."""
    lexer = find_lexer("python")
    assert lexer is not None
    lines = LineLexer(lexer)
    if not incremental:
        lines._incremental = False
    begun = time.process_time()
    for count in range(PIECES):
        for _ in lines.run(PIECE * count):
            pass
    return (time.process_time() - begun) * 1000


def start_cpu(environ: Mapping[str, str], starts: int) -> dict[str, float]:
    """Milliseconds of the processor from process start to the painted window, by what is left away."""
    taken: dict[str, list[float]] = {name: [] for name in WITHOUT}
    for number in range(starts + 1):
        for name, before in WITHOUT.items():
            _, cpu = run(before + START, environ)
            if number > 0:  # the first writes the bytecode
                taken[name].append(cpu * 1000)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench workarounds")
    parser.add_argument("--starts", type=int, default=STARTS)
    starts: int = parser.parse_args().starts
    with tempfile.TemporaryDirectory(prefix="plimsoll-bench-") as folder:
        environ = {**os.environ, "HOME": folder, "PYTHONPYCACHEPREFIX": folder, "PLIMSOLL_HOME": f"{folder}/d"}
        environ |= {"QT_QPA_PLATFORM": "offscreen"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        made = [sys.executable, "-m", "tests.benchmarks.in_the_window", "history", "0", environ["PLIMSOLL_HOME"]]
        subprocess.run(made, env=environ, check=True, timeout=240)
        times = start_cpu(environ, starts)
        looks = [run(GARBAGE, environ, long_id(SIZES[-1])) for _ in range(LOOKS)]
    whole = times["as it is"]
    print(f"CPU from process start to the painted window, median of {starts} starts each")
    for name, cpu in times.items():
        print(f"{name:<42}{cpu:>8.1f} ms{100 * (cpu - whole) / cpu:>8.1f} % saved")
    aside, spared, whole = (statistics.median(one) for one in zip(*looks, strict=True))
    print(f"A full look for cyclic garbage, CPU of the GUI thread; {aside:,.0f} objects are set aside")
    print(f"{'as it is':<42}{spared * 1000:>8.1f} ms")
    print(f"{'nothing is set aside':<42}{whole * 1000:>8.1f} ms")
    print(f"Colors of {PIECES} pieces of code as they come, CPU")
    print(f"{'as it is':<42}{growing_code(incremental=True):>8.1f} ms")
    print(f"{'with the loop of Pygments':<42}{growing_code(incremental=False):>8.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
