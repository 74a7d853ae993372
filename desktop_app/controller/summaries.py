"""Makes a thread's summaries, by hand and before a step (CTX-7), and starts a thread with one where a long one ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from desktop_app.controller.auxiliary_calls import AuxiliaryCalls, SpendingCaps
from desktop_app.controller.context_editing import ContextEditing
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ChosenModel, ModelChooser
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.controller.running_turn import stop_wished, to_the_end, with_stop
from desktop_app.controller.turn_notices import summarised
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices, Summary
from desktop_app.core.context.limits import most_output
from desktop_app.core.context.placed_messages import KEPT
from desktop_app.core.context.plan import ContextPlan, Limits
from desktop_app.core.context.plan_questions import trim_remedies
from desktop_app.core.context.plan_text import dollars, refusal
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.sent_content import SUMMARY_HEADING, clean_text, opens_turn
from desktop_app.core.context.summary_request import (
    FEWEST,
    PROBLEMS,
    Problem,
    SummaryWork,
    summary_problem,
    summary_work,
)
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import DraftSaved, NoticeRaised, SummaryEnded, SummaryStarted, ThreadCreated
from desktop_app.core.messages import Failure, Message, TextPart, Thread
from desktop_app.core.phrases import Phrase, joined, phrase, template
from desktop_app.core.settings import Settings
from desktop_app.core.stream_events import Accumulator

PURPOSE: Final = "summary"

BROKE_OFF: Final = phrase("The model's summary was cut off.")
CUT_SHORT: Final = phrase("The model reached the length limit before the summary was complete.")
TOO_LONG: Final = template("It has {tokens:,} tokens; the limit is {most:,}.")
DECLINED: Final = phrase("The model declined to write a summary.")
UNSENT: Final = phrase("Nothing was sent.")


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """A text that stands for its sources, by `model`; `cost_usd` None where the cost of a call is not known."""

    text: str
    model: str
    cost_usd: float | None


class SummaryWriter:
    """Has conversations condensed, each by the backend and model of a choice."""

    def __init__(self, history: History, context: ContextSource, caps: SpendingCaps, clock: Clock) -> None:
        self._calls = AuxiliaryCalls(history, clock)
        self._context = context
        self._caps = caps

    async def work(
        self, thread: Thread, sources: Sequence[Message], limits: Limits, choice: ChosenModel
    ) -> SummaryWork | None:
        """Return the work of summarising these messages; None where they are too few or nothing but tools.

        `limits` of the thread say how long the summary may be, those of the model that writes it what it can read.
        """
        estimator = await self._context.estimator(choice)
        own = self._context.plain(thread, choice, system="", estimator=estimator).plan(()).limits
        # Weighing the text of a whole window takes longer than a frame.
        return await asyncio.to_thread(summary_work, sources, replace(limits, emergency=own.emergency), estimator)

    async def condense(
        self, thread: Thread, choice: ChosenModel, work: SummaryWork, *, pass_cap: bool = False
    ) -> WrittenSummary:
        """The summary, each piece continuing the one before. Cancelling it stops the model.

        Raises `PlimsollError` where the model, a spending cap (not asked with `pass_cap`) or a limit stands in the way.
        """
        estimator = await self._context.estimator(choice)
        calls: list[Accumulator] = []
        text = ""
        for piece in range(len(work.pieces)):
            if stop_wished():
                raise asyncio.CancelledError
            plain = self._context.plain(thread, choice, system=work.system, estimator=estimator)
            if (plan := await asyncio.to_thread(_plan, plain, work, piece, text)).decision == "refuse":
                failure = refusal(plan)
                raise UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions)
            if not pass_cap:
                rest = (plan.price.cost_usd or 0.0) * (len(work.pieces) - piece)
                await self._caps.check(thread.id, choice.backend, rest, what=PURPOSE, end=UNSENT)
            call = Accumulator()
            calls.append(call)
            try:
                await self._calls.ask(thread, choice, plan, call, purpose=PURPOSE, broke_off=BROKE_OFF)
                text = await asyncio.to_thread(_settled, call, work, estimator)
            except PlimsollError as error:
                words = billed(error.failure.message, _price(choice, _cost(calls)))
                error.failure = replace(error.failure, message=words)
                raise
        return WrittenSummary(text, calls[-1].model or choice.model.id, _cost(calls))


def _cost(calls: Sequence[Accumulator]) -> float | None:
    """Dollars of these calls; None where one has no known price."""
    costs = [call.usage.cost_usd if call.usage is not None else None for call in calls]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def billed(problem: str, cost_usd: float | None) -> str:
    """Return the problem with a summary, and what it cost all the same."""
    return joined([problem, phrase("It cost {price}.", price=dollars(cost_usd))]) if cost_usd else problem


def _plan(plain: Preparation, work: SummaryWork, piece: int, so_far: str) -> ContextPlan:
    plan = plain.plan((TextPart(work.prompt(piece, so_far)),))
    most = min(plan.limits.max_output, most_output(plan.model, work.size))
    return replace(plan, limits=replace(plan.limits, max_output=most))


def _settled(call: Accumulator, work: SummaryWork, estimator: TokenEstimator) -> str:
    """The text of an ended call; `UserError` where it is cut short or longer than a summary may be."""
    if call.stop_reason == "refusal":
        raise UserError("backend", DECLINED)
    text = "\n\n".join(part.text for part in call.parts if isinstance(part, TextPart))
    text = clean_text(text).strip().removeprefix(SUMMARY_HEADING).strip()
    counted = call.usage.output - call.usage.thinking if call.usage is not None else 0
    tokens = counted or round(estimator.tokens(features(text)))
    if tokens > work.size:
        raise UserError("backend", Phrase(TOO_LONG, {"tokens": tokens, "most": work.size}), actions=("retry",))
    if call.stop_reason == "max_tokens":
        raise UserError("backend", CUT_SHORT, actions=("retry",))
    return text


def chosen_sources(
    path: Sequence[Message], ids: Iterable[str], choices: ContextChoices, plan: ContextPlan
) -> tuple[Message, ...]:
    """The whole turns of these messages that one summary can stand for, in path order.

    A summary that shares messages with them is taken over whole. What is excluded, what a fresh start has left behind,
    what is always sent and what waits for its answer stays out. `plan` is that of the path without a new message.
    """
    wanted = set(ids)
    for summary in choices.summaries:
        if wanted.intersection(summary.sources):
            wanted.update(summary.sources)
    waiting = set(() if plan.request.pending is None else plan.request.pending.sources)
    end = next((index for index, message in enumerate(path) if message.id in waiting), len(path))
    stay = {one.id for one in plan.placement.messages if one.state == "excluded" or one.reason == KEPT}
    chosen: list[Message] = []
    for turn in _turns(path[:end]):
        ids_of_turn = {message.id for message in turn}
        if choices.fresh_from in ids_of_turn:
            chosen.clear()
        elif ids_of_turn & wanted:
            chosen += (message for message in turn if message.id not in stay)
    return tuple(chosen)


def _turns(path: Sequence[Message]) -> Iterable[Sequence[Message]]:
    starts = [index for index, message in enumerate(path) if index == 0 or opens_turn(message)]
    return (path[start:end] for start, end in zip(starts, [*starts[1:], len(path)], strict=True))


log = logging.getLogger(__name__)

TOO_FEW: Final = phrase(
    "There is too little to summarize: at least {fewest} messages with text are needed.", fewest=FEWEST
)
BUSY: Final = phrase("A summary of this thread is being written already.")
STOPPED: Final = phrase("The summary was stopped.")
CLOSED: Final = phrase("Plimsoll is closing. No summary was made.")
FAULT: Final = phrase("An error in Plimsoll stopped the summary. A report is in the logs folder.")

BY_HAND: Final[dict[Problem, str]] = {
    "empty": phrase("The summary was empty. Nothing was changed."),
    "failed": phrase("The summary could not be made. Nothing was changed."),
    "too_long": phrase("The summary was longer than a quarter of its source. Nothing was changed."),
    "no_gain": phrase("The summary was longer than the messages it replaces. Nothing was changed."),
}


@dataclass(frozen=True, slots=True)
class SummaryOutcome:
    """The outcome of a summary: it stands, or `problem` says in a sentence why not ("": no problem).

    `before`: the thread's choices before it, for `ContextEditing.restore`. `stopped`: the user ended it. `failure`:
    what stood in the way, with its actions, where it was more than the text itself.
    """

    summary: Summary | None
    problem: str
    before: ContextChoices
    stopped: bool = False
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class RequestedSummary:
    """A summary that is wanted; `at_step`: of the very messages that the next request leaves out."""

    thread_id: str
    ids: tuple[str, ...]
    replaces: str | None = None
    pass_cap: bool = False
    at_step: bool = False

    @property
    def problems(self) -> Mapping[Problem, str]:
        """The words where it can't be taken."""
        return PROBLEMS if self.at_step else BY_HAND


