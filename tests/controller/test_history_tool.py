"""The search of other threads: which it looks into, what it answers, and where it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from desktop_app.controller.ports import History
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.turn_tools import NO_ROOM, HistoryTool
from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, TextPart, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.projects import Project
from desktop_app.core.recall import FEW_RESULTS, NO_OTHERS, NOTHING_IN_OTHERS, QUERY_MISSING, SEARCH_HISTORY
from desktop_app.core.settings import ContextSettings, Settings
from desktop_app.core.stream_events import Ended, TextDelta
from tests.controller.test_tool_loop import asks
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend, said

ALLOWED = Settings(context=ContextSettings(search_other_threads=True))
TIME = "2026-03-01T12:00:00.000Z"
ESTIMATOR = TokenEstimator.seeded("claude-2023")


@pytest.fixture
def backend() -> GatedBackend:
    made = GatedBackend()
    made.accepts_tools = True
    made.overhead = Overhead(cache_marks=4)
    return made


async def world_with(
    history: History, backend: GatedBackend, settings: Callable[[], Settings] = lambda: ALLOWED
) -> World:
    return await make_world(history, {"gated": backend}, settings=settings, tools=(HistoryTool(history, settings),))


async def told(
    world: World, text: str, title: str = "", *, project: str | None = None, private: bool = False
) -> Thread:
    """A thread in which something was said."""
    thread = await world.thread(title=title, private=private)
    await world.chat.send(thread.id, words(text))
    return await world.chat.facts.change(thread.id, project=project, **({"title": title} if title else {}))


async def found(world: World, backend: GatedBackend, query: str, thread: Thread | None = None) -> ToolResultPart:
    """What a search answers in a thread, None: a new one of no project."""
    asking = thread or await world.thread()
    backend.reply(*asks(ToolCallPart("c1", SEARCH_HISTORY.name, {"query": query})))
    backend.reply(TextDelta("So it is."), Ended("end_turn"))
    assert (await world.chat.send(asking.id, words("What was it?"))).failure is None
    results = [
        part for message in await world.stored(asking.id) for part in message.parts if isinstance(part, ToolResultPart)
    ]
    return results[-1]


async def test_passages_of_other_threads_come_with_titles_and_numbers(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world = await world_with(history, backend)
    first = await told(world, "The harbour master is called Ingeborg Vestergaard.", "Harbour")
    second = await told(world, "The harbour has nine piers.", "Piers")
    await told(world, "Something else.", "Other")
    result = await found(world, backend, "harbour master")
    assert result.text.startswith("## Harbour\n[Message")
    assert "Ingeborg Vestergaard" in result.text
    assert "## Piers\n" in result.text
    assert "Something else" not in result.text
    assert result.text.endswith(FEW_RESULTS)
    assert result.extra["threads"] == ["Harbour", "Piers"]
    assert result.extra["thread_ids"] == [first.id, second.id]
    starts: Any = result.extra["starts"]
    assert [result.text[start:].startswith("[Message") for start in starts] == [True, True]
    assert result.text[starts[1] :].count("[Message") == 1
    assert result.extra["messages"] == [(await world.stored(one.id))[0].id for one in (first, second)]


async def test_a_result_says_whose_words_it_is(history: WatchedHistory, backend: GatedBackend) -> None:
    world = await world_with(history, backend)
    backend.reply(TextDelta("Nobody answers for the marlinspike."), Ended("end_turn"))
    thread = await told(world, "Who has the marlinspike?", "Rigging")
    backend.reply(TextDelta("Yes."), Ended("end_turn"))
    spec = DocumentPart("rig.txt", "The marlinspike of the manual is steel.", "0" * 64, "text/plain")
    await world.chat.send(thread.id, (TextPart("Read this."), spec))
    result = await found(world, backend, "marlinspike")
    assert result.text.startswith("## Rigging\n[Messages 1-4 of 4")
    assert "#1 user: Who has the marlinspike?" in result.text
    assert "#2 assistant: Nobody answers" in result.text
    assert "#3 user with an attached document: Read this." in result.text


async def test_afterwards_one_line_stands_for_it_and_recall_does_not_bring_it_back(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world = await world_with(history, backend)
    await told(world, "The harbour master is called Ingeborg Vestergaard.", "Harbour")
    asking = await world.thread()
    await found(world, backend, "harbour master", asking)
    await world.chat.send(asking.id, words("Thanks."))
    texts = [text for _, texts in said(backend.plans[-1]) for text in texts]
    assert '[searched other threads] "harbour master" -> 1 passage from Harbour' in texts
    assert not any("Ingeborg" in text for text in texts)
    ids = {message.id for message in await world.stored(asking.id)}
    assert await history.search_thread(asking.id, "Ingeborg", ids) == []


async def test_private_and_deleted_threads_and_those_of_projects_are_never_looked_into(
    with_private: PrivateHistory, backend: GatedBackend
) -> None:
    world = await world_with(with_private, backend)
    await with_private.projects.save(Project("p", "Harbour", created=TIME, updated=TIME))
    await told(world, "The secret of the private pier.", "Private", private=True)
    await told(world, "The secret of the project's pier.", "In a project", project="p")
    gone = await told(world, "The secret of the deleted pier.", "Deleted")
    await world.history.delete_thread(gone.id)
    turn_gone = await told(world, "The secret of the turn that went.", "Turn")
    await world.chat.delete_turn(turn_gone.id, (await world.stored(turn_gone.id))[0].id)
    result = await found(world, backend, "secret pier")
    assert result.text in (NOTHING_IN_OTHERS, NO_OTHERS)
    assert result.extra["passages"] == 0


async def test_in_a_project_only_its_other_threads_are_looked_into(
    history: WatchedHistory, backend: GatedBackend
) -> None:
    world = await world_with(history, backend)
    for name in ("p", "q"):
        await history.projects.save(Project(name, name, created=TIME, updated=TIME))
    await told(world, "The pier of p is blue.", "Of p", project="p")
    await told(world, "The pier of q is red.", "Of q", project="q")
    await told(world, "The pier of nobody is white.", "Of none")
    tool = HistoryTool(world.history, Settings)
    asking = await told(world, "Hello.", "Asking", project="p")
    call = ToolCallPart("c1", SEARCH_HISTORY.name, {"query": "pier"})
    result = await tool.answer(call, turn_of(asking))
    assert result.extra["threads"] == ["Of p"]
    assert "blue" in result.text
    nobody = await tool.answer(call, turn_of(replace(asking, project="r")))
    assert nobody.text == NO_OTHERS


def turn_of(thread: Thread, room: float = 100_000) -> Any:
    class Turn:
        def __init__(self) -> None:
            self.thread, self.room, self.estimator = thread, room, ESTIMATOR

    return Turn()


async def test_an_answer_stays_within_the_budget_of_recall(history: WatchedHistory, backend: GatedBackend) -> None:
    world = await world_with(history, backend)
    for number in range(8):
        tides = " ".join(f"The tide of day {day * 37 % 365} turns at pier {day * number}." for day in range(300))
        await told(world, tides, f"Thread {number}")
    result = await found(world, backend, "the tide at the pier")
    assert 600 < ESTIMATOR.tokens(features(result.text)) <= 1_500
    threads = result.extra["threads"]
    assert isinstance(threads, list)
    assert 1 < len(threads) <= 4
    tool, asking = HistoryTool(world.history, lambda: ALLOWED), await world.thread()
    call = ToolCallPart("c1", SEARCH_HISTORY.name, {"query": "pier"})
    assert (await tool.answer(call, turn_of(asking, 100))).text == NO_ROOM
    assert (await tool.answer(replace(call, input={}), turn_of(asking))).text == QUERY_MISSING


@pytest.mark.parametrize(
    ("thread", "project", "allowed", "offered"),
    [
        (Thread("t", "", "", ""), None, False, False),
        (Thread("t", "", "", ""), None, True, True),
        (Thread("t", "", "", "", private=True), None, True, False),
        (Thread("t", "", "", "", project="p"), ProjectContext("p", "P"), False, True),
        (Thread("t", "", "", "", project="p"), ProjectContext("p", "P", searches_threads=False), True, False),
        (Thread("t", "", "", "", project="p"), None, True, False),
    ],
)
def test_it_is_offered_only_where_the_user_allows_it(
    history: WatchedHistory, thread: Thread, project: ProjectContext | None, allowed: bool, offered: bool
) -> None:
    tool = HistoryTool(history, lambda: ALLOWED if allowed else Settings())
    assert tool.is_offered(thread, project) is offered


async def test_allowing_it_counts_from_the_next_plan_on(history: WatchedHistory, backend: GatedBackend) -> None:
    settings = [Settings()]
    world = await world_with(history, backend, lambda: settings[0])
    thread = await world.thread()
    names = [spec.name for spec in (await world.chat.prepared(thread.id)).plan(words("one")).request.tools]
    assert SEARCH_HISTORY.name not in names
    settings[0] = ALLOWED
    names = [spec.name for spec in (await world.chat.prepared(thread.id)).plan(words("one")).request.tools]
    assert SEARCH_HISTORY.name in names
