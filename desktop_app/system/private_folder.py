"""Folders for passing copies of what is private: readable by this user only, and gone also after a kill.

A process that is killed removes nothing. Whoever makes the next folder, or opens the history, removes what no process
holds any more: each folder has a file that its process keeps locked.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Final

PREFIX: Final = "plimsoll-copy-"
_HELD: Final = "held"


class PrivateFolder:
    """A new empty folder at `path` until `remove`, or as long as the context lasts. Raises `OSError`."""

    def __init__(self) -> None:
        remove_abandoned()
        self._outer = Path(mkdtemp(prefix=PREFIX))  # 0700
        fresh = self._outer / "fresh"
        self._lock = os.open(fresh, os.O_CREAT | os.O_RDWR, 0o600)
        _try_lock(self._lock)
        if sys.platform != "win32":  # there, what is open keeps its name, and nothing is removed by others
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


def remove_abandoned() -> None:
    """Remove the folders of processes that were killed. Blocks for as long as that takes; raises nothing."""
    if sys.platform != "win32":
        for outer in Path(gettempdir()).glob(f"{PREFIX}*"):
            try:
                if outer.lstat().st_uid != os.getuid():
                    continue
                lock = os.open(outer / _HELD, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            except OSError:  # it is just being made, or removed
                continue
            try:
                if _try_lock(lock):
                    shutil.rmtree(outer, ignore_errors=True)
            finally:
                os.close(lock)


def _try_lock(file: int) -> bool:
    if sys.platform != "win32":
        import fcntl  # no module of Windows

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
