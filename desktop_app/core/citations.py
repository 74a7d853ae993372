"""The place of a passage in its document, and its citations in answers, checked against what was sent (DOC-2).

A mark is a sign and the passage's number, before the passage; the first line tells the id that they belong to. They are
made of the document alone, so that they are the same bytes in every request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import digits
from typing import Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.markdown.block_stream import parse_blocks
from desktop_app.core.markdown.citation_marks import cited_ids
from desktop_app.core.markdown.footnotes import REFERENCES
from desktop_app.core.markdown.markdown_dialect import block_parser
from desktop_app.core.messages import DocumentPart, Json, JsonObject, Message, Part, TextPart, ToolResultPart
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.projects import CITATION, ID_DIGITS, DocumentText, Passage

_LAST: Final = r"(?:^|, )(page|slide) (\d{1,6})$"


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """The headings to a passage (`Pricing > Tiers`, a sheet's name), its page, 0 without. `is_slide`: of slides."""

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
            if (found := re.search(_LAST, words)) is None:
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


CITED: Final = "cited"
"""In the `extra` of an answer's text: the passages that it cites of documents that stood whole in its request."""


@dataclass(frozen=True, slots=True)
class SentPassage:
    """A passage that was sent: document, place, text; no text if the whole document was, no place without marks."""

    id: str
    document: str
    place: PassagePlace = NO_PLACE
    text: str = ""

    @property
    def title(self) -> str:
        """A phrase: `spec.pdf, Pricing, page 4`."""
        return joined([part for part in (self.document, self.place.words) if part], ", ")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in an answer, `text[start:end]`, that cites a passage; `passage` None: it was never sent."""

    start: int
    end: int
    id: str
    passage: SentPassage | None

    @property
    def verified(self) -> bool:
        """True if the passage was really sent."""
        return self.passage is not None


def passages_of_result(result: ToolResultPart) -> Iterator[SentPassage]:
    """The passages whose text stands in a result, in its order."""
    ids, places = _list(result.extra.get("passage_ids")), _list(result.extra.get("places"))
    if len(ids) != len(places):
        return
    for one, place, (start, end) in zip(ids, places, spans_of_result(result), strict=True):
        facts: JsonObject = place if isinstance(place, Mapping) else {}
        text = result.text[start:end]
        yield SentPassage(str(one), str(facts.get("document", "")), PassagePlace.from_json(facts), text)


def spans_of_result(result: ToolResultPart) -> list[tuple[int, int]]:
    """Return the places in a result's text of each passage's text; 0 to 0 where that is unknown."""
    found = []
    for place in _list(result.extra.get("places")):
        start, end = (place.get("start"), place.get("end")) if isinstance(place, Mapping) else (0, 0)
        found.append((start, end) if isinstance(start, int) and isinstance(end, int) else (0, 0))
    return found


class SentPassages:
    """The texts sent on a path: passages in results of tools, and documents that went whole."""

    def __init__(self, path: Iterable[Message] = (), whole: Iterable[DocumentPart] = ()) -> None:
        """`whole`: documents that went with a request."""
        self._passages: dict[str, ToolResultPart] = {}
        self._whole: dict[str, DocumentPart] = {}
        self._named: dict[str, str] = {}
        self._cited: dict[str, SentPassage] = {}
        self.add_parts(whole)
        self.add(path)

    def add(self, path: Iterable[Message]) -> None:
        """Messages that have come."""
        for message in path:
            self.add_parts(message.parts)

    def add_parts(self, parts: Iterable[Part]) -> None:
        """Parts of a message that has come, or documents of a request that leaves."""
        for part in parts:
            if isinstance(part, ToolResultPart):
                self.add_result(part)
            elif isinstance(part, DocumentPart):
                self._whole[part.sha256[:ID_DIGITS]] = part
            elif isinstance(part, TextPart):
                self._cited.update((one.id, one) for one in _cited_whole(part))

    def joined(self, other: SentPassages | None) -> SentPassages:
        """Return the passages sent here and, after them, there."""
        made, other = SentPassages(), other or SentPassages()
        made._passages = other._passages | self._passages
        made._whole = self._whole | other._whole
        made._named = other._named | self._named
        made._cited = self._cited | other._cited
        return made

    def add_result(self, result: ToolResultPart) -> None:
        """A tool's result that has come."""
        for one in _list(result.extra.get("passage_ids")):
            self._passages.setdefault(str(one), result)
        documents = _list(result.extra.get("documents"))
        for one in _list(result.extra.get("named_ids")):  # what the request held already
            self._named.setdefault(str(one), str(documents[0]) if len(documents) == 1 else "")

    def __bool__(self) -> bool:
        return bool(self._passages or self._named or self._whole or self._cited)

    def __contains__(self, passage_id: str) -> bool:
        known = passage_id in self._passages or passage_id in self._named or passage_id in self._cited
        return known or self._in_whole(passage_id) is not None

    def find(self, passage_id: str) -> SentPassage | None:
        """The passage with an id; None where it was never sent."""
        if (result := self._passages.get(passage_id)) is not None:
            return next((one for one in passages_of_result(result) if one.id == passage_id), None)
        whole = self._in_whole(passage_id) or self._cited.get(passage_id)
        if whole is not None or passage_id not in self._named:
            return whole
        return SentPassage(passage_id, self._named[passage_id])

    def _in_whole(self, passage_id: str) -> SentPassage | None:
        """The passage in a document that went whole; only its own passages are in one with marks."""
        digits, _, number = passage_id.partition("-")
        if (document := self._whole.get(digits)) is None or PLACES not in document.extra:
            return None if document is None else SentPassage(passage_id, document.name)
        places = _list(document.extra[PLACES])
        if not (number.isdecimal() and number[0] != "0" and int(number) <= len(places)):
            return None
        facts = places[int(number) - 1]
        return SentPassage(
            passage_id, document.name, PassagePlace.from_json(facts if isinstance(facts, Mapping) else {})
        )

    def title_of(self, passage_id: str) -> str:
        """A phrase of the passage's document and place: `spec.pdf, Pricing, page 4`; "" where it was never sent."""
        return "" if (found := self.find(passage_id)) is None else found.title


def _cited_whole(part: TextPart) -> Iterator[SentPassage]:
    """The passages that are kept with an answer's text."""
    for facts in _list(part.extra.get(CITED)):
        if isinstance(facts, Mapping) and isinstance(facts.get("id"), str):
            yield SentPassage(str(facts["id"]), str(facts.get("document", "")), PassagePlace.from_json(facts))


def with_cited(parts: Sequence[Part], whole: Iterable[DocumentPart]) -> tuple[Part, ...]:
    """An answer's parts, with what each text cites of the documents that stood whole in its request.

    The documents may be others tomorrow: what the answer was made of is kept with it.
    """
    sent = SentPassages((), whole)
    return tuple(_with_cited(part, sent) if isinstance(part, TextPart) else part for part in parts)


def _with_cited(part: TextPart, sent: SentPassages) -> TextPart:
    found = {one.id: one.passage for one in citations_in(part.text, sent) if one.passage is not None}
    if not found:
        return part
    facts: list[Json] = [{"id": one.id, "document": one.document, **one.place.json} for one in found.values()]
    return replace(part, extra={**part.extra, CITED: facts})


def citations_in(text: str, sent: SentPassages) -> list[Citation]:
    """The citations of a text, in order, each checked."""
    return [
        Citation(found.start(), found.end(), one, sent.find(one))
        for found in re.finditer(CITATION, text)
        for one in cited_ids(found[1])
    ]


_QUOTED: Final = re.compile(r"[“„«\"]\s?([^“”„«»\"]{8,400})[”“»\"]|»\s?([^“”„«»\"]{8,400})«")


def quotes_of(parts: Iterable[Part]) -> tuple[str, ...]:
    """The words that an answer quotes: those the provider says it cites, and those in quotation marks."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, TextPart):
            cited = (one for one in _list(part.extra.get("citations")) if isinstance(one, Mapping))
            found += (words for one in cited if isinstance(words := one.get("cited_text"), str))
            found += (one[1] or one[2] for one in _QUOTED.finditer(part.text))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class CitationNote:
    """The note below a text for a passage that it cites; `passage` None: it was never sent."""

    number: int
    id: str
    passage: SentPassage | None

    @property
    def words(self) -> str:
        """A phrase: `spec.pdf, Pricing, page 4`, or that the source is unverified."""
        if self.passage is not None:
            return self.passage.title
        return phrase("Unverified: no passage with the id {id} was sent to the model.", id=self.id)


def footnote(note: CitationNote) -> str:
    """Return the Markdown reference to a note."""
    return f"[^{note.number}]"


class ReadableCitations:
    """Writes citations as numbers for people, a passage's always the same, none that a footnote of `texts` has."""

    def __init__(self, sent: SentPassages, texts: Iterable[str] = ()) -> None:
        self._sent = sent
        self._taken = {found[1] for text in texts for found in re.finditer(r"\[\^(\d{1,6})\]", text)}
        self._notes: dict[str, CitationNote] = {}

    @property
    def notes(self) -> tuple[CitationNote, ...]:
        """The notes of what the texts so far cite, by number."""
        return tuple(self._notes.values())

    def written(self, text: str, mark: Callable[[CitationNote], str] = footnote) -> str:
        """A Markdown text with a mark for each passage that it cites; code stays as it is."""
        if not self._sent or re.search(CITATION, text) is None:
            return text
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # what ends a line for Markdown
        blocks, _ = parse_blocks(block_parser(), text)
        code = [leaf for block in blocks for leaf in block.leaves if leaf.kind in ("code", "math")]
        lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
        pieces, line = [], 0
        for leaf in code:
            pieces.append(self._marked("".join(lines[line : leaf.first_line]), mark))
            pieces.append("".join(lines[max(line, leaf.first_line) : leaf.end_line]))
            line = max(line, leaf.end_line)
        return "".join(pieces) + self._marked("".join(lines[line:]), mark)

    def footnotes(self, say: Callable[[str], str] = str) -> str:
        """The notes as Markdown, a line each; `say` says a phrase in another language than English."""
        return "\n".join(f"{footnote(note)}: {_escaped(say(note.words))}" for note in self.notes)

    def _marked(self, text: str, mark: Callable[[CitationNote], str]) -> str:
        def shown(found: re.Match[str]) -> str:
            ids = cited_ids(found[3]) if found[3] is not None else ()
            return "".join(mark(self._note(one)) for one in ids) or found[0]

        return re.sub(f"{REFERENCES}|{CITATION}", shown, text, flags=re.DOTALL)

    def _note(self, passage_id: str) -> CitationNote:
        if passage_id not in self._notes:
            number = max((note.number for note in self.notes), default=0) + 1
            while str(number) in self._taken:
                number += 1
            self._notes[passage_id] = CitationNote(number, passage_id, self._sent.find(passage_id))
        return self._notes[passage_id]


def readable_citations(text: str, sent: SentPassages, say: Callable[[str], str] = str) -> str:
    """A Markdown text with footnotes for the passages that it cites, instead of their ids; `say` as in `footnotes`."""
    citations = ReadableCitations(sent, (text,))
    written, notes = citations.written(text), citations.footnotes(say)
    return f"{written.rstrip()}\n\n{notes}" if notes else written


def _escaped(words: str) -> str:
    """A document's words in Markdown: none of them is a mark, an address or HTML."""
    return re.sub(r"([\\`*_\[\]<&$~|])", r"\\\1", " ".join(words.split()))


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
