"""Owns the way between rows and core values. Knows the fields of both, no SQL and no SQLModel.

A row here is anything with the columns as attributes: a `...Row`, a selected tuple, or what the first paint read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from desktop_app.core.messages import Failure, Message, Part, Thread, Usage, WindowState
from desktop_app.storage.packing import Put, from_bytes, pack, to_bytes, unpack
from desktop_app.storage.part_codec import decode_parts, encode_parts

THREAD_COLUMNS = tuple(one.name for one in fields(Thread))
"""A thread's columns are named as its fields."""

_WRITTEN_BY_UPDATE = ("title", "backend", "model", "system", "project", "pinned", "archived", "soft_limit")
_V = TypeVar("_V")


def thread_columns(thread: Thread) -> dict[str, Any]:
    """All columns of a new thread."""
    return {name: _storable(getattr(thread, name)) for name in THREAD_COLUMNS}


def thread_update(thread: Thread) -> dict[str, Any]:
    """The columns that `History.update_thread` writes."""
    return {name: _storable(getattr(thread, name)) for name in _WRITTEN_BY_UPDATE}


def thread_from(row: Any) -> Thread:
    """The thread of a row."""
    values = {name: getattr(row, name) for name in THREAD_COLUMNS}
    return Thread(**values | {"pinned": bool(row.pinned), "archived": bool(row.archived)})


def pack_parts(parts: tuple[Part, ...], put: Put | None) -> bytes:
    """The `parts` column; without `put` all text stays in the row, as for an answer that still grows."""
    return to_bytes(pack(encode_parts(parts), put))


def answer_columns(message: Message, put: Put | None) -> dict[str, Any]:
    """The columns of a message that are not fixed when it is first stored."""
    return {
        "state": message.state,
        "parts": pack_parts(message.parts, put),
        "backend": _storable(message.backend),
        "model": _storable(message.model),
        "usage": _json(message.usage),
        "stop_reason": _storable(message.stop_reason),
        "prefix_key": _storable(message.prefix_key),
        "window": _json(message.window),
        "failure": _json(message.failure),
    }


def message_columns(message: Message, put: Put | None) -> dict[str, Any]:
    """All columns of a message but its keys and depth."""
    return {"id": message.id, "role": message.role, "created": message.created} | answer_columns(message, put)


def packed_parts(row: Any) -> Any:
    """The packed JSON of a row's parts, still with its block keys."""
    return from_bytes(row.parts)


def message_from(row: Any, *, thread_id: str, parent_id: str | None, packed: Any, get: Callable[[int], str]) -> Message:
    """The message of a row; `packed` are its `packed_parts`, `get` gives the text of a block."""
    return Message(
        id=row.id,
        thread_id=thread_id,
        parent_id=parent_id,
        role=row.role,
        parts=decode_parts(unpack(packed, get)),
        created=row.created,
        state=row.state,
        backend=row.backend,
        model=row.model,
        usage=_value(Usage, row.usage),
        stop_reason=row.stop_reason,
        prefix_key=row.prefix_key,
        window=_value(WindowState, row.window),
        failure=_value(Failure, row.failure),
    )


def _storable(value: Any) -> Any:
    """SQLite's text is UTF-8, where lone surrogates have no place; they become U+FFFD, pairs the one character."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


storable_text: Callable[[str], str] = _storable


def _json(value: Usage | WindowState | Failure | None) -> str | None:
    return None if value is None else json.dumps(asdict(value), separators=(",", ":"))


def _value(value_class: Callable[..., _V], text: str | None) -> _V | None:
    """The value of its JSON; fields that a newer version added are left aside."""
    if text is None:
        return None
    data: Mapping[str, Any] = json.loads(text)
    names = [one.name for one in fields(value_class)]  # type: ignore[arg-type]
    return value_class(**{name: _tuple(data[name]) for name in names if name in data})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
