"""The trash: lists what can still be restored, and deletes for good, in steps, from copies and free space too.

Rows first, then blocks that nobody else refers to, then what the indexes still hold."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_bytes
from tempfile import mkdtemp
from typing import Any, Final

from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import HistoryCopy, TrashItem
from desktop_app.core.phrases import phrase
from desktop_app.core.search_terms import index_text
from desktop_app.core.titles import first_words
from desktop_app.storage.backup import back_up
from desktop_app.storage.backup_folder import copies_elsewhere
from desktop_app.storage.block_store import BlockStore, read_blocks
from desktop_app.storage.document_text_store import read_stretch, source_term
from desktop_app.storage.file_format import APPLICATION_ID
from desktop_app.storage.file_identity import NoFile
from desktop_app.storage.message_store import MessageStore, MessageTopic, add_later, remove_from_index
from desktop_app.storage.row_mapping import pack_parts
from desktop_app.storage.sqlite_connection import MESSAGES, THREADS, Transactions, connect, tick
from desktop_app.storage.sqlite_errors import store_error
from desktop_app.storage.thread_store import now
from desktop_app.system.system_clock import age_s

_KEPT: Final = "NOT IN (SELECT id FROM erasure WHERE stage = 0)"
_ROWS: Final = f"""
    SELECT 'thread', id, title, deleted, '', '' FROM thread
    WHERE deleted GLOB '[0-9]*' AND id {_KEPT}
    UNION ALL
    SELECT 'project', id, name, deleted, '', '' FROM project WHERE deleted IS NOT NULL AND id {_KEPT}
    UNION ALL
    SELECT 'document', project_document.id, project_document.name, project_document.deleted, project.name, project.id
    FROM project_document JOIN project ON project.key = project_key
    WHERE project_document.deleted IS NOT NULL AND project.deleted IS NULL AND project_document.id {_KEPT}
    UNION ALL
    SELECT 'artifact', artifact.id, artifact.title, artifact.deleted, thread.title, thread.id
    FROM artifact JOIN thread ON thread.key = thread_key
    WHERE artifact.deleted IS NOT NULL AND thread.deleted IS NULL AND artifact.id {_KEPT}
    UNION ALL
    SELECT 'prompt', id, title, deleted, '', '' FROM prompt WHERE deleted IS NOT NULL AND id {_KEPT}
"""
_MESSAGES: Final = """
    SELECT message.key, message.id, deleted_message.deleted, thread.title, thread.id
    FROM deleted_message JOIN message ON message.key = message_key JOIN thread ON thread.key = thread_key
    WHERE thread.deleted IS NULL AND message.id NOT IN (SELECT id FROM erasure WHERE kind = 'message')
"""


class TrashStore(MessageTopic):
    """The trash of the history file: what is deleted, but not for good. What is inside of that is not listed."""

    def items(self) -> Sequence[TrashItem]:
        """Deleted last, first."""
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_ROWS).fetchall()
            found = [TrashItem(*row) for row in rows] + self._deleted_messages(connection)
        return sorted(found, key=lambda one: (one.deleted, one.id), reverse=True)

    def _deleted_messages(self, connection: sqlite3.Connection) -> list[TrashItem]:
        """Turns, as they are deleted whole."""
        deleted = {row[0]: row[1:] for row in connection.execute(_MESSAGES).fetchall()}
        turns: dict[int, list[int]] = {}
        begins: dict[int, str] = {}
        last: dict[int, int] = {}
        for row, message in sorted(self._messages.read_many(connection, deleted), key=lambda read: read[0].key):
            first = row.key if opens_turn(message) else last.pop(row.parent_key, row.key)
            turns.setdefault(first, []).append(row.key)
            begins.setdefault(first, first_words(message.text))
            last[row.key] = first
        found = []
        for first, keys in turns.items():
            one, at, title, thread = deleted[first]
            rest = tuple(deleted[key][0] for key in keys[1:])
            found.append(TrashItem("message", one, begins[first], at, title, thread, rest))
        return found


_SHA256: Final = 32
"""Bytes of the hash of a block that is not retired."""

_MARK: Final = 8
"""Random bytes behind the hash of a block that is retired, others each time."""

_REFERENCE: Final = re.compile(rb'\{\s*"\$(t?)"\s*:\s*\[?\s*(\d+)')
"""A reference in packed JSON; in a string of that the quotes would stand behind backslashes."""

_DAMAGED: Final = (KeyError, zlib.error, TypeError, UnicodeDecodeError)

_SWEPT_ROWS: Final = 1_000
"""Rows that are read at once: 10 ms."""

_AT_ONCE: Final = 500

_READ: Final = {
    "message": "SELECT key, parts FROM message WHERE key > ? ORDER BY key LIMIT ?",
    "request": "SELECT key, body FROM request WHERE key > ? ORDER BY key LIMIT ?",
}


def retire_blocks(
    connection: sqlite3.Connection, texts: Iterable[bytes], *, packed: bool = False, keys: Iterable[int] = ()
) -> None:
    """Retires the blocks that these rows refer to, inside the caller's write. `packed`: the rows are of requests."""
    found = set(keys)
    for text in texts:
        found |= _references(connection, _unpacked(text) if packed else text, {})
    wanted, mark = sorted(found), token_bytes(_MARK)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        rows = connection.execute(f"SELECT key, sha256 FROM block WHERE key IN ({','.join('?' * len(some))})", some)
        # the key, as no two may be alike
        changed = [(sha256[:_SHA256] + mark + str(key).encode(), key) for key, sha256 in rows.fetchall()]
        connection.executemany("UPDATE block SET sha256 = ? WHERE key = ?", changed)


