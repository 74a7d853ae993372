"""Computes the soft, low and emergency limits from a model's window, and a request's use of each limit.

The limits are whole numbers, so that those of one model are the same everywhere, to the token (PRODUCT.md CTX-3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from desktop_app.core.context.boundaries import LAST_TURN, RequestSize, within_caps
from desktop_app.core.context.plan import (
    ContextPlan,
    LimitKind,
    Limits,
    LimitUse,
    PlacedMessage,
    PlanWarning,
    WarningCode,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import ContextSettings

OUTPUT_RESERVE: Final = 20_000
"""Tokens kept free for the answer at most: a 128K output reserved whole would halve the usable window."""

SMALLEST_SOFT: Final = 100
"""A soft limit below this is taken as this, so that 0 < L < H < E holds for any position."""

TOOL_ROOM: Final = 4_000
"""Tokens below the soft limit that a turn needs whose tools search documents, at most a fifth of the limit."""

LOW_SHARE: Final = (7, 10)
"""L as a share of H: how far a step goes down (PRODUCT.md CTX-4)."""

LOW_SHARE_OF_PAID_WRITES: Final = (29, 50)
"""L as a share of H where a provider charges more for what it writes to its cache than for plain input.

A step rewrites all that it keeps, and what is kept is read by every turn until the next one. With w the price of a
written and r that of a read token (input = 1) and d tokens a turn, a turn costs w L d / (H - L) + r (H + L) / 2, least
at L = H - sqrt(2 w d H / r): 0.59 H for w = 1.25, r = 0.1, d = 1,000 and H = 150,000. 0.58 and not more or less because
of the targets for 400 turns (decision 0014): at 0.60 the `claude` program costs 0.1253 of no caching, at 0.56 half of
all conversations fall below a mean context of 100,000 tokens.
"""


COLD_SHARE: Final = (17, 20)
"""Share of H (0.85) from which a step is taken while the cache is cold: the prefix is rewritten anyway."""

THINKING_ROOM: Final = 2_048
"""Tokens of output beside what is asked for, for models that always think and count it as output."""


def output_reserve(model: ModelInfo) -> int:
    """R: the tokens of the window that stay free for the answer: min(max output, 20K, W / 4)."""
    return max(1, min(model.max_output, OUTPUT_RESERVE, model.window // 4))


def highest_soft(model: ModelInfo) -> int:
    """H_max: how far the soft limit of this model can be raised."""
    return _emergency_max(model) * 5 // 6


def limit_assumed(plan: ContextPlan) -> bool:
    """Return True if the limit comes from a window that is only assumed; a lower one is one that somebody has set."""
    return not plan.limits.window_known and plan.limits.soft >= highest_soft(plan.model)


def guess_decides(plan: ContextPlan) -> bool:
    """Return True if an assumed limit is why the request is refused, or why messages are left out of it."""
    boundary = plan.placement.boundary
    trims = plan.placement.left_out > 0 and (boundary.cause, boundary.soft) == ("tokens", plan.limits.soft)
    return limit_assumed(plan) and (plan.decision == "refuse" or trims)


def _emergency_max(model: ModelInfo) -> int:
    return min(model.window * 9 // 10, model.window - output_reserve(model))


def limits_for(
    model: ModelInfo, settings: ContextSettings, soft_limit: int | None = None, *, accepted_cliff: bool = False
) -> Limits:
    """The limits of a model in tokens: 0 < L < H < E <= W - R.

    `soft_limit` is the thread's own position and wins over the settings'. A position of the thread above the model's
    price cliff was chosen with the price in view, so the cliff is accepted; the settings' one was not,
    unless `accepted_cliff` says so.
    For a 200,000-token window with defaults: H = 150,000, E = 180,000, and L = 105,000, or 87,000 where a write to the
    cache costs more than input.
    """
    position = settings.soft_limit if soft_limit is None else soft_limit
    if soft_limit is None and model.price_cliff is not None and not accepted_cliff:
        position = min(position, model.price_cliff)
    soft = min(max(position, SMALLEST_SOFT), highest_soft(model))
    share, of = LOW_SHARE_OF_PAID_WRITES if _writes_cost_more(model) else LOW_SHARE
    return Limits(
        window=model.window,
        soft=soft,
        low=soft * share // of,
        emergency=min(soft * 6 // 5, _emergency_max(model)),
        max_output=model.max_output,
        window_known=model.window_source != "assumed",
    )


def _writes_cost_more(model: ModelInfo) -> bool:
    return model.prices is not None and model.prices.cache_write_5m > model.prices.input


def output_to_ask(model: ModelInfo, upper: int) -> int:
    """The output to ask for beside a request of at most `upper` tokens; at least 1."""
    return max(1, min(model.max_output, model.window - upper))


def most_output(model: ModelInfo, answer: int) -> int:
    """The output to ask a model for whose answer may have so many tokens."""
    return answer + (THINKING_ROOM if model.thinking == "always" else 0)


NEAR_FROM: Final = 0.80
"""Share of a limit from which a plan warns (PRODUCT.md CTX-4)."""


def spoken_rows(messages: Sequence[PlacedMessage]) -> Iterator[int]:
    """The rows of a plan at which a question or an answer begins: what every word about messages counts.

    Rounds of tools belong to their answer; what has no tokens says nothing.
    """
    in_answer = False
    for row, message in enumerate(messages):
        if message.whole:
            if message.asked or not in_answer:
                yield row
            in_answer = not message.asked


def counted_uses(
    settings: ContextSettings, before: RequestSize, load: RequestSize, *, asked: bool
) -> tuple[LimitUse, ...]:
    """The caps on messages and turns that are on. `before`: the request without a step; `asked`: it has a question.

    Every turn adds a question and an answer; with the question already counted, its answer comes before the next one.
    """
    messages, turns = settings.max_messages, settings.max_turns
    found = []
    if messages:
        left = (messages - load.messages + (not asked)) // 2
        found.append(LimitUse("messages", load.messages, messages, before.messages, max(0, left)))
    if turns:
        found.append(LimitUse("turns", load.turns, turns, before.turns, max(0, turns - load.turns)))
    return tuple(found)


def least_turns(by_tokens: int | None, counts: Sequence[LimitUse]) -> int | None:
    """Return the number of further turns that fit under every limit; None where none of them can tell."""
    return min((use for use in (by_tokens, *(count.turns_left for count in counts)) if use is not None), default=None)


def nearest_limit(plan: ContextPlan) -> LimitUse:
    """The limit that a request uses most of; of several that are near, the one that ends the room first."""
    uses = (LimitUse("tokens", plan.tokens.total, plan.limits.soft), *plan.advice.counts)
    near = [use for use in uses if use.share >= NEAR_FROM]
    first = [use for use in near if use.turns_left is not None and use.turns_left == plan.advice.turns_left]
    return max(first or near or uses, key=lambda use: use.share)


def use_words(use: LimitUse) -> str:
    """`11 of 12 messages`, exact."""
    match use.kind:
        case "tokens":
            return phrase("{used:,} of {cap:,} tokens", used=use.used, cap=use.cap)
        case "messages":
            return phrase("{used:,} of {cap:,} messages", used=use.used, cap=use.cap)
        case "turns":
            return phrase("{used:,} of {cap:,} turns", used=use.used, cap=use.cap)


def warnings_of(
    limits: Limits, settings: ContextSettings, tokens: int, counts: Sequence[LimitUse]
) -> tuple[PlanWarning, ...]:
    """Which limits the request fills to 80 % or more, and whether the caps leave no room for the beginning."""
    found = []
    for use in (LimitUse("tokens", tokens, limits.soft), *counts):
        if use.share >= NEAR_FROM:
            found.append(PlanWarning(_NEAR[use.kind], use.used, use.cap, use_words(use)))
    head = head_over_cap(settings)
    return (*found, head) if head is not None else tuple(found)


_NEAR: Final[dict[LimitKind, WarningCode]] = {"tokens": "near_soft", "messages": "near_messages", "turns": "near_turns"}


def head_over_cap(settings: ContextSettings) -> PlanWarning | None:
    """That a cap leaves no room for as much of the beginning as is set, or for the last turn; None where it does."""
    if 0 < settings.max_messages <= LAST_TURN:
        return PlanWarning(
            "head_over_cap",
            LAST_TURN + 1,
            settings.max_messages,
            phrase(
                "context.max_messages ({cap:,}) has no room for the last answer beside the first question and the new "
                "one: each turn is left out at once.",
                cap=settings.max_messages,
            ),
        )
    first, last = settings.preserve_first_n, settings.preserve_last_n
    if (kept := within_caps(settings).preserve_first_n) == first:
        return None
    by_turns = bool(settings.max_turns) and not 0 < settings.max_messages <= 2 * settings.max_turns
    used, cap = ((first + last + 1) // 2, settings.max_turns) if by_turns else (first + last, settings.max_messages)
    return PlanWarning(
        "head_over_cap",
        used,
        cap,
        phrase(
            "context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} "
            "({cap:,}). The newest messages win: only the first {count:,} stay.",
            "context.preserve_first_n ({first:,}) and context.preserve_last_n ({last:,}) don't fit under {name} "
            "({cap:,}). The newest messages win: only the first one stays.",
            first=first,
            last=last,
            name="context.max_turns" if by_turns else "context.max_messages",
            cap=cap,
            count=kept,
        ),
    )


def lowered_limit(model: ModelInfo, limits: Limits, settings: ContextSettings, own: int | None) -> str:
    """Why a soft limit that somebody set is not in force; "" where it is. `own`: the thread's."""
    wanted = settings.soft_limit if own is None else own
    if limits.soft >= wanted or (own is None and wanted == ContextSettings().soft_limit):
        return ""
    name = "context.soft_limit" if own is None else phrase("The soft limit of this thread")
    if limits.soft == highest_soft(model):
        return phrase(
            "{setting} is {wanted:,}, but {model} takes at most {used:,}; {used:,} is used.",
            setting=name,
            wanted=wanted,
            model=model.name,
            used=limits.soft,
        )
    return phrase(
        "{setting} is {wanted:,}, but {model} costs more above {used:,}; {used:,} is used.",
        setting=name,
        wanted=wanted,
        model=model.name,
        used=limits.soft,
    )
