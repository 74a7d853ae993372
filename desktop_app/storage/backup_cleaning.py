"""Takes secrets out of copies of the history that older versions made."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.storage.backup import back_up
from desktop_app.storage.file_format import APPLICATION_ID, file_version
from desktop_app.storage.migration_functions import add_functions
from desktop_app.storage.migrations import CLEANING, MENDING
from desktop_app.storage.private_files import make_private_file

log = logging.getLogger(__name__)

_SEEN: Final = "cleaned.txt"
"""In the folder of copies: the names of those that hold no secrets any more, one a line."""

_HOLDS_SECRETS: Final = "SELECT 1 FROM message WHERE failure IS NOT mended_failure(failure) LIMIT 1"


def clean_old_copies(folder: Path) -> None:
    """Takes out of copies made before step 7 what that step took out of the file. Each is looked at once.

    One that can't be read, or is no history, is left as it is and looked at again; nothing is raised.
    """
    seen = _seen(folder)
    new = [copy for copy in sorted(folder.glob("*.db")) if copy.name not in seen and copy.is_file()]
    cleaned = [copy.name for copy in new if _is_clean_now(copy)]
    if not cleaned:
        return
    try:
        make_private_file(folder / _SEEN)
        with (folder / _SEEN).open("a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in cleaned)
    except OSError as error:
        log.warning("which copies of the history were cleaned could not be noted: %s", type(error).__name__)


def _seen(folder: Path) -> set[str]:
    try:
        path = folder / _SEEN
        return set(path.read_text("utf-8").splitlines()) if path.is_file() else set()
    except (OSError, UnicodeDecodeError):
        return set()


def _is_clean_now(copy: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return False
            if file_version(connection) >= MENDING:
                return True
            add_functions(connection)
            if connection.execute(_HOLDS_SECRETS).fetchone() is None:
                return True
            found = copy.stat()
            back_up(connection, copy, cleaning=CLEANING)
        os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns))  # the copy is as old as it was
    except (sqlite3.Error, OSError, UserError) as error:
        log.warning("a copy of the history could not be cleaned: %s", type(error).__name__)
        return False
    return True
