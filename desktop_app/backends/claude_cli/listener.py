"""Owns a Messages server on loopback for the self-test: keeps what arrives, answers one word. Knows no program."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

ANSWER = "understood"

_MOST_BYTES = 4 * 1024 * 1024
"""More than this of one request is not kept: the self-test sends a few kilobytes."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """One request as it came: `path` without its query, `raw` the body."""

    method: str
    path: str
    raw: bytes


class Listener:
    """Listens on a free port of 127.0.0.1 between `async with`; `arrived` are all requests in their order."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        assert self._server is not None, "between `async with`"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Listener:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MOST_BYTES)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # a plain function, so that the tasks are ours to end
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # a connection that breaks, or speaks something else, has nothing to be judged by
            with contextlib.suppress(OSError, ValueError, EOFError, asyncio.LimitOverrunError):
                request = await _read(reader)
                self.arrived.append(request)
                writer.write(_response(request))
                await writer.drain()
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Arrived:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, *_ = [*head[0].split(" "), "", ""]
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return Arrived(method, target.partition("?")[0], await _body(reader, headers))


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(min(int(headers.get("content-length", "0")), _MOST_BYTES))
    body = bytearray()
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        body += await reader.readexactly(min(size, _MOST_BYTES))
        await reader.readuntil(b"\r\n")
    return bytes(body)


def _response(request: Arrived) -> bytes:
    if request.method != "POST":
        return _http(200, "text/plain", b"")
    if not request.path.endswith("/v1/messages"):
        return _http(404, "application/json", b'{"type":"error","error":{"type":"not_found_error","message":"no"}}')
    try:
        body = json.loads(request.raw)
        model, streamed = str(body["model"]), bool(body.get("stream"))
    except (ValueError, KeyError, TypeError):
        return _http(400, "application/json", b'{"type":"error","error":{"type":"invalid_request_error"}}')
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        **{"id": "msg_check", "type": "message", "role": "assistant", "model": model, "content": []},
        **{"stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    text = {"type": "text", "text": ANSWER}
    if not streamed:
        whole = message | {"content": [text], "stop_reason": "end_turn"}
        return _http(200, "application/json", json.dumps(whole).encode())
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return _http(200, "text/event-stream", stream.encode())


def _http(status: int, kind: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} {'OK' if status < 400 else 'Error'}\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
