"""The list of threads and their facts; what other processes write is noticed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.controller.thread_library import ThreadLibrary
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ThreadChanged, ThreadDeleted
from desktop_app.core.messages import MessageMark
from desktop_app.core.projects import Project
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


@pytest.fixture
def library(world: World) -> ThreadLibrary:
    return ThreadLibrary(world.history, world.chat.facts, world.announcements, stop=world.chat.stop)


async def test_facts_are_changed_stored_and_announced(world: World, library: ThreadLibrary) -> None:
    thread = await world.thread()
    await library.rename(thread.id, "  A new\nname ")
    await library.pin(thread.id)
    await library.archive(thread.id)
    stored = await world.history.thread(thread.id)
    assert (stored.title, stored.pinned, stored.archived) == ("A new name", True, True)
    assert world.of(ThreadChanged)[-1].thread == stored
    assert (await world.chat.open_thread(thread.id)).thread == stored
    assert [summary.thread.id for summary in await library.threads()] == [thread.id]
    assert (await library.find(thread.id[:6])).id == thread.id


async def test_an_empty_title_is_refused(world: World, library: ThreadLibrary) -> None:
    thread = await world.thread()
    with pytest.raises(UserError):
        await library.rename(thread.id, " \n ")


async def test_changes_of_two_processes_at_once_are_all_kept(world: World, tmp_path: Path) -> None:
    thread = await world.thread()
    other = await SqliteHistory.open(tmp_path / "history.db", quiet_s=None)
    there = await make_world(other, {"gated": GatedBackend()})

    async def changes(door: World) -> None:
        for _ in range(30):
            await door.chat.facts.update(thread.id, lambda now: replace(now, soft_limit=(now.soft_limit or 0) + 1))

    await asyncio.gather(changes(world), changes(there))
    assert (await world.history.thread(thread.id)).soft_limit == 60
    await there.chat.close()
    await other.close()


async def test_two_changes_at_once_are_both_kept(world: World, library: ThreadLibrary) -> None:
    thread = await world.thread()
    await asyncio.gather(library.rename(thread.id, "Name"), library.pin(thread.id), library.archive(thread.id))
    stored = await world.history.thread(thread.id)
    assert (stored.title, stored.pinned, stored.archived) == ("Name", True, True)


async def test_a_rename_while_an_answer_comes_stays(
    world: World, library: ThreadLibrary, backend: GatedBackend
) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("slow"), gate, Ended("end_turn"))
    turn = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await library.rename(thread.id, "Mine")
    gate.open()
    await turn
    opened = await world.chat.open_thread(thread.id)
    assert opened.thread.title == "Mine"
    assert opened.path[-1].text == "slow"


async def test_deleting_stops_the_answer_and_can_be_undone(
    world: World, library: ThreadLibrary, backend: GatedBackend
) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("some"), gate, Ended("end_turn"))
    world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    await library.delete(thread.id)
    assert backend.open_streams == 0
    assert world.of(ThreadDeleted) == [ThreadDeleted(thread.id)]
    assert await library.threads() == ()
    await library.restore(thread.id)
    assert [message.text for message in (await world.chat.open_thread(thread.id)).path] == ["one", "some"]


async def test_a_foreign_turn_is_noticed_and_becomes_history(
    tmp_path: Path, world: World, backend: GatedBackend
) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    assert not await world.chat.watch.look()
    foreign = await SqliteHistory.open(tmp_path / "history.db")
    elsewhere = await make_world(foreign, {"gated": backend})
    await elsewhere.chat.send(thread.id, words("two"))
    await elsewhere.chat.close()
    await foreign.close()
    assert await world.chat.watch.look()
    assert not await world.chat.watch.look()
    assert world.of(HistoryChangedElsewhere) == [HistoryChangedElsewhere()]
    await world.chat.send(thread.id, words("three"))
    assert [text for _, text in said(backend.plans[-1])] == [
        ("one",),
        ("answer 1",),
        ("two",),
        ("answer 2",),
        ("three",),
    ]


async def test_our_own_writes_are_no_foreign_change(world: World) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    await world.chat.keep_draft(thread.id, "draft")
    assert not await world.chat.watch.look()


async def test_a_foreign_change_does_not_disturb_a_running_answer(
    tmp_path: Path, world: World, backend: GatedBackend
) -> None:
    thread, gate = await world.thread(), Gate()
    backend.reply(TextDelta("so far"), gate, Ended("end_turn"))
    turn = world.chat.start_send(thread.id, words("one"))
    await gate.arrive()
    foreign = await SqliteHistory.open(tmp_path / "history.db")
    elsewhere = await make_world(foreign, {"gated": GatedBackend()})
    await elsewhere.thread()
    refused = await elsewhere.chat.send(thread.id, words("me too"))
    assert refused.failure is not None
    assert refused.failure.code == "store"
    await elsewhere.chat.close()
    await foreign.close()
    assert await world.chat.watch.look()
    assert (await world.chat.open_thread(thread.id)).path[-1].text == "so far"
    gate.open()
    assert (await turn).failure is None
    assert (await world.chat.open_thread(thread.id)).path[-1].state == "complete"


async def test_typing_prepares_the_backend_and_never_fails(world: World, backend: GatedBackend) -> None:
    thread = await world.thread()
    await world.chat.send(thread.id, words("one"))
    await world.chat.prepare_backend(thread.id)
    (plan,) = backend.prepared
    assert plan is not None
    assert [message.role for message in plan.request.history] == ["user", "assistant"]
    await world.chat.prepare_backend("nowhere")


async def test_many_threads_do_not_stay_in_memory(world: World) -> None:
    from desktop_app.controller.open_threads import KEPT_OPEN, OpenThreads

    opened = OpenThreads(world.history)
    threads = [await world.thread() for _ in range(KEPT_OPEN + 2)]
    for thread in threads:
        await opened.get(thread.id)
    assert opened.loaded(threads[0].id) is None
    assert opened.loaded(threads[-1].id) is not None


async def test_a_copy_has_all_branches_choices_and_the_draft(
    world: World, library: ThreadLibrary, backend: GatedBackend
) -> None:
    thread = await world.thread()
    for text in ("one", "two"):
        await world.chat.send(thread.id, words(text))
    await world.chat.retry(thread.id)
    path = (await world.chat.open_thread(thread.id)).path
    await world.chat.context_editing.pin(thread.id, [path[1].id])
    await world.chat.keep_draft(thread.id, "and then")
    await library.pin(thread.id)
    await world.history.save_mark(thread.id, path[1].id, MessageMark("up", "keep"))
    await world.history.set_seen(thread.id, path[-1].id)
    calls = sum(row.calls for row in await world.history.ledger())
    copy = await library.duplicate(thread.id)
    before, after = await world.chat.open_thread(thread.id), await world.chat.open_thread(copy.id)
    assert [message.text for message in after.path] == [message.text for message in before.path]
    assert len(after.conversation) == len(before.conversation) == 5
    assert (after.thread.draft, after.thread.title, after.thread.pinned) == ("and then", before.thread.title, False)
    assert after.thread.choices.pinned == {after.path[1].id}
    assert await world.history.marks(copy.id) == {after.path[1].id: MessageMark("up", "keep")}
    assert after.thread.seen == after.path[-1].id
    assert not {message.id for message in await world.stored(copy.id)} & {one.id for one in before.path}
    assert sum(row.calls for row in await world.history.ledger()) == calls
    await world.chat.send(copy.id, words("three"))
    assert [text for _, text in said(backend.plans[-1])][-1] == ("three",)
    assert len(await world.stored(thread.id)) == 5


async def test_threads_are_moved_into_a_project_and_out_of_it(world: World, library: ThreadLibrary) -> None:
    one, two = await world.thread(), await world.thread()
    await world.history.projects.save(Project("p1", "Harbour works"))
    await library.move_to_project([one.id, two.id], "p1")
    assert [(await world.history.thread(each.id)).project for each in (one, two)] == ["p1"] * 2
    with pytest.raises(UserError):
        await library.move_to_project([one.id], "Harbour works")
    await library.move_to_project([one.id], None)
    assert (await world.history.thread(one.id)).project is None


async def test_several_are_deleted_one_after_the_other(world: World, library: ThreadLibrary) -> None:
    threads = [await world.thread() for _ in range(3)]
    gone = await library.delete_all([threads[0].id, threads[2].id])
    assert [summary.thread.id for summary in await library.threads()] == [threads[1].id]
    for thread_id in gone:
        await library.restore(thread_id)
    assert len(await library.threads()) == 3
    with pytest.raises(UserError):
        await library.delete_all(["nowhere"])
