"""The use cases of artifacts over a real history: versions, kept answers, selections, and the two tools."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from desktop_app.controller.artifact_library import (
    Artifacts,
    CreateArtifact,
    UpdateArtifact,
    kind_of,
)
from desktop_app.controller.ports import Announcements, History
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.artifacts import Artifact
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.errors import UserError
from desktop_app.core.events import ArtifactChanged, ThreadChanged
from desktop_app.core.messages import Message, TextPart, Thread, ToolCallPart, ToolResultPart, Usage
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta, UsageReported
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.test_tool_loop import asks
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend

BRD = "# Order BRD\n\n## Scope\n\nAn order has lines.\n\n## Prices\n\nPrices are in cents.\n"


class OfferedCreate(CreateArtifact):
    """Offered in every thread."""

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return True


class OfferedUpdate(UpdateArtifact):
    """Offered in every thread."""

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        return True


@dataclass
class Kept:
    """A world with artifacts, and what they had rewritten."""

    world: World
    artifacts: Artifacts
    thread: Thread
    backend: GatedBackend
    wishes: list[tuple[str, int, int, str]] = field(default_factory=list)

    async def say(self, text: str) -> Message:
        outcome = await self.world.chat.send(self.thread.id, words(text))
        assert outcome.message is not None
        assert outcome.failure is None
        return outcome.message

    async def next_request(self) -> str:
        return str(await self.world.would_send(self.thread.id, words("And now?")))

    async def one(self) -> Artifact:
        (only,) = await self.artifacts.of_thread(self.thread.id)
        return only


def says(text: str) -> tuple[StreamEvent, ...]:
    return TextDelta(text), UsageReported(Usage(input=100, output=900), "big"), Ended("end_turn")


async def made(history: History, *, written: str = "New words.", rewrites: bool = False, tools: bool = False) -> Kept:
    backend = GatedBackend()
    backend.accepts_tools = True
    kept: Kept | None = None

    async def rewrite(thread_id: str, text: str, start: int, end: int, wish: str) -> str:
        assert kept is not None
        if rewrites:
            return await kept.world.chat.selection_rewriting.rewrite(thread_id, text, start, end, wish)
        kept.wishes.append((text, start, end, wish))
        return written

    announcements = Announcements()
    artifacts = Artifacts(history, announcements, threads=lambda: world.chat, rewrite=rewrite)
    offered = (OfferedCreate(artifacts), OfferedUpdate(artifacts)) if tools else ()
    world = await make_world(history, {"gated": backend}, tools=offered, announcements=announcements)
    kept = Kept(world, artifacts, await world.thread(), backend)
    return kept


async def test_every_change_is_a_version_and_all_are_kept(history: WatchedHistory) -> None:
    kept = await made(history)
    artifact = await kept.artifacts.create(kept.thread.id, "Order  BRD\n", BRD)
    assert (artifact.title, artifact.versions, artifact.kind) == ("Order BRD", 1, "markdown")
    second = await kept.artifacts.update(artifact.id, BRD.replace("lines", "one line or more"))
    assert (second.number, second.author) == (2, "user")
    again = await kept.artifacts.update(artifact.id, second.text)
    assert again == second
    versions = await kept.artifacts.versions(artifact.id)
    assert [version.text for version in versions] == [BRD, second.text]
    assert (await kept.artifacts.one(artifact.id)).versions == 2
    assert kept.world.of(ArtifactChanged) == [ArtifactChanged(kept.thread.id, artifact.id)] * 2


async def test_changes_at_the_same_time_become_versions_one_after_the_other(history: WatchedHistory) -> None:
    kept = await made(history)
    artifact = await kept.artifacts.create(kept.thread.id, "A", "one")
    await asyncio.gather(*(kept.artifacts.update(artifact.id, f"text {number}") for number in range(5)))
    assert [one.number for one in await kept.artifacts.versions(artifact.id)] == [1, 2, 3, 4, 5, 6]


async def test_an_answer_that_is_kept_is_its_note_from_the_next_request_on(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says(BRD))
    answer = await kept.say("Write the BRD of orders, please.")
    assert BRD.strip() in (await kept.next_request()).replace("\\n", "\n")
    artifact = await kept.artifacts.keep(answer)
    assert (artifact.title, artifact.versions) == ("Order BRD", 1)
    assert (await kept.artifacts.newest(artifact.id)).text == BRD
    request = await kept.next_request()
    assert "[created artifact] Order BRD v1" in request
    assert "Prices are in cents" not in request
    # what the user typed is never rewritten
    assert "Write the BRD of orders, please." in request
    stored = (await kept.world.stored(kept.thread.id))[-1]
    assert stored.text == BRD
    assert kept.world.of(ThreadChanged)[-1].thread.id == kept.thread.id
    # it is found by its words as before
    assert (await history.search("cents")).hits


async def test_an_answer_counts_as_its_note_in_the_next_plan(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says(BRD * 40))
    answer = await kept.say("Write it.")
    before = (await kept.world.chat.prepared(kept.thread.id)).plan(()).tokens.history
    await kept.artifacts.keep(answer)
    after = (await kept.world.chat.prepared(kept.thread.id)).plan(()).tokens.history
    assert before - after > 800


async def test_a_kept_code_block_is_its_note_and_the_rest_stays(history: WatchedHistory) -> None:
    kept = await made(history)
    said = "Here it is:\n\n```python\nprint(1)\nprint(2)\n```\n\nRun it."
    kept.backend.reply(*says(said))
    answer = await kept.say("Write code.")
    artifact = await kept.artifacts.keep(
        answer, "print(1)\nprint(2)", block=(2, 6), title="Counting", kind="code", language="python"
    )
    assert (artifact.kind, artifact.language) == ("code", "python")
    request = await kept.next_request()
    assert "Here it is:" in request
    assert "[created artifact] Counting v1" in request
    assert "Run it." in request
    assert "print(2)" not in request
    stored = (await kept.world.stored(kept.thread.id))[-1]
    assert [part.text for part in stored.parts if isinstance(part, TextPart)] == [
        "Here it is:\n\n",
        "```python\nprint(1)\nprint(2)\n```\n",
        "\nRun it.",
    ]


async def test_of_two_equal_blocks_the_one_that_is_kept_is_its_note(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says("```\na = 1\n```\n\nAgain:\n\n```\na = 1\n```"))
    answer = await kept.say("Write code.")
    await kept.artifacts.keep(answer, "a = 1", block=(6, 9), title="Again", kind="code")
    request = await kept.next_request()
    assert request.index("a = 1") < request.index("Again:") < request.rindex("[created artifact]")
    assert request.count("a = 1") == 1


async def test_a_block_of_a_text_that_its_provider_cut_is_kept_and_the_answer_left_alone(
    history: WatchedHistory,
) -> None:
    kept = await made(history)
    kept.backend.reply(*says("```\na = 1\n```"))
    answer = await kept.say("Write code.")
    cited = replace(answer, parts=(TextPart("```\na = 1\n```", {"citations": [{}]}),))
    await kept.artifacts.keep(cited, "a = 1", block=(0, 3), kind="code")
    assert (await kept.one()).kind == "code"
    assert "a = 1" in await kept.next_request()


async def test_deleting_sends_the_answer_again_and_restoring_its_note(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says(BRD))
    artifact = await kept.artifacts.keep(await kept.say("Write it."))
    await kept.artifacts.delete(artifact.id)
    assert await kept.artifacts.of_thread(kept.thread.id) == ()
    assert "Prices are in cents" in await kept.next_request()
    assert "created artifact]" not in (await kept.next_request()).split("notes of the app")[0]
    await kept.artifacts.restore(artifact.id)
    assert (await kept.one()).id == artifact.id
    assert "Prices are in cents" not in await kept.next_request()


async def test_nothing_is_kept_while_an_answer_is_coming(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says(BRD))
    answer = await kept.say("Write it.")
    gate = Gate()
    kept.backend.reply(gate, *says("more"))
    task = kept.world.chat.start_send(kept.thread.id, words("More."))
    with pytest.raises(UserError, match="still coming"):
        await kept.artifacts.keep(answer)
    gate.open()
    await task


async def test_a_growing_answer_can_not_be_marked(history: WatchedHistory) -> None:
    kept = await made(history)
    gate = Gate()
    kept.backend.reply(TextDelta("one"), gate, *says("two"))
    task = kept.world.chat.start_send(kept.thread.id, words("Write it."))
    await gate.arrive()
    (growing,) = [one for one in await kept.world.stored(kept.thread.id) if one.role == "assistant"]
    with pytest.raises(UserError, match="still coming"):
        await history.save_marked(growing)
    gate.open()
    await task


async def test_what_is_kept_of_a_private_thread_stays_in_memory(history: WatchedHistory) -> None:
    async def in_memory() -> History:
        return await SqliteHistory.open_in_memory()

    private = PrivateHistory(history, in_memory)
    kept = await made(private)
    thread = await kept.world.thread(private=True)
    kept.backend.reply(*says(BRD))
    outcome = await kept.world.chat.send(thread.id, words("Write it."))
    assert outcome.message is not None
    artifact = await kept.artifacts.keep(outcome.message)
    await kept.artifacts.update(artifact.id, "# Other")
    assert [one.versions for one in await kept.artifacts.of_thread(thread.id)] == [2]
    assert await history.artifacts.all() == ()
    assert await kept.artifacts.all() == ()
    await private._private.close()


async def test_only_the_selection_changes(history: WatchedHistory) -> None:
    kept = await made(history, written="An order has one line or more.")
    artifact = await kept.artifacts.create(kept.thread.id, "Order BRD", BRD)
    start = BRD.index("An order")
    version = await kept.artifacts.change_selection(artifact.id, start, start + len("An order has lines."), "Be exact.")
    assert version.text == BRD.replace("An order has lines.", "An order has one line or more.")
    assert (version.number, version.author) == (2, "model")
    assert kept.wishes == [(BRD, start, start + len("An order has lines."), "Be exact.")]


@pytest.mark.parametrize(
    ("start", "end", "wish"), [(3, 3, "x"), (5, 2, "x"), (0, 10_000, "x"), (11, 13, "x"), (0, 5, " ")]
)
async def test_no_selection_and_no_wish_is_an_error(history: WatchedHistory, start: int, end: int, wish: str) -> None:
    kept = await made(history)
    artifact = await kept.artifacts.create(kept.thread.id, "Order BRD", BRD)
    with pytest.raises(UserError):
        await kept.artifacts.change_selection(artifact.id, start, end, wish)
    assert (await kept.one()).versions == 1


async def test_a_model_is_asked_for_the_selection_with_the_whole_as_context(history: WatchedHistory) -> None:
    kept = await made(history, rewrites=True)
    artifact = await kept.artifacts.create(kept.thread.id, "Order BRD", BRD)
    kept.backend.reply(*says("Prices are in euros."))
    start = BRD.index("Prices are")
    version = await kept.artifacts.change_selection(artifact.id, start, start + 20, "Use euros.")
    assert version.text == BRD.replace("Prices are in cents.", "Prices are in euros.")
    asked = str(kept.backend.plans[-1].request.pending)
    assert "An order has lines." in asked
    assert "<<<SELECTIONPrices are in cents.SELECTION>>>" in asked
    assert kept.backend.plans[-1].request.tools == ()
    assert [row.purpose for row in await history.ledger()] == ["artifact"]


async def test_titles_pins_and_what_a_request_may_hold(history: WatchedHistory) -> None:
    kept = await made(history)
    artifact = await kept.artifacts.create(kept.thread.id, "", BRD)
    assert artifact.title == "Order BRD"
    with pytest.raises(UserError, match="needs a title"):
        await kept.artifacts.rename(artifact.id, " \n")
    assert (await kept.artifacts.rename(artifact.id, "Orders")).title == "Orders"
    await kept.artifacts.pin(artifact.id)
    (context,) = await kept.artifacts.contexts(kept.thread.id)
    assert (context.title, context.version, context.text, context.pinned) == ("Orders", 1, BRD, True)
    assert await kept.artifacts.contexts(kept.thread.id) is await kept.artifacts.contexts(kept.thread.id)
    await kept.artifacts.update(artifact.id, "# Other")
    assert [one.version for one in await kept.artifacts.contexts(kept.thread.id)] == [2]


async def test_an_empty_text_is_no_artifact(history: WatchedHistory) -> None:
    kept = await made(history)
    with pytest.raises(UserError, match="no text"):
        await kept.artifacts.create(kept.thread.id, "A", " \n")


# --- the tools


def calls(name: str, number: int, **given: Any) -> ToolCallPart:
    return ToolCallPart(f"call{number}", name, given)


async def test_a_document_is_created_then_changed_by_edits_and_the_third_request_holds_notes(
    history: WatchedHistory,
) -> None:
    kept = await made(history, tools=True)
    kept.backend.reply(*asks(calls("create_artifact", 1, title="Order BRD", kind="markdown", text=BRD)))
    await kept.say("Write the BRD.")
    first = await kept.one()
    edit = {"old": "Prices are in cents.", "new": "Prices are in euros."}
    kept.backend.reply(*asks(calls("update_artifact", 2, id="order brd", edits=[edit])))
    await kept.say("Use euros.")
    versions = await kept.artifacts.versions(first.id)
    assert [(one.number, one.author) for one in versions] == [(1, "model"), (2, "model")]
    assert versions[1].text == BRD.replace("cents", "euros")
    stored = await kept.world.stored(kept.thread.id)
    assert versions[0].message_id in {one.id for one in stored if one.role == "assistant"}
    request = await kept.next_request()
    assert "[created artifact] Order BRD v1" in request
    assert "[created artifact] Order BRD v2" in request
    assert "An order has lines." not in request
    assert "Use euros." in request


def results(messages: Any) -> list[ToolResultPart]:
    return [part for message in messages for part in message.parts if isinstance(part, ToolResultPart)]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"id": "nothing"}, "No artifact has that id or title. There are:"),
        (
            {"id": "Order BRD", "edits": [{"old": "Nowhere", "new": "x"}]},
            "Nothing was changed; version 1",
        ),
        ({"id": "Order BRD", "edits": [{"old": "## ", "new": "x"}]}, "more than once"),
        ({"id": "Order BRD", "edits": "all"}, "must be a list"),
        ({"id": "Order BRD", "edits": [{"old": "a", "new": "b"}], "text": "c"}, "not both"),
        ({"id": "Order BRD", "text": " "}, "would be empty"),
    ],
)
async def test_a_wrong_change_tells_the_model_what_to_do(
    history: WatchedHistory, given: dict[str, Any], told: str
) -> None:
    kept = await made(history, tools=True)
    await kept.artifacts.create(kept.thread.id, "Order BRD", BRD)
    kept.backend.reply(*asks(calls("update_artifact", 1, **given)))
    await kept.say("Change it.")
    (result,) = results(await kept.world.stored(kept.thread.id))
    assert result.is_error
    assert told in result.text
    assert (await kept.one()).versions == 1
    assert "[performed an action] update_artifact, which failed" in await kept.next_request()


async def test_the_newest_version_can_be_read_where_it_is_not_in_view(history: WatchedHistory) -> None:
    kept = await made(history, tools=True)
    artifact = await kept.artifacts.create(kept.thread.id, "Order BRD", BRD)
    kept.backend.reply(*asks(calls("update_artifact", 1, id=artifact.id[:8])))
    await kept.say("What does it say?")
    (result,) = results(await kept.world.stored(kept.thread.id))
    assert not result.is_error
    assert result.text.endswith(BRD)
    assert (await kept.one()).versions == 1


@pytest.mark.parametrize(
    "given", [{}, {"title": "A", "kind": "markdown", "text": " "}, {"title": "A", "kind": "poem", "text": "b"}]
)
async def test_a_wrong_creation_makes_nothing(history: WatchedHistory, given: dict[str, Any]) -> None:
    kept = await made(history, tools=True)
    kept.backend.reply(*asks(calls("create_artifact", 1, **given)))
    await kept.say("Write it.")
    assert results(await kept.world.stored(kept.thread.id))[0].is_error
    assert await kept.artifacts.of_thread(kept.thread.id) == ()


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("md", "# A", "markdown"),
        ("", '<svg width="1">', "svg"),
        ("mermaid", "graph", "mermaid"),
        ("HTML", "<p>", "html"),
        ("python", "x", "code"),
        ("", "x", "code"),
    ],
)
def test_a_block_is_what_its_fence_says(language: str, text: str, kind: str) -> None:
    assert kind_of(language, text) == kind


async def test_a_page_without_a_heading_is_called_as_its_thread(history: WatchedHistory) -> None:
    kept = await made(history)
    kept.backend.reply(*says("One."))
    await kept.say("Counting ships")
    artifact = await kept.artifacts.create(
        kept.thread.id, "", "<!doctype html><html><body><p>1</p></body></html>", kind="html"
    )
    assert artifact.title == "Counting ships"


async def test_a_copy_of_a_thread_has_copies_of_its_artifacts(history: WatchedHistory) -> None:
    here = await made(history)
    artifacts, chat = here.artifacts, here.world.chat
    here.backend.reply(*says("The whole document."))
    kept = await artifacts.keep(await here.say("Write"))
    await artifacts.update(kept.id, BRD)

    library = ThreadLibrary(history, chat.facts, here.world.announcements, stop=chat.stop)
    copy = await library.duplicate(here.thread.id)

    (its_own,) = await artifacts.of_thread(copy.id)
    assert its_own.id != kept.id
    assert (its_own.title, its_own.versions) == (kept.title, 2)
    versions = await artifacts.versions(its_own.id)
    assert [one.text for one in versions] == ["The whole document.", BRD]
    its_answer = (await chat.open_thread(copy.id)).path[-1]
    assert versions[0].message_id == its_answer.id
    part = its_answer.parts[-1]
    assert isinstance(part, TextPart)
    facts = part.extra["artifact"]
    assert isinstance(facts, dict)
    assert facts["id"] == its_own.id, "its card leads to the copy"
    await artifacts.update(its_own.id, "Another.")
    assert (await artifacts.newest(kept.id)).text == BRD
