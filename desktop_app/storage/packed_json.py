"""Packed JSON: JSON whose long strings are kept elsewhere, once.

Canonical rules: objects keep the order of their keys, tuples come back as lists and mappings as dicts; every string,
number and constant comes back equal. The bytes are UTF-8 in which lone surrogates pass. Marks in packed JSON are
objects with one key:

- `{"$": key}` or `{"$": [key, prefix, newlines]}`: a long string; its body is the block `key`, before it stands
  `PREFIXES[prefix]`, after it that many newlines, so that a message and its labelled form share one block;
- `{"$o": [[key, value], ...]}`: an object with keys that begin with `$`;
- `{"$t": key}`: a value whose packed text is the block `key`;
- `{"$j": [[style, value] | string, ...]}`: a string made of lines, some of them the text of a JSON value in one of
  the styles of `json_lines`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.core.messages import Json

if TYPE_CHECKING:  # few texts are made of JSON lines: the first paint does without what reads and writes them
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
    """Packed JSON from its text."""
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
    """Packed JSON of a string that may hold JSON lines, whose long strings then become blocks of their own; `first` is
    its first line, where that is one.
    """
    start, *others = text.split("\n")
    begin = pack(start, put) if first is None else [first.style, pack(first.value, put)]
    lines = [begin, *(_pack_line(line, put) for line in others)]
    if any(isinstance(line, list) for line in lines):
        return {"$j": lines}
    return pack(text, put)


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
        content = packed.get("$")
        if content is not None:
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
