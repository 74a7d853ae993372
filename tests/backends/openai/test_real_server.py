"""The real llama.cpp server, with a real small model, spoken to as any compatible address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import ImagePart, ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from tests.backends.openai.backends import backend_for, plan
from tests.backends.plans import assistant, close_after, collect, user
from tests.backends.small_model import needed, small_model
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, needed]

CONTEXT = 1_024


@pytest.fixture
async def server() -> AsyncIterator[tuple[str, str]]:
    """Address and key."""
    async with small_model(CONTEXT) as served:
        yield served


@pytest.fixture
async def backend(server: tuple[str, str]) -> AsyncIterator[OpenAiBackend]:
    address, key = server
    made = backend_for(f"{address}/v1", key=key)
    await made.prepare()
    yield made
    await made.close()


def asked(backend: OpenAiBackend, *messages: PlannedMessage, max_output: int = 8, **more: Any) -> ContextPlan:
    return plan(*messages, model=backend.model(backend.default_model), max_output=max_output, **more)


async def test_it_lists_its_model_with_the_window_it_was_started_with(backend: OpenAiBackend) -> None:
    (model,) = await backend.models()
    assert (model.window, model.window_source, model.prices) == (CONTEXT, "provider", None)
    assert model.name.startswith("SmolLM2")
    assert model.id == backend.default_model
    assert backend.model("any name").window == CONTEXT


async def test_it_answers_and_sees_its_history(backend: OpenAiBackend) -> None:
    await backend.models()
    first = await collect(backend.stream(asked(backend, user("What is the capital of France?"))))
    assert len(first.of(TextDelta)) > 1
    assert isinstance(first.events[-1], Ended)
    history = (user("What is the capital of France?"), assistant(first.text))
    second = await collect(backend.stream(asked(backend, *history, user("And of Italy?"), system="Be brief.")))
    once, again = first.of(UsageReported)[-1].usage, second.of(UsageReported)[-1].usage
    assert again.prompt > once.prompt + once.output
    assert (again.cost_usd, once.output > 0) == (0.0, True)


async def test_it_takes_tools_and_their_results(backend: OpenAiBackend) -> None:
    called = assistant(ToolCallPart("c1", "search", {"q": "capital"}))
    answer = await collect(
        backend.stream(
            asked(backend, user("Search."), called, user(ToolResultPart("c1", "Paris"), "So?"), max_output=3)
        )
    )
    assert isinstance(answer.events[-1], Ended)


async def test_it_says_that_a_request_is_too_long_and_what_it_takes(backend: OpenAiBackend) -> None:
    failure = (await collect(backend.stream(asked(backend, user("word " * 2_000))))).failed.failure
    assert failure.code == "context_limit"
    assert f"{CONTEXT:,}" in failure.message
    assert read_overflow(failure.detail).window == CONTEXT


async def test_pictures_it_can_not_read_are_said(backend: OpenAiBackend) -> None:
    failure = (await collect(backend.stream(asked(backend, user(ImagePart("a", "image/png", "aGk=")))))).failed.failure
    assert (failure.code, failure.actions) == ("backend", ("switch_model", "edit_draft"))
    assert "read images" in failure.message


async def test_a_wrong_key_is_said(server: tuple[str, str]) -> None:
    backend = backend_for(f"{server[0]}/v1", key="wrong")
    failure = (await collect(backend.stream(asked(backend, user("hi"))))).failed.failure
    assert failure.code == "auth"
    with pytest.raises(PlimsollError) as caught:
        await backend.models()
    assert caught.value.failure.code == "auth"
    await backend.close()


async def test_it_is_free_again_after_a_stop(backend: OpenAiBackend) -> None:
    await close_after(3, backend.stream(asked(backend, user("Tell a very long story."), max_output=900)))
    answer = await asyncio.wait_for(collect(backend.stream(asked(backend, user("Say yes."), max_output=2))), PATIENCE_S)
    assert isinstance(answer.events[-1], Ended)
