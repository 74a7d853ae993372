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
* `NoReply()`: takes the request and is silent; `HangUp()`: closes the connection without an answer.

With `stream: false` the same `Answer` is sent as one JSON message (its gates and pauses hold it all the same).
`api.script(..., path="/v1/models")` (or `/v1/messages/count_tokens`) scripts the other endpoints. A request the real
API would refuse gets its 400 without using up a behaviour, and is noted in `api.violations`; `api.validate = False`
turns that off. A model that does not begin with "claude-" is answered with 404. Any other path gets a 404, HEAD a 200.

`api.requests` are all calls, whatever their path, in order of arrival; `api.messages` only the calls for an answer.
Each has `method, path, query, headers` (lower-case names), `body` (parsed JSON), `raw, client_port, status`, `ended`, a
`threading.Event` set once the answer is over; then `disconnected` says whether the client went away before its end.
`api.wait_for(n)` blocks until n answers were asked for (`await api.arrived(n)` for asyncio). Usage counts one token
per 4 bytes, and 4 for each message, or what a function given as `count_text` makes of each block's text. Prompts are
cached as the real API does it (`prompt_cache`); `api.clock.advance(seconds)` ages what is cached.
"""

from __future__ import annotations

import asyncio
import select
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps, loads
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

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
    HttpError,
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
from tests.servers.messages_stream import AnswerCutError, ClientGoneError, StreamedAnswer, WholeAnswer
from tests.servers.prompt_cache import HandClock, PromptCache, TokenCounter
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


class MessagesApi:
    """The server. Start and stop it as a context manager, plain or asynchronous, or with `start` and `stop`."""

    def __init__(
        self,
        *,
        default: Behaviour | Callable[[CapturedRequest], Behaviour] | None = None,
        count_text: CountText = by_bytes,
    ) -> None:
        self.default = default or Answer(HELLO)
        self.models: list[dict[str, Any]] = list(MODELS)
        self.requests: list[CapturedRequest] = []
        self.violations: list[str] = []
        self.validate = True
        self.clock = HandClock()
        self.cache = PromptCache(self.clock)
        self.counter = TokenCounter(count_text)
        self._scripts: dict[str, deque[Behaviour]] = {}
        self._changed = threading.Condition()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        assert self._server is not None, "the server is not running"
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def messages(self) -> list[CapturedRequest]:
        """The requests for an answer (`POST /v1/messages`), in order of arrival."""
        return [one for one in self.requests if one.method == "POST" and one.path == "/v1/messages"]

    def script(self, *behaviours: Behaviour, path: str = "/v1/messages") -> None:
        """Adds behaviours for the next requests to `path`, one each."""
        with self._changed:
            self._scripts.setdefault(path, deque()).extend(behaviours)

    def wait_for(self, count: int, timeout: float = 5.0) -> list[CapturedRequest]:
        """Blocks until `count` requests for an answer have arrived; TimeoutError after `timeout` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.messages) >= count, timeout):
                raise TimeoutError(f"{len(self.messages)} of {count} requests arrived")
            return self.messages

    async def arrived(self, count: int, timeout: float = 5.0) -> list[CapturedRequest]:  # noqa: ASYNC109
        """`wait_for`, for a test that shares its thread with an event loop."""
        return await asyncio.to_thread(self.wait_for, count, timeout)

    def start(self) -> Self:
        """Listens on a free port of 127.0.0.1."""
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="messages-api", daemon=True
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Cuts every connection and returns when no thread of the server is left."""
        if self._server is not None and self._thread is not None:
            self._server.end()
            self._thread.join(5)
            self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.stop)

    # what follows is called by the handlers' threads

    def note(self, request: CapturedRequest) -> None:
        """Records an arrived request."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def behaviour(self, request: CapturedRequest) -> Behaviour | None:
        """What was scripted for this request; the default for answers, None for other paths."""
        with self._changed:
            if script := self._scripts.get(request.path):
                return script.popleft()
        if request.path != "/v1/messages":
            return None
        return self.default(request) if callable(self.default) else self.default

    def refusal(self, request: CapturedRequest) -> HttpError | None:
        """The error that the real API would answer with, noted in `violations`."""
        if not self.validate:
            return None
        if not (request.headers.get("x-api-key") or request.headers.get("authorization")):
            self.violations.append("no key")
            return HttpError(401, message="x-api-key header is required")
        problem = violation(request.body, request.headers, counting=request.path.endswith("count_tokens"))
        if problem is not None:
            self.violations.append(problem)
            return HttpError(400, message=problem)
        model = str(request.body["model"])
        if not model.startswith("claude-"):
            return HttpError(404, message=f"model: {model}")
        return None

    def prompt_usage(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Counted input as the prompt cache leaves it; what the request's marks ask for is in the cache afterwards."""
        with self._changed:
            return self.cache.bill(str(body["model"]), self.counter.blocks(body)).usage()

    def count_tokens(self, body: Mapping[str, Any]) -> int:
        """Tokens of a request, which the cache does not change."""
        with self._changed:
            return self.counter.total(body)


class _Server(ThreadingHTTPServer):
    """Threads and connections that can be ended together."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, api: MessagesApi) -> None:
        self.api = api
        self.ending = threading.Event()
        self._open: set[socket.socket] = set()
        self._idle = threading.Condition()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self._idle:
            self._open.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._idle:
                self._open.discard(request)
                self._idle.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A broken connection is nothing to print; anything else is a bug of this server."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def end(self) -> None:
        self.ending.set()
        self.shutdown()
        self.server_close()
        with self._idle:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client was faster
            self._idle.wait_for(lambda: not self._open, 5)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    captured: CapturedRequest

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silent: the tests read `requests`."""

    def do_HEAD(self) -> None:
        self._capture()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.captured.status = 200
        self.captured.ended.set()

    def do_GET(self) -> None:
        self._capture()
        self._guard(self._get)

    def do_POST(self) -> None:
        self._capture()
        self._guard(self._post)

    def _capture(self) -> None:
        url = urlsplit(self.path)
        raw = self._read_body()
        try:
            body = loads(raw) if raw else None
        except ValueError:
            body = None
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.captured = CapturedRequest(self.command, url.path, dict(parse_qsl(url.query)), headers, raw, body)
        self.captured.client_port = self.client_address[1]
        self.server.api.note(self.captured)

    def _read_body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            data = b""
            while size := int(self.rfile.readline(), 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return data
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _guard(self, answer: Callable[[], None]) -> None:
        try:
            answer()
        except AnswerCutError:
            self.close_connection = True
        except (ClientGoneError, OSError):
            self.close_connection = True
            self.captured.disconnected = not self.server.ending.is_set()
        finally:
            self.captured.ended.set()

    # endpoints

    def _get(self) -> None:
        api, path = self.server.api, self.captured.path
        behaviour = api.behaviour(self.captured)
        if isinstance(behaviour, HttpError | NoReply | HangUp):
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
        api, path = self.server.api, self.captured.path
        if path not in ("/v1/messages", "/v1/messages/count_tokens"):
            self._error(HttpError(404, message="Not found"))
            return
        if refusal := api.refusal(self.captured):
            self._error(refusal)
            return
        behaviour = api.behaviour(self.captured)
        if isinstance(behaviour, HttpError | NoReply | HangUp):
            self._misbehave(behaviour)
        elif path.endswith("count_tokens"):
            self.json(200, {"input_tokens": api.count_tokens(self.captured.body)})
        elif isinstance(behaviour, Answer):
            kind = StreamedAnswer if self.captured.body.get("stream") else WholeAnswer
            message_id = f"msg_loopback_{len(api.messages):04d}"
            usage = api.prompt_usage(self.captured.body)
            kind(self, behaviour, message_id, usage, api.counter.count).play()

    def _misbehave(self, behaviour: HttpError | NoReply | HangUp) -> None:
        match behaviour:
            case HttpError():
                self._error(behaviour)
            case NoReply():
                self.hold(None)
            case HangUp():
                self.cut(reset=False)

    def _error(self, error: HttpError) -> None:
        kind = error.type or ERROR_TYPES.get(error.status, "api_error")
        body = {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": "req_loopback"}
        self._send(error.status, dumps(body).encode() if error.body is None else error.body, error.headers)

    def json(self, status: int, body: Any) -> None:
        self._send(status, dumps(body, ensure_ascii=False).encode(), {})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.captured.status = status
        self.send_response(status)
        lower = {name.lower() for name in headers}
        for name, value in {"content-type": "application/json", "request-id": "req_loopback"}.items():
            if name not in lower:
                self.send_header(name, value)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    # for the streams

    def begin_stream(self) -> None:
        self.captured.status = 200
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("cache-control", "no-cache")
        self.send_header("request-id", "req_loopback")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        """One piece of a chunked body; no data ends it."""
        if self.server.ending.is_set():
            raise ClientGoneError
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def hold(self, gate: threading.Event | None, seconds: float | None = None) -> None:
        """Waits for a gate, for some seconds, or for ever; ends at once when the client or the server goes away."""
        until = None if seconds is None else time.monotonic() + seconds
        while (gate is None or not gate.is_set()) and (until is None or time.monotonic() < until):
            if self.server.ending.is_set():
                raise ClientGoneError
            readable, _, _ = select.select([self.connection], [], [], 0.01)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ClientGoneError
            if readable and gate is not None:
                gate.wait(0.01)  # the client sent its next request early: select would not wait

    def cut(self, *, reset: bool) -> None:
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True
