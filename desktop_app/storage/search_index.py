"""The full-text index of the messages.

The index holds no text of its own: its row of a message is taken out by giving the same text again. A message is in
the index, or in the table `unindexed`, or a growing answer, which is indexed when it has ended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from desktop_app.core.messages import Message
from desktop_app.core.search_terms import attached_text, fold, index_text

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
    """The terms by which the index finds messages of a thread, role, model (nearly) or month (`2026-03`).

    They begin with a character that no term of a text has.
    """
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
