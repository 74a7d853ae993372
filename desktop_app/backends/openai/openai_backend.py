"""Answers with any server of chat completions through the official SDK.

The wire is read as `docs/decisions/0009-visible-retries-and-raw-events.md` says: no retries of the SDK, raw events.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop_app.backends.backend_protocol import ANY_MODEL, Availability, CostKind, Listed, Seconds, seconds_now
from desktop_app.backends.connection_errors import (
    FailedAttempt,
    attempts,
    cut_off,
    read_to_the_end,
    unreadable,
    user_error,
    without_options,
)
from desktop_app.backends.openai.chat_failures import (
    THE_API,
    ChatApiError,
    ChatDialect,
    ServerIdentity,
    error_of_response,
    failed_by_api_error,
    failed_by_exception,
    is_too_long,
    missing_key,
    read_error,
    refused_options,
    taught,
)
from desktop_app.backends.openai.chat_wire import ChatAnswerReader, request_body
from desktop_app.backends.openai.known_models import KnownModels, kept_address
from desktop_app.backends.openai.openai_client import OpenAiClient, Preset, ServerAddress, connect, place_at
from desktop_app.backends.response_bodies import EventDecoder, chunks_of, meaning
from desktop_app.core.backend_descriptors import OPENAI
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import KeyringError, PlimsollError
from desktop_app.core.messages import Failure, JsonObject
from desktop_app.core.model_catalog import ModelInfo, ModelOverride
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Rewritten, StreamEvent

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

DEFAULT_TIMEOUT_S = 600.0
"""Longest silence within an answer, in seconds: the SDK's own default."""

LATE_USAGE_S = 5.0
"""Seconds to wait for the usage once the answer is whole; some servers hold the stream open and never send it."""


