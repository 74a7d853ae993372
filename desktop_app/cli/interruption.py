"""Stops a command from outside: SIGINT, SIGTERM, a reader that went away."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Coroutine
from typing import Any

INTERRUPTED = 130
TERMINATED = 143
STATUS = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class Interruption:
    """The wish to stop, with the exit status that goes with it. The first wish counts; a second one is impatience."""

    def __init__(self) -> None:
        self.status: int | None = None
        self._wished = asyncio.Event()
        self._working: asyncio.Task[int] | None = None

    @property
    def wished(self) -> bool:
        return self._wished.is_set()

    async def until_wished(self) -> None:
        """Returns once somebody wished to stop."""
        await self._wished.wait()

    def wish(self, status: int) -> None:
        """Asks for the stop; asking again ends the work without waiting for its good end."""
        if self.wished and self._working is not None:
            self._working.cancel()
        if self.status is None:
            self.status = status
        self._wished.set()

    async def run(self, work: Coroutine[Any, Any, int]) -> int:
        """Runs a command that takes heed of `wished` itself; its status, or the wish's where it was cut."""
        self._working = asyncio.create_task(work)
        try:
            return await self._working
        except asyncio.CancelledError:
            if self.status is None:
                raise
            return self.status
        finally:
            self._working = None

    async def cut(self, work: Coroutine[Any, Any, int]) -> int:
        """Runs a command that can be ended anywhere; the wish cancels it."""
        task = asyncio.ensure_future(work)
        waiting = asyncio.ensure_future(self.until_wished())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
        if task.cancelled() and self.status is not None:
            return self.status
        return task.result()


@contextlib.asynccontextmanager
async def signals() -> AsyncIterator[Interruption]:
    """An interruption that SIGINT and SIGTERM wish for as long as the block runs."""
    interruption = Interruption()
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}
    for number, status in STATUS.items():
        try:
            loop.add_signal_handler(number, interruption.wish, status)
        except NotImplementedError:
            # Windows' loops have no such thing; there the handler runs between two bytecodes and wakes the loop.
            before[number] = signal.signal(
                number, lambda *_, status=status: loop.call_soon_threadsafe(interruption.wish, status)
            )
    try:
        yield interruption
    finally:
        for number in STATUS:
            if number in before:
                signal.signal(number, before[number])
            else:
                loop.remove_signal_handler(number)
