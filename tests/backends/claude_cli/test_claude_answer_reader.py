"""What the program prints becomes exactly one outcome, and never an answer that the model did not give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.backends.claude_cli.claude_answer_reader import ClaudeAnswerReader
from desktop_app.backends.claude_cli.program_process import LineFramer, record_of
from desktop_app.core.messages import (
    Failure,
    FailureCode,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    Usage,
)
from desktop_app.core.stream_events import (
    Accumulator,
    Ended,
    Failed,
    Notice,
    PartFinished,
    Reset,
    StreamEvent,
    TextDelta,
    UsageReported,
)

RECORDED = Path(__file__).parents[2] / "data" / "claude_cli"
HELLO = "Hello from the fake server.  "
TICKS = "".join(f"tok{n} " for n in range(8))


@dataclass(frozen=True)
class Expected:
    text: str
    stop: str | None = None
    failure: FailureCode | None = None
    usage: Usage | None = None
    notices: int = 0
    resets: int = 0


EXPECTED = {
    "ok": Expected(HELLO, "end_turn", usage=Usage(10, 0, 454, 7, 0, 0.00245)),
    "default_flags": Expected(HELLO, "end_turn", usage=Usage(10, 0, 12297, 7, 0, 0.061665)),
    "bigline": Expected("x" * 100_000, "end_turn", usage=Usage(10, 0, 454, 7, 0, 0.00245)),
    # the first of four requests is the answer; the cost is that of all four
    "maxtok": Expected(HELLO, "max_tokens", usage=Usage(10, 0, 454, 7, 0, 0.01207)),
    "ctx": Expected(HELLO, "model_context_window_exceeded", usage=Usage(10, 0, 454, 7, 0, 0.01207)),
    # given up and repeated: the second text stands
    "drop": Expected(HELLO[:-1], "end_turn", usage=Usage(464, 0, 0, 7, 0, 0.004506), notices=1, resets=1),
    "sseerr": Expected(HELLO[:-1], "end_turn", usage=Usage(464, 0, 0, 7, 0, 0.001996), resets=1),
    "401": Expected("", failure="auth", notices=1),
    "413": Expected("", failure="context_limit"),
    "toolong": Expected("", failure="context_limit"),
    "429": Expected("", failure="rate_limited", notices=1),
    "529": Expected("", failure="overloaded", notices=1),
    "cancel_interrupt": Expected(TICKS, failure="backend", usage=Usage(10, 0, 454, 1, 0, 0.00257)),
    "cancel_SIGINT": Expected(TICKS, failure="backend", usage=Usage(10, 0, 454, 1, 0, 0.00257)),
    "cancel_SIGTERM": Expected(TICKS, failure="backend", usage=Usage(10, 0, 454, 1, 0)),
}


def replayed(data: bytes, cuts: list[int] | None = None) -> list[StreamEvent]:
    """The events of recorded output that comes in pieces, cut at any byte."""
    reader, framer = ClaudeAnswerReader(), LineFramer()
    edges = [0, *sorted({cut % (len(data) + 1) for cut in cuts or ()}), len(data)]
    events: list[StreamEvent] = []
    for start, end in pairwise(edges):
        for line in framer.feed(data[start:end]):
            events += reader.read(record_of(line))
    for line in framer.end():
        events += reader.read(record_of(line))
    return events + reader.end("")


def folded(events: list[StreamEvent]) -> Accumulator:
    answer = Accumulator()
    for event in events:
        answer.add(event)
    return answer


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def streamed(event: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": "stream_event", "event": event, **fields}


def started() -> dict[str, Any]:
    return streamed({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 5}}})


def delta(text: str) -> dict[str, Any]:
    return streamed({"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}})


def stopped(reason: str) -> dict[str, Any]:
    return streamed({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 3}})


def block(*content: dict[str, Any], id: str = "", **fields: Any) -> dict[str, Any]:  # noqa: A002
    return {"type": "assistant", "message": {"id": id, "model": "m", "content": list(content)}, **fields}


def result(**fields: Any) -> dict[str, Any]:
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "",
        "stop_reason": "end_turn",
        **fields,
    }


def failed(*records: dict[str, Any]) -> Failure:
    failure = folded(replayed(lines(*records))).failure
    assert failure is not None
    return failure


def test_every_recording_is_expected() -> None:
    assert {path.stem for path in RECORDED.glob("*.ndjson")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 2**20), max_size=40))
def test_a_recording_has_one_outcome(name: str, cuts: list[int]) -> None:
    expected = EXPECTED[name]

    events = replayed((RECORDED / f"{name}.ndjson").read_bytes(), cuts)

    answer = folded(events)
    assert [type(event) for event in events if isinstance(event, Ended | Failed)] == [type(events[-1])]
    assert "".join(part.text for part in answer.parts if isinstance(part, TextPart)) == expected.text
    assert answer.stop_reason == expected.stop
    assert (answer.failure.code if answer.failure else None) == expected.failure
    if answer.usage is None or answer.usage.cost_usd is None or expected.usage is None:
        assert answer.usage == expected.usage
    else:
        assert answer.usage.cost_usd == pytest.approx(expected.usage.cost_usd)
        assert answer.usage.prompt == expected.usage.prompt
        assert answer.usage.output == expected.usage.output
    assert sum(isinstance(event, Notice) for event in events) == expected.notices
    assert sum(isinstance(event, Reset) for event in events) == expected.resets


@pytest.mark.parametrize("name", ["401", "413", "toolong", "429", "529", "maxtok", "ctx"])
def test_words_of_the_program_are_details_and_never_an_answer(name: str) -> None:
    answer = folded(replayed((RECORDED / f"{name}.ndjson").read_bytes()))

    said = json.loads((RECORDED / f"{name}.ndjson").read_text().splitlines()[-1])["result"]
    assert said not in repr(answer.parts)
    assert answer.failure is None or answer.failure.detail == said


def test_sign_in_is_asked_for_with_the_command_that_does_it() -> None:
    failure = folded(replayed((RECORDED / "401.ndjson").read_bytes())).failure

    assert failure is not None
    assert failure.message.startswith('Sign in needed: run "claude" and log in')
    assert failure.actions == ("retry",)


def test_a_conversation_that_is_too_long_says_by_how_much() -> None:
    failure = folded(replayed((RECORDED / "toolong.ndjson").read_bytes())).failure

    assert failure is not None
    assert "213,462 tokens, and it takes 200,000" in failure.message


def test_the_wait_that_was_asked_for_is_known() -> None:
    failure = folded(replayed((RECORDED / "429.ndjson").read_bytes())).failure

    assert failure is not None
    assert failure.retry_after_s == pytest.approx(1.226)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (result(is_error=True, api_error="connection_failed"), "network"),
        (result(is_error=True, api_error_status=500), "backend"),
        (result(is_error=True, api_error_status=503), "overloaded"),
        (result(is_error=True, api_error_status=404, api_error_type="not_found_error"), "not_found"),
        (result(is_error=True, api_error_status=403), "auth"),
        (result(is_error=True, terminal_reason="blocking_limit"), "context_limit"),
        (result(is_error=True), "backend"),
        (result(subtype="error_during_execution"), "backend"),
        (result(result="/compact isn't available in this environment."), "backend"),
    ],
)
def test_other_errors(record: dict[str, Any], code: FailureCode) -> None:
    assert failed(record).code == code


def test_no_login_and_no_credit_are_told_by_the_line_before() -> None:
    assert failed(block(error="authentication_failed"), result(is_error=True)).code == "auth"
    assert failed(block(error="billing_error"), result(is_error=True, api_error_status=400)).code == "auth"


def test_a_success_without_a_stop_reason_is_an_answer_that_broke_off() -> None:
    assert failed(started(), delta("half"), result(stop_reason=None)).code == "backend"


def test_a_success_without_a_word_after_errors_is_no_answer() -> None:
    retry = {
        "type": "system",
        "subtype": "api_retry",
        "attempt": 1,
        "max_retries": 2,
        "retry_delay_ms": 500,
        "error_status": 529,
        "error": "overloaded",
    }
    assert failed(started(), retry, result()).code == "overloaded"
    answered = ClaudeAnswerReader()
    events = [event for record in (started(), retry, delta("all well"), result()) for event in answered.read(record)]
    assert isinstance(events[-1], Ended)


def test_a_connection_lost_in_mid_answer_says_that_the_text_is_saved() -> None:
    failure = failed(started(), delta("half"), result(is_error=True, api_error="connection_failed"))

    assert (failure.code, failure.message) == ("network", "Connection lost. The text so far is saved.")


def test_an_end_without_a_word_carries_what_stood_on_standard_error() -> None:
    reader = ClaudeAnswerReader()

    (event,) = reader.end("Error: something is missing")

    assert isinstance(event, Failed)
    assert (event.failure.code, event.failure.detail) == ("backend", "Error: something is missing")
    assert reader.end("again") == []


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded", "refusal", "tool_use"])
def test_an_answer_that_is_cut_wants_the_program_interrupted_at_once(reason: str) -> None:
    reader = ClaudeAnswerReader()
    wants = []
    for record in (started(), delta("so far"), block({"type": "text", "text": "so far"}), stopped(reason)):
        reader.read(record)
        wants.append(reader.wants_interrupt)

    assert wants == [False, False, False, True]
    hidden = [streamed({"type": "message_stop"}), started(), delta("more"), block({"type": "text", "text": "more"})]
    assert [event for record in hidden for event in reader.read(record)] == []
    assert reader.read(result(subtype="error_during_execution", is_error=True)) == [Ended(reason)]


@pytest.mark.parametrize("reason", ["end_turn", "stop_sequence", "pause_turn"])
def test_an_answer_that_is_whole_is_not_interrupted(reason: str) -> None:
    reader = ClaudeAnswerReader()
    for record in (started(), delta("all"), stopped(reason)):
        reader.read(record)

    assert not reader.wants_interrupt
    assert reader.read(result(stop_reason=reason)) == [Ended(reason)]


def test_the_text_so_far_stays_until_the_repetition_has_something_to_show() -> None:
    given_up = streamed({"type": "message_stop"}, abandoned_blocks={"from_block_index": 0})
    refused = result(is_error=True, api_error_status=529)

    answer = folded(replayed(lines(started(), delta("half"), given_up, started(), refused)))

    assert answer.parts == (TextPart("half"),)
    assert answer.failure is not None
    assert answer.failure.code == "overloaded"


def test_a_repetition_replaces_also_when_nothing_was_said_of_the_first() -> None:
    answer = folded(replayed(lines(started(), delta("half"), started(), delta("whole"), result())))

    assert answer.parts == (TextPart("whole"),)


def test_blocks_stay_apart_and_thinking_keeps_its_signature() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    events = replayed(
        lines(
            started(),
            streamed({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            block(thinking),
            delta("one"),
            block({"type": "text", "text": "one"}),
            delta("two"),
            block({"type": "text", "text": "two"}),
            result(),
        )
    )

    assert folded(events).parts == (ThinkingPart("hm", "c2ln"), TextPart("one"), TextPart("two"))


def test_what_is_not_understood_is_passed_over() -> None:
    noise = b'not json\n[1]\n"x"\n{"type":"weather"}\n{"type":"stream_event"}\n{"type":"system","subtype":"new"}\n'

    events = replayed(noise + lines(started(), delta("a")) + noise + lines(result()))

    assert TextDelta("a") in events
    assert isinstance(events[-1], Ended)


VALUE: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, -1, 529, 2.5, "", "max_tokens", "success", [], [None], [{}], {}]
)
OBJECT = st.dictionaries(
    st.sampled_from(["content", "model", "usage", "stop_reason", "text", "thinking", "input_tokens", "costUSD"]),
    VALUE | st.just({"input_tokens": "many"}) | st.just([{"type": "text", "text": 1}]),
    max_size=4,
)
JSON = VALUE | OBJECT | st.lists(OBJECT, max_size=2)
KINDS = ["result", "assistant", "stream_event", "system", "user"]
FIELDS = ["subtype", "event", "message", "usage", "modelUsage", "is_error", "error", "errors", "retry_delay_ms"]
RECORD = st.builds(
    lambda kind, fields: {**fields, "type": kind},
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6),
)
STREAMED = st.builds(
    lambda kind, fields: streamed({**fields, "type": kind}),
    st.sampled_from(["message_start", "content_block_delta", "message_delta", "message_stop"]),
    st.dictionaries(st.sampled_from(["message", "delta", "usage", "index"]), JSON, max_size=3),
)


@given(st.lists(RECORD | STREAMED, max_size=12))
def test_records_of_any_shape_give_one_outcome_and_no_exception(records: list[dict[str, Any]]) -> None:
    events = replayed(lines(*records))

    assert [isinstance(event, Ended | Failed) for event in events] == [False] * (len(events) - 1) + [True]


def limit(**info: Any) -> dict[str, Any]:
    """As recorded of version 2.1.330 with a login."""
    return {"type": "rate_limit_event", "rate_limit_info": {"resetsAt": 1_795_322_260, **info}}


def test_the_share_of_the_plan_is_told_where_it_is_nearly_used() -> None:
    when = datetime.fromtimestamp(1_795_322_260).astimezone()
    near = limit(status="allowed_warning", rateLimitType="five_hour", utilization=0.83)
    reader = ClaudeAnswerReader(clock=lambda: 1_795_322_260 - 2 * 86_400)

    events = read(reader, started(), near)

    assert Notice("plan", f"83% of the plan's 5-hour limit is used; it resets on {when:%A} at {when:%H:%M}") in events
    for fine in (limit(status="allowed", rateLimitType="five_hour"), {"type": "rate_limit_event"}):
        assert not any(isinstance(event, Notice) for event in replayed(lines(started(), fine)))


@pytest.mark.parametrize("info", [{}, {"resetsAt": "soon"}, {"resetsAt": 1e300}, {"resetsAt": None, "utilization": []}])
def test_a_plan_of_any_shape_gives_words(info: dict[str, Any]) -> None:
    events = replayed(lines(started(), limit(status="allowed_warning", **info)))

    (notice,) = [event for event in events if isinstance(event, Notice)]
    assert notice.message.startswith("Most of your plan's limit is used")


def test_a_plan_that_is_used_up_says_until_when() -> None:
    reset = datetime(2026, 11, 25, 15, 0).astimezone()  # a Wednesday
    near, far = reset.timestamp() - 1_800, reset.timestamp() - 2 * 86_400
    words = {"content": [{"type": "text", "text": "You've hit your weekly limit"}], "model": "<synthetic>"}
    refused = {"type": "assistant", "message": words, "error": "rate_limit"}
    ended = {"type": "result", "subtype": "success", "is_error": True, "api_error_status": 429}

    for now, when in ((near, "at 15:00"), (far, "on Wednesday at 15:00"), (reset.timestamp() + 60, "at 15:00")):
        reader = ClaudeAnswerReader(clock=lambda now=now: now)  # type: ignore[misc]
        told = limit(status="rejected", rateLimitType="seven_day", resetsAt=reset.timestamp())
        outcome = [event for record in (started(), told, refused, ended) for event in reader.read(record)][-1]
        assert isinstance(outcome, Failed)
        failure = outcome.failure
        assert failure.code == "rate_limited"
        assert failure.message.startswith(f"Your plan's weekly limit is reached. It resets {when}.")
        assert failure.retry_after_s == (reset.timestamp() - now if now < reset.timestamp() else None)
        assert "open_connections" in failure.actions
        # version 2.1.332 says it in the error alone
        newer = refused | {"api_error_params": {"rate_limit_info": told["rate_limit_info"]}}
        reader = ClaudeAnswerReader(clock=lambda now=now: now)  # type: ignore[misc]
        assert [event for record in (started(), newer, ended) for event in reader.read(record)][-1] == outcome


TOOL_USE = {"type": "tool_use", "id": "t1", "name": "mcp__plimsoll__search_this_thread", "input": {"query": "q"}}
CALL = ToolCallPart("t1", "search_this_thread", {"query": "q"})
RESULT = ToolResultPart("t1", "r")


def begun(message_id: str, tokens: int = 5) -> dict[str, Any]:
    usage = {"input_tokens": tokens, "output_tokens": 1}
    return streamed({"type": "message_start", "message": {"id": message_id, "model": "m", "usage": usage}})


def abandoned() -> dict[str, Any]:
    return {**streamed({"type": "message_stop"}), "abandoned_blocks": {"from_block_index": 0}}


def read(reader: ClaudeAnswerReader, *records: dict[str, Any]) -> list[StreamEvent]:
    return [event for record in records for event in reader.read(record)]


def with_call_answered() -> ClaudeAnswerReader:
    """An answer whose first request ended with a call that has its result."""
    reader = ClaudeAnswerReader(tools=True)
    text = {"type": "text", "text": "Look."}
    read(reader, begun("m1"), delta("Look."), block(text, id="m1"), block(TOOL_USE, id="m1"), stopped("tool_use"))
    read(reader, streamed({"type": "message_stop"}))
    assert not reader.wants_interrupt
    reader.answered(RESULT)
    return reader


def content(events: list[StreamEvent]) -> list[StreamEvent]:
    return [event for event in events if not isinstance(event, UsageReported)]


def test_what_came_before_stands_when_a_later_request_is_repeated() -> None:
    reader = with_call_answered()

    broken = read(reader, begun("m2"), delta("half"), abandoned())
    again = read(reader, begun("m3"), delta("whole"))

    assert content(broken) == [TextDelta("half")]
    kept = [PartFinished(TextPart("Look.")), PartFinished(CALL), PartFinished(RESULT)]
    assert content(again) == [Reset(), *kept, TextDelta("whole")]
    assert content(read(reader, delta("!"))) == [TextDelta("!")]


def test_what_came_before_stands_when_nothing_was_said_of_the_break() -> None:
    reader = with_call_answered()
    read(reader, begun("m2"), delta("half"))

    again = read(reader, begun("m3"), delta("whole"))

    kept = [PartFinished(TextPart("Look.")), PartFinished(CALL), PartFinished(RESULT)]
    assert content(again) == [Reset(), *kept, TextDelta("whole")]


def test_each_result_that_stands_is_given_again_behind_its_call() -> None:
    reader, second = ClaudeAnswerReader(tools=True), {**TOOL_USE, "id": "t2"}
    read(reader, begun("m1"), block(TOOL_USE, id="m1"), block(second, id="m1"), stopped("tool_use"))
    for call_id in ("t1", "t2"):
        reader.answered(ToolResultPart(call_id, "r"))

    _, *kept, _ = content(read(reader, begun("m2"), delta("half"), begun("m3"), delta("whole")))[1:]

    ids = [getattr(one.part, "id", "result") for one in kept if isinstance(one, PartFinished)]
    assert ids == ["t1", "result", "t2", "result"]


def test_a_repetition_that_says_nothing_takes_nothing_back() -> None:
    reader = with_call_answered()

    events = read(reader, begun("m2"), delta("half"), abandoned(), begun("m3"), abandoned()) + reader.end("")

    assert not any(isinstance(event, Reset) for event in events)


def test_a_request_that_goes_on_from_whole_parts_takes_back_the_half_alone() -> None:
    reader = ClaudeAnswerReader(tools=True)
    read(reader, begun("m1"), block({"type": "text", "text": "one"}, id="m1"), delta("tw"), abandoned())

    events = read(reader, begun("m2"), delta(" and two"))

    assert content(events) == [Reset(), PartFinished(TextPart("one")), TextDelta(" and two")]


def test_thinking_alone_does_not_stand() -> None:
    reader = ClaudeAnswerReader()
    read(reader, begun("m1"), block({"type": "thinking", "thinking": "hm", "signature": "s"}, id="m1"), abandoned())

    assert content(read(reader, begun("m2"), delta("anew"))) == [Reset(), TextDelta("anew")]


def test_the_program_refuses_a_call_and_the_refusal_is_its_result() -> None:
    reader = ClaudeAnswerReader(tools=True)
    read(reader, begun("m1"), block({**TOOL_USE, "name": "Bash"}, id="m1"), stopped("tool_use"))
    words = "<tool_use_error>Error: No such tool available: Bash</tool_use_error>"
    refusal = {"type": "tool_result", "tool_use_id": "t1", "content": words, "is_error": True}
    record = {"type": "user", "message": {"role": "user", "content": [refusal]}}

    first, second = read(reader, record), read(reader, record)

    assert first == [PartFinished(ToolResultPart("t1", "Error: No such tool available: Bash", is_error=True))]
    assert second == []


def test_a_result_that_was_given_is_not_shown_twice() -> None:
    reader = with_call_answered()
    back = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "r"}]}

    assert read(reader, {"type": "user", "message": {"role": "user", "content": [back]}}) == []


def test_a_stop_for_tools_without_a_call_ends_the_answer() -> None:
    reader = ClaudeAnswerReader(tools=True)

    read(reader, begun("m1"), block({"type": "text", "text": "Look."}, id="m1"), stopped("tool_use"))

    assert reader.wants_interrupt


def test_usage_of_several_requests_is_their_sum() -> None:
    reader = with_call_answered()
    used = {"inputTokens": 105, "outputTokens": 9, "cacheReadInputTokens": 4, "costUSD": 0.5}
    result = {"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}

    live = read(reader, begun("m2", 100), delta("x"))
    final = read(reader, stopped("end_turn"), {**result, "modelUsage": {"m": used}})

    assert isinstance(live[0], UsageReported)
    assert (live[0].usage.input, live[0].usage.first_prompt) == (105, 5)
    reported = [event for event in final if isinstance(event, UsageReported)][-1]
    assert reported.usage == Usage(input=105, cache_read=4, output=9, cost_usd=0.5, first_prompt=5)
    assert final[-1] == Ended("end_turn")


def test_usage_of_a_request_that_was_sampled_several_times_is_the_sum_that_the_program_names() -> None:
    reader = ClaudeAnswerReader()
    entries = [{"type": "message", "input_tokens": 100}, {"type": "advisor_message", "input_tokens": 900}]
    message = {"id": "m1", "model": "m", "content": [{"type": "text", "text": "found"}], "stop_reason": "end_turn"}
    read(reader, {"type": "assistant", "message": {**message, "usage": {"input_tokens": 100, "iterations": entries}}})

    used = {"m": {"inputTokens": 100, "outputTokens": 9, "costUSD": 0.1}, "n": {"inputTokens": 900, "costUSD": 0.4}}
    result = {"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}
    final = read(reader, {**result, "modelUsage": used})

    reported = [event.usage for event in final if isinstance(event, UsageReported)][-1]
    assert reported == Usage(input=1_000, output=9, cost_usd=0.5, first_prompt=100)


def test_a_request_that_does_not_stream_goes_on_behind_a_call() -> None:
    reader = with_call_answered()
    message = {"id": "m2", "model": "m", "content": [{"type": "text", "text": "found"}], "stop_reason": "end_turn"}
    whole = {"type": "assistant", "message": {**message, "usage": {"input_tokens": 7}}}

    events = read(reader, whole)

    assert content(events) == [PartFinished(TextPart("found"))]
    usage = [event.usage for event in events if isinstance(event, UsageReported)][-1]
    assert (usage.input, usage.first_prompt) == (12, 5)