@dataclass(eq=False, kw_only=True)
class Summaries:
    """Makes one summary of a thread at a time, each in a task that is kept here."""

    open_threads: OpenThreads
    chooser: ModelChooser
    context: ContextSource
    context_editing: ContextEditing
    summary_writer: SummaryWriter
    announcements: Announcements
    clock: Clock
    _tasks: dict[str, asyncio.Task[SummaryOutcome]] = field(default_factory=dict, init=False)
    _refusing: set[asyncio.Task[SummaryOutcome]] = field(default_factory=set, init=False)
    _unsaved: dict[str, Summary] = field(default_factory=dict, init=False)
    """Those that the history did not take, by their threads' ids."""
    _closed: bool = field(default=False, init=False)

    def start(
        self, thread_id: str, ids: Sequence[str], *, replaces: str | None = None, pass_cap: bool = False
    ) -> asyncio.Task[SummaryOutcome]:
        """Has the turns of these messages summarised; `replaces`: the id of the summary that this one takes over.

        Summaries that share messages with it are taken over whole. The task never raises; cancelling it is `stop`.
        `pass_cap` passes the spending caps this once.
        """
        return self._start(RequestedSummary(thread_id, tuple(ids), replaces, pass_cap))

    def start_at_step(self, thread_id: str, ids: Sequence[str]) -> asyncio.Task[SummaryOutcome]:
        """As `start`, for messages that the next request leaves out; the caller has asked about the caps."""
        return self._start(RequestedSummary(thread_id, tuple(ids), pass_cap=True, at_step=True))

    def running(self, thread_id: str) -> bool:
        """Return True if a summary of this thread is being written."""
        return thread_id in self._tasks

    async def finished(self, thread_id: str) -> None:
        """Waits for the summary that is being written, if there is one."""
        if (task := self._tasks.get(thread_id)) is not None:
            await asyncio.wait({task})

    async def stop(self, thread_id: str) -> None:
        """Ends the summary that is being written; nothing is changed. Does nothing where there is none."""
        if (task := self._tasks.get(thread_id)) is not None:
            task.cancel()
            await asyncio.wait({task})

    async def close(self) -> None:
        """Stops every summary; later ones are refused."""
        self._closed = True
        for thread_id in tuple(self._tasks):
            await self.stop(thread_id)

    def _start(self, wish: RequestedSummary) -> asyncio.Task[SummaryOutcome]:
        thread_id = wish.thread_id
        if self._closed or thread_id in self._tasks:
            refusing = asyncio.create_task(self._not_made(thread_id, CLOSED if self._closed else BUSY))
            self._refusing.add(refusing)
            refusing.add_done_callback(self._refusing.discard)
            return refusing
        task = asyncio.create_task(self._make(wish), name=f"summary in {thread_id}")
        self._tasks[thread_id] = task
        # A task that is cancelled before its first step never runs.
        task.add_done_callback(lambda _: self._release(thread_id, task))
        return task

    def _release(self, thread_id: str, task: asyncio.Task[Any] | None) -> None:
        if self._tasks.get(thread_id) is task:
            del self._tasks[thread_id]

    async def _not_made(self, thread_id: str, problem: str) -> SummaryOutcome:
        return SummaryOutcome(None, problem, await self._choices(thread_id))

    async def _choices(self, thread_id: str) -> ContextChoices:
        try:
            return (await self.open_threads.get(thread_id)).thread.choices
        except PlimsollError:
            return NO_CHOICES

    async def _make(self, wish: RequestedSummary) -> SummaryOutcome:
        thread_id, summary_id = wish.thread_id, self.clock.new_id()
        self.announcements.publish(SummaryStarted(thread_id, summary_id, len(wish.ids)))
        made: Summary | None = None
        before, problem, stopped, failure = NO_CHOICES, "", False, None
        try:
            if isinstance(written := await self._written(wish, summary_id), str):
                problem = written
            else:
                made, before = written
        except asyncio.CancelledError:
            problem, stopped = STOPPED, True
        except PlimsollError as error:
            failure = error.failure
            problem = f"{wish.problems['failed']} {failure.message}"
        except Exception:  # a bug must not end the turn that waits for it; it is logged as one
            log.exception("a summary could not be made")
            problem = FAULT
        if made is None:
            before = await to_the_end(self._choices(thread_id))
        # Free before the end is told: a listener may start the next one at once.
        self._release(thread_id, asyncio.current_task())
        self.announcements.publish(SummaryEnded(thread_id, summary_id, made, problem))
        if made is not None:
            log.info("context: summary, %d messages, %d characters", len(made.sources), len(made.text))
            words = summarised(len(made.sources), made.cost_usd)
            self.announcements.publish(NoticeRaised(thread_id, "summarised", words))
        elif not stopped:
            self.announcements.publish(NoticeRaised(thread_id, "summary_failed", problem))
        return SummaryOutcome(made, problem, before, stopped, failure)

    async def _written(self, wish: RequestedSummary, summary_id: str) -> tuple[Summary, ContextChoices] | str:
        """The summary, in the thread's choices now, with the choices before it; or the problem with it."""
        thread = await self.open_threads.get(wish.thread_id)
        choice = await self.chooser.choose(thread.thread)
        await self.chooser.check_usable(choice.backend)
        plan = (await self.context.prepared(thread, choice)).plan(())
        path, choices = thread.path, thread.thread.choices
        old = next((summary for summary in choices.summaries if summary.id == wish.replaces), None)
        again = old is not None and set(old.sources) == set(wish.ids)
        sources = (
            tuple(message for message in path if message.id in frozenset(wish.ids))
            if wish.at_step or again
            else chosen_sources(path, wish.ids, choices, plan)
        )
        work = await self.summary_writer.work(thread.thread, sources, plan.limits, choice.writer)
        if work is None:
            return TOO_FEW
        summary = self._unsaved.get(wish.thread_id)
        if summary is None or summary.sources != work.sources:
            condensed = await self.summary_writer.condense(thread.thread, choice.writer, work, pass_cap=wish.pass_cap)
            wanted = frozenset(work.sources)
            replaced = sum(one.tokens or one.whole for one in plan.placement.messages if one.id in wanted)
            estimator = await self.context.estimator(choice)
            if problem := summary_problem(condensed.text, work, estimator, replaced_tokens=replaced):
                return billed(wish.problems[problem], _price(choice, condensed.cost_usd))
            cost_usd = _price(choice, condensed.cost_usd)
            summary = Summary(summary_id, work.sources, condensed.text, condensed.model, "", cost_usd=cost_usd)
        # where it takes over another one it counts from when that did
        summary = replace(summary, created=self.clock.stamp(), at_step=wish.at_step)
        if old is not None and again:
            summary = replace(summary, created=old.created, at_step=old.at_step)
        adding = self.context_editing.add_summary(wish.thread_id, summary, replaces=wish.replaces)
        try:
            before = await to_the_end(adding)
        except PlimsollError as error:
            self._unsaved[wish.thread_id] = summary
            return phrase(
                "The summary is written but not saved. {message} Try again to save it: it is not paid twice.",
                message=error.failure.message,
            )
        self._unsaved.pop(wish.thread_id, None)
        return summary, before


