"""Searching, reading and listing documents through the real backends: budgets, nothing twice, a note afterwards."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.document_tools import document_tools
from desktop_app.controller.formats.exported_thread import write_branch
from desktop_app.controller.turn_tools import ENOUGH, NO_ROOM, SHORTENED, HistoryTool
from desktop_app.core.citations import SentPassages, citations_in, marked_document
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import CALL_TOKENS, TURN_IS_FULL, TURN_TOKENS
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import Thread, ToolCallPart, ToolResultPart
from desktop_app.core.projects import Project
from desktop_app.core.settings import ContextSettings, Settings
from tests.benchmarks.thread_loop import wired_backend
from tests.builders.document_texts import document_of, document_text, id_in
from tests.controller.test_tools_over_the_wire import BACKENDS, calling, last_is_result, last_said, server
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.servers.messages_api import Answer, CapturedRequest, ToolUse

pytestmark = pytest.mark.slow

TIME = "2026-03-01T12:00:00.000Z"
ESTIMATOR = TokenEstimator.seeded("claude-2023")
FEES = document_text(
    "fees.txt", "Nothing of use.", "The fee at the blue pier is nine crowns a day.", "Half of it later."
)
TIDES = document_text(
    "tides.txt",
    *(
        f"Tide {day}. " + " ".join(f"At {day + hour} it is {hour * day} feet." for hour in range(24))
        for day in range(120)
    ),
)


@dataclass
class OneProject:
    """A project whose documents can be searched, for the threads that are in it."""

    project: Project = field(default_factory=lambda: Project("p", "Harbour", created=TIME, updated=TIME))
    context: ProjectContext = field(default_factory=lambda: ProjectContext("p", "Harbour", searchable=2))

    async def of_thread(self, thread: Thread) -> Project | None:
        return self.project if thread.project == "p" else None

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return self.context if thread.project == "p" else None


@asynccontextmanager
async def analyst(
    name: str,
    model: Callable[[CapturedRequest], Answer],
    folder: Path,
    history: WatchedHistory,
    settings: Callable[[], Settings] = Settings,
    *,
    project: OneProject | None = None,
) -> AsyncIterator[tuple[World, str, Any]]:
    """A thread in a project with two documents, over a backend whose server answers as `model` does."""
    projects = history.projects
    await projects.save(Project("p", "Harbour", created=TIME, updated=TIME))
    for title, text in (("fees.txt", FEES), ("tides.txt", TIDES)):
        await projects.save_text(text)
        await projects.save_documents([document_of("p", title, text)])
    with server(name, model) as api:
        async with wired_backend(name, api, folder) as backend:
            tools = (*document_tools(projects), HistoryTool(history, Settings))
            world = await make_world(
                history, {backend.name: backend}, tools=tools, projects=project or OneProject(), settings=settings
            )
            chosen = "gpt-5.2" if name == "openai" else "claude-sonnet-5-5"
            thread = await world.chat.new_thread(backend=backend.name, model=chosen)
            await world.chat.facts.change(thread.id, project="p")
            yield world, thread.id, api
            await world.chat.close()


def offered(body: Any) -> list[str]:
    """The names of the tools as this backend offers them."""
    return [str(tool.get("name") or tool.get("function", {}).get("name")) for tool in body.get("tools") or ()]


def named(body: Any, name: str) -> str:
    """A tool of ours as this backend names it."""
    return next((one for one in offered(body) if one.endswith(name)), "")


async def results_of(world: World, thread_id: str) -> list[ToolResultPart]:
    path = (await world.chat.open_thread(thread_id)).path
    return [part for one in path for part in one.parts if isinstance(part, ToolResultPart)]


@pytest.mark.parametrize("name", BACKENDS)
async def test_passages_go_in_full_in_their_turn_and_are_a_note_afterwards(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        if last_is_result(request.body):
            return Answer(f"Nine crowns [{id_in(FEES, 2)}], and more [0123456789-3].")
        asked += 1
        if asked == 1:
            return calling(
                name, ToolUse(named(request.body, "search_documents"), {"query": "fee at the pier"}, "toolu_1")
            )
        return Answer("You are welcome.")

    async with analyst(name, model, tmp_path, history) as (world, thread_id, api):
        outcome = await world.chat.send(thread_id, words("What is the fee?"))
        assert outcome.failure is None
        assert outcome.message is not None
        full = json.dumps(api.answers[-1].body)
        assert full.count("nine crowns a day") == 1
        assert id_in(FEES, 2) in full
        path = (await world.chat.open_thread(thread_id)).path
        cited = citations_in(outcome.message.text, SentPassages(path))
        assert [one.verified for one in cited] == [True, False]
        assert (await world.chat.send(thread_id, words("Thanks."))).failure is None
        after = json.dumps(api.answers[-1].body)
        assert "nine crowns a day" not in after
        assert 'searched documents] \\"fee at the pier\\" -> 3 passages from fees.txt' in after
        assert f"Nine crowns [{id_in(FEES, 2)}]" in after
        assert api.violations == []


@pytest.mark.parametrize("name", BACKENDS)
async def test_a_turn_has_its_budget_and_no_passage_twice(name: str, history: WatchedHistory, tmp_path: Path) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        said = json.dumps(last_said(request.body))
        if "used up" in said or asked >= 40:
            return Answer("That is all there is.")
        if not last_is_result(request.body) and asked:
            return Answer("Good.")
        asked += 1
        # every second call asks for what the one before it brought
        start = 5 * (asked // 2) + 1
        given = {"id": "tides.txt", "from": start, "to": 120}
        return calling(name, ToolUse(named(request.body, "read_document"), given, f"toolu_{asked}"))

    async with analyst(name, model, tmp_path, history) as (world, thread_id, api):
        assert (await world.chat.send(thread_id, words("Read me the tides."))).failure is None
        results = await results_of(world, thread_id)
        assert results[-1].text == TURN_IS_FULL
        weights = [ESTIMATOR.tokens(features(result.text)) for result in results[:-1]]
        assert max(weights) <= CALL_TOKENS * 1.2  # the backend's own estimator is not this one
        assert TURN_TOKENS * 0.7 < sum(weights) <= TURN_TOKENS * 1.2
        last = json.dumps(api.answers[-1].body)
        repeated = [day for day in range(120) if last.count(f"Tide {day}. ") > 1]
        assert repeated == []
        assert "in view above" in last
        assert (await world.chat.send(thread_id, words("Good."))).failure is None
        after = json.dumps(api.answers[-1].body)
        assert "feet" not in after
        assert after.count("searched documents] ") == len(results)
        assert api.violations == []


SOFT = 14_000


@pytest.mark.parametrize("name", BACKENDS)
async def test_results_stay_below_the_soft_limit_within_a_turn_and_say_so(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        if NO_ROOM[:40] in json.dumps(last_said(request.body)) or asked >= 30:
            return Answer("That is what there was room for.")
        asked += 1
        tool = named(request.body, ("read_document", "search_documents")[asked % 2])
        given = {"query": f"tide {asked}"} if asked % 2 else {"id": "tides.txt", "from": 3 * asked, "to": 120}
        return calling(name, ToolUse(tool, given, f"toolu_{asked}"))

    async with analyst(name, model, tmp_path, history) as (world, thread_id, api):
        await world.chat.facts.change(thread_id, soft_limit=SOFT)
        assert (await world.chat.send(thread_id, words("Read me the tides."))).failure is None
        results = await results_of(world, thread_id)
        assert asked < 30
        assert (results[-1].text, results[-1].is_error) == (NO_ROOM, True)
        shortened = [result.text.endswith(SHORTENED) for result in results]
        assert not shortened[0], "a first result has its usual room"
        assert shortened[-2], "the model reads why it gets less"
        plans = [fact.plan for fact in world.of(TurnStarted)]
        assert max(plan.tokens.total for plan in plans) <= SOFT
        # the program runs its rounds itself: what it was answered came behind its one plan
        path = (await world.chat.open_thread(thread_id)).path
        own = sum(ESTIMATOR.tokens(features(block_text(part))) for part in path[-1].parts)
        assert plans[-1].tokens.total + own <= SOFT * 1.02
        assert plans[-1].tokens.total + own > SOFT * 0.8, "and the room there is gets used"
        assert api.violations == []


@pytest.mark.parametrize("name", ["anthropic", "openai"])
async def test_fifty_searches_of_documents_in_one_turn_stay_valid_under_a_cap_of_thirty_messages(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        choice = request.body.get("tool_choice")
        free = choice in (None, "auto") or (isinstance(choice, dict) and choice.get("type") == "auto")
        text = json.dumps(last_said(request.body))
        if "Dig deep" not in text and not last_is_result(request.body):
            return Answer("A plain answer.")
        if not free or ENOUGH in text:
            return Answer("The fee is nine crowns.")
        asked += 1
        tool = named(request.body, "search_documents")
        return calling(name, ToolUse(tool, {"query": f"feet at {asked}"}, f"toolu_{asked}"))

    capped = Settings(context=ContextSettings(max_messages=30))
    async with analyst(name, model, tmp_path, history, settings=lambda: capped) as (world, thread_id, api):
        for number in range(16):
            assert (await world.chat.send(thread_id, words(f"question {number}"))).failure is None
        outcome = await world.chat.send(thread_id, words("Dig deep"))
        assert outcome.failure is None
        path = (await world.chat.open_thread(thread_id)).path
        calls = [part for one in path for part in one.parts if isinstance(part, ToolCallPart)]
        results = await results_of(world, thread_id)
        assert [call.id for call in calls] == [result.call_id for result in results]
        assert len([one for one in results if one.text != ENOUGH]) == ContextSettings().max_tool_rounds
        assert sum(not one.is_error for one in results) > 5
        assert (await world.chat.send(thread_id, words("And now?"))).failure is None
        said = json.dumps(api.answers[-1].body["messages"])
        assert "Dig deep" in said
        assert "The fee is nine crowns." in said
        assert said.count("searched documents] ") == len(results)
        assert '\\"feet at 1\\" -> ' in said
        assert api.violations == []


async def test_the_claude_program_can_call_our_tools_only_and_read_no_file(
    history: WatchedHistory, tmp_path: Path
) -> None:
    secret = "s3cret-of-the-planted-file"
    planted = tmp_path / "planted.txt"
    planted.write_text(secret)
    tries: list[tuple[str, dict[str, Any]]] = [
        ("Read", {"file_path": str(planted)}),
        ("Bash", {"command": f"cat {planted}"}),
        ("Grep", {"pattern": "s3cret", "path": str(tmp_path)}),
        ("Task", {"prompt": f"read {planted}", "description": "read", "subagent_type": "general-purpose"}),
        ("ReadMcpResourceTool", {"server": "plimsoll", "uri": f"file://{planted}"}),
        ("mcp__plimsoll__read_document", {"id": str(planted)}),
        ("mcp__plimsoll__search_documents", {"query": f"@{planted}", "document": str(planted)}),
        ("mcp__plimsoll__list_documents", {"folder": str(tmp_path)}),
        ("mcp__plimsoll__no_such_tool", {"path": str(planted)}),
        ("mcp__plimsoll__search_documents", {"query": "fee at the pier"}),
    ]
    left = list(tries)

    def model(request: CapturedRequest) -> Answer:
        if "go" not in json.dumps(last_said(request.body)) and not last_is_result(request.body):
            return Answer("Good.")
        if not left:
            return Answer(f"Nine [{id_in(FEES, 2)}].")
        name, given = left.pop(0)
        return Answer(ToolUse(name, given, f"toolu_{len(left)}"), stop_reason="tool_use")

    async with analyst("claude-cli", model, tmp_path, history) as (world, thread_id, api):
        outcome = await world.chat.send(thread_id, words("go"))
        assert outcome.failure is None
        assert left == []
        bodies = [request.body for request in api.answers]
        assert set(offered(bodies[-1])) == {
            f"mcp__plimsoll__{one}"
            for one in ("search_this_thread", "search_documents", "read_document", "list_documents", "search_history")
        }
        everything = json.dumps(bodies)
        assert secret not in everything
        assert "nine crowns a day" in everything
        path = (await world.chat.open_thread(thread_id)).path
        results = {part.call_id: part for one in path for part in one.parts if isinstance(part, ToolResultPart)}
        calls = [part for one in path for part in one.parts if isinstance(part, ToolCallPart)]
        worked = [call.name for call in calls if call.id in results and not results[call.id].is_error]
        assert worked == ["search_documents"]
        assert api.violations == []


@pytest.mark.parametrize("name", BACKENDS)
async def test_an_always_included_document_is_cited_by_its_marks(
    name: str, history: WatchedHistory, tmp_path: Path
) -> None:
    cited, invented = id_in(FEES, 2), f"{FEES.sha256[:10]}-99"
    requests: list[str] = []

    def model(request: CapturedRequest) -> Answer:
        requests.append(json.dumps(request.body, ensure_ascii=False))
        return Answer(f"Nine crowns [{cited}], and more [{invented}].")

    whole = marked_document("fees.txt", FEES)
    project = OneProject(context=ProjectContext("p", "Harbour", documents=(whole,), searchable=1))
    async with analyst(name, model, tmp_path, history, project=project) as (world, thread_id, api):
        outcome = await world.chat.send(thread_id, words("What is the fee?"))
        assert outcome.failure is None
        assert (await world.chat.send(thread_id, words("Thanks."))).failure is None
        sent = json.dumps(whole.text, ensure_ascii=False)[1:-1]
        asked = [request for request in requests if "What is the fee?" in request]
        assert len(asked) == 2
        assert [request.count(sent) for request in asked] == [1, 1]
        assert "§2 The fee at the blue pier" in sent
        assert api.violations == []

        # what was sent is told by the thread alone: the project has no documents any more
        project.context = ProjectContext("p", "Harbour")
        path = (await world.chat.open_thread(thread_id)).path
        citations = citations_in(path[1].text, SentPassages(path))
        assert [(one.id, one.verified) for one in citations] == [(cited, True), (invented, False)]
        exported = write_branch((await world.chat.open_thread(thread_id)).thread, path)
        assert "[^1]: fees.txt\n" in exported
        assert f"[^2]: Unverified: no passage with the id {invented} was sent" in exported
