"""Token weights of one prepared path: each message, sums over any tail, what stands in every request.

All sums are whole numbers that add up exactly, so that what the gauge shows by message and by category is the same
count.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import sub
from typing import Final

from desktop_app.core.context.message_selection import MessageSelection
from desktop_app.core.context.plan import BigItem, Overhead
from desktop_app.core.context.project_context import NO_DOCUMENTS, AlwaysIncluded
from desktop_app.core.context.sent_content import SYSTEM_NOTE
from desktop_app.core.context.text_features import CONSTANT, ZERO, Features, features, plus
from desktop_app.core.context.token_counting import (
    BY_CLASSES,
    LABEL,
    Counted,
    Measured,
    TextCounter,
    answer_tokens,
    block_text,
    estimates,
    image_tokens,
    image_variance,
    measured_requests,
    share_out,
)
from desktop_app.core.context.token_estimator import MOST_STATED, TokenEstimator
from desktop_app.core.messages import DocumentPart, ToolSpec
from desktop_app.core.model_catalog import TokenizerFamily


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The system prompt without and with the line about the app's notes, and their features."""

    texts: tuple[str, str]
    counted: tuple[Features, Features]

    @classmethod
    def of(cls, system: str, counter: TextCounter = BY_CLASSES) -> SystemPrompt:
        noted = f"{system.rstrip()}\n\n{SYSTEM_NOTE}" if system.strip() else SYSTEM_NOTE
        plain = plus(counter.prompt(system), CONSTANT) if system.strip() else ZERO
        return cls((system, noted), (plain, plus(counter.prompt(noted), CONSTANT)))


TOOL_PROMPT: Final[dict[TokenizerFamily, int]] = {"claude-2023": 346, "claude-2026": 346}
"""Tokens that a provider adds to a request which offers any tool, as Anthropic's documentation of tool use states them.

0 for families that are not named: what they add is not documented, and the first answer's usage tells it.
"""


def _told(tool: ToolSpec) -> str:
    return f"{tool.name}\n{tool.description}\n{json.dumps(tool.schema, ensure_ascii=False)}"


@dataclass(frozen=True, slots=True)
class ToolTokens:
    """The tools of a request: what is told of them, its features, and the provider's own tokens for it."""

    tools: tuple[ToolSpec, ...] = ()
    counted: Features = ZERO
    hidden: int = 0
    weights: tuple[float, ...] = ()
    """Of each tool in the tokens of all."""

    @classmethod
    def of(cls, tools: Sequence[ToolSpec], family: TokenizerFamily, counter: TextCounter = BY_CLASSES) -> ToolTokens:
        if not tools:
            return NO_TOOLS
        each = [plus(counter.text(_told(tool)), CONSTANT) for tool in tools]
        estimator = TokenEstimator.seeded(family)  # a schema has more tokens than prose of its length
        weights = tuple(map(estimator.tokens, each))
        return cls(tuple(tools), reduce(plus, each), TOOL_PROMPT.get(family, 0), weights)

    def by_server(self, tokens: int) -> dict[str, tuple[int, int]]:
        """The number of tools of each of the user's servers, and their part of the tokens that all tools have."""
        found: dict[str, tuple[int, int]] = {}
        for tool, own in zip(self.tools, self.shares(tokens)[1:], strict=True):
            if tool.server:
                count, before = found.get(tool.server, (0, 0))
                found[tool.server] = count + 1, before + own
        return found

    def of_servers(self, tokens: int) -> int:
        """The part of the user's servers in the tokens that all tools have; with what finds and calls their tools."""
        shares = zip(self.tools, self.shares(tokens)[1:], strict=True)
        return sum(own for tool, own in shares if tool.server or tool.finds)

    @property
    def found(self) -> dict[str, int]:
        """The user's servers whose tools are found when needed, with their number: no description of them is sent."""
        return dict(next((tool.finds for tool in self.tools if tool.finds), ()))

    def shares(self, tokens: int) -> list[int]:
        """The tokens of all of them shared out: the provider's own part, then that of each tool."""
        return share_out([self.hidden, *self.weights], tokens)

    def scale(self, tokens: int) -> float:
        """The factor from weights to tokens, where all tools have so many."""
        return tokens / (self.hidden + sum(self.weights))

    def heaviest(self, tokens: int) -> tuple[BigItem, ...]:
        """The user's servers with their part of the tokens that all tools have, heaviest first."""
        found = (BigItem(server, own) for server, (_, own) in self.by_server(tokens).items())
        return tuple(sorted(found, key=lambda item: -item.tokens))

    @property
    def key_facts(self) -> tuple[object, ...]:
        """The facts that the bytes of the request depend on; empty where nothing is offered."""
        return tuple((tool.name, tool.description, tool.schema) for tool in self.tools)


