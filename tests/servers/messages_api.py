"""Owns a loopback server that speaks the wire of the Messages API. Knows nothing of the program under test.

It runs in its own thread, so that plain, asyncio and Qt tests and child processes can all use it::

    with MessagesApi() as api:                 # or: async with MessagesApi() as api
        api.script(HttpError(529), Answer("Hel", "lo"))
        ...                                    # a client with base_url=api.url
        assert api.requests[0].body["messages"][0]["role"] == "user"
        assert api.violations == []

Each `POST /v1/messages` takes the next behaviour from the script; when the script is empty it gets `default`, an
answer with the text "Hello from the loopback server.", or what a function given as `default` makes of the request
(`echo` repeats what was sent, message by message). Behaviours:

* `Answer(*steps, stop_reason=..., usage={...}, model=..., drip=n, stop_sequence=...)`: steps are played in order.
  A plain str is `Text`. `Text(text)`, `Think(text, signature)`, `ToolUse(name, input)` and `Block(raw, deltas)` are
  content; equal kinds in a row share one block. `Wait(gate)` holds the stream until the `threading.Event` is set;
  `Pause(seconds)`; `Ping()`; `Emit(event, data)` sends any event; `Raw(bytes)` any bytes; `ErrorEvent(type, message)`
  ends the stream with an error; `Drop()` cuts the connection; `Stall()` never goes on. `usage` replaces single keys of
  the counted usage; `drip=1` sends the stream byte by byte (splitting UTF-8 and events anywhere).
* `HttpError(status, type=None, message=..., headers={})`; `too_long()` and `rate_limited(seconds)` make common ones.
* `NoReply()`: takes the request and is silent; `HangUp()`: closes the connection without an answer;
  `HeadOnly()`: sends the head of a streamed answer, and is silent from then on.

With `stream: false` the same `Answer` is sent as one JSON message (its gates and pauses hold it all the same).
`api.script(..., path="/v1/models")` (or `/v1/messages/count_tokens`) scripts the other endpoints. A request the real
API would refuse gets its 400 without using up a behaviour, and is noted in `api.violations`; `api.validate = False`
turns that off. A model that does not begin with "claude-" is answered with 404. Any other path gets a 404, HEAD a 200.

`api.requests` are all calls, whatever their path, in order of arrival; `api.answers` only the calls for an answer.
Each has `method, path, query, headers` (lower-case names), `body` (parsed JSON), `raw, client_port, status`, `ended`, a
`threading.Event` set once the answer is over; then `disconnected` says whether the client went away before its end.
`api.wait_for(n)` blocks until n answers were asked for (`await api.arrived(n)` for asyncio). Usage counts one token
per 4 bytes, and 4 for each message, or what a function given as `count_text` makes of each block's text. Prompts are
cached as the real API does it (`prompt_cache`); `api.clock.advance(seconds)` ages what is cached. Thinking goes back
only behind what it came behind (`thinking_binding`): behind anything else newer models refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import Any

from tests.servers.loopback import ScriptedHandler, ScriptedServer
from tests.servers.messages_rules import violation
from tests.servers.messages_script import (
    Answer,
    Behaviour,
    Block,
    CapturedRequest,
    Drop,
    Emit,
    ErrorEvent,
    HangUp,
    HeadOnly,
    HttpError,
    Misbehaviour,
    NoReply,
    Pause,
    Ping,
    Raw,
    Stall,
    Text,
    Think,
    ToolUse,
    Wait,
    echo,
    rate_limited,
    too_long,
)
from tests.servers.messages_stream import StreamedAnswer, WholeAnswer
from tests.servers.prompt_cache import HandClock, PromptCache, TokenCounter
from tests.servers.thinking_binding import ThinkingBindings
from tests.servers.tokens import CountText, by_bytes

__all__ = [
    "HELLO",
    "MODELS",
    "Answer",
    "Behaviour",
    "Block",
    "CapturedRequest",
    "Drop",
    "Emit",
    "ErrorEvent",
    "HangUp",
    "HeadOnly",
    "HttpError",
    "MessagesApi",
    "NoReply",
    "Pause",
    "Ping",
    "Raw",
    "Stall",
    "Text",
    "Think",
    "ToolUse",
    "Wait",
    "echo",
    "rate_limited",
    "too_long",
]

HELLO = "Hello from the loopback server."

ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def _model(model_id: str, name: str, window: int, output: int) -> dict[str, Any]:
    return {
        "type": "model",
        "id": model_id,
        "display_name": name,
        "created_at": "2026-09-01T00:00:00Z",
        "lifecycle": "active",
        "deprecated_at": None,
        "retires_at": None,
        "line": model_id.split("-")[1],
        "max_input_tokens": window,
        "max_tokens": output,
        "capabilities": None,
    }


MODELS = (
    _model("claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000),
    _model("claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000),
    _model("claude-haiku-5-5", "Claude Haiku 5.5", 1_000_000, 128_000),
    _model("claude-haiku-4-5-20251001", "Claude Haiku 4.5", 200_000, 64_000),
)


class MessagesApi(ScriptedServer):
    """The server. Start and stop it as a context manager, plain or asynchronous, or with `start` and `stop`."""

    answer_path = "/v1/messages"

    def __init__(
        self,
        *,
        default: Behaviour | Callable[[CapturedRequest], Behaviour] | None = None,
        count_text: CountText = by_bytes,
    ) -> None:
        super().__init__(default or Answer(HELLO))
        self.models: list[dict[str, Any]] = list(MODELS)
        self.clock = HandClock()
        self.cache = PromptCache(self.clock)
        self.counter = TokenCounter(count_text)
        self.bindings = ThinkingBindings()

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        return self.root

    # what follows is called by the handlers' threads

    def refusal(self, request: CapturedRequest) -> HttpError | None:
        """The error that the real API would answer with, noted in `violations`."""
        if not self.validate:
            return None
        if not (request.headers.get("x-api-key") or request.headers.get("authorization")):
            self.violations.append("no key")
            return HttpError(401, message="x-api-key header is required")
        problem = violation(request.body, request.headers, counting=request.path.endswith("count_tokens"))
        with self.changed:
            problem = problem or self.bindings.violation(request.body)
        if problem is not None:
            self.violations.append(problem)
            return HttpError(400, message=problem)
        model = str(request.body["model"])
        if not model.startswith("claude-"):
            return HttpError(404, message=f"model: {model}")
        return None

    def prompt_usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Counted input as the prompt cache leaves it; what the request's marks ask for is in the cache afterwards."""
        with self.changed:
            return self.cache.bill(str(body["model"]), self.counter.blocks(body)).usage()

    def signed(self, answer: Answer, body: Mapping[str, Any]) -> Answer:
        """The answer with its thinking bound to the request."""
        with self.changed:
            return self.bindings.signed(answer, body)

    def count_tokens(self, body: Mapping[str, Any]) -> int:
        """Tokens of a request, which the cache does not change."""
        with self.changed:
            return self.counter.total(body)


