"""The limits' formula, and what a request costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.costs import request_cost, usage_cost
from desktop_app.core.context.limits import limits_for, output_reserve, output_to_ask
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.settings import ContextSettings


def model(window: int, max_output: int = 64_000, cliff: int | None = None) -> ModelInfo:
    return ModelInfo("m", "M", window, max_output, price_cliff=cliff)


def test_a_window_of_200_000_with_defaults() -> None:
    limits = limits_for(model(200_000), ContextSettings())
    assert (limits.soft, limits.emergency, limits.low) == (150_000, 180_000, 105_000)


def test_a_larger_window_keeps_them_and_a_position_raises_them() -> None:
    assert limits_for(model(1_000_000), ContextSettings()).emergency == 180_000
    raised = limits_for(model(1_000_000), ContextSettings(), 250_000)
    assert (raised.soft, raised.emergency) == (250_000, 300_000)
    assert limits_for(model(200_000), ContextSettings(), 250_000).soft == 150_000
    assert limits_for(model(200_000), ContextSettings(soft_limit=60_000)).emergency == 72_000


def test_a_price_cliff_holds_unless_the_threads_own_position_accepts_it() -> None:
    assert limits_for(model(1_000_000, cliff=100_000), ContextSettings()).soft == 100_000
    assert limits_for(model(1_000_000, cliff=100_000), ContextSettings(), 120_000).soft == 120_000


def test_the_local_model_and_an_unknown_one() -> None:
    local = limits_for(find_model("local", "smollm2-135m"), ContextSettings())
    assert (local.soft, local.emergency) == (5_120, 6_144)
    assert not limits_for(find_model("anthropic", "who"), ContextSettings()).window_known


@given(st.integers(2_000, 2_000_000), st.integers(1, 200_000), st.integers(0, 3_000_000) | st.none())
def test_the_marks_are_in_order_for_every_window(window: int, output: int, position: int | None) -> None:
    info = model(window, output)
    limits = limits_for(info, ContextSettings(), position)
    assert 0 < limits.low < limits.soft < limits.emergency <= window - output_reserve(info)
    assert limits.emergency <= 0.9 * window
    assert output_to_ask(info, limits.emergency) >= output_reserve(info)


def test_cost_cached_fresh_and_above_the_cliff() -> None:
    haiku = find_model("anthropic", "claude-haiku-5-5")
    assert request_cost(haiku, 100_000) == pytest.approx(0.01)
    assert request_cost(haiku, 200_000) == pytest.approx(0.1)
    assert request_cost(haiku, 100_000, cached=90_000, writes=True) == pytest.approx(0.0009 + 0.00125)
    with_tail = request_cost(haiku, 100_000, cached=90_000, writes=True, tail=300)
    assert with_tail == pytest.approx(0.0009 + (9_700 * 0.125 + 300 * 0.1) / 1e6)
    assert request_cost(haiku, 400, writes=True) == pytest.approx(400 * 0.1e-6)
    assert request_cost(find_model("anthropic", "who"), 1_000) is None
    used = Usage(input=10, cache_read=1_000, cache_write=100, output=50)
    opus = find_model("anthropic", "claude-opus-5-5")
    assert usage_cost(opus, used, lifetime="1h") == pytest.approx((40 + 200 + 800 + 1_000) / 1e6)
