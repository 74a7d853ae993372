"""Brings threads from exports into the file, each message once, and takes out what nobody has seen yet."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import IO, Any, Final

from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.history_records import HowChanged, ImportChange, ImportCount, ImportedThread
from desktop_app.core.messages import Message
from desktop_app.core.projects import Project, ProjectDocument
from desktop_app.core.thread_copy import choices_renamed
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.message_store import MessageStore, remove_from_index, write_mark
from desktop_app.storage.project_store import (
    add_artifacts,
    folded_name,
    read_projects,
    remove_artifacts,
    write_documents,
    write_project,
)
from desktop_app.storage.row_mapping import thread_columns, thread_from
from desktop_app.storage.sqlite_connection import MESSAGES, THREADS, Transactions
from desktop_app.storage.thread_store import IMPORTING, hidden, write_deleted
from desktop_app.system.process_owner import Owner, OwnerLocks, is_alive, this_process

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


_GROWN = (
    "UPDATE thread SET tip = ?, seen = ?, updated = ?, message_count = message_count + ?, deleted = ? WHERE key = ?"
)
_AT_ONCE = 500
"""Ids asked for with one statement."""

_NO_KEY = 0
"""No thread has this key: of a thread that is not there yet every stored message stands elsewhere."""

_UNDONE_AT_ONCE = 20
"""Threads that are taken out at once: others write in between."""

_LIVE_ORIGINS = """
    SELECT origin, updated FROM import_origin JOIN thread ON thread.key = thread_key
    WHERE origin IN ({}) AND deleted IS NULL
