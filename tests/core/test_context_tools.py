"""Tools in a plan: when they are offered, what they weigh, how a long loop stays valid, what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.messages import Message, Part, TextPart, ToolCallPart, ToolResultPart, ToolSpec, Usage
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.core.recall import RECALL
from desktop_app.core.settings import ContextSettings
from tests.core.paths import MODEL_200K, message, plan_for, prepare, sent_and_answered, small_model, talk, words

OFFERED = (RECALL,)
CACHED, PLAIN = Overhead(cache_marks=4), Overhead()


def loop(path: Sequence[Message], calls: int, *, result: str = "found", at_once: int = 1) -> tuple[Message, ...]:
    """The path with a question and a running loop of so many rounds, `at_once` calls in each."""
    grown = [*path, message(len(path), "user", "look")]
    for number in range(calls):
        ids = [f"c{number}.{place}" for place in range(at_once)]
        asked: list[Part] = [ToolCallPart(one, RECALL.name, {"query": "q"}) for one in ids]
        grown.append(message(len(grown), "assistant", *asked))
        grown.append(message(len(grown), "user", *(ToolResultPart(one, result, extra={"passages": 1}) for one in ids)))
    return tuple(grown)


def check_valid(plan: ContextPlan) -> None:
    """Roles alternate, the user is first and last, every call has its result in the next message, and back."""
    request = plan.request.messages
    assert [one.role for one in request] == ["user", "assistant"] * (len(request) // 2) + ["user"]
    for before, after in pairwise(request):
        asked = [part.id for part in before.blocks if isinstance(part, ToolCallPart)]
        told = [part.call_id for part in after.blocks if isinstance(part, ToolResultPart)]
        assert asked == told
    assert not any(isinstance(part, ToolResultPart) for part in request[0].blocks)


def test_a_cached_thread_offers_from_its_first_request_and_tells_of_notes() -> None:
    first = prepare((), tools=OFFERED, overhead=CACHED).plan([TextPart("one")])
    assert first.request.tools == OFFERED
    assert "notes of the app" in first.request.system
    later = prepare(talk("one", "two"), tools=OFFERED, overhead=CACHED).plan([TextPart("three")])
    assert (later.request.system, later.request.tools, later.request.prefix_key) == (
        first.request.system,
        first.request.tools,
        first.request.prefix_key,
    )


def test_a_cache_without_marks_is_one_too() -> None:
    assert (
        prepare((), tools=OFFERED, overhead=Overhead(caches_itself=True)).plan([TextPart("one")]).request.tools
        == OFFERED
    )


def test_without_a_cache_the_offer_comes_with_the_first_note() -> None:
    assert prepare(talk("one", "two"), tools=OFFERED, overhead=PLAIN).plan([TextPart("three")]).request.tools == ()
    over = (*loop(talk("one", "two"), 1), message(5, "assistant", "done"))
    assert prepare(over, tools=OFFERED, overhead=PLAIN).plan([TextPart("more")]).request.tools == OFFERED
    path = talk(*[words(400)] * 16)
    stepped = prepare(path, tools=OFFERED, overhead=PLAIN, model=small_model()).plan([TextPart("more")])
    assert stepped.decision == "trim"
    assert stepped.request.tools == OFFERED


def test_what_a_fresh_start_leaves_out_can_be_looked_up() -> None:
    fresh = ContextChoices(fresh_from="m3")
    plan = plan_for(talk("one", "two", "three", "four"), "five", tools=OFFERED, overhead=PLAIN, choices=fresh)
    assert plan.placement.left_out == 4
    assert plan.request.tools == OFFERED


@pytest.mark.parametrize(("excluded", "missing"), [({"m0", "m1"}, 2), ({"m2", "m3"}, 2), ({"m0", "m1", "m2", "m3"}, 4)])
def test_what_is_excluded_brings_no_search_along_that_would_find_nothing(excluded: set[str], missing: int) -> None:
    choices = ContextChoices(excluded=frozenset(excluded))
    path = talk("one", "two", "three", "four")
    plan = plan_for(path, "five", tools=OFFERED, overhead=PLAIN, choices=choices)
    assert sum(one.state == "excluded" for one in plan.placement.messages) == missing
    assert plan.request.tools == ()
    assert plan.tokens.tools == 0
    assert plan.request.system == plan_for(path, "five", overhead=PLAIN, choices=choices).request.system


def test_nothing_to_offer_changes_nothing() -> None:
    path = talk("one", "two")
    assert plan_for(path, "three") == plan_for(path, "three", tools=())


@given(st.integers(0, 40), st.booleans())
def test_the_parts_sum_up_and_the_offer_is_counted_once(turns: int, cached: bool) -> None:
    path = talk(*["text " * 30] * (2 * turns))
    plan = prepare(path, tools=OFFERED, overhead=CACHED if cached else PLAIN).plan([TextPart("more")])
    tokens = plan.tokens
    assert bool(tokens.tools) == bool(plan.request.tools)
    parts = (tokens.system, tokens.tools, tokens.documents, tokens.history, tokens.summary, tokens.draft)
    assert tokens.total == sum(parts) + tokens.overhead


def test_another_offer_is_another_prefix() -> None:
    path = talk("one", "two")
    with_it = plan_for(path, "three", tools=OFFERED)
    other = plan_for(path, "three", tools=(replace(RECALL, description="Other words."),))
    assert len({with_it.request.prefix_key, other.request.prefix_key, plan_for(path, "three").request.prefix_key}) == 3


BERTHS = ToolSpec("harbour__berths", "Lists the berths.", {"type": "object"}, server="harbour", told="berths")
TIDES = ToolSpec("sea__tides", "Tells the tides.", {"type": "object"}, server="sea", told="tides")


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ((), OFFERED),
        (OFFERED, (*OFFERED, BERTHS)),
        (OFFERED, (*OFFERED, BERTHS, TIDES)),
        ((*OFFERED, BERTHS), (*OFFERED, BERTHS, TIDES)),
        ((*OFFERED, TIDES), (*OFFERED, BERTHS, TIDES)),
        ((BERTHS,), (BERTHS, TIDES)),
    ],
)
def test_what_was_measured_before_tools_were_offered_still_counts(
    before: tuple[ToolSpec, ...], now: tuple[ToolSpec, ...]
) -> None:
    key = plan_for(talk("one"), tools=before, overhead=CACHED).request.prefix_key
    answer = replace(
        message(1, "assistant", "two"), backend="anthropic", prefix_key=key, usage=Usage(input=2_500, output=10)
    )
    path = (message(0, "user", "word " * 300), answer)
    measured = plan_for(path, "three", tools=now, overhead=CACHED)
    # 2,500 tokens with 300 words: more than twice what anybody would have estimated
    assert measured.placement.messages[0].tokens > 650


@pytest.mark.parametrize("at_once", [1, 5])
def test_fifty_calls_in_one_turn_stay_valid_under_a_cap_of_thirty_messages(at_once: int) -> None:
    settings = ContextSettings(max_messages=30)
    before = talk(*["text " * 20] * 24)
    boundary = plan_for(before, "look", settings=settings, tools=OFFERED).placement.boundary
    for rounds in range(1, 50 // at_once + 1):
        path = loop(before, rounds, at_once=at_once)
        plan = plan_for(path, settings=settings, tools=OFFERED)
        check_valid(plan)
        assert plan.decision == "ok"
        assert plan.placement.boundary == boundary
        told = [part for one in plan.request.messages for part in one.blocks if isinstance(part, ToolResultPart)]
        assert len(told) == rounds * at_once
    ended = (*path, message(len(path), "assistant", "done"))
    after = plan_for(ended, "more", settings=settings, tools=OFFERED)
    check_valid(after)
    # 24 messages, the question, its answer with all its calls, and the new question
    assert (after.decision, after.placement.left_out) == ("ok", 0)
    full = (*ended, *(replace(m, id=f"n{m.id}") for m in talk(*["text " * 20] * 4)))
    trimmed = plan_for(full, "more", settings=settings, tools=OFFERED)
    check_valid(trimmed)
    states = {one.id: one.state for one in trimmed.placement.messages}
    assert (trimmed.decision, trimmed.placement.newly_left_out) == ("trim", 11)
    assert all(states[one.id] != "left_out" for one in full[len(before) :]), "no turn is cut in two"


def test_within_a_loop_older_messages_are_left_out_only_where_it_would_be_refused() -> None:
    model = small_model(20_000)
    before = talk(*[words(300)] * 24)
    asked = plan_for(before[:-1], model=model, tools=OFFERED)
    # counted by the provider: what is estimated of the loop is all the doubt there is
    usage = Usage(input=asked.tokens.total, output=370)
    before = (*before[:-1], replace(before[-1], backend="anthropic", prefix_key=asked.request.prefix_key, usage=usage))
    limits = asked.limits
    decisions = []
    for size in range(200, 9_000, 200):
        plan = plan_for(loop(before, 2, result=words(size)), model=model, tools=OFFERED)
        check_valid(plan)
        decisions.append((plan.tokens.total > limits.soft, plan.decision))
    assert (True, "ok") in decisions
    assert decisions[-1][1] in ("trim", "refuse")
    assert [decision for _, decision in decisions] == sorted(
        (decision for _, decision in decisions), key=["ok", "trim", "refuse"].index
    )


def test_afterwards_the_loop_weighs_a_line_whatever_it_returned() -> None:
    def after(result: str) -> int:
        path = loop(talk("one", "two"), 3, result=result)
        return plan_for((*path, message(len(path), "assistant", "done")), "more", tools=OFFERED).tokens.total

    assert after("word " * 5_000) == after("word")


def test_the_first_of_several_calls_is_what_counted_the_request() -> None:
    # a program that runs the loop itself reports the sum of all its calls
    key = plan_for((), "one", tools=OFFERED).request.prefix_key
    usage = Usage(input=40, cache_read=9_000, cache_write=100, output=10, first_prompt=600)
    answer = message(1, "assistant", ToolCallPart("c", RECALL.name, {"query": "q"}), ToolResultPart("c", "x"), "done")
    answer = replace(answer, backend="anthropic", prefix_key=key, usage=usage)
    plan = plan_for((message(0, "user", "one"), answer), "more", tools=OFFERED)
    assert 600 < plan.tokens.total < 750
    assert plan.tokens.source == "calibrated"


def test_a_switch_that_is_off_is_not_offered() -> None:
    # the offer is the caller's; a choice alone moves nothing of the path
    path = talk("one", "two")
    assert plan_for(path, "x", choices=ContextChoices(recall=False)) == plan_for(path, "x")


def test_an_empty_offer_weighs_nothing() -> None:
    assert ToolTokens.of((), "claude-2023") == ToolTokens()
    assert ToolTokens.of(OFFERED, "claude-2023").hidden > ToolTokens.of(OFFERED, "unknown").hidden == 0


@given(
    st.lists(st.tuples(st.sampled_from(("", "Git", "Files")), st.integers(0, 200)), min_size=1, max_size=30),
    st.sampled_from((0.1, 0.35, 1.0, 3.0, None)),
    st.sampled_from(("claude-2023", "unknown")),
)
def test_the_parts_of_the_tools_are_their_sum_whatever_the_provider_counted(
    kinds: list[tuple[str, int]], counts: float | None, family: TokenizerFamily
) -> None:
    tools = [
        ToolSpec(f"t{n}", words(count), {"type": "object"}, server=server) for n, (server, count) in enumerate(kinds)
    ]
    model = replace(MODEL_200K, tokenizer=family)
    first = prepare((), tools=tools, model=model, overhead=CACHED).plan([TextPart("Hello")])
    plan = first
    if counts is not None:
        usage = Usage(input=round(first.tokens.total * counts), output=5)
        path = sent_and_answered((), first, "Hello", "Hello there.", usage)
        plan = prepare(path, tools=tools, model=model, overhead=CACHED).plan([TextPart("Go on")])
    told, whole = ToolTokens.of(plan.request.tools, family), plan.tokens.tools
    added, *shares = told.shares(whole)
    assert added + sum(shares) == whole
    assert bool(added) == bool(told.hidden)
    assert all(shares) or whole < len(tools) + 1, "what is sent weighs something"
    servers = sum(own for _, own in told.by_server(whole).values())
    assert servers == told.of_servers(whole) == sum(own for own, tool in zip(shares, tools, strict=True) if tool.server)
