"""Every fault of a server of chat completions: one failure each, in words, and never a lost word of an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.errors import KeyringError, UserError
from desktop_app.core.messages import FailureCode
from tests.backends.both_apis import only_failure
from tests.backends.openai.backends import backend_for, plan, preset_called
from tests.backends.plans import collect, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import (
    Answer,
    Behaviour,
    Drop,
    Emit,
    ErrorEvent,
    HttpError,
    Raw,
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
    (error(400, "nothing to read", code="context_length_exceeded"), "too long for Test model."),
    (error(400, LLAMA_OVERFLOW, code=400, type="exceed_context_size_error"), "takes 8,192"),
    (error(413), "larger than 127.0.0.1:"),
    (page(413), "larger than 127.0.0.1:"),
    (error(413, "Request too large", code="rate_limit_exceeded"), "larger than 127.0.0.1:"),
    (body(400, {"object": "error", "message": VLLM_OVERFLOW, "type": "BadRequestError", "code": 400}), "takes 4,096"),
    (body(400, [{"error": {"code": 400, "message": GEMINI_OVERFLOW, "status": "INVALID_ARGUMENT"}}]), "1,200,000"),
    (body(400, {"error": STUDIO_OVERFLOW}), "takes 4,096"),
    (error(400, "Prompt is too long for this model", param="messages"), "too long for Test model"),
    (error(422, "input tokens exceed the configured limit"), "too long for Test model"),
]


@pytest.mark.parametrize(("behaviour", "words"), OVERFLOWS)
async def test_too_long_is_told_by_status_and_code_before_words(
    api: ChatApi, backend: OpenAiBackend, behaviour: HttpError, words: str
) -> None:
    failure = await only_failure(api, backend, PLAN, behaviour)
    assert (failure.code, failure.actions) == ("context_limit", ("new_thread", "switch_model"))
    assert words in failure.message


def test_the_sizes_stay_readable_in_the_details() -> None:
    assert read_overflow(f"HTTP 400 context_length_exceeded: {OPENAI_OVERFLOW}").window == 8192
    assert read_overflow(f"HTTP 400 exceed_context_size_error: {LLAMA_OVERFLOW}").window == 8192
    assert read_overflow(f"HTTP 400 INVALID_ARGUMENT: {GEMINI_OVERFLOW}").window == 1_048_576


FAILURES: list[tuple[Behaviour, FailureCode, str, str]] = [
    (error(400, "bad things"), "backend", "did not accept the request", "switch_model"),
    (body(422, EXTRA_FORBIDDEN), "backend", "did not accept the request", "switch_model"),
    (error(400, "API key not valid. Please pass a valid API key."), "auth", "not accept this key", "replace_key"),
    (error(401), "auth", "does not accept this key", "replace_key"),
    (error(402, "Insufficient Balance"), "auth", "no credit left", "open_connections"),
    (error(403), "auth", "may not use Test model", "switch_model"),
    (error(404, "The model `x` does not exist"), "not_found", "does not know the model Test model", "switch_model"),
    (body(404, {"error": 'model "x" not found'}), "not_found", "does not know the model Test model", "switch_model"),
    (page(404), "not_found", "no chat completions at http://127.0.0.1", "open_connections"),
    (body(404, {"detail": "Not Found"}), "not_found", "no chat completions at", "open_connections"),
    (body(405, {"detail": "Method Not Allowed"}), "backend", "did not accept", "switch_model"),
    (error(429, code="insufficient_quota", type="insufficient_quota"), "auth", "no credit left", "open_connections"),
    (rate_limited(3600), "rate_limited", "Try again in 60 min", "retry"),
    (error(500, "image input is not supported - hint: mmproj"), "backend", "read images", "switch_model"),
    (error(501), "backend", "internal error", "retry"),
    (HttpError(302, headers={"location": "http://127.0.0.1:1/"}), "backend", "another address", "open_connections"),
    (page(200), "backend", "did not answer as a chat completions server", "retry"),
    (HttpError(200, body=b"{}"), "backend", "did not answer as a chat completions server", "retry"),
    (HttpError(200, body=b"nonsense"), "backend", "did not answer as a chat completions server", "retry"),
    (HttpError(200, headers={"content-type": "text/plain"}, body=b"hi"), "backend", "did not answer as", "retry"),
    (body(200, {"error": {"message": "no", "code": 401}}), "auth", "does not accept this key", "replace_key"),
    (Answer("a", Raw(b"data: {\n\n")), "backend", "The text so far is saved", "continue"),
    (Answer("a", Raw(b"data: [1]\n\n")), "backend", "The text so far is saved", "continue"),
    (Answer("a", Drop()), "network", "The text so far is saved", "continue"),
    (Answer("a", Drop(reset=True)), "network", "The text so far is saved", "continue"),
    (Answer("a", ErrorEvent("server_error", "?")), "backend", "internal error", "retry"),
    (Answer("a", ErrorEvent("rate_limit_exceeded", "?")), "rate_limited", "rate limit", "retry"),
    (Answer("a", ErrorEvent("context_length_exceeded", "?")), "context_limit", "too long", "new_thread"),
    (
        Answer("a", Emit("error", {"error": {"code": 502, "message": "?"}})),
        "overloaded",
        "answer at the moment",
        "retry",
    ),
    (Answer("a", Emit("", {"error": "just words"})), "backend", "internal error", "retry"),
    (Answer("a", stop_reason="error"), "overloaded", "answer at the moment", "retry"),
    (Answer("a", stop_reason="insufficient_system_resource"), "overloaded", "answer at the moment", "retry"),
]


@pytest.mark.parametrize(("behaviour", "code", "words", "action"), FAILURES)
async def test_every_error_is_one_failure(  # noqa: PLR0917
    api: ChatApi, backend: OpenAiBackend, behaviour: Behaviour, code: FailureCode, words: str, action: str
) -> None:
    failure = await only_failure(api, backend, PLAN, behaviour)
    assert (failure.code, failure.actions[0]) == (code, action)
    assert words in failure.message


async def test_a_stream_that_ends_too_early_is_a_lost_one(api: ChatApi, backend: OpenAiBackend) -> None:
    api.done = False
    api.script(Answer("Half", stop_reason=""))
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.failed.failure.code) == ("Half", "network")


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
    assert (failure.code, failure.actions) == ("config", ("add_key", "retry"))
    assert "There is no key for OpenAI" in failure.message
    assert "OPENAI_API_KEY" in failure.message
    assert api.requests == []


async def test_a_server_that_wants_a_key_says_so(api: ChatApi) -> None:
    backend = backend_for(api.url, key=None)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.code == "auth"
    assert failure.message.endswith(" needs a key. Add one under Connections.")
    await backend.close()


async def test_a_keyring_that_fails_stands_only_in_the_way_of_who_needs_it(api: ChatApi) -> None:
    async def ask() -> str | None:
        raise UserError("config", "The keyring is locked.")

    api.keyed = False
    here, elsewhere = backend_for(api.url, ask=ask), backend_for(None, ask=ask)
    await elsewhere.prepare()
    assert (await collect(here.stream(PLAN))).text == HELLO
    assert (await collect(elsewhere.stream(PLAN))).failed.failure.message == "The keyring is locked."
    await here.close()


async def test_a_request_without_the_key_that_a_locked_keyring_holds_is_not_sent(api: ChatApi) -> None:
    async def ask() -> str | None:
        raise KeyringError("The keyring is locked.", "locked", holds_key=True)

    api.keyed = False
    backend = backend_for(api.url, ask=ask)
    failure = (await collect(backend.stream(PLAN))).failed.failure
    assert failure.actions == ("unlock_keyring", "retry")
    assert api.requests == []
    await backend.close()