"""
_FRESH = "SELECT count(*) FROM thread WHERE project = ? AND deleted = ?"

_IN_MEMORY = 16 * 1024**2
"""Bytes of what is to be added to known threads that are kept in memory until the end; more go to a temporary file."""


class ImportStore:
    """Begins imports into the history file, looks at what they would do, and cleans up after those that died."""

    def __init__(
        self, transactions: Transactions, messages: MessageStore, blocks: BlockStore, locks: OwnerLocks
    ) -> None:
        self._transactions = transactions
        self._messages = messages
        self._blocks = blocks
        self._locks = locks
        self._cleaned = False

    def begin(self) -> RunningImport:
        """An import that has written nothing yet."""
        self._locks.hold(this_process())
        self._cleaned = False
        return RunningImport(self._transactions, self._messages, self._blocks, self._locks)

    def look(self, threads: Sequence[ImportedThread]) -> Sequence[ImportChange | None]:
        """Return what an import of each of these would do; None: nothing, as all of it is here."""
        with self._transactions.read_plain() as connection:
            return [_change(connection, one) for one in threads]

    def known(self, keys: Collection[str]) -> Mapping[str, str]:
        """Of these origins, those whose threads are there and not deleted, with the time of their last change."""
        wanted, found = list(keys), dict[str, str]()
        with self._transactions.read_plain() as connection:
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                rows = connection.execute(_LIVE_ORIGINS.format(",".join("?" * len(some))), some)
                found |= dict(rows.fetchall())
        return found

    def clean(self) -> bool:
        """Takes out one thread that an import of a process that died has left behind; False if there is none.

        It is asked at every quiet moment, but looks only until there is none.
        """
        if self._cleaned:
            return False
        connection = self._transactions.connection
        marks = connection.execute(f"SELECT DISTINCT deleted FROM thread WHERE deleted GLOB '{IMPORTING}*'").fetchall()
        dead = next((mark for (mark,) in marks if is_left_behind(mark, self._locks)), None)
        if dead is None:
            self._cleaned = True
            return False
        (key,) = connection.execute("SELECT max(key) FROM thread WHERE deleted = ?", (dead,)).fetchone()
        with without_references(self._transactions):
            remove_hidden(connection, self._messages, key, dead)
        self._blocks.forget()
        return True


class RunningImport:
    """One import: all of its threads or none, in several transactions, so that running turns can save between them.

    A thread is known by its origin or its id, a message by its id. A deleted thread that comes again is back. A message
    whose parent is not among the messages begins a branch of its own. A message id that stands in another thread is
    replaced by one made of both ids, the same one each time.

    New threads are first written hidden, with this import's `mark` for a time of deletion; `finish` takes that mark
    away and adds to the threads that were there before. What a process that died had written stays hidden, until the
    next import that has it takes it from there, or `ImportStore.clean` takes it out.
    """

    def __init__(
        self,
        transactions: Transactions,
        messages: MessageStore,
        blocks: BlockStore,
        locks: OwnerLocks,
    ) -> None:
        self.mark = hidden()
        self._transactions = transactions
        self._messages = messages
        self._blocks = blocks
        self._locks = locks
        self._added: set[int] = set()
        self._already: set[int] = set()
        self._growing = _Growing()
        self._new_messages = 0
        self._done = False
        self._new_blocks = NewBlocks()

    def add(self, threads: Sequence[ImportedThread]) -> None:
        """One transaction: writes what is new, hidden; keeps what known threads get for the end."""
        added, new_messages = set[int](), 0
        try:
            with self._transactions.write_plain() as connection:
                self._new_blocks.look_around(connection)
                for imported in threads:
                    if (thread := _known_thread(connection, imported)) is None:
                        thread = _add_thread(connection, imported, deleted=self.mark)
                    elif thread.deleted != self.mark:
                        if not self._was_left_behind(thread):
                            self._keep(connection, thread, imported)
                            continue
                        connection.execute("UPDATE thread SET deleted = ? WHERE key = ?", (self.mark, thread.key))
                        self._new_blocks.alone = False  # its blocks are older than this import
                        new_messages += thread.message_count
                    new_messages += self._add_messages(connection, thread, imported, deleted=self.mark)
                    added.add(thread.key)
        finally:
            self._new_blocks.step_ended(self._transactions.connection)
        self._added |= added
        self._new_messages += new_messages

    def undo(self) -> bool:
        """Takes out some of what was written, unless all was; True if nothing is left. It is hidden meanwhile."""
        self._growing.close()
        if self._done:
            return True
        keys = [self._added.pop() for _ in range(min(_UNDONE_AT_ONCE, len(self._added)))]
        with without_references(self._transactions) as connection:
            self._new_blocks.look_around(connection)
            for key in keys:
                self._new_blocks.alone &= remove_hidden(connection, self._messages, key, self.mark)
            if not self._added:
                self._new_blocks.remove(connection)
        self._new_blocks.step_ended(self._transactions.connection)
        self._blocks.forget()
        self._done = not self._added
        return self._done

    def finish(self, projects: Sequence[Project] = (), documents: Sequence[ProjectDocument] = ()) -> ImportCount:
        """The last transaction, after which all is seen. Of `projects`, those are written that a new thread is in, or
        one of `documents`, unless another import has brought one of that name meanwhile.
        """
        added, new_messages, already = set(self._added), self._new_messages, set(self._already)
        with self._transactions.write_plain() as connection:
            names = {folded_name(one.name) for one in read_projects(connection)}
            twice = set[str]()
            for project in projects:
                if connection.execute(_FRESH, (project.id, self.mark)).fetchone()[0]:
                    write_project(connection, project)
                elif folded_name(project.name) in names:
                    twice.add(project.id)
                elif any(one.project_id == project.id for one in documents):
                    write_project(connection, project)
            write_documents(connection, [one for one in documents if one.project_id not in twice])
            connection.execute("UPDATE thread SET deleted = NULL WHERE deleted = ?", (self.mark,))
            for imported, wanted in self._growing:
                if (thread := _known_thread(connection, imported)) is None and wanted is not None:
                    continue  # it was deleted for good meanwhile, and not all of it was kept
                if thread is None:
                    thread = _add_thread(connection, imported, deleted=self.mark)
                new_messages += self._add_messages(connection, thread, imported, deleted=None, wanted=wanted)
                if thread.deleted is not None:  # it is back, with what was there of it
                    added.add(thread.key)
                    new_messages += thread.message_count
                elif thread.key not in added:
                    already.add(thread.key)
        self._done = True
        self._growing.close()
        return ImportCount(len(added), new_messages, len(already - added))

    def _was_left_behind(self, thread: Any) -> bool:
        return (
            thread.deleted is not None
            and thread.deleted.startswith(IMPORTING)
            and is_left_behind(thread.deleted, self._locks)
        )

    def _keep(self, connection: sqlite3.Connection, thread: Any, imported: ImportedThread) -> None:
        """Keeps what a known thread gets, without the messages that it has."""
        new, names = _new_ids(connection, thread, imported)
        if not new and thread.deleted is None:
            self._already.add(thread.key)
        elif _is_hidden(thread):  # that may still be undone
            self._growing.keep(imported, None)
        else:
            messages = (
                one if names[one.id] in new else replace(one, parts=(), usage=None, window=None, failure=None)
                for one in imported.messages
            )
            self._growing.keep(replace(imported, messages=tuple(messages)), new)

    def _add_messages(
        self,
        connection: sqlite3.Connection,
        thread: Any,
        imported: ImportedThread,
        *,
        deleted: str | None,
        wanted: Set[str] | None = None,
    ) -> int:
        """Adds the messages that the thread hasn't; of the ids `wanted`, if they are given."""
        names = _names(connection, thread.key, imported)
        messages = [_renamed(message, thread.id, names) for message in _parents_first(imported.messages)]
        here = {one for (one,) in connection.execute("SELECT id FROM message WHERE thread_key = ?", (thread.key,))}
        new = [one for one in messages if one.id not in here and (wanted is None or one.id in wanted)]
        marks = {names[one]: mark for one, mark in imported.marks.items() if one in names}
        for message in new:
            lost = wanted is not None and message.parent_id not in here  # deleted for good meanwhile
            added = replace(message, parent_id=None) if lost else message
            key = self._messages.add(connection, added, thread.key, found="later")
            here.add(message.id)
            if (mark := marks.get(message.id)) is not None:
                write_mark(connection, key, mark)
        add_artifacts(connection, self._blocks, thread.key, imported, names)
        parents = {message.id: message.parent_id for message in messages}
        tip = names.get(imported.thread.tip or "") or (messages[-1].id if messages else None)
        if (thread.tip is not None and thread.tip not in path_to(parents, tip)) or tip not in here:
            tip = thread.tip
        updated = max(thread.updated, imported.thread.updated) if new else thread.updated
        # What comes into a thread that was read to its end was read where it comes from.
        before = imported.thread if thread.tip is None else thread
        seen = tip if before.seen == before.tip else thread.seen
        connection.execute(_GROWN, (tip, seen, updated, len(new), deleted, thread.key))
        write_deleted(connection, thread.key, thread_from(thread).choices)
        return len(new)


