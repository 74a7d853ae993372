"""The protocol that every backend speaks, settings that may change while it lives, and the wrapper of each.

A backend is constructed cheaply (no import of an SDK, no process, no network) and makes what it needs on first use. Its
wrapper sees to it that what it reports is valid and holds no secret of the app's.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.context.request_secrets import SecretScan
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import JsonObject, ToolResultPart, Usage
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import Redaction, StreamRedaction
from desktop_app.core.stream_events import AnswerBound, SplitPairs, StreamEvent, is_count, validated

Address: TypeAlias = str | Callable[[], str | None] | None
Seconds: TypeAlias = float | Callable[[], float | None] | None
"""The longest silence, in seconds; None: the backend's own."""


def address_now(address: Address) -> str | None:
    """The address as it is now; None where there is none of its own."""
    return address() if callable(address) else address


def seconds_now(seconds: Seconds, usual: float) -> float:
    """The seconds as they are now, `usual` where nothing is said."""
    return (seconds() if callable(seconds) else seconds) or usual


CostKind: TypeAlias = Literal["money", "plan", "free"]

ANY_MODEL: Final = "default"
"""The model id of a server whose models nobody has asked for yet: stands for the first that it lists."""


@dataclass(frozen=True, slots=True)
class Availability:
    """The availability of a backend on this computer now, found out without network traffic to the outside.

    `detail` is one sentence: what was found, or what to do. `found`: the thing itself is there, though it may still
    lack a login or key; with no backend named, the first one found is taken, so that its error can say what to do.
    """

    ok: bool
    detail: str
    found: bool = False


class Backend(Protocol):
    """One way to a model. Methods may be called from one event loop only."""

    @property
    def name(self) -> str:
        """The name in settings and on the command line: anthropic, claude-cli, openai, local, scripted."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def cost_kind(self) -> CostKind: ...

    @property
    def overhead(self) -> Overhead: ...

    @property
    def default_model(self) -> str:
        """The model id used where neither thread nor setting names one; `ANY_MODEL`: the first of `models()`."""

    async def availability(self) -> Availability: ...

    async def models(self) -> Sequence[ModelInfo]:
        """The models on offer, best known facts first from the provider, else from the shipped table."""

    def model(self, model_id: str) -> ModelInfo:
        """Return the facts known of one model without asking anybody; an unknown id gets the assumed window."""

    def request(self, plan: ContextPlan) -> JsonObject:
        """The exact request that `stream(plan)` sends: an API body, or {"stdin": str, "system": str} for a program."""

    def stream(self, plan: ContextPlan) -> AsyncIterator[StreamEvent]:
        """Sends the plan and yields what comes back; ends with `Ended` or `Failed`, never raises for a known error.

        Closing the iterator (`aclose`, or cancelling the task that reads it) stops the model within 100 ms and leaves
        no process or task behind. A backend whose program runs the tool loop itself yields `ToolAsked` and takes the
        call's `ToolResultPart` by `asend`; plan in, events and results out: nothing but values crosses this line.
        """

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        """The provider's own count of the request; None where there is no such service."""

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Called when the user begins to type: do what makes the next `stream` start faster. Never raises."""

    async def close(self) -> None:
        """Ends every process and connection of this backend."""


Listed: TypeAlias = Callable[[str, Sequence[ModelInfo]], None]
"""Told the address that was asked, and the models that its provider listed."""


@runtime_checkable
class ListsModels(Protocol):
    """A backend whose provider lists its models over the network, so that the list is worth being kept."""

    on_listed: Listed | None
    """Called with each list as the provider gave it, without the user's overrides."""

    @property
    def list_address(self) -> str:
        """The address that the list is asked for at now; "" where it must not be kept (it changes, or is private)."""

    def remember(self, address: str, models: Sequence[ModelInfo]) -> None:
        """Takes over what an address listed earlier, so that `model()` knows it without asking."""

    async def ask_models(self) -> Sequence[ModelInfo]:
        """The provider's list, asked for now and for free; `PlimsollError` says what kept it from answering."""


@runtime_checkable
class KeepsCaches(Protocol):
    """A backend whose provider reads a request into its cache without answering it."""

    async def keep_cached(self, request: JsonObject, model: ModelInfo) -> Usage:
        """Reads a request, as it was sent before, once more; `PlimsollError` says what kept it from that."""


async def next_event(stream: AsyncIterator[StreamEvent], result: ToolResultPart | None = None) -> StreamEvent:
    """The next event of a stream that waits for `result`. Raises `StopAsyncIteration` at its end."""
    if result is None:
        return await anext(stream)
    if not isinstance(stream, AsyncGenerator):
        raise TypeError(f"{type(stream).__name__} asks for tools, but takes no results")
    event: StreamEvent = await stream.asend(result)
    return event


