"""Owns the words in which a plan is told to people: gauge, load line, trim, refusal. Knows no widget and no terminal.

Window and command line share these texts. Numbers are rounded to thousands, except in a refusal, which is exact.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.remedies import offered_limit, refusal_remedies
from desktop_app.core.messages import Failure

__all__ = [
    "LOAD_LINE",
    "NEAR_FROM",
    "GaugeState",
    "crossing_question",
    "dollars",
    "gauge_line",
    "gauge_sentence",
    "gauge_state",
    "offered_limit",
    "refusal",
    "refusal_explanation",
    "refusal_heading",
    "thousands",
    "trim_detail",
    "trim_line",
]

GaugeState: TypeAlias = Literal["calm", "near", "trim", "refused", "unknown"]

LOAD_LINE: Final = "The model reads from here"
QUIET_BELOW: Final = 0.10
"""Share of the soft limit below which the gauge says nothing."""
NEAR_FROM: Final = 0.80
"""Share of the soft limit from which the gauge warns."""
WORKING_ACTIONS: Final = frozenset(
    {
        *("raise_limit", "edit_draft", "new_thread", "switch_model", "summarise", "new_thread_summary"),
        *("remove_document", "exclude", "unpin", "edit_system", "undo_trim", "keep_trimming", "send"),
    }
)
"""The remedies that the window can carry out; the command line names them."""
WORTH_NAMING: Final = 0.01
"""Share of a request that is too long from which one of its parts is named as one of the largest."""


def thousands(tokens: int) -> str:
    """`62K`, `1.5M`; below ten thousand with one decimal (`4.2K`), below one thousand as it is."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 9_950:
        return f"{tokens / 1_000:.1f}".removesuffix(".0") + "K"
    if tokens < 999_500:
        return f"{(tokens + 500) // 1_000}K"
    return f"{tokens / 1_000_000:.2f}".rstrip("0").rstrip(".") + "M"


def dollars(amount: float) -> str:
    """`$0.54`; less than a cent is said so."""
    return "<$0.01" if 0 < amount < 0.005 else f"${amount:,.2f}"


def gauge_state(plan: ContextPlan) -> GaugeState:
    """Which of the gauge's five states a plan is in; what needs a decision comes first."""
    if plan.decision == "refuse":
        return "refused"
    if plan.decision == "trim":
        return "trim"
    if not plan.limits.window_known:
        return "unknown"
    return "near" if plan.tokens.total >= NEAR_FROM * plan.limits.soft else "calm"


def gauge_line(plan: ContextPlan, *, show_above_usd: float | None = None, cache_expired: bool = False) -> str:
    """The line under the gauge, parts separated by ` · `; empty while it has nothing to say.

    `show_above_usd`: the price joins the line from this many dollars on (None: never); `cache_expired`: the price
    joins because the whole conversation has to be read again. A word that invites to do something stands last.
    """
    parts, invitation = _state_parts(plan)
    # what is not going to be sent has no price
    price = plan.cost_usd if plan.decision != "refuse" else None
    if parts and price and show_above_usd is not None and (price >= show_above_usd or cache_expired):
        parts.append(dollars(price))
        if cache_expired:
            parts.append("cache expired")
    return " · ".join([*parts, *invitation])


def _state_parts(plan: ContextPlan) -> tuple[list[str], list[str]]:
    """What the state says, and the word that invites to do something about it."""
    limits = plan.limits
    match gauge_state(plan):
        case "refused":
            return _against(plan.tokens.upper, limits.emergency), ["Make room"]
        case "trim":
            return [f"Sending leaves out {_messages(plan.newly_left_out, 'older ')}"], ["Review"]
        case "unknown" if _is_worth_telling(plan):
            return [_amount(plan), "limit unknown"], ["Set"]
        case "near":
            return [f"{_amount(plan)} of {thousands(limits.soft)}", *_turns(plan)], []
        case "calm" if _is_worth_telling(plan):
            return [f"{_amount(plan)} of {thousands(limits.soft)}"], []
        case _:
            return [], []


def gauge_sentence(plan: ContextPlan) -> str:
    """The gauge's value for a screen reader: one sentence."""
    about = "About " if _is_estimate(plan) else ""
    used = f"{about}{plan.tokens.total:,} of {plan.limits.soft:,} tokens used"
    match gauge_state(plan):
        case "refused":
            return (
                f"Too long to send: {_exact(plan)}, the limit is {plan.limits.emergency:,}. Make room before sending."
            )
        case "trim":
            return f"Sending leaves out {_messages(plan.newly_left_out, 'older ')}."
        case "unknown":
            return f"{about}{plan.tokens.total:,} tokens used; the model's limit is not known."
        case "near":
            turns = "".join(f", {words}" for words in _turns(plan))
            return f"{used}{turns}."
        case "calm":
            return f"{used}."


