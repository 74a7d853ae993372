"""Owns into which group of the list a thread falls. Knows no Qt model and no clock: the caller says what day it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from desktop_app.core.messages import ThreadSummary


@dataclass(frozen=True, slots=True)
class ThreadGroup:
    """A heading and the threads below it, last updated first."""

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
) -> Sequence[ThreadGroup]:
    """Pinned, Today, Yesterday, Previous 7 days, then by month; archived threads and empty groups are left out.

    `heading` translates the four fixed headings, `month` names a month by its first day. 10,000 threads take a few
    milliseconds: days are compared as text, and only the first thread of a month is parsed.
    """
    shown = sorted(
        (summary for summary in summaries if not summary.thread.archived),
        key=lambda summary: summary.thread.updated,
        reverse=True,
    )
    groups: list[ThreadGroup] = []
    pinned = tuple(summary for summary in shown if summary.thread.pinned)
    if pinned:
        groups.append(ThreadGroup(heading("Pinned"), pinned))
    bounds = [
        (heading("Today"), _start_of(today)),
        (heading("Yesterday"), _start_of(today - timedelta(days=1))),
        (heading("Previous 7 days"), _start_of(today - timedelta(days=7))),
    ]
    current: list[ThreadSummary] = []
    name, bound = bounds.pop(0)
    for summary in shown:
        if summary.thread.pinned:
            continue
        while summary.thread.updated < bound:
            if current:
                groups.append(ThreadGroup(name, tuple(current)))
                current = []
            name, bound = bounds.pop(0) if bounds else _month_of(summary.thread.updated, month)
        current.append(summary)
    if current:
        groups.append(ThreadGroup(name, tuple(current)))
    return groups


def _month_of(updated: str, month: Callable[[date], str]) -> tuple[str, str]:
    """The heading and first moment of the local month of a time; damaged times fall into one last group."""
    try:
        first = datetime.fromisoformat(updated).astimezone().date().replace(day=1)
    except ValueError:
        return "", ""
    return month(first), _start_of(first)
