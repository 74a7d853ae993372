"""Owns how the answer of a look-up is read back: its passages, each with the message it was found for. No widget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.core.messages import ToolResultPart

_HEADING = re.compile(r"^\[(Messages? [\d,-]+ of [\d,]+[^\]\n]*)\]\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One passage as the model reads it; `message_id` "" where it is not known which message it is from."""

    heading: str
    message_id: str
    text: str


def message_ids(result: ToolResultPart) -> tuple[str, ...]:
    """The message that each passage was found for."""
    ids = result.extra.get("messages")
    return tuple(str(one) for one in ids) if isinstance(ids, list | tuple) else ()


def passage_count(result: ToolResultPart) -> int:
    """How many passages there are."""
    count = result.extra.get("passages")
    return count if isinstance(count, int) else len(message_ids(result))


def passages_of(result: ToolResultPart) -> Sequence[FoundPassage]:
    """The passages in order; where headings and messages are not as many, all is one passage of no message."""
    ids, text = message_ids(result), result.text
    headings = list(_HEADING.finditer(text))
    if not headings or len(headings) != len(ids):
        return [FoundPassage("", "", text)]
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    return [
        FoundPassage(heading[1], message_id, text[heading.end() : end].strip("\n"))
        for heading, message_id, end in zip(headings, ids, ends, strict=True)
    ]
