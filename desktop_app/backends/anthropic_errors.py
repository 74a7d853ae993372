"""Turns each error of the Messages API into a failure for the user.

The SDK is imported by whoever raised the error; here it is looked up only when there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop_app.backends.connection_errors import (
    FailedAttempt,
    broken,
    failed_by_connection,
    retry_after,
    too_long,
    without_keys,
)
from desktop_app.backends.response_bodies import BodyTooLongError, BrokenStreamError
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.errors import CONNECTIONS, PASSING, wait_words
from desktop_app.core.messages import Failure, FailureCode
from desktop_app.core.phrases import phrase

_TOO_LONG = re.compile(r"prompt is too long: (\d{1,15}) tokens > (\d{1,15}) maximum")
_TOO_LONG_WITH_OUTPUT = re.compile(r"input length and `max_tokens` exceed context limit")
# other servers that speak this wire, and gateways, each in their own words
_TOO_LONG_ELSEWHERE = re.compile(
    r"exceed_context_size|context_length_exceeded|maximum context length"
    r"|context[ _](?:length|window|size)[^.]{0,60}exceed|exceed[^.]{0,60}context[ _](?:length|window|size)"
)
# in the words of the prefix check, of a signature that is none, and of the rule for the latest answer
_THINKING_REFUSED = re.compile(
    r"bound to a different conversation|invalid `?signature`? in `?(?:redacted_)?thinking"
    r"|thinking` blocks? .*cannot be modified",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(r"credit balance is too low")
THE_API = phrase("the Messages API")
"""The name of the API, from which a server that does not answer in its way is told apart."""

LONGEST_MESSAGE: Final = 2_000
LONGEST_KIND: Final = 100
"""Characters of a server's words that are kept, and of its name for the error."""

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
class AnthropicError:
    """An error as the API reports it, over HTTP or in the middle of a stream."""

    status: int
    type: str
    message: str
    request_id: str | None = None
    retry_after_s: float | None = None
    should_retry: bool | None = None


def error_in_stream(error: Mapping[str, Any], request_id: str | None) -> AnthropicError:
    """The error of an `error` event, whose HTTP status was 200."""
    kind, message = (one if isinstance(one := error.get(key), str) else "" for key in ("type", "message"))
    kind = kind[:LONGEST_KIND] or "api_error"
    return AnthropicError(_STATUS_OF_TYPE.get(kind, 500), kind, message[:LONGEST_MESSAGE], request_id)


def failed_by_api_error(error: AnthropicError, model: str) -> FailedAttempt:
    """The one failure for an error of the API, and whether another attempt may help."""
    code, message, actions = _meaning(error, model)
    shown = f"HTTP {error.status} {error.type}: {error.message}"
    detail = shown if error.request_id is None else f"{shown} (request {error.request_id})"
    retryable = error.status in (408, 409, 429) or error.status >= 500
    if error.should_retry is not None:
        retryable = error.should_retry
    failure = Failure(code, message, without_keys(detail), actions, error.retry_after_s)
    return FailedAttempt(failure, retryable, error.retry_after_s)


