"""Which timers of the event loop expired: what was waited for by the clock, told without reading one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any


class ExpiredTimers:
    """`with ExpiredTimers() as waits:` while a loop runs; `waits.seconds` then are the waits that came to their end.

    What ends sooner because the thing itself came, as a timeout that is left in time, is none.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __enter__(self) -> ExpiredTimers:
        loop = self._loop = asyncio.get_running_loop()
        by_moment = type(loop).call_later is asyncio.BaseEventLoop.call_later
        # the one that the other is made of: asyncio's and qasync's loops do not agree on it
        self._timer = "call_at" if by_moment else "call_later"
        made = getattr(loop, self._timer)

        def timer(when: float, callback: Callable[..., object], *args: Any, **options: Any) -> Any:
            wait_s = when - loop.time() if by_moment else when

            def expired() -> None:
                if wait_s > 0:
                    self.seconds.append(wait_s)
                callback(*args)

            return made(when, expired, **options)

        setattr(loop, self._timer, timer)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        delattr(self._loop, self._timer)
