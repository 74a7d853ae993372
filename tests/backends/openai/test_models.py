"""What is known of models: what servers of each kind tell, what is kept, and what is taken for granted."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from desktop_app.backends.backend_protocol import ANY_MODEL
from desktop_app.backends.openai import known_models
from desktop_app.backends.openai.known_models import TiktokenVocabulary, entries_of, model_of, with_ollama_facts
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.backends.openai.openai_client import PRESETS, place_at, preset_at, without_path
from desktop_app.core.context.text_features import DraftCounter, tokens_in_pieces
from desktop_app.core.context.token_counting import TextCounter
from desktop_app.core.errors import PlimsollError
from desktop_app.core.model_catalog import ASSUMED_OUTPUT, ASSUMED_WINDOW, ModelOverride, Prices, find_model
from tests.backends.openai.backends import backend_for, preset_called
from tests.benchmarks.texts import SIX, Texts
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import HttpError, NoReply


def asked(api: ChatApi, path: str) -> int:
    return sum(request.path == path for request in api.requests)


async def test_the_list_is_asked_for_once_and_only_on_demand(api: ChatApi, backend: OpenAiBackend) -> None:
    assert (backend.model("test-model").window, api.requests) == (ASSUMED_WINDOW, [])
    assert backend.default_model == ANY_MODEL
    api.models = [{"id": "one", "max_model_len": 16_000}, {"id": "two"}, {"id": "text-embedding-9"}]
    for _ in range(3):
        models = await backend.models()
    assert asked(api, "/v1/models") == 1
    assert [(model.id, model.window, model.window_source) for model in models] == [
        ("one", 16_000, "provider"),
        ("two", ASSUMED_WINDOW, "assumed"),
    ]
    assert backend.model("one").max_output == 8_000
    assert backend.default_model == "one"


async def test_a_list_that_can_not_be_had_says_why_and_is_asked_for_again(
    api: ChatApi, backend: OpenAiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.known_models.FAILURE_KEPT_S", -1.0)
    api.script(HttpError(401), HttpError(404, headers={"content-type": "text/html"}, body=b"<html>"), path="/v1/models")
    for code in ("auth", "not_found"):
        with pytest.raises(PlimsollError) as caught:
            await backend.models()
        assert caught.value.failure.code == code
    assert [model.id for model in await backend.models()] == ["test-model"]


async def test_a_silent_server_is_not_waited_for(
    api: ChatApi, backend: OpenAiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.known_models.ANSWER_WAIT_S", 0.1)
    api.script(NoReply(), path="/v1/models")
    with pytest.raises(PlimsollError) as caught:
        await backend.models()
    assert caught.value.failure.code == "network"
    # and for some seconds nobody waits again
    with pytest.raises(PlimsollError):
        await backend.models()
    assert asked(api, "/v1/models") == 1


async def test_openai_has_a_shipped_list(api: ChatApi) -> None:
    backend = backend_for(api.url, preset=preset_called("openai"))
    api.script(HttpError(500), path="/v1/models")
    assert {model.window_source for model in await backend.models()} == {"shipped"}
    keyless = backend_for(None, key=None)
    assert "gpt-6.1-sol" in [model.id for model in await keyless.models()]
    await backend.close()


async def test_what_is_known_comes_first(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.openai_client.is_on_this_computer", lambda _: False)
    backend = backend_for(api.url, overrides={"gpt-4o": ModelOverride(window=64_000)})
    api.models = [{"id": name} for name in ("gpt-99", "gpt-4o", "whisper-1", "gpt-5.4-mini-2026-03-17", "dall-e-3")]
    models = await backend.models()
    assert [model.id for model in models] == ["gpt-4o", "gpt-5.4-mini-2026-03-17", "gpt-99"]
    assert (models[0].window, models[0].window_source) == (64_000, "override")
    assert models[1].prices == find_model("openai", "gpt-5.4-mini").prices
    await backend.close()


async def test_here_nothing_costs_anything(api: ChatApi, backend: OpenAiBackend) -> None:
    api.models = [{"id": "gpt-4o"}]
    assert backend.model("gpt-4o").prices is None
    assert [model.prices for model in await backend.models()] == [None]


async def test_llama_cpp_answers_to_every_name(api: ChatApi, backend: OpenAiBackend) -> None:
    path = "/models/Qwen3-4B-Q4.gguf"
    architecture = {"input_modalities": ["text", "image"], "output_modalities": ["text"]}
    meta = {"n_ctx": 12_288, "n_ctx_train": 262_144}
    api.models = [{"id": path, "owned_by": "llamacpp", "architecture": architecture, "meta": meta}]
    (model,) = await backend.models()
    assert (model.id, model.name, model.window, model.accepts_images) == (path, "Qwen3-4B-Q4", 12_288, True)
    assert backend.model("anything").window == 12_288


async def test_an_older_llama_cpp_is_asked_for_its_window(api: ChatApi, backend: OpenAiBackend) -> None:
    api.models = [{"id": "m.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 262_144}}]
    api.others["/props"] = {"default_generation_settings": {"n_ctx": 6_144}}
    assert [model.window for model in await backend.models()] == [6_144]


async def test_ollama_cuts_off_in_silence_so_only_what_it_loads_counts(api: ChatApi, backend: OpenAiBackend) -> None:
    api.models = [{"id": name, "owned_by": "library"} for name in ("llama3:latest", "qwen3:8b", "nomic-embed-text")]
    api.others["/api/ps"] = {"models": [{"model": "qwen3:8b", "context_length": 40_960}]}
    api.others["/api/show"] = {
        "model_info": {"general.architecture": "llama", "llama.context_length": 131_072},
        "capabilities": ["completion", "vision"],
    }
    models = await backend.models()
    assert [(model.id, model.window, model.accepts_images) for model in models] == [
        ("llama3:latest", 4_096, True),
        ("qwen3:8b", 40_960, True),
    ]
    assert backend.model("llama3").window == 4_096
    assert {str(one.body["model"]) for one in api.requests if one.path == "/api/show"} == {"llama3:latest", "qwen3:8b"}


@pytest.mark.parametrize(
    ("shown", "loaded", "window"),
    [
        ({"model_info": {"llama.context_length": 131_072}}, None, 4_096),
        ({"model_info": {"llama.context_length": 2_048}}, None, 2_048),
        ({"parameters": "stop x\nnum_ctx                        16384\ntemperature 1"}, None, 16_384),
        ({"parameters": "num_ctx 16384"}, 8_192, 8_192),
        (None, 8_192, 8_192),
        (None, None, ASSUMED_WINDOW),
    ],
)
def test_the_window_of_a_model_of_ollama(shown: Any, loaded: int | None, window: int) -> None:
    assert with_ollama_facts(model_of({"id": "m"}), shown, loaded).window == window


async def test_lm_studio_tells_what_is_loaded(api: ChatApi, backend: OpenAiBackend) -> None:
    api.models = [{"id": name, "owned_by": "organization_owner"} for name in ("qwen", "llava", "other")]
    api.others["/api/v0/models"] = {
        "data": [
            {"id": "qwen", "type": "llm", "max_context_length": 131_072, "loaded_context_length": 8_192},
            {"id": "llava", "type": "vlm", "max_context_length": 32_768},
            {"id": "nomic", "type": "embeddings", "max_context_length": 2_048},
        ]
    }
    models = await backend.models()
    assert [(model.id, model.window, model.accepts_images) for model in models] == [
        ("qwen", 8_192, False),
        ("llava", 32_768, True),
    ]


def test_openrouter_tells_windows_prices_and_pictures() -> None:
    entry = {
        "id": "anthropic/claude-sonnet",
        "name": "Anthropic: Claude Sonnet",
        "context_length": 200_000,
        "architecture": {"input_modalities": ["text", "image"], "output_modalities": ["text"]},
        "pricing": {"prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003"},
        "top_provider": {"max_completion_tokens": 64_000},
    }
    model = model_of(entry)
    assert (model.name, model.window, model.max_output) == ("Anthropic: Claude Sonnet", 200_000, 64_000)
    assert (model.prices, model.accepts_images) == (Prices(3, 15, 0.3, 3, 3), True)
    # a router's price depends on whom it asks
    assert model_of({"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}}).prices is None


@pytest.mark.parametrize("body", [None, [], "x", {"data": None}, {"data": [1, {"id": 3}, {"id": ""}]}, {"data": {}}])
def test_an_odd_list_is_an_empty_one(body: Any) -> None:
    assert entries_of(body) == []


@pytest.mark.parametrize("odd", [True, "8192", -1, 0, None, 2.5])
def test_an_odd_window_is_none(odd: Any) -> None:
    model = model_of({"id": "m", "max_model_len": odd, "pricing": "x", "meta": 3, "architecture": [1]})
    assert (model.window, model.max_output, model.window_source) == (ASSUMED_WINDOW, ASSUMED_OUTPUT, "assumed")


@pytest.mark.parametrize(
    ("address", "preset", "taken"),
    [
        (None, "openai", "https://api.openai.com/v1"),
        ("", "openai", "https://api.openai.com/v1"),
        ("https://api.deepseek.com", "deepseek", "https://api.deepseek.com/v1"),
        ("https://openrouter.ai/api/v1/", "openrouter", "https://openrouter.ai/api/v1/"),
        ("http://localhost:11434", "ollama", "http://localhost:11434/v1"),
        ("http://192.168.1.5:1234/v1", "lm-studio", "http://192.168.1.5:1234/v1"),
        ("http://127.0.0.1:8080/", "llama.cpp", "http://127.0.0.1:8080/v1"),
        ("https://llm.example.com", "custom", "https://llm.example.com"),
        ("http://[::1", "custom", "http://[::1"),
        ("http://host:notaport/v1", "custom", "http://host:notaport/v1"),
    ],
)
def test_an_address_finds_its_preset(address: str | None, preset: str, taken: str) -> None:
    place = place_at(address)
    assert (place.preset.id, place.address) == (preset, taken)


def test_every_preset_is_found_by_its_own_address() -> None:
    for preset in PRESETS[:-1]:
        assert preset_at(preset.base_url) is preset
        assert place_at(None, preset).address == preset.base_url
    assert without_path("http://127.0.0.1:11434/v1?x=1") == "http://127.0.0.1:11434"


@pytest.mark.parametrize(
    ("url", "key", "ok"),
    [
        (None, "sk-x", True),
        (None, None, False),
        ("https://openrouter.ai/api/v1", None, False),
        ("http://localhost:11434/v1", None, True),
        ("http://[::1]:9/v1", None, True),
        ("https://llm.example.com/v1", None, True),
    ],
)
async def test_availability_asks_nobody(url: str | None, key: str | None, ok: bool) -> None:
    backend = backend_for(url, key=key)
    found = await backend.availability()
    assert found.ok is ok
    assert found.detail.endswith(".")


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://localhost:1/v1", "free"),
        ("http://127.8.9.1:1/v1", "free"),
        ("http://[::1]:1/v1", "free"),
        ("http://192.168.1.5:11434/v1", "money"),
        ("http://localhost.example.com/v1", "money"),
        (None, "money"),
    ],
)
def test_only_this_computer_is_free(url: str | None, kind: str) -> None:
    assert backend_for(url).cost_kind == kind


async def test_a_server_that_is_away_for_a_moment_is_not_forgotten(
    api: ChatApi, backend: OpenAiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.known_models.KEPT_S", -1.0)
    api.models = [{"id": "m", "context_length": 12_000}]
    await backend.models()
    api.script(HttpError(500), path="/v1/models")
    with pytest.raises(PlimsollError):
        await backend.models()
    assert (backend.model("m").window, backend.default_model) == (12_000, "m")


def test_the_newest_model_stands_first_where_the_server_tells_when_each_was_made() -> None:
    listed = [{"id": "old", "created": 1}, {"id": "new", "created": 9}, {"id": "untold"}, {"id": "odd", "created": "x"}]
    assert [entry["id"] for entry in entries_of({"data": listed})] == ["new", "old", "untold", "odd"]


def litellm_vocabularies() -> Path:
    """The folder of LiteLLM's wheel, which holds the file that tiktoken would fetch."""
    if find_spec("tiktoken") is None or (found := find_spec("litellm")) is None or found.origin is None:
        pytest.skip("`./dev bench estimator` installs what this needs")
    return Path(found.origin).parent / "litellm_core_utils" / "tokenizers"


