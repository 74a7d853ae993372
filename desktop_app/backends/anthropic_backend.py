"""Answers with Anthropic's models through the official SDK.

Reads the list of models too, and asks why the provider's cache was not read."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from desktop_app.backends.anthropic_errors import (
    THE_API,
    error_in_stream,
    failed_by_api_error,
    failed_by_exception,
    missing_key,
    refusal_of,
    refuses_thinking,
    was_closed,
)
from desktop_app.backends.anthropic_wire import (
    PLAIN,
    AnthropicAnswerReader,
    AnthropicDialect,
    holds_search_results,
    refused_options,
    request_body,
    taught,
    thinking_in,
    usage_of,
    without_thinking,
)
from desktop_app.backends.backend_protocol import (
    Address,
    Availability,
    CostKind,
    Listed,
    Seconds,
    address_now,
    seconds_now,
)
from desktop_app.backends.connection_errors import (
    CONNECT_TIMEOUT_S,
    KEEP_ALIVE_S,
    FailedAttempt,
    attempts,
    cut_off,
    failure_of_setup,
    read_to_the_end,
    unreadable,
    user_error,
    without_options,
)
from desktop_app.backends.response_bodies import (
    ASKED_FOR,
    BrokenStreamError,
    EventDecoder,
    bound_body,
    chunks_of,
)
from desktop_app.core.backend_descriptors import ANTHROPIC
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure, Json, JsonObject, Usage
from desktop_app.core.model_catalog import (
    TO_MAX,
    ModelInfo,
    ModelOverride,
    Thinking,
    find_model,
    overridden,
    shipped_models,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Ended, Notice, Rewritten, StreamEvent, mapping_in

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic


MOST_KEPT: Final = 64
"""Conversations whose last answer is kept in mind."""

_CHANGED: Final[Mapping[str, str]] = {
    "model_changed": phrase("another model was asked before"),
    "system_changed": phrase("the system prompt changed"),
    "tools_changed": phrase("the available tools changed"),
    "messages_changed": phrase("an earlier message changed"),
}


@dataclass(frozen=True, slots=True)
class _Last:
    message_id: str
    missed: bool


class CacheDiagnosis:
    """The last answer of each conversation, which is known by its first message."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, _Last] = OrderedDict()

    def previous(self, plan: ContextPlan) -> str | None:
        """The provider's id of the previous answer where its request was expected to read the cache and did not."""
        last = self._last.get(_conversation(plan))
        return last.message_id if last is not None and last.missed else None

    def ended(self, plan: ContextPlan, message_id: str, usage: Usage | None) -> None:
        """Takes in what an answer used."""
        if not (key := _conversation(plan)) or not message_id or usage is None:
            return
        expected = plan.price.cached_tokens if plan.price.cached_tokens >= plan.model.min_cache_tokens else 0
        missed = usage.cache_write > 0 and usage.cache_read < expected // 2
        self._last[key] = _Last(message_id, missed)
        self._last.move_to_end(key)
        while len(self._last) > MOST_KEPT:
            self._last.popitem(last=False)


def _conversation(plan: ContextPlan) -> str:
    sources = (source for message in plan.request.messages for source in message.sources if source is not None)
    return next(sources, "")


def cache_notice(reason: Mapping[str, Json]) -> Notice | None:
    """Return in words what the provider found to have changed; None where it has nothing to say."""
    if (changed := _CHANGED.get(str(reason.get("type")))) is None:
        return None
    tokens = reason.get("cache_missed_input_tokens")
    size = (
        phrase(" About {tokens:,} tokens were read again.", tokens=tokens)
        if isinstance(tokens, int) and tokens > 0
        else ""
    )
    return Notice("cache", phrase("The cache was rewritten: {changed}.{size}", changed=changed, size=size))


BACKEND: Final = "anthropic"


@dataclass(frozen=True, slots=True)
class ModelListPage:
    """One page of the list. `last_id`: after which model the next one begins; None: it is the last."""

    entries: Sequence[Mapping[str, Any]]
    last_id: str | None


