"""Owns the full-text index of the messages. Knows which text of a message is found, nothing of how hits are shown.

The index holds no text of its own: its row of a message is taken out by giving the same text again.
"""

from __future__ import annotations

import sqlite3

from desktop_app.core.messages import Message
from desktop_app.storage.mapping import storable_text


def add_to_index(connection: sqlite3.Connection, key: int, message: Message) -> None:
    """Makes the message with row `key` findable by its text; one without text has no row in the index."""
    if text := storable_text(message.text):
        connection.execute("INSERT INTO message_text (rowid, text) VALUES (?, ?)", (key, text))


def remove_from_index(connection: sqlite3.Connection, key: int, message: Message) -> None:
    """Takes out what `add_to_index` put in for the same message."""
    if text := storable_text(message.text):
        connection.execute("INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?, ?)", (key, text))
