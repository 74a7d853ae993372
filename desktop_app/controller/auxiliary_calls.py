"""Model calls that are no turn (a title, a selected part rewritten), each in the ledger. Spending caps over all."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from desktop_app.backends.backend_protocol import Backend, close_stream
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ChosenModel, ModelChooser
from desktop_app.controller.open_threads import OpenThread, OpenThreads
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.controller.running_turn import INTERRUPTED, to_the_end
from desktop_app.controller.thread_library import ThreadProperties
from desktop_app.core.artifacts import PURPOSE, SYSTEM, replacement_of, selection_prompt
from desktop_app.core.backend_descriptors import NOT_OFFERED
from desktop_app.core.context.limits import most_output
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import dollars, refusal, unsent
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import Announcement, SendRefused, ThreadDeleted, TurnEnded, TurnFailed
from desktop_app.core.history_records import CallRecord
from desktop_app.core.messages import Message, Parameters, TextPart, Thread
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import Settings
from desktop_app.core.stream_events import Accumulator
from desktop_app.core.titles import MOST_OUTPUT, first_words, title_of_answer, title_prompt

REQUEST: Final = "request"
SUBJECTS: Final = {
    REQUEST: phrase("This request"),
    "summary": phrase("This summary"),
    "title": phrase("This title"),
    "cache": phrase("Keeping the cache"),
}
UNSENT: Final = unsent()


@dataclass(eq=False)
class SpendingCaps:
    """The caps of the settings, by UTC day and by thread; 0 turns one off."""

    _history: History
    _settings: Callable[[], Settings]
    _clock: Clock

    async def check(
        self, thread_id: str, backend: Backend, expected_usd: float | None, *, what: str = REQUEST, end: str = UNSENT
    ) -> None:
        """`UserError("config")` where `expected_usd` more (None, not known: 0) would pass a cap.

        `what` is named in its words, which `end` closes. Only what is billed in money counts: a share of a plan has
        its own limits.
        """
        if backend.cost_kind != "money":
            return
        costs, day, expected = self._settings().costs, self._clock.stamp()[:10], expected_usd or 0.0
        for cap, period, since, until, thread in (
            # of this day only: a clock that ran ahead may have spent on days to come
            (costs.day_cap_usd, phrase("a day"), day, f"{day}T24", None),
            (costs.thread_cap_usd, phrase("for this thread"), "", "9999", thread_id),
        ):
            if not cap:
                continue
            spent = await self._history.spent_usd(since=since, until=until, thread_id=thread)
            if spent + expected > cap:
                facts = {"cap": dollars(cap), "period": period, "spent": dollars(spent), "end": end}
                if spent >= cap:
                    words = phrase("The cap of {cap} {period} is passed: {spent} spent. {end}", **facts)
                else:
                    words = phrase(
                        "{what} would pass the cap of {cap} {period}: {spent} spent, about {expected} expected. {end}",
                        what=SUBJECTS.get(what, what),
                        expected=dollars(expected),
                        **facts,
                    )
                raise UserError("config", words, actions=("pass_cap", "edit_caps"))


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


TITLE_PURPOSE: Final = "title"


class ModelTitles:
    """Listens for first answers. Asks for one title at a time, and only while no answer is coming anywhere.

    `busy` says whether one is: a program that is started for a title must not slow it.
    """

    def __init__(
        self,
        *,
        open_threads: OpenThreads,
        facts: ThreadProperties,
        chooser: ModelChooser,
        context: ContextSource,
        caps: SpendingCaps,
        calls: AuxiliaryCalls,
        settings: Callable[[], Settings],
        announcements: Announcements,
        busy: Callable[[], bool],
    ) -> None:
        self._open_threads = open_threads
        self._facts = facts
        self._chooser = chooser
        self._context = context
        self._caps = caps
        self._calls = calls
        self._settings = settings
        self._busy = busy
        self._waiting: deque[str] = deque()
        self._tried: set[str] = set()
        self.task: asyncio.Task[None] | None = None
        self._unsubscribe = announcements.subscribe(self._heard)

    async def close(self) -> None:
        """Stops the call that is being made, and asks for no more."""
        self._unsubscribe()
        self._waiting.clear()
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait({self.task})

    def _heard(self, fact: Announcement) -> None:
        match fact:
            case TurnEnded(thread_id, answer):
                if self._wanted(thread_id, answer):
                    self._tried.add(thread_id)
                    self._waiting.append(thread_id)
            case TurnFailed() | SendRefused():
                pass  # no answer is coming any more, perhaps
            case ThreadDeleted(thread_id):
                if thread_id in self._waiting:
                    self._waiting.remove(thread_id)
                return
            case _:
                return
        self._start()

    def _start(self) -> None:
        if self._waiting and self.task is None and not self._busy():
            self.task = asyncio.get_running_loop().create_task(self._work(), name="titles")
            self.task.add_done_callback(self._done)

    def _wanted(self, thread_id: str, answer: Message) -> bool:
        """Return True if this was a thread's first answer, and nobody has named the thread yet."""
        opened = self._open_threads.loaded(thread_id)
        if opened is None or thread_id in self._tried or not self._settings().titles.by_model:
            return False
        # A copy or a thread that was brought in has its answers, and its title, from elsewhere.
        said = (one for one in opened.shown if one.role == "assistant" and one.stop_reason != "tool_use")
        answers = list(islice(said, 2))  # more are not looked for
        complete = answer.state == "complete" and answer.stop_reason not in ("interrupted", "refusal")
        if len(answers) != 1 or not complete or opened.thread.private or answer.backend in NOT_OFFERED:
            return False
        return opened.thread.title == _first_words(opened)

    async def _work(self) -> None:
        while self._waiting and not self._busy():
            thread_id = self._waiting.popleft()
            try:
                await self._name(thread_id)
            except PlimsollError as error:
                # The first words are a title, too.
                log.info("no title was made: %s", error.failure.code)

    async def _name(self, thread_id: str) -> None:
        opened = await self._open_threads.get(thread_id)
        words, thread = _first_words(opened), opened.thread
        if thread.title != words:
            return
        choice = await self._chooser.choose(thread)
        if choice.backend.name in NOT_OFFERED:
            return
        estimator = await self._context.estimator(choice)
        question, answer = opened.shown[0].text, opened.shown[-1].text
        prompt = title_prompt(question, answer, estimator)
        plan = self._context.plain(thread, choice, system="", estimator=estimator).plan((TextPart(prompt),))
        if plan.decision == "refuse":
            return
        # Nobody thinks about a name for long: only a model that can't do without gets room for it.
        output = most_output(choice.model, MOST_OUTPUT)
        plan = replace(
            plan,
            limits=replace(plan.limits, max_output=min(plan.limits.max_output, output)),
            request=replace(
                plan.request,
                parameters=Parameters(effort=choice.model.efforts[0] if choice.model.efforts else "", thinking=False),
            ),
        )
        await self._caps.check(thread_id, choice.backend, plan.price.cost_usd, what=TITLE_PURPOSE)
        call = Accumulator()
        await self._calls.ask(
            thread, choice, plan, call, purpose=TITLE_PURPOSE, broke_off=phrase("The model's title was cut off.")
        )
        title = "" if call.stop_reason in ("max_tokens", "refusal") else title_of_answer(_said(call))
        if title:
            # unless the user has given another meanwhile
            await self._facts.update(thread_id, lambda now: replace(now, title=title) if now.title == words else now)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.task = None
        if task.cancelled():
            return
        if task.exception() is not None:
            log.error("a title could not be made", exc_info=task.exception())
        self._start()