def entries_of(body: bytes) -> ModelListPage:
    """The models of a page that can be asked; `BrokenStreamError` for what is no such page."""
    try:
        page = json.loads(body)
    except (ValueError, RecursionError):
        page = None
    data = page.get("data") if isinstance(page, Mapping) else None
    if not isinstance(page, Mapping) or not isinstance(data, list):
        raise BrokenStreamError("no list of models")
    found = [one for one in data if isinstance(one, Mapping) and isinstance(one.get("id"), str) and one["id"]]
    last = page.get("last_id")
    goes_on = page.get("has_more") is True and isinstance(last, str)
    return ModelListPage([one for one in found if one.get("lifecycle") != "retired"], last if goes_on else None)


def model_of(entry: Mapping[str, Any]) -> ModelInfo:
    """The shipped facts with what the provider says in their place."""
    shipped = find_model(BACKEND, str(entry.get("id") or ""))
    # the second is llama.cpp's own word for it
    window = _size(entry, "max_input_tokens") or _size(mapping_in(entry, "meta"), "n_ctx")
    output = _size(entry, "max_tokens") or shipped.max_output
    model = replace(
        shipped,
        name=str(entry.get("display_name") or shipped.name),
        window=window or shipped.window,
        window_source="provider" if window else shipped.window_source,
        max_output=min(output, window) if window else output,
    )
    able = mapping_in(entry, "capabilities")
    return _with_abilities(model, able) if able else model


def _with_abilities(model: ModelInfo, able: Mapping[str, Any]) -> ModelInfo:
    efforts, searches = mapping_in(able, "effort"), mapping_in(mapping_in(able, "server_tools"), "web_search")
    levels = tuple(level for level in TO_MAX if _supported(efforts, level))
    return replace(
        model,
        accepts_images=_supported(able, "image_input", model.accepts_images),
        accepts_pdf=_supported(able, "pdf_input", model.accepts_pdf),
        efforts=(levels if efforts.get("supported") else ()) if efforts else model.efforts,
        thinking=_thinking(mapping_in(able, "thinking"), model.thinking),
        web_search=bool(searches["supported"]) if "supported" in searches else model.web_search,
    )


def _thinking(able: Mapping[str, Any], shipped: Thinking) -> Thinking:
    """Return how the model thinks: if it decides itself how much, and if that can be turned off."""
    if not (types := mapping_in(able, "types")):
        return shipped
    if not able.get("supported") or not _supported(types, "adaptive"):
        return "never"
    return "choice" if _supported(types, "disabled") else "always"


def _supported(able: Mapping[str, Any], name: str, otherwise: bool = False) -> bool:
    found = mapping_in(able, name)
    return bool(found["supported"]) if "supported" in found else otherwise


def _size(source: Mapping[str, Any], key: str) -> int | None:
    value = source.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


log = logging.getLogger(__name__)

PUBLIC_URL = "https://api.anthropic.com"

DEFAULT_TIMEOUT_S = 600.0
"""Longest silence within an answer, in seconds: the SDK's own default."""

BESIDE_WAIT_S: Final = 10.0
"""Seconds that a question beside the answers may take: for the list of models, for a count of tokens."""

PAGE: Final = 100
MOST_PAGES: Final = 20
"""Limits of asking for the list of models: models on a page, and pages at most."""

NOT_COUNTED: Final = frozenset(("stream", "max_tokens", "temperature", "diagnostics"))
"""Fields of a request that the count of its tokens does not take."""

NOT_KEPT: Final = frozenset(("stream", "max_tokens", "diagnostics"))
"""Fields of a request that is read into the cache without an answer."""

PAUSED: Final = "pause_turn"
MOST_PAUSES: Final = 5
"""The number of times an answer that the provider interrupts for its own reasons is asked to go on."""

UNTHOUGHT: Final = phrase("The provider rejected this turn's thinking. The request was sent again without it.")


@dataclass(slots=True)
class _Course:
    """The progress of an answer that may take several requests: its finished blocks, and what they used."""

    paused: list[dict[str, Any]] = field(default_factory=list)
    used: Usage | None = None
    without_thinking: bool = False
    """True if it was sent once more without its thinking, which is done only once."""

    @property
    def goes_on(self) -> bool:
        """True if it can be taken up again: it stopped among calls of the provider's own tools."""
        return any(block.get("type") == "server_tool_use" for block in self.paused)