class BlockSweep:
    """One search for what still refers to blocks that are retired when it begins. `erased`: what they were retired for.

    Several processes may search at once: one that was used again since, and retired again, has another mark.
    """

    def __init__(self, transactions: Transactions, erased: Sequence[str]) -> None:
        self.erased = erased
        self._transactions = transactions
        with transactions.read_plain() as connection:
            query = "SELECT key, sha256 FROM block WHERE length(sha256) > ?"
            self._retired = dict(connection.execute(query, (_SHA256,)).fetchall())
        self._unseen = set(self._retired)
        self._tables = list(_READ) if self._unseen else []
        self._after = 0
        self._inside: dict[int, frozenset[int]] = {}

    def step(self) -> bool:
        """Reads some rows, or removes what was not seen; True if that is done."""
        if not self._tables:
            self._finish()
            return True
        table = self._tables[0]
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_READ[table], (self._after, _SWEPT_ROWS)).fetchall()
            for _, text in rows:
                data = _unpacked(text) if table == "request" else text
                self._unseen -= _references(connection, data, self._inside)
        if rows:
            self._after = rows[-1][0]
        else:
            self._tables.pop(0)
            self._after = 0
        return False

    def _finish(self) -> None:
        with self._transactions.write_plain() as connection:
            versions = connection.execute("SELECT DISTINCT block_key FROM artifact_version").fetchall()
            self._unseen -= {key for (key,) in versions}
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sync_waiting'").fetchone():
                for (data,) in connection.execute("SELECT data FROM sync_waiting"):  # they come into rows later
                    self._unseen -= {key for key in json.loads(_unpacked(data))["keys"] if isinstance(key, int)}
            gone = [(key, sha256) for key, sha256 in self._retired.items() if key in self._unseen]
            connection.executemany("DELETE FROM block WHERE key = ? AND sha256 = ?", gone)
            # one whose text was said again meanwhile stays retired: there is a block with its hash
            connection.executemany(
                "UPDATE OR IGNORE block SET sha256 = ? WHERE key = ? AND sha256 = ?",
                [(sha256[:_SHA256], key, sha256) for key, sha256 in self._retired.items() if key not in self._unseen],
            )


def _references(connection: sqlite3.Connection, data: bytes, inside: dict[int, frozenset[int]]) -> set[int]:
    """The blocks that packed JSON refers to, also by way of blocks that hold packed JSON, which `inside` remembers."""
    found: set[int] = set()
    for nested, number in _REFERENCE.findall(data):
        key = int(number)
        found.add(key)
        if nested:
            if key not in inside:
                inside[key] = frozenset()  # a circle can't be, but would never end
                try:
                    text = read_blocks(connection, (key,))(key)
                except _DAMAGED:
                    continue
                inside[key] = frozenset(_references(connection, text.encode("utf-8", "surrogatepass"), inside))
            found |= inside[key]
    return found


