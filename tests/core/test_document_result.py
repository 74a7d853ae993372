"""What a search of documents answers: headings, pages, table headers, ids, neighbours, and no passage twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_app.core.citations import PassagePlace
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import (
    CITE,
    DocumentResult,
    list_result,
    neighbours,
    ranked,
    read_result,
    result_facts,
    search_result,
)
from desktop_app.core.projects import DocumentText, Passage, PassageHit, ProjectDocument
from tests.builders.document_texts import document_of, document_text, id_in

ESTIMATOR = TokenEstimator.seeded("claude-2023")
PRICES = Passage(0, "text", 0, 0, heading="Pricing > Tiers", page=4)
ROWS = Passage(0, "table", 0, 0, heading="Prices", page=5, table_head="| Tier | Price |")

SPEC = document_text(
    "spec.pdf",
    "Before it.",
    ("The basic tier costs nine crowns.", PRICES),
    ("The gold tier costs twelve.", PRICES),
    ("| Basic | 9 |", ROWS),
    ("| Gold | 12 |", ROWS),
    "Far away " + "words " * 60,
)
DOCUMENT = document_of("p", "spec.pdf", SPEC)


def hit(number: int, score: float = 1.0, text: DocumentText = SPEC, document: ProjectDocument = DOCUMENT) -> PassageHit:
    passage = text.passages[number - 1]
    return PassageHit(document, passage, text.text[passage.start : passage.end], score)


def beside(text: DocumentText = SPEC, document: ProjectDocument = DOCUMENT) -> dict[str, PassageHit]:
    return {id_in(text, one.number): hit(one.number, 0.0, text, document) for one in text.passages}


def found(*hits: PassageHit, budget: float = 2_000, seen: set[str] | None = None) -> DocumentResult:
    return search_result(list(hits), beside(), budget, ESTIMATOR, seen=seen or set())


def tokens(text: str) -> float:
    return ESTIMATOR.tokens(features(text))


def test_a_result_holds_the_hit_its_neighbours_and_what_is_needed_to_cite_them() -> None:
    result = found(hit(2))
    assert result.text == "\n\n".join(
        [
            CITE,
            "# spec.pdf",
            f"[{id_in(SPEC, 1)}]\nBefore it.",
            f"[{id_in(SPEC, 2)}] Pricing > Tiers, page 4\nThe basic tier costs nine crowns.",
            f"[{id_in(SPEC, 3)}]\nThe gold tier costs twelve.",
        ]
    )
    places: Any = result_facts(result)["places"]
    assert result_facts(result) == {
        "passages": 3,
        "documents": ["spec.pdf"],
        "passage_ids": [id_in(SPEC, number) for number in (1, 2, 3)],
        "named_ids": [],
        "places": places,
    }
    assert [result.text[one["start"] : one["end"]] for one in places] == [hit(number).text for number in (1, 2, 3)]
    words = [PassagePlace.from_json(one).words for one in places]
    assert words == ["", "Pricing > Tiers, page 4", "Pricing > Tiers, page 4"]
    assert {one["document"] for one in places} == {"spec.pdf"}


def test_rows_of_a_table_stand_below_their_header_once() -> None:
    result = search_result([hit(4)], {id_in(SPEC, 5): hit(5)}, 2_000, ESTIMATOR)
    assert result.text.count("| Tier | Price |") == 1
    assert "page 5\n| Tier | Price |\n| Basic | 9 |" in result.text
    assert result.text.endswith(f"[{id_in(SPEC, 5)}]\n| Gold | 12 |")
    alone = search_result([hit(5)], {}, 2_000, ESTIMATOR)
    assert "| Tier | Price |\n| Gold | 12 |" in alone.text
    table = document_text("berths.csv", ("# Berths\n\n| Tier | Price |\n| --- | --- |\n| Basic | 9 |", ROWS))
    first = search_result([hit(1, 1.0, table, document_of("p", "berths.csv", table))], {}, 2_000, ESTIMATOR)
    assert first.text.endswith("page 5\n# Berths\n\n| Tier | Price |\n| --- | --- |\n| Basic | 9 |")


def test_hits_of_one_document_stand_together_in_its_order_the_best_document_first() -> None:
    other = document_text("plan.md", "Gold is in the plan.")
    second = replace(document_of("p", "plan.md", other), id="two")
    result = search_result(
        ranked([hit(6, 1.0), hit(1, 0.1, other, second), hit(3, 9.0)]), beside(), 2_000, ESTIMATOR, seen=()
    )
    assert [one.hit.passage.number for one in result.passages] == [2, 3, 4, 5, 6, 1]
    assert result.text.index("# spec.pdf") < result.text.index("# plan.md")
    assert result.text.count("# spec.pdf") == 1


def test_what_stands_beside_another_hit_says_more() -> None:
    best = ranked([hit(6, 1.1), hit(2, 1.0), hit(3, 1.0)])
    assert [one.passage.number for one in best] == [2, 3, 6]


def test_what_another_hit_says_whole_takes_no_place() -> None:
    copy = document_text("copy.txt", "The  basic tier costs\nnine crowns.", "nine crowns")
    other = replace(document_of("p", "copy.txt", copy), id="copy")
    best = ranked([hit(2, 2.0), hit(1, 1.5, copy, other), hit(2, 1.0, copy, other), hit(6, 0.5)])
    assert [(one.document.name, one.passage.number) for one in best] == [("spec.pdf", 2), ("spec.pdf", 6)]


def test_a_passage_that_is_in_view_is_named_and_not_repeated() -> None:
    result = found(hit(2), seen={id_in(SPEC, 2), id_in(SPEC, 3)})
    assert f"[{id_in(SPEC, 2)}] (in view above)" in result.text
    assert "nine crowns" not in result.text
    assert id_in(SPEC, 3) not in result.text
    assert [one.hit.passage.number for one in result.passages] == [1]
    assert [one.passage.number for one in result.named] == [2]
    assert result_facts(result)["passages"] == 2


def test_passages_of_a_document_that_the_request_holds_whole_are_named() -> None:
    result = search_result([hit(2)], beside(), 2_000, ESTIMATOR, whole={SPEC.sha256[:10]})
    assert result.passages == ()
    assert [one.passage.number for one in result.named] == [2]
    assert "crowns" not in result.text


@pytest.mark.parametrize("budget", [200, 300, 500, 900, 2_000])
def test_a_result_stays_within_its_budget(budget: int) -> None:
    long = document_text("long.txt", *(f"Number {number}. " + "tide " * 80 for number in range(40)))
    document = document_of("p", "long.txt", long)
    hits = [hit(number, 40.0 - number, long, document) for number in range(1, 40, 3)]
    result = search_result(ranked(hits), beside(long, document), budget, ESTIMATOR)
    assert result.passages
    assert tokens(result.text) <= budget
    assert tokens(result.text) > budget / 3 or budget == 2_000


def test_a_passage_longer_than_the_room_is_cut_with_a_mark() -> None:
    long = document_text("long.txt", "The tide turns. " * 2_000)
    result = search_result([hit(1, 1.0, long, document_of("p", "long.txt", long))], {}, 500, ESTIMATOR)
    assert "tokens left out]" in result.text
    assert 300 < tokens(result.text) <= 500


def test_reading_says_where_to_read_on() -> None:
    long = document_text("long.txt", *(f"Number {number}. " + "tide " * 80 for number in range(40)))
    document = document_of("p", "long.txt", long)
    passages = [hit(number, 0.0, long, document) for number in range(5, 30)]
    result = read_result(passages, 1_000, ESTIMATOR)
    last = result.passages[-1].hit.passage.number
    assert [one.hit.passage.number for one in result.passages] == list(range(5, last + 1))
    assert result.text.endswith(f"[... passages {last + 1}-29 left out: read on with from={last + 1}]")
    assert tokens(result.text) <= 1_000
    assert "left out" not in read_result(passages[:2], 1_000, ESTIMATOR).text


def test_neighbours_lie_within_the_document() -> None:
    assert neighbours(hit(1)) == (id_in(SPEC, 2),)
    assert neighbours(hit(6)) == (id_in(SPEC, 5),)


def test_a_list_names_documents_and_where_they_are_many_folders() -> None:
    text = list_result([DOCUMENT, replace(DOCUMENT, name="scan.pdf", state="failed", sha256="")], 2_000, ESTIMATOR)
    first, second, third = text.splitlines()
    assert first == "2 documents:"
    assert second == f"[{SPEC.sha256[:10]}] spec.pdf: 5 pages, 6 passages, {DOCUMENT.tokens} tokens, 2026-01-02"
    assert third.startswith("scan.pdf: ")
    assert "could not be read" in third
    many = [
        replace(DOCUMENT, id=str(number), folder_id="f", path=f"{number % 3}/contract {number}.pdf")
        for number in range(10_000)
    ]
    folders = list_result(many, 2_000, ESTIMATOR)
    assert folders.splitlines() == [
        "10,000 documents in these folders; name one in `folder`:",
        "0: 3,334 documents",
        "1: 3,333 documents",
        "2: 3,333 documents",
    ]
    flat = list_result([replace(one, path=one.name) for one in many], 2_000, ESTIMATOR)
    assert flat.splitlines()[0].endswith(" of 10,000:")
    assert tokens(flat) <= 2_000


@pytest.mark.parametrize("count", [72, 500])
def test_a_list_of_many_in_no_folder_goes_on_until_each_was_named(count: int) -> None:
    many = [
        replace(DOCUMENT, id=str(number), sha256=f"{number:064x}", name=f"Angebot Nr. {number} (überarbeitet).pdf")
        for number in range(count)
    ]
    named: list[str] = []
    first = 1
    while True:
        text = list_result(many, 2_000, ESTIMATOR, first)
        assert tokens(text) <= 2_000
        found = [line for line in text.splitlines() if line.endswith(".pdf")]
        assert text.startswith(f"Documents {first} to {first + len(found) - 1} of {count}:\n")
        named += found
        first += len(found)
        if first > count:
            break
        assert text.endswith(f"\n[... {count - first + 1} more: list on with from={first}]")
    assert [line.partition("] ")[2] for line in named] == [one.name for one in many]
