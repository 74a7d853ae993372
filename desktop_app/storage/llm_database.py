"""Reads the database in which the `llm` program keeps its conversations: from a copy, and as a file of a stranger's.

Nothing in it is run or trusted: views, triggers and virtual tables are never touched, tables are read by the columns
they have. What comes out are plain JSON values, one conversation at a time.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase
from desktop_app.storage.reading_copy import copy_beside_log
from desktop_app.system.private_files import PrivateFolder

LONGEST: Final = 256 * 1024**2
"""Bytes of one value: of a picture, or of an answer."""

_AT_ONCE: Final = 500

_Row = dict[str, Json]


class UnreadableLogsError(Exception):
    """The file can't be read as a database of `llm`; the words say why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why  # as it was made: `str()` of an error forgets that it was a phrase


@contextmanager
def open_llm_logs(path: Path) -> Iterator[LlmLogs]:
    """The conversations in the file, with what its -wal holds. Raises `UnreadableLogsError`, also while it is read."""
    try:
        with ExitStack() as stack:
            folder = stack.enter_context(PrivateFolder())
            copy = copy_beside_log(path, folder / "logs.db")
            connection = sqlite3.connect(f"{copy.as_uri()}?mode=rw", uri=True, isolation_level=None)
            stack.enter_context(closing(connection))
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA query_only = ON")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            if (verdict := str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])) != "ok":
                raise UnreadableLogsError(phrase("it is damaged ({verdict})", verdict=verdict))
            yield LlmLogs(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # Python can't read SQLite's words about damaged names
        raise UnreadableLogsError(phrase("it isn't a complete SQLite database ({error})", error=error)) from error


class LlmLogs:
    """The tables of one file, whichever version of the program made them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Raises `UnreadableLogsError` where there is no table of conversations."""
        self._connection = connection
        self._places: dict[tuple[str, str], dict[Json, list[int]]] = {}
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        self._columns = {
            name: [str(column[1]) for column in connection.execute(f"PRAGMA table_info({_quoted(name)})")]
            for (name,) in connection.execute(tables).fetchall()
        }
        if "responses" not in self._columns and "threads" not in self._columns:
            raise UnreadableLogsError(phrase("it has no llm conversations"))

    def conversations(self) -> Iterator[Json]:
        """Each conversation with its rows under the names of their tables, newer tables first: they hold more."""
        taken: set[str] = set()
        for thread in self._rows("threads", order="rowid"):
            taken.add(str(thread.get("id")))
            yield self._thread(thread)
        names = {str(one.get("id")): one for one in self._rows("conversations")}
        for conversation_id in self._conversation_ids():
            if conversation_id not in taken:
                yield self._conversation(conversation_id, names.get(str(conversation_id), {}))

    def _thread(self, thread: _Row) -> Json:
        turns = list(self._rows("turns", "thread_id", [thread.get("id")], order="rowid"))
        messages: dict[str, Json] = {}
        for tip in [thread.get("tip_message_hash"), *(turn.get("tip_message_hash") for turn in turns)]:
            chain: list[_Row] = []
            current = tip
            while isinstance(current, str) and current not in messages:
                if (found := next(self._rows("messages", "hash", [current]), None)) is None:
                    break
                messages[current] = found  # its place is taken at once: chains may be circles
                chain.append(found)
                current = found.get("parent_hash")
        parts = list(self._rows("parts", "message_hash", list(messages), order="message_hash, position"))
        payloads = [payload for part in parts if isinstance(payload := _parsed(part.get("payload")), dict)]
        fragments = {
            one["fragment"] for load in payloads for one in _objects(load.get("text_ref")) if "fragment" in one
        }
        attached = [one.get("id") for load in payloads for one in _objects([load.get("attachment")])]
        attached += [one.get("id") for load in payloads for one in _objects(load.get("attachments"))]
        return {
            "thread": thread,
            "turns": [turn | {"token_details": _parsed(turn.get("token_details"))} for turn in turns],
            "messages": list(messages.values()),
            "parts": [part | {"payload": _parsed(part.get("payload"))} for part in parts],
            "fragments": list(self._rows("fragments", "id", [one for one in fragments if isinstance(one, int)])),
            "attachments": list(self._rows("attachments", "id", [one for one in attached if isinstance(one, str)])),
        }

    def _conversation_ids(self) -> Sequence[str | None]:
        return [one for one in self._grouped("responses", "conversation_id") if one is None or isinstance(one, str)]

    def _conversation(self, conversation_id: str | None, facts: _Row) -> Json:
        responses = self._of("responses", "conversation_id", [conversation_id])
        ids = [one.get("id") for one in responses]
        beside: dict[str, Json] = {}
        for table in ("tool_calls", "tool_results"):
            beside[table] = self._of(table, "response_id", ids)
        for table, of, key in (
            ("prompt_attachments", "attachments", "attachment_id"),
            ("prompt_fragments", "fragments", "fragment_id"),
            ("system_fragments", "fragments", "fragment_id"),
        ):
            links = list(self._rows(table, "response_id", ids, order='"order"'))
            whole = {one.get("id"): one for one in self._rows(of, "id", [link.get(key) for link in links])}
            beside[table] = [link | {of: whole[link.get(key)]} for link in links if link.get(key) in whole]
        read = [one | {"token_details": _parsed(one.get("token_details"))} for one in responses]
        return {"conversation": facts, "responses": read, **beside}

    def _of(self, table: str, column: str, values: Sequence[Json]) -> list[_Row]:
        """The rows with one of the values in a column that `llm` has no index of, in their order."""
        places = self._grouped(table, column)
        return list(self._rows(table, "rowid", sorted(one for value in values for one in places.get(value, ()))))

    def _grouped(self, table: str, column: str) -> dict[Json, list[int]]:
        """The places of a table's rows by a column's values, from looking through it once."""
        if (table, column) not in self._places:
            found: dict[Json, list[int]] = {}
            if column in self._columns.get(table, ()):
                query = f"SELECT {_quoted(column)}, rowid FROM {_quoted(table)} ORDER BY rowid"
                for value, place in self._connection.execute(query):
                    found.setdefault(value, []).append(place)
            self._places[table, column] = found
        return self._places[table, column]

    def _rows(self, table: str, column: str = "", values: Sequence[object] = (), order: str = "") -> Iterator[_Row]:
        """The rows of a table, all or those with one of the values; none of a table that is not there."""
        if not (columns := self._columns.get(table, [])) or (column and column not in (*columns, "rowid")):
            return
        listed = ", ".join(map(_quoted, columns))
        ordered = f" ORDER BY {order}" if order and all(one in (*columns, "rowid") for one in _named(order)) else ""
        if not column:
            yield from self._read(f"SELECT {listed} FROM {_quoted(table)}{ordered}", (), columns)
            return
        for start in range(0, len(values), _AT_ONCE):
            some = values[start : start + _AT_ONCE]
            marks = " OR ".join([f"{_quoted(column)} IS ?"] * len(some))
            query = f"SELECT {listed} FROM {_quoted(table)} WHERE {marks}{ordered}"
            yield from self._read(query, some, columns)

    def _read(self, query: str, values: Sequence[object], columns: Sequence[str]) -> Iterator[_Row]:
        for row in self._connection.execute(query, tuple(values)):
            yield {name: _json(value) for name, value in zip(columns, row, strict=True)}


def _json(value: Any) -> Json:
    """A value of SQLite's as JSON; bytes as base64."""
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value


def _parsed(value: Json) -> Json:
    try:
        parsed: Json = json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None
    return parsed


def _objects(value: Json) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _named(order: str) -> list[str]:
    return [one.strip().strip('"') for one in order.split(",")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
