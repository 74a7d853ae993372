"""Writes what can still be read of a damaged history into a new one, row by row."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.storage.migrations import STEPS, migrate
from desktop_app.storage.private_files import make_private_file
from desktop_app.storage.sqlite_pages import Row, SqlitePages

_MADE_AGAIN: Final = ("message_text", "passage_text", "unindexed", "deleted_message", "spending", "sqlite_")
"""How the names begin of tables that follow from the others."""

_TOLD_APART: Final = frozenset(
    [
        *("block", "thread", "message", "turn", "request", "model_call", "context_event", "artifact"),
        *("project", "project_document", "document_text", "document_text_part", "passage"),
    ]
)
"""Tables whose rows look like no other's."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What a salvage found: rows by table, and of threads that count more messages than were found, how many fewer."""

    rows: Mapping[str, int]
    missing_messages: int
    damaged_pages: int
    had_header: bool


def salvage(damaged: Path, target: Path, good: Path | None) -> Salvaged:
    """Writes a new history at `target` with what is readable of the file `damaged` and its -wal, which stay.

    `good`: an undamaged earlier state of the same history, which tells where its tables are if the file does not.
    Blocks; reads the file into memory.
    """
    pages = SqlitePages(damaged, 4096 if good is None else SqlitePages(good).page_size)
    roots = pages.roots()
    version = pages.version if 0 < pages.version <= NEWEST else 0
    if good is not None:
        earlier = SqlitePages(good)
        known = {root.name for root in roots}
        if not version:
            version = earlier.version
        if version == earlier.version:
            roots = [*roots, *(root for root in earlier.roots() if root.name not in known)]
    make_private_file(target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        migrate(connection, target, [step for step in STEPS if step.number <= (version or NEWEST)])
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN")
        if _has(connection, "device"):
            connection.execute("DELETE FROM device")
        writing = _Writing(connection)
        for root in roots:
            if not root.name.startswith(_MADE_AGAIN):
                writing.add(root.name, pages.rows(root.page))
            else:
                for _ in pages.rows(root.page):  # so that these pages are taken for no other table's
                    pass
        for rows in pages.lost_pages():
            name = writing.table_of(rows)
            if name is not None:
                writing.add(name, rows)
        missing = _put_in_order(connection)
        connection.execute("COMMIT")
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    return Salvaged(dict(writing.counts), missing, pages.damaged, pages.has_header)


def _has(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kinds: tuple[type, ...]
    needed: bool
    is_rowid: bool

    def may_be(self, value: Any) -> bool:
        if value is None:
            return self.is_rowid or not self.needed
        return not self.is_rowid and isinstance(value, self.kinds)


class _Writing:
    """Adds rows to the tables of the new file; what does not fit there is left out."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.counts = Counter[str]()
        self._columns: dict[str, list[_Column]] = {}
        listed = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        for name, sql in connection.execute(listed).fetchall():
            if not str(name).startswith(_MADE_AGAIN):
                self._columns[name] = _columns(connection, name, has_rowid="WITHOUT ROWID" not in sql)

    def add(self, name: str, rows: Iterable[Row]) -> None:
        columns = self._columns.get(name, [])
        for rowid, values in rows:
            if not _fits(columns, values):
                continue
            named = {
                column.name: rowid if column.is_rowid else value for column, value in zip(columns, values, strict=False)
            }
            names = ", ".join(f'"{one}"' for one in named)
            marks = ", ".join("?" * len(named))
            statement = f"INSERT OR IGNORE INTO {name} ({names}) VALUES ({marks})"
            try:
                self.counts[name] += self._connection.execute(statement, tuple(named.values())).rowcount
            except (sqlite3.Error, OverflowError):
                continue

    def table_of(self, rows: Sequence[Row]) -> str | None:
        """The one table whose columns can hold all of these rows; None where several could, or none."""
        fitting = [
            name
            for name in _TOLD_APART & self._columns.keys()
            if all(_fits(self._columns[name], values) for _, values in rows)
        ]
        return fitting[0] if len(fitting) == 1 else None


def _columns(connection: sqlite3.Connection, table: str, *, has_rowid: bool) -> list[_Column]:
    """In the order in which a row has them: in a table without rowids its key comes first."""
    kinds: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "BLOB": (bytes,), "REAL": (int, float)}
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    if not has_rowid:
        found = sorted(found, key=lambda column: column[5] or len(found) + 1)  # the others stay in their order
    keys = sum(1 for column in found if column[5])
    return [
        _Column(
            name,
            kinds.get(kind, (int,)),
            bool(not_null) and default is None,
            is_rowid=has_rowid and keys == 1 and bool(key) and kind == "INTEGER",
        )
        for _, name, kind, not_null, default, key in found
    ]


def _fits(columns: Sequence[_Column], values: Sequence[Any]) -> bool:
    """Rows of an older format are shorter."""
    if not 0 < len(values) <= len(columns) or any(column.needed for column in columns[len(values) :]):
        return False
    return all(column.may_be(value) for column, value in zip(columns, values, strict=False))


def _put_in_order(connection: sqlite3.Connection) -> int:
    """A thread for messages whose own can't be read; how many messages are known of and were not found."""
    orphans = """
        SELECT thread_key, min(created), max(created), count(*) FROM message
        WHERE thread_key NOT IN (SELECT key FROM thread) GROUP BY thread_key
    """
    for key, created, updated, count in connection.execute(orphans).fetchall():
        row = {"key": key, "id": f"salvaged-{key}", "title": "", "created": created, "updated": updated}
        row |= {"system": "", "pinned": 0, "archived": 0, "draft": "", "message_count": count}
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        connection.execute(f"INSERT OR IGNORE INTO thread ({names}) VALUES ({marks})", tuple(row.values()))
    if _has(connection, "device") and connection.execute("SELECT 1 FROM device").fetchone() is None:
        connection.execute("INSERT INTO device VALUES (lower(hex(randomblob(16))), 1)")
    fewer = """
        SELECT coalesce(sum(max(0, message_count - (SELECT count(*) FROM message WHERE thread_key = thread.key))), 0)
        FROM thread
    """
    return int(connection.execute(fewer).fetchone()[0])
