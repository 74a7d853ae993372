"""What can't be read of a replaced history is named, and costs nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.controller.history_recovery import HistoryRecovery
from desktop_app.controller.private_history import PrivateHistory
from desktop_app.core.errors import HistoryReplacedError, UserError
from desktop_app.core.messages import Message
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import WatchedHistory, World, make_world, words
from tests.fakes.gated_backend import GatedBackend


class TornHistory(PrivateHistory):
    """Its file is another one, and some of it can't be read."""

    unreadable: tuple[str, ...] = ()

    async def copy_to(self, path: Path) -> None:
        raise HistoryReplacedError("store", f"another file, not copied to {path.name}")

    async def messages(self, thread_id: str, *, most: int | None = None) -> list[Message]:
        if thread_id in self.unreadable:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return list(await super().messages(thread_id, most=most))


@pytest_asyncio.fixture
async def torn(history: WatchedHistory) -> AsyncIterator[TornHistory]:
    both = TornHistory(history, SqliteHistory.open_in_memory)
    yield both
    await both.close()


async def salvaged(torn: TornHistory, world: World, tmp_path: Path) -> HistoryRecovery:
    return HistoryRecovery(torn, world.chat, SqliteHistory.open, tmp_path / "history.db")


async def test_a_thread_that_can_not_be_read_is_named_and_the_others_are_saved(
    torn: TornHistory, backend: GatedBackend, tmp_path: Path
) -> None:
    before = await make_world(torn, {"gated": backend})
    lost, kept = await before.thread(title="lost"), await before.thread(title="kept")
    for thread in (lost, kept):
        await before.chat.send(thread.id, words("q"))
    private = await before.thread(title="secret", private=True)
    await before.chat.close()
    world = await make_world(torn, {"gated": backend})  # nothing of it is in memory
    torn.unreadable = (lost.id,)
    saved = await (await salvaged(torn, world, tmp_path)).save_elsewhere(tmp_path / "elsewhere.db", typed="typed")
    await world.chat.close()
    assert (saved.threads, saved.unread) == (1, ("lost",))
    file = await SqliteHistory.open(tmp_path / "elsewhere.db")
    try:
        found = {one.thread.id: one.thread for one in await file.threads()}
        assert [message.text for message in await file.messages(kept.id)] == ["q", "answer 2"]
    finally:
        await file.close()
    assert private.id not in found
    assert lost.id not in found
    assert [thread.draft for thread in found.values() if thread.id != kept.id] == ["typed"]


async def test_a_history_in_use_is_not_written_over(torn: TornHistory, backend: GatedBackend, tmp_path: Path) -> None:
    world = await make_world(torn, {"gated": backend})
    recovery = await salvaged(torn, world, tmp_path)
    for name in ("history.db", "open.db"):
        (tmp_path / "open.db-wal").touch()
        with pytest.raises(UserError, match="is in use as a history"):
            await recovery.save_elsewhere(tmp_path / name)
    await world.chat.close()


async def test_a_folder_that_is_not_there_is_said(torn: TornHistory, backend: GatedBackend, tmp_path: Path) -> None:
    world = await make_world(torn, {"gated": backend})
    (tmp_path / "file").touch()
    with pytest.raises(UserError) as caught:
        await (await salvaged(torn, world, tmp_path)).save_elsewhere(tmp_path / "file" / "elsewhere.db")
    assert caught.value.failure.code == "store"
    assert "file" in caught.value.failure.message
    await world.chat.close()


async def test_what_was_refused_is_saved_with_its_thread(
    with_private: PrivateHistory, backend: GatedBackend, tmp_path: Path
) -> None:
    """A command has no composer that keeps it."""
    world = await make_world(with_private, {"gated": backend})
    thread = await world.thread(title="kept")
    await world.chat.send(thread.id, words("one"))
    path = tmp_path / "history.db"
    path.write_bytes(b"written over by another program" * 5000)
    outcome = await world.chat.send(thread.id, words("two"))
    assert outcome.failure is not None
    assert "save_elsewhere" in outcome.failure.actions
    await world.chat.close()
    await HistoryRecovery(with_private, world.chat, SqliteHistory.open, path).keep()
    (saved,) = tmp_path.glob("history-saved-*.db")
    file = await SqliteHistory.open(saved)
    try:
        assert [message.text for message in await file.messages(thread.id)] == ["one", "answer 1"]
        assert (await file.thread(thread.id)).draft == "two"
    finally:
        await file.close()
