"""Long tool loops through the real backends, against servers that refuse what the real ones refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.turn_tools import ENOUGH
from desktop_app.core.attachment_facts import left_out_of
from desktop_app.core.messages import DocumentPart, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.recall import TOOL_NAME
from desktop_app.core.settings import ContextSettings, Settings
from tests.benchmarks.thread_loop import wired_backend
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.chat_api import ChatApi
from tests.servers.loopback import ScriptedServer
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, Text, Think, ToolUse

pytestmark = pytest.mark.slow

CAPPED = Settings(context=ContextSettings(max_messages=30))
BACKENDS = ("anthropic", "openai", "claude-cli")


def server(name: str, default: Callable[[CapturedRequest], Answer]) -> ScriptedServer:
    if name == "openai":
        api = ChatApi(default=default)
        api.models = [{"id": "gpt-5.2", "object": "model"}]
        return api
    return MessagesApi(default=default)


def calling(name: str, *calls: Think | ToolUse, say: str = "") -> Answer:
    steps = (*((Text(say),) if say else ()), *calls)
    return Answer(*steps) if name == "openai" else Answer(*steps, stop_reason="tool_use")


def last_said(body: Any) -> Any:
    """The last message but for what the program adds behind it in the system's role."""
    return next(one for one in reversed(body["messages"]) if one["role"] in ("user", "tool"))


def last_is_result(body: Any) -> bool:
    last = last_said(body)
    return last["role"] == "tool" or any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in last["content"]
    )


def offered(body: Any) -> str:
    """The search's name as this backend offers it."""
    names = [str(tool.get("name") or tool.get("function", {}).get("name")) for tool in body.get("tools") or ()]
    return next((name for name in names if TOOL_NAME in name), "")


async def talking(name: str, api: ScriptedServer, folder: Path, history: WatchedHistory) -> tuple[World, str, Any]:
    made = wired_backend(name, api, folder)
    backend = await made.__aenter__()
    world = await make_world(history, {backend.name: backend}, settings=lambda: CAPPED)
    model = "gpt-5.2" if name == "openai" else "claude-sonnet-5-5"
    thread = await world.chat.new_thread(backend=backend.name, model=model)
    return world, thread.id, made


