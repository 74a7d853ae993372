"""Writes files in one step: a reader, or the next start after a crash, finds the old content or the new one, whole.

Nothing else in the app writes over a file that is there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, content: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Puts a file with this content, which only this user may read, at the path. Raises `OSError`, the old file kept.

    Returns when it is on the disk; not `durable`, for what can be made again: when every program sees it.
    """
    file = AtomicFile(path, durable=durable)
    try:
        for piece in (content,) if isinstance(content, bytes) else content:
            file.write(piece)
        file.finish()
    except BaseException:
        file.discard()
        raise


class AtomicFile:
    """A file that is written piece by piece and stands at its path with `finish`; until then the old one does.

    `write` and `finish` raise `OSError`.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self._path, self._durable = path, durable
        self._fresh = path.with_name(f".plimsoll-{os.urandom(6).hex()}")
        self._file: BinaryIO | None = None

    def write(self, piece: bytes) -> None:
        """Adds to the file, which only this user may read."""
        if self._file is None:
            self._file = os.fdopen(os.open(self._fresh, _NEW_FILE, 0o600), "wb")
        self._file.write(piece)

    def finish(self) -> None:
        """Returns when the file is on the disk, or where that was not asked for, when every program sees it."""
        self.write(b"")
        assert self._file is not None
        if self._durable:
            self._file.flush()
            os.fsync(self._file.fileno())
        self._file.close()
        put_in_place(self._fresh, self._path, durable=self._durable)

    def discard(self) -> None:
        """Removes what was written, unless it is finished."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is still waiting in it
                self._file.close()
            self._fresh.unlink(missing_ok=True)


def put_in_place(fresh: Path, path: Path, *, durable: bool = True) -> None:
    """Gives a file that is whole the name of another one in its folder, which it replaces. Raises `OSError`."""
    fresh.replace(path)
    if durable and sys.platform != "win32":  # there, a folder can't be opened
        with suppress(OSError):  # it has its name; some file systems can't be asked for more
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
