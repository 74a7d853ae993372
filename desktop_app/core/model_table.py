"""The shipped table of models: sizes, prices, abilities of November 2026.

Sources: the cost table of the `claude` program 2.1.330 and LiteLLM's price list; where they differ on a window, the
smaller one stands here. Of OpenAI's models those are here that the SDK 3.54 names and LiteLLM 1.109 has prices of;
their window is the most input they take. Levels of effort and whether a model thinks are LiteLLM 1.109's too, for
models that are newer than it those of their line. The provider's own list, where it can be had, wins over this.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Thinking: TypeAlias = Literal["never", "always", "choice"]

LOW_TO_HIGH: Final = ("low", "medium", "high")
TO_XHIGH: Final = (*LOW_TO_HIGH, "xhigh")
TO_MAX: Final = (*TO_XHIGH, "max")
HIGH_AND_MAX: Final = (*LOW_TO_HIGH, "max")
FROM_MINIMAL: Final = ("minimal", *LOW_TO_HIGH)
"""Levels of effort as their models take them, lowest first."""


class ModelSpec(NamedTuple):
    """One shipped model. Sizes in tokens, prices in US dollars per million tokens, `read` as a share of `input`.

    `sampling`: it takes a temperature; models that decide themselves how much to think refuse one.
    """

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
    efforts: tuple[str, ...] = TO_MAX
    thinking: Thinking = "choice"
    sampling: bool = False


WRITE_5M: Final = 1.25
"""Price of a cache write that lives five minutes, as a multiple of the input price; the same for every model."""

WRITE_1H: Final = 2.0
"""Price of a cache write that lives one hour, as a multiple of the input price; the same for every model."""

WEB_SEARCH_USD: Final = 0.01
"""Price in US dollars of one search of the web by the provider of Claude (LiteLLM 1.109); the same for every model."""

LONG_WINDOW: Final = 1_000_000
"""The window that the suffix `[1m]` asks for."""

_M: Final = 1_000_000
_K: Final = 1_000

# Models from Opus 4.7 on use the newer tokenizer, which needs up to 1.47 times the tokens for Latin text.
CLAUDE_MODELS: Final[tuple[ModelSpec, ...]] = (
    ModelSpec("claude-opus-5-5", "Claude Opus 5.5", _M, 128 * _K, 4, 20, 0.05, 512, "claude-2026", thinking="always"),
    ModelSpec(
        "claude-sonnet-5-5", "Claude Sonnet 5.5", _M, 128 * _K, 2, 10, 0.05, 512, "claude-2026", thinking="always"
    ),
    ModelSpec(
        "claude-haiku-5-5", "Claude Haiku 5.5", _M, 128 * _K, 0.1, 0.5, 0.1, 512, "claude-2026", 100 * _K, 0.5, 2.5
    ),
    ModelSpec(
        "claude-fable-5-2", "Claude Fable 5.2", _M, 128 * _K, 8, 40, 0.025, 512, "claude-2026", thinking="always"
    ),
    ModelSpec(
        "claude-mythos-5-2", "Claude Mythos 5.2", _M, 128 * _K, 8, 40, 0.025, 512, "claude-2026", thinking="always"
    ),
    ModelSpec(
        "claude-fable-5-1", "Claude Fable 5.1", _M, 128 * _K, 10, 50, 0.025, 512, "claude-2026", thinking="always"
    ),
    ModelSpec(
        "claude-mythos-5-1", "Claude Mythos 5.1", _M, 128 * _K, 10, 50, 0.025, 512, "claude-2026", thinking="always"
    ),
    ModelSpec("claude-opus-5", "Claude Opus 5", _M, 128 * _K, 5, 25, 0.1, 512, "claude-2026"),
    ModelSpec("claude-sonnet-5", "Claude Sonnet 5", _M, 128 * _K, 2, 10, 0.1, 1024, "claude-2026"),
    ModelSpec("claude-fable-5", "Claude Fable 5", _M, 128 * _K, 10, 50, 0.1, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-mythos-5", "Claude Mythos 5", _M, 128 * _K, 10, 50, 0.1, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-opus-4-8", "Claude Opus 4.8", _M, 128 * _K, 5, 25, 0.1, 1024, "claude-2026"),
    ModelSpec("claude-opus-4-7", "Claude Opus 4.7", _M, 128 * _K, 5, 25, 0.1, 2048, "claude-2026"),
    ModelSpec(
        "claude-opus-4-6", "Claude Opus 4.6", 200 * _K, 64 * _K, 5, 25, 0.1, 4096, "claude-2023", efforts=HIGH_AND_MAX
    ),
    ModelSpec(
        "claude-sonnet-4-6",
        "Claude Sonnet 4.6",
        200 * _K,
        64 * _K,
        3,
        15,
        0.1,
        1024,
        "claude-2023",
        efforts=HIGH_AND_MAX,
    ),
    ModelSpec(
        "claude-opus-4-5",
        "Claude Opus 4.5",
        200 * _K,
        64 * _K,
        5,
        25,
        0.1,
        4096,
        "claude-2023",
        efforts=LOW_TO_HIGH,
        thinking="never",
        sampling=True,
    ),
    ModelSpec(
        "claude-sonnet-4-5",
        "Claude Sonnet 4.5",
        200 * _K,
        64 * _K,
        3,
        15,
        0.1,
        1024,
        "claude-2023",
        efforts=(),
        thinking="never",
        sampling=True,
    ),
    ModelSpec(
        "claude-haiku-4-5",
        "Claude Haiku 4.5",
        200 * _K,
        64 * _K,
        1,
        5,
        0.1,
        4096,
        "claude-2023",
        efforts=(),
        thinking="never",
        sampling=True,
    ),
)

#: Short names that the `claude` program understands, and the model each one means.
CLAUDE_ALIASES: Final[dict[str, str]] = {
    "opus": "claude-opus-5-5",
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
    "fable": "claude-fable-5-2",
    "mythos": "claude-mythos-5-2",
}


class OpenAiRow(NamedTuple):
    """One shipped model of OpenAI. Sizes in tokens, prices in US dollars per million tokens, `cached` for reads.

    `write` is the price of a cache write as a multiple of `input`. Above `cliff` prompt tokens input, reads and writes
    cost twice as much and output one and a half times. `thinking` is a choice where "none" is an effort, too.
    """

    id: str
    name: str
    window: int
    max_output: int
    input: float
    output: float
    cached: float
    write: float = 1.0
    cliff: int | None = None
    efforts: tuple[str, ...] = TO_XHIGH
    thinking: Thinking = "choice"


INPUT_ABOVE_CLIFF: Final = 2.0
OUTPUT_ABOVE_CLIFF: Final = 1.5
"""The factor of OpenAI's prices above the cliff; the same for every model that has one."""

