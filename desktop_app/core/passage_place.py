"""The place of a passage in its document, and the marks by which one that stands whole in a request is cited.

A mark is a sign and the passage's number, before the passage; the first line tells the id that they belong to. They are
made of the document alone, so that they are the same bytes in every request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import digits
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import DocumentPart, Json, JsonObject
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.projects import ID_DIGITS, DocumentText, Passage

_LAST: Final = r"(?:^|, )(page|slide) (\d{1,6})$"


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """The way to a passage by headings (`Pricing > Tiers`, a sheet's or slide's name), and its page, 0 without.

    `is_slide`: the page is a slide of a presentation.
    """

    heading: str = ""
    page: int = 0
    is_slide: bool = False

    @classmethod
    def of(cls, passage: Passage) -> PassagePlace:
        """The place of a passage; the pages of a workbook are its sheets, which have names."""
        page = 0 if passage.kind == "sheet" else passage.page
        return cls(passage.heading, page, is_slide=passage.kind == "slide" and page > 0)

    @classmethod
    def from_json(cls, facts: Mapping[str, Json]) -> PassagePlace:
        """As `json` made it, or the words in which earlier versions kept it."""
        words, heading, page = facts.get("place"), facts.get("heading"), facts.get("page")
        if isinstance(words, str):
            found = re.search(_LAST, words)
            if found is None:
                return cls(words)
            return cls(words[: found.start()], int(found[2]), is_slide=found[1] == "slide")
        number = page if isinstance(page, int) and not isinstance(page, bool) else 0
        return cls(heading if isinstance(heading, str) else "", number, is_slide=facts.get("slide") is True)

    @property
    def json(self) -> JsonObject:
        """The fields that are not empty."""
        fields: dict[str, Json] = {"heading": self.heading, "page": self.page, "slide": self.is_slide}
        return {name: value for name, value in fields.items() if value}

    @property
    def words(self) -> str:
        """A phrase for people: `Pricing > Tiers, page 4`; "" where nothing is known."""
        page = phrase("slide {page}", page=self.page) if self.is_slide else phrase("page {page}", page=self.page)
        return joined([part for part in (self.heading, page if self.page else "") if part], ", ")


NO_PLACE: Final = PassagePlace()


def passage_title(document: str, place: PassagePlace) -> str:
    """A phrase for a passage: `spec.pdf, Pricing > Tiers, page 4`."""
    return joined([part for part in (document, place.words) if part], ", ")


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
