"""Runs all SQL on one thread, for an event loop.

SQLModel is imported on that thread: it takes 0.2-0.3 s, which the caller's thread must not wait for.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from desktop_app.core.errors import HistoryDamagedError, HistoryUnwritableError, PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.storage.repair_marks import ask_for_look
from desktop_app.storage.sqlite_errors import is_damaged_text, store_error

if TYPE_CHECKING:
    from desktop_app.storage.store import Store

log = logging.getLogger(__name__)

QUIET_S = 2.0
"""After the file is opened nothing that can wait is done for this long: that is when the window appears."""

REST_S = 0.7
"""Nor after whatever was asked for: a growing answer is written twice a second, and what is done beside it holds up the
window each time that Python changes threads."""

BREATH_S = 0.05
"""Pause between two slices of what can wait, so that it never takes more than half of a processor."""

R = TypeVar("R")
_Job = Callable[["Store"], None]


class Database:
    """Runs functions on the store, one after another in the order they were asked for.

    In quiet moments the text index catches up, a slice at a time.
    """

    def __init__(
        self, path: Path | None, quiet_s: float | None = QUIET_S, *, reading: bool = False, must_exist: bool = False
    ) -> None:
        self.path: Final = path
        self._reading = reading
        self._must_exist = must_exist
        self._store: Store | None = None
        self._openings = 0
        self._problem: Failure | None = None
        self._told = True
        self._quiet_until = None if quiet_s is None else monotonic() + quiet_s
        self._rest_s = min(REST_S, quiet_s or 0.0)
        self._jobs: SimpleQueue[_Job | asyncio.Future[None]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    @classmethod
    async def open(
        cls, path: Path | None, quiet_s: float | None = QUIET_S, *, reading: bool = False, must_exist: bool = False
    ) -> Database:
        """Starts the thread and opens the file there; `UserError("store")` if that fails, with no thread left.

        `path` None: a new history in memory. `quiet_s` None: what can wait is never done. `reading`: a file that can't
        be written is opened all the same. `must_exist`: none is made where it is missing.
        """
        database = cls(path, quiet_s, reading=reading, must_exist=must_exist)
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        database._thread = threading.Thread(target=database._serve, args=(opened,), name="database")
        database._thread.start()
        try:
            await asyncio.shield(opened)
        except BaseException:
            await database.close()
            raise
        return database

    async def run(self, work: Callable[[Store], R]) -> R:
        """Return the result of `work`. It is done to its end even if the caller is cancelled while it waits.

        Errors of the file or the disk come as `UserError("store")`; all others as they are.
        """
        if self._thread is None:
            raise RuntimeError("the database is closed")
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()

        def job(store: Store) -> None:
            try:
                result = self._done(work, store)
            except Exception as error:  # noqa: BLE001  it goes on to whoever waits
                if isinstance(explained := self._explained(error), HistoryUnwritableError):
                    self._problem, self._told = explained.failure, False
                _deliver(answer, error=explained)
            else:
                _deliver(answer, result=result)

        self._jobs.put(job)
        return await answer

    async def data_version(self) -> int:
        """Return a number that changes when another process has written. A file that was opened for reading is opened
        again where that helps.

        Raises `UserError("store")` where another file stands in the place of the one that was opened.
        """
        return await self.run(self._version)

    async def write_problem(self) -> Failure | None:
        """Why the file can't be written; None: it can.

        Where a write failed since it was asked for last that is the answer, else it is found out by writing.
        """
        return await self.run(self._tried)

    async def close(self) -> None:
        """Waits for what was asked for, closes the file and ends the thread. Closing twice does nothing."""
        thread, self._thread = self._thread, None
        if thread is not None:
            closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._jobs.put(closed)
            await asyncio.shield(closed)
            thread.join()

    def _serve(self, opened: asyncio.Future[None]) -> None:
        try:
            from desktop_app.storage.store import Store

            self._store = Store(self.path, reading=self._reading, must_exist=self._must_exist)
        except Exception as error:  # noqa: BLE001  it goes on to whoever waits
            _deliver(opened, error=self._explained(error))
        else:
            _deliver(opened, result=None)
        while not isinstance(job := self._next_job(self._store), asyncio.Future):
            if self._store is not None:
                job(self._store)
                if self._quiet_until is not None:
                    self._quiet_until = max(self._quiet_until, monotonic() + self._rest_s)
        if self._store is not None:
            self._store.close()
        _deliver(job, result=None)

    def _done(self, work: Callable[[Store], R], store: Store) -> R:
        """Return the result of `work`; where a text holds bytes that are none, it is done again with signs for them."""
        try:
            return work(store)
        except Exception as error:
            if not is_damaged_text(error) or store.shows_damaged_text:
                raise
            log.warning("a text of the history holds bytes that are none")
            store.show_damaged_text()
        return work(store)

    def _version(self, store: Store) -> int:
        fresh = store.opened_anew(self.path) if self.path is not None else None
        if fresh is not None:
            self._store, self._openings = fresh, self._openings + 1
            store.close()
            store = fresh
        return (self._openings << 32) + store.data_version()

    def _tried(self, store: Store) -> Failure | None:
        if self._problem is None and not store.read_only:
            return None
        if self._problem is not None and not self._told:
            self._told = True
            return self._problem
        try:
            store.try_writing()
        except HistoryUnwritableError as error:
            self._problem = error.failure
        except Exception as error:
            if not isinstance(explained := self._explained(error), HistoryUnwritableError):
                raise
            self._problem = explained.failure
        else:
            self._problem = None
        return self._problem

    def _next_job(self, store: Store | None) -> _Job | asyncio.Future[None]:
        """Waits for it; the index catches up meanwhile. What fails there is left until the file is opened again."""
        more = True
        while more and store is not None and self._quiet_until is not None:
            try:
                return self._jobs.get(timeout=max(BREATH_S, self._quiet_until - monotonic()))
            except Empty:
                pass
            try:
                more = store.indexing.step() or store.imports.clean()
            except Exception as error:
                log.warning("the text index could not catch up: %s", type(error).__name__, exc_info=error)
                more = False
        return self._jobs.get()

    def _explained(self, error: Exception) -> Exception:
        explained = None if isinstance(error, PlimsollError) else store_error(error, self.path or Path(":memory:"))
        if explained is None:
            return error
        if isinstance(explained, HistoryDamagedError) and self.path is not None:
            ask_for_look(self.path)
        explained.__cause__ = error
        return explained


def _deliver(
    future: asyncio.Future[R],
    *,
    result: R | None = None,
    error: Exception | None = None,
) -> None:
    """Hands over from the database thread; an error nobody waits for any more is logged, never lost."""

    def settle() -> None:
        if not future.done():
            if error is None:
                future.set_result(result)  # type: ignore[arg-type]
            else:
                future.set_exception(error)
        elif error is not None:
            log.error("a write nobody waited for failed: %s", type(error).__name__, exc_info=error)

    try:
        future.get_loop().call_soon_threadsafe(settle)
    except RuntimeError:  # the loop is closed
        if error is not None:
            log.exception("a write nobody waited for failed", exc_info=error)
