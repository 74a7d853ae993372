"""Changes the text of an artifact: by edits that name what they replace, or within a selected range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop_app.core.messages import Json

SHOWN: Final = 60
"""Characters of a text that an error repeats."""
MOST_EDITS: Final = 200
"""Edits that one call may hold."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """`old` stands exactly once in the text and becomes `new`."""

    old: str
    new: str


class EditError(ValueError):
    """An edit that can't be made. Its words are for the model: which one, what is wrong, what to do."""


def read_edits(given: Json) -> tuple[TextEdit, ...]:
    """The edits of a tool call's input. Raises `EditError` for what is none."""
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise EditError("`edits` must be a list of objects with `old` and `new`.")
    if len(given) > MOST_EDITS:
        raise EditError(f"More than {MOST_EDITS} edits in one call. Give the whole text in `text` instead.")
    edits = []
    for number, one in enumerate(given, 1):
        old, new = (one.get("old"), one.get("new")) if isinstance(one, Mapping) else (None, None)
        if not isinstance(old, str) or not isinstance(new, str):
            raise EditError(f"Edit {number} needs `old` and `new`, both strings.")
        edits.append(TextEdit(normalized(old), normalized(new)))
    return tuple(edits)


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """The text after all edits, one after the other: all of them, or none.

    Raises `EditError` where one names something that is not there, or is there more than once.
    """
    for number, edit in enumerate(edits, 1):
        if not edit.old:
            raise EditError(f"Edit {number}: `old` is empty. Name the text to replace, or give the whole `text`.")
        at = text.find(edit.old)
        if at < 0:
            raise EditError(f'Edit {number}: "{_beginning(edit.old)}" is not in the text.{_hint(text, edit.old)}')
        again = text.find(edit.old, at + 1)
        if again >= 0:
            lines = ", ".join(str(1 + text.count("\n", 0, place)) for place in (at, again))
            raise EditError(
                f'Edit {number}: "{_beginning(edit.old)}" stands in the text more than once (lines {lines}). '
                "Name more of what stands around it."
            )
        text = text[:at] + edit.new + text[at + len(edit.old) :]
    return text


def replace_range(text: str, start: int, end: int, replacement: str) -> str:
    """The text with another text in place of its characters from `start` to before `end`; all else as it was."""
    if not 0 <= start < end <= len(text):
        raise ValueError(f"no range of the text: {start} to {end} of {len(text)}")
    return text[:start] + replacement + text[end:]


def normalized(text: str) -> str:
    """The text as versions keep it: lines end with a line feed, and no sign in it is half a sign or NUL."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "replace").decode("utf-8")


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN].rstrip()}..."


def _hint(text: str, old: str) -> str:
    """Return a hint to where it nearly is: the same words with other white space, or a line that begins it."""
    words = " ".join(old.split())
    if words and words in " ".join(text.split()):
        return " Its words are, with other white space or line breaks: copy them exactly."
    first = next((line.strip() for line in old.split("\n") if line.strip()), "")
    for number, line in enumerate(text.split("\n") if first else (), 1):
        if first in line:
            return f" Line {number} has its first line, what follows differs: copy the text exactly as it is now."
    return " Copy the text to replace exactly as it is now."
