"""Lists the kinds of parts with what JSON needs of each: the history, exports and `show --json` read this one table.

A kind that is added here is stored, exported and imported. Where else it has a say, mypy tells: each `match` over parts
ends in `assert_never`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)

UNKNOWN = "unknown"
"""Stands for the kind of an `UnknownPart`, which is kept as it came."""


@dataclass(frozen=True, slots=True)
class PartKind:
    """One kind: `name` in JSON, the class with its fields.

    Exports write fields at their default only where they are in `always_exported`, or in `exported_together` with one
    that is not; `exported_first` is their order where it is not that of the class.
    """

    name: str
    part_class: type[Any]
    exported_first: tuple[str, ...] = ()
    always_exported: frozenset[str] = frozenset()
    exported_together: frozenset[str] = frozenset()

    @property
    def fields(self) -> tuple[Field[Any], ...]:
        """The fields of the class, in order."""
        return fields(self.part_class)


_TABLE = (
    PartKind("text", TextPart),
    PartKind("thinking", ThinkingPart),
    PartKind("tool_call", ToolCallPart),
    PartKind("tool_result", ToolResultPart),
    PartKind("image", ImagePart, exported_together=frozenset({"width", "height"})),
    PartKind("document", DocumentPart, ("name", "media_type", "text", "sha256"), frozenset({"media_type"})),
)
PART_KINDS: Mapping[str, PartKind] = {kind.name: kind for kind in _TABLE}
_KIND_OF: Mapping[type[Any], PartKind] = {kind.part_class: kind for kind in _TABLE}
_FIELDS_OF: Mapping[type[Any], tuple[Field[Any], ...]] = {kind.part_class: kind.fields for kind in _TABLE}


def kind_of(part: Part) -> PartKind:
    """The kind of a part; `KeyError` for an `UnknownPart`."""
    return _KIND_OF[type(part)]


def filled_fields(part: Part) -> dict[str, Any]:
    """The fields of a part that differ from their defaults, and those that have none, in the order of the class."""
    values = ((one, getattr(part, one.name)) for one in _FIELDS_OF[type(part)])
    return {one.name: value for one, value in values if not _is_default(one, value)}


def is_required(one: Field[Any]) -> bool:
    """Return True if a part can't be made without this field."""
    return one.default is MISSING and one.default_factory is MISSING


def _is_default(one: Field[Any], value: object) -> bool:
    if one.default is not MISSING:
        return bool(value == one.default)
    return one.default_factory is not MISSING and not value
