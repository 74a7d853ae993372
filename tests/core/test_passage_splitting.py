"""Passages of texts: they are in order, hold all that is not blank, and end where their section does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.document_structure import (
    LEAST,
    LONGEST_HEADING,
    MOST,
    DocumentSection,
    code_sections,
    heading_line,
    json_sections,
    markdown_sections,
    passages,
    quoted_spans,
    sentence_around,
    table_row,
    table_rule,
    whole,
)
from desktop_app.core.projects import Passage

WORDS = "The rope holds three tons. "

MARKS = ("", " ", "# One", "## Two", "### Three ##", "Title", "=====", "---", "```", "~~~", "- item", "\t")
TABLES = ("| a | b |", "| --- | --- |", "| 1 | 2 |")
CODE = ("def one():", "class Two:", "    return 1", "#include <x>", '  "key": {', "{", "}")
PROSE = (WORDS, WORDS * 40, "漢字" * 500, "x" * 5_000, "Grüße " * 300, "\u2003wide\u2003")
LINES = st.sampled_from((*MARKS, *TABLES, *CODE, *PROSE))
TEXTS = st.lists(LINES, max_size=30).map("\n".join) | st.text(max_size=200)
FINDERS = st.sampled_from([whole, code_sections, json_sections, markdown_sections])


def texts_of(text: str, found: tuple[Passage, ...]) -> list[str]:
    return [text[one.start : one.end] for one in found]


@settings(deadline=None, max_examples=400)
@given(TEXTS, FINDERS)
def test_passages_are_in_order_within_the_text_and_leave_nothing_out(text: str, finder: object) -> None:
    assert callable(finder)
    found = passages(text, finder(text))

    assert [one.number for one in found] == list(range(1, len(found) + 1))
    at, rest = 0, []
    for one in found:
        assert at <= one.start < one.end <= len(text)
        rest.append(text[at : one.start])
        at = one.end
    assert "".join([*rest, text[at:]]).strip() == ""
    for said in texts_of(text, found):
        assert said == said.strip()
        assert len(said.encode()) <= MOST


@settings(deadline=None)
@given(TEXTS, FINDERS)
def test_no_passage_reaches_over_the_end_of_a_section(text: str, finder: object) -> None:
    assert callable(finder)
    sections = finder(text)

    for one in passages(text, sections):
        assert [s for s in sections if s.start <= one.start and one.end <= s.end]


def test_a_short_text_is_one_passage_and_a_blank_one_none() -> None:
    assert passages(" hello \n", whole(" hello \n")) == (Passage(1, "text", 1, 6),)
    assert passages(" \n", whole(" \n")) == ()


def test_long_prose_is_cut_between_paragraphs_and_no_rest_is_tiny() -> None:
    text = "\n\n".join([WORDS * 15] * 9)

    found = texts_of(text, passages(text, whole(text)))

    assert len(found) == 3
    assert all(said.startswith("The rope") and said.endswith("tons.") for said in found)
    assert all(LEAST <= len(said) <= MOST for said in found)


def test_a_long_line_is_cut_after_a_sentence() -> None:
    text = WORDS * 300

    found = texts_of(text, passages(text, whole(text)))

    assert all(said.endswith("tons.") and said.startswith("The rope") for said in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "The rope holds three tons and\nis inspected by Dr. Müller each\nyear in the harbour. ",
        "Das Seil hält, vgl. Abschnitt 3, z. B. am 3. Mai\nauch im Hafen drei Tonnen. ",
        "He asked: “Does it hold?”\n",
        "绳子能承受三吨。",
    ],
)
def test_the_lines_of_a_page_end_anywhere_and_passages_begin_at_sentences(sentence: str) -> None:
    text = sentence * 120

    found = texts_of(text, passages(text, [DocumentSection(0, len(text), "text", "", 1)]))

    assert len(found) > 1
    assert all(said.startswith(sentence[:20]) for said in found)


def test_lines_of_a_log_and_of_a_list_stay_whole() -> None:
    for line in ("2024-05-01 12:00 Port closed. Reopened at noon by pilot {}\n", "- item {}. With two sentences\n"):
        text = "".join(line.format(number) for number in range(200))

        found = texts_of(text, passages(text, whole(text)))

        assert {said[:5] for said in found} == {line[:5]}


def test_a_quoted_word_leads_to_its_sentence() -> None:
    text = "It costs 4 crowns. The fee of Mr. Lind\nis due in May. Nothing else."
    start = text.index("due")

    assert text[slice(*sentence_around(text, start, start + 3))] == "The fee of Mr. Lind\nis due in May."
    assert sentence_around(text, 0, len(text)) == (0, len(text))


def test_quotes_lead_to_their_sentences() -> None:
    text = "It costs 4 crowns. The fee is due\nin May. Late fees are 2 %. **Nothing** else is owed."
    quotes = ("the fee is due in may", "Nothing else … is owed", "crowns", "not said anywhere")

    assert [text[start:end] for start, end in quoted_spans(text, quotes)] == [
        "The fee is due\nin May.",
        "**Nothing** else is owed.",
    ]
    assert quoted_spans(text, (text,)) == ((0, len(text)),)


def test_headings_lead_to_their_text() -> None:
    text = "Before.\n# Pricing\n## Tiers\nTwo of them.\n## Terms\nNet 30.\n# Annex\n\nNothing."

    found = passages(text, markdown_sections(text))

    assert [(one.heading, text[one.start : one.end]) for one in found] == [
        ("", "Before."),
        ("Pricing > Tiers", "# Pricing\n## Tiers\nTwo of them."),
        ("Pricing > Terms", "## Terms\nNet 30."),
        ("Annex", "# Annex\n\nNothing."),
    ]


def test_underlined_headings_count_and_rules_do_not() -> None:
    text = "Title\n=====\nSome text\nover two lines\n---\nmore\n\nPart\n----\nlast"

    found = passages(text, markdown_sections(text))

    assert [one.heading for one in found] == ["Title", "Title > Part"]


def test_what_looks_like_a_heading_in_a_fence_is_code() -> None:
    text = "# Build\n```sh\n# a comment\nmake\n```\ndone"

    assert [one.heading for one in passages(text, markdown_sections(text))] == ["Build"]


def test_rows_go_with_the_header_of_their_table() -> None:
    rows = [table_row([f"Part {number}", "3 | 4"]) for number in range(200)]
    head = table_row(["Name", "Price"])
    text = "\n".join([heading_line(1, "Parts"), "", head, table_rule(2), *rows, "", "After the table."])

    found = passages(text, markdown_sections(text))

    *table, after = found
    assert {one.kind for one in table} == {"table"}
    assert {(one.heading, one.table_head) for one in table} == {("Parts", head)}
    assert all(text[one.start : one.end].endswith("|") for one in table)
    assert len(table) > 2
    assert (after.kind, after.heading, after.table_head) == ("text", "Parts", "")


def test_the_kind_and_page_of_a_part_hold_for_all_in_it() -> None:
    text = "# Slide 1: Start\nHello\n# Slide 2: End\n| a |\n| --- |\n| 1 |"
    second = text.index("# Slide 2")

    found = passages(text, markdown_sections(text, DocumentSection(second, len(text), "slide", "", 2)))

    assert [(one.kind, one.page, one.heading) for one in found] == [("slide", 2, "Slide 2: End")]


def test_definitions_are_passages_of_their_own_unless_they_are_small() -> None:
    big = "\n".join(["# what it does", "def big(x):", *["    x += 1"] * 120])
    text = f"import os\n\n\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n\n\n{big}\n"

    found = passages(text, code_sections(text))

    assert [one.heading for one in found] == ["def a()", "def big(x)"]
    assert text[found[1].start :].startswith("# what it does")
    assert {one.kind for one in found} == {"code"}


def test_the_members_of_json_are_named() -> None:
    text = '{\n  "name": "x",\n  "parts": [\n' + "    1,\n" * 300 + '  ],\n  "end": 1\n}'

    assert [one.heading for one in passages(text, json_sections(text))] == ["name", "parts", "parts", "end"]


@pytest.mark.parametrize("text", ["# " + "h" * 5_000 + "\nx", "|" + " c |" * 3_000 + "\n| --- |\n| 1 |"])
def test_headings_and_headers_are_bounded(text: str) -> None:
    for one in passages(text, markdown_sections(text)):
        assert len(one.heading) <= LONGEST_HEADING
        assert len(one.table_head) <= 600
