"""Where the load line can be put, and what is sent then: what was shown while it was dragged, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.placed_messages import ABOVE_LINE, KEPT
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import gauge_line, gauge_sentence, line_preview, thousands
from desktop_app.core.context.planner import Preparation
from desktop_app.core.messages import Message, TextPart, ToolSpec
from desktop_app.core.settings import ContextSettings
from desktop_app.core.thread_copy import choices_from_json, choices_to_json
from tests.core.paths import kept_ids, plan_for, prepare, sent_and_answered, small_model, talk, words

SMALL = small_model(8_000)
DRAFT = (TextPart("and then?"),)


@st.composite
def threads(draw: st.DrawFn) -> tuple[tuple[Message, ...], ContextChoices, ContextSettings]:
    """A thread with turns of any size that was sent turn by turn, so that steps were made; and what the user chose."""
    sizes = draw(st.lists(st.integers(1, 500), min_size=1, max_size=24))
    path = talk(*(f"{index} {words(size)}" for index, size in enumerate(sizes[: len(sizes) // 2 * 2])))
    for _ in range(draw(st.integers(0, 4))):
        if (plan := plan_for(path, "next", model=SMALL)).decision == "refuse":
            break
        path = sent_and_answered(path, plan, "next", words(draw(st.integers(1, 900))))
    turns = st.sets(st.integers(0, max(0, len(path) // 2 - 1)), max_size=2)
    choices = ContextChoices(
        pinned=frozenset(f"m{2 * turn}" for turn in draw(turns)),
        excluded=frozenset(f"m{2 * turn}" for turn in draw(turns)),
        fresh_from=draw(st.none() | st.sampled_from([message.id for message in path])) if path else None,
    )
    return path, choices, ContextSettings(preserve_first_n=draw(st.integers(0, 3)))


def under(path: Sequence[Message], choices: ContextChoices, settings: ContextSettings) -> Preparation:
    return prepare(path, model=SMALL, choices=choices, settings=settings)


@given(threads())
@settings(max_examples=60, deadline=None)
def test_what_the_drag_showed_is_what_is_sent_and_each_place_sends_no_more_than_the_one_above(
    thread: tuple[tuple[Message, ...], ContextChoices, ContextSettings],
) -> None:
    path, choices, options = thread
    prepared = under(path, choices, options)
    order = {message.id: index for index, message in enumerate(path)}
    shown: list[ContextPlan] = []
    for place in prepared.line_places:
        plan = prepared.with_line(place).plan(DRAFT)
        applied = under(path, prepared.line_choices(place), options)
        assert applied.plan(DRAFT) == plan, "the plan that was shown, to the last field"
        assert applied.line_choices(place) == prepared.line_choices(place), "to put it there again changes nothing"
        if plan.keeps_boundary:
            shown.append(plan)
            states = {placed.id: placed.state for placed in plan.placement.messages}
            for name, state in states.items():
                if state == "excluded":
                    continue
                kept = order[name] >= order[place] or state == "pinned"
                assert kept == (name in kept_ids(plan)) or name in kept_ids(plan)[:3], name
        if plan.decision != "refuse":
            sent = set(kept_ids(plan))
            assert {name for name in choices.pinned - choices.excluded if name in order} <= sent, "pins stay"
            if path and "m0" not in choices.excluded:
                assert "m0" in sent, "the beginning stays"
    for above, below in pairwise(shown):
        assert set(kept_ids(below)) <= set(kept_ids(above))
        assert below.placement.left_out >= above.placement.left_out


@given(
    st.lists(st.integers(1, 600), min_size=4, max_size=30), st.lists(st.integers(600, 5_000), min_size=2, max_size=6)
)
@settings(max_examples=60, deadline=None)
def test_a_higher_limit_never_leaves_out_more_and_what_the_drag_showed_is_what_is_sent(
    sizes: list[int], limits: list[int]
) -> None:
    path = talk(*(f"{index} {words(size)}" for index, size in enumerate(sizes[: len(sizes) // 2 * 2])))
    prepared = prepare(path, model=SMALL)
    plans = []
    for limit in sorted(limits):
        plan = prepared.with_limit(limit).plan(DRAFT)
        assert plan == prepare(path, model=SMALL, soft_limit=limit).plan(DRAFT)
        plans.append(plan)
    for lower, higher in pairwise(plan for plan in plans if plan.decision != "refuse"):
        assert set(kept_ids(lower)) <= set(kept_ids(higher))


def stepped() -> tuple[Message, ...]:
    """A thread of which a step has left the older half out."""
    path = talk(*(f"{index} {words(200)}" for index in range(40)))
    plan = plan_for(path, "next", model=SMALL)
    assert plan.decision == "trim"
    return sent_and_answered(path, plan, "next", "ok")


def line_of(plan: ContextPlan) -> str:
    """The first message of the tail that is sent."""
    return next(name for name in kept_ids(plan) if name != "m0")


def test_the_line_goes_up_and_down_from_a_step_and_the_beginning_stays() -> None:
    prepared = prepare(stepped(), model=SMALL)
    now = prepared.plan(DRAFT)
    at = int(line_of(now)[1:])
    for place in (at - 2, at + 2, at + 6):
        plan = prepared.with_line(f"m{place}").plan(DRAFT)
        assert plan.keeps_boundary, place
        assert kept_ids(plan)[0] == "m0"
        assert line_of(plan) == f"m{place}"
        assert plan.placement.left_out == place - 1
    assert prepared.line_choices(f"m{at}") == NO_CHOICES, "where the step put it nothing is decided"
    lower = prepared.with_line(f"m{at + 6}")
    assert lower.line_choices(f"m{at}") == NO_CHOICES, "dragged back there, nothing is left of the drag"


def test_a_line_above_which_the_request_is_over_the_limit_says_that_it_is_sent_all_the_same() -> None:
    prepared = prepare(stepped(), model=SMALL)
    plans = [prepared.with_line(place).plan(DRAFT) for place in prepared.line_places]
    over = next(plan for plan in plans if plan.keeps_boundary and plan.tokens.total > plan.limits.soft)
    said = f"Sends ≈{thousands(over.tokens.total)}, over your limit of {thousands(over.limits.soft)}"
    assert gauge_line(over) == said
    assert gauge_sentence(over) == f"{said}."
    assert line_preview(over).split(" · ")[1] == said
    under = next(plan for plan in plans if plan.keeps_boundary and plan.tokens.total < plan.limits.soft)
    assert "over your limit" not in gauge_line(under) + line_preview(under)


def test_what_is_left_out_says_so_and_what_stays_says_why() -> None:
    path = talk(*(f"{index} {words(20)}" for index in range(12)))
    plan = prepare(path).with_line("m6").plan(DRAFT)
    reasons = {placed.id: (placed.state, placed.reason) for placed in plan.placement.messages}
    assert reasons["m0"] == ("whole", KEPT)
    assert reasons["m3"] == ("left_out", ABOVE_LINE)
    assert reasons["m6"] == ("whole", "")
    notes = [b.text for m in plan.request.history for b, s in zip(m.blocks, m.sources, strict=True) if s is None]  # type: ignore[union-attr]
    assert notes == ["[5 earlier messages left out]"]


def test_a_moved_line_and_a_fresh_start_at_the_same_place_are_different_requests() -> None:
    path = talk(*(f"{index} {words(20)}" for index in range(12)))
    moved = prepare(path).line_choices("m6")
    fresh = replace(moved, keeps_start=False)
    # a tool from the first request on, so that the note on what is left out is no difference
    tools = [ToolSpec("search", "Searches.", {"type": "object"})]
    keys = {
        prepare(path, choices=one, tools=tools).plan(DRAFT).request.prefix_key for one in (NO_CHOICES, moved, fresh)
    }
    assert len(keys) == 3


def test_a_line_within_the_beginning_sends_a_stored_question_as_it_was_planned() -> None:
    choices, settings = ContextChoices(fresh_from="m1", keeps_start=True), ContextSettings(preserve_first_n=3)
    planned = prepare(talk("one", "two"), choices=choices, settings=settings).plan(DRAFT)
    stored = prepare(talk("one", "two", DRAFT[0].text), choices=choices, settings=settings).plan(())
    assert stored.request.prefix_key == planned.request.prefix_key


def test_a_place_that_a_limit_forbids_is_not_where_the_line_stays() -> None:
    prepared = prepare(talk(*(f"{index} {words(300)}" for index in range(40))), model=SMALL)
    assert not prepared.with_line("m0").plan(DRAFT).keeps_boundary, "all of it is over the limit"
    assert prepared.with_line("m36").plan(DRAFT).keeps_boundary


def test_the_newest_turn_and_the_beginning_are_no_places_to_cut() -> None:
    prepared = prepare(talk("one", "two", "three", "four", "five", "six"))
    assert prepared.line_places == ["m0", "m2", "m4"]
    assert prepare(talk("one", "two")).line_places == []
    assert prepare(talk("one", "two", "three")).line_places == ["m0", "m2"], "the question that waits"
    many = prepare(talk(*"abcdefgh"), settings=ContextSettings(preserve_first_n=3))
    assert many.line_places == ["m0", "m4", "m6"]
    assert prepared.line_choices("elsewhere") == NO_CHOICES


def test_the_choice_is_stored_and_a_plain_fresh_start_is_stored_as_before() -> None:
    moved = ContextChoices(fresh_from="m3", keeps_start=True)
    assert choices_to_json(moved) == {"fresh_from": "m3", "keeps_start": True}
    assert choices_from_json(choices_to_json(moved)) == moved
    assert choices_to_json(replace(moved, keeps_start=False)) == {"fresh_from": "m3"}
    with pytest.raises(ValueError, match="keeps_start"):
        choices_from_json({"keeps_start": "yes"})
