"""Every fault of a server of chat completions: one failure each, in words, and never a lost word of an answer."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from desktop_app.backends.openai.backend import OpenAiBackend
from desktop_app.backends.openai.presets import preset_called
from desktop_app.core.context.overflow import read_overflow
from desktop_app.core.errors import ACTIONS, UserError
from desktop_app.core.messages import FailureCode, TextPart
from desktop_app.core.stream import Ended, Notice
from tests.backends.openai.backends import KEY, backend_for, plan
from tests.backends.plans import collect, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import (
    Answer,
    Behaviour,
    Drop,
    Emit,
    ErrorEvent,
    HangUp,
    HttpError,
    NoReply,
    Raw,
    Stall,
    rate_limited,
)

pytestmark = pytest.mark.slow

PLAN = plan(user("Hello"))

HTML = {"content-type": "text/html; charset=utf-8"}


def error(status: int, message: str = "?", **fields: object) -> HttpError:
    """The usual form; `code`, `type` and `param` as given."""
    return HttpError(status, body=json.dumps({"error": {"message": message, **fields}}).encode())


def body(status: int, value: object) -> HttpError:
    """Any JSON body."""
    return HttpError(status, body=json.dumps(value).encode())


def page(status: int) -> HttpError:
    return HttpError(status, headers=HTML, body=b"<html><h1>nginx</h1></html>")


OPENAI_OVERFLOW = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 10113 tokens. "
    "Please reduce the length of the messages."
)
LLAMA_OVERFLOW = "request (9031 tokens) exceeds the available context size (8192 tokens), try increasing it"
VLLM_OVERFLOW = (
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
    "(4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion."
)
GEMINI_OVERFLOW = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
STUDIO_OVERFLOW = (
    "Trying to keep the first 4106 tokens when context the overflows. However, the model is loaded with context "
    "length of only 4096 tokens, which is not enough."
)
EXTRA_FORBIDDEN = {"detail": [{"type": "extra_forbidden", "loc": ["body", "x"], "msg": "Extra inputs are forbidden"}]}

OVERFLOWS: list[tuple[HttpError, str]] = [
    (error(400, OPENAI_OVERFLOW, code="context_length_exceeded", type="invalid_request_error"), "takes 8,192"),
    (error(400, "nothing to read", code="context_length_exceeded"), "too long for test-model."),
    (error(400, LLAMA_OVERFLOW, code=400, type="exceed_context_size_error"), "takes 8,192"),
    (error(413), "larger than 127.0.0.1:"),
    (page(413), "larger than 127.0.0.1:"),
    (error(413, "Request too large", code="rate_limit_exceeded"), "larger than 127.0.0.1:"),
    (body(400, {"object": "error", "message": VLLM_OVERFLOW, "type": "BadRequestError", "code": 400}), "takes 4,096"),
    (body(400, [{"error": {"code": 400, "message": GEMINI_OVERFLOW, "status": "INVALID_ARGUMENT"}}]), "1,200,000"),
    (body(400, {"error": STUDIO_OVERFLOW}), "takes 4,096"),
    (error(400, "Prompt is too long for this model", param="messages"), "too long for test-model"),
    (error(422, "input tokens exceed the configured limit"), "too long for test-model"),
]


@pytest.mark.parametrize(("behaviour", "words"), OVERFLOWS)
async def test_too_long_is_told_by_status_and_code_before_words(
    api: ChatApi, backend: OpenAiBackend, behaviour: HttpError, words: str
) -> None:
    api.script(behaviour)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert (failure.code, failure.actions) == ("context_limit", ("new_thread", "switch_model"))
    assert words in failure.message
    assert len(api.answers) == 1


def test_the_sizes_stay_readable_in_the_details() -> None:
    assert read_overflow(f"HTTP 400 context_length_exceeded: {OPENAI_OVERFLOW}").window == 8192
    assert read_overflow(f"HTTP 400 exceed_context_size_error: {LLAMA_OVERFLOW}").window == 8192
    assert read_overflow(f"HTTP 400 INVALID_ARGUMENT: {GEMINI_OVERFLOW}").window == 1_048_576


FAILURES: list[tuple[Behaviour, FailureCode, str, str]] = [
    (error(400, "bad things"), "backend", "did not accept the request", "switch_model"),
    (body(422, EXTRA_FORBIDDEN), "backend", "did not accept the request", "switch_model"),
    (error(400, "API key not valid. Please pass a valid API key."), "auth", "not accept this key", "open_connections"),
    (error(401), "auth", "does not accept this key", "open_connections"),
    (error(402, "Insufficient Balance"), "auth", "no credit left", "open_connections"),
    (error(403), "auth", "may not use test-model", "switch_model"),
    (error(404, "The model `x` does not exist"), "not_found", "does not know the model test-model", "switch_model"),
    (body(404, {"error": 'model "x" not found'}), "not_found", "does not know the model test-model", "switch_model"),
    (page(404), "not_found", "no chat completions at http://127.0.0.1", "open_connections"),
    (body(404, {"detail": "Not Found"}), "not_found", "no chat completions at", "open_connections"),
    (body(405, {"detail": "Method Not Allowed"}), "backend", "did not accept", "switch_model"),
    (error(429, code="insufficient_quota", type="insufficient_quota"), "auth", "no credit left", "open_connections"),
    (rate_limited(3600), "rate_limited", "Try again in 3,600 s", "retry"),
    (error(500, "image input is not supported - hint: mmproj"), "backend", "can not read pictures", "switch_model"),
    (error(501), "backend", "error of its own", "retry"),
    (HttpError(302, headers={"location": "http://127.0.0.1:1/"}), "backend", "another address", "open_connections"),
    (page(200), "backend", "did not answer as a server of chat completions", "retry"),
    (HttpError(200, body=b"{}"), "backend", "did not answer as a server of chat completions", "retry"),
    (HttpError(200, body=b"nonsense"), "backend", "did not answer as a server of chat completions", "retry"),
    (HttpError(200, headers={"content-type": "text/plain"}, body=b"hi"), "backend", "did not answer as", "retry"),
    (body(200, {"error": {"message": "no", "code": 401}}), "auth", "does not accept this key", "open_connections"),
    (Answer("a", Raw(b"data: {\n\n")), "backend", "did not answer as", "retry"),
    (Answer("a", Raw(b"data: [1]\n\n")), "backend", "did not answer as", "retry"),
    (Answer("a", Drop()), "network", "The text so far is saved", "continue"),
    (Answer("a", Drop(reset=True)), "network", "The text so far is saved", "continue"),
    (Answer("a", ErrorEvent("server_error", "?")), "overloaded", "can not answer at the moment", "retry"),
    (Answer("a", ErrorEvent("rate_limit_exceeded", "?")), "rate_limited", "rate limit", "retry"),
    (Answer("a", ErrorEvent("context_length_exceeded", "?")), "context_limit", "too long", "new_thread"),
    (Answer("a", Emit("error", {"error": {"code": 502, "message": "?"}})), "overloaded", "can not answer", "retry"),
    (Answer("a", Emit("", {"error": "just words"})), "overloaded", "can not answer", "retry"),
    (Answer("a", stop_reason="error"), "overloaded", "can not answer", "retry"),
    (Answer("a", stop_reason="insufficient_system_resource"), "overloaded", "can not answer", "retry"),
]


@pytest.mark.parametrize(("behaviour", "code", "words", "action"), FAILURES)
async def test_every_error_is_one_failure(  # noqa: PLR0917
    api: ChatApi, backend: OpenAiBackend, behaviour: Behaviour, code: FailureCode, words: str, action: str
) -> None:
    api.script(behaviour)
    answer = await collect(backend.stream(PLAN))
    failure = answer.failed.failure
    assert (failure.code, failure.actions[0]) == (code, action)
    assert words in failure.message
    assert failure.message.endswith(".")
    assert set(failure.actions) <= set(ACTIONS)
    assert answer.text == ("a" if isinstance(behaviour, Answer) else "")
    assert len(api.answers) == 1
    if isinstance(behaviour, HttpError) and behaviour.status >= 400:
        assert f"HTTP {behaviour.status}" in failure.detail
        assert "req_loopback" in failure.detail


async def test_what_came_before_a_drop_is_kept(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer("Half an ", "answer", Drop()))
    answer = await collect(backend.stream(PLAN))
    assert answer.message.parts == (TextPart("Half an answer"),)
    assert answer.failed.failure.code == "network"


async def test_a_stream_that_ends_too_early_is_a_lost_one(api: ChatApi, backend: OpenAiBackend) -> None:
    api.done = False
    api.script(Answer("Half", stop_reason=""))
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.failed.failure.code) == ("Half", "network")


SOON = {"retry-after-ms": "5"}


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (rate_limited(0.01), "Rate limited."),
        *[(HttpError(status, headers=SOON), "The model is overloaded.") for status in (500, 502, 503, 529)],
        *[(HttpError(status, headers=SOON), "The provider had an error.") for status in (408, 409, 504)],
        (HttpError(418, headers={**SOON, "x-should-retry": "true"}), "The provider had an error."),
        (HangUp(), "No connection."),
        (Answer(Drop()), "No connection."),
        (Answer(ErrorEvent("overloaded_error")), "The model is overloaded."),
    ],
)
async def test_what_may_pass_is_tried_again_and_said(
    api: ChatApi, backend: OpenAiBackend, first: Behaviour, words: str
) -> None:
    api.script(first)
    answer = await collect(backend.stream(PLAN))
    assert [notice.message.split(" Trying")[0] for notice in answer.of(Notice)] == [words]
    assert answer.of(Notice)[0].message.endswith("(2 of 3)")
    assert (answer.text, answer.events[-1]) == (HELLO, Ended("end_turn"))
    assert api.answers[0].body == api.answers[1].body


async def test_after_three_attempts_it_fails(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(*[HttpError(529, headers={"retry-after-ms": "1"})] * 3)
    answer = await collect(backend.stream(PLAN))
    assert answer.failed.failure.code == "overloaded"
    assert len(answer.of(Notice)) == 2
    assert len(api.answers) == 3


async def test_a_server_that_says_no_is_not_asked_again(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(HttpError(529, headers={"x-should-retry": "false"}))
    assert (await collect(backend.stream(PLAN))).failed.failure.code == "overloaded"
    assert len(api.answers) == 1


async def test_the_pause_that_the_server_names_is_kept(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(rate_limited(0.2))
    begun = time.monotonic()
    await collect(backend.stream(PLAN))
    assert 0.2 <= time.monotonic() - begun < 3


async def test_silence_ends_with_the_timeout_and_is_not_repeated(api: ChatApi) -> None:
    backend = backend_for(api.url, timeout_s=0.2)
    api.script(NoReply(), Answer("a", Stall()))
    assert "did not answer in time" in (await collect(backend.stream(PLAN))).failed.failure.message
    partial = await collect(backend.stream(PLAN))
    assert (partial.text, partial.failed.failure.code) == ("a", "network")
    assert len(api.answers) == 2
    await backend.close()


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("nonsense", "config", "'nonsense' is not a web address"),
        ("http://[::1", "config", "can not be used"),
        ("http://127.0.0.1:1/v1", "network", "Is the server running at http://127.0.0.1:1/v1?"),
        ("http://localhost:1/v1", "network", "Is the server running at http://localhost:1/v1?"),
    ],
)
async def test_an_address_that_leads_nowhere(url: str, code: FailureCode, words: str) -> None:
    backend = backend_for(url)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == code
    assert words in failure.message
    await backend.close()


async def test_certificates_that_can_not_be_read_are_named_where_they_are_needed(
    api: ChatApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = str(tmp_path / "missing.pem")
    monkeypatch.setenv("SSL_CERT_FILE", missing)
    backend = backend_for("https://127.0.0.1:1/v1")
    await backend.prepare()
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "config"
    assert missing in failure.message
    # a server of this computer over plain HTTP has no use for them
    here = backend_for(api.url)
    assert (await collect(here.stream(PLAN))).text == HELLO
    await here.close()


async def test_no_proxy_stands_between_this_computer_and_itself(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    backend = backend_for(api.url)
    assert (await collect(backend.stream(PLAN))).text == HELLO
    await backend.close()


async def test_a_password_in_the_address_is_not_repeated() -> None:
    backend = backend_for("http://me:hidden@127.0.0.1:1/v1")
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert "http://127.0.0.1:1/v1?" in failure.message
    assert "hidden" not in f"{failure} {backend.title} {(await backend.availability()).detail}"
    await backend.close()


async def test_without_a_key_nothing_is_sent_to_a_service_that_needs_one(api: ChatApi) -> None:
    backend = backend_for(api.url, key=None, preset=preset_called("openai"))
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert (failure.code, failure.actions) == ("config", ("open_connections",))
    assert "There is no key for OpenAI" in failure.message
    assert "OPENAI_API_KEY" in failure.message
    assert api.requests == []


async def test_a_server_that_wants_a_key_says_so(api: ChatApi) -> None:
    backend = backend_for(api.url, key=None)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "auth"
    assert "wants a key" in failure.message
    await backend.close()


async def test_a_keyring_that_fails_stands_only_in_the_way_of_who_needs_it(api: ChatApi) -> None:
    async def ask() -> str | None:
        raise UserError("config", "The keyring is locked.")

    def made(url: str | None) -> OpenAiBackend:
        return OpenAiBackend(key=ask, base_url=lambda: url, timeout_s=None, overrides={}, has_key=lambda: True)

    api.keyed = False
    here, elsewhere = made(api.url), made(None)
    await elsewhere.prepare()
    assert (await collect(here.stream(PLAN))).text == HELLO
    assert (await collect(elsewhere.stream(PLAN))).failed.failure.message == "The keyring is locked."
    await here.close()


async def test_a_key_that_can_not_be_sent(api: ChatApi) -> None:
    key = "two\nlines"
    backend = backend_for(api.url, key=key)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "config"
    assert key not in failure.detail + failure.message
    await backend.close()


@pytest.mark.parametrize("key", [KEY, "AIzaOfAnotherForm"])
async def test_no_key_and_no_text_gets_out(api: ChatApi, caplog: pytest.LogCaptureFixture, key: str) -> None:
    caplog.set_level("DEBUG")
    caplog.set_level("DEBUG", "openai")
    backend = backend_for(api.url, key=key)
    api.script(error(401, f"Incorrect API key provided: {key}."), Answer("a", ErrorEvent("x", f"key {key}")))
    for _ in range(2):
        failure = (await collect(backend.stream(plan(user("My secret words"))))).failed.failure
        assert key not in str(failure)
    assert key not in caplog.text
    assert "secret words" not in caplog.text
    await backend.close()
