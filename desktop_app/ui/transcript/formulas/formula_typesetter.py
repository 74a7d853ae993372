"""Has formulas typeset by a process, one at a time, those that are waited for first, else the newest first."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # imported in the thread
    from desktop_app.worker_process import WorkerChild

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
        from desktop_app.ui.transcript.formulas.formula_worker import worker_command
        from desktop_app.worker_process import WorkerChild

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
