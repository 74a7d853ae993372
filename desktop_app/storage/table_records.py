"""Reads and adds records by plain SQLite, with the device's Lamport clock that they are written with.

A statement through SQLAlchemy costs ten times one without."""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final


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
        statement = self._inserts.get(names)
        if statement is None:
            marks = ", ".join("?" * len(names))
            statement = self._inserts[names] = f"INSERT INTO {self._table} ({_listed(names)}) VALUES ({marks})"
        return connection.execute(statement, tuple(values.values())).lastrowid or 0

    def read(self, connection: sqlite3.Connection, where: str, *values: object) -> list[Any]:
        """The records that meet the condition, which may end in an order."""
        found = connection.execute(self._select + where, values)
        return list(map(_record(found), found))

    def first(self, connection: sqlite3.Connection, where: str, *values: object) -> Any:
        """The first of them, None if there is none."""
        return next(iter(self.read(connection, f"{where} LIMIT 1", *values)), None)


def _record(found: sqlite3.Cursor) -> Callable[[Iterable[Any]], Any]:
    return _made(tuple(column[0] for column in found.description))


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