def _unpacked(body: bytes) -> bytes:
    try:
        return zlib.decompress(body)
    except _DAMAGED:
        return b""  # nobody can tell any more what it referred to


ROWS, LEFT_OVER, SPACE, DONE = range(4)
"""Stages: its rows are there; blocks and indexes still hold something of it; free space may; nothing does."""

FILE: Final = "file"
"""The kind of what documents were: a file by its hash, with its text, its passages and its copy."""

TABLES: Final = {
    "thread": "thread",
    "project": "project",
    "document": "project_document",
    "artifact": "artifact",
    "prompt": "prompt",
}
"""The tables of things that have an id of their own."""

SLICE: Final = 40
"""Messages or passages that one step takes out: 20-40 ms, for which other writes wait."""
_SLICE_CHARACTERS: Final = 40_000
_REQUESTS: Final = 50

_ORDER: Final = ("message", "document", FILE, "artifact", "prompt", "thread", "project")
"""The order of erasing: parts inside of something go first."""

_BEGIN: Final = "INSERT OR REPLACE INTO erasure (id, kind, at, stage, device, clock) VALUES (?, ?, ?, ?, ?, ?)"
_LIVES: Final = """
    SELECT 1 FROM document_file JOIN project_document ON project_document.key = document_key
    WHERE document_file.sha256 = :sha256 UNION ALL SELECT 1 FROM project_document WHERE sha256 = :sha256 LIMIT 1
"""
_CALL: Final = """purpose, backend, model, cost_kind, started, ended, failure_code, input, cache_read, cache_write,
    output, thinking, cost_usd"""
_TURNS: Final = f"""
    SELECT id, {_CALL.replace("ended", "coalesce(ended, started)")} FROM turn WHERE thread_key = :key
    UNION ALL SELECT id, {_CALL} FROM model_call WHERE thread_key = :key
"""
_KEEP_CALL: Final = f"INSERT INTO model_call (id, {_CALL}) VALUES ({', '.join('?' * 14)})"
_GROWS: Final = "SELECT 1 FROM turn WHERE answer_key = ? AND state = 'running'"
"""Such an answer is in no index yet."""


