"""Says what each error of a server of chat completions means, and what it teaches of the server's dialect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

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
from desktop_app.core.messages import Failure, FailureCode, Parameters
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase

LONGEST_MESSAGE: Final = 2_000
"""Characters of a server's words that are kept: a validation error can repeat the whole request."""
LONGEST_NAME: Final = 100
"""Characters of a code, of a type and of a field's name."""
DEEPEST: Final = 8
"""So many objects and lists within each other are looked into for an error."""

STATUS_OF_TYPE: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "context_length_exceeded": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 529,
    "unavailable_error": 503,
}
"""Statuses for errors in a stream, whose own status was 200; any other type is the server's own fault."""


@dataclass(frozen=True, slots=True)
class ChatApiError:
    """A server's error. `structured`: one of an API, not some page. Texts are "" where it said none."""

    status: int
    message: str
    code: str = ""
    type: str = ""
    param: str = ""
    request_id: str | None = None
    retry_after_s: float | None = None
    should_retry: bool | None = None
    structured: bool = True

    @property
    def detail(self) -> str:
        """For `Details`, and for who reads the sizes in it."""
        kind = self.code or self.type
        shown = f"HTTP {self.status}{f' {kind}' if kind else ''}: {self.message}"
        return shown if self.request_id is None else f"{shown} (request {self.request_id})"


def read_error(status: int, body: Any) -> ChatApiError:
    """The error in a body: parsed JSON of any of the usual forms, or the text of some page.

    A `status` of success says that it came in a stream; then the error's own is found in it.
    """
    found = body
    for _ in range(DEEPEST):
        match found:
            case [first, *_]:  # Gemini wraps it in a list
                found = first
            case {"error": dict() | list() as inner} | {"detail": dict() as inner} | {"message": dict() as inner}:
                found = inner
            case _:
                break
    if not isinstance(found, Mapping):
        text = found if isinstance(found, str) else json.dumps(found)
        return ChatApiError(_status(status, None, None), text[:LONGEST_MESSAGE], structured=status < 300)
    message = next((found[key] for key in ("message", "error", "detail", "msg") if found.get(key)), found)
    text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    code, kind = found.get("code"), found.get("type") or found.get("status") or found.get("error_type")
    return ChatApiError(
        _status(status, code, kind),
        text[:LONGEST_MESSAGE],
        code=code[:LONGEST_NAME] if isinstance(code, str) else "",
        type=kind[:LONGEST_NAME] if isinstance(kind, str) else "",
        param=str(found.get("param") or "")[:LONGEST_NAME],
        # a framework's own page for an address that is not there
        structured=found.get("detail") != "Not Found",
    )


def _status(status: int, code: object, kind: object) -> int:
    if status >= 300:
        return status
    for said in (code, kind):
        if isinstance(said, int) and 400 <= said <= 599:
            return said
        if isinstance(said, str) and said in STATUS_OF_TYPE:
            return STATUS_OF_TYPE[said]
        if isinstance(said, str) and said.isdecimal() and len(said) == 3 and 400 <= int(said) <= 599:
            return int(said)
    return 500


THE_API: Final = phrase("a chat completions server")
"""The name of the API, from which a server that does not answer in its way is told apart."""

