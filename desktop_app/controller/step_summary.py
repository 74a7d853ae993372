"""Owns the summary that is made before a request leaves messages out, where the setting asks for one (CTX-7).

Must not know how a summary is made or a request sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from desktop_app.controller.model_selection import ChosenModel
from desktop_app.controller.running_turn import with_stop
from desktop_app.controller.spending_caps import SpendingCaps
from desktop_app.controller.summaries import Summaries
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.remedies import trim_remedies
from desktop_app.core.settings import Settings


class Due(Protocol):
    """A request that is about to leave: its plan, and where it goes."""

    @property
    def plan(self) -> ContextPlan: ...

    @property
    def choice(self) -> ChosenModel: ...


class StepSummary:
    """Asks for the summary and waits for it."""

    def __init__(self, summaries: Summaries, caps: SpendingCaps, settings: Callable[[], Settings]) -> None:
        self._summaries = summaries
        self._caps = caps
        self._settings = settings

    async def tried_for(self, thread_id: str, due: Due, *, pass_cap: bool) -> bool:
        """Has what this request leaves out summarised; True where that was tried, so that it has to be planned again.

        Where no summary came of it the request goes without one; `Summaries` has told why. Raises `CancelledError`
        where the user stopped it, and `UserError("config")` where summary and request would pass a spending cap.
        """
        plan = due.plan
        # A retry after an overflow asks no model for anything (CTX-6).
        if plan.decision != "trim" or plan.shrunk or not self._settings().context.summarize_on_trim:
            return False
        if self._summaries.running(thread_id):
            await self._summaries.finished(thread_id)
            return True
        if not plan.summary_due:
            return False
        if not pass_cap:
            offered = next((remedy for remedy in trim_remedies(plan) if remedy.action == "summarise"), None)
            price = offered.cost_usd if offered is not None else None
            await self._caps.check(thread_id, due.choice.backend, (plan.cost_usd or 0.0) + (price or 0.0))
        outcome = await with_stop(self._summaries.start_at_step(thread_id, plan.summary_due))
        if outcome.stopped:
            raise asyncio.CancelledError
        return True
