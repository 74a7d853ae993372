"""Stores a turn (begin to end, repair), the thread's context events, calibration; also the ledger of all calls."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import starmap
from typing import Any

from desktop_app.core.attachment_facts import attachments_of, without
from desktop_app.core.context.sent_content import missing_results, opens_turn
from desktop_app.core.context.text_features import TokenWeights
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import (
    KEPT_OF,
    CallRecord,
    ContextEvent,
    EventCount,
    LedgerRow,
    StoredEvent,
    TurnRecord,
)
from desktop_app.core.messages import Failure, JsonObject, Message, Part, Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.text_diff import without_sent
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.message_store import MessageStore, add_to_index, remove_from_index
from desktop_app.storage.request_store import RequestStore
from desktop_app.storage.row_mapping import UNREADABLE, answer_columns, pack_parts, storable_text, usage_columns
from desktop_app.storage.sqlite_connection import CALLS, EVENTS, MESSAGES, TURNS, Topic, Transactions
from desktop_app.storage.thread_store import any_thread, attachments, live_thread, move_tip, write_attachments
from desktop_app.system.process_owner import Owner, OwnerLocks, is_alive, this_process
from desktop_app.system.system_clock import timestamp, utc_now

_OF_THREAD = """
    SELECT kind, "before", "after", messages, context_event.model, at, question.id, answer.id, context_event.cost_usd
    FROM context_event
    LEFT JOIN turn ON turn.key = turn_key
    LEFT JOIN message AS question ON question.key = user_key
    LEFT JOIN message AS answer ON answer.key = answer_key
    WHERE context_event.thread_key = ? ORDER BY at, context_event.key
"""

_COUNTS = """
    SELECT thread.id, substr(at, 1, 10) AS day, kind, count(*)
    FROM context_event LEFT JOIN thread ON thread.key = thread_key
    GROUP BY thread_key, day, kind ORDER BY day DESC, kind
"""


class ContextEventStore(Topic):
    """The context events of the history file. `add` runs in the caller's transaction."""

    def record(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None = None,
        cost_usd: float | None = None,
    ) -> None:
        with self._transactions.write_plain() as connection:
            thread_key = None if thread_id is None else any_thread(connection, thread_id).key
            turn_key = None
            if turn_id is not None:
                if (turn := TURNS.first(connection, "id = ?", turn_id)) is None:
                    raise UserError("usage", phrase("There is no turn {turn_id}.", turn_id=turn_id))
                turn_key = turn.key
            self.add(connection, events, at=at, thread_key=thread_key, turn_key=turn_key, cost_usd=cost_usd)

    def add(
        self,
        connection: sqlite3.Connection,
        events: Iterable[ContextEvent],
        *,
        at: str,
        thread_key: int | None,
        turn_key: int | None,
        cost_usd: float | None = None,
    ) -> None:
        """Stores events that happened together."""
        where = {"thread_key": thread_key, "turn_key": turn_key, "at": at, "cost_usd": cost_usd}
        for event in events:
            EVENTS.add(connection, where | asdict(event))

    def of_thread(self, thread_id: str) -> Sequence[StoredEvent]:
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_OF_THREAD, (live_thread(connection, thread_id).key,)).fetchall()

        return tuple(StoredEvent(ContextEvent(*row[:5]), *row[5:]) for row in rows)

    def counts(self) -> Sequence[EventCount]:
        with self._transactions.read_plain() as connection:
            return tuple(EventCount(*row) for row in connection.execute(_COUNTS))


log = logging.getLogger(__name__)

RUNNING = "running"
INTERRUPTED = Failure(
    "interrupted",
    phrase("Plimsoll ended before this answer was complete. The text so far is kept; nothing was sent again."),
    actions=("retry",),
)
"""Stands on an answer whose process died."""

