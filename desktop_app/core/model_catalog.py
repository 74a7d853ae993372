"""Known models: the shipped table of them, and their windows, outputs, prices, abilities.

Sources: the cost table of the `claude` program 2.1.330 and LiteLLM's price list; where they differ on a window, the
smaller one stands here. Of OpenAI's models those are here that the SDK 3.54 names and LiteLLM 1.109 has prices of;
their window is the most input they take. Levels of effort and whether a model thinks are LiteLLM 1.109's too, for
models that are newer than it those of their line. The provider's own list, where it can be had, wins over this.

`ModelInfo` describes one model of one backend. The shipped table is the offline seed; the provider's own list wins
over it, and the user's override over both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from desktop_app.core.backend_descriptors import OPENAI, is_server
from desktop_app.core.phrases import phrase
from desktop_app.core.setting_fields import whole

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

_MODERN: Final = (_M, 128 * _K)
_OLDER: Final = (200 * _K, 64 * _K)
"""Window and longest answer of most models of Claude."""
_PLAIN: Final[Mapping[str, Any]] = {"thinking": "never", "sampling": True}

# Models from Opus 4.7 on use the newer tokenizer, which needs up to 1.47 times the tokens for Latin text.
CLAUDE_MODELS: Final[tuple[ModelSpec, ...]] = (
    ModelSpec("claude-opus-5-5", "Claude Opus 5.5", *_MODERN, 4, 20, 0.05, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-sonnet-5-5", "Claude Sonnet 5.5", *_MODERN, 2, 10, 0.05, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-haiku-5-5", "Claude Haiku 5.5", *_MODERN, 0.1, 0.5, 0.1, 512, "claude-2026", 100 * _K, 0.5, 2.5),
    ModelSpec("claude-fable-5-2", "Claude Fable 5.2", *_MODERN, 8, 40, 0.025, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-mythos-5-2", "Claude Mythos 5.2", *_MODERN, 8, 40, 0.025, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-fable-5-1", "Claude Fable 5.1", *_MODERN, 10, 50, 0.025, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-mythos-5-1", "Claude Mythos 5.1", *_MODERN, 10, 50, 0.025, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-opus-5", "Claude Opus 5", *_MODERN, 5, 25, 0.1, 512, "claude-2026"),
    ModelSpec("claude-sonnet-5", "Claude Sonnet 5", *_MODERN, 2, 10, 0.1, 1024, "claude-2026"),
    ModelSpec("claude-fable-5", "Claude Fable 5", *_MODERN, 10, 50, 0.1, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-mythos-5", "Claude Mythos 5", *_MODERN, 10, 50, 0.1, 512, "claude-2026", thinking="always"),
    ModelSpec("claude-opus-4-8", "Claude Opus 4.8", *_MODERN, 5, 25, 0.1, 1024, "claude-2026"),
    ModelSpec("claude-opus-4-7", "Claude Opus 4.7", *_MODERN, 5, 25, 0.1, 2048, "claude-2026"),
    ModelSpec("claude-opus-4-6", "Claude Opus 4.6", *_OLDER, 5, 25, 0.1, 4096, "claude-2023", efforts=HIGH_AND_MAX),
    ModelSpec("claude-sonnet-4-6", "Claude Sonnet 4.6", *_OLDER, 3, 15, 0.1, 1024, "claude-2023", efforts=HIGH_AND_MAX),
    ModelSpec(
        "claude-opus-4-5", "Claude Opus 4.5", *_OLDER, 5, 25, 0.1, 4096, "claude-2023", efforts=LOW_TO_HIGH, **_PLAIN
    ),
    ModelSpec("claude-sonnet-4-5", "Claude Sonnet 4.5", *_OLDER, 3, 15, 0.1, 1024, "claude-2023", efforts=(), **_PLAIN),
    ModelSpec("claude-haiku-4-5", "Claude Haiku 4.5", *_OLDER, 1, 5, 0.1, 4096, "claude-2023", efforts=(), **_PLAIN),
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


TokenizerFamily: TypeAlias = Literal["claude-2023", "claude-2026", "o200k", "smollm", "unknown"]
WindowSource: TypeAlias = Literal["override", "learned", "provider", "shipped", "assumed"]

ASSUMED_WINDOW = 32_768
"""Window in tokens of a model nobody has told us about (PRODUCT.md CTX-3)."""

ASSUMED_OUTPUT = 8_192
"""Output in tokens of a model nobody has told us about: a quarter of the assumed window."""


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
    `min_cache_tokens`: shorter prompts are silently not cached. `accepts_tools`: it can be offered tools of ours.
    `efforts`: the levels of effort it can be asked for, lowest first. `thinking`: whether it thinks never, always, or
    where it is not turned off ("choice"). `web_search`: the provider can search the web for it. `temperature`: it takes
    one. `accepts_pdf`: it reads the pages of a PDF as they look. `system`: the system prompt of threads without one.
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
    accepts_tools: bool = False
    accepts_pdf: bool = False
    efforts: tuple[str, ...] = ()
    thinking: Thinking = "never"
    web_search: bool = False
    temperature: bool = False
    system: str = ""


@dataclass(frozen=True, slots=True)
class ModelOverride:
    """The user's values for a model in `[models."ID"]`, in tokens; None: as otherwise known."""

    window: int | None = whole(
        phrase("Context window"),
        phrase("The model's context window, in tokens."),
        low=2_000,
        high=100_000_000,
        default=None,
        unit=phrase("tokens"),
    )
    max_output: int | None = whole(
        phrase("Maximum answer length"),
        phrase("The model's longest answer, in tokens."),
        low=1,
        high=10_000_000,
        default=None,
        unit=phrase("tokens"),
    )


