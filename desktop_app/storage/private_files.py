"""Makes files and folders readable by their user only: 0600 and 0700, whatever the umask.

SQLite gives its -wal and -shm files the mode of the database file.
"""

from __future__ import annotations

import os
from pathlib import Path

_OTHERS = 0o077


def make_private_folder(folder: Path) -> None:
    """Creates the folder and its missing parents, each 0700; one that exists stays as it is."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(exist_ok=True)
        missing.chmod(0o700)


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
