"""Owns the look into the ledger of model calls. Must not know how it is summed up or shown."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.controller.ports import History
from desktop_app.core.history_records import EventCount, LedgerRow


class UsageBook:
    """What all model calls used and cost, and what became of the contexts."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def rows(self) -> Sequence[LedgerRow]:
        """Every call ever made, summed by thread, day, backend, model, purpose and kind of cost; newest day first."""
        return await self._history.ledger()

    async def events(self) -> Sequence[EventCount]:
        """Every trim, summary, refusal and other context event, counted by thread, day and kind; newest day first."""
        return await self._history.event_counts()
