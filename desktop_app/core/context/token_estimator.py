"""Estimates tokens by a linear model over character classes that learns from reported usage; cuts long texts.

Sources of the weights: `claude-2023`, `o200k` and `smollm` are fitted to those tokenizers themselves, `unknown` in the
same way to cl100k, whose vocabulary most other open models have extended: least squares on relative errors, outliers
damped, over licences, manuals, READMEs, code in eight languages, JSON files, technical books and program messages in
forty languages, emoji, keys and tables. None of these texts is among those that `./dev bench estimator` measures.
`claude-2026` is fitted to `claude-2023` times the published inflation of the newer tokenizer (English and Markdown
1.45, code 1.22, JSON 1.31, languages in Latin script 1.46, random characters 1.06); for other scripts and emoji, which
it counts alike, it has the same weights. The constant, a message's role and edges, is the providers' own figure.

One estimator per (backend, model). It is a Kalman filter over the weights, fed with totals only (PRODUCT.md CTX-10).

What is left out of a text is said in the place where it was, and where it is cut is kept with the attachment, so that
its bytes never change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import mul
from typing import Final

from desktop_app.core.attachment_facts import FIRST, SENT_IN_PART, cut_of, scanned_pdf, whole_document
from desktop_app.core.context.text_features import CLASSES, CONSTANT, SIZE, Features, TokenWeights, features, plus
from desktop_app.core.messages import DocumentPart
from desktop_app.core.model_catalog import TokenizerFamily

Weights = tuple[float, ...]

# in the order of features.NAMES: letters, letter runs, capitals, digits, digit runs | punctuation, its runs, gaps,
# space runs, newlines, repeats, random | Latin extended, Cyrillic, frequent Han, other Han, kana, Hangul, wide
# punctuation, emoji | four groups of scripts, raw bytes, constant per message, tokens of the vocabulary
SEED_WEIGHTS: Final[dict[TokenizerFamily, Weights]] = {
    "claude-2023": (
        *(0.075, 0.681, 0.075, 0.031, 1.078),
        *(0.423, 0.457, 0.050, 0.050, 0.891, 0.020, 0.668),
        *(1.056, 0.545, 0.713, 1.363, 0.938, 1.362, 1.210, 2.451),
        *(0.0120, 0.0258, 0.0243, 0.015, 0.860, 4.0, 1.0),
    ),
    "claude-2026": (
        *(0.173, 0.699, 0.050, 0.035, 1.208),
        *(0.697, 0.123, 0.050, 0.068, 1.396, 0.020, 0.701),
        *(1.388, 0.543, 0.711, 1.360, 0.938, 1.361, 1.209, 2.451),
        *(0.0120, 0.0258, 0.0243, 0.015, 0.860, 4.0, 1.0),
    ),
    "o200k": (
        *(0.103, 0.476, 0.050, 0.267, 0.854),
        *(0.549, 0.050, 0.125, 0.765, 0.515, 0.020, 0.640),
        *(0.308, 0.260, 0.555, 1.232, 0.677, 0.709, 0.704, 1.873),
        *(0.0041, 0.0058, 0.0046, 0.0052, 0.948, 4.0, 1.0),
    ),
    "smollm": (
        *(0.078, 0.685, 0.154, 0.614, 1.004),
        *(0.480, 0.513, 0.050, 0.050, 0.763, 0.020, 0.863),
        *(1.217, 0.839, 1.501, 2.296, 1.725, 2.800, 1.360, 2.935),
        *(0.0116, 0.0249, 0.0250, 0.0269, 0.970, 5.0, 1.0),
    ),
    "unknown": (
        *(0.101, 0.425, 0.050, 0.277, 0.830),
        *(0.543, 0.050, 0.209, 0.682, 0.522, 0.020, 0.657),
        *(0.737, 0.446, 0.809, 1.618, 0.955, 1.144, 0.883, 2.510),
        *(0.0101, 0.0175, 0.0190, 0.0210, 0.960, 4.0, 1.0),
    ),
}

SEED_SPREAD: Final = (
    *(0.30, 0.30, 0.45, 0.30, 0.30),
    *(0.30, 0.45, 0.60, 0.45, 0.30, 0.75, 0.22),
    *(0.50, 0.30, 0.30, 0.30, 0.30, 0.30, 0.30, 0.45),
    *(0.45, 0.45, 0.45, 0.45, 0.22, 0.15, 0.02),
)
"""Standard deviation of each seed weight as a share of it: how far real tokenizers of one family lie apart.

