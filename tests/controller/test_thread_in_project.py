"""A thread outside of any project and one in a project: what each sends, offers and costs, over the same talk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from desktop_app.controller.model_selection import NO_PROJECTS
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.controller.turn_tools import TurnState
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.project_context import CountedDocument, ProjectContext
from desktop_app.core.context.sent_content import SYSTEM_NOTE, Sight
from desktop_app.core.context.token_counting import TextCounter
from desktop_app.core.errors import UserError
from desktop_app.core.events import NoticeRaised
from desktop_app.core.messages import DocumentPart, JsonObject, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.projects import Project
from desktop_app.core.settings import ContextSettings, Settings
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend
from tests.fakes.wire_backend import WireBackend

TALK = ("What does the order cost?", "And the terms?", "Write it down.")


def document(name: str, size: int) -> DocumentPart:
    text = f"{name}: " + "word " * size
    return DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest())


SPEC = document("spec.md", 700)
BIG = document("big.md", 60_000)


@dataclass
class HeldProjects:
    """Projects as a test sets them, by id."""

    known: dict[str, Project] = field(default_factory=dict)
    contexts: dict[str, ProjectContext] = field(default_factory=dict)

    def put(self, context: ProjectContext, **facts: object) -> None:
        self.known[context.id] = replace(Project(context.id, context.name, context.instructions), **facts)  # type: ignore[arg-type]
        self.contexts[context.id] = context

    async def of_thread(self, thread: Thread) -> Project | None:
        return self.known.get(thread.project or "")

    async def context_of(self, thread: Thread) -> ProjectContext | None:
        return self.contexts.get(thread.project or "")


@dataclass(frozen=True, slots=True)
class SearchDocuments:
    """A tool that is offered where there is something to search."""

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec("search_documents", "Searches the project's documents.", {"type": "object"})

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return project is not None and project.searchable > 0

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        return ToolResultPart(call.id, "nothing")


def acme(**facts: object) -> ProjectContext:
    made = ProjectContext("p1", "Acme", "Amounts in EUR.", (SPEC,), searchable=2)
    return replace(made, **facts)  # type: ignore[arg-type]


async def world_of(
    history: WatchedHistory, projects: HeldProjects | None, backend: GatedBackend | None = None
) -> World:
    backend = backend or WireBackend()
    backend.accepts_tools = True
    backend.abilities = {}
    return await make_world(
        history,
        {backend.name: backend},
        clock=HandClock(),
        tools=(SearchDocuments(),),
        projects=projects or NO_PROJECTS,
    )


async def talked(world: World, thread: Thread) -> list[JsonObject]:
    """The requests of the talk, as they leave."""
    bodies = []
    for said in TALK:
        bodies.append(await world.would_send(thread.id, words(said)))
        assert (await world.chat.send(thread.id, words(said))).failure is None
    return bodies


@pytest.mark.parametrize("program", [False, True])
async def test_a_thread_outside_sends_what_it_sent_and_one_inside_what_its_project_adds(
    history: WatchedHistory, program: bool
) -> None:
    projects = HeldProjects()
    projects.put(acme())
    bodies = {}
    for kind, known, project in (("before", None, None), ("outside", projects, None), ("inside", projects, "p1")):
        world = await world_of(history, known, WireBackend(program=program))
        thread = await world.thread("scripted", project=project)
        bodies[kind] = await talked(world, thread)
        await world.chat.close()
    assert bodies["outside"] == bodies["before"]
    for inside, outside in zip(bodies["inside"], bodies["outside"], strict=True):
        assert "Amounts in EUR." in str(inside["system"])
        assert SPEC.text in str(inside)
        assert SPEC.text not in str(outside)
        assert "search_documents" not in str(outside)


async def test_tools_follow_the_thread_in_and_out_and_a_line_says_so_with_the_price(history: WatchedHistory) -> None:
    projects = HeldProjects()
    projects.put(acme())
    backend = ToolWire()
    world = await world_of(history, projects, backend)
    library = ThreadLibrary(
        world.history, world.chat.facts, world.announcements, stop=world.chat.stop, moved=world.chat.project_moves.tell
    )
    await history.projects.save(projects.known["p1"])
    thread = await world.thread("scripted")
    assert (await world.chat.send(thread.id, words(TALK[0]))).failure is None
    assert [tool.name for tool in backend.plans[-1].request.tools] == ["search_this_thread"]
    await library.move_to_project((thread.id,), "p1")
    notice = world.of(NoticeRaised)[-1]
    assert notice.code == "moved"
    assert str(notice.message).startswith("Moved to Acme: its instructions and 1 document in every request. Next ")
    assert "$" in str(notice.message)
    assert (await world.chat.send(thread.id, words(TALK[1]))).failure is None
    assert [tool.name for tool in backend.plans[-1].request.tools] == ["search_this_thread", "search_documents"]
    assert [one.event.kind for one in await world.chat.journal.of(thread.id)] == ["cache_rewritten"]
    await library.move_to_project((thread.id,), None)
    notice = world.of(NoticeRaised)[-1]
    assert str(notice.message).startswith("Moved out of the project")
    assert (await world.chat.send(thread.id, words(TALK[2]))).failure is None
    assert [tool.name for tool in backend.plans[-1].request.tools] == ["search_this_thread"]
    assert SPEC.text not in str(backend.plans[-1].request.messages)
    # what the thread wrote before it came into the project lives still: going back rewrites nothing
    assert [one.event.kind for one in await world.chat.journal.of(thread.id)] == ["cache_rewritten"]


async def test_a_move_names_only_what_comes_along_and_what_stays(history: WatchedHistory) -> None:
    projects = HeldProjects()
    projects.put(ProjectContext("p1", "Bare"))
    world = await world_of(history, projects)
    library = ThreadLibrary(
        world.history, world.chat.facts, world.announcements, stop=world.chat.stop, moved=world.chat.project_moves.tell
    )
    await history.projects.save(projects.known["p1"])
    thread = await world.thread("scripted")
    await world.chat.send(thread.id, words("hi"))
    (question, *_) = await history.messages(thread.id)
    await world.chat.facts.change(thread.id, choices=ContextChoices(pinned=frozenset({question.id})))
    await library.move_to_project((thread.id,), "p1")
    assert str(world.of(NoticeRaised)[-1].message).startswith(
        "Moved to Bare, which adds nothing to requests. Pinned and excluded messages stay so. Next request: "
    )


class ToolWire(WireBackend):
    """A wire backend whose model calls tools."""

    def model(self, model_id: str):  # type: ignore[no-untyped-def]
        return replace(super().model(model_id), accepts_tools=True)


async def test_nothing_is_said_of_an_empty_thread_nor_where_nothing_changes(history: WatchedHistory) -> None:
    projects = HeldProjects()
    projects.put(acme())
    world = await world_of(history, projects)
    library = ThreadLibrary(
        world.history, world.chat.facts, world.announcements, stop=world.chat.stop, moved=world.chat.project_moves.tell
    )
    await history.projects.save(projects.known["p1"])
    thread = await world.thread("scripted")
    await library.move_to_project((thread.id,), "p1")
    await world.chat.send(thread.id, words("hi"))
    await library.move_to_project((thread.id,), "p1")
    assert not [notice for notice in world.of(NoticeRaised) if notice.code == "moved"]


async def test_an_always_included_document_without_room_is_offered_to_the_search(history: WatchedHistory) -> None:
    projects = HeldProjects()
    projects.put(acme(documents=(SPEC, BIG), searchable=0))
    backend = ToolWire()
    world = await world_of(history, projects, backend)
    thread = await world.thread("scripted", project="p1")
    plan = await world.chat.expected(thread.id, words("hi"))
    assert [tool.name for tool in plan.request.tools] == ["search_this_thread", "search_documents"]
    assert [placed.state for placed in plan.placement.documents] == ["whole", "searched"]
    projects.put(acme(searchable=0))
    assert [tool.name for tool in (await world.chat.expected(thread.id, words("hi"))).request.tools] == [
        "search_this_thread"
    ]


async def test_the_threads_own_model_and_limit_win_then_its_projects_then_the_settings(history: WatchedHistory) -> None:
    first, second = GatedBackend("gated"), GatedBackend("other")
    projects = HeldProjects()
    projects.put(acme(documents=()), backend="other", model="small", soft_limit=4_000)
    world = await make_world(
        history,
        {"gated": first, "other": second},
        settings=lambda: Settings(default_backend="gated", context=ContextSettings(soft_limit=9_000)),
        projects=projects,
    )

    async def found(thread: Thread) -> tuple[str, str, int]:
        plan = await world.chat.expected(thread.id, words("hi"))
        return plan.backend, plan.model.id, plan.limits.soft

    outside = await world.thread(None)
    inside = await world.thread(None, project="p1")
    assert await found(outside) == ("gated", "big", 9_000)
    assert await found(inside) == ("other", "small", 4_000)
    await world.chat.set_soft_limit(inside.id, 6_000)
    assert await found(inside) == ("other", "small", 6_000)
    await world.chat.switch(inside.id, backend="gated", model="big")
    assert await found(inside) == ("gated", "big", 6_000)
    await world.chat.set_soft_limit(inside.id, None)
    assert await found(inside) == ("gated", "big", 4_000)
    # a model of the project means nothing to another backend
    named = await world.chat.chooser.choose(replace(inside, backend=None, model=None), backend="gated")
    assert named.model.id == "big"
    problem = await world.chat.chooser.limit_problem(inside)
    assert problem == ""
    projects.put(acme(documents=()), soft_limit=5_000_000)
    assert "5,000,000" in await world.chat.chooser.limit_problem(replace(inside, soft_limit=None))


async def test_a_new_thread_of_a_project_is_planned_before_it_is_made(history: WatchedHistory) -> None:
    projects = HeldProjects()
    projects.put(acme())
    world = await world_of(history, projects)
    projects.put(acme(), backend="scripted")
    empty = (await world.chat.prepared_new(project="p1")).plan(())
    assert empty.tokens.documents > 500
    assert empty.request.system == f"Amounts in EUR.\n\n{SYSTEM_NOTE}"


async def test_instructions_for_all_threads_go_before_those_of_thread_and_project(history: WatchedHistory) -> None:
    settings = Settings(context=ContextSettings(instructions="I sail.\n"))
    backend = GatedBackend()
    projects = HeldProjects()
    projects.put(acme())
    world = await make_world(history, {"gated": backend}, settings=lambda: settings, projects=projects)
    thread = await world.thread(system="Be brief.")
    assert (await world.chat.prepared(thread.id)).plan(()).request.system == "I sail.\n\nBe brief."
    inside = await world.chat.facts.change(thread.id, project="p1")
    assert (
        (await world.chat.prepared(inside.id))
        .plan(())
        .request.system.startswith("I sail.\n\nBe brief.\n\nAmounts in EUR.")
    )
    settings = Settings()
    assert (await world.chat.prepared(thread.id)).plan(()).request.system.startswith("Be brief.")


async def test_the_documents_of_a_project_are_counted_once_for_all_its_threads(
    history: WatchedHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    projects = HeldProjects()
    projects.put(acme())
    world = await world_of(history, projects)
    threads = [await world.thread("scripted", project="p1") for _ in range(3)]
    made: list[DocumentPart] = []
    of = CountedDocument.of

    def counting(whole: DocumentPart, sight: Sight, counter: TextCounter, **kept: Any) -> CountedDocument:
        made.append(whole)
        return of(whole, sight, counter, **kept)

    monkeypatch.setattr(CountedDocument, "of", counting)
    for thread in threads:
        plan = (await world.chat.prepared(thread.id)).plan(words("hi"))
        assert plan.request.always == 1
    assert made == [SPEC]
    # nor is what stayed when another comes
    more = document("more.md", 10)
    projects.put(acme(documents=(SPEC, more)))
    assert (await world.chat.prepared(threads[0].id)).plan(words("hi")).request.always == 2
    assert made == [SPEC, more]


async def test_a_project_that_can_not_be_read_is_said_and_nothing_is_sent(history: WatchedHistory) -> None:
    class Broken(HeldProjects):
        async def context_of(self, thread: Thread) -> ProjectContext | None:
            raise UserError("store", "The history can't be read.")

    backend = WireBackend()
    world = await world_of(history, Broken(), backend)
    thread = await world.thread("scripted")
    outcome = await world.chat.send(thread.id, words("hi"))
    assert outcome.failure is not None
    assert (outcome.failure.code, backend.plans) == ("store", [])
