"""Stores what model calls have cost, and sums it.

The sums stand in the table `spending`, which triggers of the file keep with every call; see `migrations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from desktop_app.core.history_records import CallRecord, LedgerRow
from desktop_app.storage.row_mapping import pack_parts, storable_text, usage_columns
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import CALLS
from desktop_app.storage.thread_store import any_thread

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
