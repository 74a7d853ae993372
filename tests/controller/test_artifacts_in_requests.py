"""Artifacts in the bodies of their thread's requests: in full in the turn that needs them, else a note."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.controller.artifact_library import Artifacts, artifact_tools
from desktop_app.controller.ports import Announcements
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.messages import JsonObject, ThinkingPart, ToolCallPart, Usage
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta, UsageReported
from tests.controller.test_thread_in_project import HeldProjects
from tests.controller.world import HandClock, WatchedHistory, World, make_world, words
from tests.fakes.wire_backend import WireBackend

BODY = " ".join(["The door is blue."] * 300)
BRD = f"# Order BRD\n\n{BODY}"


class CallingWire(WireBackend):
    """A wire backend whose model calls tools."""

    def model(self, model_id: str) -> ModelInfo:
        return replace(super().model(model_id), accepts_tools=True)

    def will_call(self, call: ToolCallPart, *, thought: str = "") -> None:
        steps = (PartFinished(ThinkingPart(thought, "signed")),) if thought else ()
        self.reply(*steps, PartFinished(call), UsageReported(Usage(input=50, output=9), "opus"), Ended("tool_use"))


async def analyst(history: WatchedHistory) -> tuple[World, Artifacts, CallingWire, str]:
    backend, projects, announcements = CallingWire(), HeldProjects(), Announcements()
    projects.put(ProjectContext("p1", "Acme"))

    async def never(*_: object) -> str:
        raise AssertionError

    artifacts = Artifacts(history, announcements, threads=lambda: world.chat, rewrite=never)
    world = await make_world(
        history,
        {backend.name: backend},
        clock=HandClock(),
        tools=artifact_tools(artifacts),
        projects=projects,
        artifacts=artifacts.contexts,
        announcements=announcements,
    )
    thread = await world.thread("scripted", project="p1")
    return world, artifacts, backend, thread.id


async def sent(world: World, thread_id: str, said: str) -> str:
    return str(await world.would_send(thread_id, words(said)))


async def test_a_kept_answer_is_its_note_in_the_next_request_and_in_full_where_it_is_named(
    history: WatchedHistory,
) -> None:
    world, artifacts, backend, thread_id = await analyst(history)
    backend.reply(TextDelta(BRD), UsageReported(Usage(input=50, output=900), "opus"), Ended("end_turn"))
    outcome = await world.chat.send(thread_id, words("Write the Order BRD."))
    assert outcome.message is not None
    assert BODY in await sent(world, thread_id, "thanks"), "as long as it is not kept, it is resent"
    made = await artifacts.keep(outcome.message, title="Order BRD")
    plain = await sent(world, thread_id, "thanks")
    assert "[created artifact] Order BRD v1" in plain
    assert "The door is blue." not in plain
    named = await sent(world, thread_id, "Change the order BRD.")
    assert named.count(BODY) == 1
    await artifacts.pin(made.id)
    assert (await sent(world, thread_id, "thanks")).count(BODY) == 1
    # what the user wrote stays as it was typed
    assert "Write the Order BRD." in plain


async def test_while_the_model_changes_it_the_version_that_it_read_stays_in_view_and_its_thoughts_with_it(
    history: WatchedHistory,
) -> None:
    world, artifacts, backend, thread_id = await analyst(history)
    made = await artifacts.create(thread_id, "Order BRD", BRD)
    edit: JsonObject = {"id": made.id, "edits": [{"old": "# Order BRD\n", "new": "# Order BRD, revised\n"}]}
    backend.will_call(ToolCallPart("c1", "update_artifact", edit), thought="It has to be revised.")
    assert (await world.chat.send(thread_id, words("Revise the Order BRD."))).failure is None
    first, second = backend.plans
    assert second.request.prefix_key == first.request.prefix_key
    assert second.request.messages[0].blocks == first.request.messages[0].blocks
    assert any(isinstance(block, ThinkingPart) for block in second.request.messages[1].blocks)
    assert (await artifacts.newest(made.id)).number == 2
    after = await sent(world, thread_id, "thanks")
    assert "[created artifact] Order BRD v2" in after
    assert "The door is blue." not in after
    again = await sent(world, thread_id, "Read me the Order BRD.")
    assert again.count("# Order BRD, revised") == 1
