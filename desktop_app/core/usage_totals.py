"""The sums of the ledger: of all model calls, and by thread, day, model, backend or purpose."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.history_records import EventCount, LedgerRow
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.phrases import joined, phrase

EVENT_WORDS: Final = {
    "trimmed": (phrase("trim"), phrase("trims")),
    "summarised": (phrase("summary"), phrase("summaries")),
    "fresh_start": (phrase("fresh start"), phrase("fresh starts")),
    "returned": (phrase("return of older messages"), phrase("returns of older messages")),
    "undone": (phrase("step undone"), phrase("steps undone")),
    "refused": (phrase("refusal"), phrase("refusals")),
    "cache_rewritten": (phrase("cache rewrite"), phrase("cache rewrites")),
    "limit_passed": (phrase("request above the soft limit"), phrase("requests above the soft limit")),
    "learned_window": (phrase("context window learned"), phrase("context windows learned")),
}
"""The names of context events, singular and plural, in the order in which they are told."""

Facet: TypeAlias = Literal["thread", "day", "model", "backend", "purpose"]


@dataclass(frozen=True, slots=True)
class UsageShare:
    """The part of a sum that is paid in one way. `cost_usd` is the sum of the known costs, of `priced` calls."""

    calls: int = 0
    priced: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """A sum of ledger rows. Tokens as the provider counted them, `input` the fresh ones; see `LedgerRow`.

    `cost_usd` is the sum of the known costs, of `priced` calls out of `calls`: what is billed (`money`), what calls
    that a subscription covers would have cost (`plan`), and what costs nobody anything (`free`). `unreported`: so many
    answers were cut off before their tokens were told, so that the counts are the least there can have been.
    """

    calls: int = 0
    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    cost_usd: float = 0.0
    priced: int = 0
    money: UsageShare = UsageShare()
    plan: UsageShare = UsageShare()
    free: UsageShare = UsageShare()
    unreported: int = 0
    may_be_billed: int = 0
    """Those of the `unreported` that may still be billed: what a free connection does costs nobody anything."""

    @property
    def prompt(self) -> int:
        """All tokens sent: fresh, read from the cache and written to it."""
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class UsageGroup:
    """The sum of rows of one `key`: a thread's id ("": none), a day or a name; `label`: title, or the key."""

    key: str
    label: str
    totals: UsageTotals


def totals(rows: Iterable[LedgerRow]) -> UsageTotals:
    """The sum of all rows."""
    rows = tuple(rows)
    money, plan, free = (_share(row for row in rows if row.cost_kind == kind) for kind in ("money", "plan", "free"))
    return UsageTotals(
        calls=sum(row.calls for row in rows),
        input=sum(row.input for row in rows),
        cache_read=sum(row.cache_read for row in rows),
        cache_write=sum(row.cache_write for row in rows),
        output=sum(row.output for row in rows),
        # Thousands of small amounts: added exactly, so that every order of the same rows comes to the same sum.
        cost_usd=math.fsum(row.cost_usd for row in rows),
        priced=sum(row.priced for row in rows),
        money=money,
        plan=plan,
        free=free,
        unreported=sum(row.unreported for row in rows),
        may_be_billed=sum(row.unreported for row in rows if row.cost_kind != "free"),
    )


def grouped(rows: Iterable[LedgerRow], by: Facet) -> tuple[UsageGroup, ...]:
    """One sum for each thread, day, model, backend or purpose; days newest first, others dearest first."""
    groups: dict[str, list[LedgerRow]] = {}
    for row in rows:
        groups.setdefault(_key(row, by), []).append(row)
    labels = {key: _label(members[0], by) for key, members in groups.items()}
    told = Counter(labels.values())
    sums = [
        UsageGroup(
            key, f"{labels[key]} ({key})" if by == "model" and told[labels[key]] > 1 else labels[key], totals(of)
        )
        for key, of in groups.items()
    ]
    if by == "day":
        return tuple(sorted(sums, key=lambda group: group.key, reverse=True))
    return tuple(sorted(sums, key=_dearest_first))


def _label(row: LedgerRow, by: Facet) -> str:
    """Return the name of a group by its first row."""
    match by:
        case "thread":
            return row.title
        case "model":
            return shipped_name(row.model, row.backend)
    return _key(row, by)


def _key(row: LedgerRow, by: Facet) -> str:
    match by:
        case "thread":
            return row.thread_id or ""
        case "day":
            return row.day
        case "model":
            return row.model
        case "backend":
            return row.backend
        case "purpose":
            return row.purpose


def _dearest_first(group: UsageGroup) -> tuple[float, int, str]:
    """Return a group's sort key: dearest first, where nothing was paid most tokens first, always in a fixed order."""
    return -group.totals.cost_usd, -(group.totals.prompt + group.totals.output), group.key


def _share(rows: Iterable[LedgerRow]) -> UsageShare:
    rows = tuple(rows)
    return UsageShare(
        sum(row.calls for row in rows), sum(row.priced for row in rows), math.fsum(row.cost_usd for row in rows)
    )


def event_totals(counts: Iterable[EventCount]) -> dict[str, int]:
    """Return how often each kind of context event happened, in the order of `EVENT_WORDS`; others have no entry."""
    found: Counter[str] = Counter()
    for counted in counts:
        found[counted.kind] += counted.count
    return {kind: found[kind] for kind in EVENT_WORDS if found[kind]}


def event_sentence(counts: Iterable[EventCount]) -> str:
    """`2 trims · 1 refusal`; empty where nothing happened."""
    return joined((_times(kind, count) for kind, count in event_totals(counts).items()), " · ")


def _times(kind: str, count: int) -> str:
    one, several = EVENT_WORDS[kind]
    return joined([phrase("{count:,}", count=count), one if count == 1 else several])