class ErasureStore:
    """Deletion for good in the history file."""

    def __init__(self, transactions: Transactions, messages: MessageStore) -> None:
        self._transactions = transactions
        self._messages = messages
        self._sweep: BlockSweep | None = None
        self._merging: dict[str, int] = {}
        self._remove: Mapping[str, Callable[[sqlite3.Connection, str], bool]] = {
            "thread": self._remove_thread,
            "message": self._remove_message,
            "document": self._remove_document,
            FILE: self._remove_file,
            "project": _remove_project,
            "artifact": _remove_artifact,
            "prompt": _remove_prompt,
        }

    def begin(self, items: Iterable[TrashItem], running: Collection[str] = (), files: Iterable[str] = ()) -> None:
        """From now on nobody sees them any more; `step` takes them out. `running`: threads with a running turn.

        Of threads, those count as well that are not in the trash. `files`: hashes of what no document is any more.
        `UserError("store")` where one of them has a running turn; then nothing was begun.
        """
        with self._transactions.write_plain() as connection:
            device, clock = tick(connection)
            _begin(connection, files, FILE, device, clock)
            for item in items:
                # of a message, too: the answer may be its own, or send it again
                thread_id, title = (item.inside_id, item.inside) if item.kind == "message" else (item.id, item.title)
                if thread_id in running:
                    words = phrase("An answer is still coming in “{title}”. Stop it, then try again.", title=title)
                    raise UserError("store", words)
                if item.kind == "thread":
                    connection.execute(
                        "UPDATE thread SET deleted = ? WHERE id = ? AND deleted IS NULL", (now(), item.id)
                    )
                _begin(connection, [item.id, *item.rest], item.kind, device, clock)
                if item.kind == "project":
                    inside = connection.execute(
                        "SELECT project_document.id FROM project_document JOIN project ON project.key = project_key "
                        "WHERE project.id = ?",
                        (item.id,),
                    ).fetchall()
                    _begin(connection, [one for (one,) in inside], "document", device, clock)

    def step(self) -> bool:
        """One transaction or two of what waits; False if nothing does."""
        connection = self._transactions.connection
        waiting = self._next(connection)
        if waiting is None and connection.execute(_STAGED, (LEFT_OVER,)).fetchone() is None:
            return False
        # Each row would be looked for in whole tables: parents have no index. Nothing that could refer is left.
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA secure_delete = ON")
        try:
            if waiting is not None:
                self._take_out(*waiting)
            else:
                self._clean_up()
        finally:
            connection.execute("PRAGMA secure_delete = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            self._transactions.forget()
        return True

    def left(self) -> int:
        """Return the number of messages still to be taken out."""
        query = "SELECT total(message_count) FROM thread JOIN erasure USING (id) WHERE stage = 0"
        return int(self._transactions.connection.execute(query).fetchone()[0])

    def needs_space_cleaned(self) -> bool:
        """Return True if free space in the file may still hold data that was deleted for good."""
        return self._transactions.connection.execute(_STAGED, (SPACE,)).fetchone() is not None

    def erased(self) -> Mapping[str, Sequence[str]]:
        """Return the items gone for good that did not come back since, by kind: ids, and hashes of files."""
        with self._transactions.read_plain() as connection:
            return erased_ids(connection)

    def _next(self, connection: sqlite3.Connection) -> tuple[str, str] | None:
        for kind in _ORDER:
            found = connection.execute("SELECT id FROM erasure WHERE stage = 0 AND kind = ? LIMIT 1", (kind,))
            if (row := found.fetchone()) is not None:
                return kind, row[0]
        return None

    def _take_out(self, kind: str, one: str) -> None:
        with self._transactions.write_plain() as connection:
            if self._remove[kind](connection, one):
                connection.execute("UPDATE erasure SET stage = ? WHERE id = ? AND stage = 0", (LEFT_OVER, one))
        self._sweep = None  # what this has left over is looked at from the start

    def _clean_up(self) -> None:
        """A step of what comes after all rows are out."""
        if self._sweep is None:
            waiting = self._transactions.connection.execute(_STAGED, (LEFT_OVER,)).fetchall()
            self._sweep = BlockSweep(self._transactions, [one for (one,) in waiting])
            self._merging = dict.fromkeys(("message_text", "passage_text"), -_PAGES)
        elif self._merging:
            table, pages = next(iter(self._merging.items()))
            if _merged(self._transactions, table, pages):
                del self._merging[table]
            else:
                self._merging[table] = _PAGES
        elif self._sweep.step():
            with self._transactions.write_plain() as connection:
                connection.executemany(
                    "UPDATE erasure SET stage = ? WHERE id = ? AND stage = ?",
                    [(SPACE, one, LEFT_OVER) for one in self._sweep.erased],
                )
            self._sweep = None

    def _remove_thread(self, connection: sqlite3.Connection, thread_id: str) -> bool:
        if (thread := THREADS.first(connection, "id = ? AND deleted IS NOT NULL", thread_id)) is None:
            return True  # it is gone already, or was imported again meanwhile
        rows = connection.execute(
            "SELECT key, body FROM request WHERE thread_key = ? ORDER BY key DESC LIMIT ?", (thread.key, _REQUESTS)
        ).fetchall()
        if _removed_requests(connection, rows):
            return False
        if self._remove_messages(connection, thread.key):
            return False
        for (artifact_id,) in connection.execute(
            "SELECT id FROM artifact WHERE thread_key = ?", (thread.key,)
        ).fetchall():
            _remove_artifact(connection, artifact_id)
        # costs stay true: the calls become those of no thread
        calls = connection.execute(_TURNS, {"key": thread.key}).fetchall()
        connection.execute(
            "UPDATE context_event SET turn_key = NULL, thread_key = NULL WHERE thread_key = ?", (thread.key,)
        )
        connection.execute("DELETE FROM model_call WHERE thread_key = ?", (thread.key,))
        connection.execute("DELETE FROM spending WHERE thread_key = ?", (thread.key,))
        connection.executemany(_KEEP_CALL, calls)
        for table, column in _BESIDE_THREAD:
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (thread.key,))
        return True

    def _remove_messages(self, connection: sqlite3.Connection, thread_key: int) -> bool:
        """Takes out some; False if there were none."""
        size, taken = 0, []
        for row in MESSAGES.read(connection, "thread_key = ? ORDER BY key DESC LIMIT ?", thread_key, SLICE):
            if size > _SLICE_CHARACTERS:
                break
            size += self._forget_text(connection, row)
            taken.append((row.key,))
        for table, column in (("mark", "message_key"), ("deleted_message", "message_key"), ("message", "key")):
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", taken)
        return bool(taken)

    def _forget_text(self, connection: sqlite3.Connection, row: Any) -> int:
        """Takes a message's text out of the index and retires its blocks; how many characters there were."""
        ((_, message),) = self._messages.read_many(connection, [row.key])
        if connection.execute(_GROWS, (row.key,)).fetchone() is None:
            remove_from_index(connection, row.key, row.thread_key, message)
        retire_blocks(connection, [row.parts])
        return len(message.text)

    def _remove_message(self, connection: sqlite3.Connection, message_id: str) -> bool:
        """Its place in the tree stays; the requests that it may have been sent with are gone."""
        if (row := MESSAGES.first(connection, "id = ?", message_id)) is None:
            return True
        sent = connection.execute(
            "SELECT request.key, body FROM request JOIN turn ON turn.key = turn_key "
            "WHERE request.thread_key = ? AND answer_key > ? ORDER BY request.key DESC LIMIT ?",
            (row.thread_key, row.key, _REQUESTS),
        ).fetchall()
        if _removed_requests(connection, sent):
            return False
        self._forget_text(connection, row)
        connection.execute("DELETE FROM mark WHERE message_key = ?", (row.key,))
        connection.execute(
            "UPDATE message SET parts = ?, failure = NULL WHERE key = ?", (pack_parts((), None), row.key)
        )
        add_later(connection, row.key)
        return True

    def _remove_document(self, connection: sqlite3.Connection, document_id: str) -> bool:
        row = connection.execute(
            "SELECT key, sha256 FROM project_document WHERE id = ? AND (deleted IS NOT NULL OR project_key IN "
            "(SELECT key FROM project WHERE deleted IS NOT NULL))",
            (document_id,),
        ).fetchone()
        if row is None:
            return True
        former = connection.execute("SELECT sha256 FROM document_file WHERE document_key = ?", row[:1]).fetchall()
        connection.execute("DELETE FROM document_file WHERE document_key = ?", row[:1])
        connection.execute("DELETE FROM project_document WHERE key = ?", row[:1])
        files = {one for (one,) in [*former, row[1:]] if one}
        unused = [one for one in files if connection.execute(_LIVES, {"sha256": one}).fetchone() is None]
        _begin(connection, unused, FILE, *tick(connection))
        return True

    def _remove_file(self, connection: sqlite3.Connection, sha256: str) -> bool:
        if connection.execute(_LIVES, {"sha256": sha256}).fetchone() is not None:
            return True  # it was added again meanwhile
        text = connection.execute("SELECT key FROM document_text WHERE sha256 = ? LIMIT 1", (sha256,)).fetchone()
        if text is None:
            return True
        connection.execute("UPDATE document_text SET whole = 0 WHERE key = ?", text)
        passages = connection.execute(
            'SELECT key, heading, table_head, start, "end" FROM passage WHERE text_key = ? LIMIT ?', (*text, SLICE)
        ).fetchall()
        for key, heading, table_head, start, end in passages:
            terms = (key, source_term(text[0]), index_text(f"{heading}\n{table_head}"),
                     index_text(read_stretch(connection, text[0], start, end)))  # fmt: skip
            connection.execute(
                "INSERT INTO passage_text (passage_text, rowid, source, heading, body) VALUES ('delete', ?, ?, ?, ?)",
                terms,
            )
            connection.execute("DELETE FROM passage WHERE key = ?", (key,))
        if not passages:
            connection.execute("DELETE FROM document_text_part WHERE text_key = ?", text)
            connection.execute("DELETE FROM document_text WHERE key = ?", text)
        return False


