"""Verifies the texts that a history stores compressed or by their hash, which no check of SQLite looks into.

A block that is damaged can be put back from a backup: there it goes by the same hash.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from desktop_app.storage.file_format import readable
from desktop_app.storage.merge_rows import MOST_BYTES, inflated
from desktop_app.storage.row_mapping import UNREADABLE

_ROWS: Final = 200
"""Read at once: some milliseconds."""

_SHA256: Final = 32
"""Bytes of a block's hash; behind them stands a mark where it is about to be removed."""

_ZLIB: Final = 1
"""The encoding of what is compressed, of blocks and of documents' texts."""

_READ: Final = {
    "block": "SELECT key, encoding, data, sha256 FROM block WHERE key > ? ORDER BY key LIMIT ?",
    "request": "SELECT key, 1, body, NULL FROM request WHERE key > ? ORDER BY key LIMIT ?",
    "document_text_part": "SELECT rowid, encoding, data, NULL FROM document_text_part WHERE rowid > ? "
    "ORDER BY rowid LIMIT ?",
}


def damaged_texts(
    connection: sqlite3.Connection, pause: Callable[[], None] = lambda: None
) -> Iterator[tuple[str, int]]:
    """Table and key of each row whose text can't be read, or is another one. `pause` is called between reads."""
    for table, query in _READ.items():
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is None:
            continue  # of an older format
        after, more = 0, True
        while more:
            more = False
            for key, encoding, data, sha256 in connection.execute(query, (after, _ROWS)):
                after, more = key, True
                if not _is_whole(encoding, data, sha256):
                    yield table, key
            pause()


def mend_blocks(path: Path, backups: Sequence[Path]) -> tuple[int, int]:
    """Puts damaged blocks of the history at `path` back from the first backup that has them.

    Returns how many texts were damaged, and how many still are.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = readable
        left = dict.fromkeys(damaged_texts(connection))
        damaged = len(left)
        connection.execute("BEGIN")
        for backup in backups:
            blocks = [key for table, key in left if table == "block"]
            for key in _mended(connection, blocks, backup) if blocks else ():
                del left["block", key]
        connection.execute("COMMIT")
    return damaged, len(left)


def _mended(connection: sqlite3.Connection, keys: Iterable[int], backup: Path) -> Iterator[int]:
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("PRAGMA trusted_schema = OFF")
            for key in keys:
                (sha256,) = connection.execute("SELECT sha256 FROM block WHERE key = ?", (key,)).fetchone()
                found = source.execute("SELECT encoding, data FROM block WHERE sha256 = ?", (sha256[:_SHA256],))
                row = found.fetchone()
                if row is not None and _is_whole(row[0], row[1], sha256):
                    connection.execute("UPDATE block SET encoding = ?, data = ? WHERE key = ?", (*row, key))
                    yield key
    except (sqlite3.Error, OSError):
        return  # the next one may have it


def _is_whole(encoding: Any, data: Any, sha256: Any) -> bool:
    try:
        raw = inflated(data, MOST_BYTES) if encoding == _ZLIB else data
        return sha256 is None or hashlib.sha256(raw).digest() == sha256[:_SHA256]
    except UNREADABLE:
        return False
