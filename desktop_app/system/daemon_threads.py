"""Threads that nothing waits for at the end: what hangs in one of them delays only who asked for it.

Python's own pools join their threads before the process may end, without a limit: a name server or a keyring that does
not answer would keep an app alive that nobody sees.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Final, ParamSpec, TypeVar

MOST_THREADS: Final = 32
END_S: Final = 2.0
"""Seconds that `shutdown` waits for work under way, such as a file that is being written."""

P = ParamSpec("P")
R = TypeVar("R")


class DaemonThreads(ThreadPoolExecutor):
    """An executor whose threads are daemons, each made when all others are busy. An event loop takes it as its own."""

    def __init__(self, most: int = MOST_THREADS, *, end_s: float = END_S) -> None:
        super().__init__(most)
        self._most = most
        self._end_s = end_s
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._made: list[threading.Thread] = []
        self._waiting = 0
        self._closed = False

    def submit(self, work: Callable[P, R], /, *args: P.args, **named: P.kwargs) -> Future[R]:
        """The answer of `work` to come; whatever it raises comes as its exception."""
        future: Future[R] = Future()

        def job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    result = work(*args, **named)
                except BaseException as error:  # noqa: BLE001  it goes on to whoever waits
                    future.set_exception(error)
                else:
                    future.set_result(result)

        with self._changed:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._jobs.append(job)
            if len(self._jobs) > self._waiting and len(self._made) < self._most:
                thread = threading.Thread(target=self._serve, name=f"beside {len(self._made)}", daemon=True)
                self._made.append(thread)
                thread.start()
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more work; what is under way is waited for until `end_s` have passed, then left alone."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        until = monotonic() + self._end_s
        for thread in self._made if wait else ():
            thread.join(max(0.0, until - monotonic()))

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._waiting += 1
                while not self._jobs and not self._closed:
                    self._changed.wait()
                self._waiting -= 1
                if not self._jobs:
                    return
                job = self._jobs.popleft()
            job()
            del job  # what it holds may go while this thread waits
