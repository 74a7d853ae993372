"""Bodies of responses: how much of them is read, and server-sent events out of their bytes."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from codecs import BOM_UTF8
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from desktop_app.core.messages import JsonObject
from desktop_app.core.stream_events import SignOfLife, StreamEvent

if TYPE_CHECKING:
    import httpx2


LONGEST_EVENT: Final = 16 << 20
"""Bytes of one event, line breaks included; a picture in an answer takes some millions."""
_WAITING_PIECES: Final = 64
"""Pieces of a body that are read ahead of whoever takes them."""
_SLICE: Final = 16 << 10
"""Bytes that are given between two turns of the event loop: some hundred events."""


class BrokenStreamError(Exception):
    """Raised when the data received is not a stream of JSON events."""


class BodyTooLongError(BrokenStreamError):
    """A body, or an event in it, is longer than anything that is meant to be read."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} bytes")


async def chunks_of(body: Callable[[], AsyncGenerator[bytes, None]]) -> AsyncGenerator[bytes, None]:
    """The pieces of a body, read by a task of its own, which is over when this generator is.

    An HTTP client reads through a chain of generators. Closing the outermost between two pieces leaves the inner ones
    to the garbage collector, which can not close them under Qt's event loop; a task that is cancelled while it waits
    for the network ends them all.
    """
    pieces: asyncio.Queue[bytes | None] = asyncio.Queue(_WAITING_PIECES)

    async def read() -> None:
        try:
            async with aclosing(body()) as chunks:
                async for chunk in chunks:
                    await pieces.put(chunk)
        except asyncio.CancelledError:
            with suppress(asyncio.QueueFull):  # then nobody waits at the other end
                pieces.put_nowait(None)
            raise
        except BaseException:
            await pieces.put(None)
            raise
        await pieces.put(None)

    reading = asyncio.create_task(read(), name="read a streamed body")
    try:
        while (piece := await pieces.get()) is not None:
            for start in range(0, len(piece), _SLICE):
                yield piece[start : start + _SLICE]
                await asyncio.sleep(0)  # what waits here is taken without waiting, and nobody else would have a turn
        await reading
    finally:
        reading.cancel()
        await asyncio.wait([reading])
        if not reading.cancelled():
            reading.exception()  # it was raised above, or nobody waits for it any more


def meaning(read: Callable[[Mapping[str, Any]], Iterable[StreamEvent]], event: Mapping[str, Any]) -> list[StreamEvent]:
    """Return a reader's result for an event; `BrokenStreamError` where a value in it is of a wrong kind."""
    try:
        return list(read(event))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BrokenStreamError(f"an event that is not of the API's form ({type(error).__name__})") from error


SIGN_EVERY_S: Final = 5.0
"""Seconds between two signs of life of an answer that grows unseen."""


class SignsOfLife:
    """Tells that an answer grows while none of it is shown, such as a long call: a silence would be another thing."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def beside(self, shown: Sequence[StreamEvent], *, grows: bool = True) -> Sequence[StreamEvent]:
        """Return what is shown of an event, else the sign that is due; `grows`: it was more than a ping."""
        now = time.monotonic()
        if not shown and (not grows or now - self._told < SIGN_EVERY_S):
            return ()
        self._told = now
        return shown or (SignOfLife(),)


class EventDecoder:
    """Turns pieces of a body into the JSON objects of its `data` fields; ends of line and characters may be split.

    Lines are joined once per event, so that an event of megabytes in small pieces stays linear.
    """

    def __init__(self) -> None:
        self._length = self._size = self._unseen = 0
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self._signs = SignsOfLife()
        self.done = False
        """True once `[DONE]` was read, with which chat completions end."""

    def feed(self, piece: bytes) -> Iterator[JsonObject]:
        """The events that `piece` completes, up to `[DONE]`: what follows that is no part of the answer.

        `BrokenStreamError` for data that is not JSON comes after the events before it: these hold. `BodyTooLongError`
        for an event of more than `LONGEST_EVENT` bytes.
        """
        if self._after_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._after_cr = False
        for line in piece.splitlines(keepends=True):
            if self.done:
                return
            content = line.rstrip(b"\r\n")
            self._length += len(content)
            if self._length > LONGEST_EVENT:
                raise BodyTooLongError(LONGEST_EVENT)
            self._line.append(content)
            if len(content) == len(line):
                break
            self._after_cr = line.endswith(b"\r")
            whole = b"".join(self._line)
            self._line.clear()
            event = self._take(whole)
            if not self._data:
                self._length = 0
            if event:
                yield event

    def shown(
        self, read: Callable[[Mapping[str, Any]], Iterable[StreamEvent]], event: Mapping[str, Any]
    ) -> Sequence[StreamEvent]:
        """The `meaning` of the event last fed, with signs of life; `BodyTooLongError` after too much of none."""
        found = meaning(read, event)
        self._unseen += 0 if found else self._size
        if self._unseen > LONGEST_UNSEEN:
            raise BodyTooLongError(LONGEST_UNSEEN)
        return self._signs.beside(found, grows=event.get("type") != "ping")

    def _take(self, line: bytes) -> JsonObject | None:
        if line:
            name, _, value = line.partition(b":")
            if name.removeprefix(BOM_UTF8) == b"data":
                self._data.append(value.removeprefix(b" "))
            return None
        data = b"\n".join(self._data)
        self._data.clear()
        self._size = len(data)
        self.done |= data == b"[DONE]"
        if not data or data == b"[DONE]":
            return None
        try:
            event = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BrokenStreamError(f"an event of {len(data)} bytes is not JSON") from error
        if not isinstance(event, dict):
            raise BrokenStreamError("an event is not a JSON object")
        return event


LONGEST_BODY: Final = 16 << 20
"""Bytes of a body that is read whole. The longest list of models has one; parsing more would hold up the window."""
LONGEST_STREAM: Final = 256 << 20
"""Bytes of a stream of events, of which each has a bound of its own: each token takes some 300."""
LONGEST_UNSEEN: Final = 64 << 20
"""Bytes of the events of a stream that are held and not shown yet, such as a call's: some 200,000 tokens of them."""
LONGEST_ERROR: Final = 1 << 20
"""Bytes of the body of an error."""

