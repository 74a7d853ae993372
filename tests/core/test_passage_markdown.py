"""Passages of documents as Markdown that shows them as they are."""

from __future__ import annotations

from desktop_app.core.document_structure import passage_markdown
from desktop_app.core.projects import DocumentText, Passage

INSPECTION = """\
Crane inspection report
Date: 11 February 2026
Inspector: M. Okafor

The crane was inspected on site and under load. The hoist rope shows wear on the
first two layers of the drum, which is within what the manufacturer allows, but it
should be replaced at the next service at the latest.
1. Hoist rope: replace
2. Brake: no findings
"""


def shown(text: str, media_type: str = "application/pdf") -> str:
    passage = Passage(1, "text", 0, len(text))
    return passage_markdown(DocumentText("hash", media_type, text, (passage,)), passage)


def test_titles_and_short_lines_of_a_page_keep_their_ends_and_paragraphs_flow() -> None:
    assert shown(INSPECTION).split("\n") == [
        "Crane inspection report\\",
        "Date&#58; 11 February 2026\\",
        "Inspector&#58; M. Okafor",
        "",
        "The crane was inspected on site and under load. The hoist rope shows wear on the",
        "first two layers of the drum, which is within what the manufacturer allows, but it",
        "should be replaced at the next service at the latest.\\",
        "1&#46; Hoist rope&#58; replace\\",
        "2&#46; Brake&#58; no findings",
        "",
    ]


def test_a_line_is_as_wide_as_the_page_around_the_passage() -> None:
    before = "The whole of this page is a good deal wider than the passage that is shown of it here.\n" * 3
    text = f"{before}Annex A\nTorque of the bolts"
    passage = Passage(2, "text", len(before), len(text))
    document = DocumentText("hash", "application/pdf", text, (passage,))
    assert passage_markdown(document, passage) == "Annex A\\\nTorque of the bolts"


def test_a_narrow_column_flows() -> None:
    column = "In a narrow column\nevery line is short\nand goes on below\nuntil it ends."
    assert "\\" not in shown(column)


def test_the_lines_of_a_plain_text_end_where_they_do() -> None:
    assert shown("one\ntwo\n\nthree", "text/plain") == "one\\\ntwo\n\nthree"
