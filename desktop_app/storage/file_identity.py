"""Tells whether the history's file is still the one that was opened: not deleted, moved, or written over.

SQLite itself goes on with the file that it has open, whatever stands at the path by then.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from desktop_app.core.errors import HistoryReplacedError, UserError
from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup import back_up, copy_unproved
from desktop_app.system.system_clock import utc_now

log = logging.getLogger(__name__)

_MAGIC: Final = b"SQLite format 3\x00"
_WAL: Final = b"\x02\x02"
"""At byte 18 of a file in write-ahead mode, as ours always is while it is open; copies from `backups/` are not."""

_SHM_HEAD: Final = 136
_CHECKPOINTS: Final = (slice(32, 40), slice(96, 100), slice(128, 132))
"""Of the -shm file, as SQLite documents it: which -wal it is of, how much of that is in the file, or is about to be."""

_SAMPLES: Final = 64
_SAMPLE_BYTES: Final = 4096

_NOWHERE: Final = (0, 0)
"""The place of a file that was made and was gone at once."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The state of the file at one look. `checkpoints` was read before the rest."""

    checkpoints: bytes
    written: tuple[int, int]
    counter: int
    sample: bytes


class FileIdentity:
    """Made when the file was opened. Once lost, what the connection still has is kept in a file of its own.

    In write-ahead mode a file changes by checkpoints alone, and each of them, of whatever process, leaves its number in
    the -shm file. So one that was written and had no checkpoint was written by somebody who knows nothing of SQLite.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, place: tuple[int, int] | None = None) -> None:
        """`place`: where the file stood before it was opened; None: it was made. It may be another one by now."""
        self._path = path
        self._connection = connection
        self._places = {one: place_of(one) for one in (path, *_beside(path))}
        self._places[path] = place or self._places[path] or _NOWHERE
        self._folder = place_of(path.parent)
        # Held open as long as the connection: closing any handle of a file drops SQLite's locks on it.
        self._handle = _opened(path)
        self._shm = _opened(_beside(path)[1])
        self._seen = self._look_at_file()
        self.kept: Path | None = None
        """The place where the history was kept when its file was found to be another one; None: it is the same file."""
        self.whole = True
        """True while the connection still gives the data that was there, and not pages of another file."""
        self._damaged: Path | None = None
        self._aside: dict[Path, Path] = {}
        self.lost = False
        """True if the file at the path was found to be another one."""

    def check(self) -> None:
        """`HistoryReplacedError` where the file at the path is another one: nothing new is begun."""
        self._look()
        if self.lost:
            raise self._error()

    def check_write(self) -> None:
        """As `check`, but what was begun, or is typed, is still taken where the connection's file can be kept.

        It goes into the file that nobody finds any more, and with that into what is kept when it is closed.
        """
        self._look()
        if self.lost and self.kept is None:
            raise self._error()

    check_copy = check_write

    def written(self) -> None:
        """After a commit, which may have moved the -wal into the file: that was us."""
        if self._seen is not None and not self.lost and self._read_checkpoints() != self._seen.checkpoints:
            self._seen = self._look_at_file()

    def keep(self) -> Path | None:
        """Writes what the connection has into a file of its own; None where that can't be read or written."""
        kept = self.kept or self._named("")
        try:
            back_up(self._connection, kept)
        except (UserError, sqlite3.Error, OSError) as error:
            log.warning("what was open of a replaced history could not be kept: %s", type(error).__name__)
            return None
        return kept

    def close(self) -> None:
        """After the connection was closed."""
        for handle in (self._handle, self._shm):
            if handle is not None:
                os.close(handle)
        self._handle = self._shm = None

    def _look(self) -> None:
        if self.lost:
            return
        if self._is_away():
            raise sqlite_errors.away(self._path)  # it may come back, and nothing is known of it until then
        moved = place_of(self._path) != self._places[self._path]
        if moved or self._is_written_over():
            self.lost = True
            # Our -wal and -shm must not be taken for those of the file that stands there now.
            for beside in _beside(self._path):
                if self._places[beside] is not None and place_of(beside) == self._places[beside]:
                    try:
                        self._aside[beside] = beside.rename(f"{beside}.{_now()}")
                    except OSError as error:
                        log.warning("%s could not be set aside: %s", beside.name, type(error).__name__)
            if moved:
                self.kept = self.keep()
            else:  # the connection gives some pages of each file: that is whole by chance at best
                self.whole, self._damaged = False, self._keep_damaged()

    def _is_away(self) -> bool:
        """True if the disk is not there, or the folder is closed to us; a file that was moved is not away."""
        try:
            self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            folder = place_of(self._path.parent)
            return folder is not None and self._folder is not None and folder[0] != self._folder[0]
        except OSError:
            return True
        return False

    def _error(self) -> HistoryReplacedError:
        if self.whole:
            return sqlite_errors.other_file(self._path, self.kept)
        return sqlite_errors.written_over(self._path, self._damaged)

    def empty_log(self) -> None:
        """Before a file that was written over is closed, else SQLite moves our -wal in, which the damaged copy has."""
        if (log_file := self._aside.get(_beside(self._path)[0])) is not None:
            os.truncate(log_file, 0)
        for aside in self._aside.values():
            aside.unlink(missing_ok=True)

    def _keep_damaged(self) -> Path | None:
        damaged = self._named("damaged-")
        try:
            copy_unproved(self._connection, damaged)
        except (sqlite3.Error, OSError) as error:
            log.warning("what was left of a history that was written over can't be read: %s", type(error).__name__)
            return None
        return damaged

    def _is_written_over(self) -> bool:
        if self._handle is None:
            return False
        head = _read_at(self._handle, 28, 0)
        if head[:16] != _MAGIC or head[18:20] != _WAL:
            return True
        if (before := self._seen) is None or _written(self._handle) == before.written:
            return False
        now = self._look_at_file()
        after = self._read_checkpoints()  # once more: one that began since the first time may have written already
        if now is None or after is None:
            return False
        # in the midst of a checkpoint, or where one was killed, some of it is in the file and not counted yet
        if after == before.checkpoints and after[8:12] == after[12:16] and now.sample != before.sample:
            return True
        self._seen = replace(now, checkpoints=before.checkpoints) if after == before.checkpoints else now
        return now.counter < before.counter

    def _look_at_file(self) -> _Seen | None:
        checkpoints = self._read_checkpoints()
        if self._handle is None or checkpoints is None:
            return None
        written = _written(self._handle)
        counter = int.from_bytes(_read_at(self._handle, 4, 24), "big")
        return _Seen(checkpoints, written, counter, _sample(self._handle, written[0]))

    def _read_checkpoints(self) -> bytes | None:
        if self._shm is None:
            return None
        head = _read_at(self._shm, _SHM_HEAD, 0)
        return b"".join(head[one] for one in _CHECKPOINTS) if len(head) == _SHM_HEAD else None

    def _named(self, what: str) -> Path:
        return self._path.with_name(f"{self._path.stem}-{what}{_now()}{self._path.suffix}")