@pytest.mark.parametrize("name", BACKENDS)
async def test_fifty_calls_in_one_turn_stay_valid_under_a_cap_of_thirty_messages(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        tool = offered(request.body)
        choice = request.body.get("tool_choice")
        free = choice in (None, "auto") or (isinstance(choice, dict) and choice.get("type") == "auto")
        text = json.dumps(last_said(request.body))
        if "dig deep" not in text and not last_is_result(request.body):
            return Answer("A plain answer.")
        if tool and free and ENOUGH not in text:
            asked += 1
            call = ToolUse(tool, {"query": f"answer {asked}"}, f"toolu_{asked}")
            return calling(name, Think(f"thought {asked}"), call)
        return Answer("Dug.")

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        for number in range(16):
            assert (await world.chat.send(thread_id, words(f"question {number}"))).failure is None
        outcome = await world.chat.send(thread_id, words("dig deep"))
        assert outcome.failure is None
        assert outcome.message is not None
        assert outcome.message.text.endswith("Dug.")
        path = (await world.chat.open_thread(thread_id)).path
        calls = [part for one in path for part in one.parts if isinstance(part, ToolCallPart)]
        results = [part for one in path for part in one.parts if isinstance(part, ToolResultPart)]
        assert [call.id for call in calls] == [result.call_id for result in results]
        assert sum(not result.is_error for result in results) == ContextSettings().max_tool_rounds
        assert api.violations == []
        # and the next request has a line for each
        assert (await world.chat.send(thread_id, words("and now"))).failure is None
        assert api.violations == []
        await world.chat.close()
        await made.__aexit__(None, None, None)


@pytest.mark.parametrize("name", BACKENDS)
async def test_what_was_just_found_is_sent_with_the_next_question_under_a_cap(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    """The 50 rows of this thread are 31 questions and answers: 40 rounds of a tool belong to one answer."""
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        text = json.dumps(last_said(request.body))
        if ("look hard" in text or last_is_result(request.body)) and asked < 20:
            asked += 1
            return calling(name, ToolUse(offered(request.body), {"query": f"answer {asked}"}, f"toolu_{asked}"))
        return Answer("Found the blue door.") if asked else Answer("A plain answer.")

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        for number in range(16):
            await world.chat.send(thread_id, words(f"question {number}"))
        await world.chat.send(thread_id, words("look hard"))
        assert asked == 20
        outcome = await world.chat.send(thread_id, words("What did you just find?"))
        assert outcome.plan is not None
        sent = json.dumps(api.requests[-1].body["messages"])
        for kept in ("look hard", "Found the blue door.", "What did you just find?", "question 0"):
            assert kept in sent
        assert f"[{outcome.plan.placement.left_out} earlier messages left out]" in sent
        assert sum(use.used for use in outcome.plan.advice.counts) <= 30
        await world.chat.close()
        await made.__aexit__(None, None, None)


@pytest.mark.parametrize("name", BACKENDS)
async def test_two_calls_at_once_with_thought_before_them(name: str, history: WatchedHistory, tmp_path: Path) -> None:
    def model(request: CapturedRequest) -> Answer:
        if not (tool := offered(request.body)) or last_is_result(request.body):
            return Answer("Both found.")
        calls = (ToolUse(tool, {"query": "one"}, "toolu_a"), ToolUse(tool, {"query": "two"}, "toolu_b"))
        thought = Think("Two things to find.")
        return Answer(thought, *calls) if name == "openai" else Answer(thought, *calls, stop_reason="tool_use")

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        if name == "openai":
            # offered from the start only where the provider charges less for what it has seen
            await world.chat.send(thread_id, words("first"))
            path = (await world.chat.open_thread(thread_id)).path
            await world.chat.context_editing.start_fresh(thread_id, path[-1].id)
        outcome = await world.chat.send(thread_id, words("find both"))
        assert outcome.failure is None
        assert outcome.message is not None
        assert outcome.message.text.endswith("Both found.")
        path = (await world.chat.open_thread(thread_id)).path
        turn = path[-3:] if name != "claude-cli" else path[-1:]
        results = [part for one in turn for part in one.parts if isinstance(part, ToolResultPart)]
        assert [result.call_id for result in results] == ["toolu_a", "toolu_b"]
        assert api.violations == []
        if name == "anthropic":
            # thought with its signature goes back as it came while the turn runs, and not after it
            running = api.answers[-1].body["messages"][-2]["content"]
            assert [block["type"] for block in running] == ["thinking", "tool_use", "tool_use"]
            await world.chat.send(thread_id, (TextPart("next"),))
            opening = next(one.body for one in reversed(api.answers) if not last_is_result(one.body))
            assert "thinking" not in json.dumps(opening["messages"])
            assert api.violations == []
        await world.chat.close()
        await made.__aexit__(None, None, None)


def noted(body: Any) -> list[str]:
    """The numbers in the newest note of a search, one text for each passage."""
    notes = re.findall(r"searched this thread\] \S+ -> \d+ passages?: messages? ([\d, -]+)", json.dumps(body))
    return [one.strip() for one in notes[-1].split(",")] if notes else []


@pytest.mark.parametrize("name", BACKENDS)
async def test_more_about_number_two_takes_one_call_in_the_next_turn(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    asked: list[str] = []

    def model(request: CapturedRequest) -> Answer:
        tool, text = offered(request.body), json.dumps(last_said(request.body))
        if not tool or last_is_result(request.body) or not ("ferry?" in text or "number 2" in text):
            return Answer("Good.")
        passages = noted(request.body)
        asked.append(f"messages {passages[1]}" if "number 2" in text else "ferry")
        return calling(name, ToolUse(tool, {"query": asked[-1]}, f"toolu_{len(asked)}"))

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        for number in range(32):
            said = {6: "The ferry leaves at nine.", 14: "The ferry is blue.", 15: "Its captain is Ingeborg."}
            assert (await world.chat.send(thread_id, words(said.get(number, f"Go on, {number}.")))).failure is None
        for question in ("What of the ferry?", "Tell me more about number 2."):
            assert (await world.chat.send(thread_id, words(question))).failure is None
        assert asked == ["ferry", "messages 27-31"]
        path = (await world.chat.open_thread(thread_id)).path
        first, second = (part for one in path for part in one.parts if isinstance(part, ToolResultPart))
        assert first.extra["numbers"] == ["11-15", "27-31"]
        assert "The ferry is blue." in second.text
        assert "Ingeborg" in second.text
        assert "nine" not in second.text
        assert api.violations == []
        await world.chat.close()
        await made.__aexit__(None, None, None)


@pytest.mark.parametrize("name", BACKENDS)
async def test_results_of_searches_are_not_found_again(name: str, history: WatchedHistory, tmp_path: Path) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        tool = offered(request.body)
        if not tool or last_is_result(request.body) or "ferry?" not in json.dumps(last_said(request.body)):
            return Answer("The ferry, good.")
        asked += 1
        return calling(name, ToolUse(tool, {"query": "ferry"}, f"toolu_{asked}"))

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        for number in range(16):
            said = "The ferry leaves at nine." if number == 4 else f"Go on, {number}."
            assert (await world.chat.send(thread_id, words(said))).failure is None
        lengths = []
        for _ in range(8):
            assert (await world.chat.send(thread_id, words("And the ferry?"))).failure is None
            path = (await world.chat.open_thread(thread_id)).path
            results = [part.text for one in path for part in one.parts if isinstance(part, ToolResultPart)]
            lengths.append(len(results[-1]))
            assert "leaves at nine" in results[-1]
            assert results[-1].count("[Message") <= 3
        assert len(lengths) == 8
        # more of the talk may be out of view each time, but never what was found
        assert lengths[-1] < lengths[0] + 8 * 200
        await world.chat.close()
        await made.__aexit__(None, None, None)


@pytest.mark.parametrize("name", BACKENDS)
async def test_the_rest_of_a_document_that_was_sent_in_part_is_found_in_the_same_turn(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    lines = [f"Line {number}: boats lie at the pier." for number in range(6_000)]
    lines[5_000] = "The harbour master is called Ingeborg Vestergaard."
    book = DocumentPart("book.txt", "\n".join(lines), "ab")

    def model(request: CapturedRequest) -> Answer:
        tool = offered(request.body)
        if not tool or last_is_result(request.body) or "Who is it?" not in json.dumps(last_said(request.body)):
            return Answer("Good.")
        return calling(name, ToolUse(tool, {"query": "the harbour master's name"}, "toolu_1"))

    with server(name, model) as api:
        world, thread_id, made = await talking(name, api, tmp_path, history)
        prepared = await world.chat.prepared(thread_id)
        cut = prepared.first_tokens(book, 4_000)
        assert (await world.chat.send(thread_id, (cut, *words("Who is it?")))).failure is None
        first, second = (json.dumps(one.body) for one in api.answers[-2:])
        mark = f"[... {left_out_of(cut):,} tokens left out]"
        assert mark in first
        assert "Ingeborg" not in first
        assert "Line 4999" in second
        assert "Ingeborg" in second
        assert (await world.chat.send(thread_id, words("Thanks."))).failure is None
        assert mark in json.dumps(api.answers[-1].body)
        assert api.violations == []
        await world.chat.close()
        await made.__aexit__(None, None, None)
