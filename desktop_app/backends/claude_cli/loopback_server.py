"""A Messages server on loopback for the self-test: keeps what arrives, asks for tools, answers one word."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

ANSWER = "understood"

_MOST_BYTES = 4 * 1024 * 1024
"""More than this of one request is not kept: the self-test sends a few kilobytes."""


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """One request as it came: `path` without its query, `raw` the body."""

    method: str
    path: str
    raw: bytes


class LoopbackServer:
    """Listens on a free port of 127.0.0.1 between `async with`; `arrived` are all requests in their order.

    The first answer asks for `calls`, content blocks as the API sends them; the next ones are one word.
    """

    def __init__(self, calls: Sequence[Mapping[str, Any]] = ()) -> None:
        self._calls = tuple(calls)
        self.arrived: list[ReceivedRequest] = []
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        assert self._server is not None, "between `async with`"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> LoopbackServer:
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

    def _response(self, request: ReceivedRequest) -> bytes:
        if request.method != "POST":
            return _http(200, "text/plain", b"")
        try:
            body = json.loads(request.raw)
            model, streamed = str(body["model"]), bool(body.get("stream"))
        except (ValueError, KeyError, TypeError):
            return _http(400, "application/json", b'{"type":"error","error":{"type":"invalid_request_error"}}')
        calls, self._calls = self._calls, ()
        return _answer(model, calls or ({"type": "text", "text": ANSWER},), streamed=streamed)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # a connection that breaks, or speaks something else, has nothing to be judged by
            with contextlib.suppress(OSError, ValueError, EOFError, asyncio.LimitOverrunError):
                request = await _read(reader)
                self.arrived.append(request)
                writer.write(self._response(request))
                await writer.drain()
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> ReceivedRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, *_ = [*head[0].split(" "), "", ""]
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return ReceivedRequest(method, target.partition("?")[0], await _body(reader, headers))


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(min(int(headers.get("content-length", "0")), _MOST_BYTES))
    body = bytearray()
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        body += await reader.readexactly(min(size, _MOST_BYTES))
        await reader.readuntil(b"\r\n")
    return bytes(body)


def _answer(model: str, content: Sequence[Mapping[str, Any]], *, streamed: bool) -> bytes:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        **{"id": "msg_check", "type": "message", "role": "assistant", "model": model, "content": []},
        **{"stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    reason = "tool_use" if content[0]["type"] == "tool_use" else "end_turn"
    if not streamed:
        return _http(
            200, "application/json", json.dumps({**message, "content": content, "stop_reason": reason}).encode()
        )
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(content):
        opening, delta = _opened(block)
        events += [
            {"type": "content_block_start", "index": index, "content_block": opening},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ending = {"stop_reason": reason, "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ending, "usage": usage}, {"type": "message_stop"}]
    stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return _http(200, "text/event-stream", stream.encode())


def _opened(block: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A block as it opens in a stream, and the one delta that fills it."""
    if block["type"] == "tool_use":
        return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}


def _http(status: int, kind: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} {'OK' if status < 400 else 'Error'}\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
