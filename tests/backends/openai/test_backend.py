"""The real SDK against a loopback server of chat completions: answers, usage, history, stopping."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
from typing import Literal

import pytest

from desktop_app.backends.base import ANY_MODEL, Backend
from desktop_app.backends.openai.backend import OpenAiBackend
from desktop_app.backends.openai.presets import preset_called
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.stream import Ended, TextDelta, UsageReported
from tests.backends.openai.backends import KEY, backend_for, plan
from tests.backends.plans import Collected, assistant, collect, none_left, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import (
    Answer,
    Behaviour,
    Block,
    Drop,
    Emit,
    HttpError,
    NoReply,
    Ping,
    Stall,
    Think,
    ToolUse,
    Wait,
    rate_limited,
)

STOP_S = 0.1
"""What `Backend.stream` promises."""

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
    monkeypatch.setattr("desktop_app.backends.openai.backend.LATE_USAGE_S", 0.1)
    stop = Emit("", {"choices": [{"delta": {}, "finish_reason": "stop"}]})
    api.script(Answer("a", stop, Stall()))
    answer = await asyncio.wait_for(collect(backend.stream(PLAN)), 2)
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


async def test_characters_and_events_may_be_split(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer("Grüße ", "世界 🌍", drip=1))
    assert (await collect(backend.stream(PLAN))).text == "Grüße 世界 🌍"


async def test_a_delta_of_300_kb_arrives_whole(api: ChatApi, backend: OpenAiBackend) -> None:
    large = "ä" * 150_000
    api.script(Answer(large))
    assert (await collect(backend.stream(PLAN))).text == large


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


async def test_the_connection_is_used_again(api: ChatApi, backend: OpenAiBackend) -> None:
    ports = set()
    for _ in range(3):
        await collect(backend.stream(PLAN))
        ports.add(api.answers[-1].client_port)
    assert len(ports) == 1


async def test_a_connection_lost_after_the_reason_lost_nothing(api: ChatApi, backend: OpenAiBackend) -> None:
    stop = Emit("", {"choices": [{"delta": {}, "finish_reason": "length"}]})
    api.script(Answer("all", stop, Drop()))
    answer = await collect(backend.stream(PLAN))
    assert (answer.text, answer.events[-1]) == ("all", Ended("max_tokens"))


async def test_money_is_counted_elsewhere_than_here(api: ChatApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.backends.openai.presets.is_on_this_computer", lambda _: False)
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


async def test_a_changed_key_and_a_changed_address_are_used_at_once(api: ChatApi) -> None:
    keys, addresses = ["sk-first"], [api.url]

    async def ask() -> str | None:
        return keys[-1]

    backend = OpenAiBackend(key=ask, base_url=lambda: addresses[-1], timeout_s=None, overrides={}, has_key=lambda: True)
    await collect(backend.stream(PLAN))
    keys.append("sk-second")
    await collect(backend.stream(PLAN))
    assert [one.headers["authorization"] for one in api.answers] == ["Bearer sk-first", "Bearer sk-second"]
    async with ChatApi() as other:
        addresses.append(other.url)
        assert (await collect(backend.stream(PLAN))).text == HELLO
        assert len(other.answers) == 1
    await backend.close()


async def test_several_answers_at_once(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(*[Answer(f"{number}") for number in range(5)])
    answers = await asyncio.gather(*[collect(backend.stream(PLAN)) for _ in range(5)])
    assert sorted(answer.text for answer in answers) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    "behaviour",
    [
        NoReply(),
        Answer(Stall()),
        Answer("a", Wait(threading.Event())),
        Answer(Think("hm"), Stall()),
        Answer("a", Emit("", {"choices": [{"delta": {}, "finish_reason": "stop"}]}), Stall()),
        rate_limited(30),
    ],
)
@pytest.mark.parametrize("how", ["cancel", "aclose"])
async def test_stops_at_any_moment(api: ChatApi, backend: OpenAiBackend, behaviour: Behaviour, how: str) -> None:
    api.script(behaviour)
    before = asyncio.all_tasks()
    stream, seen, moved = backend.stream(PLAN), Collected(), asyncio.Event()

    async def read() -> None:
        async for event in stream:
            seen.add(event)
            moved.set()

    reading = asyncio.create_task(read())
    if isinstance(behaviour, NoReply) or (isinstance(behaviour, Answer) and isinstance(behaviour.steps[0], Stall)):
        await api.arrived(1)
    else:
        await asyncio.wait_for(moved.wait(), 5)
    begun = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    if how == "aclose":
        await stream.aclose()
    await none_left(before, begun + STOP_S)
    assert await asyncio.to_thread(api.answers[0].ended.wait, 2)
    if not isinstance(behaviour, HttpError):
        assert api.answers[0].disconnected
    assert (await collect(backend.stream(PLAN))).text == HELLO


async def test_closing_the_iterator_between_two_events_stops_the_model(api: ChatApi, backend: OpenAiBackend) -> None:
    api.script(Answer(*"abc", Stall()))
    before = asyncio.all_tasks()
    stream = backend.stream(PLAN)
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    begun = time.monotonic()
    await stream.aclose()
    await none_left(before, begun + STOP_S)
    assert await asyncio.to_thread(api.answers[0].ended.wait, 2)
    assert api.answers[0].disconnected


async def test_a_stop_leaves_nothing_to_the_garbage_collector(
    api: ChatApi, backend: OpenAiBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under Qt's event loop nobody closes a generator that was dropped: Python would complain aloud."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        api.script(Answer("a", Stall()))
        stream = backend.stream(PLAN)
        while not isinstance(await anext(stream), TextDelta):
            pass
        await stream.aclose()
        del stream
        gc.collect()
    finally:
        sys.set_asyncgen_hooks(*hooks)
    assert complaints == []


async def test_stops_before_the_sdk_is_there(api: ChatApi) -> None:
    backend = backend_for(api.url)
    reading = asyncio.create_task(collect(backend.stream(PLAN)))
    await asyncio.sleep(0)
    begun = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert time.monotonic() - begun < STOP_S
    assert api.requests == []
    await backend.close()


def test_importing_the_package_imports_no_sdk() -> None:
    program = (
        "import sys, desktop_app.backends.openai.backend, desktop_app.backends.local;"
        "print([name for name in ('openai', 'httpx2', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
