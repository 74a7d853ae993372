"""Rows and stored texts of a history file, checked before they are trusted."""

from __future__ import annotations

import hashlib
import math
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from types import NoneType
from typing import Any, Final, get_args

from desktop_app.core.messages import BoundaryState, Failure, MessageState, Role
from desktop_app.storage.block_store import from_bytes, from_text, renumbered, to_bytes, to_text
from desktop_app.storage.file_format import readable
from desktop_app.storage.row_mapping import UNREADABLE, message_columns, message_from, storable_text

LOST: Final = 0
"""The key of a block that could not be brought along: no block has it, so its message says that it can't be read."""

MOST_BYTES: Final = 256 * 2**20
"""Of the texts that one message or request is made of; more is a trap."""

_SPLIT: Final = '{"$":{"$s":0}}'
"""In the first format's shells: the spine is what stands for one long string, its block first."""

_NO_TIME: Final = "1970-01-01T00:00:00.000Z"
_TIMES: Final = frozenset({"created", "updated", "started", "at"})
_MOST_TOKENS: Final = 10**12
_MOST_USD: Final = 10**6
_FIGURES: Final = frozenset({"input", "cache_read", "cache_write", "output", "thinking"})
_EMPTY: Final[Mapping[str, Any]] = {"v": 1, "parts": []}

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "int": (int,),
    "str": (str,),
    "str | None": (str, NoneType),
    "float | None": (int, float, NoneType),
    "FailureCode": (str,),
    "BoundaryCause": (str,),
    "tuple[str, ...]": (tuple,),
}


