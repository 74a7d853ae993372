"""The way to a provider as the environment sets it: proxies and addresses of one's own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from desktop_app.core.model_catalog import find_model
from tests.backends.both_apis import anthropic_for
from tests.backends.openai.backends import backend_for as openai_for
from tests.backends.openai.backends import plan as openai_plan
from tests.backends.plans import collect, plan_of, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import MessagesApi

SOMEWHERE = "provider.invalid"


@pytest.fixture
async def messages_proxy(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MessagesApi]:
    """A server that is taken for a proxy, and answers by itself."""
    async with MessagesApi() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        yield proxy


async def test_a_proxy_stands_on_the_way_to_the_messages_api(messages_proxy: MessagesApi) -> None:
    backend = anthropic_for(f"http://{SOMEWHERE}")
    assert (await collect(backend.stream(plan_of(user("Hello"))))).text == HELLO
    assert len(await backend.ask_models()) == len(messages_proxy.models)
    assert {request.headers["host"] for request in messages_proxy.requests} == {SOMEWHERE}
    await backend.close()


async def test_a_host_that_is_excepted_is_asked_itself(
    messages_proxy: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", SOMEWHERE)
    backend = anthropic_for(f"http://{SOMEWHERE}")
    assert (await collect(backend.stream(plan_of(user("Hello"))))).failed.failure.code == "network"
    assert messages_proxy.requests == []
    await backend.close()


async def test_a_proxy_stands_on_the_way_to_chat_completions(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ChatApi() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.root)
        monkeypatch.delenv("NO_PROXY", raising=False)
        backend = openai_for(f"http://{SOMEWHERE}/v1")
        assert (await collect(backend.stream(openai_plan(user("Hello"))))).text == HELLO
        assert {request.headers["host"] for request in proxy.requests} == {SOMEWHERE}
        await backend.close()


@pytest.mark.parametrize("end", ["", "/"])
async def test_an_address_with_a_path_keeps_it(end: str) -> None:
    async with MessagesApi() as api:
        backend = anthropic_for(f"{api.url}/gateway{end}")
        plan = plan_of(user("Hello"), model=find_model("anthropic", "claude-haiku-4-5"))
        await collect(backend.stream(plan))
        assert await backend.count_tokens(plan) is None
        assert [request.path for request in api.requests] == [
            "/gateway/v1/messages",
            "/gateway/v1/messages/count_tokens",
        ]
        await backend.close()
