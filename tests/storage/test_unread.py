"""A thread is unread where the answer it ends with has ended and was not shown; the list and the first paint agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure, TextPart
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import Talk, a_thread


async def unread(path: Path, history: SqliteHistory) -> bool:
    screen = read_first_screen(path)
    assert screen is not None
    (summary,) = await history.threads()
    assert screen.threads == (summary,)
    assert summary.seen == summary.thread.seen
    return summary.unread


async def test_an_answer_is_unread_from_its_end_until_it_is_shown(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    assert not await unread(path, history)
    answer = await talk.begin("q")
    assert not await unread(path, history)
    await talk.end(answer, TextPart("a"))
    assert await unread(path, history)
    await history.set_seen("thread", answer.id)
    assert not await unread(path, history)
    await history.set_seen("thread", None)
    assert await unread(path, history)


async def test_a_failed_answer_is_unread_and_one_that_was_stopped_is_not(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    stopped = await talk.begin("q")
    await history.end_turn("t1", replace(stopped, parts=(TextPart("so f"),)), None)
    assert not await unread(path, history)
    failed = await talk.begin("again")
    await history.end_turn("t2", replace(failed, state="error", failure=Failure("network", "Lost.")), None)
    assert await unread(path, history)


async def test_facts_that_are_written_leave_what_was_seen(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.turn("q", "a")
    before = await history.thread("thread")
    await history.set_seen("thread", answer.id)
    await history.update_thread(replace(before, title="Other"))
    after = await history.thread("thread")
    assert (after.title, after.seen, after.updated) == ("Other", answer.id, before.updated)


async def test_what_was_seen_of_an_unknown_thread_is_refused(history: SqliteHistory) -> None:
    await history.create_thread(a_thread())
    await history.delete_thread("thread")
    for thread_id in ("thread", "gone"):
        with pytest.raises(UserError):
            await history.set_seen(thread_id, None)


async def test_what_broke_off_is_unread_as_a_failure(path: Path, history: SqliteHistory, talk: Talk) -> None:
    broken = await talk.begin("q")
    lost = Failure("network", "Lost.")
    await history.end_turn("t1", replace(broken, parts=(TextPart("so f"),), failure=lost), None)
    assert await unread(path, history)
    (summary,) = await history.threads()
    assert summary.failed
    await history.set_seen("thread", broken.id)
    (summary,) = await history.threads()
    assert (summary.unread, summary.failed) == (False, False)
    whole = await talk.begin("again")
    await talk.end(whole, TextPart("a"))
    (summary,) = await history.threads()
    assert (summary.unread, summary.failed) == (True, False)
    killed = await talk.begin("and again")
    await history.end_turn("t3", replace(killed, failure=Failure("interrupted", "Gone.")), None)
    assert not await unread(path, history)


async def test_the_threads_in_which_an_answer_is_coming(history: SqliteHistory, talk: Talk) -> None:
    assert await history.running_threads() == ()
    answer = await talk.begin("q")
    assert await history.running_threads() == ("thread",)
    await talk.end(answer, TextPart("a"))
    assert await history.running_threads() == ()