NO_TOOLS: Final = ToolTokens()


OVERHEAD_DOUBT: Final = 0.10
"""Standard deviation of a backend's own additions as a share of them, before they were measured."""

SHARE_DOUBT: Final = 0.005
"""Standard deviation of a measured message outside of the very request that measured it, as a share of it."""

ANSWER_DOUBT: Final = 0.02
"""Standard deviation of an answer counted as output, as a share of it: as input it may be cut differently."""

FARTHEST: Final = 5
"""The factor by which a count may be off the estimate to be believed."""

HIDDEN: Final = 20_000
"""Tokens that a program may add unseen to a request: the `claude` program with its own defaults adds up to 16K."""

MOST_MOVED: Final = 2.0
"""At most how many times a measured request makes what is new in it bigger or smaller, where the rest is known."""

MOST_MOVED_KNOWN: Final = 1.25
"""The same for messages that an earlier request measured already."""


@dataclass(frozen=True, slots=True)
class FixedTokens:
    """The tokens beside messages and draft; `marker`: notes in gaps; `always`: each document that stands first."""

    overhead: int
    system: int
    tools: int
    marker: int
    summary: int
    always: tuple[int, ...] = ()

    @classmethod
    def of(cls, shares: Iterable[float]) -> FixedTokens:
        """From the order in which they stand in a request."""
        overhead, system, tools, *always, marker, summary = map(round, shares)
        return cls(overhead, system, tools, marker, summary, tuple(always))

    @property
    def total(self) -> int:
        return self.overhead + self.system + self.tools + self.marker + self.summary + sum(self.always)


@dataclass(frozen=True, slots=True)
class RequestWeight:
    """A request without its draft. `variance` is that of its total, `measured` True if the provider counted it all.

    `measured_prompt` is the size of the measured request that it continues, 0 if there is none.
    """

    fixed: FixedTokens
    history: int
    documents: int
    variance: float
    doubtful: Features
    measured_prompt: int

    @property
    def total(self) -> int:
        return self.fixed.total + self.history + self.documents


@dataclass(frozen=True, slots=True)
class RequestShape:
    """The place where a request's tail begins, and its parts that are no message: system prompt, tools, and so on."""

    start: int
    key: str
    selection: MessageSelection
    forms: Mapping[int, Counted]
    system: Features
    markers: Features
    summary: Features
    offer: ToolTokens = NO_TOOLS
    always: AlwaysIncluded = NO_DOCUMENTS


class _Sparse:
    """Running sums of a quantity that only few messages have."""

    def __init__(self, entries: Mapping[int, float]) -> None:
        self._places = sorted(entries)
        self._sums = [0.0, *accumulate(entries[place] for place in self._places)]

    def before(self, start: int) -> float:
        return self._sums[bisect_left(self._places, start)]

    def since(self, start: int) -> float:
        return self._sums[-1] - self.before(start)


class _FeatureSums:
    """Sums over any tail of a long list of features: kept for every `STRIDE`-th place, the rest added when asked."""

    STRIDE: Final = 64

    def __init__(self, features: Sequence[Features]) -> None:
        self._features = features
        parts = (_sum_of(features[at : at + self.STRIDE]) for at in range(0, len(features), self.STRIDE))
        self._sums = list(accumulate(parts, _sum, initial=ZERO))

    def since(self, start: int) -> Features:
        part, own = divmod(start, self.STRIDE)
        before = plus(self._sums[part], _sum_of(self._features[start - own : start])) if own else self._sums[part]
        return tuple(map(sub, self._sums[-1], before))


