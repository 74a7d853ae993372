"""The page of keyboard shortcuts: complete, true, and left with Esc."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from desktop_app.ui.shortcuts_page import ShortcutsPage
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_every_action_is_listed_with_its_keys(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.composer.focus_editor()
    window.shortcut("show_shortcuts")
    page = window.presenters.pages.page
    assert isinstance(page, ShortcutsPage)
    rows = [
        (page.rows.index(row, 0).data(), page.rows.index(row, 1).data().split("  ·  "))
        for row in range(page.rows.rowCount())
    ]
    native = QKeySequence.SequenceFormat.NativeText
    shown = [
        (action.text(), [key.toString(native) for key in action.shortcuts()] or [""])
        for action in window.window.actions_by_id.values()
    ]
    assert sorted(rows) == sorted(shown)
    without = [not keys[0] for _, keys in rows]
    assert without == sorted(without), "those with keys come first"
    assert QApplication.focusWidget() is page.table
    window.shortcut("show_shortcuts")
    assert window.presenters.pages.page is page
    window.press(Qt.Key.Key_Escape, widget=page.table)
    await window.until(lambda: window.window.stage.reading, "the transcript")
    await window.settled()
    assert window.presenters.pages.page is None
