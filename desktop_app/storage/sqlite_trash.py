"""The trash of a history as the controller sees it: `controller.ports.TrashHistory` over one SQLite file."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import HistoryCopy, TrashItem
from desktop_app.storage.database import Database

log = logging.getLogger(__name__)

PATIENCE_S = 300.0
"""Seconds that a write of this process waits while the file is compacted: nothing that is typed meanwhile may fail."""


class SqliteTrash:
    """Methods are those of `TrashHistory`, which has their documentation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def items(self) -> Sequence[TrashItem]:
        return await self._database.run(lambda store: store.trash.items())

    async def restore_prompt(self, prompt_id: str) -> None:
        await self._database.run(lambda store: store.prompts.restore(prompt_id))

    async def begin(self, items: Sequence[TrashItem]) -> None:
        await self._database.run(lambda store: store.erasure.begin(items, running=store.turns.running()))

    async def step(self) -> bool:
        return await self._database.run(lambda store: store.erasure.step())

    async def left(self) -> int:
        return await self._database.run(lambda store: store.erasure.left())

    async def needs_compacting(self) -> bool:
        return await self._database.run(lambda store: store.erasure.needs_space_cleaned())

    async def compact(self) -> None:
        path = self._database.path
        if path is None:
            return
        from desktop_app.storage.compaction import compact

        await self._database.run(lambda store: store.set_patience(PATIENCE_S))
        try:
            await asyncio.to_thread(compact, path)
        finally:
            await self._database.run(lambda store: store.set_patience(None))

    async def unused_files(self) -> Sequence[str]:
        return (await self._database.run(lambda store: store.erasure.erased())).get("file", ())

    async def copies(self) -> Sequence[HistoryCopy]:
        path = self._database.path
        erased = await self._database.run(lambda store: store.erasure.erased())
        if path is None or not erased:
            return ()
        from desktop_app.storage.erased_copies import copies_with

        return await asyncio.to_thread(copies_with, path, erased)

    async def erase_in_copies(self, progress: Callable[[int, int], None] | None = None) -> Sequence[HistoryCopy]:
        from desktop_app.storage.erased_copies import erase_in_copy

        found = await self.copies()
        erased = await self._database.run(lambda store: store.erasure.erased())
        for number, copy in enumerate(found):
            if progress is not None:
                progress(number, len(found))
            try:
                await asyncio.to_thread(erase_in_copy, Path(copy.path), erased)
            except (PlimsollError, OSError, sqlite3.Error) as error:
                log.warning("a copy of the history could not be cleaned: %s", type(error).__name__)
        return await self.copies()
