"""Owns the weights of one prepared path: tokens of each message, sums over any tail, what is measured. Pure counting.

Knows no draft and decides nothing. All sums are whole numbers that add up exactly, so that what the gauge shows by
message and by category is the same count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import CONSTANT, ZERO, Features, features, plus
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.roles import gap_marker
from desktop_app.core.context.tally import (
    Counted,
    Measured,
    answer_tokens,
    estimates,
    measured_requests,
    share_out,
)
from desktop_app.core.context.window import Boundary

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
    """What is in every request besides messages and draft, in tokens; `marker` is the note in a gap."""

    overhead: int
    system: int
    marker: int


@dataclass(frozen=True, slots=True)
class Weight:
    """A request without its draft. `variance` is that of its total, `measured` True if the provider counted it all.

    `measured_prompt` is the size of the measured request that it continues, 0 if there is none.
    """

    fixed: Fixed
    history: int
    documents: int
    variance: float
    doubtful: Features
    measured_prompt: int

    @property
    def total(self) -> int:
        return self.fixed.overhead + self.fixed.system + self.fixed.marker + self.history + self.documents


class Ledger:
    """Made once for a path; every question afterwards costs the same for any length of it."""

    def __init__(
        self,
        counted: Sequence[Counted],
        *,
        backend: str,
        overhead: Overhead,
        system: str,
        estimator: TokenEstimator,
        key_start: str,
        keys: Mapping[str, Boundary],
        head: int,
    ) -> None:
        self._counted = counted
        self._estimator = estimator
        self._overhead = overhead.tokens
        self._system = plus(features(system), CONSTANT) if system.strip() else ZERO
        self._head = head
        self._fixed: dict[str, Fixed] = {}
        self._prompt: dict[str, Measured] = {}
        self._known = [not item.content.blocks for item in counted]
        self._output = [0.0] * len(counted)
        self._sent = [0, *accumulate(int(bool(item.content.blocks)) for item in counted)]
        self.tokens = self._settled(backend, key_start, keys)
        self._sums = [0, *accumulate(self.tokens)]
        self._documents = [0, *accumulate(map(self._document_tokens, range(len(counted))))]
        unknown = [ZERO if known else item.counted for known, item in zip(self._known, counted, strict=True)]
        self._unknown = [ZERO, *accumulate(unknown, _sum)]
        self._squares = [0.0, *accumulate(self._output)]

    def sent(self, start: int, end: int) -> int:
        """How many messages of path[start:end] have anything to send."""
        return self._sent[end] - self._sent[start]

    def messages_total(self, start: int) -> int:
        """Tokens of the messages in a request whose tail begins at `start`; 0: all of them."""
        tail = self._sums[-1] - self._sums[start]
        return tail + self._sums[self._head] if start else tail

    def fixed(self, start: int, key: str) -> Fixed:
        """Tokens of what is not a message, as measured under this key or else estimated."""
        return self._fixed.get(key) or Fixed(*map(round, self._fixed_estimate(start)))

    def weight(self, start: int, key: str) -> Weight:
        """The request whose tail begins at `start`, and whose prefix has this key."""
        measured = self._prompt.get(key)
        fixed = self.fixed(start, key)
        documents = int(self._over(self._documents, start))
        doubtful = self._unknown[-1]
        if start:
            doubtful = tuple(
                a - b + c for a, b, c in zip(doubtful, self._unknown[start], self._head_doubt, strict=True)
            )
        variance = self._over(self._squares, start)
        if measured is None:
            doubtful = plus(doubtful, self._system)
            known = self.messages_total(start) - self._estimator.tokens(doubtful)
            variance += (fixed.overhead * OVERHEAD_DOUBT) ** 2 + (max(known, 0.0) * SHARE_DOUBT) ** 2
        history = self.messages_total(start) - documents
        prompt = 0 if measured is None else measured.prompt
        return Weight(fixed, history, documents, variance, doubtful, prompt)

    def last_turns(self, starts: Sequence[int]) -> tuple[int, int]:
        """How many of the newest turns to judge by, at most ten, and their tokens; given where turns begin."""
        last = starts[-10:]
        return len(last), self._sums[-1] - self._sums[last[0]] if last else 0

    @property
    def _head_doubt(self) -> Features:
        return self._unknown[self._head]

    def _over(self, sums: Sequence[float], start: int) -> float:
        tail = sums[-1] - sums[start]
        return tail + sums[self._head] if start else tail

    def _fixed_estimate(self, start: int) -> tuple[float, float, float]:
        marker = plus(features(gap_marker(self.sent(self._head, start)).text), CONSTANT) if start else ZERO
        return float(self._overhead), self._estimator.tokens(self._system), self._estimator.tokens(marker)

    def _document_tokens(self, index: int) -> int:
        item = self._counted[index]
        if item.documents is ZERO:
            return 0
        whole = self._estimator.tokens(item.counted) + item.images
        return math.floor(self.tokens[index] * min(1.0, self._estimator.tokens(item.documents) / whole))

    def _settled(self, backend: str, key_start: str, keys: Mapping[str, Boundary]) -> list[int]:
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
        previous: Measured | None = None
        for request in requests:
            grown = request.prompt - previous.prompt if previous is not None else 0
            since = range(0 if previous is None else previous.answer, request.answer)
            if previous is not None and previous.key == request.key and _plausible(grown, weights, since):
                self._settle(weights, since, grown)
                if request.key in self._prompt:
                    self._prompt[request.key] = request
            elif request.key in keys:
                self._settle_request(weights, request, keys[request.key].start)
            previous = request
        return [max(1, round(weight)) if weight > 0 else 0 for weight in weights]

    def _settle(self, weights: list[float], indexes: Sequence[int], total: int) -> None:
        for index, share in zip(indexes, share_out([weights[i] for i in indexes], total), strict=True):
            weights[index] = share
            self._known[index] = True
            self._output[index] = 0.0

    def _settle_request(self, weights: list[float], request: Measured, start: int) -> None:
        covered = list(range(request.answer)) if not start else [*range(self._head), *range(start, request.answer)]
        fixed = self._fixed_estimate(start)
        if not _plausible(request.prompt - round(sum(fixed)), weights, covered):
            self._prompt.pop(request.key, None)
            return
        shares = share_out([*fixed, *(weights[i] for i in covered)], request.prompt)
        self._fixed[request.key] = Fixed(*shares[:3])
        self._prompt[request.key] = request
        self._settle(weights, covered, sum(shares[3:]))


def _sum(first: Features, second: Features) -> Features:
    return first if second is ZERO else plus(first, second)


def _plausible(counted: int, weights: Sequence[float], indexes: Iterable[int]) -> bool:
    """Whether a reported count can be that of these messages.

    No tokenizer is five times off the estimate; a server that reports a constant, or leaves its cache out, is. The
    slack is for what a program adds by itself.
    """
    expected = sum(weights[index] for index in indexes)
    return expected / FARTHEST - 50 <= counted <= expected * FARTHEST + HIDDEN and counted > 0
