from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.messages import MessageMark
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import Talk, a_thread, opened
from tests.storage.sql_work import in_sql


async def test_marks_are_kept_by_message_and_an_empty_one_is_none(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    await talk.turn("q", "a")
    await history.save_mark("thread", "a1", MessageMark("up"))
    await history.save_mark("thread", "q1", MessageMark(note="川\nlook it up"))
    await history.save_mark("thread", "a1", MessageMark("down", "wrong"))
    async with opened(path) as again:
        assert await again.marks("thread") == {
            "q1": MessageMark(note="川\nlook it up"),
            "a1": MessageMark("down", "wrong"),
        }
    await history.save_mark("thread", "a1", MessageMark())
    assert await history.marks("thread") == {"q1": MessageMark(note="川\nlook it up")}


async def test_marks_go_and_come_back_with_their_thread(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_mark("thread", "a1", MessageMark("up"))
    await history.delete_thread("thread")
    with pytest.raises(UserError):
        await history.marks("thread")
    await history.restore_thread("thread")
    assert await history.marks("thread") == {"a1": MessageMark("up")}


async def test_a_message_of_another_thread_is_not_marked(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.create_thread(a_thread("other"))
    for thread_id, message_id in (("other", "a1"), ("thread", "a9"), ("gone", "a1")):
        with pytest.raises(UserError) as caught:
            await history.save_mark(thread_id, message_id, MessageMark("up"))
        assert caught.value.failure.code == "usage"
    assert await history.marks("thread") == {}


async def test_a_rating_of_a_newer_version_counts_as_none(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")
    await history.save_mark("thread", "a1", MessageMark("up", "note"))
    sql = "UPDATE mark SET rating = 'star'"
    await in_sql(history, lambda connection: connection.execute(sql))
    assert await history.marks("thread") == {"a1": MessageMark("", "note")}
