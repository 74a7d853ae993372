"""Owns reading and writing messages. Knows their rows and blocks, nothing of turns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from desktop_app.core.errors import UserError
from desktop_app.core.messages import Message
from desktop_app.core.phrases import phrase
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.records import MESSAGES
from desktop_app.storage.row_mapping import blocks_of, message_columns, message_from, packed_parts
from desktop_app.storage.search_index import add_later, add_to_index
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.thread_store import live_thread

_AT_ONCE = 500
"""Messages read with one statement."""


class MessageStore:
    """The messages of the history file. Methods that take a connection run inside the caller's transaction."""

    def __init__(self, transactions: Transactions, blocks: BlockStore) -> None:
        self._transactions = transactions
        self._blocks = blocks

    def all(self, thread_id: str) -> Sequence[Message]:
        with self._transactions.read_plain() as connection:
            key = live_thread(connection, thread_id).key
            rows = MESSAGES.read(connection, "thread_key = ? ORDER BY key", key)
            packed = [packed_parts(row) for row in rows]
            get = read_blocks(connection, blocks_of(packed))
        ids = {row.key: row.id for row in rows}
        return tuple(
            message_from(row, thread_id=thread_id, parent_id=ids.get(row.parent_key), packed=one, get=get)
            for row, one in zip(rows, packed, strict=True)
        )

    def one(self, message_id: str) -> Message:
        with self._transactions.read_plain() as connection:
            return self.read(connection, self.row(connection, message_id))

    def row(self, connection: sqlite3.Connection, message_id: str) -> Any:
        """The stored columns of a message; `UserError("usage")` if there is none."""
        found = MESSAGES.first(connection, "id = ?", message_id)
        if found is None:
            raise UserError("usage", phrase("There is no message {message_id}.", message_id=message_id))
        return found

    def read(self, connection: sqlite3.Connection, row: Any) -> Message:
        """The message of the stored columns."""
        links = "SELECT id, (SELECT id FROM message WHERE key = ?) FROM thread WHERE key = ?"
        thread_id, parent_id = connection.execute(links, (row.parent_key, row.thread_key)).fetchone()
        packed = packed_parts(row)
        get = read_blocks(connection, blocks_of((packed,)))
        return message_from(row, thread_id=thread_id, parent_id=parent_id, packed=packed, get=get)

    def read_many(self, connection: sqlite3.Connection, keys: Iterable[int]) -> Iterator[tuple[Any, Message]]:
        """Stored columns and message of each key, highest key first, without the ids of its thread and parent."""
        ordered = sorted(keys, reverse=True)
        for start in range(0, len(ordered), _AT_ONCE):
            some = ordered[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = MESSAGES.read(connection, f"key IN ({marks}) ORDER BY key DESC", *some)
            packed = [packed_parts(row) for row in rows]
            get = read_blocks(connection, blocks_of(packed))
            for row, one in zip(rows, packed, strict=True):
                yield row, message_from(row, thread_id="", parent_id=None, packed=one, get=get)

    def add(
        self,
        connection: sqlite3.Connection,
        message: Message,
        thread_key: int,
        *,
        growing: bool = False,
        found: Literal["now", "later"] = "now",
    ) -> int:
        """Stores a message and returns its key; its parent must be stored.

        A growing one is indexed when it ends, all others now, or `found` later by the index's catching up.
        """
        parent_key, depth = None, 1
        if message.parent_id is not None:
            parent_key, depth = self._below(connection, message, thread_key)
        columns = message_columns(message, None if growing else self._blocks.put)
        columns |= {"thread_key": thread_key, "parent_key": parent_key, "depth": depth}
        key = MESSAGES.add(connection, columns)
        if found == "later":
            add_later(connection, key)
        elif not growing:
            add_to_index(connection, key, thread_key, message)
        return key

    def _below(self, connection: sqlite3.Connection, message: Message, thread_key: int) -> tuple[int, int]:
        """The parent's key and the depth below it."""
        where = (message.parent_id,)
        found = connection.execute("SELECT key, depth, thread_key FROM message WHERE id = ?", where).fetchone()
        if found is None:
            raise UserError("usage", phrase("There is no message {parent_id}.", parent_id=message.parent_id))
        if found[2] != thread_key:
            raise ValueError(f"the parent of message {message.id} is in another thread")
        return found[0], found[1] + 1
