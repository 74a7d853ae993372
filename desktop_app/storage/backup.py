"""Copies the history file, and lets a copy carry its name only once it has proved good."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from desktop_app.storage import sqlite_errors
from desktop_app.storage.migration_steps import add_functions
from desktop_app.system.private_files import lock, make_private_file, make_private_folder, put_in_place
from desktop_app.system.system_clock import age_s

_INSTRUCTIONS = 20_000
"""Steps of SQLite's machine after which who verifies a copy asks whether to go on."""

JUST_MADE_S = 2.0
"""So long a copy without a lock counts as one whose maker is about to take it."""


def back_up(
    connection: sqlite3.Connection,
    target: Path,
    *,
    cleaning: Sequence[str] = (),
    pages: int = -1,
    pause_s: float = 0.0,
    go_on: Callable[[], None] = lambda: None,
) -> None:
    """Copies the database behind `connection` to `target` (0600) while others may write, and verifies the copy.

    The copy carries its name only once it has proved good; else `UserError("store")`. `cleaning`: statements that are
    run on it before, which may use the functions of `mending`. `pages`: how many are copied at once, with a pause after
    them; -1: all. `go_on` is called again and again: by raising it ends the copying.
    """
    make_private_folder(target.parent)
    unproved = target.with_name(f"{target.name}.{os.urandom(4).hex()}.unproved")  # two may be made within a second
    make_private_file(unproved)
    try:
        with _in_the_making(unproved), closing(open_copy(unproved)) as copy:
            connection.backup(copy, pages=pages, progress=lambda *_: go_on(), sleep=pause_s)
            copy.set_progress_handler(lambda: _ends(go_on), _INSTRUCTIONS)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file that can be moved about, without -wal and -shm
            if cleaning:
                add_functions(copy)
                for statement in cleaning:
                    copy.execute(statement)
            verdict = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if verdict != "ok":
            raise sqlite_errors.damaged_backup(unproved, verdict)
        put_in_place(unproved, target)
    except BaseException:  # what is half made would keep a full disk full
        _remove(unproved)
        raise


def _remove(unproved: Path) -> None:
    for one in (unproved.with_name(f"{unproved.name}-journal"), unproved):
        one.unlink(missing_ok=True)


def _ends(go_on: Callable[[], None]) -> bool:
    try:
        go_on()
    except Exception:  # noqa: BLE001  SQLite raises that it was interrupted
        return True
    return False


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
            if unproved.is_file() and age_s(unproved.stat()) > JUST_MADE_S:  # else it may be there, and not locked yet
                with _in_the_making(unproved):
                    _remove(unproved)
        except OSError:
            continue  # it is being made


@contextmanager
def _in_the_making(unproved: Path) -> Iterator[None]:
    """Holds a lock on the copy, which ends with the process; `OSError` where another process has it."""
    handle = os.open(unproved, os.O_RDONLY)
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def open_copy(path: Path) -> sqlite3.Connection:
    """A connection to the copy that is being made."""
    return sqlite3.connect(path, isolation_level=None)
