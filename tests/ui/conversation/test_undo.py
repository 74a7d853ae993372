"""What Ctrl+Z in the composer takes back: this thread's own text, or what the toast offers where nothing is written."""

from __future__ import annotations

from PySide6.QtCore import Qt

from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate
from tests.ui.listed import shown_rows, threads_of
from tests.ui.open_window import OpenWindow

CTRL = Qt.KeyboardModifier.ControlModifier


def type_and_erase(window: OpenWindow, text: str) -> None:
    window.type(text)
    window.press(Qt.Key.Key_A, CTRL)
    window.press(Qt.Key.Key_Backspace)
    assert window.composer.is_empty()


async def test_undo_never_brings_the_text_of_another_thread(window: OpenWindow) -> None:
    first, second = await threads_of(window, "one", "two")
    type_and_erase(window, "ab")
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.text() == "ab", "in its own thread it comes back"
    window.press(Qt.Key.Key_A, CTRL)
    window.press(Qt.Key.Key_Backspace)
    await window.choose_thread(first)
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty()
    await window.choose_thread(second)
    type_and_erase(window, "ab")
    window.shortcut("new_thread")
    await window.settled()
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty(), "nor in a new thread"


async def test_undo_in_an_empty_composer_takes_a_deletion_back(window: OpenWindow) -> None:
    first, second, third = await threads_of(window, "one", "two", "three")
    type_and_erase(window, "ab")
    window.threads.delete_requested.emit([first, second])
    await window.settled()
    assert window.window.toast.isVisible()
    assert window.threads.model.thread_of(first) is None
    window.press(Qt.Key.Key_Z, CTRL)
    await window.settled()
    assert window.threads.model.thread_of(first) is not None
    assert window.threads.model.thread_of(second) is not None
    assert window.composer.is_empty()
    assert not window.window.toast.isVisible()
    window.threads.delete_requested.emit([third])
    await window.settled()
    assert not window.app_state.is_open(third)
    window.press(Qt.Key.Key_Z, CTRL)
    await window.settled()
    assert window.app_state.is_open(third), "the deletion of the open thread as well"
    assert len(shown_rows(window)) == 4


async def test_undo_takes_back_the_newest_act(window: OpenWindow) -> None:
    first, _ = await threads_of(window, "one", "two")
    window.type("draft words")
    window.threads.delete_requested.emit([first])
    await window.settled()
    window.press(Qt.Key.Key_Z, CTRL)
    await window.settled()
    assert window.composer.text() == "draft words", "the deletion came after the draft"
    assert window.threads.model.thread_of(first) is not None
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty(), "and before it came the draft"


async def test_undo_of_what_was_written_since_comes_before_a_deletion(window: OpenWindow) -> None:
    first, _ = await threads_of(window, "one", "two")
    window.threads.delete_requested.emit([first])
    await window.settled()
    window.type("ab")
    window.press(Qt.Key.Key_Z, CTRL)
    await window.settled()
    assert window.composer.is_empty()
    assert window.threads.model.thread_of(first) is None


async def test_undo_never_brings_back_what_was_sent(window: OpenWindow) -> None:
    await window.send("a question")
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty()
    type_and_erase(window, "typed since")
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.text() == "typed since"
    for _ in range(20):
        window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty(), "and nothing from before that"


async def test_undo_does_not_double_what_is_queued(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    await window.begin("slow", gate)
    window.enter("and then")
    window.press(Qt.Key.Key_Z, CTRL)
    assert window.composer.is_empty()
    window.press(Qt.Key.Key_Escape)
    assert window.composer.text() == "and then", "Esc takes it back"
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()
