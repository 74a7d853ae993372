"""Chunks as many kinds of servers send them, read without a network."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.backends.openai.chat_failures import read_error
from desktop_app.backends.openai.chat_wire import ChatAnswerReader, usage_of
from desktop_app.core.messages import Part, TextPart, ThinkingPart, ToolCallPart, UnknownPart
from desktop_app.core.stream_events import Accumulator, Ended, valid_usage
from tests.backends.openai.backends import MODEL


def answered(*deltas: dict[str, Any], reason: str = "stop") -> Accumulator:
    reader, message = ChatAnswerReader(MODEL, free=False), Accumulator()
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": delta}]} for delta in deltas]
    for chunk in [*chunks, {"choices": [{"delta": {}, "finish_reason": reason}]}]:
        for event in reader.read(chunk):
            message.add(event)
    for event in reader.end():
        message.add(event)
    return message


def call(index: int | None = None, call_id: str | None = None, name: str | None = None, arguments: Any = None) -> Any:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    placed = {key: value for key, value in (("index", index), ("id", call_id)) if value is not None}
    return {"tool_calls": [{**placed, "function": function}]}


LISTED = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "said"}]
SOURCE = {"annotations": [{"type": "url_citation", "url_citation": {"url": "https://a.example"}}]}


@pytest.mark.parametrize(
    ("deltas", "said"),
    [
        (({"content": LISTED}, {"content": " more"}), [(ThinkingPart, "hm"), (TextPart, "said more")]),
        (
            ({"content": "first"}, {"reasoning": "hm"}, {"content": "second", **SOURCE}),
            [(TextPart, "first"), (ThinkingPart, "hm"), (TextPart, "second")],
        ),
        (({"content": "found ", **SOURCE}, {"refusal": "no more"}), [(TextPart, "found no more")]),
    ],
    ids=["a list of pieces", "thinking between texts with sources", "a refusal behind sources"],
)
def test_every_word_stands_in_the_answer_once(deltas: tuple[Any, ...], said: list[tuple[type[Part], str]]) -> None:
    parts = answered(*deltas).parts

    assert [(type(one), one.text) for one in parts if isinstance(one, TextPart | ThinkingPart)] == said


A, B = ToolCallPart("a", "f", {"x": 1}), ToolCallPart("b", "g", {})

TOOL_CALLS: dict[str, tuple[tuple[Any, ...], tuple[Part, ...]]] = {
    "pieces, interleaved": (
        (call(0, "a", "f", ""), call(1, "b", "g", ""), call(0, None, None, '{"x"'), call(0, None, None, ": 1}")),
        (A, B),
    ),
    "whole calls, all in the first place": ((call(0, "a", "f", '{"x": 1}'), call(0, "b", "g", "{}")), (A, B)),
    "whole calls without a place": ((call(None, "a", "f", '{"x": 1}'), call(None, "b", "g", "")), (A, B)),
    "the id with every piece": ((call(0, "a", "f", '{"x"'), call(0, "a", "f", ": 1}")), (A,)),
    "arguments as an object": ((call(0, "a", "f", {"x": 1}),), (A,)),
    "cut by the output limit": (
        (call(0, "a", "f", '{"x": "lon'),),
        (UnknownPart({"type": "tool_use", "id": "a", "name": "f", "partial_json": '{"x": "lon'}),),
    ),
    "arguments that are no object": (
        (call(0, "a", "f", "[1]"),),
        (UnknownPart({"type": "tool_use", "id": "a", "name": "f", "partial_json": "[1]"}),),
    ),
}


@pytest.mark.parametrize("form", TOOL_CALLS)
def test_tool_calls_in_the_forms_of_many_servers(form: str) -> None:
    deltas, parts = TOOL_CALLS[form]
    message = answered(*deltas)
    assert message.parts == parts
    assert message.stop_reason == "tool_use"


def test_a_call_without_an_id_gets_one_of_its_own() -> None:
    first, second = (answered(call(0, None, "f", "{}")).parts[0] for _ in range(2))
    assert isinstance(first, ToolCallPart)
    assert isinstance(second, ToolCallPart)
    assert first.id != second.id


def test_what_a_provider_wants_back_is_kept() -> None:
    delta = call(0, "a", "f", '{"x": 1}')
    delta["tool_calls"][0]["extra_content"] = {"google": {"thought_signature": "s"}}
    (part,) = answered(delta).parts
    assert isinstance(part, ToolCallPart)
    assert part.extra == {"extra_content": {"google": {"thought_signature": "s"}}}


@given(st.text(min_size=1), st.lists(st.integers(0, 40)))
def test_text_is_the_same_however_it_is_cut(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in itertools.pairwise(places)]
    assert answered(*({"content": piece} for piece in pieces)).parts == (TextPart(text),)


Odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["prompt_tokens", "completion_tokens", "prompt_tokens_details", "cost"]), Odd))
def test_odd_usage_is_no_usage(usage: dict[str, Any]) -> None:
    # a count that can't be one makes the whole usage unknown at the door that every backend's events go through
    counted = valid_usage(usage_of(usage, MODEL, free=False))
    odd = [usage[name] for name in ("prompt_tokens", "completion_tokens") if type(usage.get(name)) is int]
    assert (counted is None) >= any(one < 0 for one in odd)
    assert counted is None or min(counted.input, counted.cache_read, counted.cache_write, counted.output) >= 0


@given(st.integers(200, 599), Odd)
def test_any_body_is_an_error_in_one_form(status: int, body: Any) -> None:
    error = read_error(status, {"error": body})
    assert error.status >= 300
    assert isinstance(error.detail, str)


def test_more_cached_than_sent_is_all_of_it() -> None:
    usage = {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 5}}
    assert (usage_of(usage, MODEL, free=True).cache_read, usage_of(usage, MODEL, free=True).input) == (10, 0)
    hits = usage_of({"prompt_tokens": 10, "prompt_cache_hit_tokens": 4}, MODEL, free=False)
    assert (hits.cache_read, hits.input) == (4, 6)


def test_a_text_that_ends_in_words_of_refusal() -> None:
    message = answered({"content": "No"}, reason="content_filter")
    assert (message.parts, message.stop_reason) == ((TextPart("No"),), "refusal")


def test_the_end_is_said_once() -> None:
    reader = ChatAnswerReader(MODEL, free=True)
    assert reader.read({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1}})
    assert reader.over
    assert reader.end() == [Ended("end_turn")]


class Place(int):
    """A place of a call that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Place.compared += 1
        return int(self) == other

    __hash__ = int.__hash__


def test_a_call_finds_its_place_among_many_at_once() -> None:
    """One event may hold 200,000: looked for one by one, they would hold the window still for half an hour."""
    calls = [call(Place(at), f"c{at}", "f", "{}")["tool_calls"][0] for at in range(500)]
    Place.compared = 0
    answer = answered({"tool_calls": calls}, reason="tool_calls")
    assert len(answer.parts) == 500
    assert Place.compared < 5_000
