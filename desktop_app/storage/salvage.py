"""Writes what can still be read of a damaged history into a new one, row by row."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, get_args

from desktop_app.core.messages import MessageState, Role
from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.storage.migrations import STEPS, migrate, schema_of
from desktop_app.storage.private_files import make_private_file
from desktop_app.storage.sqlite_pages import Root, Row, SqlitePages
from desktop_app.storage.thread_store import LONGEST_ID

_MADE_AGAIN: Final = ("message_text", "passage_text", "unindexed", "deleted_message", "spending", "sqlite_")
"""The prefixes of the names of tables that follow from the others."""

_TOLD_APART: Final = frozenset(
    [
        *("block", "thread", "message", "turn", "request", "model_call", "context_event", "artifact"),
        *("project", "project_document", "document_text", "document_text_part", "passage"),
    ]
)
"""Tables whose rows look like no other's."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The result of a salvage: rows by table; ids of messages that the index names and the table lacks, all of them
    where the index is `whole`; how many pages and rows can't be read.
    """

    rows: Mapping[str, int]
    lost: Collection[str]
    whole: bool
    damaged: int
    had_header: bool


def salvage(damaged: Path, target: Path, good: Path | None) -> Salvaged:
    """Writes a new history at `target` with what is readable of the file `damaged` and its -wal, which stay.

    `good`: an undamaged earlier state of the same history, which tells where its tables are if the file does not.
    Blocks; reads the file into memory.
    """
    pages = SqlitePages(damaged, 4096 if good is None else SqlitePages(good).page_size)
    roots = pages.roots()
    version = _format_of(roots, pages.version)
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
        if good is not None:
            connection.execute("ATTACH ? AS earlier", (str(good),))
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
        connection.execute(_NO_MESSAGES, (LONGEST_ID,))
        unread = pages.damaged + writing.unfit
        before = pages.damaged
        named = _named(pages)
        here = {key for (key,) in connection.execute("SELECT key FROM message")}
        lost = {one for key, one in named.items() if key not in here}
        whole = bool(named) and pages.damaged == before
        if good is not None:
            _be_as_in_earlier(connection, named)
        _put_in_order(connection)
        connection.execute("COMMIT")
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    return Salvaged(dict(writing.counts), lost, whole, unread, pages.has_header)


def _format_of(roots: Sequence[Root], told: int) -> int:
    """The format that the file names, or else the one that its tables are of; 0: neither says."""
    made = {(root.name, root.sql) for root in roots}
    known = range(NEWEST, 0, -1)
    fitting = (one for one in (told, *known) if one in known and made >= {row[1::2] for row in schema_of(one, "table")})
    return next(fitting, told if told in known else 0)


def _named(pages: SqlitePages) -> Mapping[int, str]:
    """The ids of messages by their keys, as the index of ids has them."""
    rows = pages.rows(pages.index("sqlite_autoindex_message_1"))
    return {values[1]: values[0] for _, values in rows if [*map(type, values)] == [str, int]}


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
        self.unfit = 0
        self._columns: dict[str, list[_Column]] = {}
        listed = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        for name, sql in connection.execute(listed).fetchall():
            if not str(name).startswith(_MADE_AGAIN):
                self._columns[name] = _columns(connection, name, has_rowid="WITHOUT ROWID" not in sql)

    def add(self, name: str, rows: Iterable[Row]) -> None:
        columns = self._columns.get(name, [])
        for rowid, values in rows:
            if not _fits(columns, values):
                self.unfit += bool(columns)
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


_NO_MESSAGES: Final = (
    f"DELETE FROM message WHERE role NOT IN {get_args(Role)} OR state NOT IN {get_args(MessageState)} "
    "OR length(id) NOT BETWEEN 1 AND ?"
)

_OF_EARLIER: Final = """
    SELECT DISTINCT message.thread_key, talk.key, talk.id
    FROM message JOIN earlier.message AS theirs ON theirs.id = message.id
    JOIN earlier.thread AS talk ON talk.key = theirs.thread_key WHERE talk.id NOT IN (SELECT id FROM thread)
