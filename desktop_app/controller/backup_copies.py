"""Makes, lists, looks into and restores backups of the history; while the window runs also by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any, Protocol, TypeVar

from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.core import events
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history_records import (
    BackedUpThread,
    Backup,
    BackupEnded,
    HistoryRepair,
    RestoreCount,
    is_due,
    is_worth_it,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import Settings

log = logging.getLogger(__name__)

R = TypeVar("R")


class BackupStore(Protocol):
    """The folder of backups; its methods block. See `storage.backup_folder`."""

    @property
    def folder(self) -> Path: ...

    def all(self) -> Sequence[Backup]: ...

    def one(self, backup_id: str | None) -> Backup: ...

    def make(self, stop: Event, *, by_hand: bool = False, before_restore: bool = False) -> Backup: ...

    def thin_out(self, most_bytes: int, *keep: str) -> Sequence[Backup]: ...

    def threads(self, backup: Backup) -> Sequence[BackedUpThread]: ...

    def is_current(self, backup: Backup) -> bool: ...

    def size(self) -> int: ...

    def missing(self, stop: Event) -> tuple[Backup, int] | None: ...

    def check(self, stop: Event) -> str: ...


class Backups:
    """The actions on backups. `folder` makes the store over the folder that the settings name."""

    def __init__(
        self,
        folder: Callable[[Path | None], BackupStore],
        history: History,
        settings: Callable[[], Settings],
        announcements: Announcements,
        *,
        forget: Callable[[], None],
        clock: Clock | None = None,
    ) -> None:
        """`forget`: drops what is in memory of threads, as the history has more of them now."""
        self._folder = folder
        self._history = history
        self._settings = settings
        self._announcements = announcements
        self._forget = forget
        self._clock = clock or Clock()
        self._stop = Event()
        self._running: set[asyncio.Future[Any]] = set()
        self._alone = asyncio.Lock()
        self._compared = False

    @property
    def folder(self) -> Path:
        """New ones are kept there."""
        return self._store().folder

    async def all(self) -> Sequence[Backup]:
        """Newest first."""
        return await self._apart(lambda: self._store().all())

    async def threads(self, backup_id: str) -> Sequence[BackedUpThread]:
        """The threads of a backup, last updated first."""
        store = self._store()
        return await self._apart(lambda: store.threads(store.one(backup_id)))

    async def make(self, *, by_hand: bool = True, keep: str = "") -> Backup:
        """A verified copy of the history as it is now; older ones make room for it.

        `keep`: the id of one that is about to be restored, which stays.
        """
        store = self._store()
        async with self._alone:
            made = await self._apart(lambda: store.make(self._stop, by_hand=by_hand, before_restore=bool(keep)))
            size = max(made.bytes, store.size())  # the newest may stand in the -wal
            most = round(self._settings().backups.copies * size)
            # by a clock that was set back it is older than all others
            await self._apart(lambda: store.thin_out(most, keep, made.id))
        self._announcements.publish(events.BackupsChanged())
        return made

    async def restore(
        self, backup_id: str | None = None, thread: str | None = None, progress: Callable[[int], None] | None = None
    ) -> RestoreCount:
        """Brings back what a backup has and the history has not: one thread, by the beginning of its id, or all.

        `backup_id` None: the newest good one. All that is here stays, and is backed up before, unless the newest
        backup is of it already.
        """
        store = self._store()
        backup = await self._apart(lambda: store.one(backup_id))
        wanted = None if thread is None else [await self._found(backup, thread)]
        newest = next(iter(await self.all()), backup)
        current = newest.verified and await self._apart(lambda: store.is_current(newest))
        before = newest if current else await self.make(keep=backup.id)
        count = await self._history.merge(Path(backup.path), wanted, progress)
        self._forget()
        self._announcements.publish(events.HistoryChangedElsewhere())
        self._announcements.publish(events.ProjectsChanged())
        return RestoreCount(backup.id, before.id, count.threads, count.messages, count.already)

    async def keep_up(self, *, open_long: bool = False) -> None:
        """Checks the history for damage, brings back what it lost since the newest copy, and makes that of today.

        `open_long`: the window is open for some time, so that also a history that was begun today is worth its copy.
        Raises nothing.
        """
        if self._running:
            return
        try:
            store = self._store()
            if (verdict := await self._apart(lambda: store.check(self._stop))) != "ok":
                log.warning("the history is damaged")
                self._announcements.publish(events.HistoryDamaged(verdict))
                return  # a copy of that would be no good one
            if not self._compared:  # while it is open it does not fall back
                await self._bring_back(store)
                self._compared = True
            every = await self._apart(store.all)
            now = self._clock.stamp()
            if not self._settings().backups.automatic or not is_due(every, now):
                return
            begun = [one.thread.created for one in await self._history.threads() if one.messages]
            day_ago = (self._clock.now() - timedelta(days=1)).isoformat()
            if not begun or not (open_long or is_worth_it(every, min(begun), day_ago)):
                return
            # one that a clock made which ran ahead would be newer than all that is written for years
            newest = next((one for one in every if one.rotates and one.verified and one.at <= now), None)
            if newest is None or not await self._apart(lambda: store.is_current(newest)):
                await self.make(by_hand=False)
        except BackupEnded:
            return
        except (PlimsollError, OSError) as error:
            log.warning("no backup could be made: %s", type(error).__name__)

    async def _bring_back(self, store: BackupStore) -> None:
        if (lost := await self._apart(lambda: store.missing(self._stop))) is None:
            return
        backup, count = lost
        log.warning("the history lacks %s messages that a backup has", count)
        if not (merged := await self._history.merge(Path(backup.path), None)).messages:
            return
        self._forget()
        self._announcements.publish(events.HistoryChangedElsewhere())
        self._announcements.publish(events.ProjectsChanged())
        every = await self._history.threads()
        self._announcements.publish(
            events.HistoryRepaired(
                HistoryRepair(
                    "earlier",
                    len(every),
                    sum(one.messages for one in every),
                    salvaged=merged.messages,
                    backup=backup.id,
                    backup_at=backup.at,
                )
            )
        )

    async def close(self) -> None:
        """Ends what runs; a copy that is not whole is removed."""
        self._stop.set()
        if self._running:
            await asyncio.wait(self._running)

    def _store(self) -> BackupStore:
        folder = self._settings().backups.folder
        return self._folder(None if folder is None else Path(folder).expanduser())

    async def _found(self, backup: Backup, prefix: str) -> str:
        store = self._store()
        every = [one.id for one in await self._apart(lambda: store.threads(backup))]
        found = [one for one in every if one == prefix] or [one for one in every if prefix and one.startswith(prefix)]
        if len(found) > 1:
            words = phrase(
                "{found} threads start with {prefix}. Give more characters of the ID.", found=len(found), prefix=prefix
            )
            raise UserError("usage", words)
        if not found:
            raise UserError("usage", phrase("The backup {name} has no thread {thread}.", name=backup.id, thread=prefix))
        return found[0]

    async def _apart(self, work: Callable[[], R]) -> R:
        running = asyncio.ensure_future(asyncio.to_thread(work))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return await asyncio.shield(running)
