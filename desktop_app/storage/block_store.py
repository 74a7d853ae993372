"""The table of content blocks: every long string of messages and requests once, by SHA-256."""

from __future__ import annotations

import sqlite3
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable

_RAW, _ZLIB = 0, 1
_WORTH_IT = 0.9
"""A block is stored compressed if that takes less than this share of its bytes."""

_SMALL = 512
"""Bytes up to which a block is not compressed: it would save a third of little, and cost 7 us with every reading."""

_LEVEL = 4
"""Of zlib: on chat text 0.5 % of the bytes more than the default level 6, in three quarters of the time."""

_REMEMBERED = 2_000_000
"""Characters of strings whose keys are remembered: a question stands in its message and again in its request."""

_AT_ONCE = 500
"""Blocks read with one statement."""


_MOST_PACKED = 1_100
"""Bytes that one byte of zlib's can stand for."""
_PIECE = 1 << 20
"""Bytes of a long block that are unpacked at a time."""


class BlockStore:
    """Puts and gets strings. Blocks are never changed or removed, so a key once committed stays valid."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.keys: dict[str, int] = {}
        self._remembered = 0

    def put(self, text: str) -> int:
        """The key of the block with this text, which is added if it is new. Call inside a write transaction."""
        key = self.keys.get(text)
        if key is None:
            key = self._find_or_add(text.encode("utf-8", "surrogatepass"))
            self._remember(text, key)
        return key

    def get(self, key: int) -> str:
        """The text of a block; `KeyError` if there is none."""
        return read_blocks(self._connection, (key,))(key)

    def forget(self) -> None:
        """Drops what is remembered: after a rollback the keys of new blocks are void."""
        self.keys.clear()
        self._remembered = 0

    def _find_or_add(self, data: bytes) -> int:
        import hashlib  # loads OpenSSL, which the first paint does without: it only reads

        digest = hashlib.sha256(data).digest()
        found = self._connection.execute("SELECT key FROM block WHERE sha256 = ?", (digest,)).fetchone()
        if found is not None:
            return int(found[0])
        small = zlib.compress(data, _LEVEL) if len(data) > _SMALL else data
        encoding, stored = (_ZLIB, small) if len(small) < _WORTH_IT * len(data) else (_RAW, data)
        cursor = self._connection.execute(
            "INSERT INTO block (sha256, encoding, data) VALUES (?, ?, ?)", (digest, encoding, stored)
        )
        return int(cursor.lastrowid or 0)

    def _remember(self, text: str, key: int) -> None:
        if self._remembered + len(text) > _REMEMBERED:
            self.forget()
        self.keys[text] = key
        self._remembered += len(text)


def read_blocks(connection: sqlite3.Connection, keys: Iterable[int], most: int | None = None) -> Callable[[int], str]:
    """Reads many blocks at once; the returned function gives the text of each, `KeyError` for one that is missing.

    For one that is damaged it raises what reading that raised: it costs no other block. `most`: so many characters of
    each are read at most.
    """
    wanted = list(dict.fromkeys(keys))
    texts: dict[int, str] = {}
    damaged: dict[int, Exception] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        rows = connection.execute(f"SELECT key, encoding, data FROM block WHERE key IN ({marks})", some)
        for key, encoding, data in rows:
            try:
                if most is not None and len(data) > most // _MOST_PACKED:
                    texts[key] = _beginning(data, most, packed=encoding == _ZLIB)
                    continue
                raw = zlib.decompress(data) if encoding == _ZLIB else data
                texts[key] = raw.decode("utf-8", "surrogatepass")
            except (zlib.error, AttributeError, TypeError, UnicodeDecodeError) as error:
                damaged[key] = error
    if not damaged:
        return texts.__getitem__

    def text_of(key: int) -> str:
        if key in damaged:
            raise damaged[key]
        return texts[key]

    return text_of


def _beginning(data: bytes, most: int, *, packed: bool) -> str:
    """The first characters of a block; what follows them is not unpacked."""
    decoder, unpacker = getincrementaldecoder("utf-8")("surrogatepass"), zlib.decompressobj()
    if not packed:
        return decoder.decode(data[: 4 * most])[:most]
    pieces: list[str] = []
    length = 0
    while length < most and (piece := unpacker.decompress(data, _PIECE)):
        data = unpacker.unconsumed_tail
        pieces.append(decoder.decode(piece))
        length += len(pieces[-1])
    return "".join(pieces)[:most]
