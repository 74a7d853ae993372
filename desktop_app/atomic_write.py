"""Writes files in one step: a reader, or the next start after a crash, finds the old content or the new one, whole.

Nothing else in the app writes over a file that is there.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from desktop_app.system_clock import age_s

_FRESH: Final = re.compile(r"\.plimsoll-[0-9a-f]{12}(-wal|-shm|-journal)?")
_ABANDONED_S: Final = 3600.0
_MODE: Final = 0o600
_NEW_FILE: Final = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


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
    """A path in the same folder for what is to take the place of a file; such as killed processes left there go."""
    with suppress(OSError), os.scandir(path.parent) as found:
        for one in found:
            if _FRESH.fullmatch(one.name) and _is_abandoned(one):
                Path(one.path).unlink()
    return path.with_name(f".plimsoll-{os.urandom(6).hex()}")


def _is_abandoned(entry: os.DirEntry[str]) -> bool:
    """Return True for a file as `open_new` makes them that was written an hour ago or longer, and nobody has open."""
    found = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode) or age_s(found) < _ABANDONED_S:
        return False
    ours = True
    if sys.platform != "win32":  # there, what is open can't be removed
        ours = found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == _MODE and _is_let_go(entry)
    return ours


def _is_let_go(entry: os.DirEntry[str]) -> bool:
    handle = os.open(entry, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        return _locked(handle)
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    """Lock a file as long as it is open, unless another process has it; where there are no locks, age has to do."""
    if sys.platform != "win32":
        import fcntl  # no module of Windows

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True


def open_new(path: Path) -> BinaryIO:
    """Makes a file that only this user may read. Raises `OSError`."""
    handle = os.open(path, _NEW_FILE, _MODE)
    _locked(handle)
    return os.fdopen(handle, "wb")


def bring_to_disk(file: BinaryIO) -> None:
    """Returns when what was written to a file is on the disk. Raises `OSError`."""
    file.flush()
    os.fsync(file.fileno())


def put_new(fresh: Path, path: Path) -> None:
    """Gives a file that is whole another name in its folder, or none where something has that. Raises `OSError`."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not path.exists():
            put_in_place(fresh, path)


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
