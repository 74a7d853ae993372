"""A history file that was replaced under the window: what is there is saved elsewhere, or the new file is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Thread
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.shell import background_presence, session
from tests.fakes.gated_backend import Gate
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

TIME = "2026-11-01T10:00:00Z"


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_presence, "LOOK_ON_DISK_MS", 30)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the dialog is answered to save."""
    path = tmp_path / "elsewhere.db"

    async def asked(_parent: QWidget, _title: str, _name: str) -> Path:
        return path

    monkeypatch.setattr(session, "asked_file_to_write", asked)
    return path


@asynccontextmanager
async def reading(path: Path) -> AsyncIterator[SqliteHistory]:
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        yield history
    finally:
        await history.close()


async def texts(path: Path) -> dict[str, list[str]]:
    """What every message of a history says, by the titles of its threads; drafts behind them."""
    async with reading(path) as history:
        found = {}
        for one in await history.threads():
            said = [message.text for message in await history.messages(one.thread.id)]
            found[one.thread.title] = [*said, *([f"draft: {one.thread.draft}"] if one.thread.draft else [])]
        return found


async def another_history(path: Path) -> bytes:
    """A history as a window leaves it, with one thread; its bytes."""
    async with reading(path) as history:
        await history.create_thread(Thread("other", "Of the other file", TIME, TIME))
    assert not path.with_name(f"{path.name}-wal").exists()
    return path.read_bytes()


async def card(window: OpenWindow, *actions: str) -> None:
    """Waits for the card that has these buttons first."""

    def shown() -> bool:
        found = window.presenters.error_cards.card
        return found is not None and tuple(one.id for one in found.content.actions)[: len(actions)] == actions

    await window.until(shown, f"a card with {actions}")


def titles(window: OpenWindow) -> set[str]:
    model = window.threads.model
    indexes = [model.index(row, 0) for row in range(model.rowCount())]
    return {str(index.data(Qt.ItemDataRole.DisplayRole)) for index in indexes}


async def opened_new_file(window: OpenWindow) -> None:
    before = window.app_state.ready
    window.presenters.error_cards.act("open_new_file")
    await window.until(lambda: window.app_state.ready not in (None, before), "services over the new file")
    services = window.app_state.ready
    assert services is not None
    window.services = services
    await window.settled()
    assert window.session.presence.app_state.ready is services  # the line to ask from anywhere has them, too


