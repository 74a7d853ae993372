"""Reads and writes threads, which messages are deleted on every branch, and the prompts that begin threads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import uuid4

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.conversation import Conversation, shown_nowhere
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Message, Part, RequestCount, Thread, ThreadSummary
from desktop_app.core.phrases import Phrase, listed, phrase, template
from desktop_app.core.prompts import Prompt
from desktop_app.core.redaction import found_secrets
from desktop_app.storage.first_screen import failed_if, unread_if
from desktop_app.storage.row_mapping import (
    draft_count_column,
    pack_parts,
    storable_text,
    thread_columns,
    thread_from,
    thread_update,
    unpack_parts,
)
from desktop_app.storage.sqlite_connection import THREADS, Topic
from desktop_app.system.process_owner import this_process
from desktop_app.system.system_clock import utc_now

_T = TypeVar("_T")

NOT_DELETED = " AND message.key NOT IN (SELECT message_key FROM deleted_message)"
"""A condition on `message`: it is shown on some branch."""

_TREE = """
    SELECT message.key, message.id, above.id FROM message
    LEFT JOIN message AS above ON above.key = message.parent_key WHERE message.thread_key = ? ORDER BY message.key
"""
_SINCE = """
    SELECT message_key, deleted FROM deleted_message JOIN message ON key = message_key WHERE thread_key = ?
"""
_CLEAR = "DELETE FROM deleted_message WHERE message_key IN (SELECT key FROM message WHERE thread_key = ?)"


def write_deleted(connection: sqlite3.Connection, thread_key: int, choices: ContextChoices) -> None:
    """Brings the table up to what a thread's choices say, inside the caller's transaction."""
    since = dict(connection.execute(_SINCE, (thread_key,)).fetchall())
    connection.execute(_CLEAR, (thread_key,))
    if not choices.deleted:
        return
    keys: dict[str, int] = {}
    conversation = Conversation()
    for key, message_id, parent_id in connection.execute(_TREE, (thread_key,)):
        keys[message_id] = key
        conversation.add(Message(message_id, "", parent_id, "user", (), ""))
    gone = shown_nowhere(conversation, choices)
    rows = [(keys[one], since.get(keys[one]) or now()) for one in gone]
    connection.executemany("INSERT INTO deleted_message (message_key, deleted) VALUES (?, ?)", rows)


_RESTORE = """
    UPDATE thread SET deleted = NULL WHERE id = ? AND id NOT IN (SELECT id FROM erasure WHERE stage = 0)
