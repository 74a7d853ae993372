"""The trash: everything that can be deleted is in it, comes back, goes for good, or goes after 30 days."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.controller.artifact_library import Artifacts
from desktop_app.controller.document_files import copy_of
from desktop_app.controller.ports import Clock
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.controller.project_library import Projects
from desktop_app.controller.prompt_library import PromptLibrary
from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.controller.trash import WHILE_ANSWERING, Trash, TrashServices, days_left
from desktop_app.core.errors import UserError
from desktop_app.core.events import PromptsChanged, ThreadCreated, ThreadDeleted, TrashChanged
from desktop_app.core.history_records import TrashItem
from desktop_app.core.messages import Message, Thread
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.system_clock import utc_now
from tests.builders.leftovers import leftovers
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend
from tests.fakes.text_extractor import TextExtractor

LONG = " and so on, as it goes in an answer" * 20


@dataclass(frozen=True, slots=True)
class LaterClock(Clock):
    """The time is some days ahead."""

    days: float = 0.0

    def now(self) -> datetime:
        return utc_now() + timedelta(days=self.days)


@dataclass
class Desk:
    """Everything that deletes and restores, over one folder."""

    world: World
    library: ThreadLibrary
    projects: Projects
    artifacts: Artifacts
    prompts: PromptLibrary
    folder: Path

    def trash(self, days: float = 0.0) -> Trash:
        services = TrashServices(self.library, self.projects, self.artifacts, self.world.chat)
        return Trash(
            self.world.history,
            services,
            self.world.announcements,
            documents=self.folder / "documents",
            looked=self.folder / "cache" / "trash_look",
            clock=LaterClock(days),
        )

    async def titles(self) -> set[tuple[str, str]]:
        return {(one.kind, one.title) for one in await self.trash().items()}


@pytest_asyncio.fixture
async def desk(with_private: PrivateHistory, backend: GatedBackend, tmp_path: Path) -> AsyncIterator[Desk]:
    world = await make_world(with_private, {"gated": backend})
    history, told = world.history, world.announcements
    projects = Projects(history.projects, TextExtractor(), told, files=tmp_path / "documents")

    async def never(*_: object) -> str:
        raise AssertionError

    yield Desk(
        world,
        ThreadLibrary(history, world.chat.facts, told, stop=world.chat.stop),
        projects,
        Artifacts(history, told, threads=lambda: world.chat, rewrite=never),
        PromptLibrary(history, told),
        tmp_path,
    )
    await projects.close()
    await world.chat.close()


async def talk(desk: Desk, backend: GatedBackend, asked: str, answer: str) -> tuple[Thread, Message]:
    thread = await desk.world.thread(title=asked)
    backend.reply(TextDelta(answer), Ended("end_turn"))
    await desk.world.chat.send(thread.id, words(asked))
    return thread, (await desk.world.history.messages(thread.id))[-1]


async def test_everything_that_is_deleted_is_in_the_trash_and_comes_back(desk: Desk, backend: GatedBackend) -> None:
    thread, _ = await talk(desk, backend, "threadzorp", "answer")
    other, answer = await talk(desk, backend, "otherzorp", "deletedzorp")
    prompt = await desk.prompts.add("promptzorp", "text")
    project = await desk.projects.create("projectzorp")
    kept = await desk.projects.create("kept")
    file = desk.folder / "file.txt"
    file.write_text("documentzorp")
    (document,), _ = await desk.projects.add_files(kept.id, [file])
    await desk.projects.read_all(kept.id)
    assert await desk.titles() == set()
    await desk.library.delete(thread.id)
    await desk.world.chat.context_editing.delete(other.id, [answer.id], answer.id)
    await desk.prompts.delete(prompt.id)
    await desk.projects.delete(project.id)
    await desk.projects.remove_documents(kept.id, [document.id])
    items = await desk.trash().items()
    assert await desk.titles() == {
        ("thread", "threadzorp"),
        ("message", "deletedzorp"),
        ("prompt", "promptzorp"),
        ("project", "projectzorp"),
        ("document", "file.txt"),
    }
    await desk.trash().restore(items)
    assert await desk.titles() == set()
    assert {one.thread.title for one in await desk.library.threads()} == {"threadzorp", "otherzorp"}
    assert (await desk.world.history.thread(other.id)).choices.deleted == frozenset()
    assert [one.title for one in await desk.prompts.all()] == ["promptzorp"]
    assert {one.name for one in await desk.projects.all()} == {"kept", "projectzorp"}
    assert [one.name for one in await desk.projects.documents(kept.id)] == ["file.txt"]
    assert desk.world.of(ThreadCreated)
    assert desk.world.of(PromptsChanged)
    assert desk.world.of(TrashChanged)


async def test_a_turn_is_one_thing_in_the_trash_and_comes_back_whole(desk: Desk, backend: GatedBackend) -> None:
    thread, _ = await talk(desk, backend, "firstzorp", "answer one")
    backend.reply(TextDelta("answer two"), Ended("end_turn"))
    await desk.world.chat.send(thread.id, words("secondzorp"))
    path = [one.id for one in await desk.world.history.messages(thread.id)]
    await desk.world.chat.delete_turn(thread.id, path[1])
    await desk.world.chat.delete_turn(thread.id, path[2])
    items = await desk.trash().items()
    assert sorted((one.title, one.id, one.rest) for one in items) == [
        ("firstzorp", path[0], (path[1],)),
        ("secondzorp", path[2], (path[3],)),
    ]
    await desk.trash().restore([one for one in items if one.title == "secondzorp"])
    assert [one.text for one in (await desk.world.chat.open_thread(thread.id)).shown] == ["secondzorp", "answer two"]
    assert await desk.titles() == {("message", "firstzorp")}


async def test_a_version_of_an_answer_comes_back_and_no_other(desk: Desk, backend: GatedBackend) -> None:
    thread, first = await talk(desk, backend, "question", "answer one")
    backend.reply(TextDelta("answer two"), Ended("end_turn"))
    await (await desk.world.chat.start_regenerate(thread.id, first.id))
    await desk.world.chat.delete_turn(thread.id, (await desk.world.history.messages(thread.id))[-1].id)
    assert await desk.titles() == {("message", "answer two")}
    await desk.world.chat.delete_turn(thread.id, first.id)
    assert await desk.titles() == {("message", "answer one"), ("message", "answer two")}
    items = await desk.trash().items()
    await desk.trash().restore([one for one in items if one.title == "answer two"])
    await desk.world.chat.show_branch(thread.id, (await desk.world.history.messages(thread.id))[-1].id)
    assert [one.text for one in (await desk.world.chat.open_thread(thread.id)).shown] == ["question", "answer two"]
    assert await desk.titles() == {("message", "answer one")}


async def test_a_turn_that_is_deleted_for_good_goes_whole(desk: Desk, backend: GatedBackend) -> None:
    thread, answer = await talk(desk, backend, "askedzorp", "saidzorp")
    await desk.world.chat.send(thread.id, words("kept"))
    await desk.world.chat.delete_turn(thread.id, answer.id)
    await desk.trash().erase(await desk.trash().items())
    assert "askedzorp" not in str(await desk.world.history.messages(thread.id))
    assert leftovers(desk.folder, ["saidzorp"]) == []


async def test_what_another_process_deleted_for_good_is_neither_sent_nor_written_again(
    desk: Desk, backend: GatedBackend
) -> None:
    thread, _ = await talk(desk, backend, "title", "answer")
    await desk.world.chat.send(thread.id, words("askedzorp"))
    history = await SqliteHistory.open(desk.folder / "history.db")
    other = GatedBackend()
    world = await make_world(history, {"gated": other})
    await world.chat.start()
    await world.chat.open_thread(thread.id)
    *_, asked, _ = await history.messages(thread.id)
    await desk.world.chat.delete_turn(thread.id, asked.id)
    await desk.trash().erase(await desk.trash().items())
    assert (await world.chat.send(thread.id, words("And now?"))).failure is None
    assert "askedzorp" not in str(other.plans[-1].request)
    await world.chat.close()
    await history.close()
    assert leftovers(desk.folder, ["askedzorp"]) == []


async def test_deleted_for_good_is_in_no_file_and_the_copy_of_a_document_neither(
    desk: Desk, backend: GatedBackend
) -> None:
    thread, _ = await talk(desk, backend, "threadzorp", "answerzorp" + LONG)
    project = await desk.projects.create("projectzorp")
    file = desk.folder.parent / "documentzorp.txt"
    file.write_text("documentzorp" + LONG)
    await desk.projects.add_files(project.id, [file])
    (document,) = await desk.projects.read_all(project.id)
    copy = copy_of(desk.folder / "documents", document.sha256)
    assert copy.is_file()
    await desk.library.delete(thread.id)
    await desk.projects.delete(project.id)
    told: list[tuple[int, int]] = []
    done = await desk.trash().erase(await desk.trash().items(), lambda *now: told.append(now))
    assert done.copies == ()
    assert done.not_compacted == ""
    assert told
    assert told[-1] == (0, 0)
    assert leftovers(desk.folder, ["threadzorp", "answerzorp", "projectzorp", "documentzorp"]) == []
    assert not copy.parent.exists()
    assert [one.thread_id for one in desk.world.of(ThreadDeleted)] == [thread.id] * 2


async def test_archived_threads_are_deleted_for_good_without_going_through_the_trash(
    desk: Desk, backend: GatedBackend
) -> None:
    thread, _ = await talk(desk, backend, "archivedzorp", "answerzorp")
    kept, _ = await talk(desk, backend, "kept", "reply")
    archived = await desk.library.archive(thread.id)
    await desk.trash().erase_threads([archived])
    assert [one.thread.id for one in await desk.library.threads()] == [kept.id]
    assert leftovers(desk.folder, ["archivedzorp", "answerzorp"]) == []


async def test_a_running_answer_is_stopped_before_its_thread_goes(desk: Desk, backend: GatedBackend) -> None:
    thread, gate = await desk.world.thread(title="slowzorp"), Gate()
    backend.reply(TextDelta("partzorp"), gate, Ended("end_turn"))
    desk.world.chat.start_send(thread.id, words("questionzorp"))
    await gate.arrive()
    await desk.trash().erase_threads([thread])
    assert not desk.world.chat.running(thread.id)
    assert leftovers(desk.folder, ["slowzorp", "partzorp", "questionzorp"]) == []


async def test_while_another_answer_comes_the_file_is_not_compacted_and_that_is_told(
    desk: Desk, backend: GatedBackend
) -> None:
    gone, _ = await talk(desk, backend, "gonezorp", "answer")
    thread, gate = await desk.world.thread(), Gate()
    backend.reply(TextDelta("part"), gate, Ended("end_turn"))
    turn = desk.world.chat.start_send(thread.id, words("question"))
    await gate.arrive()
    assert (await desk.trash().erase_threads([gone])).not_compacted == WHILE_ANSWERING
    assert await desk.world.history.trash.needs_compacting()
    gate.open()
    await turn
    assert await desk.trash().expire() == 0
    assert not await desk.world.history.trash.needs_compacting()
    assert leftovers(desk.folder, ["gonezorp"]) == []


async def test_after_30_days_and_not_before_it_is_gone(desk: Desk, backend: GatedBackend) -> None:
    thread, _ = await talk(desk, backend, "threadzorp", "answerzorp")
    await desk.library.delete(thread.id)
    prompt = await desk.prompts.add("promptzorp", "text")
    await desk.prompts.delete(prompt.id)
    assert await desk.trash(29.9).expire() == 0
    assert await desk.trash(-400).expire() == 0, "a clock that was set back takes nothing away"
    assert len(await desk.trash().items()) == 2
    assert await desk.trash(400).expire() == 0, "a clock that jumped ahead takes nothing away at once"
    assert await desk.trash(400.9).expire() == 0
    assert await desk.trash(402).expire() == 0, "nor where it stays wrong"
    for day in (0, 10, 20, 30.1):
        assert await desk.trash(day).expire() == 0
    assert len(await desk.trash().items()) == 2
    assert await desk.trash(31.2).expire() == 2
    assert await desk.trash().items() == []
    assert leftovers(desk.folder, ["threadzorp", "answerzorp", "promptzorp"]) == []


async def test_a_private_thread_is_in_no_trash(desk: Desk, backend: GatedBackend) -> None:
    thread = await desk.world.thread(private=True, title="privatezorp")
    backend.reply(TextDelta("answerzorp"), Ended("end_turn"))
    await desk.world.chat.send(thread.id, words("questionzorp"))
    await desk.library.delete(thread.id)
    assert await desk.trash().items() == []
    assert leftovers(desk.folder, ["privatezorp", "answerzorp", "questionzorp"]) == []


async def test_a_second_try_at_what_is_gone_already_is_no_error(
    desk: Desk, backend: GatedBackend, history: WatchedHistory
) -> None:
    thread, _ = await talk(desk, backend, "threadzorp", "answer")
    await desk.library.delete(thread.id)
    items = await desk.trash().items()
    await desk.trash().erase(items)
    await desk.trash().erase(items)
    with pytest.raises(UserError):
        await desk.trash().restore(items)
    with pytest.raises(UserError):
        await desk.trash().restore([TrashItem("prompt", "nothing", "", "")])
    assert await history.trash.items() == []


def test_days_left_are_whole_and_never_more_than_promised() -> None:
    now = datetime(2026, 11, 23, 12, tzinfo=UTC)
    at = {days: (now - timedelta(days=days)).isoformat(timespec="seconds") for days in (-3, 0, 1, 29.5, 30, 99)}
    assert {days: days_left(stamp, now) for days, stamp in at.items()} == {-3: 30, 0: 30, 1: 29, 29.5: 1, 30: 0, 99: 0}
    assert days_left("", now) == days_left("no time", now) == 30
