"""The content of the tables of the usage page, made beside the event loop. Uses no widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from desktop_app.core.usage_totals import UsageTotals
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.usage import usage_words as figures
from desktop_app.ui.usage.figure_table import FigureRows, TableLine
from desktop_app.ui.usage.usage_reading import FACETS, UsageReading

DAYS = "days"
"""The table that says what the plot shows."""
BILLED_COLUMN, PLAN_COLUMN = 7, 8
TOKEN_COLUMNS: Final = (2, 3, 4, 5)
"""Shown in thousands."""
BY_WEIGHT: Final = (BILLED_COLUMN, 1, PLAN_COLUMN, 5, 2, 6, 3, 4)
"""The columns that are paid, calls, output and fresh input, and last those from the cache: see
`usage_words.columns`.
"""


def tables_of(reading: UsageReading, backends: Mapping[str, str]) -> dict[str, FigureRows]:
    """One table per facet, and `DAYS`; `backends` are their names for people."""
    used = reading.sums.all
    shown = {BILLED_COLUMN: used.money.calls + used.free.calls, PLAN_COLUMN: used.plan.calls}
    hidden = tuple(column for column, calls in shown.items() if not calls)
    heads = {
        "thread": tr("Thread"),
        "model": tr("Model"),
        "purpose": tr("Purpose"),
        "backend": tr("Connection"),
    }
    tables: dict[str, FigureRows] = {
        facet: _rows(
            heads[facet],
            (
                _line(group.key, figures.name_of(group, facet, backends), group.totals)
                for group in reading.tables[facet]
            ),
            hidden,
        )
        for facet in FACETS
    }
    head = {"day": tr("Day"), "week": tr("Week"), "month": tr("Month")}[reading.grain]
    days = [
        _line(period.first.isoformat(), figures.period_name(period, reading.grain), period.totals)
        for period in reversed(reading.periods)
        if period.totals.calls
    ]
    tables[DAYS] = _rows(head, days, hidden)
    return tables


def _rows(head: str, lines: Iterable[TableLine], hidden: tuple[int, ...]) -> FigureRows:
    return FigureRows.of((head, *figures.columns()), lines, hidden, rounded=TOKEN_COLUMNS, by_weight=BY_WEIGHT)


def _line(key: str, name: str, used: UsageTotals) -> TableLine:
    return TableLine(key, name, figures.values(used), figures.cells(used), least=used.unreported > 0)
