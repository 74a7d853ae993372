"""Runs `models`: the models of one backend as a table or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.backends.backend_protocol import Backend, CostKind
from desktop_app.cli.exit_codes import DONE
from desktop_app.cli.options import ModelsOptions
from desktop_app.cli.output import Output
from desktop_app.composition import AppServices
from desktop_app.controller.learned_windows import LearnedWindows
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import Json
from desktop_app.core.model_catalog import ModelInfo, Prices

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
    backend = (await services.chat.choose(backend=options.backend)).backend
    found = await backend.availability()
    if not (found.ok or found.found):
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
    prices = ("-", "-") if model.prices is None else _amounts(model.prices)
    return (model.id, model.name, window, f"{model.max_output:,}", *(prices if cost != "free" else ()))


def _amounts(prices: Prices) -> tuple[str, str]:
    return _amount(prices.input), _amount(prices.output)


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
