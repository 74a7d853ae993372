"""The words of a card in an answer's place: for a failure, or for a question. Pure; uses no widget and no
controller.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import refusal_explanation, refusal_heading
from desktop_app.core.context.remedies import Remedy, refusal_remedies, trim_remedies
from desktop_app.core.errors import ACTIONS, TEXT_SAVED
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import Phrase, having
from desktop_app.ui.i18n.amounts import dollars, price, thousands
from desktop_app.ui.i18n.language import parted, tr, translated

LONGEST_NAME = 28
"""Characters of a document's name on a button."""

Tone: TypeAlias = Literal["error", "question"]


@dataclass(frozen=True, slots=True)
class CardAction:
    """One button: an id of its own on this card, the words on it, and what it needs."""

    id: str
    words: str
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of a card. `biggest` may be empty; `actions` best first; `resolved`: the line it shrinks to."""

    heading: str
    sentence: str
    biggest: str
    actions: tuple[CardAction, ...]
    detail: str
    resolved: str
    tone: Tone = "error"

    def action(self, name: str) -> CardAction | None:
        """The action of that id."""
        return next((action for action in self.actions if action.id == name), None)


def describe_failure(
    failure: Failure,
    plan: ContextPlan | None = None,
    *,
    sent: bool = False,
    known: Collection[str] = ACTIONS,
    unsent: str = "",
    saved: str = TEXT_SAVED,
) -> CardContent:
    """The card of a failure. `sent`: a request had left, so a partial answer may stand above the card.

    `known`: the actions that can be carried out here; others are not offered. `unsent`: what is said where nothing was
    sent, if the draft does not stand below the card. `saved`: what is said of the text that came.
    """
    biggest, detail = "", translated(failure.detail)
    remedies: Sequence[Remedy] = [Remedy(action) for action in failure.actions]
    if plan is not None and plan.decision == "refuse":
        heading = translated(refusal_heading(plan))
        sentence, _, biggest = translated(refusal_explanation(plan)).partition("\n")
        # The biggest items are the refusal's only technical text, and they stand on the card already.
        detail = ""
        remedies = refusal_remedies(plan)
    else:
        heading, sentence = parted(having(failure.message, saved=saved))
    if not sentence:
        unsent = unsent or tr("Nothing was sent. Your draft is still below.")
        sentence = translated(saved) if sent else unsent
    resolved = tr("Resolved: {what}").format(what=heading)
    return CardContent(heading, sentence, biggest, _actions(remedies, known), detail, resolved)


def describe_crossing(plan: ContextPlan) -> CardContent:
    """Return the question asked before a thread passes its soft limit for the first time (CTX-14); prices on the
    buttons.
    """
    heading = tr("This thread passes {limit} tokens for the first time").format(limit=thousands(plan.limits.soft))
    sentence = tr(
        "{model} takes more. Nothing was sent yet: keep to the limit and leave out older messages, or raise it."
    ).format(model=plan.model.name)
    asked = [remedy for remedy in trim_remedies(plan) if remedy.action in ("keep_trimming", "raise_limit")]
    return CardContent(heading, sentence, _each_turn(asked), _actions(asked, ACTIONS), "", tr("Answered"), "question")


def _each_turn(asked: Sequence[Remedy]) -> str:
    """Return the cost that goes on being paid under each limit; empty where that is not known."""
    told = [
        tr("{price} at {limit}").format(price=dollars(remedy.turn_usd), limit=thousands(remedy.limit))
        for remedy in asked
        if remedy.turn_usd
    ]
    return tr("Each turn after that: about {prices}").format(prices=", ".join(told)) if told else ""


def _actions(remedies: Sequence[Remedy], known: Collection[str]) -> tuple[CardAction, ...]:
    actions: list[CardAction] = []
    taken: dict[str, int] = {}
    for remedy in remedies:
        usable = remedy.action in ACTIONS and remedy.action in known
        # a limit without a number is nothing to press
        if usable and not (remedy.action == "raise_limit" and not remedy.limit):
            taken[remedy.action] = number = taken.get(remedy.action, 0) + 1
            name = remedy.action if number == 1 else f"{remedy.action}-{number}"
            actions.append(CardAction(name, _words(remedy), remedy))
    return tuple(actions)


def _words(remedy: Remedy) -> str:
    name = remedy.name
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 9].rstrip()}…{name[-8:]}"
    words = translated(Phrase(ACTIONS[remedy.action], {"limit": thousands(remedy.limit), "name": name}))
    return f"{words} · {price(remedy.cost_usd, remedy.most_usd)}" if remedy.cost_usd else words
