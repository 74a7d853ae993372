"""Brings threads from exports into the file, each message once."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.choices_json import choices_renamed
from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.history_records import ImportCount, ImportedThread
from desktop_app.core.messages import Message
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.imported_artifacts import add_artifacts, remove_artifacts
from desktop_app.storage.message_store import MessageStore, write_mark
from desktop_app.storage.row_mapping import thread_columns, thread_from
from desktop_app.storage.rows import MESSAGES, THREADS
from desktop_app.storage.search_index import remove_from_index
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.thread_store import hidden, write_deleted

_GROWN = (
    "UPDATE thread SET tip = ?, seen = ?, updated = ?, message_count = message_count + ?, deleted = ? WHERE key = ?"
)
_AT_ONCE = 500
"""Ids asked for with one statement."""

_NO_KEY = 0
"""No thread has this key: of a thread that is not there yet every stored message stands elsewhere."""

_STEP = 1_000_000
"""Characters after which a step ends: 60 ms or so, for which other writes wait; one thread is never divided."""

log = logging.getLogger(__name__)


class ImportStore:
    """Begins imports into the history file."""

    def __init__(self, transactions: Transactions, messages: MessageStore, blocks: BlockStore) -> None:
        self._transactions = transactions
        self._messages = messages
        self._blocks = blocks

    def begin(self, threads: Sequence[ImportedThread]) -> RunningImport:
        """An import that has written nothing yet."""
        return RunningImport(self._transactions, self._messages, self._blocks, threads)


class RunningImport:
    """One import: all of its threads or none, in several transactions, so that running turns can save between them.

    A thread is known by its origin or its id, a message by its id. A deleted thread that comes again is back. A message
    whose parent is not among the messages begins a branch of its own. A message id that stands in another thread is
    replaced by one made of both ids, the same one each time.

    New threads are first written hidden; the last step takes that mark away and adds to the threads that were
    there before. What a process that died had written stays behind that mark; the next import takes it from there.
    """

    def __init__(
        self, transactions: Transactions, messages: MessageStore, blocks: BlockStore, threads: Sequence[ImportedThread]
    ) -> None:
        self._transactions = transactions
        self._messages = messages
        self._blocks = blocks
        self._waiting = deque(threads)
        self._known: list[ImportedThread] = []
        self._added: dict[int, str] = {}
        self._new_messages = 0
        self._done = False
        self._first_block = 0
        self._changes = self._version = 0
        self._alone = True

    def step(self) -> ImportCount | None:
        """One transaction: some threads, `_STEP` characters or one thread; what was done if it was the last."""
        if not self._waiting:
            return self._finish()
        added, new_messages, size = dict[int, str](), 0, 0
        try:
            with self._transactions.write_plain() as connection:
                self._look_around(connection)
                while self._waiting and size < _STEP:
                    imported = self._waiting.popleft()
                    if _known_thread(connection, imported) is not None:
                        self._known.append(imported)
                        continue
                    thread = _add_thread(connection, imported, deleted=hidden())
                    new_messages += self._add_messages(connection, thread, imported, deleted=thread.deleted)
                    added[thread.key] = thread.deleted
                    size += sum(len(message.text) for message in imported.messages)
        finally:
            self._changes = self._transactions.connection.total_changes  # undone ones count too
        self._added |= added
        self._new_messages += new_messages
        return None

    @property
    def waiting(self) -> int:
        """How many threads are still to be written, or looked at."""
        return len(self._waiting)

    def undo(self) -> None:
        """Takes out what was written, unless all was. Should that fail, it stays marked as deleted."""
        if self._done or not self._added:
            return
        connection = self._transactions.connection
        try:
            # Each row would be looked for in the whole table: parents have no index. Nothing that could refer is left.
            connection.execute("PRAGMA foreign_keys = OFF")
            with self._transactions.write_plain():
                self._look_around(connection)
                for key, deleted in self._added.items():
                    self._remove(connection, key, deleted)
                if self._alone:  # else another message or request may consist of them
                    connection.execute("DELETE FROM block WHERE key >= ?", (self._first_block,))
            self._blocks.forget()
        except sqlite3.Error as error:
            log.warning("what an import had written could not be taken out: %s", error)
        finally:
            connection.execute("PRAGMA foreign_keys = ON")

    def _finish(self) -> ImportCount:
        threads, new_messages = len(self._added), self._new_messages
        with self._transactions.write_plain() as connection:
            connection.executemany("UPDATE thread SET deleted = NULL WHERE key = ?", [(key,) for key in self._added])
            for imported in self._known:
                thread = _known_thread(connection, imported)
                new_messages += self._add_messages(connection, thread, imported, deleted=None)
                if thread.deleted is not None:  # it is back, with what was there of it
                    threads += 1
                    new_messages += thread.message_count
        self._done = True
        return ImportCount(threads, new_messages, len(self._added) + len(self._known) - threads)

    def _add_messages(
        self, connection: sqlite3.Connection, thread: Any, imported: ImportedThread, *, deleted: str | None
    ) -> int:
        names = _names(connection, thread.key, imported)
        messages = [_renamed(message, thread.id, names) for message in _parents_first(imported.messages)]
        here = {one for (one,) in connection.execute("SELECT id FROM message WHERE thread_key = ?", (thread.key,))}
        new = [message for message in messages if message.id not in here]
        marks = {names[one]: mark for one, mark in imported.marks.items() if one in names}
        for message in new:
            key = self._messages.add(connection, message, thread.key, found="later")
            mark = marks.get(message.id)
            if mark is not None:
                write_mark(connection, key, mark)
        add_artifacts(connection, self._blocks, thread.key, imported, names)
        parents = {message.id: message.parent_id for message in messages}
        tip = names.get(imported.thread.tip or "") or (messages[-1].id if messages else None)
        if thread.tip is not None and thread.tip not in _path(parents, tip):
            tip = thread.tip
        updated = max(thread.updated, imported.thread.updated) if new else thread.updated
        # What comes into a thread that was read to its end was read where it comes from.
        before = imported.thread if thread.tip is None else thread
        seen = tip if before.seen == before.tip else thread.seen
        connection.execute(_GROWN, (tip, seen, updated, len(new), deleted, thread.key))
        write_deleted(connection, thread.key, thread_from(thread).choices)
        return len(new)

    def _remove(self, connection: sqlite3.Connection, key: int, deleted: str) -> None:
        if THREADS.first(connection, "key = ? AND deleted = ?", key, deleted) is None:
            self._alone = False  # another process imported the same in the meantime: it is theirs now
            return
        for row in MESSAGES.read(connection, "thread_key = ?", key):
            remove_from_index(connection, row.key, key, self._messages.read(connection, row))
        of_thread = "SELECT key FROM message WHERE thread_key = ?"
        connection.execute(f"DELETE FROM mark WHERE message_key IN ({of_thread})", (key,))
        connection.execute(f"DELETE FROM deleted_message WHERE message_key IN ({of_thread})", (key,))
        remove_artifacts(connection, key)
        connection.execute("DELETE FROM message WHERE thread_key = ?", (key,))
        connection.execute("DELETE FROM import_origin WHERE thread_key = ?", (key,))
        connection.execute("DELETE FROM thread WHERE key = ?", (key,))

    def _look_around(self, connection: sqlite3.Connection) -> None:
        """Inside a write: notices whether anybody else, here or in another process, has written since the last step."""
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        if not self._added:
            self._first_block = connection.execute("SELECT coalesce(max(key), 0) + 1 FROM block").fetchone()[0]
        elif (connection.total_changes, version) != (self._changes, self._version):
            self._alone = False
        self._version = version


def _known_thread(connection: sqlite3.Connection, imported: ImportedThread) -> Any:
    of_origin = "key = (SELECT thread_key FROM import_origin WHERE origin = ?)"
    known = THREADS.first(connection, of_origin, imported.key)
    return known or THREADS.first(connection, "id = ?", imported.thread.id)


def _add_thread(connection: sqlite3.Connection, imported: ImportedThread, *, deleted: str) -> Any:
    """Writes the thread without its messages; its choices, and what was seen, with the ids they will stand under."""
    thread = replace(imported.thread, tip=None)
    if thread.choices != NO_CHOICES or thread.seen is not None:
        names = _names(connection, _NO_KEY, imported)
        seen = None if thread.seen is None else names.get(thread.seen, thread.seen)
        thread = replace(thread, choices=choices_renamed(thread.choices, names), seen=seen)
    key = THREADS.add(connection, thread_columns(thread) | {"message_count": 0, "deleted": deleted})
    connection.execute("INSERT INTO import_origin (origin, thread_key) VALUES (?, ?)", (imported.key, key))
    return THREADS.first(connection, "key = ?", key)


def _names(connection: sqlite3.Connection, thread_key: int, imported: ImportedThread) -> Mapping[str, str]:
    """The id under which each message stands in the file."""
    return names_in_file(connection, thread_key, imported.thread.id, [message.id for message in imported.messages])


def names_in_file(
    connection: sqlite3.Connection, thread_key: int, thread_id: str, message_ids: Sequence[str]
) -> dict[str, str]:
    """The id under which each message of a thread stands in the file: another one, where the id is another thread's."""
    names = {one: one for one in message_ids}
    ids = list(names)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        elsewhere = f"SELECT id FROM message WHERE id IN ({','.join('?' * len(some))}) AND thread_key != ?"
        for (taken,) in connection.execute(elsewhere, (*some, thread_key)):
            names[taken] = second_name(thread_id, taken)
    return names