class PathTokens:
    """Made once for a path; every question afterwards costs the same for any length of it.

    `counted` are the messages as they go whole, `spoken` how many questions and answers stand before each. `shape_of`
    tells how the requests of a prefix key were made up, None for a key that is not known; `varying` are the messages
    whose form a key decides, `deleted` those that the user took out since.
    What a request measured is the weight of a message in the form that it had there
    (`_form`): other forms are as far off as the estimator says. `newest` is the last measured request of each key, and
    its shape where that is known.
    """

    def __init__(
        self,
        counted: Sequence[Counted],
        *,
        backend: str,
        overhead: Overhead,
        estimator: TokenEstimator,
        key_start: str,
        spoken: Sequence[int],
        shape_of: Callable[[str], RequestShape | None],
        varying: Collection[int] = (),
        deleted: frozenset[int] = frozenset(),
    ) -> None:
        self._form = list(counted)
        self._measured: dict[tuple[int, int], int] = {}
        self._varying, self._deleted = varying, deleted
        self._estimator = estimator
        self._edges = estimator.tokens(plus(CONSTANT, LABEL["assistant"]) if overhead.labels else CONSTANT)
        self._overhead = overhead.tokens
        self._fixed: dict[str, FixedTokens] = {}
        self._parts: dict[object, int] = {}
        self._seed = TokenEstimator.seeded(estimator.family)
        self._scale: float | None = None
        self._prompt: dict[str, Measured] = {}
        self.newest: dict[str, tuple[Measured, RequestShape | None]] = {}
        self._known = [not item.content.blocks for item in counted]
        self._output = [0.0] * len(counted)
        self._known_documents: dict[int, dict[str, int]] = {}
        self.tokens = self._settled(backend, key_start, shape_of)
        self._weigh_documents_again()
        self._sums = [0, *accumulate(self.tokens)]
        documents = (
            0 if item.documents is ZERO else self._document_tokens(index) for index, item in enumerate(self._form)
        )
        self._document_sums = [0, *accumulate(documents)]
        self._sent = spoken
        self._unknown = [ZERO if known else item.counted for known, item in zip(self._known, self._form, strict=True)]
        for index in self._known_documents:
            self._unknown[index] = _difference(self._form[index].counted, self._form[index].documents)
        self._unknown_sums = _FeatureSums(self._unknown)
        doubts = list(self._output)
        for index, known in self._known_documents.items():
            doubts[index] = (SHARE_DOUBT * sum(known.values())) ** 2
        for index, item in enumerate(self._form):
            if item.images and not self._known[index]:
                doubts[index] += image_variance(item.images, estimator.family)
        self._squares = [0.0, *accumulate(doubts)]

    def fixed(self, shape: RequestShape) -> FixedTokens:
        """Tokens of what is not a message, as measured under this key or else estimated."""
        return self._fixed.get(shape.key) or FixedTokens.of(self._fixed_estimate(shape))

    def front(self, system: Features, offer: ToolTokens, always: AlwaysIncluded) -> list[float]:
        """Tokens of overhead, system prompt, tools and each project document, as first measured, else estimated."""
        told = zip(_parts(system, offer, always), self._front_estimate(system, offer, always), strict=True)
        return [float(self._parts.get(part, estimate)) for part, estimate in told]

    def _front_estimate(self, system: Features, offer: ToolTokens, always: AlwaysIncluded) -> list[float]:
        # by the seed, once that was measured: what a request measured may not depend on what was learned later
        estimator, scale = (self._estimator, 1.0) if self._scale is None else (self._seed, self._scale)
        hidden = offer.hidden + estimator.tokens(offer.counted)
        documents = (item.tokens(estimator) for item in always.sent)
        return [scale * tokens for tokens in (self._overhead, estimator.tokens(system), hidden, *documents)]

    @property
    def weighed(self) -> Sequence[Counted]:
        """Each message in the form that `tokens` are of."""
        return self._form

    def change(self, index: int, form: Counted) -> int:
        """Tokens that a message has more in this form than in the one in which it was measured."""
        if form is self._form[index]:
            return 0
        if (measured := self._measured.get((index, id(form)))) is not None:
            return measured - self.tokens[index]
        if index in self._known_documents:
            return self._with_known(index, form) - self.tokens[index]
        return max(1 - self.tokens[index], round(self._change(index, form)))

    def is_known(self, index: int) -> bool:
        """Return True if a provider has counted this message."""
        return self._known[index]

    def counted_document(self, document: DocumentPart, places: Iterable[int]) -> int | None:
        """Return the tokens that a provider first counted for this document among these messages; None: in none."""
        for index in places:
            item = self._form[index]
            if not any(item.documents) or not self._known[index] or self._output[index]:
                continue
            found = [block for block in item.content.blocks if isinstance(block, DocumentPart)]
            place = next((n for n, one in enumerate(found) if _is_same(one, document)), None)
            if place is not None:
                tokens = self._document_tokens(index)
                # one that came alone has all of them: a megabyte of text takes 35 ms to weigh
                return tokens if len(found) == 1 else share_out(list(map(self._weigh_document, found)), tokens)[place]
        return None

    def _weigh_document(self, document: DocumentPart) -> float:
        return self._estimator.tokens(features(block_text(document))) + image_tokens(document, self._estimator.family)

    def knows_front(self, shape: RequestShape) -> bool:
        """Return True if a provider has counted all of this request that stands before its messages."""
        return all(part in self._parts for part in _parts(shape.system, shape.offer, shape.always))

    def weigh(self, item: Counted) -> float:
        """Tokens of a message by the estimator alone."""
        return self._estimator.tokens(item.counted) + item.images

    def weight(self, shape: RequestShape, totals: TailTotals) -> RequestWeight:
        start = shape.start
        measured = self._prompt.get(shape.key)
        fixed = self.fixed(shape)
        messages, documents = totals.tokens(start), totals.documents(start)
        doubtful = totals.unknown(start)
        variance = totals.squares(start)
        if measured is None:
            doubtful = plus(doubtful, shape.summary)
            parts = _parts(shape.system, shape.offer, shape.always)
            overhead, system, tools, *always = (part in self._parts for part in parts)
            unseen = 0 if overhead else fixed.overhead
            if not system:
                doubtful = plus(doubtful, shape.system)
            if not tools:
                doubtful, unseen = plus(doubtful, shape.offer.counted), unseen + shape.offer.hidden
            for item, is_known in zip(shape.always.sent, always, strict=True):
                doubtful = doubtful if is_known else plus(doubtful, item.counted)
            known = messages - self._estimator.tokens(doubtful)
            variance += (unseen * OVERHEAD_DOUBT) ** 2 + (max(known, 0.0) * SHARE_DOUBT) ** 2
        else:  # another request, as before a step or choice was undone, may have counted the same messages otherwise
            sent = (
                index for index in range(measured.answer, len(self.tokens)) if shape.selection.is_sent(index, start)
            )
            before = messages - sum(map(totals.of_message, sent))
            variance += (measured.prompt - fixed.total - before) ** 2
        prompt = 0 if measured is None else measured.prompt
        return RequestWeight(fixed, messages - documents, documents, variance, doubtful, prompt)

    def last_turns(self, starts: Sequence[int]) -> tuple[int, int]:
        """Return how many of the newest turns to judge by, at most ten, and their tokens; given where turns begin."""
        last = starts[-10:]
        return len(last), self._sums[-1] - self._sums[last[0]] if last else 0

    def _change(self, index: int, form: Counted) -> float:
        return self.weigh(form) - self.weigh(self._form[index])

    def _fixed_estimate(self, shape: RequestShape) -> list[float]:
        """In the order of `FixedTokens.of`."""
        tokens, front = self._estimator.tokens, self.front(shape.system, shape.offer, shape.always)
        return [*front, tokens(shape.markers), tokens(shape.summary)]

    def _document_tokens(self, index: int, form: Counted | None = None) -> int:
        item = form or self._form[index]
        if not any(item.documents):
            return 0
        if index in self._known_documents:
            return self._of_known(index, item)
        tokens = self.tokens[index] + (self.change(index, form) if form is not None else 0)
        whole = self._estimator.tokens(item.counted) + item.images
        return math.floor(tokens * min(1.0, (self._estimator.tokens(item.documents) + item.pages) / whole))

    def _settled(self, backend: str, key_start: str, shape_of: Callable[[str], RequestShape | None]) -> list[int]:
        """Tokens per message: estimates first, then each measured request in turn puts right what it covers.

        `shape_of` is not kept: it holds the views, and these hold the ledger, so that a path would never end by itself.
        """
        weights = estimates(self._form, self._estimator)
        for index, item in enumerate(self._form):
            if (item.message.prefix_key or "").startswith(key_start):
                output = answer_tokens(item, weights[index], self._edges)
                if output is not None:
                    weights[index], self._output[index] = output, (output * ANSWER_DOUBT) ** 2
                    self._known[index] = True
        requests = measured_requests(self._form, backend, key_start)
        shapes: dict[str, RequestShape | None] = {}
        previous: Measured | None = None
        for request in requests:
            if request.key not in shapes:
                shapes[request.key] = shape_of(request.key)
            shape = shapes[request.key]
            if previous is None or previous.key != request.key or not self._grow(weights, previous, request, shape):
                if shape is not None:
                    self._settle_request(weights, request, shape)
            elif request.key in self._prompt:
                self._prompt[request.key] = request
            previous = request
            self.newest[request.key] = request, shape
        return [max(1, round(weight)) if weight > 0 else 0 for weight in weights]

    def _weigh_documents_again(self) -> None:
        """Documents of a question that waits weigh what a provider counted for them before, as they do in a draft.

        Else the question would weigh something else once it is stored than in the plan by which it was sent.
        """
        for index in range(len(self._form) - 1, -1, -1):
            item = self._form[index]
            if (self._known[index] and item.content.blocks) or not self._prompt:
                return
            documents = {block.sha256: block for block in item.content.blocks if isinstance(block, DocumentPart)}
            counted = {sha: self.counted_document(one, range(index - 1, -1, -1)) for sha, one in documents.items()}
            known = {sha: tokens for sha, tokens in counted.items() if tokens is not None}
            if known and len(known) == len(counted):
                self._known_documents[index] = known
                self.tokens[index] = self._with_known(index, item)

    def _with_known(self, index: int, form: Counted) -> int:
        """Return the tokens of a message in this form, of which only its text is estimated."""
        estimated = self._estimator.tokens(form.documents) + form.pages
        return max(1, round(self.weigh(form) - estimated)) + self._of_known(index, form)

    def _of_known(self, index: int, form: Counted) -> int:
        known = self._known_documents[index]
        return sum(known[block.sha256] for block in form.content.blocks if isinstance(block, DocumentPart))

    def _grow(self, weights: list[float], previous: Measured, request: Measured, shape: RequestShape | None) -> bool:
        """Takes what a request counted more than the one before for what came between them; False where it can't be."""
        since: Sequence[int] = range(previous.answer, request.answer)
        if not self._deleted.isdisjoint(since):
            return False  # what was counted then is empty now
        if shape is None:
            if any(index in self._varying for index in since):
                return False
        elif shape.selection.out:
            since = [index for index in since if index not in shape.selection.out]
        then = self._in_forms(weights, since, {} if shape is None else shape.forms)
        grown = request.prompt - previous.prompt
        if not _plausible(grown, then):
            return False
        self._settle(weights, since, share_out(then, grown), {} if shape is None else shape.forms)
        return True

    def _settle_request(self, weights: list[float], request: Measured, shape: RequestShape) -> None:
        """Takes a request's count for the sum of all that it held.

        What its parts miss of it goes to what no request measured before. Where that can't be all of the difference,
        the messages that were measured share it by how well they are known; the system prompt and the tools, which are
        what they were, come last.
        """
        covered = [index for index in shape.selection.sent(shape.start) if index < request.answer]
        fixed, then = self._fixed_estimate(shape), self._in_forms(weights, covered, shape.forms)
        parts = _parts(shape.system, shape.offer, shape.always)
        # what nobody has counted yet, as tools, may be off by more than all the messages weigh
        new = [tokens for part, tokens in zip(parts, fixed, strict=False) if part not in self._parts]
        if not _plausible(request.prompt - round(sum(fixed) - sum(new)), [*new, *then]):
            self._prompt.pop(request.key, None)
            return
        if self._scale is None:
            held = [shape.forms.get(index, self._form[index]) for index in covered]
            seeds = sum(self._seed.tokens(form.counted) + form.images for form in held)
            seeds += sum(map(self._seed.tokens, (shape.system, shape.offer.counted, shape.markers, shape.summary)))
            seeds += sum(item.tokens(self._seed) for item in shape.always.sent)
            self._scale = request.prompt / (seeds + self._overhead + shape.offer.hidden)
            first = [round(tokens) for tokens in self.front(shape.system, shape.offer, shape.always)]
            shares = [*first, *share_out([*fixed[len(first) :], *then], request.prompt - sum(first))]
        else:
            documents = [2 if part in self._parts else 0 for part in parts[3:]]
            ranks = [2, 2, 2, *documents, 0, 0, *self._ranks(weights, covered, then)]
            shares = _adjusted([*fixed, *then], ranks, request.prompt)
        self._fixed[request.key] = FixedTokens.of(shares[: len(fixed)])
        for part, share in zip(parts, shares, strict=False):
            self._parts.setdefault(part, share)
        self._prompt[request.key] = request
        self._settle(weights, covered, shares[len(fixed) :], shape.forms)

    def _ranks(self, weights: Sequence[float], covered: Sequence[int], then: Sequence[float]) -> list[int]:
        """Return how well each message is known, for `_adjusted`; documents are the last to change."""
        settled = [
            self._known[index] and not self._output[index] and weights[index] == weight
            for index, weight in zip(covered, then, strict=True)
        ]
        plain = [known and not any(self._form[index].documents) for known, index in zip(settled, covered, strict=True)]
        yielding = plain if any(plain) else settled
        return [1 if yields else 2 if known else 0 for known, yields in zip(settled, yielding, strict=True)]

    def _in_forms(self, weights: Sequence[float], indexes: Iterable[int], forms: Mapping[int, Counted]) -> list[float]:
        """The weights of these messages in the forms that they have in a request."""
        found = []
        for index in indexes:
            form, weight = forms.get(index), weights[index]
            if form is not None and form is not self._form[index]:
                measured = self._measured.get((index, id(form)))
                weight = max(1.0, weight + self._change(index, form)) if measured is None else measured
            found.append(weight)
        return found

    def _settle(
        self, weights: list[float], indexes: Iterable[int], shares: Iterable[int], forms: Mapping[int, Counted]
    ) -> None:
        for index, share in zip(indexes, shares, strict=True):
            weights[index], self._known[index], self._output[index] = share, True, 0.0
            if (form := forms.get(index)) is not None:
                self._form[index] = form
                self._measured[index, id(form)] = share


