"""Owns bringing threads from exports into the file, each message once. Knows no export format."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement
from sqlalchemy import select as sql_select
from sqlmodel import Session, select

from desktop_app.core.history import ImportCount, ImportedThread
from desktop_app.core.messages import Message
from desktop_app.storage.connection import Transactions
from desktop_app.storage.mapping import thread_columns
from desktop_app.storage.messages import Messages
from desktop_app.storage.rows import ImportRow, MessageRow, ThreadRow, table_of

_MESSAGE = table_of(MessageRow)
_AT_ONCE = 500
"""Ids asked for with one statement."""


class Imports:
    """Imports into the history file: all threads in one transaction."""

    def __init__(self, transactions: Transactions, messages: Messages) -> None:
        self._transactions = transactions
        self._messages = messages

    def add(self, threads: Sequence[ImportedThread]) -> ImportCount:
        """A thread is known by its origin or its id, a message by its id. A deleted thread that comes again is back.

        A message whose parent is not among the messages begins a branch of its own. A message id that stands in
        another thread is replaced by one made of both ids, the same one each time.
        """
        new_threads = new_messages = already = 0
        with self._transactions.write() as session:
            for imported in threads:
                row = _known_thread(session, imported)
                if row is None:
                    row = _add_thread(session, imported)
                    new_threads += 1
                elif row.deleted is not None:
                    row.deleted = None
                    new_threads += 1
                else:
                    already += 1
                new_messages += self._add_messages(session, row, imported)
        return ImportCount(new_threads, new_messages, already)

    def _add_messages(self, session: Session, thread: ThreadRow, imported: ImportedThread) -> int:
        key = thread.key or 0
        names = _names(session, key, imported)
        messages = [_renamed(message, thread.id, names) for message in _parents_first(imported.messages)]
        here = _ids(session, _MESSAGE.c.thread_key == key)
        new = [message for message in messages if message.id not in here]
        for message in new:
            self._messages.add(session, message, key)
        parents = {message.id: message.parent_id for message in messages}
        tip = names.get(imported.thread.tip or "") or (messages[-1].id if messages else None)
        if thread.tip is None or thread.tip in _path(parents, tip):
            thread.tip = tip
        if new:
            thread.updated = max(thread.updated, imported.thread.updated)
            thread.message_count += len(new)
        session.add(thread)
        session.flush()
        return len(new)


def _known_thread(session: Session, imported: ImportedThread) -> ThreadRow | None:
    origin = session.get(ImportRow, imported.key)
    if origin is not None:
        return session.get_one(ThreadRow, origin.thread_key)
    return session.exec(select(ThreadRow).where(ThreadRow.id == imported.thread.id)).first()


def _add_thread(session: Session, imported: ImportedThread) -> ThreadRow:
    row = ThreadRow(**thread_columns(replace(imported.thread, tip=None)))
    session.add(row)
    session.flush()
    session.add(ImportRow(origin=imported.key, thread_key=row.key or 0))
    return row


def _names(session: Session, thread_key: int, imported: ImportedThread) -> Mapping[str, str]:
    """The id under which each message stands in the file."""
    names = {message.id: message.id for message in imported.messages}
    ids = list(names)
    for start in range(0, len(ids), _AT_ONCE):
        some = _MESSAGE.c.id.in_(ids[start : start + _AT_ONCE])
        for taken in _ids(session, some & (_MESSAGE.c.thread_key != thread_key)):
            both = f"{imported.thread.id}\0{taken}".encode("utf-8", "surrogatepass")
            names[taken] = hashlib.sha256(both).hexdigest()[:32]
    return names


def _ids(session: Session, which: ColumnElement[bool]) -> set[str]:
    return set(session.connection().execute(sql_select(_MESSAGE.c.id).where(which)).scalars())


def _renamed(message: Message, thread_id: str, names: Mapping[str, str]) -> Message:
    parent_id = None if message.parent_id is None else names.get(message.parent_id)
    return replace(message, id=names[message.id], thread_id=thread_id, parent_id=parent_id)


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