_STAGED: Final = "SELECT id FROM erasure WHERE stage = ?"
_PAGES: Final = 100
"""Of an index that one step merges."""

_BESIDE_THREAD: Final = (
    ("turn", "thread_key"),
    ("draft_attachments", "thread_key"),
    ("import_origin", "thread_key"),
    ("left_project", "thread_key"),
    ("thread", "key"),
)


def erased_ids(connection: sqlite3.Connection) -> Mapping[str, Sequence[str]]:
    """Return the items gone for good from this file that did not come back since, by kind."""
    gone: dict[str, list[str]] = {}
    for one, kind in connection.execute("SELECT id, kind FROM erasure WHERE stage > 0 ORDER BY at, id").fetchall():
        is_back = _LIVES if kind == FILE else f"SELECT 1 FROM {TABLES[kind]} WHERE id = :id" if kind in TABLES else ""
        if not is_back or connection.execute(is_back, {"id": one, "sha256": one}).fetchone() is None:
            gone.setdefault(kind, []).append(one)
    return gone


def _begin(connection: sqlite3.Connection, ids: Iterable[str], kind: str, device: str, clock: int) -> None:
    connection.executemany(_BEGIN, [(one, kind, now(), ROWS, device, clock) for one in ids])


def _removed_requests(connection: sqlite3.Connection, rows: Sequence[tuple[int, bytes]]) -> bool:
    """Removes requests with these keys and bodies; True if there were any."""
    if rows:
        retire_blocks(connection, (body for _, body in rows), packed=True)
        connection.executemany("DELETE FROM request WHERE key = ?", [(key,) for key, _ in rows])
    return bool(rows)


