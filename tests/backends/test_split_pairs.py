"""Text that a server cuts within a character arrives whole, and a failure says that text is kept only where it is."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.backend_protocol import with_redaction
from desktop_app.core import stream_events
from desktop_app.core.context.plan import PlannedRequest
from desktop_app.core.messages import TextPart, ThinkingPart, ToolCallPart
from desktop_app.core.redaction import Redaction
from desktop_app.core.stream_events import (
    Accumulator,
    Ended,
    Failed,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)


class Server:
    title = "Server"

    def __init__(self, *events: StreamEvent) -> None:
        self.events = events

    async def stream(self, _plan: object) -> AsyncGenerator[StreamEvent, None]:
        for event in self.events:
            yield event


def answer(*events: StreamEvent) -> list[StreamEvent]:
    async def read() -> list[StreamEvent]:
        backend = with_redaction(cast("Any", Server(*events)), Redaction())
        return [event async for event in backend.stream(cast("Any", SimpleNamespace(request=PlannedRequest())))]

    return asyncio.run(read())


def text_of(*events: StreamEvent) -> str:
    accumulator = Accumulator()
    for event in answer(*events):
        accumulator.add(event)
    return "".join(part.text for part in accumulator.parts if isinstance(part, TextPart | ThinkingPart))


def halves(text: str, cuts: list[int]) -> list[str]:
    """The text cut at these UTF-16 units, each piece as JSON gives it."""
    raw = text.encode("utf-16-le")
    at = [0, *sorted({2 * (cut % (len(raw) // 2 + 1)) for cut in cuts}), len(raw)]
    pieces = [raw[a:b].decode("utf-16-le", "surrogatepass") for a, b in itertools.pairwise(at)]
    return [str(json.loads(json.dumps(piece))) for piece in pieces]


@pytest.mark.parametrize("kind", [TextDelta, ThinkingDelta])
@given(
    text=st.text(st.sampled_from("a\n😀é🏳") | st.characters(exclude_categories=["Cs"])),
    cuts=st.lists(st.integers(0, 99)),
)
def test_text_cut_at_any_utf16_unit_arrives_equal(
    kind: type[TextDelta | ThinkingDelta], text: str, cuts: list[int]
) -> None:
    assert text_of(*(kind(piece) for piece in halves(text, cuts)), Ended("end_turn")) == text


def test_a_half_that_stays_alone_is_one_replacement_character() -> None:
    assert text_of(TextDelta("a\ud83d"), TextDelta("b"), Ended("end_turn")) == "a\ufffdb"
    assert text_of(TextDelta("a\ud83d"), Ended("end_turn")) == text_of(TextDelta("a\ud83d")) == "a\ufffd"
    assert text_of(ThinkingDelta("\ud83d"), TextDelta("\ude00"), Ended("end_turn")) == "\ufffd\ufffd"
    assert text_of(PartFinished(TextPart("\ud83d\ude00\ud83d")), Ended("end_turn")) == "😀\ufffd"


@pytest.mark.parametrize("bad", [PartFinished(ToolCallPart("1", "x", {"a": "b" * 50})), TextDelta(cast("Any", 5))])
def test_only_where_there_is_text_it_is_said_to_be_kept(bad: StreamEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_events, "LONGEST_ANSWER", 20)
    for before, is_kept in ((), False), ((TextDelta("Text"),), True):
        failed = answer(*before, bad)[-1]
        assert isinstance(failed, Failed)
        assert ("text so far is kept" in failed.failure.message) is is_kept
