"""Owns how the window writes token counts and prices: as everywhere else, in its own language. Knows no plan."""

from __future__ import annotations

from desktop_app.core.context import plan_text
from desktop_app.ui.i18n.language import spoken


def thousands(tokens: int) -> str:
    """`62K`, `1.5M`: see `core.context.words.thousands`."""
    return spoken(plan_text.thousands(tokens))


def price(cost: float, most: float | None = None) -> str:
    """`$0.42`, `up to $0.57`: see `core.context.words.price`."""
    return spoken(plan_text.price(cost, most))


def dollars(amount: float) -> str:
    """`$0.54`, `0,54 $`; less than a cent is said so."""
    return spoken(plan_text.dollars(amount))
