"""What looks like an API key is asked about before it is sent."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop_app.ui.connections.connections_page import ConnectionsPage
from tests.ui.open_window import OpenWindow

KEY = "sk-ant-api03-a1B2c3D4e5F6g7H8i9J0"


def is_kept(window: OpenWindow, key: str) -> bool:
    """Return True if any file of the data folder holds the key."""
    return any(key.encode() in file.read_bytes() for file in window.session.paths.root.rglob("*") if file.is_file())


async def test_a_key_goes_only_when_it_is_sent_anyway(window: OpenWindow) -> None:
    window.type(KEY)
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert window.backend.plans == []
    line = window.composer.lines["key"]
    assert line.isVisible()
    assert window.composer.text() == KEY, "nothing typed is lost"
    QTest.mouseClick(line.cross, Qt.MouseButton.LeftButton)
    assert not line.isVisible()
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert line.isVisible()
    assert window.backend.plans == []
    QTest.mouseClick(line.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: len(window.backend.plans) == 1, "the request")
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()
    assert not line.isVisible()


@pytest.mark.parametrize(("key", "backend"), [(KEY, "anthropic"), ("sk-proj-a1B2c3D4e5F6g7H8i9J0", "openai")])
async def test_a_key_is_taken_from_the_message_into_its_field(
    window: OpenWindow, caplog: pytest.LogCaptureFixture, key: str, backend: str
) -> None:
    window.type(f"Mine is {key}")
    await window.until(lambda: is_kept(window, key), "the draft, stored while it is typed")
    window.press(Qt.Key.Key_Return)
    await window.settled()
    QTest.mouseClick(window.composer.lines["key"].second, Qt.MouseButton.LeftButton)
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    row = page.row((backend, ""))
    field = row.key if row is not None else page.server.key
    await window.until(lambda: field.text() == key, "the key in its field")
    assert field.isVisible()
    assert field.echoMode() == QLineEdit.EchoMode.Password
    assert window.composer.text() == "Mine is"
    assert not window.composer.lines["key"].isVisible()
    assert window.backend.plans == []
    assert key not in caplog.text
    await window.presenters.drafts.flush()
    assert not is_kept(window, key), "nothing of it is stored before it is saved"


async def test_a_key_that_is_deleted_from_the_message_is_in_no_file(window: OpenWindow) -> None:
    window.type(f"Mine is {KEY}")
    await window.until(lambda: is_kept(window, KEY), "the stored draft")
    for _ in KEY:
        window.press(Qt.Key.Key_Backspace)
    await window.presenters.drafts.flush()
    assert window.composer.text() == "Mine is "
    assert not is_kept(window, KEY)
