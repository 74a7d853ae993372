"""Stores what model calls have cost, and what their counts have taught the estimator."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import starmap
from typing import TYPE_CHECKING

from desktop_app.core.history_records import CallRecord, LedgerRow
from desktop_app.storage.row_mapping import UNREADABLE, pack_parts, storable_text, usage_columns
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import CALLS
from desktop_app.storage.thread_store import any_thread

if TYPE_CHECKING:
    from desktop_app.core.context.plan import TokenWeights


_WEIGHTS = "SELECT weights FROM calibration WHERE backend = ? AND model = ?"
_SET_WEIGHTS = "REPLACE INTO calibration (backend, model, weights) VALUES (?, ?, ?)"
_SET_WINDOW = "REPLACE INTO learned_window (backend, model, window) VALUES (?, ?, ?)"


class CalibrationStore:
    """One set of weights, and at most one window, per backend and model."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def read(self, backend: str, model: str) -> TokenWeights | None:
        with self._transactions.read_plain() as connection:
            row = connection.execute(_WEIGHTS, (backend, model)).fetchone()
        if row is None:
            return None
        from desktop_app.core.context.plan import TokenWeights

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
_SPENT = """
    SELECT (SELECT total(max(cost_usd, 0)) FROM turn WHERE cost_kind = 'money' AND started >= :since{one})
        + (SELECT total(max(cost_usd, 0)) FROM model_call WHERE cost_kind = 'money' AND started >= :since{one})
"""

LATELY = 200
"""Turns that are looked at for the models used lately."""
_RECENT = """
    SELECT through, wished FROM (
        SELECT turn.key AS place, turn.backend AS through, coalesce(nullif(
            CASE WHEN json_valid(usage) THEN usage ->> '$.asked' END, ''), turn.model) AS wished
        FROM turn JOIN message ON message.key = answer_key ORDER BY turn.key DESC LIMIT :lately
    ) GROUP BY through, wished ORDER BY max(place) DESC
"""


class LedgerStore:
    """All model calls of the history file."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def record(self, call: CallRecord) -> None:
        with self._transactions.write_plain() as connection:
            thread_key = None if call.thread_id is None else any_thread(connection, call.thread_id).key
            columns = {
                "id": call.id,
                "thread_key": thread_key,
                "purpose": call.purpose,
                "backend": call.backend,
                "model": storable_text(call.model),
                "cost_kind": call.cost_kind,
                "started": call.started,
                "ended": call.ended,
                "failure_code": call.failure or None,
            }
            CALLS.add(connection, columns | usage_columns(call.usage))

    def rows(self) -> Sequence[LedgerRow]:
        """A deleted thread keeps its place with its figures, but not its title."""
        with self._transactions.read_plain() as connection:
            return tuple(starmap(LedgerRow, connection.execute(_ROWS, {"empty": pack_parts((), None)})))

    def recent_models(self) -> Sequence[tuple[str, str]]:
        """Backend and model of the last turns, each once, the last one first."""
        with self._transactions.read_plain() as connection:
            return tuple(map(tuple, connection.execute(_RECENT, {"lately": LATELY})))

    def spent(self, since: str, thread_id: str | None) -> float:
        with self._transactions.read_plain() as connection:
            if thread_id is None:
                found = connection.execute(_SPENT.format(one=""), {"since": since})
            else:
                key = any_thread(connection, thread_id).key
                found = connection.execute(_SPENT.format(one=" AND thread_key = :key"), {"since": since, "key": key})
            return float(found.fetchone()[0])
