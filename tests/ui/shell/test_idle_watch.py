"""At rest nothing wakes the window but the system, which tells when another process wrote to the history."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QFileSystemWatcher, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import TextPart, Thread
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.storage.turn_store import TurnStore
from desktop_app.ui.shell import background_presence
from desktop_app.ui.transcript.items.line_items import NoteItem
from tests.storage.conftest import Talk
from tests.ui.listed import shown_rows
from tests.ui.open_window import OpenWindow

TIME = "2026-11-01T10:00:00Z"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_presence, "UNTOUCHED_MS", 30)
    monkeypatch.setattr(background_presence, "LOOK_ON_DISK_MS", 10)
    monkeypatch.setattr(background_presence, "QUIET_S", 0.0)


@pytest_asyncio.fixture
async def resting(data_dir: Path, qapp: QApplication) -> AsyncIterator[OpenWindow]:
    """A window that nobody touches any more, with the keyboard in its composer."""
    async with OpenWindow.opened(data_dir) as window:
        window.window.activateWindow()
        window.composer.focus_editor()
        window.type("a draft")
        await window.until(lambda: not looks(window), "the rest")
        yield window


def looks(window: OpenWindow) -> bool:
    """Whether the history is looked at from time to time."""
    return window.session.upkeep.looks


async def test_at_rest_the_caret_is_steady_and_the_file_not_looked_at(resting: OpenWindow) -> None:
    hints = QGuiApplication.styleHints()
    assert hints.cursorFlashTime() == 0
    assert resting.editor.hasFocus()
    resting.press(Qt.Key.Key_Left)
    assert hints.cursorFlashTime() > 0
    assert looks(resting)
    await resting.until(lambda: not looks(resting), "the rest")
    assert hints.cursorFlashTime() == 0


async def test_what_another_process_writes_is_seen_at_rest(resting: OpenWindow, data_dir: Path) -> None:
    other = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    try:
        await other.create_thread(Thread("other", "From a command", TIME, TIME))
        await resting.until(lambda: any("From a command" in row for row in shown_rows(resting)), "its thread")
    finally:
        await other.close()
    await resting.until(lambda: not looks(resting), "the rest again")


async def test_while_a_command_answers_that_is_said_and_its_answer_or_end_comes(
    resting: OpenWindow, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resting.presenters.thread_list._look_again.setInterval(30)
    other = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)

    def notes() -> list[tuple[str, int]]:
        shown = resting.transcript.messages[-1:]  # empty until it is read
        rows = [row for one in shown for row in resting.transcript.path.layout_of(one.id).rows]
        items = [row.item for row in rows if isinstance(row.item, NoteItem)]
        return [(one.note, len(one._actions)) for one in items]

    try:
        await other.create_thread(Thread("other", "From a command", TIME, TIME))
        talk = Talk(other, "other")
        answer = await talk.begin("a question")
        await resting.app_state.open_thread("other")
        await resting.until(lambda: notes() == [("A command is answering", 0)], "what comes")
        await talk.end(answer, TextPart("its answer"))
        await resting.until(lambda: (resting.app_state.path[-1].text, notes()) == ("its answer", []), "the answer")
        await talk.begin("another question")
        await resting.until(lambda: notes() == [("A command is answering", 0)], "what comes")
        await resting.until(lambda: "other" in resting.presenters.thread_list._elsewhere, "the mark in the list")
        monkeypatch.setattr(TurnStore, "_alive", lambda _self, _row: False)  # the command was killed
        await resting.until(lambda: notes() == [] and resting.transcript.footer.card is not None, "its end")
    finally:
        await other.close()


async def test_a_history_that_is_deleted_at_rest_is_said(resting: OpenWindow, data_dir: Path) -> None:
    (data_dir / "history.db").unlink()
    await resting.until(lambda: resting.presenters.error_cards.card is not None, "the card")


async def test_where_the_system_tells_nothing_it_is_looked_at_while_the_window_has_the_keyboard(
    data_dir: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileSystemWatcher, "addPaths", lambda _self, paths: paths)
    async with OpenWindow.opened(data_dir) as window:
        window.window.activateWindow()
        watch = window.session.idle
        await window.until(lambda: watch.idle, "the rest")
        asked = 0
        refresh = window.services.chat.watch.look

        async def counted() -> bool:
            nonlocal asked
            asked += 1
            return await refresh()

        monkeypatch.setattr(window.services.chat.watch, "look", counted)
        await window.until(lambda: asked > 3, "looks at rest")
        monkeypatch.setattr(QGuiApplication, "focusWindow", lambda: None)
        await window.until(lambda: not looks(window), "no look without the keyboard")


async def test_the_caret_blinks_again_behind_the_last_window(data_dir: Path, qapp: QApplication) -> None:
    before = QGuiApplication.styleHints().cursorFlashTime()
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: window.session.idle.idle, "the rest")
    assert QGuiApplication.styleHints().cursorFlashTime() == before
