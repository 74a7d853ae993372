"""Files and folders of this user alone: written in one step, locked, or gone with the process that made them.

Of what is written in one step a reader, or the next start after a crash, finds the old content or the new one, whole;
nothing else in the app writes over a file that is there. A process that is killed removes no folder: whoever makes the
next, or opens the history, removes what no process holds any more; each has a file that its process keeps locked.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from time import sleep
from typing import BinaryIO, Final

from desktop_app.system.system_clock import age_s

_OTHERS = 0o077


def make_private_folder(folder: Path) -> None:
    """Creates the folder and its missing parents, each 0700; one that exists stays as it is."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(0o700, exist_ok=True)
        _sync_names(missing.parent)  # after a power cut, what was written in it is there


def make_private_file(path: Path) -> None:
    """Creates an empty file 0600 if there is none; takes other users' rights off one that exists."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        close_to_others(path)


def close_to_others(path: Path) -> None:
    """Takes other users' rights off a file that exists."""
    mode = path.stat().st_mode
    if mode & _OTHERS:
        path.chmod(mode & ~_OTHERS & 0o7777)


def lock(handle: int, *, wait: bool = False) -> None:
    """Locks an open file; `BlockingIOError` where another has it and we don't `wait`, `OSError` without locks."""
    if sys.platform == "win32":
        _lock_byte(handle, _BEHIND_ALL, wait=wait)
    else:
        import fcntl  # no module of Windows

        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock_and_remove(handle: int, path: Path) -> None:
    """Closes a file that we have locked; on the way nobody finds it unlocked, but on Windows, where what is open stays.

    There it is only the others who close it that may remove it.
    """
    if sys.platform != "win32":
        path.unlink(missing_ok=True)
    os.close(handle)
    if sys.platform == "win32":
        with suppress(OSError):
            path.unlink()


def is_byte_locked(path: Path, place: int) -> bool:
    """Return True if another process has this byte of a file locked, as SQLite does."""
    is_locked = False
    with suppress(OSError):
        handle = os.open(path, os.O_RDWR)
        try:
            _lock_byte(handle, place, wait=False)
        except OSError:
            is_locked = True
        finally:
            os.close(handle)
    return is_locked


if sys.platform == "win32":
    _BEHIND_ALL: Final = 1 << 62
    """There a locked byte can't be read by others, so it is one that no file has."""

    def _lock_byte(handle: int, place: int, *, wait: bool) -> None:
        import ctypes
        import msvcrt

        overlapped = (ctypes.c_uint64 * 4)(0, 0, place, 0)
        exclusive, at_once, taken = 2, 1, 33
        flags = exclusive if wait else exclusive | at_once
        file = ctypes.c_void_p(msvcrt.get_osfhandle(handle))
        if not ctypes.windll.kernel32.LockFileEx(file, flags, 0, 1, 0, overlapped):
            error = ctypes.WinError()
            raise BlockingIOError(error.errno, error.strerror) if error.winerror == taken else error

else:

    def _lock_byte(handle: int, place: int, *, wait: bool) -> None:
        import fcntl

        fcntl.lockf(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)


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
    try:
        lock(handle)
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
    else:
        _sync_names(path.parent)


def put_in_place(fresh: Path, path: Path, *, durable: bool = True) -> None:
    """Gives a file that is whole the name of another one in its folder, which it replaces. Raises `OSError`."""
    tries = 10 if sys.platform == "win32" else 1
    while True:
        try:
            fresh.replace(path)
            break
        except PermissionError:  # there, nothing is replaced while another program reads it, as scanners do
            if not (tries := tries - 1):
                raise
            sleep(0.05)
    if durable:
        _sync_names(path.parent)


def _sync_names(folder: Path) -> None:
    """Has the disk keep the names in a folder."""
    if sys.platform != "win32":  # there, a folder can't be opened
        with suppress(OSError):  # the file has its name; some file systems can't be asked for more
            opened = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)


PREFIX: Final = "plimsoll-copy-"
_HELD: Final = "held"
LONGEST_NAME: Final = 255
"""Bytes of a file's name, on all systems; a character has four at most."""


class PrivateFolder:
    """A new empty folder at `path` until `remove`, or as long as the context lasts. Raises `OSError`."""

    def __init__(self) -> None:
        remove_abandoned()
        self._outer = Path(mkdtemp(prefix=PREFIX))  # 0700
        # there, what is open keeps its name
        fresh = self._outer / (_HELD if sys.platform == "win32" else "fresh")
        self._lock = os.open(fresh, os.O_CREAT | os.O_RDWR, 0o600)
        _try_lock(self._lock)
        if sys.platform != "win32":
            fresh.rename(self._outer / _HELD)  # under this name it is never without its lock
        self.path = self._outer / "copies"
        self.path.mkdir()

    def remove(self) -> None:
        """Removes the folder with all that is in it; what can't be removed stays."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self._outer, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()


def fitting_name(name: str) -> str:
    """A file's name that a file system takes: of one that is too long the end, which tells the kind."""
    return name if len(os.fsencode(name)) <= LONGEST_NAME else name[-LONGEST_NAME // 5 :]


def remove_abandoned() -> None:
    """Remove the folders of processes that were killed. Blocks for as long as that takes; raises nothing."""
    for outer in Path(gettempdir()).glob(f"{PREFIX}*"):
        if sys.platform == "win32":
            with suppress(OSError):  # it is just being made, or open
                (outer / _HELD).unlink()
                shutil.rmtree(outer, ignore_errors=True)
        else:
            try:
                if outer.lstat().st_uid != os.getuid():
                    continue
                held = os.open(outer / _HELD, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            except OSError:  # it is just being made, or removed
                continue
            try:
                if _try_lock(held):
                    shutil.rmtree(outer, ignore_errors=True)
            finally:
                os.close(held)


def _try_lock(file: int) -> bool:
    try:
        lock(file)
    except OSError:
        return False
    return True
