"""The effects on a thread of going on with another model: what must be read again, what it can't do. Pure; no
widget.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from desktop_app.core.context.costs import request_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.context.token_estimator import MOST_STATED, TokenEstimator
from desktop_app.core.messages import ImagePart
from desktop_app.core.model_catalog import TokenizerFamily
from desktop_app.ui.i18n.amounts import price, thousands
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.model_choice import ModelChoice

WORTH_TELLING = 1_000
"""Tokens below which nobody needs to know that they are read again."""

SAMPLE = 20_000
"""Characters of a thread by which the tokenizers of two models are compared."""


def for_thread(
    choices: Iterable[ModelChoice], plan: ContextPlan | None, *, caching: Collection[str]
) -> list[ModelChoice]:
    """The choices with what each would mean for the thread that `plan` is of; None: there is no thread yet.

    `caching`: names of the backends whose requests write to a cache, at its price. The tokens are estimated for a model
    of another tokenizer: what it costs is said at most.
    """
    if plan is None or not plan.request.history:
        return [replace(choice, lacks=(), anew="") for choice in choices]
    images = any(isinstance(block, ImagePart) for message in plan.request.messages for block in message.blocks)
    looks_up = bool(plan.request.tools) and plan.placement.left_out > 0
    return [_for_thread(choice, plan, choice.backend in caching, images, looks_up) for choice in choices]


def _for_thread(choice: ModelChoice, plan: ContextPlan, writes: bool, images: bool, looks_up: bool) -> ModelChoice:
    if choice.key == (plan.backend, plan.model.id) or choice.info is None:
        return replace(choice, lacks=(), anew="")
    lacks = []
    if images and not choice.info.accepts_images:
        lacks.append(tr("sees no images"))
    if looks_up and not choice.info.accepts_tools:
        lacks.append(tr("can't look up earlier messages"))
    return replace(choice, lacks=tuple(lacks), anew=_anew(choice, plan, writes))


def _anew(choice: ModelChoice, plan: ContextPlan, writes: bool) -> str:
    if plan.tokens.total < WORTH_TELLING or choice.info is None:
        return ""
    scale = _scale(plan, choice.info.tokenizer)
    tokens = round(plan.tokens.expected * scale)
    most = round(plan.tokens.upper * scale * (1 if scale == 1 else 1 + 2 * MOST_STATED))
    lifetime = plan.request.marks[0].lifetime if plan.request.marks else "5m"
    costs = [request_cost(choice.info, count, writes=writes, lifetime=lifetime) for count in (tokens, most)]
    if costs[0] is None or choice.cost != "money":
        return tr("Reads about {tokens} tokens again").format(tokens=thousands(tokens))
    told = price(costs[0], costs[1])
    return tr("Reads about {tokens} tokens again, {price}").format(tokens=thousands(tokens), price=told)


def _scale(plan: ContextPlan, family: TokenizerFamily) -> float:
    """Return how many tokens of another family one of this plan's is, judged by the text that it sends last."""
    if family == plan.model.tokenizer:
        return 1.0
    texts: list[str] = []
    blocks = (block for message in reversed(plan.request.messages) for block in reversed(message.blocks))
    for block in blocks:
        texts.append(block_text(block)[:SAMPLE])
        if sum(map(len, texts)) >= SAMPLE:
            break
    counted = features("\n".join(texts))
    here, there = (TokenEstimator.seeded(one).tokens(counted) for one in (plan.model.tokenizer, family))
    return there / here if here and there else 1.0
