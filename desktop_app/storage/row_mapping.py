"""Maps rows to core values and back, a message's parts as versioned JSON. Without SQLModel: for the first paint."""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from types import NoneType
from typing import Any, TypeVar

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.messages import (
    NO_PARAMETERS,
    PART_KINDS,
    UNKNOWN,
    BoundaryState,
    Failure,
    Json,
    JsonObject,
    Message,
    Part,
    RequestCount,
    TextPart,
    Thread,
    UnknownPart,
    Usage,
    filled_fields,
    is_required,
    kind_of,
    parameters_from_json,
    parameters_to_json,
)
from desktop_app.core.phrases import Phrase, from_json, phrase, to_json
from desktop_app.storage.block_store import Put, block_keys, from_bytes, pack, to_bytes, unpack

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
    return {"v": PARTS_VERSION, "parts": [_encode(part) for part in parts]}


def one_text(parts: Sequence[Part]) -> str | None:
    """The text, where that is all there is in the parts, as in most messages."""
    if len(parts) == 1 and isinstance(parts[0], TextPart) and not parts[0].extra:
        return parts[0].text
    return None


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
    if not isinstance(stored := data.get("parts"), list):
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


THREAD_COLUMNS = tuple(one.name for one in fields(Thread) if one.name != "private")
"""A thread's columns are named as its fields; what is private is in no file."""

_WRITTEN_BY_UPDATE = (
    *("title", "backend", "model", "system", "project", "pinned", "archived", "soft_limit", "choices", "parameters"),
)
_FIELDS: Mapping[Any, frozenset[str]] = {
    value_class: frozenset(one.name for one in fields(value_class))
    for value_class in (Usage, BoundaryState, Failure, RequestCount)
}
_SAID = ("message", "detail")
"""The texts of a failure that may be phrases."""
_COUNTED = ("input", "cache_read", "cache_write", "output", "thinking", "cost_usd")
log = logging.getLogger(__name__)

UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, zlib.error)
"""The errors that reading a damaged row may raise."""

_V = TypeVar("_V")
_T = TypeVar("_T", str, str | None)


def thread_columns(thread: Thread) -> dict[str, Any]:
    """All columns of a new thread. `ValueError` for a private one, which is kept in memory only."""
    if thread.private:
        raise ValueError("a private thread is not for the file")
    return {name: _thread_column(thread, name) for name in THREAD_COLUMNS}


def thread_update(thread: Thread) -> dict[str, Any]:
    """The columns that `History.update_thread` writes."""
    return {name: _thread_column(thread, name) for name in _WRITTEN_BY_UPDATE}


def thread_from(row: Any) -> Thread:
    values = {name: getattr(row, name) for name in THREAD_COLUMNS}
    read = {
        "pinned": bool(row.pinned),
        "archived": bool(row.archived),
        "choices": _decided_from(row.choices, _choices_from, NO_CHOICES),
        "parameters": _decided_from(row.parameters, parameters_from_json, NO_PARAMETERS),
        "draft_count": row.draft_count and _value(RequestCount, row.draft_count),
    }
    return Thread(**values | read)


def draft_count_column(count: RequestCount | None) -> str | None:
    """The `draft_count` column."""
    return _json(count)


def pack_parts(parts: tuple[Part, ...], put: Put | None) -> bytes:
    """The `parts` column; without `put` all text stays in the row, as for an answer that still grows."""
    if (text := one_text(parts)) is not None:
        return _ONE_TEXT + to_bytes(pack(text, put)) + _END_OF_ONE
    return to_bytes(pack(encode_parts(parts), put))


def unpack_parts(stored: bytes) -> tuple[Part, ...]:
    """The parts of what `pack_parts` made without blocks; none where they can't be read."""

    def no_block(key: int) -> str:
        raise KeyError(key)

    try:
        return decode_parts(unpack(from_bytes(stored), no_block))
    except UnicodeDecodeError:
        return unpack_parts(stored.decode("utf-8", "replace").encode())
    except UNREADABLE as error:
        log.warning("the attachments of a draft can't be read: %s", type(error).__name__)
        return ()


def answer_columns(message: Message, put: Put | None) -> dict[str, Any]:
    """The columns of a message that are not fixed when it is first stored."""
    return {
        "state": message.state,
        "parts": pack_parts(message.parts, put),
        "backend": _storable(message.backend),
        "model": _storable(message.model),
        "usage": _json(_sound(message.usage)),
        "stop_reason": _storable(message.stop_reason),
        "prefix_key": _storable(message.prefix_key),
        "window": _json(message.window),
        "failure": _json(message.failure),
    }


def usage_columns(usage: Usage | None) -> dict[str, Any]:
    """The columns of a call's usage, NULL where it is not known."""
    usage = _sound(usage)
    known = usage is not None and usage.is_counted
    return dict.fromkeys(_COUNTED) if not known else {name: getattr(usage, name) for name in _COUNTED}


def message_columns(message: Message, put: Put | None) -> dict[str, Any]:
    """All columns of a message but its keys and depth."""
    return {"id": message.id, "role": message.role, "created": message.created} | answer_columns(message, put)


