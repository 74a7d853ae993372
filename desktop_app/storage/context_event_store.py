"""The context events in the file: what became of a thread's context, when, and by which request."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import EventCount, StoredEvent
from desktop_app.core.phrases import phrase
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import EVENTS, TURNS
from desktop_app.storage.thread_store import any_thread, live_thread

if TYPE_CHECKING:
    from desktop_app.core.context.plan import ContextEvent

_OF_THREAD = """
    SELECT kind, "before", "after", messages, context_event.model, at, question.id, answer.id, context_event.cost_usd
    FROM context_event
    LEFT JOIN turn ON turn.key = turn_key
    LEFT JOIN message AS question ON question.key = user_key
    LEFT JOIN message AS answer ON answer.key = answer_key
    WHERE context_event.thread_key = ? ORDER BY at, context_event.key
"""

_COUNTS = """
    SELECT thread.id, substr(at, 1, 10) AS day, kind, count(*)
    FROM context_event LEFT JOIN thread ON thread.key = thread_key
    GROUP BY thread_key, day, kind ORDER BY day DESC, kind
"""


class ContextEventStore:
    """The context events of the history file. `add` runs in the caller's transaction."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def record(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None,
        cost_usd: float | None,
    ) -> None:
        with self._transactions.write_plain() as connection:
            thread_key = None if thread_id is None else any_thread(connection, thread_id).key
            turn_key = None
            if turn_id is not None:
                turn = TURNS.first(connection, "id = ?", turn_id)
                if turn is None:
                    raise UserError("usage", phrase("There is no turn {turn_id}.", turn_id=turn_id))
                turn_key = turn.key
            self.add(connection, events, at=at, thread_key=thread_key, turn_key=turn_key, cost_usd=cost_usd)

    def add(
        self,
        connection: sqlite3.Connection,
        events: Iterable[ContextEvent],
        *,
        at: str,
        thread_key: int | None,
        turn_key: int | None,
        cost_usd: float | None = None,
    ) -> None:
        """Stores events that happened together."""
        where = {"thread_key": thread_key, "turn_key": turn_key, "at": at, "cost_usd": cost_usd}
        for event in events:
            EVENTS.add(connection, where | asdict(event))

    def of_thread(self, thread_id: str) -> Sequence[StoredEvent]:
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_OF_THREAD, (live_thread(connection, thread_id).key,)).fetchall()
        from desktop_app.core.context.plan import ContextEvent

        return tuple(StoredEvent(ContextEvent(*row[:5]), *row[5:]) for row in rows)

    def counts(self) -> Sequence[EventCount]:
        with self._transactions.read_plain() as connection:
            return tuple(EventCount(*row) for row in connection.execute(_COUNTS))
