"""One running turn: reads the answer's stream, announces it as it comes, stores what came however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from desktop_app.backends.backend_protocol import Backend, close_stream, next_event
from desktop_app.controller.ports import Announcements, History
from desktop_app.controller.turn_notices import TURN_CAP, TurnCapError
from desktop_app.controller.turn_tools import ToolRunner
from desktop_app.core import events
from desktop_app.core.citations import marked_documents, with_cited
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import open_calls
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Failure, Message, Part, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.model_catalog import is_another
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import (
    Accumulator,
    Notice,
    PartFinished,
    Reset,
    Rewritten,
    SignOfLife,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolAsked,
    UsageReported,
)

log = logging.getLogger(__name__)

SAVE_EVERY_S = 0.45
"""Seconds between two writes of a growing answer: a crash costs less than half a second of text (HIS-1)."""

EVENTS_IN_A_ROW: Final = 32
"""Events of an answer that are announced before everything else has a turn: a server may send thousands at once."""

INTERRUPTED: Final = "interrupted"

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The outcome of a send. `message` is the stored answer, None where nothing was sent; `failure` None: all went
    well.

    Without both the user was asked what the `plan` asks.

    `stop_reason` is the provider's word, or "interrupted" where the user stopped it.
    """

    message: Message | None = None
    failure: Failure | None = None
    plan: ContextPlan | None = None
    stop_reason: str | None = None


async def to_the_end(work: Awaitable[Result]) -> Result:
    """Awaits `work` until it is done, also when the task is cancelled meanwhile.

    The cancellation is not raised but stands in the task's `cancelling()`: whoever calls this looks there.
    """
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    return task.result()


