"""Reads threads and the end of one path for the first paint, by plain SQLite.

The SQL for unread threads is here, for the list of threads reads by it too."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from desktop_app.core.messages import LONGEST_ANSWER, Message, Thread, ThreadSummary
from desktop_app.storage.block_store import read_blocks
from desktop_app.storage.file_format import check_format, file_version
from desktop_app.storage.row_mapping import THREAD_COLUMNS, blocks_of, message_from, packed_parts, thread_from

if TYPE_CHECKING:
    from desktop_app.core.errors import UserError
    from desktop_app.core.prompts import Prompt

_TIP = "SELECT 1 FROM message WHERE id = thread.tip AND role = 'assistant'"
_FAILED = "failure IS NOT NULL AND iif(json_valid(failure), failure ->> '$.code', '') IS NOT 'interrupted'"
"""One that is damaged is a failure too, and no error of the whole list."""


def unread_if(seen: str = "thread.seen") -> str:
    """The condition on a row of `thread`; `seen` is the column, or what stands for it in an older file.

    A thread that was seen to its end, as nearly all are, costs no look at its messages.
    """
    return f"thread.tip IS NOT {seen} AND EXISTS ({_TIP} AND (state != 'partial' OR {_FAILED}))"


def failed_if(seen: str = "thread.seen") -> str:
    """The condition that what a thread ends with, unread, is a failure: nobody stopped it."""
    return f"thread.tip IS NOT {seen} AND EXISTS ({_TIP} AND {_FAILED})"


LISTED = 1_000
"""Threads that are read for the first paint, beside pinned ones: 20,000 would take a quarter of a second."""

_THREADS = """
    SELECT {columns}, message_count, {unread} AS unread, {failed} AS failed FROM thread
    WHERE deleted IS NULL AND (pinned OR id = ? OR key IN (
        SELECT key FROM thread WHERE deleted IS NULL ORDER BY updated DESC, key DESC LIMIT ?
    )) ORDER BY updated DESC, key DESC
"""
_ADDED = {2: {"choices": "''"}, 4: {"parameters": "''"}, 5: {"seen": "tip"}, 6: {"draft_count": "NULL"}}
"""By format: the thread columns that it brought, and what stands for them in an older file, not yet migrated."""

PROJECTS_SINCE = 9
"""The format that gave projects ids; before it, a thread's project is its name."""

MARKS_SINCE = 5
"""The format that brought the table of marks."""
_MARKS = """
    SELECT message.id, rating, note FROM mark JOIN message ON message.key = mark.message_key
    WHERE mark.message_key IN ({keys})
"""
_IN_THREAD = "SELECT 1 FROM message JOIN thread ON thread.key = thread_key WHERE message.id = ? AND thread.id = ?"

TAIL = """
    WITH RECURSIVE tail (key, parent_key, place) AS (
        SELECT key, parent_key, 1 FROM message WHERE id = ?
        UNION ALL
        SELECT message.key, message.parent_key, place + 1
        FROM tail JOIN message ON message.key = tail.parent_key WHERE place < ?
    )
    SELECT message.*, above.id AS parent_id FROM tail
    JOIN message USING (key) LEFT JOIN message AS above ON above.key = message.parent_key
    ORDER BY place DESC
"""


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """The contents of the window's first screen: threads, last updated first, and the end of one thread's current path.

    Of more than `LISTED` threads, these are the last updated, the pinned and the open one. `thread` is None where there
    is no thread. `path_length` counts the messages up to the last of `path_tail`. `marks`: message id, rating and note
    of those of `path_tail` that the user marked. `projects`: the names of those that threads may be in, by id; some of
    them are archived.
    """

    threads: tuple[ThreadSummary, ...]
    thread: Thread | None
    path_tail: tuple[Message, ...]
    path_length: int
    marks: tuple[tuple[str, str, str], ...] = ()
    projects: Mapping[str, str] = field(default_factory=dict)
    archived_projects: frozenset[str] = frozenset()


