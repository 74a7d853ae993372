from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import BackupEnded
from desktop_app.core.messages import TextPart, Usage
from desktop_app.storage import backup_folder
from desktop_app.storage.backup_folder import BackupFolder, check_in_slices, copies_elsewhere, known_backups
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import Talk, opened
from tests.storage.sql_work import in_sql
from tests.storage.whole_histories import made_at

AT = datetime(2026, 11, 23, 8, 30, tzinfo=UTC)


async def test_a_copy_that_is_made_while_others_write_is_one_state_of_it(
    path: Path, history: SqliteHistory, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk.turn("before", "said")
    steps: list[int] = []

    def writes(_: Event) -> object:
        def go_on() -> None:
            steps.append(1)
            with closing(sqlite3.connect(path)) as other, other:
                other.execute("INSERT INTO learned_window VALUES ('b', ?, 1)", (str(len(steps)),))

        return go_on

    monkeypatch.setattr(backup_folder, "_PAGES", 5)
    monkeypatch.setattr(backup_folder, "_BREATH_S", 0.0)
    monkeypatch.setattr(backup_folder, "_unless", writes)
    made = BackupFolder(path).make(Event(), now=AT)
    assert len(steps) > 5
    assert (made.id, made.threads, made.messages, made.verified) == ("history-20261123T083000Z", 1, 2, True)
    assert made.at == "2026-11-23T08:30:00Z"
    copy = Path(made.path)
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM learned_window").fetchone() == (0,)
    assert await in_sql(history, lambda one: one.execute("SELECT count(*) FROM learned_window").fetchone()[0]) > 5


async def test_one_that_is_told_to_stop_leaves_nothing(path: Path) -> None:
    await made_at(path, 1)
    stop = Event()
    stop.set()
    with pytest.raises(BackupEnded):
        BackupFolder(path).make(stop)
    assert list((path.parent / "backups").glob("*")) == []


async def test_two_that_are_made_at_once_are_both_good(path: Path) -> None:
    await made_at(path, 1)
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda _: BackupFolder(path).make(Event(), now=AT), range(4)))
    assert {one.messages for one in made} == {one.messages for one in BackupFolder(path).all() if one.verified}
    assert list((path.parent / "backups").glob("*unproved*")) == []


