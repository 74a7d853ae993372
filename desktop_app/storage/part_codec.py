"""The versioned JSON form of a message's parts, without SQLModel, so that the first paint can use it.

A part is an object with its `kind` and the fields that differ from their defaults. What does not have exactly the
shape this version writes (a kind or field of a newer one) becomes an `UnknownPart` and is written back as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

from desktop_app.core.messages import (
    PART_KINDS,
    UNKNOWN,
    JsonObject,
    Part,
    TextPart,
    UnknownPart,
    filled_fields,
    is_required,
    kind_of,
)

PARTS_VERSION = 1
"""Version of the JSON form; it grows when a kind's fields change their meaning."""

_ONE_TEXT, _END_OF_ONE = b'{"v":%d,"parts":[{"kind":"text","text":' % PARTS_VERSION, b"}]}"
_ONE_BLOCK, _END_OF_BLOCK = _ONE_TEXT + b'{"$":', b"}" + _END_OF_ONE
_NAMES = {kind.name: frozenset(one.name for one in kind.fields) | {"kind"} for kind in PART_KINDS.values()}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "bool": (bool,),
    "int": (int,),
    "str | None": (str, NoneType),
    "JsonObject": (dict,),
}
_CHECKS = {
    kind.name: tuple((one.name, _TYPES[str(one.type)], is_required(one)) for one in kind.fields)
    for kind in PART_KINDS.values()
}


def encode_parts(parts: Sequence[Part]) -> JsonObject:
    """The JSON form of a message's parts."""
    return {"v": PARTS_VERSION, "parts": [_encode(part) for part in parts]}


def one_text(parts: Sequence[Part]) -> str | None:
    """The text, where that is all there is in the parts, as in most messages."""
    if len(parts) == 1 and isinstance(parts[0], TextPart) and not parts[0].extra:
        return parts[0].text
    return None


def encode_one_text(packed: bytes) -> bytes:
    """The packed JSON of parts that are one text, by that of the text; in an import this is done for each message."""
    return _ONE_TEXT + packed + _END_OF_ONE


def block_of_one_text(stored: bytes) -> int | None:
    """The block's key where the parts are one text kept in a block, as most messages are; found without reading JSON.

    `stored` is the packed JSON of the parts; None for all other parts.
    """
    if stored.startswith(_ONE_BLOCK) and stored.endswith(_END_OF_BLOCK):
        key = stored[len(_ONE_BLOCK) : -len(_END_OF_BLOCK)]
        return int(key) if key.isdigit() else None
    return None


def decode_parts(data: JsonObject) -> tuple[Part, ...]:
    """The parts of their JSON form, plain `dict` and `list`. A newer version's parts all become `UnknownPart`."""
    stored = data.get("parts")
    if not isinstance(stored, list):
        return ()
    newer = data.get("v") != PARTS_VERSION
    return tuple(UnknownPart(part) if newer else _decode(part) for part in stored if isinstance(part, dict))


def _encode(part: Part) -> JsonObject:
    if isinstance(part, UnknownPart):
        kind = part.raw.get("kind")
        foreign = isinstance(kind, str) and kind not in PART_KINDS and kind != UNKNOWN
        return part.raw if foreign else {"kind": UNKNOWN, "raw": part.raw}
    return {"kind": kind_of(part).name, **filled_fields(part)}


def _decode(data: dict[str, Any]) -> Part:
    kind = data.get("kind")
    if kind == UNKNOWN and isinstance(data.get("raw"), dict) and len(data) == len(("kind", "raw")):
        return UnknownPart(data["raw"])
    if not isinstance(kind, str) or kind not in PART_KINDS or not _fits(kind, data):
        return UnknownPart(data)
    part: Part = PART_KINDS[kind].part_class(**{name: value for name, value in data.items() if name != "kind"})
    return part


def _fits(kind: str, data: dict[str, Any]) -> bool:
    if not _NAMES[kind].issuperset(data):
        return False
    return all(
        isinstance(data[name], types) if name in data else not required for name, types, required in _CHECKS[kind]
    )
