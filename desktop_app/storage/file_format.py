"""Tells whether a file is a history that this version may touch. Knows no step between formats."""

from __future__ import annotations

import sqlite3
from pathlib import Path

APPLICATION_ID = 0x506C696D
"""PRAGMA application_id of our files: "Plim" in ASCII; tells them from another program's database."""
NEWEST = 10
"""The format this version writes, which the last step of `migrations` leads to; the first paint loads none of them."""

FURTHEST = 1_000_000
"""No version of ours will write a format beyond this one: a file that says so is damaged."""


def file_version(connection: sqlite3.Connection) -> int:
    """The format of the file behind the connection; 0: new and empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuses what this version must not touch: another program's database and a newer file; writes nothing."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = file_version(connection)
    foreign = (tables or version or application) and application != APPLICATION_ID
    if foreign or version > NEWEST:
        from desktop_app.storage import sqlite_errors  # the first paint does without the words

        raise sqlite_errors.not_a_history(path) if foreign else sqlite_errors.newer_file(path, version, NEWEST)


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
