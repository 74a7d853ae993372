"""Owns how often growing text is shown: at once when it has been quiet, else once a frame. Knows no text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer

#: One frame at 60 Hz.
FRAME_MS = 16


class Coalescer(QObject):
    """Calls `flush` for any number of `touch()` calls: the first at once, those within a frame together at its end."""

    def __init__(self, flush: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._flush = flush
        self._waiting = False
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.now)

    def touch(self) -> None:
        """Something is to be shown."""
        self._waiting = True
        if self._timer.isActive():
            return
        elapsed = self._since.elapsed() if self._since.isValid() else FRAME_MS
        if elapsed >= FRAME_MS:
            self.now()
        else:
            self._timer.start(FRAME_MS - int(elapsed))

    def now(self) -> None:
        """Shows what is waiting, if anything is."""
        self._timer.stop()
        if self._waiting:
            self._waiting = False
            # from the beginning of one to that of the next: what showing takes does not make the frame longer
            self._since.start()
            self._flush()
