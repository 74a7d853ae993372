"""Answers with a small model on this computer: free, offline."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop_app.backends.backend_protocol import Availability, CostKind
from desktop_app.backends.local.llama_server import (
    IDLE_S,
    LocalServer,
    ServedModel,
    ServerFailedError,
    fault_of,
    missing,
    serve_command,
    shipped_model_file,
)
from desktop_app.backends.openai.chat_failures import ChatDialect, read_error
from desktop_app.backends.openai.chat_wire import ChatAnswerReader, messages_of
from desktop_app.backends.openai.chat_wire import request_body as compatible_body
from desktop_app.backends.response_bodies import (
    ASKED_FOR,
    BrokenStreamError,
    EventDecoder,
    bound_body,
    chunks_of,
)
from desktop_app.core.backend_descriptors import LOCAL
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PASSING, TEXT_SAVED
from desktop_app.core.messages import Failure, JsonObject
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, find_model, overridden, shipped_models
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Failed, Notice, StreamEvent

if TYPE_CHECKING:
    import httpx2

DIALECT: Final = ChatDialect(strict=True, images=False)
"""A model of text, with whatever template its file has."""

_SAMPLING: Final[Mapping[str, Mapping[str, float]]] = {"smollm2-135m": {"temperature": 0.2, "repeat_penalty": 1.1}}
"""Tried out: so small a model rambles at llama.cpp's own 0.8. Other files: the defaults."""


def request_body(plan: ContextPlan) -> dict[str, Any]:
    """The body of `POST /v1/chat/completions` for a plan, as it is sent: every role, every text."""
    return compatible_body(plan, DIALECT, _SAMPLING.get(plan.model.id))


def failure_of(status: int, body: Any) -> Failure:
    """Return the meaning to the user of an error of the server."""
    if (error := read_error(status, body)).type == "exceed_context_size_error":
        said = body.get("error", body) if isinstance(body, Mapping) else {}
        tokens, context = (_size(said, key) for key in ("n_prompt_tokens", "n_ctx"))
        message = phrase(
            "This thread is too long for the local model: {tokens:,} tokens, and it takes {context:,}. Start a new "
            "thread or choose another model.",
            tokens=tokens,
            context=context,
        )
        return Failure("context_limit", message, error.detail, ("new_thread", "switch_model"))
    message = phrase("The local model could not answer this. Try again, or choose another model.")
    return Failure("backend", message, error.detail, PASSING)


def _size(said: Any, key: str) -> int:
    value = said.get(key) if isinstance(said, Mapping) else None
    return value if isinstance(value, int) and 0 < value < 10**12 else 0


log = logging.getLogger(__name__)

CONTEXT = 8_192
MAX_OUTPUT = 2_048
"""In tokens, for any file: what a computer without a graphics card can bear. `[models]` in the settings widens it."""

STILL_S = 3.0
"""Seconds between two reports that the model is still being loaded."""

HEALTH_S = 2.0
"""Seconds that a sign of life of the process may take."""

READ_TIMEOUT_S = 300.0
"""Longest silence, in seconds: a long prompt is read at some hundred tokens a second before the first word."""


