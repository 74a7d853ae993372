"""The place of each device in a thread: this one's moves by sync only as `follows` says; of the others it is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, Final

from desktop_app.core.phrases import phrase
from desktop_app.core.sync import MOST_TIME, TIP_ON, SyncFact, SyncLine, follows
from desktop_app.storage.sync_capture import digest, write_fact

# Who moved on from a place that was not taken here yet had seen what that had seen.
_KEEP: Final = """
    INSERT INTO sync_fact VALUES ('thread', ?, ?, ?, ?, ?, ?, ?, '', 1, ?) ON CONFLICT DO UPDATE SET
        value = excluded.value, time = excluded.time, other = coalesce(excluded.other, other),
        saw = iif((excluded.saw, excluded.saw_device) = (time, device), saw, excluded.saw),
        saw_device = iif((excluded.saw, excluded.saw_device) = (time, device), saw_device, excluded.saw_device)
    WHERE excluded.time > time
"""
_WAY: Final = """
    WITH RECURSIVE way (key, above) AS (
        SELECT key, parent_key FROM message WHERE key = :end
        UNION ALL SELECT message.key, parent_key FROM way JOIN message ON message.key = above WHERE depth > :depth
    )
    SELECT coalesce(time, 0) FROM way LEFT JOIN sync_version ON message_key = key WHERE above IS :start
"""
_ASKED: Final = """
    SELECT above.key, above.depth, above.id FROM message JOIN message AS above ON above.key = message.parent_key
    WHERE message.key = ? AND message.state = 'error'
"""
_OF: Final = "WHERE kind = 'thread' AND id = ? AND field = ?"


def keep_place(connection: sqlite3.Connection, thread_id: str, fact: SyncFact, *, said: bool) -> bool:
    """Keeps the place of another device; `said`: it went on there, and did not only turn to it. False: it is known."""
    field, other = TIP_ON + fact.stamp[1], "" if said else None
    values = (thread_id, field, json.dumps(fact.value), *fact.stamp, *fact.saw, other)
    return connection.execute(_KEEP, values).rowcount > 0


def place_here(
    connection: sqlite3.Connection,
    thread_id: str,
    facts: Mapping[str, SyncFact],
    found: Callable[[Any], Any],
    *,
    shown: bool,
) -> Any:
    """Returns the row of the message that this device is at by now; `found`: such a row by the message's id."""
    here = facts["tip"]
    tip = found(here.value)
    ends = [(fact, found(fact.value)) for name, fact in facts.items() if name.startswith(TIP_ON)]
    ends = sorted((one for one in ends if one[1] is not None), key=lambda one: one[0].stamp)
    for fact, end in ends:
        grown = (_way(connection, _asked(connection, tip), end) or 0) > here.stamp[0]
        if follows(here, fact, grown=grown, shown=shown):
            here, tip = fact, end
            write_fact(connection, "thread", thread_id, "tip", here, shown="", sent=True)
    for fact, end in ends:
        where = (thread_id, TIP_ON + fact.stamp[1])
        if _way(connection, end, tip) is not None:
            connection.execute(f"DELETE FROM sync_fact {_OF}", where)
        elif _way(connection, _asked(connection, end), tip) is None:
            connection.execute(f"UPDATE sync_fact SET other = ? {_OF} AND other = ''", (end[2], *where))
    return tip


def _asked(connection: sqlite3.Connection, place: Any) -> Any:
    """The question in place of an attempt of which nothing came: another answer to it makes that good."""
    return (place and connection.execute(_ASKED, place[:1]).fetchone()) or place


def _way(connection: sqlite3.Connection, start: Any, end: Any) -> int | None:
    """When the first message from one toward the other was written; None where that does not stand beneath it."""
    if start == end:
        return MOST_TIME
    key, depth = (None, 0) if start is None else start[:2]
    row = connection.execute(_WAY, {"end": end and end[0], "depth": depth, "start": key}).fetchone()
    return None if row is None else int(row[0])


def lines_elsewhere(connection: sqlite3.Connection) -> tuple[SyncLine, ...]:
    """Tells of the threads that went on at other devices and not here since, the newest at the end."""
    rows = connection.execute(
        "SELECT fact.id, name, fact.other, tip, here.shown FROM sync_fact AS fact "
        "JOIN sync_device ON sync_device.id = fact.device JOIN thread ON thread.id = fact.id "
        "JOIN sync_fact AS here ON (here.kind, here.id, here.field) = ('thread', fact.id, 'tip') "
        "WHERE fact.other <> '' AND fact.field GLOB ? ORDER BY fact.time",
        (f"{TIP_ON}*",),
    )
    return tuple(
        SyncLine(one, phrase("Continued on {device}", device=name), end)
        for one, name, end, tip, compared in rows
        if digest(tip) == compared  # else it went on here while nothing could be exchanged
    )
