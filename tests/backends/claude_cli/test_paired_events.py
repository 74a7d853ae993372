"""A call's result comes right behind it, nothing is lost, and nothing is held for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.claude_cli.claude_answer_reader import PairedEvents
from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Notice, PartFinished, Reset, StreamEvent, TextDelta


def called(call_id: str) -> PartFinished:
    return PartFinished(ToolCallPart(call_id, "search", {}))


def answered(call_id: str) -> PartFinished:
    return PartFinished(ToolResultPart(call_id, "r"))


def call(call_id: str) -> ToolCallPart:
    return ToolCallPart(call_id, "search", {})


def test_what_follows_a_call_waits() -> None:
    paired = PairedEvents(pairing=True)
    paired.add([TextDelta("a"), called("1"), TextDelta("b"), called("2")])

    assert list(paired.give()) == [TextDelta("a"), called("1")]
    assert paired.unanswered() == (call("1"), call("2"))

    paired.answered("1")
    assert list(paired.give()) == [TextDelta("b"), called("2")]


def test_an_answer_of_the_program_itself_overtakes_what_was_written_meanwhile() -> None:
    paired = PairedEvents(pairing=True)
    paired.add([called("1"), TextDelta("a"), called("2"), TextDelta("b")])
    list(paired.give())

    paired.add([answered("2"), answered("1")])

    assert list(paired.give()) == [answered("1"), TextDelta("a"), called("2"), answered("2"), TextDelta("b")]


def test_a_later_call_may_be_wanted_first() -> None:
    paired = PairedEvents(pairing=True)
    paired.add([called("1"), TextDelta("a"), called("2")])
    assert list(paired.give()) == [called("1")]

    assert list(paired.give(until=call("2"))) == [TextDelta("a"), called("2")]

    paired.answered("2")
    assert paired.unanswered() == (call("1"),)


def test_a_reset_takes_back_what_is_held() -> None:
    paired = PairedEvents(pairing=True)
    paired.add([called("1"), TextDelta("old")])
    list(paired.give())

    paired.add([Reset(), TextDelta("new")])

    assert list(paired.give()) == [Reset(), TextDelta("new")]
    assert paired.unanswered() == ()


def test_without_tools_nothing_waits() -> None:
    paired = PairedEvents(pairing=False)
    paired.add([called("1"), TextDelta("a")])

    assert list(paired.give()) == [called("1"), TextDelta("a")]


EVENTS = st.lists(
    st.one_of(
        st.integers(0, 9).map(lambda n: TextDelta(str(n))),
        st.just(Notice("n", "m")),
        st.integers(0, 4).map(lambda n: called(str(n))),
    ),
    max_size=20,
    unique_by=repr,
)


@given(EVENTS, st.integers(1, 5))
def test_nothing_is_lost_and_each_result_stands_behind_its_call(events: list[StreamEvent], size: int) -> None:
    paired, given_out = PairedEvents(pairing=True), list[StreamEvent]()
    for start in range(0, len(events), size):
        paired.add(events[start : start + size])
        given_out += paired.give()
        while paired.waiting is not None:
            given_out.append(answered(paired.waiting.id))
            paired.answered(paired.waiting.id)
            given_out += paired.give()
    given_out += paired.give(all_of_it=True)

    assert [event for event in given_out if event in events] == events
    for at, event in enumerate(given_out):
        if isinstance(event, PartFinished) and isinstance(event.part, ToolCallPart):
            assert given_out[at + 1] == answered(event.part.id)
