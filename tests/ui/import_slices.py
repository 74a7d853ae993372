"""Works out in which pieces the rest of the window is imported: `python -m tests.ui.import_slices`.

Prints the names for `SLICES` in `desktop_app/ui/startup/background_imports.py`, and how long each takes; needed when
modules came or went. After a change the second run counts: the first compiles what changed.
"""

from __future__ import annotations

import gc
import importlib
import importlib.machinery
import os
import sys
import time
from collections.abc import Iterable
from types import ModuleType

PIECE_MS = 2.0
"""A module becomes a piece of its own when it would make the piece that it is part of longer than this."""
LEAST_MS = 0.2
FIRST = ("qasync", "PySide6.QtNetwork")


class Watch:
    """Times every import of a source file, and knows which module brought which."""

    def __init__(self) -> None:
        self.pieces: list[tuple[str, float]] = []
        self._open: list[float] = []  # per module being imported: what modules beneath it took that are no pieces
        self._within: list[float] = []  # all that modules beneath it took

    def watch(self) -> None:
        """From now on."""
        execute = importlib.machinery.SourceFileLoader.exec_module

        def timed(loader: importlib.machinery.SourceFileLoader, module: ModuleType) -> None:
            self._open.append(0.0)
            self._within.append(0.0)
            begun = time.thread_time()
            try:
                execute(loader, module)
            finally:
                taken = (time.thread_time() - begun) * 1000
                own = taken - self._within.pop() + self._open.pop()
                beside = self._open[-1] if self._open else 0.0
                is_piece = own + beside >= PIECE_MS and own > LEAST_MS and module.__name__.startswith("desktop_app.")
                if is_piece:
                    self.pieces.append((module.__name__, own))
                if self._open:
                    self._within[-1] += taken
                    self._open[-1] += 0.0 if is_piece else own

        importlib.machinery.SourceFileLoader.exec_module = timed  # type: ignore[method-assign, assignment]


def pieces(ends: Iterable[str]) -> list[tuple[str, float]]:
    """The pieces in which these modules are imported in this process, in order, with milliseconds of processor time."""
    watch = Watch()
    watch.watch()
    for name in ends:
        importlib.import_module(name)
        if not watch.pieces or watch.pieces[-1][0] != name:
            watch.pieces.append((name, 0.0))  # however little: it is what all the others are for
    return watch.pieces


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    gc.disable()  # as the app does at a start: a collection of all that was loaded would be the longest piece
    from desktop_app.ui.startup.pyside import import_pyside

    import_pyside()
    from desktop_app.ui.startup import background_imports as imports

    importlib.import_module("desktop_app.ui.shell.opening")
    for name in (*imports.BESIDE, *FIRST):
        importlib.import_module(name)
    for name, taken in pieces(("desktop_app.ui.shell.session",)):
        print(f'    "{name}",  # {taken:.1f} ms', file=sys.stdout)


if __name__ == "__main__":
    main()
