"""Owns the way of one question: plan, check, store, send, store the answer, learn. Must not know tasks or views.

The order is the promise: nothing leaves before the question and the request are in the history, and what is refused
never becomes a message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.choice import Choice, Chooser
from desktop_app.controller.clock import Clock
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.notices import OVERFLOW
from desktop_app.controller.open_threads import OpenThread, OpenThreads
from desktop_app.controller.ports import History
from desktop_app.controller.thread_facts import ThreadFacts
from desktop_app.controller.titles import title_from
from desktop_app.controller.turns import INTERRUPTED, Turn, TurnOutcome, stop_wished, to_the_end
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
from desktop_app.core.messages import Failure, Message, Part, Role, TextPart

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `parts` of a new user message, or None to ask the last one again.

    `accept_limit`: the soft limit in tokens that the user accepted for this request.
    `too_long`: the plan that the provider refused as too long, where this is the one retry after it (CTX-6).
    """

    thread_id: str
    parts: tuple[Part, ...] | None
    accept_limit: int | None = None
    too_long: ContextPlan | None = None

    @property
    def text(self) -> str:
        """The text of a new message: what becomes the draft again if it can't be sent."""
        return "\n\n".join(part.text for part in self.parts or () if isinstance(part, TextPart))


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
        announcements: Announcements,
        clock: Clock,
    ) -> None:
        self._history = history
        self._open_threads = open_threads
        self._facts = facts
        self._chooser = chooser
        self._context = context
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
            thread = await self._open_threads.get(question.thread_id)
            choice = await self._chooser.choose(thread.thread)
            await self._chooser.check_usable(choice.backend)
            path = _question_path(thread) if question.parts is None else thread.path
            plan = await self._plan(question, thread, path, choice)
            failure = refusal(plan) if plan.decision == "refuse" else None
            if failure is None:
                turn = await self._begin(question, thread, path, choice, plan)
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
        answer = await self._run(turn, title=title_from(question.text) if not path else None)
        again = _worth_once_more(question, answer)
        if not again:
            release()
        await self._announce_end(turn, answer)
        if again:
            self._announcements.publish(NoticeRaised(question.thread_id, "overflow", OVERFLOW))
            return await self.ask(Question(question.thread_id, None, too_long=plan), release)
        return TurnOutcome(answer, answer.failure, plan, answer.stop_reason)

    async def _plan(
        self, question: Question, thread: OpenThread, path: Sequence[Message], choice: Choice
    ) -> ContextPlan:
        refused = question.too_long
        prepared = await self._context.prepared(
            thread,
            choice,
            path=path,
            soft_limit=question.accept_limit if refused is None else refused.limits.soft // 2,
        )
        plan = prepared.plan(question.parts or ())
        if plan.pending is None:
            raise UserError("usage", "There is nothing to send yet.")
        if refused is not None and _said(plan) == _said(refused):
            raise UserError(
                "context_limit",
                "The provider finds this conversation too long, and nothing more can be left out of it.",
                actions=("new_thread", "switch_model"),
            )
        return await self._context.measured(plan, choice.backend)

    async def _begin(
        self, question: Question, thread: OpenThread, path: Sequence[Message], choice: Choice, plan: ContextPlan
    ) -> Turn:
        now, thread_id = self._clock.stamp(), question.thread_id
        moved = plan.window if plan.decision == "trim" else None
        parent = path[-1].id if path else None
        asked: tuple[Message, ...] = ()
        if question.parts is not None:
            asked = (Message(self._clock.new_id(), thread_id, parent, "user", question.parts, now, window=moved),)
            parent = asked[0].id
        answer = Message(
            self._clock.new_id(),
            thread_id,
            parent,
            "assistant",
            (),
            now,
            state="partial",
            backend=choice.backend.name,
            model=choice.model.id,
            prefix_key=plan.prefix_key,
            # A question that stands already can't take the boundary that asking it again moved.
            window=None if asked else moved,
        )
        record = TurnRecord(
            self._clock.new_id(), thread_id, parent, answer.id, choice.backend.name, choice.model.id, now
        )
        turn = Turn(
            record=record,
            answer=answer,
            plan=plan,
            backend=choice.backend,
            history=self._history,
            announcements=self._announcements,
        )
        try:
            await to_the_end(
                self._history.begin_turn(
                    record,
                    new_messages=asked,
                    answer=answer,
                    expected_tip=thread.thread.tip,
                    request=choice.backend.request(plan),
                    events=plan.events,
                )
            )
        except PlimsollError:
            # Another process may have moved the tip: what is in memory is not to be trusted.
            self._open_threads.forget(thread_id)
            raise
        self._turns[thread_id] = turn
        draft = "" if asked else thread.thread.draft
        after = self._open_threads.grown(thread_id, (*asked, answer), tip=answer.id, updated=now, draft=draft)
        for message in asked:
            self._announcements.publish(MessageAdded(message))
        if after is not None:
            self._announcements.publish(ThreadChanged(after))
        self._announcements.publish(TurnStarted(thread_id, answer, plan))
        if plan.decision == "trim":
            self._announcements.publish(NoticeRaised(thread_id, "trimmed", trim_line(plan.newly_left_out)))
        return turn

    async def _run(self, turn: Turn, *, title: str | None) -> Message:
        thread_id = turn.record.thread_id
        # Written while the request is under way, so that the first byte does not wait for the title.
        naming = asyncio.create_task(self._name(turn.record, title)) if title is not None else None
        answer = await turn.run()
        try:
            await turn.store(answer)
        except PlimsollError as error:
            # The history keeps it and writes it before the thread's next turn; until then it is on the screen only.
            answer = replace(answer, failure=error.failure)
        if naming is not None:
            await to_the_end(naming)
        del self._turns[thread_id]
        self._open_threads.grown(thread_id, (answer,))
        return answer

    async def _announce_end(self, turn: Turn, answer: Message) -> None:
        thread_id = turn.record.thread_id
        # Learned before the end is told: the gauge looks at once.
        learned = self._context.learn(turn.plan, turn.backend, self._open_threads.loaded(thread_id), answer)
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


def _worth_once_more(question: Question, answer: Message) -> bool:
    """True where the provider found the request too long before a word came, for the first time (CTX-6)."""
    failure = answer.failure
    too_long = failure is not None and failure.code == "context_limit" and not answer.parts
    return too_long and question.too_long is None and not stop_wished()


def _said(plan: ContextPlan) -> list[tuple[Role, tuple[Part, ...]]]:
    """What a request says, by whom; wherever its blocks come from."""
    return [(message.role, message.blocks) for message in plan.request_messages]


def _question_path(thread: OpenThread) -> tuple[Message, ...]:
    """The path up to the last user message; `UserError("usage")` where there is none."""
    path = thread.path
    while path and path[-1].role != "user":
        path = path[:-1]
    if not path:
        raise UserError("usage", "There is nothing to try again in this thread.")
    return path
