"""The use cases of a thread: open, send, stop, retry, switch, keep its cache; and every task they run in.

Runs under any asyncio event loop, on that loop's thread only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from desktop_app.backends.backend_protocol import Backend, KeepsCaches
from desktop_app.controller.auxiliary_calls import AuxiliaryCalls, ModelTitles, SelectionRewriting, SpendingCaps
from desktop_app.controller.context_editing import ContextEditing, ContextJournal
from desktop_app.controller.context_source import ContextSource, ThreadArtifacts
from desktop_app.controller.history_watch import HistoryWatch, SaveRetries
from desktop_app.controller.model_selection import NO_PROJECTS, LearnedWindows, ModelChooser, ThreadProjects
from desktop_app.controller.open_threads import LIFETIMES, OpenThread, OpenThreads
from desktop_app.controller.outgoing_question import BranchPoint, OutgoingQuestion, OverflowRetry
from desktop_app.controller.ports import Announcements, Clock, History, KeyFingerprints, OwnVocabulary, Secrets
from desktop_app.controller.running_turn import INTERRUPTED, TurnOutcome, to_the_end, with_stop
from desktop_app.controller.sender import Sender
from desktop_app.controller.summaries import StepSummary, Summaries, SummaryWriter, ThreadContinuation
from desktop_app.controller.thread_library import MessageMarking, ThreadProperties
from desktop_app.controller.turn_notices import AtCap, ProjectMoves, switched
from desktop_app.controller.turn_tools import RecallTool, ServersInTurns, ToolTable, TurnTool
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.costs import MILLION, prices_for
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.sent_content import deleted_with, opens_turn
from desktop_app.core.context.what_if import PlanChoice
from desktop_app.core.conversation import Conversation, carried_over, living_end, shown_end
from desktop_app.core.errors import HistoryReplacedError, PlimsollError, UserError
from desktop_app.core.events import BranchChanged, DraftSaved, NoticeRaised, ThreadChanged, ThreadCreated
from desktop_app.core.history_records import KEPT_OF, CallRecord
from desktop_app.core.messages import Failure, Message, Parameters, Part, TextPart, Thread
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import Settings

PURPOSE = "cache"
NOTHING_DONE = phrase("Nothing was sent.")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeepOffer:
    """Keeping the cache until a time (seconds since 1970), for so many dollars."""

    until: float
    cost_usd: float


LEAST_GAINED_S = 150
"""Seconds that keeping a cache adds at least where it is offered: half of the shortest lifetime is worth its price."""


@dataclass(eq=False)
class CacheKeeping:
    """Offers to keep a cache, and keeps it. The call's id in the ledger tells of which answer the request was."""

    _history: History
    _backends: Mapping[str, Backend]
    _context: ContextSource
    _caps: SpendingCaps
    _clock: Clock

    async def offer(self, thread_id: str, plan: ContextPlan) -> KeepOffer | None:
        """Return what keeping the cache of `plan` takes; None: none is promised, too early, or a cap is in the way."""
        if (offered := self._offered(plan)) is None:
            return None
        if offered.until - (plan.price.cache.until or 0.0) < LEAST_GAINED_S:
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


BUSY = Failure(
    "store",
    phrase("An answer is still coming in this thread. Stop it or wait until it is complete, then send again."),
    actions=("stop",),
)
CLOSED = Failure(INTERRUPTED, phrase("Plimsoll is closing. Nothing was sent."))


