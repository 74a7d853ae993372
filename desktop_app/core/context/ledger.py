"""Owns the weights of one prepared path: tokens of each message, sums over any tail, what is measured. Pure counting.

Knows no draft and decides nothing. All sums are whole numbers that add up exactly, so that what the gauge shows by
message and by category is the same count.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import sub
from typing import Final

from desktop_app.core.context.arrangement import Arrangement
from desktop_app.core.context.estimator import MOST_STATED, TokenEstimator
from desktop_app.core.context.features import CONSTANT, ZERO, Features, plus
from desktop_app.core.context.offer import NO_TOOLS, ToolOffer
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.tally import (
    Counted,
    Measured,
    answer_tokens,
    estimates,
    measured_requests,
    share_out,
)

OVERHEAD_DOUBT: Final = 0.10
"""Standard deviation of a backend's own additions as a share of them, before they were measured."""

SHARE_DOUBT: Final = 0.005
"""Standard deviation of a measured message outside of the very request that measured it, as a share of it."""

ANSWER_DOUBT: Final = 0.02
"""Standard deviation of an answer counted as output, as a share of it: as input it may be cut differently."""

FARTHEST: Final = 5
"""How many times a count may be off the estimate to be believed."""

HIDDEN: Final = 20_000
"""Tokens that a program may add unseen to a request: the `claude` program with its own defaults adds up to 16K."""

_CONSTANT_INDEX: Final = CONSTANT.index(1)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is in every request besides messages and draft, in tokens; `marker` are the notes in the gaps."""

    overhead: int
    system: int
    tools: int
    marker: int
    summary: int

    @property
    def total(self) -> int:
        return self.overhead + self.system + self.tools + self.marker + self.summary


@dataclass(frozen=True, slots=True)
class Weight:
    """A request without its draft. `variance` is that of its total, `measured` True if the provider counted it all.

    `measured_prompt` is the size of the measured request that it continues, 0 if there is none; `in_cache` what of that
    one the provider read from its cache or wrote to it.
    """

    fixed: Fixed
    history: int
    documents: int
    variance: float
    doubtful: Features
    measured_prompt: int
    in_cache: int

    @property
    def total(self) -> int:
        return self.fixed.total + self.history + self.documents


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a request begins its tail, and what of it is no message: system prompt, tools, markers, summaries."""

    start: int
    key: str
    arrangement: Arrangement
    forms: Mapping[int, Counted]
    system: Features
    markers: Features
    summary: Features
    offer: ToolOffer = NO_TOOLS


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


