"""The axis counts in round numbers, whatever is plotted."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.ui.usage.plot import Chart, ChartBar, Series, axis


@given(st.floats(0, 1e12), st.sampled_from(("tokens", "dollars")))
def test_an_axis_is_round_even_and_just_high_enough(most: float, unit: str) -> None:
    ticks = axis(most, unit)  # type: ignore[arg-type]
    step = ticks[1]
    assert ticks[0] == 0
    assert 2 <= len(ticks) <= 5
    assert ticks[-1] >= most * (1 - 1e-9)
    assert ticks[-1] - step <= most
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - round_one) for round_one in (1, 2, 5, 10)) < 1e-6
    assert all(after - before == pytest.approx(step) for before, after in itertools.pairwise(ticks))


def test_an_axis_knows_no_half_tokens_and_no_half_cents() -> None:
    assert axis(0, "tokens") == (0, 1)
    assert axis(3, "tokens") == (0, 1, 2, 3)
    assert axis(0.001, "dollars") == (0, 0.01)
    assert axis(0.2, "dollars")[1] == pytest.approx(0.05)


def test_a_chart_adds_its_layers() -> None:
    layers = (Series("a", "accent", "solid"), Series("b", "fill", "dots"))
    chart = Chart(layers, (ChartBar("1", "first", (1, 2)), ChartBar("2", "second", (10, 20))))
    assert chart.totals() == (11, 22)
    assert chart.bars[1].height == 30
    assert chart.exact(12_345) == "12,345"
    assert chart.rounded(12_345) == "12K"
    assert Chart(layers, (), "dollars").exact(1.234) == "$1.23"
