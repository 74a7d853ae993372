"""Imports as the controller sees them: `controller.project_ports.ImportHistory` over the history's database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import ImportChange, ImportCount, ImportedThread, characters_of
from desktop_app.core.projects import Project
from desktop_app.storage.database import Database

if TYPE_CHECKING:  # the store is loaded by the database's thread
    from desktop_app.storage.import_store import RunningImport

_BYTES = 3
"""Of the file, at most, for a character of a thread: its text, and the index of it."""

log = logging.getLogger(__name__)


async def reclaim(database: Database) -> None:
    """Gives the disk back what something has left that was taken out. Raises nothing."""
    try:
        if await database.run(lambda store: store.empty_log()) and database.path is not None:
            from desktop_app.storage.compaction import compact

            await asyncio.to_thread(compact, database.path)
    except PlimsollError as error:
        log.warning("what an import had left could not be given back: %s", error)


class SqliteImports:
    """Methods are those of `ImportHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self) -> SqliteImport:
        return SqliteImport(self._database, await self._database.run(lambda store: store.imports.begin()))

    async def look(self, threads: Sequence[ImportedThread]) -> Sequence[ImportChange | None]:
        return await self._database.run(lambda store: store.imports.look(threads))

    async def known(self, keys: Collection[str]) -> Mapping[str, str]:
        wanted = tuple(keys)
        return await self._database.run(lambda store: store.imports.known(wanted))


class SqliteImport:
    """One import; one job for each batch, so that the partial answers of running turns are not kept waiting."""

    def __init__(self, database: Database, running: RunningImport) -> None:
        self._database = database
        self._running = running

    async def add(self, threads: Sequence[ImportedThread]) -> None:
        coming = _BYTES * sum(map(characters_of, threads))
        await self._database.run(lambda store: store.check_room(coming))
        await self._database.run(lambda _: self._running.add(threads))

    async def finish(self, projects: Sequence[Project] = ()) -> ImportCount:
        count = await self._database.run(lambda _: self._running.finish(projects))
        while await self._database.run(lambda store: store.imports.clean()):
            pass
        return count

    async def undo(self) -> None:
        try:
            while not await self._database.run(lambda _: self._running.undo()):
                pass
            await reclaim(self._database)
        except PlimsollError as error:
            log.warning("what an import had written could not be taken out: %s", error)
