"""Owns the making of a plan: what is sent, what is left out, what it weighs and costs. Knows no backend and no clock.

`prepare_context` does everything that depends on the path, once; `plan` adds a draft and decides, at the price of the
draft alone. Equal inputs give equal plans.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.arrangement import Arrangement, Sending, Turns, decide, in_force
from desktop_app.core.context.choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.content import opens_turn, running_turn_start
from desktop_app.core.context.cost import request_cost
from desktop_app.core.context.drafts import Draft, DraftScale
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import CONSTANT, ZERO, features, plus
from desktop_app.core.context.forecast import Forecast, was_cached
from desktop_app.core.context.forms import Forms, Savings
from desktop_app.core.context.ledger import Ledger, Shape, Totals
from desktop_app.core.context.limits import limits_for, output_to_ask
from desktop_app.core.context.marks import place_marks
from desktop_app.core.context.notes import SUMMARY_HEADING, gap_marker
from desktop_app.core.context.plan import (
    BigItem,
    CacheClock,
    CacheMark,
    ContextEvent,
    ContextPlan,
    ContextSettings,
    Decision,
    Limits,
    Overhead,
    PlacedMessage,
    PlannedMessage,
    TokenCount,
)
from desktop_app.core.context.prompt import SystemPrompt
from desktop_app.core.context.questions import Facts, cold_reopen, events_of, first_crossing, warnings_of
from desktop_app.core.context.roles import clean_text
from desktop_app.core.context.structured import decoded_path
from desktop_app.core.context.summary_range import summarisable, summary_size
from desktop_app.core.context.tally import Counted, count_path
from desktop_app.core.context.view import LEFT_OUT, View, changed_forms
from desktop_app.core.context.window import CARRIER, Boundary, Caps, Load, steps_of
from desktop_app.core.messages import DocumentPart, Message, Part, WindowState

FORM: Final = "2"
"""Part of every prefix key: to be changed when the same path would be sent in other bytes."""

DRAFT_LABEL: Final = "your message"
SYSTEM_LABEL: Final = "system prompt"

COLD_SHARE: Final = (17, 20)
"""A step is taken from 0.85 H on while the cache is known to be cold: the prefix has to be written anew anyway."""


def prepare_context(
    *,
    backend: str,
    model: ModelInfo,
    overhead: Overhead,
    system: str,
    path: Sequence[Message],
    settings: ContextSettings,
    soft_limit: int | None,
    estimator: TokenEstimator,
    cache: CacheClock,
    free: bool,
    choices: ContextChoices = NO_CHOICES,
    previous: Preparation | None = None,
) -> Preparation:
    """Makes a path ready for plans.

    `soft_limit` is the thread's own position in tokens, `choices` what the user decided for it. `previous`, a
    preparation of the same thread for the same backend, saves reading again what is still on the path; it never
    changes the result.
    """
    return Preparation(
        backend=backend,
        model=model,
        overhead=overhead,
        system=clean_text(system),
        path=tuple(path),
        settings=settings,
        limits=limits_for(model, settings, soft_limit, accepted_cliff=choices.accepted_cliff),
        own_limit=soft_limit is not None,
        estimator=estimator,
        cache=cache,
        free=free,
        choices=choices,
        previous=previous,
    )


class Preparation:
    """A path made ready once. Its memory of the last draft and views is an economy: results do not depend on it."""

    _decoded: Mapping[str, tuple[Message, Message]]

    def __init__(
        self,
        *,
        backend: str,
        model: ModelInfo,
        overhead: Overhead,
        system: str,
        path: tuple[Message, ...],
        settings: ContextSettings,
        limits: Limits,
        own_limit: bool,
        estimator: TokenEstimator,
        cache: CacheClock,
        free: bool,
        choices: ContextChoices,
        previous: Preparation | None,
    ) -> None:
        self._backend, self._model, self._overhead = backend, model, overhead
        self._settings, self._limits, self._own_limit = settings, limits, own_limit
        self._estimator, self._cache, self._free = estimator, cache, free
        self._prompt = SystemPrompt.of(system)
        known: Mapping[str, tuple[Message, Message]] = {} if previous is None else previous._decoded
        self._path = decoded_path(path, known)
        self._decoded = {read.id: (raw, read) for raw, read in zip(path, self._path, strict=True) if raw is not read}
        self._counted: Sequence[Counted] = count_path(
            self._path,
            backend=backend,
            labels=overhead.labels,
            family=model.tokenizer,
            before=previous._counted if previous is not None and self._counts_like(previous) else (),
        )
        spoken = next((item.message.role for item in reversed(self._counted) if item.content.blocks), None)
        self._waiting = spoken == "user"
        self._turns = Turns(self._find_starts(), len(path), self._waiting)
        self._decided = decide(self._path, self._turns, choices, settings)
        self._steps = steps_of(self._path, choices.undone)
        self._boundaries = [self._settled_boundary(boundary) for boundary in self._steps.boundaries]
        self._boundary = self._boundaries[-1]
        self._key_start = f"{_digest(FORM, backend, model.id, overhead.labels)}-"
        self._annotated = any(
            item.content.annotated and not item.running for item in self._counted[self._decided.base :]
        )
        self._forms = Forms(self._counted, labels=overhead.labels, family=model.tokenizer)
        self._now_arranged = self._arranged(self._boundary)
        self._first_forms = {} if self._forms.is_plain else self._forms.first_forms(self._sent_then)
        self._ledger = self._make_ledger()
        self._stepped = self._stepped_arrangement()
        self._step_forms = self._forms_for(self._stepped.always, self._turns.protected)
        self._step_totals = Totals(self._ledger, self._stepped, self._step_forms)
        self._savings = Savings()
        if not self._forms.is_plain:
            self._savings = self._forms.savings(self._stepped, self._ledger.weigh, self._step_forms)
        self._marker = estimator.tokens(plus(features(gap_marker(max(1, len(path))).text), CONSTANT))
        self._scale = DraftScale(estimator, model.tokenizer, self._forms, labels=overhead.labels)
        self._views: dict[int, View] = {}
        self._noted_views: dict[int, View] = {}
        self._plain = tuple(
            PlacedMessage(
                item.message.id, item.message.role, "annotated" if item.content.annotated else "whole", tokens
            )
            for item, tokens in zip(self._counted, self._ledger.tokens, strict=True)
        )
        self._left = tuple(
            PlacedMessage(item.message.id, item.message.role, "left_out", 0, LEFT_OUT) for item in self._counted
        )
        self._turn_starts = [start for start in self._turns.starts if start not in self._stepped.out]
        self._forecast = Forecast(*self._ledger.last_turns(self._turns.starts))
        self._was_cached = was_cached(path, backend)
        self._key_before = next(
            (m.prefix_key for m in reversed(self._path) if m.role == "assistant" and m.prefix_key is not None), None
        )
        self._now = self._make_view(self._boundary.start)

    def plan(self, draft: Sequence[Part]) -> ContextPlan:
        """The plan for sending `draft` now; an empty draft gives what is already waiting for an answer, or nothing."""
        weighed = self._scale.weigh(draft)
        candidates = self._candidates(bool(weighed.blocks))
        idle = self._is_idle() and bool(candidates) and candidates[-1] > self._boundary.start
        start = candidates[-1] if idle else self._step(self._caps(self._steps.taken_back), candidates, weighed)
        plan = self._plan(weighed, start, self._limits, by_idle=idle)
        if plan.decision == "refuse" and self._steps.taken_back and start == self._boundary.start:
            # what the user took back is not kept at the price of a refusal
            start = self._step(self._caps(False), candidates, weighed)
            plan = self._plan(weighed, start, self._limits)
        return plan

    def shrunk(self, draft: Sequence[Part], target: int, window: int) -> ContextPlan:
        """The plan of at most `target` tokens, if that can be, for a model whose window turned out to be `window`.

        What must stay is sent also where it passes the target; more than the window's own emergency limit is refused.
        """
        weighed = self._scale.weigh(draft)
        model = replace(self._model, window=window, window_source="learned")
        limits = limits_for(model, self._settings, min(self._limits.soft, target))
        caps = Caps(soft=target, low=target)
        start = self._step(caps, self._candidates(bool(weighed.blocks)), weighed)
        emergency = min(limits_for(model, self._settings, self._limits.soft).emergency, self._limits.emergency)
        return replace(
            self._plan(weighed, start, replace(limits, emergency=max(emergency, limits.soft + 1))), shrunk=True
        )

    # ---- the path, once -------------------------------------------------------------------------------------------

    def _counts_like(self, previous: Preparation) -> bool:
        return (
            previous._backend == self._backend
            and previous._overhead.labels == self._overhead.labels
            and previous._model.tokenizer == self._model.tokenizer
        )

    def _find_starts(self) -> list[int]:
        """Where a tail may begin: at what a user wrote after the assistant had spoken."""
        starts: list[int] = []
        role = None
        running = running_turn_start(self._path)
        for index, item in enumerate(self._counted):
            if item.content.blocks and item.message.role != role:
                role = item.message.role
                if opens_turn(item.message) and index <= running:
                    starts.append(index)
        return starts

    def _settled_boundary(self, boundary: Boundary) -> Boundary:
        """The boundary at a place where a tail may begin; one that leaves nothing out stands at 0."""
        head = self._decided.head
        if boundary.start <= max(head.stop, self._decided.base):
            return replace(boundary, start=0)
        return replace(boundary, start=self._turns.at_or_after(boundary.start))

    def _arranged(self, boundary: Boundary) -> Arrangement:
        """How the path is sent under a boundary."""
        carried = self._path[boundary.carrier].created if boundary.carrier >= 0 else None
        return Arrangement.of(self._decided, len(self._path), in_force(self._decided, boundary, carried))

    def _stepped_arrangement(self) -> Arrangement:
        """How the path is sent after the next step, when every summary is in force."""
        stepped = Arrangement.of(self._decided, len(self._path), self._decided.summaries)
        return self._now_arranged if stepped == self._now_arranged else stepped

    def _sent_then(self, index: int) -> Sending:
        boundary = next(b for b in reversed(self._boundaries) if b.carrier <= index)
        return Sending(self._now_arranged, boundary.start)

    def _images_from(self, boundary: Boundary) -> int:
        return self._turns.span(boundary.carrier).start if boundary.carrier >= 0 else 0

    def _forms_for(self, sent: Callable[[int], bool], images_from: int) -> dict[int, Counted]:
        """The messages in another form than the one in which they were sent first, or than whole."""
        if self._forms.is_plain:
            return {}
        forms = self._forms.under(sent, images_from)
        for index in self._first_forms:
            forms.setdefault(index, self._counted[index])
        return forms

    def _make_ledger(self) -> Ledger:
        pasts: dict[str, tuple[Boundary, bool]] = {}
        for boundary in self._boundaries:
            arrangement = self._arranged(boundary)
            for noted in (False, True):
                pasts[self._key(boundary.state, arrangement, boundary.start, noted=noted)] = (boundary, noted)

        def shape_of(key: str) -> Shape | None:
            past = pasts.get(key)
            if past is None:
                return None
            boundary, noted = past
            return self._shape(self._arranged(boundary), boundary.start, self._images_from(boundary), key, noted=noted)

        counted = self._counted
        if self._first_forms:
            counted = [self._first_forms.get(index, item) for index, item in enumerate(counted)]
        return Ledger(
            counted,
            backend=self._backend,
            overhead=self._overhead,
            estimator=self._estimator,
            key_start=self._key_start,
            shape_of=shape_of,
        )

    def _shape(self, arrangement: Arrangement, start: int, images_from: int, key: str, *, noted: bool) -> Shape:
        markers = summary = ZERO
        for gap in arrangement.gaps(start):
            if gap.block is not None:
                counted = plus(features(gap.block.text), CONSTANT)
                if gap.summarised:
                    summary = plus(summary, counted)
                else:
                    markers = plus(markers, counted)
        forms = self._forms_for(Sending(arrangement, start), images_from)
        return Shape(start, key, arrangement, forms, self._prompt.counted[noted], markers, summary)

    def _key(self, state: WindowState, arrangement: Arrangement, start: int, *, noted: bool) -> str:
        head = 0 if state.first_kept is None else self._settings.preserve_first_n
        settled = (self._prompt.texts[noted], self._overhead.tokens, head, state.first_kept, state.epoch)
        return self._key_start + _digest(*settled, *arrangement.key_facts(start))

    # ---- where the tail begins ------------------------------------------------------------------------------------

    def _caps(self, taken_back: bool) -> Caps:
        """The caps of this thread as they are now: lower while the cache is cold, higher after a step was undone."""
        soft = self._limits.soft
        if taken_back:
            soft = self._limits.emergency
        elif self._cache.known_cold:
            soft = soft * COLD_SHARE[0] // COLD_SHARE[1]
        return Caps.of(self._settings, soft=soft, low=self._limits.low, head=len(self._decided.head))

    def _is_idle(self) -> bool:
        minutes, idle = self._settings.idle_reset_minutes, self._cache.idle_minutes
        return bool(minutes) and idle is not None and idle >= minutes

    def _candidates(self, has_draft: bool) -> Sequence[int]:
        """Places after the head where a tail may begin. The last keeps only what waits for an answer."""
        head = self._decided.head.stop
        places = [start for start in self._turn_starts if start > head] if head else self._turn_starts
        if self._waiting or not has_draft or len(self._path) <= head:
            return places
        return [*places, len(self._path)]

    def _step(self, caps: Caps, candidates: Sequence[int], draft: Draft) -> int:
        return caps.step(self._boundary.start, candidates, lambda place: self._load(place, draft))

    def _load(self, start: int, draft: Draft) -> Load:
        if start == self._boundary.start:
            view = self._view_with(start, draft)
            tokens = view.weight.total + draft.tokens(view.sends)
            return self._counted_load(tokens, view.totals, start, draft)
        totals, arrangement = self._step_totals, self._stepped
        fixed = self._step_fixed
        markers = self._marker * arrangement.gap_count(start)
        messages = totals.tokens(start) - self._savings.from_tail(start)
        total = math.ceil(fixed + markers + messages) + draft.tokens(Sending(arrangement, start))
        return self._counted_load(total, totals, start, draft)

    def _counted_load(self, tokens: int, totals: Totals, start: int, draft: Draft) -> Load:
        has_draft = int(bool(draft.blocks))
        turns = len(self._turn_starts) - bisect_left(self._turn_starts, start) + (has_draft and not self._waiting)
        return Load(tokens, totals.sent(start) + has_draft, turns)

    @cached_property
    def _step_fixed(self) -> float:
        """Tokens of a stepped request that are neither messages nor markers."""
        tokens = self._estimator.tokens
        summaries = [plus(features(f"{SUMMARY_HEADING}\n{s.text}\n\n"), CONSTANT) for s, _ in self._stepped.summaries]
        return self._overhead.tokens + tokens(self._prompt.counted[True]) + sum(map(tokens, summaries))

    def _view(self, start: int) -> View:
        if start == self._boundary.start:
            return self._now
        if start not in self._views:
            # of the views after a step only the last one is needed again
            self._views = {start: self._make_view(start)}
        return self._views[start]

    def _view_with(self, start: int, draft: Draft) -> View:
        """The view as it is when a draft brings the first note of the app into it: the system prompt tells of notes."""
        view = self._view(start)
        if view.noted or not any(reference.holds(view.sends) for reference in draft.references):
            return view
        if start not in self._noted_views:
            self._noted_views = {start: self._with_system(view, noted=True)}
        return self._noted_views[start]

    def _with_system(self, view: View, *, noted: bool) -> View:
        shape = view.shape
        key = self._key(view.state, shape.arrangement, shape.start, noted=noted)
        shape = replace(shape, key=key, system=self._prompt.counted[noted])
        weight = self._ledger.weight(shape, view.totals)
        return replace(view, shape=shape, system=self._prompt.texts[noted], weight=weight, noted=noted)

    def _make_view(self, start: int) -> View:
        boundary, arrangement = self._boundary, self._now_arranged
        state, images_from = boundary.state, self._images_from(boundary)
        if start != boundary.start:
            first_kept = self._path[start].id if start < len(self._path) else CARRIER
            state = WindowState(first_kept, max(self._steps.epoch, state.epoch) + 1)
            arrangement, images_from = self._stepped, self._turns.protected
        gaps = arrangement.gaps(start)
        shape = self._shape(arrangement, start, images_from, "", noted=False)
        noted = self._annotated or any(gap.block for gap in gaps) or changed_forms(shape.forms, self._counted)
        totals = Totals(self._ledger, arrangement, shape.forms)
        view = View(shape, state, "", gaps, totals, self._ledger.weight(shape, totals))
        return self._with_system(view, noted=noted)

    # ---- the plan -------------------------------------------------------------------------------------------------

    def _plan(self, draft: Draft, start: int, limits: Limits, *, by_idle: bool = False) -> ContextPlan:
        now = self._view_with(self._boundary.start, draft)
        view = now if start == self._boundary.start else self._view_with(start, draft)
        tokens = self._count(view, draft)
        history, waiting = self._request(view)
        pending = _with_draft(waiting, draft.sent_blocks(view.sends))
        too_long = tokens.upper > limits.emergency
        decision: Decision = "refuse" if too_long else "ok" if view is now else "trim"
        newly = 0 if view is now else view.left_out - now.left_out
        marks = place_marks(
            view.system, history, pending, room=self._overhead.cache_marks, lifetime=self._cache.lifetime
        )
        cached = self._cached(view, tokens, marks)
        cost = self._cost(tokens.total, cached, bool(marks))
        whole = now.weight.total + draft.tokens(now.sends)
        facts = Facts(
            model=self._model,
            limits=limits,
            decision=decision,
            tokens=tokens,
            whole=whole,
            newly=newly if view is not now else now.left_out,
            free=self._free,
            cache=self._cache,
            cost_usd=cost,
            whole_cached=0 if self._cache.cold else now.weight.measured_prompt,
            first_step=len(self._steps.boundaries) == 1 and not self._steps.epoch,
            own_limit=self._own_limit,
            by_idle=by_idle,
            begins_fresh=self._begins_fresh,
            summarised=self._summarised_by(view, moved=view is not now),
            taken_back=self._steps.taken_back,
            key_changed=self._key_before is not None and self._key_before != view.shape.key,
        )
        due = self._due(view) if view is not now else ()
        crossing = first_crossing(facts)
        reopen = () if crossing else cold_reopen(facts, *self._reopening(view, limits))
        return ContextPlan(
            backend=self._backend,
            model=self._model,
            decision=decision,
            limits=replace(limits, max_output=output_to_ask(self._model, tokens.upper)),
            tokens=tokens,
            system=view.system,
            history=history,
            pending=pending,
            marks=marks,
            messages=view.placed(self._counted, self._plain, self._left),
            window=view.state,
            prefix_key=view.shape.key,
            cost_usd=cost,
            cached_tokens=cached,
            events=events_of(facts),
            biggest=self._biggest(view, draft) if too_long else (),
            turns_left=self._forecast.turns_left(limits.soft - tokens.total, draft.tokens(view.sends)),
            cache_expired=self._cache.cold and self._was_cached,
            left_out=view.left_out,
            newly_left_out=newly,
            warnings=warnings_of(limits, self._settings, tokens.total, self._load(start, draft)),
            asks="first_crossing" if crossing else "cold_reopen" if reopen else "",
            options=crossing or reopen,
            summary_due=due,
        )

    def _request(self, view: View) -> tuple[tuple[PlannedMessage, ...], PlannedMessage | None]:
        request = view.request(self._counted)
        if request and request[-1].role == "user":
            return request[:-1], request[-1]
        return request, None

    @property
    def _begins_fresh(self) -> bool:
        """Whether this is the first request since the thread was started fresh."""
        base = self._decided.base
        return bool(base) and all(message.prefix_key is None for message in self._path[base:])

    def _summarised_by(self, view: View, *, moved: bool) -> int:
        """How many messages a summary newly stands for."""
        if moved:
            return len(view.shape.arrangement.covered - self._now.shape.arrangement.covered)
        newest = max((summary.created for summary, _ in view.shape.arrangement.summaries), default="")
        last = next((m for m in reversed(self._path) if m.prefix_key is not None), None)
        return len(view.shape.arrangement.covered) if newest and last is not None and last.created < newest else 0

    def _due(self, view: View) -> tuple[str, ...]:
        """What the view leaves out without a summary: the ids that one may stand for."""
        if view.due is None:
            arrangement = view.shape.arrangement
            base, without = self._decided.base, arrangement.covered | self._decided.excluded
            missing: list[Message] = []
            for gap in view.gaps:
                rows = range(max(base, gap.first), gap.end)
                missing += (
                    [self._path[row] for row in rows if row not in without]
                    if without
                    else self._path[rows.start : rows.stop]
                )
            view.due = summarisable(missing)
        return view.due

    def _reopening(self, view: View, limits: Limits) -> tuple[int, int]:
        """Tokens that a summary could stand for in a thread that is opened again, and the summary's own."""
        sent = view.totals.tokens(view.shape.start)
        return max(0, sent - round(self._forecast.usual * 2)), summary_size(limits)

    def _count(self, view: View, draft: Draft) -> TokenCount:
        weight = view.weight
        doubt = self._estimator.sigma(plus(weight.doubtful, draft.counted))
        return TokenCount(
            system=weight.fixed.system,
            documents=weight.documents + draft.document_tokens - draft.saved(view.sends),
            history=weight.history,
            summary=weight.fixed.summary,
            draft=draft.text_tokens,
            overhead=weight.fixed.overhead + weight.fixed.marker,
            sigma=int(math.sqrt(weight.variance + doubt * doubt)),
            source="calibrated" if weight.measured_prompt else "estimated",
        )

    def _cached(self, view: View, tokens: TokenCount, marks: tuple[CacheMark, ...]) -> int:
        """Tokens expected to be read from the cache: what the last request wrote, or after a step what it still has."""
        now = self._now
        if self._cache.cold or not marks or not now.weight.measured_prompt:
            return 0
        cached = now.weight.measured_prompt if view.system == now.system else 0
        if view.shape.start != now.shape.start:
            kept = sum(view.totals.of_message(index) for index in self._decided.head if view.sends(index))
            same = len(marks) > 1 and view.system == now.system
            cached = view.weight.fixed.system + kept if same else 0
        cached = min(cached, tokens.total)
        return cached if cached >= self._model.min_cache_tokens else 0

    def _cost(self, total: int, cached: int, writes: bool) -> float | None:
        if self._free:
            return 0.0
        return request_cost(self._model, total, cached=cached, writes=writes, lifetime=self._cache.lifetime)

    def _biggest(self, view: View, draft: Draft) -> tuple[BigItem, ...]:
        items = [BigItem(DRAFT_LABEL, draft.text_tokens), BigItem(SYSTEM_LABEL, view.weight.fixed.system)]
        items += draft.documents
        placed = view.placed(self._counted, self._plain, self._left)
        kept = heapq.nlargest(3, enumerate(placed), key=lambda entry: entry[1].tokens)
        items += [BigItem(_name(self._counted[index]), message.tokens, message.id) for index, message in kept]
        return tuple(item for item in heapq.nlargest(3, items, key=lambda item: item.tokens) if item.tokens)


