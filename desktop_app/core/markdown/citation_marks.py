"""Citations of passages in a text: ids in square brackets, shown as a raised number once it is known.

What was sent stands among the link references of a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from markdown_it.rules_inline import StateInline

from desktop_app.core.markdown.blocks import NUMBER, SENT, number_of
from desktop_app.core.projects import CITATION, CITED_ID

_PASSAGES: Final = "passages"
_ROOM: Final = "\u202f"
"""Space around a number, at which no line breaks."""


class SentIds(Protocol):
    """The ids that a text may cite."""

    def __contains__(self, passage_id: str, /) -> bool: ...

    def title_of(self, passage_id: str) -> str:
        """A phrase of the passage's document and place."""


def sent_reference(sent: SentIds) -> Mapping[str, Mapping[str, Any]]:
    """Return the sent texts, in the form of a link reference."""
    return {SENT: {_PASSAGES: sent}}


def cited_ids(brackets: str) -> list[str]:
    """The ids within a citation's brackets."""
    return re.findall(CITED_ID, brackets)


def is_sent(passage_id: str, references: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return True if a passage was sent, by the references of a text."""
    return SENT in references and passage_id in references[SENT][_PASSAGES]


def title_in(passage_id: str, references: Mapping[str, Mapping[str, Any]]) -> str:
    """A phrase of a passage's document and place; "" where it was not sent."""
    if not is_sent(passage_id, references):
        return ""
    sent: SentIds = references[SENT][_PASSAGES]
    return sent.title_of(passage_id)


def shown_citation(passage_id: str, raised: str) -> str:
    """The text shown for a citation: its raised number with room around, or, without one, the text as written."""
    return f"{_ROOM}{raised}{_ROOM}" if raised else f"[{passage_id}]"


def citation(state: StateInline, silent: bool) -> bool:
    """The inline rule: tokens `citation` with a passage's id as content."""
    if (found := re.compile(CITATION).match(state.src, state.pos, state.posMax)) is None:
        return False
    references = state.env["references"]
    for one in cited_ids(found[1]) if not silent else ():
        token = state.push("citation", "", 0)
        token.content = one
        token.meta = {NUMBER: number_of(one, references), "title": title_in(one, references)}
    state.pos = found.end()
    return True
