"""Keeps a thread in the provider's cache by reading its last request once more, where the user asks for it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.backends.backend_protocol import Backend, KeepsCaches
from desktop_app.controller.auxiliary_calls import SpendingCaps
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.open_threads import LIFETIMES
from desktop_app.controller.ports import Clock, History
from desktop_app.controller.running_turn import to_the_end
from desktop_app.core.context.costs import MILLION, prices_for
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import KEPT_OF, CallRecord
from desktop_app.core.phrases import phrase

PURPOSE = "cache"
NOTHING_DONE = phrase("Nothing was sent.")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeepOffer:
    """Keeping the cache until a time (seconds since 1970), for so many dollars."""

    until: float
    cost_usd: float


class CacheKeeping:
    """Offers to keep a cache, and keeps it. The call's id in the ledger tells of which answer the request was."""

    def __init__(
        self,
        history: History,
        backends: Mapping[str, Backend],
        context: ContextSource,
        caps: SpendingCaps,
        clock: Clock,
    ) -> None:
        self._history = history
        self._backends = backends
        self._context = context
        self._caps = caps
        self._clock = clock

    async def offer(self, thread_id: str, plan: ContextPlan) -> KeepOffer | None:
        """Return what keeping the cache that `plan` reads takes; None where none is promised or a cap is in the way."""
        if (offered := self._offered(plan)) is None:
            return None
        request = await self._history.request(plan.price.cache.answer)
        thinking = request.get("thinking") if request is not None else None
        # the provider wants more output than the thinking it allows
        if request is None or (isinstance(thinking, Mapping) and thinking.get("type") == "enabled"):
            return None
        try:
            await self._check(thread_id, plan, offered)
        except PlimsollError:
            return None
        return offered

    async def keep(self, thread_id: str, plan: ContextPlan) -> KeepOffer | None:
        """Reads the request once more, billed and in the ledger; `PlimsollError` where it can't be, or for a cap."""
        offered, backend, answer = self._offered(plan), self._backends[plan.backend], plan.price.cache.answer
        if offered is None or not isinstance(backend, KeepsCaches):
            return None
        await self._check(thread_id, plan, offered)
        if (request := await self._history.request(answer)) is None:
            return None
        at, begun = self._clock.now(), self._clock.stamp()
        usage = await backend.keep_cached(request, plan.model)
        self._context.kept_caches[answer] = at
        call = CallRecord(
            id=f"{answer}{KEPT_OF}{self._clock.new_id()}",
            thread_id=thread_id,
            purpose=PURPOSE,
            backend=plan.backend,
            model=plan.model.id,
            cost_kind=backend.cost_kind,
            started=begun,
            ended=self._clock.stamp(),
            usage=usage,
        )
        try:
            await to_the_end(self._history.record_call(call))
        except PlimsollError as error:
            log.warning("a call could not be written into the ledger: %s", error.failure.code)
        return offered

    async def _check(self, thread_id: str, plan: ContextPlan, offered: KeepOffer) -> None:
        await self._caps.check(
            thread_id, self._backends[plan.backend], offered.cost_usd, what=PURPOSE, end=NOTHING_DONE
        )

    def _offered(self, plan: ContextPlan) -> KeepOffer | None:
        backend, promise = self._backends.get(plan.backend), plan.price.cache
        prices = prices_for(plan.model, promise.whole)
        if backend is None or not backend.overhead.keeps_warm or backend.cost_kind != "money" or prices is None:
            return None
        if not promise.answer or promise.lifetime is None:
            return None
        until = (self._clock.now() + LIFETIMES[promise.lifetime]).timestamp()
        return KeepOffer(until, promise.whole * prices.cache_read / MILLION)
