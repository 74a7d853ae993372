"""Prepares contexts and keeps them while nothing changes, and teaches the estimators by what answers counted."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from functools import partial
from weakref import WeakValueDictionary

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.model_selection import NO_PROJECTS, ChosenModel, ThreadProjects, own_limit
from desktop_app.controller.open_threads import KEPT_OPEN, OpenThread
from desktop_app.controller.ports import Clock, History, KeyFingerprints, OwnVocabulary, parse_stamp
from desktop_app.controller.turn_tools import ToolTable
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.path_tokens import ToolTokens
from desktop_app.core.context.plan import CacheClock, ContextPlan, RequestHasher, size_of
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.project_context import DocumentCounts, ProjectContext
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.context.sent_content import open_calls, opens_turn
from desktop_app.core.context.token_counting import ArtifactContext, TextCounter, observation_after
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.context.what_if import PlanChoice, compared
from desktop_app.core.conversation import carried_over
from desktop_app.core.messages import Message, Part, RequestCount, Thread, ToolSpec
from desktop_app.core.model_catalog import ModelInfo, TokenizerFamily
from desktop_app.core.settings import Settings

ThreadArtifacts = Callable[[str], Awaitable[tuple[ArtifactContext, ...]]]

LONG_PATH = 150
"""Messages of a path from which on it is made ready beside the event loop: below, that takes less than 4 ms."""


@dataclass(frozen=True, slots=True)
class Learned:
    """An estimator that a turn has just improved, for its backend and model."""

    backend: str
    model: str
    estimator: TokenEstimator


@dataclass(eq=False)
class ContextSource:
    """Makes contexts ready. One prepared context is kept per thread, for as long as everything it is made of stays."""

    history: History
    settings: Callable[[], Settings]
    clock: Clock
    tools: ToolTable
    _: KW_ONLY
    projects: ThreadProjects = NO_PROJECTS
    artifacts: ThreadArtifacts | None = None
    """Those of a thread by its id, the same value for as long as none changes."""
    keys: KeyFingerprints | None = None
    scan: SecretScan | None = None
    vocabulary: OwnVocabulary | None = None
    _of_turn: dict[str, tuple[ArtifactContext, ...]] = field(default_factory=dict, init=False)
    _documents: DocumentCounts = field(default_factory=DocumentCounts, init=False)
    kept_caches: dict[str, datetime] = field(default_factory=dict, init=False)
    """When the request of an answer, by its id, was read once more to keep it in the provider's cache."""
    _knows_kept: bool = field(default=False, init=False)
    _estimators: dict[tuple[str, str], TokenEstimator] = field(default_factory=dict, init=False)
    _counters: dict[TokenizerFamily, TextCounter] = field(default_factory=dict, init=False)
    _unstored: set[tuple[str, str]] = field(default_factory=set, init=False)
    _prepared: OrderedDict[str, tuple[tuple[object, ...], Preparation]] = field(default_factory=OrderedDict, init=False)
    _preparing: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)

    async def prepared(
        self,
        thread: OpenThread,
        choice: ChosenModel,
        *,
        path: Sequence[Message] | None = None,
        soft_limit: int | None = None,
    ) -> Preparation:
        """The context of `thread` for `choice`, ready for plans; `path` and `soft_limit` (tokens) for one request."""
        # several parts of a window ask for the thread that was opened: one makes it ready, the others wait for that
        async with self._preparing.setdefault(thread.thread.id, asyncio.Lock()):
            return await self._made_ready(thread, choice, path, soft_limit)

    async def instructions(self, thread: OpenThread) -> tuple[str, str]:
        """The parts of a thread's system prompt that are not its own: those of all threads, those of its project."""
        project = await self.projects.context_of(thread.thread)
        return self.settings().context.instructions or "", project.instructions if project is not None else ""

    async def compared(
        self, thread: OpenThread, choice: ChosenModel, others: Sequence[ChosenModel], draft: Sequence[Part]
    ) -> tuple[PlanChoice, ...]:
        """Return the ways in which `draft` could be sent, to `choice` and to other models. Sends nothing."""
        # its own, as the gauge goes on planning with the one that is kept
        own, *aside = [await self._made_ready(thread, one, None, None, keep=False) for one in (choice, *others)]
        return await asyncio.to_thread(compared, own, draft, aside)

    async def _made_ready(
        self,
        thread: OpenThread,
        choice: ChosenModel,
        path: Sequence[Message] | None,
        soft_limit: int | None,
        *,
        keep: bool = True,
    ) -> Preparation:
        """`keep` False: made for a look at another model, in whose favour nothing of the thread's own is forgotten."""
        messages = thread.path if path is None else tuple(path)
        choices = carried_over(thread.thread.choices, thread.path, messages)
        settings = self.settings().context
        estimator, counter = await self.estimator(choice), await self.counter(choice.model)
        prompts = (settings.instructions or "", thread.thread.system or choice.model.system)
        backend, system = choice.backend, "\n\n".join(one.strip() for one in prompts if one.strip())
        project = await self.projects.context_of(thread.thread)
        own = own_limit(thread.thread, await self.projects.of_thread(thread.thread))
        artifacts = await self._artifacts_for(thread.thread, messages)
        offered = self.tools.offered(thread.thread, choice.model, project, has_artifacts=bool(artifacts))
        if backend.overhead.keeps_warm and not self._knows_kept:
            self._knows_kept = True
            for name, at in (await self.history.kept_caches()).items():
                if (time := parse_stamp(at)) is not None:
                    self.kept_caches.setdefault(name, time)
        cache = await self._cache_clock(thread, backend.name)
        made_of = (
            messages,
            backend.name,
            choice.model,
            choice.summary_model,
            system,
            settings,
            own,
            soft_limit,
            choices,
            project,
            artifacts,
            offered,
            thread.thread.parameters,
            estimator,
            _cache_facts(cache, settings.idle_reset_minutes),
            backend.overhead,
        )
        kept = self._prepared.get(thread.thread.id)
        count = thread.thread.draft_count
        if kept is not None and keep and _unchanged(kept[0], made_of):
            return self._keep(thread.thread.id, made_of, kept[1].with_count(count))
        prepare = partial(
            prepare_context,
            Recipient(
                backend=backend.name,
                model=choice.model,
                overhead=backend.overhead,
                summary_model=choice.summary_model,
                estimator=estimator,
                cache=cache,
                free=backend.cost_kind == "free",
                counter=counter,
            ),
            ThreadContents(
                system=system,
                path=messages,
                choices=choices,
                tools=partial(self._offered, thread.thread, choice.model, project, bool(artifacts)),
                parameters=thread.thread.parameters,
                project=project,
                artifacts=artifacts,
            ),
            ThreadLimits(settings=settings, soft_limit=own, once=soft_limit),
            count=count,
            previous=kept[1] if kept is not None and kept[0][1] == backend.name else None,
            documents=self._documents,
        )
        # Ten thousand messages take 0.2 s, as do books that are always included: the window goes on meanwhile.
        beside = len(messages) > LONG_PATH or (project is not None and not self._documents.knows(project))
        beside = beside or counter.vocabulary is not None  # each text is a question to another process
        made = await asyncio.to_thread(prepare) if beside else prepare()
        return self._keep(thread.thread.id, made_of, made) if keep else made

    async def _cache_clock(self, thread: OpenThread, backend: str) -> CacheClock:
        now, kept, others = self.clock.now(), self.kept_caches, frozenset[str]()
        if self.keys is not None:
            others = await self.keys.others(backend, thread.times.keys(now, backend=backend, kept=kept))
        return thread.times.cache_clock(now, backend=backend, kept=kept, other_keys=others)

    def with_key(self, answer: Message) -> Message:
        """The answer with the fingerprint of the key that was asked with."""
        if self.keys is None or answer.usage is None or not answer.backend:
            return answer
        return replace(answer, usage=replace(answer.usage, key=self.keys.fingerprint(answer.backend)))

    async def _artifacts_for(self, thread: Thread, path: Sequence[Message]) -> tuple[ArtifactContext, ...]:
        """The thread's artifacts; while its model calls tools, as they were before: what it thought is bound to it."""
        if self.artifacts is None or not thread.id:
            return ()
        if not _calls_tools(path) or thread.id not in self._of_turn:
            self._of_turn.pop(thread.id, None)
            self._of_turn[thread.id] = await self.artifacts(thread.id)
            for oldest in list(self._of_turn)[:-KEPT_OPEN]:
                del self._of_turn[oldest]
        return self._of_turn[thread.id]

    def _offered(
        self, thread: Thread, model: ModelInfo, project: ProjectContext | None, has_artifacts: bool, searched: int
    ) -> Sequence[ToolSpec]:
        """The tools for a request in which so many always included documents have no room."""
        if project is not None and searched:
            project = replace(project, searchable=project.searchable + searched)
        return self.tools.offered(thread, model, project, has_artifacts=has_artifacts)

    def plain(self, thread: Thread, choice: ChosenModel, *, system: str, estimator: TokenEstimator) -> Preparation:
        """The context of a request that no other continues, under the limits of `thread`; called off the loop too."""
        return prepare_context(
            Recipient(
                backend=choice.backend.name,
                model=choice.model,
                overhead=replace(choice.backend.overhead, cache_marks=0),
                estimator=estimator,
                cache=CacheClock(),
                free=choice.backend.cost_kind == "free",
                counter=self._known_counter(choice.model),
            ),
            ThreadContents(
                system=system, path=(), choices=ContextChoices(accepted_cliff=thread.choices.accepted_cliff)
            ),
            ThreadLimits(settings=self.settings().context, soft_limit=thread.soft_limit),
        )

    async def count(self, plan: ContextPlan, backend: Backend, *, private: bool) -> RequestCount | None:
        """The provider's own count of a request, where that may save it from being refused (CTX-5); else None.

        Asked only where the estimate is within its own error of the emergency limit: a request that even by the lowest
        estimate is too long stays refused without asking. What is said in `private` leaves for an answer only.
        """
        if plan.decision != "refuse" or plan.tokens.source == "measured" or plan.tokens.lowest > plan.limits.emergency:
            return None
        leaves = backend.cost_kind != "free"
        if leaves and (private or not self.settings().context.ask_provider_to_count):
            return None
        if (tokens := await backend.count_tokens(plan)) is None:
            return None
        return RequestCount(RequestHasher().of(plan), tokens, backend.title if leaves else "", size_of(plan))

    def learn(self, plan: ContextPlan, backend: Backend, thread: OpenThread | None, answer: Message) -> Learned | None:
        """Improves the estimator by what the provider counted for `answer`; None where there is nothing to learn."""
        key = (plan.backend, plan.model.id)
        if thread is None or answer.usage is None or key not in self._estimators:
            return None
        at_tip = bool(thread.path) and thread.path[-1].id == answer.id
        # walking up the tree costs its depth
        before = thread.path if at_tip else thread.conversation.path(answer.parent_id)
        overhead = backend.overhead
        observed = observation_after(
            before,
            answer,
            labels=overhead.labels,
            system=plan.request.system,
            # what tools weigh is known as nearly as what a program adds
            overhead=overhead.tokens + plan.tokens.tools,
            rest=_beside(plan, answer.parent_id),
            documents=plan.request.messages[0].blocks[: plan.request.always],
            counter=replace(self._known_counter(plan.model), secrets=plan.request.secrets),
        )
        if observed is None:
            return None
        self._estimators[key] = self._estimators[key].observe(*observed)
        self._unstored.add(key)
        return Learned(*key, self._estimators[key])

    async def store(self, learned: Learned) -> None:
        """Writes an improved estimator."""
        key = learned.backend, learned.model
        await self.history.save_token_weights(*key, learned.estimator.weights())
        if self._estimators.get(key) is learned.estimator:
            self._unstored.discard(key)

    async def estimator(self, choice: ChosenModel) -> TokenEstimator:
        """The estimator of a backend's model, as far as it has learned by now, in another process, too."""
        model, key = choice.model, (choice.backend.name, choice.model.id)
        weights = await self.history.token_weights(*key) if key not in self._unstored else None
        kept = self._estimators.get(key)
        # what was learned while they were read is newer
        newer = weights is not None and key not in self._unstored
        if kept is None or (newer and weights != kept.weights()):
            self._estimators[key] = TokenEstimator.from_weights(weights, model.tokenizer)
        return self._estimators[key]

    def tool_scale(self, choice: ChosenModel) -> float | None:
        """Tokens of tools in the thread planned last with a model, for each that a seed says; None: it has no tools."""
        recipient = choice.backend.name, choice.model
        made = next((made for made_of, made in reversed(self._prepared.values()) if made_of[1:3] == recipient), None)
        plan = None if made is None else made.plan(())
        if plan is None or not plan.request.tools:
            return None
        return ToolTokens.of(plan.request.tools, choice.model.tokenizer).scale(plan.tokens.tools)

    def _known_counter(self, model: ModelInfo) -> TextCounter:
        return self._counters.get(model.tokenizer) or TextCounter(scan=self.scan)

    async def counter(self, model: ModelInfo) -> TextCounter:
        """The counter of a model's texts: by its vocabulary where that is here."""
        if (known := self._counters.get(model.tokenizer)) is None:
            own = None if self.vocabulary is None else await self.vocabulary.counter(model)
            known = self._counters[model.tokenizer] = TextCounter(own, self.scan)
        return known

    def _keep(self, thread_id: str, made_of: tuple[object, ...], made: Preparation) -> Preparation:
        self._prepared[thread_id] = (made_of, made)
        self._prepared.move_to_end(thread_id)
        while len(self._prepared) > KEPT_OPEN:
            self._prepared.popitem(last=False)
        return made


