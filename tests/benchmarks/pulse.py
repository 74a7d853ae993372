"""Notes how late the GUI thread comes to its next task: the longest gap is the longest stall."""

from __future__ import annotations

import time


class Pulse:
    """A tick every 4 ms, from now on."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(4)
        self._timer.timeout.connect(self._tick)
        self._longest = self._busiest = 0.0
        self._last, self._last_cpu = time.perf_counter(), time.thread_time()
        self._timer.start()

    def _tick(self) -> None:
        now, spent = time.perf_counter(), time.thread_time()
        self._longest = max(self._longest, now - self._last - 0.004)
        self._busiest = max(self._busiest, spent - self._last_cpu)
        self._last, self._last_cpu = now, spent

    def taken(self) -> tuple[float, float]:
        """Milliseconds of the longest stall since the last call: on the wall clock, and of the GUI thread's own work.

        Other programs, and other threads of this one, count for the first alone.
        """
        taken = self._longest * 1000, self._busiest * 1000
        self._longest = self._busiest = 0.0
        return taken
