"""Keeps a worker process for one purpose: starts it, gives it one order at a time, ends it. Threads nothing waits for.

Each purpose has a process of its own, so that what brings one down leaves the others. `worker_loop` is the other end.

Python's own pools join their threads before the process may end, without a limit: a name server or a keyring that does
not answer would keep an app alive that nobody sees.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, Final, ParamSpec, TypeVar

from desktop_app.system.own_processes import BROKEN, FAILED, bare_environment

IDLE_S: Final = 30.0
"""Seconds that the process is kept for a next order."""


class WorkerFailedError(Exception):
    """The process gave no answer: it was ended for what it took, or something brought it down."""


class UnforeseenError(WorkerFailedError):
    """The process met a fault that nobody foresaw, and goes on; the words are its kind and place."""


class MissingModuleError(WorkerFailedError):
    """The process lacks a part of the program; `module` is its name."""

    def __init__(self, module: str, where: str) -> None:
        super().__init__(f"the module {module} is missing: {where}")
        self.module = module


class WorkerProcess:
    """At most one process, started on demand, ended when it has been idle, by `close`, and with the app."""

    def __init__(self, command: Sequence[str], *, time_limit_s: float, idle_s: float = IDLE_S) -> None:
        self._command, self._time_limit_s, self._idle_s = list(command), time_limit_s, idle_s
        self._child: WorkerChild | None = None
        self._turn = asyncio.Lock()
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """True where a process is there."""
        return self._child is not None and self._child.alive

    async def ask(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one order. Raises `WorkerFailedError` after the limit of time, or where the process died.

        Cancelling it ends the process: what it was at is of no use any more.
        """
        async with self._turn:
            self._stay()
            if self._closed:
                raise WorkerFailedError("closed")
            loop = asyncio.get_running_loop()
            child = self._child = self._child or WorkerChild(self._command)
            began = loop.time()
            too_late = loop.call_later(self._time_limit_s, child.kill)
            try:
                answer = await asyncio.to_thread(child.ask, order)
            except asyncio.CancelledError:
                self._child = None
                # a thread of its own: where all others were busy, the order was never given, and nobody clears up
                threading.Thread(target=child.end, daemon=True).start()
                raise
            finally:
                too_late.cancel()
            if answer is None:
                self._child = None
                late = loop.time() >= began + self._time_limit_s
                raise WorkerFailedError(f"it took longer than {self._time_limit_s:g} s" if late else child.ended)
            self._rest = loop.call_later(self._idle_s, self._end)
            where = str(answer.get("where", ""))
            if BROKEN in answer:
                raise MissingModuleError(str(answer[BROKEN]), where)
            if FAILED in answer:
                raise UnforeseenError(f"{answer[FAILED]}: {where}")
            return answer

    async def close(self) -> None:
        """Ends the process; who waits for it gets `WorkerFailedError`."""
        self._closed = True
        self._stay()
        child, self._child = self._child, None
        if child is not None:
            await asyncio.to_thread(child.end)

    def _stay(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _end(self) -> None:
        child, self._child, self._rest = self._child, None, None
        if child is not None:
            child.end()


class WorkerChild:
    """One process with its pipes, a line of JSON each way. `ask` runs in a thread; `kill` may come from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=bare_environment(),
            # not ended by a Ctrl+C that is meant for one answer
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._using = threading.Lock()

    @property
    def alive(self) -> bool:
        """True while it runs."""
        return self.popen.poll() is None

    @property
    def ended(self) -> str:
        """The way it ended, for the logs."""
        status = self.popen.poll()
        how = signal.Signals(-status).name if status is not None and -status in set(signal.Signals) else status
        return f"the process ended with status {how}"

    def ask(self, order: Mapping[str, Any]) -> dict[str, Any] | None:
        """The answer; None if the process ended without one, and then its pipes are closed."""
        stdin, stdout = self.popen.stdin, self.popen.stdout
        assert stdin is not None
        assert stdout is not None
        with self._using:
            try:
                stdin.write(json.dumps(order).encode() + b"\n")
                stdin.flush()
                answer = json.loads(stdout.readline())
            except (OSError, ValueError):
                answer = None
        if not isinstance(answer, dict):
            self.end()
            return None
        return answer

    def kill(self) -> None:
        """Ends the process; whoever waits for its answer gets none, and clears up."""
        self.popen.kill()

    def end(self) -> None:
        """Ends the process and closes its pipes, once nobody reads them any more."""
        self.popen.kill()
        with self._using:
            self.popen.wait()
            for pipe in (self.popen.stdin, self.popen.stdout):
                if pipe is not None:
                    with suppress(OSError):  # an order that could not be delivered is still in it
                        pipe.close()


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
