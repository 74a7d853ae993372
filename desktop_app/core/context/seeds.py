"""Owns what the estimator believes of each tokenizer family before it has seen any usage. Knows no update rule.

Sources of the weights: `claude-2023` and `o200k` are solved from measured characters per token by kind of text
(English 4.70 / 4.72, Python 4.57 / 4.92, JSON 2.95 / 2.91, Markdown 3.71 / 4.31, Russian 1.91 / 4.30, Chinese 1.01 /
1.51, Japanese 0.97 / 1.36, Korean 0.96 / 2.08, emoji 0.46 / 0.68, UUIDs 1.5 / 1.55); `claude-2026` is `claude-2023`
times the published inflation of the newer tokenizer (English 1.20-1.46, code 1.13-1.36, JSON 1.31, UUIDs 1.06, other
scripts 1.00); `smollm` was fitted to the tokenizer of SmolLM2-135M itself; `unknown` lies between them, on the high
side, because too many is the safer mistake.
"""

from __future__ import annotations

from typing import Final

from desktop_app.core.catalog import TokenizerFamily

Weights = tuple[float, ...]

# in the order of features.NAMES: letters, letter runs, digits, punctuation, space runs, newlines, Han, kana, Hangul,
# Cyrillic/Greek/Hebrew/Arabic, Latin extended, emoji, constant per message, bytes of other scripts
SEED_WEIGHTS: Final[dict[TokenizerFamily, Weights]] = {
    "claude-2023": (0.13, 0.47, 0.62, 0.78, 0.50, 0.60, 0.98, 1.02, 1.28, 0.60, 1.10, 2.20, 4.0, 0.45),
    "claude-2026": (0.17, 0.62, 0.66, 0.98, 0.60, 0.75, 0.98, 1.02, 1.28, 0.60, 1.50, 2.20, 4.0, 0.45),
    "o200k": (0.12, 0.47, 0.52, 0.76, 0.50, 0.60, 0.66, 0.74, 0.58, 0.25, 0.50, 1.47, 4.0, 0.22),
    "smollm": (0.11, 0.58, 1.00, 0.80, 0.60, 0.80, 1.76, 1.78, 2.69, 0.88, 1.50, 2.90, 5.0, 0.52),
    "unknown": (0.14, 0.52, 0.70, 0.85, 0.55, 0.70, 1.00, 1.05, 1.30, 0.62, 1.20, 2.40, 4.0, 0.45),
}

SEED_SPREAD: Final = 0.25
"""Standard deviation of a seed weight as a share of it: how far real tokenizers of one family lie apart on one class.

It sets how fast usage teaches; what is *stated* is capped at `estimator.MOST_STATED` of the estimate.
"""
