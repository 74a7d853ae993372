"""Ways into a history's file beside its public ones, and the work of SQLite in steps of its machine, which do not
depend on how busy the computer is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.storage.store import Store

R = TypeVar("R")
EVERY: Final = 10


async def in_store(history: SqliteHistory, work: Callable[[Store], R]) -> R:
    """What `work` makes of the history's store, on its thread."""
    return await history.database.run(work)


def connection_of(store: Store) -> sqlite3.Connection:
    """The store's own connection."""
    return store.transactions.connection


async def in_sql(history: SqliteHistory, work: Callable[[sqlite3.Connection], R]) -> R:
    """What `work` makes of the history's own connection, on its thread."""
    return await in_store(history, lambda store: work(connection_of(store)))


async def sql_steps(history: SqliteHistory, asked: Callable[[], Awaitable[object]]) -> int:
    """How many steps SQLite takes, in tens, for what the history is asked; that answers with something."""
    tens: list[None] = []
    await in_sql(history, lambda connection: connection.set_progress_handler(lambda: tens.append(None), EVERY))
    assert await asked()
    await in_sql(history, lambda connection: connection.set_progress_handler(None, 0))
    return len(tens) * EVERY