class ChatController:
    """The use cases of threads. Constructed cheaply; `start` once before the first send, `close` once at the end."""

    def __init__(
        self,
        *,
        history: History,
        backends: Mapping[str, Backend],
        secrets: Secrets,
        settings: Callable[[], Settings],
        announcements: Announcements,
        clock: Clock | None = None,
        default_backend: str | None = None,
        interactive: bool = False,
        tools: Sequence[TurnTool] = (),
        servers: Callable[[], ServersInTurns | None] = lambda: None,
        projects: ThreadProjects = NO_PROJECTS,
        artifacts: ThreadArtifacts | None = None,
        scan: SecretScan | None = None,
        vocabulary: OwnVocabulary | None = None,
    ) -> None:
        """`default_backend`: named on the command line for this run. `interactive`: a person is at a window.

        `tools`: what models may call beside the search of their thread, in the order they are offered in; `servers`:
        those of the user's servers, if there are any. `projects`
        tells what a thread's project adds to its requests, `artifacts` which ones it has.
        """
        self.history = history
        self._backends = backends
        self._announcements = announcements
        self._clock = clock or Clock()
        self.open_threads = OpenThreads(history)
        self.facts = ThreadProperties(history, self.open_threads, announcements)
        self.windows = LearnedWindows(history)
        self.chooser = ModelChooser(
            backends,
            secrets,
            settings,
            self.windows,
            named_at_start=default_backend,
            interactive=interactive,
            projects=projects,
        )
        self.tools = ToolTable((RecallTool(history), *tools), servers)
        keys = secrets if isinstance(secrets, KeyFingerprints) else None
        scan = scan or SecretScan()
        self.context = ContextSource(
            history,
            settings,
            self._clock,
            self.tools,
            projects=projects,
            artifacts=artifacts,
            keys=keys,
            scan=scan,
            vocabulary=vocabulary,
        )
        self.journal = ContextJournal(history, self._clock)
        self.marks = MessageMarking(history, self.open_threads, announcements)
        self.project_moves = ProjectMoves(self.open_threads, self.prepared, projects, announcements)
        self.context_editing = ContextEditing(history, self.facts, self.journal, self.prepared)
        caps = SpendingCaps(history, settings, self._clock)
        self.cache_keeping = CacheKeeping(history, backends, self.context, caps, self._clock)
        summary_writer = SummaryWriter(history, self.context, caps, self._clock)
        self.summaries = Summaries(
            open_threads=self.open_threads,
            chooser=self.chooser,
            context=self.context,
            context_editing=self.context_editing,
            summary_writer=summary_writer,
            announcements=announcements,
            clock=self._clock,
        )
        self.selection_rewriting = SelectionRewriting(
            self.open_threads, self.chooser, self.context, caps, AuxiliaryCalls(history, self._clock)
        )
        self.continuation = ThreadContinuation(
            history=history,
            open_threads=self.open_threads,
            chooser=self.chooser,
            context=self.context,
            summary_writer=summary_writer,
            announcements=announcements,
            clock=self._clock,
        )
        self._save_retries = SaveRetries(history, self.open_threads, announcements)
        self.sender = Sender(
            history=history,
            open_threads=self.open_threads,
            facts=self.facts,
            chooser=self.chooser,
            context=self.context,
            tools=self.tools,
            caps=caps,
            step_summary=StepSummary(self.summaries, caps, settings),
            overflow_retry=OverflowRetry(self.context, self.windows, self.journal, announcements),
            journal=self.journal,
            save_retries=self._save_retries,
            announcements=announcements,
            clock=self._clock,
            settings=settings,
            scan=scan,
        )
        self._running: dict[str, asyncio.Task[TurnOutcome]] = {}
        self.titles: ModelTitles | None = None
        if interactive:  # a command never makes a call that nobody asked for
            self.titles = ModelTitles(
                open_threads=self.open_threads,
                facts=self.facts,
                chooser=self.chooser,
                context=self.context,
                caps=caps,
                calls=AuxiliaryCalls(history, self._clock),
                settings=settings,
                announcements=announcements,
                busy=lambda: bool(self._running),
            )
        self._tasks: set[asyncio.Task[TurnOutcome]] = set()
        self.watch = HistoryWatch(history, self.open_threads, self.windows, announcements)
        self._closed = False

    async def start(self) -> None:
        """Ends the turns that a dead process left running; their answers stay as they came, nothing is resent."""
        await self.watch.start()

    async def new_thread(
        self,
        *,
        backend: str | None = None,
        model: str | None = None,
        system: str = "",
        title: str = "",
        private: bool = False,
        project: str | None = None,
    ) -> Thread:
        """Makes an empty thread. Raises `UserError("config")` where a named backend or model is unknown.

        `private`: kept in memory only, by a history that can (`PrivateHistory`). `project`: the id of the one it is in.
        """
        if backend is not None or model is not None:
            choice = await self.chooser.choose(backend=backend, model=model)
            backend = backend and choice.backend.name  # it may have been named by its title
        now = self._clock.stamp()
        thread = Thread(self._clock.new_id(), title, now, now, backend=backend, model=model, system=system)
        thread = replace(thread, private=private, project=project)
        await self.history.create_thread(thread)
        self._announcements.publish(ThreadCreated(thread))
        return thread

    async def open_thread(self, thread_id: str) -> OpenThread:
        """The thread with its tree and path, a running answer included as far as it came. Sends nothing."""
        found = await self.open_threads.get(thread_id)
        if (turn := self.sender.turn_of(thread_id)) is None:
            return found
        self.open_threads.grown(thread_id, (turn.answer_now(),))
        return await self.open_threads.get(thread_id)

    def loaded(self, thread_id: str) -> OpenThread | None:
        """The thread as far as it is in memory, without waiting; a running answer as it was last stored."""
        return self.open_threads.loaded(thread_id)

    def in_memory(self) -> Sequence[tuple[Thread, Sequence[Message]]]:
        """The threads that were read, with their messages; also what the history could not take, as it came."""
        newest = dict(self._save_retries.answers())
        found = []
        for opened in self.open_threads.all():
            if (turn := self.sender.turn_of(opened.thread.id)) is not None:
                newest[turn.record.answer_id] = turn.answer_now()
            found.append((opened.thread, tuple(newest.get(one.id, one) for one in opened.conversation)))
        return found

    def message_rewritten(self, message: Message) -> None:
        """An answer was stored in another form: what is kept of it as an artifact is marked."""
        self.open_threads.rewritten(message)
        if (found := self.open_threads.loaded(message.thread_id)) is not None:
            self._announcements.publish(ThreadChanged(found.thread))

    async def prepared(self, thread_id: str) -> Preparation:
        """The thread's context made ready: then `.plan(parts)` costs under a millisecond. The gauge's source.

        Cheap to ask again: made anew only when path, model, limits, system prompt or settings changed. Raises
        `UserError("config")` where no backend can be chosen.
        """
        thread = await self.open_threads.get(thread_id)
        return await self.context.prepared(thread, await self.chooser.choose(thread.thread))

    async def prepared_new(self, like: Thread | None = None, *, project: str | None = None) -> Preparation:
        """The context of a thread that is not made yet and goes on with the backend of `like`; see `prepared`."""
        if project is not None:
            like = replace(like or Thread("", "", "", ""), project=project)
        choice = await self.chooser.choose(like)
        thread = Thread("", "", "", "", backend=choice.backend.name, model=choice.model.id, project=project)
        return await self.context.prepared(OpenThread.of(thread, Conversation(())), choice)

    async def compare_choices(
        self,
        thread_id: str | None,
        draft: Sequence[Part],
        *,
        like: Thread | None = None,
        backend: str | None = None,
        model: str | None = None,
    ) -> Sequence[PlanChoice]:
        """Return the ways in which `draft` could be sent, also to the two models used lately. Sends nothing.

        `thread_id` None: a thread that is not made yet, see `prepared_new`. `backend` and `model` are looked at in
        place of the thread's. Raises `UserError("config")` where no backend can be chosen.
        """
        thread = None if thread_id is None else await self.open_threads.get(thread_id)
        choice = await self.chooser.choose(like if thread is None else thread.thread, backend=backend, model=model)
        if thread is None:
            new = Thread("", "", "", "", project=None if like is None else like.project)
            thread = OpenThread.of(new, Conversation(()))
        own = (choice.backend.name, choice.model.id)
        lately = [key for key in await self.history.recent_models() if key != own]
        known = [await self.chooser.known(*key) for key in lately]
        return await self.context.compared(thread, choice, [one for one in known if one is not None][:2], draft)

    async def cost_reasons(self, thread_id: str) -> Mapping[str, str]:
        """See `cost_reasons`: of the answers of the thread's branch."""
        from desktop_app.controller.cost_reasons import cost_reasons

        thread = await self.open_threads.get(thread_id)
        return await cost_reasons(thread.path, thread.conversation, self._priced_model, self.history.request)

    def _priced_model(self, backend: str, model: str) -> ModelInfo | None:
        found = self._backends.get(backend)
        return found.model(model) if found is not None and found.cost_kind == "money" else None

    async def forget_learned_window(self, backend: str, model: str) -> None:
        """Goes back to what provider and catalogue say of a model's window."""
        await self.windows.learn(backend, model, None)

    def start_send(
        self,
        thread_id: str,
        parts: Sequence[Part],
        *,
        accept_limit: int | None = None,
        pass_cap: bool = False,
        send_anyway: bool = False,
        shown: bool = False,
        ask_first: bool = False,
        at_cap: AtCap = "ask",
        tools: Sequence[str] = (),
        allow: Collection[str] = (),
    ) -> asyncio.Task[TurnOutcome]:
        """Sends a new message of `parts` in a task of its own; the task is kept here and needs no keeping.

        `accept_limit`: a soft limit in tokens that the user accepted for this one request, such as
        `plan_questions.offered_limit` names it; `set_soft_limit` is for all requests of the thread. `pass_cap`: the
        user lets this one request, and the summary it may need, pass the spending caps.
        `send_anyway`, `shown`, `ask_first`, `at_cap`, `tools` and `allow`: see `OutgoingQuestion`. Cancelling the task
        is as `stop`.
        """
        question = OutgoingQuestion(
            thread_id,
            tuple(parts),
            accept_limit,
            pass_cap,
            send_anyway=send_anyway,
            shown=shown,
            ask_first=ask_first,
            at_cap=at_cap,
            tools=tuple(tools),
            allow=frozenset(allow),
        )
        return self._start(question)

    async def send(
        self, thread_id: str, parts: Sequence[Part], *, accept_limit: int | None = None, pass_cap: bool = False
    ) -> TurnOutcome:
        """Sends and waits for the end of the answer; a cancelled caller stops it. Raises no `PlimsollError`."""
        return await with_stop(self.start_send(thread_id, parts, accept_limit=accept_limit, pass_cap=pass_cap))

    def start_continue(
        self, thread_id: str, words: str, *, pass_cap: bool = False, ask_first: bool = False
    ) -> asyncio.Task[TurnOutcome]:
        """Asks for the rest of an answer in words of our own, as `start_send`; the thread's draft is left alone."""
        return self._start(
            OutgoingQuestion(thread_id, (TextPart(words),), pass_cap=pass_cap, draft=False, ask_first=ask_first)
        )

    def start_retry(
        self, thread_id: str, *, pass_cap: bool = False, ask_first: bool = False, at_cap: AtCap = "ask"
    ) -> asyncio.Task[TurnOutcome]:
        """Asks the last user message again, as `start_send`; earlier answers stay as siblings."""
        return self._start(OutgoingQuestion(thread_id, None, pass_cap=pass_cap, ask_first=ask_first, at_cap=at_cap))

    async def allow_secrets(self, thread_id: str, parts: Sequence[Part]) -> None:
        """Lets what looks like a secret in the request of a new message leave with the thread's requests."""
        if found := await self.sender.secrets_in(OutgoingQuestion(thread_id, tuple(parts))):
            await self.context_editing.decide_secrets(thread_id, found, send=True)

    async def retry(self, thread_id: str, *, pass_cap: bool = False) -> TurnOutcome:
        """Asks the last user message again, as `send`."""
        return await with_stop(self.start_retry(thread_id, pass_cap=pass_cap))

    async def start_edit(
        self, thread_id: str, message_id: str, parts: Sequence[Part], *, pass_cap: bool = False, ask_first: bool = False
    ) -> asyncio.Task[TurnOutcome]:
        """Asks `parts` in place of a message of the user's, as `start_send`. `UserError("usage")`: it is none."""
        question = await self._question(thread_id, tuple(parts), message_id)
        return self._start(replace(question, pass_cap=pass_cap, ask_first=ask_first))

    async def start_regenerate(
        self,
        thread_id: str,
        message_id: str,
        *,
        backend: str | None = None,
        model: str | None = None,
        pass_cap: bool = False,
        ask_first: bool = False,
    ) -> asyncio.Task[TurnOutcome]:
        """Has the turn of a message answered again, as `start_send`; the answers that it has stay as siblings.

        `backend` and `model`: of whom, this once; None: the thread's own. Raises `UserError("usage")` where the message
        belongs to no question.
        """
        question = await self._question(thread_id, None, message_id)
        return self._start(replace(question, pass_cap=pass_cap, ask_first=ask_first, backend=backend, model=model))

    async def expected(
        self,
        thread_id: str,
        parts: Sequence[Part] | None,
        *,
        at: str | None = None,
        backend: str | None = None,
        model: str | None = None,
    ) -> ContextPlan:
        """The plan of what would be asked, before it is: sends nothing and has nothing counted elsewhere.

        With `at` that of `start_edit` (`parts`) or `start_regenerate` (None), without it of `start_send` or
        `start_retry`. Raises `PlimsollError` where no plan can be made; sending says why.
        """
        question = await self._question(thread_id, tuple(parts) if parts is not None else None, at)
        return await self.sender.expected(replace(question, backend=backend, model=model))

    async def show_branch(self, thread_id: str, message_id: str) -> Thread:
        """Shows the branch through a message to its newest end; `UserError`: unknown, or an answer is coming."""
        return await self._turn_to(thread_id, message_id, shown_end)

    async def branch_from(self, thread_id: str, message_id: str) -> Thread:
        """Ends the current branch with a message: the next question begins one there. Raises as `show_branch`."""
        return await self._turn_to(thread_id, message_id, lambda _, here, __: here)

    async def delete_turn(self, thread_id: str, message_id: str) -> ContextChoices:
        """Deletes the turn of a message on the current branch: it is neither shown, sent nor found; the rest stays.

        Of an answer at the end of the branch its question stays, to be answered again. Where the branch ended with it
        and had versions beside it, the nearest one is the current one then. Returns the choices before it, which
        `context_editing.restore` takes it back with. Raises as `show_branch`.
        """
        if thread_id in self._running:
            raise UserError(BUSY.code, BUSY.message, actions=BUSY.actions)
        found = await self.open_threads.get(thread_id)
        if not (turn := deleted_with(found.path, message_id)):
            raise UserError("usage", phrase("This message is no longer in the thread."))
        before = await self.context_editing.delete(thread_id, turn, found.path[-1].id)
        await self._turn_to(thread_id, found.path[-1].id, living_end)
        return before

    async def _turn_to(
        self, thread_id: str, message_id: str, end_of: Callable[[Conversation, str, ContextChoices], str]
    ) -> Thread:
        if thread_id in self._running:
            raise UserError(BUSY.code, BUSY.message, actions=BUSY.actions)
        found = await self.open_threads.get(thread_id)
        if message_id not in found.conversation:
            raise UserError("usage", phrase("This message is no longer in the thread."))
        choices = found.thread.choices
        if (tip := end_of(found.conversation, message_id, choices)) == found.thread.tip:
            return found.thread
        path = found.conversation.path(tip)
        if tip in (message.id for message in found.path) and carried_over(choices, found.path, path) != choices:
            # the branch is only cut short
            await self.facts.update(
                thread_id, lambda now: replace(now, choices=carried_over(now.choices, found.path, path))
            )
        await self.history.move_tip(thread_id, tip, expected=found.thread.tip)
        thread = self.open_threads.grown(thread_id, (), tip=tip) or (await self.open_threads.get(thread_id)).thread
        self._announcements.publish(BranchChanged(thread_id, tip))
        self._announcements.publish(ThreadChanged(thread))
        return thread

    async def _question(self, thread_id: str, parts: tuple[Part, ...] | None, at: str | None) -> OutgoingQuestion:
        """Return the question asked at the end of the thread, or (`at`) in the turn of a message."""
        if at is None:
            return OutgoingQuestion(thread_id, parts)
        asked = await self._asked(thread_id, at)
        fork = BranchPoint(asked.id if parts is None else asked.parent_id)
        return OutgoingQuestion(thread_id, parts, fork=fork, draft=False)

    async def _asked(self, thread_id: str, message_id: str) -> Message:
        """The question of the turn that a message belongs to."""
        found = await self.open_threads.get(thread_id)
        path = found.conversation.path(message_id)
        asked = next((message for message in reversed(path) if opens_turn(message)), None)
        if asked is None:
            raise UserError("usage", phrase("There is no question here that could be asked again."))
        return asked

    async def stop(self, thread_id: str) -> None:
        """Ends the running answer or summary, if there is one; returns when what came of it is stored."""
        if (task := self._running.get(thread_id)) is not None:
            task.cancel()
            await asyncio.wait({task})
        await self.summaries.stop(thread_id)
        await self.continuation.stop(thread_id)

    def answer_pause(self, thread_id: str, *, go_on: bool) -> None:
        """Lets the turn that waits at its cap go on, or end there; does nothing where none waits."""
        if (turn := self.sender.turn_of(thread_id)) is not None:
            turn.tools.budget.pause.answer("on" if go_on else "")

    def answer_consent(self, thread_id: str, call_id: str, decision: Literal["once", "thread", "no"]) -> None:
        """Lets a call that waits for it be run, or not; does nothing where it does not wait any more."""
        if (turn := self.sender.turn_of(thread_id)) is not None:
            turn.tools.budget.pause.answer(decision, call_id)

    def retry_now(self, thread_id: str) -> None:
        """Makes the next attempt of the running answer at once; does nothing where none is waited for."""
        if (turn := self.sender.turn_of(thread_id)) is not None:
            turn.retry_now()

    def running(self, thread_id: str) -> bool:
        """Return True if an answer is awaited or coming in this thread, through this process."""
        return thread_id in self._running

    @property
    def answering(self) -> Sequence[str]:
        """The threads of which that holds."""
        return tuple(self._running)

    async def switch(self, thread_id: str, *, backend: str, model: str | None) -> Thread:
        """Takes another backend or model (None: its default) for the thread from its next turn on; the history stays.

        Raises `UserError("config")` for unknown names. A thread with messages gets a notice of what is read anew.
        """
        before = await self.open_threads.get(thread_id)
        choice = await self.chooser.choose(backend=backend, model=model)
        thread = await self.facts.change(thread_id, backend=choice.backend.name, model=choice.model.id)
        if before.path and (thread.backend, thread.model) != (before.thread.backend, before.thread.model):
            words = switched(choice.backend.title, (await self.prepared(thread_id)).plan(()))
            self._announcements.publish(NoticeRaised(thread_id, "switched", words))
        return thread

    async def set_soft_limit(self, thread_id: str, tokens: int | None) -> Thread:
        """Sets the thread's own soft limit in tokens; None: the setting's."""
        return await self.facts.change(thread_id, soft_limit=tokens)

    async def set_system(self, thread_id: str, system: str) -> Thread:
        """Sets the thread's system prompt, for its next turn on."""
        return await self.facts.change(thread_id, system=system)

    async def set_parameters(self, thread_id: str, parameters: Parameters) -> Thread:
        """Sets what is asked of the model in this thread, for its next turn on."""
        return await self.facts.change(thread_id, parameters=parameters)

    async def save_draft(self, thread_id: str, text: str, *, expected: str) -> str | None:
        """Stores what stands in the composer; see `History.save_draft`."""
        try:
            stands = await self.history.save_draft(thread_id, text, expected=expected)
        except HistoryReplacedError:
            self.open_threads.grown(thread_id, (), draft=text)  # from here it can be saved elsewhere
            raise
        self.open_threads.grown(thread_id, (), draft=text if stands is None else stands)
        if stands is None:
            self._announcements.publish(DraftSaved(thread_id, text))
        return stands

    async def keep_draft(self, thread_id: str, text: str) -> None:
        """Adds a text to the draft, where it does not stand there already."""
        await self.sender.keep_draft(thread_id, text)

    async def prepare_backend(self, thread_id: str) -> None:
        """Called when the user begins to type: lets the backend do what makes the next send faster. Never raises."""
        try:
            thread = await self.open_threads.get(thread_id)
            choice = await self.chooser.choose(thread.thread)
            await self.chooser.check_usable(choice.backend)
            prepared = await self.context.prepared(thread, choice)
            await asyncio.gather(self.history.prepare_turn(thread_id), choice.backend.prepare(prepared.plan(())))
        except PlimsollError:
            # The send will say what is wrong; typing is no time for errors.
            return

    async def close(self) -> None:
        """Stops every turn and returns when all that came is stored. Later sends are refused."""
        self._closed = True
        for task in self._running.values():
            task.cancel()
        await self.summaries.close()
        await self.continuation.stop()
        if self.titles is not None:
            await self.titles.close()
        if self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._save_retries.close()

    def _start(self, question: OutgoingQuestion) -> asyncio.Task[TurnOutcome]:
        thread_id = question.thread_id
        if self._closed or thread_id in self._running:
            refusing = asyncio.create_task(self.sender.refuse(question, CLOSED if self._closed else BUSY))
            self._keep(refusing)
            return refusing

        def release() -> None:
            # Before the end is announced: a listener may send the next message at once.
            if self._running.get(thread_id) is task:
                del self._running[thread_id]

        async def ask() -> TurnOutcome:
            await to_the_end(self.watch.look_before_sending())
            return await self.sender.ask(question, release)

        task = asyncio.create_task(ask(), name=f"turn in {thread_id}")
        self._running[thread_id] = task
        self._keep(task)
        task.add_done_callback(lambda _: release())
        return task

    def _keep(self, task: asyncio.Task[TurnOutcome]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
