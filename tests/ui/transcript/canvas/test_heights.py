"""The sums over heights are those of a plain list, whatever is changed and added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.ui.transcript.canvas.row_layout import Heights

VALUES = st.lists(st.integers(0, 500), min_size=1, max_size=40)


@given(VALUES, st.lists(st.tuples(st.integers(0, 39), st.integers(0, 900)), max_size=20), VALUES)
def test_sums_equal_those_of_a_list(values: list[int], changes: list[tuple[int, int]], added: list[int]) -> None:
    heights = Heights(values)
    for index, value in changes:
        if index < len(values):
            assert heights.set(index, value) == value - values[index]
            values[index] = value
    for value in added:
        heights.append(value)
        values.append(value)
    assert [heights.before(index) for index in range(len(values) + 1)] == [
        sum(values[:index]) for index in range(len(values) + 1)
    ]
    assert heights.total == sum(values)
    for offset in range(0, sum(values), 37):
        found = heights.at(offset)
        assert sum(values[:found]) <= offset < sum(values[: found + 1])
