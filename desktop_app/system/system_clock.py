"""Reads the time and the day. Nothing else of Plimsoll reads them, so that tests can say once what time it is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from os import stat_result
from time import time


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """A moment in UTC in the form that every time in the history has, so that times sort as text."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def local_day() -> date:
    """The day that it is here."""
    return utc_now().astimezone().date()


def age_s(file: stat_result) -> float:
    """Seconds since a file was last written; of one that a clock which ran ahead put a time to come on: until then."""
    return abs(time() - file.st_mtime)
