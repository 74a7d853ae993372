"""A thread in a project: its instructions and always included documents in every request, counted, cached, priced."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.citations import marked_document
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.costs import prices_for
from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead
from desktop_app.core.context.plan_questions import refusal_remedies
from desktop_app.core.context.plan_text import refusal_explanation
from desktop_app.core.context.project_context import ProjectContext, counted_text, document_tokens
from desktop_app.core.context.sent_content import SYSTEM_NOTE
from desktop_app.core.context.text_features import SIZE, features
from desktop_app.core.context.token_counting import BY_CLASSES, TextCounter, observation_after
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import list_result
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    Usage,
)
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.projects import ProjectDocument
from desktop_app.core.recall import RECALL
from desktop_app.core.settings import ContextSettings
from tests.builders.document_texts import document_text
from tests.core.paths import MODEL_200K, message, plan_for, prepare, sent_and_answered, small_model, talk, words
from tests.core.test_context_work import calls_of

SEARCH = ToolSpec("search_documents", "Searches.", {"type": "object"})


def document(name: str, size: int, text: str = "") -> DocumentPart:
    """A document of so many words."""
    text = text or f"{name} says: " + words(size)
    return DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest())


def project(
    *documents: DocumentPart, instructions: str = "", listed: tuple[ProjectDocument, ...] = ()
) -> ProjectContext:
    return ProjectContext("p1", "Acme", instructions, documents, len(documents), listed=listed)


def facts_of(part: DocumentPart, number: int, **facts: Any) -> ProjectDocument:
    made = ProjectDocument(f"d{number}", "p1", part.name, sha256=part.sha256, tokens=999, mode="always", state="ready")
    return replace(made, **facts)


SPEC, PRICES, TERMS = document("spec.md", 400), document("prices.csv", 300), document("terms.txt", 200)


def blocks(plan: ContextPlan) -> list[Part]:
    return [block for message in plan.request.messages for block in message.blocks]


# ---- what is sent ----------------------------------------------------------------------------------------------------


def test_documents_stand_first_and_instructions_end_the_system_prompt_before_the_line_about_notes() -> None:
    plan = plan_for(
        talk("one", "two"), "three", system="Be brief.", project=project(SPEC, PRICES, instructions="Use EUR.")
    )
    first = plan.request.messages[0]
    assert first.blocks == (SPEC, PRICES, TextPart("one"))
    assert first.sources == (None, None, "m0")
    assert plan.request.system == f"Be brief.\n\nUse EUR.\n\n{SYSTEM_NOTE}"
    assert plan.request.always == 2


def test_a_new_thread_counts_them_before_anything_is_typed_and_sends_them_with_the_first_question() -> None:
    prepared = prepare((), project=project(SPEC))
    empty, asked = prepared.plan(()), prepared.plan([TextPart("What is it?")])
    assert empty.request.pending is None
    assert empty.tokens.documents > 400
    assert asked.request.pending is not None
    assert asked.request.pending.blocks == (SPEC, TextPart("What is it?"))
    assert asked.tokens.documents == empty.tokens.documents


def test_without_a_project_a_request_is_what_it_was() -> None:
    path = talk("one", "two")
    plain, outside = (
        plan_for(path, "three", system="Be brief."),
        plan_for(path, "three", system="Be brief.", project=None),
    )
    assert (plain, plain.placement.documents, plain.request.always) == (outside, (), 0)
    # in a project that adds nothing, too: the cache stays warm
    empty = plan_for(path, "three", system="Be brief.", project=project())
    assert (empty.request.prefix_key, empty.request.messages, empty.request.system) == (
        plain.request.prefix_key,
        plain.request.messages,
        plain.request.system,
    )


def test_a_plain_threads_requests_are_those_of_before_there_were_projects() -> None:
    """Its cache stays warm: the digest was taken of the version before."""
    assert plain_digest() == "530bdbeb0f76784e1a7e1880063981207fffdec19dabf7b362eb118a00f4dd30"


def plain_digest() -> str:
    report = DocumentPart("report.pdf", words(150), "ab" * 32)
    path = [
        message(0, "user", report, "Read this."),
        message(1, "assistant", ThinkingPart("hm", "sig"), "Done."),
        message(2, "user", ImagePart("a.png", "image/png", "aGk=", 40, 40), "Look."),
        message(3, "assistant", ToolCallPart("c1", "search_documents", {"query": "price"})),
        message(4, "user", ToolResultPart("c1", "passage", extra={"passages": 2, "documents": ["spec.pdf"]})),
        message(5, "assistant", "Found.", TextPart(words(40), {"artifact": {"title": "Plan", "version": 2}})),
        message(6, "user", report, "Again."),
        message(7, "assistant", words(600)),
    ]
    for at in range(8, 24):
        path.append(message(at, "assistant" if at % 2 else "user", f"{at} " + words(300)))
    flattened = Overhead(labels=True, cache_marks=4, system_mark=False)
    overheads = (Overhead(cache_marks=4), flattened, Overhead(caches_itself=True), Overhead())
    kept = []
    for end, overhead, tools in product((0, 2, 4, 5, 6, 8, 24), overheads, ((), (RECALL,))):
        made = prepare(
            path[:end], model=small_model(), system="Be brief.", overhead=overhead, tools=tools, soft_limit=3_000
        )
        plan = made.plan(() if end == 5 else (report, TextPart("next")))
        request = [
            plan.request.system,
            repr(plan.request.messages),
            repr(plan.request.marks),
            [tool.name for tool in plan.request.tools],
        ]
        kept.append([*request, plan.decision, plan.request.prefix_key])
    return hashlib.sha256(json.dumps(kept).encode()).hexdigest()


def test_they_precede_a_summary_in_the_place_of_the_beginning_without_another_opening() -> None:
    path = talk("one", "two", "three", "four")
    choices = ContextChoices(fresh_from="m1")
    plan = plan_for(path, "five", choices=choices, project=project(SPEC))
    assert [message.role for message in plan.request.messages] == ["user", "assistant", "user"]
    assert plan.request.messages[0].blocks == (SPEC, TextPart("three"))


# ---- how much of it --------------------------------------------------------------------------------------------------


def test_all_together_have_three_tenths_of_the_soft_limit_and_what_does_not_fit_is_told() -> None:
    big = document("big.pdf", 46_000)  # 45,000 tokens are the share of 150,000
    plan = plan_for((), "hello", project=project(SPEC, big, PRICES))
    assert blocks(plan) == [SPEC, PRICES, TextPart("hello")]
    states = [(placed.name, placed.state, placed.tokens > 0) for placed in plan.placement.documents]
    assert states == [("spec.md", "whole", True), ("big.pdf", "searched", False), ("prices.csv", "whole", True)]
    assert str(plan.placement.documents[1].reason) == "searched instead: always included documents share 45K tokens"
    assert plan.placement.documents[1].whole > 44_000


def test_what_fits_does_not_change_with_what_the_estimator_learns() -> None:
    """A document that comes and goes would cost the whole cache each time."""
    small = small_model()
    documents = [document(f"{n}.md", 110) for n in range(15)]
    learned = TokenEstimator.seeded(small.tokenizer)
    for _ in range(20):
        learned = learned.observe(tuple(4 * count for count in learned_features()), 1_000)
    before, after = (
        plan_for((), "hi", model=small, project=project(*documents), estimator=estimator)
        for estimator in (TokenEstimator.seeded(small.tokenizer), learned)
    )
    assert before.tokens.documents != after.tokens.documents
    assert blocks(before) == blocks(after)
    assert 0 < before.request.always < len(documents)


def learned_features() -> tuple[int, ...]:
    return features(words(100))


def test_the_same_file_twice_goes_once() -> None:
    again = replace(SPEC, name="copy of spec.md")
    plan = plan_for((), "hello", project=project(SPEC, again))
    assert blocks(plan) == [SPEC, TextPart("hello")]
    assert str(plan.placement.documents[1].reason) == "the same file as spec.md"


def test_raising_the_limit_is_offered_at_the_price_of_the_request_that_is_then_sent() -> None:
    """More documents have room then (CTX-16)."""
    model = find_model("anthropic", "claude-sonnet-4-5")
    path = talk(*[words(900) for _ in range(6)])
    big = document("big.md", 1_500)
    options = {"model": model, "project": project(SPEC, big), "settings": ContextSettings(soft_limit=5_000)}
    plan = plan_for(path, "more", **options)
    assert plan.advice.asks == "first_crossing"
    assert plan.request.always == 1
    raised = next(option for option in plan.advice.options if option.action == "raise_limit")
    then = plan_for(path, "more", soft_limit=raised.limit, **options)
    assert then.request.always == 2
    assert (raised.tokens, raised.cost_usd) == (then.tokens.total, then.price.cost_usd)


# ---- trims, refusals -------------------------------------------------------------------------------------------------


def test_no_trim_takes_them_away() -> None:
    path = talk(*[words(500) for _ in range(12)])
    plan = plan_for(path, "more", model=small_model(), project=project(SPEC, PRICES))
    assert plan.decision == "trim"
    assert plan.request.messages[0].blocks[:2] == (SPEC, PRICES)
    assert plan.tokens.total <= plan.limits.soft


def test_a_request_that_is_too_long_names_them_and_offers_to_search_the_largest_instead() -> None:
    small = small_model()
    report = document("report.pdf", 850)
    listed = (facts_of(report, 1),)
    plan = plan_for((), words(3_700), model=small, project=project(report, listed=listed))
    assert plan.decision == "refuse"
    assert "report.pdf" in [str(item.label) for item in plan.advice.biggest]
    assert "report.pdf" in refusal_explanation(plan)
    remedy = next(one for one in refusal_remedies(plan) if one.action == "search_instead")
    assert (remedy.target, remedy.name, remedy.label()) == ("d1", "report.pdf", "Search report.pdf instead")
    assert not any(one.action in ("remove_document", "shorten_document") for one in refusal_remedies(plan))


def test_a_project_document_that_would_not_help_is_not_offered() -> None:
    plan = plan_for((), words(9_000), model=small_model(), project=project(SPEC, listed=(facts_of(SPEC, 1),)))
    assert plan.decision == "refuse"
    assert "search_instead" not in [one.action for one in refusal_remedies(plan)]


# ---- references ------------------------------------------------------------------------------------------------------


def test_the_same_document_attached_is_a_reference_by_the_projects_name() -> None:
    own = replace(SPEC, name="spec (1).md")
    note = TextPart("[Document attached above: spec.md]")
    drafted = prepare(talk("one", "two"), project=project(SPEC)).plan([own, TextPart("Compare.")])
    assert drafted.request.pending is not None
    assert drafted.request.pending.blocks == (note, TextPart("Compare."))
    path = sent_and_answered((), plan_for((), "x", project=project(SPEC)), "x", "y")
    path = (*path, replace(path[0], id="m2", parent_id="m1", parts=(own, TextPart("Compare."))))
    plan = plan_for(path, "", project=project(SPEC))
    assert plan.request.pending is not None
    assert plan.request.pending.blocks == (note, TextPart("Compare."))
    assert plan.tokens.documents == plan.placement.documents[0].tokens
    outside = plan_for(path, "", project=None)
    assert outside.request.pending is not None
    assert own in outside.request.pending.blocks


# ---- cache and price -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overhead", [Overhead(cache_marks=4), Overhead(labels=True, cache_marks=4, system_mark=False)])
def test_a_mark_stands_behind_the_documents_so_that_other_threads_of_the_project_read_them(overhead: Overhead) -> None:
    path = talk("one", "two", "three", "four")
    for plan in (
        plan_for((), "hello", overhead=overhead, system="Brief.", project=project(SPEC, PRICES)),
        plan_for(path, "five", overhead=overhead, system="Brief.", project=project(SPEC, PRICES)),
    ):
        assert (0, 1) in [(mark.message, mark.block) for mark in plan.request.marks]
        assert len(plan.request.marks) <= 4


def measured(plan: ContextPlan, read: int = 0) -> Usage:
    """What a provider reports that counts a twentieth more than was estimated."""
    prompt = plan.tokens.total * 21 // 20
    return Usage(input=2, cache_read=read, cache_write=prompt - 2 - read, output=5)


def test_once_counted_they_weigh_what_the_provider_said_and_the_whole_agrees() -> None:
    in_project = project(SPEC, PRICES)
    first = plan_for((), "hello", system="Brief.", project=in_project)
    usage = measured(first)
    path = sent_and_answered((), first, "hello", "hi there", usage)
    plan = plan_for(path, "", system="Brief.", project=in_project)
    assert plan.tokens.total - 5 - 4 <= usage.prompt <= plan.tokens.total
    assert plan.request.prefix_key == first.request.prefix_key
    assert plan.tokens.documents == sum(placed.tokens for placed in plan.placement.documents)
    ratio = plan.tokens.documents / first.tokens.documents
    assert 1.03 < ratio < 1.07


def test_a_changed_document_rewrites_the_cache_and_says_what_it_costs() -> None:
    model = find_model("anthropic", "claude-sonnet-4-5")
    cache = CacheClock(cold=False, idle_minutes=1.0)
    large = document("large.md", 9_000)
    before = project(large, SPEC)
    first = plan_for((), "hello", model=model, project=before)
    path = sent_and_answered((), first, "hello", "hi there", measured(first))
    same = plan_for(path, "and?", model=model, cache=cache, project=before)
    assert not same.advice.events
    assert same.price.cached_tokens > 10_000
    changed = plan_for(path, "and?", model=model, cache=cache, project=project(large, document("spec.md", 390)))
    assert [event.kind for event in changed.advice.events] == ["cache_rewritten"]
    assert changed.price.cached_tokens == 0
    assert changed.price.cost_usd is not None
    assert same.price.cost_usd is not None
    assert changed.price.cost_usd > 5 * same.price.cost_usd
    instructed = plan_for(path, "and?", model=model, cache=cache, project=replace(before, instructions="Use EUR."))
    assert [event.kind for event in instructed.advice.events] == ["cache_rewritten"]
    left = plan_for(path, "and?", model=model, cache=cache, project=None)
    assert [event.kind for event in left.advice.events] == ["cache_rewritten"]


def test_each_document_has_its_share_of_the_price_cached_or_fresh() -> None:
    model = find_model("anthropic", "claude-sonnet-4-5")
    in_project = project(document("large.md", 9_000), SPEC)
    first = plan_for((), "hello", model=model, project=in_project)
    prices = prices_for(model, 1_000)
    assert prices is not None
    for placed in first.placement.documents:
        assert placed.cost_usd == pytest.approx(placed.tokens * prices.cache_write_5m / 1e6)
    path = sent_and_answered((), first, "hello", "hi there", measured(first))
    next_plan = plan_for(path, "and?", model=model, cache=CacheClock(cold=False, idle_minutes=1.0), project=in_project)
    for placed in next_plan.placement.documents:
        assert placed.cost_usd == pytest.approx(placed.tokens * prices.cache_read / 1e6)


def test_a_step_keeps_what_stands_first_in_the_cache() -> None:
    model = replace(find_model("anthropic", "claude-sonnet-4-5"), min_cache_tokens=100)
    in_project = project(document("large.md", 1_500))
    path = talk(*[words(600) for _ in range(14)])
    options = {"model": model, "project": in_project, "soft_limit": 10_000, "system": "Brief."}
    first = plan_for(path[:2], "more", **options)
    answered = sent_and_answered(path[:2], first, "more", "yes", measured(first))
    grown = (*answered, *(replace(m, id=f"x{n}") for n, m in enumerate(path)))
    step = plan_for(grown, "on", cache=CacheClock(cold=False, idle_minutes=1.0), **options)
    assert step.decision == "trim"
    assert step.price.cached_tokens >= step.placement.documents[0].tokens


def test_the_first_turn_teaches_the_estimator_the_documents_too() -> None:
    in_project = project(SPEC, PRICES)
    plan = plan_for((), "hello", project=in_project)
    path = sent_and_answered((), plan, "hello", "hi", measured(plan))
    features, tokens = observation_after(path, path[-1], system=plan.request.system, documents=(SPEC, PRICES)) or (
        (),
        0,
    )
    assert tokens == plan.tokens.total * 21 // 20
    seeded = TokenEstimator.seeded(MODEL_200K.tokenizer)
    assert seeded.tokens(features) == pytest.approx(plan.tokens.total, rel=0.02)


# ---- tools, lists ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overhead", [Overhead(), Overhead(cache_marks=4), Overhead(caches_itself=True)])
def test_tools_that_search_documents_are_offered_from_the_first_request_on(overhead: Overhead) -> None:
    plan = plan_for((), "hello", overhead=overhead, tools=(SEARCH,), project=project())
    assert plan.request.tools == (SEARCH,)
    assert plan.request.system == SYSTEM_NOTE


def test_both_kinds_are_listed_with_what_they_weigh() -> None:
    waiting = ProjectDocument("d4", "p1", "slow.pdf")
    broken = ProjectDocument("d5", "p1", "odd.docx", state="failed", error="It is encrypted.")
    listed = (
        facts_of(PRICES, 1, mode="search", tokens=375),
        facts_of(SPEC, 2),
        replace(waiting, mode="search"),
        broken,
    )
    plan = plan_for((), "hello", project=project(SPEC, listed=listed))
    assert [(one.id, one.mode, one.state, one.tokens > 0, str(one.reason)) for one in plan.placement.documents] == [
        ("d2", "always", "whole", True, "always included: first in every request"),
        ("d1", "search", "searched", False, "searched when needed"),
        ("d4", "search", "left_out", False, "not read yet"),
        ("d5", "search", "left_out", False, "It is encrypted."),
    ]
    assert plan.placement.documents[1].whole == 375


@settings(max_examples=50)
@given(words=st.text(min_size=1, max_size=100).filter(str.strip), times=st.integers(1, 40), factor=st.floats(0.5, 2.0))
@example(words="the quay, 3 boats. ", times=4_000, factor=1.3)
def test_any_document_has_one_figure_searched_or_always_included(words: str, times: int, factor: float) -> None:
    part = marked_document("any.md", document_text("any.md", *[words] * times))
    facts = facts_of(part, 1, counted=counted_text(part))
    seed = TokenEstimator.seeded("claude-2026")
    learned = seed.observe(features(part.text), max(1, round(factor * seed.tokens(features(part.text)))))
    searched, always = (
        plan_for((), "hello", estimator=learned, project=project(*parts, listed=(one,)))
        for parts, one in (((), replace(facts, mode="search")), ((part,), facts))
    )
    wholes = {one.whole for plan in (searched, always) for one in plan.placement.documents}
    assert wholes == {document_tokens(facts, learned)}
    assert always.tokens.documents in wholes
    assert f"{document_tokens(facts, learned):,} tokens" in list_result([facts], 1_000, learned)


def test_a_document_that_a_vocabulary_has_counted_weighs_that_wherever_one_counts() -> None:
    part = marked_document("any.md", document_text("any.md", *["the quay, 3 boats. "] * 4_000))
    by_words = TextCounter(lambda text: len(text.split()))
    exact, classes = (facts_of(part, 1, counted=counted_text(part, one)) for one in (by_words.vocabulary, None))
    estimator = TokenEstimator.seeded("o200k")
    for facts, counter, same in (
        (exact, by_words, False),
        (exact, BY_CLASSES, True),
        (classes, by_words, True),
        (classes, BY_CLASSES, True),
    ):
        searched, always = (
            plan_for((), "hello", estimator=estimator, counter=counter, project=project(*parts, listed=(one,)))
            for parts, one in (((), replace(facts, mode="search")), ((part,), facts))
        )
        weighs = document_tokens(facts, estimator, by_vocabulary=counter is by_words)
        assert {one.whole for plan in (searched, always) for one in plan.placement.documents} == {weighs}
        assert (weighs == document_tokens(classes, estimator)) is same
        assert f"{weighs:,} tokens" in list_result([facts], 1_000, estimator, by_vocabulary=counter is by_words)


@pytest.mark.parametrize("counted", ["", "1 2", "x " * SIZE, "-1 " * SIZE, "9" * 20 + " 1" * (SIZE - 1), "² " * SIZE])
def test_a_document_that_was_not_counted_weighs_what_its_reading_estimated(counted: str) -> None:
    facts = facts_of(PRICES, 1, tokens=375, counted=counted)
    assert document_tokens(facts, TokenEstimator.seeded("claude-2026")) == 375


def test_thousands_of_documents_cost_a_plan_nothing_and_are_counted_once() -> None:
    many = tuple(ProjectDocument(f"d{n}", "p1", f"{n}.md", state="ready") for n in range(5_000))
    in_project = project(SPEC, PRICES, listed=(facts_of(SPEC, 9_001), facts_of(PRICES, 9_002), *many))
    prepared = prepare(talk("one", "two"), project=in_project)
    prepared.plan([TextPart("a")])
    calls = calls_of(lambda: prepared.plan([TextPart("ab")]))
    assert calls["PlacedDocument.__init__"] == 0
    assert sum(calls.values()) < 1_000
    again = calls_of(lambda: prepare(talk("one", "two"), project=in_project, previous=prepared))
    assert again["CountedDocument.of"] == 0


def test_a_count_of_the_whole_is_shared_out_over_them_too() -> None:
    model = ModelInfo("m", "M", 200_000, 8_000, tokenizer="claude-2023")
    prepared = prepare(talk("one", "two"), model=model, project=project(SPEC, PRICES))
    from tests.core.paths import counted

    plan = counted(prepared, 2_000, TextPart("three"))
    assert plan.tokens.total == 2_000
    assert 0 < sum(placed.tokens for placed in plan.placement.documents) <= plan.tokens.documents


def test_a_boundary_of_before_stays_where_it_was() -> None:
    """Moving a thread into a project moves nothing but what stands first."""
    path = talk(*[words(100) for _ in range(8)])
    window = BoundaryState("m4", 1, "tokens", 150_000, 0, 0, MODEL_200K.id, "anthropic")
    path = (*path[:4], replace(path[4], window=window), *path[5:])
    outside, inside = plan_for(path, "x"), plan_for(path, "x", project=project(SPEC))
    assert [(m.id, m.state) for m in outside.placement.messages] == [(m.id, m.state) for m in inside.placement.messages]
