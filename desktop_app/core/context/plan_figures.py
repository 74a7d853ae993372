"""The inputs of a plan, and its figures: its count, what of it is cached, its price, its biggest parts.

Reads them off a view and a draft. Decides nothing.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile
from typing import Final, TypeAlias

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.costs import Forecast, part_cost, prices_for, request_cost
from desktop_app.core.context.drafts import Draft
from desktop_app.core.context.message_selection import MessageSelection
from desktop_app.core.context.path_views import PathView, PathViews
from desktop_app.core.context.placed_messages import PlacedMessages, PlacedRows
from desktop_app.core.context.plan import (
    BigItem,
    CacheClock,
    CacheMark,
    CachePromise,
    Limits,
    Overhead,
    PlacedDocument,
    TokenCount,
)
from desktop_app.core.context.prepared_path import PreparedPath
from desktop_app.core.context.project_context import AlwaysIncluded, ProjectContext
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.context.summary_request import KEPT_TURNS, summarisable, summary_size
from desktop_app.core.context.text_features import plus
from desktop_app.core.context.token_counting import (
    BY_CLASSES,
    ArtifactContext,
    Counted,
    Measured,
    TextCounter,
    in_cache,
    is_of_turn,
    path_key,
    share_out,
)
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import NO_PARAMETERS, BoundaryState, DocumentPart, Message, Parameters, ToolSpec
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import ContextSettings

ToolOffer: TypeAlias = Callable[[int], Sequence[ToolSpec]]
"""The tools for a request in which so many always included documents have no room."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who a request goes to, how it counts, and what it is known to have cached."""

    backend: str
    model: ModelInfo
    overhead: Overhead
    estimator: TokenEstimator
    cache: CacheClock
    free: bool
    """Nothing it answers costs money."""
    summary_model: ModelInfo | None = None
    """Who writes summaries; None: the model itself."""
    counter: TextCounter = BY_CLASSES
    """Counts its texts; which secrets go along is the thread's."""


@dataclass(frozen=True, slots=True)
class ThreadContents:
    """The contents that a thread has for a request, and its user's decisions on them."""

    path: Sequence[Message]
    system: str = ""
    choices: ContextChoices = NO_CHOICES
    parameters: Parameters = NO_PARAMETERS
    tools: Sequence[ToolSpec] | ToolOffer = ()
    """The tools that the model may be offered; a function where that depends on how many documents have no room."""
    project: ProjectContext | None = None
    artifacts: Sequence[ArtifactContext] = ()
    """The thread's own; while tools run, as they were at the turn's beginning."""


@dataclass(frozen=True, slots=True)
class ThreadLimits:
    """The limits that are set: for all threads, by this thread's user, for this one request."""

    settings: ContextSettings
    soft_limit: int | None = None
    """The thread's own position in tokens; None: that of the settings."""
    once: int | None = None
    """One that was accepted for this request alone: no change that a boundary comes back for."""

    @property
    def own(self) -> int | None:
        """The limit that somebody set for the next request; None: nobody did."""
        return self.soft_limit if self.once is None else self.once


CLEARLY: Final = 1.05
"""The factor by which what was never counted by itself must pass the least that is cached, to be promised."""

DRAFT_LABEL: Final = phrase("your message")
SYSTEM_LABEL: Final = phrase("system prompt")
TOOLS_LABEL: Final = phrase("tools")


@dataclass(frozen=True, slots=True)
class RequestParts:
    """A request's parts: `tokens` by category, messages, documents of the draft; `always`: each that stands first."""

    tokens: TokenCount
    messages: PlacedMessages
    documents: tuple[BigItem, ...]
    always: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldCache:
    """The promised part of the provider's cache for a request: all of an earlier `request`, or the `front` of one.

    `unsure`: it may hold more; `older`: a front that older marks wrote.
    """

    request: Measured | None = None
    front: bool = False
    unsure: bool = False
    older: bool = False