@asynccontextmanager
async def loaded(folder: Path) -> AsyncIterator[Callable[[str], int]]:
    vocabulary = TiktokenVocabulary({"TIKTOKEN_CACHE_DIR": str(folder)})
    counter = await vocabulary.counter(find_model("openai", "gpt-4o"))
    assert counter is not None
    yield counter
    await vocabulary.close()


TIKTOKEN = """
import os, time

class Encoding:
    def __init__(self, name, *, pat_str, mergeable_ranks, special_tokens):
        assert mergeable_ranks == {b"a": 0, b"b": 1}

    def encode_ordinary(self, text):
        while text == "silence":
            time.sleep(60)
        return range(os.getpid())
"""


@pytest.fixture
def small_vocabulary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a vocabulary for a `tiktoken` that counts as many tokens as is the number of its process."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "tiktoken.py").write_text(TIKTOKEN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "package")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "package"))
    data = b"YQ== 0\nYg== 1\n"
    monkeypatch.setattr(known_models, "_VOCABULARY_SHA256", hashlib.sha256(data).hexdigest())
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").write_bytes(data)
    return tmp_path


async def test_the_vocabulary_is_loaded_in_another_process_so_that_no_thread_here_waits_for_it(
    small_vocabulary: Path,
) -> None:
    async with loaded(small_vocabulary) as counter:
        assert counter("text") == counter("other text") != os.getpid()
        assert "Encoding" not in vars(sys.modules.get("tiktoken", os))


