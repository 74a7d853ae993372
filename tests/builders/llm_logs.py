"""Writes databases as the `llm` program keeps them, with its older tables or its newer ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

COMMON = """
    CREATE TABLE _llm_migrations (name TEXT PRIMARY KEY, applied_at TEXT);
    CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);
    CREATE TABLE fragments (id INTEGER PRIMARY KEY, hash TEXT, content TEXT, datetime_utc TEXT, source TEXT);
"""
OLD = (
    COMMON
    + """
    CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
    CREATE TABLE responses (
        id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, options_json TEXT, response TEXT,
        response_json TEXT, conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT, input_tokens INTEGER,
        output_tokens INTEGER, token_details TEXT, schema_id TEXT, resolved_model TEXT, reasoning TEXT
    );
    CREATE VIRTUAL TABLE responses_fts USING FTS5 (prompt, response, content = responses);
    CREATE TRIGGER responses_ai AFTER INSERT ON responses BEGIN
        INSERT INTO responses_fts (rowid, prompt, response) VALUES (new.rowid, new.prompt, new.response);
    END;
    CREATE TABLE prompt_attachments (
        response_id TEXT, attachment_id TEXT, "order" INTEGER, PRIMARY KEY (response_id, attachment_id)
    );
    CREATE TABLE prompt_fragments (
        response_id TEXT, fragment_id INTEGER, "order" INTEGER, PRIMARY KEY (response_id, fragment_id, "order")
    );
    CREATE TABLE system_fragments (
        response_id TEXT, fragment_id INTEGER, "order" INTEGER, PRIMARY KEY (response_id, fragment_id, "order")
    );
    CREATE TABLE tool_calls (
        id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, arguments TEXT, tool_call_id TEXT
    );
    CREATE TABLE tool_results (
        id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, output TEXT, tool_call_id TEXT,
        instance_id INTEGER, exception TEXT
    );
"""
)
NEW = (
    COMMON
    + """
    CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT, role TEXT, provider_metadata TEXT);
    CREATE TABLE parts (
        id INTEGER PRIMARY KEY, message_hash TEXT, position INTEGER, type TEXT, tool_name TEXT, text TEXT, payload TEXT
    );
    CREATE TABLE threads (
        id TEXT PRIMARY KEY, name TEXT, tip_message_hash TEXT, forked_from TEXT, datetime_utc TEXT
    );
    CREATE TABLE turns (
        id TEXT PRIMARY KEY, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT, model TEXT,
        resolved_model TEXT, options_json TEXT, schema_id TEXT, input_tokens INTEGER, output_tokens INTEGER,
        token_details TEXT, duration_ms INTEGER, datetime_utc TEXT, response_json TEXT
    );
"""
)

Rows = Sequence[tuple[str, dict[str, Any]]]


def write(path: Path, schema: str, rows: Rows) -> Path:
    """A database of that schema with those rows, each under the name of its table."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(schema)
        insert(connection, rows)
    return path


def insert(connection: sqlite3.Connection, rows: Rows) -> None:
    for table, row in rows:
        names = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def response(response_id: str, prompt: str, answer: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """A row of the older tables, in the conversation `c`."""
    return "responses", {
        "id": response_id, "model": "gpt-4o", "prompt": prompt, "response": answer, "conversation_id": "c",
        "datetime_utc": "2025-05-01T10:00:00.000001+00:00",
    } | more  # fmt: skip


def message(name: str, parent: str | None, role: str, *parts: dict[str, Any] | str) -> Rows:
    """A message of the newer tables with its parts; a plain string becomes a text."""
    rows: list[tuple[str, dict[str, Any]]] = [("messages", {"hash": name, "parent_hash": parent, "role": role})]
    for position, part in enumerate(parts):
        row = {"type": "text", "text": part} if isinstance(part, str) else part
        rows.append(("parts", {"message_hash": name, "position": position} | row))
    return rows


def turn(name: str, parent: str, tip: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """A call of a model in the thread `t`."""
    return "turns", {
        "id": name, "thread_id": "t", "parent_message_hash": parent, "tip_message_hash": tip, "model": "gpt-5",
        "input_tokens": 10, "output_tokens": 4, "datetime_utc": "2026-05-01T10:00:00.000001+00:00",
    } | more  # fmt: skip
