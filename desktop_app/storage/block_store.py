"""Long strings of messages and requests, kept once: the table of blocks by SHA-256, and packed JSON over it."""

from __future__ import annotations

import json
import sqlite3
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.core.messages import Json

if TYPE_CHECKING:
    from desktop_app.storage.json_lines import JsonLine


LONG = 200
"""Characters from which a string is kept as a block of its own; below that a block's row costs more than it saves."""

PREFIXES = ("", "[USER]: ", "[ASSISTANT]: ")
"""Labels that are not part of a block. The order is part of the format: only append."""

_PREFIX_NUMBERS = range(len(PREFIXES))
_NEWLINES = range(1_000_000)
"""More of them no message ends with; a file of anybody's may say so."""

_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)

Put = Callable[[str], int]
Get = Callable[[int], str]


def to_text(packed: Any) -> str:
    """The compact text of packed JSON."""
    return _COMPACT.encode(packed)


def to_bytes(packed: Any) -> bytes:
    """The compact bytes of packed JSON."""
    return to_text(packed).encode("utf-8", "surrogatepass")


def from_text(text: str) -> Any:
    return json.loads(text)


def from_bytes(data: bytes) -> Any:
    """Packed JSON from its bytes."""
    return from_text(data.decode("utf-8", "surrogatepass"))


def pack(value: Json, put: Put | None) -> Any:
    """Packed JSON of `value`; `put` keeps a long string and returns its key. None: every string stays in place."""
    if isinstance(value, str):
        return value if put is None or len(value) < LONG else _pack_text(value, put)
    if isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101  the first test is ten times as fast
        if any(key.startswith("$") for key in value):
            return {"$o": [[key, pack(item, put)] for key, item in value.items()]}
        return {key: pack(item, put) for key, item in value.items()}
    if isinstance(value, list) or isinstance(value, Sequence):  # noqa: SIM101
        return [pack(item, put) for item in value]
    return value


def shrink(packed: Any, put: Put) -> Any:
    """Packed JSON as one block if it is big: for what recurs unchanged, such as tool definitions."""
    if isinstance(packed, dict | list) and len(text := to_text(packed)) >= LONG:
        return {"$t": put(text)}
    return packed


def pack_lines(text: str, put: Put, first: JsonLine | None) -> Any:
    """Packed JSON of a string that may hold JSON lines, whose long strings become blocks; `first`: such a line."""
    start, *others = text.split("\n")
    begin = pack(start, put) if first is None else [first.style, pack(first.value, put)]
    lines = [begin, *(_pack_line(line, put) for line in others)]
    return {"$j": lines} if any(isinstance(line, list) for line in lines) else pack(text, put)


def unpack(packed: Any, get: Get) -> Any:
    """The value that was packed; `get` returns the string kept under a key."""
    if isinstance(packed, str):
        return packed
    if isinstance(packed, dict):
        if len(packed) == 1:
            mark, content = next(iter(packed.items()))
            if mark.startswith("$"):
                return _unpack_mark(mark, content, get)
        return {key: unpack(item, get) for key, item in packed.items()}
    if isinstance(packed, list):
        return [unpack(item, get) for item in packed]
    return packed


def block_keys(packed: Any) -> list[int]:
    """The keys of the strings that packed JSON refers to directly."""
    if isinstance(packed, dict):
        if (content := packed.get("$")) is not None:
            return [content[0] if isinstance(content, list) else content]
        return [key for item in packed.values() for key in block_keys(item)]
    if isinstance(packed, list):
        return [key for item in packed for key in block_keys(item)]
    return []


def renumbered(packed: Any, key_of: Callable[[int], int], tree_key_of: Callable[[int], int] | None = None) -> Any:
    """Packed JSON whose blocks go by other keys: those of strings by `key_of`, those of packed texts by `tree_key_of`.

    `ValueError` for what no version writes: the file that it comes from may be anybody's.
    """
    if isinstance(packed, dict):
        mark = next(iter(packed), "")
        if len(packed) == 1 and mark.startswith("$"):
            return {mark: _renumbered_mark(mark, packed[mark], key_of, tree_key_of)}
        return {name: renumbered(item, key_of, tree_key_of) for name, item in packed.items()}
    if isinstance(packed, list):
        return [renumbered(item, key_of, tree_key_of) for item in packed]
    return packed


def _renumbered_mark(
    mark: str, content: Any, key_of: Callable[[int], int], tree_key_of: Callable[[int], int] | None
) -> Any:
    match mark, content:
        case "$", int():
            return key_of(content)
        case "$", [int(key), int(prefix), int(newlines)] if prefix in _PREFIX_NUMBERS and newlines in _NEWLINES:
            return [key_of(key), prefix, newlines]
        case "$o", list():
            return [_renumbered_item(item, key_of, tree_key_of) for item in content]
        case "$j", list():
            from desktop_app.storage.json_lines import STYLES

            return [_renumbered_item(line, key_of, tree_key_of, of=STYLES) for line in content]
        case "$t", int() if tree_key_of is not None:
            return tree_key_of(content)
        case ("$s", 0) | ("$", {"$s": 0}) if tree_key_of is not None:  # where a request's spine was
            return content
    raise ValueError(f"mark {mark[:8]} in packed JSON, of a form that no version writes")


def _renumbered_item(
    item: Any, key_of: Callable[[int], int], tree_key_of: Callable[[int], int] | None, of: range | None = None
) -> Any:
    """An item of `$o`, a name and what it stands for, or with `of` a line of `$j`: its style and value, or a text."""
    match item:
        case [int(style), value] if of is not None and style in of:
            return [style, renumbered(value, key_of, tree_key_of)]
        case [str(name), value] if of is None:
            return [name, renumbered(value, key_of, tree_key_of)]
        case str() | dict() if of is not None:
            return renumbered(item, key_of, tree_key_of)
    raise ValueError("an item of packed JSON of a form that no version writes")


def _pack_text(text: str, put: Put) -> Any:
    prefix = next(index for index in range(len(PREFIXES) - 1, -1, -1) if text.startswith(PREFIXES[index]))
    body = text[len(PREFIXES[prefix]) :].rstrip("\n")
    newlines = len(text) - len(PREFIXES[prefix]) - len(body)
    if len(body) < LONG:
        return text
    key = put(body)
    return {"$": [key, prefix, newlines] if prefix or newlines else key}


def _pack_line(line: str, put: Put) -> Any:
    """`[style, packed value]` of a JSON line that can be written again byte for byte, else the packed string."""
    from desktop_app.storage.json_lines import read_line

    found = read_line(line) if len(line) >= LONG else None
    return pack(line, put) if found is None else [found.style, pack(found.value, put)]


def _unpack_mark(mark: str, content: Any, get: Get) -> Any:
    match mark:
        case "$":
            key, prefix, newlines = content if isinstance(content, list) else (content, 0, 0)
            return PREFIXES[prefix] + get(key) + "\n" * newlines
        case "$o":
            return {key: unpack(item, get) for key, item in content}
        case "$t":
            return unpack(json.loads(get(content)), get)
        case "$j":
            from desktop_app.storage.json_lines import write_line

            lines = (
                write_line(unpack(line[1], get), line[0]) if isinstance(line, list) else unpack(line, get)
                for line in content
            )
            return "\n".join(lines)
        case _:
            raise ValueError(f"unknown mark {mark} in packed JSON")


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
        if (key := self.keys.get(text)) is None:
            key = self._find_or_add(text.encode("utf-8", "surrogatepass"))
            if self._remembered + len(text) > _REMEMBERED:
                self.forget()
            self.keys[text] = key
            self._remembered += len(text)
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
