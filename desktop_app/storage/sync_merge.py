"""Merges what other machines sent into the history, in whatever order it comes, and as often as it comes.

What waits for something that has not come yet is kept unseen. Nothing of it is trusted more than another file's rows.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from desktop_app.core.history_records import TrashItem
from desktop_app.core.messages import MessageMark, known_rating
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import (
    MOST_TIME,
    Arrived,
    SyncApart,
    SyncFact,
    SyncLine,
    apart_text,
    choices_together,
    is_choice,
    merged,
    went_on,
)
from desktop_app.core.thread_copy import choices_from_json
from desktop_app.storage.block_store import read_blocks, renumbered, to_bytes, to_text
from desktop_app.storage.checked_rows import LOST, Table, message_row
from desktop_app.storage.erasure_store import TABLES, retire_blocks
from desktop_app.storage.history_merge import SHA256, folder_name, is_below
from desktop_app.storage.import_store import second_name
from desktop_app.storage.message_store import add_later, remove_from_index, write_mark
from desktop_app.storage.project_store import FORMER
from desktop_app.storage.request_store import LONGEST_CHAIN
from desktop_app.storage.row_mapping import UNREADABLE, pack_parts, thread_from
from desktop_app.storage.sqlite_connection import MESSAGES, REQUESTS, THREADS, tick
from desktop_app.storage.sync_capture import (
    FACTS,
    MARK,
    PARENTS,
    THERE,
    WANTED,
    SyncCapture,
    current_facts,
    digest,
    is_chosen,
    known_facts,
    parents_of,
    rows,
    write_fact,
    write_state,
)
from desktop_app.storage.sync_tips import keep_place, place_here
from desktop_app.storage.thread_store import IMPORTING, LONGEST_ID, now, write_deleted

log = logging.getLogger(__name__)

_EMPTY_PARTS: Final = pack_parts((), None)
_RUNNING: Final = "SELECT 1 FROM turn WHERE thread_key = ? AND state = 'running'"
_GONE: Final = "SELECT 1 FROM erasure WHERE id = :id UNION ALL SELECT 1 FROM sync_gone WHERE id = :id"
_HAS_GAPS: Final = (
    "SELECT 1 FROM erasure CROSS JOIN message ON message.id = erasure.id WHERE kind = 'message' AND thread_key = ?"
)
_BY_TURN: Final = """
    SELECT request.key, request.chain FROM turn CROSS JOIN request ON turn_key = turn.key
    WHERE turn.id = ? AND turn.thread_key = ? ORDER BY request.key LIMIT 1 OFFSET ?
"""
_APART: Final = "other IS NOT NULL AND field NOT GLOB 'tip*'"
_EMPTY_THREAD: Final = {"title": "", "system": "", "pinned": 0, "archived": 0, "draft": "", "choices": "",
                        "parameters": "", "message_count": 0}  # fmt: skip
_EMPTY_THING: Final[Mapping[str, Mapping[str, Any]]] = {
    "project": {"name": "", "instructions": "", "archived": 0, "searches_threads": 0},
    "project_document": {"name": "", "media_type": "", "size": 0, "sha256": "", "tokens": 0, "pages": 0, "passages": 0,
                         "mode": "search", "state": "missing", "error": "", "note": "", "path": "", "modified": "",
                         "added": "", "counted": ""},
    "followed_folder": {"path": ""},
    "prompt": {"title": "", "text": ""},
    "artifact": {"title": "", "kind": "", "language": "", "pinned": 0},
}  # fmt: skip
_TWICE: Final = r"""
    UPDATE project_document SET deleted = ? WHERE id = (
        SELECT max(one.id) FROM followed_folder AS folder CROSS JOIN project_document AS one
        ON one.project_key = folder.project_key AND one.folder_id = folder.id
        WHERE folder.id = ? AND folder.path GLOB '*[/\]*' AND one.path = ? AND one.path <> '' AND one.deleted IS NULL
        GROUP BY folder.id HAVING count(*) > 1
    )
"""
"""Of a new file that two machines found in a folder that both follow one document stays, the same on all."""
_TABLES: Final = ("thread", "message", "turn", "context_event", *_EMPTY_THING)
_READ_HERE: Final = ("media_type", "tokens", "pages", "passages", "state", "error", "note", "counted")
_FILE_HERE: Final = ("sha256", "size", "modified", "folder_id", "path")
"""Of a document in a folder that is followed here; else two machines would answer each other's readings for ever."""
_ADDED_AT_ONCE: Final = 200


