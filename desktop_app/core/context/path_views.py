"""The ways to send a prepared path: as now, as under each boundary it has had, as after a step to any place.

Building the request costs its length and is done only for the view that is sent.

Its memory of the last views is an economy: results do not depend on it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from desktop_app.core.context.boundaries import CARRIER, Boundary
from desktop_app.core.context.drafts import Draft
from desktop_app.core.context.message_selection import Gap, IsSent, MessageSelection, PathChoices
from desktop_app.core.context.path_tokens import (
    NO_TOOLS,
    PathTokens,
    RequestShape,
    RequestWeight,
    SystemPrompt,
    TailTotals,
    ToolTokens,
)
from desktop_app.core.context.placed_messages import PlacedMessages, has_note
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.prepared_path import PreparedPath
from desktop_app.core.context.project_context import NO_DOCUMENTS, AlwaysIncluded
from desktop_app.core.context.sent_content import OPENING, PlannedMessage, merge, note, opened_by_user
from desktop_app.core.context.text_features import ZERO, Features, plus
from desktop_app.core.context.token_counting import Counted, count_note, is_of_artifact
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import NO_PARAMETERS, BoundaryState, DocumentPart, Parameters, parameters_to_json


@dataclass(slots=True)
class PathView:
    """A request without its draft, for one tail. `noted`: its system prompt tells of notes; `due`: for a summary."""

    shape: RequestShape
    state: BoundaryState
    system: str
    gaps: Sequence[Gap]
    totals: TailTotals
    weight: RequestWeight
    noted: bool = False
    due: tuple[str, ...] | None = None
    _request: tuple[PlannedMessage, ...] | None = field(default=None)
    _placed: tuple[BoundaryState, PlacedMessages] | None = field(default=None)
    _newly: tuple[PathView, int] | None = field(default=None)

    @property
    def left_out(self) -> int:
        """The number of questions and answers neither sent nor stood for by a summary, nor excluded by the user."""
        selection = self.shape.selection
        missing = sum(selection.spoken_in(gap.first, gap.end) for gap in self.gaps)
        gone = (i for i in selection.decided.excluded | selection.covered if not self.sends(i))
        return missing - sum(selection.spoken_in(index, index + 1) for index in gone)

    def left_out_since(self, now: PathView) -> int:
        """Return how many questions and answers `now` sends that are neither sent nor in a summary here."""
        if self._newly is None or self._newly[0] is not now:
            passed = range(now.shape.start, self.shape.start)
            here = self.shape.selection
            left = here.decided.gone - now.shape.selection.out
            left = frozenset(index for index in left if index not in passed and now.sends(index))
            kept = {index for index in here.stays if index in passed} - here.out
            known = kept | {index for index in here.covered | now.shape.selection.out if index in passed}
            spoken = here.spoken_in(passed.start, passed.stop) if passed else 0
            spoken += sum(here.spoken_in(index, index + 1) for index in left)
            self._newly = now, spoken - sum(here.spoken_in(index, index + 1) for index in known)
        return self._newly[1]

    @property
    def spoken(self) -> int:
        """The number of questions and answers that it sends."""
        return self.totals.sent(self.shape.start)

    def sends(self, index: int) -> bool:
        """Return True if the message at this place of the path is in the request."""
        return self.shape.selection.is_sent(index, self.shape.start)

    def continues(self, other: RequestShape, end: int) -> bool:
        """Return True if it begins with all of an earlier request, which ended with the message before `end`."""
        return self.shape.key == other.key or (
            self.has_front_of(other) and _opening(self.shape, end) == _opening(other, end)
        )

    def has_front_of(self, other: RequestShape) -> bool:
        """Return True if the texts before all messages are as in another request."""
        return self.shape.system == other.system and self.shape.offer == other.offer

    def alike(self, other: RequestShape) -> int:
        """Return the place of the path before which both send the same messages, in whatever form."""
        end = 0
        sent = (shape.selection.sent(shape.start) for shape in (self.shape, other))
        for here, there in zip(*sent, strict=False):
            if here != there:
                break
            end = here + 1
        return end

    def request(self, counted: Sequence[Counted]) -> tuple[PlannedMessage, ...]:
        if self._request is None:
            first = self.shape.always.message
            pieces = self._pieces(counted)
            self._request = opened_by_user(merge(pieces if first is None else (first, *pieces)))
        return self._request

    def _pieces(self, counted: Sequence[Counted]) -> Iterator[PlannedMessage]:
        forms = self.shape.forms
        gaps = iter(self.gaps)
        gap = next(gaps, None)
        for index in self.shape.selection.sent(self.shape.start):
            while gap is not None and gap.first < index:
                if gap.block is not None:
                    yield note("assistant", gap.block)
                gap = next(gaps, None)
            item = forms.get(index)
            yield (counted[index] if item is None else item).planned
        while gap is not None:
            if gap.block is not None:
                yield note("assistant", gap.block)
            gap = next(gaps, None)

    def placed(self, ready: PreparedPath, ledger: PathTokens, state: BoundaryState) -> PlacedMessages:
        """Return the state of every message of the path; the same object for as long as nothing of it changes.

        `state`: where the tail begins, and why: the same tail may have been reached for another reason before.
        """
        if self._placed is None or self._placed[0] != state:
            made = PlacedMessages(ready, ledger, self.shape, self.totals, self.gaps, state)
            self._placed = state, made
        return self._placed[1]


def _opening(shape: RequestShape, end: int) -> tuple[object, ...]:
    """Return the content of a request before message `end`, with the notes in between."""
    sent = [index for index in shape.selection.sent(shape.start) if index < end]
    notes = [gap.block for gap in shape.selection.gaps(shape.start) if gap.first < end]
    return sent, notes, [shape.forms.get(index) for index in sent]


_Past: TypeAlias = tuple[Boundary, MessageSelection, bool, ToolTokens]

FORM: Final = "2"
"""Part of every prefix key: to be changed when the same path would be sent in other bytes."""


class PathViews:
    """`now` is the request in force without a draft, `ledger` the weights of the path that all views share."""

    def __init__(
        self,
        ready: PreparedPath,
        *,
        model: str,
        overhead: Overhead,
        prompt: SystemPrompt,
        preserve_first_n: int,
        estimator: TokenEstimator,
        offer: ToolTokens = NO_TOOLS,
        parameters: Parameters = NO_PARAMETERS,
        always: AlwaysIncluded = NO_DOCUMENTS,
    ) -> None:
        self._ready, self._overhead, self._prompt = ready, overhead, prompt
        self._offer, self._parameters, self._always, self.estimator = offer, parameters, always, estimator
        self._preserve_first_n = preserve_first_n
        self._key_start = f"{_digest(FORM, ready.backend, model, overhead.labels)}-"
        told = ready.counted[ready.decided.base :]
        opening = list(takewhile(lambda item: item.message.role == "user", told))
        self._opens = overhead.caches and len(opening) == len(told)
        # A system prompt that changes in mid-thread makes the whole cache worthless. So it tells of notes from the
        # first request on where that has a document, since a later attachment of it would be one, and where tools may
        # be called, since each call becomes one. Tools are offered where it tells of notes: what recall looks up is
        # what the notes stand for; the others have something to look up from the first request on.
        with_documents = bool(always.sent) or any(any(item.documents) and _has_attachment(item) for item in opening)
        self._tells = (
            any((item.content.annotated and not item.running) or item.in_part for item in told)
            or (overhead.caches and (bool(offer.tools) or with_documents))
            or not all(tool.recalls for tool in offer.tools)
        )
        self.ledger = self._make_ledger()
        self._moved: dict[tuple[int, bool], PathView] = {}
        self._noted: dict[tuple[int, bool], PathView] = {}
        self.now = self._make(ready.boundary.start)

    @property
    def always_noted(self) -> bool:
        """True if the system prompt tells of notes wherever the tail begins."""
        return self._tells or bool(self._offer.tools) or not self._ready.forms.is_plain

    def front(self, *, noted: bool) -> list[float]:
        """Tokens of what stands before all messages. `noted`: the system prompt tells of notes."""
        return self.ledger.front(self._prompt.counted[noted], self._offer, self._always)

    def at(self, start: int, *, back: bool = False) -> PathView:
        """The request whose tail begins at `start`: the one in force, or the one after a step or (`back`) a return."""
        if start == self._ready.boundary.start:
            return self.now
        if (start, back) not in self._moved:
            # of these views only the last one is needed again
            self._moved = {(start, back): self._make(start, back=back)}
        return self._moved[start, back]

    def with_draft(self, start: int, draft: Draft, *, back: bool = False) -> PathView:
        """The view as it is when a draft brings the first note of the app into it: the system prompt tells of notes."""
        view = self.at(start, back=back)
        noted = draft.in_part or any(reference.holds(view.sends) for reference in draft.references)
        attached = len(draft.documents) > draft.of_turn
        if view.noted or not (noted or (self._opens and attached)):
            return view
        if (start, back) not in self._noted:
            shape = self._told(view.shape, view.state, noted=True)
            totals = TailTotals(self.ledger, shape.selection, shape.forms) if self._ready.in_loop else view.totals
            weight, system = self.ledger.weight(shape, totals), self._prompt.texts[True]
            noted_view = replace(view, shape=shape, system=system, totals=totals, weight=weight, noted=True)
            self._noted = {(start, back): noted_view}
        return self._noted[start, back]

    def _make(self, start: int, *, back: bool = False) -> PathView:
        ready, boundary = self._ready, self._ready.boundary
        state, selection, images_from = boundary.state, ready.now, ready.images_from(boundary)
        if start != boundary.start:
            first_kept = ready.messages[start].id if start < len(ready.messages) else CARRIER
            state = BoundaryState(first_kept if start else None, max(ready.steps.epoch, state.epoch) + 1)
            selection, images_from = ready.stepped, ready.turns.protected
            if back:
                selection, images_from = ready.returned(start), 0
        gaps = selection.gaps(start)
        plain = self._shape(selection, start, gaps, images_from, "", noted=False)
        told = self._tells or any(has_note(form, ready.counted[index]) for index, form in plain.forms.items())
        # what is left out without a word, as by a fresh start, can be looked up all the same; what is excluded never
        excluded = ready.decided.excluded | ready.decided.deleted
        offered = told or any(not excluded.issuperset(range(gap.first, gap.end)) for gap in gaps)
        noted = told or (offered and bool(self._offer.tools)) or any(gap.block for gap in gaps)
        shape = self._told(plain, state, noted=noted, offered=offered)
        totals = TailTotals(self.ledger, selection, shape.forms)
        weight = self.ledger.weight(shape, totals)
        return PathView(shape, state, self._prompt.texts[noted], gaps, totals, weight, noted=noted)

    def _told(self, shape: RequestShape, state: BoundaryState, *, noted: bool, offered: bool = True) -> RequestShape:
        """The shape with the system prompt that tells of notes, or does not, and the thinking that is bound to it."""
        offer = self._offer if noted and offered else NO_TOOLS
        key = self._key(state, shape.selection, shape.start, noted=noted, offer=offer)
        forms = {**shape.forms, **self._ready.unbound(key)}
        return replace(shape, key=key, forms=forms, system=self._prompt.counted[noted], offer=offer)

    def _make_ledger(self) -> PathTokens:
        ready = self._ready
        pasts = self._pasts(ready.decided)
        others: dict[str, _Past] = {}
        guesses = iter(ready.before_choices)

        def past_of(key: str) -> _Past | None:
            # a choice that was made since has changed every key: what it was before is tried, only as far as needed
            found = pasts.get(key) or others.get(key)
            while found is None and (decided := next(guesses, None)) is not None:
                others.update(self._pasts(decided))
                found = others.get(key)
            return found

        def shape_of(key: str) -> RequestShape | None:
            if (past := past_of(key)) is None:
                return None
            boundary, selection, noted, offer = past
            gaps, images_from = selection.gaps(boundary.start), ready.images_from(boundary)
            shape = self._shape(selection, boundary.start, gaps, images_from, key, noted=noted)
            return replace(shape, offer=offer)

        return PathTokens(
            ready.counted,
            backend=ready.backend,
            overhead=self._overhead,
            estimator=self.estimator,
            key_start=self._key_start,
            spoken=ready.spoken,
            shape_of=shape_of,
            varying=ready.forms.repeated,
            deleted=ready.decided.deleted,
        )

    @cached_property
    def _past_offers(self) -> Sequence[ToolTokens]:
        """Offers of earlier requests, before any tools came, or those of one of the servers, or of all."""
        tools, offers = self._offer.tools, [NO_TOOLS, self._offer]
        servers = {tool.server for tool in tools} - {""}
        for since in filter(None, (servers, *({one} for one in servers if len(servers) > 1))):
            before = [tool for tool in tools if tool.server not in since and not (tool.finds and since == servers)]
            offers.append(ToolTokens.of(before, self.estimator.family, self._ready.counter))
        return offers

    def _pasts(self, decided: PathChoices) -> dict[str, _Past]:
        """Return the make-up of the requests that this path may have had under these choices, by their keys."""
        ready = self._ready
        pasts: dict[str, _Past] = {}
        for boundary in ready.boundaries_under(decided):
            selection = ready.arranged(boundary, decided)
            for noted, offer in ((False, NO_TOOLS), *((True, offer) for offer in self._past_offers)):
                key = self._key(boundary.state, selection, boundary.start, noted=noted, offer=offer)
                pasts[key] = (boundary, selection, noted, offer)
        return pasts

    def _shape(
        self, selection: MessageSelection, start: int, gaps: Sequence[Gap], images_from: int, key: str, *, noted: bool
    ) -> RequestShape:
        labels = self._ready.labels
        markers = summary = ZERO
        for gap in gaps:
            if gap.block is not None:
                counted = count_note(gap.block.text, "assistant", labels=labels, counter=self._ready.counter)
                if gap.summarised:
                    summary = plus(summary, counted)
                else:
                    markers = plus(markers, counted)
        markers = plus(markers, self.opening_note(gaps))
        forms = self._ready.forms_for(IsSent(selection, start), images_from)
        return RequestShape(
            start, key, selection, forms, self._prompt.counted[noted], markers, summary, always=self._always
        )

    def opening_note(self, gaps: Sequence[Gap]) -> Features:
        """Return the features of the note before a request with these gaps that begins with the assistant, else 0."""
        if self._always.sent or not self._answers_first(gaps):
            return ZERO
        return count_note(OPENING, "user", labels=self._ready.labels, counter=self._ready.counter)

    def _answers_first(self, gaps: Sequence[Gap]) -> bool:
        """Return True if the request would begin with the assistant: it gets an opening note then."""
        index, later = 0, iter(gaps)
        gap = next(later, None)
        while index < len(self._ready.counted):
            if gap is not None and gap.first == index:
                if gap.block is not None:
                    return True
                index, gap = gap.end, next(later, None)
            elif self._ready.counted[index].content.blocks:
                return self._ready.counted[index].message.role == "assistant"
            else:
                index += 1
        return False

    def _key(
        self, state: BoundaryState, selection: MessageSelection, start: int, *, noted: bool, offer: ToolTokens
    ) -> str:
        head = 0 if state.first_kept is None else self._preserve_first_n
        settled = (self._prompt.texts[noted], self._overhead.tokens, head, state.first_kept, state.epoch)
        asked = parameters_to_json(self._parameters)
        more = (*selection.key_facts(start), *offer.key_facts, *((asked,) if asked else ()), *self._always.key_facts)
        return self._key_start + _digest(*settled, *more)


def _has_attachment(item: Counted) -> bool:
    """Return True if a message has a document that will be on the path."""
    return any(isinstance(block, DocumentPart) and not is_of_artifact(block) for block in item.content.blocks)


def _digest(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, ensure_ascii=True).encode()).hexdigest()[:16]