def _remove_project(connection: sqlite3.Connection, project_id: str) -> bool:
    row = connection.execute("SELECT key FROM project WHERE id = ? AND deleted IS NOT NULL", (project_id,)).fetchone()
    if row is not None:
        for table, column in (("followed_folder", "project_key"), ("left_project", "project_key"), ("project", "key")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
    return True


def _remove_artifact(connection: sqlite3.Connection, artifact_id: str) -> bool:
    row = connection.execute("SELECT key FROM artifact WHERE id = ?", (artifact_id,)).fetchone()
    if row is not None:
        blocks = connection.execute("SELECT block_key FROM artifact_version WHERE artifact_key = ?", row).fetchall()
        retire_blocks(connection, (), keys=[key for (key,) in blocks])
        connection.execute("DELETE FROM artifact_version WHERE artifact_key = ?", row)
        connection.execute("DELETE FROM artifact WHERE key = ?", row)
    return True


def _remove_prompt(connection: sqlite3.Connection, prompt_id: str) -> bool:
    connection.execute("DELETE FROM prompt WHERE id = ? AND deleted IS NOT NULL", (prompt_id,))
    return True


def _merged(transactions: Transactions, table: str, pages: int) -> bool:
    """Merges some pages of an index into one piece, without what was taken out of it; True if it is one."""
    connection = transactions.connection
    before = connection.total_changes
    with transactions.write_plain():
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (pages,))
    return pages > 0 and connection.total_changes - before < 2


WAIT_S: Final = 10.0
"""Seconds to wait for others' reading and writing."""

_SPARE: Final = 1.1
"""Of the file's size; the -wal has a few bytes more for each page."""


def compact(path: Path, free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free) -> None:
    """Compacts the file and empties its -wal, on a connection of its own; others can read meanwhile, but not write.

    `UserError("store")`, and nothing changed, where the disk is too full or the file is in use by somebody else.
    """
    _check_room(path, free)
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            cleaned = connection.execute("SELECT id FROM erasure WHERE stage = ?", (SPACE,)).fetchall()
            connection.execute("VACUUM")
            _empty_log(connection, path)
            rows = [(DONE, *row, SPACE) for row in cleaned]
            connection.executemany("UPDATE erasure SET stage = ? WHERE id = ? AND stage = ?", rows)
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) or error from error


