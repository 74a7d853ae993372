"""What a request asks for beside its text: tools, effort, temperature, a search; and what a refusal teaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from desktop_app.backends.openai.chat_failures import PLAIN, ChatApiError, ChatDialect, taught
from desktop_app.backends.openai.chat_wire import request_body
from desktop_app.backends.openai.known_models import model_of, with_ollama_facts
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import (
    Parameters,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    UnknownPart,
)
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.stream_events import Notice
from tests.backends.openai.backends import MODEL, backend_for, plan, preset_called
from tests.backends.plans import assistant, collect, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.chat_rules import violation
from tests.servers.messages_api import Answer, Block, HttpError, Think, ToolUse

SEARCH = ToolSpec("search_this_thread", "Looks up.", {"type": "object", "properties": {"query": {"type": "string"}}})
OTHER = ToolSpec("search_documents", "Reads.", {"type": "object", "properties": {}})


def offering(
    *messages: PlannedMessage,
    tools: Sequence[ToolSpec] = (),
    answer_now: bool = False,
    model: ModelInfo = MODEL,
    **wishes: Any,
) -> ContextPlan:
    made = plan(*(messages or (user("Hello"),)), model=model)
    return replace(
        made, request=replace(made.request, tools=tuple(tools), answer_now=answer_now, parameters=Parameters(**wishes))
    )


def test_tools_are_offered_in_their_order() -> None:
    body = request_body(offering(tools=(SEARCH, OTHER)), PLAIN)
    function = {"name": "search_this_thread", "description": "Looks up.", "parameters": SEARCH.schema}
    assert body["tools"][0] == {"type": "function", "function": function}
    assert [tool["function"]["name"] for tool in body["tools"]] == ["search_this_thread", "search_documents"]
    assert "tool_choice" not in body
    assert violation(body) is None
    assert "tools" not in request_body(offering(tools=(SEARCH,)), ChatDialect(strict=True))


def test_at_the_end_of_the_calls_the_tools_stay_and_none_may_be_called() -> None:
    body = request_body(offering(tools=(SEARCH,), answer_now=True), PLAIN)
    assert (len(body["tools"]), body["tool_choice"]) == (1, "none")
    assert "tool_choice" not in request_body(offering(answer_now=True), PLAIN)


async def test_a_loop_goes_on_with_thinking_calls_and_what_the_provider_signed(
    api: ChatApi, backend: OpenAiBackend
) -> None:
    signed = {"google": {"thought_signature": "s"}}
    call = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "extra_content": signed,
        "function": {"name": "search_this_thread", "arguments": '{"query": "x"}'},
    }
    api.script(Answer(Think("hm"), Block({"tool_calls": [call]}), stop_reason="tool_calls"))
    first = await collect(backend.stream(offering(tools=(SEARCH,))))
    assert first.message.stop_reason == "tool_use"
    called = assistant(*first.message.parts)
    await collect(backend.stream(offering(user("Hello"), called, user(ToolResultPart("c1", "found")), tools=(SEARCH,))))
    assert api.answers[1].body["messages"][1:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "search_this_thread", "arguments": '{"query": "x"}'},
                    "extra_content": signed,
                }
            ],
            "reasoning_content": "hm",
        },
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ]
    assert api.violations == []


async def test_a_call_that_was_cut_does_not_stand_in_the_way(api: ChatApi, backend: OpenAiBackend) -> None:
    cut = {"index": 1, "id": "c2", "type": "function", "function": {"name": "search_this_thread", "arguments": '{"q'}}
    whole = ToolUse("search_this_thread", {"query": "x"}, "c1")
    api.script(Answer(whole, Block({"tool_calls": [cut]}), stop_reason="tool_calls"))
    first = await collect(backend.stream(offering(tools=(SEARCH,))))
    assert [type(part) for part in first.message.parts] == [ToolCallPart, UnknownPart]
    called = assistant(*first.message.parts)
    results = user(ToolResultPart("c1", "found"))
    assert (await collect(backend.stream(offering(user("Hello"), called, results, tools=(SEARCH,))))).text == HELLO
    assert [call["id"] for call in api.answers[1].body["messages"][1]["tool_calls"]] == ["c1"]
    alone = offering(user("a"), assistant(UnknownPart({"type": "tool_use", "partial_json": "{"})), user("b"))
    assert (await collect(backend.stream(alone))).text == HELLO
    assert api.violations == []


REFUSED_TOOLS = [
    (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
    (500, "tools param requires --jinja flag"),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    (404, "No endpoints found that support tool use. To learn more about provider routing, visit the guide"),
    (400, "Function calling is not enabled for models/gemma-3-27b-it"),
    (400, "Unrecognized request argument supplied: tools"),
    (422, "body.tools: Extra inputs are not permitted"),
    (400, "`tool_choice` is not supported"),
    (400, "This model does not support function calling."),
    (400, "Unsupported parameter: 'tools' is unsupported with this model."),
]


@pytest.mark.parametrize(("status", "message"), REFUSED_TOOLS)
async def test_a_model_that_refuses_tools_is_asked_without(
    api: ChatApi, backend: OpenAiBackend, status: int, message: str
) -> None:
    asked = offering(tools=(SEARCH,))
    assert backend.model(MODEL.id).accepts_tools
    api.script(HttpError(status, message=message))
    answer = await collect(backend.stream(asked))
    assert (answer.text, answer.of(Notice)) == (HELLO, [])
    assert ["tools" in request.body for request in api.answers] == [True, False]
    assert not backend.model(MODEL.id).accepts_tools
    assert backend.model("another").accepts_tools
    assert "tools" not in backend.request(asked)


@pytest.mark.parametrize(
    "message",
    [
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        "An assistant message with 'tool_calls' must be followed by tool messages. It is not.",
        "The model `x` does not exist or you do not have access to it.",
        "Incorrect API key provided",
    ],
)
def test_other_refusals_say_nothing_of_tools(message: str) -> None:
    assert all(one.tools for one in taught(PLAIN, ChatApiError(400, message)))


async def test_a_request_without_tools_is_not_repeated_without_them(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(HttpError(400, message="this model does not support tools"))
    assert (await collect(backend.stream(offering()))).failed.failure.code == "backend"
    assert len(api.answers) == 1


@pytest.mark.parametrize(
    ("model", "wishes", "fields"),
    [
        (find_model("openai", "gpt-6.1-sol"), {"effort": "max", "temperature": 1.0}, {"reasoning_effort": "max"}),
        (find_model("openai", "gpt-5.1"), {"effort": "max"}, {}),
        (find_model("openai", "gpt-5.1"), {"effort": "low", "thinking": False}, {"reasoning_effort": "none"}),
        # it always thinks
        (find_model("openai", "gpt-5"), {"effort": "low", "thinking": False}, {"reasoning_effort": "low"}),
        (find_model("openai", "gpt-4.1"), {"effort": "low", "temperature": 0.0}, {"temperature": 0.0}),
        (find_model("openai", "unheard-of"), {"effort": "low", "temperature": 0.4}, {"temperature": 0.4}),
        (find_model("openai", "gpt-6.1-sol"), {"web_search": True}, {}),
    ],
)
async def test_only_what_the_model_takes_is_asked_for(
    api: ChatApi, backend: OpenAiBackend, model: ModelInfo, wishes: dict[str, Any], fields: dict[str, Any]
) -> None:
    asked = offering(model=model, **wishes)
    body = backend.request(asked)
    known = ("reasoning_effort", "temperature", "plugins", "tools")
    assert {key: body[key] for key in known if key in body} == fields
    await collect(backend.stream(asked))
    assert (api.answers[0].body, api.violations) == (body, [])


@pytest.mark.parametrize(
    ("wishes", "message", "said"),
    [
        ({"effort": "max"}, "Unsupported value: 'reasoning_effort' does not support 'max'", "a level of effort"),
        ({"thinking": False}, "Unrecognized request argument supplied: reasoning_effort", "without thinking"),
        ({"temperature": 0.1}, "Unsupported value: 'temperature' does not support 0.1 with this model.", "temperature"),
    ],
)
async def test_a_wish_that_is_refused_is_left_away_and_said_once(
    api: ChatApi, backend: OpenAiBackend, wishes: dict[str, Any], message: str, said: str
) -> None:
    model = replace(MODEL, efforts=("low", "max"), thinking="choice", temperature=True)
    asked = offering(model=model, **wishes)
    api.script(HttpError(400, message=message))
    answer = await collect(backend.stream(asked))
    [notice] = answer.of(Notice)
    assert (answer.text, notice.code, said in notice.message) == (HELLO, "parameters", True)
    assert (await collect(backend.stream(asked))).of(Notice) == []
    assert len(api.answers) == 3


async def test_openrouter_searches_the_web_where_it_is_asked_to(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.openai_client.is_on_this_computer", lambda _: False)
    backend = backend_for(api.url, preset=preset_called("openrouter"))
    model = backend.model("x-ai/grok")
    assert model.web_search
    asked = offering(model=model, web_search=True)
    cited = {"type": "url_citation", "url_citation": {"url": "https://x.org", "title": "X", "start_index": 0}}
    api.script(Answer("So ", "it is.", Block({"annotations": [cited]}), usage={"cost": 0.0214}))
    answer = await collect(backend.stream(asked))
    assert api.answers[0].body["plugins"] == [{"id": "web"}]
    assert answer.message.parts == (
        TextPart(
            "So it is.",
            {"citations": [{"type": "url_citation", "url": "https://x.org", "title": "X", "start_index": 0}]},
        ),
    )
    assert answer.message.usage is not None
    assert answer.message.usage.cost_usd == 0.0214
    # elsewhere there is no such switch
    assert not backend_for(api.url).model("x-ai/grok").web_search
    await backend.close()


async def test_openrouter_gets_sealed_thinking_back_as_it_came(api: ChatApi) -> None:
    backend = backend_for(api.url, preset=preset_called("openrouter"))
    pieces: list[dict[str, Any]] = [
        {"reasoning": "I ", "reasoning_details": [{"type": "reasoning.text", "text": "I ", "index": 0}]},
        {"reasoning": "see", "reasoning_details": [{"type": "reasoning.text", "text": "see", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.text", "signature": "sig", "text": None, "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "se", "id": "c1", "index": 1}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "al", "index": 1}]},
    ]
    call = ToolUse("search_this_thread", {"query": "x"}, "c1")
    api.script(Answer(*[Block(piece) for piece in pieces], call))
    first = await collect(backend.stream(offering(tools=(SEARCH,))))
    called = assistant(*first.message.parts)
    assert first.message.parts[0] == ThinkingPart("I see")
    await collect(backend.stream(offering(user("Hello"), called, user(ToolResultPart("c1", "found")), tools=(SEARCH,))))
    sent = api.answers[1].body["messages"][1]
    assert sent["reasoning_details"] == [
        {"type": "reasoning.text", "text": "I see", "index": 0, "signature": "sig"},
        {"type": "reasoning.encrypted", "data": "seal", "id": "c1", "index": 1},
    ]
    assert ("reasoning" in sent, api.violations) == (False, [])
    await backend.close()


def test_thinking_goes_back_only_within_a_loop() -> None:
    body = request_body(offering(user("a"), assistant(ThinkingPart("hm"), "b"), user("c")), PLAIN)
    assert body["messages"][1] == {"role": "assistant", "content": "b"}


@pytest.mark.parametrize(
    ("entry", "tools", "efforts", "thinking", "temperature"),
    [
        (
            {"supported_parameters": ["tools", "reasoning", "temperature"]},
            True,
            ("low", "medium", "high"),
            "always",
            True,
        ),
        ({"supported_parameters": ["max_tokens"]}, False, (), "never", False),
        ({"capabilities": ["tool_use"]}, True, (), "never", True),
        ({"capabilities": []}, False, (), "never", True),
        ({"capabilities": {"function_calling": False, "vision": True}}, False, (), "never", True),
        ({"capabilities": "x", "supported_parameters": 3}, True, (), "never", True),
    ],
)
def test_what_lists_say_of_abilities(
    entry: dict[str, Any], tools: bool, efforts: tuple[str, ...], thinking: str, temperature: bool
) -> None:
    model = model_of({"id": "m", **entry})
    found = (model.accepts_tools, model.efforts, model.thinking, model.temperature)
    assert found == (tools, efforts, thinking, temperature)


def test_what_ollama_says_of_abilities() -> None:
    model = with_ollama_facts(model_of({"id": "m"}), {"capabilities": ["completion", "tools", "thinking"]}, None)
    assert (model.accepts_tools, model.thinking, model.accepts_images) == (True, "choice", False)
    plain = with_ollama_facts(model_of({"id": "m"}), {"capabilities": ["completion"]}, None)
    assert (plain.accepts_tools, plain.thinking, plain.efforts) == (False, "never", ())


def test_gemini_takes_levels_of_effort() -> None:
    model = backend_for(None, preset=preset_called("gemini")).model("gemini-flash-latest")
    assert model.efforts == ("low", "medium", "high")


@pytest.mark.parametrize(
    ("entry", "images", "pdf"),
    [
        ({}, True, False),  # nobody says so: a server that can not read them says that
        ({"architecture": {"input_modalities": ["text"]}}, False, False),
        ({"architecture": {"input_modalities": ["text", "image", "file"]}}, True, True),
        ({"architecture": {"input_modalities": []}}, True, False),
        ({"type": "llm"}, False, False),
        ({"type": "vlm"}, True, False),
        ({"capabilities": {"function_calling": True, "vision": False}}, False, False),
        ({"capabilities": {"function_calling": True}}, True, False),
    ],
)
def test_what_lists_say_of_sight(entry: dict[str, Any], *, images: bool, pdf: bool) -> None:
    model = model_of({"id": "m", **entry})
    assert (model.accepts_images, model.accepts_pdf) == (images, pdf)