class NoFile:
    """Stands for the identity of a history in memory, which nobody can replace."""

    def check(self) -> None:
        """Finds nothing."""

    def check_write(self) -> None:
        """Finds nothing."""

    def check_copy(self) -> None:
        """Refuses: what is in memory only is in no file, whoever asks for one."""
        raise ValueError("a history in memory is never copied to a file")

    def written(self) -> None:
        """There is no file to look at."""

    def close(self) -> None:
        """There is no file to close."""


def _sample(handle: int, size: int) -> bytes:
    """A digest of pieces from all over the file: of all of it up to 256 KB."""
    digest = hashlib.blake2b(size.to_bytes(8, "big"))
    for start in range(0, size, max(_SAMPLE_BYTES, (size - _SAMPLE_BYTES) // (_SAMPLES - 1))):
        digest.update(_read_at(handle, _SAMPLE_BYTES, start))
    return digest.digest()


def _written(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return found.st_size, found.st_mtime_ns


def _opened(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY) if sys.platform != "win32" else None  # what is open there is never replaced
    except OSError:
        return None


def _read_at(handle: int, most: int, start: int) -> bytes:
    found = b""  # of nothing: no file is held open on Windows
    if sys.platform != "win32":
        found = os.pread(handle, most, start)
    return found


def _beside(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def place_of(path: Path) -> tuple[int, int] | None:
    """The file system and the number there of what stands at a path; None: nothing does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _now() -> str:
    return utc_now().strftime("%Y%m%dT%H%M%S.%fZ")
