"""Citations of passages in answers: found in the text, and checked against what was really sent (DOC-2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_app.core.markdown.citation_marks import CITATION, cited_ids
from desktop_app.core.messages import DocumentPart, Json, JsonObject, Message, ToolResultPart
from desktop_app.core.projects import ID_DIGITS


@dataclass(frozen=True, slots=True)
class SentPassage:
    """A passage that the model was sent: its document's name, its place there (`Pricing, page 4`), its text.

    Without place and text where its whole document was sent.
    """

    id: str
    document: str
    place: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in an answer, `text[start:end]`, that cites a passage; `passage` None: it was never sent."""

    start: int
    end: int
    id: str
    passage: SentPassage | None

    @property
    def verified(self) -> bool:
        """Whether the passage was really sent."""
        return self.passage is not None


def passages_of_result(result: ToolResultPart) -> Iterator[SentPassage]:
    """The passages whose text stands in a result, in its order."""
    ids, places = _list(result.extra.get("passage_ids")), _list(result.extra.get("places"))
    if len(ids) != len(places):
        return
    for one, place in zip(ids, places, strict=True):
        facts: JsonObject = place if isinstance(place, Mapping) else {}
        start, end = facts.get("start"), facts.get("end")
        text = result.text[start:end] if isinstance(start, int) and isinstance(end, int) else ""
        yield SentPassage(str(one), str(facts.get("document", "")), str(facts.get("place", "")), text)


class SentPassages:
    """What was sent on a path: passages in results of tools, and documents that went whole."""

    def __init__(self, path: Iterable[Message] = (), whole: Iterable[DocumentPart] = ()) -> None:
        """`whole`: documents that went with every request."""
        self._passages: dict[str, ToolResultPart] = {}
        self._whole: dict[str, str] = {}
        self._named: dict[str, str] = {}
        for document in whole:
            self._whole[document.sha256[:ID_DIGITS]] = document.name
        self.add(path)

    def add(self, path: Iterable[Message]) -> None:
        """Messages that have come."""
        for message in path:
            for part in message.parts:
                if isinstance(part, ToolResultPart):
                    self.add_result(part)
                elif isinstance(part, DocumentPart):
                    self._whole[part.sha256[:ID_DIGITS]] = part.name

    def add_result(self, result: ToolResultPart) -> None:
        """A tool's result that has come."""
        for one in _list(result.extra.get("passage_ids")):
            self._passages.setdefault(str(one), result)
        documents = _list(result.extra.get("documents"))
        for one in _list(result.extra.get("named_ids")):  # what the request held already
            self._named.setdefault(str(one), str(documents[0]) if len(documents) == 1 else "")

    def __bool__(self) -> bool:
        return bool(self._passages or self._named or self._whole)

    def __contains__(self, passage_id: str) -> bool:
        known = passage_id in self._passages or passage_id in self._named
        return known or passage_id.partition("-")[0] in self._whole

    def find(self, passage_id: str) -> SentPassage | None:
        """The passage with an id; None where it was never sent."""
        result = self._passages.get(passage_id)
        if result is not None:
            return next((one for one in passages_of_result(result) if one.id == passage_id), None)
        document = self._whole.get(passage_id.partition("-")[0]) or self._named.get(passage_id)
        return None if document is None else SentPassage(passage_id, document)

    def title_of(self, passage_id: str) -> str:
        """The passage's document and place: `spec.pdf, Pricing, page 4`; "" where it was never sent."""
        found = self.find(passage_id)
        return "" if found is None else ", ".join(words for words in (found.document, found.place) if words)


def citations_in(text: str, sent: SentPassages) -> list[Citation]:
    """The citations of a text, in order, each checked."""
    return [
        Citation(found.start(), found.end(), one, sent.find(one))
        for found in re.finditer(CITATION, text)
        for one in cited_ids(found[1])
    ]


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