async def test_a_deleted_history_is_saved_elsewhere(data_dir: Path, elsewhere: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("What is a load line?")
        (data_dir / "history.db").unlink()
        await card(window, "save_elsewhere", "new_history", "open_data_folder")
        window.editor.replace_text("typed since")
        window.presenters.error_cards.act("save_elsewhere")
        await window.until(elsewhere.exists, "the file elsewhere")
        await window.settled()
        assert "1 thread saved in" in window.window.toast.words
        assert await texts(elsewhere) == {
            "What is a load line?": ["What is a load line?", "answer 1", "draft: typed since"]
        }
        assert window.presenters.error_cards.card is not None  # the question of which file to go on with stays
        assert elsewhere.stat().st_mode & 0o077 == 0


async def test_the_new_file_is_opened_with_what_is_typed_and_what_came(data_dir: Path, tmp_path: Path) -> None:
    await another_history(tmp_path / "other.db")
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        (tmp_path / "other.db").replace(data_dir / "history.db")
        await card(window, "save_elsewhere", "open_new_file", "open_data_folder")
        window.editor.replace_text("typed since")
        await opened_new_file(window)
        assert window.composer.text() == "typed since"
        assert window.presenters.error_cards.card is None
        await window.until(lambda: "Of the other file" in titles(window), "the threads of the new file")
        assert [message.text for message in (await window.opened_thread()).path] == ["one", "answer 1"]
        await window.choose_thread("other")
        assert window.composer.text() == ""
        await window.choose_thread((await thread_called(window, "one")).id)
        assert window.composer.text() == "typed since"
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the question in the new file")
        await window.until(lambda: not window.composer.streaming, "its answer")
        await window.settled()
    assert await texts(data_dir / "history.db") == {
        "one": ["one", "answer 1", "typed since", "answer 2"],
        "Of the other file": [],
    }
    (kept,) = data_dir.glob("history-*.db")
    assert (await texts(kept))["one"][:2] == ["one", "answer 1"]


async def listed(window: OpenWindow, title: str) -> None:
    await window.until(lambda: title in titles(window), f"{title!r} in the list")


async def test_all_windows_go_on_with_the_new_file(data_dir: Path, tmp_path: Path) -> None:
    await another_history(tmp_path / "other.db")
    async with OpenWindow.opened(data_dir) as window:
        one, two = await threads_of(window, "one", "two")
        window.session.open_window(one, window.one)
        await window.until(lambda: len(window.session.windows) == 2, "the other window")
        await window.settled()
        other = window.another()
        (tmp_path / "other.db").replace(data_dir / "history.db")
        asked = window if window.session.front is window.one else other
        await card(asked, "save_elsewhere", "open_new_file", "open_data_folder")
        window.editor.replace_text("typed in two")
        other.editor.replace_text("typed in one")
        await opened_new_file(asked)
        for here, thread_id, typed in ((window, two, "typed in two"), (other, one, "typed in one")):
            await listed(here, "Of the other file")
            assert here.app_state.thread_id == thread_id
            assert here.composer.text() == typed
    found = await texts(data_dir / "history.db")
    assert found["one"][-1] == "draft: typed in one"
    assert found["two"][-1] == "draft: typed in two"


async def thread_called(window: OpenWindow, title: str) -> Thread:
    found = await window.services.library.threads()
    return next(one.thread for one in found if one.thread.title == title)


async def test_what_was_copied_over_the_history_in_place_is_opened(data_dir: Path, tmp_path: Path) -> None:
    """An answer that was coming goes along; the file that was copied is not touched before that."""
    other = await another_history(tmp_path / "other.db")
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        gate, last = Gate(), Gate()
        window.backend.reply(TextDelta("half "), gate, TextDelta("and more"), last, Ended("end_turn"))
        window.editor.replace_text("two")
        window.press(Qt.Key.Key_Return)
        await gate.arrive()
        (data_dir / "history.db").write_bytes(other)
        gate.open()
        await last.arrive()
        await card(window, "save_elsewhere", "open_new_file")
        window.editor.replace_text("typed since")
        assert (data_dir / "history.db").read_bytes() == other
        await opened_new_file(window)
        assert window.composer.text() == "typed since"
        assert not window.composer.streaming
        said = [message.text for message in (await window.opened_thread()).path]
        assert said == ["one", "answer 1", "two", "half and more"]
    assert await texts(data_dir / "history.db") == {
        "one": ["one", "answer 1", "two", "half and more", "draft: typed since"],
        "Of the other file": [],
    }
    with closing(sqlite3.connect(data_dir / "history.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_where_the_old_file_can_not_be_read_what_is_in_memory_is_saved(data_dir: Path, elsewhere: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        shutdown = (data_dir / "history.db").stat().st_size
        (data_dir / "history.db").write_bytes(b"nothing that was a history\n" * (shutdown // 20))
        await card(window, "save_elsewhere", "open_new_file")
        window.editor.replace_text("typed since")
        window.presenters.error_cards.act("save_elsewhere")
        await window.until(elsewhere.exists, "the file elsewhere")
        await window.settled()
        assert await texts(elsewhere) == {"one": ["one", "answer 1", "draft: typed since"]}


async def test_a_new_file_that_is_no_history_is_set_aside(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        content = b"nothing that was a history\n" * 9000
        (data_dir / "history.db").write_bytes(content)
        await card(window, "save_elsewhere", "open_new_file")
        before = window.app_state.ready
        window.presenters.error_cards.act("open_new_file")
        await window.until(lambda: window.app_state.ready not in (None, before), "services over a new history")
        await window.settled()
    assert content in [one.read_bytes() for one in data_dir.glob("history-damaged-*.db")]
    assert (await texts(data_dir / "history.db"))["one"] == ["one", "answer 1"]


async def test_a_new_file_that_is_too_new_is_said_until_one_is_there(data_dir: Path, tmp_path: Path) -> None:
    other = await another_history(tmp_path / "other.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("PRAGMA user_version = 4711")
    newer = (tmp_path / "other.db").read_bytes()
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        (data_dir / "history.db").write_bytes(newer)
        await card(window, "save_elsewhere", "open_new_file")
        window.editor.replace_text("typed since")
        before = window.app_state.ready
        window.presenters.error_cards.act("open_new_file")
        await card(window, "retry", "open_data_folder")
        shown = window.presenters.error_cards.card
        assert shown is not None
        assert "newer version" in shown.content.heading + shown.content.sentence
        assert window.composer.text() == "typed since"
        (tmp_path / "good.db").write_bytes(other)
        (tmp_path / "good.db").replace(data_dir / "history.db")
        await window.until(lambda: window.app_state.ready not in (None, before), "services over the new file")
        await window.settled()
        assert window.composer.text() == "typed since"
        assert window.presenters.error_cards.card is None
    assert (await texts(data_dir / "history.db"))["one"] == ["one", "answer 1", "draft: typed since"]


async def test_a_window_that_is_closed_instead_saves_what_it_had(data_dir: Path, tmp_path: Path) -> None:
    other = await another_history(tmp_path / "other.db")
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        (data_dir / "history.db").write_bytes(other)
        await card(window, "save_elsewhere", "open_new_file")
        window.editor.replace_text("typed since")
    assert (data_dir / "history.db").read_bytes() == other
    (saved,) = data_dir.glob("history-saved-*.db")
    assert (await texts(saved))["one"] == ["one", "answer 1", "draft: typed since"]


async def test_the_card_stands_in_every_thread(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        first = await window.thread()
        window.shortcut("new_thread")
        await window.send("two")
        (data_dir / "history.db").unlink()
        await card(window, "save_elsewhere", "new_history")
        await window.choose_thread(first.id)
        await card(window, "save_elsewhere", "new_history")


async def test_a_file_that_can_not_be_written_leaves_the_card_as_it_is(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked(_parent: QWidget, _title: str, _name: str) -> Path:
        return data_dir / "history.db"

    monkeypatch.setattr(session, "asked_file_to_write", asked)
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        (data_dir / "history.db").unlink()
        await card(window, "save_elsewhere", "new_history")
        window.presenters.error_cards.act("save_elsewhere")
        await card(window, "save_elsewhere", "open_new_file")
        shown = window.presenters.error_cards.card
        assert shown is not None
        assert "is in use as a history" in shown.content.heading + shown.content.sentence
    assert not (data_dir / "history.db").exists()


async def test_it_is_said_over_a_page_too(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        window.shortcut("preferences")
        await window.until(lambda: window.presenters.pages.page is not None, "the page")
        (data_dir / "history.db").unlink()
        await window.until(
            lambda: "while Plimsoll was using it" in window.window.toast.words, "the word about the file"
        )
        window.presenters.pages.leave()
        await card(window, "save_elsewhere", "new_history")


async def test_private_threads_go_along_when_another_file_is_opened(data_dir: Path, tmp_path: Path) -> None:
    other = await another_history(tmp_path / "other.db")
    async with OpenWindow.opened(data_dir) as window:
        window.shortcut("new_private_thread")
        await window.send("Only in memory")
        private = window.app_state.thread_id
        assert private is not None
        window.shortcut("new_thread")
        await window.send("In the open")
        (tmp_path / "new.db").write_bytes(other)
        (tmp_path / "new.db").replace(data_dir / "history.db")
        await card(window, "save_elsewhere", "open_new_file")
        await opened_new_file(window)
        await window.until(lambda: "Only in memory" in titles(window), "the private thread in the list")
        await window.choose_thread(private)
        opened = await window.services.chat.open_thread(private)
        assert [message.text for message in opened.path] == ["Only in memory", "answer 1"]
