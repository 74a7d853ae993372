"""A private thread in the window: said clearly, of use like every other, and gone with the window without a trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.core.errors import TEXT_SAVED
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.controller.test_private_threads import everything_in
from tests.fakes.gated_backend import Gate
from tests.ui.editing import answer, question
from tests.ui.listed import shown_rows
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

WORD = "quokkaesque"


def said_private(window: OpenWindow) -> bool:
    return any(part.isVisible() for part in window.window.header.private_mark)


async def test_it_is_said_before_the_first_word_and_in_the_list(window: OpenWindow) -> None:
    assert not said_private(window)
    window.shortcut("new_private_thread")
    assert said_private(window)
    assert window.app_state.private
    await window.send("hello")
    assert said_private(window)
    assert window.window.windowTitle() == "Private thread – Plimsoll"  # any program can read it, and so can a meeting
    assert "hello" in window.window.header.findChildren(QLabel)[0].accessibleName()
    private = window.app_state.thread_id
    assert private is not None
    row = window.threads.model.index_of(private)
    assert "private" in str(row.data(Qt.ItemDataRole.AccessibleTextRole))
    window.shortcut("new_thread")
    assert not said_private(window)
    await window.send("in the open")
    assert shown_rows(window) == ["Today", "in the open", "hello"]
    assert window.window.windowTitle() == "in the open – Plimsoll"
    await window.choose_thread(private)
    assert said_private(window)
    assert window.window.windowTitle() == "Private thread – Plimsoll"


async def test_another_wish_for_a_new_thread_takes_it_back(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    window.shortcut("new_thread")
    assert not said_private(window)
    await window.send("in the open")
    assert not (await window.thread()).private


@pytest.mark.parametrize("private", [True, False])
async def test_what_is_said_of_a_cut_answer_is_true(window: OpenWindow, private: bool) -> None:
    saved, in_memory = "The text so far is saved.", "The text so far is kept until Plimsoll is closed."
    told = in_memory if private else saved
    window.shortcut("new_private_thread" if private else "new_thread")
    lost = Failure("network", phrase("Connection lost. {saved}", saved=TEXT_SAVED), actions=("retry",))
    window.backend.reply(TextDelta("Half of it"), Failed(lost))
    await window.send("hello")
    card = window.presenters.error_cards.card
    assert card is not None
    assert (card.content.heading, card.content.sentence) == ("Connection lost", told)
    gate = Gate()
    window.backend.reply(TextDelta("Half of it"), gate, Ended("end_turn"))
    await window.begin("again", gate)
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the stop")
    await window.settled()
    stopped = window.transcript.row_layout.messages[-1]
    assert window.transcript.decorations.said_of(stopped) == f"Stopped. {told}".rstrip(".")
    # and once it is read again
    cut = window.app_state.thread_id
    assert cut is not None
    window.shortcut("new_thread")
    await window.settled()
    assert not window.transcript.decorations.private
    await window.choose_thread(cut)
    assert window.transcript.decorations.said_of(stopped) == f"Stopped. {told}".rstrip(".")


async def test_nothing_is_left_of_it_when_the_window_closes(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("in the open")
        lasting = window.app_state.thread_id
        window.shortcut("new_private_thread")
        await window.send(f"a {WORD} question")
        await window.send(f"another {WORD}")
        window.shortcut("new_private_thread")
        await window.send(f"a second {WORD}")
        window.type(f"and a {WORD} draft")
        await window.settled()
        private = window.app_state.thread_id
        assert private is not None
    for path in data_dir.rglob("*"):
        if path.is_file():
            assert WORD.encode() not in path.read_bytes(), path.name
            assert private.encode() not in path.read_bytes(), path.name
    unpacked = everything_in(data_dir / "history.db")
    assert b"in the open" in unpacked
    assert WORD.encode() not in unpacked
    with closing(sqlite3.connect(data_dir / "history.db")) as connection:
        assert connection.execute("SELECT count(*) FROM model_call WHERE purpose = 'chat'").fetchone() == (3,)
    async with OpenWindow.opened(data_dir) as window:
        assert shown_rows(window) == ["Today", "in the open"]
        assert lasting is not None
        assert window.app_state.is_open(lasting)


async def test_it_can_be_deleted_and_brought_back_while_the_window_is_open(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    await window.send("hello")
    thread_id = window.app_state.thread_id
    window.threads.delete_requested.emit([thread_id])
    await window.settled()
    assert shown_rows(window) == []
    window.window.toast.button.click()
    await window.settled()
    assert shown_rows(window) == ["Today", "hello"]
    assert said_private(window)
    await window.send("again")
    assert len((await window.opened_thread()).path) == 4


@pytest.mark.parametrize("ending", ["quit", "close"])
async def test_an_answer_in_it_is_asked_for_before_the_end(window: OpenWindow, ending: str) -> None:
    def end() -> None:
        (window.window.quit if ending == "quit" else window.window.close)()

    window.shortcut("new_private_thread")
    await window.send("hello")
    end()
    end()
    asked = await question(window)
    assert asked.text() == "The private thread will be gone."
    assert [button.text().replace("&", "") for button in asked.buttons()] == ["Quit", "Cancel"]
    await answer(window, "Cancel")
    assert not window.session.ended.done()
    end()
    await answer(window, "Quit")
    assert window.session.ended.done()


async def test_where_nothing_would_be_lost_nothing_is_asked(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    window.type("a draft")
    await window.settled()
    window.window.quit()
    assert window.session.ended.done()
