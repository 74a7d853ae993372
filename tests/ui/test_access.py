"""Everything can be reached with the keyboard, and everything has a name."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QGroupBox, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.gated_backend import GatedBackend
from tests.ui.access_walk import all_faults, faults
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import SCENES, make_threads

pytestmark = pytest.mark.slow

WALKED = (
    "attached",
    "attached_narrow",
    "chips",
    "composer_queued",
    "connections",
    "conversation",
    "document",
    "edit_asks",
    "empty",
    "found",
    "going",
    "inspector_compare",
    "inspector_menu",
    "inspector_messages",
    "inspector_past",
    "inspector_request",
    "list_archive",
    "list_marks",
    "list_search",
    "long_code",
    "message_details",
    "message_menu",
    "message_row",
    "models",
    "palette",
    "palette_found",
    "parameters",
    "popover",
    "preferences",
    "preferences_problems",
    "preferences_search",
    "private_thread",
    "prompt_editor",
    "prompt_form",
    "prompts_many",
    "question_editor",
    "quick_answer",
    "quick_failed",
    "recall_unfolded",
    "refused",
    "server_problem",
    "shortcuts",
    "shortcuts_listening",
    "step_line_unfolded",
    "summary_editor",
    "system_prompt",
    "tool_cards",
    "trim",
    "usage",
    "welcome",
    "zoomed",
)
"""Scenes in which every page, pane, menu and popover is open once."""


@pytest.mark.parametrize("scene", [name for name in WALKED if name in SCENES])
async def test_whoever_cannot_see_finds_every_control_by_name_and_role(scene: str, data_dir: Path) -> None:
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await SCENES[scene](window)
        await window.settled()
        assert all_faults() == []
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()


def test_the_scenes_that_are_walked_are_there() -> None:
    assert set(WALKED) <= set(SCENES)


def test_what_has_no_name_is_found(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    row = QVBoxLayout(root)
    nameless, signs, fine = QPushButton(), QPushButton("…"), QPushButton("Fine")
    for part in (nameless, signs, fine, QLineEdit(), QGroupBox(), QGroupBox()):
        row.addWidget(part)
    root.show()
    told = "\n".join(faults(root))
    assert told.count("no name") == 2
    assert "'…'" in told
    assert "2 unnamed Grouping" in told
    nameless.setAccessibleName("Named")
    signs.hide()
    assert len(faults(root)) == 2


async def test_a_window_closes_while_a_screen_reader_runs(data_dir: Path) -> None:
    """Qt asks for an interface again when a class gets another slot, and deletes all that it was given."""
    QAccessible.setActive(True)
    try:
        async with OpenWindow.opened(data_dir) as window:
            await window.send("hello")
            for part in (window.transcript, window.gauge):
                first = QAccessible.queryAccessibleInterface(part)
                part.destroyed.connect(partial(id, first))
                assert QAccessible.queryAccessibleInterface(part).role() == first.role()
            window.shortcut("command_palette")
            assert all_faults() == []
    finally:
        QAccessible.setActive(False)


async def test_tab_reaches_every_pane_and_comes_round(window: OpenWindow) -> None:
    await window.send("hello")
    window.type("text, so that the button can be reached")
    window.window.activateWindow()
    window.composer.focus_editor()
    reached: list[QWidget] = []
    for _ in range(40):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in reached:
            break
        reached.append(focused)
        window.press(Qt.Key.Key_Tab, widget=focused)
    else:
        raise AssertionError("Tab never came round")
    for wanted in (
        window.editor,
        window.composer.picker,
        window.composer.button,
        window.gauge,
        window.threads.search,
        window.threads.view,
        window.threads.new_button,
        window.transcript,
        window.window.header.menu_button,
    ):
        assert wanted in reached, wanted.accessibleName()


async def test_the_list_is_used_with_the_keyboard_alone(window: OpenWindow) -> None:
    for text in ("alpha", "beta"):
        await window.send(text)
        window.shortcut("new_thread")
    window.shortcut("search_threads")
    assert window.threads.search.hasFocus()
    window.type("alpha", window.threads.search)
    window.press(Qt.Key.Key_Down, widget=window.threads.search)
    window.press(Qt.Key.Key_Return, widget=window.threads.view)
    await window.until(
        lambda: window.app_state.current is not None and window.app_state.current.title == "alpha", "alpha"
    )


async def test_shortcuts_are_not_given_twice(window: OpenWindow) -> None:
    keys = [key.toString() for action in window.window.actions_by_id.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+K", "Ctrl+N", "Ctrl+B", "F6", "Ctrl+Shift+G"} <= set(keys)
