"""Owns the lock by which a process that has turns running is known to live, from wherever the folder is looked at.

A process of another machine, or of another container, has a number that says nothing here; its lock does.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path

from desktop_app.storage.private_files import make_private_folder
from desktop_app.storage.process_owner import Owner

if sys.platform != "win32":
    import fcntl


class OwnerLocks:
    """One empty file for each process, in a folder beside the history; where locks can't be had nothing is known.

    Without a folder nobody else has the history, and nothing is locked.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._held: tuple[Path, int] | None = None

    def hold(self, owner: Owner) -> None:
        """Takes the lock of this process, until `release` or its end."""
        if self._held is not None or self._folder is None or sys.platform == "win32":
            return
        path = self._path(self._folder, owner)
        try:
            make_private_folder(self._folder)
            handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # a file system without locks: a file would say that its process is dead
            os.close(handle)
        else:
            self._held = path, handle

    def is_held(self, owner: Owner) -> bool | None:
        """Whether that process holds its lock; None: it has none, and its number has to tell."""
        if self._folder is None or sys.platform == "win32":
            return None
        path = self._path(self._folder, owner)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe would keep us waiting
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return None
        else:
            path.unlink(missing_ok=True)  # left behind by a process that was killed
            return False
        finally:
            os.close(handle)

    def release(self) -> None:
        """Called last."""
        if self._held is None:
            return
        path, handle = self._held
        self._held = None
        path.unlink(missing_ok=True)
        os.close(handle)
        with contextlib.suppress(OSError):  # others' locks are there
            path.parent.rmdir()

    @staticmethod
    def _path(folder: Path, owner: Owner) -> Path:
        name = f"{owner.boot} {owner.pid} {owner.started}"
        return folder / hashlib.sha256(name.encode()).hexdigest()[:32]
