"""The real SDK against a loopback server of chat completions: answers, usage, history, stop reasons."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from desktop_app.backends.backend_protocol import ANY_MODEL, Backend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from tests.backends.openai.backends import KEY, backend_for, plan, preset_called
from tests.backends.plans import assistant, collect, user
from tests.patience import PATIENCE_S
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import (
    Answer,
    Block,
    Emit,
    HttpError,
    Ping,
    Stall,
    Think,
    ToolUse,
)

PLAN = plan(user("Hello"))


async def test_is_a_backend(api: ChatApi, backend: OpenAiBackend) -> None:
    as_protocol: Backend = backend
    assert (as_protocol.name, as_protocol.overhead.cache_marks) == ("openai", 0)
    assert as_protocol.title == api.root.removeprefix("http://")
    # answers of this computer are free, those of others are not
    assert (as_protocol.cost_kind, as_protocol.default_model) == ("free", ANY_MODEL)
    elsewhere: Backend = backend_for(None)
    assert (elsewhere.title, elsewhere.cost_kind, elsewhere.default_model) == ("OpenAI", "money", "gpt-6.1-sol")
    assert elsewhere.model(elsewhere.default_model).window == 922_000


async def test_streams_an_answer(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer(Think("h"), Think("m"), "Hel", "lo"))
    answer = await collect(backend.stream(PLAN))
    assert [event.text for event in answer.of(TextDelta)] == ["Hel", "lo"]
    assert answer.message.parts == (ThinkingPart("hm"), TextPart("Hello"))
    assert answer.events[-1] == Ended("end_turn")
    assert api.answers[0].headers["authorization"] == f"Bearer {KEY}"
    assert api.violations == []


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
async def test_thinking_has_two_names(api: ChatApi, backend: OpenAiBackend, name: str) -> None:
    api.reasoning_field = name
    api.script(Answer(Think("hm"), Block({"reasoning": "!", "reasoning_content": "!"}), "a"))
    assert (await collect(backend.stream(PLAN))).message.parts == (ThinkingPart("hm!"), TextPart("a"))


async def test_usage_at_the_end(api: ChatApi, backend: OpenAiBackend) -> None:
    details = {"cached_tokens": 40, "cache_write_tokens": 30}
    counted = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": details}
    api.script(Answer("a", usage=counted | {"completion_tokens_details": {"reasoning_tokens": 5}}))
    (report,) = (await collect(backend.stream(PLAN))).of(UsageReported)
    usage = report.usage
    assert (usage.input, usage.cache_read, usage.cache_write, usage.output, usage.thinking) == (30, 40, 30, 7, 5)
    assert usage.prompt == 100
    assert (usage.cost_usd, report.model) == (0.0, "test-model")


@pytest.mark.parametrize("sent", ["each", "always"])
async def test_usage_with_every_chunk_and_unasked(
    api: ChatApi, backend: OpenAiBackend, sent: Literal["each", "always"]
) -> None:
    api.usage_sent = sent
    answer = await collect(backend.stream(PLAN))
    assert answer.of(UsageReported)[-1].usage.output == 8
    assert answer.events[-1] == Ended("end_turn")


async def test_without_usage_the_answer_is_whole(api: ChatApi, backend: OpenAiBackend) -> None:
    api.usage_sent = "never"
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.of(UsageReported), answer.events[-1]) == (HELLO, [], Ended("end_turn"))


async def test_a_server_that_never_sends_its_usage_is_not_waited_for_long(
    api: ChatApi, backend: OpenAiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.openai_backend.LATE_USAGE_S", 0.1)
    stop = Emit("", {"choices": [{"delta": {}, "finish_reason": "stop"}]})
    api.script(Answer("a", stop, Stall()))
    answer = await asyncio.wait_for(collect(backend.stream(PLAN)), PATIENCE_S)
    assert (answer.text, answer.events[-1]) == ("a", Ended("end_turn"))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("tool_calls", "tool_use"),
        ("new_one", "new_one"),
    ],
)
async def test_stop_reasons_are_put_in_our_words(api: ChatApi, backend: OpenAiBackend, said: str, meant: str) -> None:
    api.script(Answer("x", stop_reason=said))
    assert (await collect(backend.stream(PLAN))).events[-1] == Ended(meant)


async def test_a_refusal_is_an_answer(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer(Block({"refusal": "I can't help with that."})))
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.events[-1]) == ("I can't help with that.", Ended("refusal"))


async def test_tool_calls_are_put_together(api: ChatApi, backend: OpenAiBackend) -> None:
    calls = (ToolUse("search", {"q": "ä"}, id="call_a"), ToolUse("list", {}, id="call_b"))
    api.script(Answer("Let me look.", *calls))
    answer = await collect(backend.stream(PLAN))
    first, second = ToolCallPart("call_a", "search", {"q": "ä"}), ToolCallPart("call_b", "list", {})
    assert answer.message.parts == (TextPart("Let me look."), first, second)
    assert answer.events[-1] == Ended("tool_use")


async def test_history_goes_with_its_roles_and_the_shown_request_is_what_is_sent(
    api: ChatApi, backend: OpenAiBackend
) -> None:
    picture, document = ImagePart("a.png", "image/png", "aGk="), DocumentPart("a.txt", "inside", "0" * 64)
    whole = plan(
        user("one", document),
        assistant(ThinkingPart("hm", "sig"), "two"),
        user(picture, "three"),
        assistant(ThinkingPart("so", None), "Looking.", ToolCallPart("c1", "f", {"x": 1}), ToolCallPart("c2", "g", {})),
        user(ToolResultPart("c1", "found"), ToolResultPart("c2", "", is_error=True)),
        assistant(UnknownPart({"type": "hologram"})),
        user("six", "seven"),
        system="Be brief.",
    )
    await collect(backend.stream(whole))
    assert api.violations == []
    body = api.answers[0].body
    assert body == backend.request(whole)
    shown = [(message["role"], message["content"]) for message in body["messages"]]
    assert shown == [
        ("system", "Be brief."),
        ("user", "one\n\na.txt:\n\ninside"),
        ("assistant", "two"),
        (
            "user",
            [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
                {"type": "text", "text": "three"},
            ],
        ),
        ("assistant", "Looking."),
        ("tool", "found"),
        ("tool", "(blank)"),
        ("assistant", "(blank)"),
        ("user", "six\n\nseven"),
    ]
    assert body["messages"][4]["reasoning_content"] == "so"
    assert [call["function"]["arguments"] for call in body["messages"][4]["tool_calls"]] == ['{"x": 1}', "{}"]
    assert (body["model"], body["max_tokens"], body["stream"]) == ("test-model", 1000, True)


async def test_images_of_a_result_go_in_the_message_behind_it(api: ChatApi, backend: OpenAiBackend) -> None:
    pictures = {"images": [{"media_type": "image/png", "data": "aGk="}]}
    calls = ToolCallPart("c1", "draw", {}), ToolCallPart("c2", "f", {})
    results = ToolResultPart("c1", "", extra=pictures), ToolResultPart("c2", "found")
    await collect(backend.stream(plan(user("one"), assistant(*calls), user(*results))))
    assert api.violations == []
    told = [(message["role"], message["content"]) for message in api.answers[0].body["messages"][2:]]
    assert told == [
        ("tool", "[Its images follow in the next message.]"),
        ("tool", "found"),
        (
            "user",
            [
                {"type": "text", "text": "[The images of the result of c1]"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
            ],
        ),
    ]


async def test_calls_and_results_that_lost_each_other_are_sent_as_text(api: ChatApi, backend: OpenAiBackend) -> None:
    answered, alone = ToolCallPart("c1", "f", {}), ToolCallPart("c2", "g", {"y": 2})
    whole = plan(
        user("one"),
        assistant(alone),
        user("two"),
        assistant("Looking.", answered, alone),
        user(ToolResultPart("c1", "found"), ToolResultPart("c9", "whose?")),
    )
    await collect(backend.stream(whole))
    assert api.violations == []
    shown = [(message["role"], message["content"]) for message in api.answers[0].body["messages"]]
    assert shown == [
        ("user", "one"),
        ("assistant", '[called g] {"y": 2}'),
        ("user", "two"),
        ("assistant", "Looking."),
        ("tool", "found"),
        ("user", "[result of the call]\nwhose?"),
    ]


async def test_what_is_not_known_does_no_harm(api: ChatApi, backend: OpenAiBackend) -> None:
    odd = (Ping(), Emit("brand_new", {"x": 1}), Emit("", {"choices": [{"delta": {"hologram": 1}}]}), Block({}))
    api.script(Answer("a", *odd, "b"))
    assert (await collect(backend.stream(PLAN))).text == "ab"


async def test_an_answer_that_was_not_streamed_is_read_all_the_same(api: ChatApi, backend: OpenAiBackend) -> None:
    message = b'{"role":"assistant","content":"whole"}'
    usage = b'"usage":{"prompt_tokens":3,"completion_tokens":1}'
    body = b'{"choices":[{"index":0,"message":' + message + b',"finish_reason":"stop"}],' + usage + b"}"
    api.script(HttpError(200, body=body))
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.of(UsageReported)[0].usage.input) == ("whole", 3)
    assert answer.events[-1] == Ended("end_turn")


async def test_an_end_without_a_reason_is_an_end(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer("a", stop_reason=""))
    assert (await collect(backend.stream(PLAN))).events[-1] == Ended("end_turn")


async def test_money_is_counted_elsewhere_than_here(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.openai_client.is_on_this_computer", lambda _: False)
    backend = backend_for(api.url)
    api.script(Answer("a", usage={"prompt_tokens": 100, "completion_tokens": 10}, model="served"))
    api.script(Answer("a", usage={"prompt_tokens": 100, "completion_tokens": 10, "cost": 0.25}))
    first = (await collect(backend.stream(PLAN))).of(UsageReported)[-1]
    assert first.model == "served"
    assert first.usage.cost_usd == pytest.approx((100 * 2 + 10 * 10) / 1_000_000)
    assert (await collect(backend.stream(PLAN))).of(UsageReported)[-1].usage.cost_usd == 0.25
    await backend.close()


async def test_openai_is_asked_in_its_own_words(api: ChatApi) -> None:
    api.output_field = "max_completion_tokens"
    backend = backend_for(api.url, preset=preset_called("openai"))
    called = assistant(ThinkingPart("so"), ToolCallPart("c", "f", {}))
    await collect(backend.stream(plan(user("a"), called, user(ToolResultPart("c", "r")), system="Be brief.")))
    body = api.answers[0].body
    assert [message["role"] for message in body["messages"]] == ["developer", "user", "assistant", "tool"]
    assert (body["max_completion_tokens"], body["messages"][2]["content"]) == (1000, None)
    assert "reasoning_content" not in body["messages"][2]
    assert len(api.answers) == 1
    await backend.close()


async def test_without_a_key_none_is_sent(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    api.keyed = False
    backend = backend_for(api.url, key=None)
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert "authorization" not in api.answers[0].headers
    assert "openai-organization" not in api.answers[0].headers
    await backend.close()


async def test_a_changed_address_is_used_at_once(api: ChatApi) -> None:
    addresses = [api.url]

    async def ask(address: str) -> str | None:
        return f"sk-for-{address[-8:]}"

    backend = OpenAiBackend(key=ask, base_url=lambda: addresses[-1], timeout_s=None, overrides={}, has_key=lambda: True)
    await collect(backend.stream(PLAN))
    async with ChatApi() as other:
        addresses.append(other.url)
        assert (await collect(backend.stream(PLAN))).text == HELLO
        assert (len(api.answers), len(other.answers)) == (1, 1)
    await backend.close()


async def test_an_address_that_changes_within_a_turn_sends_no_key_to_the_other(api: ChatApi) -> None:
    """A request that is written otherwise after a refusal goes where the first one went."""
    async with ChatApi() as other:
        addresses = [api.url]

        async def ask(address: str) -> str | None:
            addresses.append(other.url)
            return f"sk-for-{address}"

        backend = OpenAiBackend(
            key=ask, base_url=lambda: addresses[-1], timeout_s=None, overrides={}, has_key=lambda: True
        )
        api.script(HttpError(400, message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."))
        assert (await collect(backend.stream(PLAN))).text == HELLO
        assert len(api.answers) == 2
        for server in (api, other):
            keys = {one.headers["authorization"] for one in server.requests}
            assert keys <= {f"Bearer sk-for-{server.url}"}
        await backend.close()
