"""Reading in the real window: finding, quoting, going from question to question, all by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


async def test_find_by_keys_and_back_to_the_composer(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("A **needle** in hay, and a needle."), Ended("end_turn"))
    await window.send("Where is the needle?")
    window.window.activateWindow()
    window.press(Qt.Key.Key_F, CONTROL)
    bar = window.transcript.find_in_thread.bar
    assert QApplication.focusWidget() is bar.field
    window.type("needle", bar.field)
    await window.until(lambda: window.transcript.find_in_thread.done, "all hits")
    assert bar.count.text() == "1 of 3"
    window.press(Qt.Key.Key_F3, widget=bar.field)
    assert bar.count.text() == "2 of 3"
    window.press(Qt.Key.Key_F3, SHIFT, widget=bar.field)
    window.press(Qt.Key.Key_Return, SHIFT, widget=bar.field)
    assert bar.count.text() == "3 of 3"
    window.press(Qt.Key.Key_Escape, widget=bar.field)
    assert bar.isHidden()
    assert QApplication.focusWidget() is window.editor


async def test_escape_closes_the_bar_before_it_stops_the_answer(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("Half"), gate, Ended("end_turn"))
    await window.begin("Go on", gate)
    window.shortcut("find")
    window.composer.focus_editor()
    window.press(Qt.Key.Key_Escape)
    assert window.transcript.find_in_thread.bar.isHidden()
    assert window.composer.streaming
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the stopped answer")
    await window.settled()


async def test_a_selection_is_quoted_into_the_composer(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("One.\n\nTwo **bold**."), Ended("end_turn"))
    await window.send("hello")
    window.type("Before")
    view = window.transcript
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    view.keyboard.focus_message(1)
    window.press(Qt.Key.Key_A, CONTROL, widget=view)
    window.press(Qt.Key.Key_B, CONTROL | SHIFT, widget=view)
    assert window.editor.toPlainText() == "Before\n\n> One.\n>\n> Two **bold**.\n\n"
    assert QApplication.focusWidget() is window.editor
    window.type("Why?")
    window.editor.undo()
    window.editor.undo()
    assert window.editor.toPlainText() == "Before"
    window.editor.clear()


async def test_the_whole_thread_is_copied_and_said_so(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("An *answer*."), Ended("end_turn"))
    await window.send("hello")
    window.shortcut("copy_thread")
    assert QGuiApplication.clipboard().text() == "hello\n\nAn *answer*."
    assert window.window.toast.words == "Copied"


async def test_questions_and_messages_are_reached_from_the_composer(window: OpenWindow) -> None:
    for text in ("alpha", "beta", "gamma"):
        window.backend.reply(TextDelta("Line.\n\n" * 60), Ended("end_turn"))
        await window.send(text)
    window.window.activateWindow()
    view = window.transcript
    view.auto_scroll.show_latest()
    window.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert next(p.message for p in view.row_layout.placed if p.bottom > 8) == 4
    window.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert next(p.message for p in view.row_layout.placed if p.bottom > 8) == 2
    window.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert next(p.message for p in view.row_layout.placed if p.bottom > 8) == 4
    window.shortcut("go_to")
    window.type("1", view.bars.go_to.field)
    window.press(Qt.Key.Key_Return, widget=view.bars.go_to.field)
    assert view.row_layout.placed[0].message == 0
    assert QApplication.focusWidget() is window.editor