# echoes and plays scripts: sized like a 200K model so that tests meet the default limits
_SCRIPTED: Final = ModelInfo("scripted", "Scripted", 200_000, 64_000, tokenizer="unknown", accepts_images=True)
# the window is what llama.cpp is started with, not the model's own
_SMOLLM: Final = ModelInfo(
    "smollm2-135m",
    "SmolLM2 135M (offline)",
    8_192,
    2_048,
    tokenizer="smollm",
    temperature=True,
    system="You are a helpful AI assistant. Answer briefly.",
)

_DATED = re.compile(r"-(?:20\d{2}-?\d{2}-?\d{2}|latest)$")
_LONG = re.compile(r"\[1m\]$", re.IGNORECASE)
# the id inside names such as "us.anthropic.claude-sonnet-4-5-20250929-v1:0" and "claude-sonnet-4-5@20250929"
_CLAUDE_ID = re.compile(r"claude-[a-z]+-\d{1,2}(?:-\d{1,2})?(?!\d)")
_CLAUDE_VERSION = re.compile(r"claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")

FIRST_ADAPTIVE: Final = (4, 6)
"""The first version of Claude that decides itself how much to think (what the `claude` program sends says so)."""


def _prices(row_input: float, row_output: float, read: float) -> Prices:
    return Prices(
        input=row_input,
        output=row_output,
        cache_read=round(row_input * read, 6),
        cache_write_5m=round(row_input * WRITE_5M, 6),
        cache_write_1h=round(row_input * WRITE_1H, 6),
    )


def _claude(row: ModelSpec, *, api: bool) -> ModelInfo:
    """`api`: as the API offers it; the `claude` program is given neither a search of the web nor a temperature."""
    above = _prices(row.input_above, row.output_above, row.read) if row.cliff is not None else None
    return ModelInfo(
        id=row.id,
        name=row.name,
        window=row.window,
        max_output=row.max_output,
        prices=_prices(row.input, row.output, row.read),
        price_cliff=row.cliff,
        prices_above=above,
        tokenizer=row.tokenizer,
        min_cache_tokens=row.min_cache,
        accepts_images=True,
        accepts_tools=True,
        accepts_pdf=True,
        efforts=row.efforts,
        thinking=row.thinking,
        web_search=api,
        temperature=row.sampling and api,
    )


def _openai(row: OpenAiRow) -> ModelInfo:
    def prices(input_factor: float, output_factor: float) -> Prices:
        read, fresh = row.cached * input_factor, row.input * input_factor
        write = round(fresh * row.write, 6)
        # the lifetime of what is cached is the provider's own affair and has one price
        return Prices(fresh, row.output * output_factor, round(read, 6), write, write)

    return ModelInfo(
        id=row.id,
        name=row.name,
        window=row.window,
        max_output=row.max_output,
        prices=prices(1, 1),
        price_cliff=row.cliff,
        prices_above=prices(INPUT_ABOVE_CLIFF, OUTPUT_ABOVE_CLIFF) if row.cliff is not None else None,
        tokenizer="o200k",
        accepts_images=True,
        accepts_tools=True,
        accepts_pdf=True,
        efforts=row.efforts,
        thinking=row.thinking,
        temperature=row.thinking == "never",
    )


