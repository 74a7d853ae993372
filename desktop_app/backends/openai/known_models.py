"""Keeps what is known of the models at each address, and when a server is asked again."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from desktop_app.backends.backend_protocol import ANY_MODEL, Listed
from desktop_app.backends.connection_errors import unreadable, user_error
from desktop_app.backends.openai.chat_failures import THE_API
from desktop_app.backends.openai.chat_model_list import (
    BACKEND,
    entries_of,
    llama_window,
    model_of,
    ollama_loaded,
    ordered,
    program_of,
    with_ollama_facts,
    with_sizes,
)
from desktop_app.backends.openai.openai_client import OpenAiClient
from desktop_app.backends.openai.server_presets import OPENAI, ServerAddress, without_path
from desktop_app.core.errors import PlimsollError, TransientError
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, find_model, overridden, shipped_models
from desktop_app.core.phrases import phrase

if TYPE_CHECKING:
    import httpx2

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
        """The models that a server lists, asked at most once in some minutes; raises what kept it from answering.

        `shipped`: of OpenAI the list known here takes its place then.
        """
        async with self._asking:
            answer = self._answers.get(place.address)
            if answer is None or answer.until < time.monotonic():
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
        """The id of the first model that the server listed."""
        answer = self._answers.get(place.address)
        return None if answer is None else next(iter(answer.models), None)

    def model(self, place: ServerAddress, model_id: str) -> ModelInfo:
        """Return the facts known of one model without asking anybody."""
        override = self._overrides.get(model_id)
        answer = self._answers.get(place.address)
        if answer is not None:
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
            found = failure_of(raised, place)
            if found is None:
                raise
            error = found
        return _Answer(time.monotonic() + FAILURE_KEPT_S, {}, error=error)


def kept_address(place: ServerAddress) -> str:
    """The address whose list may be kept for later runs; "" for none.

    A program of this computer may serve another model tomorrow, and an address with a password is not to be written.
    """
    return "" if place.here or place.shown != place.address else place.address


async def _asked(connection: OpenAiClient, place: ServerAddress) -> _Answer:
    response = await connection.client.models.with_raw_response.list(
        extra_headers=connection.headers, timeout=ANSWER_WAIT_S
    )
    body = _read(response.http_response, place)
    entries = entries_of(body)
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
