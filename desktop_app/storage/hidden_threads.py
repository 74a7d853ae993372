"""Takes out threads that an import or a merge has written and that nobody has seen yet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from desktop_app.storage.imported_artifacts import remove_artifacts
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.process_owner import Owner, OwnerLocks, is_alive
from desktop_app.storage.search_index import remove_from_index
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import MESSAGES, THREADS

_OF_THREAD: Final = (
    "DELETE FROM mark WHERE message_key IN (SELECT key FROM message WHERE thread_key = ?)",
    "DELETE FROM deleted_message WHERE message_key IN (SELECT key FROM message WHERE thread_key = ?)",
    "DELETE FROM context_event WHERE thread_key = ?",
    "DELETE FROM request WHERE thread_key = ?",
    "DELETE FROM turn WHERE answer_key IN (SELECT key FROM message WHERE thread_key = ?)",
    "DELETE FROM draft_attachments WHERE thread_key = ?",
    "DELETE FROM spending WHERE thread_key = ?",
    "DELETE FROM message WHERE thread_key = ?",
    "DELETE FROM import_origin WHERE thread_key = ?",
    "DELETE FROM thread WHERE key = ?",
)


@contextmanager
def without_references(transactions: Transactions) -> Iterator[sqlite3.Connection]:
    """A write that doesn't look for each row's references in whole tables: parents have no index."""
    transactions.connection.execute("PRAGMA foreign_keys = OFF")  # nothing that could refer is left
    try:
        with transactions.write_plain() as connection:
            yield connection
    finally:
        transactions.connection.execute("PRAGMA foreign_keys = ON")


def remove_hidden(connection: sqlite3.Connection, messages: MessageStore, key: int, mark: str) -> bool:
    """Takes out a thread that is hidden with this mark, with all its rows, inside the caller's write.

    False: it is not hidden, or somebody else's: they brought the same meanwhile.
    """
    if THREADS.first(connection, "key = ? AND deleted = ?", key, mark) is None:
        return False
    for row in MESSAGES.read(connection, "thread_key = ?", key):
        remove_from_index(connection, row.key, key, messages.read(connection, row))
    remove_artifacts(connection, key)
    for statement in _OF_THREAD:
        connection.execute(statement, (key,))
    return True


class NewBlocks:
    """The blocks that an import of several steps adds, which go with it as long as nobody else writes meanwhile."""

    def __init__(self) -> None:
        self.alone = True
        self._first = self._changes = self._version = 0

    def look_around(self, connection: sqlite3.Connection) -> None:
        """Notices whether anybody else, here or in another process, has written since the last step."""
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        if not self._first:
            self._first = connection.execute("SELECT coalesce(max(key), 0) + 1 FROM block").fetchone()[0]
        elif (connection.total_changes, version) != (self._changes, self._version):
            self.alone = False
        self._version = version

    def step_ended(self, connection: sqlite3.Connection) -> None:
        """Count the changes of a step that was undone as written, too."""
        self._changes = connection.total_changes

    def remove(self, connection: sqlite3.Connection) -> None:
        """Takes them out, inside the caller's write; not where other messages may consist of them."""
        if self.alone and self._first:
            connection.execute("DELETE FROM block WHERE key >= ?", (self._first,))


def is_left_behind(mark: str, locks: OwnerLocks) -> bool:
    """Return True if the process that hid a thread with this mark (`thread_store.hidden`) is no more."""
    try:
        pid, started, boot = json.loads(mark[mark.index("[") :])
        owner = Owner(int(pid), str(started), str(boot))
    except (ArithmeticError, RecursionError, TypeError, ValueError):
        return True  # a mark of an older version, or none of ours
    held = locks.is_held(owner)
    return not (is_alive(owner) if held is None else held)