def _first_words(opened: OpenThread) -> str:
    return first_words(opened.path[0].text) if opened.path else ""


def _said(call: Accumulator) -> str:
    return "\n".join(part.text for part in call.parts if isinstance(part, TextPart))


UNCHANGED: Final = phrase("Nothing was changed.")


@dataclass(eq=False)
class SelectionRewriting:
    """Asks by the thread's backend and model."""

    _open_threads: OpenThreads
    _chooser: ModelChooser
    _context: ContextSource
    _caps: SpendingCaps
    _calls: AuxiliaryCalls

    async def rewrite(self, thread_id: str, text: str, start: int, end: int, wish: str) -> str:
        """Return what replaces the characters `start` to before `end`; `PlimsollError`: model, cap or limit."""
        thread = (await self._open_threads.get(thread_id)).thread
        choice = await self._chooser.choose(thread)
        await self._chooser.check_usable(choice.backend)
        plain = self._context.plain(thread, choice, system=SYSTEM, estimator=await self._context.estimator(choice))
        draft = (TextPart(selection_prompt(text, start, end, wish)),)
        if (plan := await asyncio.to_thread(plain.plan, draft)).decision == "refuse":
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
            words = phrase("The model reached its length limit. Select less. {unchanged}", unchanged=UNCHANGED)
            raise UserError("backend", words)
        said = "\n\n".join(part.text for part in call.parts if isinstance(part, TextPart))
        replacement = replacement_of(said, text[start:end])
        if not replacement.strip():
            raise UserError(
                "backend", phrase("The model wrote nothing. {unchanged}", unchanged=UNCHANGED), actions=("retry",)
            )
        return replacement
