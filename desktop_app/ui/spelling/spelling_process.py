"""The life of the process that looks words up: start, orders, answers, end. Uses no field."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from desktop_app.child_processes import bare_environment

LONGEST_MS: Final = 20_000
"""An order that takes longer brought the process to a stand: it is ended. Opening two dictionaries takes 0.3 s."""
LONGEST_END_MS: Final = 5_000
"""A process that was killed is gone at once, but on a busy computer that is told late."""
MOST_STARTS: Final = 4
"""A process that ends by itself so often has something that Plimsoll can't mend."""
_OF_DICTIONARIES: Final = (
    "DICPATH",
    *("XDG_DATA_HOME", "XDG_DATA_DIRS", "LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"),
)
"""The environment variables that name places where dictionaries may be."""

Answered = Callable[[Mapping[str, Any] | None], None]


class SpellingProcess(QObject):
    """At most one process. Orders are answered in turn; an order marked `first` goes before those that still wait."""

    started_anew = Signal()  # the process before ended by itself: what it knew has to be told again
    gave_up = Signal()

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._process: QProcess | None = None
        self._waiting: deque[tuple[dict[str, Any], Answered]] = deque()
        self._asked: Answered | None = None
        self._starts = 0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LONGEST_MS)
        self._late.timeout.connect(self._kill)

    @property
    def pid(self) -> int:
        """The process's id; 0 where there is none."""
        return self._process.processId() if self._process is not None else 0

    def ask(self, order: dict[str, Any], answered: Answered, *, first: bool = False) -> None:
        """Carries out an order; `answered` gets None where the process ended before it could tell."""
        if first:
            self._waiting.appendleft((order, answered))
        else:
            self._waiting.append((order, answered))
        self._go_on()

    def close(self) -> None:
        """Ends the process for good: what is asked from now on starts none. Returns when none is left."""
        self.end()
        self._starts = MOST_STARTS
        for child in self.findChildren(QProcess):
            child.waitForFinished(LONGEST_END_MS)

    def end(self) -> None:
        """Ends the process; what was asked before is not answered any more."""
        self._waiting.clear()
        self._asked = None
        self._starts = 0
        self._late.stop()
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._over)
            process.errorOccurred.disconnect(self._failed)
            process.finished.connect(process.deleteLater)
            process.kill()  # it has nothing that could be lost

    def _go_on(self) -> None:
        if self._asked is not None or not self._waiting:
            return
        if self._process is None and not self._start():
            waiting, self._waiting = self._waiting, deque()
            for _, answered in waiting:
                answered(None)
            return
        order, self._asked = self._waiting.popleft()
        assert self._process is not None
        self._process.write(json.dumps(order).encode() + b"\n")
        self._late.start()

    def _start(self) -> bool:
        if self._starts >= MOST_STARTS:
            return False
        self._starts += 1
        process = self._process = QProcess(self)
        process.setProcessEnvironment(_environment())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._over)
        process.errorOccurred.connect(self._failed)
        process.start(self._command[0], self._command[1:])
        return True

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            answer = json.loads(bytes(self._process.readLine().data()))
            asked, self._asked = self._asked, None
            self._late.stop()
            if asked is not None:
                asked(answer)
            self._go_on()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._over()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _over(self) -> None:
        """It ended by itself: whoever waits for an answer gets none, and the next order starts another one."""
        process, self._process = self._process, None
        asked, self._asked = self._asked, None
        self._late.stop()
        if process is None:
            return
        process.deleteLater()
        if asked is not None:
            asked(None)
        if self._starts >= MOST_STARTS:
            self.gave_up.emit()
        else:
            self.started_anew.emit()
        self._go_on()


def _environment() -> QProcessEnvironment:
    environment = QProcessEnvironment()
    for name, value in bare_environment(*_OF_DICTIONARIES).items():
        environment.insert(name, value)
    return environment
