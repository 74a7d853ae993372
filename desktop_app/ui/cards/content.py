"""Owns what an error card says for a failure. Pure; knows no widget and no controller."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import dollars, offered_limit, refusal_explanation, refusal_heading, thousands
from desktop_app.core.errors import ACTIONS
from desktop_app.core.messages import Failure


@dataclass(frozen=True, slots=True)
class CardAction:
    """One button: an id of `core.errors.ACTIONS` and the words on it."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class CardContent:
    """What stands on a card. `biggest` may be empty; `actions` best first; `resolved`: the line it shrinks to."""

    heading: str
    sentence: str
    biggest: str
    actions: tuple[CardAction, ...]
    detail: str
    resolved: str


def describe_failure(failure: Failure, plan: ContextPlan | None = None, *, sent: bool = False) -> CardContent:
    """The card of a failure. `sent`: a request had left, so a partial answer may stand above the card."""
    biggest, detail = "", failure.detail
    if plan is not None and plan.decision == "refuse":
        heading = refusal_heading(plan)
        sentence, _, biggest = refusal_explanation(plan).partition("\n")
        # The biggest items are the refusal's only technical text, and they stand on the card already.
        detail = ""
    else:
        heading, stop, sentence = failure.message.partition(". ")
        heading = heading if stop else heading.rstrip(".")
    if not sentence:
        sentence = _tr("The text so far is saved.") if sent else _tr("Nothing was sent. Your draft is still below.")
    actions = tuple(
        CardAction(action, _words(action, plan))
        for action in failure.actions
        if action in ACTIONS and (action != "raise_limit" or _limit(plan) is not None)
    )
    resolved = _tr("Resolved: {what}").format(what=heading)
    return CardContent(heading, sentence, biggest, actions, detail, resolved)


def _tr(words: str) -> str:
    return QCoreApplication.translate("Cards", words)


def _limit(plan: ContextPlan | None) -> int | None:
    return offered_limit(plan) if plan is not None else None


def _words(action: str, plan: ContextPlan | None) -> str:
    words = _tr(ACTIONS[action])
    if action == "raise_limit" and plan is not None:
        words = words.format(limit=thousands(offered_limit(plan) or 0))
        if plan.cost_usd:
            words += f" · {dollars(plan.cost_usd)}"
    return words