class LocalBackend:
    """llama.cpp's server with one GGUF file: the chosen one, else SmolLM2 135M from its package."""

    name = LOCAL.name
    title = LOCAL.title
    cost_kind: CostKind = "free"
    overhead = Overhead()

    def __init__(
        self,
        *,
        model_path: Path | Callable[[], Path | None] | None,
        overrides: Mapping[str, ModelOverride],
        command: Sequence[str] | None = None,
        timeout_s: float | None = None,
        idle_s: float = IDLE_S,
    ) -> None:
        """`command` starts the child process; None: this program itself. `timeout_s`: the longest silence.

        `model_path` may be a function: it is asked each time, and another file makes the process start anew.
        `idle_s`: after so many seconds without a question the memory is given back; see `LocalServer`.
        """
        self._path = model_path
        self._timeout_s = timeout_s or READ_TIMEOUT_S
        self._overrides = overrides
        self._server = LocalServer(command or serve_command(), idle_s=idle_s)

    @property
    def _chosen(self) -> Path | None:
        return self._path() if callable(self._path) else self._path

    @property
    def default_model(self) -> str:
        return shipped_models(self.name)[0].id if self._chosen is None else self._chosen.stem

    async def availability(self) -> Availability:
        """Return the availability: usable if server and model file are installed; looks at the disk only."""
        lack = await asyncio.to_thread(missing, self._chosen)
        return Availability(lack is None, lack or phrase("A small model is installed on this computer."))

    async def models(self) -> Sequence[ModelInfo]:
        """The one model there is."""
        return (self.model(self.default_model),)

    def model(self, model_id: str) -> ModelInfo:
        """The one model there is, the shipped or the chosen file; any other id is unknown."""
        override = self._overrides.get(model_id)
        shipped = shipped_models(self.name)[0]
        if model_id == self.default_model and model_id != shipped.id:
            return overridden(ModelInfo(model_id, model_id, CONTEXT, MAX_OUTPUT, temperature=True), override)
        return find_model(self.name, model_id, override)

    def request(self, plan: ContextPlan) -> JsonObject:
        """The JSON body that `stream` sends."""
        return request_body(plan)

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        """See `Backend.stream`. The first answer waits until the model is loaded, and says so."""
        with self._server.in_use():
            async with aclosing(self._answer(plan)) as events:
                async for event in events:
                    yield event

    async def _answer(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        reader = ChatAnswerReader(plan.model, free=True)
        try:
            if missing(self._chosen) is not None or not self._server.serves(self._served(plan.model)):
                async with aclosing(self._loading(plan.model)) as notices:
                    async for notice in notices:
                        yield notice
            client = await self._client(plan.model)
            async with client, aclosing(self._events(client, plan, reader)) as events:
                async for event in events:
                    yield event
            return
        except ServerFailedError as error:
            failure = await self._not_loaded(str(error))
        except BrokenStreamError as error:
            failure = await self._lost(reader, str(error))
        except OSError as error:
            failure = _not_started(error)
        except Exception as error:
            if not _of_transport(error):
                raise
            if reader.stop_reason is not None:
                # what is lost after the reason to stop is the end of the stream, not of the answer
                for event in reader.end():
                    yield event
                return
            failure = await self._lost(reader, f"{type(error).__name__}: {error}", silent=_is_silence(error))
        log.info("the local model failed: %s", failure.code)
        yield Failed(failure)

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """The model's own count of the request; None if it can not be asked."""
        turns = messages_of(plan, DIALECT)
        body: dict[str, Any] = {"model": plan.model.id, "messages": [one for one in turns if one["role"] != "system"]}
        if turns[0]["role"] == "system":
            body["system"] = turns[0]["content"]
        try:
            with self._server.in_use():
                async with await self._client(plan.model) as client:
                    response = await client.post("/v1/messages/count_tokens", json=body)
        except (ServerFailedError, OSError):
            return None
        except Exception as error:
            if not _of_transport(error):
                raise
            return None
        return _counted(response) if response.is_success else None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Starts loading the model, without waiting for it; a process that no longer answers is replaced."""
        model = self.model(self.default_model) if plan is None else plan.model
        if missing(self._chosen) is None:
            try:
                if self._server.serves(self._served(model)) and not await self._healthy(model):
                    log.warning("the local model does not answer any more and is started anew")
                    await self._server.close()
                self._server.start(self._served(model))
            except OSError as error:
                log.info("the local model could not be started ahead: %s", type(error).__name__)

    async def close(self) -> None:
        """Ends the child process."""
        await self._server.close()

    async def _events(
        self, client: httpx2.AsyncClient, plan: ContextPlan, reader: ChatAnswerReader
    ) -> AsyncGenerator[StreamEvent, None]:
        async with client.stream("POST", "/v1/chat/completions", json=request_body(plan)) as response:
            if not response.is_success:
                await response.aread()
                yield Failed(failure_of(response.status_code, _body(response)))
                return
            decoder = EventDecoder()
            async with aclosing(chunks_of(response.aiter_bytes)) as chunks:
                async for chunk in chunks:
                    for raw in decoder.feed(chunk):
                        for event in decoder.shown(reader.read, raw):
                            yield event
                        if reader.error is not None:
                            yield Failed(failure_of(response.status_code, reader.error))
                            return
        if reader.stop_reason is None:
            yield Failed(await self._lost(reader, "the stream ended before its end"))
            return
        for event in reader.end():
            yield event

    async def _loading(self, model: ModelInfo) -> AsyncGenerator[Notice, None]:
        """Lines for as long as the model is being loaded; raises what `LocalServer.address` does."""
        if missing(self._chosen):
            return
        served = self._served(model)
        yield Notice("loading_model", phrase("Loading the local model{size}.", size=_size_of(served.path)))
        waiting = asyncio.ensure_future(self._server.address(served))
        begun = time.monotonic()
        try:
            while not (await asyncio.wait({waiting}, timeout=STILL_S))[0]:
                yield Notice(
                    "loading_model",
                    phrase("Loading the local model: {seconds:.0f} s.", seconds=time.monotonic() - begun),
                )
            waiting.result()
        finally:
            waiting.cancel()
            await asyncio.wait({waiting})

    async def _healthy(self, model: ModelInfo) -> bool:
        """Return True if the process answers at all; it does so within milliseconds, also while it computes."""
        try:
            async with await self._client(model) as client, asyncio.timeout(HEALTH_S):
                await client.get("/health")
        except (TimeoutError, ServerFailedError):
            return False
        except Exception as error:
            if not _of_transport(error):
                raise
            return False
        return True

    async def _client(self, model: ModelInfo) -> httpx2.AsyncClient:
        if lack := missing(self._chosen):
            raise ServerFailedError(lack)
        address = await self._server.address(self._served(model))
        return await asyncio.to_thread(_make_client, address, self._server.key, self._timeout_s)

    def _served(self, model: ModelInfo) -> ServedModel:
        path = self._chosen or shipped_model_file()
        assert path is not None, "missing() was not asked"
        return ServedModel(path, model.window)

    async def _not_loaded(self, detail: str) -> Failure:
        if (lack := await asyncio.to_thread(missing, self._chosen)) is not None:
            return Failure("config", lack, actions=("open_connections", "switch_model"))
        path = self._chosen or shipped_model_file()
        assert path is not None, "missing() has just looked"
        message = await asyncio.to_thread(fault_of, path)
        return Failure("backend", message, detail, ("open_connections", "switch_model"))

    async def _lost(self, reader: ChatAnswerReader, detail: str, *, silent: bool = False) -> Failure:
        saved = phrase(" {saved}", saved=TEXT_SAVED) if reader.has_content else ""
        ended = await self._server.give_up()
        what = phrase("did not answer in time") if silent else phrase("stopped unexpectedly")
        message = phrase("The local model {what}.{kept} Try again, or choose another model.", what=what, kept=saved)
        return Failure("backend", message, ended or detail, PASSING)


def _make_client(address: str, key: str, timeout_s: float) -> httpx2.AsyncClient:
    import httpx2

    return httpx2.AsyncClient(
        base_url=address,
        headers={"authorization": f"Bearer {key}"} | ASKED_FOR,
        event_hooks={"response": [bound_body]},
        timeout=httpx2.Timeout(timeout_s, connect=10.0),
        trust_env=False,  # no proxy stands between this computer and itself
        verify=False,  # plain HTTP: reading the certificates would only cost time
    )


def _of_transport(error: Exception) -> bool:
    import httpx2

    return isinstance(error, httpx2.HTTPError | httpx2.StreamError | BrokenStreamError)


def _size_of(path: Path) -> str:
    """The size of a file that takes its time, for the line that says so."""
    try:
        size = path.stat().st_size
    except OSError:
        return ""
    return f" ({size / 1e9:.1f} GB)" if size >= 5e8 else ""


def _is_silence(error: Exception) -> bool:
    import httpx2

    return isinstance(error, httpx2.TimeoutException)


def _body(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except (ValueError, RecursionError):
        return response.text


def _counted(response: httpx2.Response) -> int | None:
    body = _body(response)
    count = body.get("input_tokens") if isinstance(body, Mapping) else None
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def _not_started(error: OSError) -> Failure:
    message = phrase("The local model's process could not be started. Choose another model.")
    return Failure("backend", message, f"{type(error).__name__}: {error}", PASSING)