_TOO_LONG_CODES: Final = frozenset(
    (
        *("context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "prompt_too_long"),
        *("model_max_prompt_tokens_exceeded", "tokens_limit_reached", "request_too_large", "max_tokens_exceeded"),
    )
)
_TOO_LONG_WORDS: Final = re.compile(
    r"maximum (?:context|prompt|input|sequence) length"
    r"|context[ _](?:length|window|size)[^.]{0,60}(?:exceed|only|maximum)"
    r"|(?:exceed|larger than|longer than|beyond|over)[^.]{0,60}context[ _](?:length|window|size)"
    r"|context the overflows|prompt is too long|(?:prompt|input|request)[^.]{0,30} too long|too many (?:input )?tokens"
    r"|token count[^.]{0,40}exceeds|(?:prompt|input|tokens)[^.]{0,40} exceeds?[^.]{0,40}(?:maximum|limit|max)"
    r"|reduce the length of the (?:messages|prompt|input)"
)
_NO_CREDIT_CODES: Final = frozenset(("insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"))
_KEY_CODES: Final = frozenset(("invalid_api_key", "api_key_invalid", "invalid_authentication"))
_KEY_WORDS: Final = re.compile(r"api[ _]key not valid|invalid api[ _]key|api[ _]key (?:not found|is invalid)")
_NO_IMAGES: Final = re.compile(
    r"image(?:_url|s| input)?\b[^.]{0,40}(?:not support|unsupported|is not|are not|cannot|not allowed)"
    r"|(?:not|n't) support[^.]{0,30}(?:image|vision|multimodal)|not a (?:vision|multimodal)"
)
_OUTPUT_FIELDS: Final = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """Who was asked, for the words: its name for people, its address, whether a key was presented."""

    name: str
    address: str
    keyed: bool = True


def is_too_long(error: ChatApiError) -> bool:
    """Return True if the request was longer than the model takes: told by status and code, and by words only then."""
    if {error.code, error.type} & _TOO_LONG_CODES or error.status == 413:
        return True
    if error.status not in (400, 422, 500) or not error.structured or error.param in _OUTPUT_FIELDS:
        return False
    return _TOO_LONG_WORDS.search(error.message.lower()) is not None


def failed_by_api_error(error: ChatApiError, model: str, server: ServerIdentity) -> FailedAttempt:
    """The one failure for an error of a server, and whether another attempt may help."""
    code, message, actions = _meaning(error, model, server)
    passing = actions is PASSING and error.status != 501
    if error.should_retry is not None:
        passing = error.should_retry
    failure = Failure(code, message, without_keys(error.detail), actions, error.retry_after_s)
    return FailedAttempt(failure, passing, error.retry_after_s)


def _meaning(  # noqa: PLR0911, PLR0912
    error: ChatApiError, model: str, server: ServerIdentity
) -> tuple[FailureCode, str, tuple[str, ...]]:
    name, words = server.name, error.message.lower()
    if is_too_long(error):
        return "context_limit", _too_long(error, model, name), ("new_thread", "switch_model")
    if error.code in _NO_CREDIT_CODES or error.type in _NO_CREDIT_CODES or error.status == 402:
        message = phrase(
            "The {name} account of this key has no credit left. Add credit there, or use another connection.", name=name
        )
        return "auth", message, ("open_connections", "switch_model", "retry")
    if error.status == 401 or error.code in _KEY_CODES or (error.status == 400 and _KEY_WORDS.search(words)):
        if not server.keyed:
            return "auth", _key_needed(server), ("add_key", "retry")
        message = phrase("{name} does not accept this key. Check it{where}.", where=CONNECTIONS, name=name)
        return "auth", message, ("replace_key", "retry", "switch_model")
    match error.status:
        case 403:
            message = phrase(
                "This key may not use {model} at {name}. Choose another model, or another key{where}.",
                where=CONNECTIONS,
                model=model,
                name=name,
            )
            return "auth", message, ("switch_model", "replace_key", "retry")
        case 404 | 405 if not error.structured:  # not the model was not found, but the whole service
            message = phrase(
                "There are no chat completions at {address}. Correct the address{where}; most end in /v1.",
                where=CONNECTIONS,
                address=server.address,
            )
            return "not_found", message, ("open_connections",)
        case 404:
            return (
                "not_found",
                phrase("{name} does not know the model {model}. Choose another model.", name=name, model=model),
                ("switch_model",),
            )
        case 429:
            when = wait_words(error.retry_after_s)
            message = phrase("The rate limit of {name} is reached. Try again{when}.", name=name, when=when)
            return "rate_limited", message, PASSING
        case 400 | 415 | 422 | 500 if _NO_IMAGES.search(words):
            message = phrase("{model} can't read images. Remove them, or choose another model.", model=model)
            return "backend", message, ("switch_model", "edit_draft")
        case 502 | 503 | 529:
            return (
                "overloaded",
                phrase("{name} can't answer at the moment. Try again in a while.", name=name),
                PASSING,
            )
        case 504 | 408 | 409:
            return "backend", phrase("{name} did not finish in time. Try again.", name=name), PASSING
        case status if 300 <= status < 400:
            message = phrase(
                "{address} sends to another address. Set that one{where}.",
                where=CONNECTIONS,
                address=server.address,
            )
            return "backend", message, ("open_connections",)
        case status if status >= 500:
            return "backend", phrase("{name} had an internal error. Try again.", name=name), PASSING
    return (
        "backend",
        phrase("{name} did not accept the request. Details say why.", name=name),
        ("switch_model", "new_thread"),
    )


def _too_long(error: ChatApiError, model: str, name: str) -> str:
    if error.status == 413 and not ({error.code, error.type} & _TOO_LONG_CODES):
        return phrase(
            "The request is larger than {name} accepts. Leave out attachments, or start a new thread.", name=name
        )
    said = read_overflow(error.message)
    sizes = ""
    if said.window is not None and said.sent is not None:
        sizes = phrase(": {sent:,} tokens, and it takes {window:,}", sent=said.sent, window=said.window)
    elif said.window is not None:
        sizes = phrase(", which takes {window:,} tokens", window=said.window)
    return phrase(
        "This thread is too long for {model}{sizes}. Start a new thread or choose another model.",
        model=model,
        sizes=sizes,
    )


def failed_by_exception(
    error: BaseException, *, model: str, server: ServerIdentity, started: bool
) -> FailedAttempt | None:
    """The failure for what the SDK or the connection raised; None for a bug. `started`: part of the answer is there."""
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        return failed_by_api_error(error_of_response(error), model, server)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__ or error
        timed_out = isinstance(error, openai.APITimeoutError)
        return failed_by_connection(cause, server.address, started=started, timed_out=timed_out)
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | httpx2.StreamError):
        timed_out = isinstance(error, httpx2.TimeoutException)
        return failed_by_connection(error, server.address, started=started, timed_out=timed_out)
    if isinstance(error, BodyTooLongError):
        return FailedAttempt(too_long(server.address, str(error), started=started))
    if isinstance(error, BrokenStreamError | openai.APIResponseValidationError):
        return FailedAttempt(broken(server.address, THE_API, str(error), started=started))
    return None


