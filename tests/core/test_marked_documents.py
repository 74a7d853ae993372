"""Marks in documents that go whole: each passage has one, the bytes stay the same, what is cited by them is checked."""

from __future__ import annotations

import json
import re

import pytest

from desktop_app.core.citations import (
    PassagePlace,
    SentPassage,
    SentPassages,
    citations_in,
    marked_document,
    marked_documents,
    readable_citations,
    with_cited,
)
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Json, Message, TextPart, ThinkingPart
from desktop_app.core.projects import DocumentText, Passage
from desktop_app.storage.row_mapping import decode_parts, encode_parts
from tests.builders.document_texts import document_text, id_in
from tests.core.paths import plan_for, sent_and_answered, talk, words

FEES = Passage(0, "text", 0, 0, heading="Fees", page=4)
SPEC = document_text("spec.pdf", ("Nine crowns.", FEES), "Twelve crowns.", "Paid at the pier.")
ID = SPEC.sha256[:10]
MARKED = marked_document("spec.pdf", SPEC)
TIME = "2026-03-01T12:00:00.000Z"


def test_each_passage_has_its_mark_and_the_first_line_tells_the_id() -> None:
    head, _, rest = MARKED.text.partition("\n\n")
    assert f"§1 as [{ID}-1]" in head
    assert rest == "§1 Nine crowns.\n\n§2 Twelve crowns.\n\n§3 Paid at the pier."
    assert (MARKED.name, MARKED.sha256, MARKED.media_type) == ("spec.pdf", SPEC.sha256, "text/plain")
    assert marked_document("spec.pdf", SPEC) == MARKED


def test_nothing_but_the_marks_is_added_wherever_passages_begin() -> None:
    text = "\n# Fees\nNine crowns for a boat. Ten for a ship.\n\n| Pier | Fee |\n| Blue | 9 |\n"
    starts = (1, text.index("Ten"), text.index("| Pier"), text.index("| Blue"))
    ends = (*starts[1:], len(text))
    passages = tuple(Passage(n, "text", a, b) for n, (a, b) in enumerate(zip(starts, ends, strict=True), 1))
    marked = marked_document("a.md", DocumentText("ab" * 32, "text/markdown", text, passages)).text
    _, _, body = marked.partition("\n\n")
    assert re.sub(r"§\d+ ", "", body) == text
    assert "boat. §2 Ten" in body
    assert "\n§4 | Blue" in body


@pytest.mark.parametrize(
    ("said", "sign"), [("By § 12 and §§ it holds.", "§"), ("By §12 it holds.", "¶"), ("By §12 and ¶3.", "※")]
)
def test_the_sign_is_one_that_the_document_does_not_number_its_own_parts_with(said: str, sign: str) -> None:
    marked = marked_document("law.txt", document_text("law.txt", said, "More.")).text
    assert f"\n{sign}2 More." in marked
    assert f"Cite {sign}1 as" in marked


def test_a_document_without_passages_goes_as_it_is() -> None:
    plain = DocumentText("ab" * 32, "text/plain", "  ", ())
    assert (marked_document("a.txt", plain).text, marked_document("a.txt", plain).extra) == ("  ", {})


def test_marks_cost_little_and_are_counted() -> None:
    passages = [words(150) for _ in range(40)]
    text = document_text("long.txt", *passages)
    marked = marked_document("long.txt", text)
    estimator = TokenEstimator.seeded("claude-2023")
    plain, with_marks = (estimator.tokens(features(one)) for one in (text.text, marked.text))
    assert plain < with_marks < plain * 1.04
    plan = plan_for(talk("one", "two"), "three", project=ProjectContext("p", "P", documents=(marked,)))
    assert plan.tokens.documents >= int(with_marks)


def test_requests_hold_the_same_bytes_and_tell_which_documents_they_hold() -> None:
    project = ProjectContext("p", "P", documents=(MARKED,))
    path = talk("one", "two")
    first = plan_for(path, "three", project=project)
    later = plan_for(sent_and_answered(path, first, "three", "four"), "five", project=project)
    assert marked_documents(first) == marked_documents(later) == (MARKED,)
    assert first.request.messages[0].blocks[0] == later.request.messages[0].blocks[0]
    assert first.request.prefix_key == later.request.prefix_key
    assert marked_documents(plan_for(path, "three")) == ()


def test_what_an_answer_cites_of_them_is_kept_with_it_and_what_is_invented_is_not() -> None:
    said = f"Nine [{ID}-1], twelve [{ID}-2], never [{ID}-4] [{ID}-0] [0123456789-1]."
    parts = with_cited((ThinkingPart(f"[{ID}-3]"), TextPart(said), TextPart("Done.")), (MARKED,))
    assert parts[0] == ThinkingPart(f"[{ID}-3]")
    assert parts[2] == TextPart("Done.")
    assert isinstance(parts[1], TextPart)
    assert parts[1].text == said
    assert json.loads(json.dumps(parts[1].extra)) == {
        "cited": [
            {"id": id_in(SPEC, 1), "document": "spec.pdf", "heading": "Fees", "page": 4},
            {"id": id_in(SPEC, 2), "document": "spec.pdf"},
        ]
    }
    stored = decode_parts(json.loads(json.dumps(encode_parts(parts))))
    for sent in (
        SentPassages([Message("1", "t", None, "assistant", parts, TIME)]),
        SentPassages([Message("1", "t", None, "assistant", stored, TIME)]),
        SentPassages((), (MARKED,)),
    ):
        assert [one.verified for one in citations_in(said, sent)] == [True, True, False, False, False]
        assert sent.find(f"{ID}-1") == SentPassage(f"{ID}-1", "spec.pdf", PassagePlace("Fees", 4))
        assert f"{ID}-4" not in sent
    assert "[^1]: spec.pdf, Fees, page 4" in readable_citations(said, SentPassages((), (MARKED,)))


def test_facts_that_came_from_elsewhere_are_read_with_care() -> None:
    odd: tuple[Json, ...] = ({"id": f"{ID}-1"}, "x", [f"{ID}-1", 4, {"document": "a"}, {"id": 3}])
    for facts in odd:
        sent = SentPassages([Message("1", "t", None, "assistant", (TextPart("A", {"cited": facts}),), TIME)])
        assert not sent
