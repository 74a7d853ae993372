"""What a turn prints as it comes is byte for byte the text that is kept of it."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.cli.command_process import Output
from desktop_app.cli.turn_printer import TurnPrinter
from desktop_app.controller.running_turn import TurnOutcome
from desktop_app.core.events import Announcement, AnswerGrew, AnswerPartFinished, AnswerReset
from desktop_app.core.messages import JsonObject, Message, Part, TextPart, ThinkingPart, ToolCallPart
from desktop_app.core.stream_events import Accumulator, PartFinished, Reset, StreamEvent, TextDelta, ThinkingDelta
from tests.patience import until

CITED: JsonObject = {"citations": [{"url": "https://example.org"}]}
TEXTS = st.text(alphabet="ab \nß", min_size=1, max_size=8)
PARTS = st.one_of(
    st.builds(TextPart, TEXTS, st.sampled_from(({}, {}, CITED))),
    st.builds(ThinkingPart, TEXTS),
    st.just(ToolCallPart("c", "search", {})),
)


def printed(events: Sequence[StreamEvent], message: Message | None, *, json_lines: bool) -> str:
    """What standard output gets of a stream, without the line end at its end."""
    out = io.StringIO()
    printer = TurnPrinter(Output(out, io.StringIO()), "t", json=json_lines)
    for event in events:
        printer.hear(announced(event))
    printer.end(TurnOutcome(message, None, None, "end_turn"))
    if not json_lines:
        return out.getvalue()
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    resets = [number for number, line in enumerate(lines) if line["type"] == "reset"]
    current = lines[resets[-1] + 1 if resets else 0 :]
    return "".join(line["text"] for line in current if line["type"] == "delta")


def announced(event: StreamEvent) -> Announcement:
    match event:
        case TextDelta(text):
            return AnswerGrew("t", "m", "text", text)
        case ThinkingDelta(text):
            return AnswerGrew("t", "m", "thinking", text)
        case PartFinished(part):
            return AnswerPartFinished("t", "m", part)
        case Reset():
            return AnswerReset("t", "m")
    raise AssertionError(event)


@pytest.mark.parametrize("json_lines", [False, True])
async def test_a_silence_is_told_once_on_standard_error(monkeypatch: pytest.MonkeyPatch, json_lines: bool) -> None:
    monkeypatch.setattr("desktop_app.cli.turn_printer.QUIET_S", 0.02)
    out, err = io.StringIO(), io.StringIO()
    printer = TurnPrinter(Output(out, err), "t", json=json_lines)
    silence = asyncio.ensure_future(printer.tell_silence())

    def told() -> int:
        return err.getvalue().count("Nothing has come for")

    for number in (1, 2):
        printer.hear(announced(TextDelta("Beginning")))
        await until(lambda number=number: told() == number, "word of the silence")  # type: ignore[misc]
        await asyncio.sleep(0.1)
        assert told() == number
    printer.hear(announced(PartFinished(ToolCallPart("c", "search", {}))))
    await asyncio.sleep(0.1)
    assert told() == 2, "a tool takes its time"
    assert "Nothing has come" not in out.getvalue()
    silence.cancel()


def kept(events: Sequence[StreamEvent]) -> Message:
    accumulator = Accumulator()
    for event in events:
        accumulator.add(event)
    return Message("m", "t", None, "assistant", accumulator.parts, "2026-01-01T00:00:00Z")


def events_of(parts: Sequence[Part], cuts: Sequence[int], *, ended: bool) -> Iterator[StreamEvent]:
    """The parts as they stream; `cuts`: the pieces of each, 0: it comes whole. Not `ended`: the last is broken off."""
    for number, (part, cut) in enumerate(zip(parts, cuts, strict=False)):
        text = part.text if isinstance(part, TextPart | ThinkingPart) else ""
        kind = TextDelta if isinstance(part, TextPart) else ThinkingDelta
        size = max(1, len(text) // max(1, cut))
        if cut and text:
            yield from (kind(text[start : start + size]) for start in range(0, len(text), size))
        if ended or number + 1 < len(parts) or not cut:
            yield PartFinished(part)


STREAMS = st.builds(
    lambda parts, cuts, ended: list(events_of(parts, cuts, ended=ended)),
    st.lists(PARTS, max_size=7),
    st.lists(st.integers(0, 3), min_size=7, max_size=7),
    st.booleans(),
)


@given(STREAMS)
def test_a_stream_is_printed_as_the_text_that_is_kept(events: list[StreamEvent]) -> None:
    message = kept(events)
    text = message.text
    assert printed(events, message, json_lines=True) == text
    assert printed(events, message, json_lines=False) == (text if text.endswith("\n") or not text else f"{text}\n")


@given(STREAMS, STREAMS)
def test_what_is_superseded_leaves_nothing_behind(first: list[StreamEvent], second: list[StreamEvent]) -> None:
    events = [*first, Reset(), *second]
    assert printed(events, kept(events), json_lines=True) == kept(second).text


def test_pieces_of_a_cited_answer_are_one_text() -> None:
    pieces: tuple[tuple[str, JsonObject], ...]
    pieces = ("The tide is ", {}), ("at noon", CITED), (", they say.", {}), (" Or at one", CITED), (".", {})
    events: list[StreamEvent] = []
    for text, extra in pieces:
        events += [TextDelta(text), PartFinished(TextPart(text, extra))]
    assert printed(events, kept(events), json_lines=False) == "The tide is at noon, they say. Or at one.\n"


@pytest.mark.parametrize("extra", [{}, CITED])
def test_text_behind_a_cited_piece_is_printed_as_it_comes(extra: JsonObject) -> None:
    out = io.StringIO()
    printer = TurnPrinter(Output(out, io.StringIO()), "t", json=False)
    shown: list[str] = []
    for event in (TextDelta("a"), PartFinished(TextPart("a", CITED)), TextDelta("b"), TextDelta("c")):
        printer.hear(announced(event))
        shown.append(out.getvalue())
    assert shown == ["a", "a", "ab", "abc"]
    printer.hear(announced(PartFinished(TextPart("bc", extra))))
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert out.getvalue() == "abc"
