"""Owns the token estimator: a linear model over character classes that learns from reported usage. Knows no messages.

One estimator per (backend, model). It is a Kalman filter over the weights, fed with totals only (PRODUCT.md CTX-10).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import mul
from typing import Final

from desktop_app.core.context.plan import TokenWeights
from desktop_app.core.context.seeds import COMMON_SPREAD, SEED_SPREAD, SEED_STATED, SEED_WEIGHTS
from desktop_app.core.context.text_features import CONSTANT, SIZE, Features, features, plus
from desktop_app.core.model_catalog import TokenizerFamily

NOISE_SHARE: Final = 0.02
"""Observation noise as a share of the tokens: texts of one class mix differ by this much, whatever their length."""

NOISE_GRAIN: Final = 0.8
"""Observation noise per square root of the tokens: what evens out over a long text, and rules in a short one."""

NOISE_TOKENS: Final = 1.0
"""Observation noise in tokens that even the shortest message has."""

NOISE_STEP: Final = 0.04
"""How fast the factor of the noise (`noise`) is learned: its exponent moves by this per unit of excess surprise."""

MOST_NOISY: Final = 2.5
"""A surprise teaches the noise no more than one of this many standard deviations."""

EXPECTED_SQUARE: Final = 1.05
"""Mean square of a surprise in standard deviations, cut off at `MOST_NOISY`, where the factor rests.

0.93 for a normal one. A little more, since what is believed of the weights is overstated to keep them learning: with
this, two standard deviations cover 95 to 96 % of new messages on the texts that the seeds were fitted to.
"""

NOISE_BOUNDS: Final = (0.3, 2.5)
"""The learned factor stays within these."""

MOST_STATED: Final = 0.10
"""The largest standard deviation that is stated, as a share of the estimate.

So 2 sigma is at most 20 % on every kind of text, before and after calibration: an estimate of H or less then never
exceeds E = 6/5 H with its uncertainty, and CTX-5 refuses nothing falsely.
"""

LEAST_CAP: Final = 3.0
"""What is stated for a message of a few words may be this many tokens (a quarter of it at most): no limit is near."""

MOST_SURPRISE: Final = 3.0
"""An observation further off than this many standard deviations counts as that much noisier, and teaches little."""

MOST_STRAYS: Final = 3
"""This many of such observations in a row, all on one side, are no outliers: the tokenizer has changed.

The weights are then as doubtful as a seed again.
"""

MOST_STEP: Final = 0.14
"""No weight moves by more than this share of itself at one observation.

An estimate is a sum of counts times weights, so no estimate of any text moves by more than that either (P15: less
than 15 % after one outlier). Weights stay above zero for the same reason.
"""

DRIFT: Final = 0.007
"""Standard deviation, as a share of a weight, by which it may wander between two observations that use its class.

