"""Owns that Python's cyclic garbage is collected on the GUI thread only. Knows nothing of what is in it.

Python collects on whichever thread happens to allocate: a Qt object that is part of a cycle would then be destroyed on
the database's thread, which Qt answers with a crash. Collecting here also keeps the long collections for quiet moments.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 100
YOUNG = 2_000
"""New objects after which the young ones are looked through: 1 to 2 ms of work."""
YOUNG_ROUNDS = 20
"""So many young rounds make a middle one, and so many middle ones (Python's own figure is 10) a full one."""


class GarbageCollection(QObject):
    """Takes the collection over from Python until it is destroyed or `stop` is called."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._rounds = 0
        self._loaded = 0

    def start(self) -> None:
        """From now on only this timer collects."""
        gc.disable()
        gc.freeze()
        self._timer.start()

    def spare(self) -> None:
        """What has been loaded so far stays and is not looked through: a start leaves 100,000 objects."""
        gc.freeze()

    def stop(self) -> None:
        """Gives the collection back to Python."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _look(self) -> None:
        if self._came_modules():
            # What a module defines stays: an SDK brings objects whose first look alone would take 50 ms.
            gc.freeze()
            return
        if gc.get_count()[0] < YOUNG:
            return
        self._rounds += 1
        full = self._rounds % (YOUNG_ROUNDS * YOUNG_ROUNDS) == 0
        gc.collect(2 if full else 1 if self._rounds % YOUNG_ROUNDS == 0 else 0)

    def _came_modules(self) -> bool:
        """Whether anything was imported since the last look."""
        before, self._loaded = self._loaded, len(sys.modules)
        return self._loaded != before
