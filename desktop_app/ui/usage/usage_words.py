"""The columns of the usage tables with their figures, and the pane's words: purposes, money, shares, sentences."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QDate, QLocale

from desktop_app.core.usage_totals import Facet, UsageGroup, UsageShare, UsageTotals
from desktop_app.ui.i18n.content_words import dollars, thousands
from desktop_app.ui.i18n.language import day_of_year, grouped, month_of_year, short_day, short_month_of_year, tr
from desktop_app.ui.usage.usage_reading import Grain, Period, UsageReading, cached_share

WORTH_SAYING = 0.005
"""Dollars below which a saving is not told: it would read as nothing."""


def paid(share: UsageShare | UsageTotals) -> str:
    """`$1.20`; `from $1.20` where the price of some calls is not known, `price unknown` where that of none is."""
    if share.calls and not share.priced:
        return tr("price unknown")
    amount = dollars(share.cost_usd)
    return amount if share.priced == share.calls else tr("from {amount}").format(amount=amount)


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
    """Return a sentence on what came from the cache and what that saved; empty where no model that has one read
    anything.
    """
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
