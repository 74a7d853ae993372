"""The place of a passage in its document: a value that is put into words only where it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from desktop_app.core.messages import Json, JsonObject
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.projects import Passage

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
