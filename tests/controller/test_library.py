"""The list of threads and their facts; what other processes write is noticed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desktop_app.controller.library import Library
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ThreadChanged, ThreadDeleted
from desktop_app.core.stream import Ended, TextDelta
from desktop_app.storage.history import SqliteHistory
from tests.controller.world import World, make_world, words
from tests.fakes.gated_backend import Gate, GatedBackend, said


@pytest.fixture
def library(world: World) -> Library:
    return Library(world.history, world.chat.facts, world.announcements, stop=world.chat.stop)


async def test_facts_are_changed_stored_and_announced(world: World, library: Library) -> None:
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


async def test_an_empty_title_is_refused(world: World, library: Library) -> None:
    thread = await world.thread()
    with pytest.raises(UserError):
        await library.rename(thread.id, " \n ")


async def test_two_changes_at_once_are_both_kept(world: World, library: Library) -> None:
    thread = await world.thread()
    await asyncio.gather(library.rename(thread.id, "Name"), library.pin(thread.id), library.archive(thread.id))
    stored = await world.history.thread(thread.id)
    assert (stored.title, stored.pinned, stored.archived) == ("Name", True, True)


async def test_a_rename_while_an_answer_comes_stays(world: World, library: Library, backend: GatedBackend) -> None:
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
    world: World, library: Library, backend: GatedBackend
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
    assert not await world.chat.refresh_from_disk()
    foreign = await SqliteHistory.open(tmp_path / "history.db")
    elsewhere = await make_world(foreign, {"gated": backend})
    await elsewhere.chat.send(thread.id, words("two"))
    await elsewhere.chat.close()
    await foreign.close()
    assert await world.chat.refresh_from_disk()
    assert not await world.chat.refresh_from_disk()
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
    await world.chat.save_draft(thread.id, "draft")
    assert not await world.chat.refresh_from_disk()


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
    assert await world.chat.refresh_from_disk()
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
    assert [message.role for message in plan.history] == ["user", "assistant"]
    await world.chat.prepare_backend("nowhere")


async def test_many_threads_do_not_stay_in_memory(world: World) -> None:
    from desktop_app.controller.open_threads import KEPT_OPEN, OpenThreads

    opened = OpenThreads(world.history)
    threads = [await world.thread() for _ in range(KEPT_OPEN + 2)]
    for thread in threads:
        await opened.get(thread.id)
    assert opened.loaded(threads[0].id) is None
    assert opened.loaded(threads[-1].id) is not None
