"""Prompts of the user's library, and the finding and filling of their variables.

A variable is written `{{name}}`; `{{name=value}}` suggests a value, `{{name:long}}` asks for many lines and
`{{name:formal|friendly}}` offers some values. Everything else in double braces is text, and so is a variable behind a
backslash. What is filled in is never read as a template again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase

TITLE_LIMIT: Final = 200
"""Characters of a title."""
TEXT_LIMIT: Final = 100_000
"""Characters of a prompt's text: some 25,000 tokens, a sixth of the usual soft limit."""
VARIABLES_LIMIT: Final = 40
"""Variables of one prompt that are asked for: more is no form that anybody fills in."""
SUGGESTED_TITLE: Final = 60
"""Characters of a title that is taken from the text."""

LONG: Final = "long"
CLIPBOARD: Final = "clipboard"
SELECTION: Final = "selection"
DATE: Final = "date"
BUILT_IN: Final = (CLIPBOARD, SELECTION, DATE)
"""Variables that fill themselves in: the clipboard's text, what is selected in the transcript, today's date."""

# A name may hold blanks and signs, but none that means something here; it stands on one line and has a letter or digit.
_VARIABLE: Final = re.compile(
    r"\{\{[ \t]*(?P<name>[^\s{}:=|\\](?:[^\n{}:=|\\]{0,58}[^\s{}:=|\\])?)[ \t]*"
    r"(?P<kind>:[^\n{}=]{0,500})?(?P<default>=[^\n{}]{0,500})?\}\}"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to ask with again, under a title. `text` may hold variables; times are ISO 8601 UTC."""

    id: str
    title: str
    text: str
    created: str
    updated: str


@dataclass(frozen=True, slots=True)
class Variable:
    """Something that a prompt asks for: `long` on many lines, of `choices` if any, with a suggested `default`."""

    name: str
    long: bool = False
    choices: tuple[str, ...] = ()
    default: str = ""


@dataclass(frozen=True, slots=True)
class VariablePosition:
    """The place of a variable in a text, in code points."""

    start: int
    end: int
    variable: Variable


class PromptTemplate:
    """A text read once: its variables, and what it becomes when they are filled in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces: list[str | VariablePosition] = []
        end = 0
        for place, slashes in _found(text):
            # Half of the backslashes before a variable are meant; an odd one says that it is none.
            self._pieces.append(text[end : place.start - slashes] + "\\" * (slashes // 2))
            self._pieces.append(text[place.start : place.end] if slashes % 2 else place)
            end = place.end
        self._pieces.append(text[end:])

    @cached_property
    def places(self) -> tuple[VariablePosition, ...]:
        """Every variable where it stands, in order."""
        return tuple(piece for piece in self._pieces if isinstance(piece, VariablePosition))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Each variable once, in the order of appearance; what is said of it anywhere counts everywhere."""
        found: dict[str, Variable] = {}
        for place in self.places:
            said, known = place.variable, found.get(place.variable.name)
            if known is None:
                found[said.name] = said
            else:
                found[said.name] = replace(
                    known,
                    long=known.long or said.long,
                    choices=known.choices or said.choices,
                    default=known.default or said.default,
                )
        return tuple(map(_offered, found.values()))

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with the values by name; a variable without one stays as it is written."""
        return "".join(text for text, _ in self.segments(values))

    def segments(self, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The filled text in pieces, each with the name of the variable that it comes from, "" for the rest."""
        for piece in self._pieces:
            if isinstance(piece, str):
                if piece:
                    yield piece, ""
            else:
                yield values.get(piece.variable.name, self.text[piece.start : piece.end]), piece.variable.name


def escaped(text: str) -> str:
    """The prompt's text that is this very text when it is inserted: nothing in it is a variable."""
    pieces: list[str] = []
    end = 0
    for place, slashes in _found(text):
        pieces += [text[end : place.start], "\\" * (slashes + 1), text[place.start : place.end]]
        end = place.end
    return "".join((*pieces, text[end:]))


def checked(prompt: Prompt) -> Prompt:
    """The prompt as it may be stored, its title on one line; `UserError("usage")` says what is missing or too long."""
    if not (title := " ".join(prompt.title.split())):
        raise UserError("usage", phrase("A prompt needs a title."))
    if not prompt.text.strip():
        raise UserError("usage", phrase("A prompt needs a text."))
    if len(title) > TITLE_LIMIT:
        words = phrase(
            "The title has {count:,} characters; the limit is {limit:,}. Shorten it.",
            count=len(title),
            limit=TITLE_LIMIT,
        )
        raise UserError("usage", words)
    if len(prompt.text) > TEXT_LIMIT:
        words = phrase(
            "The prompt has {count:,} characters; the limit is {limit:,}. Attach long texts as documents.",
            count=len(prompt.text),
            limit=TEXT_LIMIT,
        )
        raise UserError("usage", words)
    if (asked := len(PromptTemplate(prompt.text).variables)) > VARIABLES_LIMIT:
        words = phrase(
            "The prompt has {count:,} variables; the limit is {limit:,}. Use fewer.", count=asked, limit=VARIABLES_LIMIT
        )
        raise UserError("usage", words)
    return replace(prompt, title=title)


def suggested_title(text: str) -> str:
    """A title from a text's first words, cut between two words where there are any."""
    line = next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    if len(line) <= SUGGESTED_TITLE:
        return line
    cut = line[: SUGGESTED_TITLE - 1]
    blank = cut.rfind(" ")
    return f"{cut[:blank] if blank > SUGGESTED_TITLE // 2 else cut}…"


def free_title(title: str, taken: Iterable[str]) -> str:
    """The title, numbered from 2 on where it is taken."""
    others = set(taken)
    if title not in others:
        return title
    return next(name for number in range(2, len(others) + 3) if (name := f"{title} {number}") not in others)


def _found(text: str) -> Iterator[tuple[VariablePosition, int]]:
    """Yield possible variables, each with the number of backslashes before it."""
    end = 0
    for match in _VARIABLE.finditer(text):
        if (variable := _variable(match)) is not None:
            before = text[end : match.start()]
            yield VariablePosition(match.start(), match.end(), variable), len(before) - len(before.rstrip("\\"))
            end = match.end()


def _variable(match: re.Match[str]) -> Variable | None:
    """Return the variable that a match asks for; None where its kind is unknown, so that it stays text."""
    name = " ".join(match["name"].split())
    if not any(character.isalnum() for character in name):
        return None
    default = (match["default"] or "=")[1:].strip()
    if match["kind"] is None:
        return Variable(name, default=default)
    kind = match["kind"][1:]
    if kind.strip() == LONG:
        return Variable(name, long=True, default=default)
    choices = tuple(dict.fromkeys(choice.strip() for choice in kind.split("|")))
    return Variable(name, choices=choices, default=default) if len(choices) > 1 and all(choices) else None


def _offered(variable: Variable) -> Variable:
    """With choices, the default is one of them: else the first."""
    if variable.choices and variable.default not in variable.choices:
        return replace(variable, default=variable.choices[0])
    return variable
