"""Makes a plan: what is sent, what is left out, what it weighs and costs, where its cache marks stand.

A provider's cache matches whole prefixes that end at a mark, and looks back at most 20 blocks from each mark for one
that an earlier request wrote.

`prepare_context` does everything that depends on the path, once; `plan` adds a draft and decides, at the price of the
draft alone. Equal inputs give equal plans.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from desktop_app.core.context.boundaries import StepLimits, within_caps
from desktop_app.core.context.context_choices import ContextChoices, Leaving, Summary
from desktop_app.core.context.costs import was_cached
from desktop_app.core.context.drafts import Draft, DraftScale
from desktop_app.core.context.limits import (
    COLD_SHARE,
    TOOL_ROOM,
    counted_uses,
    least_turns,
    limits_for,
    output_to_ask,
    warnings_of,
)
from desktop_app.core.context.path_tokens import SystemPrompt, ToolTokens
from desktop_app.core.context.path_views import PathView, PathViews
from desktop_app.core.context.plan import (
    CacheLifetime,
    CacheMark,
    ContextPlacement,
    ContextPlan,
    Decision,
    Limits,
    PlanAdvice,
    PlannedRequest,
    RequestHasher,
    RequestPrice,
    ReturnOffer,
)
from desktop_app.core.context.plan_figures import PlanFigures, Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.plan_questions import (
    PlanFacts,
    cold_reopen,
    events_of,
    limit_to_offer,
    offered_limit,
    option_of,
    summary_price,
)
from desktop_app.core.context.prepared_path import PreparedPath, choices_with_line, line_places
from desktop_app.core.context.project_context import AlwaysIncluded, DocumentCounts, ProjectContext
from desktop_app.core.context.sent_content import DOCUMENTS_TOOL, PlannedMessage, Sight, clean_text, running_turn_start
from desktop_app.core.context.step_planning import PlannedReturn, ReturnPlanner, StepPlanner
from desktop_app.core.context.summary_request import SOURCE_SHARE, summary_size
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import TurnArtifacts, key_of, path_key
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import (
    BoundaryCause,
    BoundaryState,
    DocumentPart,
    Message,
    Part,
    RequestCount,
    TextPart,
    ThinkingPart,
    UnknownPart,
)

LOOK_BACK: Final = 20
"""Blocks that a mark looks back for an entry written earlier."""

MOST_RAISES: Final = 3
"""So often a higher limit is looked for under which a refused request goes."""

SYSTEM: Final = -1


def place_marks(
    system: str,
    history: Sequence[PlannedMessage],
    pending: PlannedMessage | None,
    *,
    room: int,
    lifetime: CacheLifetime,
    always: int = 0,
    of_turn: int = 0,
    held: int = -1,
) -> tuple[CacheMark, ...]:
    """At most `room` marks in the order of the request, all with one lifetime, none on thinking or empty blocks.

    In this order of importance: the end of the request; the end of the previous request, which is in the cache
    already, or of message `held` where the newest one that is there ended with that; the place before the last
    `of_turn` blocks, which the next turn does not have; places between these so that no two are more than 20 blocks
    apart; the end of the project's documents (the first `always` blocks), which its other threads begin with as well;
    the system prompt (empty: it can bear no mark); the first user message, which outlives every trim, behind documents
    before the system prompt, which is the smaller part of what they end; the end of the history, from which the last
    question can be asked in other words.
    """
    request = (*history, pending) if pending is not None else tuple(history)
    lasting = [(SYSTEM, 0) if system.strip() else None, _end_of(request, 0)]
    if always and request:
        lasting = [(0, always - 1), *reversed(lasting)]
    stable = (len(request) - 1, len(request[-1].blocks) - 1 - of_turn) if of_turn else None
    ends = _turn_ends(request)
    wanted = [
        *ends[:1],
        *([_end_of(history, held)] if held >= 0 else ends[1:2]),
        stable if stable is not None and stable[1] >= 0 else None,
        *ends[2:],
        *lasting,
        _end_of(history, len(history) - 1),
    ]
    places = list(dict.fromkeys(place for place in wanted if place is not None))[: max(0, room)]
    return tuple(CacheMark(message, block, lifetime) for message, block in sorted(places))


def _turn_ends(request: Sequence[PlannedMessage]) -> list[tuple[int, int]]:
    users = [index for index in range(len(request) - 1, -1, -1) if request[index].role == "user"][:2]
    ends = [place for place in (_end_of(request, index) for index in users) if place is not None]
    if len(ends) < 2:
        return ends
    last, previous = ends
    # every block counts for the look-back, though not every one can bear a mark
    between = [
        (message, block)
        for message in range(previous[0], last[0] + 1)
        for block in range(len(request[message].blocks))
        if previous < (message, block) < last
    ]
    while len(between) >= LOOK_BACK:
        stride = range(len(between) - LOOK_BACK, len(between))
        index = next((i for i in stride if _takes_mark(request[between[i][0]].blocks[between[i][1]])), None)
        if index is None:
            break
        ends.append(between[index])
        between = between[:index]
    return ends


def _end_of(request: Sequence[PlannedMessage], message: int) -> tuple[int, int] | None:
    if not 0 <= message < len(request):
        return None
    blocks = request[message].blocks
    return next(((message, index) for index in range(len(blocks) - 1, -1, -1) if _takes_mark(blocks[index])), None)


def _takes_mark(part: Part) -> bool:
    return not isinstance(part, ThinkingPart | UnknownPart)


def prepare_context(
    recipient: Recipient,
    contents: ThreadContents,
    limits: ThreadLimits,
    *,
    count: RequestCount | None = None,
    previous: Preparation | None = None,
    documents: DocumentCounts | None = None,
) -> Preparation:
    """Makes a path ready for plans.

    `count`: what a provider counted for one request. `previous`, a preparation of the same thread for the same backend,
    saves reading again what is still on the path; it never changes the result. Nor does `documents`, what was counted
    of the documents of the project before.
    """
    model, settings, choices = recipient.model, limits.settings, contents.choices
    sight = Sight(model.accepts_images, model.accepts_pdf)
    lasting = limits_for(model, settings, limits.soft_limit, accepted_cliff=choices.accepted_cliff)
    if documents is None:
        documents = DocumentCounts() if previous is None else previous.documents
    counter = replace(recipient.counter, secrets=choices.secrets)
    always = AlwaysIncluded.of(contents.project, lasting.soft, model.tokenizer, sight, documents, counter=counter)
    artifacts = TurnArtifacts(contents.artifacts, lasting.soft, TokenEstimator.seeded(model.tokenizer))
    whole, of_turn = _with_artifacts(tuple(contents.path), artifacts)
    ready = PreparedPath(
        whole,
        backend=recipient.backend,
        labels=recipient.overhead.labels,
        family=model.tokenizer,
        sight=sight,
        settings=within_caps(settings),
        choices=choices,
        before=None if previous is None else previous.ready,
        always=always.files,
        of_turn=of_turn,
        counter=counter,
    )
    return Preparation(
        recipient, contents, limits, ready, always=always, artifacts=artifacts, documents=documents, previous=previous
    ).with_count(count)


def _with_artifacts(path: tuple[Message, ...], artifacts: TurnArtifacts) -> tuple[tuple[Message, ...], str]:
    """The path with what goes along with the turn whose tools run, and what that adds to its prefix key."""
    running = running_turn_start(path)
    sent = artifacts.for_turn(path[running].text) if running < len(path) else ()
    if not sent:
        return path, ""
    question = replace(path[running], parts=(*path[running].parts, *sent))
    return (*path[:running], question, *path[running + 1 :]), key_of(sent)


def _with_instructions(system: str, project: ProjectContext | None) -> str:
    """The system prompt with the project's instructions behind it."""
    if project is None or not project.instructions.strip():
        return system
    own = project.instructions.strip()
    return f"{system.rstrip()}\n\n{own}" if system.strip() else own


