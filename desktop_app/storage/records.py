"""Owns the tables of `rows` in plain SQLite, for what is done with every message. Knows no core value.

A statement through SQLAlchemy costs ten times one without, and a session about 1 ms.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlmodel import SQLModel

from desktop_app.storage.rows import CallRow, ContextEventRow, MessageRow, RequestRow, ThreadRow, TurnRow


class TableRecords:
    """The records of one row class's table: tuples whose attributes are the columns."""

    def __init__(self, row: type[SQLModel]) -> None:
        table = str(row.__tablename__)
        names = [column.name for column in SQLModel.metadata.tables[table].columns]
        self._table = table
        self._inserts: dict[tuple[str, ...], str] = {}
        self._select = f"SELECT {_listed(names)} FROM {table} WHERE "
        record: Any = namedtuple(table, names)  # type: ignore[misc]
        self._record: Callable[[Iterable[Any]], Any] = record._make

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
        return list(map(self._record, connection.execute(self._select + where, values)))

    def first(self, connection: sqlite3.Connection, where: str, *values: object) -> Any:
        """The first of them, None if there is none."""
        found = connection.execute(f"{self._select}{where} LIMIT 1", values).fetchone()
        return None if found is None else self._record(found)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


THREADS = TableRecords(ThreadRow)
MESSAGES = TableRecords(MessageRow)
TURNS = TableRecords(TurnRow)
CALLS = TableRecords(CallRow)
REQUESTS = TableRecords(RequestRow)
EVENTS = TableRecords(ContextEventRow)
