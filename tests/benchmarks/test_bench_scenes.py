"""The twelve scenes: none keeps less than it did, and those that were reported keep what they should."""

from __future__ import annotations

import pytest

from tests.benchmarks.bench_scenes import BEFORE, SCENES


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_keeps_at_least_what_it_did(name: str) -> None:
    plan = SCENES[name]()
    assert plan.tokens.total >= 0.98 * BEFORE[name]
    assert plan.tokens.total <= plan.limits.soft
    assert plan.tokens.total >= 0.8 * plan.limits.low or plan.placement.left_out == 0


@pytest.mark.parametrize("name", ["images", "model 8K and back", "cap set and removed", "limit lowered and raised"])
def test_what_a_limit_left_out_is_whole_again(name: str) -> None:
    plan = SCENES[name]()
    assert (plan.placement.left_out, plan.decision) == (0, "ok")
    assert {placed.state for placed in plan.placement.messages} == {"whole"}
    assert [event.kind for event in plan.advice.events] == ["returned"]
