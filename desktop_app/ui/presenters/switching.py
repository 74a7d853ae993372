"""Owns what it means for a thread to go on with another model: what is read anew, what it can't do. Pure; no widget."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from desktop_app.core.context.cost import request_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import ImagePart
from desktop_app.ui.amounts import dollars, thousands
from desktop_app.ui.composer.model_choice import ModelChoice

WORTH_TELLING = 1_000
"""Tokens below which nobody needs to know that they are read anew."""


def for_thread(
    choices: Iterable[ModelChoice], plan: ContextPlan | None, *, caching: Collection[str]
) -> list[ModelChoice]:
    """The choices with what each would mean for the thread that `plan` is of; None: there is no thread yet.

    `caching`: names of the backends whose requests write to a cache, at its price. The tokens are those of the model
    that answers now: another may count some more or less.
    """
    if plan is None or not plan.history:
        return [replace(choice, lacks=(), anew="") for choice in choices]
    images = any(isinstance(block, ImagePart) for message in plan.request_messages for block in message.blocks)
    looks_up = bool(plan.tools) and plan.left_out > 0
    return [_for_thread(choice, plan, choice.backend in caching, images, looks_up) for choice in choices]


def _for_thread(choice: ModelChoice, plan: ContextPlan, writes: bool, images: bool, looks_up: bool) -> ModelChoice:
    if choice.key == (plan.backend, plan.model.id) or choice.info is None:
        return replace(choice, lacks=(), anew="")
    lacks = []
    if images and not choice.info.accepts_images:
        lacks.append(_tr("sees no images"))
    if looks_up and not choice.info.accepts_tools:
        lacks.append(_tr("can’t look up earlier messages"))
    return replace(choice, lacks=tuple(lacks), anew=_anew(choice, plan.tokens.total, writes))


def _anew(choice: ModelChoice, tokens: int, writes: bool) -> str:
    if tokens < WORTH_TELLING or choice.info is None:
        return ""
    price = request_cost(choice.info, tokens, writes=writes) if choice.cost == "money" else None
    if price is None:
        return _tr("Reads about {tokens} tokens anew").format(tokens=thousands(tokens))
    return _tr("Reads about {tokens} tokens anew, {price}").format(tokens=thousands(tokens), price=dollars(price))


def _tr(words: str) -> str:
    return QCoreApplication.translate("Switching", words)
