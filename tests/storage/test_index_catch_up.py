"""How the text index of an older file is made again, and by what it stays true to the messages."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from desktop_app.core.messages import TextPart
from desktop_app.storage import full_text_search, message_store, sqlite_history
from desktop_app.storage.migrations import STEPS, migrate
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import BREATH_S, SqliteHistory
from tests.data.db import build
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import in_sql
from tests.storage.test_full_text_search import catch_up, ids, said

OLD = [file for file in sorted(build.FOLDER.glob("v*.sqlite")) if file.stem in {"v1", "v2"}]


@pytest.mark.parametrize("frozen", OLD, ids=lambda file: str(file.stem))
async def test_an_older_file_is_searched_as_far_as_it_is_indexed(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    async with opened(path) as history:
        page = await history.search("river")
        assert (page.hits, page.waiting) == ((), len(build.MESSAGES))
        await catch_up(history)
        page = await history.search("river")
        assert page.hits
        assert page.waiting == 0
        assert {hit.thread_id for hit in page.hits} == {build.THREAD.id}
        assert await ids(history, "and then") == ["q2"]


async def test_indexing_goes_on_where_it_was_broken_off(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_text_search, "SLICE_MESSAGES", 3)
    async with opened(path) as history:
        await said(history, *(f"tide number {number}" for number in range(8)))
    _forget(path)
    async with opened(path) as history:
        assert await history.catch_up_search()
        page = await history.search("tide")
        assert {hit.message_id for hit in page.hits} == {"m5", "m6", "m7"}  # the newest first
        assert page.waiting == 5
    async with opened(path) as history:
        await catch_up(history)
        assert set(await ids(history, "tide")) == {f"m{number}" for number in range(8)}
        assert not await history.catch_up_search()


async def test_a_slice_ends_with_the_text_that_makes_it_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_text_search, "SLICE_CHARACTERS", 20)
    async with opened(path) as history:
        await said(history, "tide", "tide " * 100, "tide")
        _forget(path)
        assert await history.catch_up_search()
        assert (await history.search("tide")).waiting == 1  # newest first: a short one, then the long one
        await catch_up(history)
        assert len(await ids(history, "tide")) == 3


async def test_an_answer_that_grows_while_the_format_changes_is_indexed_once_when_it_ends(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, path, STEPS[:2])
    async with opened(path) as history:
        await history.create_thread(a_thread())
        talk = Talk(history)
        answer = await talk.begin("Where is the lighthouse?")
        await history.save_partial(replace(answer, parts=(TextPart("On the pier"),)))
        _forget(path)
        await catch_up(history)
        assert await ids(history, "pier") == []
        await talk.end(answer, TextPart("On the cliff"))
        assert await ids(history, "cliff") == ["a1"]
        assert await ids(history, "lighthouse") == ["q1"]


async def test_what_waits_is_not_indexed_twice_and_goes_with_its_message(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("q", "a")

    def check(connection: sqlite3.Connection) -> tuple[int, int]:
        message = replace(build.MESSAGES[0], parts=(TextPart("barnacle"),), created=TIME)
        message_store.add_later(connection, 77)
        message_store.add_to_index(connection, 77, 1, message)
        message_store.remove_from_index(connection, 77, 1, message)
        query = "SELECT count(*) FROM message_text WHERE message_text MATCH 'barnacle'"
        return connection.execute(query).fetchone()[0], message_store.unindexed_count(connection)

    assert await in_sql(history, check) == (0, 0)


@pytest.mark.parametrize("quiet_s", [60, None])
async def test_who_opens_it_says_when_or_that_it_never_catches_up_by_itself(path: Path, quiet_s: float | None) -> None:
    async with opened(path) as history:
        await said(history, "tide")
    _forget(path)
    history = await SqliteHistory.open(path, quiet_s=quiet_s)
    try:
        await asyncio.to_thread(Event().wait, 4 * BREATH_S)
        assert (await history.search("tide")).waiting == 1
    finally:
        await history.close()


async def test_it_never_catches_up_beside_an_answer_that_grows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_history, "REST_S", 60.0)
    async with opened(path) as history:
        await said(history, "tide")
    _forget(path)
    history = await SqliteHistory.open(path, quiet_s=60)
    try:
        history.database._quiet_until = 0.0  # the file was opened a while ago
        assert (await history.search("tide")).waiting == 1
        await asyncio.to_thread(Event().wait, 4 * BREATH_S)
        assert (await history.search("tide")).waiting == 1
    finally:
        await history.close()


def test_the_step_alone_is_quick_and_leaves_running_answers_out(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, path, STEPS[:2])
        connection.execute(
            "INSERT INTO thread (id, title, created, updated, system, pinned, archived, draft, message_count) "
            "VALUES ('t', '', '', '', '', 0, 0, '', 0)"
        )
        for number in range(4):
            connection.execute(
                "INSERT INTO message (id, thread_key, depth, role, state, created, parts) "
                "VALUES (?, 1, 1, 'assistant', 'partial', '', x'')",
                (str(number),),
            )
        connection.execute(
            "INSERT INTO turn (id, thread_key, answer_key, purpose, backend, model, state, started, owner_pid, "
            "owner_started, owner_boot) VALUES ('1', 1, 3, 'chat', 'b', 'm', 'running', '', 1, '', '')"
        )
        migrate(connection, path, STEPS[:3])
        assert connection.execute("SELECT key FROM unindexed ORDER BY key").fetchall() == [(1,), (2,), (4,)]


def _forget(path: Path) -> None:
    """Empties the index as a new format does."""
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
        connection.execute(
            "INSERT OR IGNORE INTO unindexed SELECT key FROM message "
            "WHERE key NOT IN (SELECT answer_key FROM turn WHERE state = 'running')"
        )
