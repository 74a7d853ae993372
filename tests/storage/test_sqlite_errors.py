from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.messages import DocumentPart
from desktop_app.core.prompts import Prompt
from desktop_app.storage import sqlite_connection, sqlite_errors
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.repair_marks import needs_look
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.patience import PATIENCE_S
from tests.storage.conftest import TIME, Talk, a_thread
from tests.storage.sql_work import in_sql
from tests.unix import largest_file

NOBODY_READABLE = 0o755


async def failing_open(path: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        await SqliteHistory.open(path)
    assert caught.value.failure.code == "store"
    assert str(path) in caught.value.failure.message
    assert not [one for one in threading.enumerate() if one.name == "database"]
    return caught.value


async def test_what_is_no_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, " * 500)
    assert "not a Plimsoll history" in str(await failing_open(path))
    assert path.read_bytes() == b"Dear diary, " * 500


def spoil_page(path: Path, table: str) -> None:
    """Overwrites the first page of a table, as a failing disk does."""
    with closing(sqlite3.connect(path)) as look:
        page = look.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)


async def test_a_damaged_file_is_named_when_it_is_opened(path: Path) -> None:
    sqlite_connection.connect(path).close()
    spoil_page(path, "sqlite_autoindex_thread_1")
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * 3_000)
    assert "is damaged" in str(await failing_open(path))


@pytest.mark.parametrize("table", ["message", "block"])
async def test_a_damaged_page_is_named_when_it_is_read(
    path: Path, history: SqliteHistory, talk: Talk, table: str
) -> None:
    await talk.turn("q " * 200, "a")
    await history.close()
    spoil_page(path, table)
    reopened = await SqliteHistory.open(path)
    try:
        with pytest.raises(UserError, match="is damaged") as caught:
            await reopened.messages("thread")
    finally:
        await reopened.close()
    assert "start it again to repair it from the backups" in caught.value.failure.message
    assert needs_look(path)
    assert read_first_screen(path) is None


async def test_a_damaged_block_costs_its_message_and_no_other(history: SqliteHistory, talk: Talk, path: Path) -> None:
    await talk.turn("q " * 400, "a")
    await in_sql(history, lambda connection: connection.execute("UPDATE block SET data = substr(data, 9)"))
    question, answer = await history.messages("thread")
    assert question.failure is not None
    assert "can't be read: the history file is damaged" in question.failure.message
    assert (question.parts, question.id in question.failure.detail) == ((), True)
    assert (answer.text, answer.failure) == ("a", None)
    assert read_first_screen(path) is not None


async def test_bytes_that_are_no_text_cost_their_own_signs_alone(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_prompts([Prompt("1", "Greeting", "Good morning", TIME, TIME)])
    await history.save_attachments("thread", (DocumentPart("notes.txt", "Hull and keel", "00"),))

    def spoil(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE prompt SET text = CAST(X'476F6F64FF6D6F726E696E67' AS TEXT)")
        (parts,) = connection.execute("SELECT parts FROM draft_attachments").fetchone()
        connection.execute("UPDATE draft_attachments SET parts = ?", (parts.replace(b"Hull", b"H\xffll"),))

    await in_sql(history, spoil)
    assert [one.text for one in await history.prompts()] == ["Good\ufffdmorning"]
    assert [one.text for one in await history.attachments("thread") if isinstance(one, DocumentPart)] == [
        "H\ufffdll and keel"
    ]
    assert [one.text for one in await history.messages("thread")] == ["q", "a"]


async def test_attachments_of_a_draft_that_can_not_be_read_are_none(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_attachments("thread", (DocumentPart("notes.txt", "Hull and keel", "00"),))
    await in_sql(history, lambda connection: connection.execute("UPDATE draft_attachments SET parts = X'7B'"))
    assert await history.attachments("thread") == ()


async def test_a_folder_in_the_way_is_named(path: Path) -> None:
    path.mkdir(parents=True)
    assert "can't be opened" in str(await failing_open(path))


async def test_a_locked_file_is_said_after_the_wait(
    path: Path, history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_sql(history, lambda connection: connection.execute("PRAGMA busy_timeout = 50"))
    with closing(sqlite3.connect(path, isolation_level=None)) as hog:
        hog.execute("BEGIN IMMEDIATE")
        with pytest.raises(UserError, match="locked"):
            await history.create_thread(a_thread())
        assert await history.threads() == ()
        hog.execute("ROLLBACK")
    await history.create_thread(a_thread())


async def test_a_file_that_refuses_writes_says_so(history: SqliteHistory, talk: Talk) -> None:
    await in_sql(history, lambda connection: connection.execute("PRAGMA query_only = ON"))
    with pytest.raises(UserError, match="can't be written"):
        await talk.begin("q")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter: pytest's own may not be."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(NOBODY_READABLE)
    yield folder
    shutil.rmtree(folder)


def run_other(path: Path, **environment: str) -> str:
    command = [sys.executable, "-m", "tests.storage.other_process", str(path), "wait"]
    done = subprocess.run(
        command, input="", capture_output=True, text=True, env=os.environ | environment, timeout=PATIENCE_S, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_read_only_file_is_refused_when_opened(open_folder: Path) -> None:
    path = open_folder / "history.db"
    sqlite_connection.connect(path).close()
    path.chmod(0o444)
    is_root = sys.platform != "win32" and os.geteuid() == 0
    rights = {"DROP_RIGHTS": "1", "PYTHONDONTWRITEBYTECODE": "1"} if is_root else {}
    output = run_other(path, **rights)
    assert output.startswith(f"store The history file {path} can't be written"), output


async def test_a_full_disk_keeps_what_was_stored(history: SqliteHistory, talk: Talk, path: Path) -> None:
    await talk.turn("q", "a")
    wal = path.with_name("history.db-wal").stat().st_size
    with largest_file(wal + 20_000), pytest.raises(UserError, match=r"failed|full") as caught:
        await talk.turn("q", os.urandom(200_000).hex())
    assert caught.value.failure.code == "store"
    assert (await history.message("a1")).text == "a"
    await history.create_thread(a_thread("after"))


def test_every_word_says_what_to_do_and_a_bug_stays_a_bug(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    full = sqlite_errors.store_error(OSError(28, "No space left on device"), path)
    assert full is not None
    assert "Free some space" in full.failure.message
    bug = sqlite3.OperationalError("no such table: nowhere")
    assert sqlite_errors.store_error(bug, path) is None
    assert sqlite_errors.store_error(ValueError("a bug"), path) is None
