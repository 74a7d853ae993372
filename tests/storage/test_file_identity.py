"""A history file that is replaced, deleted or written over while it is open: said, and nothing is lost or destroyed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from unittest.mock import Mock

import pytest

from desktop_app.core.errors import HistoryReplacedError, UserError
from desktop_app.core.messages import TextPart, Usage
from desktop_app.storage.backup import back_up
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.data.db import build
from tests.storage.conftest import Talk, a_thread, opened


def kept(path: Path) -> list[Path]:
    return list(path.parent.glob("history-*.db"))


async def begun(history: SqliteHistory) -> Talk:
    await history.create_thread(a_thread())
    talk = Talk(history)
    await talk.turn("one", "first answer")
    return talk


async def test_a_deleted_file_is_said_before_anything_is_written(path: Path) -> None:
    async with opened(path) as history:
        talk = await begun(history)
        path.unlink()
        with pytest.raises(UserError, match="replaced, moved or deleted") as caught:
            await talk.begin("two")
        assert caught.value.failure.code == "store"
        (copy,) = kept(path)
        assert str(copy) in caught.value.failure.message
        assert not path.exists()
        # what was there is still shown
        assert [message.text for message in await history.messages("thread")] == ["one", "first answer"]
        with pytest.raises(UserError, match="replaced, moved or deleted"):
            await history.data_version()
    async with opened(copy) as history:
        assert [message.text for message in await history.messages("thread")] == ["one", "first answer"]


async def test_the_end_of_an_answer_that_was_coming_is_kept_with_the_rest(path: Path) -> None:
    async with opened(path) as history:
        talk = await begun(history)
        answer = await talk.begin("two")
        path.unlink()
        await talk.end(answer, TextPart("what came"))
        await history.save_draft("thread", "typed since", expected="")
    (copy,) = kept(path)
    async with opened(copy) as history:
        assert [message.text for message in await history.messages("thread")][-1] == "what came"
        assert (await history.thread("thread")).draft == "typed since"


async def test_a_file_that_was_put_in_its_place_is_left_as_it_is(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    shutil.copy(build.FOLDER / "v7.sqlite", other)
    before = other.read_bytes()
    async with opened(path) as history:
        talk = await begun(history)
        other.replace(path)
        with pytest.raises(UserError, match="replaced, moved or deleted"):
            await talk.begin("two")
    assert path.read_bytes() == before
    async with opened(path) as history:
        assert await history.thread(build.THREAD.id) == build.THREAD
        await history.create_thread(a_thread("later"))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_a_backup_that_was_copied_over_it_is_left_as_it_is(path: Path) -> None:
    """`cp backups/... history.db`: the same file with other bytes."""
    backup = path.parent / "backup.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(build.FOLDER / "v7.sqlite")) as connection:
        back_up(connection, backup)
    async with opened(path) as history:
        talk = await begun(history)
        shutil.copyfile(backup, path)
        with pytest.raises(UserError, match="while Plimsoll was using it"):
            await talk.begin("two")
        with pytest.raises(UserError):
            await talk.begin("three", name="three")
    assert path.read_bytes() == backup.read_bytes()  # nor did closing write into it
    assert not path.with_name("history.db-wal").exists()


def a_history_in_wal_mode(path: Path) -> bytes:
    """A history as the app leaves it behind: all of it in the one file, whose header says write-ahead mode."""
    shutil.copy(build.FOLDER / "v7.sqlite", path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    return path.read_bytes()


@pytest.mark.parametrize("checkpointed", [True, False])
async def test_another_history_that_was_copied_over_it_is_left_as_it_is(
    path: Path, tmp_path: Path, *, checkpointed: bool
) -> None:
    """`cp other.db history.db`: the same file, and a good history in the same mode as ours."""
    other = a_history_in_wal_mode(tmp_path / "other.db")
    async with opened(path) as history:
        talk = await begun(history)
        if checkpointed:
            checkpoint_from_outside(path)
            await history.data_version()
        path.write_bytes(other)
        with pytest.raises(HistoryReplacedError, match="was overwritten by another program") as caught:
            await talk.begin("two")
        with pytest.raises(HistoryReplacedError):
            await history.save_draft("thread", "typed", expected="")
        (damaged,) = path.parent.glob("history-damaged-*.db")  # what the connection still gives
        assert str(damaged) in caught.value.failure.message
        assert not path.with_name("history.db-wal").exists()
    assert path.read_bytes() == other
    assert kept(path) == [damaged]  # no copy is said to be whole


async def test_an_older_copy_of_itself_that_was_copied_over_it_is_noticed(path: Path) -> None:
    async with opened(path) as history:
        await begun(history)
    before = path.read_bytes()
    async with opened(path) as history:
        await history.create_thread(a_thread("later"))
        checkpoint_from_outside(path)
        await history.data_version()
        path.write_bytes(before)
        with pytest.raises(HistoryReplacedError):
            await history.data_version()
    assert path.read_bytes() == before


async def test_a_checkpoint_of_another_process_is_no_other_file(path: Path) -> None:
    async with opened(path) as history:
        await begun(history)
        checkpoint_from_outside(path)
        await history.data_version()
        async with opened(path) as beside:
            await beside.create_thread(a_thread("beside"))
        checkpoint_from_outside(path)
        checkpoint_from_outside(path)
        await history.save_draft("thread", "typed", expected="")
        await history.data_version()
    assert kept(path) == []


async def test_a_file_whose_time_alone_was_changed_is_the_same(path: Path) -> None:
    async with opened(path) as history:
        await begun(history)
        os.utime(path, (1_000_000_000, 1_000_000_000))
        await history.save_draft("thread", "typed", expected="")
        path.write_bytes(path.read_bytes())
        await history.save_draft("thread", "typed since", expected="")
    assert kept(path) == []


def checkpoint_from_outside(path: Path) -> None:
    """Moves what is in the -wal into the file, and writes more, as another process does."""
    program = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); "
        "connection.execute(\"UPDATE thread SET title = title || '.'\"); connection.commit(); "
        "print(connection.execute('PRAGMA wal_checkpoint(FULL)').fetchone())"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True)


async def test_an_empty_file_is_no_new_history_without_a_word(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with pytest.raises(UserError, match="has been emptied") as caught:
        await SqliteHistory.open(path)
    assert "restore the newest backup" in caught.value.failure.message
    assert path.stat().st_size == 0


async def test_a_link_that_leads_nowhere_is_said_and_makes_nothing(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(tmp_path / "history.db")
    with pytest.raises(UserError, match="is a link to a file that can't be found"):
        await SqliteHistory.open(path)
    assert not (tmp_path / "history.db").exists()
    (tmp_path / "history.db").write_bytes((build.FOLDER / "v7.sqlite").read_bytes())
    async with opened(path) as history:
        assert await history.thread(build.THREAD.id) == build.THREAD


@pytest.mark.parametrize("links", [True, False])
def test_many_first_starts_at_once_make_one_history_that_is_never_of_no_bytes(
    path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", Mock(side_effect=PermissionError))
    start = Barrier(1 if not links else 4)

    def one(_number: int) -> int:
        start.wait()
        for _ in range(3):
            with closing(connect(path)) as connection:
                connection.execute("INSERT INTO erasure VALUES (hex(randomblob(8)), 'thread', '', 0, '', 0)")
        return path.stat().st_ino

    with ThreadPoolExecutor(start.parties) as starts:
        (_,) = set(starts.map(one, range(start.parties)))
    with closing(connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM erasure").fetchone() == (3 * start.parties,)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


async def test_a_file_that_stays_is_written_as_ever(path: Path) -> None:
    async with opened(path) as history:
        talk = await begun(history)
        async with opened(path) as beside:
            await beside.create_thread(a_thread("beside"))
        answer = await talk.begin("two")
        await history.end_turn("t2", answer, Usage())
        await history.data_version()
    assert kept(path) == []


async def test_what_was_copied_over_it_can_be_opened_by_the_same_process(path: Path, tmp_path: Path) -> None:
    """SQLite shares what it knows of a file among the connections of a process: none of ours may be left."""
    other = a_history_in_wal_mode(tmp_path / "other.db")
    async with opened(path) as history:
        await begun(history)
        path.write_bytes(other)
        with pytest.raises(HistoryReplacedError):
            await history.data_version()
    async with opened(path) as history:
        assert await history.thread(build.THREAD.id) == build.THREAD
        await history.create_thread(a_thread("later"))
        async with opened(path) as beside:
            assert (await beside.thread("later")).id == "later"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM thread").fetchone()[0] > 1


async def test_many_checkpoints_in_the_midst_of_looking_are_no_other_file(path: Path) -> None:
    program = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "connection.execute('PRAGMA wal_autocheckpoint = 2')\n"
        "for number in range(300):\n"
        "    connection.execute('UPDATE thread SET draft = ?', (str(number) * 900,))\n"
        "    if number % 9 == 0: connection.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()\n"
    )
    async with opened(path) as history:
        await begun(history)
        others = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", program, str(path), stderr=asyncio.subprocess.PIPE
            )
            for _ in range(2)
        ]
        ending = asyncio.gather(*(other.communicate() for other in others))
        while not ending.done():
            await history.data_version()
            await history.set_seen("thread", None)
        assert [other.returncode for other in others] == [0, 0], await ending
    assert kept(path) == []
