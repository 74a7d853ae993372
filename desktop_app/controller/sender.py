"""Sends one question: plan, check, store, send, store the answer, learn.

The order is the promise: nothing leaves before the question and the request are in the history, and what is refused
never becomes a message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from desktop_app.controller.attachments import unsendable
from desktop_app.controller.auxiliary_calls import SpendingCaps
from desktop_app.controller.context_editing import ContextJournal, events_when_sent, log_events
from desktop_app.controller.context_source import ContextSource, Learned
from desktop_app.controller.history_watch import SaveRetries
from desktop_app.controller.model_selection import ChosenModel, ModelChooser
from desktop_app.controller.open_threads import OpenThread, OpenThreads, question_path
from desktop_app.controller.outgoing_question import (
    NextRequest,
    OutgoingQuestion,
    OverflowOutcome,
    OverflowRetry,
    PlannedQuestion,
    first_messages,
)
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.controller.running_turn import INTERRUPTED, Result, RunningTurn, TurnOutcome, stop_wished, to_the_end
from desktop_app.controller.summaries import StepSummary
from desktop_app.controller.thread_library import ThreadProperties
from desktop_app.controller.turn_notices import (
    OVERFLOW,
    TOO_MANY_CALLS,
    TURN_CAP,
    TurnBudget,
    TurnCapError,
    above_soft_limit,
)
from desktop_app.controller.turn_tools import ToolRunner, ToolTable
from desktop_app.core import events
from desktop_app.core.attachment_facts import without
from desktop_app.core.context.plan import ContextPlan, RequestHasher
from desktop_app.core.context.plan_text import (
    assumed_words,
    recounted,
    refusal,
    return_line,
    return_offered,
    trim_line,
    unsent,
)
from desktop_app.core.context.request_secrets import PlacedSecret, SecretScan, looks_like, removed_secret
from desktop_app.core.context.sent_content import imitates_note
from desktop_app.core.conversation import carried_over
from desktop_app.core.errors import HistoryReplacedError, PlimsollError, UserError
from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Failure, Message, Part, RequestCount, ToolResultPart
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.redaction import keyed_hash
from desktop_app.core.settings import Settings
from desktop_app.core.text_diff import together
from desktop_app.core.titles import first_words

log = logging.getLogger(__name__)

LONG_REQUEST: Final = 10_000
"""Tokens from which on a request is looked through for secrets beside the event loop."""


@dataclass(eq=False, kw_only=True)
class Sender:
    """Asks questions, each in a task of the caller's; `turn_of` tells the running turn of a thread."""

    history: History
    open_threads: OpenThreads
    facts: ThreadProperties
    chooser: ModelChooser
    context: ContextSource
    tools: ToolTable
    caps: SpendingCaps
    step_summary: StepSummary
    overflow_retry: OverflowRetry
    journal: ContextJournal
    save_retries: SaveRetries
    announcements: Announcements
    clock: Clock
    settings: Callable[[], Settings]
    scan: SecretScan
    _told_secrets: set[int] = field(
        default_factory=set, init=False
    )  # process-wide hashes of those that were told to be taken out
    _turns: dict[str, RunningTurn] = field(default_factory=dict, init=False)
    _accepted: dict[str, str] = field(
        default_factory=dict, init=False
    )  # thread -> the hash of the request that goes though it may be too long
    _offered: set[tuple[str, int]] = field(
        default_factory=set, init=False
    )  # carrier and soft limit of returns that were offered

    def turn_of(self, thread_id: str) -> RunningTurn | None:
        return self._turns.get(thread_id)

    def accept_uncertain(self, thread_id: str, plan: ContextPlan) -> None:
        """The request of this plan goes where only what the estimate may be off does not fit."""
        self._accepted[thread_id] = RequestHasher().of(plan)

    async def ask(self, question: OutgoingQuestion, release: Callable[[], None]) -> TurnOutcome:
        """Sends the question and reads the answer. Raises nothing; cancelling it stops the turn.

        Where the answer asks for tools, it goes on with their results until the model is done. `release` is called when
        the thread is free for its next turn, just before the end is announced.
        """
        try:
            ready = await _attempted(self._tools_ready(question))
            asking = ready if ready is not None else await _attempted(self._asking(question))
            if asking is None:
                return await self._asked(question, release)
            release()
            if isinstance(asking, Failure):
                return await self.refuse(question, asking)
            fact, plan = asking
            self.announcements.publish(fact)
            return TurnOutcome(plan=plan)
        finally:
            if (servers := self.tools.servers()) is not None:
                servers.end(question.thread_id)
            release()  # whatever happened: a thread must not wait for an end that never comes

    async def _tools_ready(self, question: OutgoingQuestion) -> None:
        """Connects the servers whose tools the turn may use."""
        if (servers := self.tools.servers()) is not None:
            await servers.begin((await self.open_threads.get(question.thread_id)).thread, question.tools)
        elif question.tools:
            raise UserError("usage", phrase('There is no server "{name}".', name=question.tools[0]))

    async def _asked(self, question: OutgoingQuestion, release: Callable[[], None]) -> TurnOutcome:

        async def refused(failure: Failure, plan: ContextPlan | None, *, unseen: bool = False) -> TurnOutcome:
            release()
            return await self.refuse(question, failure, plan, unseen=unseen)

        if isinstance(first := await _attempted(self._planned(question)), Failure):
            return await refused(first, None)
        planned = recounted(first.plan) if first.unseen else await _attempted(self._after_summary(question, first))
        if isinstance(planned, Failure):
            return await refused(planned, first.plan, unseen=first.unseen)
        budget = TurnBudget(
            question.thread_id,
            lambda: self.settings().context,
            self.announcements,
            self.clock,
            in_money=planned.choice.backend.cost_kind == "money",
            at_cap=question.at_cap,
            allowed=question.allow,
        )
        if isinstance(turn := await _attempted(self._begun(question, planned, budget)), Failure):
            return await refused(turn, planned.plan)
        if (servers := self.tools.servers()) is not None:
            servers.tell(planned.thread.thread)
        title = first_words(question.text) if not planned.path else None
        if title is None and planned.thread.thread.backend is None:
            title = ""  # an imported thread stays with what it is asked of, too
        while True:
            answer, next_request = await self._run(question, turn, planned.choice, title=title)
            if next_request is None:
                release()
            await self._announce_end(turn, answer, next_request)
            if next_request is None:
                return TurnOutcome(answer, answer.failure, turn.plan, answer.stop_reason)
            planned, title = next_request.planned, None
            if next_request.results is None:
                self.announcements.publish(events.NoticeRaised(question.thread_id, "overflow", OVERFLOW))
            begun = await _attempted(
                self._begin(question.thread_id, next_request.results, planned, budget, before=turn.tools)
            )
            if isinstance(begun, RunningTurn):
                turn = begun
                continue
            if next_request.results is None:
                question = replace(question, parts=None)
                return await refused(begun, planned.plan)
            release()
            self.announcements.publish(events.TurnFailed(question.thread_id, replace(answer, failure=begun), begun))
            return TurnOutcome(answer, begun, planned.plan)

    async def _asking(
        self, question: OutgoingQuestion
    ) -> tuple[events.CrossingAsked | events.SecretsAsked, ContextPlan] | None:
        """Return what the user has to decide before this plan is sent (PRODUCT.md CTX-14, CTX-22); None: it may go."""
        if not question.ask_first:
            return None
        try:
            plan = await self.expected(question)
        except PlimsollError:  # the plan that is sent says why
            return None
        if (
            question.shown
            and plan.decision != "refuse"
            and (secrets := await self._undecided(question.thread_id, plan))
        ):
            hashes = self._hashes(secrets)
            whole = await self.expected(question, letting=hashes)
            return events.SecretsAsked(question.thread_id, looks_like(secrets), hashes, whole.tokens), plan
        return (events.CrossingAsked(question.thread_id, plan), plan) if plan.advice.asks == "first_crossing" else None

    async def _undecided(self, thread_id: str, plan: ContextPlan) -> tuple[PlacedSecret, ...]:
        # a megabyte takes longer than the window may stand still
        beside = plan.tokens.total > LONG_REQUEST
        request = plan.request
        scan = self.scan.undecided
        secrets = await asyncio.to_thread(scan, request) if beside else scan(request)
        if any(one.prompt for one in secrets):
            instructions = await self.context.instructions(await self.open_threads.get(thread_id))
            return tuple(one.in_instructions(*instructions) for one in secrets)
        return secrets

    async def secrets_in(self, question: OutgoingQuestion) -> tuple[str, ...]:
        """Keyed hashes of what looks like a secret in the request of a question, and was not decided about."""
        return self._hashes(await self._undecided(question.thread_id, await self.expected(question)))

    def _hashes(self, secrets: Sequence[PlacedSecret]) -> tuple[str, ...]:
        return tuple(keyed_hash(one.secret.text, self.clock.new_id()) for one in secrets)

    def _tell_removed(self, thread_id: str, secrets: Sequence[PlacedSecret]) -> None:
        """Says once what was taken out of a request, as nobody was asked."""
        new = [one for one in secrets if hash((thread_id, one.secret.text)) not in self._told_secrets]
        if new:
            self._told_secrets.update(hash((thread_id, one.secret.text)) for one in new)
            notice = events.NoticeRaised(thread_id, "secret", removed_secret(new), secrets=self._hashes(new))
            self.announcements.publish(notice)

    async def _after_summary(self, question: OutgoingQuestion, planned: PlannedQuestion) -> PlannedQuestion:
        """The plan after the summary that a step may need."""
        if await self.step_summary.tried_for(question.thread_id, planned, pass_cap=question.pass_cap):
            return await self._planned(question)
        return planned

    async def expected(self, question: OutgoingQuestion, *, letting: Collection[str] = ()) -> ContextPlan:
        """The plan that `ask` would begin with. Sends nothing, and asks no provider for a count.

        `letting`: secrets that may leave with it, too.
        """
        thread = await self.open_threads.get(question.thread_id)
        if letting:
            choices = thread.thread.choices
            choices = replace(choices, secrets=choices.secrets.decided(letting, send=True))
            thread = replace(thread, thread=replace(thread.thread, choices=choices))
        choice = await self._choice(question, thread)
        path = _path(question, thread)
        prepared = await self.context.prepared(thread, choice, path=path, soft_limit=question.accept_limit)
        return prepared.plan(question.parts or ())

    async def _planned(self, question: OutgoingQuestion) -> PlannedQuestion:
        thread = await self.open_threads.get(question.thread_id)
        choice = await self._choice(question, thread)
        await self.chooser.check_usable(choice.backend)
        return await self._plan(question, thread, choice, _path(question, thread), question.parts or ())

    async def _choice(self, question: OutgoingQuestion, thread: OpenThread) -> ChosenModel:
        return await self.chooser.choose(thread.thread, backend=question.backend, model=question.model)

    async def _plan(
        self,
        question: OutgoingQuestion,
        thread: OpenThread,
        choice: ChosenModel,
        path: tuple[Message, ...],
        draft: Sequence[Part],
    ) -> PlannedQuestion:
        prepared = await self.context.prepared(thread, choice, path=path, soft_limit=question.accept_limit)
        plan = prepared.plan(draft)
        if plan.request.pending is None:
            raise UserError("usage", phrase("There is nothing to send yet."))
        count, unseen = await self.context.count(plan, choice.backend, private=thread.thread.private), False
        if count is not None:
            plan = prepared.with_count(count).plan(draft)
            unseen = question.shown and plan.placement.newly_left_out > 0 and plan.decision != "refuse"
            if question.draft and (draft or question.parts is None):
                await to_the_end(self._keep_count(question.thread_id, count))
        if plan.only_uncertain and (question.send_anyway or self._is_accepted(question.thread_id, plan)):
            plan = prepared.plan(draft, anyway=True)
        return PlannedQuestion(thread, choice, path, plan, unseen)

    def _is_accepted(self, thread_id: str, plan: ContextPlan) -> bool:
        return (accepted := self._accepted.get(thread_id)) is not None and accepted == RequestHasher().of(plan)

    async def _keep_count(self, thread_id: str, count: RequestCount) -> None:
        """Keeps what was counted with the draft: until that changes, everything shows this number."""
        try:
            await self.history.save_draft_count(thread_id, count)
        except PlimsollError as error:
            log.warning("a count could not be kept: %s", error.failure.code)
        if (thread := self.open_threads.grown(thread_id, (), draft_count=count)) is not None:
            self.announcements.publish(events.ThreadChanged(thread))

    async def _begun(
        self, question: OutgoingQuestion, planned: PlannedQuestion, budget: TurnBudget
    ) -> RunningTurn | Failure:
        failure = unsendable(question.parts or (), planned.path, planned.choice.model)
        failure = failure or await self._reason_to_refuse(question, planned)
        return failure or await self._begin(question.thread_id, question.parts, planned, budget)

    async def _reason_to_refuse(self, question: OutgoingQuestion, planned: PlannedQuestion) -> Failure | None:
        """Why the request may not leave; None if it may. Raises what the spending caps raise."""
        if planned.plan.decision == "refuse":
            await to_the_end(self.journal.refused(question.thread_id, planned.plan))
            return refusal(planned.plan)
        if not question.pass_cap:
            plan = planned.plan
            await self.caps.check(question.thread_id, planned.choice.backend, plan.price.cost_usd, end=unsent(plan))
        return None

    async def _begin(
        self,
        thread_id: str,
        new: Sequence[Part] | Message | None,
        planned: PlannedQuestion,
        budget: TurnBudget,
        *,
        before: ToolRunner | None = None,
    ) -> RunningTurn:
        choice, plan = planned.choice, planned.plan
        asked, answer, record = first_messages(thread_id, new, planned, self.clock)
        # a document of the question itself may go along in part
        path = planned.path if isinstance(new, Message) else (*planned.path, *asked)
        turn = RunningTurn(
            record=record,
            answer=answer,
            plan=plan,
            backend=choice.backend,
            history=self.history,
            announcements=self.announcements,
            tools=ToolRunner(
                self.tools,
                planned.thread.thread,
                plan,
                path,
                await self.context.estimator(choice),
                budget,
                began_above=before.began_above if before else plan.tokens.total > plan.limits.soft,
            ),
        )
        secrets = await self._undecided(thread_id, plan)  # read before the request is written
        thread = planned.thread.thread
        await self._carry_deletions(planned, (*asked, answer)[0].id)
        try:
            draft, attached = await to_the_end(
                self.history.begin_turn(
                    record,
                    new_messages=asked,
                    answer=answer,
                    expected_tip=thread.tip,
                    request=choice.backend.request(plan),
                    events=events_when_sent(plan),
                )
            )
        except HistoryReplacedError:
            raise  # what is in memory may be all there is
        except PlimsollError:
            # Another process may have moved the tip: what is in memory is not to be trusted.
            self.open_threads.forget(thread_id)
            raise
        log_events(plan.advice.events)
        self._turns[thread_id] = turn
        said = asked if not isinstance(new, Message) else ()
        parent = planned.path[-1].id if planned.path else None
        at_the_end = bool(said) and thread.tip == parent
        after = self.open_threads.grown(
            thread_id,
            (*asked, answer),
            tip=answer.id,
            updated=record.started,
            draft=draft,
            **({"draft_count": None} if at_the_end else {}),
        )
        if thread.tip != parent and not isinstance(new, Message):
            self.announcements.publish(events.BranchChanged(thread_id, parent))
        for message in said:
            self.announcements.publish(events.MessageAdded(message))
            if attached is not None:
                self.announcements.publish(events.AttachmentsChanged(thread_id, attached))
        if after is not None:
            self.announcements.publish(events.ThreadChanged(after))
        self.announcements.publish(events.TurnStarted(thread_id, answer, plan))
        # What a summary stands for is not left out, and was told when it was made.
        if plan.decision == "trim" and plan.placement.newly_left_out:
            left_out = trim_line(plan.placement.newly_left_out, plan.placement.leaving)
            words = joined([left_out, *assumed_words(plan)], " · ")
            self.announcements.publish(events.NoticeRaised(thread_id, "trimmed", words))
        if plan.placement.newly_returned:
            self.announcements.publish(
                events.NoticeRaised(thread_id, "returned", return_line(plan.placement.newly_returned))
            )
        offer = plan.advice.return_offer
        if offer is not None and not offer.declined and (offer.carrier, plan.limits.soft) not in self._offered:
            self._offered.add((offer.carrier, plan.limits.soft))
            self.announcements.publish(events.NoticeRaised(thread_id, "return_offered", return_offered(offer)))
        if any(event.kind == "limit_passed" for event in plan.advice.events):
            self.announcements.publish(events.NoticeRaised(thread_id, "limit_passed", above_soft_limit(plan)))
        self._tell_removed(thread_id, secrets)
        return turn

    async def _run(
        self, question: OutgoingQuestion, turn: RunningTurn, choice: ChosenModel, *, title: str | None
    ) -> tuple[Message, NextRequest | None]:
        """The stored answer, and how the turn goes on where it does not end with it."""
        thread_id = turn.record.thread_id
        # Written while the request is under way, so that the first byte does not wait for the title.
        naming = asyncio.create_task(_attempted(self._name(turn.record, title))) if title is not None else None
        try:
            answer, next_request = await self._next(question, turn, choice, self.context.with_key(await turn.run()))
            answer = answer if next_request is not None else turn.with_results(answer)
            stored = await self._stored(turn, answer)
            if naming is not None:
                await to_the_end(naming)
        finally:
            del self._turns[thread_id]
        self.open_threads.grown(thread_id, (stored,))
        return stored, next_request if stored is answer else None

    async def _next(
        self, question: OutgoingQuestion, turn: RunningTurn, choice: ChosenModel, answer: Message
    ) -> tuple[Message, NextRequest | None]:
        """The answer as it is to be stored, and how the turn goes on. Raises nothing: the answer came."""
        try:
            if answer.failure is not None and answer.failure.code == "context_limit" and not answer.parts:
                after = await to_the_end(self._after_overflow(question, turn, choice, answer.failure))
                next_request = None if stop_wished() else after.next_request
                return answer if next_request is not None else replace(answer, failure=after.failure), next_request
            if turn.asks_for_tools:
                return await self._with_tools(question, turn, answer)
        except TurnCapError:
            return replace(answer, state="partial", stop_reason=TURN_CAP), None
        except Exception as error:  # a bug behind an answer must not cost it; it is logged as one
            log.exception("a turn could not go on")
            return replace(answer, state="partial", stop_reason=None, failure=_bug(type(error).__name__)), None
        return answer, None

    async def _stored(self, turn: RunningTurn, answer: Message) -> Message:
        """The answer as it stands in the history; with a failure where it is on the screen only. Raises nothing."""
        try:
            return await turn.store(answer)
        except PlimsollError as error:
            return self.save_retries.add(turn.record.id, answer, error.failure)
        except Exception as error:  # not even its text alone could be written: it is on the screen
            log.exception("the text of an answer could not be stored")
            return replace(answer, failure=_bug(type(error).__name__))

    async def _with_tools(
        self, question: OutgoingQuestion, turn: RunningTurn, answer: Message
    ) -> tuple[Message, NextRequest | None]:
        """Runs the tools that an answer asked for, and plans the request that takes their results to the model."""
        thread_id, had_enough = question.thread_id, turn.plan.request.answer_now
        if had_enough:
            self.announcements.publish(events.NoticeRaised(thread_id, "tool_limit", TOO_MANY_CALLS))
            return answer, None
        next_request = await _attempted(self._planned_with_results(question, turn, answer))
        failure = (
            next_request
            if isinstance(next_request, Failure)
            else await _attempted(self._reason_to_refuse(question, next_request.planned))
        )
        if isinstance(next_request, NextRequest) and failure is None and not stop_wished():
            return turn.staged(answer), next_request
        if failure is None or failure.code == INTERRUPTED:
            return replace(answer, state="partial", stop_reason=INTERRUPTED), None
        return replace(answer, state="partial", stop_reason=None, failure=failure), None

    async def _planned_with_results(
        self, question: OutgoingQuestion, turn: RunningTurn, answer: Message
    ) -> NextRequest:
        thread_id = question.thread_id
        parts = await turn.results()
        self.open_threads.grown(thread_id, (turn.staged(answer),))
        thread = await self.open_threads.get(thread_id)
        results = Message(self.clock.new_id(), thread_id, answer.id, "user", parts, self.clock.stamp())
        choice = await self._choice(question, thread)
        planned = await self._plan(question, thread, choice, (*thread.path, results), ())
        plan = replace(planned.plan, request=replace(planned.plan.request, answer_now=turn.tools.budget.exhausted))
        if plan.decision == "trim":
            results = replace(results, window=plan.placement.boundary)
        return NextRequest(replace(planned, plan=plan), results)

    async def _after_overflow(
        self, question: OutgoingQuestion, turn: RunningTurn, choice: ChosenModel, failure: Failure
    ) -> OverflowOutcome:
        try:
            thread = await self.open_threads.get(turn.record.thread_id)
            return await self.overflow_retry.met(thread, choice, turn.plan, failure, accept_limit=question.accept_limit)
        except PlimsollError as error:
            log.warning("nothing was learned of an overflow: %s", error.failure.code)
            return OverflowOutcome(None, failure)

    async def _announce_end(self, turn: RunningTurn, answer: Message, next_request: NextRequest | None) -> None:
        thread_id = turn.record.thread_id
        # Learned before the end is told: the gauge looks at once.
        learned = self._learned(turn, answer)
        if imitates_note(answer.text):
            self.announcements.publish(events.NoticeRaised(thread_id, "imitated_note", events.IMITATED))
        if next_request is not None and next_request.results is not None:
            self.announcements.publish(events.AnswerContinued(thread_id, answer, next_request.results))
        elif answer.failure is None:
            self.announcements.publish(events.TurnEnded(thread_id, answer))
        else:
            self.announcements.publish(events.TurnFailed(thread_id, answer, answer.failure))
        results = [part for part in answer.parts if isinstance(part, ToolResultPart)]  # a program took them at once
        self._tell_removed(thread_id, self.scan.undecided_in(results, turn.plan.request.secrets))
        if learned is not None:
            await to_the_end(_attempted(self.context.store(learned)))

    def _learned(self, turn: RunningTurn, answer: Message) -> Learned | None:
        thread = self.open_threads.loaded(turn.record.thread_id)
        try:
            return self.context.learn(turn.plan, turn.backend, thread, answer)
        except Exception:  # figures that teach nothing must not keep the end of a turn from being told
            log.exception("nothing was learned of an answer")
            return None

    async def refuse(
        self, question: OutgoingQuestion, failure: Failure, plan: ContextPlan | None = None, *, unseen: bool = False
    ) -> TurnOutcome:
        """Tells that nothing was sent, and keeps a new message as the thread's draft.

        Where its plan is in view it stands in a composer, which keeps it itself, with what is typed meanwhile.
        """
        if question.text and question.draft and not question.shown:
            await to_the_end(self.keep_draft(question.thread_id, question.text))
        if question.attached and question.draft and not question.shown:
            await to_the_end(self._keep_attachments(question.thread_id, question.attached))
        self.announcements.publish(events.SendRefused(question.thread_id, failure, plan, recounted=unseen))
        return TurnOutcome(None, failure, plan, INTERRUPTED if failure.code == INTERRUPTED else None)

    async def keep_draft(self, thread_id: str, text: str) -> None:
        """Keeps text that could not be sent in the thread's draft, as far as the history can be written."""
        stands: str | None = ""
        try:
            while stands is not None:
                draft = together(stands, text)
                stands = await self.history.save_draft(thread_id, draft, expected=stands)
        except PlimsollError as error:
            # The composer still has it; the refusal that is being told is the news.
            log.warning("a draft could not be kept: %s", error.failure.code)
            if isinstance(error, HistoryReplacedError):
                self.open_threads.grown(thread_id, (), draft=text)  # from here it can be saved elsewhere
            return
        self.open_threads.grown(thread_id, (), draft=draft)
        self.announcements.publish(events.DraftSaved(thread_id, draft))

    async def _keep_attachments(self, thread_id: str, parts: tuple[Part, ...]) -> None:
        try:
            there = await self.history.attachments(thread_id)
            parts = (*there, *without(parts, there))
            await self.history.save_attachments(thread_id, parts)
        except PlimsollError as error:
            log.warning("attachments could not be kept: %s", error.failure.code)
            return
        self.announcements.publish(events.AttachmentsChanged(thread_id, parts))

    async def _carry_deletions(self, planned: PlannedQuestion, begun: str) -> None:
        """Carry deletions over to a branch: those made where it begins apply on it, before its first message."""
        opened = planned.thread
        if carried_over(opened.thread.choices, opened.path, planned.path, begun) != opened.thread.choices:
            await self.facts.update(
                opened.thread.id,
                lambda now: replace(now, choices=carried_over(now.choices, opened.path, planned.path, begun)),
            )

    async def _name(self, record: TurnRecord, title: str) -> None:
        """After a thread's first question: a title from its words, and the backend and model it stays with."""
        try:
            await self.facts.fill_in(record.thread_id, title=title, backend=record.backend, model=record.model)
        except PlimsollError as error:
            log.warning("a title could not be stored: %s", error.failure.code)


def _path(question: OutgoingQuestion, thread: OpenThread) -> tuple[Message, ...]:
    """Return the messages before the question, and the question itself where an old one is asked again."""
    if question.fork is not None:
        return thread.conversation.path(question.fork.after)
    return question_path(thread) if question.parts is None else thread.path


async def _attempted(work: Awaitable[Result]) -> Result | Failure:
    """The result of what comes before a request leaves, or what kept it from leaving."""
    try:
        return await work
    except TurnCapError:
        raise
    except PlimsollError as error:
        return error.failure
    except asyncio.CancelledError:
        return Failure(INTERRUPTED, phrase("Stopped before anything was sent."))
    except Exception as error:  # a bug must not cost what the user wrote; it is logged as one
        log.exception("a request could not be made")
        words = phrase("Not sent because of an error in Plimsoll. Your text is kept; a report is in the logs folder.")
        return Failure("backend", words, type(error).__name__, ("retry", "open_data_folder"))


def _bug(detail: str) -> Failure:
    words = phrase("An error in Plimsoll ended this turn. The answer so far is kept; a report is in the logs folder.")
    return Failure("backend", words, detail, ("retry", "open_data_folder"))
