"""Owns reading and writing messages. Knows their rows and blocks, nothing of turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, select
from sqlmodel import Session

from desktop_app.core.errors import UserError
from desktop_app.core.messages import Message
from desktop_app.storage.blocks import Blocks, read_blocks
from desktop_app.storage.connection import Transactions
from desktop_app.storage.mapping import message_columns, message_from, packed_parts
from desktop_app.storage.packing import block_keys
from desktop_app.storage.rows import MessageRow, ThreadRow, table_of
from desktop_app.storage.search_index import add_to_index
from desktop_app.storage.threads import live_thread

_MESSAGE = table_of(MessageRow)
_THREAD = table_of(ThreadRow)


class Messages:
    """The messages of the history file. Methods that take a session run inside the caller's transaction."""

    def __init__(self, transactions: Transactions, blocks: Blocks) -> None:
        self._transactions = transactions
        self._blocks = blocks

    def all(self, thread_id: str) -> Sequence[Message]:
        with self._transactions.read() as session:
            key = live_thread(session, thread_id).key
            which = select(_MESSAGE).where(_MESSAGE.c.thread_key == key).order_by(_MESSAGE.c.key)
            rows = session.connection().execute(which).all()
            packed = [packed_parts(row) for row in rows]
            get = read_blocks(self._transactions.connection, block_keys(packed))
        ids = {row.key: row.id for row in rows}
        return tuple(
            message_from(row, thread_id=thread_id, parent_id=ids.get(row.parent_key), packed=one, get=get)
            for row, one in zip(rows, packed, strict=True)
        )

    def one(self, message_id: str) -> Message:
        with self._transactions.read() as session:
            return self.read(session, self.row(session, message_id))

    def row(self, session: Session, message_id: str) -> Any:
        """The stored columns of a message; `UserError("usage")` if there is none."""
        found = session.connection().execute(select(_MESSAGE).where(_MESSAGE.c.id == message_id)).first()
        if found is None:
            raise UserError("usage", f"There is no message {message_id}.")
        return found

    def read(self, session: Session, row: Any) -> Message:
        """The message of the stored columns."""
        connection = session.connection()
        thread_id = connection.execute(select(_THREAD.c.id).where(_THREAD.c.key == row.thread_key)).scalar_one()
        parent_id = connection.execute(select(_MESSAGE.c.id).where(_MESSAGE.c.key == row.parent_key)).scalar()
        packed = packed_parts(row)
        get = read_blocks(self._transactions.connection, block_keys(packed))
        return message_from(row, thread_id=thread_id, parent_id=parent_id, packed=packed, get=get)

    def add(self, session: Session, message: Message, thread_key: int, *, growing: bool = False) -> int:
        """Stores a message and returns its key; its parent must be stored. A growing one is indexed when it ends."""
        parent = None if message.parent_id is None else self.row(session, message.parent_id)
        if parent is not None and parent.thread_key != thread_key:
            raise ValueError(f"the parent of message {message.id} is in another thread")
        columns = message_columns(message, None if growing else self._blocks.put) | {
            "thread_key": thread_key,
            "parent_key": None if parent is None else parent.key,
            "depth": 1 if parent is None else parent.depth + 1,
        }
        key = session.connection().execute(insert(_MESSAGE).values(columns)).lastrowid
        if not growing:
            add_to_index(self._transactions.connection, key, message)
        return key
