"""Marks in documents that stand whole in every request: an answer cites their passages before any search names them.

A mark is a sign and the passage's number, before the passage; the first line tells the id that they belong to. They are
made of the document alone, so that they are the same bytes in every request.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import digits
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import DocumentPart, Json
from desktop_app.core.passage_place import PassagePlace
from desktop_app.core.projects import ID_DIGITS, DocumentText

PLACES: Final = "places"
"""In the `extra` of a marked document: the place of each of its passages, from the first one on."""

SIGNS: Final = ("§", "¶", "※")
"""The first that does not stand before a number in the document's own text, as `§12` does in a contract."""

HOW: Final = "[Each {sign} with a number begins a passage. Cite {sign}1 as [{id}-1] right behind what rests on it.]"


def marked_document(name: str, text: DocumentText) -> DocumentPart:
    """A document as it goes whole, with a mark before each passage; one without passages as it is."""
    passages = sorted(text.passages, key=lambda one: one.number)
    if [one.number for one in passages] != list(range(1, len(passages) + 1)):
        passages = []  # an id is its place among all of them
    if not passages:
        return DocumentPart(name, text.text, text.sha256, text.media_type)
    sign = _sign(text.text)
    pieces, done = [HOW.format(sign=sign, id=text.sha256[:ID_DIGITS]), "\n\n"], 0
    for passage in passages:
        start = max(done, passage.start)
        pieces += [text.text[done:start], f"{sign}{passage.number} "]
        done = start
    pieces.append(text.text[done:])
    places: Sequence[Json] = [PassagePlace.of(one).json for one in passages]
    return DocumentPart(name, "".join(pieces), text.sha256, text.media_type, {PLACES: places})


def _sign(text: str) -> str:
    free = (sign for sign in SIGNS if all(f"{sign}{digit}" not in text for digit in digits))
    return next(free, SIGNS[-1])


def marked_documents(plan: ContextPlan) -> tuple[DocumentPart, ...]:
    """The documents with marks that a request holds whole."""
    if not plan.request.always:
        return ()
    first = plan.request.messages[0].blocks[: plan.request.always]
    return tuple(part for part in first if isinstance(part, DocumentPart) and PLACES in part.extra)
