"""How an attachment is told."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.attachment_facts import BYTES, FIRST, NOTE, PAGES, whole_document
from desktop_app.core.messages import DocumentPart, ImagePart, JsonObject, Message
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.i18n.content_words import about, excerpt, facts_of, told, unread_by

NOW = "2026-11-22T09:00:00Z"
SKY = ImagePart("sky.png", "image/png", "AA==", 1920, 1080)
REPORT = DocumentPart("report.pdf", "text", "a" * 64, "application/pdf", {PAGES: 12})
SCAN = DocumentPart("scan.pdf", "A scan.", "b" * 64, "application/pdf", {PAGES: 1, BYTES: "AA=="})
SEEING = ModelInfo("s", "Seeing", 1, 1, accepts_images=True, accepts_pdf=True)
BLIND = ModelInfo("b", "Blind", 1, 1)


def test_what_a_screen_reader_says(qtbot: QtBot) -> None:
    assert told(REPORT, 12_412, SEEING).spoken == "report.pdf, PDF, about 12,000 tokens"
    assert told(SKY, None, None).spoken == "sky.png, image"
    assert told(SKY, 1_401, BLIND).spoken == "sky.png, image, about 1,400 tokens, Blind can't look at images"


def test_the_hint_has_a_line_for_each_fact(qtbot: QtBot) -> None:
    noted = DocumentPart("a.txt", "four", "c" * 64, "text/plain", {NOTE: "The encoding is a guess."})
    assert told(SKY, 2_764, SEEING).hint == "sky.png\n1,920 × 1,080 · PNG\n2,764 tokens, estimated"
    assert told(noted, None, SEEING).hint == "a.txt\n4 characters · TXT\nThe encoding is a guess."
    assert facts_of(REPORT) == "12 pages"
    assert facts_of(SCAN) == "1 page"


def test_a_model_that_sees_no_pages_reads_the_text_of_a_pdf_but_no_scan(qtbot: QtBot) -> None:
    assert unread_by(REPORT, BLIND) == ""
    assert unread_by(SCAN, BLIND) == "Blind can't look at its pages"
    assert unread_by(SCAN, SEEING) == ""
    assert unread_by(SKY, None) == ""


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (8, "< 100"),
        (99, "< 100"),
        (100, "≈ 100"),
        (999, "≈ 999"),
        (1_000, "≈ 1K"),
        (4_160, "≈ 4.2K"),
        (12_412, "≈ 12K"),
        (99_960, "≈ 100K"),
    ],
)
def test_tokens_are_rounded(tokens: int, words: str) -> None:
    assert about(tokens) == words


def test_a_document_that_was_sent_in_part_says_so_wherever_it_stands(qtbot: QtBot) -> None:
    cut: JsonObject = {FIRST: {"at": 400, "left_out": 146_120}}
    part = DocumentPart("huge.txt", "word " * 1_000, "d" * 64, "text/plain", cut)
    assert facts_of(part) == "≈ 146K tokens left out"
    assert excerpt(Message("m", "t", None, "user", (part,), NOW)) == "huge.txt, in part"
    assert facts_of(whole_document(part)) == "5,000 characters"
    assert excerpt(Message("m", "t", None, "user", (whole_document(part),), NOW)) == "huge.txt"