OPENAI_MODELS: Final[tuple[OpenAiRow, ...]] = (
    OpenAiRow(
        "gpt-6.1-sol", "GPT-6.1 Sol", 922 * _K, 128 * _K, 2, 10, 0.1, 1.25, 272 * _K, efforts=TO_MAX, thinking="always"
    ),
    OpenAiRow("gpt-6.1-terra", "GPT-6.1 Terra", 922 * _K, 128 * _K, 1, 5, 0.05, 1.25, 272 * _K, efforts=TO_MAX),
    OpenAiRow(
        "gpt-6-astra", "GPT-6 Astra", 922 * _K, 128 * _K, 10, 50, 1, 1.25, 272 * _K, efforts=TO_MAX, thinking="always"
    ),
    OpenAiRow("gpt-6-sol", "GPT-6 Sol", 922 * _K, 128 * _K, 2, 10, 0.2, 1.25, 272 * _K, efforts=TO_MAX),
    OpenAiRow("gpt-6-luna", "GPT-6 Luna", 922 * _K, 128 * _K, 0.1, 0.5, 0.01, 1.25, 272 * _K, efforts=TO_MAX),
    OpenAiRow("gpt-5.6-sol", "GPT-5.6 Sol", 922 * _K, 128 * _K, 4, 20, 0.4, 1.25, 272 * _K),
    OpenAiRow("gpt-5.6-terra", "GPT-5.6 Terra", 922 * _K, 128 * _K, 2, 12, 0.2, 1.25, 272 * _K),
    OpenAiRow("gpt-5.6-luna", "GPT-5.6 Luna", 922 * _K, 128 * _K, 0.2, 1.2, 0.02, 1.25, 272 * _K),
    OpenAiRow("gpt-5.5", "GPT-5.5", 922 * _K, 128 * _K, 5, 30, 0.5, 1.0, 272 * _K),
    OpenAiRow("gpt-5.4", "GPT-5.4", 922 * _K, 128 * _K, 2.5, 15, 0.25, 1.0, 272 * _K),
    OpenAiRow("gpt-5.4-mini", "GPT-5.4 mini", 272 * _K, 128 * _K, 0.75, 4.5, 0.075),
    OpenAiRow("gpt-5.4-nano", "GPT-5.4 nano", 272 * _K, 128 * _K, 0.2, 1.25, 0.02),
    OpenAiRow("gpt-5.2", "GPT-5.2", 272 * _K, 128 * _K, 1.75, 14, 0.175),
    OpenAiRow("gpt-5.1", "GPT-5.1", 272 * _K, 128 * _K, 1.25, 10, 0.125, efforts=LOW_TO_HIGH),
    OpenAiRow("gpt-5", "GPT-5", 272 * _K, 128 * _K, 1.25, 10, 0.125, efforts=FROM_MINIMAL, thinking="always"),
    OpenAiRow("gpt-5-mini", "GPT-5 mini", 272 * _K, 128 * _K, 0.25, 2, 0.025, efforts=FROM_MINIMAL, thinking="always"),
    OpenAiRow(
        "gpt-5-nano", "GPT-5 nano", 272 * _K, 128 * _K, 0.05, 0.4, 0.005, efforts=FROM_MINIMAL, thinking="always"
    ),
    OpenAiRow("gpt-4.1", "GPT-4.1", 1_047_576, 32_768, 2, 8, 0.5, efforts=(), thinking="never"),
    OpenAiRow("gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, 0.4, 1.6, 0.1, efforts=(), thinking="never"),
    OpenAiRow("gpt-4o", "GPT-4o", 128 * _K, 16_384, 2.5, 10, 1.25, efforts=(), thinking="never"),
    OpenAiRow("gpt-4o-mini", "GPT-4o mini", 128 * _K, 16_384, 0.15, 0.6, 0.075, efforts=(), thinking="never"),
)