class AnthropicBackend:
    """The Messages API. `key` is asked before each request, `has_key` must answer at once and without the network;
    so must `key_problem`: what kept the keyring from telling the key.

    Address and longest silence may be functions: then these are asked before each request, too.
    """

    name = ANTHROPIC.name
    title = ANTHROPIC.title
    cost_kind: CostKind = "money"
    overhead = Overhead(cache_marks=4, keeps_warm=True)
    default_model = "claude-sonnet-5-5"

    def __init__(
        self,
        *,
        key: Callable[[], Awaitable[str | None]],
        base_url: Address,
        timeout_s: Seconds,
        overrides: Mapping[str, ModelOverride],
        has_key: Callable[[], bool],
        key_problem: Callable[[], Failure | None] = lambda: None,
    ) -> None:
        self._key = key
        self._has_key = has_key
        self._key_problem = key_problem
        self._address = base_url
        self._seconds = timeout_s
        self._overrides = overrides
        self._provided: dict[str, ModelInfo] = {}
        self.on_listed: Listed | None = None
        self._clients: dict[tuple[str, str, float], AsyncAnthropic] = {}
        self._dialects: dict[str, AnthropicDialect] = {}
        self._refused_thinking: set[str] = set()
        self._written: tuple[ContextPlan, AnthropicDialect, dict[str, Any]] | None = None  # shown, to be sent next
        self._diagnosis = CacheDiagnosis()
        self._making = asyncio.Lock()

    @property
    def _base_url(self) -> str:
        return address_now(self._address) or PUBLIC_URL

    async def availability(self) -> Availability:
        """Return the availability: usable if a key is known."""
        if self._has_key():
            return Availability(True, phrase("A key is set."))
        return Availability(False, (self._key_problem() or missing_key()).message)

    async def models(self) -> Sequence[ModelInfo]:
        """The provider's own list with its windows; the shipped one where the provider can not be asked."""
        try:
            return await self.ask_models()
        except PlimsollError as error:
            log.info("the shipped model list is used: %s", error.failure.code)
        return tuple(self._known(model) for model in shipped_models(self.name))

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The provider's own list, asked for now and for free; `PlimsollError` says what kept it from answering."""
        try:
            client = await self._client()
            listed = [model_of(entry) for entry in await _listed(client)]
        except PlimsollError:
            raise
        except Exception as error:
            if (trouble := self._trouble(error, model="", started=False)) is None:
                raise
            raise user_error(trouble.failure) from error
        self._provided.update((model.id, model) for model in listed)
        if listed and self.on_listed is not None:
            self.on_listed(self.list_address, listed)
        models = listed or shipped_models(self.name)
        return tuple(self._known(model) for model in models)

    @property
    def list_address(self) -> str:
        """See `ListsModels`; an address that holds a password is not to be written anywhere."""
        return "" if "@" in self._base_url else self._base_url

    def remember(self, address: str, models: Sequence[ModelInfo]) -> None:
        """See `ListsModels`. What was asked for in this run stays."""
        if address == self.list_address:
            self._provided = {model.id: model for model in models} | self._provided

    def model(self, model_id: str) -> ModelInfo:
        """Return what the provider said of the model if asked, else the shipped facts; less what it refused since."""
        return self._known(self._provided.get(model_id) or find_model(self.name, model_id))

    def request(self, plan: ContextPlan) -> JsonObject:
        """The JSON body that `stream` sends."""
        dialect = self._dialect(plan.model.id)
        body = self._body(plan, dialect, _Course())
        self._written = plan, dialect, body
        return body

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        """See `Backend.stream`. A request that failed before its answer began is sent up to three times.

        An answer that the provider pauses goes on in a further request, as one answer with one usage.
        """
        course = _Course()
        for pauses in range(MOST_PAUSES + 1):
            goes_on = False
            async with aclosing(attempts(lambda: self._attempt(plan, course))) as events:
                async for event in events:
                    goes_on = event == Ended(PAUSED) and pauses < MOST_PAUSES and course.goes_on
                    if not goes_on:
                        yield event
            if not goes_on:
                return

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """The provider's count of the request; None where it could not be asked."""
        body = self._body(plan, self._dialect(plan.model.id), _Course())
        counted = {key: value for key, value in body.items() if key not in NOT_COUNTED}
        for last in (False, True):
            try:
                client = await self._client()
                count = client.messages.count_tokens
                asked = count(model=plan.model.id, messages=(), extra_body=counted, timeout=BESIDE_WAIT_S)
                return (await asked).input_tokens
            except PlimsollError:
                return None
            except Exception as error:
                if self._trouble(error, model=plan.model.name, started=False) is None:
                    raise
                if last or not was_closed(error):
                    return None
        return None

    async def keep_cached(self, request: JsonObject, model: ModelInfo) -> Usage:
        """See `KeepsCaches`: the same bytes with `max_tokens` 0, which reads them and answers nothing."""
        body = {key: value for key, value in request.items() if key not in NOT_KEPT}
        try:
            client = await self._client()
            done = await client.messages.create(model=model.id, max_tokens=0, messages=(), extra_body=body)
        except PlimsollError:
            raise
        except Exception as error:
            if (trouble := self._trouble(error, model=model.name, started=False)) is None:
                raise
            raise user_error(trouble.failure) from error
        return usage_of(done.usage.model_dump(), model)

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Imports the SDK and reads the certificates, which is what a first request would wait for. No network."""
        del plan
        try:
            await self._client()
        except PlimsollError as error:
            log.info("nothing could be prepared: %s", error.failure.code)

    async def close(self) -> None:
        while self._clients:
            _, client = self._clients.popitem()
            await client.close()

    async def _attempt(self, plan: ContextPlan, course: _Course) -> AsyncGenerator[StreamEvent | FailedAttempt, None]:
        """One request, and one more for each thing that a refusal teaches; ends with `Ended` or what went wrong."""
        dialect = self._dialect(plan.model.id)
        tried, rewritten = {dialect}, False
        while True:
            body = self._body(plan, dialect, course)
            reader = AnthropicAnswerReader(plan.model, course.used, cites=holds_search_results(body))
            better: AnthropicDialect | None = None
            unbound: set[str] = set()
            try:
                client = await self._client()
                async with aclosing(self._events(client, plan, body, dialect, reader)) as events:
                    async for event in events:
                        if rewritten and not course.paused:
                            rewritten = False
                            yield Rewritten()
                        if isinstance(event, Ended):
                            course.paused += reader.content
                            course.used = reader.usage
                        yield event
                return
            except PlimsollError as error:
                trouble = FailedAttempt(error.failure)
            except Exception as error:
                found = self._trouble(error, model=plan.model.name, started=reader.has_content)
                if found is None:
                    raise
                trouble = found
                refusal = refusal_of(error)
                if refusal is not None and refuses_thinking(refusal) and not course.without_thinking:
                    unbound = thinking_in(body)
                elif refusal is not None and trouble.failure.code in ("backend", "auth"):
                    suggested = taught(dialect, body, refusal.status, refusal.message)
                    better = next((one for one in suggested if one not in tried), None)
            if unbound:
                course.without_thinking = True
                self._refused_thinking |= unbound
                rewritten = True
                yield Notice("thinking", UNTHOUGHT)
                continue
            if better is None:
                break
            log.info("the request is written otherwise for this model")
            dialect, rewritten = better, True
            tried.add(better)
        yield self._ended_early(reader, trouble)

    async def _events(
        self,
        client: AsyncAnthropic,
        plan: ContextPlan,
        body: dict[str, Any],
        dialect: AnthropicDialect,
        reader: AnthropicAnswerReader,
    ) -> AsyncGenerator[StreamEvent | FailedAttempt, None]:
        # The bytes are decoded here and not by the SDK's models: these put blocks and events they do not know into the
        # class of another kind, and their nested generators would outlive a cancelled stream. The body goes along as
        # an extra one: the SDK would look at every block of every message, and does not know all fields.
        create = client.messages.with_streaming_response.create
        request = create(
            model=plan.model.id, max_tokens=plan.limits.max_output, messages=(), stream=True, extra_body=body
        )
        async with request as response:
            lost = refused_options(self._dialect(plan.model.id), dialect, plan)
            self._dialects[plan.model.id] = dialect
            if lost:
                yield without_options(plan.model.name, lost)
            request_id = response.headers.get("request-id")
            kind = response.headers.get("content-type", "")
            if not kind.startswith("text/event-stream"):
                yield FailedAttempt(
                    unreadable(self._base_url, THE_API, f"content-type {kind!r} (request {request_id})")
                )
                return
            decoder = EventDecoder()
            async with aclosing(chunks_of(response.http_response.aiter_bytes)) as chunks:
                async for chunk in chunks:
                    for raw in decoder.feed(chunk):
                        for event in decoder.shown(reader.read, raw):
                            yield event
                        if raw.get("type") == "message_start" and (told := cache_notice(reader.cache_miss)):
                            yield told
                        if reader.error is not None:
                            error = error_in_stream(reader.error, request_id)
                            trouble = failed_by_api_error(error, plan.model.name)
                            yield replace(trouble, retryable=trouble.retryable and not reader.has_content)
                            return
                    if reader.over:
                        self._diagnosis.ended(plan, reader.message_id, reader.usage)
                        await read_to_the_end(chunks)
                        return
            yield self._ended_early(reader, cut_off(self._base_url, started=reader.has_content))

    def _known(self, model: ModelInfo) -> ModelInfo:
        return overridden(self._dialect(model.id).able(model), self._overrides.get(model.id))

    def _dialect(self, model_id: str) -> AnthropicDialect:
        return self._dialects.get(model_id, PLAIN)

    def _body(self, plan: ContextPlan, dialect: AnthropicDialect, course: _Course) -> dict[str, Any]:
        written, self._written = self._written, None
        if written is not None and written[0] is plan and written[1] == dialect and not course.paused:
            return written[2]
        body = request_body(plan, dialect, paused=course.paused)
        if self._refused_thinking:
            body = without_thinking(body, self._refused_thinking)
        previous = self._diagnosis.previous(plan) if dialect.diagnostics else None
        if previous is not None:
            body["diagnostics"] = {"previous_message_id": previous}
        return body

    async def _client(self) -> AsyncAnthropic:
        """The client for the key of now; `UserError("config")` where there is none or none can be made."""
        base_url, key = self._base_url, (await self._key() or "").strip()  # the key is for the address of this moment
        if not key:
            raise user_error(missing_key())
        wanted = key, base_url, seconds_now(self._seconds, DEFAULT_TIMEOUT_S)
        async with self._making:
            if wanted not in self._clients:
                # a function of its own: an event loop may log what it calls, with its arguments
                self._clients[wanted] = await asyncio.to_thread(lambda: self._make_client(*wanted))
            return self._clients[wanted]

    def _make_client(self, key: str, base_url: str, timeout_s: float) -> AsyncAnthropic:
        import anthropic
        import httpx2

        # at its level "debug", which a variable of the environment can set, the SDK logs whole requests
        logging.getLogger(anthropic.__name__).setLevel(logging.WARNING)
        timeout = httpx2.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
        try:
            # made here, since the SDK's own leaves a broken object behind when it fails; a redirect would take the key
            # to another host
            http = anthropic.DefaultAsyncHttpxClient(
                timeout=timeout,
                limits=httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S),
                follow_redirects=False,
                headers=ASKED_FOR,
                event_hooks={"response": [bound_body]},
            )
            return anthropic.AsyncAnthropic(
                api_key=key, base_url=base_url, timeout=timeout, max_retries=0, http_client=http
            )
        except (OSError, ValueError, ImportError, httpx2.InvalidURL) as error:
            raise user_error(failure_of_setup(error)) from error

    def _ended_early(self, reader: AnthropicAnswerReader, trouble: FailedAttempt) -> StreamEvent | FailedAttempt:
        """A connection that is lost after the provider said why it stopped has lost nothing."""
        return trouble if reader.stop_reason is None else Ended(reader.stop_reason)

    def _trouble(self, error: Exception, *, model: str, started: bool) -> FailedAttempt | None:
        return failed_by_exception(error, model=model, base_url=self._base_url, started=started)


async def _listed(client: AsyncAnthropic) -> list[Mapping[str, Any]]:
    """The models that can be asked, as the provider lists them; `BrokenStreamError` for what is no list."""
    entries: list[Mapping[str, Any]] = []
    last: str | None = None
    for _ in range(MOST_PAGES):
        # read as plain JSON: other servers that speak this wire leave fields out, and a sign-in page is none
        ask = client.models.with_raw_response.list
        after = {} if last is None else {"after_id": last}
        response = await ask(limit=PAGE, timeout=BESIDE_WAIT_S, **after)  # type: ignore[arg-type]
        page = entries_of(response.http_response.content)
        entries += page.entries
        if (last := page.last_id) is None:
            break
    return entries