def error_of_response(error: Any) -> ChatApiError:
    """The error in an `openai.APIStatusError`; its headers say when to come again."""
    headers = error.response.headers
    should_retry = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    try:
        body = error.response.json()  # the SDK's own reading of it loses errors that are only words
    except (ValueError, RecursionError):
        body = error.response.text
    found = read_error(error.status_code, body)
    return replace(found, request_id=error.request_id, retry_after_s=retry_after(headers), should_retry=should_retry)


def missing_key(server: ServerIdentity) -> Failure:
    others = phrase("OPENAI_API_KEY goes only to OpenAI and to the address in OPENAI_BASE_URL.")
    return Failure("config", _key_needed(server), "" if server.name == "OpenAI" else others, ("add_key", "retry"))


def _key_needed(server: ServerIdentity) -> str:
    if server.name == "OpenAI":
        return phrase(
            "There is no key for {name}. Add one{where}, or set OPENAI_API_KEY.", where=CONNECTIONS, name=server.name
        )
    return phrase("{name} needs a key. Add one{where}.", where=CONNECTIONS, name=server.name)


@dataclass(frozen=True, slots=True)
class ChatDialect:
    """The way a request is written for one server or model.

    `include_usage`: the stream is asked for its usage. `output_field` names the longest answer ("": it is not sent).
    `system`: the role of the system prompt; "user": it opens the first user message, for templates without that role.
    `strict`: nothing but user and assistant in turn, so tool calls and results become text. `images`: pictures are
    sent. `reasoning_field`: under which name thinking goes back within a tool loop ("": it does not). `tools`, `effort`
    and `temperature` may be asked for. `search`: how the server is asked to search the web ("": it is not).
    """

    include_usage: bool = True
    output_field: Literal["max_tokens", "max_completion_tokens", ""] = "max_tokens"
    system: Literal["system", "developer", "user"] = "system"
    strict: bool = False
    images: bool = True
    reasoning_field: Literal["", "reasoning_content", "reasoning"] = "reasoning_content"
    tools: bool = True
    effort: bool = True
    temperature: bool = True
    search: Literal["", "plugins"] = ""

    def able(self, model: ModelInfo) -> ModelInfo:
        """The model with only those abilities that it can be asked for."""
        return replace(
            model,
            accepts_images=model.accepts_images and self.images,
            accepts_tools=model.accepts_tools and self.tools and not self.strict,
            efforts=model.efforts if self.effort else (),
            thinking=model.thinking if self.effort or model.thinking == "never" else "always",
            temperature=model.temperature and self.temperature,
            web_search=bool(self.search),
        )


