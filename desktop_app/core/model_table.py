"""Owns the shipped table of models: windows, outputs and prices of November 2026. Knows nothing of how it is looked up.

Sources: the cost table of the `claude` program 2.1.330 and LiteLLM's price list; where they differ on a window, the
smaller one stands here. The provider's own model list, where it can be had, wins over this table.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple


class ModelRow(NamedTuple):
    """One shipped model. Sizes in tokens, prices in US dollars per million tokens, `read` as a share of `input`."""

    id: str
    name: str
    window: int
    max_output: int
    input: float
    output: float
    read: float
    min_cache: int
    tokenizer: Literal["claude-2023", "claude-2026"]
    cliff: int | None = None
    input_above: float = 0.0
    output_above: float = 0.0


WRITE_5M: Final = 1.25
"""Price of a cache write that lives five minutes, as a multiple of the input price; the same for every model."""

WRITE_1H: Final = 2.0
"""Price of a cache write that lives one hour, as a multiple of the input price; the same for every model."""

LONG_WINDOW: Final = 1_000_000
"""The window that the suffix `[1m]` asks for."""

_M: Final = 1_000_000
_K: Final = 1_000

# Models from Opus 4.7 on use the newer tokenizer, which needs up to 1.47 times the tokens for Latin text.
CLAUDE_MODELS: Final[tuple[ModelRow, ...]] = (
    ModelRow("claude-opus-5-5", "Claude Opus 5.5", _M, 128 * _K, 4, 20, 0.05, 512, "claude-2026"),
    ModelRow("claude-sonnet-5-5", "Claude Sonnet 5.5", _M, 128 * _K, 2, 10, 0.05, 512, "claude-2026"),
    ModelRow(
        "claude-haiku-5-5", "Claude Haiku 5.5", _M, 128 * _K, 0.1, 0.5, 0.1, 512, "claude-2026", 100 * _K, 0.5, 2.5
    ),
    ModelRow("claude-fable-5-2", "Claude Fable 5.2", _M, 128 * _K, 8, 40, 0.025, 512, "claude-2026"),
    ModelRow("claude-mythos-5-2", "Claude Mythos 5.2", _M, 128 * _K, 8, 40, 0.025, 512, "claude-2026"),
    ModelRow("claude-opus-5", "Claude Opus 5", _M, 128 * _K, 5, 25, 0.1, 512, "claude-2026"),
    ModelRow("claude-sonnet-5", "Claude Sonnet 5", _M, 128 * _K, 2, 10, 0.1, 1024, "claude-2026"),
    ModelRow("claude-fable-5", "Claude Fable 5", _M, 128 * _K, 10, 50, 0.1, 512, "claude-2026"),
    ModelRow("claude-opus-4-8", "Claude Opus 4.8", _M, 128 * _K, 5, 25, 0.1, 1024, "claude-2026"),
    ModelRow("claude-opus-4-7", "Claude Opus 4.7", _M, 128 * _K, 5, 25, 0.1, 2048, "claude-2026"),
    ModelRow("claude-opus-4-6", "Claude Opus 4.6", 200 * _K, 64 * _K, 5, 25, 0.1, 4096, "claude-2023"),
    ModelRow("claude-sonnet-4-6", "Claude Sonnet 4.6", 200 * _K, 64 * _K, 3, 15, 0.1, 1024, "claude-2023"),
    ModelRow("claude-opus-4-5", "Claude Opus 4.5", 200 * _K, 64 * _K, 5, 25, 0.1, 4096, "claude-2023"),
    ModelRow("claude-sonnet-4-5", "Claude Sonnet 4.5", 200 * _K, 64 * _K, 3, 15, 0.1, 1024, "claude-2023"),
    ModelRow("claude-haiku-4-5", "Claude Haiku 4.5", 200 * _K, 64 * _K, 1, 5, 0.1, 4096, "claude-2023"),
)

#: Short names that the `claude` program understands, and the model each one means.
CLAUDE_ALIASES: Final[dict[str, str]] = {
    "opus": "claude-opus-5-5",
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
    "fable": "claude-fable-5-2",
    "mythos": "claude-mythos-5-2",
}