def _meaning(error: AnthropicError, model: str) -> tuple[FailureCode, str, tuple[str, ...]]:  # noqa: PLR0911, PLR0912
    if found := _TOO_LONG.search(error.message):
        tokens, maximum = (f"{int(number):,}" for number in found.groups())
        sentence = phrase(
            "This thread is too long for {model}: {tokens} tokens, and it takes {maximum}.",
            model=model,
            tokens=tokens,
            maximum=maximum,
        )
        return (
            "context_limit",
            phrase("{sentence} Start a new thread or choose another model.", sentence=sentence),
            ("new_thread", "switch_model"),
        )
    match error.status:
        case 400 | 413 | 422 | 500 if _TOO_LONG_ELSEWHERE.search(f"{error.type} {error.message}".lower()):
            window = read_overflow(error.message).window
            size = "" if window is None else phrase(", which takes {window:,} tokens", window=window)
            sentence = phrase(
                "This thread is too long for {model}{size}. Start a new thread or choose another model.",
                model=model,
                size=size,
            )
            return "context_limit", sentence, ("new_thread", "switch_model")
        case 400 if _TOO_LONG_WITH_OUTPUT.search(error.message):
            sentence = phrase(
                "This thread leaves {model} no room to answer. Start a new thread or choose another model.",
                model=model,
            )
            return "context_limit", sentence, ("new_thread", "switch_model")
        case 400 if _NO_CREDIT.search(error.message):
            return "auth", _OUT_OF_CREDIT, ("open_connections", "switch_model", "retry")
        case 401:
            sentence = phrase("Anthropic does not accept this key. Check it{where}.", where=CONNECTIONS)
            return "auth", sentence, ("replace_key", "retry", "switch_model")
        case 402:
            return "auth", _OUT_OF_CREDIT, ("open_connections", "switch_model", "retry")
        case 403:
            sentence = phrase(
                "This key may not use {model}. Choose another model, or another key{where}.",
                where=CONNECTIONS,
                model=model,
            )
            return "auth", sentence, ("switch_model", "replace_key", "retry")
        case 404:
            sentence = phrase("Anthropic does not know the model {model}. Choose another model.", model=model)
            return "not_found", sentence, ("switch_model",)
        case 413:
            sentence = phrase(
                "The request is larger than Anthropic accepts. Leave out attachments, or start a new thread."
            )
            return "context_limit", sentence, ("edit_draft", "new_thread")
        case 429:
            when = wait_words(error.retry_after_s)
            return "rate_limited", phrase("The rate limit of this key is reached. Try again{when}.", when=when), PASSING
        case 503 | 529:
            return "overloaded", phrase("Anthropic is overloaded at the moment. Try again in a while."), PASSING
        case status if status >= 500 or status in (408, 409):
            return "backend", phrase("Anthropic had an internal error. Try again."), PASSING
        case status if 300 <= status < 400:
            sentence = phrase("The address for Anthropic sends to another one. Set that one{where}.", where=CONNECTIONS)
            return "backend", sentence, ("open_connections",)
    return "backend", phrase("Anthropic did not accept the request. Details say why."), ("switch_model", "new_thread")


_OUT_OF_CREDIT = phrase(
    "The Anthropic account of this key has no credit left. Add credit there, or use another connection."
)


def failed_by_exception(error: BaseException, *, model: str, base_url: str, started: bool) -> FailedAttempt | None:
    """The failure for what the SDK or the connection raised; None for a bug. `started`: part of the answer is there."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return failed_by_api_error(_api_error(error), model)
    if isinstance(error, anthropic.APIConnectionError):
        cause = error.__cause__
        timed_out = isinstance(error, anthropic.APITimeoutError)
        return failed_by_connection(cause or error, base_url, started=started, timed_out=timed_out)
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | httpx2.StreamError):
        timed_out = isinstance(error, httpx2.TimeoutException)
        return failed_by_connection(error, base_url, started=started, timed_out=timed_out)
    if isinstance(error, BodyTooLongError):
        return FailedAttempt(too_long(base_url, str(error), started=started))
    if isinstance(error, BrokenStreamError | anthropic.APIResponseValidationError):
        return FailedAttempt(broken(base_url, THE_API, str(error), started=started))
    return None


def was_closed(error: BaseException) -> bool:
    """Return True if a server hung up before it answered: small ones close a kept connection just as it is used."""
    import httpx2

    return isinstance(error.__cause__, httpx2.RemoteProtocolError)


def refusal_of(error: BaseException) -> AnthropicError | None:
    """Return the error that a server answered with; None where the connection failed."""
    import anthropic

    return _api_error(error) if isinstance(error, anthropic.APIStatusError) else None


def refuses_thinking(error: AnthropicError) -> bool:
    """Return True if a request was refused because of thinking that it sent back (PRODUCT.md CTX-15)."""
    return error.status == 400 and _THINKING_REFUSED.search(error.message) is not None


def missing_key() -> Failure:
    message = phrase("There is no key for Anthropic. Add one{where}, or set ANTHROPIC_API_KEY.", where=CONNECTIONS)
    return Failure("config", message, actions=("add_key", "retry"))


def _api_error(error: Any) -> AnthropicError:
    headers = error.response.headers
    should_retry = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    message = error.api_message or (error.body if isinstance(error.body, str) else json.dumps(error.body))
    kind = error.type[:LONGEST_KIND] if isinstance(error.type, str) else ""
    message = str(message)[:LONGEST_MESSAGE]
    wait_s = retry_after(headers)
    return AnthropicError(error.status_code, kind or "no_type", message, error.request_id, wait_s, should_retry)
