"""Owns the way of one question: plan, check, store, send, store the answer, learn. Must not know tasks or views.

The order is the promise: nothing leaves before the question and the request are in the history, and what is refused
never becomes a message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.choice import Choice, Chooser
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_journal import ContextJournal, events_when_sent
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.notices import IMITATED, OVERFLOW, above_soft_limit
from desktop_app.controller.open_threads import OpenThreads, question_path
from desktop_app.controller.overflow import AfterOverflow, Overflows
from desktop_app.controller.ports import History
from desktop_app.controller.question import Planned, Question, first_messages
from desktop_app.controller.spending import SpendingCaps
from desktop_app.controller.step_summary import StepSummary
from desktop_app.controller.thread_facts import ThreadFacts
from desktop_app.controller.titles import title_from
from desktop_app.controller.turns import INTERRUPTED, Turn, TurnOutcome, stop_wished, to_the_end
from desktop_app.core.context.notes import imitates_note
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.words import refusal, trim_line
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import (
    DraftSaved,
    MessageAdded,
    NoticeRaised,
    SendRefused,
    ThreadChanged,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from desktop_app.core.history import TurnRecord
from desktop_app.core.messages import Failure, Message

log = logging.getLogger(__name__)


class Sender:
    """Asks questions, each in a task of the caller's; `turn_of` tells the running turn of a thread."""

    def __init__(
        self,
        *,
        history: History,
        open_threads: OpenThreads,
        facts: ThreadFacts,
        chooser: Chooser,
        context: ContextSource,
        caps: SpendingCaps,
        step_summary: StepSummary,
        overflows: Overflows,
        journal: ContextJournal,
        announcements: Announcements,
        clock: Clock,
    ) -> None:
        self._history = history
        self._open_threads = open_threads
        self._facts = facts
        self._chooser = chooser
        self._context = context
        self._caps = caps
        self._step_summary = step_summary
        self._overflows = overflows
        self._journal = journal
        self._announcements = announcements
        self._clock = clock
        self._turns: dict[str, Turn] = {}

    def turn_of(self, thread_id: str) -> Turn | None:
        """The turn that is running in a thread."""
        return self._turns.get(thread_id)

    async def ask(self, question: Question, release: Callable[[], None]) -> TurnOutcome:
        """Sends the question and reads the answer. Raises nothing; cancelling it stops the turn.

        `release` is called when the thread is free for its next turn, just before the end is announced.
        """
        plan: ContextPlan | None = None
        try:
            planned = await self._planned(question)
            plan = planned.plan
            if await self._step_summary.tried_for(question.thread_id, planned, pass_cap=question.pass_cap):
                planned = await self._planned(question)
            plan = planned.plan
            failure = refusal(plan) if plan.decision == "refuse" else None
            if failure is None:
                if not question.pass_cap:
                    await self._caps.check(question.thread_id, planned.choice.backend, plan.cost_usd)
                turn = await self._begin(question, planned)
            else:
                await to_the_end(self._journal.refused(question.thread_id, plan))
        except PlimsollError as error:
            failure = error.failure
        except asyncio.CancelledError:
            failure = Failure(INTERRUPTED, "Stopped before anything was sent.")
        except Exception as error:  # a bug must not cost what the user wrote; it is logged as one
            log.exception("a request could not be made")
            words = "A fault in Plimsoll kept this from being sent. Your text is kept; a report is in the logs folder."
            failure = Failure("backend", words, type(error).__name__, ("retry", "open_data_folder"))
        if failure is not None:
            release()
            return await self.refuse(question, failure, plan)
        title = title_from(question.text) if not planned.path else None
        answer, shorter = await self._run(question, turn, planned.choice, title=title)
        if shorter is None:
            release()
        await self._announce_end(turn, answer)
        if shorter is not None:
            self._announcements.publish(NoticeRaised(question.thread_id, "overflow", OVERFLOW))
            return await self.ask(replace(question, parts=None, shorter=shorter), release)
        return TurnOutcome(answer, answer.failure, plan, answer.stop_reason)

    async def _planned(self, question: Question) -> Planned:
        thread = await self._open_threads.get(question.thread_id)
        choice = await self._chooser.choose(thread.thread)
        await self._chooser.check_usable(choice.backend)
        path = question_path(thread) if question.parts is None else thread.path
        if question.shorter is not None:
            return Planned(thread, choice, path, question.shorter)
        prepared = await self._context.prepared(thread, choice, path=path, soft_limit=question.accept_limit)
        plan = prepared.plan(question.parts or ())
        if plan.pending is None:
            raise UserError("usage", "There is nothing to send yet.")
        return Planned(thread, choice, path, await self._context.measured(plan, choice.backend))

    async def _begin(self, question: Question, planned: Planned) -> Turn:
        thread_id, choice, plan = question.thread_id, planned.choice, planned.plan
        asked, answer, record = first_messages(question, planned, self._clock)
        turn = Turn(
            record=record,
            answer=answer,
            plan=plan,
            backend=choice.backend,
            history=self._history,
            announcements=self._announcements,
        )
        thread = planned.thread.thread
        try:
            await to_the_end(
                self._history.begin_turn(
                    record,
                    new_messages=asked,
                    answer=answer,
                    expected_tip=thread.tip,
                    request=choice.backend.request(plan),
                    events=events_when_sent(plan),
                )
            )
        except PlimsollError:
            # Another process may have moved the tip: what is in memory is not to be trusted.
            self._open_threads.forget(thread_id)
            raise
        self._turns[thread_id] = turn
        draft = "" if asked else thread.draft
        after = self._open_threads.grown(
            thread_id, (*asked, answer), tip=answer.id, updated=record.started, draft=draft
        )
        for message in asked:
            self._announcements.publish(MessageAdded(message))
        if after is not None:
            self._announcements.publish(ThreadChanged(after))
        self._announcements.publish(TurnStarted(thread_id, answer, plan))
        # What a summary stands for is not left out, and was told when it was made.
        if plan.decision == "trim" and plan.newly_left_out:
            self._announcements.publish(NoticeRaised(thread_id, "trimmed", trim_line(plan.newly_left_out)))
        if any(event.kind == "limit_passed" for event in plan.events):
            self._announcements.publish(NoticeRaised(thread_id, "limit_passed", above_soft_limit(plan)))
        return turn

    async def _run(
        self, question: Question, turn: Turn, choice: Choice, *, title: str | None
    ) -> tuple[Message, ContextPlan | None]:
        """The stored answer, and the plan of the retry where the provider found the request too long."""
        thread_id = turn.record.thread_id
        # Written while the request is under way, so that the first byte does not wait for the title.
        naming = asyncio.create_task(self._name(turn.record, title)) if title is not None else None
        answer = await turn.run()
        shorter = None
        if answer.failure is not None and answer.failure.code == "context_limit" and not answer.parts:
            after = await to_the_end(self._after_overflow(question, turn, choice, answer.failure))
            shorter = None if stop_wished() else after.retry
            answer = answer if shorter is not None else replace(answer, failure=after.failure)
        try:
            await turn.store(answer)
        except PlimsollError as error:
            # The history keeps it and writes it before the thread's next turn; until then it is on the screen only.
            answer, shorter = replace(answer, failure=error.failure), None
        if naming is not None:
            await to_the_end(naming)
        del self._turns[thread_id]
        self._open_threads.grown(thread_id, (answer,))
        return answer, shorter

    async def _after_overflow(self, question: Question, turn: Turn, choice: Choice, failure: Failure) -> AfterOverflow:
        try:
            thread = await self._open_threads.get(turn.record.thread_id)
            return await self._overflows.met(thread, choice, turn.plan, failure, accept_limit=question.accept_limit)
        except PlimsollError as error:
            log.warning("nothing was learned of an overflow: %s", error.failure.code)
            return AfterOverflow(None, failure)

    async def _announce_end(self, turn: Turn, answer: Message) -> None:
        thread_id = turn.record.thread_id
        # Learned before the end is told: the gauge looks at once.
        learned = self._context.learn(turn.plan, turn.backend, self._open_threads.loaded(thread_id), answer)
        if imitates_note(answer.text):
            self._announcements.publish(NoticeRaised(thread_id, "imitated_note", IMITATED))
        if answer.failure is None:
            self._announcements.publish(TurnEnded(thread_id, answer))
        else:
            self._announcements.publish(TurnFailed(thread_id, answer, answer.failure))
        if learned is not None:
            await to_the_end(self._context.store(learned))

    async def refuse(self, question: Question, failure: Failure, plan: ContextPlan | None = None) -> TurnOutcome:
        """Tells that nothing was sent, and keeps a new message as the thread's draft."""
        if question.text:
            await to_the_end(self.keep_draft(question.thread_id, question.text))
        self._announcements.publish(SendRefused(question.thread_id, failure, plan))
        return TurnOutcome(None, failure, plan, INTERRUPTED if failure.code == INTERRUPTED else None)

    async def keep_draft(self, thread_id: str, text: str) -> None:
        """Keeps text that could not be sent as the thread's draft, as far as the history can be written."""
        try:
            await self._history.save_draft(thread_id, text)
        except PlimsollError as error:
            # The composer still has it; the refusal that is being told is the news.
            log.warning("a draft could not be kept: %s", error.failure.code)
            return
        self._open_threads.grown(thread_id, (), draft=text)
        self._announcements.publish(DraftSaved(thread_id, text))

    async def _name(self, record: TurnRecord, title: str) -> None:
        """After a thread's first question: a title from its words, and the backend and model it stays with."""
        try:
            await self._facts.fill_in(record.thread_id, title=title, backend=record.backend, model=record.model)
        except PlimsollError as error:
            log.warning("a title could not be stored: %s", error.failure.code)