def trim_line(left_out: int) -> str:
    """The one line beneath the message that caused a trim."""
    return f"{_messages(left_out, 'older ')} left out"


def trim_detail(before: int, after: int, cost_usd: float | None) -> str:
    """What the trim line unfolds to; tokens before and after."""
    price = f", {dollars(cost_usd)}" if cost_usd else ""
    return f"{thousands(before)} -> {thousands(after)} · cache rewritten{price}"


def refusal_heading(plan: ContextPlan) -> str:
    """`This conversation is too long to continue (183,412 estimated tokens, limit 180,000)`."""
    return f"This conversation is too long to continue ({_exact(plan)}, limit {plan.limits.emergency:,})"


def refusal_explanation(plan: ContextPlan) -> str:
    """The sentences under the heading: what happened to the draft, and what is largest."""
    largest = _largest(plan)
    kept = "Nothing was sent. Your draft is still below."
    return f"{kept}\nLargest: {largest}" if largest else kept


def refusal(plan: ContextPlan) -> Failure:
    """The failure of a refused plan: one sentence, the details, and the actions that can help, best first."""
    actions = tuple(dict.fromkeys(r.action for r in refusal_remedies(plan) if r.action in WORKING_ACTIONS))
    largest = _largest(plan)
    return Failure(
        "context_limit",
        f"{refusal_heading(plan)}. Nothing was sent; the draft is kept.",
        detail=f"Largest: {largest}" if largest else "",
        actions=actions,
    )


def crossing_question(plan: ContextPlan) -> str:
    """What is asked before the first step, or before a long thread is read anew; empty where nothing is (CTX-14)."""
    prices = {option.action: option for option in plan.options}
    if plan.asks == "first_crossing":
        keep, whole = prices["keep_trimming"], prices["raise_limit"]
        return (
            f"This thread passes {thousands(plan.limits.soft)} tokens for the first time, and {plan.model.name} takes "
            f"more. Keep to {thousands(keep.limit)}{_for(keep.cost_usd)}, or raise the limit to "
            f"{thousands(whole.limit)}{_for(whole.cost_usd)}?"
        )
    if plan.asks == "cold_reopen":
        summarise = prices.get("summarise")
        instead = (
            f" A summary first makes it {dollars(summarise.cost_usd)} in all."
            if summarise is not None and summarise.cost_usd
            else ""
        )
        price = f" for {dollars(plan.cost_usd)}" if plan.cost_usd else ""
        anew = f"sending reads {thousands(plan.tokens.total)} tokens anew{price}."
        return f"The cache of this thread has expired: {anew}{instead}"
    return ""


def _for(price: float | None) -> str:
    return f" for {dollars(price)}" if price else ""


def _largest(plan: ContextPlan) -> str:
    """What it would help to shorten; what makes no difference is not named."""
    worth = [item for item in plan.biggest if item.tokens >= WORTH_NAMING * plan.tokens.total]
    return " · ".join(f"{item.label} {thousands(item.tokens)}" for item in worth)


def _messages(count: int, kind: str = "") -> str:
    return f"{count:,} {kind}message{'' if count == 1 else 's'}"


def _is_worth_telling(plan: ContextPlan) -> bool:
    return plan.tokens.total >= QUIET_BELOW * plan.limits.soft


def _is_estimate(plan: ContextPlan) -> bool:
    # an uncertainty below half of the last digit shown is none to the reader
    return plan.tokens.source != "measured" and 2 * plan.tokens.sigma >= 500


def _amount(plan: ContextPlan) -> str:
    return ("≈" if _is_estimate(plan) else "") + thousands(plan.tokens.total)


def _exact(plan: ContextPlan) -> str:
    kind = "tokens" if plan.tokens.source == "measured" else "estimated tokens"
    return f"{plan.tokens.upper:,} {kind}"


def _against(tokens: int, limit: int) -> list[str]:
    if thousands(tokens) == thousands(limit):
        return [f"{tokens:,}", f"limit {limit:,}"]
    return [thousands(tokens), f"limit {thousands(limit)}"]


def _turns(plan: ContextPlan) -> list[str]:
    if plan.turns_left is None:
        return []
    left = max(1, plan.turns_left)
    return [f"about {left:,} turn{'' if left == 1 else 's'} left"]
