"""The real SDK against a loopback server that speaks the real wire."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desktop_app.backends.anthropic import AnthropicBackend
from desktop_app.backends.base import Backend
from desktop_app.core.catalog import ASSUMED_WINDOW, ModelOverride, find_model
from desktop_app.core.context.plan import CacheMark
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import FailureCode, TextPart, ThinkingPart, UnknownPart
from desktop_app.core.stream import Ended, Notice, TextDelta, UsageReported
from tests.backends.plans import Collected, assistant, collect, none_left, plan_of, user
from tests.servers.messages_api import (
    HELLO,
    Answer,
    Behaviour,
    Block,
    Drop,
    Emit,
    ErrorEvent,
    HangUp,
    HttpError,
    MessagesApi,
    NoReply,
    Raw,
    Stall,
    Think,
    Wait,
    rate_limited,
    too_long,
)

KEY = "sk-ant-api03-very-secret"

STOP_S = 0.1
"""What `Backend.stream` promises."""


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi() as running:
        yield running


def backend_for(url: str, *, key: str | None = KEY, timeout_s: float | None = None) -> AnthropicBackend:
    async def ask() -> str | None:
        return key

    return AnthropicBackend(key=ask, base_url=url, timeout_s=timeout_s, overrides={}, has_key=lambda: key is not None)


@pytest.fixture
async def backend(api: MessagesApi) -> AsyncIterator[AnthropicBackend]:
    made = backend_for(api.url)
    await made.prepare()  # so that no test measures the import of the SDK
    yield made
    await made.close()


PLAN = plan_of(user("Hello"))


async def test_is_a_backend(backend: AnthropicBackend) -> None:
    as_protocol: Backend = backend
    assert (as_protocol.name, as_protocol.cost_kind, as_protocol.overhead.cache_marks) == ("anthropic", "money", 4)
    assert as_protocol.model(as_protocol.default_model).window == 1_000_000


async def test_streams_an_answer(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer(Think("hm"), "Hel", "lo", model="claude-sonnet-5-5-20260901"))
    answer = await collect(backend.stream(PLAN))
    assert [event.text for event in answer.of(TextDelta)] == ["Hel", "lo"]
    assert answer.message.parts == (ThinkingPart("hm", "c2lnbmF0dXJl"), TextPart("Hello"))
    usage = answer.of(UsageReported)[-1]
    assert (usage.model, usage.usage.input, usage.usage.output) == ("claude-sonnet-5-5-20260901", 6, 3)
    assert usage.usage.cost_usd == pytest.approx((6 * 2 + 3 * 10) / 1_000_000)
    assert answer.events[-1] == Ended("end_turn")
    assert api.messages[0].headers["authorization"] == f"Bearer {KEY}"


async def test_sends_exactly_the_request_that_is_shown(api: MessagesApi, backend: AnthropicBackend) -> None:
    history = (user("one"), assistant(ThinkingPart("hm", "sig"), "two"))
    plan = plan_of(*history, user("three"), system="Be brief.", marks=[CacheMark(-1, 0, "1h"), CacheMark(1, 1, "5m")])
    await collect(backend.stream(plan))
    assert api.messages[0].body == backend.request(plan)
    assert api.violations == []


async def test_counts_what_it_would_send(api: MessagesApi, backend: AnthropicBackend) -> None:
    plan = plan_of(user("one"), assistant("two"), user("three"), system="Be brief.")
    answer = await collect(backend.stream(plan))
    assert await backend.count_tokens(plan) == answer.of(UsageReported)[-1].usage.prompt
    api.script(HttpError(500), path="/v1/messages/count_tokens")
    assert await backend.count_tokens(plan) is None


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded", "new_one"])
async def test_stop_reasons_are_passed_on(api: MessagesApi, backend: AnthropicBackend, reason: str) -> None:
    api.script(Answer("x", stop_reason=reason))
    assert (await collect(backend.stream(PLAN))).events[-1] == Ended(reason)


async def test_unknown_events_and_blocks_do_no_harm(api: MessagesApi, backend: AnthropicBackend) -> None:
    raw = {"type": "hologram", "depth": 1, "data": "x"}
    block = Block(raw, ({"type": "hologram_delta", "data": "yz"},))
    api.script(Answer("a", Emit("brand_new", {"x": 1}), Raw(b": comment\n\n"), block, "b"))
    answer = await collect(backend.stream(PLAN))
    assert answer.message.parts == (
        TextPart("a"),
        UnknownPart({"type": "hologram", "depth": 1, "data": "xyz"}),
        TextPart("b"),
    )


async def test_characters_and_events_may_be_split(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer("Grüße ", "世界 🌍", drip=1))
    assert (await collect(backend.stream(PLAN))).text == "Grüße 世界 🌍"


async def test_a_delta_of_300_kb_arrives_whole(api: MessagesApi, backend: AnthropicBackend) -> None:
    large = "ä" * 150_000
    api.script(Answer(large))
    assert (await collect(backend.stream(PLAN))).text == large


async def test_the_connection_is_used_again(api: MessagesApi, backend: AnthropicBackend) -> None:
    ports = set()
    for _ in range(3):
        await collect(backend.stream(PLAN))
        ports.add(api.messages[-1].client_port)
    assert len(ports) == 1


FAILURES: list[tuple[Behaviour, FailureCode, str, str]] = [
    (HttpError(400), "backend", "did not accept the request", "switch_model"),
    (HttpError(400, message="Your credit balance is too low to use it."), "auth", "credit", "open_connections"),
    (too_long(), "context_limit", "213,462 tokens, and it takes 200,000", "new_thread"),
    (
        HttpError(400, message="input length and `max_tokens` exceed context limit: 1 + 2 > 3"),
        "context_limit",
        "no room to answer",
        "new_thread",
    ),
    (HttpError(401), "auth", "does not accept this key", "open_connections"),
    (HttpError(402), "auth", "no credit", "open_connections"),
    (HttpError(403), "auth", "may not use claude-sonnet-5-5", "switch_model"),
    (HttpError(404), "not_found", "does not know the model claude-sonnet-5-5", "switch_model"),
    (HttpError(413), "context_limit", "larger than Anthropic accepts", "edit_draft"),
    (rate_limited(3600), "rate_limited", "Try again in 3,600 s", "retry"),
    (HttpError(302, headers={"location": "http://127.0.0.1:1/"}), "backend", "sends to another", "open_connections"),
    (Answer("a", ErrorEvent()), "overloaded", "overloaded", "retry"),
    (Answer("a", ErrorEvent("rate_limit_error", "slow")), "rate_limited", "rate limit", "retry"),
    (Answer("a", ErrorEvent("new_error", "?")), "backend", "error of its own", "retry"),
    (Answer("a", Drop()), "network", "The text so far is saved", "continue"),
    (Answer("a", Drop(reset=True)), "network", "The text so far is saved", "continue"),
    (Answer("a", Raw(b"data: {\n\n")), "backend", "did not answer as the Messages API", "retry"),
    (HttpError(200, headers={"content-type": "text/html"}, body=b"<html>"), "backend", "did not answer as", "retry"),
]


@pytest.mark.parametrize(("behaviour", "code", "words", "action"), FAILURES)
async def test_every_error_is_one_failure(  # noqa: PLR0917
    api: MessagesApi, backend: AnthropicBackend, behaviour: Behaviour, code: FailureCode, words: str, action: str
) -> None:
    api.script(behaviour)
    answer = await collect(backend.stream(PLAN))
    failure = answer.failed.failure
    assert (failure.code, failure.actions[0]) == (code, action)
    assert words in failure.message
    assert failure.message.endswith(".")
    assert len(api.messages) == 1
    assert answer.text in ("", "a")
    if isinstance(behaviour, HttpError) and behaviour.status >= 400:
        assert f"HTTP {behaviour.status}" in failure.detail
        assert "req_loopback" in failure.detail


async def test_what_came_before_a_drop_is_kept(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer("Half an ", "answer", Drop()))
    answer = await collect(backend.stream(PLAN))
    assert answer.message.parts == (TextPart("Half an answer"),)
    assert answer.failed.failure.code == "network"


async def test_a_connection_lost_after_the_stop_reason_lost_nothing(
    api: MessagesApi, backend: AnthropicBackend
) -> None:
    ended = Emit("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}})
    api.script(Answer("all", ended, Drop()))
    assert (await collect(backend.stream(PLAN))).events[-1] == Ended("end_turn")


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (rate_limited(0.01), "Rate limited."),
        (HttpError(529, headers={"retry-after-ms": "5"}), "The model is overloaded."),
        (HttpError(500, headers={"retry-after-ms": "5"}), "The provider had an error."),
        (HttpError(409, headers={"retry-after-ms": "5"}), "The provider had an error."),
        (HttpError(418, headers={"retry-after-ms": "5", "x-should-retry": "true"}), "The provider had an error."),
        (HangUp(), "No connection."),
        (Answer(Drop()), "No connection."),
        (Answer(ErrorEvent()), "The model is overloaded."),
    ],
)
async def test_what_may_pass_is_tried_again_and_said(
    api: MessagesApi, backend: AnthropicBackend, first: Behaviour, words: str
) -> None:
    api.script(first)
    answer = await collect(backend.stream(PLAN))
    assert [notice.message.split(" Trying")[0] for notice in answer.of(Notice)] == [words]
    assert answer.of(Notice)[0].message.endswith("(2 of 3)")
    assert (answer.text, answer.events[-1]) == (HELLO, Ended("end_turn"))
    assert api.messages[0].body == api.messages[1].body


async def test_after_three_attempts_it_fails(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(*[HttpError(529, headers={"retry-after-ms": "1"})] * 3)
    answer = await collect(backend.stream(PLAN))
    assert answer.failed.failure.code == "overloaded"
    assert len(answer.of(Notice)) == 2
    assert len(api.messages) == 3


async def test_a_server_that_says_no_is_not_asked_again(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(HttpError(529, headers={"x-should-retry": "false"}))
    assert (await collect(backend.stream(PLAN))).failed.failure.code == "overloaded"
    assert len(api.messages) == 1


async def test_the_pause_that_the_provider_names_is_kept(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(rate_limited(0.2))
    begun = time.monotonic()
    await collect(backend.stream(PLAN))
    assert 0.2 <= time.monotonic() - begun < 2


async def test_silence_ends_with_the_timeout_and_is_not_repeated(api: MessagesApi) -> None:
    backend = backend_for(api.url, timeout_s=0.2)
    api.script(NoReply(), Answer("a", Stall()))
    assert "did not answer in time" in (await collect(backend.stream(PLAN))).failed.failure.message
    partial = await collect(backend.stream(PLAN))
    assert (partial.text, partial.failed.failure.code) == ("a", "network")
    assert len(api.messages) == 2
    await backend.close()


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("nonsense", "config", "'nonsense' is not a web address"),
        ("http://[::1", "config", "can not be used"),
        ("http://127.0.0.1:1", "network", "127.0.0.1 could not be reached"),
    ],
)
@pytest.mark.slow
async def test_an_address_that_leads_nowhere(url: str, code: FailureCode, words: str) -> None:
    backend = backend_for(url)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == code
    assert words in failure.message
    await backend.close()


@pytest.mark.parametrize("name", ["missing.pem", "not-a-certificate.pem"])
async def test_certificates_that_can_not_be_read_are_named(
    api: MessagesApi, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "not-a-certificate.pem").write_text("nothing", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
    backend = backend_for(api.url)
    await backend.prepare()
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "config"
    assert str(tmp_path / name) in failure.message
    await backend.close()


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "strange://127.0.0.1:1"])
async def test_a_proxy_that_can_not_be_used_is_said(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    backend = backend_for("https://127.0.0.1:1")
    assert (await collect(backend.stream(PLAN))).failed.failure.code == "config"


async def test_without_a_key_nothing_is_sent(api: MessagesApi) -> None:
    backend = backend_for(api.url, key=None)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert (failure.code, failure.actions) == ("config", ("open_connections",))
    assert "ANTHROPIC_API_KEY" in failure.message
    assert api.requests == []
    available = await backend.availability()
    assert (available.ok, available.detail) == (False, failure.message)
    assert await backend.count_tokens(PLAN) is None
    assert {model.window_source for model in await backend.models()} == {"shipped"}


async def test_a_keyring_that_fails_is_one_failure(api: MessagesApi) -> None:
    async def ask() -> str | None:
        raise UserError("config", "The keyring is locked.")

    backend = AnthropicBackend(key=ask, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
    await backend.prepare()
    assert (await collect(backend.stream(PLAN))).failed.failure.message == "The keyring is locked."


async def test_a_key_that_can_not_be_sent(api: MessagesApi) -> None:
    key = "two\nlines"
    backend = backend_for(api.url, key=key)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "config"
    assert key not in failure.detail + failure.message
    await backend.close()


async def test_no_key_and_no_text_gets_out(api: MessagesApi, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    caplog.set_level("DEBUG", "anthropic")
    backend = backend_for(api.url)
    api.script(HttpError(401, message=f"invalid x-api-key: {KEY}"))
    failure = (await collect(backend.stream(plan_of(user("My secret words"))))).failed.failure
    assert KEY not in str(failure)
    assert KEY not in caplog.text
    assert "secret words" not in caplog.text
    await backend.close()


@pytest.mark.parametrize(
    "behaviour",
    [
        NoReply(),
        Answer(Stall()),
        Answer("a", Wait(threading.Event())),
        Answer(Think("hm"), Stall()),
        rate_limited(30),
    ],
)
@pytest.mark.parametrize("how", ["cancel", "aclose"])
async def test_stops_at_any_moment(api: MessagesApi, backend: AnthropicBackend, behaviour: Behaviour, how: str) -> None:
    api.script(behaviour)
    before = asyncio.all_tasks()
    stream, seen, moved = backend.stream(PLAN), Collected(), asyncio.Event()

    async def read() -> None:
        async for event in stream:
            seen.add(event)
            moved.set()

    reading = asyncio.create_task(read())
    if isinstance(behaviour, NoReply):
        await api.arrived(1)
    else:
        await asyncio.wait_for(moved.wait(), 5)
    begun = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    if how == "aclose":
        await stream.aclose()
    await none_left(before, begun + STOP_S)
    assert await asyncio.to_thread(api.messages[0].ended.wait, 2)
    if not isinstance(behaviour, HttpError):
        assert api.messages[0].disconnected
    assert (await collect(backend.stream(PLAN))).text == HELLO


async def test_closing_the_iterator_between_two_events_stops_the_model(
    api: MessagesApi, backend: AnthropicBackend
) -> None:
    api.script(Answer(*"abc", Stall()))
    before = asyncio.all_tasks()
    stream = backend.stream(PLAN)
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    begun = time.monotonic()
    await stream.aclose()
    await none_left(before, begun + STOP_S)
    assert await asyncio.to_thread(api.messages[0].ended.wait, 2)
    assert api.messages[0].disconnected


async def test_a_stop_leaves_nothing_to_the_garbage_collector(
    api: MessagesApi, backend: AnthropicBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under Qt's event loop nobody closes a generator that was dropped: Python would complain aloud."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        api.script(Answer("a", Stall()))
        stream = backend.stream(PLAN)
        while not isinstance(await anext(stream), TextDelta):
            pass
        await stream.aclose()
        del stream
        gc.collect()
    finally:
        sys.set_asyncgen_hooks(*hooks)
    assert complaints == []


async def test_stops_before_the_sdk_is_there(api: MessagesApi) -> None:
    backend = backend_for(api.url)
    reading = asyncio.create_task(collect(backend.stream(PLAN)))
    await asyncio.sleep(0)
    begun = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert time.monotonic() - begun < STOP_S
    assert api.requests == []
    await backend.close()


async def test_several_answers_at_once(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(*[Answer(f"{number}") for number in range(5)])
    answers = await asyncio.gather(*[collect(backend.stream(PLAN)) for _ in range(5)])
    assert sorted(answer.text for answer in answers) == ["0", "1", "2", "3", "4"]


async def test_a_changed_key_is_used_at_once(api: MessagesApi) -> None:
    keys = iter(["sk-ant-first", "sk-ant-second"])

    async def ask() -> str | None:
        return next(keys)

    backend = AnthropicBackend(key=ask, base_url=api.url, timeout_s=None, overrides={}, has_key=lambda: True)
    for key in ("sk-ant-first", "sk-ant-second"):
        await collect(backend.stream(PLAN))
        assert api.messages[-1].headers["authorization"] == f"Bearer {key}"
    await backend.close()


async def test_models_come_from_the_provider_and_overrides_win(api: MessagesApi) -> None:
    api.models = [
        {**api.models[0], "id": "claude-future-9", "display_name": "Future", "max_input_tokens": 2_000_000},
        {**api.models[1], "max_input_tokens": 500_000},
        {**api.models[2], "lifecycle": "retired"},
    ]

    async def ask() -> str | None:
        return KEY

    overrides = {"claude-sonnet-5-5": ModelOverride(window=123_000)}
    backend = AnthropicBackend(key=ask, base_url=api.url, timeout_s=None, overrides=overrides, has_key=lambda: True)
    assert backend.model("claude-future-9").window_source == "assumed"
    models = {model.id: model for model in await backend.models()}
    assert sorted(models) == ["claude-future-9", "claude-sonnet-5-5"]
    assert models["claude-future-9"].window == 2_000_000
    assert models["claude-future-9"].name == "Future"
    assert (models["claude-sonnet-5-5"].window, models["claude-sonnet-5-5"].window_source) == (123_000, "override")
    assert models["claude-sonnet-5-5"].prices == find_model("anthropic", "claude-sonnet-5-5").prices
    assert backend.model("claude-future-9") == models["claude-future-9"]
    await backend.close()


async def test_a_list_in_which_much_is_odd_or_missing(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.models = [
        {"id": "m"},
        {"id": None},
        {"id": "claude-opus-5", "created_at": "soon", "max_tokens": "many", "capabilities": 3},
    ]
    assert [(model.id, model.window) for model in await backend.ask_models()] == [
        ("m", ASSUMED_WINDOW),
        ("claude-opus-5", 1_000_000),
    ]


async def test_nobody_waits_long_for_what_is_asked_beside_the_answers(
    api: MessagesApi, backend: AnthropicBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.anthropic.BESIDE_WAIT_S", 0.1)
    api.script(NoReply(), path="/v1/models")
    with pytest.raises(PlimsollError) as caught:
        await backend.ask_models()
    assert caught.value.failure.code == "network"
    api.script(NoReply(), path="/v1/messages/count_tokens")
    assert await backend.count_tokens(PLAN) is None


async def test_a_long_list_comes_in_pages(api: MessagesApi, backend: AnthropicBackend) -> None:
    first = {"data": [{"id": "a"}, {"id": "b"}], "has_more": True, "last_id": "b"}
    api.script(HttpError(200, body=json.dumps(first).encode()), path="/v1/models")
    api.models = [{"id": "c"}]
    assert [model.id for model in await backend.ask_models()] == ["a", "b", "c"]
    assert api.requests[-1].query["after_id"] == "b"


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"data": null}', b'{"data": 3}'])
async def test_a_page_that_is_no_list_is_one_failure(api: MessagesApi, backend: AnthropicBackend, body: bytes) -> None:
    api.script(HttpError(200, body=body), path="/v1/models")
    with pytest.raises(PlimsollError) as caught:
        await backend.ask_models()
    assert caught.value.failure.code == "backend"
    assert "did not answer as" in caught.value.failure.message


async def test_without_the_provider_the_shipped_models_are_offered(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(HttpError(500), path="/v1/models")
    assert {model.window_source for model in await backend.models()} == {"shipped"}


def test_importing_the_module_imports_no_sdk() -> None:
    program = (
        "import sys, desktop_app.backends.anthropic, desktop_app.backends.local, desktop_app.backends.scripted;"
        "import desktop_app.credentials.keyring_store;"
        "print([name for name in ('anthropic', 'httpx2', 'xllamacpp', 'keyring', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
