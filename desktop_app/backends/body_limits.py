"""Bounds how much of a response is read: bytes of a body as it arrives and as it is unpacked.

The HTTP library unpacks whatever a server sends and joins it in memory: 1 GB of zeros arrives as 1 MB. `bound_body` is
a hook on every client's responses.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Final

from desktop_app.backends.sse import BodyTooLongError, BrokenStreamError

if TYPE_CHECKING:
    import httpx2

LONGEST_BODY: Final = 16 << 20
"""Bytes of a body that is read whole. The longest list of models has one; parsing more would hold up the window."""
LONGEST_STREAM: Final = 256 << 20
"""Bytes of a stream of events, of which each has a bound of its own: each token takes some 300."""
LONGEST_ERROR: Final = 1 << 20
"""Bytes of the body of an error."""

_PIECE: Final = 1 << 18
_PACKED: Final = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
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
        self._unpacking = zlib.decompressobj(_PACKED[packing])
        self._raw_possible = packing == "deflate"

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            try:
                piece = self._unpacking.decompress(data, _PIECE)
            except zlib.error as error:
                if not self._raw_possible:
                    raise BrokenStreamError(f"could not be unpacked: {error}") from error
                # some servers leave the header of zlib out
                self._raw_possible, self._unpacking = False, zlib.decompressobj(-zlib.MAX_WBITS)
                continue
            self._raw_possible = False
            data = self._unpacking.unconsumed_tail
            if piece:
                yield piece
            elif not data:
                return