So the filter never stops to learn: subjects, styles and tokenizers change.
"""

MOST_TOKENS: Final = 1e9
"""A count above this is no count of tokens: the largest windows are a hundredth of it."""

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class TokenEstimate:
    """`tokens` and one standard deviation of them."""

    tokens: int
    sigma: float


@dataclass(frozen=True, slots=True)
class TokenEstimator:
    """An immutable state of belief; `observe` returns the next one.

    `noise` is the learned factor of the noise; `strays` counts the last observations in a row that were far off, with
    the sign of their side.
    """

    family: TokenizerFamily
    vector: tuple[float, ...]
    covariance: Matrix
    observations: int = 0
    noise: float = 1.0
    strays: int = 0

    @classmethod
    def seeded(cls, family: TokenizerFamily) -> TokenEstimator:
        """What is believed before any usage was seen."""
        weights = SEED_WEIGHTS[family]
        return cls(family, weights, _doubt(weights))

    @classmethod
    def from_weights(cls, weights: TokenWeights | None, family: TokenizerFamily) -> TokenEstimator:
        """A stored state; the seed where there is none, or where what is stored cannot be one."""
        if weights is None or not _is_sound(weights):
            return cls.seeded(family)
        low, high = NOISE_BOUNDS
        return cls(
            family,
            tuple(weights.weights),
            tuple(map(tuple, weights.covariance)),
            weights.observations,
            min(max(weights.extra.get("noise", 1.0), low), high),
            int(min(max(weights.extra.get("strays", 0.0), -MOST_STRAYS), MOST_STRAYS)),
        )

    def weights(self) -> TokenWeights:
        """The state in the form in which it is stored."""
        extra = {"noise": self.noise, "strays": float(self.strays)}
        return TokenWeights(self.vector, self.covariance, self.observations, extra)

    def estimate(self, text: str) -> TokenEstimate:
        """Tokens of one message with this text, its role and block edges included."""
        counted = plus(features(text), CONSTANT)
        return TokenEstimate(max(1, round(self.tokens(counted))), self.sigma(counted))

    def tokens(self, counted: Features) -> float:
        """Expected tokens of summed features, >= 0."""
        return float(sum(map(mul, counted, self.vector)))

    def sigma(self, counted: Features) -> float:
        """One standard deviation of `tokens(counted)`, at most a tenth of it where it is more than a few words.

        Contains what is not known of the weights and what no weights can say of a single text.
        """
        expected = self.tokens(counted)
        doubt = min(math.sqrt(max(_dot(counted, self._spread(counted)), 0.0)), self._most_doubted(counted))
        return min(math.sqrt(doubt * doubt + self._noise(expected)), _most_stated(expected))

    def _most_doubted(self, counted: Features) -> float:
        """The most that is stated for what is not known of the weights: some kinds of text are better known."""
        return sum(
            share * weight * count for share, weight, count in zip(SEED_STATED, self.vector, counted, strict=True)
        )

    def _noise(self, tokens: float) -> float:
        """The variance that the weights can't explain."""
        variance = (NOISE_SHARE * tokens) ** 2 + NOISE_GRAIN**2 * tokens + NOISE_TOKENS**2
        return self.noise * self.noise * variance

    def observe(self, counted: Features, tokens: float) -> TokenEstimator:
        """The state after the provider counted `tokens` for texts with these summed features.

        An observation that says nothing (no features, not a number of tokens) changes nothing.
        """
        if not any(counted) or not 0 < tokens <= MOST_TOKENS:
            return self
        spread = self._spread(counted)
        expected = self.tokens(counted)
        surprise = tokens - expected
        believed = _dot(counted, spread) + self._noise(expected)
        if abs(self.strays) >= MOST_STRAYS and surprise * self.strays > 0:
            doubted = replace(self, covariance=_doubt(self.vector), strays=0)
            return doubted.observe(counted, tokens)
        # a surprise beyond the gate is taken as noise of just that size
        far = abs(surprise) > MOST_SURPRISE * math.sqrt(believed)
        variance = max(believed, (surprise / MOST_SURPRISE) ** 2)
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
        return TokenEstimator(
            self.family,
            vector,
            _drifted(covariance, vector, counted),
            self.observations + 1,
            self._next_noise(abs(surprise) / math.sqrt(believed)),
            self._next_strays(surprise) if far else 0,
        )

    def _next_noise(self, deviations: float) -> float:
        low, high = NOISE_BOUNDS
        excess = min(deviations, MOST_NOISY) ** 2 - EXPECTED_SQUARE
        return min(max(self.noise * math.exp(NOISE_STEP * excess), low), high)

    def _next_strays(self, surprise: float) -> int:
        side = 1 if surprise > 0 else -1
        return self.strays + side if self.strays * side >= 0 else side

    def _spread(self, counted: Features) -> list[float]:
        # most texts use few classes: the others' columns need no multiplication
        used = [(index, count) for index, count in enumerate(counted) if count]
        return [sum([row[index] * count for index, count in used]) for row in self.covariance]


def _doubt(weights: tuple[float, ...]) -> Matrix:
    """The covariance of weights that are no better known than a seed: each by itself, and all of them together."""
    common = COMMON_SPREAD**2
    return tuple(
        tuple(
            common * first * second + ((spread * first) ** 2 if row == column else 0.0)
            for column, second in enumerate(weights)
        )
        for row, (first, spread) in enumerate(zip(weights, SEED_SPREAD, strict=True))
    )


def _drifted(covariance: Matrix, weights: tuple[float, ...], counted: Features) -> Matrix:
    """The covariance one observation later: weights of the classes that were seen may have wandered."""
    rows = list(covariance)
    for index, (weight, count) in enumerate(zip(weights, counted, strict=True)):
        own = rows[index][index]
        if count and own < (SEED_SPREAD[index] * weight) ** 2:
            rows[index] = (*rows[index][:index], own + (DRIFT * weight) ** 2, *rows[index][index + 1 :])
    return tuple(rows)


def _most_stated(expected: float) -> float:
    return max(MOST_STATED * expected, min(LEAST_CAP, expected / 4))


def _dot(first: Iterable[float], second: Iterable[float]) -> float:
    return float(sum(map(mul, first, second)))


def _is_sound(weights: TokenWeights) -> bool:
    if len(weights.weights) != SIZE or len(weights.covariance) != SIZE:
        return False
    if any(len(row) != SIZE or not all(map(math.isfinite, row)) for row in weights.covariance):
        return False
    if not all(map(math.isfinite, weights.extra.values())):
        return False
    return all(math.isfinite(weight) and weight > 0 for weight in weights.weights)
