"""Brings a history that can't be used back: sets it aside, restores the newest good backup, adds what can be salvaged.

Nothing is deleted. One process does it at a time, and only where no other has the file open.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import HistoryRepair, MergeCount, RepairKind, TrashItem
from desktop_app.storage import sqlite_errors
from desktop_app.storage.backup_folder import made_at
from desktop_app.storage.checked_rows import mend_blocks
from desktop_app.storage.erasure_store import FILE, erase_items
from desktop_app.storage.file_format import APPLICATION_ID, FURTHEST, NEWEST, is_void, readable
from desktop_app.storage.file_identity import NoFile
from desktop_app.storage.history_merge import merge_history
from desktop_app.storage.migrations import missing_of_format
from desktop_app.storage.reading_copy import MergeSource
from desktop_app.storage.repair_marks import is_empty, link_target, repaired_file, suspect_mark
from desktop_app.storage.salvage import Salvaged, SqlitePages, salvage
from desktop_app.storage.sqlite_connection import Transactions, connect
from desktop_app.system.private_files import is_byte_locked, lock, make_private_file, put_in_place, unlock_and_remove
from desktop_app.system.system_clock import utc_now

_DETAILS: Final = 12
"""Lines of what SQLite found that are told."""

_SHM_LOCKED: Final = 128
"""Byte of the -shm file that every process which has the history open holds a lock on, as SQLite documents it."""

log = logging.getLogger(__name__)


def repair_history(path: Path, backups: Iterable[Path]) -> HistoryRepair | None:
    """Makes the file at `path` a history that can be used; None where it is one already.

    `backups`: undamaged earlier states, newest first; one that is not good is passed over. Raises `UserError("store")`
    where another process has the file open or repairs it, where a newer version wrote it, or where the disk refuses.
    """
    path = link_target(path)  # a link stays one
    was_empty = is_empty(path)
    try:
        with _alone(path) as alone:
            if was_empty and not is_empty(path):
                return None  # another process has brought it back meanwhile, and may have it open
            if not alone:
                raise sqlite_errors.open_elsewhere(path)
            return _repaired(path, list(backups))
    except (sqlite3.Error, OSError) as error:
        raise sqlite_errors.store_error(error, path) or error from error


def _repaired(path: Path, backups: Sequence[Path]) -> HistoryRepair | None:
    ready = repaired_file(path)
    begun = f".{path.name}-repair-"
    for left in path.parent.glob(f"{begun}*"):  # by one who was killed: we are alone
        shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=begun, dir=path.parent) as made:
        folder = Path(made)
        if (look := _looked_at(path, folder, backups)) is None:
            suspect_mark(path).unlink(missing_ok=True)
            ready.unlink(missing_ok=True)  # what it was to replace is good by now
            return None
        if ready.exists() and _holds(ready) is not None:  # by one who was ended before it was in place
            found = _found_in(ready, look)
        else:
            new, found = _made_anew(look, folder, backups)
            put_in_place(new, ready)
    aside = _set_aside(path)
    put_in_place(ready, path)
    suspect_mark(path).unlink(missing_ok=True)
    log.info("the history was repaired: %s, %s messages", found.kind, found.messages)
    return replace(found, aside=aside)


def _found_in(ready: Path, look: _Look) -> HistoryRepair:
    with closing(sqlite3.connect(ready)) as connection:
        return HistoryRepair(look.kind, _threads(connection), _messages(connection), details=look.details)


@dataclass(frozen=True, slots=True)
class _Look:
    """The faults of a file, and a copy of it that may be worked on."""

    kind: RepairKind
    details: tuple[str, ...]
    copy: Path


def _looked_at(path: Path, folder: Path, backups: Sequence[Path]) -> _Look | None:
    """None where nothing is wrong. The copy is looked at: SQLite would change the file by looking at it.

    Of `texts` alone nothing is wrong any more in the copy: they came back from the backups.
    """
    copy = folder / "damaged.db"
    make_private_file(copy)
    if path.exists():
        shutil.copyfile(path, copy)
    log_file = path.with_name(f"{path.name}-wal")
    if log_file.is_file():
        make_private_file(copy.with_name(f"{copy.name}-wal"))
        shutil.copyfile(log_file, copy.with_name(f"{copy.name}-wal"))
    pages = SqlitePages(copy)
    if copy.stat().st_size == 0 and not pages.has_header:
        return _Look("emptied" if path.exists() else "missing", (), copy)
    if not pages.has_header:
        return _Look("damaged", ("the file does not begin as an SQLite database does",), copy)
    if pages.application != APPLICATION_ID and not _is_ours(pages):
        return _Look("foreign", (f"application id {pages.application:#x}",), copy)
    if pages.application == APPLICATION_ID and NEWEST < pages.version <= FURTHEST:
        raise sqlite_errors.newer_file(path, pages.version, NEWEST)
    details = _damage_of(copy, folder)
    if pages.version > FURTHEST:
        details = (f"format {pages.version}", *details)
    if pages.application != APPLICATION_ID:
        details = (f"application id {pages.application:#x}", *details)
    if details:
        return _Look("damaged", details, copy)
    with closing(sqlite3.connect(copy)) as connection:
        void = is_void(connection)
    if void and (best := _to_restore(backups)) is not None and _holds(best):
        return _Look("emptied", (), copy)
    damaged, left = mend_blocks(copy, backups)
    return _Look("damaged" if left else "texts", (f"{damaged} damaged texts",), copy) if damaged else None


def _is_ours(pages: SqlitePages) -> bool:
    return {"thread", "message", "block"} <= {root.name for root in pages.roots()}


def _damage_of(copy: Path, folder: Path) -> tuple[str, ...]:
    """Return the faults that SQLite finds, in a copy of the copy, as it writes by looking."""
    looked_at = folder / "looked-at.db"
    for ending in ("", "-wal"):
        beside = copy.with_name(copy.name + ending)
        if beside.is_file():
            shutil.copyfile(beside, looked_at.with_name(looked_at.name + ending))
    try:
        with closing(sqlite3.connect(looked_at, isolation_level=None)) as connection:
            connection.text_factory = readable
            if missing := sorted(missing_of_format(connection)):
                return (f"of its format it lacks {', '.join(missing)}",)
            found = [str(one) for (one,) in connection.execute(f"PRAGMA integrity_check({_DETAILS})")]
            for index in ("message_text", "passage_text"):
                if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (index,)).fetchone():
                    connection.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # damaged names stand in messages of SQLite
        return (str(error),)
    finally:
        for ending in ("", "-wal", "-shm"):
            looked_at.with_name(looked_at.name + ending).unlink(missing_ok=True)
    return () if found == ["ok"] else tuple(found)


def _made_anew(look: _Look, folder: Path, backups: Sequence[Path]) -> tuple[Path, HistoryRepair]:
    """A whole history in the folder, and what it is made of."""
    backup = _to_restore(backups) if look.kind in ("emptied", "missing") else _best(backups)
    new = folder / "new.db"
    if look.kind == "texts":
        with closing(connect(look.copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return look.copy, _found_in(look.copy, look)
    if backup is not None:
        make_private_file(new)
        shutil.copyfile(backup, new)
    with closing(connect(new)) as connection:
        before = _messages(connection)
        count, salvaged, missing = MergeCount(), Salvaged({}, (), True, 0, False), 0
        if look.kind != "foreign":
            count, salvaged = _merged(look, folder, connection, backup, backups)
            missing = _missing(connection, folder / "salvaged.db", salvaged)
        threads, messages = _threads(connection), _messages(connection)
        if (verdict := str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])) != "ok":
            raise sqlite3.DatabaseError(verdict)
        connection.execute("PRAGMA journal_mode = DELETE")  # one file that can be moved
    kind: RepairKind = look.kind
    unreadable = count.unreadable
    if kind == "damaged" and salvaged.had_header and not salvaged.damaged and not missing and not unreadable:
        kind = "index"  # all rows were there
    if kind == "damaged" and not salvaged.had_header and not sum(salvaged.rows.values()):
        kind = "foreign"  # nothing in it is ours
    found = HistoryRepair(
        kind=kind,
        backup="" if backup is None else str(backup),
        backup_at=None if backup is None else made_at(backup)[0],
        threads=threads,
        messages=messages,
        salvaged=messages - before,
        missing=missing,
        unreadable=unreadable,
        details=look.details,
    )
    return new, found


def _merged(
    look: _Look, folder: Path, connection: sqlite3.Connection, backup: Path | None, backups: Sequence[Path]
) -> tuple[MergeCount, Salvaged]:
    target = folder / "salvaged.db"
    good = folder / "new.db" if backup is not None else None
    if good is not None:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # its tables are looked up in the file itself
    salvaged = salvage(look.copy, target, good)
    mend_blocks(target, backups)
    if not (salvaged.rows.get("thread") or salvaged.rows.get("message")):
        return MergeCount(), salvaged
    count = merge_history(Transactions(connection, NoFile()), target, None, newer=True)
    _erase_since(connection, target)
    return count, salvaged


_FEWER: Final = """
    SELECT coalesce(sum(max(0, message_count - (
        SELECT count(*) FROM message JOIN thread ON thread.key = thread_key WHERE thread.id = known.id
    ))), 0) FROM salvaged.thread AS known
