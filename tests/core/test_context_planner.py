"""What a plan sends, leaves out, refuses and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.context.boundaries import CARRIER
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.limits import output_reserve
from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead
from desktop_app.core.context.plan_questions import offered_limit, refusal_remedies
from desktop_app.core.context.plan_text import (
    gauge_line,
    gauge_sentence,
    gauge_state,
    price,
    refusal,
    refusal_explanation,
    refusal_heading,
    thousands,
)
from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_counting import observation_after, share_out
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import BoundaryState, DocumentPart, ImagePart, Message, Part, TextPart, Usage
from desktop_app.core.model_catalog import find_model
from desktop_app.core.settings import ContextSettings
from tests.core.paths import (
    MODEL_200K,
    counted,
    kept_ids,
    message,
    plan_for,
    prepare,
    sent_and_answered,
    small_model,
    talk,
    user_turns,
    words,
)

SMALL = small_model()


def spoken(plan: ContextPlan) -> list[tuple[str, Part]]:
    """The request block by block, without its provenance: who says what."""
    return [(m.role, block) for m in plan.request.messages for block in m.blocks]


def check_form(plan: ContextPlan, path: Sequence[Message]) -> None:
    """What holds for every plan that has something to send (P3, P4, P5) and for its sums."""
    request = plan.request.messages
    roles = [m.role for m in request]
    assert roles == ["user" if i % 2 == 0 else "assistant" for i in range(len(roles))]
    assert roles[-1] == "user" or plan.request.pending is None
    assert all(m.blocks and len(m.blocks) == len(m.sources) for m in request)
    assert all(not isinstance(b, TextPart) or b.text.strip() for m in request for b in m.blocks)
    ids, kept = [m.id for m in path], kept_ids(plan)
    assert kept == [i for i in ids if i in set(kept)]
    assert not path or kept[0] == path[0].id
    left = [p.id for p in plan.placement.messages if p.state == "left_out"]
    # an answer without a word is no message that is missing
    assert plan.placement.left_out == sum(p.whole > 0 for p in plan.placement.messages if p.state == "left_out")
    assert set(left).isdisjoint(kept)
    assert [p.id for p in plan.placement.messages] == ids
    if left:
        after = ids[ids.index(left[-1]) + 1 :]
        assert ids.index(left[-1]) - ids.index(left[0]) + 1 == len(left)
        assert not after or after[0] in user_turns(path)
    counted = plan.tokens
    draft_documents = counted.documents + counted.history - sum(p.tokens for p in plan.placement.messages)
    assert 0 <= draft_documents <= counted.documents
    assert all(p.tokens > 0 or p.state == "left_out" or p.id not in kept for p in plan.placement.messages)


def test_everything_goes_while_no_limit_is_in_reach() -> None:
    path = talk("one", "two", "three", "four")
    plan = plan_for(path, "five", system="Be brief.")
    assert plan.decision == "ok"
    assert [b.text for m in plan.request.messages for b in m.blocks if isinstance(b, TextPart)] == [
        "one",
        "two",
        "three",
        "four",
        "five",
    ]
    assert plan.request.system == "Be brief."
    assert plan.placement.boundary.first_kept is None
    check_form(plan, path)


def test_an_empty_draft_sends_what_waits_for_an_answer_or_nothing() -> None:
    assert plan_for(talk("one")).request.pending is not None
    assert plan_for(talk("one", "two")).request.pending is None
    assert plan_for(()).request.messages == ()


def test_a_step_goes_down_to_the_low_mark_at_once_and_keeps_the_beginning() -> None:
    path = talk(*[words(120)] * 60)
    plan = plan_for(path, "next", model=SMALL)
    assert plan.decision == "trim"
    assert plan.tokens.total <= plan.limits.low
    assert plan.placement.boundary.epoch == 1
    assert plan.placement.boundary.first_kept == next(p.id for p in plan.placement.messages[1:] if p.state == "whole")
    assert plan.request.history[1].blocks == (TextPart(f"[{plan.placement.left_out} earlier messages left out]"),)
    assert plan.placement.newly_left_out == plan.placement.left_out > 30
    (event,) = plan.advice.events
    assert (event.kind, event.after, event.messages) == ("trimmed", plan.tokens.total, plan.placement.left_out)
    assert event.before > plan.limits.soft
    check_form(plan, path)


def test_900_kilobytes_are_refused_and_named() -> None:
    draft = words(180_000)
    plan = plan_for(talk("one", "two"), draft, system="short")
    assert plan.decision == "refuse"
    assert plan.tokens.upper > plan.limits.emergency == 180_000
    assert plan.advice.biggest[0].label == "your message"
    failure = refusal(plan)
    assert failure.code == "context_limit"
    assert f"({plan.tokens.upper:,} estimated tokens, limit 180,000)" in failure.message
    assert refusal_heading(plan) in failure.message
    assert "raise_limit" not in failure.actions
    assert gauge_state(plan) == "refused"
    assert "limit 180K · Make room" in gauge_line(plan)


def test_a_larger_window_offers_a_limit_that_suffices() -> None:
    model = replace(MODEL_200K, window=1_000_000)
    plan = plan_for((), words(200_000), model=model)
    assert plan.decision == "refuse"
    offered = offered_limit(plan)
    assert offered is not None
    assert refusal(plan).actions[0] == "raise_limit"
    assert plan_for((), words(200_000), model=model, soft_limit=offered).decision == "ok"


def test_what_must_stay_is_sent_between_the_limits_with_a_notice() -> None:
    prepared, draft = prepare(()), TextPart(words(165_000))
    plan = prepared.plan([draft])
    assert plan.limits.soft < plan.tokens.expected < plan.limits.emergency < plan.tokens.upper
    assert plan.decision == "refuse"
    measured = counted(prepared, 160_000, draft)
    assert (measured.decision, measured.tokens.total, measured.tokens.upper) == ("ok", 160_000, 160_000)
    refused = counted(prepared, 180_001, draft)
    assert refused.decision == "refuse"
    assert "(180,001 tokens, limit 180,000)" in refusal_heading(refused)
    assert [(event.kind, event.before, event.after) for event in measured.advice.events] == [
        ("limit_passed", 160_000, 150_000)
    ]


@settings(max_examples=15, deadline=None)
@given(st.floats(0.92, 1.15), st.lists(st.integers(5, 90), min_size=4, max_size=16))
@example(share=1.078125, sizes=[5, 5, 49, 89, 55])  # what is refused for its doubt alone
@example(share=1.0, sizes=[90] * 8)
def test_beside_a_large_document_that_must_stay_the_newest_turns_stay_too(share: float, sizes: Sequence[int]) -> None:
    """Leaving a small turn out beside what fills the limit by itself saves nothing and costs the model its memory.

    Above the soft limit the turns go on, up to a tenth of it more; no request passes the emergency limit for them.
    Where that has no room for two turns and the question, no plan can keep the last one without a step for each.
    """
    limits = plan_for((), "x", model=SMALL).limits
    document = DocumentPart("log.txt", words(1), "ab")
    weight = prepare((), model=SMALL).tokens_of(replace(document, text=words(1_000))) / 1_000
    document = replace(document, text=words(round(limits.soft * share / weight)))
    path: tuple[Message, ...] = ()
    steps = 0
    for turn, size in enumerate(sizes):
        draft = (document, TextPart("Read.")) if not turn else (TextPart(words(size)),)
        prepared = prepare(path, model=SMALL, soft_limit=limits.soft)
        plan = prepared.plan(draft)
        if plan.decision == "refuse":
            assert turn < 2 or plan.placement.left_out == 2 * turn - 1, "all that may goes first"
            return
        assert plan.tokens.upper <= limits.emergency
        if turn:
            assert {path[-2].id, path[-1].id} <= set(kept_ids(plan)), "the last turn"
        rows, sure = plan.placement.messages, limits.emergency - plan.tokens.doubt
        least = plan.tokens.total - sum(row.tokens for row in rows[1:])
        room = min(sure, least + limits.soft // 10) - least
        steps += plan.moves_boundary and sum(row.whole for row in rows[1:][-4:]) <= room
        path = sent_and_answered(path, plan, words(size), words(size), Usage(input=plan.tokens.total, output=size))
        if not turn:
            path = (replace(path[0], parts=draft), *path[1:])
    assert share < 1 or steps <= len(sizes) // 2, "not at every turn"


@settings(max_examples=25, deadline=None)
@given(st.floats(0.8, 1.15), st.lists(st.integers(5, 150), min_size=2, max_size=9))
@example(share=0.92, sizes=[5, 40, 40, 5, 30])
def test_beside_what_must_stay_a_cold_cache_holds_no_step_off_and_needs_no_second_one(
    share: float, sizes: Sequence[int]
) -> None:
    weight = prepare((), model=SMALL).tokens_of(DocumentPart("log.txt", words(1_000), "ab")) / 1_000
    document = DocumentPart("log.txt", words(round(plan_for((), "x", model=SMALL).limits.soft * share / weight)), "ab")
    path: tuple[Message, ...] = ()
    for turn, size in enumerate(sizes):
        draft = (document, TextPart("Read.")) if not turn else (TextPart(words(size)),)
        cold, warm = (
            prepare(path, model=SMALL, cache=CacheClock(cold=cold, idle_minutes=9.0)).plan(draft)
            for cold in (True, False)
        )
        if warm.decision == "refuse":
            return
        assert cold.moves_boundary or not warm.moves_boundary, "held off"
        if cold.moves_boundary:
            asked = message(len(path), "user", *draft, window=cold.placement.boundary)
            again = prepare((*path, asked), model=SMALL, cache=CacheClock(cold=False, idle_minutes=0.0)).plan(())
            assert again.placement.boundary == cold.placement.boundary, "a second step"
        path = sent_and_answered(path, warm, words(size), words(size), Usage(input=warm.tokens.total, output=size))
        if not turn:
            path = (replace(path[0], parts=draft), *path[1:])


@pytest.mark.parametrize("share", [0.9, 0.95, 1.0])
def test_what_a_request_counted_is_within_the_bound_also_where_a_later_one_counted_the_same_messages_otherwise(
    share: float,
) -> None:
    path: tuple[Message, ...] = ()
    without, before = ContextChoices(excluded=frozenset({"m2"})), 0
    for turn in range(10):
        choices = without if 3 <= turn < 9 else ContextChoices()
        plan = plan_for(path, "on", model=SMALL, choices=choices)
        before = plan.tokens.total if turn == 8 else before
        counted_as = round(plan.tokens.total * (share if turn == 9 else 1))
        path = sent_and_answered(path, plan, "on", words(200), Usage(input=counted_as, output=245))
    again = plan_for(path, "on", model=SMALL, choices=without)
    assert again.request.prefix_key == path[-3].prefix_key
    since = sum(row.tokens for row in again.placement.messages[-3:]) + again.tokens.draft
    assert again.tokens.upper >= before + since
    assert share < 1 or again.tokens.sigma < 8, "no doubt where all agree"


def test_a_count_that_two_standard_deviations_cover_is_within_the_bound() -> None:
    """A count could pass its bound by a token: the fraction of one deviation was cut off, then it was taken twice."""
    for size in range(10, 400, 7):
        text = words(size)
        tokens = prepare((), model=MODEL_200K).plan([TextPart(text)]).tokens
        two = 2 * TokenEstimator.seeded(MODEL_200K.tokenizer).sigma(plus(features(text), CONSTANT))
        assert (tokens.upper - tokens.expected, tokens.expected - tokens.lowest) == (int(two), int(two))
        assert two - 2 <= 2 * tokens.sigma <= two


def test_beside_what_passes_the_limit_by_itself_a_large_last_turn_stays_up_to_the_emergency_limit() -> None:
    path: tuple[Message, ...] = ()
    for name, size in (("big.txt", 148_000), ("mid.md", 17_000)):
        draft = (DocumentPart(name, words(size), name), TextPart("Read."))
        plan = prepare(path).plan(draft)
        path = sent_and_answered(path, plan, "", "Done.", Usage(input=plan.tokens.total, output=3))
        path = (*path[:-2], replace(path[-2], parts=draft), path[-1])
    plan = plan_for(path, "What is in the second?")
    least = plan_for(path[:1]).tokens.total
    assert plan.limits.soft < least < least + 15_000 < plan.tokens.total < plan.limits.emergency
    assert kept_ids(plan)[-2:] == ["m2", "m3"]


def test_a_step_that_is_saved_from_refusal_by_its_measured_count_is_told() -> None:
    draft = TextPart(words(3_900))
    prepared = prepare(talk(*[words(120)] * 60), model=SMALL)
    refused = prepared.plan([draft])
    assert (refused.decision, refused.tokens.expected < refused.limits.emergency) == ("refuse", True)
    measured = counted(prepared, refused.tokens.expected, draft)
    told = measured.advice.events[0]
    assert (measured.decision, told.kind, told.after) == ("trim", "trimmed", refused.tokens.expected)
    assert told.messages == measured.placement.newly_left_out == refused.placement.newly_left_out


def test_a_count_changes_only_what_was_estimated_and_all_that_is_said_agrees_with_it() -> None:
    report = DocumentPart("report.pdf", words(3_000), "ab")
    first = prepare((), system="Be brief.").plan([report, TextPart("Read this.")])
    usage = Usage(input=round(first.tokens.total * 1.04), output=20)
    path = sent_and_answered((), first, "Read this.", words(20), usage)
    path = (replace(path[0], parts=(report, *path[0].parts)), *path[1:])
    prepared, draft = prepare(path, system="Be brief."), (TextPart(words(500)), DocumentPart("b", words(900), "cd"))
    before = prepared.plan(draft)
    after = counted(prepared, before.tokens.total + 150, *draft)
    assert (after.tokens.total, after.tokens.source, after.tokens.sigma) == (before.tokens.total + 150, "measured", 0)
    for name in ("system", "tools", "overhead", "summary", "history"):
        assert getattr(after.tokens, name) == getattr(before.tokens, name), name
    assert after.placement.messages[0] == before.placement.messages[0]
    grown = [after.tokens.draft - before.tokens.draft, after.tokens.documents - before.tokens.documents]
    assert all(more > 0 for more in grown)
    assert sum(grown) == pytest.approx(150, abs=25)  # the answer, known from its output, takes the rest


@pytest.mark.parametrize("share", [0.2, 0.8, 1.0, 1.3, 3.0])
def test_the_parts_of_a_counted_request_sum_up_to_its_count(share: float) -> None:
    report = DocumentPart("report.pdf", words(700), "ab")
    path = (message(0, "user", report, "Read."), *talk("", words(80), words(300), words(40))[1:])
    prepared = prepare(path, system="Be brief.", overhead=Overhead(tokens=900))
    draft = (report, TextPart(words(200)))
    tokens = round(prepared.plan(draft).tokens.total * share)
    plan = counted(prepared, tokens, *draft)
    parts = plan.tokens
    assert plan.tokens.total == tokens
    assert min(parts.system, parts.documents, parts.history, parts.draft, parts.overhead) > 0
    sent = sum(placed.tokens for placed in plan.placement.messages)
    assert sent <= parts.history + parts.documents <= sent + parts.documents


def test_what_is_refused_by_its_estimate_is_told_at_most_in_every_part() -> None:
    report = DocumentPart("report.pdf", words(95_000), "ab")
    plan = prepare((), system="Be brief.").plan([report, TextPart(words(75_000))])
    assert plan.decision == "refuse"
    assert plan.tokens.bound
    assert plan.tokens.total == plan.tokens.upper == plan.tokens.expected + plan.tokens.doubt
    assert plan.advice.biggest[0].tokens + plan.advice.biggest[1].tokens == pytest.approx(plan.tokens.total, rel=0.001)
    assert f"({plan.tokens.total:,} estimated tokens" in refusal_heading(plan)


def test_documents_are_counted_as_such_and_named_when_too_big() -> None:
    report = DocumentPart("report.pdf", words(200_000), "ab")
    plan = prepare(()).plan([report, TextPart("Summarise.")])
    assert plan.decision == "refuse"
    assert plan.advice.biggest[0].label == "report.pdf"
    assert refusal_heading(plan).startswith("report.pdf is too long for this thread (")
    assert plan.tokens.documents > 100 * plan.tokens.draft
    # of a file and a longer text the text is named
    both = prepare(()).plan([DocumentPart("notes.txt", words(65_000), "ab"), TextPart(words(130_000))])
    assert refusal_heading(both).startswith("This message is too long to send (")
    actions = [remedy.action for remedy in refusal_remedies(both)]
    assert actions.index("edit_draft") < actions.index("remove_document")
    stored = plan_for((message(0, "user", report, "Summarise."), message(1, "assistant", "ok")), "x")
    assert stored.tokens.documents == pytest.approx(plan.tokens.documents, rel=0.01)


@pytest.mark.parametrize(("cap", "kept"), [(10, 7), (20, 14), (40, 28), (24, 21)])
def test_a_message_cap_steps_down_to_seventy_percent(cap: int, kept: int) -> None:
    path = talk(*["hello"] * 60)
    plan = plan_for(path, "next", settings=ContextSettings(max_messages=cap))
    sent = len(kept_ids(plan)) + 1
    assert sent in (kept, kept - 1)
    assert plan.decision == "trim"
    check_form(plan, path)


def test_a_turn_cap_counts_turns() -> None:
    path = talk(*["hello"] * 60)
    plan = plan_for(path, "next", settings=ContextSettings(max_turns=10))
    assert len([i for i in kept_ids(plan)[1:] if i in user_turns(path)]) + 1 == 7
    assert plan_for(path[:18], "x", settings=ContextSettings(max_turns=10)).decision == "ok"


def test_preserve_first_n_keeps_more_of_the_beginning() -> None:
    path = talk(*[words(120)] * 60)
    plan = plan_for(path, "next", model=SMALL, settings=ContextSettings(preserve_first_n=4))
    assert kept_ids(plan)[:4] == ["m0", "m1", "m2", "m3"]
    assert plan.request.history[3].blocks[-1] == TextPart(f"[{plan.placement.left_out} earlier messages left out]")
    check_form(plan, path)


# ---- many turns -----------------------------------------------------------------------------------------------------

TURNS = st.lists(st.tuples(st.integers(1, 900), st.integers(0, 900)), min_size=1, max_size=25)
MODELS = st.sampled_from([small_model(3_000), SMALL, small_model(20_000)])


@settings(max_examples=25, deadline=None)
@given(TURNS, st.sampled_from([3_000, 6_000, 20_000]), st.booleans())
def test_a_conversation_turn_by_turn(turns: list[tuple[int, int]], window: int, labels: bool) -> None:
    """P1, P3-P5, P8-P10, P12 along a conversation that grows."""
    model = small_model(window)
    overhead = Overhead(labels=labels, cache_marks=4, system_mark=not labels)
    path: tuple[Message, ...] = ()
    before: ContextPlan | None = None
    steps, carried = 0, 0
    for index, (asked, answered) in enumerate(turns):
        draft = f"question {index} " + words(asked)
        plan = plan_for(path, draft, model=model, overhead=overhead, system="Be brief.")
        check_form(plan, path)
        assert plan.request.pending is not None
        assert plan.request.pending.blocks[-1] == TextPart(draft)
        if plan.decision == "refuse":
            assert plan.tokens.upper > plan.limits.emergency
            continue
        assert plan.tokens.upper <= plan.limits.emergency <= model.window - output_reserve(model)
        if before is not None and plan.decision == "ok":
            sent = spoken(before)
            assert spoken(plan)[: len(sent)] == sent
            assert plan.placement.boundary == before.placement.boundary
        if plan.decision == "trim":
            steps += 1
            _check_maximal(plan, path, overhead)
            assert before is None or plan.placement.boundary.epoch == before.placement.boundary.epoch + 1
        carried += plan.tokens.draft + answered * 2 + 20
        after = sent_and_answered(path, plan, draft, words(answered))
        again = plan_for(after[:-1], model=model, overhead=overhead, system="Be brief.")
        assert spoken(again) == spoken(plan)
        assert (again.request.prefix_key, again.placement.boundary) == (
            plan.request.prefix_key,
            plan.placement.boundary,
        )
        path, before = after, plan
    low_room = model.window * 6 // 10 * 3 // 10
    assert steps <= 1 + 3 * carried / low_room


def _check_maximal(plan: ContextPlan, path: Sequence[Message], overhead: Overhead) -> None:
    """The turn left out last would not have fitted under the low mark (or nothing did).

    Questions that got no answer belong to the turn of the one that did.
    """
    left = [p.id for p in plan.placement.messages if p.state == "left_out"]
    spoke = [i for i, m in enumerate(path) if m.text.strip()]
    places = {m.id: i for i, m in enumerate(path)}
    opening = [a for before, a in pairwise(spoke) if path[a].role == "user" != path[before].role and path[a].id in left]
    if opening:
        everything = plan_for(path, model=replace(plan.model, window=2_000_000), overhead=overhead)
        whole = {placed.id: placed.tokens for placed in everything.placement.messages}
        extra = sum(whole[name] for name in left if places[name] >= opening[-1])
        assert plan.tokens.total + extra > plan.limits.low - 5


@given(st.lists(st.integers(1, 50), min_size=1, max_size=9), st.integers(0, 500))
def test_shares_sum_up(weights: list[int], total: int) -> None:
    shares = share_out([float(weight) for weight in weights], total)
    assert sum(shares) == total
    assert all(share >= 0 for share in shares)
    assert total < len(weights) or all(shares), "what is sent weighs something"


# ---- counting -------------------------------------------------------------------------------------------------------


def _true_tokens(plan: ContextPlan) -> int:
    """A tokenizer that the estimator does not know: 1.2 times the seed, and 9 hidden tokens a request."""
    seed = TokenEstimator.seeded("claude-2023")
    texts = [b.text for m in plan.request.messages for b in m.blocks if isinstance(b, TextPart)]
    return round(1.2 * sum(seed.estimate(text).tokens for text in [*texts, plan.request.system])) + 9


def _measured_talk(turns: int, model_window: int = 200_000) -> tuple[tuple[Message, ...], ContextPlan]:
    path: tuple[Message, ...] = ()
    plan = plan_for(path, "first", system="Be brief.")
    for index in range(turns):
        draft = f"question {index}: " + words(30 + index)
        plan = plan_for(path, draft, system="Be brief.", model=replace(MODEL_200K, window=model_window))
        answer = f"answer {index}: " + words(60)
        usage = Usage(input=_true_tokens(plan), output=100)
        path = sent_and_answered(path, plan, draft, answer, usage)
    return path, plan


def test_what_was_sent_is_known_exactly_from_usage() -> None:
    path, last = _measured_talk(5)
    plan = plan_for(path[:-1], system="Be brief.")
    assert path[-1].usage is not None
    assert last.tokens.source == "calibrated"
    following = plan_for(path, "x", system="Be brief.")
    measured = following.tokens.total - following.tokens.draft - following.placement.messages[-1].tokens
    assert measured == path[-1].usage.prompt
    assert plan.tokens.total == pytest.approx(path[-1].usage.prompt, rel=0.04)
    assert following.tokens.sigma < 10
    check_form(following, path)


def test_another_system_prompt_or_model_is_estimated_again() -> None:
    path, _ = _measured_talk(5)
    assert plan_for(path, "x", system="Be long.").tokens.source == "estimated"
    assert plan_for(path, "x", system="Be brief.", model=SMALL).tokens.source == "estimated"


def test_after_a_step_the_measured_messages_still_count_as_measured() -> None:
    path, _ = _measured_talk(40)
    plan = plan_for(path, "next", system="Be brief.", soft_limit=3_000)
    assert plan.decision == "trim"
    assert plan.tokens.total == pytest.approx(_true_tokens(plan), rel=0.02)
    user = message(len(path), "user", "next", window=plan.placement.boundary)
    later = plan_for((*path, user), system="Be brief.", soft_limit=3_000)
    assert spoken(later) == spoken(plan)


def test_a_count_that_cannot_be_one_is_not_believed() -> None:
    path = talk(words(5_000), words(5_000))
    answer = replace(
        path[1], backend="anthropic", usage=Usage(input=7), prefix_key=plan_for((), "x").request.prefix_key
    )
    plan = plan_for((path[0], answer), "next")
    assert plan.tokens.source == "estimated"
    assert plan.tokens.total > 9_000


def test_a_finished_turn_teaches_the_estimator() -> None:
    path, _ = _measured_talk(8)
    estimator = TokenEstimator.seeded("claude-2023")
    errors = []
    for end in range(2, len(path) + 1, 2):
        seen = observation_after(path[:end], path[end - 1], system="")
        assert seen is not None
        counted, tokens = seen
        errors.append(abs(estimator.tokens(counted) - tokens) / tokens)
        estimator = estimator.observe(counted, tokens)
    assert errors[0] > 0.1
    assert errors[-1] < 0.03


def test_observations_are_not_made_across_changes() -> None:
    path, _ = _measured_talk(2)
    assert observation_after(path, path[-1]) is not None
    assert observation_after(path[:-1], path[-1]) == observation_after(path, path[-1])
    for change in (
        replace(path[-1], prefix_key="other"),
        replace(path[-1], usage=None),
        replace(path[-1], state="partial"),
        replace(path[-1], usage=Usage(input=1)),
    ):
        assert observation_after(path[:-1], change) is None
    assert observation_after(path[:1], path[1]) is None, "what went with a first question has to be told"


def test_a_first_turn_teaches_with_its_system_prompt_and_without_the_backends_own_additions() -> None:
    path, _ = _measured_talk(1)
    assert path[1].usage is not None
    prompt = path[1].usage.prompt
    bare = observation_after(path, path[1], system=" ")
    told = observation_after(path, path[1], system="Be brief.", overhead=5)
    assert bare is not None
    assert told is not None
    assert bare[1] == prompt
    assert told[1] == prompt - 5
    assert told[0] == plus(bare[0], plus(features("Be brief."), CONSTANT))
    assert observation_after(path, path[1], system="", overhead=prompt // 3) is None, "mostly not the user's text"
    image = replace(path[0], parts=(ImagePart("p.png", "image/png", "aGk=", 10, 10), *path[0].parts))
    assert observation_after((image, path[1]), path[1], system="") is None


def test_cached_tokens_and_cost() -> None:
    model = find_model("anthropic", "claude-sonnet-4-5")
    first = plan_for((), words(3_000), model=model)
    path = sent_and_answered(
        (), first, words(3_000), "ok", Usage(input=400, cache_read=1_000, cache_write=2_600, output=5)
    )
    cold = plan_for(path, "next", model=model)
    warm = plan_for(path, "next", model=model, cache=CacheClock(cold=False))
    assert (cold.price.cached_tokens, warm.price.cached_tokens) == (0, 3_600)
    forgetful = sent_and_answered((), first, words(3_000), "ok", Usage(input=4_000, output=5))
    assert plan_for(forgetful, "next", model=model, cache=CacheClock(cold=False)).price.cached_tokens == 0
    assert cold.price.cost_usd is not None
    assert warm.price.cost_usd is not None
    assert warm.price.cost_usd < cold.price.cost_usd / 4
    assert plan_for(path, "next", model=model, free=True).price.cost_usd == 0
    assert plan_for(path, "next").price.cost_usd is None


# ---- words ----------------------------------------------------------------------------------------------------------


def test_the_gauge_is_quiet_then_calm_then_near_then_says_what_sending_does() -> None:
    assert gauge_line(plan_for((), "hi")).endswith(" of 150K tokens · fills as you chat")
    calm = plan_for((), words(50_000))
    assert gauge_line(calm) == f"≈{thousands(calm.tokens.total)} of 150K"
    path = talk(*[words(1_250)] * 100)
    near = plan_for(path, "hi")
    assert gauge_state(near) == "near"
    assert gauge_line(near).startswith("≈")
    assert gauge_line(near).endswith(f"of 150K · about {near.advice.turns_left} turns left")
    trim = plan_for(talk(*[words(1_600)] * 100), "hi")
    assert gauge_line(trim) == f"Sending leaves out {trim.placement.newly_left_out} older messages · Review"
    assert gauge_sentence(trim) == f"Sending leaves out {trim.placement.newly_left_out} older messages."
    unknown = plan_for((), words(10_000), model=replace(MODEL_200K, window_source="assumed"))
    assert gauge_line(unknown) == ""
    asked = message(2, "user", "why so")
    assert gauge_line(plan_for((*talk("hi", "there"), asked), "and how")) == "Also sends your unanswered question"
    full = (*talk("hi", words(40_000)), asked)
    assert gauge_line(plan_for(full, "and how")).endswith("K of 150K · Also sends your unanswered question")
    assert gauge_sentence(plan_for(full, "and how")).endswith(" tokens used. Also sends your unanswered question.")
    assert "Also" not in gauge_line(plan_for(full)), "it is what is sent"
    assert (
        gauge_line(plan_for((message(0, "user", "hi"),), "more", model=replace(MODEL_200K, window_source="assumed")))
        == ""
    )
    assert "limit unknown · Set" in gauge_line(plan_for((), words(30_000), model=unknown.model))
    refused = plan_for((), words(300_000), model=unknown.model)
    assert gauge_line(refused).endswith(" · limit 180K assumed · Set")
    assert refusal_heading(refused).endswith(" estimated tokens, limit 180,000 assumed)")
    assert refusal_remedies(refused)[0].action == "set_limit", "what it takes is known to the user, if to anybody"
    known = replace(refused, limits=replace(refused.limits, window_known=True))
    assert "set_limit" not in {one.action for one in refusal_remedies(known)}


def test_a_limit_that_somebody_set_is_known_though_the_window_is_not() -> None:
    model = replace(MODEL_200K, window_source="assumed")
    near = plan_for((), words(3_700), model=model, soft_limit=4_200)
    assert gauge_state(near) == "near"
    assert f"{thousands(near.tokens.total)} of 4.2K" in gauge_line(near)
    assert gauge_sentence(near).endswith(" of 4,200 tokens used.")
    calm = plan_for((), words(2_000), model=model, soft_limit=4_200)
    assert (gauge_state(calm), gauge_line(calm)) == ("calm", f"{thousands(calm.tokens.total)} of 4.2K")
    settings = plan_for((), words(3_700), model=model, settings=ContextSettings(soft_limit=4_200))
    assert gauge_state(settings) == "near"


def test_the_price_joins_from_the_threshold_on() -> None:
    plan = plan_for((), words(50_000), model=find_model("anthropic", "claude-opus-4-5"))
    assert plan.price.cost_usd is not None
    shown = price(plan.price.cost_usd, plan.price.most_usd)
    assert shown.startswith("up to $")
    assert gauge_line(plan, show_above_usd=0.25).endswith(f" · {shown}")
    assert shown not in gauge_line(plan, show_above_usd=10)
    assert gauge_line(plan, show_above_usd=10, cache_expired=True).endswith(f"{shown} · cache expired")


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [(62_123, "62K"), (149_999, "150K"), (1_000_000, "1M"), (1_250_000, "1.25M"), (4_240, "4.2K"), (950, "950")],
)
def test_numbers_are_rounded(tokens: int, shown: str) -> None:
    assert thousands(tokens) == shown


def test_parts_of_any_kind_can_be_planned() -> None:
    parts: list[Part] = [TextPart("a"), DocumentPart("d", "", "00"), TextPart(" \n")]
    plan = prepare(()).plan(parts)
    assert plan.request.pending is not None
    assert plan.request.pending.blocks == (TextPart("a"),)


def test_each_step_has_its_own_prefix_key() -> None:
    state = BoundaryState(CARRIER, 1)
    keys = {
        plan_for((*talk("a", "b"), message(2, "user", "c", window=window))).request.prefix_key
        for window in (None, state, replace(state, epoch=2))
    }
    assert len(keys) == 3


def test_what_makes_no_difference_is_not_named_as_large() -> None:
    plan = plan_for(talk("one", "two"), words(180_000), system="short")
    assert any(item.label == "system prompt" for item in plan.advice.biggest)
    assert refusal(plan).detail == f"Largest: your message {thousands(plan.tokens.draft)}"
    assert refusal_explanation(plan).endswith(refusal(plan).detail)
    big = plan_for(talk("one", "two"), words(180_000), system=words(20_000))
    assert " · system prompt " in refusal(big).detail


def test_turns_left_are_turns_like_the_last_ones() -> None:
    path = talk(*[words(1_250)] * 100)
    near = plan_for(path, "hi")
    resting = plan_for(path, "")
    turn = resting.tokens.history / 50
    left = (near.limits.soft - near.tokens.total) / turn
    assert near.advice.turns_left is not None
    assert resting.advice.turns_left is not None
    assert abs(near.advice.turns_left - left) <= 1
    assert abs(near.advice.turns_left - resting.advice.turns_left) <= 1, "a few words change nothing"
    assert plan_for((), words(100_000)).advice.turns_left is None


def test_a_pasted_book_is_a_turn_under_way() -> None:
    path = talk(*["a short question or answer"] * 40)
    plan = plan_for(path, words(125_000))
    assert gauge_state(plan) == "near"
    assert plan.advice.turns_left is not None
    assert plan.advice.turns_left <= 5
    assert gauge_line(plan).endswith(
        f"about {max(1, plan.advice.turns_left)} turn{'s' if plan.advice.turns_left > 1 else ''} left"
    )


def test_without_a_draft_the_plan_is_that_of_the_next_message() -> None:
    """A last turn that alone passes the limit: nothing is refused that the next message would leave out."""
    path = talk("first", words(200), words(200), words(6_000))
    empty, hello = (plan_for(path, draft, model=small_model()) for draft in ("", "hello"))
    assert (empty.decision, hello.decision) == ("trim", "trim")
    assert (empty.placement.newly_left_out, empty.placement.boundary) == (
        hello.placement.newly_left_out,
        hello.placement.boundary,
    )
    assert empty.request.pending is None
