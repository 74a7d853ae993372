"""Owns the making of a plan: what is sent, what is left out, what it weighs and costs. Knows no backend and no clock.

`prepare_context` does everything that depends on the path, once; `plan` adds a draft and decides, at the price of the
draft alone. Equal inputs give equal plans.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.content import opens_turn, running_turn_start
from desktop_app.core.context.cost import request_cost
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import CONSTANT, ZERO, DraftCounter, Features, features, plus
from desktop_app.core.context.ledger import Ledger, Weight
from desktop_app.core.context.limits import limits_for, output_to_ask
from desktop_app.core.context.marks import place_marks
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
from desktop_app.core.context.roles import clean_part, clean_text, gap_marker, merge, note, opened_by_user
from desktop_app.core.context.tally import Counted, block_text, count_path, image_tokens
from desktop_app.core.context.window import CARRIER, Boundary, Caps, Load, boundaries, head_length
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart, WindowState

FORM: Final = "1"
"""Part of every prefix key: to be changed when the same path would be sent in other bytes."""

DRAFT_LABEL: Final = "your message"
SYSTEM_LABEL: Final = "system prompt"

_LEFT_OUT: Final = "left out: older than the limits of this thread allow"
_KEPT: Final = "always sent: the beginning of the thread"


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
    previous: Preparation | None = None,
) -> Preparation:
    """Makes a path ready for plans.

    `soft_limit` is the thread's own position in tokens. `previous`, a preparation of the same thread for the same
    backend, saves reading again what is still on the path; it never changes the result.
    """
    return Preparation(
        backend=backend,
        model=model,
        overhead=overhead,
        system=clean_text(system),
        path=tuple(path),
        settings=settings,
        limits=limits_for(model, settings, soft_limit),
        estimator=estimator,
        cache=cache,
        free=free,
        previous=previous,
    )


@dataclass(frozen=True, slots=True)
class _View:
    """A request without its draft, for one place where the tail begins."""

    start: int
    state: WindowState
    key: str
    history: tuple[PlannedMessage, ...]
    waiting: PlannedMessage | None
    placed: tuple[PlacedMessage, ...]
    weight: Weight
    left_out: int


@dataclass(frozen=True, slots=True)
class _Draft:
    """A draft, cleaned and weighed."""

    blocks: tuple[Part, ...]
    counted: Features
    text_tokens: int
    document_tokens: int
    documents: tuple[BigItem, ...]

    @property
    def tokens(self) -> int:
        return self.text_tokens + self.document_tokens


class Preparation:
    """A path made ready once. Its memory of the last draft and views is an economy: results do not depend on it."""

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
        estimator: TokenEstimator,
        cache: CacheClock,
        free: bool,
        previous: Preparation | None,
    ) -> None:
        self._backend, self._model, self._overhead, self._system = backend, model, overhead, system
        self._path, self._settings, self._limits = path, settings, limits
        self._estimator, self._cache, self._free = estimator, cache, free
        same_form = (
            previous is not None
            and previous._backend == backend
            and previous._overhead.labels == overhead.labels
            and previous._model.tokenizer == model.tokenizer
        )
        before = previous._counted if previous is not None and same_form else ()
        self._counted: Sequence[Counted] = count_path(
            path, backend=backend, labels=overhead.labels, family=model.tokenizer, before=before
        )
        self._merged = merge(item.planned for item in self._counted)
        self._head = head_length(path, settings)
        self._groups, self._starts = self._find_starts()
        # a boundary inside the head leaves nothing out
        known = [b if b.start > self._head else Boundary(0, b.state) for b in boundaries(path)]
        self._boundary = known[-1]
        self._key_start = f"{_digest(FORM, backend, model.id, overhead.labels)}-"
        self._ledger = Ledger(
            self._counted,
            backend=backend,
            overhead=overhead,
            system=system,
            estimator=estimator,
            key_start=self._key_start,
            keys={self._key(boundary.state): boundary for boundary in known},
            head=self._head,
        )
        self._turns_before = self._count_turns()
        self._draft_counter = DraftCounter()
        self._views: dict[int, _View] = {}
        self._placed_sent, self._placed_left = self._place()
        self._was_cached = _was_cached(path, backend)
        self._turns, self._turn_tokens = self._ledger.last_turns(self._starts)

    def plan(self, draft: Sequence[Part]) -> ContextPlan:
        """The plan for sending `draft` now; an empty draft gives what is already waiting for an answer, or nothing."""
        weighed = self._weigh(draft)
        now = self._view(self._boundary.start)
        start = self._caps.step(
            self._boundary.start, self._candidates(bool(weighed.blocks)), lambda place: self._load(place, weighed)
        )
        view = now if start == self._boundary.start else self._view(start)
        tokens = self._count(view, weighed)
        pending = _with_draft(view.waiting, weighed.blocks)
        too_long = tokens.upper > self._limits.emergency
        decision: Decision = "refuse" if too_long else "ok" if view is now else "trim"
        newly = 0 if view is now else view.left_out - now.left_out
        marks = place_marks(
            self._system,
            view.history,
            pending,
            room=self._overhead.cache_marks,
            lifetime=self._cache.lifetime,
        )
        cached = self._cached(view, now, tokens, marks)
        return ContextPlan(
            backend=self._backend,
            model=self._model,
            decision=decision,
            limits=replace(self._limits, max_output=output_to_ask(self._model, tokens.upper)),
            tokens=tokens,
            system=self._system,
            history=view.history,
            pending=pending,
            marks=marks,
            messages=view.placed,
            window=view.state,
            prefix_key=view.key,
            cost_usd=self._cost(tokens.total, cached, bool(marks)),
            cached_tokens=cached,
            events=self._events(decision, now.weight.total + weighed.tokens, tokens, newly),
            biggest=self._biggest(view, weighed) if too_long else (),
            turns_left=self._turns_left(tokens.total, weighed.tokens),
            left_out=view.left_out,
            newly_left_out=newly,
            cache_expired=self._cache.cold and self._was_cached,
        )

    # ---- the path, once -------------------------------------------------------------------------------------------

    def _find_starts(self) -> tuple[dict[int, int], list[int]]:
        """Where a tail may begin: path index -> index of its merged message, and these path indexes in order."""
        groups: dict[int, int] = {}
        starts: list[int] = []
        group, role = -1, None
        running = running_turn_start(self._path)
        for index, item in enumerate(self._counted):
            if not item.content.blocks:
                continue
            if item.message.role != role:
                group, role = group + 1, item.message.role
                if opens_turn(item.message) and index <= running:
                    groups[index] = group
                    starts.append(index)
        return groups, starts

    def _count_turns(self) -> list[int]:
        opened = [0]
        starts = set(self._starts)
        for index in range(len(self._path)):
            opened.append(opened[-1] + (index in starts))
        return opened

    def _place(self) -> tuple[tuple[PlacedMessage, ...], tuple[PlacedMessage, ...]]:
        sent: list[PlacedMessage] = []
        left: list[PlacedMessage] = []
        for item, tokens in zip(self._counted, self._ledger.tokens, strict=True):
            message = item.message
            sent.append(
                PlacedMessage(message.id, message.role, "annotated" if item.content.annotated else "whole", tokens)
            )
            left.append(PlacedMessage(message.id, message.role, "left_out", 0, _LEFT_OUT))
        return tuple(sent), tuple(left)

    def _key(self, state: WindowState) -> str:
        head = 0 if state.first_kept is None else self._settings.preserve_first_n
        settled = (self._system, self._overhead.tokens, head, state.first_kept, state.epoch)
        return self._key_start + _digest(*settled)

    @property
    def _caps(self) -> Caps:
        return Caps.of(self._settings, soft=self._limits.soft, low=self._limits.low, head=self._head)

    # ---- where the tail begins ------------------------------------------------------------------------------------

    def _candidates(self, has_draft: bool) -> Sequence[int]:
        """Places after the head where a tail may begin. The last keeps only what waits for an answer."""
        places = [start for start in self._starts if start > self._head] if self._head else self._starts
        waiting = bool(self._merged) and self._merged[-1].role == "user"
        if waiting or not has_draft or len(self._path) <= self._head:
            return places
        return [*places, len(self._path)]

    def _load(self, start: int, draft: _Draft) -> Load:
        fixed = self._ledger.fixed(start, self._view(start).key if start == self._boundary.start else "")
        has_draft = int(bool(draft.blocks))
        kept = self._ledger.sent(start, len(self._path)) + (self._ledger.sent(0, self._head) if start else 0)
        waiting = bool(self._merged) and self._merged[-1].role == "user"
        turns = self._turns_before[-1] - self._turns_before[start] + (has_draft and not waiting)
        total = fixed.overhead + fixed.system + fixed.marker + self._ledger.messages_total(start) + draft.tokens
        return Load(total, kept + has_draft, turns)

    def _view(self, start: int) -> _View:
        if start not in self._views:
            if len(self._views) > 2:
                # the view in force is needed by every plan, of the others only the last one
                self._views = {place: view for place, view in self._views.items() if place == self._boundary.start}
            self._views[start] = self._make_view(start)
        return self._views[start]

    def _make_view(self, start: int) -> _View:
        state = self._boundary.state
        if start != self._boundary.start:
            first_kept = self._path[start].id if start < len(self._path) else CARRIER
            state = WindowState(first_kept, state.epoch + 1)
        request, placed, left_out = self._merged, self._placed_sent, 0
        head = self._head
        if start:
            left_out = start - head
            front = [*(item.planned for item in self._counted[:head]), note("assistant", gap_marker(left_out))]
            group = self._group_of(start)
            request = (*merge(front), *self._merged[group:])
            kept = tuple(replace(message, reason=_KEPT) for message in self._placed_sent[:head])
            placed = kept + self._placed_left[head:start] + self._placed_sent[start:]
        request = opened_by_user(request)
        waiting = request[-1] if request and request[-1].role == "user" else None
        key = self._key(state)
        return _View(
            start=start,
            state=state,
            key=key,
            history=request if waiting is None else request[:-1],
            waiting=waiting,
            placed=placed,
            weight=self._ledger.weight(start, key),
            left_out=left_out,
        )

    def _group_of(self, start: int) -> int:
        if start in self._groups:
            return self._groups[start]
        # a foreign boundary may name a message that opens no group; the next one that does begins the tail
        later = [place for place in self._starts if place >= start]
        return self._groups[later[0]] if later else len(self._merged)

    # ---- the draft, at every keystroke ----------------------------------------------------------------------------

    def _weigh(self, draft: Sequence[Part]) -> _Draft:
        blocks = tuple(part for part in map(clean_part, draft) if part is not None)
        if not blocks:
            return _Draft((), ZERO, 0, 0, ())
        counted, texts = CONSTANT, 0
        document_tokens, images, documents = 0, 0, []
        for block in blocks:
            own = self._count_block(block, first_text=texts == 0)
            texts += isinstance(block, TextPart)
            counted = plus(counted, own)
            images += image_tokens(block, self._model.tokenizer)
            if isinstance(block, DocumentPart):
                size = round(self._estimator.tokens(own))
                document_tokens += size
                documents.append(BigItem(block.name, size))
        whole = max(1, round(self._estimator.tokens(counted)) + images)
        return _Draft(blocks, counted, max(0, whole - document_tokens), document_tokens, tuple(documents))

    def _count_block(self, block: Part, *, first_text: bool) -> Features:
        if not isinstance(block, TextPart):
            return features(block_text(block))
        own = self._draft_counter.count(block.text) if first_text else features(block.text)
        return plus(own, features("[USER]: \n\n")) if self._overhead.labels else own

    def _count(self, view: _View, draft: _Draft) -> TokenCount:
        weight = view.weight
        doubt = self._estimator.sigma(plus(weight.doubtful, draft.counted))
        return TokenCount(
            system=weight.fixed.system,
            documents=weight.documents + draft.document_tokens,
            history=weight.history,
            draft=draft.text_tokens,
            overhead=weight.fixed.overhead + weight.fixed.marker,
            sigma=int(math.sqrt(weight.variance + doubt * doubt)),
            source="calibrated" if weight.measured_prompt else "estimated",
        )

    def _cached(self, view: _View, now: _View, tokens: TokenCount, marks: tuple[CacheMark, ...]) -> int:
        """Tokens expected to be read from the cache: what the last request wrote, or after a step what it still has."""
        if self._cache.cold or not marks or not now.weight.measured_prompt:
            return 0
        cached = now.weight.measured_prompt
        if view is not now:
            head = sum(message.tokens for message in view.placed[: self._head])
            cached = view.weight.fixed.system + head if len(marks) > 1 else 0
        cached = min(cached, tokens.total)
        return cached if cached >= self._model.min_cache_tokens else 0

    def _cost(self, total: int, cached: int, writes: bool) -> float | None:
        if self._free:
            return 0.0
        return request_cost(self._model, total, cached=cached, writes=writes, lifetime=self._cache.lifetime)

    def _turns_left(self, total: int, draft: int) -> int | None:
        """How many turns like the last ones fit behind this request; None before the first turn.

        A draft is a turn under way: a book pasted into a thread of short turns is not followed by hundreds of them.
        """
        if not self._turn_tokens:
            return None
        usual = self._turn_tokens / self._turns
        expected = (self._turn_tokens + max(draft, usual)) / (self._turns + 1) if draft else usual
        return int(max(0, self._limits.soft - total) / expected)

    def _events(self, decision: Decision, before: int, tokens: TokenCount, newly: int) -> tuple[ContextEvent, ...]:
        model = self._model.id
        if decision == "refuse":
            return (ContextEvent("refused", tokens.upper, self._limits.emergency, newly, model),)
        events: list[ContextEvent] = []
        if decision == "trim":
            events.append(ContextEvent("trimmed", before, tokens.total, newly, model))
        if tokens.total > self._limits.soft:
            events.append(ContextEvent("limit_passed", tokens.total, self._limits.soft, 0, model))
        return tuple(events)

    def _biggest(self, view: _View, draft: _Draft) -> tuple[BigItem, ...]:
        items = [BigItem(DRAFT_LABEL, draft.text_tokens), BigItem(SYSTEM_LABEL, view.weight.fixed.system)]
        items += draft.documents
        kept = heapq.nlargest(3, enumerate(view.placed), key=lambda entry: entry[1].tokens)
        items += [BigItem(_name(self._counted[index]), placed.tokens, placed.id) for index, placed in kept]
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


def _was_cached(path: Sequence[Message], backend: str) -> bool:
    """Whether the newest answer's request was in the cache of the backend that would be asked now."""
    last = next((message for message in reversed(path) if message.usage is not None), None)
    if last is None or last.usage is None or last.backend != backend:
        return False
    return last.usage.cache_read + last.usage.cache_write > 0


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
