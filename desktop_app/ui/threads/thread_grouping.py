"""The group of the list into which a thread falls. Uses no Qt model and no clock: the caller says what day it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from desktop_app.core.messages import Thread, ThreadSummary

PINNED: Final = "pinned"
FOUND: Final = "found"
"""The one group of the titles that a search found; it does not fold."""
PROJECT: Final = "project:"
"""The prefix of the key of a project's group; its id follows."""


@dataclass(frozen=True, slots=True)
class ThreadGroup:
    """A heading and the threads below it, last updated first. `key` names the group in every language."""

    key: str
    heading: str
    threads: tuple[ThreadSummary, ...]


def _start_of(day: date) -> str:
    """The first moment of a local day as the ISO 8601 UTC text that threads carry, to compare as text."""
    return datetime.combine(day, time()).astimezone().astimezone(UTC).isoformat()[:19]


def group_threads(
    summaries: Iterable[ThreadSummary],
    today: date,
    heading: Callable[[str], str] = str,
    month: Callable[[date], str] = lambda first: f"{first:%B %Y}",
    projects: Mapping[str, str] = MappingProxyType({}),
    *,
    always: Collection[str] = (),
    archived: bool = False,
) -> Sequence[ThreadGroup]:
    """Pinned, projects by name, Today, Yesterday, Previous 7 days, then by month. Empty groups are left out but those
    of the projects `always`.

    `archived`: only archived threads, by time alone; otherwise only the others. `heading` translates the four fixed
    headings, `month` names a month by its first day, `projects` has the names by id. 10,000 threads take a
    few milliseconds: days are compared as text, and only the first thread of a month is parsed.
    """
    shown = sorted(
        [summary for summary in summaries if summary.thread.archived == archived],
        key=attrgetter("thread.updated"),
        reverse=True,
    )
    if archived:
        return _by_time(shown, today, heading, month)
    pinned: list[ThreadSummary] = []
    of_project: dict[str, list[ThreadSummary]] = {}
    rest: list[ThreadSummary] = []
    for summary in shown:
        thread = summary.thread
        if thread.pinned:
            pinned.append(summary)
        elif thread.project:
            of_project.setdefault(thread.project, []).append(summary)
        else:
            rest.append(summary)
    groups = [ThreadGroup(PINNED, heading("Pinned"), tuple(pinned))] if pinned else []
    # where nothing is known of projects yet, the file may be one in which they have but names
    named = sorted((projects.get(one, one).casefold(), projects.get(one, one), one) for one in {*of_project, *always})
    for _, name, project in named:
        groups.append(ThreadGroup(PROJECT + project, name, tuple(of_project.get(project, ()))))
    return [*groups, *_by_time(rest, today, heading, month)]


def group_key(thread: Thread, today: date, *, archived: bool = False) -> str | None:
    """The key of the group that `group_threads` puts a thread into; None: it is not shown."""
    if thread.archived != archived:
        return None
    if not archived and (thread.pinned or thread.project):
        return PINNED if thread.pinned else f"{PROJECT}{thread.project}"
    groups = _by_time([ThreadSummary(thread, 0)], today, str, lambda first: "")
    return groups[0].key


def _by_time(
    newest_first: Sequence[ThreadSummary],
    today: date,
    heading: Callable[[str], str],
    month: Callable[[date], str],
) -> list[ThreadGroup]:
    groups: list[ThreadGroup] = []
    rising = [summary.thread.updated for summary in reversed(newest_first)]
    count = taken = 0

    def take(key: str, name: str, bound: str) -> None:
        """The threads not taken yet that are no older than `bound`."""
        nonlocal taken
        end = count - bisect_left(rising, bound, 0, count - taken)
        if end > taken:
            groups.append(ThreadGroup(key, name, tuple(newest_first[taken:end])))
            taken = end

    count = len(rising)
    take("today", heading("Today"), _start_of(today))
    take("yesterday", heading("Yesterday"), _start_of(today - timedelta(days=1)))
    take("week", heading("Previous 7 days"), _start_of(today - timedelta(days=7)))
    while taken < count:
        updated = newest_first[taken].thread.updated
        before = taken
        take(*_month_of(updated, month))
        if taken == before:  # a time in another form than ours: the rest stands together
            take("", "", "")
    return groups


def _month_of(updated: str, month: Callable[[date], str]) -> tuple[str, str, str]:
    """Key, heading and first moment of the local month of a time; damaged times fall into one last group."""
    try:
        first = datetime.fromisoformat(updated).astimezone().date().replace(day=1)
    except (ValueError, OverflowError):
        return "", "", ""
    return first.isoformat()[:7], month(first), _start_of(first)