It sets how fast usage teaches; what is *stated* is capped at `SEED_STATED` of each class, and at
`estimator.MOST_STATED` of the whole.
"""

SEED_STATED: Final = (
    *(0.04, 0.04, 0.04, 0.12, 0.12),
    *(0.12, 0.12, 0.04, 0.04, 0.12, 0.12, 0.06),
    *(0.12, 0.075, 0.12, 0.12, 0.12, 0.12, 0.12, 0.07),
    *(0.12, 0.12, 0.12, 0.12, 0.12, 0.04, 0.01),
)
"""The most that is stated for the weights of each class, as a share of its tokens: one standard deviation.

How far seeds were off on texts of 150 tokens and more, 95 of 100 of them and the worst of five tokenizers: 9.6 % of
English, 14 of Russian, 13 of emoji, 12 of random characters; 16 of code and 14 of JSON, which punctuation, digits and
line ends tell from prose. Where a whole fifth was needed the share is above `estimator.MOST_STATED`, which holds then.
"""

COMMON_SPREAD: Final = 0.20
"""Standard deviation of a factor common to all seed weights: a tokenizer that spends more on one class does on all."""


NOISE_SHARE: Final = 0.02
"""Observation noise as a share of the tokens: texts of one class mix differ by this much, whatever their length."""

NOISE_GRAIN: Final = 0.8
"""Observation noise per square root of the tokens: what evens out over a long text, and rules in a short one."""

NOISE_TOKENS: Final = 1.0
"""Observation noise in tokens that even the shortest message has."""

NOISE_STEP: Final = 0.04
"""The speed at which the noise's factor (`noise`) is learned: its exponent's step per unit of excess surprise."""

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
"""Tokens that may be stated for a message of a few words (a quarter of it at most): no limit is near."""

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
        """Return the estimator as believed before any usage was seen."""
        weights = SEED_WEIGHTS[family]
        return cls(family, weights, _doubt(weights))

    @classmethod
    def from_weights(cls, weights: TokenWeights | None, family: TokenizerFamily) -> TokenEstimator:
        """A stored state; the seed where there is none, or where what is stored cannot be one."""
        if weights is None or not _is_sound(weights):
            return cls.seeded(family)
        low, high = NOISE_BOUNDS
        vector, covariance = tuple(weights.weights), tuple(map(tuple, weights.covariance))
        if len(vector) == CLASSES:  # stored before there was a vocabulary
            seed = cls.seeded(family)
            vector = (*vector, seed.vector[CLASSES])
            covariance = (*((*row, 0.0) for row in covariance), seed.covariance[CLASSES])
        return cls(
            family,
            vector,
            covariance,
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
        return min(math.sqrt(doubt * doubt + self._noise(counted)), _most_stated(expected))

    def _most_doubted(self, counted: Features) -> float:
        """The most that is stated for what is not known of the weights: some kinds of text are better known."""
        return sum(
            share * weight * count for share, weight, count in zip(SEED_STATED, self.vector, counted, strict=True)
        )

    def _noise(self, counted: Features) -> float:
        """The variance that the weights can't explain: a vocabulary leaves none."""
        tokens = self.tokens(counted) - counted[CLASSES] * self.vector[CLASSES]
        variance = (NOISE_SHARE * tokens) ** 2 + NOISE_GRAIN**2 * tokens + NOISE_TOKENS**2
        return self.noise * self.noise * variance

    def observe(self, counted: Features, tokens: float) -> TokenEstimator:
        """The state after a provider counted `tokens` for these summed features; an odd observation changes nothing."""
        if not any(counted) or not 0 < tokens <= MOST_TOKENS:
            return self
        spread = self._spread(counted)
        expected = self.tokens(counted)
        surprise = tokens - expected
        believed = _dot(counted, spread) + self._noise(counted)
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
            (common * first * second if CLASSES not in (row, column) else 0.0)
            + ((spread * first) ** 2 if row == column else 0.0)
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
    size = len(weights.weights)
    if size not in (CLASSES, SIZE) or len(weights.covariance) != size:
        return False
    if any(len(row) != size or not all(map(math.isfinite, row)) for row in weights.covariance):
        return False
    if not all(map(math.isfinite, weights.extra.values())):
        return False
    return all(math.isfinite(weight) and weight > 0 for weight in weights.weights)


