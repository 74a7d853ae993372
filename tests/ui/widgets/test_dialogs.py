"""The questions that a dialog asks, as they look."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from desktop_app.ui.widgets.floating import confirmed
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_the_buttons_carry_words_and_no_pictures_of_the_platform(window: OpenWindow) -> None:
    answers: list[bool] = []

    async def ask() -> None:
        answers.append(await confirmed(window.window, "Delete for good", "Delete it?", "Delete for good"))

    window.app_state.start(ask())
    await window.until(lambda: window.window.findChildren(QMessageBox), "the dialog")
    dialog = window.window.findChildren(QMessageBox)[0]
    buttons = dialog.findChildren(QPushButton)
    assert "Delete for good" in [button.text() for button in buttons]
    assert all(button.icon().isNull() for button in buttons)
    dialog.reject()
    await window.until(lambda: answers, "the answer")
    assert answers == [False]
