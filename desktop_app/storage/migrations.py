"""Owns the history file's format: ordered steps keyed on PRAGMA user_version. Knows plain SQL, no rows, no values.

A step, once released, is never changed: it is literal SQL and does not follow `rows`, which must agree with what all
steps together make. Before a step on an existing file a verified backup is put into `backups/` beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop_app.storage import faults
from desktop_app.storage.backup import back_up

APPLICATION_ID = 0x506C696D
"""PRAGMA application_id of our files: "Plim" in ASCII; tells them from another program's database."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of format: leads from `number` - 1 to `number`; `why` is one sentence for those who come later."""

    number: int
    why: str
    statements: tuple[str, ...]


STEPS: tuple[Step, ...] = (
    Step(
        1,
        "the first format: threads, a tree of messages, turns with their requests, text index, calibration, imports",
        (
            # A long string is stored once, whichever messages and requests it is part of.
            """
            CREATE TABLE block (
                key INTEGER PRIMARY KEY,
                sha256 BLOB NOT NULL UNIQUE,
                encoding INTEGER NOT NULL,
                data BLOB NOT NULL
            )
            """,
            """
            CREATE TABLE thread (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                title TEXT NOT NULL,
                created TEXT NOT NULL,
                updated TEXT NOT NULL,
                backend TEXT,
                model TEXT,
                tip TEXT,
                system TEXT NOT NULL,
                project TEXT,
                pinned BOOLEAN NOT NULL,
                archived BOOLEAN NOT NULL,
                soft_limit INTEGER,
                draft TEXT NOT NULL,
                message_count INTEGER NOT NULL,
                deleted TEXT
            )
            """,
            "CREATE INDEX thread_by_update ON thread (updated)",
            # Whole numbers as links keep a row small: ids of 32 characters in every link cost more than many a message.
            """
            CREATE TABLE message (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                parent_key INTEGER REFERENCES message (key),
                depth INTEGER NOT NULL,
                role TEXT NOT NULL,
                state TEXT NOT NULL,
                created TEXT NOT NULL,
                parts BLOB NOT NULL,
                backend TEXT,
                model TEXT,
                usage TEXT,
                stop_reason TEXT,
                prefix_key TEXT,
                "window" TEXT,
                failure TEXT
            )
            """,
            "CREATE INDEX message_by_thread ON message (thread_key)",
            """
            CREATE TABLE turn (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                user_key INTEGER REFERENCES message (key),
                answer_key INTEGER NOT NULL REFERENCES message (key),
                purpose TEXT NOT NULL,
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                state TEXT NOT NULL,
                started TEXT NOT NULL,
                ended TEXT,
                owner_pid INTEGER NOT NULL,
                owner_started TEXT NOT NULL,
                owner_boot TEXT NOT NULL,
                model_served TEXT,
                stop_reason TEXT,
                failure_code TEXT,
                input INTEGER,
                cache_read INTEGER,
                cache_write INTEGER,
                output INTEGER,
                thinking INTEGER,
                cost_usd REAL
            )
            """,
            "CREATE INDEX turn_by_answer ON turn (answer_key)",
            # The file itself refuses a second running turn in a thread, whatever a process believes.
            "CREATE UNIQUE INDEX turn_running ON turn (thread_key) WHERE state = 'running'",
            """
            CREATE TABLE request (
                key INTEGER PRIMARY KEY,
                turn_key INTEGER NOT NULL REFERENCES turn (key),
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                base_key INTEGER REFERENCES request (key),
                kept INTEGER NOT NULL,
                chain INTEGER NOT NULL,
                body BLOB NOT NULL
            )
            """,
            "CREATE INDEX request_by_turn ON request (turn_key)",
            "CREATE INDEX request_by_thread ON request (thread_key)",
            """
            CREATE TABLE context_event (
                key INTEGER PRIMARY KEY,
                turn_key INTEGER NOT NULL REFERENCES turn (key),
                kind TEXT NOT NULL,
                "before" INTEGER NOT NULL,
                "after" INTEGER NOT NULL,
                messages INTEGER NOT NULL,
                model TEXT NOT NULL
            )
            """,
            "CREATE INDEX context_event_by_turn ON context_event (turn_key)",
            """
            CREATE TABLE calibration (
                backend TEXT NOT NULL,
                model TEXT NOT NULL,
                weights TEXT NOT NULL,
                PRIMARY KEY (backend, model)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE import_origin (
                origin TEXT NOT NULL PRIMARY KEY,
                thread_key INTEGER NOT NULL REFERENCES thread (key)
            ) WITHOUT ROWID
            """,
            # Contentless: the text is in the blocks already. The rowid is message.key; it can be built again from
            # there at any time ('delete-all'), with another tokenizer by a later step.
            """
            CREATE VIRTUAL TABLE message_text USING fts5 (
                text, content = '', tokenize = 'unicode61 remove_diacritics 2'
            )
            """,
        ),
    ),
)

NEWEST = STEPS[-1].number
"""The format this version writes."""


def file_version(connection: sqlite3.Connection) -> int:
    """The format of the file behind the connection; 0: new and empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_format(connection: sqlite3.Connection, path: Path, newest: int = NEWEST) -> None:
    """Refuses what this version must not touch: another program's database and a newer file; writes nothing."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = file_version(connection)
    if (tables or version or application) and application != APPLICATION_ID:
        raise faults.not_a_history(path)
    if version > newest:
        raise faults.newer_file(path, version, newest)


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Step] = STEPS) -> None:
    """Brings the file to the last step's format, each step in a transaction of its own.

    `connection` must be in autocommit mode. Two processes may do so at once: who comes second finds the step done.
    """
    for step in steps:
        version = file_version(connection)
        if version >= step.number:
            continue
        if version:
            back_up(connection, _backup_path(path, version))
        connection.execute("BEGIN IMMEDIATE")
        try:
            if file_version(connection) < step.number:
                for statement in step.statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {step.number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _backup_path(path: Path, version: int) -> Path:
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.parent / "backups" / f"{path.stem}-format{version}-{now}{path.suffix}"
