"""Owns the way to Anthropic's models through the official SDK. Knows nothing of windows, history or files.

The SDK costs 0.3 to 1.5 s to import: that happens on first use, in another thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.backends.anthropic_errors import (
    THE_API,
    error_in_stream,
    missing_key,
    trouble_of_api_error,
    trouble_of_exception,
)
from desktop_app.backends.anthropic_wire import AnswerReader, request_body
from desktop_app.backends.attempts import attempts
from desktop_app.backends.base import Availability, CostKind
from desktop_app.backends.retries import Trouble
from desktop_app.backends.sse import EventDecoder, chunks_of
from desktop_app.backends.transport import (
    CONNECT_TIMEOUT_S,
    KEEP_ALIVE_S,
    cut_off,
    failure_of_setup,
    read_to_the_end,
    unreadable,
    user_error,
)
from desktop_app.core.catalog import ModelInfo, ModelOverride, find_model, overridden, shipped_models
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import JsonObject
from desktop_app.core.stream import Ended, StreamEvent

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import ModelInfo as SdkModelInfo

log = logging.getLogger(__name__)

PUBLIC_URL = "https://api.anthropic.com"

DEFAULT_TIMEOUT_S = 600.0
"""Longest silence within an answer, in seconds: the SDK's own default."""


class AnthropicBackend:
    """The Messages API. `key` is asked before each request, `has_key` must answer at once and without the network."""

    name = "anthropic"
    title = "Anthropic"
    cost_kind: CostKind = "money"
    overhead = Overhead(cache_marks=4)
    default_model = "claude-sonnet-5-5"

    def __init__(
        self,
        *,
        key: Callable[[], Awaitable[str | None]],
        base_url: str | None,
        timeout_s: float | None,
        overrides: Mapping[str, ModelOverride],
        has_key: Callable[[], bool],
    ) -> None:
        self._key = key
        self._has_key = has_key
        self._base_url = base_url or PUBLIC_URL
        self._timeout_s = timeout_s or DEFAULT_TIMEOUT_S
        self._overrides = overrides
        self._provided: dict[str, ModelInfo] = {}
        self._clients: dict[str, AsyncAnthropic] = {}
        self._making = asyncio.Lock()

    async def availability(self) -> Availability:
        """Whether a key is known."""
        if self._has_key():
            return Availability(True, "A key is set.")
        return Availability(False, missing_key().message)

    async def models(self) -> Sequence[ModelInfo]:
        """The provider's own list with its windows; the shipped one where the provider can not be asked."""
        try:
            return await self.ask_models()
        except PlimsollError as error:
            log.info("the shipped model list is used: %s", error.failure.code)
        return tuple(overridden(model, self._overrides.get(model.id)) for model in shipped_models(self.name))

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The provider's own list, asked for now and for free; `PlimsollError` says what kept it from answering."""
        try:
            client = await self._client()
            listed = [_provided(model) async for model in client.models.list(limit=100) if model.lifecycle != "retired"]
        except PlimsollError:
            raise
        except Exception as error:
            trouble = self._trouble(error, model="", started=False)
            if trouble is None:
                raise
            raise user_error(trouble.failure) from error
        self._provided.update((model.id, model) for model in listed)
        models = listed or shipped_models(self.name)
        return tuple(overridden(model, self._overrides.get(model.id)) for model in models)

    def model(self, model_id: str) -> ModelInfo:
        """What the provider said of the model if it was asked, else the shipped facts."""
        override = self._overrides.get(model_id)
        if model_id in self._provided:
            return overridden(self._provided[model_id], override)
        return find_model(self.name, model_id, override)

    def request(self, plan: ContextPlan) -> JsonObject:
        """The JSON body that `stream` sends."""
        return request_body(plan)

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        """See `Backend.stream`. A request that failed before its answer began is sent up to three times."""
        async with aclosing(attempts(lambda: self._attempt(plan))) as events:
            async for event in events:
                yield event

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """The provider's count of the request; None where it could not be asked."""
        body = request_body(plan)
        del body["stream"], body["max_tokens"]
        try:
            client = await self._client()
            return (await client.messages.count_tokens(**body)).input_tokens
        except PlimsollError:
            return None
        except Exception as error:
            if self._trouble(error, model=plan.model.id, started=False) is None:
                raise
            return None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Imports the SDK and reads the certificates, which is what a first request would wait for. No network."""
        del plan
        try:
            await self._client()
        except PlimsollError as error:
            log.info("nothing could be prepared: %s", error.failure.code)

    async def close(self) -> None:
        """Closes every connection."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.close()

    async def _attempt(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent | Trouble, None]:
        """One request; ends with `Ended`, or with what went wrong."""
        reader = AnswerReader(plan.model)
        trouble: Trouble | None = None
        try:
            client = await self._client()
            async with aclosing(self._events(client, plan, reader)) as events:
                async for event in events:
                    yield event
        except PlimsollError as error:
            trouble = Trouble(error.failure)
        except Exception as error:
            trouble = self._trouble(error, model=plan.model.id, started=reader.has_content)
            if trouble is None:
                raise
        if trouble is not None:
            yield self._ended_early(reader, trouble)

    async def _events(
        self, client: AsyncAnthropic, plan: ContextPlan, reader: AnswerReader
    ) -> AsyncGenerator[StreamEvent | Trouble, None]:
        # The bytes are decoded here and not by the SDK's models: these put blocks and events they do not know into the
        # class of another kind, and their nested generators would outlive a cancelled stream.
        create = client.messages.with_streaming_response.create
        async with create(**request_body(plan)) as response:
            request_id = response.headers.get("request-id")
            kind = response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                yield Trouble(unreadable(self._base_url, THE_API, f"content-type {kind!r} (request {request_id})"))
                return
            decoder = EventDecoder()
            async with aclosing(chunks_of(response.http_response.aiter_bytes)) as chunks:
                async for chunk in chunks:
                    for raw in decoder.feed(chunk):
                        for event in reader.read(raw):
                            yield event
                        if reader.error is not None:
                            error = error_in_stream(reader.error, request_id)
                            trouble = trouble_of_api_error(error, plan.model.id)
                            yield replace(trouble, retryable=trouble.retryable and not reader.has_content)
                            return
                    if reader.over:
                        await read_to_the_end(chunks)
                        return
            yield self._ended_early(reader, cut_off(self._base_url, started=reader.has_content))

    async def _client(self) -> AsyncAnthropic:
        """The client for the key of now; `UserError("config")` where there is none or none can be made."""
        key = (await self._key() or "").strip()
        if not key:
            raise user_error(missing_key())
        async with self._making:
            if key not in self._clients:
                # a function of its own: an event loop may log what it calls, with its arguments
                self._clients[key] = await asyncio.to_thread(lambda: self._make_client(key))
            return self._clients[key]

    def _make_client(self, key: str) -> AsyncAnthropic:
        import anthropic
        import httpx2

        # at its level "debug", which a variable of the environment can set, the SDK logs whole requests
        logging.getLogger(anthropic.__name__).setLevel(logging.WARNING)
        timeout = httpx2.Timeout(self._timeout_s, connect=min(CONNECT_TIMEOUT_S, self._timeout_s))
        try:
            # made here, since the SDK's own leaves a broken object behind when it fails; a redirect would take the key
            # to another host
            http = anthropic.DefaultAsyncHttpxClient(
                timeout=timeout, limits=httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S), follow_redirects=False
            )
            return anthropic.AsyncAnthropic(
                api_key=key, base_url=self._base_url, timeout=timeout, max_retries=0, http_client=http
            )
        except (OSError, ValueError, ImportError, httpx2.InvalidURL) as error:
            raise user_error(failure_of_setup(error)) from error

    def _ended_early(self, reader: AnswerReader, trouble: Trouble) -> StreamEvent | Trouble:
        """A connection that is lost after the provider said why it stopped has lost nothing."""
        return trouble if reader.stop_reason is None else Ended(reader.stop_reason)

    def _trouble(self, error: Exception, *, model: str, started: bool) -> Trouble | None:
        return trouble_of_exception(error, model=model, base_url=self._base_url, started=started)


def _provided(model: SdkModelInfo) -> ModelInfo:
    """The shipped facts with the provider's own in their place."""
    shipped = find_model(AnthropicBackend.name, model.id)
    window = model.max_input_tokens
    images = model.capabilities.image_input.supported if model.capabilities else shipped.accepts_images
    return replace(
        shipped,
        name=model.display_name or shipped.name,
        window=window or shipped.window,
        max_output=model.max_tokens or shipped.max_output,
        window_source="provider" if window else shipped.window_source,
        accepts_images=images,
    )
