"""The loopback Messages API against the real SDK: other tests rely on it behaving like the real thing."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from tests.patience import PATIENCE_S
from tests.servers.messages_api import (
    HELLO,
    Answer,
    Block,
    Drop,
    Emit,
    ErrorEvent,
    HttpError,
    MessagesApi,
    NoReply,
    Think,
    ToolUse,
    Wait,
    echo,
    rate_limited,
    too_long,
)
from tests.servers.messages_rules import violation

MODEL = "claude-sonnet-5-5"
HEADERS = {"anthropic-version": "2023-06-01"}


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture
def client(api: MessagesApi) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="sk-ant-test", base_url=api.url, max_retries=0) as running:
        yield running


def ask(client: anthropic.Anthropic, text: str = "hi", **more: Any) -> anthropic.types.Message:
    answer: anthropic.types.Message = client.messages.create(
        model=MODEL, max_tokens=100, messages=[{"role": "user", "content": text}], stream=False, **more
    )
    return answer


def final(client: anthropic.Anthropic) -> anthropic.types.Message:
    with client.messages.stream(model=MODEL, max_tokens=100, messages=[{"role": "user", "content": "hi"}]) as stream:
        return stream.get_final_message()


def test_says_hello_and_remembers_the_request(api: MessagesApi, client: anthropic.Anthropic) -> None:
    answer = ask(client, "What is up?")
    assert answer.content[0].type == "text"
    assert answer.content[0].text == HELLO
    assert (answer.stop_reason, answer.usage.input_tokens, answer.usage.output_tokens) == ("end_turn", 7, 8)
    (request,) = api.answers
    assert request.headers["authorization"] == "Bearer sk-ant-test"
    assert request.body["messages"] == [{"role": "user", "content": "What is up?"}]
    assert api.violations == []


@pytest.mark.parametrize("drip", [0, 1, 7])
def test_a_stream_is_the_same_however_it_is_cut(api: MessagesApi, client: anthropic.Anthropic, drip: int) -> None:
    steps = (Think("hm"), "Grüße, ", "世界 🌍", ToolUse("find", {"q": "ä"}), Emit("brand_new", {"x": 1}))
    api.script(Answer(*steps, stop_reason="tool_use", drip=drip))
    kinds = [(block.type, block.model_dump(exclude_unset=True)) for block in final(client).content]
    assert [kind for kind, _ in kinds] == ["thinking", "text", "tool_use"]
    assert kinds[0][1]["signature"]
    assert kinds[1][1]["text"] == "Grüße, 世界 🌍"
    assert kinds[2][1]["input"] == {"q": "ä"}


def test_errors_come_with_their_status_and_headers(api: MessagesApi, client: anthropic.Anthropic) -> None:
    api.script(HttpError(529), rate_limited(3), too_long(), HttpError(502, body=b"<html>"))
    with pytest.raises(anthropic.OverloadedError) as overloaded:
        ask(client)
    assert overloaded.value.type == "overloaded_error"
    with pytest.raises(anthropic.RateLimitError) as limited:
        ask(client)
    assert limited.value.response.headers["retry-after"] == "3"
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long: 213462 tokens > 200000 maximum"):
        ask(client)
    with pytest.raises(anthropic.InternalServerError):
        ask(client)
    assert [request.status for request in api.answers] == [529, 429, 400, 502]


def test_streams_can_break(api: MessagesApi, client: anthropic.Anthropic) -> None:
    api.script(Answer("a", ErrorEvent()), Answer("a", Drop()), Answer("a", Drop(reset=True)))
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        final(client)
    for _ in range(2):
        with pytest.raises(httpx2.TransportError):
            final(client)
    assert not any(request.disconnected for request in api.answers)


def test_a_gate_holds_the_stream_and_a_client_that_leaves_is_noticed(
    api: MessagesApi, client: anthropic.Anthropic
) -> None:
    gate = threading.Event()
    api.script(Answer("first", Wait(gate), "second"), Answer("x", Wait(threading.Event())))
    stream = client.messages.create(
        model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
    )
    seen = []
    for event in stream:
        if event.type == "content_block_delta":
            seen.append(event.delta.model_dump()["text"])
            gate.set()
    assert seen == ["first", "second"]
    stream = client.messages.create(
        model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
    )
    next(iter(stream))
    stream.close()
    second = api.wait_for(2)[1]
    assert second.ended.wait(PATIENCE_S)
    assert second.disconnected


def test_lists_models_and_counts(api: MessagesApi, client: anthropic.Anthropic) -> None:
    assert client.models.retrieve("claude-haiku-5-5").max_input_tokens == 1_000_000
    assert [model.id for model in client.models.list()] == [model["id"] for model in api.models]
    counted = client.messages.count_tokens(model=MODEL, messages=[{"role": "user", "content": "12345678"}])
    assert counted.input_tokens == ask(client, "12345678").usage.input_tokens == 6
    with pytest.raises(anthropic.NotFoundError):
        client.models.retrieve("claude-none")


def test_simulates_the_prompt_cache(api: MessagesApi, client: anthropic.Anthropic) -> None:
    long: Any = {"type": "text", "text": "x" * 8000, "cache_control": {"type": "ephemeral"}}
    first = ask(client, "1", system=[long]).usage
    second = ask(client, "2", system=[long]).usage
    assert (first.cache_creation_input_tokens, first.cache_read_input_tokens) == (2000, 0)
    assert (second.cache_creation_input_tokens, second.cache_read_input_tokens) == (0, 2000)
    short = ask(client, "3", system=[{**long, "text": "short"}]).usage
    assert (short.cache_creation_input_tokens, short.cache_read_input_tokens) == (0, 0)


def test_refuses_what_the_real_api_refuses(api: MessagesApi, client: anthropic.Anthropic) -> None:
    with pytest.raises(anthropic.BadRequestError, match="non-whitespace"):
        ask(client, " ")
    assert len(api.violations) == 1
    with pytest.raises(anthropic.NotFoundError, match="gpt-4"):
        client.messages.create(model="gpt-4", max_tokens=1, messages=[{"role": "user", "content": "hi"}])


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def text(words: str = "hi", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


SHORT: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
LONG: dict[str, Any] = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_tokens": -1}, "max_tokens"),
        ({"max_tokens": 0, "stream": True}, "max_tokens"),
        ({"max_tokens": 0, "thinking": {"type": "enabled", "budget_tokens": 1_024}}, "max_tokens"),
        ({"nonsense": 1}, "nonsense: Extra inputs"),
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "assistant", "content": "x"}, user(text())]}, 'must use the "user" role'),
        ({"messages": [user(text()), {"role": "assistant", "content": "x"}]}, "prefill"),
        ({"messages": [user()]}, "non-empty content"),
        ({"messages": [user(text(""))]}, "must be non-empty"),
        ({"messages": [user(text("\n "))]}, "non-whitespace"),
        ({"messages": [user(text(id="1"))]}, "text.id: Extra inputs"),
        ({"messages": [user({"type": "hologram"})]}, "expected tags"),
        ({"messages": [user({"type": "thinking", "thinking": "x", "signature": "s", **SHORT})]}, "cache_control"),
        ({"messages": [user({"type": "thinking", "thinking": "x"})]}, "signature"),
        ({"messages": [user(*[text(**SHORT)] * 5)]}, "Found 5"),
        ({"system": [text(**SHORT)], "messages": [user(text(**LONG))]}, "must not come after"),
        ({"messages": [user(text()), CALL, user(text())]}, "without `tool_result`"),
        ({"messages": [user(RESULT)]}, "unexpected `tool_use_id`"),
    ],
)
def test_rules(change: dict[str, Any], words: str) -> None:
    good: dict[str, Any] = {"model": MODEL, "max_tokens": 1, "messages": [user(text())]}
    assert violation(good, HEADERS) is None
    assert words in (violation(good | change, HEADERS) or "")


@pytest.mark.parametrize(
    "good",
    [
        {"system": [text(**LONG)], "messages": [user(text(**LONG), text(**SHORT))]},
        {"messages": [user(text()), CALL, user(RESULT, text())]},
        {"messages": [user(text()), user(text()), {"role": "assistant", "content": "x"}, user(text())]},
    ],
)
def test_what_is_right_passes(good: dict[str, Any]) -> None:
    assert violation({"model": MODEL, "max_tokens": 1} | good, HEADERS) is None


def test_echoes_on_request() -> None:
    with MessagesApi(default=echo) as api, anthropic.Anthropic(api_key="k", base_url=api.url) as client:
        assert ask(client, "one").content[0].model_dump()["text"] == "user: one"


def test_unknown_blocks_reach_the_client(api: MessagesApi, client: anthropic.Anthropic) -> None:
    api.script(Answer(Block({"type": "hologram", "depth": 1})))
    assert ask(client).content[0].to_dict()["depth"] == 1


async def test_stops_while_a_request_waits() -> None:
    async with MessagesApi() as api:
        api.script(NoReply())
        client = anthropic.AsyncAnthropic(api_key="k", base_url=api.url, max_retries=0)
        import asyncio

        waiting = asyncio.create_task(
            client.messages.create(model=MODEL, max_tokens=1, messages=[{"role": "user", "content": "hi"}])
        )
        await api.arrived(1)
    with pytest.raises(anthropic.APIConnectionError):
        await waiting
    await client.close()


@pytest.mark.slow
def test_satisfies_the_claude_program(api: MessagesApi, tmp_path: Path) -> None:
    import claude_agent_sdk

    program = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "k",
    }
    done = subprocess.run(
        [program, "-p", "--output-format", "json", "--model", MODEL, "Say hello"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert HELLO.encode() in done.stdout
    assert api.violations == []
