"""Owns a search without words: the messages of a thread, role, model, time or mark, newest first. Knows no snippet.

No index of the file is by time, and a million messages can't be sorted for a page: beyond one thread or the marks,
both of which are few, the index is asked month by month. Within a month those that were stored last come first.
"""

from __future__ import annotations

import sqlite3

from desktop_app.storage.index_filter import IndexFilter, rows_of

_COLUMNS = "message.key, message.id, message.role, message.created, message.model, thread.id AS thread_id, title"
_MARKED = f"""
    SELECT {_COLUMNS}, note FROM mark
    JOIN message ON message.key = mark.message_key JOIN thread ON thread.key = message.thread_key
    WHERE thread.deleted IS NULL{{conditions}} ORDER BY message.created DESC, message.key DESC LIMIT ?
"""
_OF_THREAD = f"""
    SELECT {_COLUMNS}, '' AS note FROM message CROSS JOIN thread ON thread.key = message.thread_key
    WHERE message.thread_key = ?{{conditions}} ORDER BY message.created DESC, message.key DESC LIMIT ?
"""
# CROSS JOIN keeps the order of the tables: matches come newest first, and no more of them than are asked for.
_OF_MONTH = f"""
    SELECT {_COLUMNS}, '' AS note FROM message_text CROSS JOIN message ON message.key = message_text.rowid
    CROSS JOIN thread ON thread.key = message.thread_key
    WHERE message_text MATCH ? AND thread.deleted IS NULL{{conditions}} ORDER BY message_text.rowid DESC LIMIT ?
"""


def listed(connection: sqlite3.Connection, narrowing: IndexFilter, most: int) -> list[sqlite3.Row]:
    """At most so many messages, newest first; `note` is the user's where marks are asked for."""
    values, conditions = tuple(narrowing.values.values()), narrowing.conditions
    of_thread = () if narrowing.thread_key is None else (narrowing.thread_key,)
    if narrowing.within.marked is not None:
        conditions += " AND message.thread_key = ?" if of_thread else ""
        return rows_of(connection, _MARKED.format(conditions=conditions), (*values, *of_thread, most))
    if of_thread:
        return rows_of(connection, _OF_THREAD.format(conditions=conditions), (*of_thread, *values, most))
    found: list[sqlite3.Row] = []
    for month in reversed(narrowing.months(connection)):
        query = " AND ".join((*narrowing.terms, f'"{month}"'))
        statement = _OF_MONTH.format(conditions=conditions)
        found += rows_of(connection, statement, (query, *values, most - len(found)))
        if len(found) >= most:
            break
    return found
