"""The connection to the history file, its transactions, and records that are read and added by plain SQLite.

Everything here runs on the database thread. A statement through SQLAlchemy costs ten times one without. Records are
written with the device's Lamport clock.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup import remove_unproved
from desktop_app.storage.file_format import NEWEST, check_format, file_version
from desktop_app.storage.file_identity import FileIdentity, NoFile
from desktop_app.storage.migrations import clean_old_copies, migrate, missing_of_format
from desktop_app.storage.reading_copy import ReadOnlyFile, files_of
from desktop_app.storage.repair_marks import is_empty
from desktop_app.system.private_files import (
    close_to_others,
    make_private_file,
    make_private_folder,
    path_beside,
    put_new,
)

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlmodel import Session

BUSY_TIMEOUT_S = 5.0
"""Seconds that a statement waits for another process's lock before the user is told."""

IN_MEMORY = Path(":memory:")
"""Stands for the path where there is no file."""

_JOURNAL_LIMIT = 8 * 1024 * 1024
"""Bytes that a -wal file keeps after a checkpoint."""


def connect(path: Path, *, busy_timeout_s: float | None = None, must_exist: bool = False) -> sqlite3.Connection:
    """Opens or creates the history file, brought to this version's format; `UserError("store")` if that can't be.

    `must_exist`: there was one, so that none is made, whatever happens to it meanwhile.
    """
    busy_timeout_s = BUSY_TIMEOUT_S if busy_timeout_s is None else busy_timeout_s
    make_private_folder(path.parent)
    if path.is_symlink() and not path.exists():
        raise sqlite_errors.leads_nowhere(path)
    if (must_exist or path.exists()) and is_empty(path):
        raise sqlite_errors.emptied(path)
    if not must_exist and not path.exists():
        _make(path, busy_timeout_s)
    connection = _opened(path, busy_timeout_s)
    try:
        check_format(connection, path)
        if not os.access(path, os.W_OK):
            raise sqlite_errors.read_only(path)
        _use_wal(connection, busy_timeout_s)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_LIMIT}")
        copies = path.parent / "backups"
        remove_unproved(copies)
        if any(copies.glob("*.db")):  # most data folders have none
            clean_old_copies(copies)
        version = file_version(connection)
        if 0 < version < NEWEST and missing_of_format(connection):
            raise sqlite_errors.no_format(path, version)
        migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path, timeout_s: float) -> None:
    """Puts a new history at the path, unless another start does. It is whole at once: one of no bytes was emptied."""
    fresh = path_beside(path)
    make_private_file(fresh)
    try:
        with closing(_opened(fresh, timeout_s)) as connection:
            _use_wal(connection, timeout_s)
            migrate(connection, fresh)
        put_new(fresh, path)
    finally:
        for one in files_of(fresh):
            one.unlink(missing_ok=True)


def _opened(path: Path, timeout_s: float) -> sqlite3.Connection:
    """A connection to a file that is there: SQLite itself makes none."""
    try:
        close_to_others(path)
        uri = f"{path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(uri, uri=True, timeout=timeout_s, isolation_level=None)
    except (sqlite3.OperationalError, FileNotFoundError) as error:
        if is_empty(path):
            raise sqlite_errors.emptied(path) from error
        raise