class OpenAiBackend:
    """Chat completions. `base_url` and `key` (of that address) are asked before each request, `has_key` and
    `key_problem` (what kept the keyring from telling the key) must answer at once.

    None as address is the preset's own, OpenAI's where no preset is named; else the preset is the one of the address.
    `called`: the user's name for the connection, None for none.
    """

    def __init__(
        self,
        *,
        key: Callable[[str], Awaitable[str | None]],
        base_url: Callable[[], str | None],
        timeout_s: Seconds,
        overrides: Mapping[str, ModelOverride],
        has_key: Callable[[], bool],
        key_problem: Callable[[], Failure | None] = lambda: None,
        preset: Preset | None = None,
        name: str = OPENAI.name,
        called: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.name = name
        self._called = called
        self._key = key
        self._has_key = has_key
        self._key_problem = key_problem
        self._base_url = base_url
        self._seconds = timeout_s
        self._preset = preset
        self._models = KnownModels(overrides)
        self._dialects: dict[tuple[str, str], ChatDialect] = {}
        self._connections: dict[tuple[str, str, float], OpenAiClient] = {}
        self._making = asyncio.Lock()

    @property
    def place(self) -> ServerAddress:
        """The address that requests go to now."""
        return place_at(self._base_url(), self._preset, self._called())

    @property
    def title(self) -> str:
        return self.place.name

    @property
    def cost_kind(self) -> CostKind:
        return "free" if self.place.here else "money"

    @property
    def overhead(self) -> Overhead:
        """Services charge less for a beginning that they have seen before; programs of this computer charge nothing."""
        return Overhead(caches_itself=not self.place.here)

    @property
    def on_listed(self) -> Listed | None:
        """See `ListsModels`."""
        return self._models.on_listed

    @on_listed.setter
    def on_listed(self, listener: Listed | None) -> None:
        self._models.on_listed = listener

    @property
    def list_address(self) -> str:
        """See `ListsModels`."""
        return kept_address(self.place)

    def remember(self, address: str, models: Sequence[ModelInfo]) -> None:
        """See `ListsModels`."""
        self._models.remember(address, models)

    @property
    def default_model(self) -> str:
        place = self.place
        return place.preset.default_model or self._models.first(place) or ANY_MODEL

    async def availability(self) -> Availability:
        """Return the availability: usable if there is a key where one is needed; no server is asked."""
        place = self.place
        if self._has_key():
            return Availability(True, phrase("A key for {name} is set.", name=place.name))
        problem = self._key_problem()
        lost = problem is not None and "add_key" in problem.actions
        if not lost and (place.here or not place.preset.needs_key):
            return Availability(True, phrase("The server at {shown} is used.", shown=place.shown))
        missing = problem or missing_key(_server(place))
        return Availability(False, missing.message, found=bool(self._base_url()))

    async def models(self) -> Sequence[ModelInfo]:
        """The server's own list, kept for minutes, or OpenAI's shipped one; `PlimsollError`: why there is none."""
        place = self.place
        found = await self._models.listed(place, lambda: self._connection(place), self._failure_of)
        return tuple(self._able(place, model) for model in found)

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The server's own list, the free test of address and key; `PlimsollError` says what kept it from answering."""
        place = self.place
        found = await self._models.listed(place, lambda: self._connection(place), self._failure_of, shipped=False)
        return tuple(self._able(place, model) for model in found)

    def model(self, model_id: str) -> ModelInfo:
        """Return what the server said of the model if asked, else the shipped facts; less what it refused since."""
        place = self.place
        return self._able(place, self._models.model(place, model_id))

    def request(self, plan: ContextPlan) -> JsonObject:
        """The JSON body that `stream` sends."""
        return request_body(plan, self._dialect(self.place, plan.model.id))

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        """See `Backend.stream`. A request that failed before its answer began is sent up to three times."""
        async with aclosing(attempts(lambda: self._attempt(plan))) as events:
            async for event in events:
                yield event

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """None: chat completions have no such service."""
        del plan
        return None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Imports the SDK and reads the certificates, which is what a first request would wait for. No network."""
        del plan
        try:
            await self._connection(self.place)
        except PlimsollError as error:
            log.info("nothing could be prepared: %s", error.failure.code)

    async def close(self) -> None:
        while self._connections:
            _, connection = self._connections.popitem()
            await connection.close()

    async def _attempt(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent | FailedAttempt, None]:
        """One request, and one more for each thing that a refusal teaches of how this server is to be asked."""
        place, model = self.place, plan.model.id
        dialect = self._dialect(place, model)
        tried, rewritten = {dialect}, False
        while True:
            reader = ChatAnswerReader(plan.model, free=place.here, find=partial(self._models.model, place))
            connection: OpenAiClient | None = None
            better: ChatDialect | None = None
            try:
                connection = await self._connection(place)
                body = request_body(plan, dialect)
                async with aclosing(self._events(connection, place, plan, dialect, reader, body=body)) as events:
                    async for event in events:
                        if rewritten:
                            rewritten = False
                            yield Rewritten()
                        yield _without(connection.key, event) if isinstance(event, FailedAttempt) else event
                return
            except PlimsollError as error:
                trouble = FailedAttempt(error.failure)
            except Exception as error:
                if (refusal := _refusal(error)) is not None and not is_too_long(refusal):
                    better = _other_words(plan, dialect, refusal, tried)
                server = _server(place, connection)
                found = failed_by_exception(error, model=plan.model.name, server=server, started=reader.has_content)
                if found is None:
                    raise
                trouble = found if connection is None else _without(connection.key, found)
            if better is None:
                break
            log.info("the request is written otherwise for this server")
            dialect, rewritten = better, True
            tried.add(better)
        # what is lost after the provider said why it stopped has lost nothing
        for event in [trouble] if reader.stop_reason is None else reader.end():
            yield event

    async def _events(
        self,
        connection: OpenAiClient,
        place: ServerAddress,
        plan: ContextPlan,
        dialect: ChatDialect,
        reader: ChatAnswerReader,
        *,
        body: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent | FailedAttempt, None]:
        create = connection.client.chat.completions.with_streaming_response.create
        # as an extra body: the SDK would look at every part of every message, 0.1 s of the event loop for 800 of them
        request = create(
            model=body["model"], messages=(), stream=True, extra_body=body, extra_headers=connection.headers
        )
        async with request as response:
            lost = refused_options(self._dialect(place, plan.model.id), dialect, plan.request.parameters)
            self._dialects[place.address, plan.model.id] = dialect
            if lost:
                yield without_options(plan.model.name, lost)
            kind = response.headers.get("content-type", "")
            if "html" in kind:
                yield FailedAttempt(unreadable(place.shown, THE_API, f"content-type {kind!r}"))
                return
            read = _whole if "json" in kind and "stream" not in kind else _streamed
            async with aclosing(read(response.http_response, reader)) as events:
                async for event in events:
                    yield event
            if reader.error is not None:
                yield self._error_within(reader, place, plan, connection)
            elif reader.stop_reason is None:
                trouble = cut_off(place.shown, started=reader.has_content)
                if not reader.read_any:
                    trouble = FailedAttempt(unreadable(place.shown, THE_API, f"no event in {kind!r}"))
                yield trouble

    def _error_within(
        self, reader: ChatAnswerReader, place: ServerAddress, plan: ContextPlan, connection: OpenAiClient
    ) -> FailedAttempt:
        """The error that came in a stream, or with a status of success."""
        trouble = failed_by_api_error(read_error(200, reader.error), plan.model.name, _server(place, connection))
        return replace(trouble, retryable=trouble.retryable and not reader.has_content)

    def _able(self, place: ServerAddress, model: ModelInfo) -> ModelInfo:
        return self._dialect(place, model.id).able(model)

    def _dialect(self, place: ServerAddress, model_id: str) -> ChatDialect:
        return self._dialects.get((place.address, model_id), place.preset.dialect)

    async def _connection(self, place: ServerAddress) -> OpenAiClient:
        """The connection for the key of now; `UserError("config")` where one is needed and there is none."""
        key = await self._key_for(place)
        wanted = place.address, key, seconds_now(self._seconds, DEFAULT_TIMEOUT_S)
        async with self._making:
            if wanted not in self._connections:
                # a function of its own: an event loop may log what it calls, with its arguments
                self._connections[wanted] = await asyncio.to_thread(lambda: connect(place, *wanted[1:]))
            return self._connections[wanted]

    async def _key_for(self, place: ServerAddress) -> str:
        try:
            key = (await self._key(place.address) or "").strip()
        except PlimsollError as error:
            if place.preset.needs_key or (isinstance(error, KeyringError) and error.holds_key):
                raise
            return ""  # a keyring without a key for it shall not stand in the way of a server that wants none
        if not key and place.preset.needs_key:
            raise user_error(missing_key(_server(place)))
        return key

    def _failure_of(self, error: Exception, place: ServerAddress) -> PlimsollError | None:
        """The error of a question beside the answers, for the user; None for a bug."""
        made = (one for (address, *_), one in reversed(self._connections.items()) if address == place.address)
        server = _server(place, next(made, None))
        found = failed_by_exception(error, model="", server=server, started=False)
        return None if found is None else user_error(found.failure)


async def _streamed(response: httpx2.Response, reader: ChatAnswerReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of a streamed body, which ends with `[DONE]`, with what was missing, or by itself."""
    decoder = EventDecoder()
    async with aclosing(chunks_of(response.aiter_bytes)) as chunks:
        while True:
            try:
                async with asyncio.timeout(None if reader.stop_reason is None else LATE_USAGE_S):
                    chunk = await anext(chunks, None)
            except TimeoutError:
                chunk = None
            if chunk is None:
                break
            for raw in decoder.feed(chunk):
                for event in decoder.shown(reader.read, raw):
                    yield event
                if reader.error is not None:
                    return
            if decoder.done or reader.over:
                await read_to_the_end(chunks)
                break
    if decoder.done or reader.stop_reason is not None:
        for event in reader.end():
            yield event


async def _whole(response: httpx2.Response, reader: ChatAnswerReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of an answer that was not streamed, though it was asked to be."""
    async with aclosing(chunks_of(response.aiter_bytes)) as chunks:
        data = b"".join([chunk async for chunk in chunks])
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    for one in body if isinstance(body, list) else [body]:
        if isinstance(one, Mapping):
            for event in meaning(reader.read, one):
                yield event
    if reader.stop_reason is not None and reader.error is None:
        for event in reader.end():
            yield event


def _other_words(
    plan: ContextPlan, dialect: ChatDialect, refusal: ChatApiError, tried: Collection[ChatDialect]
) -> ChatDialect | None:
    """The next way to write the request that the refusal suggests; one that would not change it is none."""
    refused = request_body(plan, dialect)
    suggested = (one for one in taught(dialect, refusal) if one not in tried)
    return next((one for one in suggested if request_body(plan, one) != refused), None)


def _refusal(error: Exception) -> ChatApiError | None:
    import openai

    return error_of_response(error) if isinstance(error, openai.APIStatusError) else None


def _without(key: str, trouble: FailedAttempt) -> FailedAttempt:
    """The trouble with the key in no word of it: some servers repeat what they were given."""
    if not key:
        return trouble
    failure = trouble.failure
    hidden = replace(failure, message=failure.message.replace(key, "…"), detail=failure.detail.replace(key, "…"))
    return replace(trouble, failure=hidden)


def _server(place: ServerAddress, connection: OpenAiClient | None = None) -> ServerIdentity:
    return ServerIdentity(place.name, place.shown, keyed=connection is None or bool(connection.key))