class PlanFigures:
    """The figures of the requests of one ready path."""

    def __init__(self, ready: PreparedPath, views: PathViews, recipient: Recipient) -> None:
        self._ready, self._views = ready, views
        self._model, self._estimator = recipient.model, recipient.estimator
        self.tail = recipient.overhead.tail if recipient.model.tokenizer != "claude-2023" else 0
        self._by_vocabulary = recipient.counter.vocabulary is not None
        self._cache, self._free = recipient.cache, recipient.free
        self.forecast = Forecast(*views.ledger.last_turns(ready.turns.starts))
        self._documents: tuple[tuple[object, ...], PlacedRows[PlacedDocument]] | None = None
        self._held: list[tuple[PathView, HeldCache]] = []
        self._living, self._fresh, self.elsewhere = self._living_keys(recipient.overhead)
        self._caches, self._caches_itself = recipient.overhead.caches, recipient.overhead.caches_itself

    def parts(self, view: PathView, draft: Draft, state: BoundaryState) -> RequestParts:
        """The request as it is estimated, and measured as far as it was sent; `state`: where its tail begins."""
        documents, always = draft.sent_documents(view.sends), view.weight.fixed.always
        return RequestParts(
            self._count(view, draft), view.placed(self._ready, self._views.ledger, state), documents, always
        )

    def apportioned(self, view: PathView, parts: RequestParts, total: int) -> RequestParts:
        """The parts where all of them weigh `total`: what is only estimated shares the difference, nothing else does.

        So that a count of the whole agrees with its categories, messages and biggest items.
        """
        tokens, ledger = parts.tokens, self._views.ledger
        drafted = [tokens.draft, *(item.tokens for item in parts.documents)]
        fixed = [tokens.system, tokens.tools, tokens.overhead, tokens.summary, *parts.always]
        sent = [index for index in view.shape.selection.sent(view.shape.start) if parts.messages[index].tokens]
        changing = [index for index in sent if not ledger.is_known(index)]
        known_front = [0, 0, 0, tokens.summary, *([0] * len(parts.always))]
        open_fixed = known_front if ledger.knows_front(view.shape) else fixed
        if view.weight.measured_prompt:
            open_fixed = [0] * len(fixed)
        weights = [*open_fixed, *drafted, *(parts.messages[index].tokens for index in changing)]
        known = tokens.total - sum(weights)
        if known > total or not any(weights):  # then what was measured is not what the provider counts now
            changing, known = sent, 0
            weights = [*fixed, *drafted, *(parts.messages[index].tokens for index in sent)]
        shares = iter(share_out(weights, total - known))
        system, tools, overhead, summary, *always = (
            next(shares) + (0 if weight else whole) for weight, whole in zip(weights, fixed, strict=False)
        )
        text = next(shares)
        documents = tuple(replace(item, tokens=next(shares)) for item in parts.documents)
        attached = tokens.documents - sum(drafted[1:]) - sum(parts.always)
        told: dict[int, int] = {}
        for index, share in zip(changing, shares, strict=True):
            before, own = parts.messages[index].tokens, view.totals.documents_of_message(index)
            attached += own * share // before - own
            told[index] = share
        attached += sum(item.tokens for item in documents) + sum(always)
        history = total - (system + tools + overhead + summary + text + attached)
        counted = replace(
            tokens,
            system=system,
            tools=tools,
            documents=attached,
            history=history,
            summary=summary,
            draft=text,
            overhead=overhead,
        )
        return RequestParts(counted, replace(parts.messages, shares=told), documents, tuple(always))

    def _count(self, view: PathView, draft: Draft) -> TokenCount:
        """Tokens of the request by category."""
        weight = view.weight
        doubt = self._estimator.sigma(plus(weight.doubtful, draft.doubtful))
        return TokenCount(
            system=weight.fixed.system,
            tools=weight.fixed.tools,
            documents=weight.documents + sum(weight.fixed.always) + draft.document_tokens - draft.saved(view.sends),
            history=weight.history,
            summary=weight.fixed.summary,
            draft=draft.text_tokens,
            overhead=weight.fixed.overhead + weight.fixed.marker,
            # cut off last: one deviation cut off makes the bound a token less than what it stands for
            doubt=int(2 * math.sqrt(weight.variance + draft.variance + doubt * doubt)),
            source="vocabulary" if self._by_vocabulary else "calibrated" if weight.measured_prompt else "estimated",
        )

    def _living_keys(self, overhead: Overhead) -> tuple[frozenset[str], frozenset[str], bool]:
        """The prefix keys promised to be cached still; those whose front is, too; and whether others may be."""
        newest, cache = self._views.ledger.newest, self._cache
        if overhead.caches_itself:
            return frozenset(), frozenset(), bool(newest) or cache.beside
        if cache.cold or cache.living is None or not overhead.cache_marks:
            all_of_them = frozenset(() if cache.cold else newest)
            return all_of_them, all_of_them, False
        missing, answers = set(cache.living), []
        for message in reversed(self._ready.messages):
            if not missing:
                break
            if message.id in missing:
                missing.remove(message.id)
                answers.append(message)
        # a later request of the same key has read, and so kept, what an earlier one wrote
        asked = [(one.id, path_key(one.prefix_key)) for one in answers if one.prefix_key and one.usage is not None]
        # what another branch left there, and what went with its turn only, was measured by nothing on this path
        elsewhere = bool(missing) or any(is_of_turn(one) or (one.usage and one.usage.asked) for one in answers)
        # the front may be of older marks with a shorter life, which they keep
        return frozenset(key for _, key in asked), frozenset(k for name, k in asked if name in cache.fresh), elsewhere

    def held(self, view: PathView) -> HeldCache:
        """Return the part of this view's request that the provider's cache holds."""
        if (found := next((found for known, found in self._held if known is view), None)) is None:
            found = self._find_held(view)
            self._held = [(view, found), *self._held[:3]]
        return found

    def _find_held(self, view: PathView) -> HeldCache:
        opening = self._opening(view)
        end = opening[-1] + 1 if opening else 0
        whole, front, older, unsure, alike = self._round_before(view), False, False, self.elsewhere, 0
        for key, (request, shape) in self._views.ledger.newest.items():
            if key not in self._living or not request.cached:
                continue
            if self._is_foreign(request):  # what an older request of the own key left is not told
                unsure = True
                continue
            if key == view.shape.key or (shape is not None and view.continues(shape, request.answer)):
                whole = request if whole is None or request.cached > whole.cached else whole
            elif shape is None:
                unsure = True
            elif view.has_front_of(shape):
                both = view.alike(shape)
                front, older = front or (both >= end and key in self._fresh), older or key not in self._fresh
                unsure, alike = unsure or both < end, max(alike, both)
        # marks of an earlier turn may stand in what both have behind what is promised
        known = whole.answer if whole is not None else end
        forked = self._cache.forks and any(one.id in self._cache.forks for one in self._ready.messages[known:])
        return HeldCache(whole, front, unsure or older or alike > known or bool(forked), older)

    def _opening(self, view: PathView) -> list[int]:
        """The messages up to the end of the head, with what is pinned before it."""
        last = max((index for index in self._ready.decided.head if view.sends(index)), default=-1)
        return list(takewhile(lambda index: index <= last, view.shape.selection.sent(view.shape.start)))

    def _round_before(self, view: PathView) -> Measured | None:
        """The request before in the turn whose tools run, all of which stands in this one."""
        place = len(self._ready.messages) - 2
        asked = self._ready.messages[place] if self._ready.in_loop else None
        usage = None if asked is None else asked.usage
        if asked is None or usage is None or path_key(asked.prefix_key or "") != path_key(view.shape.key):
            return None
        living = self._cache.living is None or asked.id in self._cache.living
        found = Measured(place, usage.opening, view.shape.key, in_cache(usage))
        return found if living and asked.backend == self._ready.backend and found.cached else None

    def _is_foreign(self, request: Measured) -> bool:
        foreign = self._cache.foreign
        return bool(foreign) and self._ready.messages[request.answer].id in foreign

    def end_of_held(self, held: HeldCache, history: Sequence[PlannedMessage]) -> int:
        """The message of the request with which what is held ends; -1: none."""
        if held.request is None:
            return -1
        last = self._ready.messages[held.request.answer - 1].id
        return next((i for i in range(len(history) - 1, -1, -1) if last in history[i].sources), -1)

    def cached(self, view: PathView, tokens: TokenCount, marks: tuple[CacheMark, ...]) -> int:
        """Tokens that are promised to be read from the cache: an earlier request, after a step the beginning."""
        held = self.held(view)
        if not marks:
            return 0
        cached, least = held.request.cached if held.request is not None else 0, float(self._model.min_cache_tokens)
        if not cached and held.front and len(marks) > 1:
            cached, least = self._front(view, marks), CLEARLY * least
        # of several calls of a program what all had in the cache is told, and the last one's tail with it
        cached = min(cached, (tokens.total if held.request is None else held.request.prompt) - self.tail, tokens.total)
        return cached if cached >= least else 0

    def surely(self, view: PathView, cached: int) -> int:
        """Tokens of what is promised that are there at least: a beginning was never counted by itself."""
        return cached if self.held(view).request is not None else round(cached / CLEARLY)

    def _front(self, view: PathView, marks: tuple[CacheMark, ...]) -> int:
        """Tokens of the beginning that a step leaves as it is, up to the last place that bears a mark."""
        fixed, first, kept = view.weight.fixed, len(view.weight.fixed.always), 0
        if not first or any(mark.message == 0 and mark.block >= first for mark in marks):
            kept = sum(map(view.totals.of_message, self._opening(view)))
        if not first and not kept and all(mark.message >= 0 for mark in marks):
            return 0  # no mark ends with the system prompt
        return fixed.tools + fixed.system + sum(fixed.always) + kept

    def promise(self, view: PathView, cached: int) -> CachePromise:
        """The state of the cache, `cached` tokens of which are promised, and until when."""
        if not cached:
            newest = (one for one, _ in self._views.ledger.newest.values())
            seen = max((one.cached for one in newest if not self._is_foreign(one)), default=0)
            return CachePromise("seen", seen) if self._caches_itself and seen else CachePromise()
        held, until = self.held(view).request, self._cache.until
        answer = self._ready.messages[held.answer].id if held is not None else ""
        if answer not in until:
            fresh = [name for name in self._cache.fresh if name in until]
            answer = max(fresh, key=lambda name: until[name][0], default="")
        time, lifetime = until.get(answer, (None, None))
        usage = next((one.usage for one in reversed(self._ready.messages) if one.id == answer), None)
        whole = cached if usage is None else in_cache(usage)
        return CachePromise("promised", cached, time, lifetime, answer, whole)

    def may_be_cached(self, view: PathView, tokens: TokenCount) -> bool:
        """Return True if more of the request may be in the cache than is promised."""
        return self.held(view).unsure and tokens.upper >= self._model.min_cache_tokens

    def may_share_front(self, view: PathView, cached: int, marks: tuple[CacheMark, ...]) -> bool:
        """Return True if the beginning, of which nothing is promised, may be cached: another thread may have it too."""
        if cached or not self._caches:
            return False
        fixed = view.weight.fixed
        front = self._front(view, marks) if self.held(view).front else fixed.tools + fixed.system + sum(fixed.always)
        return front * CLEARLY >= self._model.min_cache_tokens

    def cost(self, total: int, cached: int, *, writes: bool) -> float | None:
        """Dollars for the request; None where the prices are not known."""
        if self._free:
            return 0.0
        lifetime, tail = self._cache.lifetime, self.tail
        return request_cost(self._model, total, cached=cached, writes=writes, lifetime=lifetime, tail=tail)

    def documents(self, view: PathView, parts: RequestParts, cached: int, *, writes: bool) -> Sequence[PlacedDocument]:
        """Return each of the project's documents' state, with its share of the price; worked out when one looks."""
        always, fixed, total = view.shape.always, view.weight.fixed, parts.tokens.expected
        model, estimator, lifetime, free = self._model, self._estimator, self._cache.lifetime, self._free
        if always.project is None:
            return ()
        # between two keystrokes they are the same rows
        facts = parts.always, cached, prices_for(model, total), total >= model.min_cache_tokens, writes
        if self._documents is not None and self._documents[0] == facts:
            return self._documents[1]

        def made() -> Iterator[PlacedDocument]:
            # what is cached is the beginning of the request
            ends = accumulate(parts.always, initial=fixed.overhead + fixed.system + fixed.tools)
            read = [max(0, min(cached, end) - begin) for begin, end in pairwise(ends)]
            prices = [
                0.0 if free else part_cost(model, total, tokens, cached=kept, writes=writes, lifetime=lifetime)
                for tokens, kept in zip(parts.always, read, strict=True)
            ]
            return always.placed(parts.always, prices, estimator)

        self._documents = facts, PlacedRows(made)
        return self._documents[1]

    def biggest(self, parts: RequestParts, always: AlwaysIncluded) -> tuple[BigItem, ...]:
        """The three biggest things in the request."""
        items = [BigItem(DRAFT_LABEL, parts.tokens.draft), BigItem(SYSTEM_LABEL, parts.tokens.system)]
        items.append(BigItem(TOOLS_LABEL, parts.tokens.tools))
        items += parts.documents
        items += (BigItem(item.whole.name, tokens) for item, tokens in zip(always.sent, parts.always, strict=True))
        kept = heapq.nlargest(3, enumerate(parts.messages), key=lambda entry: entry[1].tokens)
        items += [BigItem(_name(self._ready.counted[index]), placed.tokens, placed.id) for index, placed in kept]
        return tuple(item for item in heapq.nlargest(3, items, key=lambda item: item.tokens) if item.tokens)

    def summarised(self, view: PathView) -> int:
        """Return the number of messages that a summary newly stands for."""
        selection, now = view.shape.selection, self._views.now
        if view.shape.start != now.shape.start:
            return _spoken(selection, selection.covered - now.shape.selection.covered)
        newest = max((summary.created for summary, _ in selection.summaries), default="")
        last = next((m for m in reversed(self._ready.messages) if m.prefix_key is not None), None)
        new = newest and last is not None and last.created < newest
        return _spoken(selection, selection.covered) if new else 0

    def due(self, view: PathView) -> tuple[str, ...]:
        """Return the ids that the view leaves out without a summary and that one may stand for."""
        if view.due is None:
            base, messages = self._ready.decided.base, self._ready.messages
            selection = view.shape.selection
            without = selection.covered | selection.decided.excluded | selection.decided.gone
            missing: list[Message] = []
            for gap in view.gaps:
                rows = range(max(base, gap.first), gap.end)
                missing += (
                    [messages[row] for row in rows if row not in without]
                    if without
                    else messages[rows.start : rows.stop]
                )
            view.due = summarisable(missing)
        return view.due

    def older(self, view: PathView) -> tuple[str, ...]:
        """Return the ids of the view's turns before the last ones that one summary may stand for."""
        starts, decided = self._ready.turns.starts, view.shape.selection.decided
        end = starts[-KEPT_TURNS] if len(starts) >= KEPT_TURNS else 0
        without = view.shape.selection.covered | decided.excluded | decided.gone
        first = max(view.shape.start, decided.head.stop, decided.base)
        return summarisable([self._ready.messages[row] for row in range(first, end) if row not in without])

    def reopening(self, view: PathView, limits: Limits) -> tuple[int, int]:
        """Tokens that a summary could stand for in a thread that is opened again, and the summary's own."""
        start, starts = view.shape.start, self._ready.turns.starts
        end = max(start, starts[-KEPT_TURNS]) if len(starts) >= KEPT_TURNS else start
        return view.totals.tokens(start) - view.totals.tokens(end), summary_size(limits)


def _spoken(selection: MessageSelection, rows: Iterable[int]) -> int:
    return sum(selection.spoken_in(row, row + 1) for row in rows)


def _name(item: Counted) -> str:
    for part in item.message.parts:
        if isinstance(part, DocumentPart):
            return part.name
    words = " ".join(item.message.text.split())
    speaker = phrase("your message") if item.message.role == "user" else phrase("answer")
    shown = f"{words[:24]}…" if len(words) > 24 else words
    return phrase("{speaker} “{text}”", speaker=speaker, text=shown)
