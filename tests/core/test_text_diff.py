"""Matching of sequences: right, and in a time that grows with their length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.text_diff import MOST_PAIRS, opcodes
from tests.counted_calls import CountedCalls

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d e"]), max_size=30)


@given(LINES, LINES)
def test_steps_lead_from_one_to_the_other(old: list[str], new: list[str]) -> None:
    made: list[str] = []
    at = 0
    for kind, i, i_end, j, j_end in opcodes(old, new):
        assert i == at
        assert (kind == "equal") == (old[i:i_end] == new[j:j_end])
        made += new[j:j_end]
        at = i_end
    assert at == len(old)
    assert made == new


def test_changes_far_apart_in_a_long_text_are_told_as_such() -> None:
    old = [f"line {number}" for number in range(6_000)]
    new = [*old]
    new[10], new[5_900] = "first", "last"
    del new[3_000]
    assert len(old) * len(new) > MOST_PAIRS
    told = [step for step in opcodes(old, new) if step[0] != "equal"]
    assert told == [
        ("replace", 10, 11, 10, 11),
        ("delete", 3_000, 3_001, 3_000, 3_000),
        ("replace", 5_900, 5_901, 5_899, 5_900),
    ]


def test_a_long_text_that_was_shuffled_is_bounded() -> None:
    old = [f"line {number}" for number in range(6_000)]
    new = [f"line {number * 7 % 6_000}" for number in range(6_000)]
    with CountedCalls() as work:
        steps = list(opcodes(old, new))
    assert work.calls < 200_000
    assert steps
