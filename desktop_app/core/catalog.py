"""Owns what is known of models: windows, outputs, prices, abilities. Knows nothing of networks or files.

`ModelInfo` describes one model of one backend; `SHIPPED` is the offline seed, the provider's own list wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TokenizerFamily: TypeAlias = Literal["claude-2023", "claude-2026", "o200k", "smollm", "unknown"]
WindowSource: TypeAlias = Literal["override", "learned", "provider", "shipped", "assumed"]

ASSUMED_WINDOW = 32_768
"""Window in tokens of a model nobody has told us about (PRODUCT.md CTX-3)."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model. `window` and `max_output` in tokens; `prices` None: unknown, or free where the backend is free.

    Above `price_cliff` prompt tokens (None: no cliff) the whole request costs `prices_above`.
    `min_cache_tokens`: shorter prompts are silently not cached.
    """

    id: str
    name: str
    window: int
    max_output: int
    window_source: WindowSource = "shipped"
    prices: Prices | None = None
    price_cliff: int | None = None
    prices_above: Prices | None = None
    tokenizer: TokenizerFamily = "unknown"
    min_cache_tokens: int = 1024
    accepts_images: bool = False
