"""An answer whose end can't be written is said to be unsaved, and written when it can be, at close at the latest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from desktop_app.controller import history_watch
from desktop_app.core.events import AnswerSaved, NoticeRaised, TurnFailed
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage import sqlite_connection
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.world import WatchedHistory, World, words
from tests.fakes.gated_backend import Gate, GatedBackend
from tests.storage.locked import locked_by_another


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)
    monkeypatch.setattr(history_watch, "PAUSE_S", 0.02)


@pytest_asyncio.fixture
async def history(short_waits: None, tmp_path: Path) -> AsyncIterator[WatchedHistory]:
    opened = await WatchedHistory.open(tmp_path / "history.db")
    assert isinstance(opened, WatchedHistory)
    yield opened
    await opened.close()


async def test_it_is_said_and_written_when_the_lock_goes(world: World, backend: GatedBackend, tmp_path: Path) -> None:
    thread = await world.thread()
    gate = Gate()
    backend.reply(TextDelta("half "), gate, TextDelta("and the rest"), Ended("end_turn"))
    task = world.chat.start_send(thread.id, words("q"))
    await gate.arrive()
    with locked_by_another(tmp_path / "history.db"):
        gate.open()
        outcome = await task
        assert outcome.failure is not None
        assert outcome.failure.code == "store"
        assert "not saved yet" in outcome.failure.message
        assert outcome.message is not None
        assert outcome.message.text == "half and the rest"
        assert len(world.of(TurnFailed)) == 1
        assert not world.chat.running(thread.id)
        assert not world.of(AnswerSaved)
    saved = await world.until(AnswerSaved)
    assert saved.message.failure is None
    (_, answer) = await world.stored(thread.id)
    assert (answer.text, answer.state, answer.failure) == ("half and the rest", "complete", None)
    assert (await world.chat.open_thread(thread.id)).path[-1] == answer


async def test_it_is_written_at_close_when_the_lock_went_before(
    world: World, backend: GatedBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_watch, "PAUSE_S", 3600)
    thread = await world.thread()
    gate = Gate()
    backend.reply(gate, TextDelta("all of it"), Ended("end_turn"))
    task = world.chat.start_send(thread.id, words("q"))
    await gate.arrive()
    with locked_by_another(tmp_path / "history.db"):
        gate.open()
        await task
    await world.chat.close()
    await world.history.close()
    reopened = await SqliteHistory.open(tmp_path / "history.db")
    try:
        (_, answer) = await reopened.messages(thread.id)
    finally:
        await reopened.close()
    assert (answer.text, answer.state) == ("all of it", "complete")


async def test_the_next_turn_of_the_thread_writes_it_too(
    world: World, backend: GatedBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_watch, "PAUSE_S", 3600)
    thread = await world.thread()
    gate = Gate()
    backend.reply(gate, TextDelta("first"), Ended("end_turn"))
    task = world.chat.start_send(thread.id, words("q"))
    await gate.arrive()
    with locked_by_another(tmp_path / "history.db"):
        gate.open()
        await task
    assert (await world.chat.send(thread.id, words("r"))).failure is None
    assert [message.text for message in await world.stored(thread.id)] == ["q", "first", "r", "answer 2"]


async def test_while_it_streams_it_is_said_once(world: World, backend: GatedBackend, tmp_path: Path) -> None:
    thread = await world.thread()
    first, last = Gate(), Gate()
    backend.reply(first, TextDelta("half "), last, TextDelta("rest"), Ended("end_turn"))
    task = world.chat.start_send(thread.id, words("q"))
    await first.arrive()
    with locked_by_another(tmp_path / "history.db"):
        first.open()
        notice = await world.until(NoticeRaised, lambda raised: raised.code == "store")
        assert "not being saved" in notice.message
    last.open()
    outcome = await task
    assert outcome.failure is None
    assert [message.text for message in await world.stored(thread.id)] == ["q", "half rest"]