_GROW = """
    UPDATE message SET parts = ? WHERE id = ?
    AND EXISTS (SELECT * FROM turn WHERE answer_key = message.key AND turn.state = ?)
"""
_END_ANSWER = """
    UPDATE message SET state = :state, parts = :parts, backend = :backend, model = :model, usage = :usage,
    stop_reason = :stop_reason, prefix_key = :prefix_key, "window" = :window, failure = :failure WHERE key = :key
"""
_END_TURN = """
    UPDATE turn SET state = :state, ended = :ended, model_served = :model_served, stop_reason = :stop_reason,
    failure_code = :failure_code, input = :input, cache_read = :cache_read, cache_write = :cache_write,
    output = :output, thinking = :thinking, cost_usd = :cost_usd WHERE key = :key
"""
_NOT_REWRITTEN = "DELETE FROM context_event WHERE turn_key = ? AND kind = 'cache_rewritten'"
_BOOK = "substr(started, 1, 10), thread_key, backend, :served, purpose, cost_kind, 1, 0, 0, 0, 0, 0, 0"
_BOOK_SERVED = (
    """
    UPDATE spending SET calls = calls - 1 WHERE (day, thread_key, backend, model, purpose, cost_kind) =
        (SELECT substr(started, 1, 10), thread_key, backend, model, purpose, cost_kind FROM turn WHERE key = :key)
    """,
    "DELETE FROM spending WHERE calls = 0",
    f"INSERT INTO spending SELECT {_BOOK} FROM turn WHERE key = :key ON CONFLICT DO UPDATE SET calls = calls + 1",
    "UPDATE turn SET model = :served WHERE key = :key",
)
"""The turn, which nothing was counted for yet, is another model's: that one is paid."""


