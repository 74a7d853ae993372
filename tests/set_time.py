"""What time it is in the tests: always the same day, so that none fails at an hour at which it was not written."""

from __future__ import annotations

import os
import tempfile
import time
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from desktop_app.system import system_clock

NOW: Final = datetime(2026, 3, 18, 12, tzinfo=UTC)
"""A Wednesday in the middle of a month, so that all groups of the thread list are there; past noon where the tests are,
so that some hours ago is today.
"""
ZONE: Final = "TEST-1"
"""As `TZ`: an hour ahead of UTC, all year. What takes one for the other is found."""


def set_time(*, stands: bool = False) -> None:
    """For Plimsoll it is `NOW` in this process. Time goes on from there, so that what is later has a later time, or
    stands, so that two pictures are the same.
    """
    begun = time.monotonic()

    class SetTime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> SetTime:
            gone = timedelta() if stands else timedelta(seconds=time.monotonic() - begun)
            return cls.fromtimestamp((NOW + gone).timestamp(), tz)

    ahead = _ahead_of_files()
    system_clock.datetime = SetTime  # type: ignore[attr-defined]
    system_clock.time = lambda: time.time() - ahead  # type: ignore[attr-defined]


def _ahead_of_files() -> float:
    """Seconds between the clock and the times of files: where `faketime` sets the clock, files keep the real time."""
    with tempfile.TemporaryFile() as file:
        ahead = time.time() - os.fstat(file.fileno()).st_mtime
    return ahead if abs(ahead) > 60 else 0.0


def days_ago(days: float) -> str:
    """A time before `NOW` as messages carry it."""
    return written(NOW - timedelta(days=days))


def written(moment: datetime) -> str:
    """A time in UTC as messages carry it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