class Table:
    """One table of two files that have the same format: reads from the other one, adds to ours."""

    def __init__(self, target: sqlite3.Connection, name: str) -> None:
        columns = target.execute(f"PRAGMA table_info({name})").fetchall()
        self._columns = [(column[1], _kind_of(column[2]), bool(column[3])) for column in columns]
        listed = ", ".join(f'{name}."{column[1]}"' for column in columns)
        self._select = f"SELECT {listed} FROM "
        self.name = name

    def rows(self, source: sqlite3.Connection, where: str, *values: object) -> Iterator[dict[str, Any]]:
        """The rows behind FROM; those with a value of a kind that a column can't have are left out."""
        for row in source.execute(self._select + where, values):
            if (sound := self.sound(row)) is not None:
                yield sound

    def sound(self, row: Sequence[Any]) -> dict[str, Any] | None:
        """The values of a row by column; None where one is of a kind that its column can't have."""
        sound = {name: _sound(value, name, kind) for (name, kind, _), value in zip(self._columns, row, strict=True)}
        return sound if all(sound[name] is not None for name, _, needed in self._columns if needed) else None

    def sound_of(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """As `sound`, of values by column; one that is not there is NULL."""
        return self.sound([values.get(name) for name, _, _ in self._columns])

    def add(self, target: sqlite3.Connection, values: Mapping[str, object], *, instead: str = "") -> int:
        """Adds a row, other columns NULL or as the table has it; returns its key. `instead`: OR IGNORE, OR REPLACE."""
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        statement = f"INSERT {instead} INTO {self.name} ({names}) VALUES ({marks})"
        return target.execute(statement, tuple(values.values())).lastrowid or 0


class Blocks:
    """Brings blocks along, each once; what is remembered of them counts until `forget`."""

    def __init__(self, source: sqlite3.Connection, put: Callable[[str], int]) -> None:
        self._source = source
        self._put = put
        self._keys: dict[int, tuple[int, int]] = {}
        self._room = MOST_BYTES
        self.lost = 0

    def forget(self) -> None:
        """The keys are void: their transaction was undone, or blocks may have been removed since."""
        self._keys.clear()

    def parts(self, stored: bytes) -> tuple[bytes, bool]:
        """A message's parts with our keys, and whether all of their texts could be brought along."""
        self._room, lost = MOST_BYTES, self.lost
        try:
            if not isinstance(packed := from_bytes(stored), dict):
                raise TypeError("parts are an object")
            moved = to_bytes(renumbered(packed, self.key))
        except UNREADABLE:
            return b"", False  # reads as a message that can't be read
        return moved, self.lost == lost

    def request(self, body: bytes, kept: int) -> bytes | None:
        """A request's own part, before which `kept` elements stand, with our keys; None where any can't come along."""
        self._room, lost = MOST_BYTES, self.lost
        try:
            if not isinstance(packed := from_bytes(inflated(body, MOST_BYTES)), list) or not packed:
                raise TypeError("a request is a list")
            if _SPLIT in to_text(packed[0]) and kept == 0:
                packed[1] = self.key(packed[1])
            moved = zlib.compress(to_bytes(renumbered(packed, self.key, self._tree_key)))
        except UNREADABLE:
            return None
        return moved if self.lost == lost else None

    def key(self, key: int) -> int:
        """Our key of one of the other file's blocks, `LOST` where it is missing or not what it says."""
        if (found := self._keys.get(key)) is None:
            found = self._keys[key] = self._brought(key)
        ours, size = found
        self._room -= size
        if self._room < 0:
            raise ValueError("more text than a message or request has")
        self.lost += ours == LOST
        return ours

    def _tree_key(self, key: int) -> int:
        tree = from_text(self._text(key))
        return self._put(to_text(renumbered(tree, self.key)))

    def _text(self, key: int) -> str:
        row = self._source.execute("SELECT sha256, encoding, data FROM block WHERE key = ?", (key,)).fetchone()
        digest, encoding, data = row
        raw = inflated(data, self._room) if encoding == 1 else data
        if hashlib.sha256(raw).digest() != digest:
            raise ValueError("a block is not what it says")
        return str(raw.decode("utf-8", "surrogatepass"))

    def _brought(self, key: int) -> tuple[int, int]:
        try:
            text = self._text(key)
        except (*UNREADABLE, sqlite3.Error):
            return LOST, 0
        return self._put(text), len(text)


def message_row(row: Mapping[str, Any], name: str, names: Mapping[str, str]) -> dict[str, Any] | None:
    """A message's columns but keys, depth and parts, with the ids it goes by here. None: no message of ours."""
    if row["role"] not in get_args(Role) or row["state"] not in get_args(MessageState):
        return None
    message = message_from(_Row(row), thread_id="", parent_id=None, packed=_EMPTY, get=str)
    window = message.window if _is_typed(message.window) else None
    if window is not None and window.first_kept is not None:
        window = replace(window, first_kept=names.get(window.first_kept, window.first_kept))
    failure = message.failure if _is_typed(message.failure) else None
    columns = message_columns(replace(message, id=name, window=window, failure=failure), None)
    del columns["parts"]
    return columns


class _Row:
    """A row whose columns are attributes, as `row_mapping` reads them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)


def as_row(values: Mapping[str, Any]) -> Any:
    """The row with its columns as attributes."""
    return _Row(values)


def _is_typed(value: BoundaryState | Failure | None) -> bool:
    if value is None:
        return False
    for one in fields(value):
        held = getattr(value, one.name)
        if not isinstance(held, _KINDS[str(one.type)]) or isinstance(held, bool):
            return False
        if isinstance(held, tuple) and not all(isinstance(item, str) for item in held):
            return False
    return True


def _kind_of(declared: str) -> tuple[type, ...]:
    kinds: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "BLOB": (bytes,), "REAL": (int, float)}
    return kinds.get(declared, (int,))


def _sound(value: Any, name: str, kind: tuple[type, ...]) -> Any:
    if not isinstance(value, kind):
        return None
    if isinstance(value, str):
        return storable_text(value) if name not in _TIMES or not value or _is_time(value) else _NO_TIME
    if isinstance(value, int | float):
        if name in _FIGURES and not 0 <= value <= _MOST_TOKENS:
            return None
        if name == "cost_usd" and not (math.isfinite(value) and 0 <= value <= _MOST_USD):
            return None
    return value


def _is_time(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def inflated(data: bytes, most: int) -> bytes:
    """Return the data that was compressed; `ValueError` where it is longer than that, or not all there."""
    inflating = zlib.decompressobj()
    if len(raw := inflating.decompress(data, most + 1)) > most or not inflating.eof:
        raise ValueError("a block that is too long, or not all there")
    return raw


_ROWS: Final = 200
"""Read at once: some milliseconds."""

_SHA256: Final = 32
"""Bytes of a block's hash; behind them stands a mark where it is about to be removed."""

_ZLIB: Final = 1
"""The encoding of what is compressed, of blocks and of documents' texts."""

_READ: Final = {
    "block": "SELECT key, encoding, data, sha256 FROM block WHERE key > ? ORDER BY key LIMIT ?",
    "request": "SELECT key, 1, body, NULL FROM request WHERE key > ? ORDER BY key LIMIT ?",
    "document_text_part": "SELECT rowid, encoding, data, NULL FROM document_text_part WHERE rowid > ? "
    "ORDER BY rowid LIMIT ?",
}


def damaged_texts(
    connection: sqlite3.Connection, pause: Callable[[], None] = lambda: None
) -> Iterator[tuple[str, int]]:
    """Table and key of each row whose text can't be read, or is another one. `pause` is called between reads."""
    for table, query in _READ.items():
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is None:
            continue  # of an older format
        after, more = 0, True
        while more:
            more = False
            for key, encoding, data, sha256 in connection.execute(query, (after, _ROWS)):
                after, more = key, True
                if not _is_whole(encoding, data, sha256):
                    yield table, key
            pause()


def mend_blocks(path: Path, backups: Sequence[Path]) -> tuple[int, int]:
    """Puts damaged blocks back from the first backup that has them; how many were damaged, how many still are."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = readable
        left = dict.fromkeys(damaged_texts(connection))
        damaged = len(left)
        connection.execute("BEGIN")
        for backup in backups:
            blocks = [key for table, key in left if table == "block"]
            for key in _mended(connection, blocks, backup) if blocks else ():
                del left["block", key]
        connection.execute("COMMIT")
    return damaged, len(left)


def _mended(connection: sqlite3.Connection, keys: Iterable[int], backup: Path) -> Iterator[int]:
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("PRAGMA trusted_schema = OFF")
            for key in keys:
                (sha256,) = connection.execute("SELECT sha256 FROM block WHERE key = ?", (key,)).fetchone()
                found = source.execute("SELECT encoding, data FROM block WHERE sha256 = ?", (sha256[:_SHA256],))
                if (row := found.fetchone()) is not None and _is_whole(row[0], row[1], sha256):
                    connection.execute("UPDATE block SET encoding = ?, data = ? WHERE key = ?", (*row, key))
                    yield key
    except (sqlite3.Error, OSError):
        return  # the next one may have it


def _is_whole(encoding: Any, data: Any, sha256: Any) -> bool:
    try:
        raw = inflated(data, MOST_BYTES) if encoding == _ZLIB else data
        return sha256 is None or hashlib.sha256(raw).digest() == sha256[:_SHA256]
    except UNREADABLE:
        return False
