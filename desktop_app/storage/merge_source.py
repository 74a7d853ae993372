"""Opens another history file to be read from: checked, in this version's format, and never written.

Whoever made it may mean ill: it must have exactly the tables that our own steps make, and nothing that runs by itself.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage import sqlite_errors
from desktop_app.storage.file_format import NEWEST, check_format, file_version, quick_verdict, readable
from desktop_app.storage.migrations import SCHEMA, migrate, schema_of
from desktop_app.storage.reading_copy import copy_beside_log
from desktop_app.system.private_files import PrivateFolder

_WAL_MODE: Final = 2
"""At byte 18 of a file in write-ahead mode, which SQLite can't read without writing beside it."""


class MergeSource:
    """Another history, open to be read on any one thread at a time. `close` ends it."""

    def __init__(self, path: Path) -> None:
        """Raises `UserError("store")` for what is no history, is damaged, or holds more than a history does. Blocks."""
        self.path = path
        with ExitStack() as stack:
            try:
                if not path.is_file():
                    raise FileNotFoundError(f"{path.name} is no file")
                self.connection = _opened(path, stack)
            except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
                known = sqlite_errors.store_error(error, path)
                if known is None or not _is_damaged(error):
                    raise known or error from error
                raise _unusable(path, str(error)) from error
            self._closing = stack.pop_all()

    def close(self) -> None:
        """Removes what was copied, too."""
        self._closing.close()


@asynccontextmanager
async def opened_apart(path: Path) -> AsyncIterator[MergeSource]:
    """The other history, opened on a thread of its own: checking it reads all of it."""
    opening = asyncio.ensure_future(asyncio.to_thread(MergeSource, path))
    try:
        source = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_close_late)
        raise
    try:
        yield source
    finally:
        source.close()


def _close_late(opening: asyncio.Future[MergeSource]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _opened(path: Path, stack: ExitStack) -> sqlite3.Connection:
    found = path
    with path.open("rb") as file:
        in_wal_mode = file.read(20)[18:19] == bytes([_WAL_MODE])
    if in_wal_mode:
        found = copy_beside_log(path, _private_folder(stack) / "history.db")
    connection = _connected(found, stack, "rw" if in_wal_mode else "ro")
    check_format(connection, path)
    version = file_version(connection)
    if version == 0:
        raise sqlite_errors.not_a_history(path)
    if Counter(connection.execute(SCHEMA)) != schema_of(version):
        raise _unusable(path, "it holds other tables than a history")
    verdict = quick_verdict(connection)
    if verdict != "ok":
        raise _unusable(path, verdict)
    if version < NEWEST:
        if not in_wal_mode:
            connection = _connected(copy_beside_log(path, _private_folder(stack) / "history.db"), stack, "rw")
        connection.execute("PRAGMA synchronous = OFF")  # of a copy that is thrown away
        migrate(connection, path, keep_copies=False)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connected(path: Path, stack: ExitStack, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    stack.enter_context(closing(connection))
    connection.text_factory = readable
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _private_folder(stack: ExitStack) -> Path:
    return stack.enter_context(PrivateFolder())


def _is_damaged(error: Exception) -> bool:
    if isinstance(error, UnicodeDecodeError):
        return True
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)


def _unusable(path: Path, detail: str) -> UserError:
    return UserError(
        "store",
        phrase("{path} isn't a complete Plimsoll history. Nothing was taken from it. Choose another file.", path=path),
        detail=detail,
    )
