"""The questions that a dialog asks, as they look."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QInputDialog, QPushButton

from desktop_app.ui.widgets.dialogs import asked_text
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_the_buttons_carry_words_and_no_pictures_of_the_platform(window: OpenWindow) -> None:
    answers: list[str | None] = []

    async def ask() -> None:
        answers.append(await asked_text(window.window, "Project", "Its name", yes="Move here"))

    window.app_state.start(ask())
    await window.until(lambda: window.window.findChildren(QInputDialog), "the dialog")
    dialog = window.window.findChildren(QInputDialog)[0]
    buttons = dialog.findChildren(QPushButton)
    assert "Move here" in [button.text() for button in buttons]
    assert all(button.icon().isNull() for button in buttons)
    dialog.reject()
    await window.until(lambda: answers, "the answer")
    assert answers == [None]
