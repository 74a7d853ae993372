"""Owns how server-sent events are got out of a body of bytes. Knows no vendor's events and opens no connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from desktop_app.core.messages import JsonObject


class BrokenStreamError(Exception):
    """What came is not a stream of JSON events."""


async def chunks_of(body: Callable[[], AsyncGenerator[bytes, None]]) -> AsyncGenerator[bytes, None]:
    """The pieces of a body, read by a task of its own, which is over when this generator is.

    An HTTP client reads through a chain of generators. Closing the outermost between two pieces leaves the inner ones
    to the garbage collector, which can not close them under Qt's event loop; a task that is cancelled while it waits
    for the network ends them all.
    """
    pieces: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def read() -> None:
        try:
            async with aclosing(body()) as chunks:
                async for chunk in chunks:
                    pieces.put_nowait(chunk)
        finally:
            pieces.put_nowait(None)

    reading = asyncio.create_task(read(), name="read a streamed body")
    try:
        while (piece := await pieces.get()) is not None:
            yield piece
        await reading
    finally:
        reading.cancel()
        await asyncio.wait([reading])
        if not reading.cancelled():
            reading.exception()  # it was raised above, or nobody waits for it any more


class EventDecoder:
    """Turns pieces of a body into the JSON objects of its `data` fields; ends of line and characters may be split.

    Lines are joined once per event, so that an event of megabytes in small pieces stays linear.
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self.done = False
        """True once `[DONE]` was read, with which chat completions end."""

    def feed(self, piece: bytes) -> list[JsonObject]:
        """The events that `piece` completes. `[DONE]` is left out. `BrokenStreamError` for data that is not JSON."""
        if self._after_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._after_cr = False
        events: list[JsonObject] = []
        for line in piece.splitlines(keepends=True):
            content = line.rstrip(b"\r\n")
            self._line.append(content)
            if len(content) == len(line):
                break
            self._after_cr = line.endswith(b"\r")
            whole = b"".join(self._line)
            self._line.clear()
            if event := self._take(whole):
                events.append(event)
        return events

    def _take(self, line: bytes) -> JsonObject | None:
        if line:
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" "))
            return None
        data = b"\n".join(self._data)
        self._data.clear()
        self.done |= data == b"[DONE]"
        if not data or data == b"[DONE]":
            return None
        try:
            event = json.loads(data)
        except ValueError as error:
            raise BrokenStreamError(f"an event of {len(data)} bytes is not JSON") from error
        if not isinstance(event, dict):
            raise BrokenStreamError("an event is not a JSON object")
        return event
