"""Owns the token estimator: a linear model over character classes that learns from reported usage. Knows no messages.

One estimator per (backend, model). It is a Kalman filter over the weights, fed with totals only (PRODUCT.md CTX-10).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from operator import mul
from typing import Final

from desktop_app.core.catalog import TokenizerFamily
from desktop_app.core.context.features import CONSTANT, SIZE, Features, features, plus
from desktop_app.core.context.plan import TokenWeights
from desktop_app.core.context.seeds import SEED_SPREAD, SEED_WEIGHTS

NOISE_SHARE: Final = 0.03
"""Observation noise as a share of the observed tokens: texts of one class mix still differ by this much."""

NOISE_TOKENS: Final = 2.0
"""Observation noise in tokens, for short messages."""

MOST_STATED: Final = 0.10
"""The largest standard deviation that is stated, as a share of the estimate.

So 2 sigma is at most 20 % on every kind of text, before and after calibration: an estimate of H or less then never
exceeds E = 6/5 H with its uncertainty, and CTX-5 refuses nothing falsely. The seeds' own spread (0.25 of each weight)
would state 18 % for plain English and 25 % for a text of one class, which is honest for learning but no reason to
refuse.
"""

MOST_SURPRISE: Final = 3.0
"""An observation further off than this many standard deviations counts as that much noisier, and teaches little."""

MOST_STEP: Final = 0.14
"""No weight moves by more than this share of itself at one observation.

An estimate is a sum of counts times weights, so no estimate of any text moves by more than that either (P15: less
than 15 % after one outlier). Weights stay above zero for the same reason.
"""

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class TokenEstimate:
    """`tokens` and one standard deviation of them."""

    tokens: int
    sigma: float


@dataclass(frozen=True, slots=True)
class TokenEstimator:
    """An immutable state of belief; `observe` returns the next one."""

    family: TokenizerFamily
    vector: tuple[float, ...]
    covariance: Matrix
    observations: int = 0

    @classmethod
    def seeded(cls, family: TokenizerFamily) -> TokenEstimator:
        """What is believed before any usage was seen."""
        weights = SEED_WEIGHTS[family]
        rows = tuple(
            tuple((SEED_SPREAD * weight) ** 2 if row == column else 0.0 for column in range(SIZE))
            for row, weight in enumerate(weights)
        )
        return cls(family, weights, rows)

    @classmethod
    def from_weights(cls, weights: TokenWeights | None, family: TokenizerFamily) -> TokenEstimator:
        """A stored state; the seed where there is none, or where what is stored cannot be one."""
        if weights is None or not _is_sound(weights):
            return cls.seeded(family)
        return cls(family, tuple(weights.weights), tuple(map(tuple, weights.covariance)), weights.observations)

    def weights(self) -> TokenWeights:
        """The state in the form in which it is stored."""
        return TokenWeights(self.vector, self.covariance, self.observations)

    def estimate(self, text: str) -> TokenEstimate:
        """Tokens of one message with this text, its role and block edges included."""
        counted = plus(features(text), CONSTANT)
        return TokenEstimate(max(1, round(self.tokens(counted))), self.sigma(counted))

    def tokens(self, counted: Features) -> float:
        """Expected tokens of summed features, >= 0."""
        return float(sum(map(mul, counted, self.vector)))

    def sigma(self, counted: Features) -> float:
        """One standard deviation of `tokens(counted)`, at most a tenth of it.

        Contains what is not known of the weights and what no weights can say of a single text.
        """
        expected = self.tokens(counted)
        variance = _dot(counted, self._spread(counted)) + (NOISE_SHARE * expected) ** 2
        return min(math.sqrt(max(variance, 0.0)), MOST_STATED * expected)

    def observe(self, counted: Features, tokens: float) -> TokenEstimator:
        """The state after the provider counted `tokens` for texts with these summed features.

        An observation that says nothing (no features, not a positive finite number) changes nothing.
        """
        if not any(counted) or not math.isfinite(tokens) or tokens <= 0:
            return self
        spread = self._spread(counted)
        surprise = tokens - self.tokens(counted)
        variance = _dot(counted, spread) + (NOISE_SHARE * tokens) ** 2 + NOISE_TOKENS**2
        # a surprise beyond the gate is taken as noise of just that size; a lasting change still gets through in time
        variance = max(variance, (surprise / MOST_SURPRISE) ** 2)
        moves = [surprise * part / variance for part in spread]
        steepest = max(abs(move) / weight for move, weight in zip(moves, self.vector, strict=True))
        share = min(1.0, MOST_STEP / steepest) if steepest else 1.0
        vector = tuple(weight + share * move for weight, move in zip(self.vector, moves, strict=True))
        # a step taken only in part has used only that part of what the observation says
        used = share / variance
        covariance = tuple(
            tuple(cell - used * row_part * part for cell, part in zip(row, spread, strict=True))
            for row, row_part in zip(self.covariance, spread, strict=True)
        )
        return TokenEstimator(self.family, vector, covariance, self.observations + 1)

    def _spread(self, counted: Features) -> list[float]:
        # most texts use few classes: the others' columns need no multiplication
        used = [(index, count) for index, count in enumerate(counted) if count]
        return [sum([row[index] * count for index, count in used]) for row in self.covariance]


def _dot(first: Iterable[float], second: Iterable[float]) -> float:
    return float(sum(map(mul, first, second)))


def _is_sound(weights: TokenWeights) -> bool:
    if len(weights.weights) != SIZE or len(weights.covariance) != SIZE:
        return False
    if any(len(row) != SIZE or not all(map(math.isfinite, row)) for row in weights.covariance):
        return False
    return all(math.isfinite(weight) and weight > 0 for weight in weights.weights)
