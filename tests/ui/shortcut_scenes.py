"""Pictures of the page of shortcuts while keys are changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
    from tests.ui.open_window import OpenWindow

WRITTEN = """\
[shortcuts]
find = ["Ctrl+Alt+F", "F8"]
quote = ""
attach_files = "Ctrl+K"
go_to = "Strg+J"
"""


async def _shown(window: OpenWindow, width: int, height: int, action: str) -> ShortcutsPage:
    from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage

    window.window.resize(width, height)
    window.window.activateWindow()
    window.shortcut("show_shortcuts")
    page = window.presenters.pages.page
    assert isinstance(page, ShortcutsPage)
    await window.settled()
    page.reveal(action)
    page.table.setFocus()
    return page


async def shortcuts_changed(window: OpenWindow) -> None:
    """Changed, given away, wrong in the file."""
    path = window.services.preferences.path
    path.write_text((path.read_text() if path.exists() else "") + WRITTEN)
    await _shown(window, 1180, 820, "find")


async def shortcuts_listening(window: OpenWindow) -> None:
    from PySide6.QtCore import Qt

    page = await _shown(window, 900, 700, "find")
    window.press(Qt.Key.Key_Return, widget=page.table)


async def shortcuts_refused(window: OpenWindow) -> None:
    from PySide6.QtCore import Qt

    page = await _shown(window, 900, 700, "show_usage")
    window.press(Qt.Key.Key_Return, widget=page.table)
    window.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, page.capture)


async def shortcuts_taken(window: OpenWindow) -> None:
    """As narrow and low as the window may be."""
    from PySide6.QtCore import Qt

    window.shortcut("toggle_threads")
    page = await _shown(window, 480, 400, "toggle_inspector")
    window.press(Qt.Key.Key_Return, widget=page.table)
    window.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier, page.capture)


async def shortcuts_narrow(window: OpenWindow) -> None:
    window.shortcut("toggle_threads")
    await _shown(window, 480, 600, "find")


async def shortcuts_found(window: OpenWindow) -> None:
    page = await _shown(window, 900, 700, "find")
    window.type("inspector", page.search)


SHORTCUT_SCENES = (
    shortcuts_changed,
    shortcuts_listening,
    shortcuts_refused,
    shortcuts_taken,
    shortcuts_narrow,
    shortcuts_found,
)
