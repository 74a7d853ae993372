"""Citations: found in an answer, and true only for what was sent."""

from __future__ import annotations

import pytest

from desktop_app.core.citations import (
    NO_PLACE,
    PassagePlace,
    ReadableCitations,
    SentPassage,
    SentPassages,
    citations_in,
    passages_of_result,
    quotes_of,
    readable_citations,
)
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import result_facts, search_result
from desktop_app.core.messages import DocumentPart, Message, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.phrases import Phrase
from desktop_app.core.projects import Passage, PassageHit
from tests.builders.document_texts import document_of, document_text, id_in

TIME = "2026-03-01T12:00:00.000Z"
SPEC = document_text("spec.pdf", ("Nine crowns.", Passage(0, "text", 0, 0, heading="Fees", page=4)), "Twelve crowns.")
FIRST, SECOND = id_in(SPEC, 1), id_in(SPEC, 2)


def hit(number: int) -> PassageHit:
    passage = SPEC.passages[number - 1]
    return PassageHit(document_of("p", "spec.pdf", SPEC), passage, SPEC.text[passage.start : passage.end], 1.0)


def result_with(*numbers: int) -> ToolResultPart:
    written = search_result([hit(number) for number in numbers], {}, 2_000, TokenEstimator.seeded("claude-2023"))
    return ToolResultPart("c", written.text, extra=result_facts(written))


def path_with(result: ToolResultPart) -> list[Message]:
    call = ToolCallPart("c", "search_documents", {"query": "fees"})
    return [
        Message("1", "t", None, "user", (TextPart("What?"),), TIME),
        Message("2", "t", "1", "assistant", (call,), TIME),
        Message("3", "t", "2", "user", (result,), TIME),
    ]


def test_the_passages_of_a_result_have_their_document_place_and_text() -> None:
    assert list(passages_of_result(result_with(1, 2))) == [
        SentPassage(FIRST, "spec.pdf", PassagePlace("Fees", 4), "Nine crowns."),
        SentPassage(SECOND, "spec.pdf", NO_PLACE, "Twelve crowns."),
    ]


def test_only_what_was_sent_is_verified() -> None:
    sent = SentPassages(path_with(result_with(1)))
    text = f"It costs nine [{FIRST}], or twelve [{SECOND}], or none [0123456789-1]."
    found = citations_in(text, sent)
    assert [(one.id, one.verified) for one in found] == [(FIRST, True), (SECOND, False), ("0123456789-1", False)]
    assert [text[one.start : one.end] for one in found] == [f"[{one.id}]" for one in found]
    assert found[0].passage == SentPassage(FIRST, "spec.pdf", PassagePlace("Fees", 4), "Nine crowns.")


def test_an_answer_quotes_what_it_cites_and_puts_in_quotation_marks() -> None:
    cited = {"type": "search_result_location", "cited_text": "The fee is due in May."}
    parts = (
        TextPart("It says “the fee is due” and «in the month of May», not „a“.", {"citations": [cited, {"x": 1}]}),
        ToolCallPart("c", "search", {"query": "“not the answer's words”"}),
        TextPart('Als »zweiter Absatz« und "third one".'),
    )
    assert quotes_of(parts) == (
        "The fee is due in May.",
        "the fee is due",
        "in the month of May",
        "zweiter Absatz",
        "third one",
    )


def test_several_ids_may_stand_in_one_pair_of_brackets() -> None:
    sent = SentPassages(path_with(result_with(1, 2)))
    assert [one.id for one in citations_in(f"So [{FIRST}, {SECOND}] and [{FIRST}; {SECOND}].", sent)] == [
        *(FIRST, SECOND),
        *(FIRST, SECOND),
    ]


