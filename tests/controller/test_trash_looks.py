from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.controller.trash import days_left, earlier_look

START = datetime(2026, 11, 1, tzinfo=UTC)
DELETED = START.isoformat()

hours = st.floats(0, 60)
walls = st.lists(st.floats(-800, 800), max_size=30)


def gone_at(days: Sequence[float]) -> int | None:
    """Which of the looks, by what the clock says, takes away what was deleted on day 0."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cache" / "trash_look"
        for number, day in enumerate(days):
            now = START + timedelta(days=day)
            before = earlier_look(path, now)
            if before is not None and not days_left(DELETED, before) and not days_left(DELETED, now):
                return number
    return None


@given(walls)
def test_nothing_goes_unless_two_looks_a_day_apart_found_it_over(days: list[float]) -> None:
    if (last := gone_at(days)) is not None:
        assert days[last] >= 30
        assert any(30 <= one <= days[last] - 1 for one in days[:last])


def wrongly(most_ahead: float, least: float, days: float) -> st.SearchStrategy[tuple[float, list[float]]]:
    """How far a clock jumps ahead, and the days after that on which is looked before it is right again."""
    return st.tuples(st.floats(least, most_ahead), st.lists(st.floats(0, days), max_size=8).map(sorted))


@given(
    before=st.lists(st.floats(0, 29), max_size=10).map(sorted),
    jump=wrongly(14, 2, 0.99) | wrongly(4_000, 14.01, 29.9),
    after=st.lists(st.floats(0, 29.9), max_size=10).map(sorted),
)
def test_a_clock_that_jumps_ahead_takes_nothing_away(
    before: list[float], jump: tuple[float, list[float]], after: list[float]
) -> None:
    """One wrong for a day, or by more than two weeks for a month; or right then, and wrong when it was deleted."""
    since, (ahead, wrong) = before[-1] if before else 0, jump
    right = [max(one, since) for one in after]
    assert gone_at([*before, *(since + ahead + one for one in wrong), *right]) is None


@given(st.lists(st.floats(0.25, 2), min_size=140, max_size=140))
def test_with_a_clock_that_is_right_it_goes_in_time(steps: list[float]) -> None:
    days = [sum(steps[: number + 1]) for number in range(len(steps))]
    last = gone_at(days)
    assert last is not None
    assert 31 <= days[last] <= 36


@pytest.mark.parametrize("content", [b"", b"soon", b"\xff" * 40])
def test_a_file_that_can_not_be_read_waits_as_long_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "trash_look"
    path.write_bytes(content)
    looks = [earlier_look(path, START + timedelta(days=day)) for day in range(0, 40, 10)]
    assert looks == [None, None, None, START + timedelta(days=20)]
