"""Owns reading and writing the user's marks on messages. Knows their table, nothing of what marks are for."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from desktop_app.core.errors import UserError
from desktop_app.core.message_marks import MessageMark, known_rating
from desktop_app.core.phrases import phrase
from desktop_app.storage.row_mapping import storable_text
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.thread_store import live_thread

_OF_THREAD = """
    SELECT message.id, rating, note FROM mark JOIN message ON message.key = mark.message_key
    WHERE thread_key = ? ORDER BY message.key
"""
_WRITE = """
    INSERT INTO mark (message_key, rating, note) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET rating = excluded.rating, note = excluded.note
"""


class MarkStore:
    """The marks of the history file; those of a deleted thread stay and come back with it."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def of_thread(self, thread_id: str) -> Mapping[str, MessageMark]:
        with self._transactions.read_plain() as connection:
            key = live_thread(connection, thread_id).key
            rows = connection.execute(_OF_THREAD, (key,)).fetchall()
        return {message_id: MessageMark(known_rating(rating), note) for message_id, rating, note in rows}

    def save(self, thread_id: str, message_id: str, mark: MessageMark) -> None:
        """Writes the mark of one message; an empty one removes it. `UserError("usage")` for an unknown message."""
        with self._transactions.write_plain() as connection:
            thread_key = live_thread(connection, thread_id).key
            where = (message_id, thread_key)
            row = connection.execute("SELECT key FROM message WHERE id = ? AND thread_key = ?", where).fetchone()
            if row is None:
                raise UserError("usage", phrase("There is no message {message_id}.", message_id=message_id))
            write_mark(connection, row[0], mark)


def write_mark(connection: sqlite3.Connection, message_key: int, mark: MessageMark) -> None:
    """Writes the mark of the message with that row key inside the caller's transaction; an empty one removes it."""
    if mark.empty:
        connection.execute("DELETE FROM mark WHERE message_key = ?", (message_key,))
    else:
        connection.execute(_WRITE, (message_key, mark.rating, storable_text(mark.note)))