class Preparation:
    """A path made ready once. Its memory of the last draft and views is an economy: results do not depend on it."""

    def __init__(
        self,
        recipient: Recipient,
        contents: ThreadContents,
        limits: ThreadLimits,
        ready: PreparedPath,
        *,
        always: AlwaysIncluded,
        artifacts: TurnArtifacts,
        documents: DocumentCounts,
        previous: Preparation | None,
    ) -> None:
        self.ready, self.documents = ready, documents
        self._recipient, self._contents, self._thread_limits = recipient, contents, limits
        self._always, self._artifacts = always, artifacts
        self._count: RequestCount | None = None
        self._hasher = RequestHasher()
        model, overhead, settings = recipient.model, recipient.overhead, limits.settings
        self._model, self._overhead, self._cache, self._settings = model, overhead, recipient.cache, settings
        cliff = contents.choices.accepted_cliff
        self._limits = limits_for(model, settings, limits.own, accepted_cliff=cliff)
        self._own_limit = limits.own is not None
        prompt = SystemPrompt.of(clean_text(_with_instructions(contents.system, contents.project)), ready.counter)
        tools = contents.tools(always.searched) if callable(contents.tools) else contents.tools
        offer = ToolTokens.of(tools, model.tokenizer, ready.counter)
        self._views = PathViews(
            ready,
            model=model.id,
            overhead=overhead,
            prompt=prompt,
            preserve_first_n=within_caps(settings).preserve_first_n,
            estimator=recipient.estimator,
            offer=offer,
            parameters=contents.parameters,
            always=always,
        )
        made = BoundaryState(
            soft=limits_for(model, settings, limits.soft_limit, accepted_cliff=cliff).soft,
            max_messages=settings.max_messages,
            max_turns=settings.max_turns,
            model=model.id,
            backend=recipient.backend,
        )
        self._circumstances = made
        stepping = partial(StepPlanner, ready, self._views, settings=settings, cache=recipient.cache)
        self._stepping = stepping()
        carrier = ready.boundary.carrier
        self._carrier = ready.messages[carrier].id if carrier >= 0 else ""
        wanted = contents.choices.return_from is not None and contents.choices.return_from == self._carrier
        self._returning = ReturnPlanner(ready, partial(stepping, back=True), settings, self._limits, made, wanted)
        self._figures = PlanFigures(ready, self._views, recipient)
        self._scale: DraftScale = DraftScale(
            recipient.estimator,
            model.tokenizer,
            ready.forms,
            ledger=self._views.ledger,
            labels=overhead.labels,
            before=None if previous is None else previous._scale,
            counter=ready.counter,
        )
        self._was_cached = was_cached(ready.messages, ready.backend, recipient.cache.foreign)
        self._key_before = next(
            (m.prefix_key for m in reversed(ready.messages) if m.role == "assistant" and m.prefix_key is not None), None
        )

    def with_count(self, count: RequestCount | None) -> Preparation:
        """The same context; the plan of the request that was counted says that count."""
        if count == self._count:
            return self
        counted = copy.copy(self)
        counted._count = count
        return counted

    def with_limit(self, soft_limit: int) -> Preparation:
        """The same context where the user has set the thread's soft limit to so many tokens."""
        limits = replace(self._thread_limits, soft_limit=soft_limit)
        return self._again(limits=limits, previous=self).with_count(self._count)

    def _again(
        self,
        *,
        contents: ThreadContents | None = None,
        limits: ThreadLimits | None = None,
        previous: Preparation | None = None,
    ) -> Preparation:
        """Made ready once more, with other contents or limits; nothing is accepted for one request any more."""
        lasting = replace(limits or self._thread_limits, once=None)
        return prepare_context(
            self._recipient, contents or self._contents, lasting, previous=previous, documents=self.documents
        )

    @property
    def line_places(self) -> Sequence[str]:
        """The ids of messages above which the load line can go, in order, the first leaving nothing out; or none."""
        return line_places(self.ready)

    def line_choices(self, message_id: str) -> ContextChoices:
        """Return the choices that the user makes by putting the load line above this message."""
        return choices_with_line(self.ready, message_id)

    def with_line(self, message_id: str) -> Preparation:
        """The same context where the user has put the load line above this message; may be called off the thread."""
        contents = replace(self._contents, choices=self.line_choices(message_id))
        return self._again(contents=contents, previous=self).with_count(self._count)

    def leaving_usd(self, ids: Iterable[str]) -> tuple[float, float] | None:
        """Dollars more for the next request if these messages' turns go now, and less each later turn; or None."""
        choices = self._contents.choices
        gone = replace(choices, leaving=choices.leaving | {Leaving(one, "") for one in ids})
        after = self._again(contents=replace(self._contents, choices=gone), previous=self)
        now, then = self.plan(()), after.plan(())
        was, will = self.turn_usd(now), after.turn_usd(then)
        if None in (now.price.cost_usd, then.price.cost_usd, was, will):
            return None
        return max(0.0, (then.price.cost_usd or 0) - (now.price.cost_usd or 0)), max(0.0, (was or 0) - (will or 0))

    def plan(self, draft: Sequence[Part], *, anyway: bool = False) -> ContextPlan:
        """The plan for sending `draft` now; an empty draft gives what is already waiting for an answer, or nothing.

        `anyway`: it is not refused for what the estimate may be off. The output asked for is what the estimate leaves.
        """
        weighed = self._weighed(draft)
        idle = self._stepping.after_idling(weighed)
        if idle is not None:
            return self._plan(weighed, idle, self._limits, cause="idle", anyway=anyway)
        return self._with_offers(self._with_tool_room(self._decided_plan(weighed, anyway=anyway), weighed), weighed)

    def stepped(self, draft: Sequence[Part]) -> ContextPlan:
        """The plan where the step that is due at the soft limit is taken now; as it is where none leaves out more."""
        weighed, limits = self._weighed(draft), self._limits
        caps = replace(self._stepping.caps(limits, holds=False), due=limits.low)
        start, cause = self._stepping.start(caps, weighed)
        return (
            self.plan(draft) if start == self.ready.boundary.start else self._plan(weighed, start, limits, cause=cause)
        )

    def summarised(self, draft: Sequence[Part]) -> tuple[Preparation, tuple[float | None, float | None]] | None:
        """The same context behind a summary as long as one may be, and its price as `summary_price`.

        None where there is too little to summarise. It stands for what sending leaves out; where that is nothing, for
        all turns but the last ones.
        """
        now = self.plan(draft)
        ids = now.advice.summary_due or self._figures.older(self._views.now)
        size, writer = summary_size(self._limits), self._recipient.summary_model or self._model
        wanted = frozenset(ids)
        whole = sum(row.tokens or row.whole for row in now.placement.messages if row.id in wanted)
        if whole <= SOURCE_SHARE * size:
            return None
        cost = (0.0, 0.0) if self._recipient.free else summary_price(writer, whole, size) or (None, None)
        text = "fact " * size
        text = text[: len(text) * size // max(size, round(self._recipient.estimator.tokens(features(text))))]
        made = Summary("", ids, text, writer.id, self.ready.messages[-1].created)
        choices = self._contents.choices
        contents = replace(self._contents, choices=replace(choices, summaries=(*choices.summaries, made)))
        return self._again(contents=contents, previous=self), cost

    def _weighed(self, draft: Sequence[Part]) -> Draft:
        """The draft with the artifacts that go along with it, or with the question that waits."""
        if self.ready.in_loop:
            return self._scale.weigh(draft)  # they stand on the path already
        said = "\n".join(part.text for part in draft if isinstance(part, TextPart))
        if not draft and self.ready.waiting:
            said = self.ready.messages[-1].text
        return self._scale.weigh(draft, self._artifacts.for_turn(said))

    def _under(self, soft_limit: int) -> Preparation:
        """The same context where the user has set the thread's soft limit to so many tokens."""
        if self._always.reasons:
            # documents that had no room may have it then
            return self._again(limits=replace(self._thread_limits, soft_limit=soft_limit))
        other = copy.copy(self)
        limits = limits_for(self._model, self._settings, soft_limit)
        other._limits, other._own_limit = limits, True
        other._circumstances = replace(self._circumstances, soft=limits.soft)
        other._returning = replace(self._returning, limits=limits, made=other._circumstances)
        return other

    def _decided_plan(self, draft: Draft, *, anyway: bool = False) -> ContextPlan:
        stepping, limits = self._stepping, self._limits
        holds = stepping.holds
        start, cause = stepping.start(stepping.caps(limits, holds=holds), draft)
        if holds and not self.ready.in_loop and start != self.ready.boundary.start:
            # what was held off is over with the step that is taken: else the stored question would take a second one
            start, cause = stepping.start(stepping.caps(limits, holds=False), draft)
        back = self._returning.of(draft) if start == self.ready.boundary.start else None
        if back is not None and back.due:
            returned = self._plan(draft, back.place, limits, cause="returned", anyway=anyway)
            if returned.moves_boundary:
                return returned
        plan = self._plan(draft, start, limits, cause=cause, anyway=anyway)
        if plan.decision == "refuse" and stepping.leaves_more(start):
            # neither what holds nor the newest turns beside what must stay are worth a refusal: the last one goes last
            doubt = plan.tokens.upper - stepping.load(start, draft).tokens
            for most in (limits.emergency - doubt, 0):
                further, cause = stepping.start(replace(stepping.caps(limits, holds=False), most=most), draft)
                if plan.decision == "refuse" and further != start:
                    plan = self._plan(draft, further, limits, cause=cause, anyway=anyway)
        return plan if back is None or back.due or plan.decision != "ok" else self._offering(plan, draft, back)

    def _with_tool_room(self, plan: ContextPlan, draft: Draft) -> ContextPlan:
        """The plan, or one with a step where what the turn finds in documents would have no room below the soft limit.

        That step is due within a turn or two anyway; results go up to the soft limit and no further. A thread whose
        requests can't search documents goes up to its soft limit.
        """
        limits, stepping = self._limits, self._stepping
        due = limits.soft - min(TOOL_ROOM, limits.soft // 5)
        if plan.decision != "ok" or plan.tokens.total <= due or plan.moves_boundary:
            return plan
        if all(tool.name != DOCUMENTS_TOOL for tool in plan.request.tools):
            return plan
        if stepping.holds or self._crosses_first:  # as the user wants it, or has yet to be asked
            return plan
        start, cause = stepping.start(replace(stepping.caps(limits, holds=False), due=due), draft)
        stepped = plan if start == self.ready.boundary.start else self._plan(draft, start, limits, cause=cause)
        return stepped if stepped.decision == "trim" else plan

    def _offering(self, plan: ContextPlan, draft: Draft, back: PlannedReturn) -> ContextPlan:
        """The plan with what could come back, at the price of its own plan."""
        returned = self._plan(draft, back.place, self._limits, cause="returned")
        if not returned.moves_boundary:
            return plan
        offer = ReturnOffer(
            self._carrier,
            returned.placement.newly_returned,
            returned.tokens.total,
            returned.price.cost_usd,
            most_usd=returned.price.most_usd,
            declined=not self._returning.changed,
        )
        return replace(plan, advice=replace(plan.advice, return_offer=offer))

    def _with_offers(self, plan: ContextPlan, draft: Draft) -> ContextPlan:
        """The plan with what raising the limit instead would send, at that request's own price."""
        if plan.decision == "refuse":
            return self._with_raise(plan, draft)
        if plan.decision == "trim" and self._crosses_first:
            now = self._views.with_draft(self.ready.boundary.start, draft)
            whole = now.weight.total + draft.tokens(now.sends)
            needed = whole * COLD_SHARE[1] // COLD_SHARE[0] if self._cache.known_cold else whole
            limit = limit_to_offer(needed, plan.limits, self._model) if whole > plan.limits.soft else None
        else:
            return plan
        raised = None if limit is None else self._under(limit)._decided_plan(draft)
        if raised is None or raised.decision == "refuse":
            return plan
        asked, summarises = ((plan, "keep_trimming"), (raised, "raise_limit")), self._settings.summarize_on_trim
        options = tuple(
            option_of(one, action, turn_usd=self.turn_usd(one), summarises=summarises) for one, action in asked
        )
        return replace(plan, advice=replace(plan.advice, asks="first_crossing", options=options))

    def _with_raise(self, plan: ContextPlan, draft: Draft) -> ContextPlan:
        """A refused plan with the limit under which it is sent; under one, more of a project may have room."""
        raised = plan
        for _ in range(MOST_RAISES):
            limit = offered_limit(raised)
            if limit is None:
                break
            raised = self._under(limit)._decided_plan(draft)
            if raised.decision != "refuse":
                option = option_of(raised, "raise_limit", turn_usd=self.turn_usd(raised))
                return replace(plan, advice=replace(plan.advice, options=(option,)))
        return plan

    @property
    def _crosses_first(self) -> bool:
        """True if no step was ever made in this thread, and nobody has chosen its limit."""
        return len(self.ready.boundaries) == 1 and not self.ready.steps.epoch and not self._own_limit

    def turn_usd(self, plan: ContextPlan, turns: int = 1) -> float | None:
        """Dollars for a usual turn behind this plan's, while the cache holds it; on average of so many of them.

        A step that comes up then writes all it keeps again, but for what stands before the messages. None where prices
        are not known, and before the first turn.
        """
        tokens, usual, total = plan.tokens.expected, round(self._figures.forecast.usual), 0.0
        front = plan.tokens.system + plan.tokens.tools
        if not usual:
            return None
        for _ in range(turns):
            held, tokens = tokens, tokens + usual
            if tokens > plan.limits.soft and tokens - usual > plan.limits.low:
                held, tokens = front, max(plan.limits.low, front + usual)
            cached = held if self._overhead.caches and held >= self._model.min_cache_tokens else 0
            cost = self._figures.cost(tokens, cached, writes=plan.price.writes)
            if cost is None:
                return None
            total += cost
        return total / turns

    def tokens_of(self, part: Part) -> int:
        """Tokens of one attachment by itself, as the draft's plan counts them; may be called off the thread."""
        return self._scale.tokens_of(part)

    def first_tokens(self, part: DocumentPart, most: int, weighs: int | None = None) -> DocumentPart:
        """The document of which the first `most` tokens are sent; may be called off the thread.

        `weighs`: the tokens that a plan with a bound or a count said for all of it.
        """
        return self._scale.first_tokens(part, most, weighs)

    def shrunk(self, draft: Sequence[Part], target: int, window: int) -> ContextPlan:
        """The plan of at most `target` tokens, if that can be, for a model whose window turned out to be `window`.

        What must stay is sent also where it passes the target; more than the window's own emergency limit is refused.
        """
        weighed = self._weighed(draft)
        model = replace(self._model, window=window, window_source="learned")
        limits = limits_for(model, self._settings, min(self._limits.soft, target))
        start, _ = self._stepping.start(StepLimits(soft=target, low=target), weighed)
        emergency = min(limits_for(model, self._settings, self._limits.soft).emergency, self._limits.emergency)
        plan = self._plan(weighed, start, replace(limits, emergency=max(emergency, limits.soft + 1)))
        return replace(plan, request=replace(plan.request, shrunk=True))

    def _plan(
        self, draft: Draft, start: int, limits: Limits, *, cause: BoundaryCause = "tokens", anyway: bool = False
    ) -> ContextPlan:
        """The plan of the request whose tail begins at `start`, by its count where it was counted."""
        estimated = self._made(draft, start, limits, cause=cause, anyway=anyway)
        if self._count is None or not self._hasher.is_counted(estimated, self._count):
            return estimated
        return self._made(draft, start, limits, cause=cause, count=self._count)

    def _made(
        self,
        draft: Draft,
        start: int,
        limits: Limits,
        *,
        cause: BoundaryCause,
        anyway: bool = False,
        count: RequestCount | None = None,
    ) -> ContextPlan:
        ready, figures, back = self.ready, self._figures, cause == "returned"
        now = self._views.with_draft(ready.boundary.start, draft)
        view = now if start == ready.boundary.start else self._views.with_draft(start, draft, back=back)
        state = view.state if view is now else self._decided(view.state, cause)
        parts = figures.parts(view, draft, state)
        history, waiting = self._request(view)
        deciding = parts.tokens.expected if anyway else parts.tokens.upper
        too_long = (deciding if count is None else count.tokens) > limits.emergency
        if count is not None:
            parts = figures.apportioned(view, parts, count.tokens)
            tokens = replace(parts.tokens, doubt=0, source="measured")
        elif too_long:
            parts = figures.apportioned(view, parts, parts.tokens.upper)
            tokens = replace(parts.tokens, bound=True)
        else:
            tokens = parts.tokens
        pending = _with_draft(waiting, draft.sent_blocks(view.sends))
        always = len(view.shape.always.sent)
        if pending is not None and not history and len(pending.blocks) == always:
            pending = None  # nobody has said anything yet
        decision: Decision = "refuse" if too_long else "ok" if view is now or back else "trim"
        newly = 0 if view is now or back else view.left_out_since(now)
        returned = view.spoken - now.spoken if back else 0
        held = figures.held(view)
        marks = place_marks(
            view.system if self._overhead.system_mark else "",
            history,
            pending,
            room=self._overhead.cache_marks,
            lifetime=self._cache.lifetime,
            always=always,
            of_turn=draft.of_turn,
            held=figures.end_of_held(held, history),
        )
        cached, unsure = figures.cached(view, tokens, marks), figures.may_be_cached(view, tokens)
        writes = bool(marks) or self._overhead.caches_itself
        cost = figures.cost(tokens.expected, cached, writes=writes)
        most = figures.cost(tokens.upper, figures.surely(view, cached), writes=writes)
        facts = PlanFacts(
            model=self._model,
            writer=self._recipient.summary_model or self._model,
            limits=limits,
            decision=decision,
            tokens=tokens,
            whole=now.weight.total + draft.tokens(now.sends),
            newly=newly if view is not now else now.left_out,
            free=self._recipient.free,
            cache=self._cache,
            may_be_cached=figures.elsewhere or held.request is not None or held.older or 2 * cached > tokens.total,
            cost_usd=cost,
            most_usd=most,
            by_idle=cause == "idle",
            begins_fresh=self._begins_fresh,
            summarised=figures.summarised(view),
            taken_back=ready.steps.taken_back,
            key_changed=self._key_before is not None and path_key(self._key_before) != view.shape.key,
            returned=returned,
        )
        stepping = self._returning.back if back else self._stepping
        load = stepping.load(start, draft)
        before = load if view is now else stepping.load(ready.boundary.start, draft)
        counts = counted_uses(self._settings, before, load, asked=pending is not None)
        by_tokens = figures.forecast.turns_left(limits.soft - tokens.total, draft.tokens(view.sends))
        # what another key cached has not expired for that key: whether this one reads it is not known
        reopen = (
            () if self._cache.foreign and not self._was_cached else cold_reopen(facts, *figures.reopening(view, limits))
        )
        return ContextPlan(
            backend=ready.backend,
            model=self._model,
            decision=decision,
            limits=replace(limits, max_output=output_to_ask(self._model, tokens.expected if anyway else tokens.upper)),
            tokens=tokens,
            counted_by="" if count is None else count.by,
            request=PlannedRequest(
                system=view.system,
                history=history,
                pending=pending,
                marks=marks,
                prefix_key=view.shape.key + (ready.of_turn or draft.key),
                tools=view.shape.offer.tools,
                parameters=self._contents.parameters,
                always=always,
                of_turn=draft.of_turn,
                secrets=self._contents.choices.secrets,
            ),
            placement=ContextPlacement(
                messages=parts.messages,
                boundary=state,
                left_out=view.left_out,
                newly_left_out=newly,
                newly_returned=returned,
                leaving=ready.forms.leaving(now.sends, view.sends, draft.blocks) if newly else (),
                summaries=tuple(summary.id for summary, _ in view.shape.selection.summaries),
                documents=figures.documents(view, parts, cached, writes=writes),
                attached=parts.documents,
            ),
            price=RequestPrice(
                cost_usd=cost,
                most_usd=most,
                cached_tokens=cached,
                cache_expired=self._cache.cold and self._was_cached and not unsure,
                cache=figures.promise(view, cached),
                at_most=unsure
                or figures.may_share_front(view, cached, marks)
                or (writes and tokens.lowest < self._model.min_cache_tokens <= tokens.expected),
                tail=figures.tail,
                writes=writes,
            ),
            advice=PlanAdvice(
                events=events_of(facts),
                biggest=figures.biggest(parts, view.shape.always) if too_long else (),
                tool_servers=view.shape.offer.heaviest(parts.tokens.tools) if too_long else (),
                turns_left=least_turns(by_tokens, counts),
                usual_turn=round(figures.forecast.usual),
                warnings=warnings_of(limits, self._settings, tokens.total, counts),
                counts=counts,
                asks="cold_reopen" if reopen else "",
                options=reopen,
                summary_due=figures.due(view) if view is not now and not back else (),
                summary_model=self._recipient.summary_model,
            ),
        )

    def _decided(self, state: BoundaryState, cause: BoundaryCause) -> BoundaryState:
        return replace(self._circumstances, first_kept=state.first_kept, epoch=state.epoch, cause=cause)

    def _request(self, view: PathView) -> tuple[tuple[PlannedMessage, ...], PlannedMessage | None]:
        request = view.request(self.ready.counted)
        if request and request[-1].role == "user":
            return request[:-1], request[-1]
        return request, None

    @property
    def _begins_fresh(self) -> bool:
        """True if this is the first request since the thread was started fresh."""
        base = self.ready.decided.base
        return bool(base) and all(message.prefix_key is None for message in self.ready.messages[base:])


def _with_draft(waiting: PlannedMessage | None, blocks: tuple[Part, ...]) -> PlannedMessage | None:
    if waiting is None:
        return PlannedMessage("user", blocks, (None,) * len(blocks)) if blocks else None
    return (
        PlannedMessage("user", waiting.blocks + blocks, waiting.sources + (None,) * len(blocks)) if blocks else waiting
    )