async def with_stop(task: asyncio.Task[Result]) -> Result:
    """Waits for the task; a cancelled waiter stops it, and goes on being cancelled when all is stored."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise


def stop_wished() -> bool:
    """True where the running task was cancelled and went on to finish its work in order."""
    return (task := asyncio.current_task()) is not None and task.cancelling() > 0


class RunningTurn:
    """One model call. `run` once; meanwhile `answer_now` is what a view shows that opens the thread."""

    def __init__(
        self,
        *,
        record: TurnRecord,
        answer: Message,
        plan: ContextPlan,
        backend: Backend,
        history: History,
        announcements: Announcements,
        tools: ToolRunner,
    ) -> None:
        self.record = record
        self.tools = tools
        self.plan = plan
        self.backend = backend
        self._answer = answer
        self._history = history
        self._announcements = announcements
        self._came = Accumulator()
        self._grown = asyncio.Event()
        self._told_unsaved = self._capped = False
        self._hurry: Callable[[], None] | None = None
        self._results: list[ToolResultPart] = []
        tools.keep = self._keep

    def retry_now(self) -> None:
        """Ends the pause before the next attempt, if there is one."""
        if self._hurry is not None:
            self._hurry()

    def answer_now(self) -> Message:
        """The answer as far as it came."""
        usage, asked = self._came.usage, self.record.model
        if usage is not None and is_another(asked, self._came.model or ""):
            usage = replace(usage, asked=asked)
        return replace(
            self._answer,
            parts=self._with_cited(self._came.parts),
            usage=usage,
            model=self._came.model or self._answer.model,
            stop_reason=self._came.stop_reason,
        )

    def _with_cited(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return parts if not (whole := marked_documents(self.plan)) else with_cited(parts, whole)

    async def run(self) -> Message:
        """Streams to the end, a failure or a cancellation; returns the ended answer for `store`. Raises nothing."""
        saver = asyncio.create_task(self._save_while_it_grows())
        failure: Failure | None = None
        try:
            if not stop_wished():
                await self._read()
        except asyncio.CancelledError:
            pass  # asked below, together with a stop that came before the stream was opened
        except TurnCapError:
            self._capped = True
        except PlimsollError as error:
            failure = error.failure
        except Exception as error:  # a bug must not cost the text that came; it is logged as one
            log.exception("a turn through %s failed", self.record.backend)
            failure = Failure(
                "backend",
                phrase(
                    "An error in Plimsoll ended this answer. The text so far is kept; a report is in the logs folder."
                ),
                detail=type(error).__name__,
                actions=("retry", "open_data_folder"),
            )
        saver.cancel()
        await to_the_end(asyncio.wait({saver}))
        self.tools.budget.spend(self._came.usage)
        return self._ended(failure)

    @property
    def asks_for_tools(self) -> bool:
        """True if the answer ended with calls whose results the model waits for."""
        asked = self._came.failure is None and self._came.stop_reason == "tool_use"
        return asked and bool(self.plan.request.tools) and bool(open_calls(self._came.parts))

    async def results(self) -> tuple[ToolResultPart, ...]:
        """Runs the calls that the answer ended with, in order. Raises `TurnCapError` where the turn ends before one."""
        for call in open_calls(self._came.parts):
            self._results.append(await self._result_of(call, self._results))
        self.tools.budget.rounds += 1
        return tuple(self._results)

    def staged(self, answer: Message) -> Message:
        """An answer that goes on, with its calls that were refused marked: a kill may come before their results."""
        return replace(answer, parts=self.tools.staged(answer.parts, "asked"))

    def with_results(self, answer: Message) -> Message:
        """The last answer of a turn with the results that went into no request, and which calls were not run."""
        parts = (*answer.parts, *self._results)
        return replace(answer, parts=(*parts, *self.tools.unrun(parts)))

    async def store(self, answer: Message) -> Message:
        """Writes the ended answer, not cut short by a cancellation; returns what stands in the history.

        What the history's own code fails at costs the rest of the answer, not its text: that is written alone. Raises
        `UserError("store")`.
        """
        try:
            await to_the_end(self._history.end_turn(self.record.id, answer, answer.usage))
        except PlimsollError:
            raise
        except Exception as error:
            log.exception("an answer could not be stored as it came")
            answer = _text_alone(answer, type(error).__name__)
            await to_the_end(self._history.end_turn(self.record.id, answer, None))
        return answer

    async def _read(self) -> None:
        stream = self.backend.stream(self.plan)
        answered: ToolResultPart | None = None
        in_round = False
        try:
            for count in itertools.count(1):
                if count % EVENTS_IN_A_ROW == 0:
                    await asyncio.sleep(0)
                try:
                    event = await next_event(stream, answered)
                except StopAsyncIteration:
                    return
                if isinstance(event, PartFinished) and isinstance(event.part, ToolCallPart):
                    event = PartFinished(self.tools.named(event.part))
                self._came.add(event)
                self._announce(event)
                answered = None
                if isinstance(event, Rewritten):
                    try:
                        await self._history.save_request(self.record, self.backend.request(self.plan))
                    except PlimsollError as error:
                        log.warning("a request that was sent in another form could not be kept: %s", error.failure.code)
                if isinstance(event, ToolAsked):
                    in_round = True
                    answered = await self._result_of(event.call, held=True)
                    self._came.add(PartFinished(answered))
                    self._grown.set()
                elif in_round:
                    # what the model says behind results is of its next round
                    in_round = False
                    self.tools.budget.rounds += 1
        finally:
            await close_stream(stream)

    async def _result_of(
        self, call: ToolCallPart, results: Sequence[ToolResultPart] = (), *, held: bool = False
    ) -> ToolResultPart:
        answer = self.answer_now()
        result = await self.tools.answer(call, replace(answer, parts=(*answer.parts, *results)), held=held)
        self._announcements.publish(events.ToolAnswered(self.record.thread_id, self._answer.id, call, result))
        return result

    def _announce(self, event: StreamEvent) -> None:
        thread, answer = self.record.thread_id, self._answer.id
        match event:
            case TextDelta(text):
                self._grown.set()
                self._announcements.publish(events.AnswerGrew(thread, answer, "text", text))
            case ThinkingDelta(text):
                self._grown.set()
                self._announcements.publish(events.AnswerGrew(thread, answer, "thinking", text))
            case PartFinished(part):
                self._grown.set()
                self._announcements.publish(events.AnswerPartFinished(thread, answer, part))
            case Reset():
                self._grown.set()
                self._announcements.publish(events.AnswerReset(thread, answer))
            case SignOfLife():
                self._announcements.publish(events.AnswerStirred(thread))
            case UsageReported(usage, model):
                self._announcements.publish(events.UsageChanged(thread, answer, usage, model))
            case Notice(code, message, detail, hurry):
                self._hurry = hurry
                self._announcements.publish(events.NoticeRaised(thread, code, message, detail, hurry is not None))
            case _:
                pass  # how it ended is announced once it is stored

    async def _save_while_it_grows(self) -> None:
        while True:
            await self._grown.wait()
            self._grown.clear()
            await self._keep()
            await asyncio.sleep(SAVE_EVERY_S)

    async def _keep(self) -> None:
        answer = self.answer_now()
        try:
            parts = self.tools.staged((*answer.parts, *self._results))
            await self._history.save_partial(replace(answer, parts=parts, stop_reason=None))
        except PlimsollError as error:
            # The answer goes on: it is on the screen, and the next write may succeed.
            if not self._told_unsaved:
                self._told_unsaved = True
                words = phrase("This answer is not being saved: {message}", message=error.failure.message)
                self._announcements.publish(events.NoticeRaised(self.record.thread_id, "store", words))
        except Exception:  # a bug, or what the checks at the door did not know; the end is written another way
            log.exception("a growing answer could not be stored")

    def _ended(self, failure: Failure | None) -> Message:
        answer, failure = self.answer_now(), failure or self._came.failure
        if self._capped:
            return replace(answer, stop_reason=TURN_CAP)
        if failure is None and answer.stop_reason is not None:
            return replace(answer, state="complete")
        if failure is None and stop_wished():
            return replace(answer, stop_reason=INTERRUPTED)
        actions = ("continue", "retry") if answer.parts else ("retry",)
        failure = failure or Failure(
            "backend", phrase("The answer was cut off. The text so far is kept."), actions=actions
        )
        return replace(answer, state="partial" if answer.parts else "error", stop_reason=None, failure=failure)


def _text_alone(answer: Message, detail: str) -> Message:
    """The answer with its text only, and why the rest of it is missing."""
    words = phrase("Parts of this answer could not be stored. Its text is kept; a report is in the logs folder.")
    failure = Failure("store", words, detail, ("retry", "open_data_folder"))
    parts = (TextPart(answer.text),) if answer.text else ()
    return replace(answer, parts=parts, usage=None, state="partial", stop_reason=None, failure=failure)
