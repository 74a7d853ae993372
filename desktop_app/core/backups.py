"""The values of backups: copies of the history, which of them are kept, and when the next is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DAILY, WEEKLY, MONTHLY = 3, 4, 3
"""Days, weeks and months back of which the newest copy of each is kept."""


class BackupEnded(Exception):  # noqa: N818  nothing is wrong
    """Whoever makes a copy, or checks a file, was told to stop."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the history. `id` is its file's name without the ending; `at` ISO 8601 UTC.

    `threads` and `messages` are those that are not deleted. `verified`: SQLite found it whole when it was last looked
    at. `by_hand`: made by the user, or before something was restored; these are kept as long as there is room.
    `rotates`: it is one of those that make room for newer ones.
    """

    id: str
    path: str
    at: str
    threads: int
    messages: int
    bytes: int
    verified: bool
    by_hand: bool = False
    rotates: bool = True


@dataclass(frozen=True, slots=True)
class BackedUpThread:
    """A thread as a backup has it."""

    id: str
    title: str
    created: str
    updated: str
    messages: int


@dataclass(frozen=True, slots=True)
class RestoreCount:
    """The result of a restore: new threads and messages, and threads that had nothing new. `before`: the id of the
    backup of the history here.
    """

    backup: str
    before: str
    threads: int
    messages: int
    already: int


def is_due(backups: Sequence[Backup], now: str) -> bool:
    """Return True if none was made today; `now` is ISO 8601 UTC. One of the future was made under a clock that was
    wrong.
    """
    return not any(_day(one.at) == _day(now) for one in backups if one.rotates)


def is_worth_it(backups: Sequence[Backup], begun: str, day_ago: str) -> bool:
    """Return True if there is a day's work: the history was begun, or a backup made, before `day_ago`. All are ISO 8601
    UTC.

    The day's copy is made once; made in the first minutes of a new history it would be without all of its first day.
    """
    seconds = len("2026-11-23T08:30:00")
    times = (begun, *(one.at for one in backups if one.rotates))
    return any(at[:seconds] < day_ago[:seconds] for at in times)


def to_remove(backups: Sequence[Backup], most_bytes: int) -> Sequence[Backup]:
    """Those that make room, oldest first: what is no day's, week's or month's copy, then what is over the budget.

    The newest one stays, and so does what was not made in turn.
    """
    rotating = sorted((one for one in backups if one.rotates), key=lambda one: one.at, reverse=True)
    kept: set[str] = {one.id for one in rotating if one.by_hand}
    for most, period in ((DAILY, _day), (WEEKLY, _week), (MONTHLY, _month)):
        newest: dict[object, str] = {}
        for one in rotating:
            if not one.by_hand:
                newest.setdefault(period(one.at), one.id)
        kept |= set(list(newest.values())[:most])
    room, gone = most_bytes, list[Backup]()
    for index, one in enumerate(rotating):
        room -= one.bytes
        if index and (one.id not in kept or room < 0):
            gone.append(one)
            room += one.bytes
    return gone[::-1]


def _day(at: str) -> object:
    return at[:10]


def _week(at: str) -> object:
    """The number of the week since 1970, each beginning on a Monday."""
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    year -= month <= 2  # years that begin in March, so that a leap day is their last
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    since_1970 = 365 * year + year // 4 - year // 100 + year // 400 + of_year - 719_468
    return (since_1970 + 3) // 7  # it began on a Thursday


def _month(at: str) -> object:
    return at[:7]
