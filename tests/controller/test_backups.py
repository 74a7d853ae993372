from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from desktop_app.controller.backup_copies import Backups
from desktop_app.controller.ports import Announcements, Clock
from desktop_app.core.errors import UserError
from desktop_app.core.events import Announcement, BackupsChanged, HistoryDamaged, HistoryRepaired
from desktop_app.core.history_records import BackupEnded, ImportedThread, TrashItem, repair_sentences
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.settings import BackupSettings, Settings
from desktop_app.storage.backup_folder import BackupFolder
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.set_time import NOW

TIME = "2026-11-20T10:00:00.000Z"


@dataclass(frozen=True, slots=True)
class Set(Clock):
    """Tells the last of the times."""

    times: list[datetime]

    def now(self) -> datetime:
        return self.times[-1]


class World:
    def __init__(self, path: Path, history: SqliteHistory) -> None:
        self.path, self.history = path, history
        self.settings = Settings()
        self.told: list[Announcement] = []
        announcements = Announcements()
        announcements.subscribe(self.told.append)
        self.forgotten = 0
        self.times = [NOW]
        self.backups = Backups(
            lambda folder: BackupFolder(path, folder),
            history,
            lambda: self.settings,
            announcements,
            forget=self.forget,
            clock=Set(self.times),
        )

    def forget(self) -> None:
        self.forgotten += 1


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    path = tmp_path / "data" / "history.db"
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        await history.create_thread(Thread("one", "Tides", TIME, TIME))
        yield World(path, history)
    finally:
        await history.close()


async def test_one_copy_a_day_is_made_by_itself_where_something_was_written(world: World) -> None:
    await said(world.history, 1)
    await world.backups.keep_up(open_long=True)
    assert [one.by_hand for one in await world.backups.all()] == [False]
    assert world.told == [BackupsChanged()]
    await world.backups.keep_up()
    assert len(await world.backups.all()) == 1
    world.times.append(datetime(2031, 1, 1, tzinfo=UTC))
    await world.backups.keep_up()
    assert len(await world.backups.all()) == 1, "nothing was written since"


async def test_what_a_clock_that_ran_ahead_left_keeps_no_copy_from_being_made_or_kept(world: World) -> None:
    await said(world.history, 1)
    world.times.append(NOW + timedelta(days=3_650))
    ahead = BackupFolder(world.path).make(Event(), now=world.times[-1])
    os.utime(ahead.path, (world.times[-1].timestamp(),) * 2)
    await said(world.history, 2)
    world.times.append(NOW)
    world.settings = replace(world.settings, backups=replace(world.settings.backups, copies=1))
    await world.backups.keep_up(open_long=True)
    assert {one.messages for one in await world.backups.all()} == {2, 3}
    by_hand = await world.backups.make()
    assert by_hand in await world.backups.all()


async def test_the_first_copy_waits_until_there_is_something_worth_it(world: World) -> None:
    world.times.append(datetime(2026, 11, 20, 10, 1, tzinfo=UTC))
    await world.backups.keep_up(open_long=True)
    assert await world.backups.all() == [], "nothing was said yet"
    await said(world.history, 1)
    await world.backups.keep_up()
    assert await world.backups.all() == [], "the day has just begun"
    await world.backups.keep_up(open_long=True)
    assert [one.messages for one in await world.backups.all()] == [2]


async def test_a_history_of_days_ago_is_copied_at_the_start(world: World) -> None:
    await said(world.history, 1)
    world.times.append(datetime(2026, 11, 21, 10, 1, tzinfo=UTC))
    await world.backups.keep_up()
    assert [one.messages for one in await world.backups.all()] == [2]


async def test_none_is_made_where_the_settings_say_so(world: World) -> None:
    await said(world.history, 1)
    world.settings = replace(world.settings, backups=BackupSettings(automatic=False))
    await world.backups.keep_up(open_long=True)
    assert await world.backups.all() == []


async def test_they_are_put_where_the_settings_say(world: World, tmp_path: Path) -> None:
    world.settings = replace(world.settings, backups=BackupSettings(folder=str(tmp_path / "disk")))
    made = await world.backups.make()
    assert Path(made.path).parent == tmp_path / "disk"


async def test_damage_is_told_and_no_copy_is_made_of_it(world: World) -> None:
    class Damaged(BackupFolder):
        def check(self, stop: object) -> str:
            return "Tree 7 page 9: never used"

    world.backups._folder = lambda _: Damaged(world.path)
    await world.backups.keep_up()
    assert world.told == [HistoryDamaged("Tree 7 page 9: never used")]
    assert await world.backups.all() == []


async def test_what_runs_ends_when_the_window_closes(world: World) -> None:
    await world.backups.close()
    with pytest.raises(BackupEnded):
        await world.backups.make()
    await asyncio.wait_for(world.backups.keep_up(), 60)
    assert await world.backups.all() == []


