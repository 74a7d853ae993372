"""The real SDK against a loopback server of the Messages API: what `test_both_apis` does not say of it."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.anthropic_wire import request_body
from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.context.plan import CacheMark
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.messages import FailureCode, TextPart, ThinkingPart, UnknownPart
from desktop_app.core.model_catalog import ASSUMED_WINDOW, ModelOverride, find_model
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from tests.backends.both_apis import ANTHROPIC_KEY, anthropic_for, only_failure
from tests.backends.plans import assistant, collect, plan_of, user
from tests.servers.messages_api import (
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
    Think,
    rate_limited,
    too_long,
)

PLAN = plan_of(user("Hello"))


async def test_is_a_backend(backend: AnthropicBackend) -> None:
    as_protocol: Backend = backend
    assert (as_protocol.name, as_protocol.cost_kind, as_protocol.overhead.cache_marks) == ("anthropic", "money", 4)
    assert as_protocol.model(as_protocol.default_model).window == 1_000_000


async def test_streams_an_answer(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer(Think("hm", "sig"), "Hel", "lo", model="claude-sonnet-5-5-20260901"))
    answer = await collect(backend.stream(PLAN))
    assert [event.text for event in answer.of(TextDelta)] == ["Hel", "lo"]
    assert answer.message.parts == (ThinkingPart("hm", "sig"), TextPart("Hello"))
    usage = answer.of(UsageReported)[-1]
    assert (usage.model, usage.usage.input, usage.usage.output) == ("claude-sonnet-5-5-20260901", 6, 3)
    assert usage.usage.cost_usd == pytest.approx((6 * 2 + 3 * 10) / 1_000_000)
    assert answer.events[-1] == Ended("end_turn")
    assert api.answers[0].headers["authorization"] == f"Bearer {ANTHROPIC_KEY}"


async def test_usage_lists_every_sampling_that_is_paid_for(api: MessagesApi, backend: AnthropicBackend) -> None:
    listed = [
        {"type": "compaction", "input_tokens": 180_000, "output_tokens": 3_500},
        {"type": "message", "input_tokens": 23_000, "output_tokens": 1_000},
    ]
    api.script(Answer("Hi", usage={"input_tokens": 23_000, "output_tokens": 1_000, "iterations": listed}))
    answer = await collect(backend.stream(PLAN))
    usage = answer.of(UsageReported)[-1].usage
    assert (usage.input, usage.output, usage.opening) == (203_000, 4_500, 180_000)
    assert usage.cost_usd == pytest.approx((203_000 * 2 + 4_500 * 10) / 1_000_000)


async def test_sends_exactly_the_request_that_is_shown(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer(Think("hm", "sig"), "two"))
    await collect(backend.stream(plan_of(user("one"), system="Be brief.")))
    history = (user("one"), assistant(ThinkingPart("hm", "sig"), "two"))
    plan = plan_of(*history, user("three"), system="Be brief.", marks=[CacheMark(-1, 0, "1h"), CacheMark(1, 1, "5m")])
    await collect(backend.stream(plan))
    assert {**backend.request(plan), "diagnostics": None} == {**api.answers[-1].body, "diagnostics": None}
    assert api.violations == []


async def test_what_is_stored_and_then_sent_is_written_once(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer("one"), Answer("two"))
    with patch("desktop_app.backends.anthropic_backend.request_body", side_effect=request_body) as writing:
        shown = backend.request(PLAN)
        await collect(backend.stream(PLAN))
        assert (writing.call_count, shown) == (1, api.answers[-1].body)
        await collect(backend.stream(PLAN))  # what was sent is not kept
    assert writing.call_count == 2


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
    (HttpError(401), "auth", "does not accept this key", "replace_key"),
    (HttpError(402), "auth", "no credit", "open_connections"),
    (HttpError(403), "auth", "may not use Claude Sonnet 5.5", "switch_model"),
    (HttpError(404), "not_found", "does not know the model Claude Sonnet 5.5", "switch_model"),
    (HttpError(413), "context_limit", "larger than Anthropic accepts", "edit_draft"),
    (rate_limited(3600), "rate_limited", "Try again in 60 min", "retry"),
    (HttpError(302, headers={"location": "http://127.0.0.1:1/"}), "backend", "sends to another", "open_connections"),
    (Answer("a", ErrorEvent()), "overloaded", "overloaded", "retry"),
    (Answer("a", ErrorEvent("rate_limit_error", "slow")), "rate_limited", "rate limit", "retry"),
    (Answer("a", ErrorEvent("new_error", "?")), "backend", "internal error", "retry"),
    (Answer("a", Drop()), "network", "The text so far is saved", "continue"),
    (Answer("a", Drop(reset=True)), "network", "The text so far is saved", "continue"),
    (
        Answer("a", Raw(b"data: {\n\n")),
        "backend",
        "sent something that can't be read. The text so far is saved",
        "continue",
    ),
    (HttpError(200, headers={"content-type": "text/html"}, body=b"<html>"), "backend", "did not answer as", "retry"),
]


@pytest.mark.parametrize(("behaviour", "code", "words", "action"), FAILURES)
async def test_every_error_is_one_failure(  # noqa: PLR0917
    api: MessagesApi, backend: AnthropicBackend, behaviour: Behaviour, code: FailureCode, words: str, action: str
) -> None:
    failure = await only_failure(api, backend, PLAN, behaviour)
    assert (failure.code, failure.actions[0]) == (code, action)
    assert words in failure.message


@pytest.mark.parametrize("name", ["missing.pem", "not-a-certificate.pem"])
async def test_certificates_that_can_not_be_read_are_named(
    api: MessagesApi, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "not-a-certificate.pem").write_text("nothing", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
    backend = anthropic_for(api.url)
    await backend.prepare()
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "config"
    assert str(tmp_path / name) in failure.message
    await backend.close()


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "strange://127.0.0.1:1"])
async def test_a_proxy_that_can_not_be_used_is_said(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    backend = anthropic_for("https://127.0.0.1:1")
    assert (await collect(backend.stream(PLAN))).failed.failure.code == "config"


async def test_without_a_key_nothing_is_sent(api: MessagesApi) -> None:
    backend = anthropic_for(api.url, key=None)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert (failure.code, failure.actions) == ("config", ("add_key", "retry"))
    assert "ANTHROPIC_API_KEY" in failure.message
    assert api.requests == []
    available = await backend.availability()
    assert (available.ok, available.detail) == (False, failure.message)
    assert await backend.count_tokens(PLAN) is None
    assert {model.window_source for model in await backend.models()} == {"shipped"}


async def test_a_keyring_that_fails_is_one_failure(api: MessagesApi) -> None:
    async def ask() -> str | None:
        raise UserError("config", "The keyring is locked.")

    backend = anthropic_for(api.url, ask=ask)
    await backend.prepare()
    assert (await collect(backend.stream(PLAN))).failed.failure.message == "The keyring is locked."


async def test_models_come_from_the_provider_and_overrides_win(api: MessagesApi) -> None:
    api.models = [
        {**api.models[0], "id": "claude-future-9", "display_name": "Future", "max_input_tokens": 2_000_000},
        {**api.models[1], "max_input_tokens": 500_000},
        {**api.models[2], "lifecycle": "retired"},
    ]

    backend = anthropic_for(api.url, overrides={"claude-sonnet-5-5": ModelOverride(window=123_000)})
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
    monkeypatch.setattr("desktop_app.backends.anthropic_backend.BESIDE_WAIT_S", 0.1)
    api.script(NoReply(), path="/v1/models")
    with pytest.raises(PlimsollError) as caught:
        await backend.ask_models()
    assert caught.value.failure.code == "network"
    api.script(NoReply(), path="/v1/messages/count_tokens")
    assert await backend.count_tokens(PLAN) is None


async def test_a_count_is_asked_for_again_where_the_server_hung_up(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(HangUp(), path="/v1/messages/count_tokens")
    assert await backend.count_tokens(PLAN) is not None
    api.script(HangUp(), HangUp(), path="/v1/messages/count_tokens")
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
