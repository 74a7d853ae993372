"""Every letter typed lands in the composer, whatever was clicked before (WIN-13)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate
from tests.ui.conversation.test_trim import filled
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


async def active(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.editor.setFocus()
    await window.until(window.editor.hasFocus, "the keyboard in the composer")


async def test_after_stop_is_clicked_the_composer_has_the_keyboard(window: OpenWindow) -> None:
    await active(window)
    gate = Gate()
    window.backend.reply(TextDelta("One "), gate, Ended("end_turn"))
    await window.begin("Question", gate)
    QTest.mouseClick(window.composer.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    QTest.keyClicks(focused(), "next")
    assert window.composer.text() == "next"


async def test_after_undo_of_a_trim_the_composer_has_the_keyboard(window: OpenWindow) -> None:
    await active(window)
    await filled(window)
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    window.transcript.setFocus()
    window.presenters.steps.act(window.presenters.steps.steps[-1].message_id, "undo")
    await window.settled()
    assert window.editor.hasFocus()


async def test_letters_typed_on_the_empty_transcript_land_in_the_composer(window: OpenWindow) -> None:
    await active(window)
    viewport = window.transcript.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=QPoint(20, viewport.height() // 2))
    window.transcript.setFocus()
    for letter in "He@":
        QTest.keyClicks(focused(), letter)
    assert window.composer.text() == "He@"
    window.gauge.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.gauge.hasFocus()
    QTest.keyClicks(focused(), "y")
    assert window.composer.text() == "He@y"
    assert window.editor.hasFocus()


async def test_what_lies_over_the_window_keeps_its_letters(window: OpenWindow) -> None:
    await active(window)
    over = QWidget(window.window)
    over.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    over.show()
    over.setFocus()
    QTest.keyClicks(focused(), "a")
    assert over.hasFocus()
    assert window.composer.is_empty()
    over.deleteLater()
