"""What an attachment of a draft weighs: the same wherever it is asked, and counted once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.plan_text import gauge_line, gauge_sentence, recounted
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.token_counting import image_tokens
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, ImagePart, Part, TextPart, Usage
from desktop_app.core.model_catalog import ModelInfo, TokenizerFamily
from desktop_app.core.settings import ContextSettings
from tests.core.paths import message, prepare, sent_and_answered
from tests.counted_calls import CountedCalls

MODEL = ModelInfo("m", "M", 200_000, 20_000, tokenizer="claude-2023", accepts_images=True)
BOOK = "It was the best of times, it was the worst of times, it was the age of wisdom.\n" * 20_000


def prepared(previous: Preparation | None = None) -> Preparation:
    return prepare_context(
        Recipient(
            backend="b",
            model=MODEL,
            overhead=Overhead(),
            estimator=TokenEstimator.seeded(MODEL.tokenizer),
            cache=CacheClock(),
            free=False,
        ),
        ThreadContents(path=()),
        ThreadLimits(settings=ContextSettings()),
        previous=previous,
    )


def document(text: str, name: str = "a.txt") -> DocumentPart:
    return DocumentPart(name, text, f"{len(text):064x}")


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4, unique=True))
def test_the_documents_of_a_draft_weigh_what_each_weighs_alone(texts: list[str]) -> None:
    context = prepared()
    parts = [DocumentPart(f"{n}.txt", text, f"{n:064x}") for n, text in enumerate(texts)]
    plan = context.plan((*parts, TextPart("and now")))
    assert plan.tokens.documents == sum(context.tokens_of(part) for part in parts)


def test_what_can_not_be_sent_is_not_sent_because_it_was_weighed() -> None:
    context = prepared()
    nothing = document("\0")
    assert context.tokens_of(nothing) == 0
    plan = context.plan((nothing, TextPart("and now")))
    assert plan.request.pending is not None
    assert plan.request.pending.blocks == (TextPart("and now"),)


def test_an_image_weighs_by_its_size_and_no_more_than_the_provider_takes() -> None:
    context = prepared()
    small, large = ImagePart("s", "image/png", "AA==", 300, 200), ImagePart("l", "image/png", "AA==", 6_000, 4_000)
    assert context.tokens_of(small) == 300 * 200 // 750
    assert context.tokens_of(large) == 1_568
    before = context.plan((TextPart("look"),)).tokens.total
    assert abs(context.plan((small, TextPart("look"))).tokens.total - before - context.tokens_of(small)) <= 1


def test_a_book_beside_the_text_costs_a_keystroke_nothing_and_neither_does_the_next_context() -> None:
    book = document(BOOK)
    first = prepared()
    first.tokens_of(book)
    for context in (first, prepared(first)):
        with CountedCalls() as work:
            for end in range(1, 11):
                context.plan((book, TextPart("Some words"[:end])))
            # counted anew each time, ten plans would take 0.4 s
        assert work.calls < 13_000


def test_the_memory_of_attachments_changes_no_count() -> None:
    context, parts = prepared(), [document(f"text number {n} " * (n + 1), f"{n}") for n in range(300)]
    weights = [context.tokens_of(part) for part in parts]
    assert weights == [prepared().tokens_of(part) for part in parts]
    draft: tuple[Part, ...] = (parts[0], parts[299])
    assert context.plan(draft).tokens == prepared().plan(draft).tokens


@pytest.mark.parametrize(
    ("side", "tokens"),
    [((1_024, 1_024), 765), ((2_048, 4_096), 1_105), ((300, 200), 255), ((4_000, 10), 765), ((0, 0), 1_568)],
)
def test_openais_models_count_an_image_by_its_tiles(side: tuple[int, int], tokens: int) -> None:
    """The figures of its documentation; by the pixels of another provider's rule they were up to 94 sigma off."""
    assert image_tokens(ImagePart("s", "image/png", "AA==", *side), "o200k") == tokens