def test_a_passage_of_a_document_that_went_whole_is_verified() -> None:
    whole = DocumentPart("spec.pdf", SPEC.text, SPEC.sha256)
    for sent in (
        SentPassages((), [whole]),
        SentPassages([Message("1", "t", None, "user", (whole, TextPart("What?")), TIME)]),
    ):
        assert citations_in(f"[{SECOND}]", sent)[0].passage == SentPassage(SECOND, "spec.pdf")
        assert not citations_in("[0123456789-2]", sent)[0].verified


def test_what_only_looks_like_one_is_none() -> None:
    sent = SentPassages(path_with(result_with(1)))
    for text in ("[1]", "[0123456789]", "[012345678-1]", "[0123456789-]", f"({FIRST})", f"[{FIRST.upper()}x]"):
        assert citations_in(text, sent) == []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (NO_PLACE, ""),
        (PassagePlace("Fees"), "Fees"),
        (PassagePlace("", 4), "page 4"),
        (PassagePlace("Fees > Piers", 4), "Fees > Piers, page 4"),
        (PassagePlace("Roadmap", 7, is_slide=True), "Roadmap, slide 7"),
    ],
)
def test_a_place_is_kept_as_a_value_and_said_as_a_phrase(place: PassagePlace, words: str) -> None:
    assert PassagePlace.from_json(place.json) == place
    assert place.words == words
    assert isinstance(place.words, Phrase) or not place.page
    assert PassagePlace.from_json({"place": words}) == place, "as earlier versions kept it"


def test_the_pages_of_a_workbook_are_its_sheets_which_have_names() -> None:
    assert PassagePlace.of(Passage(1, "sheet", 0, 1, heading="Costs", page=2)).words == "Costs"
    assert PassagePlace.of(Passage(1, "slide", 0, 1, heading="Goals", page=2)).words == "Goals, slide 2"
    assert SentPassages(path_with(result_with(1))).title_of(FIRST) == "spec.pdf, Fees, page 4"


def test_people_read_numbers_and_what_they_stand_for() -> None:
    sent = SentPassages(path_with(result_with(1, 2)))
    text = f"Nine [{FIRST}], or twelve [{SECOND}, {FIRST}]. Never [0123456789-1].\n"
    assert readable_citations(text, sent) == (
        "Nine [^1], or twelve [^2][^1]. Never [^3].\n\n"
        "[^1]: spec.pdf, Fees, page 4\n[^2]: spec.pdf\n"
        "[^3]: Unverified: no passage with the id 0123456789-1 was sent to the model."
    )


def test_code_and_a_text_without_citations_stay_as_they_are() -> None:
    sent = SentPassages(path_with(result_with(1)))
    code = f"Say `[{FIRST}]`.\n\n- so:\n\n  ```\n  [{FIRST}]\n  ```\n"
    assert readable_citations(code, sent) == code
    assert readable_citations(f"Nine [{FIRST}].", SentPassages()) == f"Nine [{FIRST}].", "nothing was ever sent"
    assert readable_citations(f"{code}\nNine [{FIRST}].", sent).startswith(f"{code}\nNine [^1].")


def test_the_numbers_of_several_texts_are_those_of_no_footnote_of_theirs() -> None:
    sent = SentPassages(path_with(result_with(1, 2)))
    texts = (f"Nine [{FIRST}][^1].\n\n[^1]: At least.", f"Twelve [{SECOND}], not nine [{FIRST}].")
    citations = ReadableCitations(sent, texts)
    assert [citations.written(text) for text in texts] == [
        "Nine [^2][^1].\n\n[^1]: At least.",
        "Twelve [^3], not nine [^2].",
    ]
    assert [(note.number, note.id, note.words) for note in citations.notes] == [
        (2, FIRST, "spec.pdf, Fees, page 4"),
        (3, SECOND, "spec.pdf"),
    ]
    raised = [citations.written(texts[1], lambda note: f"<sup>{note.number}</sup>")]
    assert raised == ["Twelve <sup>3</sup>, not nine <sup>2</sup>."], "a number stays, however it is written"
