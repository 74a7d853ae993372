"""Owns whether the file at the history's path is still the one that was opened: not deleted, moved, or written over.

SQLite itself goes on with the file that it has open, whatever stands at the path by then. Knows no table.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.storage import faults
from desktop_app.storage.backup import back_up

log = logging.getLogger(__name__)

_MAGIC: Final = b"SQLite format 3\x00"
_WAL: Final = b"\x02\x02"
"""At byte 18 of a file in write-ahead mode, as ours always is while it is open; copies from `backups/` are not.

Another file in that mode, copied over ours in place, is not told from a checkpoint of another process."""


class FileIdentity:
    """Made when the file was opened. Once lost, what the connection still has is kept in a file of its own."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._places = {one: _place(one) for one in (path, *_beside(path))}
        # Held open as long as the connection: closing any handle of a file drops SQLite's locks on it.
        self._handle = os.open(path, os.O_RDONLY) if hasattr(os, "pread") else None
        self.kept: Path | None = None
        """Where the history was kept when its file was found to be another one; None: it is the same file."""
        self.lost = False
        """Whether the file at the path was found to be another one."""

    def check(self) -> None:
        """`UserError("store")` where the file at the path is another one: nothing new is begun."""
        self._look()
        if self.lost:
            raise faults.other_file(self._path, self.kept)

    def check_write(self) -> None:
        """As `check`, but what was begun, or is typed, is still taken where the connection's file can be kept.

        It goes into the file that nobody finds any more, and with that into what is kept when it is closed.
        """
        self._look()
        if self.lost and self.kept is None:
            raise faults.other_file(self._path, None)

    def _look(self) -> None:
        if not self.lost and self._is_other():
            self.lost = True
            self._set_aside()
            self.kept = self.keep()

    def keep(self) -> Path | None:
        """Writes what the connection has into a file of its own; None where that can't be read or written."""
        kept = self.kept or self._path.with_name(f"{self._path.stem}-{_now()}{self._path.suffix}")
        try:
            back_up(self._connection, kept)
        except (UserError, sqlite3.Error, OSError) as error:
            log.warning("what was open of a replaced history could not be kept: %s", type(error).__name__)
            return None
        return kept

    def close(self) -> None:
        """After the connection was closed."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _is_other(self) -> bool:
        if _place(self._path) != self._places[self._path]:
            return True
        if self._handle is None:
            return False
        head = os.pread(self._handle, 20, 0)
        return head[:16] != _MAGIC or head[18:20] != _WAL

    def _set_aside(self) -> None:
        """Our -wal and -shm must not be taken for those of the file that stands there now."""
        for beside in _beside(self._path):
            if self._places[beside] is not None and _place(beside) == self._places[beside]:
                try:
                    beside.rename(f"{beside}.{_now()}")
                except OSError as error:
                    log.warning("%s could not be set aside: %s", beside.name, type(error).__name__)


def _beside(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
