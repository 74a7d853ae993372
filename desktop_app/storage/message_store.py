"""Reads and writes messages, the user's marks on them, and the full-text index of their texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from desktop_app.core.conversation import without_deleted
from desktop_app.core.errors import UserError
from desktop_app.core.messages import LONGEST_ANSWER, Message, MessageMark, known_rating
from desktop_app.core.phrases import phrase
from desktop_app.core.search_terms import attached_text, fold, index_text
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.first_screen import TAIL, rows_of
from desktop_app.storage.row_mapping import (
    blocks_of,
    message_columns,
    message_from,
    pack_parts,
    packed_parts,
    storable_text,
    thread_from,
)
from desktop_app.storage.sqlite_connection import MESSAGES, THREADS, Topic, Transactions
from desktop_app.storage.thread_store import live_thread

AT_ONCE = 20_000
"""Characters of a message's text up to which it is indexed with the message itself: 7 ms or less."""

_INSERT = "INSERT INTO message_text (rowid, said, attached) VALUES (?, ?, ?)"
_DELETE = "INSERT INTO message_text (message_text, rowid, said, attached) VALUES ('delete', ?, ?, ?)"


def add_to_index(connection: sqlite3.Connection, key: int, thread_key: int, message: Message) -> None:
    """Makes the message with row `key` findable: at once, or soon where it is long."""
    if is_unindexed(connection, key):
        return
    if len(message.text) + len(attached_text(message)) > AT_ONCE:
        add_later(connection, key)
    else:
        connection.execute(_INSERT, (key, *_columns(thread_key, message)))


def add_later(connection: sqlite3.Connection, key: int) -> None:
    """Has the message with row `key` indexed by one of the next slices."""
    connection.execute("INSERT INTO unindexed (key) VALUES (?)", (key,))


def remove_from_index(connection: sqlite3.Connection, key: int, thread_key: int, message: Message) -> None:
    """Takes out what `add_to_index` or `add_later` put in for the same message."""
    if is_unindexed(connection, key):
        connection.execute("DELETE FROM unindexed WHERE key = ?", (key,))
    else:
        connection.execute(_DELETE, (key, *_columns(thread_key, message)))


def catch_up(connection: sqlite3.Connection, messages: Iterable[tuple[int, int, Message]]) -> None:
    """Indexes messages of `unindexed`: row key, thread's key and message of each."""
    rows = [(key, *_columns(thread_key, message)) for key, thread_key, message in messages]
    # A row is cheap to add only above those that the same transaction has added.
    connection.executemany(_INSERT, sorted(rows))
    connection.executemany("DELETE FROM unindexed WHERE key = ?", [(row[0],) for row in rows])


def is_unindexed(connection: sqlite3.Connection, key: int) -> bool:
    """True where the message waits for `catch_up`."""
    return connection.execute("SELECT 1 FROM unindexed WHERE key = ?", (key,)).fetchone() is not None


def unindexed_count(connection: sqlite3.Connection) -> int:
    """Return how many messages are not in the index yet."""
    return int(connection.execute("SELECT count(*) FROM unindexed").fetchone()[0])


def fact_terms(
    *, thread_key: int | None = None, role: str | None = None, model: str | None = None, month: str | None = None
) -> Iterator[str]:
    """The index's terms for thread, role, model (nearly) or month (`2026-03`); no text's begin as they do."""
    if thread_key is not None:
        yield f"§t{thread_key}"
    if role is not None:
        yield f"§r{role}"
    if model is not None:
        yield "§m" + _one_word(fold(model))
    if month is not None:
        yield "§d" + _one_word(month[:4] + month[5:7])


def _one_word(text: str) -> str:
    return "".join(one if one.isalnum() else "·" for one in text)


def _columns(thread_key: int, message: Message) -> tuple[str, str]:
    facts = fact_terms(thread_key=thread_key, role=message.role, model=message.model, month=message.created)
    return " ".join((*facts, index_text(message.text))), index_text(attached_text(message))


_OF_THREAD = """
    SELECT message.id, rating, note FROM mark JOIN message ON message.key = mark.message_key
    WHERE thread_key = ? ORDER BY message.key
"""
_WRITE = """
    INSERT INTO mark (message_key, rating, note) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET rating = excluded.rating, note = excluded.note
"""


class MarkStore(Topic):
    """The marks of the history file; those of a deleted thread stay and come back with it."""

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
NEAR = 8
"""Messages from the end among which the last answer with words is looked for: rounds of tools have none."""


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

    def last_answers(self, thread_ids: Sequence[str]) -> Mapping[str, str]:
        """The text of the last answer of each thread that has words, by the thread's id; "" where none is near."""
        found = dict.fromkeys(thread_ids, "")
        with self._transactions.read_plain() as connection:
            for thread in THREADS.read(connection, f"id IN ({', '.join('?' * len(found))})", *found):
                rows = rows_of(connection, TAIL, thread.tip, NEAR)
                heads = tuple(Message(one.id, thread.id, one.parent_id, one.role, (), "") for one in rows)
                shown = {one.id for one in without_deleted(heads, thread_from(thread).choices)}
                for row in reversed(rows):
                    if row.role == "assistant" and row.id in shown and not found[thread.id]:
                        found[thread.id] = self.read(connection, row).text
        return found

    def row(self, connection: sqlite3.Connection, message_id: str) -> Any:
        """The stored columns of a message; `UserError("usage")` if there is none."""
        if (found := MESSAGES.first(connection, "id = ?", message_id)) is None:
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


class MessageTopic(Topic):
    """A topic that reads messages, too."""

    def __init__(self, transactions: Transactions, messages: MessageStore) -> None:
        super().__init__(transactions)
        self._messages = messages
