"""Owns what each error of the Messages API means to the user. Knows the SDK's error classes, sends nothing.

The SDK is imported by whoever raised the error; here it is looked up only when there is one.
"""

from __future__ import annotations

import json
import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from desktop_app.backends.retries import Trouble
from desktop_app.backends.sse import BrokenStreamError
from desktop_app.core.messages import Failure, FailureCode

_TOO_LONG = re.compile(r"prompt is too long: (\d+) tokens > (\d+) maximum")
_TOO_LONG_WITH_OUTPUT = re.compile(r"input length and `max_tokens` exceed context limit")
_NO_CREDIT = re.compile(r"credit balance is too low")
_KEY = re.compile(r"sk-[A-Za-z0-9_-]{4,}")

_STATUS_OF_TYPE: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as the API reports it, over HTTP or in the middle of a stream."""

    status: int
    type: str
    message: str
    request_id: str | None = None
    retry_after_s: float | None = None
    should_retry: bool | None = None


def error_in_stream(error: Mapping[str, Any], request_id: str | None) -> ApiError:
    """The error of an `error` event, whose HTTP status was 200."""
    kind = str(error.get("type") or "api_error")
    return ApiError(_STATUS_OF_TYPE.get(kind, 500), kind, str(error.get("message") or ""), request_id)


def trouble_of_api_error(error: ApiError, model: str) -> Trouble:
    """The one failure for an error of the API, and whether another attempt may help."""
    code, message, actions = _meaning(error, model)
    shown = f"HTTP {error.status} {error.type}: {error.message}"
    detail = shown if error.request_id is None else f"{shown} (request {error.request_id})"
    retryable = error.status in (408, 409, 429) or error.status >= 500
    if error.should_retry is not None:
        retryable = error.should_retry
    failure = Failure(code, message, without_keys(detail), actions, error.retry_after_s)
    return Trouble(failure, retryable, error.retry_after_s)


def _meaning(error: ApiError, model: str) -> tuple[FailureCode, str, tuple[str, ...]]:  # noqa: PLR0911
    if found := _TOO_LONG.search(error.message):
        tokens, maximum = (f"{int(number):,}" for number in found.groups())
        sentence = f"This conversation is too long for {model}: {tokens} tokens, and it takes {maximum}."
        return (
            "context_limit",
            f"{sentence} Start a new thread or choose another model.",
            ("new_thread", "switch_model"),
        )
    match error.status:
        case 400 if _TOO_LONG_WITH_OUTPUT.search(error.message):
            sentence = (
                f"This conversation leaves {model} no room to answer. Start a new thread or choose another model."
            )
            return "context_limit", sentence, ("new_thread", "switch_model")
        case 400 if _NO_CREDIT.search(error.message):
            return "auth", _OUT_OF_CREDIT, ("open_connections", "switch_model")
        case 401:
            sentence = "Anthropic does not accept this key. Check it under Connections."
            return "auth", sentence, ("open_connections",)
        case 402:
            return "auth", _OUT_OF_CREDIT, ("open_connections", "switch_model")
        case 403:
            sentence = f"This key may not use {model}. Choose another model, or another key under Connections."
            return "auth", sentence, ("switch_model", "open_connections")
        case 404:
            sentence = f"Anthropic does not know the model {model}. Choose another model."
            return "not_found", sentence, ("switch_model",)
        case 413:
            sentence = "The request is larger than Anthropic accepts. Leave out attachments, or start a new thread."
            return "context_limit", sentence, ("edit_draft", "new_thread")
        case 429:
            when = "" if error.retry_after_s is None else f" in {error.retry_after_s:,.0f} s"
            return "rate_limited", f"The rate limit of this key is reached. Try again{when or ' later'}.", ("retry",)
        case 503 | 529:
            return "overloaded", "Anthropic is overloaded at the moment. Try again in a while.", _ELSEWHERE
        case status if status >= 500 or status in (408, 409):
            return "backend", "Anthropic had an error of its own. Try again.", _ELSEWHERE
    return "backend", "Anthropic did not accept the request. Details say why.", ("switch_model", "new_thread")


_OUT_OF_CREDIT = "The Anthropic account of this key has no credit left. Add credit there, or use another connection."
_ELSEWHERE = ("retry", "switch_model")


def trouble_of_exception(error: BaseException, *, model: str, base_url: str, started: bool) -> Trouble | None:
    """The failure for what the SDK or the connection raised; None for a bug. `started`: part of the answer is there."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return trouble_of_api_error(_api_error(error), model)
    if isinstance(error, anthropic.APIConnectionError):
        cause = error.__cause__
        timed_out = isinstance(error, anthropic.APITimeoutError)
        return _no_connection(cause or error, base_url, started=started, timed_out=timed_out)
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | httpx2.StreamError):
        timed_out = isinstance(error, httpx2.TimeoutException)
        return _no_connection(error, base_url, started=started, timed_out=timed_out)
    if isinstance(error, BrokenStreamError | anthropic.APIResponseValidationError):
        return Trouble(unreadable(base_url, str(error)))
    return None


