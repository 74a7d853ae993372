"""The JSON form of parts and usage in exports and in `show --json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.core.messages import Json, JsonObject, Part, UnknownPart, Usage
from desktop_app.core.part_kinds import PART_KINDS, UNKNOWN, filled_fields, kind_of
from desktop_app.core.stream_validation import valid_usage


def part_to_json(part: Part) -> dict[str, Json]:
    """One part as an object with a `type`; fields at their default are left out."""
    if isinstance(part, UnknownPart):
        return {"type": UNKNOWN, "raw": part.raw}
    kind, filled = kind_of(part), filled_fields(part)
    written = kind.always_exported | filled.keys()
    written |= kind.exported_together if written & kind.exported_together else frozenset()
    names = dict.fromkeys((*kind.exported_first, *(one.name for one in kind.fields)))
    return {"type": kind.name, **{name: getattr(part, name) for name in names if name in written}}


def part_from_json(value: Json, where: str) -> Part:
    """The part that `part_to_json` wrote. `UnreadableExportError` names `where` and what was expected there."""
    fields = Fields(value, where)
    name = fields.text("type")
    if name == UNKNOWN:
        return UnknownPart(fields.object("raw"))
    if name not in PART_KINDS:
        raise UnreadableExportError(f"{where}.type: expected a kind of part that this version knows, found {name!r}")
    kind = PART_KINDS[name]
    part: Part = kind.part_class(**{one.name: _READ[str(one.type)](fields, one.name) for one in kind.fields})
    return part


def usage_to_json(usage: Usage | None) -> dict[str, Json] | None:
    """Usage in tokens with its cost in US dollars (null where unknown)."""
    if usage is None:
        return None
    return {
        "input": usage.input,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "output": usage.output,
        "thinking": usage.thinking,
        "cost_usd": usage.cost_usd,
        **({"first_prompt": usage.first_prompt} if usage.first_prompt else {}),
        **({"asked": usage.asked} if usage.asked else {}),
    }


def usage_from_json(value: Json, where: str) -> Usage | None:
    """The usage that `usage_to_json` wrote."""
    if value is None:
        return None
    fields = Fields(value, where)
    usage = Usage(
        input=fields.count("input"),
        cache_read=fields.count("cache_read"),
        cache_write=fields.count("cache_write"),
        output=fields.count("output"),
        thinking=fields.count("thinking"),
        cost_usd=fields.optional_number("cost_usd"),
        first_prompt=fields.optional_count("first_prompt") or 0,
        asked=fields.optional_text("asked") or "",
    )
    return valid_usage(usage)


class Fields:
    """Reads the fields of an untrusted JSON object; each error names the place and the kind that was expected."""

    def __init__(self, value: Json, where: str) -> None:
        if not isinstance(value, Mapping):
            raise UnreadableExportError(f"{where}: expected an object")
        self._value, self._where = value, where

    def raw(self, name: str) -> Json:
        """The field as it stands; None if it is missing."""
        return self._value.get(name)

    def has(self, name: str) -> bool:
        """True where the field is there, if only as null."""
        return name in self._value

    def text(self, name: str) -> str:
        value = self._value.get(name)
        if not isinstance(value, str):
            raise self._wrong(name, "a string")
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self._value.get(name) is None else self.text(name)

    def object(self, name: str) -> JsonObject:
        """A missing object is an empty one."""
        value = self._value.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self._wrong(name, "an object")
        return value

    def list(self, name: str) -> list[Json]:
        value = self._value.get(name)
        if not isinstance(value, list):
            raise self._wrong(name, "an array")
        return value

    def flag(self, name: str) -> bool:
        """A missing flag is false."""
        value = self._value.get(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def count(self, name: str) -> int:
        """A missing count is 0. Counts fit the database's 64 bits."""
        value = self._value.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            raise self._wrong(name, "a whole number from 0")
        return value

    def optional_count(self, name: str) -> int | None:
        return None if self._value.get(name) is None else self.count(name)

    def optional_number(self, name: str) -> float | None:
        value = self._value.get(name)
        if value is None:
            return None
        # The comparison is false for NaN, infinities and integers that no float can hold.
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1e18 < value < 1e18:
            raise self._wrong(name, "a number")
        return value

    def choice(self, name: str, *allowed: str) -> str:
        value = self._value.get(name)
        if not isinstance(value, str) or value not in allowed:
            raise self._wrong(name, f"one of {', '.join(allowed)}")
        return value

    def where(self, name: str) -> str:
        """The place of a field, for errors further down."""
        return f"{self._where}.{name}"

    def _wrong(self, name: str, expected: str) -> UnreadableExportError:
        return UnreadableExportError(f"{self._where}.{name}: expected {expected}")


_READ: Mapping[str, Callable[[Fields, str], Json]] = {
    "str": Fields.text,
    "str | None": Fields.optional_text,
    "bool": Fields.flag,
    "int": Fields.count,
    "JsonObject": Fields.object,
}
"""The functions that read the fields of parts, by the type that their class names."""
