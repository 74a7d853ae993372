"""Compares what a draft could be sent as: now, after a step, under a higher limit, behind a summary, to other models.

Every row is a plan of the one planner; nothing is sent or decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_questions import limit_to_offer
from desktop_app.core.context.planner import Preparation
from desktop_app.core.messages import Part

ChoiceName: TypeAlias = Literal["as_is", "soft_limit", "raised", "summary", "model"]

TURNS: Final = 20
"""The turns that a choice's price looks ahead, the one that is about to be sent among them."""


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """One way to send a draft. Prices in dollars, before anything is answered; None: not known, or it is not sent.

    `cost_usd`: of this turn, with that of the summary it needs; `most_usd`: at most. `turn_usd`: of each turn after it,
    on average over the next ones at the thread's pace, with the steps that come up (None also before the first answer).
    """

    choice: ChoiceName
    plan: ContextPlan
    cost_usd: float | None
    most_usd: float | None
    turn_usd: float | None

    @property
    def cost_20_turns_usd(self) -> float | None:
        """The price of the next 20 turns, this one included."""
        if self.cost_usd is None or self.turn_usd is None:
            return None
        return self.cost_usd + (TURNS - 1) * self.turn_usd

    @property
    def findable(self) -> int:
        """The number of messages left out that the model can look up."""
        return self.plan.placement.left_out if any(tool.recalls for tool in self.plan.request.tools) else 0

    @property
    def figures(self) -> tuple[object, ...]:
        """The figures by which two choices of one model are told apart."""
        return self.plan.tokens.total, self.plan.placement.left_out, self.cost_usd, self.turn_usd


def compared(
    prepared: Preparation, draft: Sequence[Part], others: Sequence[Preparation] = ()
) -> tuple[PlanChoice, ...]:
    """The choices for a draft, as it is first; `others`: the thread made ready for other models.

    Left away are those that there are not: no higher limit where the model takes no more, no summary of too little, no
    step where nothing would change. Takes some plans' time: may be called off the thread.
    """
    found: dict[object, PlanChoice] = {}
    for one in _choices(prepared, draft, others):
        found.setdefault((one.plan.backend, one.plan.model.id, one.plan.limits.soft, one.figures), one)
    return tuple(found.values())


def _choices(prepared: Preparation, draft: Sequence[Part], others: Sequence[Preparation]) -> Iterator[PlanChoice]:
    now = prepared.plan(draft)
    yield _choice("as_is", prepared, now)
    yield _choice("soft_limit", prepared, prepared.stepped(draft))
    offered = next((one.limit for one in now.advice.options if one.action == "raise_limit"), None)
    limit = offered or limit_to_offer(now.tokens.total, now.limits, now.model)
    if limit is not None:
        raised = prepared.with_limit(limit)
        yield _choice("raised", raised, raised.plan(draft))
    if (summarised := prepared.summarised(draft)) is not None:
        behind, price = summarised
        yield _choice("summary", behind, behind.plan(draft), price)
    for other in others:
        yield _choice("model", other, other.plan(draft))


def _choice(
    name: ChoiceName,
    prepared: Preparation,
    plan: ContextPlan,
    before: tuple[float | None, float | None] = (0.0, 0.0),
) -> PlanChoice:
    if plan.decision == "refuse":
        return PlanChoice(name, plan, None, None, None)
    own = plan.price.cost_usd, plan.price.most_usd
    cost, most = (None if a is None or b is None else a + b for a, b in zip(own, before, strict=True))
    return PlanChoice(name, plan, cost, most, prepared.turn_usd(plan, TURNS - 1))
