"""Runs `usage`: what all model calls used and cost, as text or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.json_shapes import ledger_shape
from desktop_app.cli.options import UsageOptions
from desktop_app.cli.output import Output
from desktop_app.controller.ports import History
from desktop_app.core.context.plan_text import dollars
from desktop_app.core.history_records import LedgerRow
from desktop_app.core.usage_totals import UsageGroup, UsageShare, UsageTotals, event_sentence, grouped, totals

DAYS_SHOWN = 14
"""Days with a line of their own; those before are added up."""

PURPOSES = {
    "chat": "Answers",
    "summary": "Summaries",
    "title": "Titles",
    "artifact": "Artifacts",
    "follow_up": "Follow-ups",
    "test": "Tests",
}
HEADS = ("Calls", "Fresh", "Cached", "Written", "Output", "Billed", "On a plan")
GAP = "  "


async def show_usage(history: History, options: UsageOptions, output: Output) -> int:
    """Prints the sums of all calls: in all, and by model, day and purpose."""
    rows, events = await history.ledger(), await history.event_counts()
    if options.json:
        output.json(ledger_shape(rows, events))
    elif not rows and not events:
        output.tell("No usage yet.")
    else:
        _print(rows, event_sentence(events), output)
    return DONE


def _print(rows: Sequence[LedgerRow], events: str, output: Output) -> None:
    whole = totals(rows)
    for line in _summary(whole):
        output.line(line)
    if events:
        output.line(f"{'Context':<10}{events}")
    purposes = [(PURPOSES.get(group.key, group.key), group.totals) for group in grouped(rows, "purpose")]
    models = [(group.label, group.totals) for group in grouped(rows, "model")]
    for head, lines in (("Model", models), ("Purpose", purposes), ("Day (UTC)", _days(rows))):
        output.line("")
        for line in _table(head, lines, with_plan=whole.plan.calls > 0):
            output.line(line)


def _summary(whole: UsageTotals) -> list[str]:
    lines = [f"{'Calls':<10}{whole.calls:,}"]
    if whole.money.calls:
        lines.append(f"{'Billed':<10}{_paid(whole.money)}, {_calls(whole.money)}")
    if whole.plan.calls:
        lines.append(f"{'On a plan':<10}{_calls(whole.plan)}, {_paid(whole.plan)} at list price")
    if whole.free.calls:
        lines.append(f"{'Free':<10}{_calls(whole.free)}")
    lines.append(
        f"{'Tokens':<10}{whole.input:,} fresh, {whole.cache_read:,} read from the cache, "
        f"{whole.cache_write:,} written to it, {whole.output:,} of output"
    )
    if whole.unreported:
        answers = "1 answer was" if whole.unreported == 1 else f"{whole.unreported:,} answers were"
        lines.append(f"{'':<10}{answers} cut off before tokens were reported, and may still be billed")
    return lines


def _days(rows: Sequence[LedgerRow]) -> list[tuple[str, UsageTotals]]:
    """The newest days, and one line for all before them."""
    groups: tuple[UsageGroup, ...] = grouped(rows, "day")
    lines = [(group.key, group.totals) for group in groups[:DAYS_SHOWN]]
    if len(groups) > DAYS_SHOWN:
        lines.append(("earlier", totals(row for row in rows if row.day < groups[DAYS_SHOWN - 1].key)))
    return lines


def _table(head: str, lines: Sequence[tuple[str, UsageTotals]], *, with_plan: bool) -> list[str]:
    """Lines of equal width: the first column to the left, figures to the right."""
    heads = HEADS if with_plan else HEADS[:-1]
    table = [(head, *heads), *((name, *_cells(sums)[: len(heads)]) for name, sums in lines)]
    widths = [max(len(row[column]) for row in table) for column in range(len(heads) + 1)]
    return [
        GAP.join([row[0].ljust(widths[0]), *(row[column].rjust(widths[column]) for column in range(1, len(widths)))])
        for row in table
    ]


def _cells(sums: UsageTotals) -> tuple[str, ...]:
    counts = (sums.input, sums.cache_read, sums.cache_write, sums.output)
    billed = "free" if sums.free.calls == sums.calls else _paid(sums.money) if sums.money.calls else "-"
    told = [f"{count:,}" if not sums.unreported else f"from {count:,}" if count else "-" for count in counts]
    return (f"{sums.calls:,}", *told, billed, _paid(sums.plan) if sums.plan.calls else "-")


def _paid(share: UsageShare) -> str:
    """`$1.20`; `from $1.20` where the price of some calls is not known, `unknown` where that of none is."""
    if not share.priced:
        return "unknown"
    return dollars(share.cost_usd) if share.priced == share.calls else f"from {dollars(share.cost_usd)}"


def _calls(share: UsageShare) -> str:
    return f"{share.calls:,} call{'' if share.calls == 1 else 's'}"