class TailTotals:
    """Sums over the request for any place where its tail begins, for one arrangement and one set of forms."""

    def __init__(self, ledger: PathTokens, selection: MessageSelection, forms: Mapping[int, Counted]) -> None:
        self._ledger = ledger
        out, stays = selection.out, selection.stays
        changes = {index: ledger.change(index, form) for index, form in forms.items()}
        documents = {
            index: ledger._document_tokens(index, form) - self._own(ledger._document_sums, index)
            for index, form in forms.items()
        }
        doubts = {index: (MOST_STATED * change) ** 2 for index, change in changes.items() if ledger._known[index]}
        sums: tuple[Sequence[float], ...] = (ledger._sums, ledger._document_sums, ledger._squares, ledger._sent)
        each: tuple[Mapping[int, float], ...] = (changes, documents, doubts, {})
        self._sums = sums
        self._gone = [
            _Sparse(
                {
                    **{index: more for index, more in change.items() if index not in out},
                    **{index: -self._own(sum_, index) for index in out},
                }
            )
            for sum_, change in zip(sums, each, strict=True)
        ]
        self._stay = [
            _Sparse({index: self._own(sum_, index) + change.get(index, 0) for index in stays})
            for sum_, change in zip(sums, each, strict=True)
        ]
        unknown = {index: form.counted for index, form in forms.items() if not ledger._known[index]}
        more = {index: _difference(form, ledger._unknown[index]) for index, form in unknown.items() if index not in out}
        self._out, self._stays, self._others = sorted(out), stays, sorted(more)
        self._out_unknown = _running(ledger._unknown[index] for index in self._out)
        self._stays_unknown = _running(unknown.get(index, ledger._unknown[index]) for index in stays)
        self._others_unknown = _running(more[index] for index in self._others)
        self._changes, self._document_changes = changes, documents

    def tokens(self, start: int) -> int:
        return round(self._over(0, start))

    def documents(self, start: int) -> int:
        """Return how many of `tokens` are documents."""
        return round(self._over(1, start))

    def squares(self, start: int) -> float:
        """Variance of the messages whose count is known only nearly."""
        return max(0.0, self._over(2, start))

    def sent(self, start: int) -> int:
        """Return the number of questions and answers in the request."""
        return round(self._over(3, start))

    def unknown(self, start: int) -> Features:
        """Features of the messages that nobody has counted yet."""
        tail = self._ledger._unknown_sums.since(start)
        gone, stay, others = self._out_unknown, self._stays_unknown, self._others_unknown
        first_gone = gone[bisect_left(self._out, start)]
        stayed = stay[bisect_left(self._stays, start)]
        before_others = others[bisect_left(self._others, start)]
        return tuple(
            whole - (all_gone - gone_before) + kept + (all_others - others_before)
            for whole, all_gone, gone_before, kept, all_others, others_before in zip(
                tail, gone[-1], first_gone, stayed, others[-1], before_others, strict=True
            )
        )

    def of_message(self, index: int) -> int:
        """Tokens of one message in its form."""
        return self._ledger.tokens[index] + int(self._changes.get(index, 0))

    def documents_of_message(self, index: int) -> int:
        """Return how many of one message's tokens are documents."""
        return int(self._own(self._ledger._document_sums, index) + self._document_changes.get(index, 0))

    def _over(self, kind: int, start: int) -> float:
        sums = self._sums[kind]
        return sums[-1] - sums[start] + self._gone[kind].since(start) + self._stay[kind].before(start)

    @staticmethod
    def _own(sums: Sequence[float], index: int) -> float:
        return sums[index + 1] - sums[index]