"""


def _missing(connection: sqlite3.Connection, target: Path, salvaged: Salvaged) -> int:
    """The number of known messages that neither the damaged file nor the backup has; threads count theirs, too."""
    here = {one for (one,) in connection.execute("SELECT id FROM message")}
    lost = sum(one not in here for one in salvaged.lost)
    if salvaged.whole:
        return lost
    connection.execute("ATTACH ? AS salvaged", (str(target),))
    fewer = int(connection.execute(_FEWER).fetchone()[0])
    connection.execute("DETACH salvaged")
    return max(lost, fewer)


def _erase_since(connection: sqlite3.Connection, salvaged: Path) -> None:
    """Remove the items deleted for good after the backup was made from those that it brought back."""
    with closing(sqlite3.connect(salvaged)) as source:
        if source.execute("SELECT 1 FROM sqlite_master WHERE name = 'erasure'").fetchone() is None:
            return
        gone = "SELECT kind, id FROM erasure WHERE stage = 0 OR id NOT IN (SELECT id FROM thread)"
        rows = source.execute(gone).fetchall()
    known = {one for (one,) in connection.execute("SELECT id FROM erasure")}
    new = [(kind, one) for kind, one in rows if one not in known]
    items = [TrashItem(kind, one, "", "") for kind, one in new if kind != FILE]
    if new:
        erase_items(connection, items, [one for kind, one in new if kind == FILE])


def _best(backups: Iterable[Path]) -> Path | None:
    """The newest good one in which something is, else the newest good one."""
    void: Path | None = None
    for one in backups:
        if holds := _holds(one):
            return one
        void = one if void is None and holds is not None else void
    return void


def _to_restore(backups: Iterable[Path]) -> Path | None:
    """The best one; those that a newer version made are not passed over for an empty history."""
    best = _best(backups)
    for one in backups if best is None else ():
        if (pages := SqlitePages(one)).application == APPLICATION_ID and NEWEST < pages.version <= FURTHEST:
            raise sqlite_errors.newer_file(one, pages.version, NEWEST)
    return best


def _holds(backup: Path) -> bool | None:
    """Return True if something is in a copy of a history; None: it is not good."""
    try:
        with closing(MergeSource(backup)) as source:
            return not is_void(source.connection)
    except (PlimsollError, OSError) as error:
        log.warning("the backup %s is passed over: %s", backup.name, type(error).__name__)
        return None


def _threads(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM thread WHERE deleted IS NULL").fetchone()[0])


def _messages(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM message").fetchone()[0])


def _set_aside(path: Path) -> str:
    """Gives the file, and what belongs to it, another name, so that a whole one never is without its -wal."""
    stamp = utc_now().strftime("%Y%m%dT%H%M%S.%fZ")
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    log_file = path.with_name(f"{path.name}-wal")
    kept: list[str] = []
    for found, name in ((path, aside), (log_file, aside.with_name(f"{aside.name}-wal"))):
        if found.exists():
            try:
                os.link(found, name)
            except OSError:  # a file system without links
                make_private_file(name)
                shutil.copyfile(found, name)
            kept.append(name.name)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return kept[0] if kept else ""


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Holds the lock of repairing; False where another process has the history open."""
    held = path.with_name(f"{path.name}.repair-lock")
    handle = _locked(held)
    try:
        yield not is_byte_locked(path.with_name(f"{path.name}-shm"), _SHM_LOCKED)
    finally:
        unlock_and_remove(handle, held)


def _locked(path: Path) -> int:
    """Waits for the lock, which ends with the process."""
    while True:
        make_private_file(path)
        handle = os.open(path, os.O_RDWR)
        lock(handle, wait=True)
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)  # who had it before has removed it
