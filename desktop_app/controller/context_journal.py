"""Records the context events that belong to no request: refusals, undone steps, learned windows.

The events of a plan that is sent are stored with its turn.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from desktop_app.controller.clock import Clock
from desktop_app.controller.ports import History
from desktop_app.core.context.plan import ContextEvent, ContextPlan
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import StoredEvent

log = logging.getLogger(__name__)


class ContextJournal:
    """Writes events as they happen. What can't be written is logged: the fact itself is told in any case."""

    def __init__(self, history: History, clock: Clock) -> None:
        self._history = history
        self._clock = clock

    async def of(self, thread_id: str) -> Sequence[StoredEvent]:
        """Every context event of a thread, oldest first."""
        return await self._history.events(thread_id)

    async def refused(self, thread_id: str, plan: ContextPlan) -> None:
        """Nothing of this plan was sent."""
        await self._write(thread_id, plan.advice.events, plan.price.cost_usd)

    async def taken_back(self, thread_id: str, before: ContextPlan, after: ContextPlan) -> None:
        """The newest step was undone: the next request, without a new message, before it and after it."""
        brought_back = max(0, _unsent(before) - _unsent(after))
        event = ContextEvent("undone", before.tokens.total, after.tokens.total, brought_back, after.model.id)
        await self._write(thread_id, (event,), after.price.cost_usd)

    async def window_learned(self, thread_id: str, failed: ContextPlan, window: int) -> None:
        """The provider takes `window` tokens where `failed` counted on more."""
        await self._write(
            thread_id, (ContextEvent("learned_window", failed.limits.window, window, 0, failed.model.id),), None
        )

    async def _write(self, thread_id: str, events: Sequence[ContextEvent], cost_usd: float | None) -> None:
        if not events:
            return
        log_events(events)
        try:
            await self._history.record_events(thread_id, events, at=self._clock.stamp(), cost_usd=cost_usd)
        except PlimsollError as error:
            log.warning("a context event could not be stored: %s", error.failure.code)


def log_events(events: Sequence[ContextEvent]) -> None:
    """One line in the log for each event: figures only. A summary has its line when it is made."""
    for event in events:
        if event.kind != "summarised":
            log.info("context: %s, %d -> %d, %d messages", event.kind, event.before, event.after, event.messages)


def _unsent(plan: ContextPlan) -> int:
    return sum(
        span.end - span.first for span in plan.placement.messages.spans if span.row.state in ("left_out", "summarised")
    )


def events_when_sent(plan: ContextPlan) -> tuple[ContextEvent, ...]:
    """Return the events that are stored with the turn of a plan.

    That the user took a step back is stored since it happened; what this request does is rewrite the cache.
    """
    return tuple(
        replace(event, kind="cache_rewritten") if event.kind == "undone" else event for event in plan.advice.events
    )
