"""One bad event costs nothing of what came before it, and is a fault of the server, never one of the app."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_app.backends.anthropic_wire import block_of
from desktop_app.core.messages import TextPart, ToolCallPart
from desktop_app.core.stream_events import Ended
from tests.backends.both_apis import ANTHROPIC, OPENAI, Api, ApiBackend, Provider, for_both
from tests.backends.plans import collect
from tests.servers.messages_api import Answer, ErrorEvent, Raw


def events(provider: Provider, *texts: str) -> bytes:
    """The events that say these texts, in one piece."""
    made: list[dict[str, Any]] = []
    for text in texts:
        if provider is OPENAI:
            made.append({"choices": [{"delta": {"content": text}}]})
        else:
            made.append({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in made)


BAD = {
    "an invalid byte": b'{"x": "\xff"}',
    "a number of 5,000 digits": b'{"x": ' + b"1" * 5_000 + b"}",
    "no JSON": b"{x",
    "nested too deep": b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "no object": b"[1]",
}


@for_both
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_what_came_in_the_same_piece_before_a_bad_event_is_kept(
    provider: Provider, api: Api, backend: ApiBackend, bad: bytes
) -> None:
    piece = events(provider, "Good ", "text") + b"data: " + bad + b"\n\n" + events(provider, " and more")
    api.script(Answer("Some ", Raw(piece)))
    answer = await collect(backend.stream(provider.plan))
    assert answer.message.parts == (TextPart("Some Good text"),)
    failure = answer.failed.failure
    assert (failure.code, failure.actions[0]) == ("backend", "continue")
    assert failure.message == "127.0.0.1 sent something that can't be read. The text so far is saved. Try again."
    assert len(api.answers) == 1


WRONG: list[tuple[Provider, list[dict[str, Any]]]] = [
    (
        OPENAI,
        [
            {"choices": 5},
            {"choices": [5]},
            {"choices": [{"delta": "x"}]},
            {"choices": [{"delta": {"tool_calls": "x"}}]},
            {"choices": [{"delta": {"tool_calls": [5]}}]},
            {"choices": [{"delta": {"tool_calls": [{"index": {}, "function": 5}]}}]},
            {"choices": [{"delta": {"reasoning_details": 5}}]},
            {"choices": [{"delta": {"annotations": 5}}]},
            {"choices": [{"delta": {}, "finish_reason": {"a": 1}}]},
        ],
    ),
    (
        ANTHROPIC,
        [
            {"type": "content_block_start", "index": [1], "content_block": {"type": "text"}},
            {"type": "content_block_start", "index": 1, "content_block": 5},
            {"type": "content_block_delta", "index": 0, "delta": 5},
            {"type": "message_start", "message": 5},
            {"type": "message_start", "message": {"diagnostics": 5}},
            {"type": "message_delta", "delta": 5},
            {"type": "message_delta", "delta": {"stop_details": 5}},
            {"type": "message_delta", "usage": 5},
            {"type": "message_delta", "delta": {"stop_reason": {"a": 1}}},
        ],
    ),
]


@pytest.mark.parametrize(
    ("provider", "event"),
    [pytest.param(provider, one, id=json.dumps(one)) for provider, some in WRONG for one in some],
)
async def test_a_value_of_a_wrong_kind_is_a_fault_of_the_server(
    provider: Provider, api: Api, backend: ApiBackend, event: dict[str, Any]
) -> None:
    piece = events(provider, "Good text") + b"data: " + json.dumps(event).encode() + b"\n\n"
    api.script(Answer("Some ", Raw(piece)))
    answer = await collect(backend.stream(provider.plan))
    assert answer.text == "Some Good text"
    assert answer.failed.failure.code == "backend"


@for_both
@pytest.mark.parametrize("message", ["1" * 16_000, "maximum context length is " + "1" * 16_000, "1," * 8_000])
async def test_thousands_of_digits_in_an_error_of_the_stream_are_cut(
    provider: Provider, api: Api, backend: ApiBackend, message: str
) -> None:
    api.script(Answer("a", ErrorEvent("invalid_request_error", message)))
    answer = await collect(backend.stream(provider.plan))
    assert answer.failed.failure.code in ("backend", "context_limit")
    assert len(answer.failed.failure.detail) < 2_200


@for_both
async def test_what_follows_the_end_is_no_part_of_the_answer(provider: Provider, api: Api, backend: ApiBackend) -> None:
    end = b"[DONE]" if provider is OPENAI else b'{"type": "message_stop"}'
    piece = events(provider, "the answer") + b"data: " + end + b"\n\n" + events(provider, " and what was never said")
    api.script(Answer(Raw(piece)))
    answer = await collect(backend.stream(provider.plan))
    assert (answer.text, answer.events[-1]) == ("the answer", Ended("end_turn"))


def _calls(provider: Provider) -> list[dict[str, Any]]:
    """Two calls that were given one id."""
    name, values = "look", '{"at": %d}'
    if provider is OPENAI:
        return [
            {"choices": [{"delta": {"tool_calls": [
                {"index": at, "id": "one", "function": {"name": name, "arguments": values % at}}
            ]}}]}
            for at in range(2)
        ] + [{"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]  # fmt: skip
    return [
        event
        for at in range(2)
        for event in (
            {"type": "content_block_start", "index": at,
             "content_block": {"type": "tool_use", "id": "one", "name": name, "input": {"at": at}}},
            {"type": "content_block_stop", "index": at},
        )
    ] + [{"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"}]  # fmt: skip


def wire(made: list[dict[str, Any]]) -> Raw:
    return Raw(b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in made))


@for_both
async def test_calls_that_were_given_one_id_have_two(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(Answer(wire(_calls(provider))))
    first, second = (await collect(backend.stream(provider.plan))).message.parts
    assert isinstance(first, ToolCallPart)
    assert isinstance(second, ToolCallPart)
    assert (first.id, first.input, second.input) == ("one", {"at": 0}, {"at": 1})
    assert second.id != "one"


@pytest.mark.parametrize("provider", [OPENAI])
async def test_sources_that_come_after_a_call_do_not_say_the_text_again(
    provider: Provider, api: Api, backend: ApiBackend
) -> None:
    note = {"type": "url_citation", "url_citation": {"url": "https://a.example"}}
    api.script(Answer(Raw(events(provider, "Said once.")), wire(_calls(provider)),
                      wire([{"choices": [{"delta": {"annotations": [note]}}]}])))  # fmt: skip
    assert (await collect(backend.stream(provider.plan))).text == "Said once."


@pytest.mark.parametrize("delta", [{"type": "text_delta", "text": [1]}, {"type": "text_delta", "text": None}])
@pytest.mark.parametrize("provider", [ANTHROPIC])
async def test_a_block_with_a_value_of_a_wrong_kind_does_not_spoil_the_next_request(
    provider: Provider, api: Api, backend: ApiBackend, delta: dict[str, Any]
) -> None:
    piece = wire([{"type": "content_block_delta", "index": 1, "delta": delta}])
    api.script(Answer(Raw(events(provider, "Good")), piece, wire([{"type": "message_stop"}])))
    answer = await collect(backend.stream(provider.plan))
    assert "Good" in answer.text
    sent = [block_of(part) for part in answer.message.parts]
    assert all(isinstance(block.get("text"), str) for block in sent if block)
