"""Owns the words of the muted lines that the controller raises about a turn. Knows no listener.

What a plan says about itself is in `core.context.words`.
"""

from __future__ import annotations

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import dollars, thousands
from desktop_app.core.tools import MOST_CALLS

IMITATED = (
    "A line of this answer looks like a note of Plimsoll's own. The model wrote it; Plimsoll did nothing of the kind."
)
TOO_MANY_CALLS = (
    f"The model asked for more than {MOST_CALLS} tool calls in one answer. The answer ends here; ask again to go on."
)
OVERFLOW = "The provider counts this request as too long. Trying once more with older messages left out."


def above_soft_limit(plan: ContextPlan) -> str:
    """That what has to stay is more than the soft limit, and goes out all the same (PRODUCT.md CTX-4)."""
    total, soft = thousands(plan.tokens.total), thousands(plan.limits.soft)
    return f"What has to stay is {total} tokens, above the soft limit of {soft}. All of it was sent."


def switched(title: str, plan: ContextPlan) -> str:
    """What it means to go on with another backend or model: the history is read anew, at a price where it has one."""
    price = f", {dollars(plan.cost_usd)}" if plan.cost_usd else ""
    anew = f"It reads {thousands(plan.tokens.total)} tokens anew{price}."
    return f"From here on {title} answers with {plan.model.name}. {anew}"


def summarised(messages: int, cost_usd: float | None, *, waits: bool = False) -> str:
    """What was condensed, at a price where it has one; `waits`: the next request is as it would be without it."""
    price = f" for {dollars(cost_usd)}" if cost_usd else ""
    later = " The summary is used the next time older messages are left out." if waits else ""
    return f"{messages:,} messages summarised{price}.{later}"


def window_learned(before: int, window: int, *, overridden: bool) -> str:
    """What an overflow taught; the user's own setting of the window stays as it is."""
    said = f"The provider takes about {thousands(window)} tokens here, not {thousands(before)}."
    return said + (
        " The setting for this model says otherwise." if overridden else " This is kept in mind from now on."
    )
