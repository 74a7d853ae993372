"""Owns the check of a history file that nobody has to have open. Changes nothing in it; knows no table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage.migrations import check_format
from desktop_app.storage.sqlite_errors import store_error

WAIT_S = 2.0
"""How long another process's lock is waited for."""


def check_history(path: Path) -> None:
    """Raises `UserError("store")` if the file can't be read, is no history, is a newer version's or is damaged.

    Reads the whole file once (SQLite's quick check: pages and rows, without comparing indexes). Blocks.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_S)) as connection:
            check_format(connection, path)
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
    except (sqlite3.Error, OSError) as error:
        known = store_error(error, path)
        if known is None:
            raise UserError(
                "store", phrase("The history file {path} is damaged.", path=path), detail=str(error)
            ) from error
        raise known from error
