"""Owns what the estimator believes of each tokenizer family before it has seen any usage. Knows no update rule.

Sources of the weights: `claude-2023`, `o200k` and `smollm` are fitted to those tokenizers themselves, over prose,
Markdown, code, JSON, sixteen languages, emoji, keys and tables (least squares on relative errors, outliers damped);
`unknown` is fitted in the same way to cl100k, whose vocabulary most other open models have extended; `claude-2026` is
fitted to `claude-2023` times the published inflation of the newer tokenizer (English 1.45, Markdown 1.40, code 1.22,
JSON 1.31, German 1.46, random characters 1.06, other scripts and emoji 1.00). `./dev bench estimator` prints how far
each of them is off. The constant, a message's role and edges, is the providers' own figure.
"""

from __future__ import annotations

from typing import Final

from desktop_app.core.catalog import TokenizerFamily

Weights = tuple[float, ...]

# in the order of features.NAMES: letters, letter runs, digits, punctuation, space runs, newlines | Han, kana, Hangul,
# Cyrillic, Latin extended, emoji | constant per message, bytes of other scripts, repeats, random, digit runs, capitals
SEED_WEIGHTS: Final[dict[TokenizerFamily, Weights]] = {
    "claude-2023": (
        *(0.105, 0.610, 0.294, 0.650, 0.260, 0.920),
        *(1.000, 1.010, 1.380, 0.580, 2.430, 2.400),
        *(4.0, 0.520, 0.020, 0.680, 0.723, 0.090),
    ),
    "claude-2026": (
        *(0.210, 0.630, 0.473, 0.830, 0.150, 0.890),
        *(1.000, 1.010, 1.380, 0.580, 3.500, 2.400),
        *(4.0, 0.520, 0.020, 0.720, 0.720, 0.120),
    ),
    "o200k": (
        *(0.094, 0.612, 0.323, 0.548, 0.575, 1.110),
        *(0.750, 0.710, 0.722, 0.281, 0.470, 1.800),
        *(4.0, 0.145, 0.028, 0.680, 0.723, 0.120),
    ),
    "smollm": (
        *(0.122, 0.570, 1.010, 0.680, 0.310, 0.800),
        *(1.850, 1.800, 2.820, 0.882, 2.880, 2.900),
        *(5.0, 0.560, 0.026, 0.815, 0.452, 0.190),
    ),
    "unknown": (
        *(0.116, 0.546, 0.325, 0.533, 0.730, 0.790),
        *(1.120, 1.050, 1.200, 0.500, 1.490, 2.600),
        *(4.0, 0.450, 0.024, 0.690, 0.742, 0.120),
    ),
}

SEED_SPREAD: Final = (
    *(0.20, 0.20, 0.20, 0.20, 0.30, 0.20),
    *(0.20, 0.20, 0.20, 0.20, 0.35, 0.30),
    *(0.30, 0.40, 0.50, 0.15, 0.20, 0.30),
)
"""Standard deviation of each seed weight as a share of it: how far real tokenizers of one family lie apart.

It sets how fast usage teaches; what is *stated* is capped at `estimator.MOST_STATED` of the estimate.
"""

COMMON_SPREAD: Final = 0.12
"""Standard deviation of a factor common to all seed weights: a tokenizer that spends more on one class does on all."""
