"""Shows the usage page's parts: sums, plots, the table. Owns made-up figures."""

from __future__ import annotations

from desktop_app.core.usage_totals import UsageTotals
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.usage.figure_table import FigureRows, FigureTable, TableLine
from desktop_app.ui.usage.plot import NOTHING, Chart, ChartBar, Plot, Series
from desktop_app.ui.usage.usage_page import UsageCards
from desktop_app.ui.usage.usage_reading import Sums
from tests.gallery.page import WIDTH, Page

TOKENS = (
    Series("Cache read", "syntax-type", "diagonal"),
    Series("Cache write", "syntax-operator", "dots"),
    Series("Fresh input", "accent", "solid"),
    Series("Output", "syntax-name", "lines"),
)
BILLED = UsageTotals(41, 120_400, 2_204_000, 310_000, 88_200, 4.31, 41)
PLAN = UsageTotals(12, 9_000, 804_000, 41_000, 20_100, 1.12, 12)
FREE = UsageTotals(7, 21_000, 0, 0, 3_000)
ALL = UsageTotals(60, 150_400, 3_008_000, 351_000, 111_300, 5.43, 53)
NAMES = ("Ring buffer in Python", "Fahrgastschifffahrtsgesellschaft: Jahresabschluss 2026", "Trip to Lisbon")


class _FocusedPlot(Plot):
    """A plot as it is while it has the keyboard: the chosen bar tells its figures."""

    def hasFocus(self) -> bool:
        return True


def fill(page: Page) -> None:
    """Sums, plots in both units, one bar, none, the table."""
    cards = UsageCards(page.theme, page)
    cards.show_sums(Sums(ALL, BILLED, PLAN, FREE))
    page.add("Sums", cards)
    bars = tuple(ChartBar(f"{day} Nov", f"{day} November", (40e3 * day, 9e3, 3e3 * day, 6e3)) for day in range(1, 11))
    dollars = (Series("Billed", "accent", "solid"), Series("Covered by a plan", "syntax-type", "diagonal"))
    money = Chart(dollars, tuple(ChartBar(f"{day}", f"{day}", (0.04 * day, 0.1)) for day in range(1, 5)), "dollars")
    for caption, kind, chart in (
        ("Tokens by day", Plot, Chart(TOKENS, bars)),
        ("Dollars; the bar that the keyboard is on tells its figures", _FocusedPlot, money),
        ("One day", Plot, Chart(TOKENS, bars[:1])),
        ("Nothing yet", Plot, NOTHING),
    ):
        plot = kind(page.theme, page)
        plot.show_chart(chart, caption)
        plot.setFixedSize(WIDTH, plot.heightForWidth(WIDTH))
        page.add(caption, plot)
    lines = [
        TableLine(str(n), name, (float(9 - n), 4.0 - n), (f"{9 - n}", f"${4 - n}.00")) for n, name in enumerate(NAMES)
    ]
    table = FigureTable(page.theme, page)
    table.show_table(FigureRows.of(("Thread", "Calls", "Cost"), lines))
    table.setFixedSize(WIDTH, 18 * GRID)
    page.add("The table", table)
