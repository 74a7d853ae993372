"""The window's form of token counts and prices: as everywhere else, in its own language."""

from __future__ import annotations

from desktop_app.core.context import plan_text
from desktop_app.core.context.plan import ContextPlan
from desktop_app.ui.i18n.language import grouped, translated


def thousands(tokens: int) -> str:
    """`62K`, `1.5M`: see `core.context.plan_text.thousands`."""
    return translated(plan_text.thousands(tokens))


def token_figure(tokens: int) -> str:
    """`150K`, `4.2K`; exact where that would be another number: `20,673`."""
    short = thousands(tokens)
    return short if tokens_of(short) == tokens else grouped(tokens)


def price(cost: float, most: float | None = None, *, at_most: bool = False) -> str:
    """`$0.42`, `up to $0.57`: see `core.context.plan_text.price`."""
    return translated(plan_text.price(cost, most, at_most=at_most))


def plan_price(plan: ContextPlan) -> str:
    """Return the cost of sending: see `core.context.plan_text.plan_price`."""
    return translated(plan_text.plan_price(plan))


def dollars(amount: float) -> str:
    """`$0.54`, `0,54 $`; less than a cent is said so."""
    return translated(plan_text.dollars(amount))


def tokens_of(text: str) -> int | None:
    """The number of tokens that was written: `150,000`, `150.000`, `150K`, `4.2K`, `1M`; None for anything else."""
    figures, scale = text.strip().casefold(), 1
    for end, thousandfold in (("k", 1_000), ("m", 1_000_000)):
        if figures.endswith(end):
            figures, scale = figures[:-1].strip(), thousandfold
    whole, decimals = _with_decimals(figures) if scale > 1 else (figures, "")
    if decimals:
        figures, scale = whole + decimals, scale // 10 ** len(decimals)
    plain = "".join(one for one in figures if one not in ",.'’ \u00a0\u202f")
    if not plain.isascii() or not plain.isdigit() or len(plain) > 9:
        return None
    tokens = int(plain) * scale
    return tokens if 0 < tokens <= 100_000_000 else None


def _with_decimals(figures: str) -> tuple[str, str]:
    """Return the figures before and behind a decimal sign; one or two figures behind it: three are thousands."""
    for sign in ".,":
        whole, found, behind = figures.rpartition(sign)
        if found and whole.isdigit() and behind.isdigit() and len(behind) <= 2:
            return whole, behind
    return figures, ""