class Ledger:
    """Made once for a path; every question afterwards costs the same for any length of it.

    `counted` are the messages in the form in which they were sent first, `spoken` how many questions and answers stand
    before each. `shape_of` tells how the requests of a
    prefix key were made up, None for a key that is not known.
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
        shape_of: Callable[[str], Shape | None],
    ) -> None:
        self._counted = counted
        self._estimator = estimator
        self._overhead = overhead.tokens
        self._shape_of = shape_of
        self._fixed: dict[str, Fixed] = {}
        self._fronts: dict[tuple[Features, Features, int], tuple[float, float, float]] = {}
        self._prompt: dict[str, Measured] = {}
        self._known = [not item.content.blocks for item in counted]
        self._output = [0.0] * len(counted)
        self.tokens = self._settled(backend, key_start)
        self._sums = [0, *accumulate(self.tokens)]
        documents = (
            0 if item.documents is ZERO else self._document_tokens(index) for index, item in enumerate(counted)
        )
        self._document_sums = [0, *accumulate(documents)]
        self._sent = spoken
        self._unknown = [ZERO if known else item.counted for known, item in zip(self._known, counted, strict=True)]
        self._unknown_sums = _FeatureSums(self._unknown)
        self._squares = [0.0, *accumulate(self._output)]

    def fixed(self, shape: Shape) -> Fixed:
        """Tokens of what is not a message, as measured under this key or else estimated."""
        return self._fixed.get(shape.key) or Fixed(*map(round, self._fixed_estimate(shape)))

    def front(self, system: Features, offer: ToolOffer) -> tuple[float, float, float]:
        """Tokens of overhead, system prompt and tools.

        As the last measured request with the same ones shared them out, since what stays of its messages was shared out
        with them; else estimated.
        """
        known = self._fronts.get((system, offer.counted, offer.hidden))
        if known is not None:
            return known
        tokens = self._estimator.tokens
        return float(self._overhead), tokens(system), tokens(offer.counted) + offer.hidden

    def change(self, index: int, form: Counted) -> int:
        """Tokens that a message has more in this form than in the one in which it was sent first."""
        return max(1 - self.tokens[index], round(self._change(index, form)))

    def is_known(self, index: int) -> bool:
        """Whether a provider has counted this message."""
        return self._known[index]

    def weigh(self, item: Counted) -> float:
        """Tokens of a message by the estimator alone."""
        return self._estimator.tokens(item.counted) + item.images

    def weight(self, shape: Shape, totals: Totals) -> Weight:
        """The request of this shape."""
        start = shape.start
        measured = self._prompt.get(shape.key)
        fixed = self.fixed(shape)
        messages, documents = totals.tokens(start), totals.documents(start)
        doubtful = totals.unknown(start)
        variance = totals.squares(start)
        if measured is None:
            doubtful = plus(doubtful, plus(shape.offer.counted, plus(shape.system, shape.summary)))
            known = messages - self._estimator.tokens(doubtful)
            unseen = fixed.overhead + shape.offer.hidden
            variance += (unseen * OVERHEAD_DOUBT) ** 2 + (max(known, 0.0) * SHARE_DOUBT) ** 2
        prompt, in_cache = (0, 0) if measured is None else (measured.prompt, measured.cached)
        return Weight(fixed, messages - documents, documents, variance, doubtful, prompt, in_cache)

    def last_turns(self, starts: Sequence[int]) -> tuple[int, int]:
        """How many of the newest turns to judge by, at most ten, and their tokens; given where turns begin."""
        last = starts[-10:]
        return len(last), self._sums[-1] - self._sums[last[0]] if last else 0

    def _change(self, index: int, form: Counted) -> float:
        return self.weigh(form) - self.weigh(self._counted[index])

    def _fixed_estimate(self, shape: Shape) -> tuple[float, float, float, float, float]:
        tokens = self._estimator.tokens
        return *self.front(shape.system, shape.offer), tokens(shape.markers), tokens(shape.summary)

    def _document_tokens(self, index: int, form: Counted | None = None) -> int:
        item = form or self._counted[index]
        if not any(item.documents):
            return 0
        tokens = self.tokens[index] + (self.change(index, form) if form is not None else 0)
        whole = self._estimator.tokens(item.counted) + item.images
        return math.floor(tokens * min(1.0, (self._estimator.tokens(item.documents) + item.pages) / whole))

    def _settled(self, backend: str, key_start: str) -> list[int]:
        """Tokens per message: estimates first, then each measured request in turn puts right what it covers."""
        weights = estimates(self._counted, self._estimator)
        constant = self._estimator.vector[_CONSTANT_INDEX]
        for index, item in enumerate(self._counted):
            if (item.message.prefix_key or "").startswith(key_start):
                output = answer_tokens(item, weights[index], constant)
                if output is not None:
                    weights[index], self._output[index] = output, (output * ANSWER_DOUBT) ** 2
                    self._known[index] = True
        requests = measured_requests(self._counted, backend, key_start)
        shapes: dict[str, Shape | None] = {}
        previous: Measured | None = None
        for request in requests:
            if request.key not in shapes:
                shapes[request.key] = self._shape_of(request.key)
            shape = shapes[request.key]
            grown = request.prompt - previous.prompt if previous is not None else 0
            since: Sequence[int] = range(0 if previous is None else previous.answer, request.answer)
            if shape is not None and shape.arrangement.out:
                since = [index for index in since if index not in shape.arrangement.out]
            if previous is not None and previous.key == request.key and _plausible(grown, weights, since):
                self._settle(weights, since, grown)
                if request.key in self._prompt:
                    self._prompt[request.key] = request
            elif shape is not None:
                self._settle_request(weights, request, shape)
            previous = request
        return [max(1, round(weight)) if weight > 0 else 0 for weight in weights]

    def _settle(self, weights: list[float], indexes: Sequence[int], total: int) -> None:
        for index, share in zip(indexes, share_out([weights[i] for i in indexes], total), strict=True):
            weights[index] = share
            self._known[index] = True
            self._output[index] = 0.0

    def _settle_request(self, weights: list[float], request: Measured, shape: Shape) -> None:
        covered = [index for index in shape.arrangement.sent(shape.start) if index < request.answer]
        changes = {index: self._change(index, form) for index, form in shape.forms.items() if index < request.answer}
        then = list(weights)
        for index, change in changes.items():
            then[index] = max(1.0, weights[index] + change)
        fixed = self._fixed_estimate(shape)
        if not _plausible(request.prompt - round(sum(fixed)), then, covered):
            self._prompt.pop(request.key, None)
            return
        shares = share_out([*fixed, *(then[i] for i in covered)], request.prompt)
        self._fixed[request.key] = Fixed(*shares[: len(fixed)])
        front = (shares[0], shares[1], shares[2])
        self._fronts[shape.system, shape.offer.counted, shape.offer.hidden] = front
        self._prompt[request.key] = request
        self._settle(then, covered, sum(shares[len(fixed) :]))
        for index in covered:
            weights[index] = max(1.0, then[index] - changes[index]) if index in changes else then[index]


class Totals:
    """Sums over the request for any place where its tail begins, for one arrangement and one set of forms."""

    def __init__(self, ledger: Ledger, arrangement: Arrangement, forms: Mapping[int, Counted]) -> None:
        self._ledger = ledger
        out, stays = arrangement.out, arrangement.stays
        changes = {index: ledger.change(index, form) for index, form in forms.items()}
        documents = {
            index: ledger._document_tokens(index, form) - self._own(ledger._document_sums, index)
            for index, form in forms.items()
        }
        doubts = {index: (MOST_STATED * change) ** 2 for index, change in changes.items()}
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
        self._out, self._stays = sorted(out), stays
        self._out_unknown = [ZERO, *accumulate((ledger._unknown[index] for index in self._out), _sum)]
        self._stays_unknown = [ZERO, *accumulate((ledger._unknown[index] for index in stays), _sum)]
        self._changes, self._document_changes = changes, documents

    def tokens(self, start: int) -> int:
        """Tokens of the messages in the request."""
        return round(self._over(0, start))

    def documents(self, start: int) -> int:
        """What of `tokens` are documents."""
        return round(self._over(1, start))

    def squares(self, start: int) -> float:
        """Variance of the messages whose count is known only nearly."""
        return max(0.0, self._over(2, start))

    def sent(self, start: int) -> int:
        """How many questions and answers the request holds."""
        return round(self._over(3, start))

    def unknown(self, start: int) -> Features:
        """Features of the messages that nobody has counted yet."""
        tail = self._ledger._unknown_sums.since(start)
        gone, stay = self._out_unknown, self._stays_unknown
        first_gone = gone[bisect_left(self._out, start)]
        stayed = stay[bisect_left(self._stays, start)]
        return tuple(
            whole - (all_gone - gone_before) + kept
            for whole, all_gone, gone_before, kept in zip(tail, gone[-1], first_gone, stayed, strict=True)
        )

    def of_message(self, index: int) -> int:
        """Tokens of one message in its form."""
        return self._ledger.tokens[index] + int(self._changes.get(index, 0))

    def documents_of_message(self, index: int) -> int:
        """What of one message's tokens are documents."""
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


def _sum(first: Features, second: Features) -> Features:
    return first if second is ZERO else plus(first, second)


def _plausible(counted: int, weights: Sequence[float], indexes: Iterable[int]) -> bool:
    """Whether a reported count can be that of these messages.

    No tokenizer is five times off the estimate; a server that reports a constant, or leaves its cache out, is. The
    slack is for what a program adds by itself.
    """
    expected = sum(weights[index] for index in indexes)
    return expected / FARTHEST - 50 <= counted <= expected * FARTHEST + HIDDEN and counted > 0
