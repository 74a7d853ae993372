"""Owns a scripted HTTP server on 127.0.0.1: sockets, threads, captured requests. Knows no API that it plays.

`ScriptedServer` is started and stopped as a context manager; a subclass names its handler and the path of answers.
Connections are cut, held and reset as the behaviours of `messages_script` say.
"""

from __future__ import annotations

import asyncio
import select
import socket
import struct
import sys
import threading
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps, loads
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, urlsplit

from tests.patience import PATIENCE_S
from tests.servers.messages_script import (
    Behaviour,
    CapturedRequest,
    HangUp,
    HeadOnly,
    HttpError,
    Misbehaviour,
    NoReply,
)
from tests.servers.played_answer import AnswerCutError, ClientGoneError


class ScriptedServer:
    """The server. Start and stop it as a context manager, plain or asynchronous, or with `start` and `stop`."""

    answer_path: ClassVar[str]
    """The path that answers come from."""
    handler: ClassVar[type[ScriptedHandler]]

    def __init__(self, default: Behaviour | Callable[[CapturedRequest], Behaviour]) -> None:
        self.default = default
        self.requests: list[CapturedRequest] = []
        self.violations: list[str] = []
        self.validate = True
        self.changed = threading.Condition()
        self._scripts: dict[str, deque[Behaviour]] = {}
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def root(self) -> str:
        """The address, without a path and without a slash at its end."""
        assert self._server is not None, "the server is not running"
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def answers(self) -> list[CapturedRequest]:
        """The requests for an answer, in order of arrival."""
        return [one for one in self.requests if one.method == "POST" and one.path == self.answer_path]

    def script(self, *behaviours: Behaviour, path: str | None = None) -> None:
        """Adds behaviours for the next requests to `path` (None: the answers'), one each."""
        with self.changed:
            self._scripts.setdefault(path or self.answer_path, deque()).extend(behaviours)

    def wait_for(self, count: int, timeout: float = PATIENCE_S) -> list[CapturedRequest]:
        """Blocks until `count` requests for an answer have arrived; TimeoutError after `timeout` seconds."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.answers) >= count, timeout):
                raise TimeoutError(f"{len(self.answers)} of {count} requests arrived")
            return self.answers

    async def arrived(self, count: int, timeout: float = PATIENCE_S) -> list[CapturedRequest]:  # noqa: ASYNC109
        """`wait_for`, for a test that shares its thread with an event loop."""
        return await asyncio.to_thread(self.wait_for, count, timeout)

    def start(self) -> Self:
        """Listens on a free port of 127.0.0.1."""
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name=type(self).__name__, daemon=True
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Cuts every connection and returns when no thread of the server is left."""
        if self._server is not None and self._thread is not None:
            self._server.end()
            self._thread.join(PATIENCE_S)
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
        with self.changed:
            self.requests.append(request)
            self.changed.notify_all()

    def behaviour(self, request: CapturedRequest) -> Behaviour | None:
        """What was scripted for this request; the default for answers, None for other paths."""
        with self.changed:
            if script := self._scripts.get(request.path):
                return script.popleft()
        if request.path != self.answer_path:
            return None
        return self.default(request) if callable(self.default) else self.default


class _Server(ThreadingHTTPServer):
    """Threads and connections that can be ended together."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, api: ScriptedServer) -> None:
        self.api = api
        self.ending = threading.Event()
        self._open: set[socket.socket] = set()
        self._idle = threading.Condition()
        super().__init__(("127.0.0.1", 0), api.handler)

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
            self._idle.wait_for(lambda: not self._open, PATIENCE_S)


class ScriptedHandler(BaseHTTPRequestHandler):
    """One connection; a subclass answers in `_get` and `_post`, and words its errors in `_error`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    captured: CapturedRequest
    id_header: ClassVar[Mapping[str, str]] = {"request-id": "req_loopback"}
    """What the service numbers its answers with."""

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

    @abstractmethod
    def _get(self) -> None: ...

    @abstractmethod
    def _post(self) -> None: ...

    @abstractmethod
    def _error(self, error: HttpError) -> None: ...

    def _misbehave(self, behaviour: Misbehaviour) -> None:
        match behaviour:
            case HttpError():
                self._error(behaviour)
            case NoReply():
                self.hold(None)
            case HangUp():
                self.cut(reset=False)
            case HeadOnly():
                self.begin_stream()
                self.hold(None)

    def json(self, status: int, body: Any) -> None:
        self._send(status, dumps(body, ensure_ascii=False).encode(), {})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.captured.status = status
        self.send_response(status)
        lower = {name.lower() for name in headers}
        for name, value in {"content-type": "application/json", **self.id_header}.items():
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
        for name, value in self.id_header.items():
            self.send_header(name, value)
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
