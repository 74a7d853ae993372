from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.history_records import DAILY, MONTHLY, WEEKLY, Backup, _week, is_due, is_worth_it, to_remove

AGES = st.lists(
    st.tuples(st.integers(0, 2_000_000), st.integers(1, 9), st.booleans()), max_size=60, unique_by=lambda one: one[0]
)
_LONG_AGO = timedelta(days=99)
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def made(at: datetime, *, size: int = 1, by_hand: bool = False, rotates: bool = True) -> Backup:
    name = f"{at:%Y%m%dT%H%M%S}{by_hand}{rotates}"
    return Backup(name, f"/b/{name}.db", at.isoformat(), 1, 2, 1, size, verified=True, by_hand=by_hand, rotates=rotates)


def test_of_a_year_of_days_three_days_four_weeks_and_three_months_stay() -> None:
    every = [made(NOW - timedelta(days=day)) for day in range(365)]
    gone = to_remove(every, 10**9)
    kept = [one for one in every if one not in gone]
    days = [(NOW - datetime.fromisoformat(one.at)).days for one in kept]
    assert days == [0, 1, 2, 8, 15, 23, 54]
    assert to_remove(kept, 10**9) == []


def test_over_the_budget_the_oldest_go_first_and_the_newest_stays() -> None:
    every = [made(NOW - timedelta(days=day), size=10) for day in range(3)]
    assert to_remove(every, 20) == [every[2]]
    assert to_remove(every, 1) == [every[2], every[1]]


def test_what_is_made_by_hand_stays_while_there_is_room_and_what_does_not_rotate_for_ever() -> None:
    by_hand = [made(NOW - timedelta(minutes=number), by_hand=True) for number in range(5)]
    other = made(NOW - timedelta(days=900), rotates=False)
    assert to_remove([*by_hand, other], 10**9) == []
    assert other not in to_remove([*by_hand, other], 0)


@given(AGES, st.integers(0, 99))
def test_never_more_than_the_places_and_never_less_than_the_newest(
    copies: list[tuple[int, int, bool]], most: int
) -> None:
    every = [made(NOW - timedelta(minutes=age), size=size, by_hand=hand) for age, size, hand in copies]
    gone = to_remove(every, most)
    kept = [one for one in every if one not in gone]
    assert bool(kept) == bool(every)
    assert len([one for one in kept if not one.by_hand]) <= DAILY + WEEKLY + MONTHLY + 1
    assert sum(one.bytes for one in kept) <= most or len({one.id for one in kept}) == 1


def test_one_is_due_each_day_whatever_a_wrong_clock_has_made() -> None:
    assert is_due([], NOW.isoformat())
    assert not is_due([made(NOW - timedelta(hours=3))], NOW.isoformat())
    assert is_due([made(NOW - timedelta(days=1))], NOW.isoformat())
    assert is_due([made(NOW + timedelta(days=365))], NOW.isoformat())


def test_a_copy_is_worth_it_where_the_history_or_a_backup_is_over_a_day_old() -> None:
    def ago(hours: int) -> str:
        return (NOW - timedelta(hours=hours)).isoformat()

    assert not is_worth_it([], ago(23), ago(24))
    assert is_worth_it([], ago(25), ago(24))
    assert is_worth_it([made(NOW - timedelta(hours=25))], ago(23), ago(24))
    others = [made(NOW - timedelta(hours=23)), made(NOW + timedelta(days=9)), made(NOW - _LONG_AGO, rotates=False)]
    assert not is_worth_it(others, ago(-1), ago(24))


@given(st.dates(datetime(1970, 1, 5).date(), datetime(2200, 1, 1).date()))
def test_weeks_begin_on_mondays(day: date) -> None:
    monday = day - timedelta(days=day.weekday())
    assert _week(day.isoformat()) == _week(monday.isoformat())
    assert _week((monday - timedelta(days=1)).isoformat()) == _week(monday.isoformat()) - 1  # type: ignore[operator]