def _calls_tools(path: Sequence[Message]) -> bool:
    """Return True if tools run behind this path, or have answered and the model has not."""
    last = path[-1] if path else None
    if last is None or last.state != "complete":
        return False
    return bool(open_calls(last.parts)) or (last.role == "user" and not opens_turn(last))


def _beside(plan: ContextPlan, question: str | None) -> int:
    """Tokens of everything in a request beside its question, which may be on the path already."""
    asked = plan.tokens.draft + sum(item.tokens for item in plan.placement.attached)
    place = None if question is None else plan.placement.messages.index_of(question)
    return plan.tokens.total - asked - (0 if place is None else plan.placement.messages[place].tokens)


def _cache_facts(cache: CacheClock, reset_minutes: int) -> tuple[object, ...]:
    """A plan's part of the clock: not the minutes that pass with every keystroke, only the marks they pass."""
    idle = cache.idle_minutes
    return (
        cache.living,
        cache.fresh,
        cache.lifetime,
        cache.until,
        cache.beside,
        cache.forks,
        cache.foreign,
        idle is None,
        bool(reset_minutes and idle is not None and idle >= reset_minutes),
    )


def _unchanged(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    # The path by identity: comparing ten thousand messages per keystroke would cost more than the plan.
    return before[0] is now[0] and before[1:] == now[1:]
