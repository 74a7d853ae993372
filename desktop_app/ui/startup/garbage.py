"""The rule that Python's cyclic garbage is collected on the GUI thread only.

Python collects on whichever thread happens to allocate: a Qt object that is part of a cycle would then be destroyed on
the database's thread, which Qt answers with a crash. Collecting here also keeps the long collections for quiet moments.
"""

from __future__ import annotations

import gc
import sys
import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

LOOK_MS = 100
YOUNG = 2_000
"""New objects after which the young ones are looked through, 1 to 5 ms of work, once nothing is drawn: a look that
comes between the frames of a scroll bar that is dragged would make one of them late."""
MANY = 50_000
"""New objects after which that waits no longer: about 9 ms of work."""
LOADED = 10_000
"""More new objects than this at a look are a long thread that was opened: to look through them would take 10 ms and
more."""
DUE = 100_000
"""New objects after which all that were not set aside are looked through."""
QUIET_LOOKS = 30
QUIET_S = 0.005
"""That takes 50 ms. It waits until the GUI thread has had next to nothing to do (less than
this between two looks) for so many looks: while somebody types, scrolls or reads a growing answer it never comes."""


class GarbageCollection(QObject):
    """Takes the collection over from Python until it is destroyed or `stop` is called.

    After `QUIET_LOOKS` quiet looks it rests: it wakes nobody then, and looks only when something else wakes the thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._dispatcher = QAbstractEventDispatcher.instance()
        self._resting = False
        self._was_on = False
        self._loaded = 0
        self._new = 0
        self._young = 0  # at the last look
        self._quiet = 0
        self._spent = 0.0

    def start(self) -> None:
        """From now on only this timer collects."""
        self._was_on = gc.isenabled()
        gc.disable()
        gc.freeze()
        self._timer.start()

    def spare(self) -> None:
        """Keep all objects loaded so far out of the collection: a start leaves 100,000 objects."""
        gc.freeze()

    def stop(self) -> None:
        """Leaves the collection as it was before."""
        self._timer.stop()
        self._set_resting(False)
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def _look(self) -> None:
        quiet = self._is_quiet()
        new, before = gc.get_count()[0], self._young
        if self._came_modules() or new - before > LOADED:
            # What a module defines, and what was read of a thread, stays: a first look at it would stall the window.
            # An SDK alone takes 50 ms. What is in no cycle ends without a collection in any case.
            gc.freeze()
        elif self._new >= DUE and quiet:
            self._new = 0
            gc.collect(2)
        elif new >= YOUNG and (self._quiet or new >= MANY):
            self._new += new
            gc.collect(0)
        elif self._quiet >= QUIET_LOOKS:
            self._timer.stop()
            self._set_resting(True)
        self._young = gc.get_count()[0]

    def _woken(self) -> None:
        """Something else has woken the thread."""
        if gc.get_count()[0] >= YOUNG:
            self._set_resting(False)
            self._quiet = 0
            self._timer.start()

    def _set_resting(self, resting: bool) -> None:
        if resting == self._resting or self._dispatcher is None:
            return
        self._resting = resting
        if resting:
            self._dispatcher.awake.connect(self._woken)
        else:
            self._dispatcher.awake.disconnect(self._woken)

    def _is_quiet(self) -> bool:
        """Return True if the GUI thread has had nothing to do for a while."""
        before, self._spent = self._spent, time.thread_time()
        self._quiet = self._quiet + 1 if self._spent - before < QUIET_S else 0
        return self._quiet >= QUIET_LOOKS

    def _came_modules(self) -> bool:
        """Return True if anything was imported since the last look."""
        before, self._loaded = self._loaded, len(sys.modules)
        return self._loaded != before