async def test_a_thread_is_named_by_the_beginning_of_its_id(world: World) -> None:
    await world.history.create_thread(Thread("only", "Winds", TIME, TIME))
    made = await world.backups.make()
    with pytest.raises(UserError, match="2 threads start with o"):
        await world.backups.restore(made.id, "o")
    with pytest.raises(UserError, match="has no thread two"):
        await world.backups.restore(made.id, "two")
    await world.history.delete_thread("one")
    world.settings = replace(world.settings, backups=BackupSettings(copies=1))  # no room for two
    done = await world.backups.restore(made.id, "one")
    assert (done.threads, world.forgotten) == (1, 1)
    assert {one.thread.id for one in await world.history.threads()} == {"one", "only"}


async def test_a_restore_makes_no_copy_where_the_newest_is_of_what_is_there(world: World) -> None:
    made = await world.backups.make()
    for _ in range(2):
        done = await world.backups.restore(made.id)
        assert (done.threads, done.before) == (0, made.id)
    assert [one.id for one in await world.backups.all()] == [made.id]
    await world.history.delete_thread("one")
    assert (await world.backups.restore(made.id)).before != made.id
    assert len(await world.backups.all()) == 2


async def said(history: SqliteHistory, number: int) -> None:
    """One more message in the thread, of its own import, as a turn would add it."""
    messages = [
        Message(f"m{one}", "one", f"m{one - 1}" if one else None, "user", (TextPart(f"tide {one} " * 40),), TIME)
        for one in range(number + 1)
    ]
    thread = Thread("one", "Tides", TIME, TIME, tip=f"m{number}")
    await history.import_threads([ImportedThread("export/one", thread, tuple(messages))])


async def fallen_back(folder: Path, *, whole: int = 2, backed_up: int = 4) -> Path:
    """A history whose log ends before what the backup has."""
    path = folder / "data" / "history.db"
    history = await SqliteHistory.open(path, quiet_s=None)
    await said(history, whole)
    await history.close()
    history = await SqliteHistory.open(path, quiet_s=None)
    log_file = path.with_name("history.db-wal")
    await said(history, whole + 1)
    kept = log_file.read_bytes()[: 32 + 24 + 4096]  # its first page alone
    before = path.read_bytes()
    await said(history, backed_up)
    BackupFolder(path).make(Event())
    await history.close()
    path.write_bytes(before)
    log_file.write_bytes(kept)
    return path


async def test_what_a_lost_log_held_comes_back_from_the_backup(tmp_path: Path) -> None:
    path = await fallen_back(tmp_path)
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        world = World(path, history)
        assert [one.id for one in await history.messages("one")] == ["m0", "m1", "m2"]
        await world.backups.keep_up()
        assert [one.id for one in await history.messages("one")] == ["m0", "m1", "m2", "m3", "m4"]
        (repair,) = [one.repair for one in world.told if isinstance(one, HistoryRepaired)]
        assert (repair.kind, repair.salvaged, repair.threads, repair.messages) == ("earlier", 2, 1, 5)
        assert " ".join(map(str, repair_sentences(repair))).startswith(
            "The history file had fallen back to an earlier state. Messages restored from the backup of 20"
        )
        assert world.forgotten == 1
        world.told.clear()
        world.backups = World(path, history).backups
        await world.backups.keep_up()
        assert BackupFolder(path).missing(Event()) is None
    finally:
        await history.close()


async def test_what_was_deleted_for_good_is_not_missing_and_does_not_come_back(tmp_path: Path) -> None:
    path = await fallen_back(tmp_path)
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        await history.copy_to(tmp_path / "older.db")
        await history.delete_thread("one")
        await history.trash.begin([TrashItem("thread", "one", "", "")])
        while await history.trash.step():
            pass
        world = World(path, history)
        await world.backups.keep_up()
        assert world.told == []
        assert await history.trash.items() == []
        await history.merge(tmp_path / "older.db", ["one"])
        await World(path, history).backups.keep_up()
        assert [one.id for one in await history.messages("one")] == ["m0", "m1", "m2"], "as in the backup chosen for it"
    finally:
        await history.close()


async def test_another_historys_backup_brings_nothing(tmp_path: Path, world: World) -> None:
    other = await SqliteHistory.open(tmp_path / "other" / "history.db", quiet_s=None)
    await said(other, 3)
    made = BackupFolder(tmp_path / "other" / "history.db").make(Event())
    await other.close()
    (world.path.parent / "backups").mkdir(exist_ok=True)
    Path(made.path).rename(world.path.parent / "backups" / "theirs.db")
    assert [one.verified for one in BackupFolder(world.path).all()] == [True]
    assert BackupFolder(world.path).missing(Event()) is None
