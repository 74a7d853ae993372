"""Computes the soft, low and emergency limits from a model's window.

All whole numbers, so that the limits of one model are the same everywhere, to the token (PRODUCT.md CTX-3).
"""

from __future__ import annotations

from typing import Final

from desktop_app.core.context.context_settings import ContextSettings
from desktop_app.core.context.plan import Limits
from desktop_app.core.model_catalog import ModelInfo

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


THINKING_ROOM: Final = 2_048
"""Tokens of output beside what is asked for, for models that always think and count it as output."""


def output_reserve(model: ModelInfo) -> int:
    """R: the tokens of the window that stay free for the answer: min(max output, 20K, W / 4)."""
    return max(1, min(model.max_output, OUTPUT_RESERVE, model.window // 4))


def highest_soft(model: ModelInfo) -> int:
    """H_max: how far the soft limit of this model can be raised."""
    return _emergency_max(model) * 5 // 6


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