"""
"""Threads of the earlier state that can't be read here any more, though messages of them can."""

_AS_NAMED: Final = """
    UPDATE OR IGNORE message SET id = ? WHERE key = ? AND id NOT IN (SELECT id FROM earlier.message)
        AND ? IN (SELECT id FROM earlier.message)
"""
_SAME: Final = (
    "FROM earlier.message AS theirs WHERE theirs.key = message.key AND theirs.id <> message.id "
    "AND (theirs.created, theirs.parts) = (message.created, message.parts)"
)
_SAME_TEXT: Final = """
    UPDATE message SET parts = theirs.parts FROM earlier.message AS theirs
    WHERE theirs.id = message.id AND theirs.parts <> message.parts AND length(theirs.parts) = length(message.parts)
        AND theirs.state <> 'partial' AND substr(theirs.parts, 1, 1) = x'7B' AND NOT instr(theirs.parts, x'7B2224')
"""
"""A whole message never changes; one whose bytes alone did is damaged. What refers to blocks has their hashes."""

_TO_THEIR_THREADS: Final = """
    UPDATE message SET thread_key = mine.key
    FROM earlier.message AS theirs JOIN earlier.thread AS talk ON talk.key = theirs.thread_key
    JOIN thread AS mine ON mine.id = talk.id WHERE theirs.id = message.id AND message.thread_key <> mine.key
"""


def _be_as_in_earlier(connection: sqlite3.Connection, named: Mapping[int, str]) -> None:
    """Ids, threads and words of messages that were damaged become what they were: a merge takes all else for newer."""
    connection.executemany(_AS_NAMED, ((one, key, one) for key, one in named.items()))
    connection.execute(f"UPDATE OR IGNORE message SET id = theirs.id {_SAME}")
    connection.execute(f"DELETE FROM message WHERE EXISTS (SELECT 1 {_SAME})")
    theirs = {name for _, name, *_ in connection.execute("PRAGMA earlier.table_info(thread)")}
    ours = [name for _, name, *_ in connection.execute("PRAGMA main.table_info(thread)") if name in theirs]
    names = ", ".join(f'"{name}"' for name in ours if name != "key")
    for here, there, thread_id in connection.execute(_OF_EARLIER).fetchall():
        mine = connection.execute("SELECT id FROM thread WHERE key = ?", (here,)).fetchone()
        if mine and not connection.execute("SELECT 1 FROM earlier.thread WHERE id = ?", mine).fetchone():
            connection.execute("UPDATE OR IGNORE thread SET id = ? WHERE key = ?", (thread_id, here))
            continue
        copied = f"INSERT OR IGNORE INTO thread (key, {names}) SELECT ?, {names} FROM earlier.thread WHERE key = ?"
        connection.execute(copied, (None if mine else here, there))
    connection.execute(_TO_THEIR_THREADS)
    connection.execute(_SAME_TEXT)


def _put_in_order(connection: sqlite3.Connection) -> None:
    """A thread for messages whose own can't be read, with the newest of them as its tip."""
    orphans = """
        SELECT thread_key, min(created), max(created), count(*), id, max(key) FROM message
        WHERE thread_key NOT IN (SELECT key FROM thread) GROUP BY thread_key
    """
    for key, created, updated, count, tip, _ in connection.execute(orphans).fetchall():
        made = blake2b(f"{key} {tip}".encode(), digest_size=16).hexdigest()
        row = {"key": key, "id": made, "title": "", "created": created, "updated": updated, "tip": tip}
        row |= {"system": "", "pinned": 0, "archived": 0, "draft": "", "message_count": count}
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        connection.execute(f"INSERT OR IGNORE INTO thread ({names}) VALUES ({marks})", tuple(row.values()))
    if _has(connection, "device") and connection.execute("SELECT 1 FROM device").fetchone() is None:
        connection.execute("INSERT INTO device VALUES (lower(hex(randomblob(16))), 1)")