def _sum_of(features: Sequence[Features]) -> Features:
    counted = [one for one in features if one is not ZERO]
    return tuple(map(sum, zip(*counted, strict=True))) if counted else ZERO


def _parts(system: Features, offer: ToolTokens, always: AlwaysIncluded) -> list[object]:
    """Return the parts before the messages by their marks: overhead, system prompt, tools, documents."""
    return ["overhead", system, (offer.counted, offer.hidden), *always.key_facts]


def _running(features: Iterable[Features]) -> list[Features]:
    return list(accumulate(features, _sum, initial=ZERO))


def _is_same(first: DocumentPart, second: DocumentPart) -> bool:
    return first.sha256 == second.sha256 and first.text == second.text


def _difference(first: Features, second: Features) -> Features:
    return tuple(map(sub, first, second))


def _sum(first: Features, second: Features) -> Features:
    return first if second is ZERO else plus(first, second)


def _adjusted(weights: Sequence[float], ranks: Sequence[int], total: int) -> list[int]:
    """Whole numbers that sum up to `total`. Rank 0 is new, 1 known, 2 known and not to change while the others can."""
    sums = [sum(weight for weight, rank in zip(weights, ranks, strict=True) if rank == wanted) for wanted in range(3)]
    rest = total - sum(sums)
    if sums[1] or sums[2]:
        doubts = [(MOST_STATED * sums[0]) ** 2, (SHARE_DOUBT * sums[1]) ** 2]
        first = rest * doubts[0] / sum(doubts) if any(doubts) else 0.0
        moved = [_within(first, sums[0], MOST_MOVED)]
        moved.append(_within(rest - moved[0], sums[1], MOST_MOVED_KNOWN))
        if not sums[2]:
            moved = [rest - moved[1], moved[1]] if sums[0] else [0.0, rest]
        moved.append(rest - sum(moved))
    else:
        moved = [rest, 0.0, 0.0]
    if rest < 0 and sums[2] + moved[2] < sums[2] / MOST_MOVED:
        return share_out(weights, total)
    factors = [(whole + more) / whole if whole else 1.0 for whole, more in zip(sums, moved, strict=True)]
    return share_out([weight * factors[rank] for weight, rank in zip(weights, ranks, strict=True)], total)


def _within(change: float, whole: float, most: float) -> float:
    """The change as far as it makes `whole` at most that many times bigger or smaller."""
    return min(max(change, whole / most - whole), whole * most - whole)


def _plausible(counted: int, weights: Sequence[float]) -> bool:
    """Return True if a reported count can be that of messages with these weights.

    No tokenizer is five times off the estimate; a server that reports a constant, or leaves its cache out, is. The
    slack is for what a program adds by itself.
    """
    expected = sum(weights)
    return expected / FARTHEST - 50 <= counted <= expected * FARTHEST + HIDDEN and counted > 0
