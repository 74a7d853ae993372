"""Finds what a question is about in many threads, with the ranking that a search of one thread has (CTX-13)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import Any

from desktop_app.core.history_records import RecallHit
from desktop_app.core.passage_ranking import question_terms, ranked_passages
from desktop_app.core.search_terms import recallable_text
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.row_mapping import thread_from
from desktop_app.storage.search_index import fact_terms
from desktop_app.storage.sqlite_connection import Transactions
from desktop_app.storage.table_records import THREADS

_CANDIDATES = 120
"""Messages of all threads that are read to find the passages that answer a question."""

_NAMED = 200
"""Threads up to which the index is asked for these alone; of more, their messages are picked out of all."""

_MOST_MATCHES = 20_000
"""Messages with one word of a question that are looked at, those stored last."""

_MATCH = "SELECT rowid FROM message_text WHERE message_text MATCH ? ORDER BY rowid DESC LIMIT ?"
_WAITING = """
    SELECT DISTINCT thread.id FROM unindexed CROSS JOIN message USING (key) CROSS JOIN thread ON thread.key = thread_key
    WHERE thread.id IN (SELECT value FROM json_each(?))
"""
_BRANCH = """
    WITH RECURSIVE branch (key, parent_key) AS (
        SELECT key, parent_key FROM message WHERE id = ?
        UNION ALL
        SELECT message.key, message.parent_key FROM branch JOIN message ON message.key = branch.parent_key
    )
    SELECT message.key, message.id FROM branch JOIN message USING (key)
"""
_THREAD_OF = "SELECT key, thread_key FROM message WHERE key IN (SELECT value FROM json_each(?))"


class ThreadsSearch:
    """Searches in the current branches of threads of the history file."""

    def __init__(self, transactions: Transactions, messages: MessageStore) -> None:
        self._transactions = transactions
        self._messages = messages

    def waiting(self, among: Collection[str]) -> Sequence[str]:
        """The ids of those of these threads that are not in the index as a whole yet."""
        with self._transactions.read_plain() as connection:
            return [one for (one,) in connection.execute(_WAITING, (json.dumps(list(among)),))]

    def best(self, question: str, among: Collection[str], limit: int) -> Sequence[tuple[str, RecallHit]]:
        """The messages of the threads with the ids `among` that say most of what is asked, best first."""
        terms = question_terms(question)
        with self._transactions.read_plain() as connection:
            ids = json.dumps(list(among))
            where = "deleted IS NULL AND id IN (SELECT value FROM json_each(?))"
            threads = {row.key: row for row in THREADS.read(connection, where, ids)}
            within = " OR ".join(f'"{term}"' for key in threads for term in fact_terms(thread_key=key))
            within = f"({within}) AND " if len(threads) <= _NAMED else ""
            count = sum(row.message_count for row in threads.values())
            if not threads:
                return []
            queries = (f"{within}({term.query})" for term in terms)
            found = [{key for (key,) in connection.execute(_MATCH, (one, _MOST_MATCHES))} for one in queries]
            if not within:
                every = json.dumps(list(set().union(*found)))
                inside = {key for key, thread in connection.execute(_THREAD_OF, (every,)) if thread in threads}
                found = [keys & inside for keys in found]
            weights = [log(1 + (max(0, count - len(keys)) + 0.5) / (len(keys) + 0.5)) for keys in found]
            scores: dict[int, float] = {}
            for weight, keys in zip(weights, found, strict=True):
                for key in keys:
                    scores[key] = scores.get(key, 0.0) + weight
            candidates = self._on_branches(connection, sorted(scores, key=lambda key: (-scores[key], -key)), threads)
            texts = {
                row.id: recallable_text(message) for row, message in self._messages.read_many(connection, candidates)
            }
            thread_of = {name: threads[thread_key].id for name, thread_key in candidates.values()}
        hits = ranked_passages(texts, terms, weights)
        return [(thread_of[hit.message_id], hit) for hit in hits[:limit]]

    def _on_branches(
        self, connection: sqlite3.Connection, best: Sequence[int], threads: Mapping[int, Any]
    ) -> dict[int, tuple[str, int]]:
        """The first of these messages that their thread's current branch shows: id and thread's key of each."""
        found: dict[int, tuple[str, int]] = {}
        shown: dict[int, dict[int, str]] = {}
        for start in range(0, len(best), _CANDIDATES):
            some = best[start : start + _CANDIDATES]
            thread_of = dict(connection.execute(_THREAD_OF, (json.dumps(some),)).fetchall())
            for key in some:
                thread_key = thread_of[key]
                if thread_key not in shown:
                    shown[thread_key] = _shown(connection, threads[thread_key])
                if key in shown[thread_key]:
                    found[key] = shown[thread_key][key], thread_key
            if len(found) >= _CANDIDATES:
                break
        return found


def _shown(connection: sqlite3.Connection, row: Any) -> dict[int, str]:
    """Keys and ids of the messages of a thread's current branch, without what is deleted there."""
    branch = dict(connection.execute(_BRANCH, (row.tip,)).fetchall())
    here = set(branch.values())
    gone = {one.message for one in thread_from(row).choices.deleted if one.message in here and one.branch in here}
    return {key: name for key, name in branch.items() if name not in gone}