def read_first_screen(
    path: Path, *, thread_id: str | None = None, tail: int = 30, until: str = ""
) -> FirstScreen | None:
    """The first screen with the last `tail` messages of a thread: the named one, else the last updated that is not
    archived. None where there is no file, or none that can be read: opening the history says why.

    `until`: a message of the named thread that its path is shown up to, where that is still there.
    """
    if not path.is_file():
        return None
    try:
        with closing(_opened(path)) as connection:
            check_format(connection, path)
            connection.execute("BEGIN")  # one state of the file throughout
            version = file_version(connection)
            return _read(connection, version, thread_id, tail, until) if version else None
    except (sqlite3.Error, zlib.error, ValueError, LookupError):
        return None
    except _refusal():
        return None


def _refusal() -> type[UserError]:
    from desktop_app.core.errors import UserError  # only where something is wrong: the first paint does without it

    return UserError


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)
    try:
        file_version(connection)
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        from desktop_app.storage.reading_copy import open_small  # few histories can't be written

        return open_small(path)
    return connection


def _read(connection: sqlite3.Connection, version: int, thread_id: str | None, tail: int, until: str) -> FirstScreen:
    missing = {name: value for added, names in _ADDED.items() if added > version for name, value in names.items()}
    columns = ", ".join(f"{missing[name]} AS {name}" if name in missing else name for name in THREAD_COLUMNS)
    seen = missing.get("seen", "seen")
    listed = _THREADS.format(columns=columns, unread=unread_if(seen), failed=failed_if(seen))
    rows = rows_of(connection, listed, thread_id, LISTED)
    threads = tuple(
        ThreadSummary(thread_from(row), row.message_count, bool(row.unread), bool(row.failed)) for row in rows
    )
    known = version >= PROJECTS_SINCE
    found = connection.execute("SELECT id, name, archived FROM project WHERE deleted IS NULL") if known else ()
    named = [(one, name, bool(archived)) for one, name, archived in found]
    projects = {one: name for one, name, _ in named}
    archived = frozenset(one for one, _, archived in named if archived)
    if (thread := _chosen([summary.thread for summary in threads], thread_id)) is None:
        return FirstScreen(threads, None, (), 0, projects=projects, archived_projects=archived)
    is_there = until and connection.execute(_IN_THREAD, (until, thread.id)).fetchone()
    rows = rows_of(connection, TAIL, until if is_there else thread.tip, tail)
    packed = [packed_parts(row) for row in rows]
    get = read_blocks(connection, blocks_of(packed), LONGEST_ANSWER)
    messages = tuple(
        message_from(row, thread_id=thread.id, parent_id=row.parent_id, packed=one, get=get)
        for row, one in zip(rows, packed, strict=True)
    )
    keys = [row.key for row in rows] if version >= MARKS_SINCE else []
    marks = connection.execute(_MARKS.format(keys=", ".join("?" * len(keys))), keys).fetchall() if keys else ()
    if thread.choices.deleted:
        from desktop_app.core.conversation import without_deleted  # few threads need it before the first paint

        # what deletes a message stands further down on its path
        messages = without_deleted(messages, thread.choices)
    return FirstScreen(threads, thread, messages, rows[-1].depth if rows else 0, tuple(marks), projects, archived)


def _chosen(threads: Sequence[Thread], thread_id: str | None) -> Thread | None:
    named = (thread for thread in threads if thread.id == thread_id)
    return next(named, next((thread for thread in threads if not thread.archived), None))


def rows_of(connection: sqlite3.Connection, query: str, *values: object) -> list[SimpleNamespace]:
    """The rows of a query, each with its columns by name."""
    cursor = connection.execute(query, values)
    names = [column[0] for column in cursor.description]
    return [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in cursor]


_NEWEST = """
    SELECT id, title, text, created, updated FROM prompt WHERE deleted IS NULL ORDER BY updated DESC, title LIMIT ?
"""


def read_newest_prompts(path: Path, most: int) -> tuple[Prompt, ...]:
    """Those that were changed last; none where there is no file, or none that can be read as it is."""
    if not path.is_file():
        return ()
    from desktop_app.core.prompts import Prompt

    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
            return tuple(Prompt(*row) for row in connection.execute(_NEWEST, (most,)))
    except sqlite3.Error:  # an older format, or a file that can't be opened: the window reads them again
        return ()
