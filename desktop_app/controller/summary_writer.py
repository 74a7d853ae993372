"""Calls the model that writes a summary: one plain request per piece, each in the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.controller.auxiliary_calls import AuxiliaryCalls
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ChosenModel
from desktop_app.controller.ports import History
from desktop_app.controller.running_turn import stop_wished
from desktop_app.controller.spending_caps import SpendingCaps
from desktop_app.core.context.limits import most_output
from desktop_app.core.context.plan import ContextPlan, Limits
from desktop_app.core.context.plan_text import refusal
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.sent_content import SUMMARY_HEADING, clean_text
from desktop_app.core.context.summary_request import SummaryWork, summary_work
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.phrases import Phrase, phrase, template
from desktop_app.core.stream_events import Accumulator

PURPOSE: Final = "summary"

BROKE_OFF: Final = phrase("The model's summary was cut off.")
CUT_SHORT: Final = phrase("The model reached the length limit before the summary was complete.")
TOO_LONG: Final = template("It has {tokens:,} tokens; the limit is {most:,}.")
DECLINED: Final = phrase("The model declined to write a summary.")
UNSENT: Final = phrase("Nothing was sent.")


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """A text that stands for its sources, by `model`; `cost_usd` None where the cost of a call is not known."""

    text: str
    model: str
    cost_usd: float | None


class SummaryWriter:
    """Has conversations condensed, each by the backend and model of a choice."""

    def __init__(self, history: History, context: ContextSource, caps: SpendingCaps, clock: Clock) -> None:
        self._calls = AuxiliaryCalls(history, clock)
        self._context = context
        self._caps = caps

    async def work(
        self, thread: Thread, sources: Sequence[Message], limits: Limits, choice: ChosenModel
    ) -> SummaryWork | None:
        """Return the work of summarising these messages; None where they are too few or nothing but tools.

        `limits` of the thread say how long the summary may be, those of the model that writes it what it can read.
        """
        estimator = await self._context.estimator(choice)
        own = self._context.plain(thread, choice, system="", estimator=estimator).plan(()).limits
        # Weighing the text of a whole window takes longer than a frame.
        return await asyncio.to_thread(summary_work, sources, replace(limits, emergency=own.emergency), estimator)

    async def condense(
        self, thread: Thread, choice: ChosenModel, work: SummaryWork, *, pass_cap: bool = False
    ) -> WrittenSummary:
        """The summary, each piece continuing the one before. Cancelling it stops the model.

        Raises `PlimsollError` where the model, a spending cap (not asked with `pass_cap`) or a limit stands in the way.
        """
        estimator = await self._context.estimator(choice)
        calls: list[Accumulator] = []
        text = ""
        for piece in range(len(work.pieces)):
            if stop_wished():
                raise asyncio.CancelledError
            plain = self._context.plain(thread, choice, system=work.system, estimator=estimator)
            plan = await asyncio.to_thread(_plan, plain, work, piece, text)
            if plan.decision == "refuse":
                failure = refusal(plan)
                raise UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions)
            if not pass_cap:
                rest = (plan.price.cost_usd or 0.0) * (len(work.pieces) - piece)
                await self._caps.check(thread.id, choice.backend, rest, what=PURPOSE, end=UNSENT)
            call = Accumulator()
            calls.append(call)
            await self._calls.ask(thread, choice, plan, call, purpose=PURPOSE, broke_off=BROKE_OFF)
            text = await asyncio.to_thread(_settled, call, work, estimator)
        costs = [call.usage.cost_usd if call.usage is not None else None for call in calls]
        known = [cost for cost in costs if cost is not None]
        return WrittenSummary(
            text,
            calls[-1].model or choice.model.id,
            sum(known) if len(known) == len(costs) else None,
        )


def _plan(plain: Preparation, work: SummaryWork, piece: int, so_far: str) -> ContextPlan:
    plan = plain.plan((TextPart(work.prompt(piece, so_far)),))
    most = min(plan.limits.max_output, most_output(plan.model, work.output))
    return replace(plan, limits=replace(plan.limits, max_output=most))


def _settled(call: Accumulator, work: SummaryWork, estimator: TokenEstimator) -> str:
    """The text of an ended call; `UserError` where it is cut short or longer than a summary may be."""
    if call.stop_reason == "refusal":
        raise UserError("backend", DECLINED)
    text = "\n\n".join(part.text for part in call.parts if isinstance(part, TextPart))
    text = clean_text(text).strip().removeprefix(SUMMARY_HEADING).strip()
    tokens = round(estimator.tokens(features(text)))
    if tokens > work.size:
        raise UserError("backend", Phrase(TOO_LONG, {"tokens": tokens, "most": work.size}), actions=("retry",))
    if call.stop_reason == "max_tokens":
        raise UserError("backend", CUT_SHORT, actions=("retry",))
    return text
