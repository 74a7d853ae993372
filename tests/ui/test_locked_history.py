"""A history file that another program locks: what is unsaved is said, and saved when the lock goes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.composition import compose
from desktop_app.controller import history_watch
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.paths import DataPaths
from desktop_app.storage import sqlite_connection
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.shell import background_presence, session
from desktop_app.ui.shell.opening import Opening
from desktop_app.ui.state.services import WindowServices
from tests.fakes.gated_backend import Gate
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S
from tests.storage.locked import locked_by_another
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_a_window_started_while_the_file_is_locked_comes_to_life(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)
    monkeypatch.setattr(session, "COMPOSE_AGAIN_S", 0.05)
    async with OpenWindow.opened(data_dir) as window:
        await window.send("before")
    paths = DataPaths(data_dir)
    told: list[str] = []
    said = asyncio.Event()

    async def composed() -> WindowServices:
        return await compose(paths, environ={"PATH": ""}, default_backend="scripted", secrets=MemorySecrets())

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    opening = Opening(app, paths)
    started = session.WindowSession(opening, paths, composed)
    show_failure = started.presenters.error_cards.show_failure

    def tell(failure: Failure) -> None:
        told.append(failure.message)
        said.set()
        show_failure(failure)

    monkeypatch.setattr(started.presenters.error_cards, "show_failure", tell)
    running: asyncio.Task[int] | None = None
    try:
        with locked_by_another(paths.history, exclusive=True):
            running = asyncio.create_task(started.run())
            await asyncio.wait_for(said.wait(), PATIENCE_S)
            assert "locked" in told[0]
            QTest.keyClicks(opening.window.composer.editor, "typed meanwhile")
            assert started.app_state.ready is None
        services = await asyncio.wait_for(started.app_state.services(), PATIENCE_S)
        await asyncio.wait_for(started.opened_first.wait(), PATIENCE_S)
        assert opening.window.composer.text() == "typed meanwhile"
        assert len(told) == 1
        assert started.presenters.error_cards.card is None
    finally:
        started.end(0)
        if running is not None:
            await asyncio.wait_for(running, PATIENCE_S)
    reopened = await SqliteHistory.open(paths.history, quiet_s=None)
    try:
        (summary,) = await reopened.threads()
    finally:
        await reopened.close()
    assert summary.thread.draft == "typed meanwhile"
    assert services.chat is not None


async def test_the_card_of_an_unsaved_answer_goes_when_it_is_saved(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)
    monkeypatch.setattr(history_watch, "PAUSE_S", 0.05)
    async with OpenWindow.opened(data_dir) as window:
        gate = Gate()
        window.backend.reply(TextDelta("half "), gate, TextDelta("and the rest"), Ended("end_turn"))
        window.editor.replace_text("q")
        window.press(Qt.Key.Key_Return)
        await gate.arrive()
        with locked_by_another(data_dir / "history.db"):
            gate.open()
            await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
            card = window.presenters.error_cards.card
            assert card is not None
            assert "not saved yet" in card.content.heading + card.content.sentence
            assert not window.composer.streaming
        await window.until(lambda: window.presenters.error_cards.current is None, "the end of the trouble")
        thread = await window.opened_thread()
    file = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    try:
        stored = await file.messages(thread.thread.id)
    finally:
        await file.close()
    assert [message.text for message in stored] == ["q", "half and the rest"]
    assert stored[-1].failure is None


async def test_a_history_that_is_deleted_under_the_window_is_said_and_what_is_typed_stays(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_presence, "LOOK_ON_DISK_MS", 30)
    async with OpenWindow.opened(data_dir) as window:
        await window.send("before")
        told: list[str] = []
        window.app_state.tasks.failed.connect(lambda failure: told.append(failure.message))
        (data_dir / "history.db").unlink()
        await window.until(lambda: told, "the word about the file")
        assert "replaced, moved or deleted" in told[0]
        assert window.presenters.error_cards.card is not None
        window.editor.replace_text("typed")
        window.press(Qt.Key.Key_Return)
        await window.settled()
        assert window.composer.text() == "typed"
        assert len(window.backend.plans) == 1
        looks = [message for message in told if message == told[0]]
        assert len(looks) <= 2
    (copy,) = data_dir.glob("history-*.db")
    file = await SqliteHistory.open(copy, quiet_s=None)
    try:
        (summary,) = await file.threads()
        assert summary.messages == 2
    finally:
        await file.close()
