from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.history_records import LedgerRow
from desktop_app.core.usage_totals import Facet, UsageShare, UsageTotals, grouped, totals

COUNTS = st.integers(0, 10**9)
CENTS = st.integers(0, 10**6).map(lambda eighths: eighths / 8)
NAMES = st.sampled_from("ab")
ROWS = st.lists(
    st.builds(
        LedgerRow,
        st.sampled_from([None, "one", "two"]),
        st.just("Tides"),
        st.sampled_from(["2026-01-01", "2026-01-02"]),
        NAMES,
        NAMES,
        NAMES,
        st.sampled_from(["money", "plan", "free"]),
        *(COUNTS,) * 5,
        CENTS,
        COUNTS,
    ),
    max_size=12,
)
FACETS: tuple[Facet, ...] = get_args(Facet)


def row(cost_kind: str = "money", **facts: object) -> LedgerRow:
    known: dict[str, object] = {
        "thread_id": "t", "title": "Tides", "day": "2026-01-01", "backend": "b", "model": "m", "purpose": "chat",
        "calls": 1, "input": 1, "cache_read": 2, "cache_write": 3, "output": 4, "cost_usd": 0.5, "priced": 1,
    }  # fmt: skip
    return LedgerRow(cost_kind=cost_kind, **known | facts)  # type: ignore[arg-type]


def _figures(sums: UsageTotals) -> Mapping[str, float]:
    figures = asdict(sums)
    shares = {f"{kind}.{name}": value for kind in ("money", "plan", "free") for name, value in figures[kind].items()}
    return {name: value for name, value in figures.items() if not isinstance(value, dict)} | shares


@given(ROWS, st.sampled_from(FACETS))
def test_every_grouping_sums_to_the_total(rows: list[LedgerRow], by: Facet) -> None:
    whole, groups = totals(rows), grouped(rows, by)
    parts = [_figures(group.totals) for group in groups]
    assert {name: sum(part[name] for part in parts) for name in _figures(whole)} == _figures(whole)
    assert len({group.key for group in groups}) == len(groups)


@given(ROWS)
def test_money_plan_and_free_make_up_the_total(rows: list[LedgerRow]) -> None:
    whole = totals(rows)
    shares = (whole.money, whole.plan, whole.free)
    assert sum(share.calls for share in shares) == whole.calls
    assert sum(share.priced for share in shares) == whole.priced
    assert sum(share.cost_usd for share in shares) == whole.cost_usd


def test_a_sum_tells_money_from_what_a_plan_covers() -> None:
    assert totals([row(), row("plan", cost_usd=2.0), row("free", cost_usd=0.0, priced=0)]) == UsageTotals(
        calls=3, input=3, cache_read=6, cache_write=9, output=12, cost_usd=2.5, priced=2,
        money=UsageShare(1, 1, 0.5), plan=UsageShare(1, 1, 2.0), free=UsageShare(1, 0, 0.0),
    )  # fmt: skip
    assert totals([row()]).prompt == 6
    assert totals([]) == UsageTotals()


def test_ten_thousand_small_amounts_are_added_exactly() -> None:
    rows = [row(cost_usd=0.1, thread_id=f"{number % 7}") for number in range(10_000)]
    assert totals(rows).cost_usd == 1_000.0
    assert totals(reversed(rows)) == totals(rows)


def test_days_come_newest_first_and_all_else_dearest_first() -> None:
    rows = [
        row(day="2026-01-01", model="cheap", cost_usd=0.1),
        row(day="2026-01-03", model="dear", cost_usd=9.0),
        row(day="2026-01-02", model="big", cost_usd=0.0, output=100),
        row(day="2026-01-02", model="small", cost_usd=0.0),
    ]
    assert [group.key for group in grouped(rows, "day")] == ["2026-01-03", "2026-01-02", "2026-01-01"]
    assert [group.key for group in grouped(rows, "model")] == ["dear", "cheap", "big", "small"]


@pytest.mark.parametrize("by", FACETS)
def test_a_group_is_labelled_with_its_key_and_a_thread_with_its_title(by: Facet) -> None:
    (group,) = grouped([row()], by)
    expected = {"thread": ("t", "Tides"), "day": ("2026-01-01",) * 2, "purpose": ("chat",) * 2}
    assert (group.key, group.label) == expected.get(by, (by[0],) * 2)


def test_calls_of_no_thread_are_one_group() -> None:
    (group,) = grouped([row(thread_id=None, title=""), row(thread_id=None, title="", model="n")], "thread")
    assert (group.key, group.label, group.totals.calls) == ("", "", 2)


def test_a_model_is_called_by_its_name_and_two_of_one_name_are_told_apart() -> None:
    of = {"backend": "anthropic"}
    (group,) = grouped([row(model="claude-sonnet-5-5", **of)], "model")
    assert (group.key, group.label) == ("claude-sonnet-5-5", "Claude Sonnet 5.5")
    dated = "claude-sonnet-5-5-20261001"
    both = grouped([row(model="claude-sonnet-5-5", **of), row(model=dated, **of)], "model")
    assert {group.label for group in both} == {
        "Claude Sonnet 5.5 (claude-sonnet-5-5)",
        f"Claude Sonnet 5.5 ({dated})",
    }
