"""Splits JSON text of another writer: its style, and its longest list apart from the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead to a value inside JSON."""

_SEPARATORS = ((",", ":"), (", ", ": "))
#: How a line was written: separators and whether all is ASCII. The order is part of the file's format.
_STYLES = tuple(
    json.JSONEncoder(separators=separators, ensure_ascii=ascii_only)
    for separators in _SEPARATORS
    for ascii_only in (False, True)
)

STYLES = range(len(_STYLES))
"""The numbers by which styles go."""


@dataclass(frozen=True, slots=True)
class JsonLine:
    """A line that `write_line(value, style)` gives back byte for byte.

    `head` is its text up to the first element of the list at `place`, `elements` the texts of that list's elements;
    without a list `place` is None and there are none.
    """

    style: int
    value: Any
    place: Place | None
    head: str
    elements: tuple[str, ...]

    @property
    def separator(self) -> str:
        """The text between two elements."""
        return separator(self.style)


def write_line(value: Any, style: int) -> str:
    """The text of a JSON value in one of the styles."""
    return _STYLES[style].encode(value)


def separator(style: int) -> str:
    """Return the text between two elements of a list."""
    return _SEPARATORS[style // 2][0]


def read_line(line: str, *, style: int | None = None, place: Place | None = None) -> JsonLine | None:
    """The line taken apart, None if it is no JSON object that could be written again byte for byte.

    `style` and `place`, where known, are not looked for: the longest list is found by walking through everything.
    """
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line)
        style = _style(line) if style is None else style
        place = longest_list(value) if place is None else place
        head, elements, tail = (
            (write_line(value, style), (), "") if place is None else _apart(line, value, style, place)
        )
    except (ValueError, LookupError, TypeError, RecursionError):
        return None  # not a JSON line, or no list there: a string like any other
    if "".join((head, separator(style).join(elements), tail)) != line:
        return None
    return JsonLine(style, value, place, head, elements)


def longest_list(value: Any) -> Place | None:
    """The place of the longest list in JSON, the first of them, outer before inner; None if there is none."""
    return max(_lists(value, ()), key=lambda found: found[0], default=(0, None))[1]


def at(value: Any, place: Place) -> Any:
    """Return the value at a place; `LookupError` or `TypeError` if it does not exist."""
    for step in place:
        value = value[step]
    return value


def replaced(value: Any, place: Place, new: Any) -> Any:
    """A copy of the containers on the way to a place, with `new` there; the rest is shared."""
    if not place:
        return new
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    copy[place[0]] = replaced(value[place[0]], place[1:], new)
    return copy


def same_length(one: str, other: str) -> int:
    """Characters in which the beginnings of two texts agree."""
    length, step = 0, 1 << 16
    while step:
        while (piece := one[length : length + step]) and len(piece) == step and other.startswith(piece, length):
            length += step
        step //= 2
    return length


def _apart(line: str, value: Any, style: int, place: Place) -> tuple[str, tuple[str, ...], str]:
    elements = tuple(write_line(element, style) for element in at(value, place))
    mark = "spine"
    while f'"{mark}"' in line:
        mark += "-"
    head, _, tail = write_line(replaced(value, place, [mark]), style).partition(f'"{mark}"')
    return head, elements, tail


def _style(line: str) -> int:
    """The only style in which the line can have been written."""
    colon = line.find('":') + 2
    return 2 * (line[colon : colon + 1] == " ") + (line.isascii() and "\\u" in line)


def _lists(value: Any, place: Place) -> Iterator[tuple[int, Place]]:
    if isinstance(value, Mapping):
        items: Iterator[tuple[Any, Any]] = iter(value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield len(value), place
        items = iter(enumerate(value))
    else:
        return
    for step, item in items:
        if not isinstance(item, str):
            yield from _lists(item, (*place, step))