@dataclass(eq=False)
class TurnStore:
    _transactions: Transactions
    _blocks: BlockStore
    _messages: MessageStore
    _requests: RequestStore
    _events: ContextEventStore
    _locks: OwnerLocks
    _owner: Owner = field(default_factory=this_process, init=False)
    _not_ended: dict[str, tuple[Message, Usage | None]] = field(default_factory=dict, init=False)

    def begin(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Iterable[ContextEvent] = (),
    ) -> tuple[str, tuple[Part, ...] | None]:
        self._transactions.identity.check()
        self._locks.hold(self._owner)
        with self._transactions.write_plain() as connection:
            thread = live_thread(connection, turn.thread_id)
            self._clear_the_way(connection, thread)
            move_tip(connection, thread, answer.id, expected_tip)
            for message in new_messages:
                self._messages.add(connection, message, thread.key)
            answer_key = self._messages.add(connection, replace(answer, state="partial"), thread.key, growing=True)
            user_id = turn.user_message_id
            columns = {
                **{name: getattr(turn, name) for name in ("id", "purpose", "backend", "model", "cost_kind", "started")},
                "thread_key": thread.key,
                "user_key": None if user_id is None else self._messages.row(connection, user_id).key,
                "answer_key": answer_key,
                "state": RUNNING,
                "owner_pid": self._owner.pid,
                "owner_started": self._owner.started,
                "owner_boot": self._owner.boot,
            }
            turn_key = TURNS.add(connection, columns)
            # results of tools, and what is edited further up, are stored while the user may be typing the next question
            asked = [one for one in new_messages if opens_turn(one) and one.parent_id == expected_tip]
            connection.execute(
                "UPDATE thread SET updated = max(updated, ?), message_count = message_count + ? WHERE key = ?",
                (turn.started, len(new_messages) + 1, thread.key),
            )
            draft, left = str(thread.draft), None  # type: tuple[str, tuple[Part, ...] | None]
            for message in asked:
                draft = without_sent(draft, message.text)
                values = (draft, thread.key)
                connection.execute("UPDATE thread SET draft = ?, draft_count = NULL WHERE key = ?", values)
                if attached := attachments_of(message.parts):
                    left = without(attachments(connection, thread.key), attached)
                    write_attachments(connection, thread.key, left)
            self._requests.add(connection, turn_key, thread.key, request)
            about = {"thread_key": thread.key, "turn_key": turn_key, "cost_usd": turn.expected_usd}
            self._events.add(connection, events, at=turn.started, **about)
        return draft, left

    def save_request(self, turn: TurnRecord, request: JsonObject) -> None:
        """Stores a further request of a turn; one that is not known is left alone."""
        with self._transactions.write_plain() as connection:
            if (row := TURNS.first(connection, "id = ?", turn.id)) is not None:
                self._requests.add(connection, row.key, row.thread_key, request)

    def save_partial(self, answer: Message) -> None:
        """Text stays in the row, uncompressed and not indexed: this happens twice a second."""
        values = (pack_parts(answer.parts, None), answer.id, RUNNING)
        with self._transactions.write_plain() as connection:
            if connection.execute(_GROW, values).rowcount == 0:
                raise UserError("store", phrase("This answer has ended already, so it can't grow."), detail=answer.id)

    def end(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        """The answer's last form. If the disk refuses it, `write_ends` writes it, or the thread's next turn."""
        try:
            with self._transactions.write_plain() as connection:
                self._end(connection, turn_id, answer, usage)
        except Exception:
            self._not_ended[turn_id] = (answer, usage)
            raise
        self._not_ended.pop(turn_id, None)

    def write_ends(self, *, wait: bool = False) -> frozenset[str]:
        """Writes the ends that could not be written when they came; the ids of the turns that still wait.

        `wait`: for another process's lock, as any write does; else a lock is found out at once. Raises nothing.
        """
        with contextlib.nullcontext() if wait else self._transactions.without_waiting():
            for turn_id, (answer, usage) in tuple(self._not_ended.items()):
                try:
                    self.end(turn_id, answer, usage)
                except ValueError:  # it has ended already, in another way
                    del self._not_ended[turn_id]
                except Exception as error:  # noqa: BLE001  the next time may be better; what locks one locks all
                    log.warning("the end of an answer could not be written: %s", type(error).__name__)
                    break
        return frozenset(self._not_ended)

    def repair(self) -> Sequence[str]:
        with self._transactions.read_plain() as connection:
            if not self._dead(connection) or self._transactions.read_only:
                return ()
        with self._transactions.write_plain() as connection:
            return tuple(self._interrupt(connection, row) for row in self._dead(connection))

    def running(self) -> Sequence[str]:
        """The ids of the threads in which a living process has a turn running."""
        with self._transactions.read_plain() as connection:
            alive = [row.thread_key for row in TURNS.read(connection, "state = 'running'") if self._alive(row)]
            find = "SELECT id FROM thread WHERE key = ?"
            return tuple(connection.execute(find, (key,)).fetchone()[0] for key in alive)

    def _clear_the_way(self, connection: sqlite3.Connection, thread: Any) -> None:
        """Ends what only looks like a running turn of this thread; refuses if one really runs."""
        row = TURNS.first(connection, "thread_key = ? AND state = 'running'", thread.key)
        if row is None:
            return
        if row.id in self._not_ended:
            self._end(connection, row.id, *self._not_ended[row.id])
        elif self._alive(row):
            words = phrase(
                "An answer is already being written in this thread. Wait until it is complete, or stop it, then "
                "try again."
            )
            raise UserError("store", words, detail=f"turn {row.id} of process {row.owner_pid}", actions=("retry",))
        else:
            self._interrupt(connection, row)

    def _dead(self, connection: sqlite3.Connection) -> Sequence[Any]:
        return [row for row in TURNS.read(connection, "state = 'running'") if not self._alive(row)]

    def _interrupt(self, connection: sqlite3.Connection, row: Any) -> str:
        """Ends a dead process's turn, its answer as stored last, and returns the thread's id."""
        stored = MESSAGES.first(connection, "key = ?", row.answer_key)
        answer = self._messages.read(connection, stored)
        parts = (*answer.parts, *missing_results(answer.parts, "Plimsoll"))
        self._write_end(connection, row, stored.key, replace(answer, parts=parts, failure=INTERRUPTED), None)
        return answer.thread_id

    def _end(self, connection: sqlite3.Connection, turn_id: str, answer: Message, usage: Usage | None) -> None:
        if (row := TURNS.first(connection, "id = ?", turn_id)) is None:
            raise UserError("usage", phrase("There is no turn {turn_id}.", turn_id=turn_id))
        if (stored := self._messages.row(connection, answer.id)).key != row.answer_key:
            raise ValueError(f"message {answer.id} is not the answer of turn {turn_id}")
        if row.state != RUNNING:
            if (before := self._messages.read(connection, stored)).failure != INTERRUPTED:
                raise ValueError(f"turn {turn_id} has ended already")
            # another process took ours for dead: the words that came count more
            remove_from_index(connection, stored.key, row.thread_key, before)
        self._write_end(connection, row, stored.key, answer, usage)

    def _write_end(
        self, connection: sqlite3.Connection, row: Any, key: int, answer: Message, usage: Usage | None
    ) -> None:
        connection.execute(_END_ANSWER, answer_columns(answer, self._blocks.put) | {"key": key})
        add_to_index(connection, key, row.thread_key, answer)
        ended = {
            "key": row.key,
            "state": answer.state,
            "ended": timestamp(utc_now()),
            "model_served": storable_text(answer.model),
            "stop_reason": storable_text(answer.stop_reason),
            "failure_code": None if answer.failure is None else answer.failure.code,
        }
        served = ended["model_served"]
        if answer.usage is not None and answer.usage.asked and row.model != served and row.input is None:
            for statement in _BOOK_SERVED:
                connection.execute(statement, {"served": served, "key": row.key})
        connection.execute(_END_TURN, usage_columns(usage) | ended)
        from desktop_app.core.context.costs import reads_its_cache  # what only reads the history plans nothing

        if usage is not None and reads_its_cache(usage):
            connection.execute(_NOT_REWRITTEN, (row.key,))

    def _alive(self, row: Any) -> bool:
        """A lock decides; where there is none, as of an older version, the process's number."""
        owner = Owner(row.owner_pid, row.owner_started, row.owner_boot)
        return is_alive(owner) if (held := self._locks.is_held(owner)) is None else held


_WEIGHTS = "SELECT weights FROM calibration WHERE backend = ? AND model = ?"
_SET_WEIGHTS = "REPLACE INTO calibration (backend, model, weights) VALUES (?, ?, ?)"
_SET_WINDOW = "REPLACE INTO learned_window (backend, model, window) VALUES (?, ?, ?)"


class CalibrationStore(Topic):
    """One set of weights, and at most one window, per backend and model."""

    def read(self, backend: str, model: str) -> TokenWeights | None:
        with self._transactions.read_plain() as connection:
            row = connection.execute(_WEIGHTS, (backend, model)).fetchone()
        if row is None:
            return None

        with suppress(*UNREADABLE):  # what was learned is learned again
            data = json.loads(row[0])
            return TokenWeights(
                weights=tuple(map(float, data["weights"])),
                covariance=tuple(tuple(map(float, line)) for line in data["covariance"]),
                observations=int(data["observations"]),
                extra={kind: float(tokens) for kind, tokens in data["extra"].items()},
            )
        return None

    def write(self, backend: str, model: str, weights: TokenWeights) -> None:
        text = json.dumps(asdict(weights), separators=(",", ":"))
        with self._transactions.write_plain() as connection:
            connection.execute(_SET_WEIGHTS, (backend, model, text))

    def windows(self) -> Mapping[tuple[str, str], int]:
        with self._transactions.read_plain() as connection:
            rows = connection.execute("SELECT backend, model, window FROM learned_window").fetchall()
        return {(backend, model): window for backend, model, window in rows}

    def write_window(self, backend: str, model: str, window: int | None) -> None:
        """None forgets what was learned."""
        with self._transactions.write_plain() as connection:
            if window is None:
                connection.execute("DELETE FROM learned_window WHERE backend = ? AND model = ?", (backend, model))
            else:
                connection.execute(_SET_WINDOW, (backend, model, window))


_ROWS = """
    WITH cut_off AS (
        SELECT turn.thread_key AS thread, substr(started, 1, 10) AS began, turn.backend AS through, turn.model AS by,
            purpose AS what_for, cost_kind AS kind, count(*) AS times
        FROM turn JOIN message ON message.key = answer_key
        WHERE input IS NULL AND turn.state != 'running' AND message.parts != :empty GROUP BY 1, 2, 3, 4, 5, 6
    )
    SELECT thread.id, CASE WHEN deleted IS NULL THEN coalesce(title, '') ELSE '' END, day, spending.backend,
        spending.model, purpose, cost_kind, calls, input, cache_read, cache_write, output, cost_usd, priced,
        coalesce(times, 0)
    FROM spending LEFT JOIN thread ON thread.key = thread_key
    LEFT JOIN cut_off ON cut_off.thread = thread_key AND began = day AND through = spending.backend
        AND by = spending.model AND what_for = purpose AND kind = cost_kind
    ORDER BY day DESC
"""
_BILLED = "cost_kind = 'money' AND started BETWEEN :since AND :until"
_SPENT = f"""
    SELECT (SELECT total(max(cost_usd, 0)) FROM turn WHERE {_BILLED}{{one}})
        + (SELECT total(max(cost_usd, 0)) FROM model_call WHERE {_BILLED}{{one}})
"""

_KEPT = "SELECT id, started FROM model_call WHERE purpose = 'cache' ORDER BY key DESC LIMIT :lately"

LATELY = 200
"""Turns that are looked at for the models used lately."""
_RECENT = """
    SELECT through, wished FROM (
        SELECT turn.key AS place, turn.backend AS through, coalesce(nullif(
            CASE WHEN json_valid(usage) THEN usage ->> '$.asked' END, ''), turn.model) AS wished
        FROM turn JOIN message ON message.key = answer_key ORDER BY turn.key DESC LIMIT :lately
    ) GROUP BY through, wished ORDER BY max(place) DESC
"""


class LedgerStore(Topic):
    """All model calls of the history file."""

    def record(self, call: CallRecord) -> None:
        with self._transactions.write_plain() as connection:
            thread_key = None if call.thread_id is None else any_thread(connection, call.thread_id).key
            own = {name: getattr(call, name) for name in ("id", "purpose", "backend", "cost_kind", "started", "ended")}
            others = {
                "thread_key": thread_key,
                "model": storable_text(call.model),
                "failure_code": call.failure or None,
            }
            CALLS.add(connection, own | others | usage_columns(call.usage))

    def rows(self) -> Sequence[LedgerRow]:
        """A deleted thread keeps its place with its figures, but not its title."""
        with self._transactions.read_plain() as connection:
            return tuple(starmap(LedgerRow, connection.execute(_ROWS, {"empty": pack_parts((), None)})))

    def recent_models(self) -> Sequence[tuple[str, str]]:
        """Backend and model of the last turns, each once, the last one first."""
        with self._transactions.read_plain() as connection:
            return tuple(map(tuple, connection.execute(_RECENT, {"lately": LATELY})))

    def kept_caches(self) -> Mapping[str, str]:
        """Of the last calls that kept a cache: the answers whose requests they read, with the time."""
        with self._transactions.read_plain() as connection:
            found = connection.execute(_KEPT, {"lately": LATELY}).fetchall()
        return {name.partition(KEPT_OF)[0]: started for name, started in reversed(found) if KEPT_OF in name}

    def spent(self, *, since: str, until: str = "9999", thread_id: str | None = None) -> float:
        times = {"since": since, "until": until}
        with self._transactions.read_plain() as connection:
            if thread_id is None:
                found = connection.execute(_SPENT.format(one=""), times)
            else:
                key = any_thread(connection, thread_id).key
                found = connection.execute(_SPENT.format(one=" AND thread_key = :key"), times | {"key": key})
            return float(found.fetchone()[0])
