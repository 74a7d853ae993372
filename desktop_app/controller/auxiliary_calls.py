"""Model calls that are no turn, such as a summary's or a title's: read to their end, and in the ledger."""

from __future__ import annotations

import asyncio
import logging

from desktop_app.backends.backend_protocol import close_stream
from desktop_app.controller.clock import Clock
from desktop_app.controller.model_selection import ChosenModel
from desktop_app.controller.ports import History
from desktop_app.controller.running_turn import INTERRUPTED, to_the_end
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.history_records import CallRecord
from desktop_app.core.messages import Thread
from desktop_app.core.stream_events import Accumulator

log = logging.getLogger(__name__)


class AuxiliaryCalls:
    """Makes the calls. Nothing of them is stored but their figures."""

    def __init__(self, history: History, clock: Clock) -> None:
        self._history = history
        self._clock = clock

    async def ask(
        self,
        thread: Thread,
        choice: ChosenModel,
        plan: ContextPlan,
        call: Accumulator,
        *,
        purpose: str,
        broke_off: str,
    ) -> None:
        """One call, read to its end into `call`; in the ledger however it ends. Cancelling it stops the model.

        Raises `PlimsollError` for what the provider says, and with the words `broke_off` where there was no end.
        """
        begun, code = self._clock.stamp(), "backend"
        stream = choice.backend.stream(plan)
        try:
            async for event in stream:
                call.add(event)
            if call.failure is not None:
                code = call.failure.code
                raise UserError(code, call.failure.message, detail=call.failure.detail, actions=call.failure.actions)
            if call.stop_reason is None:
                raise UserError("backend", broke_off, actions=("retry",))
            code = ""
        except asyncio.CancelledError:
            code = INTERRUPTED
            raise
        finally:
            await to_the_end(close_stream(stream))
            record = CallRecord(
                id=self._clock.new_id(),
                thread_id=thread.id,
                purpose=purpose,
                backend=choice.backend.name,
                model=call.model or plan.model.id,
                cost_kind=choice.backend.cost_kind,
                started=begun,
                ended=self._clock.stamp(),
                usage=call.usage,
                failure=code,
            )
            await to_the_end(self._record(record))

    async def _record(self, call: CallRecord) -> None:
        try:
            await self._history.record_call(call)
        except PlimsollError as error:
            # The text that was paid for is not thrown away for it.
            log.warning("a call could not be written into the ledger: %s", error.failure.code)