PLAIN: Final = ChatDialect()
"""The dialect that most servers understand."""

_TOO_MUCH: Final = re.compile(r"too (?:large|big|high|many)|at most|less than|exceed|maximum|range|invalid value")
_NO_SYSTEM: Final = re.compile(
    r"system (?:role|message|prompt|instruction)s?\b[^.]{0,40}(?:not|n't) |unknown role\W{0,4}system"
    r"|only user and (?:assistant|model) roles|role\W{0,4}system\W{0,4} is not"
)
_IN_TURN: Final = re.compile(
    r"roles must alternate|must alternate|unexpected role|role\W{0,4}tool\W|only user(?:,| and)"
)

_TOOLS: Final = r"(?:\btools?\b(?!_)|\btool_choice\b|\btool[ -](?:us|call|choice)|\bfunction[ _-]call)"
_NO_TOOLS: Final = re.compile(
    rf"(?:\bnot|n't|no endpoints|unsupported|unrecogni[sz]ed|unknown)\b[^.]{{0,60}}{_TOOLS}"
    rf"|{_TOOLS}[^.]{{0,40}}(?:\bnot\b|n't |unsupported|requires?\b|extra inputs|--jinja)"
)
_OF_A_CALL: Final = re.compile(r"role\W{0,4}tool\W|tool_calls?\b|tool_call_id|must be followed|preceding")


def taught(dialect: ChatDialect, error: ChatApiError) -> Iterator[ChatDialect]:
    """The dialects that a refused request suggests instead, most likely first; nothing if it was refused otherwise."""
    words = f"{error.param} {error.message}".lower()
    no_tools = bool(_NO_TOOLS.search(words)) and not _OF_A_CALL.search(words)
    if not (error.status in (400, 422) or error.status >= 500 or (error.status == 404 and no_tools)):
        return
    if dialect.include_usage and ("stream_options" in words or "include_usage" in words):
        yield replace(dialect, include_usage=False)
    if dialect.output_field and dialect.output_field in words:
        if not _TOO_MUCH.search(words.replace("max_tokens", "").replace("max_completion_tokens", "")):
            other: Literal["max_tokens", "max_completion_tokens"] = (
                "max_completion_tokens" if dialect.output_field == "max_tokens" else "max_tokens"
            )
            yield replace(dialect, output_field=other)
        yield replace(dialect, output_field="")
    if dialect.reasoning_field and dialect.reasoning_field in words:
        yield replace(dialect, reasoning_field="")
    if dialect.tools and no_tools:
        yield replace(dialect, tools=False)
    if dialect.effort and re.search(r"reasoning[_. ]effort|\beffort\b", words):
        yield replace(dialect, effort=False)
    if dialect.temperature and re.search(r"\btemperature\b", words):
        yield replace(dialect, temperature=False)
    if dialect.search and re.search(r"\bplugins?\b|web[_ ]search", words):
        yield replace(dialect, search="")
    if dialect.system == "developer" and "developer" in words:
        yield replace(dialect, system="system")
    if dialect.system != "user" and _NO_SYSTEM.search(words):
        yield replace(dialect, system="user")
    if not dialect.strict and _IN_TURN.search(words):
        yield replace(dialect, strict=True)


def refused_options(before: ChatDialect, after: ChatDialect, wishes: Parameters) -> tuple[str, ...]:
    """Return, in words, what the user asked for and `after` can't be asked for."""
    lost = (
        (before.effort and not after.effort and bool(wishes.effort), phrase("a level of effort")),
        (before.effort and not after.effort and wishes.thinking is False, phrase("an answer without thinking")),
        (before.temperature and not after.temperature and wishes.temperature is not None, phrase("a temperature")),
        (bool(before.search) and not after.search and wishes.web_search, phrase("a web search")),
    )
    return tuple(words for is_lost, words in lost if is_lost)