@pytest.mark.parametrize("silent", [True, False])
async def test_a_counting_process_that_is_gone_or_silent_is_not_waited_for(
    small_vocabulary: Path, monkeypatch: pytest.MonkeyPatch, *, silent: bool
) -> None:
    async with loaded(small_vocabulary) as counter:
        process = counter("text")
        if silent:
            monkeypatch.setattr(known_models, "COUNTING_S", 0.01)
            assert counter("silence") in range(1, 5)
        else:
            os.kill(process, 9)
        assert counter("A question of eleven words, as one may ask it.") in range(8, 16)


async def test_the_vocabulary_counts_as_tiktoken_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = litellm_vocabularies()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    encoding = import_module("tiktoken").get_encoding("o200k_base")
    async with loaded(folder) as own:
        counter = DraftCounter(TextCounter(own).text, by_cuts=True)
        texts = Texts(5)
        for kind in SIX:
            text = "".join(texts.text(kind, 2_000, 2_001) for _ in range(12))
            assert tokens_in_pieces(text, own) == len(encoding.encode_ordinary(text))
            for place in range(7, len(text), len(text) // 9):
                changed = text[:place] + "it's 2,5\u0301 x_y\n" + text[place + 3 :]
                assert counter.count(changed)[-1] == len(encoding.encode_ordinary(changed)), (kind, place)
        for odd in ("^" * 90_000, " " * 90_000, "a" * 90_000, "\n" * 90_000, "😀" * 30_000, "\ud800", "<|endoftext|>"):
            once = len(encoding.encode_ordinary(odd[:30_000]))
            assert abs(tokens_in_pieces(odd, own) - once * max(1, len(odd) // 30_000)) < 9


async def test_no_vocabulary_is_fetched_and_none_counts_for_others(tmp_path: Path) -> None:
    model = find_model("openai", "gpt-4o")
    nowhere = TiktokenVocabulary({})
    empty = TiktokenVocabulary({"TIKTOKEN_CACHE_DIR": str(tmp_path)})
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").write_bytes(b"not the vocabulary")
    assert (await nowhere.counter(model), await empty.counter(model)) == (None, None)
    assert [path.name for path in tmp_path.iterdir()] == ["fb374d419588a4632f3f557e76b4b70aebbca790"]
    assert (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").read_bytes() == b"not the vocabulary"
    folder = litellm_vocabularies()
    there = TiktokenVocabulary({"TIKTOKEN_CACHE_DIR": str(folder)})
    assert await there.counter(find_model("anthropic", "claude-sonnet-4-5")) is None
    assert there.found == (True, "Tokens of OpenAI's models are counted with o200k_base.")
    assert empty.found is not None
    assert not empty.found[0]
