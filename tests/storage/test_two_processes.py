from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.conversation import Conversation
from desktop_app.core.errors import UserError
from desktop_app.core.messages import TextPart
from desktop_app.storage import turn_store
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.data.db import build
from tests.patience import PATIENCE_S
from tests.storage.conftest import Talk, a_thread, opened
from tests.storage.sql_work import in_sql

pytestmark = pytest.mark.slow


def other(path: Path, what: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.other_process", str(path), what]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


async def test_two_processes_write_to_one_thread_and_no_tip_is_lost(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    processes = [other(path, who) for who in ("left", "right")]
    outputs = [process.communicate(timeout=PATIENCE_S)[0] for process in processes]
    assert ([process.returncode for process in processes], outputs) == ([0, 0], ["", ""])
    messages = await history.messages("thread")
    tip = (await history.thread("thread")).tip
    assert len(messages) == 60
    assert len(Conversation(messages).path(tip)) == 60
    assert (await history.threads())[0].messages == 60
    for answer in (one.id for one in messages if one.role == "assistant"):
        assert await history.request(answer) == {"q": [answer.split("-")[1]]}


async def test_a_turn_of_a_living_process_is_left_alone_and_a_dead_ones_is_repaired(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    before = await history.data_version()
    process = other(path, "wait")
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
        assert await history.data_version() != before
        assert await history.repair_turns() == ()
        with pytest.raises(UserError, match="already being written") as caught:
            await Talk(history, tip="a-other").begin("me too")
        assert caught.value.failure.code == "store"
        process.kill()
        process.wait(timeout=PATIENCE_S)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
    assert await history.repair_turns() == ("thread",)
    answer = await history.message("a-other")
    assert (answer.text, answer.state) == ("half of it", "partial")
    assert answer.failure is not None
    assert answer.failure.code == "interrupted"
    assert await history.repair_turns() == ()
    await Talk(history, tip="a-other").turn("now me", "yes")


async def test_a_living_process_that_can_not_be_seen_from_here_is_not_taken_for_dead(
    path: Path, history: SqliteHistory, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of another machine or container: its number means nothing here, and neither does its boot."""
    process = other(path, "wait")
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
        monkeypatch.setattr(turn_store, "is_alive", lambda _: False)
        assert await history.repair_turns() == ()
        assert await history.running_threads() == ("thread",)
        with pytest.raises(UserError, match="already being written"):
            await Talk(history, tip="a-other").begin("me too")
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
    assert await history.repair_turns() == ("thread",)


async def test_a_send_finds_the_dead_turn_out_by_itself(path: Path, history: SqliteHistory, talk: Talk) -> None:
    process = other(path, "wait")
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
    answer = await Talk(history, tip="a-other").begin("now me")
    await history.end_turn("t1", answer, None)
    assert (await history.message("a-other")).text == "half of it"


async def test_an_owner_that_was_only_taken_for_dead_keeps_its_words(history: SqliteHistory, talk: Talk) -> None:
    answer = await talk.begin("q")
    await in_sql(history, lambda connection: connection.execute("UPDATE turn SET owner_started = 'never'"))
    assert await history.repair_turns() == ("thread",)
    await talk.end(answer, TextPart("the whole answer"))
    kept = await history.message("a1")
    assert (kept.text, kept.state, kept.failure) == ("the whole answer", "complete", None)


async def test_own_writes_do_not_change_the_data_version(history: SqliteHistory) -> None:
    before = await history.data_version()
    await history.create_thread(a_thread())
    assert await history.data_version() == before


@pytest.mark.parametrize("frozen", sorted(build.FOLDER.glob("v*.sqlite")), ids=lambda file: str(file.stem))
async def test_two_first_starts_after_an_update_make_one_step(frozen: Path, path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(frozen, path)
    processes = [other(path, "wait") for _ in range(3)]
    outputs = [process.communicate(timeout=PATIENCE_S)[0] for process in processes]
    assert all("usage This thread no longer exists" in output for output in outputs), outputs
    async with opened(path) as history:
        assert tuple(await history.messages(build.THREAD.id)) == build.MESSAGES
        assert tuple(await history.events(build.THREAD.id)) == build.EVENTS
        assert [row for row in await history.ledger() if row.purpose == "chat"] == [build.TURNS_SPENT]


async def test_two_first_starts_at_once_make_one_history(path: Path) -> None:
    processes = [other(path, "wait") for _ in range(2)]
    outputs = [process.communicate(timeout=PATIENCE_S)[0] for process in processes]
    # neither finds a thread; what counts is that both opened the file they made together
    assert all("usage This thread no longer exists" in output for output in outputs), outputs
