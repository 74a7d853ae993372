"""Writes what can still be read of a damaged history into a new one, page by page and row by row."""

from __future__ import annotations

import mmap
import sqlite3
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, get_args

from desktop_app.core.messages import MessageState, Role
from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.storage.migrations import STEPS, migrate, schema_of
from desktop_app.storage.thread_store import LONGEST_ID
from desktop_app.system.private_files import make_private_file

MAGIC: Final = b"SQLite format 3\x00"
_SIZES: Final = frozenset(2**power for power in range(9, 17))
_HEADER: Final = 100
_LEAF, _INTERIOR, _INDEX_LEAF, _INDEX_INTERIOR = 0x0D, 0x05, 0x0A, 0x02
_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_MOST_VALUE: Final = 1_000_000_000
_FIXED: Final = {0: None, 8: 0, 9: 1}
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

_DAMAGED: Final = (ValueError, LookupError, struct.error)
Row = tuple[int, list[Any]]
"""The rowid (0 in a table without) and the values, as many as the row has."""


@dataclass(frozen=True, slots=True)
class Root:
    """A table's page in the schema; `sql` is what made it."""

    name: str
    page: int
    sql: str


class SqlitePages:
    """The pages of one file. `page_size` is used where the file does not tell its own."""

    def __init__(self, path: Path, page_size: int = 4096) -> None:
        self._file = _mapped(path)
        self._newer, wal_size = _pages_of_wal(path.with_name(f"{path.name}-wal"))
        first = self._newer.get(1, self._file[:_HEADER])
        self.has_header = first[:16] == MAGIC
        told = int.from_bytes(first[16:18], "big") if self.has_header else 0
        told = 65_536 if told == 1 else told
        self.page_size = wal_size or (told if told in _SIZES else page_size)
        first = self._newer.get(1) or self._file[: self.page_size]
        self._usable = self.page_size - (first[20] if self.has_header and first[20] < 64 else 0)
        self.version = int.from_bytes(first[60:64], "big") if self.has_header else 0
        self.application = int.from_bytes(first[68:72], "big") if self.has_header else 0
        self._free = int.from_bytes(first[32:36], "big") if self.has_header else 0
        here = -(-len(self._file) // self.page_size)
        self.count = max([here, *self._newer])
        self.seen: set[int] = set()
        """The pages that a table was followed to."""
        self.damaged = 0
        """Pages that should hold rows and can't be read, and rows that can't."""

    @cached_property
    def _schema(self) -> Sequence[Row]:
        return [row for row in self.rows(1) if len(row[1]) >= 5]

    def roots(self) -> Sequence[Root]:
        """The tables as the file's own schema names them; none where that can't be read."""
        found: list[Root] = []
        for _, values in self._schema:
            match values:
                case ["table", str(name), _, int(page), str(sql), *_] if 1 < page <= self.count:
                    found.append(Root(name, page, sql))
        return found

    def index(self, name: str) -> int:
        """The page of an index, as the file's own schema tells; 0 where that can't be read."""
        places = [page for _, (kind, found, _, page, *_) in self._schema if (kind, found) == ("index", name)]
        return places[0] if places and isinstance(places[0], int) else 0

    def rows(self, root: int) -> Iterator[Row]:
        """The rows of the table with this root, those behind a damaged page left out."""
        waiting = [root]
        while waiting:
            if (number := waiting.pop()) in self.seen or not 1 <= number <= self.count:
                self.damaged += 1
                continue
            self.seen.add(number)
            page = self.page(number)
            start = _HEADER if number == 1 else 0
            kind = page[start] if len(page) > start else 0
            if kind in {_LEAF, _INDEX_LEAF}:
                yield from self._rows_of(page, start, kind)
            elif kind in {_INTERIOR, _INDEX_INTERIOR}:
                children = self._children(page, start)
                if kind == _INDEX_INTERIOR:
                    yield from self._rows_of(page, start, kind)
                waiting += reversed(children)
            else:
                self.damaged += 1

    def lost_pages(self) -> Iterator[Sequence[Row]]:
        """The rows of each page of rows that no table led to, and that is not free: of what a damaged page led to."""
        free = self._free_pages()
        for number in range(2, self.count + 1):
            if number in self.seen or number in free:
                continue
            page = self.page(number)
            if page[:1] == bytes([_LEAF]) and (rows := list(self._rows_of(page, 0, _LEAF))):
                yield rows

    def page(self, number: int) -> bytes:
        """The page, from the -wal where that has it; empty where the file ends before it."""
        if (newer := self._newer.get(number)) is not None:
            return newer
        return self._file[(number - 1) * self.page_size : number * self.page_size]

    def _children(self, page: bytes, start: int) -> list[int]:
        try:
            last = int.from_bytes(page[start + 8 : start + 12], "big")
            return [int.from_bytes(page[cell : cell + 4], "big") for cell in self._cells(page, start, 12)] + [last]
        except _DAMAGED:
            self.damaged += 1
            return []

    def _cells(self, page: bytes, start: int, header: int) -> tuple[int, ...]:
        (count,) = struct.unpack_from(">H", page, start + 3)
        if start + header + 2 * count > len(page):
            raise ValueError("more cells than a page has room for")
        return struct.unpack_from(f">{count}H", page, start + header)

    def _rows_of(self, page: bytes, start: int, kind: int) -> Iterator[Row]:
        try:
            cells = self._cells(page, start, 12 if kind == _INDEX_INTERIOR else 8)
        except _DAMAGED:
            self.damaged += 1
            return
        for cell in cells:
            try:
                yield self._row(page, cell + (4 if kind == _INDEX_INTERIOR else 0), with_rowid=kind == _LEAF)
            except _DAMAGED:
                self.damaged += 1

    def _row(self, page: bytes, at: int, *, with_rowid: bool) -> Row:
        size, at = _varint(page, at)
        rowid = 0
        if with_rowid:
            rowid, at = _varint(page, at)
        return rowid, _record(self._payload(page, at, size, with_rowid=with_rowid))

    def _payload(self, page: bytes, at: int, size: int, *, with_rowid: bool) -> bytes:
        usable = self._usable
        if not 0 < size <= min(_MOST_VALUE, self.count * self.page_size):
            raise ValueError("a row of no possible size")
        most = usable - 35 if with_rowid else (usable - 12) * 64 // 255 - 23
        if size <= most:
            return _whole(page[at : at + size], size)
        least = (usable - 12) * 32 // 255 - 23
        if (here := least + (size - least) % (usable - 4)) > most:
            here = least
        found = bytearray(_whole(page[at : at + here], here))
        following = int.from_bytes(_whole(page[at + here : at + here + 4], 4), "big")
        visited: set[int] = set()
        while len(found) < size:
            if following in visited or not 1 < following <= self.count:
                raise ValueError("the rest of a row is missing")
            visited.add(following)
            rest = self.page(following)
            found += _whole(rest[4:usable], usable - 4)
            following = int.from_bytes(rest[:4], "big")
        self.seen |= visited
        return bytes(found[:size])

    def _free_pages(self) -> set[int]:
        """The pages that the file counts as free: what they hold was deleted."""
        free: set[int] = set()
        trunk = self._free
        while 1 < trunk <= self.count and trunk not in free:
            free.add(trunk)
            if len(page := self.page(trunk)) < 8:
                break
            trunk, count = struct.unpack_from(">II", page)
            if 8 + 4 * count <= len(page):
                free |= set(struct.unpack_from(f">{count}I", page, 8))
        return free


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # it is empty
            return b""


def _whole(found: bytes, size: int) -> bytes:
    if len(found) != size:
        raise ValueError("the page ends before")
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at this place, as a signed one of 64 bits, and the place behind it."""
    value = 0
    for index in range(9):
        byte = data[at + index]
        if index == 8:
            value = value << 8 | byte
            return value - (1 << 64) if value >= 1 << 63 else value, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise ValueError("a number without an end")


def _record(payload: bytes) -> list[Any]:
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise ValueError("a record whose head does not fit")
    values: list[Any] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return values


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in _FIXED:
        return _FIXED[kind], at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(_whole(payload[at:end], end - at), "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind < 12:
        raise ValueError("a kind of value that is not used")
    size = (kind - 12) // 2
    raw = _whole(payload[at : at + size], size)
    return (raw if kind % 2 == 0 else raw.decode("utf-8")), at + size


def _pages_of_wal(path: Path) -> tuple[Mapping[int, bytes], int]:
    """The pages of all whole transactions, and their size; 0 where there are none."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}, 0
    if len(data) < _WAL_HEADER:
        return {}, 0
    magic, _, size, _, salt1, salt2, sum1, sum2 = struct.unpack_from(">8I", data)
    if magic not in _WAL_MAGIC or size not in _SIZES:
        return {}, 0
    order = ">" if magic & 1 else "<"
    if (sums := _checksum(data[:24], order, (0, 0))) != (sum1, sum2):
        return {}, 0
    pages: dict[int, bytes] = {}
    open_pages: dict[int, bytes] = {}
    for at in range(_WAL_HEADER, len(data) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, committed, *salts, sum1, sum2 = struct.unpack_from(">6I", data, at)
        page = data[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if salts != [salt1, salt2]:
            break
        if (sums := _checksum(page, order, _checksum(data[at : at + 8], order, sums))) != (sum1, sum2):
            break
        open_pages[number] = page
        if committed:
            pages |= open_pages
            open_pages.clear()
    return pages, size if pages else 0


def _checksum(data: bytes, order: str, before: tuple[int, int]) -> tuple[int, int]:
    one, two = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


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
            if (name := writing.table_of(rows)) is not None:
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
