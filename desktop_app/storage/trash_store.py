"""Lists what was deleted and can still be restored."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.history_records import TrashItem
from desktop_app.core.titles import first_words
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.sqlite_connection import Transactions

_KEPT: Final = "NOT IN (SELECT id FROM erasure WHERE stage = 0)"
_ROWS: Final = f"""
    SELECT 'thread', id, title, deleted, '', '' FROM thread
    WHERE deleted GLOB '[0-9]*' AND id {_KEPT}
    UNION ALL
    SELECT 'project', id, name, deleted, '', '' FROM project WHERE deleted IS NOT NULL AND id {_KEPT}
    UNION ALL
    SELECT 'document', project_document.id, project_document.name, project_document.deleted, project.name, project.id
    FROM project_document JOIN project ON project.key = project_key
    WHERE project_document.deleted IS NOT NULL AND project.deleted IS NULL AND project_document.id {_KEPT}
    UNION ALL
    SELECT 'artifact', artifact.id, artifact.title, artifact.deleted, thread.title, thread.id
    FROM artifact JOIN thread ON thread.key = thread_key
    WHERE artifact.deleted IS NOT NULL AND thread.deleted IS NULL AND artifact.id {_KEPT}
    UNION ALL
    SELECT 'prompt', id, title, deleted, '', '' FROM prompt WHERE deleted IS NOT NULL AND id {_KEPT}
"""
_MESSAGES: Final = """
    SELECT message.key, message.id, deleted_message.deleted, thread.title, thread.id
    FROM deleted_message JOIN message ON message.key = message_key JOIN thread ON thread.key = thread_key
    WHERE thread.deleted IS NULL AND message.id NOT IN (SELECT id FROM erasure WHERE kind = 'message')
"""


class TrashStore:
    """The trash of the history file: what is deleted, but not for good. What is inside of that is not listed."""

    def __init__(self, transactions: Transactions, messages: MessageStore) -> None:
        self._transactions = transactions
        self._messages = messages

    def items(self) -> Sequence[TrashItem]:
        """Deleted last, first."""
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_ROWS).fetchall()
            found = [TrashItem(*row) for row in rows] + self._deleted_messages(connection)
        return sorted(found, key=lambda one: (one.deleted, one.id), reverse=True)

    def _deleted_messages(self, connection: sqlite3.Connection) -> list[TrashItem]:
        """Turns, as they are deleted whole."""
        deleted = {row[0]: row[1:] for row in connection.execute(_MESSAGES).fetchall()}
        turns: dict[int, list[int]] = {}
        begins: dict[int, str] = {}
        last: dict[int, int] = {}
        for row, message in sorted(self._messages.read_many(connection, deleted), key=lambda read: read[0].key):
            first = row.key if opens_turn(message) else last.pop(row.parent_key, row.key)
            turns.setdefault(first, []).append(row.key)
            begins.setdefault(first, first_words(message.text))
            last[row.key] = first
        found = []
        for first, keys in turns.items():
            one, at, title, thread = deleted[first]
            rest = tuple(deleted[key][0] for key in keys[1:])
            found.append(TrashItem("message", one, begins[first], at, title, thread, rest))
        return found
