"""Names the entries among a text's link references under which its notes, their numbers and what it may cite stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What the labels of notes begin with among the link references, where no label of a link can begin so.
NOTE = "\0^"
NUMBER = "number"
#: Key under which is what was sent, and so can be cited; without it there are no citations.
SENT = "\0sent"


def number_of(label: str, references: Mapping[str, Mapping[str, Any]]) -> int:
    """The number of a note; 0: nothing refers to it."""
    return int(references.get(NOTE + label, {}).get(NUMBER, 0))
