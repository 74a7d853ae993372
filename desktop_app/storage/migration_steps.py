"""Steps of the history file's format that stand apart: 9 and 10, and the SQL functions of step 7.

As steps, they are never changed."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from desktop_app.core.messages import Usage
from desktop_app.core.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of format: leads from `number` - 1 to `number`; `why` is one sentence for those who come later.

    `functions` makes the SQL functions that the statements call known to the connection.
    """

    number: int
    why: str
    statements: tuple[str, ...]
    functions: Callable[[sqlite3.Connection], None] | None = None


_MOST_TOKENS, _MOST_USD, _MOST_SECONDS = 10**12, 10.0**6, 366 * 86_400.0
_COUNTS = tuple(one.name for one in fields(Usage) if one.name != "cost_usd")


def add_functions(connection: sqlite3.Connection) -> None:
    """Makes `mended_usage`, `mended_failure` and `mended_parts` known to the connection."""
    redaction = Redaction()
    connection.create_function("mended_usage", 1, _usage, deterministic=True)
    connection.create_function("mended_parts", 1, _parts, deterministic=True)
    connection.create_function("mended_failure", 1, lambda text: _failure(text, redaction), deterministic=True)


def _usage(text: str | None) -> str | None:
    """A count that can't be right makes all of it unknown, a cost that can't be right itself."""
    if not isinstance(usage := _read(text), dict):
        return None
    if any(not _within(usage.get(name, 0), _MOST_TOKENS) for name in _COUNTS):
        return None
    cost = usage.get("cost_usd")
    return text if cost is None or _within(cost, _MOST_USD) else _written(usage | {"cost_usd": None})


def _failure(text: str | None, redaction: Redaction) -> str | None:
    """Without what looks like a key, or is a password in an address, and without a wait that is none."""
    if not isinstance(failure := _read(text), dict):
        return text
    texts = {name: failure[name] for name in ("message", "detail") if isinstance(failure.get(name), str)}
    clean = failure | {name: redaction.of_error(said) for name, said in texts.items()}
    if (wait := failure.get("retry_after_s")) is not None and not _within(wait, _MOST_SECONDS):
        clean["retry_after_s"] = None
    return text if clean == failure else _written(clean)


def _parts(stored: bytes | None) -> bytes | None:
    """Packed JSON with null for what is no finite number."""
    if stored is None:
        return None
    try:
        packed = json.loads(
            stored.decode("utf-8", "surrogatepass"), parse_constant=lambda _: None, parse_float=_finite_or_none
        )
        clean = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return stored  # damaged in another way: left as it is
    return clean