def second_name(thread_id: str, name: str) -> str:
    """An id made of both, the same one each time."""
    return hashlib.sha256(f"{thread_id}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _renamed(message: Message, thread_id: str, names: Mapping[str, str]) -> Message:
    parent_id = None if message.parent_id is None else names.get(message.parent_id)
    window = message.window
    if window is not None and window.first_kept is not None:
        window = replace(window, first_kept=names.get(window.first_kept, window.first_kept))
    here = (names[message.id], thread_id, parent_id, window)
    if here == (message.id, message.thread_id, message.parent_id, message.window):
        return message
    return replace(message, id=names[message.id], thread_id=thread_id, parent_id=parent_id, window=window)


def _parents_first(messages: Sequence[Message]) -> Iterator[Message]:
    """Each message once, after its parent; where parents go in a circle one of them begins a branch."""
    by_id = {message.id: message for message in reversed(messages)}
    done: set[str] = set()
    for message in messages:
        chain: list[Message] = []
        above: set[str] = set()
        current: Message | None = message
        while current is not None and current.id not in done and current.id not in above:
            above.add(current.id)
            chain.append(by_id[current.id])
            current = by_id.get(current.parent_id or "")
        if chain and chain[-1].parent_id in above:
            chain[-1] = replace(chain[-1], parent_id=None)
        done |= above
        yield from reversed(chain)


def _path(parents: Mapping[str, str | None], tip: str | None) -> set[str | None]:
    """The ids from `tip` up to its root."""
    path: set[str | None] = set()
    while tip is not None and tip not in path:
        path.add(tip)
        tip = parents.get(tip)
    return path
