"""Writes the history file again without its free space, which still holds what was there before."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage.erasure_store import DONE, SPACE
from desktop_app.storage.sqlite_errors import store_error

WAIT_S: Final = 10.0
"""Seconds to wait for others' reading and writing."""

_SPARE: Final = 1.1
"""Of the file's size; the -wal has a few bytes more for each page."""


def compact(path: Path, free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free) -> None:
    """Compacts the file and empties its -wal, on a connection of its own; others can read meanwhile, but not write.

    `UserError("store")`, and nothing changed, where the disk is too full or the file is in use by somebody else.
    """
    _check_room(path, free)
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            cleaned = connection.execute("SELECT id FROM erasure WHERE stage = ?", (SPACE,)).fetchall()
            connection.execute("VACUUM")
            _empty_log(connection, path)
            rows = [(DONE, *row, SPACE) for row in cleaned]
            connection.executemany("UPDATE erasure SET stage = ? WHERE id = ? AND stage = ?", rows)
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) or error from error


def _empty_log(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        return
    raise UserError(
        "store", phrase("Another window or command is using {path}. The rest is done at the next start.", path=path)
    )


def _check_room(path: Path, free: Callable[[Path], int]) -> None:
    """Check that the disk has room: SQLite rewrites the file among the temporary files first, then beside the old
    one.
    """
    needed = int(path.stat().st_size * _SPARE)
    temporary = Path(os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp")
    places: dict[int, tuple[Path, int]] = {}
    for folder in (path.parent, temporary):
        if folder.is_dir():
            device = folder.stat().st_dev
            places[device] = places.get(device, (folder, 0))[0], places.get(device, (folder, 0))[1] + needed
    for folder, bytes_needed in places.values():
        if free(folder) < bytes_needed:
            raise UserError(
                "store",
                phrase(
                    "Too little disk space to clear what was deleted: {folder} needs {megabytes:,} MB free. Free some "
                    "space, then empty the trash again.",
                    folder=folder,
                    megabytes=bytes_needed // 1_000_000 + 1,
                ),
            )
