"""However much a server sends, packed or not, only so much is read, and what came before it is kept."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest

from desktop_app.backends import response_bodies
from desktop_app.backends.backend_protocol import with_redaction
from desktop_app.core import stream_events
from desktop_app.core.errors import UserError
from desktop_app.core.messages import TextPart
from desktop_app.core.redaction import Redaction
from desktop_app.core.stream_events import Ended
from tests.backends.both_apis import OPENAI, Api, ApiBackend, Provider, for_both
from tests.backends.plans import collect
from tests.servers.messages_api import Answer, Emit, HttpError, Raw

STREAM = {"content-type": "text/event-stream"}
MOST = 50_000


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        (response_bodies, "LONGEST_BODY"),
        (response_bodies, "LONGEST_STREAM"),
        (response_bodies, "LONGEST_ERROR"),
        (response_bodies, "LONGEST_EVENT"),
    ):
        monkeypatch.setattr(module, name, MOST)


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were unpacked, piece by piece."""
    lengths: list[int] = []

    class Counting:
        def __init__(self, window: int) -> None:
            self._real = real(window)

        def decompress(self, data: bytes, most: int = 0) -> bytes:
            piece = self._real.decompress(data, most)
            lengths.append(len(piece))
            return piece

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

    real = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", Counting)
    return lengths


def packed(data: bytes) -> dict[str, Any]:
    return {"headers": STREAM | {"content-encoding": "gzip"}, "body": gzip.compress(data)}


@for_both
@pytest.mark.parametrize("status", [200, 400])
async def test_a_body_that_unpacks_to_a_thousandfold_is_not_unpacked(
    provider: Provider, api: Api, backend: ApiBackend, unpacked: list[int], status: int
) -> None:
    api.script(HttpError(status, **packed(b"data: " + b"0" * (20 << 20))))
    answer = await collect(backend.stream(provider.plan))
    failure = answer.failed.failure
    assert (failure.code, failure.detail) == ("backend", f"more than {MOST:,} bytes")
    assert "more than an answer can have" in failure.message
    assert sum(unpacked) <= 2 * response_bodies._PIECE, "a bomb is not taken apart to its end"
    assert len(api.answers) == 1, "it is not asked for again"


@for_both
async def test_a_line_without_an_end_ends_the_answer_and_keeps_its_text(
    provider: Provider, api: Api, backend: ApiBackend
) -> None:
    api.script(Answer("Good text", Raw(b"data: "), *[Raw(b"0" * 10_000)] * 10))
    answer = await collect(backend.stream(provider.plan))
    assert answer.message.parts == (TextPart("Good text"),)
    assert (answer.failed.failure.code, answer.failed.failure.actions[0]) == ("backend", "continue")
    assert "text so far is saved" in answer.failed.failure.message


@for_both
@pytest.mark.parametrize("is_packed", [False, True])
async def test_an_answer_that_never_ends_is_cut_off_and_says_so(
    provider: Provider, api: Api, backend: ApiBackend, monkeypatch: pytest.MonkeyPatch, is_packed: bool
) -> None:
    monkeypatch.setattr(stream_events, "LONGEST_ANSWER", 20_000)
    pieces = ["x" * 1_000] * 30
    if is_packed:
        made = [text_event(provider, piece) for piece in pieces]
        body = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in opening(provider) + made)
        api.script(HttpError(200, **packed(body)))
    else:
        api.script(Answer(*pieces))
    answer = await collect(with_redaction(backend, Redaction()).stream(provider.plan))
    assert answer.message.parts == (TextPart("x" * 20_000),)
    assert "cut off at 16 million characters" in answer.failed.failure.message
    assert len(api.answers) == 1


def opening(provider: Provider) -> list[dict[str, Any]]:
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    start = {"type": "message_start", "message": {"usage": {"input_tokens": 1}}}
    return [] if provider is OPENAI else [start, block]


def text_event(provider: Provider, text: str) -> dict[str, Any]:
    if provider is OPENAI:
        return {"choices": [{"delta": {"content": text}}]}
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}


@for_both
async def test_an_endless_stream_of_small_events_ends_too(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(Answer("Good text", *[Emit("ping", {"type": "ping", "x": "0" * 1_000})] * 60))
    answer = await collect(backend.stream(provider.plan))
    assert answer.message.parts == (TextPart("Good text"),)
    assert "more than an answer can have" in answer.failed.failure.message


@for_both
async def test_what_grows_unseen_ends_too(
    provider: Provider, api: Api, backend: ApiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_bodies, "LONGEST_UNSEEN", 20_000)
    api.script(Answer("Good text", *[Emit("", unseen_event(provider, "0" * 1_000))] * 30))
    answer = await collect(backend.stream(provider.plan))
    assert answer.message.parts[0] == TextPart("Good text")
    assert "more than an answer can have" in answer.failed.failure.message
    assert answer.failed.failure.detail == "more than 20,000 bytes"


def unseen_event(provider: Provider, piece: str) -> dict[str, Any]:
    """More of a call, which is a part once it is whole."""
    if provider is OPENAI:
        call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": piece}}
        return {"choices": [{"delta": {"tool_calls": [call]}}]}
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}


@for_both
async def test_a_list_of_models_without_an_end_is_refused(provider: Provider, api: Api, backend: ApiBackend) -> None:
    path = "/v1/models"
    api.script(HttpError(200, headers={"content-type": "application/json"}, body=b"[" * (2 * MOST)), path=path)
    with pytest.raises(UserError) as caught:
        await backend.ask_models()
    assert "more than an answer can have" in caught.value.failure.message


@for_both
async def test_what_is_packed_and_short_is_read(provider: Provider, api: Api, backend: ApiBackend) -> None:
    if provider is OPENAI:
        chunks = [
            {"choices": [{"delta": {"content": "Hello"}}]},
            {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        ]
    else:
        chunks = [
            {"type": "message_start", "message": {"usage": {"input_tokens": 1}}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_stop"},
        ]
    body = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks)
    for coding, data in (
        ("gzip", gzip.compress(body)),
        ("gzip", b"".join(gzip.compress(body[start : start + 40]) for start in range(0, len(body), 40)) + b"\0" * 9),
        ("deflate", zlib.compress(body)),
        ("deflate", zlib.compress(body)[2:-4]),
        ("deflate, gzip", gzip.compress(zlib.compress(body))),
    ):
        api.script(HttpError(200, headers=STREAM | {"content-encoding": coding}, body=data))
        answer = await collect(backend.stream(provider.plan))
        assert (answer.text, answer.events[-1]) == ("Hello", Ended("end_turn")), coding
    assert {one.headers["accept-encoding"] for one in api.answers} == {"gzip, deflate"}


@for_both
@pytest.mark.parametrize("coding", ["gzip", "br", "gzip, secret"])
async def test_what_can_not_be_unpacked_is_an_error_of_the_server(
    provider: Provider, api: Api, backend: ApiBackend, coding: str
) -> None:
    api.script(HttpError(200, headers=STREAM | {"content-encoding": coding}, body=b"no such packing"))
    answer = await collect(backend.stream(provider.plan))
    assert answer.failed.failure.code == "backend"
