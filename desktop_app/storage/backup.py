"""Copies and checks the history file; takes secrets out of copies that older versions made."""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import time
from typing import Final

from desktop_app.atomic_write import put_in_place
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.storage import sqlite_errors
from desktop_app.storage.migration_functions import add_functions
from desktop_app.storage.migrations import APPLICATION_ID, CLEANING, MENDING, check_format, file_version
from desktop_app.storage.private_files import make_private_file, make_private_folder
from desktop_app.storage.sqlite_errors import store_error

JUST_MADE_S = 2.0
"""So long a copy without a lock counts as one whose maker is about to take it."""


def back_up(connection: sqlite3.Connection, target: Path, *, cleaning: Sequence[str] = ()) -> None:
    """Copies the database behind `connection` to `target` (0600) while others may write, and verifies the copy.

    The copy carries its name only once it has proved good; else `UserError("store")`. `cleaning`: statements that are
    run on it before, which may use the functions of `mending`.
    """
    make_private_folder(target.parent)
    unproved = target.with_suffix(target.suffix + ".unproved")
    unproved.unlink(missing_ok=True)
    make_private_file(unproved)
    with _in_the_making(unproved), closing(open_copy(unproved)) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file that can be moved about, without -wal and -shm
        if cleaning:
            from desktop_app.storage.migration_functions import add_functions

            add_functions(copy)
            for statement in cleaning:
                copy.execute(statement)
        verdict = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if verdict != "ok":
        raise sqlite_errors.damaged_backup(unproved, verdict)
    put_in_place(unproved, target)


def copy_unproved(connection: sqlite3.Connection, target: Path) -> None:
    """Copies whatever `connection` still gives to `target` (0600), damaged as it may be. Raises `sqlite3.Error`."""
    make_private_file(target)
    try:
        with closing(open_copy(target)) as copy:
            connection.backup(copy)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def remove_unproved(folder: Path) -> None:
    """Removes the copies that a process which was killed left half made; those that are being made stay."""
    for unproved in folder.glob("*.unproved"):
        try:
            # a pipe would keep us waiting
            if (
                unproved.is_file() and time() - unproved.stat().st_mtime > JUST_MADE_S
            ):  # else it may be there, and not locked yet
                with _in_the_making(unproved):
                    unproved.with_name(f"{unproved.name}-journal").unlink(missing_ok=True)
                    unproved.unlink()
        except OSError:
            continue  # it is being made


@contextmanager
def _in_the_making(unproved: Path) -> Iterator[None]:
    """Holds a lock on the copy, which ends with the process; `OSError` where another process has it."""
    handle = os.open(unproved, os.O_RDONLY)
    try:
        if sys.platform != "win32":  # there, what is open can't be removed
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def open_copy(path: Path) -> sqlite3.Connection:
    """A connection to the copy that is being made."""
    return sqlite3.connect(path, isolation_level=None)


WAIT_S = 2.0
"""How long another process's lock is waited for."""


def check_history(path: Path) -> None:
    """Raises `UserError("store")` if the file can't be read, is no history, is a newer version's or is damaged.

    Reads the whole file once (SQLite's quick check: pages and rows, without comparing indexes). Blocks.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_S)) as connection:
            check_format(connection, path)
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
    except (sqlite3.Error, OSError) as error:
        known = store_error(error, path)
        if known is None:
            raise UserError(
                "store", phrase("The history file {path} is damaged.", path=path), detail=str(error)
            ) from error
        raise known from error


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