def _is_hidden(thread: Any) -> bool:
    return thread.deleted is not None and thread.deleted.startswith(IMPORTING)


class _Growing:
    """The data that known threads get at the end, out of memory where it is much; a crash leaves nothing of it."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    def keep(self, imported: ImportedThread, wanted: Set[str] | None) -> None:
        if self._file is None:
            self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the import
        self._file.seek(0, os.SEEK_END)
        pickle.dump((imported, wanted), self._file, pickle.HIGHEST_PROTOCOL)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[tuple[ImportedThread, Set[str] | None]]:
        if self._file is None:
            return
        self._file.seek(0)
        with suppress(EOFError):
            while True:
                yield pickle.load(self._file)


def _change(connection: sqlite3.Connection, imported: ImportedThread) -> ImportChange | None:
    thread = _known_thread(connection, imported)
    new = len(_new_ids(connection, thread, imported)[0])
    if thread is None:
        return ImportChange("thread", "new", imported.thread.id, imported.thread.title, {"messages": new})
    if thread.deleted is not None:
        change: HowChanged = "new" if _is_hidden(thread) else "back"
        return ImportChange("thread", change, thread.id, thread.title, {"messages": new + thread.message_count})
    return ImportChange("thread", "more", thread.id, thread.title, {"messages": new}) if new else None


def _new_ids(
    connection: sqlite3.Connection, thread: Any, imported: ImportedThread
) -> tuple[Set[str], Mapping[str, str]]:
    """The ids that the messages which aren't there yet get, and the ids that all of them have or get."""
    key = _NO_KEY if thread is None else thread.key
    names = _names(connection, key, imported)
    here = {one for (one,) in connection.execute("SELECT id FROM message WHERE thread_key = ?", (key,))}
    return set(names.values()) - here, names


def _known_thread(connection: sqlite3.Connection, imported: ImportedThread) -> Any:
    of_origin = "key = (SELECT thread_key FROM import_origin WHERE origin = ?)"
    known = THREADS.first(connection, of_origin, imported.key)
    return known or THREADS.first(connection, "id = ?", imported.thread.id)


def _add_thread(connection: sqlite3.Connection, imported: ImportedThread, *, deleted: str) -> Any:
    """Writes the thread without its messages; its choices, and what was seen, with the ids they will stand under."""
    if (thread := replace(imported.thread, tip=None)).choices != NO_CHOICES or thread.seen is not None:
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
    if (window := message.window) is not None and window.first_kept is not None:
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


def path_to(parents: Mapping[str, str | None], tip: str | None) -> set[str | None]:
    """The ids from `tip` up to its root."""
    path: set[str | None] = set()
    while tip is not None and tip not in path:
        path.add(tip)
        tip = parents.get(tip)
    return path
