"""Rewrites of a selected part of a text by a model, with the whole text as context: a call that is no turn."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from desktop_app.controller.auxiliary_calls import AuxiliaryCalls
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ModelChooser
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.spending_caps import SpendingCaps
from desktop_app.core.context.plan_text import refusal, unsent
from desktop_app.core.errors import UserError
from desktop_app.core.messages import TextPart
from desktop_app.core.phrases import phrase
from desktop_app.core.selection_request import PURPOSE, SYSTEM, replacement_of, selection_prompt
from desktop_app.core.stream_events import Accumulator

UNCHANGED: Final = phrase("Nothing was changed.")


class SelectionRewriting:
    """Asks by the thread's backend and model."""

    def __init__(
        self,
        *,
        open_threads: OpenThreads,
        chooser: ModelChooser,
        context: ContextSource,
        caps: SpendingCaps,
        calls: AuxiliaryCalls,
    ) -> None:
        self._open_threads = open_threads
        self._chooser = chooser
        self._context = context
        self._caps = caps
        self._calls = calls

    async def rewrite(self, thread_id: str, text: str, start: int, end: int, wish: str) -> str:
        """Return the text that replaces the characters `start` to before `end`. Cancelling it stops the model.

        Raises `PlimsollError` where the model, a spending cap or a limit stands in the way.
        """
        thread = (await self._open_threads.get(thread_id)).thread
        choice = await self._chooser.choose(thread)
        await self._chooser.check_usable(choice.backend)
        plain = self._context.plain(thread, choice, system=SYSTEM, estimator=await self._context.estimator(choice))
        draft = (TextPart(selection_prompt(text, start, end, wish)),)
        plan = await asyncio.to_thread(plain.plan, draft)
        if plan.decision == "refuse":
            failure = refusal(plan)
            raise UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions)
        await self._caps.check(thread_id, choice.backend, plan.price.cost_usd, end=unsent(plan))
        call = Accumulator()
        broke_off = phrase("The answer was cut off. {unchanged}", unchanged=UNCHANGED)
        await self._calls.ask(
            thread,
            choice,
            replace(plan, request=replace(plan.request, tools=())),
            call,
            purpose=PURPOSE,
            broke_off=broke_off,
        )
        if call.stop_reason == "refusal":
            raise UserError("backend", phrase("The model declined. {unchanged}", unchanged=UNCHANGED))
        if call.stop_reason == "max_tokens":
            raise UserError(
                "backend",
                phrase("The model reached its length limit. Select less. {unchanged}", unchanged=UNCHANGED),
            )
        said = "\n\n".join(part.text for part in call.parts if isinstance(part, TextPart))
        replacement = replacement_of(said, text[start:end])
        if not replacement.strip():
            raise UserError(
                "backend", phrase("The model wrote nothing. {unchanged}", unchanged=UNCHANGED), actions=("retry",)
            )
        return replacement
