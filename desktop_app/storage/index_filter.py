"""Owns what narrows a search, as terms of the index and conditions of SQL. Knows no words and no hits."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.core.history_records import SearchWithin
from desktop_app.storage.deleted_messages import NOT_DELETED
from desktop_app.storage.search_index import fact_terms
from desktop_app.storage.thread_store import live_thread

_FROM = "SELECT term FROM temp.word_place WHERE term >= ? LIMIT 1"
_MARKS = {"up": " AND mark.rating = 'up'", "down": " AND mark.rating = 'down'", "note": " AND mark.note != ''"}


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """A `SearchWithin` as the database is asked. The table `temp.word_place` (`fts5vocab`, by instance) is there."""

    within: SearchWithin
    thread_key: int | None
    values: Mapping[str, Any]
    """What `conditions` asks of a row of `message`, in its order."""

    @classmethod
    def of(cls, connection: sqlite3.Connection, within: SearchWithin) -> IndexFilter:
        """`UserError("usage")` for an unknown thread."""
        given = {
            "role = ?": within.role,
            "model = ?": within.model,
            "created >= ?": within.since,
            "created < ?": within.until,
        }
        thread_key = None if within.thread_id is None else live_thread(connection, within.thread_id).key
        return cls(within, thread_key, {name: value for name, value in given.items() if value is not None})

    @property
    def terms(self) -> list[str]:
        """Thread, role and model as the index has them; not the time."""
        facts = fact_terms(thread_key=self.thread_key, role=self.within.role, model=self.within.model)
        return [f'"{term}"' for term in facts]

    @property
    def conditions(self) -> str:
        """On `message`, beside what a query of `terms` holds for certain, and on `mark` where marks are asked for."""
        asked = "".join(f" AND message.{name}" for name in self.values)
        return asked + _MARKS.get(self.within.marked or "", "") + NOT_DELETED

    def months(self, connection: sqlite3.Connection) -> list[str]:
        """The terms of all months of which there are messages in its time, oldest first."""
        (first,), (last,) = fact_terms(month=self.within.since or ""), fact_terms(month=self.within.until or "~")
        found: list[str] = []
        after = connection.execute(_FROM, (first,)).fetchone()
        while after is not None and after[0].startswith("§d") and after[0] <= last:
            found.append(after[0])
            # behind the month and before the next: asked for what is greater, SQLite would read all of its messages
            after = connection.execute(_FROM, (f"{after[0]}0",)).fetchone()
        return found


def rows_of(connection: sqlite3.Connection, statement: str, values: Sequence[Any]) -> list[sqlite3.Row]:
    """All rows by their columns' names."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(statement, values).fetchall()
