"""Texts for people that can be said in another language later.

A `Phrase` is a `str`: whoever compares, stores, logs or prints it sees plain English. It remembers what it was made
from, so that the window can say it in the user's language. What a model reads is never a phrase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeAlias

Value: TypeAlias = str | int | float
"""The type of the values of a phrase's fields; a `Phrase` among them is translated as well."""

_LONGEST_SPEC: Final = len(",.2f")
"""Of a field: what was stored is not trusted with the width of a text."""
COUNT: Final = "count"
"""The field that decides between `one` and `template`."""


class Phrase(str):
    """English text with its `template` and `values`, equal to its text; `one`: the template for a `count` of 1."""

    __slots__ = ("one", "template", "values")

    one: str
    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, values: Mapping[str, object], one: str = "") -> Phrase:
        """`KeyError` where a field of the template has no value."""
        # A path or an exception stays as its words only: a text does not keep anything alive.
        kept = {name: value if isinstance(value, str | int | float) else str(value) for name, value in values.items()}
        form = one if one and kept.get(COUNT) == 1 else template
        made = super().__new__(cls, form.format(**kept))
        for name, value in (("one", one), ("template", template), ("values", MappingProxyType(kept))):
            object.__setattr__(made, name, value)
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a phrase does not change: {name}")

    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[str, dict[str, Value], str]]:
        return Phrase, (self.template, dict(self.values), self.one)

    def __copy__(self) -> Phrase:
        return self

    def __deepcopy__(self, memo: object) -> Phrase:
        return self


def phrase(template: str, one: str = "", /, **values: object) -> Phrase:
    """A text for people from a literal English template with `{name}` fields, such as `{count:,}`.

    Values other than texts and numbers count as their `str()`.

    Write the template as a literal: translations are extracted from these calls. `one` is the form for `count=1`:
    `phrase("{count:,} messages left out", "1 message left out", count=38)`.
    """
    return Phrase(template, values, one)


def template(text: str) -> str:
    """Marks a literal as a template: `Phrase(template, values)` makes the phrase when the values are known."""
    return text


def value_of(text: str, name: str) -> Any:
    """Return the value of the field of this name, of a phrase or of one within it; None where there is none."""
    if not isinstance(text, Phrase):
        return None
    inner = (value_of(value, name) for value in text.values.values() if isinstance(value, Phrase))
    return text.values[name] if name in text.values else next((value for value in inner if value is not None), None)


def having(text: str, **values: Value) -> str:
    """The text with other values in its fields of these names, and in those of the phrases within it."""
    if not isinstance(text, Phrase):
        return text
    kept = {name: having(value, **values) if isinstance(value, str) else value for name, value in text.values.items()}
    return Phrase(text.template, kept | {name: value for name, value in values.items() if name in kept}, text.one)


def to_json(text: str) -> Any:
    """A phrase as JSON can keep it: its template, values and form for 1; another text as it is."""
    if not isinstance(text, Phrase):
        return text
    values = {name: to_json(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return [text.template, values, text.one]


def from_json(stored: Any, text: str) -> str:
    """`text` as the phrase that was stored beside it; as it is where that says something else, or can't be read."""
    try:
        made = _from_json(stored)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
        return text
    return made if made == text else text


def _from_json(stored: Any) -> Any:
    if not isinstance(stored, list):
        return stored
    template, values, one = stored
    for form in (template, one):
        for name, spec in ((name, spec or "") for _, name, spec, _ in Formatter().parse(form) if name is not None):
            if not name.isidentifier() or len(spec) > _LONGEST_SPEC:
                raise ValueError("no template of ours")
    return Phrase(template, {name: _from_json(value) for name, value in values.items()}, one)


def joined(parts: Iterable[str], separator: str = " ") -> str:
    """Texts one after the other; each is translated by itself. One text stays as it is, none is the empty text."""
    if len(given := tuple(parts)) < 2:
        return given[0] if given else ""
    fields = {f"part{number}": part for number, part in enumerate(given)}
    return Phrase(separator.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in fields), fields)


def listed(parts: Iterable[str]) -> str:
    """`one`, `one and two`, `one, two and three`; none is the empty text."""
    *before, last = [*parts] or [""]
    return phrase("{before} and {last}", before=joined(before, ", "), last=last) if before else last
