"""Opens a history file that can't be written, for reading: with all that stands in its -wal, and changing nothing.

SQLite itself reads a file with a -wal only where it may write beside it, and leaves the -wal out where it is told that
nothing changes. So what has one is read from a copy in a folder that only this user may look into.

Whoever made one that is merged (`MergeSource`) may mean ill: it must have exactly the tables that our own steps make,
and nothing that runs by itself.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage import sqlite_errors
from desktop_app.storage.file_format import NEWEST, check_format, file_version, quick_verdict, readable
from desktop_app.storage.migrations import SCHEMA, check_whole, migrate, schema_of
from desktop_app.system.private_files import PrivateFolder, make_private_file

_ATTEMPTS: Final = 5
_SMALL: Final = 20_000_000
"""Bytes that are copied before the first paint."""
_CLONE: Final = 0x40049409
"""FICLONE of Linux: the copy shares the blocks of the file, where the file system can do that."""


def is_writable(path: Path) -> bool:
    """Return True if this user may write the file, and the files that SQLite keeps beside it."""
    effective = os.access in os.supports_effective_ids

    def may(one: Path, mode: int) -> bool:
        return os.access(one, mode, effective_ids=effective)

    return may(path.parent, os.W_OK | os.X_OK) and all(may(one, os.W_OK) for one in files_of(path) if one.exists())


def files_of(path: Path) -> tuple[Path, ...]:
    """The file and what SQLite has beside it."""
    return (path, *(path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm", "-journal")))


def has_log(path: Path) -> bool:
    """Return True if a file that belongs to it stands beside it; an empty -wal says that somebody has it open."""
    _, wal, _, journal = files_of(path)
    return wal.exists() or (journal.exists() and journal.stat().st_size > 0)


def copied_bytes(path: Path) -> int:
    """Return how many bytes must be copied before the file can be read; 0: none, it can be read where it is."""
    if is_writable(path) or not has_log(path):
        return 0
    return sum(size for size, _ in _state(path) if size is not None)


def open_for_reading(path: Path) -> tuple[sqlite3.Connection, Callable[[], None]]:
    """A connection to read with, and what removes its copy, to be called when it is closed.

    Raises `UserError("store")` where the file is none of ours, or there is no room for the copy.
    """
    if not has_log(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
        try:
            check_format(connection, path)
            if file_version(connection) == NEWEST:
                return connection, lambda: None
        except BaseException:
            connection.close()
            raise
        connection.close()  # an older format: the copy is brought to this version's
    folder = PrivateFolder()
    try:
        connection = _open_copy(path, _copied(path, folder.path))
    except BaseException:
        folder.remove()
        raise
    if sys.platform != "win32":
        folder.remove()  # it is open: nothing of it has to stay
    return connection, folder.remove


def open_small(path: Path) -> sqlite3.Connection:
    """As `open_for_reading`, where no more than a moment's work of copying is needed; else `UserError("store")`."""
    if sys.platform != "win32" and copied_bytes(path) <= _SMALL:
        return open_for_reading(path)[0]
    raise sqlite_errors.read_only(path)


def check_unwritable_history(path: Path) -> None:
    """As `check_history`, for a file that can't be written."""
    try:
        connection, remove = open_for_reading(path)
        try:
            check_whole(connection)
        finally:
            connection.close()
            remove()
    except (sqlite3.Error, OSError) as error:
        raise sqlite_errors.store_error(error, path) or error from error


class ReadOnlyFile:
    """Stands for the identity of a history that was opened for reading: every write is refused with the reason."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, remove: Callable[[], None], error: Exception
    ) -> None:
        self._path = path
        self._connection = connection
        self._remove = remove
        self._error = error
        self._seen = _state(path)

    def check(self) -> None:
        """Finds nothing: what was there is read."""

    def check_write(self) -> None:
        """Refuses."""
        raise self._error

    def check_copy(self) -> None:
        """Finds nothing: what can be read can be copied elsewhere."""

    def written(self) -> None:
        """Nothing is written."""

    @property
    def may_write(self) -> bool:
        """True where the file's mode lets this user write it by now."""
        return is_writable(self._path)

    @property
    def is_outdated(self) -> bool:
        """True where another process has written since the file was opened."""
        return self._path.exists() and _state(self._path) != self._seen

    def close(self) -> None:
        """After the connection was closed."""
        self._remove()


def _state(path: Path) -> tuple[tuple[int | None, int], ...]:
    """Size and time of writing of all that is copied."""
    found: list[tuple[int | None, int]] = []
    for one in (path, *files_of(path)[1:4:2]):
        try:
            look = one.stat()
        except OSError:
            found.append((None, 0))
        else:
            found.append((look.st_size, look.st_mtime_ns))
    return tuple(found)


def _copied(path: Path, folder: Path) -> Path:
    copy = folder / path.name
    for _ in range(_ATTEMPTS):
        before = _state(path)
        try:
            for source in (path, *files_of(path)[1:4:2]):
                if source.exists():
                    _copy(source, folder / source.name)
        except OSError as error:
            if error.filename in (None, str(path)) and not os.access(path, os.R_OK):
                raise
            raise sqlite_errors.no_copy(path, folder.parent.parent, error) from error
        if _state(path) == before:
            return copy
        for one in folder.iterdir():
            one.unlink()
    raise sqlite_errors.in_use(path)


def _copy(source: Path, target: Path) -> None:
    with (
        source.open("rb") as reading,
        os.fdopen(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as to,
    ):
        if sys.platform == "linux":
            import fcntl

            try:
                fcntl.ioctl(to.fileno(), _CLONE, reading.fileno())
            except OSError:
                pass  # another file system, or one without shared blocks
            else:
                return
        shutil.copyfileobj(reading, to, 1 << 20)


def _open_copy(path: Path, copy: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(copy, isolation_level=None)
    try:
        # alone: nothing is shared with others, and after the change of mode all of it is in the one file
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        check_format(connection, path)
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA temp_store = MEMORY")
        migrate(connection, copy)
    except BaseException:
        connection.close()
        raise
    return connection


def copy_beside_log(path: Path, target: Path) -> Path:
    """Copy a database with what its -wal holds to `target`: another may be writing it, and SQLite writes beside it."""
    for ending in ("", "-wal"):
        beside = path.with_name(path.name + ending)
        if beside.is_file():
            copy = target.with_name(target.name + ending)
            make_private_file(copy)
            shutil.copyfile(beside, copy)
    return target


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
                if (known := sqlite_errors.store_error(error, path)) is None or not _is_damaged(error):
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
    if (version := file_version(connection)) == 0:
        raise sqlite_errors.not_a_history(path)
    # what syncing adds is not read; an older format is brought to this one below, where no trigger of a file may run
    own = f"{SCHEMA} AND name NOT GLOB 'sync_*' AND tbl_name NOT GLOB 'sync_*'" if version == NEWEST else SCHEMA
    if Counter(connection.execute(own)) != schema_of(version):
        raise _unusable(path, "it holds other tables than a history")
    if (verdict := quick_verdict(connection)) != "ok":
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
