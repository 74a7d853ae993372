"""Owns the words of the muted lines that the controller raises about a turn. Knows no listener.

What a plan says about itself is in `core.context.words`.
"""

from __future__ import annotations

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import dollars, thousands

OVERFLOW = "The provider counts this request as too long. Trying once more with older messages left out."


def switched(title: str, plan: ContextPlan) -> str:
    """What it means to go on with another backend or model: the history is read anew, at a price where it has one."""
    price = f", {dollars(plan.cost_usd)}" if plan.cost_usd else ""
    anew = f"It reads {thousands(plan.tokens.total)} tokens anew{price}."
    return f"From here on {title} answers with {plan.model.name}. {anew}"