def unreadable(base_url: str, detail: str) -> Failure:
    """Something answered that is not the Messages API: a proxy, the sign-in page of a network, a wrong address."""
    message = f"{_host(base_url)} did not answer as the Messages API does. Check the address and the network."
    return Failure("backend", message, without_keys(detail), ("retry", "open_connections"))


def cut_off(base_url: str, *, started: bool, detail: str = "the stream ended before its end") -> Trouble:
    """The connection was lost. What came is kept, and nothing is sent again by itself once an answer has begun."""
    if started:
        message = "The connection was lost. The text so far is saved."
        return Trouble(Failure("network", message, detail, ("continue", "retry")))
    message = f"The connection to {_host(base_url)} was lost. Check the network, then try again."
    return Trouble(Failure("network", message, detail, ("retry",)), retryable=True)


def _no_connection(error: BaseException, base_url: str, *, started: bool, timed_out: bool) -> Trouble:  # noqa: PLR0911
    import httpx2

    host, detail = _host(base_url), without_keys(f"{type(error).__name__}: {error}")
    if isinstance(error, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
        message = f"The address {base_url!r} is not a web address. Correct it under Connections."
        return Trouble(Failure("config", message, detail, ("open_connections",)))
    if isinstance(error, httpx2.LocalProtocolError):
        message = "The key or a custom header holds characters that can not be sent. Check it under Connections."
        return Trouble(Failure("config", message, detail, ("open_connections",)))
    if started:
        return cut_off(base_url, started=True, detail=detail)
    if _by_certificate(error):
        message = f"The certificate of {host} could not be verified. Check the clock and the network's proxy."
        return Trouble(Failure("network", message, detail, ("retry",)))
    if timed_out and not isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        # the request may have been worked on, and paid for: it is not sent again by itself
        return Trouble(Failure("network", f"{host} did not answer in time. Try again.", detail, ("retry",)))
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout | httpx2.ProxyError):
        message = f"{host} could not be reached. Check the network, then try again."
        return Trouble(Failure("network", message, detail, ("retry",)), retryable=True)
    return cut_off(base_url, started=False, detail=detail)


def failure_of_setup(error: Exception) -> Failure:
    """Why no client could be made: certificates, proxy or address of this computer are set wrongly."""
    named = [f"{name} ({os.environ[name]})" for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
    if isinstance(error, OSError | ssl.SSLError) and named:
        message = f"The certificates named by {' and '.join(named)} can not be read. Correct or unset it."
    elif isinstance(error, OSError | ssl.SSLError):
        message = "The certificates of this computer can not be read. Install the system's certificates."
    elif isinstance(error, ImportError):
        message = "The proxy of this computer is of a kind that can not be used here. Use an HTTP proxy."
    else:
        message = "The address or the proxy that is set can not be used. Correct it under Connections."
    return Failure("config", message, without_keys(f"{type(error).__name__}: {error}"), ("open_connections",))


def missing_key() -> Failure:
    message = "There is no key for Anthropic. Add one under Connections, or set ANTHROPIC_API_KEY."
    return Failure("config", message, actions=("open_connections",))


def without_keys(text: str) -> str:
    """`text` with everything that looks like a key replaced."""
    return _KEY.sub("sk-…", text)


def _api_error(error: Any) -> ApiError:
    headers = error.response.headers
    should_retry = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    message = error.api_message or (error.body if isinstance(error.body, str) else json.dumps(error.body))
    kind = error.type or "no_type"
    return ApiError(error.status_code, kind, message[:2000], error.request_id, _retry_after(headers), should_retry)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue  # not there, or a date, which a clock that is wrong would make worse than no time at all
        if seconds >= 0:
            return seconds
    return None


def _by_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _host(base_url: str) -> str:
    return urlsplit(base_url).hostname or "The server"