def _price(choice: ChosenModel, cost_usd: float | None) -> float | None:
    """Dollars where there is a bill; a share of a plan has no price, whatever the program says it would have been."""
    match choice.backend.cost_kind:
        case "free":
            return 0.0
        case "plan":
            return None
        case _:
            return cost_usd


class Due(Protocol):
    """A request that is about to leave: its plan, and where it goes."""

    @property
    def plan(self) -> ContextPlan: ...

    @property
    def choice(self) -> ChosenModel: ...


@dataclass(eq=False)
class StepSummary:
    """Asks for the summary and waits for it."""

    _summaries: Summaries
    _caps: SpendingCaps
    _settings: Callable[[], Settings]

    async def tried_for(self, thread_id: str, due: Due, *, pass_cap: bool) -> bool:
        """Has what this request leaves out summarised; True where that was tried, so that it has to be planned again.

        Where no summary came of it the request goes without one; `Summaries` has told why. Raises `CancelledError`
        where the user stopped it, and `UserError("config")` where summary and request would pass a spending cap.
        """
        plan = due.plan
        # A retry after an overflow asks no model for anything (CTX-6).
        if plan.decision != "trim" or plan.request.shrunk or not self._settings().context.summarize_on_trim:
            return False
        if self._summaries.running(thread_id):
            await self._summaries.finished(thread_id)
            return True
        if not plan.advice.summary_due:
            return False
        if not pass_cap:
            offered = next((remedy for remedy in trim_remedies(plan) if remedy.action == "summarise"), None)
            price = offered.cost_usd if offered is not None else None
            await self._caps.check(thread_id, due.choice.backend, (plan.price.cost_usd or 0.0) + (price or 0.0))
        outcome = await with_stop(self._summaries.start_at_step(thread_id, plan.advice.summary_due))
        if outcome.stopped:
            raise asyncio.CancelledError
        return True


