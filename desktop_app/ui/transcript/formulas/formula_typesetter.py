"""Has formulas typeset by a process, those that are waited for first, else the newest: both ends of it.

Never imports Qt. It runs apart because the library works in Python alone, 5-40 ms for a formula, which would hold up
the window, and because formulas are untrusted: it holds itself to limits of time and memory, and may write no file."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final

from desktop_app.system.own_processes import TYPESET_FORMULAS, own_command
from desktop_app.system.worker_loop import serve
from desktop_app.system.worker_process import WorkerChild
from desktop_app.ui.transcript.formulas import EM, NotTypesetError
from desktop_app.ui.transcript.formulas import formula_outline as outline

IDLE_S: Final = 120.0
"""Seconds that thread and process are kept for a next formula."""
LONGEST_S: Final = 5.0
"""After so many seconds without an answer the process is ended; it ends its work by itself long before."""
MOST_FAILURES: Final = 4
"""A process that ends so often without an answer is not started again."""

#: The formula without its delimiters, and whether it stands in a line of its own.
Key = tuple[str, bool]
Answer = Mapping[str, Any]


class FormulaTypesetter:
    """At most one thread with one process. `answered(key, answer)` is called in that thread; None: it has no answer.

    All methods return at once and may be called from any thread.
    """

    def __init__(
        self,
        answered: Callable[[Key, Answer | None], None],
        *,
        command: Sequence[str] = (),
        idle_s: float = IDLE_S,
    ) -> None:
        self._answered, self._command, self._idle_s = answered, list(command), idle_s
        self._orders: list[Key | None] = []  # None: to get ready
        self._hurried: deque[Key] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._child: WorkerChild | None = None
        self.failures = 0
        self._closed = False
        #: when the process answered last, on the clock that only goes on; None: there is none that has
        self.heard: float | None = None

    def ask(self, key: Key) -> None:
        """Has a formula typeset soon."""
        self._put(key)

    def hurry(self, key: Key) -> None:
        """A formula that was asked for is waited for: it comes behind those that are waited for longer."""
        with self._changed:
            if key in self._orders:
                self._orders.remove(key)
                self._hurried.append(key)

    def get_ready(self) -> None:
        """Starts the process, where there is none, for a formula that is coming."""
        if self._thread is None:
            self._put(None)

    def close(self, *_: object) -> None:
        """Ends thread and process; nothing is answered any more."""
        with self._changed:
            self._closed = True
            child = self._child
            self._changed.notify()
        if child is not None:
            child.kill()

    def _put(self, order: Key | None) -> None:
        with self._changed:
            if self._closed:
                return
            self._orders.append(order)
            if self._thread is None:
                # a daemon, so that it never holds up the exit
                self._thread = threading.Thread(target=self._work, name="formulas", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _next(self) -> tuple[bool, Key | None]:
        """Return whether there is an order, and the order; none after a rest, which ends the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._hurried or self._orders or self._closed, self._idle_s)
            if self._closed or not (self._hurried or self._orders):
                self._thread = self.heard = None
                return False, None
            return True, self._hurried.popleft() if self._hurried else self._orders.pop()

    def _work(self) -> None:
        while True:
            going, order = self._next()
            if not going:
                break
            answer = self._carry_out(order)
            if order is not None and not self._closed:
                self._answered(order, answer)
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _carry_out(self, order: Key | None) -> Answer | None:
        if self.failures >= MOST_FAILURES:
            return None

        try:
            child = self._child = self._child or WorkerChild(self._command or worker_command())
        except OSError:
            self.failures += 1
            return None
        too_late = threading.Timer(LONGEST_S, child.kill)
        too_late.daemon = True
        too_late.start()
        try:
            answer = child.ask({} if order is None else {"tex": order[0], "display": order[1]})
        finally:
            too_late.cancel()
        self.heard = None if answer is None else time.monotonic()
        if answer is None:
            self._child = None
            self.failures += 1
        return answer


CPU_LIMIT_S: Final = 0.4
"""Seconds of processor time that one formula may take; a matrix of 10 x 10 takes 0.1 s."""
MEMORY_LIMIT: Final = 512 * 2**20
"""Address space in bytes; at work it has 60 MB of it."""


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(TYPESET_FORMULAS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(answer_to, memory=MEMORY_LIMIT, nice=5)  # the window comes first


def answer_to(order: dict[str, Any]) -> dict[str, Any]:
    """The outlines of the formula in `tex`, or `failed`: what was in the way. Without `tex` it only gets ready."""
    from desktop_app.ui.transcript.formulas import ziamath_adapter as library

    if "tex" not in order:
        library.drawn("x", size=EM, display=True)
        return {"failed": "nothing asked"}
    try:
        with _limited_time(CPU_LIMIT_S):
            return asdict(outline.outline(order["tex"], display=order["display"]))
    except (NotTypesetError, MemoryError, RecursionError) as error:
        return {"failed": str(error) or type(error).__name__}
    except _TooLongError:
        return {"failed": "time"}


class _TooLongError(BaseException):
    """The formula has used up its time; no library takes it for an error of its own."""


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    """Raises `_TooLongError` after so much time of the processor, where the system can tell."""
    if sys.platform == "win32":
        yield
    else:
        import signal

        def stop(*_: object) -> None:
            raise _TooLongError

        signal.signal(signal.SIGPROF, stop)
        # again and again: where it is raised first it may get lost, as in a finaliser
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 8)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
