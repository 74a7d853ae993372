"""Words of the muted lines that the controller raises about a turn.

What a plan says about itself is in `core.context.words`.
"""

from __future__ import annotations

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import dollars, thousands
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.tool_spec import MOST_CALLS

IMITATED = phrase(
    "A line of this answer looks like a note of Plimsoll's own. The model wrote it; Plimsoll did nothing of the kind."
)
TOO_MANY_CALLS = phrase(
    "The model asked for more than {most} tool calls in one answer. The answer ends here; ask again to go on.",
    most=MOST_CALLS,
)
OVERFLOW = phrase("The provider counts this request as too long. Trying once more with older messages left out.")


def above_soft_limit(plan: ContextPlan) -> str:
    """That what has to stay is more than the soft limit, and goes out all the same (PRODUCT.md CTX-4)."""
    total, soft = thousands(plan.tokens.total), thousands(plan.limits.soft)
    return phrase(
        "What has to stay is {total} tokens, above the soft limit of {soft}. All of it was sent.",
        total=total,
        soft=soft,
    )


def switched(title: str, plan: ContextPlan) -> str:
    """What it means to go on with another backend or model: the history is read anew, at a price where it has one."""
    goes_on = phrase("From here on {title} answers with {model}.", title=title, model=plan.model.name)
    return joined([goes_on, _read_anew(plan)])


def moved(project: str, plan: ContextPlan) -> str:
    """What it means that a thread came into a project ("": out of any): what is sent and offered, at which price."""
    if not project:
        goes_on = phrase("From here on this thread is in no project: its documents are neither sent nor searched.")
    else:
        searched = sum(placed.state == "searched" for placed in plan.documents)
        goes_on = phrase(
            "From here on this thread is in {project}: its instructions, {always} in every request, "
            "{searched} to search.",
            project=project,
            always=_documents(plan.always),
            searched=_documents(searched),
        )
    return joined([goes_on, _read_anew(plan)])


def _documents(count: int) -> str:
    return phrase("{count:,} documents", "1 document", count=count)


def _read_anew(plan: ContextPlan) -> str:
    tokens = thousands(plan.tokens.total)
    if plan.cost_usd:
        return phrase("It reads {tokens} tokens anew, {price}.", tokens=tokens, price=dollars(plan.cost_usd))
    return phrase("It reads {tokens} tokens anew.", tokens=tokens)


def summarised(messages: int, cost_usd: float | None) -> str:
    """What was condensed, at a price where it has one."""
    if cost_usd:
        return phrase("{count:,} messages summarised for {price}.", count=messages, price=dollars(cost_usd))
    return phrase("{count:,} messages summarised.", count=messages)


def window_learned(before: int, window: int, *, overridden: bool) -> str:
    """What an overflow taught; the user's own setting of the window stays as it is."""
    said = phrase(
        "The provider takes about {window} tokens here, not {before}.",
        window=thousands(window),
        before=thousands(before),
    )
    kept = phrase("This is kept in mind from now on.")
    return joined([said, phrase("The setting for this model says otherwise.") if overridden else kept])
