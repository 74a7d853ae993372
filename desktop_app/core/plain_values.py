"""Reads values of dataclasses from plain JSON that anybody may have written."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

_T = TypeVar("_T")


def from_plain(kind: type[_T], value: Any) -> _T:
    """The value of a dataclass from an object with each of its fields and no other; `ValueError` for anything else."""
    return cast("_T", _read(kind, value))


def _read(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if (
        isinstance(value, Mapping)
        and is_dataclass(kind)
        and value.keys() == (types := _types(cast("type", kind))).keys()
    ):
        return cast("Any", kind)(**{name: _read(types[name], one) for name, one in value.items()})
    if origin in (Union, UnionType):
        for one in inner:
            with suppress(ValueError):
                return _read(one, value)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(inner[0], one) for one in value)
    if (origin is Literal and value in inner) or type(value) is kind or (kind is float and type(value) is int):
        return value
    raise ValueError(f"expected {kind}")


@cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
