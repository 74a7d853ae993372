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
    fresh = path_beside(path)
    try:
        with open_new(fresh) as file:
            file.writelines((content,) if isinstance(content, bytes) else content)
            if durable:
                bring_to_disk(file)
        put_in_place(fresh, path, durable=durable)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def path_beside(path: Path) -> Path:
    """A path in the same folder for what is to take the place of a file."""
    return path.with_name(f".plimsoll-{os.urandom(6).hex()}")


def open_new(path: Path) -> BinaryIO:
    """Makes a file that only this user may read. Raises `OSError`."""
    return os.fdopen(os.open(path, _NEW_FILE, 0o600), "wb")


def bring_to_disk(file: BinaryIO) -> None:
    """Returns when what was written to a file is on the disk. Raises `OSError`."""
    file.flush()
    os.fsync(file.fileno())


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
