"""Owns the life of a turn in the file: begin, partial answers, end, repair. Knows nothing of who streams the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import exists, update
from sqlmodel import Session, select

from desktop_app.core.context.plan import ContextEvent
from desktop_app.core.errors import UserError
from desktop_app.core.history import TurnRecord
from desktop_app.core.messages import Failure, JsonObject, Message, Usage
from desktop_app.storage.blocks import Blocks
from desktop_app.storage.connection import Transactions
from desktop_app.storage.mapping import answer_columns, pack_parts
from desktop_app.storage.messages import Messages
from desktop_app.storage.owner import Owner, is_alive, this_process
from desktop_app.storage.requests import Requests
from desktop_app.storage.rows import ContextEventRow, MessageRow, ThreadRow, TurnRow, table_of
from desktop_app.storage.search_index import add_to_index, remove_from_index
from desktop_app.storage.threads import live_thread, move_tip

RUNNING = "running"
INTERRUPTED = Failure(
    "interrupted",
    "Plimsoll ended before this answer was complete. What had come is kept; nothing was sent again.",
    actions=("retry",),
)
"""Stands on an answer whose process died."""

_MESSAGE = table_of(MessageRow)
_TURN = table_of(TurnRow)


class Turns:
    """The turns of the history file."""

    def __init__(self, transactions: Transactions, blocks: Blocks, messages: Messages, requests: Requests) -> None:
        self._transactions = transactions
        self._blocks = blocks
        self._messages = messages
        self._requests = requests
        self._owner = this_process()
        self._not_ended: dict[str, tuple[Message, Usage | None]] = {}

    def begin(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Iterable[ContextEvent] = (),
    ) -> None:
        with self._transactions.write() as session:
            thread = live_thread(session, turn.thread_id)
            thread_key = thread.key or 0
            self._clear_the_way(session, thread)
            move_tip(session, thread, answer.id, expected_tip)
            for message in new_messages:
                self._messages.add(session, message, thread_key)
            answer_key = self._messages.add(session, replace(answer, state="partial"), thread_key, growing=True)
            user_id = turn.user_message_id
            row = TurnRow(
                id=turn.id,
                thread_key=thread_key,
                user_key=None if user_id is None else self._messages.row(session, user_id).key,
                answer_key=answer_key,
                purpose=turn.purpose,
                backend=turn.backend,
                model=turn.model,
                state=RUNNING,
                started=turn.started,
                owner_pid=self._owner.pid,
                owner_started=self._owner.started,
                owner_boot=self._owner.boot,
            )
            session.add(row)
            thread.updated = max(thread.updated, turn.started)
            thread.message_count += len(new_messages) + 1
            if new_messages:
                thread.draft = ""
            session.flush()
            turn_key = row.key or 0
            self._requests.add(session, turn_key, thread_key, request)
            session.add_all(
                ContextEventRow(
                    turn_key=turn_key,
                    kind=event.kind,
                    before=event.before,
                    after=event.after,
                    messages=event.messages,
                    model=event.model,
                )
                for event in events
            )

    def save_partial(self, answer: Message) -> None:
        """Text stays in the row, uncompressed and not indexed: this happens twice a second."""
        running = exists().where(_TURN.c.answer_key == _MESSAGE.c.key, _TURN.c.state == RUNNING)
        change = (
            update(_MESSAGE).where(_MESSAGE.c.id == answer.id, running).values(parts=pack_parts(answer.parts, None))
        )
        with self._transactions.write() as session:
            if session.connection().execute(change).rowcount == 0:
                raise UserError("store", "This answer has ended already, so it can't grow.", detail=answer.id)

    def end(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        """The answer's last form. If the disk refuses it, it is written when the thread's next turn begins."""
        try:
            with self._transactions.write() as session:
                self._end(session, turn_id, answer, usage)
        except Exception:
            self._not_ended[turn_id] = (answer, usage)
            raise
        self._not_ended.pop(turn_id, None)

    def repair(self) -> Sequence[str]:
        with self._transactions.read() as session:
            if not self._dead(session):
                return ()
        with self._transactions.write() as session:
            return tuple(self._interrupt(session, row) for row in self._dead(session))

    def _clear_the_way(self, session: Session, thread: ThreadRow) -> None:
        """Ends what only looks like a running turn of this thread; refuses if one really runs."""
        running = select(TurnRow).where(TurnRow.thread_key == thread.key, TurnRow.state == RUNNING)
        row = session.exec(running).first()
        if row is None:
            return
        if row.id in self._not_ended:
            self._end(session, row.id, *self._not_ended[row.id])
        elif _alive(row):
            raise UserError(
                "store",
                "An answer is already being written in this thread. Wait until it is complete, or stop it, then try "
                "again.",
                detail=f"turn {row.id} of process {row.owner_pid}",
                actions=("retry",),
            )
        else:
            self._interrupt(session, row)

    def _dead(self, session: Session) -> Sequence[TurnRow]:
        running = session.exec(select(TurnRow).where(TurnRow.state == RUNNING)).all()
        return [row for row in running if not _alive(row)]

    def _interrupt(self, session: Session, row: TurnRow) -> str:
        """Ends a dead process's turn; its answer stays as it was stored last. Returns the thread's id."""
        stored = session.connection().execute(_MESSAGE.select().where(_MESSAGE.c.key == row.answer_key)).one()
        answer = self._messages.read(session, stored)
        self._write_end(session, row, stored.key, replace(answer, failure=INTERRUPTED), None)
        return answer.thread_id

    def _end(self, session: Session, turn_id: str, answer: Message, usage: Usage | None) -> None:
        row = session.exec(select(TurnRow).where(TurnRow.id == turn_id)).first()
        if row is None:
            raise UserError("usage", f"There is no turn {turn_id}.")
        stored = self._messages.row(session, answer.id)
        if stored.key != row.answer_key:
            raise ValueError(f"message {answer.id} is not the answer of turn {turn_id}")
        if row.state != RUNNING:
            before = self._messages.read(session, stored)
            if before.failure != INTERRUPTED:
                raise ValueError(f"turn {turn_id} has ended already")
            # another process took ours for dead: the words that came count more
            remove_from_index(self._transactions.connection, stored.key, before)
        self._write_end(session, row, stored.key, answer, usage)

    def _write_end(self, session: Session, row: TurnRow, key: int, answer: Message, usage: Usage | None) -> None:
        change: dict[str, Any] = answer_columns(answer, self._blocks.put)
        session.connection().execute(update(_MESSAGE).where(_MESSAGE.c.key == key).values(change))
        add_to_index(self._transactions.connection, key, answer)
        row.state = answer.state
        row.ended = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        row.model_served = answer.model
        row.stop_reason = answer.stop_reason
        row.failure_code = None if answer.failure is None else answer.failure.code
        if usage is not None:
            row.input, row.cache_read, row.cache_write = usage.input, usage.cache_read, usage.cache_write
            row.output, row.thinking, row.cost_usd = usage.output, usage.thinking, usage.cost_usd
        session.add(row)


def _alive(row: TurnRow) -> bool:
    return is_alive(Owner(row.owner_pid, row.owner_started, row.owner_boot))