def with_measured_total(plan: ContextPlan, tokens: int) -> ContextPlan:
    """The plan with the provider's own count of this very request in place of the estimate.

    What was estimated last, the draft, takes up the difference; where that is too small, the history. The decision
    follows the measured count.
    """
    difference = tokens - plan.tokens.total
    draft = max(0, plan.tokens.draft + difference)
    rest = difference - (draft - plan.tokens.draft)
    counted = replace(plan.tokens, draft=draft, history=plan.tokens.history + rest, sigma=0, source="measured")
    decision: Decision = plan.decision
    events, biggest = plan.events, plan.biggest
    if tokens > plan.limits.emergency:
        decision = "refuse"
        events = (ContextEvent("refused", tokens, plan.limits.emergency, plan.newly_left_out, plan.model.id),)
    elif decision == "refuse":
        decision = "trim" if plan.newly_left_out else "ok"
        events, biggest = (), ()
    limits = replace(plan.limits, max_output=output_to_ask(plan.model, tokens))
    return replace(plan, tokens=counted, decision=decision, events=events, biggest=biggest, limits=limits)


def _with_draft(waiting: PlannedMessage | None, blocks: tuple[Part, ...]) -> PlannedMessage | None:
    if waiting is None:
        return PlannedMessage("user", blocks, (None,) * len(blocks)) if blocks else None
    return (
        PlannedMessage("user", waiting.blocks + blocks, waiting.sources + (None,) * len(blocks)) if blocks else waiting
    )


def _name(item: Counted) -> str:
    for part in item.message.parts:
        if isinstance(part, DocumentPart):
            return part.name
    words = " ".join(item.message.text.split())
    speaker = "your message" if item.message.role == "user" else "answer"
    return f"{speaker} “{words[:24]}…”" if len(words) > 24 else f"{speaker} “{words}”"


def _digest(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, ensure_ascii=True).encode()).hexdigest()[:16]
