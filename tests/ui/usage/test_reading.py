"""The ledger read for a span and a thread."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.history_records import EventCount, LedgerRow
from desktop_app.core.model_catalog import Prices, find_model
from desktop_app.ui.usage import usage_reading as figures
from desktop_app.ui.usage.figure_table import tables_of
from desktop_app.ui.usage.usage_reading import Span, UsageReading, read_usage
from tests.counted_calls import CountedCalls
from tests.ui.ledgers import row

TODAY = date(2026, 3, 31)


def prices_of(backend: str, model: str) -> Prices | None:
    return find_model(backend, model).prices


def read(rows: list[LedgerRow], span: Span = "all", thread: str | None = None) -> UsageReading:
    return read_usage(rows, today=TODAY, span=span, thread_id=thread, prices_of=prices_of)


def on(back: int) -> str:
    return (TODAY - timedelta(days=back)).isoformat()


@pytest.mark.parametrize(("span", "days"), [("today", 1), ("week", 7), ("month", 30)])
def test_a_span_counts_its_days_and_no_day_more(span: Span, days: int) -> None:
    rows = [row(on(back)) for back in range(40)]
    reading = read(rows, span)
    assert reading.sums.all.calls == days
    assert len(reading.periods) == days
    assert reading.periods[-1].first == TODAY
    assert all(period.totals.calls == 1 for period in reading.periods)


def test_days_without_a_call_have_their_place_on_the_axis() -> None:
    reading = read([row(on(6)), row(on(0))], "week")
    assert [period.totals.calls for period in reading.periods] == [1, 0, 0, 0, 0, 0, 1]


@given(st.integers(0, 1_500))
def test_however_long_ago_nothing_is_lost_and_bars_stay_few(back: int) -> None:
    reading = read([row(on(back)), row(on(0))])
    assert sum(period.totals.calls for period in reading.periods) == 2
    assert len(reading.periods) <= 63
    for before, after in itertools.pairwise(reading.periods):
        assert after.first == before.last + timedelta(days=1)


def test_one_thread_can_be_read_alone() -> None:
    rows = [row(on(0), thread="a"), row(on(1), thread="b"), row(on(1), thread=None)]
    assert read(rows, thread="a").sums.all.calls == 1
    assert [group.key for group in read(rows).tables["thread"]] in (["", "a", "b"], ["a", "b", ""])


def test_money_a_plan_and_what_is_free_are_told_apart() -> None:
    rows = [row(on(0)), row(on(0), kind="plan", cost=0.5), row(on(0), kind="free", cost=0.0, backend="local")]
    sums = read(rows).sums
    assert (sums.money.cost_usd, sums.plan.cost_usd, sums.free.calls) == (0.01, 0.5, 1)
    assert sums.all.calls == 3


def test_what_the_cache_saved_is_the_difference_to_the_same_input_uncached() -> None:
    prices = prices_of("anthropic", "claude-sonnet-5-5")
    assert prices is not None
    paid = (1_000 * prices.input + 9_000 * prices.cache_read + 500 * prices.output) / 1_000_000
    rows = [row(on(0), tokens=(1_000, 9_000, 0, 500), cost=paid)]
    saved = read(rows).saved_usd
    assert saved == pytest.approx(9_000 * (prices.input - prices.cache_read) / 1_000_000)
    unknown = [row(on(0), model="nobody-knows"), row(on(0), cost=None), row(on(0), kind="plan")]
    assert read(unknown).saved_usd is None


def test_the_sentence_about_the_cache_says_no_more_than_is_known() -> None:
    cheap = row(on(0), tokens=(100_000, 820_000, 80_000, 0), cost=0.5)
    assert (
        figures.cache_sentence(read([cheap])) == "82 % of the input was read from the cache, which saved about $1.50."
    )
    dear = row(on(0), tokens=(0, 0, 1_000_000, 0), cost=2.5)
    assert figures.cache_sentence(read([dear])) == (
        "0 % of the input was read from the cache. So far, writing it has cost about $0.50 more than it has saved."
    )
    plan = row(on(0), kind="plan", tokens=(1, 999, 0, 0))
    assert figures.cache_sentence(read([plan])) == "99 % of the input was read from the cache."
    assert figures.cache_sentence(read([row(on(0), kind="free", backend="local")])) == ""
    assert figures.cache_sentence(read([])) == ""


def test_a_price_that_is_not_known_is_not_called_nothing() -> None:
    shown = dict(zip(figures.columns(), figures.cells(read([row(on(0), cost=None)]).sums.all), strict=True))
    assert shown["Billed"] == "price unknown"
    partly = read([row(on(0), cost=None), row(on(0), cost=1.0)]).sums.all
    assert dict(zip(figures.columns(), figures.cells(partly), strict=True))["Billed"] == "from $1.00"
    least = read([row(on(0), cost=None), row(on(0), cost=0.004)]).sums.all
    assert dict(zip(figures.columns(), figures.cells(least), strict=True))["Billed"] == "price unknown"
    free = read([row(on(0), kind="free", cost=0.0)]).sums.all
    assert dict(zip(figures.columns(), figures.cells(free), strict=True))["Billed"] == "free"


def test_ten_thousand_rows_are_read_within_a_blink() -> None:
    rows = [row(on(back % 400), thread=f"t{back % 5_000}", title=f"Thread {back}") for back in range(10_000)]
    with CountedCalls() as work:
        reading = read(rows)
    assert work.calls < 2_400_000
    assert reading.sums.all.calls == 10_000
    assert len(reading.tables["thread"]) == 5_000


def test_events_of_the_span_and_thread_are_told() -> None:
    events = [
        EventCount("t1", on(0), "trimmed", 2),
        EventCount("t2", on(3), "refused", 1),
        EventCount("t1", on(40), "trimmed", 1_000),
    ]

    def told(span: Span, thread: str | None = None) -> str:
        reading = read_usage([row(on(0))], today=TODAY, span=span, thread_id=thread, prices_of=prices_of, events=events)
        return reading.events

    assert told("today") == "2 trims"
    assert told("week") == "2 trims · 1 refusal"
    assert told("week", "t1") == "2 trims"
    assert told("all") == "1,002 trims · 1 refusal"


def test_what_was_not_reported_makes_counts_the_least_there_can_have_been() -> None:
    known = row(on(0), model="m", tokens=(29_668, 0, 0, 505))
    cut = replace(row(on(0), model="n", tokens=(0, 0, 0, 0), cost=None), unreported=1)
    reading = read([known, cut, replace(known, unreported=2)])
    tables = {line.key: line for line in tables_of(reading, {})["model"].lines}
    assert tables["m"].cells[1:5] == ("from 59,336", "–", "–", "from 1,010")
    assert tables["n"].cells[1:5] == ("–",) * 4
    shown = tables_of(reading, {})["model"]
    assert [shown.shown(tables["m"], column) for column in (2, 5)] == ["from 59K", "from 1K"]
    assert figures.unreported_sentence(reading.sums.all.unreported).startswith("3 answers were cut off")
    assert figures.unreported_sentence(1).startswith("1 answer was cut off")
    assert figures.unreported_sentence(read([known]).sums.all.unreported) == ""
    free = read([replace(cut, cost_kind="free")]).sums.all
    assert (free.unreported, free.may_be_billed) == (1, 0), "what is free is never billed"
    assert tables_of(read([known]), {})["model"].lines[0].cells[1] == "29,668"
