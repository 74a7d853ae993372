"""Esc acts on the innermost of what there is, one thing at a time; Ctrl+Enter sends whatever Enter does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from desktop_app.core.stream_events import Ended, TextDelta
from tests.fakes.gated_backend import Gate, said
from tests.ui.open_window import OpenWindow
from tests.ui.walking import press

pytestmark = pytest.mark.slow

Key, Held = Qt.Key, Qt.KeyboardModifier


async def test_escape_goes_from_the_innermost_outwards(window: OpenWindow) -> None:
    """Input method, popup, find bar, waiting message, running answer: each press ends one of them and no other."""
    window.window.activateWindow()
    gate = Gate()
    window.backend.reply(TextDelta("Half of it"), gate, Ended("end_turn"))
    window.type("first")
    press(Key.Key_Return)
    await gate.arrive()
    window.type("second")
    press(Key.Key_Return)
    press(Key.Key_F, Held.ControlModifier)
    assert window.transcript.find_in_thread.shown
    press(Key.Key_K, Held.ControlModifier)
    palette = window.presenters.palette.palette
    assert palette is not None
    window.composer.focus_editor()
    assert palette.isHidden(), "the palette goes with the keyboard"
    press(Key.Key_K, Held.ControlModifier)

    def state() -> tuple[bool, bool, bool, bool]:
        finding, queue = window.transcript.find_in_thread.shown, window.composer.queue.isVisible()
        return palette.isVisible(), finding, queue, window.composer.streaming

    states = [state()]
    press(Key.Key_Escape)
    states.append(state())
    assert window.editor.hasFocus()
    QApplication.sendEvent(window.editor, QInputMethodEvent("ni", []))
    press(Key.Key_Escape)
    states.append(state())
    QApplication.sendEvent(window.editor, QInputMethodEvent())
    for _ in range(2):
        press(Key.Key_Escape)
        states.append(state())
    assert states == [
        (True, True, True, True),
        (False, True, True, True),
        (False, True, True, True),  # the input method took it
        (False, False, True, True),
        (False, False, False, True),
    ]
    assert window.composer.text() == "second"
    press(Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the stop")
    await window.settled()
    assert window.composer.text() == "second"


@pytest.mark.parametrize("enter_sends", [True, False])
async def test_control_enter_always_sends(window: OpenWindow, enter_sends: bool) -> None:
    window.editor.enter_sends = enter_sends
    window.type("one")
    window.press(Key.Key_Return, Held.ControlModifier)
    await window.until(lambda: window.backend.plans, "the sent request")
    assert said(window.backend.plans[0]) == [("user", ("one",))]
    await window.settled()
