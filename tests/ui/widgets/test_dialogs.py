"""The questions that a dialog asks, as they look."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLabel, QLineEdit, QMessageBox, QPushButton

from desktop_app.ui.widgets.floating import asked_password, confirmed
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


async def test_a_password_is_hidden_and_the_name_of_its_file_is_no_html(window: OpenWindow) -> None:
    answers: list[str] = []

    async def ask(wrong: bool) -> None:
        answers.append(await asked_password(window.window, "<b>a</b>.pdf", wrong))

    for wrong, accepts in ((False, True), (True, False)):
        window.app_state.start(ask(wrong))
        await window.until(lambda: window.window.findChildren(QInputDialog), "the dialog")
        (dialog,) = window.window.findChildren(QInputDialog)
        assert "“<b>a</b>.pdf”" in dialog.labelText()
        assert all(label.textFormat() == Qt.TextFormat.PlainText for label in dialog.findChildren(QLabel))
        (field,) = dialog.findChildren(QLineEdit)
        assert field.echoMode() == QLineEdit.EchoMode.Password
        field.setText("secret")
        (dialog.accept if accepts else dialog.reject)()
        await window.until(lambda: not window.window.findChildren(QInputDialog), "its end")
    assert answers == ["secret", ""]