LOOK_BACK: Final = 0.2
"""Share of the kept text within which a better place to cut is looked for."""
NEAR: Final = 0.01
"""The same where somebody named the tokens to keep: what is kept is said with that number again."""

PIECE: Final = 1_000_000
"""Characters that are weighed at a time: the memory it takes is a multiple of them."""

# from the best place to the worst; the text is cut behind each
_PLACES: Final = (
    re.compile(r"\n\s*\n"),
    re.compile(r"[.!?…]['\"”’)\]]*\s+|[。！？]|\n"),
    re.compile(r"\s+"),
)


def left_out_mark(tokens: int) -> str:
    """`[... 12,400 tokens left out]`."""
    return f"[... {tokens:,} token{'' if tokens == 1 else 's'} left out]"


def place_for(text: str, most: int, estimator: TokenEstimator, share: float = LOOK_BACK) -> tuple[int, int]:
    """Return the place to cut a text so that the kept part and the mark have at most `most` tokens, and how many are
    left out. `share`: see `cut_place`.

    The text's length and 0 where it is no longer.
    """
    if (whole := estimator.tokens(features(text))) <= most:
        return len(text), 0
    room = most - estimator.tokens(features("\n\n" + left_out_mark(round(whole))))
    at = cut_place(text, _longest(text, room, estimator), share)
    return at, max(1, round(whole - estimator.tokens(features(text[:at].rstrip()))))


def cut_characters(text: str, most: int, estimator: TokenEstimator) -> str:
    """The beginning of `text` in at most `most` characters and a mark; `text` itself if it is no longer.

    Cut at the same places. In time proportional to the text, however much longer it is.
    """
    if len(text) <= most:
        return text
    kept = text[: cut_place(text, most)].rstrip()
    rest = range(len(kept), len(text), PIECE)
    gone = sum(estimator.tokens(features(text[start : start + PIECE])) for start in rest)
    mark = left_out_mark(max(1, round(gone)))
    return f"{kept}\n\n{mark}" if kept else mark


def split_text(text: str, most: int, estimator: TokenEstimator) -> list[str]:
    """The whole text in pieces of at most `most` tokens each, cut at the same places; nothing is left out."""
    pieces: list[str] = []
    while text:
        size = max(1, _longest(text, most, estimator))
        size = len(text) if size == len(text) else max(1, cut_place(text, size))
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def _longest(text: str, room: float, estimator: TokenEstimator) -> int:
    """Return how many characters of the beginning fit into `room` tokens."""
    low, high = 0, len(text)
    # of a text that is much longer no more is looked at than some times what fits
    reach = max(64, int(room) * 4)
    while reach < high:
        if estimator.tokens(features(text[:reach])) > room:
            high = reach
        else:
            low, reach = reach, reach * 2
    while low < high:
        middle = (low + high + 1) // 2
        if estimator.tokens(features(text[:middle])) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def cut_place(text: str, size: int, share: float = LOOK_BACK) -> int:
    """Return where to cut a text to at most `size` characters: the best place in the last `share` of them."""
    earliest = int(size * (1 - share))
    for place in _PLACES:
        ends = [found.end() for found in place.finditer(text, earliest, size + 1) if earliest < found.end() <= size + 1]
        if ends:
            return min(ends[-1], size)
    return size


def first_tokens(part: DocumentPart, most: int, estimator: TokenEstimator, weighs: int | None = None) -> DocumentPart:
    """The document of which the first `most` tokens are sent; whole where it is no longer, or is looked at.

    `weighs`: the tokens that all of it was said to have, which what is sent and what is left out then add up to.
    """
    whole = whole_document(part)
    if scanned_pdf(whole) is not None:
        return whole
    scale = weighs / max(1.0, estimator.tokens(features(whole.text))) if weighs else 1.0
    at, left_out = place_for(whole.text, round(most / scale), estimator, NEAR)
    if at >= len(whole.text):
        return whole
    return replace(whole, extra={**whole.extra, FIRST: {"at": at, "left_out": max(1, round(left_out * scale))}})


def as_sent(part: DocumentPart) -> DocumentPart:
    """The document as it goes along: whole, or its beginning and a mark.

    As a document of its own: where another part of it, or all of it, is attached, neither refers to the other.
    """
    if (cut := cut_of(part)) is None:
        return part
    at, left_out = cut
    text = f"{part.text[:at].rstrip()}\n\n{left_out_mark(left_out)}"
    return replace(part, text=text, sha256=f"{part.sha256}/{at}", extra={SENT_IN_PART: True})
