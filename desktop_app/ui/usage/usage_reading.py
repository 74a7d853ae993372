"""The reading of the ledger for a time and a thread (sums, periods, tables, what the cache saved) and its words. Uses
no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

from PySide6.QtCore import QDate, QLocale

from desktop_app.core import usage_totals
from desktop_app.core.history_records import EventCount, LedgerRow
from desktop_app.core.model_catalog import Prices
from desktop_app.core.usage_totals import Facet, UsageGroup, UsageShare, UsageTotals, event_sentence, totals
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import (
    day_of_year,
    grouped,
    month_of_year,
    short_day,
    short_month_of_year,
    tr,
    translated,
)

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
    tables = {facet: usage_totals.grouped(counted, facet) for facet in FACETS}
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


WORTH_SAYING = 0.005
"""Dollars below which no saving is told, nor that something costs more than that: it would read as nothing."""


def paid(share: UsageShare | UsageTotals) -> str:
    """`$1.20`; `from $1.20` where the price of some calls is not known, `price unknown` where that of none is, or all
    others cost next to nothing.
    """
    amount = dollars(share.cost_usd)
    if share.priced == share.calls:
        return amount
    known = share.priced and share.cost_usd >= WORTH_SAYING
    return tr("from {amount}").format(amount=amount) if known else tr("price unknown")


def at_least(count: float, words: str) -> str:
    """A count of tokens, in `words`, to which what was not reported has to be added."""
    return tr("from {amount}").format(amount=words) if count else "–"


def unreported_sentence(count: int) -> str:
    """Return a sentence on what the sums do not have; empty where they have everything."""
    if not count:
        return ""
    if count == 1:
        return tr("1 answer was cut off before its tokens were reported. It may still be billed.")
    words = tr("{count} answers were cut off before their tokens were reported. They may still be billed.")
    return words.format(count=grouped(count))


def percent(share: float) -> str:
    """`82 %`; what is not quite everything is never called 100."""
    rounded = round(100 * share)
    return f"{min(rounded, 99) if share < 1 else 100} %"


def calls(count: int) -> str:
    return tr("1 call") if count == 1 else tr("{count} calls").format(count=grouped(count))


def cache_sentence(reading: UsageReading) -> str:
    """A sentence on what came from the cache and what that saved; empty where no model with one read anything."""
    money, plan = reading.sums.money, reading.sums.plan
    if not (prompt := money.prompt + plan.prompt):
        return ""
    share = percent((money.cache_read + plan.cache_read) / prompt)
    if (saved := reading.saved_usd) is not None and saved >= WORTH_SAYING:
        words = tr("{share} of the input was read from the cache, which saved about {amount}.")
        return words.format(share=share, amount=dollars(saved))
    if saved is not None and saved <= -WORTH_SAYING:
        words = tr(
            "{share} of the input was read from the cache. "
            "So far, writing it has cost about {amount} more than it has saved."
        )
        return words.format(share=share, amount=dollars(-saved))
    return tr("{share} of the input was read from the cache.").format(share=share)


def tokens_sentence(figures: UsageTotals) -> str:
    """`1.9M tokens read, 120K written`."""
    words = tr("{read} tokens read, {written} written")
    return words.format(read=thousands(figures.prompt), written=thousands(figures.output))


def tokens(figures: UsageTotals) -> str:
    """`1.3M tokens`, read and written."""
    return tr("{count} tokens").format(count=thousands(figures.prompt + figures.output))


def name_of(group: UsageGroup, facet: Facet, backends: Mapping[str, str]) -> str:
    """Return a group's name in a table; `backends` are their names for people."""
    if facet == "thread":
        return (group.label or tr("New thread")) if group.key else tr("No thread, or a private one")
    if facet == "backend":
        return backends.get(group.key, group.key)
    if facet == "purpose":
        return {
            "chat": tr("Answers"),
            "summary": tr("Summaries"),
            "cache": tr("Cache kept"),
            "title": tr("Titles"),
            "artifact": tr("Artifacts"),
            "follow_up": tr("Requests by the claude program"),
            "test": tr("Connection tests"),
        }.get(group.key, group.key)
    return group.label


def period_label(period: Period, grain: Grain) -> str:
    """Return the label under a bar: `18 Nov`, for months `Nov 2026`."""
    return short_month_of_year(period.first) if grain == "month" else short_day(period.first)


def period_name(period: Period, grain: Grain) -> str:
    """The time in full."""
    if grain == "month":
        return month_of_year(period.first)
    if grain == "week":
        return f"{day_of_year(period.first)} – {day_of_year(period.last)}"
    day = QDate(period.first.year, period.first.month, period.first.day)
    return str(QLocale().toString(day, QLocale.FormatType.LongFormat))


def columns() -> tuple[str, ...]:
    """The heads of the tables' columns after the first; see `cells`."""
    return (
        tr("Calls"),
        tr("Fresh input"),
        tr("Cache read"),
        tr("Cache write"),
        tr("Output"),
        tr("Cached"),
        tr("Billed"),
        tr("On a plan"),
    )


def values(figures: UsageTotals) -> tuple[float, ...]:
    """The figures by which the columns are sorted."""
    return (
        figures.calls,
        figures.input,
        figures.cache_read,
        figures.cache_write,
        figures.output,
        cached_share(figures),
        figures.money.cost_usd,
        figures.plan.cost_usd,
    )


def cells(figures: UsageTotals) -> tuple[str, ...]:
    """The figures as they are shown."""
    counts = (figures.input, figures.cache_read, figures.cache_write, figures.output)
    told = [at_least(one, grouped(one)) if figures.unreported else grouped(one) for one in counts]
    return (
        grouped(figures.calls),
        *told,
        percent(cached_share(figures)),
        paid(figures.money) if figures.money.calls else tr("free") if figures.free.calls else "–",
        paid(figures.plan) if figures.plan.calls else "–",
    )
