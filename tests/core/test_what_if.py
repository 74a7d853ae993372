"""What a draft could be sent as: every row is a plan that the planner makes, and its prices add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.plan import CacheClock
from desktop_app.core.context.what_if import TURNS, PlanChoice, compared
from desktop_app.core.messages import TextPart
from desktop_app.core.model_catalog import find_model
from tests.core.paths import MODEL_200K, prepare, talk, words

SONNET = find_model("anthropic", "claude-sonnet-5")
HAIKU = find_model("anthropic", "claude-haiku-4-5")
DRAFT = (TextPart("What now?"),)


def by_name(choices: tuple[PlanChoice, ...]) -> dict[str, PlanChoice]:
    return {one.choice: one for one in choices}


def test_each_choice_is_the_plan_that_comes_of_choosing_it() -> None:
    path = talk(*[words(2_000)] * 50)
    prepared, other = prepare(path, model=SONNET), prepare(path, model=HAIKU)
    found = by_name(compared(prepared, DRAFT, (other,)))
    assert list(found) == ["as_is", "soft_limit", "raised", "summary", "model"]
    assert found["as_is"].plan == prepared.plan(DRAFT)
    assert found["model"].plan == other.plan(DRAFT)
    raised = found["raised"].plan
    assert raised == prepare(path, model=SONNET, soft_limit=raised.limits.soft).plan(DRAFT)
    assert raised.limits.soft > found["as_is"].plan.limits.soft
    assert found["model"].cost_usd is not None
    assert found["as_is"].cost_usd is not None
    assert found["model"].cost_usd < found["as_is"].cost_usd


def test_a_step_now_goes_down_to_the_low_mark_and_is_as_it_is_below_it() -> None:
    path = talk(*[words(2_000)] * 60)
    prepared = prepare(path)
    found = by_name(compared(prepared, DRAFT))
    now, step = found["as_is"].plan, found["soft_limit"].plan
    assert (now.decision, step.decision) == ("ok", "trim")
    assert step.tokens.total <= step.limits.low < now.tokens.total
    assert step.placement.left_out > now.placement.left_out == 0
    short = by_name(compared(prepare(talk("Hello", "Hi")), DRAFT))
    assert {"soft_limit", "summary"}.isdisjoint(short), "one row for one and the same request"


def test_a_summary_stands_for_old_turns_and_its_own_price_is_in_the_first() -> None:
    path = talk(*[words(2_000)] * 30)
    prepared = prepare(path, model=SONNET, cache=CacheClock(cold=True, idle_minutes=300))
    one = by_name(compared(prepared, DRAFT))["summary"]
    assert any(row.state == "summarised" for row in one.plan.placement.messages)
    assert 0 < one.plan.tokens.summary <= 2_200
    assert one.plan.price.cost_usd is not None
    assert one.cost_usd is not None
    assert one.cost_usd > 4 * one.plan.price.cost_usd, "all of it is read once to be summarised"
    stepping = prepare(path, model=SONNET, soft_limit=40_000)
    due = stepping.plan(DRAFT).advice.summary_due
    behind = by_name(compared(stepping, DRAFT))["summary"].plan
    assert {row.id for row in behind.placement.messages if row.state == "summarised"} == set(due)
    assert prepared.plan(DRAFT).placement.summaries == (), "looking decides nothing"
    pinned = ContextChoices(pinned=frozenset(message.id for message in path))
    assert by_name(compared(prepare(path, model=SONNET, choices=pinned), DRAFT))["as_is"].plan.decision == "ok"


def test_twenty_turns_are_the_first_and_nineteen_like_those_before() -> None:
    path = talk(*[words(1_000)] * 30)
    choices = by_name(compared(prepare(path, model=SONNET), DRAFT))
    one = choices["as_is"]
    assert one.cost_usd is not None
    assert one.turn_usd is not None
    assert one.cost_20_turns_usd == pytest.approx(one.cost_usd + 19 * one.turn_usd)
    assert TURNS == 20
    # each turn writes a turn, and reads all before it
    prices, tokens = SONNET.prices, one.plan.tokens.total
    assert prices is not None
    written, read = tokens / 15, tokens + 9 * tokens / 15
    per_turn = (written * prices.cache_write_5m + read * prices.cache_read) / 1_000_000
    assert one.turn_usd == pytest.approx(per_turn, rel=0.1)
    cramped = by_name(compared(prepare(path, model=SONNET, soft_limit=36_000), DRAFT))
    kept, raised = cramped["as_is"], cramped["raised"]
    prepared = prepare(path, model=SONNET, soft_limit=36_000)
    smooth, stepping = prepared.turn_usd(kept.plan), kept.turn_usd
    assert smooth is not None
    assert stepping is not None
    assert stepping > smooth, "the steps that come within 20 turns write what they keep again"
    assert raised.plan.limits.soft > 36_000


def test_what_has_no_price_has_none() -> None:
    path = talk(*[words(1_000)] * 30)
    unpriced = by_name(compared(prepare(path), DRAFT))["as_is"]
    assert (unpriced.cost_usd, unpriced.turn_usd, unpriced.cost_20_turns_usd) == (None, None, None)
    free = by_name(compared(prepare(path, model=SONNET, free=True), DRAFT))
    assert {one.cost_20_turns_usd for one in free.values()} == {0.0}
    first = by_name(compared(prepare((), model=SONNET), DRAFT))["as_is"]
    assert first.cost_usd is not None
    assert first.cost_20_turns_usd is None, "a thread without turns has no pace"
    small = replace(MODEL_200K, window=8_000, max_output=1_000, prices=SONNET.prices)
    refused = by_name(compared(prepare((), model=small), (TextPart(words(9_000)),)))["as_is"]
    assert (refused.plan.decision, refused.cost_usd) == ("refuse", None)
