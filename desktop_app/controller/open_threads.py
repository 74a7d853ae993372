"""Keeps threads in memory: their facts, message trees, current paths, and whether the provider's cache holds them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any

from desktop_app.controller.ports import History, parse_stamp
from desktop_app.core.context.plan import CacheClock, CacheLifetime
from desktop_app.core.conversation import Conversation, deleted_on, without_deleted
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import LONGEST_ANSWER, Message, Thread
from desktop_app.core.phrases import phrase

SHORT, LONG = timedelta(minutes=5), timedelta(hours=1)
LIFETIMES: dict[CacheLifetime, timedelta] = {"5m": SHORT, "1h": LONG}

LONG_GAPS_SHARE = 0.04
"""Share of gaps over five minutes from which the dearer 1-hour marks pay (3-5 %, measured on the cost model)."""

GAPS_LOOKED_AT = 50
"""Only the newest gaps count: habits change, and a long thread must not cost more to judge."""

MESSAGES_LOOKED_AT = 20 * GAPS_LOOKED_AT
"""A long thread that was brought in has no request of ours at all; one with tools has many messages to each."""


class TurnTimes:
    """The times of a path's requests, read once; then asking for the cache's state costs nothing per keystroke.

    `beside`: messages of the thread's other branches, whose requests may have kept the beginning alive.
    """

    def __init__(self, path: Sequence[Message], beside: Iterable[Message] = ()) -> None:
        late = islice(reversed(path), MESSAGES_LOOKED_AT)
        answers = (message for message in late if message.role == "assistant" and message.backend is not None)
        newest = list(islice(answers, GAPS_LOOKED_AT + 2))[::-1]  # the last one's marks were chosen without its own gap
        timed = [(message, time) for message in newest if (time := parse_stamp(message.created)) is not None]
        self._last_time = timed[-1][1] if timed else None
        gaps = [later - earlier for (_, earlier), (_, later) in pairwise(timed)]
        self._lifetime = _lifetime(gaps[-GAPS_LOOKED_AT:])
        self._promised = [
            (message.id, message.backend, time, LIFETIMES[_lifetime(gaps[: max(0, number - 1)])], _key(message))
            for number, (message, time) in enumerate(timed)
        ]
        forks: dict[str, str] = {}
        self._beside = []
        for message in beside:  # parents stand before what follows them, but for those of long ago
            forks[message.id] = forks.get(message.parent_id or "", message.parent_id or "")
            if message.role == "assistant" and (time := parse_stamp(message.created)) is not None:
                self._beside.append((message.id, message.backend, time, forks[message.id], _key(message)))

    def keys(self, now: datetime, *, backend: str, kept: Mapping[str, datetime] = MappingProxyType({})) -> set[str]:
        """The fingerprints of the keys with whose requests through `backend` something may be cached at `now`."""
        asked = (one for one in (*self._promised, *self._beside) if one[1] == backend and one[4])
        return {key for name, _, time, _, key in asked if now <= max(time, kept.get(name, time)) + LONG}

    def cache_clock(
        self,
        now: datetime,
        *,
        backend: str,
        kept: Mapping[str, datetime] = MappingProxyType({}),
        other_keys: Collection[str] = (),
    ) -> CacheClock:
        """Return the state of the cache at `now` for the next request through `backend`.

        `kept`: when the request of an answer, by its id, was read once more to keep it there. `other_keys`:
        the fingerprints of keys that are not the one asked with now, which reads nothing that they cached.
        """
        most = LIFETIMES[self._lifetime]
        others = [
            (name, fork)
            for name, of, time, fork, key in self._beside
            if of == backend and key not in other_keys and now < max(time, kept.get(name, time)) + most
        ]
        beside, forks = frozenset(name for name, _ in others), frozenset(fork for _, fork in others)
        asked = any(of == backend and key not in other_keys for _, of, _, _, key in self._beside)
        if self._last_time is None:
            return CacheClock(not beside, self._lifetime, living=beside or None, beside=asked, forks=forks)
        # A clock that was set back makes no negative idleness.
        idle = max(timedelta(), now - self._last_time)
        mine = [one for one in self._promised if one[1] == backend]
        foreign = frozenset(one[0] for one in mine if one[4] in other_keys)
        own = [(name, max(time, kept.get(name, time)), life) for name, _, time, life, _ in mine if name not in foreign]
        living, fresh = (
            frozenset(name for name, time, life in own if now < time + min(life, most)) for most in (LONG, SHORT)
        )
        until: dict[str, tuple[float, CacheLifetime]] = {
            name: ((time + life).timestamp(), "1h" if life == LONG else "5m")
            for name, time, life in own
            if name in living
        }
        living = living or beside  # what the path's own requests are promised needs no other
        minutes = idle / timedelta(minutes=1)
        return CacheClock(not living, self._lifetime, minutes, living, fresh, until, asked, forks, foreign)


def _key(message: Message) -> str:
    return message.usage.key if message.usage is not None else ""


def _lifetime(gaps: Sequence[timedelta]) -> CacheLifetime:
    long = sum(1 for gap in gaps if gap > SHORT)
    return "1h" if gaps and long / len(gaps) >= LONG_GAPS_SHARE else "5m"


MOST_RENEWED = 100
"""Of so many messages, each is read for itself; where more came, the whole thread is."""

KEPT_OPEN = 8
"""So many threads stay in memory; switching back to one of them reads nothing."""


@dataclass(frozen=True)
class OpenThread:
    """A thread as last read or written. `path` is the current branch, root to tip; the tree is shared and grows.

    What is deleted on the branch is part of `path`, which a plan is made from, and not of `shown`.
    """

    thread: Thread
    conversation: Conversation
    path: tuple[Message, ...]
    times: TurnTimes

    @cached_property
    def shown(self) -> tuple[Message, ...]:
        """The current branch as people see it."""
        return without_deleted(self.path, self.thread.choices)

    @classmethod
    def of(cls, thread: Thread, conversation: Conversation) -> OpenThread:
        """The thread with its path and times taken from the tree."""
        path = conversation.path(thread.tip)
        return cls(thread, conversation, path, TurnTimes(path, _beside(conversation, path)))

    def extended(self, thread: Thread, messages: Sequence[Message]) -> OpenThread:
        """The thread after `messages`, already in the tree, at the cost of the new ones only where they continue it."""
        path = self.path
        for message in messages:
            if path and message.id == path[-1].id:
                path = (*path[:-1], message)
            elif message.parent_id == (path[-1].id if path else None):
                path = (*path, message)
        if (path[-1].id if path else None) != thread.tip:
            return OpenThread.of(thread, self.conversation)
        return OpenThread(thread, self.conversation, path, TurnTimes(path, _beside(self.conversation, path)))


def _beside(conversation: Conversation, path: Sequence[Message]) -> Sequence[Message]:
    """The newest messages of the other branches."""
    if len(conversation) == len(path):
        return ()
    on_path = {message.id for message in path[-MESSAGES_LOOKED_AT:]}
    newest = islice(reversed(conversation), MESSAGES_LOOKED_AT)
    return [message for message in newest if message.id not in on_path][::-1]


def question_path(thread: OpenThread) -> tuple[Message, ...]:
    """The path up to the last user message that is shown; `UserError("usage")` where there is none."""
    path, deleted = thread.path, deleted_on(thread.path, thread.thread.choices)
    while path and (path[-1].role != "user" or path[-1].id in deleted):
        path = path[:-1]
    if not path:
        raise UserError("usage", phrase("There is nothing to try again in this thread."))
    return path


class OpenThreads:
    """Reads threads once and keeps the newest few, told of every change that this process makes."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._open: OrderedDict[str, OpenThread] = OrderedDict()
        self._writes = 0

    async def get(self, thread_id: str) -> OpenThread:
        """The thread, from memory if it is there; `UserError("usage")` if there is none of that id."""
        found = self._open.get(thread_id)
        while found is None:
            writes = self._writes
            thread = await self._history.thread(thread_id)
            read = OpenThread.of(thread, Conversation(await self._history.messages(thread_id, most=LONGEST_ANSWER)))
            # What this process wrote between the two reads would be missing: read again.
            found = read if writes == self._writes else self._open.get(thread_id)
        self._open[thread_id] = found
        self._open.move_to_end(thread_id)
        while len(self._open) > KEPT_OPEN:
            self._open.popitem(last=False)
        return found

    def all(self) -> tuple[OpenThread, ...]:
        """The threads that are in memory, the one that was used last at the end."""
        return tuple(self._open.values())

    def loaded(self, thread_id: str) -> OpenThread | None:
        """The thread if it is in memory."""
        return self._open.get(thread_id)

    def grown(self, thread_id: str, messages: Sequence[Message], **facts: Any) -> Thread | None:
        """Takes written messages with the tip, time and draft they changed; the thread after it, if in memory."""
        self._writes += 1
        if (found := self._open.get(thread_id)) is None:
            return None
        for message in messages:
            found.conversation.add(message)
        after = found.extended(replace(found.thread, **facts), messages)
        self._open[thread_id] = after
        return after.thread

    def rewritten(self, message: Message) -> None:
        """Takes another form of a message that is there."""
        self._writes += 1
        if (found := self._open.get(message.thread_id)) is not None and message.id in found.conversation:
            found.conversation.add(message)
            self._open[message.thread_id] = OpenThread.of(found.thread, found.conversation)

    def changed(self, thread: Thread) -> None:
        """Takes a thread's facts after a change; not tip, draft, messages and seen, which may have moved on since."""
        self._writes += 1
        if (found := self._open.get(thread.id)) is not None:
            kept = found.thread
            after = replace(thread, tip=kept.tip, draft=kept.draft, draft_count=kept.draft_count, seen=kept.seen)
            self._open[thread.id] = replace(found, thread=after)

    async def renew(self, changed: Mapping[str, Sequence[str] | None]) -> None:
        """Takes what another machine wrote in threads that are in memory: these messages; None: all is read again."""
        for thread_id in changed.keys() & self._open.keys():
            ids, found, writes = changed[thread_id], self._open[thread_id], self._writes
            if ids is not None and len(ids) > MOST_RENEWED:
                ids = None
            thread, read = found.thread, list[Message]()
            with suppress(PlimsollError):
                thread = await self._history.thread(thread_id)
                read = [await self._history.message(one) for one in ids or ()]
            if ids is None or len(read) < len(ids) or thread is found.thread or writes != self._writes:
                self.forget(thread_id)
                continue
            for message in read:
                found.conversation.add(message)
            self._writes += 1
            self._open[thread_id] = found.extended(thread, read)

    def forget(self, thread_id: str) -> None:
        """Drops one thread from memory: what is in the history counts."""
        self._writes += 1
        self._open.pop(thread_id, None)

    def forget_all(self) -> None:
        """Drops all threads from memory: another process has written."""
        self._writes += 1
        self._open.clear()
