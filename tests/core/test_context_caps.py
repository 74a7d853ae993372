"""Limits and caps for every window: forecasts, warnings, cliffs, steps by messages, turns and idling (CTX-3, CTX-4)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.context.boundaries import LAST_TURN, RequestSize, StepLimits
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.limits import highest_soft, limits_for, output_reserve
from desktop_app.core.context.plan import CacheClock, ContextPlan
from desktop_app.core.messages import Message, Usage
from desktop_app.core.model_catalog import ModelInfo, Prices, shipped_models
from desktop_app.core.settings import ContextSettings
from tests.core.paths import message, plan_for, sent_and_answered, small_model, talk, user_turns, words

WINDOWS = st.integers(2_000, 2_000_000)
CHEAP = Prices(1.0, 5.0, 0.1, 1.25, 2.0)
DEAR = Prices(5.0, 25.0, 0.5, 6.25, 10.0)


def model(window: int, *, cliff: int | None = None, prices: Prices | None = None) -> ModelInfo:
    return ModelInfo("m", "M", window, 64_000, price_cliff=cliff, prices=prices, prices_above=DEAR if cliff else None)


# ---- limits ---------------------------------------------------------------------------------------------------------


@given(WINDOWS, st.integers(0, 3_000_000) | st.none(), st.sampled_from([None, CHEAP]))
def test_a_lower_position_never_raises_a_limit(window: int, position: int | None, prices: Prices | None) -> None:
    info = model(window, prices=prices)
    free, own = limits_for(info, ContextSettings(soft_limit=3_000_000)), limits_for(info, ContextSettings(), position)
    assert free.soft == highest_soft(info)
    assert (own.soft <= free.soft, own.emergency <= free.emergency) == (True, True)
    assert own.soft == min(max(100, 150_000 if position is None else position), highest_soft(info))
    # a step frees room for several turns, and never goes down to nothing
    assert own.soft // 2 <= own.low <= own.soft * 7 // 10
    assert own.emergency <= own.soft * 6 // 5 + 1
    assert own.emergency + output_reserve(info) <= window


@given(st.lists(WINDOWS, min_size=2, max_size=6))
def test_a_larger_window_never_lowers_a_limit(windows: list[int]) -> None:
    made = [limits_for(model(window), ContextSettings()) for window in sorted(windows)]
    for smaller, larger in pairwise(made):
        assert smaller.soft <= larger.soft
        assert smaller.low <= larger.low
        assert smaller.emergency <= larger.emergency


@given(WINDOWS, st.integers(1_000, 400_000), st.integers(0, 2_000_000) | st.none(), st.booleans())
def test_the_cliff_is_passed_only_by_the_threads_own_will(
    window: int, cliff: int, position: int | None, accepted: bool
) -> None:
    info = model(window, cliff=cliff)
    limits = limits_for(info, ContextSettings(), position, accepted_cliff=accepted)
    if position is None and not accepted:
        assert limits.soft <= max(cliff, 100)
    else:
        assert limits == limits_for(model(window), ContextSettings(), position)
    assert limits.emergency <= max(limits.soft * 6 // 5, 120)


def test_the_low_mark_follows_what_a_write_costs() -> None:
    plain, writes = model(200_000), model(200_000, prices=CHEAP)
    same = model(200_000, prices=replace(CHEAP, cache_write_5m=1.0, cache_write_1h=1.0))
    assert limits_for(plain, ContextSettings()).low == limits_for(same, ContextSettings()).low == 105_000
    limits = limits_for(writes, ContextSettings())
    assert (limits.soft, limits.low, limits.emergency) == (150_000, 87_000, 180_000)


def test_every_shipped_model_has_limits_in_order() -> None:
    for backend in ("anthropic", "claude-cli", "openai", "local", "scripted"):
        for info in shipped_models(backend):
            limits = limits_for(info, ContextSettings())
            assert 0 < limits.low < limits.soft < limits.emergency < info.window, info.id


# ---- caps -----------------------------------------------------------------------------------------------------------

HEAVY = st.lists(st.integers(0, 400), min_size=1, max_size=40)


@given(HEAVY, st.integers(200, 4_000), st.integers(0, 12), st.integers(0, 6), st.integers(0, 30), st.integers(0, 5))
def test_a_step_obeys_every_cap_or_leaves_only_what_must_stay(  # noqa: PLR0917
    weights: list[int], soft: int, messages: int, turns: int, last: int, head: int
) -> None:
    chosen = ContextSettings(max_messages=messages, max_turns=turns, preserve_last_n=last)
    caps = StepLimits.of(chosen, soft=soft, low=soft * 7 // 10, head=head)

    def load(start: int) -> RequestSize:
        rest = weights[start:]
        return RequestSize(sum(rest), head + 2 * len(rest), len(rest))

    candidates, end = range(1, len(weights)), len(weights) - 1
    start = caps.step(0, candidates, load, end)
    now, then = load(0), load(start)
    over = (now.tokens > soft, bool(messages) and now.messages > messages, bool(turns) and now.turns > turns)
    if not any(over):
        assert start == 0
        return
    if start == 0 or start == len(weights) - 1:
        return  # nothing, or all, can be left out

    if messages not in range(1, 4) and turns != 1:
        assert start <= end - 1 or over[0], "the turn just made stays"
        if start == end - 1:
            return

    # below every cap that was passed, and one turn more would not be
    def obeys(place: int) -> bool:
        found = load(place)
        return (not over[1] or found.messages <= caps.low_messages) and (not over[2] or found.turns <= caps.low_turns)

    assert obeys(start)
    assert start == 1 or not obeys(start - 1) or over[0]
    assert then.messages < now.messages
    if over[0]:
        assert then.tokens <= soft
    assert caps.step(start, candidates, load, end) == start, "and then it rests"


@given(
    st.lists(st.integers(1, 1_500), min_size=2, max_size=40),
    st.integers(500, 4_000),
    st.sampled_from((0.58, 0.7)),
    st.integers(0, 20),
    st.booleans(),
)
def test_a_step_for_tokens_uses_the_room_that_there_is(
    weights: list[int], soft: int, share: float, last: int, held: bool
) -> None:
    """CTX-4: what is kept is at least 0.8 L, or the next older turn does not fit; the last turn stays below H."""
    low = int(soft * share)
    due = soft * 6 // 5 if held else None
    caps = StepLimits.of(ContextSettings(preserve_last_n=last), soft=soft, low=low, head=1, due=due)

    def load(start: int) -> RequestSize:
        rest = weights[start:]
        return RequestSize(sum(rest), 2 * len(rest), len(rest))

    candidates, end = range(1, len(weights)), len(weights) - 1
    start = caps.step(0, candidates, load, end)
    now, then = load(0), load(start)
    if now.tokens <= (due or soft):
        assert start == 0
        return
    if start == 0:
        return  # nothing can be left out
    assert then.tokens <= soft or start == end
    older = load(start - 1).tokens
    assert then.tokens >= 0.8 * low or start == 1 or older > 0.95 * soft
    assert start == 1 or older > low, "a step stops at the low mark at the latest"
    if load(end - 1).tokens <= soft and end > 1:
        assert start < end, "the last complete turn stays"
    if then.tokens > low and start < end - 1:
        kept = 2 * (end - start)
        fits = then.tokens <= 0.95 * soft and load(start + 1).tokens < 0.8 * low
        assert fits or (kept <= last and then.tokens <= (soft + low) / 2)


@given(st.integers(1, 400), st.integers(0, 400), st.integers(0, 20))
def test_preserved_messages_yield_to_the_cap_and_leave_room_for_a_turn(cap: int, last: int, head: int) -> None:
    caps = StepLimits.of(
        ContextSettings(max_messages=cap, max_turns=cap, preserve_last_n=last), soft=9, low=6, head=head
    )
    # the beginning, the turn just made and the new question stay where the cap holds these
    assert caps.low_messages == max(head + 1, min(cap, head + LAST_TURN)) or caps.low_messages < cap
    assert 1 <= caps.low_turns <= cap
    if head + last + 2 <= cap:
        assert caps.low_messages >= head + last


def _turns(count: int, size: int = 20) -> tuple[Message, ...]:
    return talk(*(f"{index} {words(size)}" for index in range(2 * count)))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 16), st.integers(0, 12), st.integers(1, 24))
def test_a_turn_cap_keeps_the_newest_turns(cap: int, last: int, turns: int) -> None:
    plan = plan_for(_turns(turns), "now", settings=ContextSettings(max_turns=cap, preserve_last_n=last))
    kept = len(user_turns(_turns(turns))) - sum(
        p.state == "left_out" and p.role == "user" for p in plan.placement.messages
    )
    assert (plan.decision == "trim") == (turns + 1 > cap)
    # the first question always stays, and the draft counts as a turn
    assert kept <= max(cap - 1, 1) + 1
    if turns + 1 > cap:
        assert kept >= min(turns, max(1, cap * 7 // 10) - 1)
    used = next(use.used for use in plan.advice.counts)
    assert bool(plan.advice.warnings) == (used >= 0.8 * cap)
    assert used == turns + 1 or plan.decision == "trim"


def test_an_idle_thread_keeps_its_beginning_and_steps_once() -> None:
    path = _turns(6)
    chosen = ContextSettings(idle_reset_minutes=60)
    idle = plan_for(path, "back", settings=chosen, cache=CacheClock(cold=True, idle_minutes=61.0))
    assert [p.state for p in idle.placement.messages] == ["whole", *["left_out"] * 11]
    assert [event.kind for event in idle.advice.events] == ["fresh_start"]
    stored = (*path, message(12, "user", "back", window=idle.placement.boundary), message(13, "assistant", "hello"))
    again = plan_for(stored, "more", settings=chosen, cache=CacheClock(cold=False, idle_minutes=1.0))
    assert (again.decision, again.placement.boundary) == ("ok", idle.placement.boundary)
    assert plan_for(path, "soon", settings=chosen, cache=CacheClock(cold=True, idle_minutes=59.0)).decision == "ok"


def test_a_step_past_what_stays_anyway_is_not_taken() -> None:
    """It would leave nothing out, and rewrite the cache for it."""
    info, before = small_model(6_000), _turns(5, 250)
    first = plan_for(before, words(250), model=info)
    counted = Usage(input=3_400, output=round(first.tokens.draft))
    path = sent_and_answered(before, first, words(250), words(250), counted)
    pinned = ContextChoices(pinned=frozenset(message.id for message in path))
    plan = plan_for(path, words(150), model=info, choices=pinned)
    assert plan.limits.soft < plan.tokens.total <= plan.tokens.upper < plan.limits.emergency
    assert (plan.decision, plan.placement.boundary.epoch) == ("ok", 0)
    assert [event.kind for event in plan.advice.events] == ["limit_passed"]


# ---- forecast and warnings ------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(5, 60), st.integers(0, 60))
def test_the_forecast_is_about_right(turns: int, size: int, draft: int) -> None:
    info = small_model(12_000)
    plan = plan_for(_turns(turns, size), f"x {words(draft)}", model=info)
    assert plan.advice.turns_left is not None
    assert plan.advice.turns_left >= 0
    each = max(1.0, sum(placed.whole for placed in plan.placement.messages[-20:]) / min(turns, 10))
    room = plan.limits.soft - plan.tokens.total
    assert plan.advice.turns_left <= room / (each * 0.45) + 1
    if draft <= size * 2:
        assert plan.advice.turns_left >= room / (each * 1.2) - 1


@pytest.mark.parametrize(("size", "warned"), [(1_000, False), (2_800, False), (2_950, True), (3_300, True)])
def test_the_soft_limit_warns_from_eighty_percent(size: int, warned: bool) -> None:
    plan: ContextPlan = plan_for((), words(size), model=small_model(6_000))
    share = plan.tokens.total / plan.limits.soft
    assert (share >= 0.8) == warned
    assert ([warning.code for warning in plan.advice.warnings] == ["near_soft"]) == warned
