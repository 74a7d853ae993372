"""Owns what the estimator believes of each tokenizer family before it has seen any usage. Knows no update rule.

Sources of the weights: `claude-2023`, `o200k` and `smollm` are fitted to those tokenizers themselves, `unknown` in the
same way to cl100k, whose vocabulary most other open models have extended: least squares on relative errors, outliers
damped, over licences, manuals, READMEs, code in eight languages, JSON files, technical books and program messages in
forty languages, emoji, keys and tables. None of these texts is among those that `./dev bench estimator` measures.
`claude-2026` is fitted to `claude-2023` times the published inflation of the newer tokenizer (English and Markdown
1.45, code 1.22, JSON 1.31, languages in Latin script 1.46, random characters 1.06); for other scripts and emoji, which
it counts alike, it has the same weights. The constant, a message's role and edges, is the providers' own figure.
"""

from __future__ import annotations

from typing import Final

from desktop_app.core.model_catalog import TokenizerFamily

Weights = tuple[float, ...]

# in the order of features.NAMES: letters, letter runs, capitals, digits, digit runs | punctuation, its runs, gaps,
# space runs, newlines, repeats, random | Latin extended, Cyrillic, frequent Han, other Han, kana, Hangul, wide
# punctuation, emoji | four groups of scripts, raw bytes, constant per message
SEED_WEIGHTS: Final[dict[TokenizerFamily, Weights]] = {
    "claude-2023": (
        *(0.075, 0.681, 0.075, 0.031, 1.078),
        *(0.423, 0.457, 0.050, 0.050, 0.891, 0.020, 0.668),
        *(1.056, 0.545, 0.713, 1.363, 0.938, 1.362, 1.210, 2.451),
        *(0.0120, 0.0258, 0.0243, 0.015, 0.860, 4.0),
    ),
    "claude-2026": (
        *(0.173, 0.699, 0.050, 0.035, 1.208),
        *(0.697, 0.123, 0.050, 0.068, 1.396, 0.020, 0.701),
        *(1.388, 0.543, 0.711, 1.360, 0.938, 1.361, 1.209, 2.451),
        *(0.0120, 0.0258, 0.0243, 0.015, 0.860, 4.0),
    ),
    "o200k": (
        *(0.103, 0.476, 0.050, 0.267, 0.854),
        *(0.549, 0.050, 0.125, 0.765, 0.515, 0.020, 0.640),
        *(0.308, 0.260, 0.555, 1.232, 0.677, 0.709, 0.704, 1.873),
        *(0.0041, 0.0058, 0.0046, 0.0052, 0.948, 4.0),
    ),
    "smollm": (
        *(0.078, 0.685, 0.154, 0.614, 1.004),
        *(0.480, 0.513, 0.050, 0.050, 0.763, 0.020, 0.863),
        *(1.217, 0.839, 1.501, 2.296, 1.725, 2.800, 1.360, 2.935),
        *(0.0116, 0.0249, 0.0250, 0.0269, 0.970, 5.0),
    ),
    "unknown": (
        *(0.101, 0.425, 0.050, 0.277, 0.830),
        *(0.543, 0.050, 0.209, 0.682, 0.522, 0.020, 0.657),
        *(0.737, 0.446, 0.809, 1.618, 0.955, 1.144, 0.883, 2.510),
        *(0.0101, 0.0175, 0.0190, 0.0210, 0.960, 4.0),
    ),
}

SEED_SPREAD: Final = (
    *(0.30, 0.30, 0.45, 0.30, 0.30),
    *(0.30, 0.45, 0.60, 0.45, 0.30, 0.75, 0.22),
    *(0.50, 0.30, 0.30, 0.30, 0.30, 0.30, 0.30, 0.45),
    *(0.45, 0.45, 0.45, 0.45, 0.22, 0.15),
)
"""Standard deviation of each seed weight as a share of it: how far real tokenizers of one family lie apart.

It sets how fast usage teaches; what is *stated* is capped at `SEED_STATED` of each class, and at
`estimator.MOST_STATED` of the whole.
"""

SEED_STATED: Final = (
    *(0.04, 0.04, 0.04, 0.12, 0.12),
    *(0.12, 0.12, 0.04, 0.04, 0.12, 0.12, 0.06),
    *(0.12, 0.075, 0.12, 0.12, 0.12, 0.12, 0.12, 0.07),
    *(0.12, 0.12, 0.12, 0.12, 0.12, 0.04),
)
"""The most that is stated for the weights of each class, as a share of its tokens: one standard deviation.

How far seeds were off on texts of 150 tokens and more, 95 of 100 of them and the worst of five tokenizers: 9.6 % of
English, 14 of Russian, 13 of emoji, 12 of random characters; 16 of code and 14 of JSON, which punctuation, digits and
line ends tell from prose. Where a whole fifth was needed the share is above `estimator.MOST_STATED`, which holds then.
"""

COMMON_SPREAD: Final = 0.20
"""Standard deviation of a factor common to all seed weights: a tokenizer that spends more on one class does on all."""