class _Handler(ScriptedHandler):
    @property
    def api(self) -> MessagesApi:
        assert isinstance(self.server.api, MessagesApi)
        return self.server.api

    # endpoints

    def _get(self) -> None:
        api, path = self.api, self.captured.path
        if isinstance(behaviour := api.behaviour(self.captured), Misbehaviour):
            self._misbehave(behaviour)
        elif path == "/v1/models":
            ids = [model["id"] for model in api.models]
            page = {"data": api.models, "has_more": False, "first_id": ids[0] if ids else None}
            self.json(200, {**page, "last_id": ids[-1] if ids else None})
        elif path.startswith("/v1/models/"):
            model_id = path.removeprefix("/v1/models/")
            found = next((model for model in api.models if model["id"] == model_id), None)
            self.json(200, found) if found else self._error(HttpError(404, message=f"model: {model_id}"))
        else:
            self._error(HttpError(404, message="Not found"))

    def _post(self) -> None:
        api, path = self.api, self.captured.path
        if path not in ("/v1/messages", "/v1/messages/count_tokens"):
            self._error(HttpError(404, message="Not found"))
            return
        if refusal := api.refusal(self.captured):
            self._error(refusal)
            return
        if isinstance(behaviour := api.behaviour(self.captured), Misbehaviour):
            self._misbehave(behaviour)
        elif path.endswith("count_tokens"):
            self.json(200, {"input_tokens": api.count_tokens(self.captured.body)})
        elif isinstance(behaviour, Answer):
            if self.captured.body.get("max_tokens") == 0:
                behaviour = Answer(stop_reason="max_tokens")  # fills the cache and answers nothing
            kind = StreamedAnswer if self.captured.body.get("stream") else WholeAnswer
            message_id = f"msg_loopback_{len(api.answers):04d}"
            usage = api.prompt_usage(self.captured.body)
            kind(self, api.signed(behaviour, self.captured.body), message_id, usage, api.counter.count).play()

    def _error(self, error: HttpError) -> None:
        kind = error.type or ERROR_TYPES.get(error.status, "api_error")
        body = {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": "req_loopback"}
        self._send(error.status, dumps(body).encode() if error.body is None else error.body, error.headers)


MessagesApi.handler = _Handler
