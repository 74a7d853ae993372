"""Brings one thread of another history file into ours, with all of its rows."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from desktop_app.core.messages import Message, MessageMark, MessageState, Role, Thread, known_rating
from desktop_app.core.thread_copy import choices_renamed, without_consent
from desktop_app.storage.checked_rows import Blocks, Table, as_row, message_row
from desktop_app.storage.import_store import names_in_file, path_to, second_name
from desktop_app.storage.message_store import MessageStore, add_later, remove_from_index, write_mark
from desktop_app.storage.request_store import LONGEST_CHAIN
from desktop_app.storage.row_mapping import answer_columns, pack_parts, thread_columns, thread_from
from desktop_app.storage.sqlite_connection import MESSAGES, THREADS, tick
from desktop_app.storage.thread_store import LONGEST_ID, write_deleted
from desktop_app.storage.turn_store import INTERRUPTED, RUNNING

_ENDED: Final = ("state", "ended", "model_served", "stop_reason", "failure_code", *(
    ("input", "cache_read", "cache_write", "output", "thinking", "cost_usd")
))  # fmt: skip
_INTERRUPTED: Final = answer_columns(Message("", "", None, "assistant", (), "", failure=INTERRUPTED), None)["failure"]
_EVENT: Final = ("at", "kind", "before", "after", "messages", "model", "cost_usd")
_OF_THREAD: Final = "message CROSS JOIN {0} ON {0}.{1} = message.key WHERE message.thread_key = ? ORDER BY {0}.rowid"
_ERASED: Final = (
    "SELECT message.key FROM erasure CROSS JOIN message ON message.id = erasure.id "
    "WHERE kind = 'message' AND thread_key = ?"
)
_MESSAGES_OF: Final = (
    "SELECT id FROM message WHERE thread_key = ? AND typeof(id) = 'text' AND length(id) BETWEEN 1 AND {} "
    "AND role IN ({}) AND state IN ({})"
).format(LONGEST_ID, *(", ".join(f"'{one}'" for one in get_args(kind)) for kind in (Role, MessageState)))
_GONE_MESSAGE: Final = "SELECT 1 FROM erasure WHERE kind = 'message' AND id = ?"
_GONE_ARTIFACT: Final = "SELECT 1 FROM erasure WHERE kind = 'artifact' AND id = ?"
_COUNTS: Final = (
    "SELECT count(*) FROM message CROSS JOIN turn ON answer_key = message.key WHERE message.thread_key = ?",
    "SELECT count(*) FROM request WHERE thread_key = ?",
    "SELECT count(*) FROM context_event WHERE thread_key = ?",
    "SELECT count(*) FROM message CROSS JOIN mark ON message_key = message.key WHERE thread_key = ?",
    "SELECT count(*) FROM artifact WHERE thread_key = ?",
    "SELECT count(*) FROM artifact CROSS JOIN artifact_version ON artifact_key = key WHERE thread_key = ?",
)


class ThreadMerge:
    """Adds to our file what it does not have of a thread.

    What is there already stays and grows, as with an import. `newer`: the other file is the younger one, so that what
    may change (facts of the thread, an answer that was growing) is taken from there. `foreign`: it may be a stranger's,
    so that nothing counts as accepted by the user here.
    """

    def __init__(
        self,
        target: sqlite3.Connection,
        source: sqlite3.Connection,
        blocks: Blocks,
        messages: MessageStore,
        *,
        newer: bool,
        foreign: bool = False,
    ) -> None:
        self._source = source
        self._foreign = foreign
        self._blocks = blocks
        self._messages = messages
        self._newer = newer
        names = ("thread", "message", "mark", "turn", "request", "context_event", "artifact", "artifact_version")
        self._tables = {name: Table(target, name) for name in (*names, "draft_attachments")}
        running = source.execute("SELECT answer_key FROM turn WHERE state = ?", (RUNNING,))
        self._growing = {key for (key,) in running}
        self.unreadable = 0
        """Messages without their text, and requests that could not be brought along."""

    def row(self, key: int) -> dict[str, Any] | None:
        """The other file's thread with this key; None where it is none of ours."""
        row = next(self._tables["thread"].rows(self._source, "thread WHERE key = ?", key), None)
        return row if row is not None and _is_id(row["id"]) else None

    def known(self, connection: sqlite3.Connection, row: Mapping[str, Any]) -> Any:
        """Our record of the thread, by its id or where it was once imported from; None: it is new."""
        if (known := THREADS.first(connection, "id = ?", row["id"])) is None:
            origins = self._source.execute("SELECT origin FROM import_origin WHERE thread_key = ?", (row["key"],))
            for (origin,) in origins:
                of_origin = "key = (SELECT thread_key FROM import_origin WHERE origin = ?)"
                known = known or THREADS.first(connection, of_origin, origin)
        return known

    def has_new(self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any) -> bool:
        """Return True if the other file may have more of a thread that both have."""
        if self._newer or self.missing(connection, row, known):
            return True
        theirs = (self._source.execute(count, (row["key"],)).fetchone()[0] for count in _COUNTS)
        ours = (connection.execute(count, (known.key,)).fetchone()[0] for count in _COUNTS)
        return any(there > have for there, have in zip(theirs, ours, strict=True))

    def missing(self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any) -> int:
        """Return how many of the other file's messages are not here; `known` None: none of them is here."""
        key, name = (0, row["id"]) if known is None else (known.key, known.id)
        ids = [one for (one,) in self._source.execute(_MESSAGES_OF, (row["key"],))]
        here = {one for (one,) in connection.execute("SELECT id FROM message WHERE thread_key = ?", (key,))}
        return len(set(names_in_file(connection, key, name, ids).values()) - here)

    def thread(self, row: Mapping[str, Any]) -> Thread:
        """The other file's thread as it comes here."""
        thread = thread_from(as_row(row))
        return without_consent(thread) if self._foreign else thread

    def add(self, connection: sqlite3.Connection, row: Mapping[str, Any], deleted: str) -> tuple[int, int]:
        """Writes a new thread with that mark; its key and how many messages it has."""
        thread = replace(self.thread(row), tip=None, seen=None)
        columns = thread_columns(thread) | {"message_count": 0, "deleted": deleted}
        key = THREADS.add(connection, columns)
        return key, self.grow(connection, row, THREADS.first(connection, "key = ?", key))

    def grow(self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any) -> int:
        """Adds to a thread that is there; how many messages are new."""
        names = self._names(connection, row, known)
        keys, parents, new = self._add_messages(connection, row, known, names)
        erased = {one for (one,) in connection.execute(_ERASED, (known.key,))}
        self._add_marks(connection, row, {theirs: key for theirs, key in keys.items() if key not in erased})
        turns = self._add_turns(connection, row, known, keys)
        if not erased:  # its words may stand in any of them
            self._add_requests(connection, row, known, turns)
        self.add_events(connection, row["key"], known.key, turns)
        self._add_artifacts(connection, row, known, names)
        thread = self.thread(row)
        tip = (
            thread.tip if self._newer and self._is_here(connection, known, thread.tip) else names.get(thread.tip or "")
        )
        if tip is None or (tip not in parents and not self._newer):
            tip = next(reversed(parents), known.tip)
        seen = names.get(thread.seen or "", thread.seen)
        is_new = known.tip is None and known.message_count == 0
        if is_new or self._newer:
            choices = choices_renamed(thread.choices, names)
            changed = thread_columns(replace(thread, id=known.id, tip=tip, seen=seen, choices=choices))
            self._add_attachments(connection, row, known)
        else:
            choices = thread_from(known).choices
            if not new or (known.tip is not None and known.tip not in path_to(parents, tip)):
                tip = known.tip
            changed = {"tip": tip, "seen": tip if known.seen == known.tip else known.seen}
            if new:
                changed["updated"] = max(known.updated, thread.updated)
        settings = ", ".join(f'"{name}" = ?' for name in changed)
        count = "message_count = (SELECT count(*) FROM message WHERE thread_key = thread.key)"
        connection.execute(f"UPDATE thread SET {settings}, {count} WHERE key = ?", (*changed.values(), known.key))
        write_deleted(connection, known.key, choices)
        return new

    @staticmethod
    def _is_here(connection: sqlite3.Connection, known: Any, message_id: str | None) -> bool:
        where = "SELECT 1 FROM message WHERE id = ? AND thread_key = ?"
        return connection.execute(where, (message_id, known.key)).fetchone() is not None

    def _names(self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any) -> dict[str, str]:
        ids = self._source.execute("SELECT id FROM message WHERE thread_key = ? ORDER BY key", (row["key"],))
        found = [one for (one,) in ids if isinstance(one, str) and _is_id(one)]
        return names_in_file(connection, known.key, known.id, found)

    def _add_messages(
        self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any, names: Mapping[str, str]
    ) -> tuple[dict[int, int], dict[str, str | None], int]:
        """Our key by theirs, the parent of each message that is there by its id, and how many are new."""
        found = connection.execute("SELECT id, key, depth FROM message WHERE thread_key = ?", (known.key,))
        here = {name: (key, depth) for name, key, depth in found}
        keys: dict[int, int] = {}
        places: dict[int, tuple[str, int, int]] = {}
        parents: dict[str, str | None] = {}
        new = 0
        where = "message WHERE thread_key = ? ORDER BY key"
        for theirs in self._tables["message"].rows(self._source, where, row["key"]):
            name = names.get(theirs["id"])
            columns = None if name is None else message_row(theirs, name, names)
            if name is None or columns is None:
                self.unreadable += 1
                continue
            if theirs["key"] in self._growing and columns["state"] == "partial":
                columns["failure"] = _INTERRUPTED
            above = places.get(theirs["parent_key"] or 0)
            if name not in here and connection.execute(_GONE_MESSAGE, (name,)).fetchone():
                columns["failure"], theirs["parts"] = None, pack_parts((), None)
            parts, whole = self._blocks.parts(theirs["parts"])
            if name in here:
                key, depth = here[name]
                if self._newer and whole:
                    self._renew(connection, key, columns | {"parts": parts})
            else:
                depth = 1 if above is None else above[2] + 1
                place = {"thread_key": known.key, "parent_key": above and above[1], "depth": depth, "parts": parts}
                key = MESSAGES.add(connection, columns | place)
                add_later(connection, key)
                here[name] = key, depth
                new += 1
                self.unreadable += not whole
            keys[theirs["key"]] = key
            places[theirs["key"]] = name, key, depth
            parents[name] = above and above[0]
        return keys, parents, new

    def _renew(self, connection: sqlite3.Connection, key: int, columns: Mapping[str, Any]) -> None:
        """Takes the younger form of a message: an answer that was still growing, or was marked since."""
        before = MESSAGES.first(connection, "key = ?", key)
        if all(getattr(before, name) == value for name, value in columns.items()):
            return
        grows = connection.execute("SELECT 1 FROM turn WHERE answer_key = ? AND state = ?", (key, RUNNING)).fetchone()
        if grows is None:
            remove_from_index(connection, key, before.thread_key, self._messages.read(connection, before))
        settings = ", ".join(f'"{name}" = ?' for name in columns)
        connection.execute(f"UPDATE message SET {settings} WHERE key = ?", (*columns.values(), key))
        add_later(connection, key)

    def _add_marks(self, connection: sqlite3.Connection, row: Mapping[str, Any], keys: Mapping[int, int]) -> None:
        where = _OF_THREAD.format("mark", "message_key")
        for mark in self._tables["mark"].rows(self._source, where, row["key"]):
            if (key := keys.get(mark["message_key"])) is None:
                continue
            there = connection.execute("SELECT 1 FROM mark WHERE message_key = ?", (key,)).fetchone()
            if there is None or self._newer:
                write_mark(connection, key, MessageMark(known_rating(mark["rating"]), mark["note"]))

    def _add_turns(
        self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any, keys: Mapping[int, int]
    ) -> dict[int, int]:
        """Our key by theirs. A turn that runs there does not run here: its process has nothing to do with this file."""
        turns: dict[int, int] = {}
        for turn in self._tables["turn"].rows(self._source, _OF_THREAD.format("turn", "answer_key"), row["key"]):
            theirs, answer = turn.pop("key"), keys.get(turn["answer_key"])
            if answer is None or not _is_id(turn["id"]):
                continue
            if turn["state"] == RUNNING:
                turn["state"], turn["failure_code"] = "partial", INTERRUPTED.code
            if (here := self._row_of(connection, "turn", turn, known)) is not None:
                turns[theirs] = here
                if self._newer:
                    settings = ", ".join(f"{name} = ?" for name in _ENDED)
                    values = (*(turn[name] for name in _ENDED), here, RUNNING)
                    connection.execute(f"UPDATE turn SET {settings} WHERE key = ? AND state = ?", values)
                continue
            place = {"thread_key": known.key, "user_key": keys.get(turn["user_key"] or 0), "answer_key": answer}
            turns[theirs] = self._tables["turn"].add(connection, turn | place)
        return turns

    def _add_requests(
        self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any, turns: Mapping[int, int]
    ) -> None:
        """Those of a turn come in the order in which they were sent; as many as are there are the same."""
        there = defaultdict[int, list[tuple[int, int]]](list)
        of_thread = "SELECT turn_key, key, chain FROM request WHERE thread_key = ? ORDER BY key DESC"
        for turn, key, chain in connection.execute(of_thread, (known.key,)):
            there[turn].append((key, chain))
        keys: dict[int, tuple[int, int]] = {}
        where = "request WHERE thread_key = ? ORDER BY key"
        for request in self._tables["request"].rows(self._source, where, row["key"]):
            theirs, turn = request.pop("key"), turns.get(request["turn_key"])
            if turn is None:
                continue
            if there[turn]:
                keys[theirs] = there[turn].pop()
                continue
            base = keys.get(request["base_key"] or 0)
            chain = 0 if base is None else base[1] + 1
            kept = 0 if base is None else max(0, request["kept"])
            body = self._blocks.request(request["body"], kept)
            if body is None or (base is None and request["base_key"] is not None) or chain > LONGEST_CHAIN:
                self.unreadable += 1
                continue
            place = {"turn_key": turn, "thread_key": known.key, "base_key": base and base[0]}
            new = request | place | {"kept": kept, "chain": chain, "body": body}
            keys[theirs] = self._tables["request"].add(connection, new), chain

    def add_events(
        self, connection: sqlite3.Connection, theirs: int | None, ours: int | None, turns: Mapping[int, int]
    ) -> None:
        """Those of a thread, None: of private ones. They have no ids: of events that are alike in all, as many are
        there in the end as in the file that has most. Their turns may be lost in a damaged file.
        """
        listed = ", ".join(f'"{name}"' for name in _EVENT)
        here = Counter(connection.execute(f"SELECT {listed} FROM context_event WHERE thread_key IS ?", (ours,)))
        where = "context_event WHERE thread_key IS ? ORDER BY key"
        for event in self._tables["context_event"].rows(self._source, where, theirs):
            alike = tuple(event[name] for name in _EVENT)
            if here[alike] > 0:
                here[alike] -= 1
            else:
                del event["key"]
                place = {"turn_key": turns.get(event["turn_key"] or 0), "thread_key": ours}
                self._tables["context_event"].add(connection, event | place)

    def _add_artifacts(
        self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any, names: Mapping[str, str]
    ) -> None:
        for artifact in self._tables["artifact"].rows(
            self._source, "artifact WHERE thread_key = ? ORDER BY key", row["key"]
        ):
            theirs = artifact.pop("key")
            if not _is_id(artifact["id"]) or connection.execute(_GONE_ARTIFACT, (artifact["id"],)).fetchone():
                continue
            key = self._row_of(connection, "artifact", artifact, known)
            device, clock = tick(connection)
            values = artifact | {"thread_key": known.key, "device": device, "clock": clock}
            if key is None:
                key = self._tables["artifact"].add(connection, values)
            elif self._newer:
                settings = ", ".join(f"{name} = ?" for name in values)
                connection.execute(f"UPDATE artifact SET {settings} WHERE key = ?", (*values.values(), key))
            self._add_versions(connection, theirs, key, names)

    def _add_versions(self, connection: sqlite3.Connection, theirs: int, key: int, names: Mapping[str, str]) -> None:
        newest = "SELECT coalesce(max(number), 0) FROM artifact_version WHERE artifact_key = ?"
        last = connection.execute(newest, (key,)).fetchone()[0]
        where = "artifact_version WHERE artifact_key = ? AND number > ? ORDER BY number"
        for version in self._tables["artifact_version"].rows(self._source, where, theirs, last):
            if not (block := self._blocks.key(version["block_key"])):
                self.unreadable += 1  # the versions after it close up
                continue
            last += 1
            message_id = names.get(version["message_id"] or "", version["message_id"])
            values = version | {"artifact_key": key, "number": last, "block_key": block, "message_id": message_id}
            self._tables["artifact_version"].add(connection, values)

    def _add_attachments(self, connection: sqlite3.Connection, row: Mapping[str, Any], known: Any) -> None:
        if row["draft"] != known.draft:
            connection.execute("DELETE FROM draft_attachments WHERE thread_key = ?", (known.key,))
        where = "draft_attachments WHERE thread_key = ?"
        for attached in self._tables["draft_attachments"].rows(self._source, where, row["key"]):
            parts, whole = self._blocks.parts(attached["parts"])
            if whole:
                self._tables["draft_attachments"].add(
                    connection, {"thread_key": known.key, "parts": parts}, instead="OR REPLACE"
                )

    def _row_of(self, connection: sqlite3.Connection, table: str, values: dict[str, Any], known: Any) -> int | None:
        """Our key of the row with this id in this thread; it gets another id where that is another thread's."""
        find = f"SELECT key, thread_key FROM {table} WHERE id = ?"
        found = connection.execute(find, (values["id"],)).fetchone()
        if found is not None and found[1] != known.key:
            values["id"] = second_name(known.id, values["id"])
            found = connection.execute(find, (values["id"],)).fetchone()
        return None if found is None else int(found[0])


def _is_id(name: str) -> bool:
    return 0 < len(name) <= LONGEST_ID
