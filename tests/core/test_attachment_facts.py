"""What a model can't look at, the pages of scans, and the cutting of long texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.attachment_facts import (
    BYTES,
    NOTE,
    PAGES,
    attachments_of,
    name_of,
    note_of,
    scanned_pages,
    scanned_pdf,
)
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.token_counting import TOKENS_PER_PAGE, image_tokens
from desktop_app.core.context.token_estimator import TokenEstimator, cut_characters
from desktop_app.core.messages import DocumentPart, ImagePart, Json, Part, TextPart, ToolCallPart, ToolResultPart
from tests.core.paths import MODEL_200K, message, prepare
from tests.counted_calls import CountedCalls

STAND_IN = "[A scan of 3 pages without text]"
SCAN = DocumentPart("scan.pdf", STAND_IN, "ab", "application/pdf", {PAGES: 3, BYTES: "JVBE"})
PHOTO = ImagePart("photo.png", "image/png", "aGk=", 600, 500)
BLIND = replace(MODEL_200K, accepts_images=False, accepts_pdf=False)


def blocks(plan: ContextPlan) -> list[Part]:
    return [block for m in plan.request.messages for block in m.blocks]


@pytest.mark.parametrize(
    ("extra", "pages"),
    [
        ({}, 0),
        ({PAGES: 4}, 0),
        ({PAGES: 4, BYTES: "JVBE"}, 4),
        ({BYTES: "JVBE"}, 1),
        ({PAGES: "4", BYTES: "JVBE"}, 1),
        ({PAGES: -2, BYTES: "JVBE"}, 1),
        ({PAGES: True, BYTES: "JVBE"}, 1),
        ({PAGES: 4, BYTES: ["JVBE"]}, 0),
    ],
)
def test_only_what_carries_its_bytes_is_a_scan(extra: dict[str, Json], pages: int) -> None:
    part = DocumentPart("a.pdf", "text", "ab", "application/pdf", extra)

    assert scanned_pages(part) == pages
    assert (scanned_pdf(part) is not None) == (pages > 0)
    assert image_tokens(part, "claude-2023") == pages * TOKENS_PER_PAGE


def test_attachments_are_told_from_text() -> None:
    noted = ImagePart("a.gif", "image/gif", "AAAA", extra={NOTE: "It is the first of 3 frames."})
    parts = (TextPart("look"), noted, SCAN)

    assert attachments_of(parts) == (noted, SCAN)
    assert [name_of(part) for part in parts] == ["", "a.gif", "scan.pdf"]
    assert [note_of(part) for part in parts] == ["", "It is the first of 3 frames.", ""]


def test_the_pages_of_a_scan_count_as_documents_in_the_draft_and_afterwards() -> None:
    text = replace(SCAN, extra={})
    draft, bare = (prepare(()).plan([one, TextPart("read")]).tokens for one in (SCAN, text))
    stored, plain = (
        prepare((message(0, "user", one, "read"), message(1, "assistant", "done"))).plan([TextPart("more")]).tokens
        for one in (SCAN, text)
    )

    assert draft.documents - bare.documents == 3 * TOKENS_PER_PAGE
    assert draft.total - bare.total == 3 * TOKENS_PER_PAGE
    assert draft.draft == bare.draft
    assert stored.total - plain.total == 3 * TOKENS_PER_PAGE
    assert stored.documents - plain.documents == pytest.approx(3 * TOKENS_PER_PAGE, abs=12)


def test_a_keystroke_beside_a_book_costs_as_little_as_one_without() -> None:
    book = DocumentPart("book.txt", "Быстрая лиса прыгает через собаку, да.\n" * 50_000, "ab")
    preparation = prepare(())
    preparation.plan([book, TextPart("a")])
    taken: list[int] = []
    for typed in range(30):
        with CountedCalls() as work:
            preparation.plan([book, TextPart("a" * typed)])
        taken.append(work.calls)

    assert max(taken) < 1_500


def test_what_was_sent_to_another_model_is_a_line_for_one_that_cannot_look() -> None:
    path = (message(0, "user", PHOTO, SCAN, "look"), message(1, "assistant", "seen"))

    seeing, blind = (prepare(path, model=model).plan([TextPart("and?")]) for model in (MODEL_200K, BLIND))

    assert blocks(seeing)[:2] == [PHOTO, SCAN]
    assert blocks(blind)[:2] == [TextPart("[Image sent: photo.png]"), replace(SCAN, extra={})]
    assert blind.placement.messages[0].state == "annotated"
    assert blind.tokens.total < seeing.tokens.total - 3 * TOKENS_PER_PAGE
    assert blind.decision == "ok"


def test_a_switch_of_the_model_in_mid_thread_is_seen_by_the_preparation_that_goes_on() -> None:
    path = (message(0, "user", PHOTO, "look"), message(1, "assistant", "seen"))
    before = prepare(path)

    after = prepare(path, model=BLIND, previous=before)

    assert PHOTO in blocks(before.plan([TextPart("and?")]))
    assert PHOTO not in blocks(after.plan([TextPart("and?")]))


def test_the_running_tool_loop_shows_no_image_to_who_cannot_look() -> None:
    path = (
        message(0, "user", PHOTO, "look"),
        message(1, "assistant", ToolCallPart("c", "find", {})),
        message(2, "user", ToolResultPart("c", "found")),
    )

    plan = prepare(path, model=BLIND).plan(())

    assert [type(block).__name__ for block in blocks(plan)] == [
        "TextPart",
        "TextPart",
        "ToolCallPart",
        "ToolResultPart",
    ]


def test_a_long_text_is_cut_at_a_paragraph_with_what_is_left_out() -> None:
    estimator = TokenEstimator.seeded("unknown")
    text = "A paragraph of some words.\n\n" * 100

    cut = cut_characters(text, 1_000, estimator)

    kept, _, mark = cut.rpartition("\n\n")
    assert len(kept) <= 1_000
    assert kept.endswith("words.")
    assert text.startswith(kept)
    said = int("".join(filter(str.isdigit, mark)))
    assert mark == f"[... {said:,} tokens left out]"
    assert said == pytest.approx(estimator.estimate(text[len(kept) :]).tokens, rel=0.05)
    assert cut_characters("short", 1_000, estimator) == "short"
    assert cut_characters("x" * 50, 10, estimator).startswith("x" * 10 + "\n\n[... ")
