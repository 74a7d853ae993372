"""Runs `models` and `usage`: the models of a backend, and what all model calls used and cost, as tables or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from desktop_app.backends.backend_protocol import Backend, CostKind
from desktop_app.cli.command_process import DONE, Output
from desktop_app.cli.options import ModelsOptions, UsageOptions
from desktop_app.cli.plan_shapes import ledger_shape
from desktop_app.composition import AppServices
from desktop_app.controller.model_selection import LearnedWindows
from desktop_app.controller.ports import History
from desktop_app.core.backend_descriptors import takes_key
from desktop_app.core.context.plan_text import dollars
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history_records import LedgerRow
from desktop_app.core.messages import Json
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.usage_totals import UsageGroup, UsageShare, UsageTotals, event_sentence, grouped, totals

HEADS = ("ID", "Name", "Window", "Maximum answer length", "Input", "Output")
FIGURES_FROM = 2
"""The first column with figures, which stand to the right."""
GAP = "  "

PASSING = frozenset(("network", "overloaded", "rate_limited"))
"""Failures that leave the list of an earlier time as good as it was."""


async def list_models(services: AppServices, options: ModelsOptions, output: Output) -> int:
    """Prints the models of the backend that is named, else of the one that would be chosen.

    Raises `PlimsollError` with "config" where it can't be used on this computer, and with what keeps its provider from
    answering; where that may pass, the last list that it gave is printed.
    """
    backend = (await services.chat.chooser.choose(backend=options.backend)).backend
    if takes_key(backend.name):
        with suppress(PlimsollError):  # whether there is a key is known only once it was asked for
            await services.secrets.get(backend.name)
    if not ((found := await backend.availability()).ok or found.found):
        raise UserError("config", found.detail)
    windows = LearnedWindows(services.history)
    listed = await _listed(services, backend, output)
    models = [await windows.applied(backend.name, model) for model in listed]
    if options.json:
        if options.backend is None:
            output.tell(f"The models of {backend.name}, the default.")
        output.json([model_shape(model, backend.cost_kind) for model in models])
        return DONE
    output.line(f"{backend.title} ({backend.name})" + (", the default" if options.backend is None else ""))
    for line in _table(models, backend.cost_kind):
        output.line(line)
    if backend.cost_kind != "free":
        output.line("")
        output.line("Tokens; US dollars per million tokens" + (" at list price" * (backend.cost_kind == "plan")) + ".")
        for line in _cliffs(models):
            output.line(line)
    return DONE


def model_shape(model: ModelInfo, cost: CostKind) -> dict[str, Json]:
    """A model as `models --json` prints it: sizes in tokens, prices in dollars per million tokens, null: unknown."""
    free = 0.0 if cost == "free" else None
    return {
        "id": model.id,
        "name": model.name,
        "window": model.window,
        "max_output": model.max_output,
        "input_usd": free if model.prices is None else model.prices.input,
        "output_usd": free if model.prices is None else model.prices.output,
    }


async def _listed(services: AppServices, backend: Backend, output: Output) -> Sequence[ModelInfo]:
    try:
        return await services.models.list(backend, fresh=True)
    except PlimsollError as error:
        kept = services.models.known(backend)
        if error.failure.code in PASSING and kept:
            output.tell(f"{error.failure.message} This is the last known list.")
            return kept
        if error.failure.code != "not_found":
            raise
    # a gateway that answers, but lists nothing: what is known here is as good as it gets, if there is anything
    models = await backend.models()
    output.tell(f"{backend.title} does not list its models here. These are known models.")
    return models


def _table(models: Sequence[ModelInfo], cost: CostKind) -> list[str]:
    columns = HEADS if cost != "free" else HEADS[:-2]
    rows = [columns, *(_row(model, cost)[: len(columns)] for model in models)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(columns))]
    return [
        GAP.join(
            cell.ljust(width) if column < FIGURES_FROM else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _row(model: ModelInfo, cost: CostKind) -> tuple[str, ...]:
    window = f"{model.window:,}" + (" assumed" if model.window_source == "assumed" else "")
    prices = ("-", "-") if model.prices is None else (_amount(model.prices.input), _amount(model.prices.output))
    return (model.id, model.name, window, f"{model.max_output:,}", *(prices if cost != "free" else ()))


def _amount(dollars: float) -> str:
    """In cents, or finer where the price is."""
    return f"${dollars:,.2f}" if round(dollars, 2) == dollars else f"${dollars:.4g}"


def _cliffs(models: Sequence[ModelInfo]) -> list[str]:
    """One line for all models that cost more above the same number of tokens by the same factors, so mostly one."""
    groups: dict[tuple[int, str, str], list[str]] = {}
    for model in models:
        if model.price_cliff is not None and model.prices is not None and model.prices_above is not None:
            dearer = (
                model.prices_above.input / model.prices.input,
                model.prices_above.output / model.prices.output,
            )
            factors = tuple(f"{factor:g}" for factor in dearer)
            groups.setdefault((model.price_cliff, factors[0], factors[1]), []).append(model.id)
    return [
        f"Above {cliff:,} tokens {given} times the input price and {taken} times the output price: {', '.join(ids)}."
        for (cliff, given, taken), ids in groups.items()
    ]


DAYS_SHOWN = 14
"""Days with a line of their own; those before are added up."""

PURPOSES = {
    "chat": "Answers",
    "summary": "Summaries",
    "cache": "Cache kept",
    "title": "Titles",
    "artifact": "Artifacts",
    "follow_up": "Follow-ups",
    "test": "Tests",
}
USAGE_HEADS = ("Calls", "Fresh", "Cached", "Written", "Output", "Billed", "On a plan")


async def show_usage(history: History, options: UsageOptions, output: Output) -> int:
    """Prints the sums of all calls: in all, and by model, purpose, connection and day."""
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
    connections = [(group.key, group.totals) for group in grouped(rows, "backend")]
    tables = ("Model", models), ("Purpose", purposes), ("Connection", connections), ("Day (UTC)", _days(rows))
    for head, lines in tables:
        output.line("")
        for line in _usage_table(head, lines, with_plan=whole.plan.calls > 0):
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
    if whole.may_be_billed:
        answers = "1 answer was" if whole.may_be_billed == 1 else f"{whole.may_be_billed:,} answers were"
        lines.append(f"{'':<10}{answers} cut off before tokens were reported, and may still be billed")
    return lines


def _days(rows: Sequence[LedgerRow]) -> list[tuple[str, UsageTotals]]:
    """The newest days, and one line for all before them."""
    groups: tuple[UsageGroup, ...] = grouped(rows, "day")
    lines = [(group.key, group.totals) for group in groups[:DAYS_SHOWN]]
    if len(groups) > DAYS_SHOWN:
        lines.append(("earlier", totals(row for row in rows if row.day < groups[DAYS_SHOWN - 1].key)))
    return lines


def _usage_table(head: str, lines: Sequence[tuple[str, UsageTotals]], *, with_plan: bool) -> list[str]:
    """Lines of equal width: the first column to the left, figures to the right."""
    heads = USAGE_HEADS if with_plan else USAGE_HEADS[:-1]
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
