"""The second lines of the rows of the thread list, and their texts for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from PySide6.QtCore import QLocale, QObject

from desktop_app.core.messages import Thread
from desktop_app.core.sync import SyncStatus
from desktop_app.core.titles import first_words
from desktop_app.system.system_clock import local_day
from desktop_app.ui.i18n.language import day, grouped, hour_of, listed_title, moment, tr
from desktop_app.ui.widgets.parts import single_shot


def spoken_group(heading: str, count: int, *, collapsed: bool) -> str:
    """A heading, and how many threads belong to it."""
    if count == 1:
        words = tr("{group}, collapsed, 1 thread") if collapsed else tr("{group}, 1 thread")
    else:
        words = tr("{group}, collapsed, {n} threads") if collapsed else tr("{group}, {n} threads")
    return words.format(group=heading, n=count)


def spoken_thread(thread: Thread, mark: str) -> str:
    """The title and what the row's marks say."""
    said = [listed_title(thread)]
    if thread.private:
        said.append(tr("private"))
    return ", ".join(filter(None, (*said, mark_words(mark))))


def mark_words(mark: str) -> str:
    """The words of a row's mark; "" for none."""
    marks = {
        "running": tr("answering"),
        "unread": tr("new answer"),
        "failed": tr("answer failed"),
        "unsynced": tr("not synced"),
    }
    return marks.get(mark, "")


def tip_of(thread: Thread, mark: str) -> str:
    """The whole title, when the thread was changed, and what its mark says."""
    return f"{listed_title(thread)}\n" + " · ".join(filter(None, (moment(thread.updated), mark_words(mark))))


def unsynced_words(status: SyncStatus) -> str:
    """`12 threads not synced since Tuesday`, or what keeps sync back."""
    count, since = len(status.waiting_threads), status.since
    if status.trouble is not None and status.trouble.kind == "config":
        return tr("Sync waits for the passphrase")
    if status.trouble is not None and status.trouble.kind == "removed":
        return tr("This device was removed from sync")
    if not count:
        return tr("Sync doesn't work")
    words = tr("1 thread not synced") if count == 1 else tr("{n} threads not synced").format(n=grouped(count))
    if not since:
        return words
    then, today = datetime.fromisoformat(since).astimezone(), local_day()
    if then.date() == today:
        when = hour_of(then.timestamp())
    elif (today - then.date()).days < 7:
        when = QLocale().standaloneDayName(then.isoweekday(), QLocale.FormatType.LongFormat)
    else:
        when = day(since)
    return tr("{threads} since {when}").format(threads=words, when=when)


SCROLLED_MS: Final = 40
"""Milliseconds without new rows in view until their last answers are read."""
SEEN_AT_ONCE: Final = 60
"""The rows of a tall screen: whoever has scrolled past others does not wait for their last answers."""
KEPT: Final = 2_000
"""Second lines that are kept; more are read again when they are looked at."""


class ThreadPreviews:
    """The beginnings of drafts and of last answers, which are asked for when somebody looks at their rows.

    `ask` takes the ids of threads, which `take` is to be told of; `repaint` that of one whose row is another.
    """

    def __init__(
        self, parent: QObject, ask: Callable[[tuple[str, ...]], object], repaint: Callable[[str], object]
    ) -> None:
        self._ask, self._repaint = ask, repaint
        self._known: dict[str, tuple[str | None, str]] = {}  # with the tip of the thread when it was asked for
        self._asked: dict[str, str | None] = {}
        self._rest = single_shot(parent, self._ask_for_seen, SCROLLED_MS)

    def of(self, thread: Thread) -> str:
        """The second line; none of a private thread. The words of a draft may be the title already."""
        if thread.private:
            return ""
        if thread.title and thread.draft.strip():
            return tr("Draft: {words}").format(words=first_words(thread.draft))
        tip, words = self._known.get(thread.id, ("", ""))
        if tip != thread.tip and self._asked.get(thread.id, "") != thread.tip:
            self._asked[thread.id] = thread.tip
            self._rest.start()
        return words

    def take(self, found: Mapping[str, str]) -> None:
        """Shows what was read, but for threads that have changed since."""
        if len(self._known) > KEPT:
            self._known.clear()
        for one in found.keys() & self._asked.keys():
            self._known[one] = (self._asked.pop(one), found[one])
            self._repaint(one)

    def forget(self, thread_id: str) -> None:
        """An answer has ended: the words that are shown stay until the new ones are there."""
        self._asked.pop(thread_id, None)
        self._known[thread_id] = ("", self._known.get(thread_id, ("", ""))[1])
        self._repaint(thread_id)

    def ask_again(self) -> None:
        """Ask for what was looked at before anybody could answer: rows are painted before the history is open."""
        if self._asked:
            self._rest.start()

    def _ask_for_seen(self) -> None:
        self._asked = dict(list(self._asked.items())[-SEEN_AT_ONCE:])
        self._ask(tuple(self._asked))