"""
_STARTS = "deleted IS NULL AND substr(id, 1, length(?)) = ?"
_TITLED = "deleted IS NULL AND title = ? COLLATE NOCASE"
_UNREAD = f"SELECT key, {failed_if()} FROM thread WHERE deleted IS NULL AND {unread_if()}"


def live_thread(connection: sqlite3.Connection, thread_id: str) -> Any:
    """The record of a thread that is not deleted; `UserError("usage")` if there is none."""
    if (row := any_thread(connection, thread_id)).deleted is not None:
        raise _gone()
    return row


def any_thread(connection: sqlite3.Connection, thread_id: str) -> Any:
    """The record of a thread, deleted or not: what it has cost stays true. `UserError("usage")` if there is none."""
    if (row := THREADS.first(connection, "id = ?", thread_id)) is None:
        raise _gone()
    return row


def move_tip(connection: sqlite3.Connection, thread: Any, tip: str | None, expected: str | None) -> None:
    """Compare-and-set of the tip of a record read in the same write transaction."""
    if thread.tip != expected:
        words = phrase("Another window or command changed this thread. Check it, then try again.")
        raise UserError(
            "store", words, detail=f"tip of {thread.id}: {thread.tip}, expected {expected}", actions=("retry",)
        )
    connection.execute("UPDATE thread SET tip = ? WHERE key = ?", (tip, thread.key))


def attachments(connection: sqlite3.Connection, thread_key: int) -> tuple[Part, ...]:
    """Return the attachments of a draft, in order."""
    row = connection.execute("SELECT parts FROM draft_attachments WHERE thread_key = ?", (thread_key,)).fetchone()
    return () if row is None else unpack_parts(row[0])


def write_attachments(connection: sqlite3.Connection, thread_key: int, parts: tuple[Part, ...]) -> None:
    """Attaches these to a draft in the place of what was attached."""
    connection.execute("DELETE FROM draft_attachments WHERE thread_key = ?", (thread_key,))
    if parts:
        values = (thread_key, pack_parts(parts, None))
        connection.execute("INSERT INTO draft_attachments (thread_key, parts) VALUES (?, ?)", values)


def now() -> str:
    """The time at which a thread is marked as deleted."""
    return utc_now().isoformat(timespec="seconds")


IMPORTING = "importing "
"""Stands before the time in `deleted` of a thread that is being imported: it is hidden, and in no trash."""


def hidden() -> str:
    """The mark of a thread whose import is not done yet, with its process: what one that died had written keeps it."""
    owner = this_process()
    return f"{IMPORTING}{now()} {uuid4().hex} {json.dumps([owner.pid, owner.started, owner.boot])}"


LONGEST_ID = 1_000
"""Characters; ids of ours have 32, those of imported threads some more."""

SHOWN_OF_ID, MOST_NAMED = 8, 10
"""Characters of an id, and ids, that stand where a title is that of several threads."""

LONGEST_SHOWN = 40
"""Characters of an id that stand in an error."""


class ThreadStore(Topic):
    def create(self, thread: Thread) -> None:
        with self._transactions.write_plain() as connection:
            THREADS.add(connection, {"message_count": 0} | thread_columns(thread))

    def all(self) -> Sequence[ThreadSummary]:
        with self._transactions.read_plain() as connection:
            rows = THREADS.read(connection, "deleted IS NULL ORDER BY updated DESC, key DESC")
            unread = {key: bool(failed) for key, failed in connection.execute(_UNREAD)}
            return tuple(
                ThreadSummary(thread_from(row), row.message_count, row.key in unread, unread.get(row.key, False))
                for row in rows
            )

    def one(self, thread_id: str) -> Thread:
        with self._transactions.read_plain() as connection:
            return thread_from(live_thread(connection, thread_id))

    def find(self, prefix: str) -> Thread:
        if len(prefix) > LONGEST_ID:  # no id is that long, and SQLite compares no pattern of 50,000 characters
            raise _unknown(prefix)
        with self._transactions.read_plain() as connection:
            found = THREADS.read(connection, _STARTS, prefix, prefix) if prefix else []
            titled = [] if found or not prefix else THREADS.read(connection, _TITLED, prefix)
        if len(titled) > 1:
            ids = listed([row.id[:SHOWN_OF_ID] for row in titled[:MOST_NAMED]])
            raise UserError("usage", phrase("Several threads are called {title}: {ids}.", title=prefix, ids=ids))
        found = found or titled
        several = template("{found} threads start with {prefix}. Give more characters of the ID.")
        return thread_from(one_of(found, prefix, several, _unknown))

    def update(self, thread: Thread, expected: Thread | None = None) -> bool:
        columns = thread_update(thread)
        with self._transactions.write_plain() as connection:
            before = live_thread(connection, thread.id)
            if expected is not None and thread_update(thread_from(before)) != thread_update(expected):
                return False
            names = ", ".join(f'"{name}" = ?' for name in columns)
            connection.execute(f"UPDATE thread SET {names} WHERE key = ?", (*columns.values(), before.key))
            if columns["choices"] != before.choices:
                write_deleted(connection, before.key, thread.choices)
        return True

    def move_tip(self, thread_id: str, tip: str | None, *, expected: str | None) -> None:
        with self._transactions.write_plain() as connection:
            move_tip(connection, live_thread(connection, thread_id), tip, expected)

    def set_seen(self, thread_id: str, tip: str | None) -> None:
        self._set(thread_id, seen=tip)

    def delete(self, thread_id: str) -> None:
        self._set(thread_id, deleted=now())

    def restore(self, thread_id: str) -> None:
        with self._transactions.write_plain() as connection:
            if connection.execute(_RESTORE, (thread_id,)).rowcount == 0:
                raise _gone()

    def save_draft(self, thread_id: str, text: str, *, expected: str) -> str | None:
        """Compare-and-set; see the port. Whoever looks only, with the text that stands there, writes nothing.

        A secret that is taken out of a draft is in the file no more. A thread in the trash takes what was typed last.
        """
        text, expected = storable_text(text), storable_text(expected)
        with self._transactions.write_plain() as connection:
            thread = any_thread(connection, thread_id)
            if connection.execute("SELECT 1 FROM erasure WHERE id = ? AND stage = 0", (thread_id,)).fetchone():
                raise _gone()
            if thread.draft not in (text, expected):
                return str(thread.draft)
            if thread.draft == text:
                return None
            held = bool(found_secrets(str(thread.draft)))
            connection.execute(f"PRAGMA secure_delete = {int(held)}")
            try:
                connection.execute("UPDATE thread SET draft = ? WHERE key = ?", (text, thread.key))
            finally:
                connection.execute("PRAGMA secure_delete = OFF")
        if held and not found_secrets(text):
            with self._transactions.without_waiting():  # else it is gone when the last window or command closes
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return None

    def save_draft_count(self, thread_id: str, count: RequestCount) -> None:
        self._set(thread_id, draft_count=draft_count_column(count))

    def save_attachments(self, thread_id: str, parts: Sequence[Part]) -> None:
        """Writes what is attached to the draft; () removes it."""
        with self._transactions.write_plain() as connection:
            write_attachments(connection, live_thread(connection, thread_id).key, tuple(parts))

    def attachments(self, thread_id: str) -> tuple[Part, ...]:
        """Return the attachments of the draft, in order."""
        with self._transactions.read_plain() as connection:
            return attachments(connection, live_thread(connection, thread_id).key)

    def _set(self, thread_id: str, **values: object) -> None:
        from sqlmodel import col, update  # the window alone sets these, long after its start

        from desktop_app.storage.rows import ThreadRow

        with self._transactions.write() as session:
            which = [col(ThreadRow.id) == thread_id, col(ThreadRow.deleted).is_(None)]
            if session.exec(update(ThreadRow).where(*which).values(**values)).rowcount == 0:
                raise _gone()


def one_of(found: Sequence[_T], prefix: str, several: str, unknown: Callable[[str], UserError]) -> _T:
    """The one that is called so, else the only one whose id begins so; `several` is the template for more."""
    found = [one for one in found if getattr(one, "id", "") == prefix] or found
    if len(found) > 1:
        raise UserError("usage", Phrase(several, {"found": len(found), "prefix": prefix}))
    if not found:
        raise unknown(prefix)
    return found[0]


def _gone() -> UserError:
    """Of a thread that was there: the window shows it, where an id means nothing."""
    return UserError("usage", phrase("This thread no longer exists."))


def _unknown(thread_id: str) -> UserError:
    shown = thread_id if len(thread_id) <= LONGEST_SHOWN else f"{thread_id[:LONGEST_SHOWN]}…"
    return UserError("usage", phrase("There is no thread {thread_id}. `plimsoll threads` lists them.", thread_id=shown))


_WRITE = """
    INSERT INTO prompt (id, title, text, created, updated) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        title = excluded.title, text = excluded.text, created = excluded.created, updated = excluded.updated,
        deleted = NULL
