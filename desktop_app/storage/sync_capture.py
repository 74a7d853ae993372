"""Finds what changed in the history since it was last sent to other machines, and makes packs of it.

The tables and triggers for it are made when syncing is set up and go when it ends: a history that is not synced has
none of them, and its format stays as it is.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from desktop_app.core.messages import Json
from desktop_app.core.projects import FollowedFolder
from desktop_app.core.sync import FORMAT, NEVER, TIP_ON, Stamp, SyncFact, choices_apart, ends_of, next_time, time_at
from desktop_app.storage.block_store import block_keys, from_bytes, from_text, read_blocks, renumbered
from desktop_app.storage.history_merge import folder_name
from desktop_app.storage.row_mapping import UNREADABLE
from desktop_app.storage.store import Store
from desktop_app.storage.thread_store import IMPORTING
from desktop_app.system.files_below import path_of
from desktop_app.system.system_clock import utc_now

_TABLES: Final = (
    "CREATE TABLE sync_state (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
    # Of each machine: how far its packs were read.
    """
    CREATE TABLE sync_device (
        id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, number INTEGER NOT NULL, last TEXT NOT NULL,
        revoked INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE TABLE sync_dirty (kind TEXT NOT NULL, key NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID",
    # `shown`: the hash of what stood in its row when it was last compared; another one there is a change made here.
    # `other`: what was written apart from what shows; of another device's place the message, if it went on there.
    """
    CREATE TABLE sync_fact (
        kind TEXT NOT NULL, id TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, time INTEGER NOT NULL,
        device TEXT NOT NULL, saw INTEGER NOT NULL, saw_device TEXT NOT NULL, shown TEXT NOT NULL,
        sent INTEGER NOT NULL, other TEXT, PRIMARY KEY (kind, id, field)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX sync_apart ON sync_fact (kind, id, field) WHERE other IS NOT NULL",
    # A text is sent once for each thread, so that deleting one thread takes nothing from another.
    """
    CREATE TABLE sync_block (thread_key INTEGER NOT NULL, block_key INTEGER NOT NULL,
        PRIMARY KEY (thread_key, block_key)) WITHOUT ROWID
    """,
    "CREATE TABLE sync_version (message_key INTEGER PRIMARY KEY, time INTEGER NOT NULL, device TEXT NOT NULL)",
    # What waits for a message, thread or project that has not come yet.
    """
    CREATE TABLE sync_waiting (key INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, thread TEXT NOT NULL,
        data BLOB NOT NULL)
    """,
    "CREATE INDEX sync_waiting_for ON sync_waiting (id)",
    "CREATE TABLE sync_pending (thread_id TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID",
    """
    CREATE TABLE sync_gone (id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE TABLE sync_file (sha256 TEXT NOT NULL PRIMARY KEY, state INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE sync_outbox (number INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)

FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "thread": (
        *("title", "created", "updated", "backend", "model", "tip", "seen", "system", "project", "pinned"),
        *("archived", "soft_limit", "parameters", "choices", "deleted"),
    ),
    "project": (
        *("name", "instructions", "backend", "model", "soft_limit", "created", "updated", "archived"),
        *("searches_threads", "deleted"),
    ),
    "project_document": ("name", "size", "sha256", "mode", "folder_id", "path", "modified", "added", "deleted"),
    "followed_folder": ("path", "deleted"),
    "prompt": ("title", "text", "created", "updated", "deleted"),
    "artifact": ("title", "kind", "language", "pinned", "created", "updated", "deleted"),
}
"""The columns that are sent, by table: no draft, nothing that was counted, read or learned, no path of this machine."""

PARENTS: Final = {"artifact": "thread", "project_document": "project", "followed_folder": "project"}
"""The tables whose rows stand below one of another table."""

WANTED, THERE, LACKING = range(3)
"""States of a document's file: to be fetched; at the place; neither there nor to be read here."""

_SENDABLE: Final[Mapping[str, str]] = {
    "project_document": "AND (sha256 IN (SELECT sha256 FROM sync_file) OR sha256 = '' AND state <> 'waiting')"
}
"""A document waits until it was read, and until its file is at the place."""


def _dirty(kind: str, key: str) -> str:
    """A statement of a trigger. No OR IGNORE: the statement that fires a trigger decides about conflicts in it."""
    known = f"SELECT 1 FROM sync_dirty WHERE kind = '{kind}' AND key = {key}"
    return f"INSERT INTO sync_dirty SELECT '{kind}', {key} WHERE {key} IS NOT NULL AND NOT EXISTS ({known});"


def _trigger(name: str, event: str, *statements: str, when: str = "") -> str:
    return f"CREATE TRIGGER sync_{name} AFTER {event} {when} BEGIN {' '.join(statements)} END"


_CHANGED: Final = {kind: ", ".join(f'"{name}"' for name in names if name != "seen") for kind, names in FACTS.items()}
_TRIGGERS: Final = (
    *(
        _trigger(f"{kind}_{name}", event, _dirty(kind, "NEW.rowid" if kind == "prompt" else "NEW.key"))
        for kind in FACTS
        for name, event in (
            ("new", f"INSERT ON {kind}"),
            ("changed", f"UPDATE OF {_CHANGED[kind]} ON {kind}"),
        )
    ),
    *(
        _trigger(
            f"message_{name}", event, "DELETE FROM sync_version WHERE message_key = NEW.key;",
            _dirty("message", "NEW.key"), _dirty("thread", "NEW.thread_key"),
        )
        for name, event in (("new", "INSERT ON message"), ("changed", "UPDATE ON message"))
    ),
    _trigger(
        "turn_ended", "UPDATE OF state ON turn", _dirty("message", "NEW.answer_key"),
        _dirty("message", "NEW.user_key"), _dirty("thread", "NEW.thread_key"),
        when="WHEN NEW.state <> 'running'",
    ),
    *(
        _trigger(
            f"mark_{name}", f"{event} ON mark",
            _dirty("thread", f"(SELECT thread_key FROM message WHERE key = {row}.message_key)"),
        )
        for name, event, row in (("new", "INSERT", "NEW"), ("changed", "UPDATE", "NEW"), ("gone", "DELETE", "OLD"))
    ),
    _trigger("version_new", "INSERT ON artifact_version", _dirty("artifact", "NEW.artifact_key")),
    _trigger("erased", "INSERT ON erasure", _dirty("erasure", "NEW.id"), when="WHEN NEW.kind <> 'file'"),
    # What was deleted for good leaves no title and no text behind.
    *(
        _trigger(
            f"{kind}_gone", f"DELETE ON {kind}", f"DELETE FROM sync_fact WHERE kind = '{kind}' AND id = OLD.id;",
            f"DELETE FROM sync_dirty WHERE kind = '{kind}' AND key = OLD.{'rowid' if kind == 'prompt' else 'key'};",
            *(("DELETE FROM sync_block WHERE thread_key = OLD.key;", "DELETE FROM sync_waiting WHERE thread = OLD.id;",
               "DELETE FROM sync_pending WHERE thread_id = OLD.id;",
               "DELETE FROM sync_dirty WHERE kind = 'whole' AND key = OLD.key;") if kind == "thread" else ()),
        )
        for kind in FACTS
    ),
    _trigger(
        "message_gone", "DELETE ON message", "DELETE FROM sync_version WHERE message_key = OLD.key;",
        "DELETE FROM sync_dirty WHERE kind = 'message' AND key = OLD.key;",
    ),
    _trigger("block_gone", "DELETE ON block", "DELETE FROM sync_block WHERE block_key = OLD.key;"),
)  # fmt: skip

IN_PACK: Final = 200
"""Messages of one pack."""
_BYTES: Final = 300_000
"""Of texts, after which a pack is full, as more JSON at once would hold up the window; no message is divided."""

_READY: Final = f"""
    SELECT message.*, thread.id AS thread_id, above.id AS parent FROM sync_dirty
    CROSS JOIN message ON message.key = sync_dirty.key JOIN thread ON thread.key = message.thread_key
    LEFT JOIN message AS above ON above.key = message.parent_key
    WHERE kind = 'message' AND (thread.deleted IS NULL OR thread.deleted NOT GLOB '{IMPORTING}*')
        AND thread.id NOT IN (SELECT id FROM erasure)
        AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.thread_key = message.thread_key AND state = 'running'
            AND message.key IN (answer_key, user_key))
    ORDER BY sync_dirty.key LIMIT {IN_PACK}
"""
_NEXT_THREADS: Final = f"""
    SELECT kind, thread.* FROM sync_dirty CROSS JOIN thread ON thread.key = sync_dirty.key
    WHERE kind IN ('thread', 'whole') AND (deleted IS NULL OR deleted NOT GLOB '{IMPORTING}*')
        AND id NOT IN (SELECT id FROM erasure)
        AND NOT EXISTS (SELECT 1 FROM turn WHERE thread_key = thread.key AND state = 'running')
        AND (message_count > 0 OR EXISTS (SELECT 1 FROM sync_fact AS f WHERE f.kind = 'thread' AND f.id = thread.id))
    ORDER BY updated DESC, thread.key DESC LIMIT {IN_PACK}
"""
FILES: Final = {
    "wanted": f"SELECT sha256 FROM sync_file WHERE state = {WANTED}",
    "there": f"SELECT sha256 FROM sync_file WHERE state = {THERE}",
    "to send": "SELECT DISTINCT sha256 FROM sync_dirty JOIN project_document ON project_document.key = sync_dirty.key "
    "WHERE kind = 'project_document' AND sha256 <> '' "
    f"AND sha256 NOT IN (SELECT sha256 FROM sync_file WHERE state <> {LACKING})",
    # no document is or was it: they were deleted for good
    "unused": "SELECT sha256 FROM sync_file WHERE sha256 NOT IN (SELECT sha256 FROM document_file) "
    "AND NOT EXISTS (SELECT 1 FROM project_document AS one WHERE one.sha256 = sync_file.sha256)",
}
_HAS_FILE: Final = (
    "SELECT 1 FROM project_document AS one JOIN sync_file USING (sha256) WHERE id = ? AND sync_file.state = ?"
)
_NOT_MESSAGE: Final = frozenset({"key", "thread_key", "parent_key", "depth", "parts", "thread_id", "parent", "id"})
_NOT_TURN: Final = frozenset(
    {"key", "thread_key", "user_key", "answer_key", "owner_pid", "owner_started", "owner_boot"}
)
_ENDED_TURNS: Final = """
    SELECT turn.*, question.id AS user FROM turn LEFT JOIN message AS question ON question.key = user_key
    WHERE answer_key = ? AND turn.state <> 'running' ORDER BY turn.key
"""
# Of a turn that has ended they never change.
_EVENTS: Final = """
    SELECT turn_key, at, kind, "before", "after", messages, model, cost_usd FROM context_event
    WHERE thread_key = ? AND turn_key IS NOT NULL ORDER BY key
"""
_BASE: Final = """
    SELECT turn.id, (
        SELECT count(*) FROM request AS before WHERE before.turn_key = base.turn_key AND before.key < base.key
    )
    FROM request AS base JOIN turn ON turn.key = base.turn_key WHERE base.key = ?
"""


def digest(value: Json) -> str:
    """The short hash by which two values are compared; "" of none."""
    return "" if value is None else hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Pack:
    """One object to be sent; `data`: compressed, not sealed."""

    number: int
    data: bytes


class _Section:
    """The part of a pack of one thread: rows whose texts are numbered by `refs`, a text or its hash if it was sent."""

    def __init__(self, connection: sqlite3.Connection, thread_key: int, thread_id: str) -> None:
        self._connection, self._thread_key = connection, thread_key
        self._numbers: dict[int, int] = {}
        self.refs: list[Any] = []
        self.size = 0
        self.content: dict[str, Any] = {"id": thread_id, "facts": [], "messages": [], "refs": self.refs}
        self.events: dict[int, list[dict[str, Any]]] = {}
        for event in rows(connection, _EVENTS, thread_key):
            self.events.setdefault(event.pop("turn_key"), []).append(event)

    def parts(self, packed: Any) -> Any:
        """A message's parts, whose texts always go along: they are what must not get lost."""
        return renumbered(packed, self._whole)

    def packed(self, packed: Any) -> Any:
        """A request's."""
        return renumbered(packed, self._number, self._tree)

    def _whole(self, key: int) -> int:
        number = self._number(key)
        if isinstance(self.refs[number], str):
            self.refs[number] = [read_blocks(self._connection, (key,))(key)]
        return number

    def _number(self, key: int) -> int:
        if (number := self._numbers.get(key)) is None:
            text = read_blocks(self._connection, (key,))(key)
            where = (self._thread_key, key)
            new = self._connection.execute("INSERT OR IGNORE INTO sync_block VALUES (?, ?)", where).rowcount
            name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            number = self._numbers[key] = self._add([text] if new else name)
            self.size += len(text) if new else 0
        return number

    def _tree(self, key: int) -> int:
        """Packed JSON in a block: its keys are of this file, so it goes along each time, its long texts do not."""
        return self._add({"tree": self.packed(from_text(read_blocks(self._connection, (key,))(key)))})

    def _add(self, ref: Any) -> int:
        self.refs.append(ref)
        return len(self.refs) - 1


class SyncCapture:
    """Finds what is to be sent. Every method is one transaction of its own, of some tens of milliseconds at most."""

    def __init__(
        self,
        store: Store,
        now_ms: Callable[[], int] = lambda: int(utc_now().timestamp() * 1000),
        copy_of: Callable[[str], Path] = Path("documents").joinpath,
    ) -> None:
        """`copy_of`: the path of the copy of a document's file, by its hash."""
        self.store = store
        self.copy_of = copy_of
        self.now_ms = now_ms
        self.connection = store.transactions.connection

    @property
    def is_set_up(self) -> bool:
        found = self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sync_state'").fetchone()
        return found is not None

    def set_up(self, state: Mapping[str, Any]) -> None:
        """Makes the tables and triggers; all that is here is to be sent."""
        with self.store.transactions.write_plain() as connection:
            self._drop(connection)
            for statement in (*_TABLES, *_TRIGGERS):
                connection.execute(statement)
            write_state(connection, {"number": 0, "time": 0, "sent": 0, "received": 0, "hello": 1, **state})
            self._everything(connection)

    def leave(self) -> None:
        """Nothing of syncing stays in the file but what came."""
        with self.store.transactions.write_plain() as connection:
            self._drop(connection)

    def _drop(self, connection: sqlite3.Connection) -> None:
        made = "SELECT type, name FROM sqlite_master WHERE name GLOB 'sync_*' AND type IN ('trigger', 'table')"
        for kind, name in sorted(connection.execute(made).fetchall(), reverse=True):  # triggers first
            connection.execute(f"DROP {kind} {name}")

    def send_all_again(self, state: Mapping[str, Any]) -> None:
        """All that is here is to be sent once more: the store has lost it, or this is another device now."""
        with self.store.transactions.write_plain() as connection:
            connection.execute("DELETE FROM sync_block")
            connection.execute("DELETE FROM sync_outbox")
            connection.execute("DELETE FROM sync_file WHERE state <> ?", (WANTED,))
            connection.execute("UPDATE sync_fact SET sent = 0 WHERE field NOT GLOB ?", (f"{TIP_ON}*",))
            connection.execute("DELETE FROM sync_state WHERE name GLOB 'read *'")
            write_state(connection, state)
            self._everything(connection)

    def _everything(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR REPLACE INTO sync_dirty SELECT 'whole', key FROM thread")
        for kind in FACTS:
            key = "rowid" if kind == "prompt" else "key"
            connection.execute(f"INSERT OR REPLACE INTO sync_dirty SELECT '{kind}', {key} FROM {kind}")
        connection.execute("INSERT OR REPLACE INTO sync_dirty SELECT 'erasure', id FROM erasure WHERE kind <> 'file'")

    def state(self) -> dict[str, Any]:
        return dict(self.connection.execute("SELECT name, value FROM sync_state").fetchall())

    def write_state(self, **values: Any) -> None:
        with self.store.transactions.write_plain() as connection:
            write_state(connection, values)

    def add_bytes(self, way: str, size: int) -> None:
        """Counts what was `received` or `sent`."""
        with self.store.transactions.write_plain() as connection:
            connection.execute("UPDATE sync_state SET value = value + ? WHERE name = ?", (size, way))

    def devices(self) -> list[tuple[str, str, int, str, int]]:
        """Of each other device id, name, how far it was read, when something came last, and if it was removed."""
        return self.connection.execute(
            "SELECT id, name, number, last, revoked FROM sync_device ORDER BY name"
        ).fetchall()

    def take_free_name(self) -> None:
        """Gives this device's name a number where another has it; what others know already stays."""
        state, taken = self.state(), {name for _, name, *_, revoked in self.devices() if not revoked}
        if not state["number"] and state["name"] in taken:
            names = (f"{state['name']} {number}" for number in itertools.count(2))
            self.write_state(name=next(one for one in names if one not in taken))

    def remove_devices(self, ids: Iterable[str]) -> None:
        """Nothing of these is read any more."""
        with self.store.transactions.write_plain() as connection:
            connection.executemany(
                "INSERT INTO sync_device VALUES (?, '', 0, '', 1) ON CONFLICT DO UPDATE SET revoked = 1",
                [(one,) for one in ids],
            )

    def set_read(self, device: str, name: str, number: int) -> None:
        """Of that device so much counts as read."""
        with self.store.transactions.write_plain() as connection:
            connection.execute(
                "INSERT INTO sync_device VALUES (?, ?, ?, '', 0) ON CONFLICT DO UPDATE SET number = excluded.number",
                (device, name, number),
            )

    def has_outbox(self, number: int) -> bool:
        """True where that pack is made, but not noted as sent."""
        query = "SELECT 1 FROM sync_outbox WHERE number = ?"
        return self.connection.execute(query, (number,)).fetchone() is not None

    def gone(self) -> frozenset[str]:
        """The ids of all that was deleted for good, here or elsewhere."""
        rows = self.connection.execute("SELECT id FROM erasure WHERE kind <> 'file' UNION SELECT id FROM sync_gone")
        return frozenset(one for (one,) in rows)

    def without(self, pack: Mapping[str, Any], gone: Set[str]) -> dict[str, Any]:
        """A pack that was sent, without what was deleted for good; where a message was, its place in the tree stays."""
        sections = []
        for section in pack["sections"]:
            if section["id"] in gone:
                continue
            kept = dict(section)
            if self._has_gaps(section["id"], gone):
                kept["messages"] = [_without_words(one, empty=one["id"] in gone) for one in section["messages"]]
                used = {one for message in kept["messages"] for one in block_keys(message["parts"])}
                kept["refs"] = [ref if number in used else "" for number, ref in enumerate(section["refs"])]
            sections.append(kept)
        # what was below something that was deleted for good has no row any more
        find = {kind: f"SELECT 1 FROM {kind} WHERE id = ?" for kind in FACTS}
        left = (one for one in pack["things"] if one[0] in find and one[1] not in gone)
        things = [one for one in left if self.connection.execute(find[one[0]], (one[1],)).fetchone() is not None]
        return {**pack, "sections": sections, "things": things}

    def _has_gaps(self, thread_id: str, gone: Set[str]) -> bool:
        query = "SELECT message.id FROM thread CROSS JOIN message ON thread_key = thread.key WHERE thread.id = ?"
        return any(one in gone for (one,) in self.connection.execute(query, (thread_id,)))

    def waiting_threads(self) -> frozenset[str]:
        """The ids of threads of which something is not in the store; of one that only has a draft nothing is missed."""
        rows = self.connection.execute(
            "SELECT thread.id FROM sync_dirty JOIN thread ON thread.key = sync_dirty.key "
            "WHERE kind IN ('thread', 'whole') AND thread.deleted IS NULL "
            "AND EXISTS (SELECT 1 FROM message WHERE thread_key = thread.key)"
        )
        return frozenset(one for (one,) in rows)

    def still_on(self) -> tuple[str, ...]:
        """The names of the devices that have not yet read what was deleted for good here."""
        state = self.state()
        waits = self.connection.execute("SELECT 1 FROM sync_dirty WHERE kind = 'erasure'").fetchone() is not None
        return tuple(
            name
            for one, name, _, _, revoked in self.devices()
            if not revoked and (waits or state.get(f"read {one}", 0) < state.get("gone_in", 0))
        )

    def next_pack(self) -> Pack | None:
        """The pack that is not in the store yet, or a new one of what changed; None: there is nothing to send."""
        with self.store.transactions.write_plain() as connection:
            found = connection.execute("SELECT number, data FROM sync_outbox ORDER BY number LIMIT 1").fetchone()
            if found is not None:
                return Pack(*found)
            content = self._content(connection)
            state = dict(connection.execute("SELECT name, value FROM sync_state").fetchall())
            if content is None:
                if not state["hello"]:
                    return None
                content = {"sections": [], "things": [], "gone": []}  # the others learn that there is this device
            write_state(connection, {"hello": 0})
            head = {"v": FORMAT, "device": state["device"], "name": state["name"], "number": state["number"] + 1}
            head |= {"time": state["time"], "read": {one: number for one, _, number, *_ in self.devices()}}
            if content["gone"]:
                write_state(connection, {"gone_in": head["number"]})
            data = zlib.compress(json.dumps(head | content).encode(), 4)
            connection.execute("INSERT INTO sync_outbox VALUES (?, ?)", (head["number"], data))
            return Pack(head["number"], data)

    def files(self, which: str) -> Sequence[str]:
        """The hashes of documents' files, by what becomes of them: a key of `FILES`."""
        return [one for (one,) in self.connection.execute(FILES[which]).fetchall()]

    def sources(self, sha256: str) -> Iterator[tuple[Path, Path | None]]:
        """The copy of a file, then those in followed folders that were it when they were read, with their folders."""
        yield self.copy_of(sha256), None
        found = self.connection.execute(
            "SELECT folder.path, document.path FROM project_document AS document JOIN followed_folder AS folder "
            "ON folder.id = folder_id AND folder.project_key = document.project_key AND folder.deleted IS NULL "
            "WHERE sha256 = ?",
            (sha256,),
        ).fetchall()
        for folder, path in found:
            if is_chosen(folder):
                yield path_of(folder) / path_of(path), path_of(folder)

    def note_sent(self, sha256: str, *, there: bool) -> None:
        """The file is at the place, so that its documents can be sent; not `there`: without it."""
        with self.store.transactions.write_plain() as connection:
            connection.execute("INSERT OR REPLACE INTO sync_file VALUES (?, ?)", (sha256, THERE if there else LACKING))
            connection.execute(
                "UPDATE sync_fact SET sent = 0 WHERE kind = 'project_document' AND field = 'sha256' AND value = ?",
                (json.dumps(sha256),),
            )

    def forget_files(self, hashes: Iterable[str]) -> None:
        """Nothing is known of these; documents that are such are to be sent again."""
        with self.store.transactions.write_plain() as connection:
            for one in hashes:
                connection.execute("DELETE FROM sync_file WHERE sha256 = ?", (one,))
                connection.execute(
                    "INSERT OR IGNORE INTO sync_dirty SELECT 'project_document', key FROM project_document "
                    "WHERE sha256 = ?",
                    (one,),
                )

    def sent(self, pack: Pack, size: int) -> None:
        """The pack is in the store."""
        with self.store.transactions.write_plain() as connection:
            connection.execute("DELETE FROM sync_outbox WHERE number = ?", (pack.number,))
            write_state(connection, {"number": pack.number, "covers": 0})
            connection.execute("UPDATE sync_state SET value = value + ? WHERE name = 'sent'", (size,))

    def _content(self, connection: sqlite3.Connection) -> dict[str, Any] | None:
        sections: dict[str, _Section] = {}
        if (room := IN_PACK - self._messages(connection, sections)) > 0:
            self._threads(connection, sections, room)
            if room == IN_PACK:
                self._messages(connection, sections)  # those of whole threads
        things = list(self._things(connection))
        gone = connection.execute(
            "SELECT erasure.id, erasure.kind FROM sync_dirty JOIN erasure ON erasure.id = sync_dirty.key "
            "WHERE sync_dirty.kind = 'erasure'"
        ).fetchall()
        connection.execute("DELETE FROM sync_dirty WHERE kind = 'erasure'")
        filled = [one.content for one in sections.values() if one.content["facts"] or one.content["messages"]]
        if not filled and not things and not gone:
            return self._content(connection) if sections else None  # the messages of these threads come now
        return {"sections": filled, "things": things, "gone": [list(one) for one in gone]}

    def _messages(self, connection: sqlite3.Connection, sections: dict[str, _Section]) -> int:
        number = 0
        for number, row in enumerate(rows(connection, _READY), 1):  # noqa: B007 - how many it was
            if (section := sections.get(row["thread_id"])) is None:
                section = sections[row["thread_id"]] = _Section(connection, row["thread_key"], row["thread_id"])
            connection.execute("DELETE FROM sync_dirty WHERE kind = 'message' AND key = ?", (row["key"],))
            section.content["messages"].append(self._message(connection, section, row))
            if sum(one.size for one in sections.values()) > _BYTES:
                break
        return number

    def _message(self, connection: sqlite3.Connection, section: _Section, row: Mapping[str, Any]) -> dict[str, Any]:
        find = "SELECT time, device FROM sync_version WHERE message_key = ?"
        if (stamp := connection.execute(find, (row["key"],)).fetchone()) is None:
            stamp = self.tick(connection)
            connection.execute("INSERT INTO sync_version VALUES (?, ?, ?)", (row["key"], *stamp))
        turns = []
        for turn in rows(connection, _ENDED_TURNS, row["key"]):
            known = {name: value for name, value in turn.items() if name not in _NOT_TURN}
            events = section.events.get(turn["key"], [])
            turns.append(known | {"events": events, "requests": self._requests(connection, section, turn["key"])})
        try:
            parts = section.parts(from_bytes(row["parts"]))
        except UNREADABLE:
            parts = None  # damaged: its place in the tree goes along, for what stands below
        return {
            "id": row["id"],
            "parent": row["parent"],
            "row": {name: value for name, value in row.items() if name not in _NOT_MESSAGE},
            "parts": parts,
            "stamp": list(stamp),
            "turns": turns,
        }

    def _requests(self, connection: sqlite3.Connection, section: _Section, turn_key: int) -> list[dict[str, Any]]:
        requests = []
        query = "SELECT * FROM request WHERE turn_key = ? ORDER BY key"
        for request in rows(connection, query, turn_key):
            try:
                body = section.packed(from_bytes(zlib.decompress(request["body"])))
            except UNREADABLE:
                continue
            base = connection.execute(_BASE, (request["base_key"],)).fetchone()
            if base is None and request["base_key"] is not None:
                continue
            requests.append({"base": base and list(base), "kept": request["kept"], "body": body})
        return requests

    def _threads(self, connection: sqlite3.Connection, sections: dict[str, _Section], room: int) -> None:
        """The facts of threads that changed; with `whole` ones their messages, as far as there is room."""
        for row in rows(connection, _NEXT_THREADS):
            if room <= 0:
                return
            section = sections.get(row["id"])
            section = sections[row["id"]] = section or _Section(connection, row["key"], row["id"])
            if row["kind"] == "whole":
                connection.execute("DELETE FROM sync_dirty WHERE kind = 'whole' AND key = ?", (row["key"],))
                connection.execute(
                    "INSERT OR REPLACE INTO sync_dirty SELECT 'message', key FROM message WHERE thread_key = ?",
                    (row["key"],),
                )
                room -= row["message_count"]
            connection.execute("DELETE FROM sync_dirty WHERE kind = 'thread' AND key = ?", (row["key"],))
            self.note(connection, "thread", row["id"])
            section.content["facts"] += _unsent(connection, "thread", row["id"])
            room -= 1

    def _things(self, connection: sqlite3.Connection) -> Iterator[list[Any]]:
        """Facts of what is no thread: kind, id, facts, and what else there is of it."""
        for kind in FACTS:
            if kind == "thread":
                continue
            key = "rowid" if kind == "prompt" else "key"
            ids = connection.execute(
                f"SELECT sync_dirty.key, id FROM sync_dirty JOIN {kind} ON {kind}.{key} = sync_dirty.key "
                f"WHERE sync_dirty.kind = ? {_SENDABLE.get(kind, '')} LIMIT {IN_PACK}",
                (kind,),
            ).fetchall()
            for row_key, one in ids:
                connection.execute("DELETE FROM sync_dirty WHERE kind = ? AND key = ?", (kind, row_key))
                self.note(connection, kind, one)
                more = _versions(connection, row_key) if kind == "artifact" else {}
                if (facts := _unsent(connection, kind, one)) or more:
                    if kind == "project_document":
                        more = {"file": connection.execute(_HAS_FILE, (one, THERE)).fetchone() is not None}
                    yield [kind, one, facts, more]

    def tick(self, connection: sqlite3.Connection) -> Stamp:
        """The stamp of what is written now, inside the caller's write."""
        (device,) = connection.execute("SELECT value FROM sync_state WHERE name = 'device'").fetchone()
        (last,) = connection.execute("SELECT value FROM sync_state WHERE name = 'time'").fetchone()
        time = next_time(self.now_ms(), last)
        write_state(connection, {"time": time})
        return time, device

    def note(self, connection: sqlite3.Connection, kind: str, one: str) -> None:
        """Stamps what was changed here of a thread or thing since it was last compared.

        What was never compared has the time of its last change: a device that joins with an older copy of a history,
        or once more, does not turn back what was changed since on the others.
        """
        current = current_facts(connection, kind, one)
        known = known_facts(connection, kind, one)
        stamp: Stamp | None = None
        for field in sorted(current.keys() | known.keys()):
            value, before = current.get(field), known.get(field)
            if digest(value) == ("" if before is None else before[1]):
                continue
            if stamp is None:
                stamp = self.tick(connection)
                changed = max(str(current.get(name) or "") for name in ("created", "added", "updated", "deleted"))
                if changed and not known:
                    stamp = min(stamp[0], time_at(_milliseconds(changed))), stamp[1]
            if kind == "thread" and field == "tip":  # who goes on here leaves the branches that were told of
                left = "DELETE FROM sync_fact WHERE kind = 'thread' AND id = ? AND field GLOB ? AND other <> ''"
                connection.execute(left, (one, f"{TIP_ON}*"))
            written = value
            if kind == "thread" and field == "deleted" and value is not None:
                written = {"at": value, "seen": ends_of(parents_of(connection, one))}
            fact = SyncFact(written, stamp, NEVER if before is None else before[0].stamp)
            write_fact(connection, kind, one, field, fact, shown=digest(value), sent=False)


def _without_words(message: Mapping[str, Any], *, empty: bool) -> dict[str, Any]:
    """Without requests, in which words of another message may stand; `empty`: without its own."""
    turns = [{**turn, "requests": []} for turn in message["turns"]]
    if not empty:
        return {**message, "turns": turns}
    return {**message, "turns": turns, "parts": {"v": 1, "parts": []}, "row": {**message["row"], "failure": None}}


def _milliseconds(moment: str) -> int:
    """Of an ISO 8601 moment; 0 where it is none, as in a damaged row."""
    try:
        return int(datetime.fromisoformat(moment).timestamp() * 1000)
    except ValueError:
        return 0


def write_state(connection: sqlite3.Connection, values: Mapping[str, Any]) -> None:
    """Writes some facts about syncing itself, inside the caller's write."""
    connection.executemany("INSERT OR REPLACE INTO sync_state VALUES (?, ?)", values.items())


def current_facts(connection: sqlite3.Connection, kind: str, one: str) -> dict[str, Json]:
    """The facts of a row; a field that has its column's default is left out."""
    names = FACTS[kind]
    listed = ", ".join(f'"{name}"' for name in names)
    found = connection.execute(f"SELECT {listed} FROM {kind} WHERE id = ?", (one,)).fetchone()
    if found is None:
        return {}
    facts: dict[str, Json] = {
        name: value for name, value in zip(names, found, strict=True) if value not in (None, "", 0)
    }
    if kind == "thread":
        with suppress(ValueError, AttributeError):
            facts |= choices_apart(json.loads(str(facts.pop("choices", "{}"))))
        facts |= _marks(connection, one)
    elif (parent := PARENTS.get(kind)) is not None:
        find = f"SELECT {parent}.id FROM {kind} JOIN {parent} ON {parent}.key = {parent}_key WHERE {kind}.id = ?"
        facts[parent] = connection.execute(find, (one,)).fetchone()[0]
    if kind == "project_document" and "folder_id" not in facts:
        facts.pop("path", None)
    elif kind == "followed_folder":
        facts["path"] = folder_name(str(facts.get("path")))
    return facts


def is_chosen(folder: str) -> bool:
    """True for the path of a followed folder that the user of this computer chose."""
    return FollowedFolder("", "", folder).chosen


MARK: Final = "mark\x1f"


def _marks(connection: sqlite3.Connection, thread_id: str) -> dict[str, Json]:
    rows = connection.execute(
        "SELECT message.id, rating, note FROM thread CROSS JOIN message ON thread_key = thread.key "
        "CROSS JOIN mark ON message_key = message.key WHERE thread.id = ?",
        (thread_id,),
    )
    return {MARK + message: [rating, note] for message, rating, note in rows}


def parents_of(connection: sqlite3.Connection, thread_id: str) -> dict[str, str | None]:
    """The messages of a thread, each with the one above it."""
    rows = connection.execute(
        "SELECT message.id, above.id FROM message LEFT JOIN message AS above ON above.key = message.parent_key "
        "WHERE message.thread_key = (SELECT key FROM thread WHERE id = ?)",
        (thread_id,),
    )
    return dict(rows.fetchall())


def known_facts(connection: sqlite3.Connection, kind: str, one: str) -> dict[str, tuple[SyncFact, str]]:
    """The facts as they are merged, with the hash of what stood in the row."""
    rows = connection.execute(
        "SELECT field, value, time, device, saw, saw_device, shown FROM sync_fact WHERE kind = ? AND id = ?",
        (kind, one),
    )
    return {
        field: (SyncFact(json.loads(value), (time, device), (saw, saw_device)), shown)
        for field, value, time, device, saw, saw_device, shown in rows
    }


def write_fact(
    connection: sqlite3.Connection, kind: str, one: str, field: str, fact: SyncFact, *, shown: str, sent: bool
) -> None:
    """Writes a fact as it is merged."""
    values = (kind, one, field, json.dumps(fact.value), *fact.stamp, *fact.saw, shown, sent)
    connection.execute(
        "INSERT INTO sync_fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO UPDATE SET "
        "value = excluded.value, time = excluded.time, device = excluded.device, saw = excluded.saw, "
        "saw_device = excluded.saw_device, shown = excluded.shown, sent = excluded.sent, other = NULL",
        values,
    )


def _unsent(connection: sqlite3.Connection, kind: str, one: str) -> list[list[Any]]:
    where = "kind = ? AND id = ? AND sent = 0"
    rows = connection.execute(
        f"SELECT field, value, time, device, saw, saw_device FROM sync_fact WHERE {where}", (kind, one)
    ).fetchall()
    connection.execute(f"UPDATE sync_fact SET sent = 1 WHERE {where}", (kind, one))
    return [[field, json.loads(value), *stamps] for field, value, *stamps in rows]


def _versions(connection: sqlite3.Connection, artifact_key: int) -> dict[str, Any]:
    """The versions of an artifact with their texts; they are few."""
    rows = connection.execute(
        "SELECT author, created, message_id, block_key FROM artifact_version WHERE artifact_key = ? ORDER BY number",
        (artifact_key,),
    ).fetchall()
    get = read_blocks(connection, [row[3] for row in rows])
    return {"versions": [[*row[:3], get(row[3])] for row in rows]}


def rows(connection: sqlite3.Connection, query: str, *values: object) -> Iterable[dict[str, Any]]:
    """The rows of a query by their columns."""
    found = connection.execute(query, values)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