@dataclass(frozen=True, slots=True)
class _Damaged:
    """Stands for parts that can't be read."""

    error: Exception


def packed_parts(row: Any) -> Any:
    """The packed JSON of a row's parts, still with its block keys; the key alone where all is one text in a block."""
    try:
        return from_bytes(row.parts) if (key := block_of_one_text(row.parts)) is None else key
    except UNREADABLE as error:
        return _Damaged(error)


def blocks_of(packed: Iterable[Any]) -> Iterator[int]:
    """The keys of all blocks that messages' `packed_parts` refer to."""
    for one in packed:
        if isinstance(one, int):
            yield one
        elif not isinstance(one, _Damaged):
            yield from block_keys(one)


def message_from(row: Any, *, thread_id: str, parent_id: str | None, packed: Any, get: Callable[[int], str]) -> Message:
    """The message of a row by its `packed_parts`; `get`: a block's text. A damaged one is empty and says so."""
    state, failure = row.state, _failure(row.failure)
    parts: tuple[Part, ...]
    try:
        if isinstance(packed, _Damaged):
            raise packed.error
        parts = (TextPart(get(packed)),) if isinstance(packed, int) else decode_parts(unpack(packed, get))
    except UNREADABLE as error:
        log.warning("message %s can't be read: %s", row.id, type(error).__name__)
        parts, state, failure = (), "failed", _unreadable(row.id, error)
    # By position: a tenth less for ten thousand messages, which are read at once when a thread is opened.
    return Message(
        row.id,
        thread_id,
        parent_id,
        row.role,
        parts,
        row.created,
        state,
        row.backend,
        row.model,
        _value(Usage, row.usage) if row.usage else None,
        row.stop_reason,
        row.prefix_key,
        _value(BoundaryState, row.window) if row.window else None,
        failure,
    )


def _sound(usage: Usage | None) -> Usage | None:
    from desktop_app.core.stream_events import valid_usage  # the first paint writes nothing

    return valid_usage(usage)


def _thread_column(thread: Thread, name: str) -> Any:
    if name == "choices":
        from desktop_app.core.thread_copy import choices_to_json

        return _storable(_decided_text(choices_to_json(thread.choices)))
    if name == "parameters":
        return _storable(_decided_text(parameters_to_json(thread.parameters)))
    if name == "draft_count":
        return draft_count_column(thread.draft_count)
    return _storable(getattr(thread, name))


def _decided_text(value: JsonObject) -> str:
    """A column of what the user decided: empty where that is nothing."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def _choices_from(stored: Any) -> ContextChoices:
    from desktop_app.core.thread_copy import choices_from_json  # few threads have any: not for the first paint

    return choices_from_json(stored)


def _decided_from(text: str, read: Callable[[Json], _V], nothing: _V) -> _V:
    if not text:
        return nothing
    try:
        return read(json.loads(text))
    except (ValueError, RecursionError):
        log.warning("%s of a thread can't be read; it counts as one without any", type(nothing).__name__)
        return nothing


def _storable(value: Any) -> Any:
    """SQLite's text is UTF-8, where lone surrogates have no place; they become U+FFFD, pairs the one character."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


storable_text: Callable[[_T], _T] = _storable


def _json(value: Usage | BoundaryState | Failure | RequestCount | None) -> str | None:
    return None if value is None else json.dumps(asdict(value) | _phrases(value), separators=(",", ":"))


def _phrases(value: object) -> dict[str, Any]:
    """The phrases of a failure beside their English, so that they can be said in another language."""
    if not isinstance(value, Failure):
        return {}
    kept = {name: to_json(text) for name in _SAID if isinstance(text := getattr(value, name), Phrase)}
    return {"phrases": kept} if kept else {}


def _failure(text: str | None) -> Failure | None:
    """The failure of its JSON; what older versions kept has no phrases, and mended texts are not theirs any more."""
    failure = _value(Failure, text) if text else None
    if failure is None:
        return None
    if not isinstance(stored := json.loads(text or "").get("phrases"), dict):
        return failure
    message, detail = (from_json(stored.get(name), getattr(failure, name)) for name in _SAID)
    return replace(failure, message=message, detail=detail)


def _unreadable(message_id: str, error: Exception) -> Failure:
    message = phrase("This message can't be read: the history file is damaged here. A backup may still have it.")
    detail = f"message {message_id}: {type(error).__name__}: {error}"[:300]
    return Failure("store", message, detail, ("open_data_folder",))


def _value(value_class: Callable[..., _V], text: str) -> _V | None:
    """The value of its JSON; fields that a newer version added are left aside. None where it can't be read."""
    try:
        data: Mapping[str, Any] = json.loads(text)
        names = _FIELDS[value_class]
        return value_class(**{name: _tuple(value) for name, value in data.items() if name in names})
    except UNREADABLE as error:
        log.warning("a %s can't be read: %s", getattr(value_class, "__name__", "value"), type(error).__name__)
        return None


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
