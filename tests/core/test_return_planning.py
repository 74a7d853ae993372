"""Boundaries come back when what they were made for is gone (CTX-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.core.context.boundaries import TURNS_TO_COME
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.context.plan import CacheClock, ContextPlan
from desktop_app.core.context.plan_text import gauge_line, gauge_sentence, gauge_state
from desktop_app.core.messages import BoundaryState, ImagePart, Message, TextPart
from desktop_app.core.settings import ContextSettings
from tests.core.paths import MODEL_200K, message, plan_for, prepare, small_model, talk, words
from tests.core.thread_properties import spoken

SMALL = small_model(8_000)
LARGE = replace(MODEL_200K, id="large")


def long_talk(turns: int = 30, size: int = 800) -> tuple[Message, ...]:
    """Some 1,000 tokens a message."""
    return talk(*(f"{index} {words(size)}" for index in range(2 * turns)))


def sent(path: Sequence[Message], plan: ContextPlan, question: str = "what", model: str = "") -> tuple[Message, ...]:
    """The path after the plan was sent and answered, stored as the controller stores it."""
    asked = message(len(path), "user", question, window=plan.placement.boundary if plan.moves_boundary else None)
    answer = replace(
        message(len(path) + 1, "assistant", "that"),
        backend=plan.backend,
        model=model or plan.model.id,
        prefix_key=plan.request.prefix_key,
    )
    return (*path, asked, answer)


def after_a_small_model() -> tuple[Message, ...]:
    """One question on a small model in a thread of 60K."""
    path = long_talk()
    plan = plan_for(path, "what", model=SMALL)
    assert plan.decision == "trim"
    assert plan.placement.boundary.cause == "tokens"
    return sent(path, plan)


def left(plan: ContextPlan) -> int:
    return sum(placed.state == "left_out" for placed in plan.placement.messages)


def test_one_question_on_a_small_model_leaves_nothing_out_for_good() -> None:
    path = after_a_small_model()
    small = plan_for(path, "more", model=SMALL)
    plan = plan_for(path, "more", model=LARGE)
    assert left(small) > 40
    assert (plan.decision, left(plan), plan.placement.boundary.first_kept) == ("ok", 0, None)
    assert plan.placement.newly_returned == left(small)
    assert [event.kind for event in plan.advice.events] == ["returned"]
    (event,) = plan.advice.events
    assert event.before < 8_000 < event.after == plan.tokens.total
    assert gauge_state(plan) == "return"
    assert gauge_line(plan) == f"Sending brings back {left(small)} older messages · Review"
    assert gauge_sentence(plan) == f"Sending brings back {left(small)} older messages."
    after = plan_for(sent(path, plan, "more"), "go on", model=LARGE)
    assert (after.decision, after.placement.newly_returned, left(after), after.advice.events) == ("ok", 0, 0, ())
    assert spoken(after)[: len(spoken(plan))] == spoken(plan), "P9: what was sent is a prefix of what comes next"


def test_the_same_request_is_planned_for_the_stored_question() -> None:
    path = after_a_small_model()
    plan = plan_for(path, "more", model=LARGE)
    stored = sent(path, plan, "more")[:-1]
    again = plan_for(stored, model=LARGE)
    assert (again.request.prefix_key, again.placement.boundary, spoken(again)) == (
        plan.request.prefix_key,
        plan.placement.boundary,
        spoken(plan),
    )
    assert again.placement.newly_returned == 0, "and is told once"


def test_where_a_boundary_comes_back_to_does_not_depend_on_the_cache() -> None:
    """Else a question that waits would be sent otherwise than it was planned: sending warms the cache."""
    turns = (t for n in range(6) for t in (f"{n} {words(100)}", f"answer {n} {words(2_000 if n in {3, 4} else 100)}"))
    path = talk(*turns)
    step = plan_for(path, "what", model=SMALL, soft_limit=5_000)
    assert step.decision == "trim"
    path = sent(path, step)
    for limit in range(5_100, 8_000, 100):
        cold, warm = (
            plan_for(path, "more", model=LARGE, soft_limit=limit, cache=CacheClock(cold=cold, idle_minutes=9.0))
            for cold in (True, False)
        )
        assert (cold.placement.boundary, spoken(cold)) == (warm.placement.boundary, spoken(warm)), limit


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"soft_limit": 20_000}, {}),
        ({"settings": ContextSettings(soft_limit=20_000)}, {}),
        ({"settings": ContextSettings(max_messages=12)}, {}),
        ({"settings": ContextSettings(max_turns=6)}, {}),
        ({"settings": ContextSettings(max_turns=6)}, {"settings": ContextSettings(max_turns=50)}),
    ],
)
def test_a_limit_or_cap_that_is_raised_or_gone_gives_back_what_it_left_out(
    before: dict[str, object], after: dict[str, object]
) -> None:
    path = long_talk()
    step = plan_for(path, "what", **before)
    assert step.decision == "trim"
    path = sent(path, step)
    assert plan_for(path, "more", **before).placement.newly_returned == 0, "nothing changed"
    plan = plan_for(path, "more", **after)
    assert (left(plan), plan.placement.newly_returned) == (0, step.placement.left_out)


def test_what_does_not_fit_whole_comes_back_to_the_steps_own_place() -> None:
    path = long_talk(120)
    path = sent(path, plan_for(path, "what", model=SMALL))
    plan = plan_for(path, "more", model=LARGE)
    assert plan.decision == "ok"
    assert plan.placement.newly_returned > 60
    assert 0.8 * plan.limits.low < plan.tokens.total <= plan.limits.low
    assert plan.placement.boundary.cause == "returned"
    step = plan_for(talk(*(item.text for item in path)), "more", model=LARGE)
    assert left(plan) == left(step), "as a step would have left it"


@given(
    sizes=st.lists(st.tuples(st.integers(5, 300), st.integers(5, 2_000)), min_size=6, max_size=24),
    share=st.floats(0.5, 1.4),
    pauses=st.booleans(),
    text=st.sampled_from(("word ", "12,345; ", "文字")),
)
@example(sizes=[(40, 400)] * 20, share=0.83, pauses=False, text="word ")
@example(sizes=[(40, 400)] * 20, share=0.83, pauses=True, text="word ")
@example(sizes=[(10, 30)] * 60, share=0.79, pauses=False, text="12,345; ")
@example(sizes=[(40, 20)] * 3 + [(20, 9_000)] + [(20, 40)] * 5, share=0.84, pauses=True, text="word ")
@example(sizes=[(40, 400)] * 20 + [(10, 4_000), (10, 30)] * 3, share=1.2, pauses=True, text="word ")
@settings(max_examples=60, deadline=None)
def test_what_a_switch_of_model_brings_back_stays_for_some_usual_turns(
    sizes: list[tuple[int, int]], share: float, pauses: bool, text: str
) -> None:
    """All of it for four turns no larger than the middle one of the last ten, also where each comes after a pause.

    And where the model counts as much more as the estimate said that it may. What does not come back whole goes to
    the place of a step, which is not due at once.
    """
    path = talk(*(f"{n} {text * size}" for n, turn in enumerate(sizes) for size in turn))
    whole = plan_for(path, "more").tokens.total
    path = sent(path, plan_for(path, "what", model=SMALL, soft_limit=max(500, whole // 3)))
    limit = round(whole / share)
    plan = plan_for(path, "more", model=LARGE, soft_limit=limit)
    if not plan.placement.newly_returned:
        return
    if left(plan):
        assert plan.tokens.total <= plan.limits.soft * 17 // 20
        return
    usual = text * max(1, median_low([2, *(sum(turn) for turn in sizes[-9:])]) - 5)
    doubt = plan.tokens.doubt
    path = sent(path, plan, "more")
    for _ in range(TURNS_TO_COME):
        cache = CacheClock(cold=pauses, idle_minutes=9.0 if pauses else 0.0)
        after = plan_for(path, usual, model=LARGE, soft_limit=limit, cache=cache)
        assert after.decision == "ok"
        assert after.tokens.total + doubt <= (after.limits.soft * 17 // 20 if pauses else after.limits.soft)
        path = sent(path, after, usual)


@pytest.mark.parametrize("trips", [1, 3])
def test_a_trip_to_a_small_model_and_back_leaves_out_no_more_than_before(trips: int) -> None:
    """Each left out some more, as the turns of the trip took the room of older ones, though there was room for both."""
    path = long_talk(120)
    path = sent(path, plan_for(path, "what", model=LARGE))
    before = plan_for(path, "more", model=LARGE)
    assert left(before) > 60
    for _ in range(trips):
        path = sent(path, plan_for(path, words(2_000), model=SMALL), words(2_000))
        plan = plan_for(path, words(2_000), model=LARGE)
        assert left(plan) == left(before)
        path = sent(path, plan, words(2_000))


@pytest.mark.parametrize("size", [400, 700, 1_500])
def test_a_switch_back_sends_what_a_step_would_also_where_the_turns_are_large(size: int) -> None:
    """Where four such turns had no room, 1.5K of 17K went out."""
    path = long_talk(30, size)
    path = sent(path, plan_for(path, "what", model=SMALL, soft_limit=2_000))
    plan = plan_for(path, "more", model=LARGE, soft_limit=8 * size)
    step = plan_for(talk(*(item.text for item in path)), "more", model=LARGE, soft_limit=8 * size)
    assert left(plan) <= left(step)
    assert plan.placement.newly_returned


def test_less_than_a_tenth_is_offered_with_its_price_and_comes_back_when_asked_for() -> None:
    settings = ContextSettings(max_messages=30)
    path = long_talk(60, 80)
    path = sent(path, plan_for(path, "what", settings=settings))
    raised = ContextSettings(max_messages=60)
    plan = plan_for(path, "more", settings=raised)
    offer = plan.advice.return_offer
    assert (plan.placement.newly_returned, plan.moves_boundary) == (0, False)
    assert offer is not None
    assert not offer.declined
    assert offer.messages > 5
    wanted = ContextChoices(return_from=offer.carrier)
    returned = plan_for(path, "more", settings=raised, choices=wanted)
    assert (returned.placement.newly_returned, returned.tokens.total, returned.price.cost_usd) == (
        offer.messages,
        offer.tokens,
        offer.cost_usd,
    )
    after = plan_for(sent(path, returned), "go on", settings=raised, choices=wanted)
    assert (after.placement.newly_returned, after.advice.return_offer) == (0, None), "it was carried out"


def test_a_return_that_was_undone_is_not_made_again_and_holds_off_no_step() -> None:
    path = after_a_small_model()
    returned = plan_for(path, "more", model=LARGE)
    path = sent(path, returned)
    undone = ContextChoices(undone=frozenset({path[-2].id}))
    plan = plan_for(path, "go on", model=LARGE, choices=undone)
    assert (plan.decision, plan.placement.newly_returned, left(plan)) == ("ok", 0, returned.placement.newly_returned)
    assert plan.advice.return_offer is not None
    assert plan.advice.return_offer.declined
    lower = plan_for(path, words(2_500), model=LARGE, soft_limit=5_000, choices=undone)
    assert lower.decision == "trim", "a step is due at the soft limit as always"
    other = plan_for(path, "go on", model=replace(LARGE, id="another"), choices=undone)
    assert other.placement.newly_returned, "what changes again is looked at again"


def test_a_boundary_without_a_cause_counts_as_the_limits() -> None:
    """One that an older version stored."""
    path = list(after_a_small_model())
    state = path[-2].window
    assert state is not None
    path[-2] = replace(path[-2], window=BoundaryState(state.first_kept, state.epoch))
    assert left(plan_for(path, "more", model=LARGE)) == 0


def test_a_pause_that_began_anew_is_no_limit() -> None:
    path = long_talk(10)
    settings = ContextSettings(idle_reset_minutes=60)
    plan = plan_for(path, "what", settings=settings, cache=CacheClock(cold=True, idle_minutes=61.0))
    assert plan.placement.boundary.cause == "idle"
    path = sent(path, plan)
    other = plan_for(path, "more", settings=settings, model=LARGE)
    assert (other.placement.newly_returned, other.advice.return_offer, left(other)) == (0, None, left(plan))
    path = (*path, *(replace(m, id=f"n{i}") for i, m in enumerate(long_talk(10))))
    path = tuple(replace(m, id=f"m{i}") for i, m in enumerate(path))
    path = sent(path, plan_for(path, "what", model=SMALL))
    back = plan_for(path, "more", model=LARGE)
    assert (left(back), back.placement.boundary.first_kept) == (left(plan), plan.placement.boundary.first_kept or "m20")


def test_a_limit_accepted_for_one_request_brings_nothing_back() -> None:
    path = long_talk()
    path = sent(path, plan_for(path, "what", soft_limit=20_000))
    assert plan_for(path, "more", soft_limit=20_000, once=150_000).placement.newly_returned == 0


def test_nothing_comes_back_within_a_tool_loop() -> None:
    from desktop_app.core.messages import ToolCallPart, ToolResultPart

    path = after_a_small_model()
    asked = message(len(path), "user", "look")
    call = message(len(path) + 1, "assistant", ToolCallPart("c", "search_documents", {"query": "q"}))
    results = message(len(path) + 2, "user", ToolResultPart("c", "found"))
    assert plan_for((*path, asked, call, results), model=LARGE).placement.newly_returned == 0


def test_images_and_a_steps_summary_come_back_as_what_they_stand_for() -> None:
    image = ImagePart("photo.png", "image/png", "aGk=", 400, 400)
    path = list(long_talk())
    path[4] = replace(path[4], parts=(image, *path[4].parts))
    step = plan_for(path, "what", model=SMALL)
    summary = Summary("s", step.advice.summary_due, words(50), "m", "2026-01-01T00:00:00Z", at_step=True)
    choices = ContextChoices(summaries=(summary,))
    step = plan_for(path, "what", model=SMALL, choices=choices)
    stored = sent(path, step)
    plan = plan_for(stored, "more", model=LARGE, choices=choices)
    assert {placed.state for placed in plan.placement.messages} == {"whole"}
    assert image in [block for _, block in spoken(plan)]
    after = plan_for(sent(stored, plan, "more"), "go on", model=LARGE, choices=choices)
    assert spoken(after)[: len(spoken(plan))] == spoken(plan)


def test_every_draft_of_a_thread_with_an_offer_costs_one_more_plan_only() -> None:
    settings = ContextSettings(max_messages=30)
    path = long_talk(60, 80)
    path = sent(path, plan_for(path, "what", settings=settings))
    prepared = prepare(path, settings=ContextSettings(max_messages=60))
    first, second = (prepared.plan([TextPart(text)]) for text in ("more", "more and more"))
    assert first.advice.return_offer is not None
    assert second.advice.return_offer is not None
    assert first.advice.return_offer.messages == second.advice.return_offer.messages