@pytest.mark.parametrize("family", ["o200k", "unknown", "claude-2026"])
@pytest.mark.parametrize("sent", [True, False])
def test_what_an_image_weighs_is_as_doubtful_as_it_is(family: TokenizerFamily, sent: bool) -> None:
    image = ImagePart("s", "image/png", "AA==", 1_024, 1_024)
    model = ModelInfo("m", "M", 200_000, 8_000, tokenizer=family, accepts_images=True)
    path = (message(0, "user", image, "Look."),) if sent else ()
    draft: list[Part] = [TextPart("And?")] if sent else [image, TextPart("Look.")]
    plan = prepare(path, model=model).plan(draft)
    least = {"o200k": 140 * 4 + 70, "unknown": 765, "claude-2026": 1_398 * 19 // 20}[family]
    text = plan.tokens.expected - image_tokens(image, family)
    assert abs(text + least - plan.tokens.expected) <= plan.tokens.doubt


@pytest.mark.parametrize("factor", [0.8, 1.3])
def test_a_reference_to_a_counted_document_weighs_the_same_once_its_question_is_stored(factor: float) -> None:
    """What a provider counted for it is saved, not what is estimated: else the stored question took a step more."""
    report, again = document("It was the best of times.\n" * 300), TextPart("once more")
    first = prepare(()).plan((report, TextPart("read it")))
    usage = Usage(input=round(factor * first.tokens.total), output=9)
    path = sent_and_answered((), first, "read it", "done", usage)
    path = (replace(path[0], parts=(report, *path[0].parts)), path[1])
    planned = prepare(path).plan((report, again)).tokens.total
    stored = prepare((*path, message(2, "user", report, again))).plan(()).tokens.total
    assert abs(stored - planned) <= 3


@pytest.mark.parametrize(
    ("attached", "drafted", "told"),
    [
        ((document(BOOK[:9_000], "notes.txt"),), (), " and notes.txt"),
        ((document(BOOK[:9_000], "notes.txt"), document(BOOK[:8_000], "log.txt")), (), " and 2 files"),
        ((document(BOOK[:9_000], f"{'long ' * 9}name.pdf"),), (), " and long long lo…ng name.pdf"),
        ((document(BOOK[:9_000], "notes.txt"),), (document(BOOK[:9_000], "again.txt"),), ""),
        ((TextPart(BOOK[:9_000]),), (), ""),
    ],
)
def test_a_document_that_a_step_leaves_out_is_named(
    attached: tuple[Part, ...], drafted: tuple[Part, ...], told: str
) -> None:
    """`Sending leaves out 14 older messages` did not say that the document asked about was among them."""
    talk = ("Hello.", "Hi.", "One.", "Two.", (*attached, "Read this."), "Done.", "And?", BOOK[:6_000])
    texts = [one if isinstance(one, tuple) else (one,) for one in talk]
    path = [message(n, "user" if n % 2 == 0 else "assistant", *parts) for n, parts in enumerate(texts)]
    plan = prepare(path, model=MODEL, soft_limit=4_000).plan((*drafted, TextPart("What does it say?")))
    assert (plan.decision, plan.placement.messages[4].state) == ("trim", "left_out")
    told = f"{plan.placement.newly_left_out} older messages{told}"
    assert gauge_line(plan) == f"Sending leaves out {told} · Review"
    assert gauge_sentence(plan) == f"Sending leaves out {told}."
    assert recounted(plan).message.startswith(f"Sending leaves out {told}: send again to go on.")


def test_a_document_that_is_sent_further_down_does_not_leave() -> None:
    notes = document(BOOK[:6_000], "notes.txt")
    texts = (("Hello.",), ("Hi.",), (notes, "Read."), (BOOK[:9_000],), (notes, "Read it again."), ("Done.",))
    path = [message(n, "user" if n % 2 == 0 else "assistant", *parts) for n, parts in enumerate(texts)]
    plan = prepare(path, model=MODEL, soft_limit=4_000).plan([TextPart("What does it say?")])
    assert [row.state for row in plan.placement.messages][2:] == ["left_out", "left_out", "whole", "whole"]
    assert gauge_line(plan) == "Sending leaves out 3 older messages · Review"
