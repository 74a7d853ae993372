"""What a refusal teaches: the request is written otherwise, once, and so from then on."""

from __future__ import annotations

import pytest

from desktop_app.backends.openai.chat_failures import PLAIN, ChatApiError, ChatDialect, taught
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Ended, Notice, UsageReported
from tests.backends.openai.backends import plan
from tests.backends.plans import assistant, collect, user
from tests.servers.chat_api import HELLO, ChatApi
from tests.servers.messages_api import HttpError

PLAN = plan(user("Hello"), system="Be brief.")


async def test_usage_that_is_refused_is_left_away_once_and_remembered(api: ChatApi, backend: OpenAiBackend) -> None:
    api.refuses_options = True
    for requests in (2, 3):
        answer = await collect(backend.stream(PLAN))
        assert (answer.text, answer.of(UsageReported), answer.of(Notice)) == (HELLO, [], [])
        assert len(api.answers) == requests
    assert api.answers[-1].body == backend.request(PLAN)
    assert "stream_options" not in api.answers[-1].body
    # another model of the server may have it
    other = plan(user("Hello"), model=backend.model("other"))
    assert "stream_options" in backend.request(other)


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
async def test_the_longest_answer_goes_under_the_name_that_is_taken(
    api: ChatApi, backend: OpenAiBackend, field: str
) -> None:
    api.output_field = field
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert api.answers[-1].body[field] == 1000
    assert api.answers[-1].body == backend.request(PLAN)


async def test_a_longest_answer_that_is_too_long_is_not_named(api: ChatApi, backend: OpenAiBackend) -> None:
    message = "max_tokens is too large: 1000. This model supports at most 500 completion tokens."
    api.script(HttpError(400, message=message))
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert "max_tokens" not in api.answers[-1].body


async def test_a_template_without_a_system_role_gets_it_with_the_first_message(
    api: ChatApi, backend: OpenAiBackend
) -> None:
    api.system_role = False
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert api.answers[-1].body["messages"] == [{"role": "user", "content": "Be brief.\n\nHello"}]


async def test_a_template_of_strict_turns_gets_tools_as_text(api: ChatApi, backend: OpenAiBackend) -> None:
    api.strict = True
    called = assistant("Looking.", ToolCallPart("c", "search", {"q": "x"}))
    results = user(ToolResultPart("c", "found"), ToolResultPart("d", "no", is_error=True), "and?")
    answer = await collect(backend.stream(plan(user("a"), called, results, system="Be brief.")))
    assert answer.events[-1] == Ended("end_turn")
    assert [one["content"] for one in api.answers[-1].body["messages"]] == [
        "Be brief.",
        "a",
        'Looking.\n\n[called search] {"q": "x"}',
        "[result of the call]\nfound\n\n[the call failed]\nno\n\nand?",
    ]
    assert len(api.answers) == 2


async def test_several_things_are_learnt_one_after_the_other(api: ChatApi, backend: OpenAiBackend) -> None:
    api.refuses_options, api.output_field, api.system_role = True, "max_completion_tokens", False
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert len(api.answers) == 4
    assert (await collect(backend.stream(PLAN))).text == HELLO
    assert len(api.answers) == 5


async def test_a_server_that_refuses_everything_is_not_asked_for_ever(api: ChatApi, backend: OpenAiBackend) -> None:
    words = (
        "stream_options max_tokens max_completion_tokens are bad; system role is not supported; roles must alternate"
    )
    api.script(*[HttpError(400, message=words)] * 20)
    assert (await collect(backend.stream(PLAN))).failed.failure.code == "backend"
    assert len(api.answers) < 8
    assert backend.request(PLAN)["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("status", "message", "learnt"),
    [
        (422, "[{'loc': ('body', 'stream_options', 'include_usage'), 'msg': 'Extra inputs'}]", "include_usage"),
        (400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "output_field"),
        (500, "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...", "strict"),
        (400, "After the optional system message, conversation roles must alternate user/assistant", "strict"),
        (500, "Error: System role not supported", "system"),
        (400, "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`", "system"),
        (422, "messages.2.assistant.reasoning_content: Extra inputs are not permitted", "reasoning_field"),
    ],
)
def test_the_words_of_real_servers(status: int, message: str, learnt: str) -> None:
    spoken = ChatDialect(system="developer") if "developer" in message else PLAIN
    better = next(taught(spoken, ChatApiError(status, message)))
    changed = [name for name in ChatDialect.__slots__ if getattr(better, name) != getattr(spoken, name)]
    assert changed == [learnt]


@pytest.mark.parametrize(
    "refused",
    [ChatApiError(401, "stream_options"), ChatApiError(429, "max_tokens"), ChatApiError(400, "The system is down.")],
)
def test_other_errors_teach_nothing(refused: ChatApiError) -> None:
    assert list(taught(PLAIN, refused)) == []