class SyncMerge(SyncCapture):
    """Adds merging. Each step is one transaction, so that running turns can save between them."""

    is_shown: Callable[[str], bool] = staticmethod(lambda _: False)
    """True for a thread that a window shows; whoever has windows sets it."""

    def take(self, content: Mapping[str, Any], arrived: Arrived) -> None:
        """Merges one pack, which is noted as read in its last transaction."""
        device, name = str(content["device"]), str(content["name"])
        sections = deque(content["sections"])
        while sections:
            with self.store.transactions.write_plain() as connection:
                merge = _Merge(self, connection, arrived, name)
                taken = 0
                while sections and taken < _ADDED_AT_ONCE:
                    taken += 1 + merge.section(sections.popleft())
        with self.store.transactions.write_plain() as connection:
            merge = _Merge(self, connection, arrived, name)
            arrived.others |= bool(content["things"])
            for kind, one, facts, more in content["things"]:
                merge.thing(kind, one, facts, more)
            for one, kind in content["gone"]:
                connection.execute("INSERT OR IGNORE INTO sync_gone VALUES (?, ?, 0)", (one, kind))
            if 0 < content["time"] < MOST_TIME:
                connection.execute(
                    "UPDATE sync_state SET value = max(value, ?) WHERE name = 'time'", (content["time"],)
                )
            read = content.get("read")
            mine = read.get(self.state()["device"]) if isinstance(read, dict) else None
            if isinstance(mine, int):
                write_state(connection, {f"read {device}": mine})
            if content["gone"]:
                write_state(connection, {"hello": 1})  # the other learns that it is read
            connection.execute(
                "INSERT INTO sync_device VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET "
                "name = excluded.name, number = max(number, excluded.number), last = excluded.last",
                (device, name, content["number"], now()),
            )

    def apart(self) -> tuple[SyncApart, ...]:
        """Of each that was changed apart on two machines, and not decided since."""
        found: dict[tuple[str, str, str], dict[str, str]] = {}
        for kind, one, name, other in self.connection.execute(
            f"SELECT kind, id, field, other FROM sync_fact WHERE {_APART} ORDER BY kind, id, field"
        ).fetchall():
            query = f"SELECT {'name' if kind == 'project' else 'title'} FROM {kind} WHERE id = ? AND deleted IS NULL"
            for (title,) in self.connection.execute(query, (one,)).fetchall():
                texts = found.setdefault((kind, one, title), {})
                field_name, text = apart_text(name, json.loads(other))
                texts[field_name] = "\n\n".join(filter(None, (texts.get(field_name), text)))
        return tuple(SyncApart(*names, tuple(texts.items())) for names, texts in found.items())

    def decide(self, kind: str, one: str, arrived: Arrived, *, other: bool) -> None:
        """Sets what was written apart, or what shows, as a change of its own that the other machines take, too."""
        with self.store.transactions.write_plain() as connection:
            self.note(connection, kind, one)
            columns = "field, value, other, time, device, shown"
            apart_here = f"SELECT {columns} FROM sync_fact WHERE kind = ? AND id = ? AND {_APART}"
            for name, value, apart, *stamp, shown in connection.execute(apart_here, (kind, one)).fetchall():
                fact = SyncFact(json.loads(apart if other else value), self.tick(connection), tuple(stamp))
                write_fact(connection, kind, one, name, fact, shown=shown, sent=False)
            merge = _Merge(self, connection, arrived, "")
            if kind == "thread":
                merge.show_thread(one)
            else:
                merge.thing(kind, one, (), {})

    def finish(self, arrived: Arrived) -> None:
        """Does what could not be done before: of threads in which an answer was coming, and deletions for good."""
        pending = [one for (one,) in self.connection.execute("SELECT thread_id FROM sync_pending")]
        for thread_id in pending:
            with self.store.transactions.write_plain() as connection:
                connection.execute("DELETE FROM sync_pending WHERE thread_id = ?", (thread_id,))
                merge = _Merge(self, connection, arrived, "")
                merge.wake(thread_id)
                merge.show_thread(thread_id)
        self._erase(arrived)

    def note_fetched(self, sha256: str, arrived: Arrived) -> None:
        """The copy of that file is here now: documents that lack it are to be read."""
        with self.store.transactions.write_plain() as connection:
            connection.execute("INSERT OR REPLACE INTO sync_file VALUES (?, ?)", (sha256, THERE))
            connection.execute(
                "UPDATE project_document SET state = 'waiting' WHERE sha256 = ? AND state = 'missing'", (sha256,)
            )
        arrived.documents = True

    def _erase(self, arrived: Arrived) -> None:
        begun = False
        for one, kind in self.connection.execute("SELECT id, kind FROM sync_gone WHERE done = 0").fetchall():
            with self.store.transactions.write_plain() as connection:
                thread_id = _thread_of(connection, kind, one)
                running = connection.execute(_RUNNING, (_key(connection, thread_id),)).fetchone() is not None
                if running:
                    continue
                known = connection.execute("SELECT 1 FROM erasure WHERE id = ?", (one,)).fetchone()
                if known is None and kind in TABLES:
                    connection.execute(
                        f"UPDATE {TABLES[kind]} SET deleted = coalesce(deleted, ?) WHERE id = ?", (now(), one)
                    )
                self._forget_waiting(connection, one)
                if kind == "message":
                    _forget_requests(connection, one)
            if known is None and (kind in TABLES or kind == "message"):
                self.store.erasure.begin([TrashItem(kind, one, "", "", inside_id=thread_id)])
                begun = True
                if thread_id:
                    arrived.add(thread_id)
                    arrived.threads[thread_id] = None
            with self.store.transactions.write_plain() as connection:
                connection.execute("UPDATE sync_gone SET done = 1 WHERE id = ?", (one,))
                connection.execute("DELETE FROM sync_dirty WHERE kind = 'erasure' AND key = ?", (one,))
        while begun and self.store.erasure.step():
            pass

    def _forget_waiting(self, connection: sqlite3.Connection, thread_id: str) -> None:
        for (data,) in connection.execute("SELECT data FROM sync_waiting WHERE thread = ?", (thread_id,)).fetchall():
            keys = [one for one in json.loads(zlib.decompress(data))["keys"] if isinstance(one, int)]
            retire_blocks(connection, (), keys=keys)
        connection.execute("DELETE FROM sync_waiting WHERE thread = ?", (thread_id,))


