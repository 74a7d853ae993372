"""Folding stream events into parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core import stream_events
from desktop_app.core.messages import Failure, Part, TextPart, ThinkingPart, ToolCallPart, Usage
from desktop_app.core.stream_events import (
    Accumulator,
    AnswerBound,
    Ended,
    Failed,
    Notice,
    PartFinished,
    Reset,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)

CALL = ToolCallPart("c1", "search", {"query": "x"})


def fold(events: list[StreamEvent]) -> tuple[Part, ...]:
    accumulator = Accumulator()
    for event in events:
        accumulator.add(event)
    return accumulator.parts


EVENTS = st.lists(
    st.one_of(
        st.text(min_size=1, max_size=6).map(TextDelta),
        st.text(min_size=1, max_size=6).map(ThinkingDelta),
        st.just(PartFinished(CALL)),
        st.just(PartFinished(TextPart("whole"))),
        st.just(PartFinished(ThinkingPart("whole", "signed"))),
        st.just(Reset()),
        st.just(Notice("retry", "Trying again")),
    ),
    max_size=12,
)


@given(EVENTS, st.data())
def test_the_grouping_of_deltas_does_not_matter(events: list[StreamEvent], data: st.DataObject) -> None:
    split: list[StreamEvent] = []
    for event in events:
        if isinstance(event, TextDelta | ThinkingDelta) and len(event.text) > 1:
            cut = data.draw(st.integers(0, len(event.text)))
            split += [type(event)(event.text[:cut]), type(event)(event.text[cut:])]
        else:
            split.append(event)
    assert fold(split) == fold(events)


@given(EVENTS)
def test_no_part_is_empty_and_a_reset_forgets_everything(events: list[StreamEvent]) -> None:
    assert all(not isinstance(part, TextPart | ThinkingPart) or part.text for part in fold(events))
    assert fold([*events, Reset(), TextDelta("new")]) == (TextPart("new"),)


def test_a_finished_part_replaces_the_open_one_of_its_kind_only() -> None:
    assert fold([TextDelta("dra"), PartFinished(TextPart("final"))]) == (TextPart("final"),)
    assert fold([ThinkingDelta("hm"), PartFinished(TextPart("a"))]) == (ThinkingPart("hm"), TextPart("a"))
    assert fold([TextDelta("a"), PartFinished(CALL), TextDelta("b")]) == (TextPart("a"), CALL, TextPart("b"))


def test_usage_end_and_failure_are_kept() -> None:
    assert not Accumulator().ended
    accumulator = Accumulator()
    accumulator.add(UsageReported(Usage(input=1), "m"))
    accumulator.add(UsageReported(Usage(input=1, output=2), "m"))
    accumulator.add(Ended("end_turn"))
    assert (accumulator.usage, accumulator.model, accumulator.stop_reason) == (Usage(1, 0, 0, 2), "m", "end_turn")
    assert accumulator.ended
    failed = Accumulator()
    failed.add(Failed(Failure("network", "gone")))
    assert failed.ended


@given(EVENTS, st.integers(1, 30))
def test_an_answer_is_cut_off_at_its_bound_and_all_before_that_is_kept(events: list[StreamEvent], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_events, "LONGEST_ANSWER", most)
        bound, taken = AnswerBound(), list[StreamEvent]()
        for event in events:
            taken += bound.within(event)
            if bound.passed:
                break
            assert taken[-1] is event
    texts = [len(part.text) for part in fold(taken) if isinstance(part, TextPart | ThinkingPart)]
    assert sum(texts) <= most
    assert bound.passed == any(isinstance(event, Failed) for event in taken)
    if not bound.passed:
        assert taken == events


def test_what_is_cut_off_reaches_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_events, "LONGEST_ANSWER", 10)
    bound = AnswerBound()
    assert bound.within(TextDelta("abcdef")) == (TextDelta("abcdef"),)
    assert bound.within(PartFinished(TextPart("abcdef"))) == (PartFinished(TextPart("abcdef")),)
    cut, failed = bound.within(TextDelta("ghijkl"))
    assert cut == TextDelta("ghij")
    assert isinstance(failed, Failed)


@pytest.mark.parametrize("is_finished", [False, True])
def test_an_answer_of_more_parts_than_any_has_is_ended(monkeypatch: pytest.MonkeyPatch, is_finished: bool) -> None:
    monkeypatch.setattr(stream_events, "MOST_PARTS", 4)
    bound, taken = AnswerBound(), list[StreamEvent]()
    for part in (TextPart("a"), ThinkingPart("b")) * 4:
        delta = TextDelta(part.text) if isinstance(part, TextPart) else ThinkingDelta(part.text)
        taken += bound.within(delta)
        if is_finished and not bound.passed:
            taken += bound.within(PartFinished(part))
        if bound.passed:
            break
    assert [part.text for part in fold(taken) if isinstance(part, TextPart | ThinkingPart)] == ["a", "b"] * 2
    assert isinstance(taken[-1], Failed)
    assert taken[-1].failure.message == stream_events.UNREADABLE
