"""Reads and writes messages and the user's marks on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from desktop_app.core.errors import UserError
from desktop_app.core.messages import LONGEST_ANSWER, Message, MessageMark, known_rating
from desktop_app.core.phrases import phrase
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.row_mapping import (
    blocks_of,
    message_columns,
    message_from,
    pack_parts,
    packed_parts,
    storable_text,
)
from desktop_app.storage.search_index import add_later, add_to_index, remove_from_index
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import MESSAGES
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


_GROWS = "SELECT 1 FROM turn WHERE answer_key = ? AND state = 'running'"
_MARK = "UPDATE message SET parts = ? WHERE key = ?"
_AT_ONCE = 500
"""Messages read with one statement."""


class MessageStore:
    """The messages of the history file. Methods that take a connection run inside the caller's transaction."""

    def __init__(self, transactions: Transactions, blocks: BlockStore) -> None:
        self._transactions = transactions
        self._blocks = blocks

    def all(self, thread_id: str, most: int | None = None) -> Sequence[Message]:
        with self._transactions.read_plain() as connection:
            key = live_thread(connection, thread_id).key
            rows = MESSAGES.read(connection, "thread_key = ? ORDER BY key", key)
            packed = [packed_parts(row) for row in rows]
            get = read_blocks(connection, blocks_of(packed), most)
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

    def write_marked(self, answer: Message) -> None:
        """Overwrites the parts of an ended answer; `UserError("store")` for one that is still growing."""
        with self._transactions.write_plain() as connection:
            row = self.row(connection, answer.id)
            before = self.read(connection, row)
            if connection.execute(_GROWS, (row.key,)).fetchone() is not None or before.role != "assistant":
                raise UserError("store", phrase("This answer is still coming. Wait until it is complete."))
            if len(before.text) > LONGEST_ANSWER:  # what is marked is its beginning, as far as it is shown
                raise UserError("store", phrase("This answer is too long to keep a part of it as an artifact."))
            remove_from_index(connection, row.key, row.thread_key, before)
            connection.execute(_MARK, (pack_parts(answer.parts, self._blocks.put), row.key))
            add_to_index(connection, row.key, row.thread_key, answer)

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