async def close_stream(stream: AsyncIterator[StreamEvent]) -> None:
    """Closes the iterator where it can be closed, so that nothing of it is left running."""
    if (close := getattr(stream, "aclose", None)) is not None:
        await close()


def with_redaction(backend: Backend, redaction: Redaction, scan: SecretScan | None = None) -> Backend:
    """The backend with sound values and secrets taken out; `scan` takes those out that the user has not let go."""
    scan = scan or SecretScan()
    if isinstance(backend, ListsModels):
        return RedactingListingBackend(backend, backend, redaction, scan)
    return RedactingBackend(backend, redaction, scan)


class RedactingBackend:
    """A backend behind a `Redaction`."""

    def __init__(self, backend: Backend, redaction: Redaction, scan: SecretScan) -> None:
        self._backend = backend
        self._redaction = redaction
        self._scan = scan
        self._masked: tuple[ContextPlan, ContextPlan] | None = None

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def title(self) -> str:
        return self._redaction.of_error(self._backend.title)

    @property
    def cost_kind(self) -> CostKind:
        return self._backend.cost_kind

    @property
    def overhead(self) -> Overhead:
        return self._backend.overhead

    @property
    def default_model(self) -> str:
        return self._backend.default_model

    async def availability(self) -> Availability:
        found = await self._backend.availability()
        return Availability(found.ok, self._redaction.of_error(found.detail), found.found)

    async def models(self) -> Sequence[ModelInfo]:
        with self._redacted_errors():
            return await self._backend.models()

    def model(self, model_id: str) -> ModelInfo:
        return self._backend.model(model_id)

    def request(self, plan: ContextPlan) -> JsonObject:
        return self._backend.request(self._without_secrets(plan))

    def _without_secrets(self, plan: ContextPlan) -> ContextPlan:
        """The plan as it may leave: the same one each time, as a backend may have written it already."""
        if self._masked is None or self._masked[0] is not plan:
            request = self._scan.masked(plan.request)
            self._masked = plan, plan if request is plan.request else replace(plan, request=request)
        return self._masked[1]

    async def keep_cached(self, request: JsonObject, model: ModelInfo) -> Usage:
        """See `KeepsCaches`; `UserError("usage")` where the backend is none."""
        if not isinstance(self._backend, KeepsCaches):
            raise UserError("usage", phrase("This provider's cache can't be kept."))
        with self._redacted_errors():
            return await self._backend.keep_cached(request, model)

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        """The backend's events; results of tools go back into its stream."""
        clean, bound = StreamRedaction(self._redaction), AnswerBound()
        stream = self._backend.stream(self._without_secrets(plan))
        pairs = SplitPairs()
        result: ToolResultPart | None = None
        try:
            with self._redacted_errors():
                while not bound.passed:
                    try:
                        event = await next_event(stream, result)
                    except StopAsyncIteration:
                        break
                    result = None
                    whole = (joined for known in validated(event) for joined in pairs.joined(known))
                    taken = (kept for joined in whole for kept in bound.within(joined))
                    for one in (shown for kept in taken for shown in clean.events(kept)):
                        # only the last event of a step can ask for a tool: what was held back is text
                        result = yield one
                        result = result and self._scan.masked_result(result, plan.request.secrets)
            held = () if bound.passed else pairs.rest()
            for one in (*(shown for kept in held for shown in clean.events(kept)), *clean.rest()):
                yield one
        finally:
            await close_stream(stream)

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        with self._redacted_errors():
            count = await self._backend.count_tokens(self._without_secrets(plan))
        return count if is_count(count) else None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        await self._backend.prepare(plan and self._without_secrets(plan))

    async def close(self) -> None:
        await self._backend.close()

    @contextmanager
    def _redacted_errors(self) -> Iterator[None]:
        try:
            yield
        except PlimsollError as error:
            error.failure = self._redaction.of_failure(error.failure)
            error.args = (error.failure.message,)
            raise


class RedactingListingBackend(RedactingBackend):
    """A backend whose provider lists its models, behind a `Redaction`."""

    def __init__(self, backend: Backend, lists: ListsModels, redaction: Redaction, scan: SecretScan) -> None:
        super().__init__(backend, redaction, scan)
        self._lists = lists

    @property
    def on_listed(self) -> Listed | None:
        return self._lists.on_listed

    @on_listed.setter
    def on_listed(self, listener: Listed | None) -> None:
        self._lists.on_listed = listener

    @property
    def list_address(self) -> str:
        return self._lists.list_address

    def remember(self, address: str, models: Sequence[ModelInfo]) -> None:
        self._lists.remember(address, models)

    async def ask_models(self) -> Sequence[ModelInfo]:
        with self._redacted_errors():
            return await self._lists.ask_models()
