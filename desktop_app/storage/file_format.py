"""Tests of a file for being a history that this version may touch. Makes no step between formats."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

APPLICATION_ID = 0x506C696D
"""PRAGMA application_id of our files: "Plim" in ASCII; tells them from another program's database."""
NEWEST = 11
"""The format this version writes, which the last step of `migrations` leads to; the first paint loads none of them."""

FURTHEST = 1_000_000
"""No version of ours will write a format beyond this one: a file that says so is damaged."""


_TABLES = ("thread", "message", "block")
_FORMAT = f"""
    SELECT (SELECT count(*) FROM sqlite_master), (SELECT count(*) FROM sqlite_master WHERE name IN {_TABLES}),
        application_id, user_version FROM pragma_application_id, pragma_user_version
"""
"""One statement sees one state, also while another start makes the file."""


def is_void(connection: sqlite3.Connection) -> bool:
    """Return True if a history was never used: nothing is in it, and nothing was erased."""
    kept = "SELECT name FROM sqlite_master WHERE name IN ('thread', 'project', 'prompt', 'erasure')"
    return not any(
        connection.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()
        for (name,) in connection.execute(kept).fetchall()
    )


def holds_nothing(path: Path) -> bool:
    """Return True if a history stands at the path that was never used; False also where it can't be read.

    Leaves nothing behind: reading one that nobody has open, SQLite would make files beside it.
    """
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{alone}", uri=True, timeout=0)) as connection:
            return file_version(connection) > 0 and is_void(connection)
    except sqlite3.Error:
        return False


def file_version(connection: sqlite3.Connection) -> int:
    """The format of the file behind the connection; 0: new and empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuses what this version must not touch: another program's database and a newer file; writes nothing."""
    tables, ours, application, version = connection.execute(_FORMAT).fetchone()
    foreign = (tables or version or application) and application != APPLICATION_ID
    halved = ours != (len(_TABLES) if version else 0)
    if foreign or version > NEWEST or halved:
        from desktop_app.storage import sqlite_errors  # the first paint does without the words

        if foreign:
            raise sqlite_errors.not_a_history(path)
        raise (
            sqlite_errors.newer_file(path, version, NEWEST)
            if version > NEWEST
            else sqlite_errors.no_format(path, version)
        )


_NO_DAMAGE = "NULL value in document_file.document_key"
"""SQLite 3.40's quick check says so of a key whose columns stand in another order than the table's."""


def readable(text: bytes) -> str:
    """For `text_factory` of a file that may be damaged: what is no text becomes signs that say so."""
    return text.decode("utf-8", "replace")


def quick_verdict(connection: sqlite3.Connection, table: str = "") -> str:
    """`ok`, or the first damage found to pages and rows, of one table or all; indexes are not compared. Blocks."""
    of_one = f"({table})" if table else ""
    found = (str(verdict) for (verdict,) in connection.execute(f"PRAGMA quick_check{of_one}"))
    return next((verdict for verdict in found if verdict != _NO_DAMAGE), "ok")
