"""A data folder or file that can't be written: the window reads on, says so once, and saves what was typed later."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.messages import Thread
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage import sqlite_connection
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.shell import background_presence
from tests.storage.locked import locked_by_another
from tests.ui.open_window import OpenWindow
from tests.unprivileged import needs_permissions, read_only, unprivileged

TIME = "2026-11-01T10:00:00Z"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_presence, "LOOK_ON_DISK_MS", 30)
    monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)


async def drafts(data_dir: Path) -> list[str]:
    file = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    try:
        return [one.thread.draft for one in await file.threads()]
    finally:
        await file.close()


async def banner(window: OpenWindow, words: str) -> None:
    await window.until(lambda: words in window.composer.line("unwritable").words, f"a line with {words}")


@needs_permissions
async def test_a_window_opens_on_a_read_only_folder_and_goes_on_when_it_can_be_written(
    data_dir: Path, tmp_path: Path
) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("a question about boats")
    cards: list[object] = []
    with unprivileged():
        with read_only(data_dir):
            before = {path.name: path.read_bytes() for path in data_dir.iterdir() if path.is_file()}
            opening = OpenWindow.opened(data_dir)
            window = await opening.__aenter__()
            window.app_state.tasks.failed.connect(cards.append)
            await window.until(lambda: len(window.transcript.messages) == 2, "the thread")
            await banner(window, "can't be written. You can read, search and export")
            page = await window.services.history.search("boats")
            assert len(page.hits) == 1
            written = await window.services.thread_export.export(None, "markdown", tmp_path / "out")
            assert "a question about boats" in written[0].read_text()
            window.editor.replace_text("typed meanwhile")
            window.press(Qt.Key.Key_Return)
            await window.until(lambda: window.presenters.error_cards.card is not None, "the card of the send")
            assert window.composer.text() == "typed meanwhile"
            assert window.backend.plans == [], "nothing was sent"
            assert cards == [], "and nothing else is told by a card"
            assert {path.name: path.read_bytes() for path in data_dir.iterdir() if path.is_file()} == before
        await window.until(lambda: not window.composer.line("unwritable").words, "the end of the line")
        await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
        window.backend.reply(TextDelta("an answer"), Ended("end_turn"))
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: len(window.transcript.messages) == 4, "the answer")
        await opening.__aexit__(None, None, None)
    assert await drafts(data_dir) == [""]


@needs_permissions
async def test_what_is_typed_as_a_new_thread_is_saved_when_it_can_be(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        pass
    with unprivileged():
        with read_only(data_dir):
            opening = OpenWindow.opened(data_dir)
            window = await opening.__aenter__()
            await banner(window, "can't be written")
            window.editor.replace_text("of no thread yet")
            await window.settled()
            assert window.app_state.current is None
        await window.until(lambda: window.app_state.current is not None, "the thread")
        await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
        await opening.__aexit__(None, None, None)
    assert await drafts(data_dir) == ["of no thread yet"]


async def test_a_file_that_another_program_locks_is_said_once_and_drafts_wait(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("before")
        told: list[object] = []
        window.app_state.tasks.failed.connect(told.append)
        with locked_by_another(data_dir / "history.db"):
            window.editor.replace_text("typed while it is locked")
            await banner(window, "locked. You can read")
            assert (await window.services.history.search("before")).hits
            await window.services.history.threads()
            assert (told, window.presenters.error_cards.card) == ([], None)
        await window.until(lambda: not window.composer.line("unwritable").words, "the end of the line")
        await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
    assert await drafts(data_dir) == ["typed while it is locked"]


async def test_a_full_disk_is_said_once_and_drafts_wait(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("before")
        told: list[object] = []
        window.app_state.tasks.failed.connect(told.append)
        database = window.services.history.file.database  # type: ignore[attr-defined]

        async def most_pages(count: int) -> None:
            await database.run(
                lambda store: store.transactions.connection.execute(f"PRAGMA max_page_count = {count}").fetchone()
            )

        await most_pages(1)  # as many as there are
        window.editor.replace_text("typed while it is full " * 5_000)
        await banner(window, "The disk is full")
        assert (told, window.presenters.error_cards.card) == ([], None)
        await most_pages(1_000_000)
        await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
        await window.until(lambda: not window.composer.line("unwritable").words, "the end of the line")
    assert await drafts(data_dir) == ["typed while it is full " * 5_000]


@needs_permissions
async def test_a_folder_that_can_not_be_reached_for_a_while_is_said_once_and_drafts_wait(data_dir: Path) -> None:
    with unprivileged():
        async with OpenWindow.opened(data_dir) as window:
            await window.send("before")
            told: list[object] = []
            window.app_state.tasks.failed.connect(told.append)
            data_dir.chmod(0)
            try:
                window.editor.replace_text("typed while it is away")
                await banner(window, "can't be reached. You can read")
                assert (await window.services.history.search("before")).hits
                assert (told, window.presenters.error_cards.card) == ([], None)
            finally:
                data_dir.chmod(0o700)
            await window.until(lambda: not window.composer.line("unwritable").words, "the end of the line")
            await window.until(lambda: window.presenters.drafts.all_saved, "the draft")
    assert await drafts(data_dir) == ["typed while it is away"]
    assert sorted(one.name for one in data_dir.glob("history*")) == ["history.db"], "nothing was set aside"


async def test_threads_of_a_window_that_is_locked_at_its_start_are_there(data_dir: Path) -> None:
    file = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    await file.create_thread(Thread("one", "the title", TIME, TIME))
    await file.close()
    with locked_by_another(data_dir / "history.db", exclusive=True):
        opening = OpenWindow.opened(data_dir)
        window = await opening.__aenter__()
        await banner(window, "locked")
        assert [one.thread.title for one in await window.services.history.threads()] == ["the title"]
    await window.until(lambda: not window.composer.line("unwritable").words, "the end of the line")
    await opening.__aexit__(None, None, None)
