"""Reads a server's list of models, and keeps what is known of the models at each address."""

from __future__ import annotations

import asyncio
import hashlib
import math
import re
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from desktop_app.backends.backend_protocol import ANY_MODEL, Listed
from desktop_app.backends.connection_errors import unreadable, user_error
from desktop_app.backends.openai.chat_failures import THE_API
from desktop_app.backends.openai.openai_client import OPENAI, Facts, OpenAiClient, Preset, ServerAddress, without_path
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError, TransientError
from desktop_app.core.model_catalog import (
    LOW_TO_HIGH,
    ModelInfo,
    ModelOverride,
    Prices,
    find_model,
    overridden,
    shipped_models,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import mapping_in
from desktop_app.system.own_processes import COUNT_TOKENS, own_command
from desktop_app.system.worker_loop import serve
from desktop_app.system.worker_process import DaemonThreads, WorkerChild

if TYPE_CHECKING:
    import httpx2


BACKEND: Final = "openai"

VOCABULARY: Final = "o200k_base"
_VOCABULARY_FILE: Final = "fb374d419588a4632f3f557e76b4b70aebbca790"
_VOCABULARY_SHA256: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The name under which tiktoken keeps the vocabulary of OpenAI's models, and its bytes."""

_WORDS: Final = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
"""The pieces that no token goes beyond."""

LOADING_S: Final = 60.0
COUNTING_S: Final = 2.0
"""Seconds until the process that counts is given up."""
SHORT: Final = 500
REMEMBERED: Final = 4_000
"""Texts of so few characters, and so many of them, are asked for once."""

OLLAMA_CONTEXT: Final = 4_096
"""Tokens of context that Ollama loads a model with by default (below 24 GiB of graphics memory). It cuts longer
prompts off without a word, so no more is assumed than it says it has loaded.
"""

_NOT_FOR_CHAT: Final = re.compile(
    r"embed|whisper|tts|dall-e|image|audio|realtime|moderation|transcribe|\bsora|babbage|davinci|rerank|\bveo|\bimagen"
    r"|instruct-0914|computer-use|deep-research|\blive\b",
    re.IGNORECASE,
)
_WINDOWS: Final = (
    *("loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length"),
    *("max_input_tokens", "n_ctx"),
)
_OUTPUTS: Final = ("max_completion_tokens", "max_output_tokens")
_OWNERS: Final[Mapping[str, Facts]] = {"llamacpp": "llama.cpp", "library": "ollama", "organization_owner": "lm-studio"}
_MILLION: Final = 1_000_000


class TiktokenVocabulary:
    """OpenAI's vocabulary, where the extra `tiktoken` is installed and `TIKTOKEN_CACHE_DIR` holds its file.

    The file is read here: the package itself would fetch what it does not find.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        folder = environ.get("TIKTOKEN_CACHE_DIR")
        self._file = Path(folder) / _VOCABULARY_FILE if folder else None
        self._loading: asyncio.Future[Callable[[str], int] | None] | None = None
        self._process: _CountingProcess | None = None

    @property
    def found(self) -> tuple[bool, str] | None:
        """See `ports.OwnVocabulary`."""
        if find_spec("tiktoken") is None:
            return None
        if self._is_there():
            return True, phrase("Tokens of OpenAI's models are counted with {name}.", name=VOCABULARY)
        return False, phrase(
            "TIKTOKEN_CACHE_DIR has no {name}, so tokens of OpenAI's models are estimated.", name=VOCABULARY
        )

    async def counter(self, model: ModelInfo) -> Callable[[str], int] | None:
        """See `ports.OwnVocabulary`."""
        if model.tokenizer != "o200k" or self._file is None:
            return None
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(self._load))
        return await asyncio.shield(self._loading)

    async def close(self) -> None:
        """See `ports.OwnVocabulary`."""
        if self._process is not None:
            await asyncio.to_thread(self._process.end)

    def _is_there(self) -> bool:
        try:
            data = b"" if self._file is None else self._file.read_bytes()
        except OSError:
            return False
        return hashlib.sha256(data).hexdigest() == _VOCABULARY_SHA256

    def _load(self) -> Callable[[str], int] | None:
        if find_spec("tiktoken") is None or not self._is_there():
            return None
        self._process = _CountingProcess()
        return self._process if self._process.loads(str(self._file)) else None


class _CountingProcess:
    """Counts in a process of its own: building its table, the package keeps all threads of one waiting for 0.1 s.

    Called on the window's thread, too: short texts are remembered, and a process that is gone or silent is not waited
    for. What it can't count any more is estimated.
    """

    def __init__(self) -> None:
        self._child = WorkerChild(own_command(COUNT_TOKENS, __name__))
        self._thread = DaemonThreads(1)
        self._remembered = lru_cache(REMEMBERED)(self._counted)
        self._estimator = TokenEstimator.seeded("o200k")

    def __call__(self, text: str) -> int:
        return self._remembered(text) if len(text) < SHORT else self._counted(text)

    def loads(self, file: str) -> bool:
        """Return True once it counts with the vocabulary in this file."""
        return "ready" in self._asked({"file": file}, LOADING_S)

    def end(self) -> None:
        """Ends it; what is asked afterwards is estimated."""
        self._child.end()
        self._thread.shutdown()

    def _counted(self, text: str) -> int:
        tokens = self._asked({"text": text}, COUNTING_S).get("tokens")
        return tokens if isinstance(tokens, int) else round(self._estimator.tokens(features(text)))

    def _asked(self, order: Mapping[str, str], patience: float) -> Mapping[str, Any]:
        if not self._child.alive:
            return {}
        try:
            return self._thread.submit(self._child.ask, order).result(patience) or {}
        except (TimeoutError, RuntimeError):  # silent, or ended meanwhile
            self._child.kill()
            return {}


def main(argv: Sequence[str] = ()) -> int:
    """Counts until standard input ends, with the vocabulary that the first order names. `argv` is not used."""
    del argv
    counts: list[Callable[[str], Sequence[int]]] = []

    def answer_to(order: dict[str, Any]) -> dict[str, Any]:
        if counts:
            return {"tokens": len(counts[0](order["text"]))}
        lines = (line.split() for line in Path(order["file"]).read_bytes().splitlines())
        ranks = {b64decode(token): int(rank) for token, rank in lines}
        made = import_module("tiktoken").Encoding(VOCABULARY, pat_str=_WORDS, mergeable_ranks=ranks, special_tokens={})
        counts.append(made.encode_ordinary)
        return {"ready": True}

    return serve(answer_to)


def entries_of(body: Any) -> list[Mapping[str, Any]]:
    """The models in the answer of `GET /models` to chat with: the newest first, else in the server's order."""
    data = body.get("data") if isinstance(body, Mapping) else body
    if not isinstance(data, Sequence):
        return []
    found = [one for one in data if isinstance(one, Mapping) and isinstance(one.get("id"), str) and one["id"]]
    return sorted(filter(_chats, found), key=lambda one: -(_size(one.get("created")) or 0))


def program_of(entries: Sequence[Mapping[str, Any]], preset: Preset) -> Facts:
    """Which program of this computer answered: as its list shows, else as its address lets one guess."""
    owner = str(entries[0].get("owned_by")) if entries else ""
    return _OWNERS.get(owner, preset.facts)


def model_of(entry: Mapping[str, Any]) -> ModelInfo:
    """Return the model of an entry, over the shipped facts; details that nobody gives are assumed."""
    model_id = str(entry["id"]).removeprefix("models/")  # Gemini takes both forms
    model = find_model(BACKEND, model_id)
    name = entry.get("name") or entry.get("display_name") or (_stem(model_id) if model.id == model.name else model.name)
    provider = mapping_in(entry, "top_provider")
    within = (entry, provider, mapping_in(entry, "meta"))
    prices = _prices(mapping_in(entry, "pricing"))
    model = replace(
        model,
        name=str(name),
        prices=prices or model.prices,
        price_cliff=None if prices else model.price_cliff,
        prices_above=None if prices else model.prices_above,
        accepts_images=_sees(entry, model.accepts_images),
        accepts_pdf=model.accepts_pdf or "file" in (_modalities(entry) or ()),
    )
    model = _with_abilities(model, entry)
    return with_sizes(model, _first(within, _WINDOWS), _first(within, _OUTPUTS))


def with_sizes(model: ModelInfo, window: int | None, output: int | None = None) -> ModelInfo:
    """The model with the server's own sizes in tokens; the output never takes more than half of the window."""
    if window is not None:
        model = replace(model, window=window, window_source="provider")
    most = output if output is not None else min(model.max_output, max(1, model.window // 2))
    return replace(model, max_output=min(most, model.window))


def ollama_loaded(body: Any) -> dict[str, int]:
    """The windows, by model, of what `GET /api/ps` says is loaded."""
    running = body.get("models") if isinstance(body, Mapping) else None
    found = {}
    for one in running if isinstance(running, Sequence) else ():
        if isinstance(one, Mapping) and (window := _size(one.get("context_length"))) is not None:
            found[str(one.get("model") or one.get("name"))] = window
    return found


def with_ollama_facts(model: ModelInfo, shown: Any, loaded: int | None) -> ModelInfo:
    """The model with what `POST /api/show` says: its own window, the one it is set to, whether it reads pictures."""
    if not isinstance(shown, Mapping):
        return model if loaded is None else with_sizes(model, loaded)
    info = mapping_in(shown, "model_info")
    most = next(
        (size for key, value in info.items() if key.endswith(".context_length") and (size := _size(value))), None
    )
    parameters = shown.get("parameters")
    said = re.search(r"^num_ctx[ \t]+(\d{1,12})\b", parameters, re.MULTILINE) if isinstance(parameters, str) else None
    window = loaded or (_size(int(said[1])) if said else None) or min(most or OLLAMA_CONTEXT, OLLAMA_CONTEXT)
    model = with_sizes(model, window)
    if not isinstance(able := shown.get("capabilities"), Sequence):
        return model
    thinks = "thinking" in able
    return replace(
        model,
        accepts_images="vision" in able,
        accepts_tools="tools" in able,
        efforts=LOW_TO_HIGH if thinks else (),
        thinking="choice" if thinks else "never",
    )


def llama_window(body: Any) -> int | None:
    """The window of each conversation that llama.cpp's `GET /props` tells."""
    return _first((mapping_in(body, "default_generation_settings"),), ("n_ctx",))


def ordered(models: Iterable[ModelInfo]) -> tuple[ModelInfo, ...]:
    """Return the known models before those only assumed; else in the server's order, each id once."""
    by_id = {model.id: model for model in models}
    return tuple(sorted(by_id.values(), key=lambda model: model.window_source == "assumed"))


def _chats(entry: Mapping[str, Any]) -> bool:
    made = mapping_in(entry, "architecture").get("output_modalities")
    if isinstance(made, Sequence) and made and "text" not in made:
        return False
    return entry.get("type") not in ("embeddings", "embedding") and not _NOT_FOR_CHAT.search(_stem(entry["id"]))


def _sees(entry: Mapping[str, Any], otherwise: bool) -> bool:
    """Return True if it reads pictures, as OpenRouter and llama.cpp say it, or LM Studio; others leave it open."""
    if read := _modalities(entry):
        return "image" in read
    return entry["type"] == "vlm" if entry.get("type") in ("llm", "vlm") else otherwise


def _modalities(entry: Mapping[str, Any]) -> Sequence[Any] | None:
    read = mapping_in(entry, "architecture").get("input_modalities")
    return read if isinstance(read, Sequence) and not isinstance(read, str) else None


def _with_abilities(model: ModelInfo, entry: Mapping[str, Any]) -> ModelInfo:
    """Return the model with the abilities that OpenRouter, LM Studio and Mistral list; others say nothing."""
    taken, able = entry.get("supported_parameters"), entry.get("capabilities")
    if isinstance(taken, Sequence) and taken:
        reasons = "reasoning" in taken
        return replace(
            model,
            accepts_tools="tools" in taken,
            temperature="temperature" in taken,
            efforts=(model.efforts or LOW_TO_HIGH) if reasons else (),
            thinking=(model.thinking if model.efforts else "always") if reasons else "never",
        )
    if isinstance(able, Mapping) and isinstance(able.get("function_calling"), bool):
        sees = bool(able.get("vision", model.accepts_images))
        return replace(model, accepts_tools=able["function_calling"], accepts_images=sees)
    if isinstance(able, Sequence) and not isinstance(able, str):
        return replace(model, accepts_tools="tool_use" in able)
    return model


def _stem(model_id: str) -> str:
    """A file's name without its folders and its ending; other ids as they are."""
    if not model_id.lower().endswith(".gguf"):
        return model_id
    return re.split(r"[/\\]", model_id)[-1][: -len(".gguf")]


def _prices(pricing: Mapping[str, Any]) -> Prices | None:
    """Dollars per million tokens from dollars per token, which are written as texts."""
    fresh, output = _price(pricing.get("prompt")), _price(pricing.get("completion"))
    if fresh is None or output is None:
        return None
    read, write = _price(pricing.get("input_cache_read")), _price(pricing.get("input_cache_write"))
    write = fresh if write is None else write
    return Prices(fresh, output, fresh if read is None else read, write, write)


def _price(value: object) -> float | None:
    try:
        price = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return round(price * _MILLION, 6) if math.isfinite(price) and price >= 0 else None


def _first(sources: Iterable[Mapping[str, Any]], keys: Iterable[str]) -> int | None:
    return next((size for key in keys for one in sources if (size := _size(one.get(key))) is not None), None)


def _size(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


ANSWER_WAIT_S: Final = 5.0
"""Seconds that a server may take for its list and all that is asked beside it."""
KEPT_S: Final = 300.0
FAILURE_KEPT_S: Final = 5.0
"""Seconds that an answer, or that there was none, stays true: pickers and gauges ask often."""
MOST_SHOWN: Final = 50
"""Of so many models Ollama is asked for details at most."""

Connect: TypeAlias = Callable[[], Awaitable[OpenAiClient]]
FailureOf: TypeAlias = Callable[[Exception, ServerAddress], PlimsollError | None]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of one address; `any_name`: its only model answers to every name."""

    until: float
    models: Mapping[str, ModelInfo]
    any_name: ModelInfo | None = None
    error: PlimsollError | None = None


class KnownModels:
    """Models by address. `overrides` are the user's own words, which win over everything."""

    def __init__(self, overrides: Mapping[str, ModelOverride]) -> None:
        self._overrides = overrides
        self._answers: dict[str, _Answer] = {}
        self._asking = asyncio.Lock()
        self.on_listed: Listed | None = None

    async def listed(
        self, place: ServerAddress, connection: Connect, failure_of: FailureOf, *, shipped: bool = True
    ) -> Sequence[ModelInfo]:
        """The models that a server lists, asked now and then; raises why not. `shipped`: OpenAI's list stands in."""
        async with self._asking:
            if (answer := self._answers.get(place.address)) is None or answer.until < time.monotonic():
                before, answer = answer, await self._ask(place, connection, failure_of)
                if answer.error is not None and before is not None:
                    # what it said before is still the best that is known
                    answer = replace(answer, models=before.models, any_name=before.any_name)
                self._answers[place.address] = answer
                if answer.error is None and answer.models and (address := kept_address(place)) and self.on_listed:
                    self.on_listed(address, tuple(answer.models.values()))
        models: Sequence[ModelInfo] = tuple(answer.models.values())
        if answer.error is not None:
            if place.preset is not OPENAI or not shipped:
                raise answer.error
            models = shipped_models(BACKEND)
        return tuple(overridden(model, self._overrides.get(model.id)) for model in models)

    def remember(self, address: str, models: Sequence[ModelInfo]) -> None:
        """Take over what an address listed in an earlier run: known at once, and asked for again on demand."""
        self._answers.setdefault(address, _Answer(-math.inf, {model.id: model for model in models}))

    def first(self, place: ServerAddress) -> str | None:
        """The id of the first model that the server listed; of one of this computer, in this run."""
        answer = self._answers.get(place.address)
        if answer is None or (place.here and answer.until == -math.inf):
            return None
        return next(iter(answer.models), None)

    def model(self, place: ServerAddress, model_id: str) -> ModelInfo:
        """Return the facts known of one model without asking anybody."""
        override = self._overrides.get(model_id)
        if (answer := self._answers.get(place.address)) is not None:
            # Ollama's ids end in a tag, which may be left away
            found = answer.models.get(model_id) or answer.models.get(f"{model_id}:latest") or answer.any_name
            if found is not None:
                return overridden(replace(found, id=model_id), override)
        found = _placed(find_model(BACKEND, model_id, override), place)
        return replace(found, name=phrase("{name}'s default", name=place.name)) if model_id == ANY_MODEL else found

    async def _ask(self, place: ServerAddress, connection: Connect, failure_of: FailureOf) -> _Answer:
        error: PlimsollError
        try:
            connected = await connection()
            async with asyncio.timeout(ANSWER_WAIT_S):
                return await _asked(connected, place)
        except TimeoutError:
            error = TransientError(
                "network", phrase("{name} did not list its models in time.", name=place.name), actions=("retry",)
            )
        except PlimsollError as known:
            error = known
        except Exception as raised:
            if (found := failure_of(raised, place)) is None:
                raise
            error = found
        return _Answer(time.monotonic() + FAILURE_KEPT_S, {}, error=error)


def kept_address(place: ServerAddress) -> str:
    """The address whose list may be kept for later runs; "" for one with a password, which is not to be written.

    A program of this computer may serve another model tomorrow. Its list is kept all the same: a thread that was open
    with 200,000 tokens is not to lose messages because its server is not started yet.
    """
    return "" if place.shown != place.address else place.address


async def _asked(connection: OpenAiClient, place: ServerAddress) -> _Answer:
    response = await connection.client.models.with_raw_response.list(
        extra_headers=connection.headers, timeout=ANSWER_WAIT_S
    )
    entries = entries_of(_read(response.http_response, place))
    root, program = without_path(place.address), program_of(entries, place.preset)
    models = [model_of(entry) for entry in entries]
    any_name = None
    if program == "ollama":
        models = await _with_ollama(connection, root, models)
    elif program == "lm-studio":
        shown = entries_of(await connection.json("GET", f"{root}/api/v0/models"))
        models = [model_of(entry) for entry in shown] or models
    elif program == "llama.cpp" and len(models) == 1:
        if models[0].window_source == "assumed":
            window = llama_window(await connection.json("GET", f"{root}/props"))
            models = [with_sizes(models[0], window)]
        any_name = models[0]
    known = [_placed(model, place) for model in ordered(models)]
    return _Answer(time.monotonic() + KEPT_S, {model.id: model for model in known}, any_name)


def _read(response: httpx2.Response, place: ServerAddress) -> Any:
    """The answer of `GET /models`; a page for people, or anything else that is no list, is not this wire."""
    kind = response.headers.get("content-type", "")
    try:
        body = response.json()
    except (ValueError, RecursionError) as error:
        raise user_error(unreadable(place.shown, THE_API, f"content-type {kind!r}")) from error
    if isinstance(body, Mapping) and "data" not in body:
        raise user_error(unreadable(place.shown, THE_API, "no list of models"))
    return body


async def _with_ollama(connection: OpenAiClient, root: str, models: Sequence[ModelInfo]) -> list[ModelInfo]:
    loaded = ollama_loaded(await connection.json("GET", f"{root}/api/ps"))
    shown = await asyncio.gather(
        *(connection.json("POST", f"{root}/api/show", {"model": model.id}) for model in models[:MOST_SHOWN])
    )
    detailed = [
        with_ollama_facts(model, facts, loaded.get(model.id)) for model, facts in zip(models, shown, strict=False)
    ]
    return [*detailed, *models[MOST_SHOWN:]]


def _placed(model: ModelInfo, place: ServerAddress) -> ModelInfo:
    """On this computer a model costs nothing, whatever it costs elsewhere; some services take levels of effort."""
    if place.here:
        model = replace(model, prices=None, price_cliff=None, prices_above=None)
    if place.preset.efforts and not model.efforts:
        model = replace(model, efforts=place.preset.efforts, thinking="always")
    return model