def _finite_or_none(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _within(value: Any, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _read(text: str | None) -> Any:
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def _written(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


_SHARED = """
                device TEXT NOT NULL,
                clock INTEGER NOT NULL,
                deleted TEXT
"""
"""The columns of every fact that may change, so that it can be shared between machines later: who wrote it last, by
that device's logical clock, and when it was deleted.
"""


def _add_functions(connection: sqlite3.Connection) -> None:
    """SQLite's own `lower` knows the letters of ASCII alone."""
    connection.create_function(
        "folded_name", 1, lambda name: name and " ".join(name.split()).casefold(), deterministic=True
    )


PROJECTS = Migration(
    9,
    "projects with their documents, the texts of these with an index of passages, artifacts with their versions; a "
    "thread's project is an id where it was a name, which an older version would show",
    (
        # One row: this file's own name among those of other machines, and its Lamport clock.
        "CREATE TABLE device (id TEXT NOT NULL PRIMARY KEY, clock INTEGER NOT NULL) WITHOUT ROWID",
        "INSERT INTO device VALUES (lower(hex(randomblob(16))), 1)",
        f"""
            CREATE TABLE project (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                instructions TEXT NOT NULL,
                backend TEXT,
                model TEXT,
                soft_limit INTEGER,
                created TEXT NOT NULL,
                updated TEXT NOT NULL,
                archived BOOLEAN NOT NULL,
                searches_threads BOOLEAN NOT NULL,{_SHARED})
        """,
        # The threads of a deleted project, which are in none until it is restored.
        """
            CREATE TABLE left_project (
                thread_key INTEGER PRIMARY KEY REFERENCES thread (key),
                project_key INTEGER NOT NULL REFERENCES project (key)
            )
        """,
        f"""
            CREATE TABLE project_document (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                project_key INTEGER NOT NULL REFERENCES project (key),
                name TEXT NOT NULL,
                media_type TEXT NOT NULL,
                size INTEGER NOT NULL,
                sha256 TEXT NOT NULL,
                tokens INTEGER NOT NULL,
                pages INTEGER NOT NULL,
                passages INTEGER NOT NULL,
                mode TEXT NOT NULL,
                state TEXT NOT NULL,
                error TEXT NOT NULL,
                note TEXT NOT NULL,
                folder_id TEXT,
                path TEXT NOT NULL,
                modified TEXT NOT NULL,
                added TEXT NOT NULL,{_SHARED})
        """,
        # Names that differ in the case of letters are one project, called as in its thread that was used last.
        "UPDATE thread SET project = NULL WHERE folded_name(project) = ''",
        """
            CREATE TEMP TABLE named AS
            SELECT key AS thread_key, folded_name(project) AS folded, project AS name, created, updated, deleted
            FROM thread WHERE project IS NOT NULL
        """,
        """
            CREATE TEMP TABLE renamed AS
            SELECT lower(hex(randomblob(16))) AS id, folded, name, max((deleted IS NULL) || updated) FROM named
            GROUP BY folded
        """,
        "CREATE INDEX temp.named_by_name ON named (folded)",
        "CREATE INDEX temp.named_by_thread ON named (thread_key)",
        """
            INSERT INTO project
            SELECT NULL, id, name, '', NULL, NULL, NULL, (SELECT min(created) FROM named WHERE folded = renamed.folded),
                (SELECT max(updated) FROM named WHERE folded = renamed.folded), 0, 1, (SELECT id FROM device), 1,
                (SELECT CASE WHEN count(*) = count(deleted) THEN max(deleted) END FROM named
                    WHERE folded = renamed.folded)
            FROM renamed ORDER BY folded
        """,
        """
            UPDATE thread SET project = (
                SELECT id FROM renamed WHERE folded = (SELECT folded FROM named WHERE thread_key = thread.key)
            ) WHERE project IS NOT NULL
        """,
        # What only deleted threads were in is a deleted project.
        """
            INSERT INTO left_project
            SELECT thread.key, project.key FROM thread JOIN project ON project.id = thread.project
            WHERE project.deleted IS NOT NULL
        """,
        "UPDATE thread SET project = NULL WHERE key IN (SELECT thread_key FROM left_project)",
        "DROP TABLE temp.named",
        "DROP TABLE temp.renamed",
        "CREATE INDEX project_document_by_project ON project_document (project_key)",
        "CREATE INDEX project_document_by_file ON project_document (sha256, project_key)",
        # Every file that a document ever was: what was cited of an older one can still be shown.
        """
            CREATE TABLE document_file (
                document_key INTEGER NOT NULL REFERENCES project_document (key),
                sha256 TEXT NOT NULL,
                PRIMARY KEY (sha256, document_key)
            ) WITHOUT ROWID
        """,
        f"""
            CREATE TABLE followed_folder (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                project_key INTEGER NOT NULL REFERENCES project (key),
                path TEXT NOT NULL,{_SHARED})
        """,
        # A text by its file and the version of what read it, whichever documents it is of; never changed or removed.
        # It is written in slices: one that is not whole yet counts for nothing.
        """
            CREATE TABLE document_text (
                key INTEGER PRIMARY KEY,
                sha256 TEXT NOT NULL,
                reader INTEGER NOT NULL,
                media_type TEXT NOT NULL,
                pages INTEGER NOT NULL,
                note TEXT NOT NULL,
                whole BOOLEAN NOT NULL
            )
        """,
        "CREATE UNIQUE INDEX document_text_whole ON document_text (sha256, reader) WHERE whole",
        # In parts of a fixed number of characters: a search reads a few lines of each of many long texts.
        """
            CREATE TABLE document_text_part (
                text_key INTEGER NOT NULL REFERENCES document_text (key),
                number INTEGER NOT NULL,
                encoding INTEGER NOT NULL,
                data BLOB NOT NULL,
                PRIMARY KEY (text_key, number)
            )
        """,
        """
            CREATE TABLE passage (
                key INTEGER PRIMARY KEY,
                text_key INTEGER NOT NULL REFERENCES document_text (key),
                number INTEGER NOT NULL,
                kind TEXT NOT NULL,
                start INTEGER NOT NULL,
                "end" INTEGER NOT NULL,
                heading TEXT NOT NULL,
                page INTEGER NOT NULL,
                table_head TEXT NOT NULL,
                UNIQUE (text_key, number)
            )
        """,
        # Contentless: the rowid is passage.key, from which it can be built again. Terms come from the core as those of
        # messages do; English words count by their stems, as nothing is looked for here word by word. `source` is the
        # text's key as a term, by which the passages of few documents are found among those of all.
        """
            CREATE VIRTUAL TABLE passage_text USING fts5 (
                source, heading, body, content = '', tokenize = 'porter ascii'
            )
        """,
        f"""
            CREATE TABLE artifact (
                key INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                thread_key INTEGER NOT NULL REFERENCES thread (key),
                title TEXT NOT NULL,
                kind TEXT NOT NULL,
                language TEXT NOT NULL,
                pinned BOOLEAN NOT NULL,
                created TEXT NOT NULL,
                updated TEXT NOT NULL,{_SHARED})
        """,
        "CREATE INDEX artifact_by_thread ON artifact (thread_key)",
        # Never changed. `message_id`: the answer that made it, which may not be stored yet.
        """
            CREATE TABLE artifact_version (
                artifact_key INTEGER NOT NULL REFERENCES artifact (key),
                number INTEGER NOT NULL,
                block_key INTEGER NOT NULL REFERENCES block (key),
                author TEXT NOT NULL,
                created TEXT NOT NULL,
                message_id TEXT,
                PRIMARY KEY (artifact_key, number)
            ) WITHOUT ROWID
        """,
    ),
    _add_functions,
)


ERASURE = Migration(
    10,
    "when prompts and messages were deleted, as they stay in the trash for 30 days; what was deleted for good",
    (
        "ALTER TABLE prompt ADD COLUMN deleted TEXT",
        "ALTER TABLE deleted_message ADD COLUMN deleted TEXT",
        "UPDATE deleted_message SET deleted = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')",
        # The ids of what was deleted for good, with what is still to be done for each; see `erasure_store`. A merge of
        # another history must not bring these back.
        """
        CREATE TABLE erasure (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            at TEXT NOT NULL,
            stage INTEGER NOT NULL,
            device TEXT NOT NULL,
            clock INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
        # What was deleted before there was a trash has its 30 days, too: nobody was told of an end.
        *(
            f"UPDATE {table} SET deleted = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now') WHERE deleted IS NOT NULL"
            for table in ("thread", "project", "project_document", "artifact")
        ),
    ),
)