def _thread_of(connection: sqlite3.Connection, kind: str, one: str) -> str:
    if kind == "thread":
        return one
    query = {
        "message": "SELECT thread.id FROM message JOIN thread ON thread.key = thread_key WHERE message.id = ?",
        "artifact": "SELECT thread.id FROM artifact JOIN thread ON thread.key = thread_key WHERE artifact.id = ?",
    }.get(kind)
    found = None if query is None else connection.execute(query, (one,)).fetchone()
    return "" if found is None else str(found[0])


def _key(connection: sqlite3.Connection, one: str, table: str = "thread") -> int:
    found = connection.execute(f"SELECT key FROM {table} WHERE id = ?", (one,)).fetchone()
    return 0 if found is None else int(found[0])


def _forget_requests(connection: sqlite3.Connection, message_id: str) -> None:
    """The requests that may hold the message's words; its key tells nothing here of when it was said."""
    rows = connection.execute(
        "SELECT request.key, body FROM message AS said CROSS JOIN request ON request.thread_key = said.thread_key "
        "JOIN turn ON turn.key = turn_key JOIN message AS answer ON answer.key = answer_key "
        "WHERE said.id = ? AND answer.created >= said.created ORDER BY request.key DESC",
        (message_id,),
    ).fetchall()
    retire_blocks(connection, (body for _, body in rows), packed=True)
    kept = {base for (base,) in connection.execute("SELECT base_key FROM request WHERE base_key IS NOT NULL")}
    connection.executemany("DELETE FROM request WHERE key = ?", [(key,) for key, _ in rows if key not in kept])
    left = [key for key, _ in rows if key in kept]
    connection.executemany("DELETE FROM request WHERE key = ? OR base_key = ?", [(key, key) for key in left])


