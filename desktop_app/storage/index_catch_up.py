"""Lets the full-text index catch up: after a step of the file's format, an import, a long document."""

from __future__ import annotations

from desktop_app.core.messages import Message
from desktop_app.core.search_terms import whole_text
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.search_index import catch_up
from desktop_app.storage.sqlite_connection import Transactions

SLICE_MESSAGES, SLICE_CHARACTERS = 100, 100_000
"""Messages and characters indexed at once, or one message: 20-40 ms, for which other writes wait."""

# By the thread's messages: all those that wait may be a hundred times as many.
_OF_THREAD = """
    SELECT message.key FROM message CROSS JOIN unindexed USING (key)
    WHERE thread_key = (SELECT key FROM thread WHERE id = ?) ORDER BY message.key DESC LIMIT ?
"""


class Indexing:
    """Works off the messages that wait, newest first, a slice a transaction; who is ended in between goes on later."""

    def __init__(self, transactions: Transactions, messages: MessageStore) -> None:
        self._transactions = transactions
        self._messages = messages

    def step(self, thread_id: str | None = None) -> bool:
        """One slice, of one thread if it is named; False if nothing waited."""
        connection = self._transactions.connection
        # without the lock of a write: this is asked whenever the database has a quiet moment
        if self._transactions.read_only or not self._waiting(thread_id, 1):
            return False
        with self._transactions.write_plain():
            keys = self._waiting(thread_id, SLICE_MESSAGES)
            found: list[tuple[int, int, Message]] = []
            size = 0
            for row, message in self._messages.read_many(connection, keys):
                found.append((row.key, row.thread_key, message))
                size += len(whole_text(message))
                if size > SLICE_CHARACTERS:
                    break
            catch_up(connection, found)
        return bool(found)

    def _waiting(self, thread_id: str | None, most: int) -> list[int]:
        """The newest keys of what waits."""
        connection = self._transactions.connection
        if thread_id is None:
            rows = connection.execute("SELECT key FROM unindexed ORDER BY key DESC LIMIT ?", (most,))
        else:
            rows = connection.execute(_OF_THREAD, (thread_id, most))
        return [key for (key,) in rows]