_PIECE: Final = 1 << 18
_PACKED: Final = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
GZIP_BEGINS: Final = b"\x1f\x8b"
ASKED_FOR: Final = {"accept-encoding": "gzip, deflate"}
"""The packings that are asked for: those that can be unpacked piece by piece here."""


async def bound_body(response: httpx2.Response) -> None:
    """A hook that makes reading the response raise `BodyTooLongError` where it is too long, packed or unpacked."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in _bounded(self._stream, most, packings):
                yield piece

        async def aclose(self) -> None:
            await self._stream.aclose()

    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    most = LONGEST_ERROR if response.status_code >= 300 else LONGEST_STREAM if streamed else LONGEST_BODY
    said = [one.strip().lower() for one in response.headers.get("content-encoding", "").split(",")]
    packings = [one for one in said if one not in ("", "identity")]
    if any(one not in _PACKED for one in packings):
        raise BrokenStreamError(f"packed in a way that was not asked for: {', '.join(packings)[:80]}")
    if packings:
        # it is unpacked here; the library shall not do it again
        del response.headers["content-encoding"]
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = Bounded(response.stream)


async def _bounded(stream: httpx2.AsyncByteStream, most: int, packings: list[str]) -> AsyncIterator[bytes]:
    unpackers = [_Unpacker(packing) for packing in reversed(packings)]
    length = 0
    async for packed in stream:
        for piece in _unpacked(unpackers, packed):
            length += len(piece)
            if length > most:
                raise BodyTooLongError(most)
            yield piece


def _unpacked(unpackers: list[_Unpacker], data: bytes) -> Iterator[bytes]:
    if not unpackers:
        yield data
        return
    for piece in unpackers[0].pieces(data):
        yield from _unpacked(unpackers[1:], piece)


class _Unpacker:
    """Unpacks in pieces of a bounded size."""

    def __init__(self, packing: str) -> None:
        self._window = _PACKED[packing]
        self._unpacking = zlib.decompressobj(self._window)
        self._raw_possible = packing == "deflate"

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._unpacking.eof:
                # whoever packs piece by piece begins anew each time; what else stands behind the end is nothing
                if self._window == zlib.MAX_WBITS or not GZIP_BEGINS.startswith(data[:2]):
                    return
                self._unpacking = zlib.decompressobj(self._window)
            try:
                piece = self._unpacking.decompress(data, _PIECE)
            except zlib.error as error:
                if not self._raw_possible:
                    raise BrokenStreamError(f"could not be unpacked: {error}") from error
                # some servers leave the header of zlib out
                self._raw_possible, self._unpacking = False, zlib.decompressobj(-zlib.MAX_WBITS)
                continue
            self._raw_possible = False
            data = self._unpacking.unconsumed_tail or self._unpacking.unused_data
            if piece:
                yield piece
            elif not data:
                return