"""


class PromptStore(Topic):
    def all(self) -> tuple[Prompt, ...]:
        """By title, whatever the case of its letters."""
        with self._transactions.read_plain() as connection:
            rows = connection.execute(
                "SELECT id, title, text, created, updated FROM prompt WHERE deleted IS NULL"
            ).fetchall()
        prompts = (Prompt(*row) for row in rows)
        return tuple(sorted(prompts, key=lambda one: (one.title.casefold(), one.title, one.id)))

    def save(self, prompts: Sequence[Prompt]) -> None:
        """Writes them all or none; one with an id that is there takes its place."""
        with self._transactions.write_plain() as connection:
            for one in prompts:
                values = (one.id, one.title, one.text, one.created, one.updated)
                connection.execute(_WRITE, tuple(storable_text(value) for value in values))

    def delete(self, prompt_id: str) -> None:
        """Marks the prompt as deleted; one that is not there is gone already."""
        with self._transactions.write_plain() as connection:
            connection.execute("UPDATE prompt SET deleted = ? WHERE id = ? AND deleted IS NULL", (now(), prompt_id))

    def restore(self, prompt_id: str) -> None:
        """Brings a deleted prompt back; `UserError("usage")` for one that is gone for good."""
        with self._transactions.write_plain() as connection:
            if connection.execute("UPDATE prompt SET deleted = NULL WHERE id = ?", (prompt_id,)).rowcount == 0:
                raise UserError("usage", phrase("This prompt no longer exists."))
