"""Takes what was deleted for good out of the file's free space and out of copies of the history."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import HistoryCopy, TrashItem
from desktop_app.core.phrases import phrase
from desktop_app.storage.backup import back_up
from desktop_app.storage.backup_folder import copies_elsewhere
from desktop_app.storage.block_store import BlockStore
from desktop_app.storage.erasure_store import DONE, SPACE, TABLES, ErasureStore
from desktop_app.storage.file_format import APPLICATION_ID
from desktop_app.storage.file_identity import NoFile
from desktop_app.storage.message_store import MessageStore
from desktop_app.storage.sqlite_connection import Transactions, connect
from desktop_app.storage.sqlite_errors import store_error
from desktop_app.system.system_clock import age_s

WAIT_S: Final = 10.0
"""Seconds to wait for others' reading and writing."""

_SPARE: Final = 1.1
"""Of the file's size; the -wal has a few bytes more for each page."""


def compact(path: Path, free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free) -> None:
    """Compacts the file and empties its -wal, on a connection of its own; others can read meanwhile, but not write.

    `UserError("store")`, and nothing changed, where the disk is too full or the file is in use by somebody else.
    """
    _check_room(path, free)
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            cleaned = connection.execute("SELECT id FROM erasure WHERE stage = ?", (SPACE,)).fetchall()
            connection.execute("VACUUM")
            _empty_log(connection, path)
            rows = [(DONE, *row, SPACE) for row in cleaned]
            connection.executemany("UPDATE erasure SET stage = ? WHERE id = ? AND stage = ?", rows)
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) or error from error


def _empty_log(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        return
    raise UserError(
        "store", phrase("Another window or command is using {path}. The rest is done at the next start.", path=path)
    )


def _check_room(path: Path, free: Callable[[Path], int]) -> None:
    """Check that the disk has room: SQLite rewrites the file among the temporary files first, then beside the old
    one.
    """
    needed = int(path.stat().st_size * _SPARE)
    temporary = Path(os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp")
    places: dict[int, tuple[Path, int]] = {}
    for folder in (path.parent, temporary):
        if folder.is_dir():
            device = folder.stat().st_dev
            places[device] = places.get(device, (folder, 0))[0], places.get(device, (folder, 0))[1] + needed
    for folder, bytes_needed in places.values():
        if free(folder) < bytes_needed:
            raise UserError(
                "store",
                phrase(
                    "Too little disk space to clear what was deleted: {folder} needs {megabytes:,} MB free. Free some "
                    "space, then empty the trash again.",
                    folder=folder,
                    megabytes=bytes_needed // 1_000_000 + 1,
                ),
            )


log = logging.getLogger(__name__)

_WHERE: Final = {
    **{kind: f"{table} WHERE id = ?" for kind, table in TABLES.items()},
    "file": "document_text WHERE sha256 = ?",
    "message": "message WHERE id = ? AND length(parts) > 20",  # without text it has 16 bytes
}
_MAGIC: Final = b"SQLite format 3\x00"
_PIECE: Final = 2**22
_BEGUN: Final = ".erasing-"
_ABANDONED_S: Final = 3600.0


def copies_with(history: Path, erased: Mapping[str, Sequence[str]]) -> Sequence[HistoryCopy]:
    """The copies in `backups/`, and those beside the history, that hold something of that; by name."""
    found = []
    for path in _copies(history):
        items = sum(1 for _ in _held(path, erased))
        if items:
            found.append(HistoryCopy(str(path), items))
    return tuple(found)


def erase_in_copy(copy: Path, erased: Mapping[str, Sequence[str]]) -> None:
    """Puts a copy without what was deleted for good into the place of this one, which is as old as before.

    The new one is verified first; an older format is brought to this one. Raises `UserError`, `OSError` or
    `sqlite3.Error`; then the copy is as it was.
    """
    remove_abandoned(copy.parent)
    found = copy.stat()
    folder = Path(mkdtemp(prefix=_BEGUN, dir=copy.parent))  # for this user only
    try:
        fresh = folder / "history.db"
        with closing(_reading(copy)) as source:
            back_up(source, fresh)
        with closing(connect(fresh)) as connection:
            held = list(_held(copy, erased))
            items = [TrashItem(kind, one, "", "") for kind, one in held if kind != "file"]  # type: ignore[arg-type]
            erase_items(connection, items, [one for kind, one in held if kind == "file"])
            connection.execute("VACUUM")
            back_up(connection, copy)
        # as old as before, but known to be another file
        os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns + 1_000))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(folder: Path) -> None:
    """Removes what a process that was killed left of `erase_in_copy`."""
    for left in folder.glob(f"{_BEGUN}*"):
        if left.is_dir() and not left.is_symlink() and age_s(left.stat()) > _ABANDONED_S:
            shutil.rmtree(left, ignore_errors=True)


def erase_items(connection: sqlite3.Connection, items: Sequence[TrashItem], files: Sequence[str]) -> None:
    """Deletes for good what has these ids, be it in the trash or not."""
    transactions = Transactions(connection, NoFile())
    blocks = BlockStore(connection)
    transactions.after_rollback(blocks.forget)
    erasure = ErasureStore(transactions, MessageStore(transactions, blocks))
    for item in items:  # there it may never have been in the trash
        if item.kind in TABLES:
            connection.execute(
                f"UPDATE {TABLES[item.kind]} SET deleted = coalesce(deleted, '') WHERE id = ?", (item.id,)
            )
    erasure.begin(items, files=files)
    while erasure.step():
        pass


def _copies(history: Path) -> Iterator[Path]:
    own = (history.parent / "backups").rglob("*")
    for path in sorted([*own, *copies_elsewhere(history), *history.parent.glob(f"{history.stem}*")]):
        if path != history and path.is_file() and not path.is_symlink() and _is_database(path):
            yield path


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _held(path: Path, erased: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    try:
        with closing(_reading(path)) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for kind, ids in erased.items():
                where = _WHERE.get(kind, "")
                if where.partition(" ")[0] in tables:
                    for one in ids:
                        if connection.execute(f"SELECT 1 FROM {where} LIMIT 1", (one,)).fetchone():
                            yield kind, one
    except sqlite3.Error as error:
        log.warning("a copy of the history is damaged: %s", type(error).__name__)
        yield from _named_in(path, erased)
    except OSError as error:
        log.warning("a copy of the history can't be read: %s", type(error).__name__)


def _named_in(path: Path, erased: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the ids that a damaged copy holds, wherever they stand in it."""
    waiting = {one.encode(): (kind, one) for kind, ids in erased.items() for one in ids}
    longest = max(map(len, waiting), default=1)
    before = b""
    with path.open("rb") as file:
        while waiting and (piece := file.read(_PIECE)):
            data = before + piece
            for found in [one for one in waiting if one in data]:
                yield waiting.pop(found)
            before = data[-longest:]


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