@dataclass(eq=False, kw_only=True)
class ThreadContinuation:
    """Makes successors, each in a task that is kept here."""

    history: History
    open_threads: OpenThreads
    chooser: ModelChooser
    context: ContextSource
    summary_writer: SummaryWriter
    announcements: Announcements
    clock: Clock
    _tasks: dict[asyncio.Task[Thread], str] = field(default_factory=dict, init=False)

    def start(self, thread_id: str, draft: str, *, pass_cap: bool = False) -> asyncio.Task[Thread]:
        """Makes a thread that goes on where this one ends: its draft is a summary of the whole path, then `draft`.

        Nothing is sent there before the user does. The old thread stays; it loses its draft once the new one has it.
        The task raises `PlimsollError` where no summary could be made; cancelling it makes no thread.
        """
        task = asyncio.create_task(self._made(thread_id, draft, pass_cap=pass_cap), name=f"successor of {thread_id}")
        self._tasks[task] = thread_id
        task.add_done_callback(self._tasks.pop)
        return task

    async def stop(self, thread_id: str | None = None) -> None:
        """Ends the making of the successors of a thread (None: of all); no thread is made."""
        tasks = {task for task, of in self._tasks.items() if thread_id in (None, of)}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _made(self, thread_id: str, draft: str, *, pass_cap: bool) -> Thread:
        old = await self.open_threads.get(thread_id)
        choice = await self.chooser.choose(old.thread)
        await self.chooser.check_usable(choice.backend)
        plan = (await self.context.prepared(old, choice)).plan(())
        everything = [message.id for message in old.path]
        # What waits for an answer belongs to what the new thread goes on from.
        sources = chosen_sources(
            old.path, everything, NO_CHOICES, replace(plan, request=replace(plan.request, pending=None))
        )
        work = await self.summary_writer.work(old.thread, sources, plan.limits, choice.writer)
        if work is None:
            raise UserError("usage", TOO_FEW)
        condensed = await self.summary_writer.condense(old.thread, choice.writer, work, pass_cap=pass_cap)
        if not condensed.text:
            raise UserError("backend", phrase("The summary was empty. No thread was made; the draft is kept."))
        return await to_the_end(self._begun(old.thread, condensed.text, draft))

    async def _begun(self, old: Thread, summary: str, draft: str) -> Thread:
        now = self.clock.stamp()
        text = f'Summary of "{old.title or "the thread before"}":\n\n{summary}\n\n{draft}'.rstrip()
        new = Thread(
            self.clock.new_id(),
            "",
            now,
            now,
            backend=old.backend,
            model=old.model,
            system=old.system,
            project=old.project,
            soft_limit=old.soft_limit,
            draft=text,
            private=old.private,  # what was said in memory only stays there
        )
        await self.history.create_thread(new)
        self.announcements.publish(ThreadCreated(new))
        self.announcements.publish(DraftSaved(new.id, text))
        if draft.strip():
            await self._take_away(old.id, draft)
        return new

    async def _take_away(self, thread_id: str, draft: str) -> None:
        """The new thread has the draft now: the old one loses it, unless more was written there meanwhile."""
        try:
            stands = await self.history.save_draft(thread_id, "", expected=draft)
        except PlimsollError as error:
            log.warning("a draft stands in two threads: %s", error.failure.code)
            return
        if stands is None:
            self.open_threads.grown(thread_id, (), draft="")
            self.announcements.publish(DraftSaved(thread_id, ""))
