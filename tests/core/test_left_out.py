"""A message that is left out says for which limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.context.boundaries import Boundary
from desktop_app.core.context.placed_messages import LEFT_OUT, left_out_reason, left_out_steps
from desktop_app.core.messages import BoundaryState
from desktop_app.core.settings import ContextSettings
from tests.core.paths import message, plan_for, talk, words


@pytest.mark.parametrize(
    ("settings", "soft", "said"),
    [
        (ContextSettings(max_messages=12), None, "left out by the message limit of 12"),
        (ContextSettings(max_turns=6), None, "left out by the turn limit of 6"),
        (ContextSettings(), 2_000, "left out to stay under the soft limit of 2K"),
    ],
)
def test_what_a_step_leaves_out_names_its_limit_before_and_after(
    settings: ContextSettings, soft: int | None, said: str
) -> None:
    path = talk(*[words(100)] * 24)
    plan = plan_for(path, "next", settings=settings, soft_limit=soft)
    assert {placed.reason for placed in plan.placement.messages if placed.state == "left_out"} == {said}
    asked = message(len(path), "user", "next", window=plan.placement.boundary)
    later = plan_for((*path, asked), settings=settings, soft_limit=soft)
    assert {placed.reason for placed in later.placement.messages if placed.state == "left_out"} == {said}


def left_out_reasons(boundaries: list[Boundary], newest: BoundaryState, length: int) -> list[str]:
    """For every place why it is left out."""
    found: list[str] = []
    for end, reason in left_out_steps(boundaries, newest, length):
        found += [reason] * (end - len(found))
    return found


def test_each_message_is_left_out_by_the_step_that_it_has_been_behind_ever_since() -> None:
    by_count, by_turns = BoundaryState("b", 1, "messages", max_messages=12), BoundaryState("c", 2, "turns", max_turns=6)
    back, newest = replace(by_turns, cause="returned"), BoundaryState("d", 4, "idle")
    count, turns, pause = map(left_out_reason, (by_count, by_turns, newest))
    steps = [Boundary(0, BoundaryState()), Boundary(2, by_count), Boundary(4, by_turns)]
    assert left_out_reasons(steps, newest, 6) == [count, count, turns, turns, pause, pause]
    assert left_out_reasons([*steps, Boundary(3, back)], newest, 6) == [count, count, turns, pause, pause, pause]
    assert left_out_reasons([*steps, Boundary(1, back)], newest, 3) == [count, pause, pause]
    assert left_out_reasons([*steps, Boundary(0, back)], newest, 1) == [pause]
    assert left_out_reason(BoundaryState("b", 1)) == LEFT_OUT
