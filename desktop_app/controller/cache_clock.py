"""Owns the judgement whether the provider's cache still holds a thread, from the times of its messages.

Must not know the cache marks or prices: those are the plan's.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice, pairwise

from desktop_app.controller.clock import parse_stamp
from desktop_app.core.context.plan import CacheClock, CacheLifetime
from desktop_app.core.messages import Message

SHORT, LONG = timedelta(minutes=5), timedelta(hours=1)
LIFETIMES: dict[CacheLifetime, timedelta] = {"5m": SHORT, "1h": LONG}

LONG_GAPS_SHARE = 0.04
"""Share of gaps over five minutes from which the dearer 1-hour marks pay (3-5 %, measured on the cost model)."""

GAPS_LOOKED_AT = 50
"""Only the newest gaps count: habits change, and a long thread must not cost more to judge."""


class TurnTimes:
    """The times of a path's requests, read once; then asking for the cache's state costs nothing per keystroke."""

    def __init__(self, path: Sequence[Message]) -> None:
        answers = (message for message in reversed(path) if message.role == "assistant" and message.backend is not None)
        newest = list(islice(answers, GAPS_LOOKED_AT + 1))[::-1]
        self._last: Message | None = newest[-1] if newest else None
        times = [time for message in newest if (time := parse_stamp(message.created)) is not None]
        self._last_time = times[-1] if times else None
        self._lifetime = _lifetime([later - earlier for earlier, later in pairwise(times)])

    def cache_clock(self, now: datetime, *, backend: str) -> CacheClock:
        """What is known of the cache at `now` for the next request through `backend`."""
        if self._last is None or self._last_time is None:
            return CacheClock(cold=True, lifetime=self._lifetime)
        # A clock that was set back makes no negative idleness.
        idle = max(timedelta(), now - self._last_time)
        cold = self._last.backend != backend or idle > LIFETIMES[self._lifetime]
        return CacheClock(cold=cold, lifetime=self._lifetime, idle_minutes=idle / timedelta(minutes=1))


def _lifetime(gaps: Sequence[timedelta]) -> CacheLifetime:
    long = sum(1 for gap in gaps if gap > SHORT)
    return "1h" if gaps and long / len(gaps) >= LONG_GAPS_SHARE else "5m"