def shipped_models(backend: str) -> tuple[ModelInfo, ...]:
    """The models of a backend that are known without asking anybody, newest first; empty for an unknown backend."""
    match backend:
        case "anthropic" | "claude-cli":
            return tuple(_claude(row, api=backend == "anthropic") for row in CLAUDE_MODELS)
        case "openai":
            return tuple(_openai(row) for row in OPENAI_MODELS)
        case "scripted":
            return (_SCRIPTED,)
        case "local":
            return (_SMOLLM,)
        case _:
            return ()


def find_model(backend: str, model_id: str, override: ModelOverride | None = None) -> ModelInfo:
    """Return the facts known of a model offline: the override first, then the shipped table, else the assumed window.

    A date (`-20250929`, `-2026-03-17`), `-latest`, the short names of the `claude` program and a gateway's prefix lead
    to the same row; the suffix `[1m]` asks for the million-token window. The id stays the one that was asked for.
    """
    return overridden(_shipped(backend, model_id) or _assumed(backend, model_id), override)


def shipped_name(model_id: str, backend: str | None = None) -> str:
    """A model's name as its provider writes it, as far as it is known offline, else its id; None: of any backend."""
    of = (backend,) if backend is not None else ("anthropic", "openai", "local", "scripted")
    return next((found.name for one in of if (found := _shipped(one, model_id)) is not None), model_id)


def is_another(asked: str, served: str) -> bool:
    """Return True if `served` is another model than the one asked for; a date or a prefix makes none.

    An id that only a server knows may stand for anything. A short name stands for every version of its line.
    """
    if asked == served or (_LONG.sub("", asked) in served and _LONG.sub("", asked) in CLAUDE_ALIASES):
        return False
    names = [None if (found := _known_anywhere(one)) is None else found.name for one in (asked, served)]
    return None not in names and names[0] != names[1]


def counts_otherwise(asked: str, served: str) -> bool:
    """Return True if another model that answered cuts texts into other tokens than the one asked for."""
    known = [_known_anywhere(one) for one in (asked, served)]
    return None not in known and len({one.tokenizer for one in known if one is not None}) == 2


def _known_anywhere(model_id: str) -> ModelInfo | None:
    return _shipped("openai", model_id) or _shipped("anthropic", model_id.replace(".", "-"))


def overridden(model: ModelInfo, override: ModelOverride | None) -> ModelInfo:
    """The model with the user's own window and output in place of what anybody else says."""
    if override is None:
        return model
    if override.window is not None:
        model = replace(model, window=override.window, window_source="override")
    if override.max_output is not None:
        model = replace(model, max_output=override.max_output)
    return replace(model, max_output=min(model.max_output, model.window))


def _assumed(backend: str, model_id: str) -> ModelInfo:
    """Of its sizes nothing is known; an API is taken to offer what most of its models have, until it refuses that."""
    model = ModelInfo(model_id, model_id, ASSUMED_WINDOW, ASSUMED_OUTPUT, window_source="assumed")
    match OPENAI.name if is_server(backend) else backend:
        case "openai":
            return replace(model, accepts_tools=True, accepts_images=True, temperature=True)
        case "anthropic" if not _CLAUDE_ID.search(model_id):
            return replace(model, accepts_tools=True, temperature=True)  # another program that speaks this wire
        case "anthropic":
            version = _CLAUDE_VERSION.search(model_id)
            adaptive = version is not None and (int(version[1]), int(version[2] or 0)) >= FIRST_ADAPTIVE
            thinking: Thinking = "choice" if adaptive else "never"
            return replace(model, accepts_tools=True, accepts_images=True, thinking=thinking)
        case _:
            return model


CLAUDES: Final = ("anthropic", "claude-cli")
"""The backends of Claude's models."""


def _shipped(backend: str, model_id: str) -> ModelInfo | None:
    backend = OPENAI.name if is_server(backend) else backend
    known = {model.id: model for model in shipped_models(backend)}
    plain = _LONG.sub("", model_id.strip())
    found = known.get(plain) or known.get(_DATED.sub("", plain))
    if found is None and backend in CLAUDES:
        inner = _CLAUDE_ID.search(plain)
        found = known.get(CLAUDE_ALIASES.get(plain, inner.group() if inner else ""))
    if found is None and backend == "openai":
        # gateways put the vendor's name before the model's
        found = known.get(_DATED.sub("", plain.removeprefix("openai/")))
    if found is None:
        return None
    long = plain != model_id.strip()
    return replace(found, id=model_id, window=max(found.window, LONG_WINDOW) if long else found.window)
