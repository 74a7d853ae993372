"""The recognition of a phrase in plain English: in the text that the history, or another process, kept.

Knows the templates from a list that is made with the translations. Only a window that speaks another language asks.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from desktop_app.core.phrases import COUNT, Phrase, joined
from desktop_app.resources import resource

LEAST_LETTERS: Final = 8
"""Letters outside of its fields that a template must have to be known again: a shorter one could be anybody's words."""
_BOUNDARY: Final = re.compile(r"(?<=[.?]) (?=[A-Z0-9“])| · |; |\n")
"""The places where texts were joined: behind a sentence, at a dot or a semicolon, at a line's end."""
_NUMBER: Final = r"-?[\d,]*\.?\d+%?"


@dataclass(frozen=True)
class Template:
    """One template, in one of its forms. `one`: the form for 1; `is_one`: whether this is that form."""

    template: str
    one: str = ""
    is_one: bool = False

    @property
    def form(self) -> str:
        return self.one if self.is_one else self.template

    @cached_property
    def _pieces(self) -> tuple[tuple[str, str | None, str | None], ...]:
        return tuple((text, name, spec) for text, name, spec, _ in string.Formatter().parse(self.form))

    @cached_property
    def start(self) -> str:
        """The literal text before the first field."""
        return self._pieces[0][0] if self._pieces else ""

    @cached_property
    def end(self) -> str:
        """The literal text behind the last field."""
        text, name, _ = self._pieces[-1] if self._pieces else ("", None, None)
        return text if name is None else ""

    @cached_property
    def is_telling(self) -> bool:
        return sum(sum(map(str.isalpha, text)) for text, _, _ in self._pieces) >= LEAST_LETTERS

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        seen: set[str] = set()
        pattern = ""
        for text, name, spec in self._pieces:
            pattern += re.escape(text)
            if name is not None:
                pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{_NUMBER if spec else '.+?'})"
                seen.add(name)
        return re.compile(pattern, re.DOTALL)

    def read(self, text: str) -> dict[str, str | int | float] | None:
        """The values with which the template says this text; None where it does not."""
        if (found := self._pattern.fullmatch(text)) is None:
            return None
        specs = {name: spec for _, name, spec in self._pieces if name is not None}
        values: dict[str, str | int | float] = {}
        for name, said in found.groupdict().items():
            values[name] = _number(said) if specs[name] else said
        if self.one:
            values.setdefault(COUNT, 1 if self.is_one else 2)
        return values


class Recollection:
    """Makes phrases of plain English texts again."""

    def __init__(self, templates: Iterable[Template]) -> None:
        telling = [one for one in templates if one.is_telling]
        self._exact: Mapping[str, Template] = {one.form: one for one in telling if one.start == one.form}
        # the one that says most itself is the one that was meant
        self._open = sorted((one for one in telling if one.start != one.form), key=lambda one: -len(one.form))

    def phrase_of(self, text: str) -> str:
        """The text as a phrase, or as several that were joined; as it is where it is none."""
        if (whole := self._whole(text)) is not None:
            return whole
        for boundary in _BOUNDARY.finditer(text):
            if (first := self._whole(text[: boundary.start()])) is not None:
                return joined([first, self.phrase_of(text[boundary.end() :])], boundary.group())
        return text

    def _whole(self, text: str) -> Phrase | None:
        if (exact := self._exact.get(text)) is not None:
            return Phrase(exact.template, {COUNT: 1} if exact.is_one else {}, exact.one)
        for one in self._open:
            if not (text.startswith(one.start) and text.endswith(one.end)):
                continue
            if (values := one.read(text)) is not None:
                kept = {name: self.phrase_of(said) if isinstance(said, str) else said for name, said in values.items()}
                made = Phrase(one.template, kept, one.one)
                # a number may have been written otherwise than it would be here: `007`
                if made == text:
                    return made
        return None


def read_recollection() -> Recollection:
    """The shipped list; an empty one where it can't be read."""
    try:
        told = json.loads(resource("translations", "phrases.json").read_text("utf-8"))
    except (OSError, ValueError):
        return Recollection(())
    return Recollection(
        Template(template, one, is_one)
        for template, one in told.items()
        for is_one in ((False, True) if one else (False,))
    )


def _number(said: str) -> int | float:
    figures = said.replace(",", "")
    if figures.endswith("%"):
        return float(figures[:-1]) / 100
    return float(figures) if "." in figures else int(figures)
