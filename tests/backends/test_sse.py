"""Server-sent events come in pieces of any size: the events must not depend on it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.response_bodies import BrokenStreamError, EventDecoder, chunks_of
from desktop_app.core.messages import JsonObject

EVENTS = [
    {"type": "ping"},
    {"text": "Grüße 世界 🌍"},
    {"text": "line\nbreak\u2028\x85 \r\n end"},
    {"n": [1, {"a": None}]},
]


def wire(newline: str) -> bytes:
    lines = [": a comment", ""]
    for event in EVENTS:
        lines += ["event: some", f"data: {json.dumps(event, ensure_ascii=False)}", ""]
    lines += ["data: [DONE]", "", ""]
    return newline.join(lines).encode()


def decoded(pieces: list[bytes]) -> list[JsonObject]:
    decoder = EventDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)]


@given(st.sampled_from(["\n", "\r\n", "\r"]), st.lists(st.integers(0, 400), max_size=40))
def test_any_cut_gives_the_same_events(newline: str, cuts: list[int]) -> None:
    data = wire(newline)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    assert decoded([data[start:end] for start, end in pairwise(edges)]) == EVENTS


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_byte_by_byte(newline: str) -> None:
    assert decoded([bytes([byte]) for byte in wire(newline)]) == EVENTS


def test_data_over_several_lines_is_one_event() -> None:
    assert decoded([b'data: {"a":\ndata: 1}\n\n']) == [{"a": 1}]


@pytest.mark.parametrize("data", [b"data: {x\n\n", b"data: [1]\n\n", b'data: "\xff"\n\n'])
def test_what_is_not_json_is_an_error(data: bytes) -> None:
    with pytest.raises(BrokenStreamError):
        decoded([data])


def test_the_mark_that_a_body_of_utf8_may_begin_with_costs_no_event() -> None:
    assert decoded([b"\xef", b'\xbb\xbfdata: {"a": 1}\n\n']) == [{"a": 1}]


def test_an_end_of_line_may_be_split_within_an_event() -> None:
    assert decoded([b'data: {"a":\r', b"", b"\ndata: 1}\r\n\r\n"]) == [{"a": 1}]


def test_a_large_event_in_small_pieces() -> None:
    data = b'data: {"text": "' + b"x" * 3_000_000 + b'"}\n\n'
    (event,) = decoded([data[start : start + 100] for start in range(0, len(data), 100)])
    assert event == {"text": "x" * 3_000_000}


def test_what_came_at_once_is_taken_in_turns_with_everything_else() -> None:
    async def body() -> AsyncGenerator[bytes, None]:
        for _ in range(8):
            yield bytes(256 << 10)

    async def taken() -> list[int]:
        turn, since_turn = 0, [0]

        async def others() -> None:
            nonlocal turn
            while True:
                turn += 1
                since_turn.append(0)
                await asyncio.sleep(0)

        waiting = asyncio.create_task(others())
        async with aclosing(chunks_of(body)) as pieces:
            async for piece in pieces:
                since_turn[-1] += len(piece)
        waiting.cancel()
        return since_turn

    bytes_of_a_turn = asyncio.run(taken())
    assert sum(bytes_of_a_turn) == 8 * (256 << 10)
    assert max(bytes_of_a_turn) <= 16 << 10
