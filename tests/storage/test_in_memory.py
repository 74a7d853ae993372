"""A history in memory has the rows, the checks and the search of the file, and nothing of it is ever on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.storage.sqlite_connection import connect, connect_in_memory
from desktop_app.storage.sqlite_history import SqliteHistory

TIME = "2026-03-01T12:00:00.000Z"


@pytest_asyncio.fixture
async def memory() -> AsyncIterator[SqliteHistory]:
    opened = await SqliteHistory.open_in_memory()
    yield opened
    await opened.close()


def shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, coalesce(sql, '') FROM sqlite_master ORDER BY name").fetchall()


async def begin(history: SqliteHistory, number: int, *, expected: str | None) -> Message:
    question = Message(f"q{number}", "t", expected, "user", (TextPart(f"quokka {number}"),), TIME)
    answer = Message(f"a{number}", "t", question.id, "assistant", (), TIME, state="partial")
    turn = TurnRecord(f"turn{number}", "t", question.id, answer.id, "chat", "scripted", "echo", "free", TIME)
    await history.begin_turn(turn, new_messages=[question], answer=answer, expected_tip=expected, request={"n": number})
    return answer


def test_its_tables_are_those_of_the_file(tmp_path: Path) -> None:
    with closing(connect(tmp_path / "history.db")) as file, closing(connect_in_memory()) as memory:
        assert shape(memory) == shape(file)
        assert memory.execute("PRAGMA user_version").fetchone() == file.execute("PRAGMA user_version").fetchone()


def test_sqlite_has_no_file_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for its pages nor for what is sorted or undone."""
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    with closing(connect_in_memory()) as memory:
        assert {row[2] for row in memory.execute("PRAGMA database_list")} == {""}
        assert memory.execute("PRAGMA temp_store").fetchone() == (2,)
        assert memory.execute("PRAGMA journal_mode").fetchone() == ("memory",)


async def test_a_turn_goes_the_way_it_goes_in_the_file_and_leaves_no_file(
    memory: SqliteHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await memory.create_thread(Thread("t", "Title", TIME, TIME))
    answer = await begin(memory, 1, expected=None)
    with pytest.raises(UserError, match="already being written"):
        await begin(memory, 2, expected=answer.id)
    await memory.end_turn("turn1", Message("a1", "t", "q1", "assistant", (TextPart("an answer"),), TIME), None)
    with pytest.raises(UserError, match="changed this thread"):
        await begin(memory, 3, expected="elsewhere")
    assert await memory.request("a1") == {"n": 1}
    assert [hit.message_id for hit in await memory.search_thread("t", "quokka", ["q1", "a1"])] == ["q1"]
    assert not any(tmp_path.iterdir())


async def test_two_of_them_know_nothing_of_each_other(memory: SqliteHistory) -> None:
    other = await SqliteHistory.open_in_memory()
    try:
        await memory.create_thread(Thread("t", "Title", TIME, TIME))
        assert await other.threads() == ()
    finally:
        await other.close()


async def test_it_is_never_copied_to_a_file(memory: SqliteHistory, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="in memory"):
        await memory.copy_to(tmp_path / "copy.db")
    assert not any(tmp_path.iterdir())