async def test_a_full_disk_keeps_nothing_of_a_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await made_at(path, 1)
    left = path.parent / "disk" / "history-20260101T100000Z.db.unproved"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (2_000_000_000, 2_000_000_000))  # of a process killed while the clock ran ahead

    class Small(sqlite3.Connection):
        def backup(self, *_: object, **__: object) -> None:
            self.execute("CREATE TABLE half (made)")
            raise sqlite3.OperationalError("database or disk is full")

    def opened_small(uri: Path) -> sqlite3.Connection:
        return sqlite3.connect(f"{uri.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, factory=Small)

    monkeypatch.setattr(backup_folder, "_reading", opened_small)
    with pytest.raises(sqlite3.OperationalError):
        BackupFolder(path, left.parent).make(Event())
    assert list(left.parent.iterdir()) == []


async def test_what_is_known_of_a_copy_is_read_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    made = folder.make(Event(), now=AT)
    shutil.copyfile(made.path, path.parent / "backups" / "from-a-friend.db")
    looks: list[Path] = []
    looked_into = backup_folder._looked_into

    def look(one: Path) -> object:
        looks.append(one)
        return looked_into(one)

    monkeypatch.setattr(backup_folder, "_looked_into", look)
    first = folder.all()
    assert [one.name for one in looks] == ["from-a-friend.db"]
    assert BackupFolder(path).all() == first
    assert len(looks) == 1
    assert {one.id: (one.rotates, one.verified, one.threads) for one in first} == {
        made.id: (True, True, made.threads),
        "from-a-friend": (False, True, made.threads),
    }


async def test_a_copy_that_was_damaged_since_is_not_verified_any_more(path: Path) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    made = folder.make(Event(), now=AT)
    content = Path(made.path).read_bytes()
    Path(made.path).write_bytes(content[:4096] + b"\xff" * 4096 + content[8192:])
    (found,) = folder.all()
    assert not found.verified
    with pytest.raises(UserError, match="There is no backup yet"):
        folder.one(None)


async def test_copies_may_be_put_elsewhere_and_are_still_known(path: Path, tmp_path: Path) -> None:
    await made_at(path, 1)
    made = BackupFolder(path, tmp_path / "disk").make(Event(), now=AT)
    assert Path(made.path).parent == tmp_path / "disk"
    assert [one.id for one in BackupFolder(path).all()] == [made.id]
    assert known_backups(path) == copies_elsewhere(path) == [Path(made.path)]


async def test_a_folder_on_a_disk_that_fails_hides_no_other_copy(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made_at(path, 1)
    made = BackupFolder(path).make(Event(), now=AT)
    away, found_in = tmp_path / "share", Path.glob

    def failing(folder: Path, pattern: str) -> Iterator[Path]:
        if folder == away:
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")
        return iter([*found_in(folder, pattern), folder / "just-removed.db"])

    monkeypatch.setattr(Path, "glob", failing)
    assert [one.id for one in BackupFolder(path, away).all()] == [made.id]


async def test_the_threads_of_a_copy_are_told(path: Path) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    told = folder.threads(folder.make(Event()))
    async with opened(path) as history:
        assert {one.id for one in told} == {one.thread.id for one in await history.threads()}
        for one in told:
            thread = next(each for each in await history.threads() if each.thread.id == one.id)
            path_of = await history.messages(one.id)
            assert one.questions == sum(message.role == "user" for message in path_of), thread


async def test_results_of_tools_are_no_questions(path: Path, history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("one", "said")
    called = await talk.begin("two")
    final = replace(called, parts=(TextPart("I look"),), state="complete", stop_reason="tool_use")
    await history.end_turn("t2", final, Usage(input=1, output=1))
    await talk.turn("stands for results", "found")
    made = BackupFolder(path).make(Event())
    assert (made.messages, made.questions) == (6, 2)
    assert [one.questions for one in BackupFolder(path).threads(made)] == [2]


async def test_a_check_finds_damage_and_has_the_next_start_look(path: Path) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    made = folder.make(Event())
    assert folder.is_current(made)
    assert folder.check(Event()) == "ok"
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turn'").fetchone()[0]
    content = path.read_bytes()
    path.write_bytes(content[: (root - 1) * 4096] + b"\xff" * 4096 + content[root * 4096 :])
    assert folder.check(Event()) != "ok"
    assert path.with_name("history.db.suspect").exists()
    stop = Event()
    stop.set()
    with pytest.raises(BackupEnded):
        check_in_slices(Path(made.path), stop)


@pytest.mark.parametrize(("table", "change"), [("block", "data = x'00' || data"), ("request", "body = x'00'")])
async def test_a_check_finds_a_damaged_text(path: Path, table: str, change: str) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    assert folder.check(Event()) == "ok"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {change} WHERE key = 1")
    assert folder.check(Event()) == f"the text of {table} 1 is damaged"
    assert path.with_name("history.db.suspect").exists()


async def test_unknown_ids_are_said_to_be(path: Path) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    made = folder.make(Event(), now=AT)
    assert folder.one("history-2026").id == made.id
    assert folder.one(None).id == made.id
    with pytest.raises(UserError, match="There is no backup x"):
        folder.one("x")


async def test_copies_of_one_second_have_different_times_whatever_they_are_for(path: Path) -> None:
    await made_at(path, 1)
    folder = BackupFolder(path)
    folder.make(Event(), now=AT)
    folder.make(Event(), now=AT, by_hand=True)
    folder.make(Event(), now=AT, by_hand=True, before_restore=True)
    told = [(one.at[-3:], one.by_hand, one.before_restore, one.rotates) for one in folder.all()]
    assert told == [("02Z", True, True, True), ("01Z", True, False, True), ("00Z", False, False, True)]
