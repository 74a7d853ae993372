"""The reading of the ledger for a time and a thread: sums, periods, tables, what the cache saved. Uses no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

from desktop_app.core.history_records import EventCount, LedgerRow
from desktop_app.core.model_catalog import Prices
from desktop_app.core.usage_totals import Facet, UsageGroup, UsageTotals, event_sentence, grouped, totals
from desktop_app.ui.i18n.language import translated

Span: TypeAlias = Literal["today", "week", "month", "all"]
Grain: TypeAlias = Literal["day", "week", "month"]
PricesOf: TypeAlias = Callable[[str, str], Prices | None]

SPANS: dict[Span, int | None] = {"today": 1, "week": 7, "month": 30, "all": None}
"""Days of each span, today included; None: since the first call."""
FACETS: tuple[Facet, ...] = ("thread", "model", "purpose", "backend")
MOST_BARS = 62
"""More bars than this are put together: days to weeks, weeks to months."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of the use: in all, and by who pays: billed in money, covered by a plan, or free."""

    all: UsageTotals
    money: UsageTotals
    plan: UsageTotals
    free: UsageTotals


@dataclass(frozen=True, slots=True)
class Period:
    """A day, week or month of the plot, with both days included."""

    first: date
    last: date
    totals: UsageTotals


@dataclass(frozen=True, slots=True)
class UsageReading:
    """The ledger for one span and all threads or one. `saved_usd`: against the same input uncached; None: not known.

    `events`: how often contexts were trimmed, summarised and so on, in words.
    """

    sums: Sums
    grain: Grain
    periods: tuple[Period, ...]
    tables: Mapping[Facet, tuple[UsageGroup, ...]]
    saved_usd: float | None
    events: str = ""


def read_usage(
    rows: Sequence[LedgerRow],
    *,
    today: date,
    span: Span,
    thread_id: str | None,
    prices_of: PricesOf,
    events: Sequence[EventCount] = (),
) -> UsageReading:
    """Reads the rows of `span`, of one thread or (None) of all. `today` is the UTC date, as the ledger's days are."""
    days = SPANS[span]
    first = "" if days is None else (today - timedelta(days=days - 1)).isoformat()
    counted = [row for row in rows if row.day >= first and (thread_id is None or row.thread_id == thread_id)]
    happened = [event for event in events if event.day >= first and thread_id in (None, event.thread_id)]
    beginning = date.fromisoformat(first or min((row.day for row in counted), default=today.isoformat()))
    grain, periods = _periods(counted, beginning, today)
    tables = {facet: grouped(counted, facet) for facet in FACETS}
    return UsageReading(
        _sums(counted), grain, periods, tables, _saved(counted, prices_of), translated(event_sentence(happened))
    )


def _sums(rows: Sequence[LedgerRow]) -> Sums:
    money, plan, free = (totals(row for row in rows if row.cost_kind == kind) for kind in ("money", "plan", "free"))
    return Sums(totals(rows), money, plan, free)


def cached_share(figures: UsageTotals) -> float:
    """Which share of the input was read from the cache, 0 to 1."""
    return figures.cache_read / figures.prompt if figures.prompt else 0.0


def _periods(rows: Iterable[LedgerRow], first: date, last: date) -> tuple[Grain, tuple[Period, ...]]:
    """Every period from first to last, those without a call included, so that the axis is true in time."""
    days = (last - first).days + 1
    grain: Grain = "day" if days <= MOST_BARS else "week" if days <= 7 * MOST_BARS else "month"
    found: dict[date, list[LedgerRow]] = {}
    for row in rows:
        found.setdefault(_start(date.fromisoformat(row.day), grain), []).append(row)
    periods, begin = [], _start(first, grain)
    # a call of the minutes after a midnight that this computer has not seen yet still has its bar
    last = max([last, *found])
    while begin <= last:
        following = _next(begin, grain)
        periods.append(Period(begin, following - timedelta(days=1), totals(found.get(begin, ()))))
        begin = following
    return grain, tuple(periods)


def _start(day: date, grain: Grain) -> date:
    if grain == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if grain == "month" else day


def _next(begin: date, grain: Grain) -> date:
    if grain == "month":
        return (begin + timedelta(days=32)).replace(day=1)
    return begin + timedelta(days=7 if grain == "week" else 1)


def _saved(rows: Iterable[LedgerRow], prices_of: PricesOf) -> float | None:
    """Dollars that the same tokens would have cost more without a cache; less than 0 where writing cost more.

    Only what was billed, at a known price, counts: the difference to what was really paid.
    """
    saved: float | None = None
    known: dict[tuple[str, str], Prices | None] = {}
    for row in rows:
        if row.cost_kind != "money" or row.priced != row.calls:
            continue
        # Looking a model up takes longer than all the rest.
        key = (row.backend, row.model)
        if key not in known:
            known[key] = prices_of(*key)
        if (prices := known[key]) is not None:
            prompt = row.input + row.cache_read + row.cache_write
            saved = (saved or 0.0) + (prompt * prices.input + row.output * prices.output) / MILLION - row.cost_usd
    return saved