def _empty_log(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        return
    raise UserError(
        "store", phrase("Another window or command is using {path}. The rest is done at the next start.", path=path)
    )


def _check_room(path: Path, free: Callable[[Path], int]) -> None:
    """Check that the disk has room: SQLite rewrites the file among the temporary files, then beside the old one."""
    needed = int(path.stat().st_size * _SPARE)
    temporary = Path(os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp")
    places: dict[int, tuple[Path, int]] = {}
    for folder in (path.parent, temporary):
        if folder.is_dir():
            device = folder.stat().st_dev
            places[device] = places.get(device, (folder, 0))[0], places.get(device, (folder, 0))[1] + needed
    for folder, bytes_needed in places.values():
        if free(folder) < bytes_needed:
            words = phrase(
                "Too little disk space to clear what was deleted: {folder} needs {megabytes:,} MB free. Free some "
                "space, then empty the trash again.",
                folder=folder,
                megabytes=bytes_needed // 1_000_000 + 1,
            )
            raise UserError("store", words)


log = logging.getLogger(__name__)

_WHERE: Final = {
    **{kind: f"{table} WHERE id = ?" for kind, table in TABLES.items()},
    "file": "document_text WHERE sha256 = ?",
    "message": "message WHERE id = ? AND length(parts) > 20",  # without text it has 16 bytes
}
_MAGIC: Final = b"SQLite format 3\x00"
_PIECE: Final = 2**22
_BEGUN: Final = ".erasing-"
_ABANDONED_S: Final = 3600.0


def copies_with(history: Path, erased: Mapping[str, Sequence[str]]) -> Sequence[HistoryCopy]:
    """The copies in `backups/`, and those beside the history, that hold something of that; by name."""
    found = []
    for path in _copies(history):
        if items := sum(1 for _ in _held(path, erased)):
            found.append(HistoryCopy(str(path), items))
    return tuple(found)


def erase_in_copy(copy: Path, erased: Mapping[str, Sequence[str]]) -> None:
    """Puts a copy without what was deleted for good into the place of this one, which is as old as before.

    The new one is verified first; an older format is brought to this one. Raises `UserError`, `OSError` or
    `sqlite3.Error`; then the copy is as it was.
    """
    remove_abandoned(copy.parent)
    found = copy.stat()
    folder = Path(mkdtemp(prefix=_BEGUN, dir=copy.parent))  # for this user only
    try:
        fresh = folder / "history.db"
        with closing(_reading(copy)) as source:
            back_up(source, fresh)
        with closing(connect(fresh)) as connection:
            held = list(_held(copy, erased))
            items = [TrashItem(kind, one, "", "") for kind, one in held if kind != "file"]  # type: ignore[arg-type]
            erase_items(connection, items, [one for kind, one in held if kind == "file"])
            connection.execute("VACUUM")
            back_up(connection, copy)
        # as old as before, but known to be another file
        os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns + 1_000))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(folder: Path) -> None:
    """Removes what a process that was killed left of `erase_in_copy`."""
    for left in folder.glob(f"{_BEGUN}*"):
        if left.is_dir() and not left.is_symlink() and age_s(left.stat()) > _ABANDONED_S:
            shutil.rmtree(left, ignore_errors=True)


def erase_items(connection: sqlite3.Connection, items: Sequence[TrashItem], files: Sequence[str]) -> None:
    """Deletes for good what has these ids, be it in the trash or not."""
    transactions = Transactions(connection, NoFile())
    blocks = BlockStore(connection)
    transactions.after_rollback(blocks.forget)
    erasure = ErasureStore(transactions, MessageStore(transactions, blocks))
    for item in items:  # there it may never have been in the trash
        if item.kind in TABLES:
            connection.execute(
                f"UPDATE {TABLES[item.kind]} SET deleted = coalesce(deleted, '') WHERE id = ?", (item.id,)
            )
    erasure.begin(items, files=files)
    while erasure.step():
        pass


def _copies(history: Path) -> Iterator[Path]:
    own = (history.parent / "backups").rglob("*")
    for path in sorted([*own, *copies_elsewhere(history), *history.parent.glob(f"{history.stem}*")]):
        if path != history and path.is_file() and not path.is_symlink() and _is_database(path):
            yield path


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _held(path: Path, erased: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    try:
        with closing(_reading(path)) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for kind, ids in erased.items():
                where = _WHERE.get(kind, "")
                if where.partition(" ")[0] in tables:
                    for one in ids:
                        if connection.execute(f"SELECT 1 FROM {where} LIMIT 1", (one,)).fetchone():
                            yield kind, one
    except sqlite3.Error as error:
        log.warning("a copy of the history is damaged: %s", type(error).__name__)
        yield from _named_in(path, erased)
    except OSError as error:
        log.warning("a copy of the history can't be read: %s", type(error).__name__)


def _named_in(path: Path, erased: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the ids that a damaged copy holds, wherever they stand in it."""
    waiting = {one.encode(): (kind, one) for kind, ids in erased.items() for one in ids}
    longest = max(map(len, waiting), default=1)
    before = b""
    with path.open("rb") as file:
        while waiting and (piece := file.read(_PIECE)):
            data = before + piece
            for found in [one for one in waiting if one in data]:
                yield waiting.pop(found)
            before = data[-longest:]


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
