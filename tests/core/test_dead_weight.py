"""Turns that no later answer used, and what leaves first at the next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import ContextChoices, Leaving
from desktop_app.core.context.dead_weight import DeadWeight, dead_weight
from desktop_app.core.context.placed_messages import LEAVES, LEFT
from desktop_app.core.context.plan import CacheClock, ContextPlan
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart, Usage
from desktop_app.core.model_catalog import shipped_models
from desktop_app.core.recall import eligible
from tests.core.paths import kept_ids, message, plan_for, prepare, sent_and_answered, small_model, talk, words

BEFORE, AFTER = "2025-12-31T23:59:59Z", "2026-01-01T00:00:01Z"
SMALL = small_model()
LONG = talk(*[words(120)] * 60)


def topic(name: str, count: int) -> str:
    """A text of `count` words about something of its own, with a vocabulary of sixty words."""
    return " ".join(f"{name}{chr(97 + n % 60 // 26)}{chr(97 + n % 60 % 26)}" for n in range(count))


REPORT = DocumentPart("zebrafish report.pdf", topic("larva", 3_000), "3f2a1b9c0455aa")


def thread(*answers: str, first: Sequence[Part] = (REPORT, TextPart("read this"))) -> tuple[Message, ...]:
    """A turn with a report, then a turn with a topic of its own for each answer."""
    path = [message(0, "user", *first), message(1, "assistant", "It tells of " + topic("larva", 50))]
    for number, answer in enumerate(answers):
        path.append(message(len(path), "user", topic("ask" + chr(97 + number), 9)))
        path.append(message(len(path), "assistant", answer))
    return tuple(path)


def filler(count: int) -> list[str]:
    return [topic("fish" + chr(97 + number), 80) for number in range(count)]


def found(path: tuple[Message, ...], plan: ContextPlan | None = None) -> tuple[DeadWeight, ...]:
    return dead_weight(plan or plan_for(path, "next"), {one.id: one for one in path})


def test_what_no_answer_used_for_twenty_turns_is_dead_weight() -> None:
    path = thread(*filler(20))
    (one,) = found(path)
    rows = {row.id: row for row in plan_for(path, "next").placement.messages}
    assert (one.id, one.tokens, one.turns) == ("m0", rows["m0"].tokens + rows["m1"].tokens, 20)
    assert found(path[:-2]) == ()
    assert found(thread(*filler(20), first=(TextPart(topic("larva", 150)),))) == ()


@pytest.mark.parametrize(
    "use",
    [
        "As page 3 says [3f2a1b9c04-12], no.",
        "The zebrafish report says no.",
        "Larvaab is what I meant.",
        f"{topic('fishx', 60)} {topic('larva', 8)}",
    ],
)
@given(at=st.integers(0, 21))
@settings(max_examples=4)
def test_a_turn_counts_from_the_last_answer_that_cites_or_names_it_or_has_its_words(use: str, at: int) -> None:
    answers = filler(22)
    answers[at] = use
    one = found(thread(*answers))
    assert [(weight.id, weight.turns) for weight in one] == ([("m0", 21 - at)] if 21 - at >= 20 else [])


def test_what_is_pinned_excluded_or_left_out_already_is_not_told() -> None:
    path = thread(*filler(21))
    for choices in (
        ContextChoices(pinned=frozenset({"m0"})),
        ContextChoices(excluded=frozenset({"m0"})),
        ContextChoices(leaving=frozenset({Leaving("m0", "")})),
    ):
        assert found(path, plan_for(path, "next", choices=choices)) == ()


@given(
    turns=st.lists(st.tuples(st.integers(0, 4), st.integers(1, 900)), max_size=40),
    document=st.booleans(),
)
@settings(max_examples=40)
def test_dead_weight_is_sent_heavy_and_unused_by_all_later_answers(
    turns: list[tuple[int, int]], document: bool
) -> None:
    path = thread(*(topic("fish" + chr(97 + kind), size) for kind, size in turns))
    plan = plan_for(path, "next", soft_limit=40_000)
    rows = plan.placement.messages
    told = found(path, plan)
    assert told == found(path, plan)
    assert [one.tokens for one in told] == sorted((one.tokens for one in told), reverse=True)
    for one in told:
        place = rows.index_of(one.id)
        assert place is not None
        assert rows[place].state in ("whole", "annotated")
        assert 1_000 <= one.tokens <= plan.tokens.total
        assert 20 <= one.turns < len(path) // 2
        assert 0 <= one.rewritten <= plan.tokens.total
        later = " ".join(answer.text for answer in path[-2 * 20 + 1 :: 2])
        assert len(set(later.split()) & set(path[place | 1].text.split())) < 60


def test_leaving_out_now_pays_only_where_little_behind_it_is_cached() -> None:
    # 12K before 100K: 115K units to save 1.2K a turn
    assert not DeadWeight("m", 12_000, 20, rewritten=100_000).pays_now(0.1, 1.25)
    assert DeadWeight("m", 12_000, 20, rewritten=20_000).pays_now(0.1, 1.25)
    assert DeadWeight("m", 12_000, 20).pays_now(0.1, 1.25)


def test_the_cached_tokens_behind_it_are_what_leaving_out_now_rewrites() -> None:
    path = thread(*filler(21))
    assert [one.rewritten for one in found(path)] == [0]
    plan = plan_for(path)
    warm = replace(plan, price=replace(plan.price, cached_tokens=plan.tokens.total - 500))
    (one,) = found(path, warm)
    behind = sum(row.tokens for row in plan.placement.messages[2:])
    assert one.rewritten == behind - 500


# --- what leaves first


def leaving(*ids: str, since: str = BEFORE) -> ContextChoices:
    return ContextChoices(leaving=frozenset(Leaving(one, since) for one in ids))


def test_what_is_marked_stays_until_the_step_goes_first_then_and_stays_away() -> None:
    path = (*LONG[:8], message(8, "user", words(1_400)), *LONG[9:20])
    choices = leaving("m8")
    calm = plan_for(path[:12], "next", model=SMALL, choices=choices)
    assert calm.decision == "ok"
    assert "m8" in kept_ids(calm)
    assert calm.placement.messages[8].reason == LEAVES
    assert calm.request.prefix_key == plan_for(path[:12], "next", model=SMALL).request.prefix_key

    without, plan = plan_for(path, "next", model=SMALL), plan_for(path, "next", model=SMALL, choices=choices)
    assert (without.decision, plan.decision) == ("trim", "trim")
    assert {"m8", "m9"}.isdisjoint(kept_ids(plan))
    assert set(kept_ids(without)) - {"m8", "m9"} < set(kept_ids(plan))  # more of the others stays
    assert plan.tokens.total <= plan.limits.low
    row = plan.placement.messages[8]
    assert (row.state, row.reason) == ("left_out", LEFT)
    assert plan.placement.newly_left_out == plan.placement.left_out == len(path) - len(kept_ids(plan))
    assert {"m8", "m9"} <= eligible(plan, path)

    after = sent_and_answered(path, plan, "next", "ok")
    later = plan_for(after, "and", model=SMALL, choices=choices)
    assert later.decision == "ok"
    assert {"m8", "m9"}.isdisjoint(kept_ids(later))
    assert later.request.history[: len(plan.request.history)] == plan.request.history
    # one that is marked after the step waits for the next
    more = replace(choices, leaving=choices.leaving | {Leaving("m18", AFTER)})
    assert kept_ids(plan_for(after, "and", model=SMALL, choices=more)) == kept_ids(later)
    # an undone step brings it back
    undone = plan_for(after, model=SMALL, choices=replace(choices, undone=frozenset({after[-2].id})))
    assert {"m8", "m9"} <= set(kept_ids(undone))


def test_what_leaves_at_once_leaves_without_a_step_and_can_be_looked_up() -> None:
    path = talk("one", "two", "three", "four", "five", "six")
    plan = plan_for(path, "seven", choices=leaving("m3", since=""))
    assert kept_ids(plan) == ["m0", "m1", "m4", "m5"]
    assert (plan.decision, plan.placement.left_out) == ("ok", 2)
    assert eligible(plan, path) == {"m2", "m3"}


def test_leaving_out_now_has_its_own_price_by_the_plan_for_that_very_choice() -> None:
    path, model = thread(*filler(21)), shipped_models("anthropic")[0]
    first = prepare(path, model=model).plan([TextPart("and now?")])
    usage = Usage(cache_write=first.tokens.total, output=9)
    path = sent_and_answered(path, first, "and now?", "so", usage)
    cache, ids = CacheClock(cold=False), ["m0", "m1"]
    choices = leaving(*ids, since="")
    before, after = (prepare(path, model=model, cache=cache, choices=one) for one in (ContextChoices(), choices))
    now, then = before.plan(()), after.plan(())
    price = before.leaving_usd(ids)
    assert price is not None
    assert (now.price.cost_usd, then.price.cost_usd, before.turn_usd(now), after.turn_usd(then)) != (None,) * 4
    assert price[0] == pytest.approx((then.price.cost_usd or 0) - (now.price.cost_usd or 0))
    assert price[1] == pytest.approx((before.turn_usd(now) or 0) - (after.turn_usd(then) or 0))
    assert min(price) > 0, "what stands behind it is written again, and each turn reads less"
    assert prepare(path, model=SMALL, cache=cache).leaving_usd(ids) is None


def test_the_question_that_waits_and_pins_stay() -> None:
    path = talk("one", "two", "three", "four", "five")
    plan = plan_for(path, choices=replace(leaving("m2", "m4", since=""), pinned=frozenset({"m2"})))
    assert kept_ids(plan) == ["m0", "m1", "m2", "m3", "m4"]


@given(
    sizes=st.lists(st.integers(1, 400), min_size=4, max_size=40),
    marked=st.sets(st.integers(0, 39), max_size=4),
    since=st.sampled_from(["", BEFORE, AFTER]),
    pinned=st.sets(st.integers(0, 39), max_size=2),
)
@settings(max_examples=60)
def test_a_path_sent_turn_by_turn_counts_what_it_leaves_out(
    sizes: list[int], marked: set[int], since: str, pinned: set[int]
) -> None:
    choices = replace(leaving(*(f"m{n}" for n in marked), since=since), pinned=frozenset(f"m{n}" for n in pinned))
    path: tuple[Message, ...] = ()
    before: ContextPlan | None = None
    for size in sizes:
        plan = prepare(path, model=SMALL, choices=choices).plan([TextPart(words(size))])
        assert plan.decision != "refuse"
        assert plan.placement.left_out == len(path) - len(kept_ids(plan))
        assert sum(row.tokens for row in plan.placement.messages) <= plan.tokens.total
        if before is not None and not plan.moves_boundary and since:
            assert plan.placement.newly_left_out == 0
            sent = before.request.history
            assert plan.request.history[: len(sent)] == sent  # byte for byte until the next step
        before = plan
        path = sent_and_answered(path, plan, words(size), "ok", usage=Usage(input=plan.tokens.total, output=2))
