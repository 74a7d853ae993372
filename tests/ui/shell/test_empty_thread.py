"""A new thread: a greeting, the model, and prompts to start from, which a click writes and does not send."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.core.prompts import Prompt
from desktop_app.ui.prompts.prompt_starters import starters_of
from desktop_app.ui.shell.side_slot import MOST_STARTERS, EmptyThread
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand


async def shown(window: OpenWindow, width: int = 900, height: int = 700) -> EmptyThread:
    window.window.resize(width, height)
    window.window.activateWindow()
    window.shortcut("new_thread")
    await window.settled()
    await by_hand(QApplication.processEvents)
    pane = window.window.stage.transcript.findChild(EmptyThread)
    assert isinstance(pane, EmptyThread)
    return pane


def offered(pane: EmptyThread) -> list[str]:
    return [button.text() for button in pane.buttons if button.isVisible()]


async def test_it_greets_names_the_model_and_says_nothing_twice(window: OpenWindow) -> None:
    pane = await shown(window)
    said = [label.text() for label in pane.findChildren(QLabel) if label.isVisible() and label.text()]
    assert said == ["How can I help?", window.composer.picker.shown[0][0]]
    assert offered(pane) == ["Explain something", "Summarize a document", "Improve my writing", "Review code"]
    window.composer.picker.model_chosen.emit("scripted", "small")
    await window.until(lambda: pane.model.words == window.composer.picker.shown[0][0], "the other model")


async def test_a_click_writes_the_prompt_and_sends_nothing(window: OpenWindow) -> None:
    pane = await shown(window)
    QTest.mouseClick(pane.buttons[3], Qt.MouseButton.LeftButton)
    assert window.editor.toPlainText().startswith("Review this code")
    assert window.editor.hasFocus()
    assert window.backend.plans == []
    window.type("x = 1")
    assert window.editor.toPlainText().endswith("x = 1")
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    window.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.editor.toPlainText() == ""


async def test_the_users_own_prompts_come_first_the_newest_before_others(window: OpenWindow) -> None:
    pane = await shown(window)
    greeting = pane.model.mapTo(pane, QPoint(0, 0)).y()
    for number in range(6):
        await window.services.prompts.add(f"Prompt {number}", "Say {{what}}." if number == 5 else f"Text {number}")
    await window.until(lambda: len(window.presenters.prompts.prompts) == 6, "the library")
    await by_hand(QApplication.processEvents)
    assert len(offered(pane)) == MOST_STARTERS
    assert set(offered(pane)) <= {f"Prompt {number}" for number in range(6)}
    assert pane.model.mapTo(pane, QPoint(0, 0)).y() == greeting, "nothing moves when they come"
    asking = next((button for button in pane.buttons if button.text() == "Prompt 5"), None)
    assert asking is not None
    QTest.mouseClick(asking, Qt.MouseButton.LeftButton)
    assert window.presenters.prompts.form is not None, "what a prompt asks for is asked first"


@pytest.mark.parametrize("height", [400, 480, 700])
async def test_in_a_low_window_what_is_shown_lies_within_it(window: OpenWindow, height: int) -> None:
    pane = await shown(window, 480, height)
    for part in (pane.model, *pane.buttons):
        if part.isVisible():
            assert pane.rect().contains(part.geometry())
    assert pane.model.isVisible()


async def test_it_goes_with_the_first_message_and_a_click_beside_it_writes_on(window: OpenWindow) -> None:
    pane = await shown(window)
    QTest.mouseClick(pane, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    await window.send("hello")
    assert not pane.isVisible()


def test_the_newest_prompts_are_offered() -> None:
    library = [Prompt(str(n), f"p{n}", "text", "", f"2026-01-0{n}") for n in range(1, 8)]
    assert [one.title for one in starters_of(library)] == ["p7", "p6", "p5", "p4"]
    assert len(starters_of([])) == MOST_STARTERS
    few = [Prompt("1", "p1", "text", "", ""), Prompt("2", "Review code", "mine", "", "")]
    assert [one.title for one in starters_of(few)] == ["p1", "Review code", "Explain something", "Summarize a document"]


def test_a_window_without_a_model_names_none(data_dir: Path, qapp: QApplication) -> None:
    from desktop_app.ui.shell.main_window import Stage
    from desktop_app.ui.theme.theme import load_theme

    stage = Stage(load_theme("light"), None)  # type: ignore[arg-type]
    stage.set_empty(True)
    stage.show_model("")
    pane = stage.transcript.findChild(EmptyThread)
    assert isinstance(pane, EmptyThread)
    assert pane.model.words == ""
    stage.deleteLater()
