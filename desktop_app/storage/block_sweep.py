"""Removes blocks of text that nothing refers to any more.

No row tells who refers to a block, so all that may refer are read, in steps. Meanwhile the blocks in question are
retired: their hash is changed, so that the same text, said again, becomes a block of its own, and none of them can be
referred to anew.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from secrets import token_bytes
from typing import Final

from desktop_app.storage.block_store import read_blocks
from desktop_app.storage.sqlite_connection import Transactions

_SHA256: Final = 32
"""Bytes of the hash of a block that is not retired."""

_MARK: Final = 8
"""Random bytes behind the hash of a block that is retired, others each time."""

_REFERENCE: Final = re.compile(rb'\{\s*"\$(t?)"\s*:\s*\[?\s*(\d+)')
"""A reference in packed JSON; in a string of that the quotes would stand behind backslashes."""

_DAMAGED: Final = (KeyError, zlib.error, TypeError, UnicodeDecodeError)

_ROWS: Final = 1_000
"""Rows that are read at once: 10 ms."""

_AT_ONCE: Final = 500

_READ: Final = {
    "message": "SELECT key, parts FROM message WHERE key > ? ORDER BY key LIMIT ?",
    "request": "SELECT key, body FROM request WHERE key > ? ORDER BY key LIMIT ?",
}


def retire_blocks(
    connection: sqlite3.Connection, texts: Iterable[bytes], *, packed: bool = False, keys: Iterable[int] = ()
) -> None:
    """Retires the blocks that these rows refer to, inside the caller's write. `packed`: the rows are of requests."""
    found = set(keys)
    for text in texts:
        found |= _references(connection, _unpacked(text) if packed else text, {})
    wanted, mark = sorted(found), token_bytes(_MARK)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        rows = connection.execute(f"SELECT key, sha256 FROM block WHERE key IN ({','.join('?' * len(some))})", some)
        # the key, as no two may be alike
        changed = [(sha256[:_SHA256] + mark + str(key).encode(), key) for key, sha256 in rows.fetchall()]
        connection.executemany("UPDATE block SET sha256 = ? WHERE key = ?", changed)


class BlockSweep:
    """One search for what still refers to blocks that are retired when it begins. `erased`: what they were retired for.

    Several processes may search at once: one that was used again since, and retired again, has another mark.
    """

    def __init__(self, transactions: Transactions, erased: Sequence[str]) -> None:
        self.erased = erased
        self._transactions = transactions
        with transactions.read_plain() as connection:
            query = "SELECT key, sha256 FROM block WHERE length(sha256) > ?"
            self._retired = dict(connection.execute(query, (_SHA256,)).fetchall())
        self._unseen = set(self._retired)
        self._tables = list(_READ) if self._unseen else []
        self._after = 0
        self._inside: dict[int, frozenset[int]] = {}

    def step(self) -> bool:
        """Reads some rows, or removes what was not seen; True if that is done."""
        if not self._tables:
            self._finish()
            return True
        table = self._tables[0]
        with self._transactions.read_plain() as connection:
            rows = connection.execute(_READ[table], (self._after, _ROWS)).fetchall()
            for _, text in rows:
                data = _unpacked(text) if table == "request" else text
                self._unseen -= _references(connection, data, self._inside)
        if rows:
            self._after = rows[-1][0]
        else:
            self._tables.pop(0)
            self._after = 0
        return False

    def _finish(self) -> None:
        with self._transactions.write_plain() as connection:
            versions = connection.execute("SELECT DISTINCT block_key FROM artifact_version").fetchall()
            self._unseen -= {key for (key,) in versions}
            gone = [(key, sha256) for key, sha256 in self._retired.items() if key in self._unseen]
            connection.executemany("DELETE FROM block WHERE key = ? AND sha256 = ?", gone)
            # one whose text was said again meanwhile stays retired: there is a block with its hash
            connection.executemany(
                "UPDATE OR IGNORE block SET sha256 = ? WHERE key = ? AND sha256 = ?",
                [(sha256[:_SHA256], key, sha256) for key, sha256 in self._retired.items() if key not in self._unseen],
            )


def _references(connection: sqlite3.Connection, data: bytes, inside: dict[int, frozenset[int]]) -> set[int]:
    """The blocks that packed JSON refers to, also by way of blocks that hold packed JSON, which `inside` remembers."""
    found: set[int] = set()
    for nested, number in _REFERENCE.findall(data):
        key = int(number)
        found.add(key)
        if nested:
            if key not in inside:
                inside[key] = frozenset()  # a circle can't be, but would never end
                try:
                    text = read_blocks(connection, (key,))(key)
                except _DAMAGED:
                    continue
                inside[key] = frozenset(_references(connection, text.encode("utf-8", "surrogatepass"), inside))
            found |= inside[key]
    return found


def _unpacked(body: bytes) -> bytes:
    try:
        return zlib.decompress(body)
    except _DAMAGED:
        return b""  # nobody can tell any more what it referred to
