"""The real llama.cpp server with a real small model, spoken to as the Messages API, as chat completions, as our own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.local.local_backend import LocalBackend
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.messages import Parameters, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from tests.backends.both_apis import anthropic_for
from tests.backends.openai.backends import backend_for as openai_for
from tests.backends.plans import assistant, collect, plan_of, user
from tests.backends.small_model import needed, small_model

pytestmark = [pytest.mark.slow, needed]

CONTEXT = 2_048
SEARCH = ToolSpec("search", "Looks up.", {"type": "object", "properties": {"query": {"type": "string"}}})


@pytest.fixture
async def server() -> AsyncIterator[tuple[str, str]]:
    """Address and key."""
    async with small_model(CONTEXT) as served:
        yield served


@pytest.fixture
async def anthropic(server: tuple[str, str]) -> AsyncIterator[AnthropicBackend]:
    made = anthropic_for(server[0], key=server[1])
    yield made
    await made.close()


async def test_the_same_words_come_over_all_three(server: tuple[str, str], anthropic: AnthropicBackend) -> None:
    openai = openai_for(f"{server[0]}/v1", key=server[1])
    local = LocalBackend(model_path=None, overrides={})
    (served,) = await anthropic.ask_models()
    await openai.models()
    said = {}
    for backend, model in (
        (anthropic, served),
        (openai, openai.model(openai.default_model)),
        (local, local.model(local.default_model)),
    ):
        plan = plan_of(user("What is the capital of France?"), system="Be brief.", model=model, max_output=16)
        answer = await collect(
            backend.stream(replace(plan, request=replace(plan.request, parameters=Parameters(temperature=0.0))))
        )
        assert isinstance(answer.events[-1], Ended), answer.events[-1]
        assert len(answer.of(TextDelta)) > 1
        usage = answer.of(UsageReported)[-1].usage
        assert usage.prompt > 10
        said[backend.name] = (usage.prompt, usage.output, answer.text.split()[:3])
    await openai.close()
    await local.close()
    # the same request, put into the same words of the same template
    assert said["anthropic"] == said["openai"]


async def test_it_lists_its_model_and_counts(anthropic: AnthropicBackend) -> None:
    (model,) = await anthropic.ask_models()
    assert (model.window, model.window_source, model.accepts_tools) == (CONTEXT, "provider", True)
    assert anthropic.model(model.id) == model
    plan = plan_of(user("Hello"), model=model, max_output=4)
    answer = await collect(anthropic.stream(plan))
    assert await anthropic.count_tokens(plan) == answer.of(UsageReported)[-1].usage.prompt


async def test_it_takes_tools_and_a_loop_that_runs(anthropic: AnthropicBackend) -> None:
    (model,) = await anthropic.ask_models()
    messages = (
        user("Search."),
        assistant(ToolCallPart("t1", "search", {"query": "x"})),
        user(ToolResultPart("t1", "y")),
    )
    plan = plan_of(*messages, model=model, max_output=4)
    plan = replace(plan, request=replace(plan.request, tools=(SEARCH,), answer_now=True))
    answer = await collect(anthropic.stream(plan))
    assert isinstance(answer.events[-1], Ended), answer.events[-1]


async def test_it_says_that_a_request_is_too_long(anthropic: AnthropicBackend) -> None:
    (model,) = await anthropic.ask_models()
    failure = (await collect(anthropic.stream(plan_of(user("word " * 4_000), model=model)))).failed.failure
    assert (failure.code, f"{CONTEXT:,}" in failure.message) == ("context_limit", True), failure
    assert read_overflow(failure.detail).window == CONTEXT
