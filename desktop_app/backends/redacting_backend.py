"""Wraps a backend so that what it reports is valid and holds no secret of the app's."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager

from desktop_app.backends.backend_protocol import (
    Availability,
    Backend,
    CostKind,
    KeepsCaches,
    Listed,
    ListsModels,
    close_stream,
    next_event,
)
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import JsonObject, ToolResultPart, Usage
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import Redaction, StreamRedaction
from desktop_app.core.stream_events import AnswerBound, SplitPairs, StreamEvent, is_count, validated


def with_redaction(backend: Backend, redaction: Redaction) -> Backend:
    """The backend with secrets taken out of its answers, notices, errors and lists of models, and with sound values."""
    if isinstance(backend, ListsModels):
        return RedactingListingBackend(backend, backend, redaction)
    return RedactingBackend(backend, redaction)


class RedactingBackend:
    """A backend behind a `Redaction`."""

    def __init__(self, backend: Backend, redaction: Redaction) -> None:
        self._backend = backend
        self._redaction = redaction

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
        return self._backend.request(plan)

    async def keep_cached(self, request: JsonObject, model: ModelInfo) -> Usage:
        """See `KeepsCaches`; `UserError("usage")` where the backend is none."""
        if not isinstance(self._backend, KeepsCaches):
            raise UserError("usage", phrase("This provider's cache can't be kept."))
        with self._redacted_errors():
            return await self._backend.keep_cached(request, model)

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, ToolResultPart | None]:
        """The backend's events; results of tools go back into its stream."""
        clean, bound, stream = StreamRedaction(self._redaction), AnswerBound(), self._backend.stream(plan)
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
            held = () if bound.passed else pairs.rest()
            for one in (*(shown for kept in held for shown in clean.events(kept)), *clean.rest()):
                yield one
        finally:
            await close_stream(stream)

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        with self._redacted_errors():
            count = await self._backend.count_tokens(plan)
        return count if is_count(count) else None

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        await self._backend.prepare(plan)

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

    def __init__(self, backend: Backend, lists: ListsModels, redaction: Redaction) -> None:
        super().__init__(backend, redaction)
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
