"""Caps on messages and turns: what counts as a message, what a step keeps, what is said before it (CTX-4)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.context.boundaries import LAST_TURN, RequestSize, StepLimits, within_caps
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.plan import PlanWarning
from desktop_app.core.context.plan_text import gauge_line, gauge_sentence, gauge_state
from desktop_app.core.messages import Message, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.settings import ContextSettings
from tests.core.paths import kept_ids, message, plan_for, sent_and_answered, talk, words
from tests.core.thread_properties import spoken


def with_tools(path: tuple[Message, ...], calls: int) -> tuple[Message, ...]:
    """The path and one more turn whose answer called a tool so many times."""
    start = len(path)
    turn = [message(start, "user", "What is in the files?")]
    for number in range(calls):
        at, call = start + 1 + 2 * number, f"c{start}-{number}"
        turn += [
            message(at, "assistant", ToolCallPart(call, "read", {"n": number})),
            message(at + 1, "user", ToolResultPart(call, f"file {number}")),
        ]
    return (*path, *turn, message(start + 1 + 2 * calls, "assistant", "Twenty recipes."))


def markers(path: tuple[Message, ...], draft: str, **options: object) -> list[str]:
    plan = plan_for(path, draft, **options)
    texts = (block.text for one in plan.request.messages for block in one.blocks if isinstance(block, TextPart))
    return [text for text in texts if text.endswith("left out]")]


def test_rounds_of_tools_belong_to_their_answer() -> None:
    path = with_tools(talk(*["hello"] * 8), 20)
    capped = ContextSettings(max_messages=30)
    plan = plan_for(path, "What did you just find?", settings=capped)
    assert (plan.decision, plan.placement.left_out) == ("ok", 0), "11 messages, not 51"
    assert [placed.state for placed in plan.placement.messages].count("left_out") == 0


def test_a_step_by_count_never_leaves_out_the_turn_just_made() -> None:
    path = with_tools(talk(*["hello"] * 40), 20)
    plan = plan_for(path, "What did you just find?", settings=ContextSettings(max_messages=30))
    assert plan.decision == "trim"
    assert plan.placement.messages[-1].state != "left_out"
    assert "m40" in kept_ids(plan)
    # 40 + 2 + 1 messages, of which 21 = 70 % of 30 stay: the first, the new one, and nine turns and a half
    assert markers(path, "What did you just find?", settings=ContextSettings(max_messages=30)) == [
        f"[{plan.placement.left_out} earlier messages left out]"
    ]
    assert plan.placement.left_out == sum(placed.state == "left_out" for placed in plan.placement.messages)


def test_the_words_count_questions_and_answers() -> None:
    path = with_tools((), 20)
    for _ in range(8):
        path = (*path, message(len(path), "user", "And?"), message(len(path) + 1, "assistant", "Yes."))
    plan = plan_for(path, "And then?", settings=ContextSettings(max_messages=12))
    assert plan.decision == "trim"
    # the long answer counts once; its question always stays
    left = [placed for placed in plan.placement.messages if placed.state == "left_out"]
    assert plan.placement.newly_left_out == plan.placement.left_out == len(left) - 40
    assert plan.advice.events[0].messages == plan.placement.left_out


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 24),
    st.integers(0, 8),
    st.integers(1, 14),
    st.integers(0, 24),
    st.integers(1, 6),
    st.lists(st.integers(0, 3), min_size=1, max_size=14),
)
def test_the_newest_turn_stays_and_the_cap_is_kept(  # noqa: PLR0917
    cap: int, turns: int, first: int, last: int, calls: int, shape: list[int]
) -> None:
    path: tuple[Message, ...] = ()
    for tools in shape:
        path = with_tools(path, calls if tools == 3 else 0)
    chosen = ContextSettings(max_messages=cap, max_turns=turns, preserve_first_n=first, preserve_last_n=last)
    plan = plan_for(path, "And now?", settings=chosen)
    kept = set(kept_ids(plan))
    asked = [m for m in path if m.role == "user" and m.id in kept and not isinstance(m.parts[0], ToolResultPart)]
    if cap > LAST_TURN and turns != 1:
        newest = next(m for m in reversed(path) if not isinstance(m.parts[0], ToolResultPart) and m.role == "user")
        assert newest.id in kept
        assert path[-1].id in kept
        whole = 2 * len(asked) + 1 - (plan.placement.left_out > 0 and within_caps(chosen).preserve_first_n % 2)
        assert whole <= cap
    assert (plan.decision == "trim") == (2 * len(shape) + 1 > cap or (0 < turns < len(shape) + 1)) or len(shape) == 1


def test_the_newest_messages_win_over_the_beginning() -> None:
    path = talk(*(f"text {number}" for number in range(16)))
    plan = plan_for(path, "next", settings=ContextSettings(max_messages=6, preserve_first_n=4, preserve_last_n=4))
    assert kept_ids(plan) == ["m0", "m1", "m14", "m15"]
    (said,) = [warning for warning in plan.advice.warnings if warning.code == "head_over_cap"]
    assert (said.used, said.cap) == (8, 6)
    for key in ("context.preserve_first_n", "context.preserve_last_n", "context.max_messages"):
        assert key in said.message
    assert said.message.endswith("only the first 2 stay.")
    usual = plan_for(path, "next", settings=ContextSettings(max_messages=6, preserve_first_n=4))
    assert kept_ids(usual) == ["m0", "m14", "m15"]
    assert usual.advice.warnings[-1].message.endswith("only the first one stays.")
    fits = plan_for(path, "next", settings=ContextSettings(max_messages=12, preserve_first_n=4, preserve_last_n=6))
    assert kept_ids(fits)[:4] == ["m0", "m1", "m2", "m3"]
    assert not any(warning.code == "head_over_cap" for warning in fits.advice.warnings)
    defaults = plan_for(path, "next", settings=ContextSettings(max_messages=12))
    assert not any(warning.code == "head_over_cap" for warning in defaults.advice.warnings)
    turns = plan_for(path, "next", settings=ContextSettings(max_turns=4, preserve_first_n=6, preserve_last_n=6))
    assert [w.code for w in turns.advice.warnings if "context.max_turns" in w.message] == ["head_over_cap"]


def test_a_cap_without_room_for_the_last_turn_is_told() -> None:
    path = talk(*["hello"] * 8)
    plan = plan_for(path, "next", settings=ContextSettings(max_messages=3))
    assert kept_ids(plan) == ["m0"]
    said = plan.advice.warnings[-1]
    assert (said.code, said.used, said.cap) == ("head_over_cap", 4, 3)
    assert said.message.startswith("context.max_messages (3) has no room for the last answer")
    four = plan_for(path, "next", settings=ContextSettings(max_messages=4))
    assert kept_ids(four) == ["m0", "m6", "m7"]
    assert [warning.code for warning in four.advice.warnings] == ["near_messages"]


def test_a_step_by_count_that_was_undone_is_not_taken_again_at_once() -> None:
    path, chosen = talk(*["hello"] * 12), ContextSettings(max_messages=12, preserve_last_n=4)
    step = plan_for(path, "next", settings=chosen)
    assert step.decision == "trim"
    path = sent_and_answered(path, step, "next", "yes")
    undone = ContextChoices(undone=frozenset({"m12"}))
    back = plan_for(path, settings=chosen, choices=undone)
    assert (back.decision, back.placement.left_out) == ("ok", 0)
    assert plan_for(path[:-2], "next", settings=chosen, choices=undone).decision == "trim", "only where it was undone"
    for _ in range(8):
        path = (*path, message(len(path), "user", "and"), message(len(path) + 1, "assistant", "so"))
    assert plan_for(path, "next", settings=chosen, choices=undone).decision == "trim"


def test_a_step_that_is_taken_although_one_was_undone_obeys_all_limits() -> None:
    """Else the stored question takes a second step, and is not sent as it was planned."""
    path, chosen = talk(*["hello"] * 22), ContextSettings(max_turns=10, preserve_last_n=14)
    step = plan_for(path, "next", settings=chosen)
    assert step.decision == "trim"
    path = sent_and_answered(path, step, "next", "yes")
    for _ in range(6):
        path = (*path, message(len(path), "user", words(100)), message(len(path) + 1, "assistant", words(100)))
    options: dict[str, object] = {"settings": chosen, "soft_limit": 1_350}
    options["choices"] = ContextChoices(undone=frozenset({"m22"}))
    plan = plan_for(path, "and", **options)
    assert plan.decision == "trim"
    assert plan.tokens.total <= plan.limits.soft
    again = plan_for(sent_and_answered(path, plan, "and", "so")[:-1], "", **options)
    assert (again.placement.boundary, spoken(again)) == (plan.placement.boundary, spoken(plan))


def test_a_step_for_a_cap_that_adds_more_than_it_leaves_out_obeys_the_limit_too() -> None:
    """Short messages weigh less than the note that stands for them; else the stored question takes a second step."""
    caps = StepLimits(soft=100, low=70, max_messages=6, low_messages=5)
    loads = {0: RequestSize(99, 8, 4), 2: RequestSize(104, 6, 3), 4: RequestSize(102, 4, 2), 6: RequestSize(60, 2, 1)}
    assert caps.step(0, [2, 4, 6], loads.__getitem__, 6) == 6
    roomy = replace(caps, soft=110)
    assert roomy.step(0, [2, 4, 6], loads.__getitem__, 6) == 4


def test_a_warning_is_a_value_with_its_numbers() -> None:
    path = talk(*["hello"] * 10)
    by_messages = plan_for(path, "x", settings=ContextSettings(max_messages=12))
    assert by_messages.advice.warnings == (PlanWarning("near_messages", 11, 12, "11 of 12 messages"),)
    by_turns = plan_for(path, "x", settings=ContextSettings(max_turns=7))
    assert by_turns.advice.warnings == (PlanWarning("near_turns", 6, 7, "6 of 7 turns"),)


def test_the_gauge_shows_the_limit_that_is_nearer() -> None:
    path = talk(*["hello"] * 10)
    near = plan_for(path, "x", settings=ContextSettings(max_messages=12))
    assert gauge_state(near) == "near"
    assert gauge_line(near) == "11 of 12 messages · about 1 turn left"
    assert gauge_sentence(near) == "11 of 12 messages, about 1 turn left."
    calm = plan_for(path, "x", settings=ContextSettings(max_turns=20))
    assert (gauge_state(calm), gauge_line(calm)) == ("calm", "6 of 20 turns")
    assert gauge_line(plan_for(path, "x", settings=ContextSettings(max_messages=1_000))) == ""
    long = plan_for((), words(60_000), settings=ContextSettings(max_messages=100))
    assert gauge_line(long).endswith("of 150K")


def test_the_forecast_knows_the_caps() -> None:
    path = talk(*["hello"] * 10)
    assert plan_for(path, "x", settings=ContextSettings(max_messages=12)).advice.turns_left == 0
    assert plan_for(path, settings=ContextSettings(max_messages=12)).advice.turns_left == 1
    assert plan_for(path, "x", settings=ContextSettings(max_messages=20)).advice.turns_left == 4
    assert plan_for(path, "x", settings=ContextSettings(max_turns=9)).advice.turns_left == 3
    free = plan_for(path, "x").advice.turns_left
    assert free is not None
    assert free > 5_000, "nothing but tokens"