class _Merge:
    """One transaction of a merge."""

    def __init__(self, sync: SyncMerge, connection: sqlite3.Connection, arrived: Arrived, device: str) -> None:
        self._sync, self._connection, self._arrived, self._device = sync, connection, arrived, device
        self._put = sync.store.requests.blocks.put
        self._tables = {name: Table(connection, name) for name in _TABLES}

    def section(self, section: Mapping[str, Any]) -> int:
        """Merges what came of one thread; how many messages."""
        thread_id = section["id"]
        if not _is_id(thread_id) or self._is_gone(thread_id):
            return 0
        thread = THREADS.first(self._connection, "id = ?", thread_id)
        hidden = thread is not None and str(thread.deleted or "").startswith(IMPORTING)
        if thread is not None and not hidden:
            self._sync.note(self._connection, "thread", thread_id)
        changed = self._facts("thread", thread_id, section["facts"])
        keys = [self._brought(ref) for ref in section["refs"]]
        if thread is None:
            thread = self._new_thread(thread_id)
        if thread is None or hidden:
            for record in section["messages"]:
                self._wait("message", thread_id, thread_id, record, keys)
            if hidden:
                self._later(thread_id)
            return len(section["messages"])
        new = sum([self._message(thread, record, keys) for record in section["messages"]])
        new += self.wake(thread_id)
        if new or changed:
            self.show_thread(thread_id)
        return len(section["messages"])

    def _is_gone(self, one: str) -> bool:
        return self._connection.execute(_GONE, {"id": one}).fetchone() is not None

    def _later(self, thread_id: str) -> None:
        self._connection.execute("INSERT OR IGNORE INTO sync_pending VALUES (?)", (thread_id,))

    def _facts(self, kind: str, one: str, coming: Iterable[Sequence[Any]]) -> bool:
        """Merges facts; True if others show now."""
        changed = False
        known = known_facts(self._connection, kind, one)
        for name, value, time, device, saw, saw_device in coming:
            if not 0 < time < MOST_TIME:
                continue
            before, shown = known.get(name, (None, ""))
            fact = SyncFact(value, (time, device), (saw, saw_device))
            if kind == "thread" and name == "tip" and before is not None:
                changed |= keep_place(self._connection, one, fact, said=self._is_new(one, value))
                continue
            winner, other = merged(name, before, fact)
            if winner is not before:
                write_fact(self._connection, kind, one, name, winner, shown=shown, sent=True)
                changed = True
            if other is not None and kind not in _LEADS:  # of documents the later one shows
                self._connection.execute(
                    "UPDATE sync_fact SET other = ? WHERE kind = ? AND id = ? AND field = ?",
                    (json.dumps(other.value), kind, one, name),
                )
        return changed

    def _is_new(self, thread_id: str, name: Any) -> bool:
        """Return True for a message that came just now, or has not come yet."""
        thread = THREADS.first(self._connection, "id = ?", thread_id)
        found = None if thread is None else self._found(thread, name)
        return found is None or found[2] in (self._arrived.threads.get(thread_id) or ())

    def _brought(self, ref: Any) -> Any:
        """Our key of a text, or packed JSON that becomes one with a request."""
        match ref:
            case [str(text)]:
                return self._put(text)
            case "":
                return LOST
            case str():
                return self._known_text(bytes.fromhex(ref))
        return ref

    def _known_text(self, digest: bytes) -> int:
        """A text that came before, by its hash; one that may go with what is deleted for good is kept once more."""
        find = "SELECT key, sha256 FROM block WHERE sha256 >= ? ORDER BY sha256 LIMIT 1"
        key, found = self._connection.execute(find, (digest,)).fetchone() or (LOST, b"")
        if found == digest:
            return int(key)
        return self._put(read_blocks(self._connection, (key,))(key)) if found.startswith(digest) else LOST

    def _new_thread(self, thread_id: str) -> Any:
        facts = known_facts(self._connection, "thread", thread_id)
        if "created" not in facts:
            return None
        created = facts["created"][0].value
        values = self._tables["thread"].sound_of(
            _EMPTY_THREAD | {"key": 0, "id": thread_id, "created": created, "updated": created}
        )
        if values is None:
            return None
        del values["key"]
        THREADS.add(self._connection, values)
        return THREADS.first(self._connection, "id = ?", thread_id)

    # messages

    def _wait(self, kind: str, reason: str, thread_id: str, record: Any, keys: Sequence[Any]) -> None:
        data = zlib.compress(json.dumps({"record": record, "keys": keys}).encode(), 4)
        row = (kind, reason, thread_id, data)
        self._connection.execute("INSERT INTO sync_waiting (kind, id, thread, data) VALUES (?, ?, ?, ?)", row)

    def wake(self, *reasons: str) -> int:
        """Takes what has waited for these, and for what comes with it; how many messages."""
        new, waiting = 0, deque(reasons)
        while waiting:
            reason = waiting.popleft()
            found = self._connection.execute(
                "SELECT key, kind, thread, data FROM sync_waiting WHERE id = ? ORDER BY key", (reason,)
            ).fetchall()
            self._connection.execute("DELETE FROM sync_waiting WHERE id = ?", (reason,))
            for _, kind, thread_id, data in found:
                content = json.loads(zlib.decompress(data))
                record, keys = content["record"], content["keys"]
                if kind == "thing":
                    self.thing(*record)
                    continue
                thread = THREADS.first(self._connection, "id = ?", thread_id)
                if thread is None or str(thread.deleted or "").startswith(IMPORTING):
                    self._wait(kind, thread_id, thread_id, record, keys)
                elif kind == "request":
                    turn, requests, first = record
                    self._requests(thread, turn, requests, first, keys)
                    waiting.append(turn)
                else:
                    new += self._message(thread, record, keys, waiting)
        return new

    def _found(self, thread: Any, name: Any) -> Any:
        """Our row of a message of this thread, by its id or the one that it has where another thread had that."""
        if not isinstance(name, str):
            return None
        query = "SELECT key, depth, id FROM message WHERE id = ? AND thread_key = ?"
        for one in (name, second_name(thread.id, name)):
            if (found := self._connection.execute(query, (one, thread.key)).fetchone()) is not None:
                return found
        return None

    def _message(
        self, thread: Any, record: Mapping[str, Any], keys: Sequence[Any], woken: deque[str] | None = None
    ) -> bool:
        """Adds or renews one message; False if nothing changed or it waits."""
        name, stamp = record["id"], tuple(record["stamp"])
        if not _is_id(name):
            return False
        if (found := self._found(thread, name)) is not None:
            return self._renew(thread, found[0], record, keys, stamp)
        above = None
        if record["parent"] is not None and (above := self._found(thread, record["parent"])) is None:
            self._wait("message", record["parent"], thread.id, record, keys)
            return False
        taken = self._connection.execute("SELECT 1 FROM message WHERE id = ?", (name,)).fetchone()
        ours = name if taken is None else second_name(thread.id, name)
        columns = self._columns(record, ours, keys)
        if columns is None:
            return False
        place = {
            "thread_key": thread.key,
            "parent_key": above and above[0],
            "depth": 1 if above is None else above[1] + 1,
        }
        key = MESSAGES.add(self._connection, columns | place)
        add_later(self._connection, key)
        self._arrived.add(thread.id, ours)
        self._turns(thread, key, record, keys)
        self._came(key, stamp)
        turns = [one["id"] for one in record["turns"]]
        if woken is None:
            self.wake(name, *turns)
        else:
            woken.extend((name, *turns))
        return True

    def _columns(self, record: Mapping[str, Any], name: str, keys: Sequence[Any]) -> dict[str, Any] | None:
        sound = self._tables["message"].sound_of(
            record["row"] | {"key": 0, "id": name, "thread_key": 0, "depth": 1, "parts": b""}
        )
        columns = None if sound is None else message_row(sound, name, {})
        if columns is None:
            return None
        if self._is_gone(name):
            return columns | {"failure": None, "parts": _EMPTY_PARTS}
        try:
            parts = (
                b""
                if record["parts"] is None
                else to_bytes(renumbered(record["parts"], lambda one: _key_of(keys, one)))
            )
        except UNREADABLE:
            parts = b""  # reads as a message that can't be read
        return columns | {"parts": parts}

    def _came(self, key: int, stamp: tuple[Any, ...]) -> None:
        """This came from elsewhere: it is no change to be sent."""
        self._connection.execute("DELETE FROM sync_dirty WHERE kind = 'message' AND key = ?", (key,))
        self._connection.execute("INSERT OR REPLACE INTO sync_version VALUES (?, ?, ?)", (key, *stamp))

    def _renew(
        self, thread: Any, key: int, record: Mapping[str, Any], keys: Sequence[Any], stamp: tuple[Any, ...]
    ) -> bool:
        """Takes the younger form of a message: an answer that was ended otherwise, or in which something was marked."""
        known = self._connection.execute(
            "SELECT time, device FROM sync_version WHERE message_key = ?", (key,)
        ).fetchone()
        if known is None or known >= stamp:
            return False  # changed here and not sent yet: that write will be the later one
        before = MESSAGES.first(self._connection, "key = ?", key)
        columns = self._columns(record, before.id, keys)
        if columns is None or columns["parts"] == b"":
            return False
        changed = any(getattr(before, name) != value for name, value in columns.items())
        if changed:
            self._arrived.add(thread.id, before.id)
            if before.parts != _EMPTY_PARTS or not self._is_gone(before.id):
                message = self._sync.store.messages.read(self._connection, before)
                remove_from_index(self._connection, key, before.thread_key, message)
                add_later(self._connection, key)
            settings = ", ".join(f'"{name}" = ?' for name in columns)
            self._connection.execute(f"UPDATE message SET {settings} WHERE key = ?", (*columns.values(), key))
        self._turns(thread, key, record, keys)
        self._came(key, stamp)
        return changed

    def _turns(self, thread: Any, answer_key: int, record: Mapping[str, Any], keys: Sequence[Any]) -> None:
        for turn in record["turns"]:
            user = self._found(thread, turn.get("user"))
            place = {"key": 0, "thread_key": thread.key, "user_key": user and user[0], "answer_key": answer_key,
                     "owner_pid": 0, "owner_started": "", "owner_boot": ""}  # fmt: skip
            values = self._tables["turn"].sound_of({**turn, **place})
            known = self._connection.execute("SELECT key FROM turn WHERE id = ?", (turn["id"],)).fetchone()
            if known is None and values is not None and values["state"] != "running":
                del values["key"]
                self._events(thread, self._tables["turn"].add(self._connection, values), turn.get("events", ()))
            self._requests(thread, turn["id"], turn["requests"], 0, keys)

    def _events(self, thread: Any, turn_key: int, events: Iterable[Mapping[str, Any]]) -> None:
        """Adds what the turn did to the context; packs of older versions do not tell."""
        for event in events:
            place = {"key": 0, "thread_key": thread.key, "turn_key": turn_key}
            if (values := self._tables["context_event"].sound_of({**event, **place})) is not None:
                del values["key"]
                self._tables["context_event"].add(self._connection, values)

    def _requests(
        self, thread: Any, turn_id: str, requests: Sequence[Mapping[str, Any]], first: int, keys: Sequence[Any]
    ) -> None:
        """The requests of a turn, in order; as many as are there are the same. Where one lacks its base, it waits."""
        turn = self._connection.execute(
            "SELECT key FROM turn WHERE id = ? AND thread_key = ?", (turn_id, thread.key)
        ).fetchone()
        if turn is None or self._connection.execute(_HAS_GAPS, (thread.key,)).fetchone() is not None:
            return  # a message was deleted for good: its words may stand in any of them
        (here,) = self._connection.execute("SELECT count(*) FROM request WHERE turn_key = ?", turn).fetchone()
        for number, request in enumerate(requests, first):
            if number < here:
                continue
            base = None
            if request["base"] is not None:
                base_turn, place = request["base"]
                base = self._connection.execute(_BY_TURN, (base_turn, thread.key, place)).fetchone()
                if base is None:
                    rest = [turn_id, requests[number - first :], number]
                    if base_turn != turn_id:
                        self._wait("request", base_turn, thread.id, rest, keys)
                    return
            try:
                body = renumbered(request["body"], lambda one: _key_of(keys, one), lambda one: self._tree(keys, one))
            except UNREADABLE:
                return
            chain = 0 if base is None else base[1] + 1
            if chain > LONGEST_CHAIN:
                return
            REQUESTS.add(
                self._connection,
                {"turn_key": turn[0], "thread_key": thread.key, "base_key": base and base[0],
                 "kept": max(0, int(request["kept"])), "chain": chain, "body": zlib.compress(to_bytes(body))},
            )  # fmt: skip

    def _tree(self, keys: Sequence[Any], number: int) -> int:
        return self._put(to_text(renumbered(keys[number]["tree"], lambda one: _key_of(keys, one))))

    # what shows

    def show_thread(self, thread_id: str) -> None:
        """Writes the thread's row as the merged facts and the messages that are here have it."""
        thread = THREADS.first(self._connection, "id = ?", thread_id)
        if thread is None or self._connection.execute(_RUNNING, (thread.key,)).fetchone() is not None:
            if thread is not None:
                self._later(thread_id)
            return
        facts = {name: fact for name, (fact, _) in known_facts(self._connection, "thread", thread_id).items()}
        values: dict[str, Any] = {name: fact.value for name, fact in facts.items()}
        row = dict(thread._asdict())
        for name in FACTS["thread"]:
            if name in values or name not in ("created", "updated", "tip", "choices"):
                row[name] = values.get(name, _EMPTY_THREAD.get(name))
        row["choices"] = self._choices(thread, values)
        row["tip"] = self._tip(thread, facts)
        if row["seen"] is not None and thread.seen == thread.tip == row["tip"]:
            row["seen"] = thread.seen  # what was read here stays so where another branch was read elsewhere
        row["deleted"] = self._deleted(thread, values.get("deleted"))
        row["project"] = self._project(values.get("project"))
        row["soft_limit"] = values.get("soft_limit")
        for name in ("pinned", "archived"):
            row[name] = int(bool(row[name]))
        if (sound := self._tables["thread"].sound_of(row)) is None:
            log.warning("the facts of a thread that came can't be: it stays as it was")
            return
        columns = {name: sound[name] for name in FACTS["thread"]}
        settings = ", ".join(f'"{name}" = ?' for name in columns)
        count = "message_count = (SELECT count(*) FROM message WHERE thread_key = thread.key)"
        self._connection.execute(
            f"UPDATE thread SET {settings}, {count} WHERE key = ?", (*columns.values(), thread.key)
        )
        for name, value in values.items():
            if name.startswith(MARK) and (found := self._found(thread, name.removeprefix(MARK))) is not None:
                rating, note = value if isinstance(value, list) else ("", "")
                write_mark(self._connection, found[0], MessageMark(known_rating(rating), str(note)))
        write_deleted(
            self._connection, thread.key, thread_from(THREADS.first(self._connection, "key = ?", thread.key)).choices
        )
        self._shown("thread", thread_id)
        self._arrived.add(thread_id)
        self._tell(thread, row)

    def _shown(self, kind: str, one: str) -> None:
        """Notes that what stands in the row now is no change made here."""
        current = current_facts(self._connection, kind, one)
        for name, (_, shown) in known_facts(self._connection, kind, one).items():
            if digest(current.get(name)) != shown:
                self._connection.execute(
                    "UPDATE sync_fact SET shown = ? WHERE kind = ? AND id = ? AND field = ?",
                    (digest(current.get(name)), kind, one, name),
                )

    def _choices(self, thread: Any, values: Mapping[str, Any]) -> str:
        try:
            here = json.loads(thread.choices or "{}")
            choices = choices_together({name: value for name, value in values.items() if is_choice(name)}, here)
            choices_from_json(choices)
        except (ValueError, RecursionError, TypeError):
            return str(thread.choices)
        return json.dumps(choices, ensure_ascii=False, separators=(",", ":")) if choices else ""

    def _tip(self, thread: Any, facts: Mapping[str, SyncFact]) -> str | None:
        """The end of the branch that shows; as long as that has not come, the one that showed."""
        found = self._found(thread, thread.tip)
        if (here := facts.get("tip")) is not None and (here.value is None or self._found(thread, here.value)):
            shown = self._sync.is_shown(thread.id)
            found = place_here(self._connection, thread.id, facts, partial(self._found, thread), shown=shown)
            return None if found is None else str(found[2])
        if found is not None:
            return str(found[2])
        last = MESSAGES.first(self._connection, "thread_key = ? ORDER BY key DESC", thread.key)
        return None if last is None else str(last.id)

    def _deleted(self, thread: Any, value: Any) -> str | None:
        if not isinstance(value, dict):
            return None
        parents = parents_of(self._connection, thread.id)
        seen = [found[2] for one in value.get("seen", ()) if (found := self._found(thread, one)) is not None]
        return None if went_on(parents, seen) else str(value.get("at", ""))

    def _project(self, project_id: Any) -> str | None:
        query = "SELECT id FROM project WHERE id = ? AND deleted IS NULL"
        found = self._connection.execute(query, (project_id,)).fetchone()
        return None if found is None else str(found[0])

    def _tell(self, before: Any, row: Mapping[str, Any]) -> None:
        if not self._device or before.message_count == 0:
            return
        if before.deleted is not None and row["deleted"] is None:
            line = phrase("Deleted here, but continued on {device}, so it is back", device=self._device)
            self._arrived.lines.append(SyncLine(before.id, line))

    # what is no thread

    def thing(self, kind: str, one: str, facts: Sequence[Any], more: Mapping[str, Any]) -> None:
        """Merges what came of a project, of what is in it, of a prompt or an artifact."""
        if kind not in _EMPTY_THING or not _is_id(one) or self._is_gone(one):
            return
        self._sync.note(self._connection, kind, one)
        self._facts(kind, one, facts)
        values: dict[str, Any] = {
            name: fact.value for name, (fact, _) in known_facts(self._connection, kind, one).items()
        }
        known = {name: values[name] for name in FACTS[kind] if values.get(name) is not None}
        row: dict[str, Any] = {"key": 0, "id": one, **_EMPTY_THING[kind], **known}
        if (parent := PARENTS.get(kind)) is not None:
            above = str(values.get(parent, ""))
            if self._is_gone(above):
                self._connection.execute("DELETE FROM sync_fact WHERE kind = ? AND id = ?", (kind, one))
                return
            if not (key := _key(self._connection, above, parent)):
                self._wait("thing", above, above, [kind, one, [], more], [])
                return
            row[f"{parent}_key"] = key
        if (lead := _LEADS.get(kind)) is not None:
            lead(self, row, more)
        if not self._write(kind, row):
            return
        self._shown(kind, one)
        if kind == "project_document":
            self._connection.execute(FORMER, (one,))
            self._connection.execute(_TWICE, (now(), row.get("folder_id"), row["path"]))
        elif kind == "artifact":
            self._add_versions(one, more.get("versions", ()))
            self._arrived.add(str(values.get("thread", "")))
        elif kind == "project":
            of_project = "SELECT id FROM sync_fact WHERE kind = 'thread' AND field = 'project' AND value = ?"
            for (thread_id,) in self._connection.execute(of_project, (json.dumps(one),)).fetchall():
                self.show_thread(thread_id)
            self.wake(one)

    def _write(self, kind: str, row: dict[str, Any]) -> bool:
        if kind != "prompt":
            row["device"], row["clock"] = tick(self._connection)
        if (sound := self._tables[kind].sound_of(row)) is None:
            return False
        sound.pop("key", None)
        if self._connection.execute(f"SELECT 1 FROM {kind} WHERE id = ?", (row["id"],)).fetchone() is None:
            self._tables[kind].add(self._connection, sound)
        else:
            settings = ", ".join(f'"{name}" = ?' for name in sound)
            self._connection.execute(f"UPDATE {kind} SET {settings} WHERE id = ?", (*sound.values(), row["id"]))
        return True

    def _lead_to_name(self, row: dict[str, Any], _: Mapping[str, Any]) -> None:
        """Leads a folder to nothing, until the user of this computer chooses it; then it is this computer's matter."""
        find = "SELECT path FROM followed_folder WHERE id = ? AND deleted IS NULL"
        here = self._connection.execute(find, (row["id"],)).fetchone()
        if here and is_chosen(here[0]):
            row |= {"path": here[0], "deleted": None}
        else:
            row["path"] = folder_name(str(row["path"]))

    def _lead_inside(self, row: dict[str, Any], more: Mapping[str, Any]) -> None:
        """Leads a document to nothing but its copy in the data folder, or to below a folder that was chosen here."""
        here = next(iter(rows(self._connection, "SELECT * FROM project_document WHERE id = ?", row["id"])), None)
        find = "SELECT path FROM followed_folder WHERE id = ? AND project_key = ? AND deleted IS NULL"
        inside = (here or row).get("folder_id") or row.get("folder_id")
        folder = self._connection.execute(find, (inside, row["project_key"])).fetchone()
        chosen = folder is not None and is_chosen(folder[0])
        if SHA256.fullmatch(sha256 := str(row["sha256"])) is None:
            sha256 = row["sha256"] = ""
        if row.get("folder_id") is None or not is_below(str(row["path"])):
            row["path"] = ""
        copied = self._sync.copy_of(sha256).is_file()
        same = here is not None and (chosen or here["sha256"] == sha256)
        if here is not None and same:
            row |= {name: here[name] for name in (*_READ_HERE, *(_FILE_HERE if chosen else ()))}
            if row.get("folder_id") is here["folder_id"] is None:
                row["path"] = here["path"]
        else:
            row["state"] = "waiting" if copied else "missing"
            self._arrived.documents |= copied
        if more.get("file") is True and sha256 and (copied or (row["state"] == "missing" and not chosen)):
            state = THERE if copied else WANTED
            self._connection.execute("INSERT OR REPLACE INTO sync_file VALUES (?, ?)", (sha256, state))

    def _add_versions(self, artifact_id: str, versions: Iterable[Sequence[Any]]) -> None:
        (key,) = self._connection.execute("SELECT key FROM artifact WHERE id = ?", (artifact_id,)).fetchone()
        here = set(
            self._connection.execute(
                "SELECT author, created, message_id, block_key FROM artifact_version WHERE artifact_key = ?", (key,)
            )
        )
        for author, created, message_id, text in versions:
            values = (str(author), str(created), message_id, self._put(str(text)))
            if values not in here:
                self._connection.execute(
                    "INSERT INTO artifact_version (artifact_key, number, author, created, message_id, block_key) "
                    "SELECT ?, (SELECT coalesce(max(number), 0) + 1 FROM artifact_version WHERE artifact_key = ?), "
                    "?, ?, ?, ?",
                    (key, key, *values),
                )


_LEADS: Final = {"project_document": _Merge._lead_inside, "followed_folder": _Merge._lead_to_name}


def _key_of(keys: Sequence[Any], number: int) -> int:
    if not 0 <= number < len(keys) or not isinstance(keys[number], int) or keys[number] == LOST:
        raise ValueError("a text that did not come along")
    return int(keys[number])


def _is_id(one: Any) -> bool:
    return isinstance(one, str) and 0 < len(one) <= LONGEST_ID
