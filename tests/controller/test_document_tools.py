"""The tools over a project's documents: filters, budgets, what is in view, and what bad input is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from desktop_app.controller.document_tools import document_tools
from desktop_app.controller.ports import ProjectHistory
from desktop_app.controller.turn_tools import NO_ROOM, SHORTENED, TurnState, TurnTool
from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import prepare_context
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import NO_PROJECT, NOTHING_FOUND, TURN_IS_FULL, TURN_TOKENS, spent_tokens
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart, Thread, ToolCallPart, ToolResultPart
from desktop_app.core.model_catalog import find_model
from desktop_app.core.projects import Passage, Project
from desktop_app.core.recall import FEW_RESULTS
from desktop_app.core.settings import ContextSettings
from tests.builders.document_texts import document_of, document_text, id_in
from tests.controller.world import WatchedHistory

TIME = "2026-03-01T12:00:00.000Z"
ESTIMATOR = TokenEstimator.seeded("claude-2023")
MODEL = find_model("anthropic", "claude-sonnet-4-5")
THREAD = Thread("thread", "Tides", TIME, TIME, project="p")
ASKED = Message("q", "thread", None, "user", (TextPart("What does it cost?"),), TIME)
FOUND = ProjectContext("p", "Harbour", searchable=2)

SPEC = document_text(
    "spec.pdf",
    *(
        (f"Clause {number}: the fee of pier {number} is {number} crowns.", Passage(0, "text", 0, 0, page=number // 4))
        for number in range(4, 44)
    ),
)
LONG = document_text("tides.txt", *(f"Tide {number}. " + "The tide turns at the pier. " * 30 for number in range(100)))


@dataclass
class Turn:
    """A turn that calls the tools, and what came of it so far."""

    projects: ProjectHistory
    parts: tuple[Part, ...] = ()
    room: float = 100_000
    thread: Thread = THREAD
    asked: Message = ASKED

    async def call(self, name: str, **values: Any) -> ToolResultPart:
        tool = next(one for one in document_tools(self.projects) if one.spec.name == name)
        call = ToolCallPart(f"c{len(self.parts)}", name, values)
        self.parts = (*self.parts, call)
        result = await tool.answer(call, self.state())
        self.parts = (*self.parts, result)
        return result

    def state(self) -> TurnState:
        answer = Message("a", "thread", "q", "assistant", self.parts, TIME, state="partial")
        prepared = prepare_context(
            Recipient(
                backend="anthropic",
                model=MODEL,
                overhead=Overhead(cache_marks=4),
                estimator=ESTIMATOR,
                cache=CacheClock(),
                free=False,
            ),
            ThreadContents(path=()),
            ThreadLimits(settings=ContextSettings()),
        )
        plan = prepared.plan(self.asked.parts)
        return TurnState(self.thread, plan, (self.asked, answer), ESTIMATOR, self.room)


@pytest.fixture
async def projects(history: WatchedHistory) -> ProjectHistory:
    made = history.projects
    await made.save(Project("p", "Harbour", created=TIME, updated=TIME))
    for name, text, more in (
        ("spec.pdf", SPEC, {"modified": "2024-05-01T00:00:00.000Z"}),
        ("tides.txt", LONG, {"folder_id": "f", "path": "north/tides.txt"}),
    ):
        await made.save_text(text)
        await made.save_documents([document_of("p", name, text, **more)])
    return made


@pytest.fixture
def turn(projects: ProjectHistory) -> Turn:
    return Turn(projects)


def ids(result: ToolResultPart) -> list[str]:
    found = result.extra["passage_ids"]
    assert isinstance(found, list)
    return found


def named(result: ToolResultPart) -> list[str]:
    documents = result.extra["documents"]
    assert isinstance(documents, list)
    return documents


def tokens(result: ToolResultPart) -> float:
    return ESTIMATOR.tokens(features(result.text))


async def test_a_search_answers_with_passages_and_says_of_which_documents(turn: Turn) -> None:
    result = await turn.call("search_documents", query="clause 7:")
    assert "the fee of pier 7 is 7 crowns" in result.text
    assert f"[{id_in(SPEC, 4)}]" in result.text
    assert named(result)[0] == "spec.pdf"
    assert result.extra["passages"] == len(ids(result)) > 0


@pytest.mark.parametrize(
    ("values", "documents"),
    [
        ({}, ["spec.pdf"]),
        ({"document": "tides"}, ["tides.txt"]),
        ({"folder": "/north/"}, ["tides.txt"]),
        ({"since": "2025"}, ["tides.txt"]),
        ({"until": "2024-06"}, ["spec.pdf"]),
        ({"since": "2024-05", "until": "2024-06-01"}, ["spec.pdf"]),
        ({"folder": "south"}, []),
    ],
)
async def test_only_documents_that_are_meant_are_searched(
    values: dict[str, str], documents: list[str], turn: Turn
) -> None:
    result = await turn.call("search_documents", query="fee at the turn", **values)
    assert sorted(named(result)) == documents
    assert bool(documents) or result.text == NOTHING_FOUND


@pytest.mark.parametrize("by", ["spec.pdf", "SPEC.PDF", "/home/anna/spec.pdf", "spec", SPEC.sha256[:10]])
async def test_a_document_is_known_by_name_path_part_or_id(by: str, turn: Turn) -> None:
    assert (await turn.call("search_documents", query="pier", document=by)).extra["documents"] == ["spec.pdf"]


@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("search_documents", {}, "say in `query`"),
        ("search_documents", {"query": "  "}, "say in `query`"),
        ("search_documents", {"query": 7}, "say in `query`"),
        ("search_documents", {"query": "x", "document": "none.pdf"}, "no document none.pdf"),
        ("search_documents", {"query": "x", "document": "."}, "Name one by its id"),
        ("search_documents", {"query": "x", "since": "last week"}, "`since` is no date"),
        ("search_documents", {"query": "x", "until": "2026-1-1"}, "`until` is no date"),
        ("read_document", {}, "say in `id`"),
        ("read_document", {"id": "0123456789-1"}, "no document 0123456789-1"),
        ("read_document", {"id": "spec.pdf", "from": 900}, "it has 40 passages on 10 pages"),
        ("read_document", {"id": "spec.pdf", "from": 900, "pages": True}, "no such pages"),
        ("list_documents", {"folder": "nowhere"}, "no document in the folder nowhere"),
        ("list_documents", {"from": 3}, "only 2 documents"),
    ],
)
async def test_what_can_not_be_is_told_with_what_to_do(
    name: str, values: dict[str, Any], says: str, turn: Turn
) -> None:
    result = await turn.call(name, **values)
    assert result.is_error
    assert says in result.text


async def test_reading_goes_around_a_hit_by_numbers_or_by_pages(turn: Turn) -> None:
    around = await turn.call("read_document", id=f"[{id_in(SPEC, 20)}]")
    assert ids(around) == [id_in(SPEC, number) for number in range(16, 25)]
    numbered = await turn.call("read_document", id=SPEC.sha256[:10], **{"from": 30, "to": "31"})
    assert ids(numbered) == [id_in(SPEC, 30), id_in(SPEC, 31)]
    pages = await turn.call("read_document", id="spec.pdf", **{"from": 1, "to": 1, "pages": True})
    assert ids(pages) == [id_in(SPEC, number) for number in range(1, 5)]
    page = await turn.call("read_document", id=id_in(SPEC, 10), pages=True)
    assert ids(page) == [id_in(SPEC, number) for number in range(9, 13)]


async def test_a_passage_is_sent_once_in_a_turn_and_again_in_the_next(turn: Turn) -> None:
    first = await turn.call("read_document", id=id_in(SPEC, 20))
    again = await turn.call("read_document", id=id_in(SPEC, 24))
    assert not set(ids(first)) & set(ids(again))
    assert f"[{id_in(SPEC, 24)}] (in view above)" in again.text
    found = await turn.call("search_documents", query="pier 23")
    assert not set(ids(found)) & {*ids(first), *ids(again)}
    turn.parts = ()
    assert ids(await turn.call("read_document", id=id_in(SPEC, 20))) == ids(first)


async def test_passages_of_a_document_in_the_request_are_named_only(turn: Turn) -> None:
    whole = DocumentPart("spec.pdf", SPEC.text, SPEC.sha256)
    turn.asked = replace(ASKED, parts=(whole, *ASKED.parts))
    result = await turn.call("search_documents", query="clause")
    assert ids(result) == []
    assert "in view above" in result.text
    assert "crowns" not in result.text


async def test_a_call_has_two_thousand_tokens_and_a_turn_twenty(turn: Turn) -> None:
    results = []
    for number in range(1, 100, 4):
        results.append(await turn.call("read_document", id="tides.txt", **{"from": number, "to": 100}))
        if results[-1].is_error:
            break
    assert results[-1].text == TURN_IS_FULL
    assert all(tokens(result) <= 2_000 for result in results)
    spent = spent_tokens(turn.state().path, ESTIMATOR) - tokens(results[-1])
    assert TURN_TOKENS - 200 < spent <= TURN_TOKENS
    assert (await turn.call("search_documents", query="tide")).text == TURN_IS_FULL
    assert (await turn.call("list_documents")).text == TURN_IS_FULL


async def test_less_room_in_the_window_is_less_in_a_result(turn: Turn) -> None:
    turn.room = 2_000
    result = await turn.call("search_documents", query="tide")
    assert 100 < tokens(result) <= 500
    assert result.text.endswith(SHORTENED)
    turn.room = 700
    assert (await turn.call("search_documents", query="tide")).text == NO_ROOM


async def test_few_results_say_that_other_words_may_find_more(turn: Turn) -> None:
    few = await turn.call("search_documents", query="tide", document="spec.pdf")
    none = await turn.call("search_documents", query="zzyzx")
    assert not few.text.endswith(FEW_RESULTS)
    assert none.text == NOTHING_FOUND
    short = document_text("knots.txt", "The bowline is tied here.")
    await turn.projects.save_text(short)
    await turn.projects.save_documents([document_of("p", "knots.txt", short)])
    assert (await turn.call("search_documents", query="bowline")).text.endswith(FEW_RESULTS)


async def test_a_list_says_what_there_is(turn: Turn) -> None:
    result = await turn.call("list_documents")
    assert result.text.startswith("2 documents:")
    assert f"[{SPEC.sha256[:10]}] spec.pdf: 10 pages, 40 passages" in result.text
    assert "spec.pdf" in (await turn.call("list_documents", folder="(no folder)")).text
    assert (await turn.call("list_documents", **{"from": 2})).text.startswith("Documents 2 to 2 of 2:")


def offered(tool: TurnTool, project: ProjectContext | None, thread: Thread = THREAD) -> bool:
    return tool.is_offered(thread, project)


async def test_they_are_offered_where_documents_can_be_searched(projects: ProjectHistory) -> None:
    for tool in document_tools(projects):
        assert offered(tool, FOUND)
        assert not offered(tool, None)
        assert not offered(tool, replace(FOUND, searchable=0))
        assert tool.spec.reads_only
        assert not tool.spec.recalls


async def test_a_thread_that_left_its_project_is_told_so(turn: Turn) -> None:
    turn.thread = replace(THREAD, project=None)
    assert (await turn.call("search_documents", query="x")).text == NO_PROJECT
