"""What a request asks for beside its text: tools, effort, thinking, a search; and what a refusal teaches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_app.backends.anthropic_backend import MOST_KEPT, AnthropicBackend, CacheDiagnosis, cache_notice
from desktop_app.backends.anthropic_wire import (
    MOST_SEARCHES,
    PLAIN,
    SEARCH_TOOLS,
    AnthropicDialect,
    request_body,
    taught,
)
from desktop_app.core.context.plan import ContextPlan, RequestPrice
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import Parameters, TextPart, ThinkingPart, ToolResultPart, ToolSpec, UnknownPart, Usage
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.stream_events import Ended, Notice, UsageReported
from tests.backends.plans import assistant, collect, plan_of, user
from tests.servers.messages_api import HELLO, Answer, Block, Drop, Emit, HttpError, MessagesApi, Think, ToolUse
from tests.servers.messages_rules import violation

PLAN = plan_of(user("Hello"))

SEARCH = ToolSpec("search_this_thread", "Looks up.", {"type": "object", "properties": {"query": {"type": "string"}}})
OTHER = ToolSpec("search_documents", "Reads.", {"type": "object", "properties": {}})
FOUND: dict[str, Any] = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [{"type": "web_search_result", "url": "https://x.org", "title": "X", "encrypted_content": "e"}],
}
ASKED: dict[str, Any] = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}


def model(model_id: str) -> ModelInfo:
    return find_model("anthropic", model_id)


def offering(
    *messages: PlannedMessage,
    tools: tuple[ToolSpec, ...] = (),
    answer_now: bool = False,
    of: str = "claude-sonnet-5-5",
    **wishes: Any,
) -> ContextPlan:
    plan = plan_of(*(messages or (user("Hello"),)), model=model(of))
    return replace(
        plan, request=replace(plan.request, tools=tools, answer_now=answer_now, parameters=Parameters(**wishes))
    )


def test_tools_are_offered_in_their_order() -> None:
    body = request_body(offering(tools=(SEARCH, OTHER)))
    assert body["tools"] == [
        {"name": "search_this_thread", "description": "Looks up.", "input_schema": SEARCH.schema},
        {"name": "search_documents", "description": "Reads.", "input_schema": OTHER.schema},
    ]
    assert "tool_choice" not in body
    assert violation(body, {"anthropic-version": "x"}) is None


def test_at_the_end_of_the_calls_the_tools_stay_and_none_may_be_called() -> None:
    body = request_body(offering(tools=(SEARCH,), answer_now=True))
    assert (len(body["tools"]), body["tool_choice"]) == (1, {"type": "none"})
    assert violation(body, {"anthropic-version": "x"}) is None
    assert "tool_choice" not in request_body(offering(answer_now=True))


async def test_a_running_loop_goes_back_as_it_came(api: MessagesApi, backend: AnthropicBackend) -> None:
    redacted = Block({"type": "redacted_thinking", "data": "secret"})
    api.script(Answer(Think("hm", "sig"), redacted, "Looking.", ToolUse("search_this_thread", {"query": "x"}, "t1")))
    first = await collect(backend.stream(offering(tools=(SEARCH,))))
    called = assistant(*first.message.parts)
    plan = offering(user("Hello"), called, user("more", ToolResultPart("t1", "found")), tools=(SEARCH,))
    await collect(backend.stream(plan))
    assert api.violations == []
    assert api.answers[1].body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "secret"},
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "t1", "name": "search_this_thread", "input": {"query": "x"}},
    ]
    # results stand first, where the API wants them
    assert [block["type"] for block in api.answers[1].body["messages"][2]["content"]] == ["tool_result", "text"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "tools: Extra inputs are not permitted"),
        (400, "This model does not support tools."),
        (400, "tool_choice: Input should be a valid dictionary"),
        (422, "'tools' is not supported by this server"),
        (500, "tools param requires --jinja flag"),
    ],
)
async def test_a_model_that_refuses_tools_is_asked_without(
    api: MessagesApi, backend: AnthropicBackend, status: int, message: str
) -> None:
    plan = offering(tools=(SEARCH,))
    assert backend.model(plan.model.id).accepts_tools
    api.script(HttpError(status, message=message))
    answer = await collect(backend.stream(plan))
    assert (answer.text, answer.of(Notice)) == (HELLO, [])
    assert ["tools" in request.body for request in api.answers] == [True, False]
    assert not backend.model(plan.model.id).accepts_tools
    assert backend.model("claude-opus-5-5").accepts_tools
    assert "tools" not in backend.request(plan)


@pytest.mark.parametrize(
    "message",
    [
        "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: t1.",
        "messages.1.content.0.thinking.signature: Invalid signature in thinking block",
        "prompt is too long: 213462 tokens > 200000 maximum",
        "tools were looked at",
    ],
)
def test_other_refusals_teach_nothing(message: str) -> None:
    body = request_body(offering(tools=(SEARCH,), effort="high", web_search=True))
    assert list(taught(PLAIN, body, 400, message)) == []


@pytest.mark.parametrize(
    ("of", "wishes", "fields"),
    [
        ("claude-sonnet-5-5", {}, {"thinking": {"type": "adaptive", "display": "summarized"}}),
        ("claude-opus-5", {"thinking": False}, {"thinking": {"type": "disabled"}}),
        # thinks always: what it can not do is not asked for
        ("claude-opus-5-5", {"thinking": False}, {"thinking": {"type": "adaptive", "display": "summarized"}}),
        (
            "claude-opus-5",
            {"effort": "xhigh", "temperature": 0.2},
            {
                "thinking": {"type": "adaptive", "display": "summarized"},
                "output_config": {"effort": "xhigh"},
            },
        ),
        ("claude-haiku-4-5", {"effort": "low", "thinking": True, "temperature": 0.2}, {"temperature": 0.2}),
        ("claude-opus-4-5", {"effort": "max"}, {}),
        ("some-model", {"temperature": 0.0}, {"temperature": 0.0}),
    ],
)
async def test_only_what_the_model_takes_is_asked_for(
    api: MessagesApi, backend: AnthropicBackend, of: str, wishes: dict[str, Any], fields: dict[str, Any]
) -> None:
    plan = offering(of=of, **wishes)
    body = backend.request(plan)
    assert {key: body[key] for key in ("thinking", "output_config", "temperature", "tools") if key in body} == fields
    if of.startswith("claude-"):
        await collect(backend.stream(plan))
        assert (api.answers[0].body, api.violations) == (body, [])
        assert await backend.count_tokens(plan)


@pytest.mark.parametrize(
    ("wishes", "of", "message", "said"),
    [
        ({"effort": "max"}, "claude-opus-5", "output_config.effort: 'max' is not supported", "a level of effort"),
        ({"thinking": False}, "claude-opus-5", "thinking.disabled: unsupported", "an answer without thinking"),
        ({"temperature": 1.0}, "claude-haiku-4-5", "`temperature` is deprecated for this model.", "a temperature"),
    ],
)
async def test_a_wish_that_is_refused_is_left_away_and_said_once(  # noqa: PLR0917
    api: MessagesApi, backend: AnthropicBackend, wishes: dict[str, Any], of: str, message: str, said: str
) -> None:
    plan = offering(of=of, **wishes)
    api.script(HttpError(400, message=message))
    answer = await collect(backend.stream(plan))
    assert answer.text == HELLO
    [notice] = answer.of(Notice)
    assert (notice.code, said in notice.message) == ("parameters", True)
    able = backend.model(of)
    assert (able.efforts, able.thinking, able.temperature) != (
        plan.model.efforts,
        plan.model.thinking,
        plan.model.temperature,
    )
    assert (await collect(backend.stream(plan))).of(Notice) == []
    assert len(api.answers) == 3


async def test_thinking_that_another_server_does_not_know_is_left_away(
    api: MessagesApi, backend: AnthropicBackend
) -> None:
    api.script(HttpError(400, message="thinking: Extra inputs are not permitted"))
    assert (await collect(backend.stream(offering()))).text == HELLO
    assert "thinking" not in api.answers[1].body
    assert backend.model("claude-sonnet-5-5").thinking == "never"


async def test_a_server_that_refuses_everything_is_not_asked_for_ever(
    api: MessagesApi, backend: AnthropicBackend
) -> None:
    words = "tools, web_search, thinking, effort and temperature are not supported"
    api.script(*[HttpError(400, message=words)] * 20)
    plan = offering(tools=(SEARCH,), effort="high", web_search=True)
    failure = (await collect(backend.stream(plan))).failed.failure
    assert (failure.code, words in failure.detail) == ("backend", True)
    assert len(api.answers) < 8
    assert backend.model(plan.model.id).accepts_tools


async def test_the_search_of_the_web_is_the_newest_that_is_taken(api: MessagesApi, backend: AnthropicBackend) -> None:
    plan = offering(tools=(SEARCH,), web_search=True)
    own, search = request_body(plan)["tools"]
    assert own["name"] == "search_this_thread"
    assert search == {
        "type": SEARCH_TOOLS[0],
        "name": "web_search",
        "max_uses": MOST_SEARCHES,
        "allowed_callers": ["direct"],
    }
    api.script(
        HttpError(400, message=f"tools.1: Input tag '{SEARCH_TOOLS[0]}' does not match any of the expected tags"),
        HttpError(400, message="tools.1.web_search_20250305: web search is not enabled for your organization"),
    )
    answer = await collect(backend.stream(plan))
    assert [notice.code for notice in answer.of(Notice)] == ["parameters"]
    kinds = [[tool.get("type") for tool in request.body["tools"]] for request in api.answers]
    assert kinds == [[None, SEARCH_TOOLS[0]], [None, SEARCH_TOOLS[1]], [None]]
    able = backend.model(plan.model.id)
    assert (able.web_search, able.accepts_tools) == (False, True)


async def test_what_was_found_is_kept_paid_for_and_sent_back(api: MessagesApi, backend: AnthropicBackend) -> None:
    citation = {"type": "web_search_result_location", "url": "https://x.org", "cited_text": "q"}
    text = Block(
        {"type": "text", "text": ""},
        ({"type": "text_delta", "text": "So."}, {"type": "citations_delta", "citation": citation}),
    )
    usage = {"server_tool_use": {"web_search_requests": 2, "web_fetch_requests": 0}, "input_tokens": 5_000}
    api.script(Answer(Block(ASKED), Block(FOUND), text, usage=usage))
    answer = await collect(backend.stream(offering(web_search=True)))
    assert answer.message.parts == (
        UnknownPart(ASKED),
        UnknownPart(FOUND),
        TextPart("So.", {"citations": [citation]}),
    )
    used = answer.of(UsageReported)[-1].usage
    tokens = (used.input * 2 + used.output * 10) / 1_000_000
    assert used.cost_usd == pytest.approx(tokens + 0.02)
    plan = offering(user("Hello"), assistant(*answer.message.parts), user("And?"), web_search=True)
    await collect(backend.stream(plan))
    assert api.answers[1].body["messages"][1]["content"] == [ASKED, FOUND, {"type": "text", "text": "So."}]
    assert api.violations == []


def test_a_search_that_was_stopped_does_not_stand_in_the_way() -> None:
    body = request_body(plan_of(user("a"), assistant(UnknownPart(ASKED), "Let me"), user("b")))
    assert body["messages"][1]["content"] == [{"type": "text", "text": "Let me"}]
    body = request_body(plan_of(user("a"), assistant(UnknownPart(FOUND)), user("b")))
    assert [block["type"] for block in body["messages"][1]["content"]] == ["text"]


def test_what_only_claude_understands_is_not_sent_to_others() -> None:
    parts = (UnknownPart({"type": "redacted_thinking", "data": "x"}), UnknownPart(ASKED), UnknownPart(FOUND), "So.")
    kinds = {}
    for of in ("claude-sonnet-5-5", "llama.gguf"):
        body = request_body(plan_of(user("a"), assistant(*parts), user("b"), model=model(of)))
        kinds[of] = [block["type"] for block in body["messages"][1]["content"]]
    assert kinds == {
        "claude-sonnet-5-5": ["redacted_thinking", "server_tool_use", "web_search_tool_result", "text"],
        "llama.gguf": ["text"],
    }


async def test_a_paused_answer_goes_on_as_one(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(
        Answer(Think("hm", "sig"), "One. ", Block(ASKED), stop_reason="pause_turn", usage={"input_tokens": 100}),
        HttpError(529),
        Answer(Block(FOUND), "Two.", usage={"input_tokens": 300, "output_tokens": 7}),
    )
    answer = await collect(backend.stream(offering(web_search=True)))
    assert answer.message.parts == (
        ThinkingPart("hm", "sig"),
        TextPart("One. "),
        UnknownPart(ASKED),
        UnknownPart(FOUND),
        TextPart("Two."),
    )
    assert [event for event in answer.events if isinstance(event, Ended)] == [Ended("end_turn")]
    last = api.answers[-1].body["messages"]
    assert last[-1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "sig"},
            {"type": "text", "text": "One. "},
            ASKED,
        ],
    }
    assert last[:-1] == api.answers[0].body["messages"]
    used = answer.of(UsageReported)[-1].usage
    assert (used.input, used.first_prompt, used.opening) == (400, 100, 100)
    assert api.violations == []


async def test_an_answer_that_is_paused_again_and_again_ends(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(*[Answer("x", Block(ASKED), stop_reason="pause_turn")] * 9)
    answer = await collect(backend.stream(offering(web_search=True)))
    assert answer.events[-1] == Ended("pause_turn")
    assert len(api.answers) == 6


async def test_a_drop_after_a_pause_keeps_what_came(api: MessagesApi, backend: AnthropicBackend) -> None:
    api.script(Answer("One. ", Block(ASKED), stop_reason="pause_turn"), Answer("Two", Drop()))
    answer = await collect(backend.stream(offering(web_search=True)))
    assert answer.failed.failure.code == "network"
    assert answer.text == "One. Two"


async def test_why_the_cache_was_not_read_is_asked_only_when_it_was_not(
    api: MessagesApi, backend: AnthropicBackend
) -> None:
    first = PlannedMessage("user", (TextPart("one"),), ("m1",))
    plan = replace(plan_of(first, assistant("two"), user("three")), price=RequestPrice(cached_tokens=10_000))
    read = {"cache_read_input_tokens": 10_000, "cache_creation_input_tokens": 100}
    written = {"cache_read_input_tokens": 0, "cache_creation_input_tokens": 10_100}
    api.script(Answer("x", usage=read), Answer("x", usage=written), Answer("x", usage=written), Answer("x", usage=read))
    for _ in range(4):
        shown = backend.request(plan)
        assert (await collect(backend.stream(plan))).of(Notice) == []
        assert api.answers[-1].body == shown
    sent = [request.body.get("diagnostics") for request in api.answers]
    assert sent == [
        None,
        None,
        {"previous_message_id": "msg_loopback_0002"},
        {"previous_message_id": "msg_loopback_0003"},
    ]
    assert "diagnostics" not in backend.request(plan)
    assert api.violations == []


async def test_what_the_provider_says_of_its_cache_is_one_line(api: MessagesApi, backend: AnthropicBackend) -> None:
    reason = {"type": "system_changed", "cache_missed_input_tokens": 12_400}
    start = {"type": "message_start", "message": {"id": "m", "diagnostics": {"cache_miss_reason": reason}}}
    api.script(Answer(Emit("message_start", start), "x"))
    [notice] = (await collect(backend.stream(PLAN))).of(Notice)
    assert notice.code == "cache"
    assert notice.message == "The cache was rewritten: the system prompt changed. About 12,400 tokens were read again."


@pytest.mark.parametrize("reason", [{}, {"type": "unavailable"}, {"type": "previous_message_not_found"}, {"type": 3}])
def test_a_reason_that_says_nothing_is_not_shown(reason: dict[str, Any]) -> None:
    assert cache_notice(reason) is None


def test_only_so_many_conversations_are_kept_in_mind() -> None:
    diagnosis = CacheDiagnosis()

    def plan(number: int) -> ContextPlan:
        asked = PlannedMessage("user", (TextPart("x"),), (f"m{number}",))
        return replace(plan_of(asked), price=RequestPrice(cached_tokens=10_000))

    for number in range(MOST_KEPT + 1):
        diagnosis.ended(plan(number), f"msg_{number}", Usage(cache_write=10_000))
    assert diagnosis.previous(plan(0)) is None
    assert diagnosis.previous(plan(MOST_KEPT)) == f"msg_{MOST_KEPT}"
    diagnosis.ended(plan(MOST_KEPT), "msg_read", Usage(cache_read=10_000, cache_write=10))
    assert diagnosis.previous(plan(MOST_KEPT)) is None


async def test_why_the_model_refuses_is_said(api: MessagesApi, backend: AnthropicBackend) -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "This could help to break in."}
    delta = {"stop_reason": "refusal", "stop_details": details}
    api.script(Answer("No.", Emit("message_delta", {"type": "message_delta", "delta": delta}), stop_reason="refusal"))
    answer = await collect(backend.stream(PLAN))
    assert answer.of(Notice) == [Notice("refusal", "This could help to break in.")]
    assert (answer.text, answer.events[-1]) == ("No.", Ended("refusal"))


def test_dialects_take_away_abilities_and_give_none() -> None:
    bare = replace(PLAIN, tools=False, thinking=False, effort=False, temperature=False, web_search="")
    for one in (model("claude-opus-5"), model("claude-haiku-4-5"), model("unknown")):
        assert PLAIN.able(one) == one
        able = bare.able(one)
        assert (able.accepts_tools, able.efforts, able.thinking, able.temperature, able.web_search) == (
            False,
            (),
            "never",
            False,
            False,
        )
    assert AnthropicDialect(thinking_off=False).able(model("claude-opus-5")).thinking == "always"
