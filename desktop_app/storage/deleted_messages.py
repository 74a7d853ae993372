"""Owns the table of the messages that are deleted on every branch, which no search finds. Knows no text."""

from __future__ import annotations

import sqlite3

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.conversation import Conversation
from desktop_app.core.deletions import shown_nowhere
from desktop_app.core.messages import Message

NOT_DELETED = " AND message.key NOT IN (SELECT message_key FROM deleted_message)"
"""A condition on `message`: it is shown on some branch."""

_TREE = """
    SELECT message.key, message.id, above.id FROM message
    LEFT JOIN message AS above ON above.key = message.parent_key WHERE message.thread_key = ? ORDER BY message.key
"""
_CLEAR = "DELETE FROM deleted_message WHERE message_key IN (SELECT key FROM message WHERE thread_key = ?)"


def write_deleted(connection: sqlite3.Connection, thread_key: int, choices: ContextChoices) -> None:
    """Brings the table up to what a thread's choices say, inside the caller's transaction."""
    connection.execute(_CLEAR, (thread_key,))
    if not choices.deleted:
        return
    keys: dict[str, int] = {}
    conversation = Conversation()
    for key, message_id, parent_id in connection.execute(_TREE, (thread_key,)):
        keys[message_id] = key
        conversation.add(Message(message_id, "", parent_id, "user", (), ""))
    gone = shown_nowhere(conversation, choices)
    connection.executemany("INSERT INTO deleted_message (message_key) VALUES (?)", [(keys[one],) for one in gone])
