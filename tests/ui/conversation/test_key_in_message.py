"""What looks like an API key is asked about before it is sent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.open_window import OpenWindow

KEY = "sk-ant-api03-a1B2c3D4e5F6g7H8i9J0"


async def test_a_key_goes_only_when_it_is_sent_anyway(window: OpenWindow) -> None:
    window.type(KEY)
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert window.backend.plans == []
    line = window.composer._lines["key"]
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