def connect_in_memory() -> sqlite3.Connection:
    """Opens a history of its own of which nothing is ever on disk, not even what a long sort puts aside."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA foreign_keys = ON")
    migrate(connection, IN_MEMORY)
    return connection


class Transactions:
    """Hands out sessions, each in one transaction that is written whole or not at all."""

    def __init__(self, connection: sqlite3.Connection, identity: FileIdentity | ReadOnlyFile | NoFile) -> None:
        self.connection = connection
        self.identity = identity
        self._engine: Engine | None = None  # made for the first session, which few processes have
        self._after_rollback: list[Callable[[], None]] = []
        self._version = self._read_version()

    def after_rollback(self, forget: Callable[[], None]) -> None:
        """Registers what must be called when a write was undone: whoever remembers keys has to forget them."""
        self._after_rollback.append(forget)

    def forget(self) -> None:
        """Has everybody forget the keys of rows: some of them may be gone."""
        for forget in self._after_rollback:
            forget()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that holds the write lock from its first moment; committed at the end, undone on any error."""
        self.identity.check_write()
        try:
            with self._session() as session:
                session.connection().exec_driver_sql("BEGIN IMMEDIATE")
                self._look_for_others()
                yield session
                session.commit()
            self.identity.written()
        except BaseException:
            self.forget()
            raise

    @contextmanager
    def write_plain(self) -> Iterator[sqlite3.Connection]:
        """As `write`, without a session: for what is done with every message, where a session costs 1 ms."""
        self.identity.check_write()
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self._look_for_others()
            yield self.connection
            self.connection.execute("COMMIT")
            self.identity.written()
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            self.forget()
            raise

    @contextmanager
    def without_waiting(self) -> Iterator[None]:
        """In the block nothing waits for another process's lock: what is locked fails at once."""
        before = int(self.connection.execute("PRAGMA busy_timeout").fetchone()[0])
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {before}")

    @contextmanager
    def read_plain(self) -> Iterator[sqlite3.Connection]:
        """The connection, which sees one state of the file throughout."""
        self.connection.execute("BEGIN")
        try:
            yield self.connection
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Closes the connection; the last one of all processes moves the -wal into the file and removes it."""
        if isinstance(identity := self.identity, FileIdentity) and identity.lost:
            if identity.whole:
                if identity.kept is not None:
                    identity.keep()
                # closing would write our -wal into a file that is not ours: it ends with the process
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.connection))
                return
            identity.empty_log()
        if self._engine is not None:
            self._engine.dispose()
        self.connection.close()
        self.identity.close()

    def _look_for_others(self) -> None:
        """Inside a write: another connection, of whatever process, may have deleted for good what is remembered."""
        if (version := self._read_version()) != self._version:
            self._version = version
            self.forget()

    def _read_version(self) -> int:
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    @property
    def read_only(self) -> bool:
        """True where the file was opened for reading only."""
        return isinstance(self.identity, ReadOnlyFile)

    def _session(self) -> Session:
        from sqlalchemy import create_engine
        from sqlalchemy.pool import StaticPool
        from sqlmodel import Session

        if self._engine is None:
            self._engine = create_engine("sqlite://", creator=lambda: self.connection, poolclass=StaticPool)
        return Session(self._engine, expire_on_commit=False)


def _use_wal(connection: sqlite3.Connection, timeout_s: float) -> None:
    """Switching a new file to WAL needs it alone, and SQLite does not always wait for that: so we do."""
    deadline, pause = monotonic() + timeout_s, Event()
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            pause.wait(0.02)
        else:
            return


def tick(connection: sqlite3.Connection) -> tuple[str, int]:
    """Moves the clock on, inside the caller's write: the device's id and the time of what is written now."""
    connection.execute("UPDATE device SET clock = clock + 1")
    device, clock = connection.execute("SELECT id, clock FROM device").fetchone()
    return device, clock


class TableRecords:
    """The records of one table: tuples whose attributes are the columns that the file has, as `rows` declares them."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._inserts: dict[tuple[str, ...], str] = {}
        self._select = f"SELECT * FROM {table} WHERE "

    def add(self, connection: sqlite3.Connection, values: Mapping[str, object]) -> int:
        """Adds a record of these columns, the others NULL, and returns its key."""
        names = tuple(values)
        if (statement := self._inserts.get(names)) is None:
            marks = ", ".join("?" * len(names))
            statement = self._inserts[names] = f"INSERT INTO {self._table} ({_listed(names)}) VALUES ({marks})"
        return connection.execute(statement, tuple(values.values())).lastrowid or 0

    def read(self, connection: sqlite3.Connection, where: str, *values: object) -> list[Any]:
        """The records that meet the condition, which may end in an order."""
        found = connection.execute(self._select + where, values)
        return list(map(_made(tuple(column[0] for column in found.description)), found))

    def first(self, connection: sqlite3.Connection, where: str, *values: object) -> Any:
        """The first of them, None if there is none."""
        return next(iter(self.read(connection, f"{where} LIMIT 1", *values)), None)


@cache
def _made(names: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    record: Any = namedtuple("Record", names)  # type: ignore[misc]
    make: Callable[[Iterable[Any]], Any] = record._make
    return make


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


THREADS: Final = TableRecords("thread")
MESSAGES: Final = TableRecords("message")
TURNS: Final = TableRecords("turn")
CALLS: Final = TableRecords("model_call")
REQUESTS: Final = TableRecords("request")
EVENTS: Final = TableRecords("context_event")


class Topic:
    """The part of the history that one topic has; each method is one transaction."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
