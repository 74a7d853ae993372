"""A document of which only the beginning is sent (CTX-9): what goes along, what it weighs, what can be looked up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.attachment_facts import FIRST, is_in_part, left_out_of, whole_document
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.plan_questions import refusal_remedies
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator, as_sent, first_tokens
from desktop_app.core.messages import DocumentPart, Part, TextPart
from desktop_app.core.recall import RECALL, TOOL_NAME, eligible
from tests.core.paths import message, prepare, small_model

ESTIMATOR = TokenEstimator.seeded("claude-2023")
PARAGRAPH = "The pier stands in the north of the harbour, and boats lie there. " * 5 + "\n\n"
BOOK = DocumentPart("book.txt", PARAGRAPH * 400, "ab")
LONG_PARAGRAPHS = DocumentPart("essay.txt", ("It stands in the north. " * 800 + "\n\n") * 20, "cd")


def part_of(most: int, book: DocumentPart = BOOK) -> DocumentPart:
    return first_tokens(book, most, ESTIMATOR)


def tokens(text: str) -> float:
    return ESTIMATOR.tokens(features(text))


def test_the_beginning_goes_along_with_a_mark_and_the_text_stays_whole() -> None:
    cut = part_of(5_000)
    sent = as_sent(cut)
    kept, mark = sent.text.rsplit("\n\n", 1)
    assert cut.text == BOOK.text
    assert BOOK.text.startswith(kept)
    assert kept.endswith("boats lie there.")
    assert mark == f"[... {left_out_of(cut):,} tokens left out]"
    assert 4_900 < tokens(sent.text) <= 5_000, "as many as were asked for"
    assert tokens(kept) + left_out_of(cut) == pytest.approx(tokens(BOOK.text), abs=1)
    assert (is_in_part(cut), is_in_part(sent), is_in_part(BOOK)) == (True, True, False)
    assert whole_document(cut) == BOOK
    # a cut again is one of the whole
    assert part_of(2_000, cut) == part_of(2_000)


@pytest.mark.parametrize("most", [10_000, 40_000])
def test_the_chip_says_the_number_of_the_button(most: int) -> None:
    cut = part_of(most, LONG_PARAGRAPHS)
    assert round(tokens(as_sent(cut).text) / 1_000) * 1_000 == most


def test_what_is_no_longer_or_is_looked_at_goes_whole() -> None:
    assert part_of(10**6) == BOOK
    scan = replace(BOOK, extra={"bytes": "AAAA", "pages": 3})
    assert part_of(1_000, scan) == scan


@pytest.mark.parametrize(
    "cut", [None, 3, {}, {"at": "x", "left_out": 1}, {"at": -5, "left_out": 1}, {"at": 10**9, "left_out": 1}]
)
def test_a_cut_that_makes_no_sense_is_none(cut: object) -> None:
    part = replace(BOOK, extra={FIRST: cut})  # type: ignore[dict-item]
    assert as_sent(part) is part
    assert left_out_of(part) == 0


def test_the_plan_weighs_what_it_sends_and_the_bytes_stay() -> None:
    cut = part_of(5_000)
    first = prepare(()).plan([cut, TextPart("read")])
    assert first.request.pending is not None
    assert first.request.pending.blocks == (as_sent(cut), TextPart("read"))
    assert first.tokens.documents == prepare(()).tokens_of(cut) <= 5_100
    path = (message(0, "user", cut, "read"), message(1, "assistant", "done"))
    later = prepare(path).plan([TextPart("and now?")])
    assert later.request.history[0].blocks[0] == as_sent(cut)
    assert later.tokens.documents == first.tokens.documents


def test_the_same_part_again_is_a_reference_and_another_is_not() -> None:
    def blocks(*attached: Part) -> tuple[Part, ...]:
        path = (message(0, "user", part_of(5_000), "read"), message(1, "assistant", "done"))
        pending = prepare(path).plan([*attached, TextPart("again")]).request.pending
        assert pending is not None
        return pending.blocks

    assert blocks(part_of(5_000))[0] == TextPart("[Document attached above: book.txt]")
    assert blocks(part_of(9_000))[0] == as_sent(part_of(9_000))
    assert blocks(BOOK)[0] == BOOK


@pytest.mark.parametrize("caches", [True, False])
def test_the_rest_can_be_looked_up_from_the_first_request_on(caches: bool) -> None:
    overhead = Overhead(cache_marks=4) if caches else Overhead()
    plan = prepare((), overhead=overhead, tools=(RECALL,)).plan([part_of(5_000), TextPart("read")])
    assert [tool.name for tool in plan.request.tools] == [TOOL_NAME]
    assert "left out]" in plan.request.system
    asked = message(0, "user", part_of(5_000), "read")
    assert eligible(plan, (asked,)) == {asked.id}
    later = prepare((asked, message(1, "assistant", "done")), overhead=overhead, tools=(RECALL,)).plan([TextPart("so")])
    assert [tool.name for tool in later.request.tools] == [TOOL_NAME]
    assert asked.id in eligible(later, (asked,))
    assert prepare((), overhead=Overhead(), tools=(RECALL,)).plan([BOOK]).request.tools == ()


def test_where_a_document_does_not_fit_a_part_is_offered_that_does() -> None:
    huge = replace(BOOK, text=PARAGRAPH * 3_000)
    prepared = prepare(())
    plan = prepared.plan([huge, TextPart("read")])
    assert plan.decision == "refuse"
    offered = {remedy.action: remedy for remedy in refusal_remedies(plan)}
    assert offered["shorten_document"].label() == "Use the first 40K tokens of book.txt"
    fitting = prepared.first_tokens(huge, offered["shorten_document"].limit)
    assert prepared.plan([fitting, TextPart("read")]).decision == "ok"


def test_the_largest_document_is_the_first_to_be_cut() -> None:
    small = replace(BOOK, name="small.txt", text=PARAGRAPH * 1_500)
    huge = replace(BOOK, name="huge.txt", text=PARAGRAPH * 2_000, sha256="cd")
    offered = refusal_remedies(prepare(()).plan([small, huge, TextPart("read")]))
    assert [one.name for one in offered if one.action == "shorten_document"] == ["huge.txt", "small.txt"]


@given(window=st.integers(8_000, 400_000), share=st.floats(0.05, 0.3))
@settings(max_examples=10, deadline=None)
def test_the_part_that_is_offered_leaves_room_for_the_answer_and_the_next_question(window: int, share: float) -> None:
    """20K of a soft limit of 20K went, and the next question left the answer out."""
    model = small_model(window)
    prepared = prepare((), model=model)
    huge = replace(BOOK, text=PARAGRAPH * 3_000)
    plan = prepared.plan([huge, TextPart("read")])
    assert plan.decision == "refuse"
    offered = {remedy.action: remedy for remedy in refusal_remedies(plan)}["shorten_document"]
    part = prepared.first_tokens(huge, offered.limit)
    answer = message(1, "assistant", "word " * int(plan.limits.soft * share))
    later = prepare((message(0, "user", part, "read"), answer), model=model).plan([TextPart("And now?")])
    assert later.decision == "ok"
    assert later.placement.left_out == 0


@pytest.mark.parametrize("more", [0.8, 1.0, 1.3])
def test_what_is_sent_and_what_is_left_out_add_up_to_the_figure_that_was_shown(more: float) -> None:
    """239K on its chip, then "176K left out" of the first 40K."""
    book = replace(BOOK, text=PARAGRAPH * 3_000)
    prepared = prepare(())
    shown = round(more * prepared.tokens_of(book))
    cut = prepared.first_tokens(book, 40_000, shown)
    sent = more * prepared.tokens_of(cut)
    assert 35_000 < sent <= 40_200
    assert left_out_of(cut) + sent == pytest.approx(shown, rel=0.001)


def test_where_little_room_is_left_less_is_offered() -> None:
    pinned = DocumentPart("pinned.txt", PARAGRAPH * 1_800, "cd")
    prepared = prepare((message(0, "user", pinned), message(1, "assistant", "done")))
    plan = prepared.plan([replace(BOOK, text=PARAGRAPH * 3_000), TextPart("read")])
    offered = {remedy.action: remedy for remedy in refusal_remedies(plan)}
    fitting = prepared.first_tokens(BOOK, offered["shorten_document"].limit)
    assert offered["shorten_document"].limit % 1_000 == 0
    assert prepared.plan([fitting, TextPart("read")]).decision != "refuse"
