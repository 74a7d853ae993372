"""Plans to bodies and events to parts, without any network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_app.backends.anthropic_wire import (
    BLANK,
    AnthropicAnswerReader,
    block_of,
    part_of,
    request_body,
    usage_of,
)
from desktop_app.core.context.plan import CacheMark
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.model_catalog import find_model
from desktop_app.core.stream_events import Accumulator, Ended, StreamEvent, TextDelta, UsageReported
from tests.backends.plans import assistant, plan_of, user
from tests.counted_calls import CountedCalls
from tests.servers.messages_rules import violation

SONNET = find_model("anthropic", "claude-sonnet-5-5")
PARTS: list[Part] = [
    TextPart("words", {"citations": [{"type": "char_location"}]}),
    ThinkingPart("hm", "sig"),
    ToolCallPart("t1", "find", {"q": "x"}),
    ToolResultPart("t1", "found"),
    ImagePart("a.png", "image/png", "aGk="),
    DocumentPart("a.txt", "text", "0" * 64),
    UnknownPart({"type": "redacted_thinking", "data": "x"}),
]


def read(*events: Mapping[str, Any]) -> tuple[Accumulator, list[StreamEvent]]:
    reader, message = AnthropicAnswerReader(SONNET), Accumulator()
    seen = [event for raw in events for event in reader.read(raw)]
    for event in seen:
        message.add(event)
    return message, seen


def block(raw: Mapping[str, Any], *deltas: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": 0, "content_block": raw},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
    ]


def wire_event(what: str, index: int, kind: str, word: str) -> dict[str, Any]:
    match what:
        case "begin":
            return {"type": "content_block_start", "index": index, "content_block": {"type": kind, kind: word}}
        case "call":
            call = {"type": "tool_use", "id": word, "name": "find", "input": {}}
            return {"type": "content_block_start", "index": index, "content_block": call}
        case "delta":
            return {"type": "content_block_delta", "index": index, "delta": {"type": f"{kind}_delta", kind: word}}
        case _:
            return {"type": "content_block_stop", "index": index}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["begin", "delta", "delta", "call", "stop"]),
            st.integers(0, 2),
            st.sampled_from(["text", "thinking"]),
        )
    ),
    st.booleans(),
)
@example([("begin", 0, "text"), ("begin", 0, "text"), ("stop", 0, "text")], False)
@example([("begin", 0, "text"), ("delta", 0, "text"), ("call", 1, "text")], False)
def test_every_word_stands_in_the_answer_once_however_its_blocks_are_mixed(
    events: list[tuple[str, int, str]], cites: bool
) -> None:
    reader, message = AnthropicAnswerReader(SONNET, cites=cites), Accumulator()
    sent: list[str] = []
    for number, (what, index, kind) in enumerate(events):
        word = f"<{number}>"
        sent += [word] * (what in ("begin", "delta"))
        for event in reader.read(wire_event(what, index, kind, word)):
            message.add(event)

        texts = [part.text for part in message.parts if isinstance(part, TextPart | ThinkingPart)]
        assert "".join(texts) == "".join(sent)

    calls = [f"<{number}>" for number, (what, *_) in enumerate(events) if what == "call"]
    for event in reader.read({"type": "message_stop"}):
        message.add(event)
    assert sorted(part.id for part in message.parts if isinstance(part, ToolCallPart)) == sorted(calls)


def test_a_whole_plan_is_what_the_api_takes() -> None:
    plan = plan_of(
        user("one"),
        assistant(ThinkingPart("hm", "sig"), "two", ToolCallPart("t1", "find", {"q": 1})),
        user(ToolResultPart("t1", ""), "three"),
        system="Be brief.",
        marks=[CacheMark(-1, 0, "1h"), CacheMark(1, 1, "5m"), CacheMark(2, 1, "5m")],
    )
    body = request_body(plan)
    assert violation(body, {"anthropic-version": "x"}) is None
    assert body["system"] == [
        {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    ]
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"][1]["cache_control"] == {"type": "ephemeral", "ttl": "5m"}
    assert body["messages"][2]["content"][1] == {
        "type": "text",
        "text": "three",
        "cache_control": {"type": "ephemeral", "ttl": "5m"},
    }
    assert (body["max_tokens"], body["stream"], body["model"]) == (1000, True, "claude-sonnet-5-5")


def test_a_mark_on_what_can_not_carry_one_goes_to_the_block_before() -> None:
    message = assistant("text", ThinkingPart("unsigned"), ThinkingPart("hm", "sig"))
    body = request_body(plan_of(user("a"), message, user("b"), marks=[CacheMark(1, 2, "5m")]))
    content = body["messages"][1]["content"]
    assert [one["type"] for one in content] == ["text", "thinking"]
    assert "cache_control" in content[0]
    assert "cache_control" not in content[1]


def test_no_system_prompt_is_no_system_field() -> None:
    assert "system" not in request_body(plan_of(user("a"), system=" \n"))


def test_white_space_becomes_a_fixed_word() -> None:
    assert request_body(plan_of(user(" \n")))["messages"][0]["content"] == [{"type": "text", "text": BLANK}]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_a_block_the_api_takes(part: Part) -> None:
    sent = block_of(part)
    assert sent is not None
    calls = isinstance(part, ToolCallPart)
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    call = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    before = [{"role": "assistant", "content": [call]}] if isinstance(part, ToolResultPart) else []
    messages = [
        {"role": "user", "content": "x"},
        *before,
        {"role": "assistant" if calls else "user", "content": [sent]},
        {"role": "user", "content": [answer] if calls else "x"},
    ]
    body = {"model": "claude-x", "max_tokens": 1, "messages": messages}
    assert violation(body, {"anthropic-version": "x"}) is None


@pytest.mark.parametrize(
    ("model", "thinks"),
    [
        ("claude-sonnet-5-5", True),
        ("claude-sonnet-5", True),
        ("claude-opus-4-6", True),
        ("claude-haiku-4-5-20251001", False),
        ("claude-opus-4-20250514", False),
        ("anthropic.claude-opus-5-5-v1", True),
        ("something-else", False),
    ],
)
def test_only_newer_models_are_asked_to_think(model: str, *, thinks: bool) -> None:
    assert ("thinking" in request_body(plan_of(user("a"), model=find_model("anthropic", model)))) is thinks


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner, max_size=3)
)


@given(
    st.sampled_from(["text", "thinking", "tool_use", "redacted_thinking", "hologram"]),
    st.dictionaries(
        st.sampled_from(["text", "thinking", "signature", "id", "name", "input", "data", "zip"]), json_values
    ),
)
def test_a_block_is_never_an_error_and_nothing_of_it_is_lost(kind: str, fields: dict[str, Any]) -> None:
    message, _ = read(*block({"type": kind, **fields}))
    kept = json.dumps([_flat(part) for part in message.parts])
    lossless = {key: value for key, value in fields.items() if value not in ("", None)}
    if message.parts:
        assert all(json.dumps(value) in kept for value in lossless.values())


def _flat(part: Part) -> Any:
    match part:
        case UnknownPart(raw):
            return raw
        case ThinkingPart(text, signature, extra):
            return [text, signature, extra]
        case TextPart(text, extra):
            return [text, extra]
        case ToolCallPart(call_id, name, values, extra):
            return [call_id, name, values, extra]
        case _:
            raise AssertionError(part)


def test_unknown_blocks_grow_by_their_deltas_and_are_kept() -> None:
    raw = {"type": "hologram", "data": "x", "depth": 1}
    message, _ = read(*block(raw, {"type": "hologram_delta", "data": "yz"}, {"type": "depth_delta", "depth": 2}))
    assert message.parts == (UnknownPart({"type": "hologram", "data": "xyz", "depth": 2}),)


def test_a_text_keeps_its_citations() -> None:
    citation = {"type": "char_location", "cited_text": "q"}
    deltas = ({"type": "text_delta", "text": "a"}, {"type": "citations_delta", "citation": citation})
    message, _ = read(*block({"type": "text", "text": ""}, *deltas))
    assert message.parts == (TextPart("a", {"citations": [citation]}),)


def test_thinking_keeps_its_signature_and_a_tool_call_its_input() -> None:
    thinking = block(
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "sig"},
    )
    tool = block(
        {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"q":'},
        {"type": "input_json_delta", "partial_json": ' "ä"}'},
    )
    message, _ = read(*thinking, *tool)
    assert message.parts == (ThinkingPart("hm", "sig"), ToolCallPart("t1", "f", {"q": "ä"}))


def test_a_tool_call_that_was_cut_keeps_what_came() -> None:
    raw = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    message, _ = read(*block(raw, {"type": "input_json_delta", "partial_json": '{"q":'}))
    cut = UnknownPart({"type": "tool_use", "id": "t1", "name": "f", "input": {}, "partial_json": '{"q":'})
    assert message.parts == (cut,)
    # nor does it stand in the way of the next request, alone or beside a call that was whole
    whole = ToolCallPart("t2", "f", {"q": 1})
    body = request_body(plan_of(user("a"), assistant(cut), user("b")))
    assert body["messages"][1]["content"] == [{"type": "text", "text": BLANK}]
    body = request_body(plan_of(user("a"), assistant(cut, whole), user(ToolResultPart("t2", "found"))))
    assert [block["id"] for block in body["messages"][1]["content"]] == ["t2"]
    assert violation(body, {"anthropic-version": "x"}) is None


def test_unknown_events_and_a_delta_without_a_block_are_nothing() -> None:
    message, seen = read(
        {"type": "brand_new"}, {"type": "ping"}, *block({}, {"type": "signature_delta", "signature": "x"})[1:2]
    )
    assert (message.parts, seen) == ((), [])


def test_usage_is_cumulative_and_keeps_what_a_later_report_leaves_out() -> None:
    start = {"input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 50, "output_tokens": 1}
    _, seen = read(
        {"type": "message_start", "message": {"model": "claude-sonnet-5-5-served", "usage": start}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "max_tokens"},
            "usage": {"output_tokens": 30, "input_tokens": None, "output_tokens_details": {"thinking_tokens": 20}},
        },
        {"type": "message_stop"},
    )
    last = [event for event in seen if isinstance(event, UsageReported)][-1]
    assert last.model == "claude-sonnet-5-5-served"
    assert (last.usage.input, last.usage.cache_read, last.usage.cache_write) == (10, 100, 50)
    assert (last.usage.output, last.usage.thinking) == (30, 20)
    assert seen[-1] == Ended("max_tokens")


def test_cost_tells_the_lifetimes_of_cache_writes_apart() -> None:
    raw = {
        "input_tokens": 100,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 300,
        "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 100},
        "output_tokens": 10,
    }
    # $2 in, $10 out, 0.1 read, 2.5 and 4 written, per million
    dollars = (100 * 2 + 1000 * 0.1 + 200 * 2.5 + 100 * 4 + 10 * 10) / 1_000_000
    assert usage_of(raw, SONNET).cost_usd == pytest.approx(dollars)
    unknown = find_model("anthropic", "claude-of-the-future")
    assert usage_of(raw, unknown) == Usage(100, 1000, 300, 10)


COMPACTION = {"type": "compaction", "input_tokens": 180_000, "output_tokens": 3_500}
ANSWERED = {"type": "message", "input_tokens": 23_000, "output_tokens": 1_000}
ADVISED = {"type": "advisor_message", "model": "claude-opus-5-5", "input_tokens": 10_000, "output_tokens": 2_000}


def test_what_several_samplings_used_is_summed_each_at_its_own_price() -> None:
    raw = {"input_tokens": 23_000, "output_tokens": 1_000, "output_tokens_details": {"thinking_tokens": 40}}
    assert usage_of(raw | {"iterations": []}, SONNET) == usage_of(raw, SONNET)
    assert usage_of(raw | {"iterations": [ANSWERED]}, SONNET) == usage_of(raw, SONNET)
    compacted = usage_of(raw | {"iterations": [COMPACTION, ANSWERED]}, SONNET)
    assert (compacted.input, compacted.output, compacted.thinking) == (203_000, 4_500, 40)
    # what was planned is what was compacted
    assert compacted.opening == 180_000
    assert compacted.cost_usd == pytest.approx((203_000 * 2 + 4_500 * 10) / 1_000_000)
    advised = usage_of(raw | {"iterations": [ANSWERED, ADVISED]}, SONNET)
    opus = find_model("anthropic", "claude-opus-5-5").prices
    assert opus is not None
    dollars = (23_000 * 2 + 1_000 * 10 + 10_000 * opus.input + 2_000 * opus.output) / 1_000_000
    assert advised.cost_usd == pytest.approx(dollars)


def test_a_list_of_samplings_that_is_not_whole_is_not_believed() -> None:
    raw = {"input_tokens": 23_000, "output_tokens": 1_000, "iterations": [{"type": "message", "input_tokens": 5}, None]}
    assert (usage_of(raw, SONNET).input, usage_of(raw, SONNET).output) == (23_000, 1_000)
    assert usage_of(raw | {"iterations": {"a": 1}}, SONNET).input == 23_000


def test_a_block_of_a_known_kind_in_an_unknown_shape_is_kept_as_it_is() -> None:
    assert part_of({"type": "text", "text": None, "x": 1}) == UnknownPart({"type": "text", "text": None, "x": 1})


def test_the_first_text_may_stand_in_the_opening() -> None:
    _, seen = read(*block({"type": "text", "text": "a"}, {"type": "text_delta", "text": "b"}))
    assert seen[:2] == [TextDelta("a"), TextDelta("b")]


def test_the_work_of_many_blocks_that_never_end_grows_with_them() -> None:
    def work(count: int) -> int:
        reader = AnthropicAnswerReader(SONNET)
        block = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
        with CountedCalls() as counted:
            for at in range(count):
                reader.read({"type": "content_block_start", "index": at, "content_block": block})
        return counted.calls

    assert work(800) < 3 * work(400)
