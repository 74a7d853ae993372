"""The page of keyboard shortcuts: complete, true, and a change of keys counts at once, is kept and can be undone."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.shortcuts.keymap import is_labelled, shown
from desktop_app.ui.shortcuts.shortcuts_page import ShortcutLine, ShortcutsPage
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key, Held = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = Held.ControlModifier, Held.ShiftModifier, Held.AltModifier


async def opened_page(window: OpenWindow) -> ShortcutsPage:
    window.window.activateWindow()
    window.composer.focus_editor()
    window.shortcut("show_shortcuts")
    page = window.presenters.pages.page
    assert isinstance(page, ShortcutsPage)
    await window.settled()
    return page


def go_to(page: ShortcutsPage, action: str) -> None:
    page.reveal(action)
    page.table.setFocus()


def cells(page: ShortcutsPage, row: int) -> list[str]:
    """What is read of a line, and what is told of it."""
    index = page.table.model().index
    return [index(row, 0).data(), index(row, 1).data(), index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)]


def row_of(page: ShortcutsPage, action: str) -> int:
    return next(row for row, line in enumerate(page.lines) if line.id == action)


def shown_lines(page: ShortcutsPage) -> list[ShortcutLine]:
    if page.table.isHidden():
        return []
    return [line for row, line in enumerate(page.lines) if not page.table.isRowHidden(row)]


def type_keys(key: Qt.Key, modifiers: Qt.KeyboardModifier = Held.NoModifier) -> None:
    """A key where the keyboard is, as Qt would bring it: first the question whether it is a shortcut."""
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key, modifiers)


def keys_of(window: OpenWindow, action: str) -> list[str]:
    shortcuts = window.window.actions_by_id[action].shortcuts()
    return [key.toString() for key in shortcuts if not is_labelled(key)]


def written(window: OpenWindow) -> dict[str, Any]:
    path = window.services.preferences.path
    found: dict[str, Any] = tomllib.loads(path.read_text()).get("shortcuts", {}) if path.exists() else {}
    return found


async def test_every_action_is_listed_with_its_keys_and_so_is_what_is_fixed(window: OpenWindow) -> None:
    page = await opened_page(window)
    listed = {line.id: cells(page, row) for row, line in enumerate(page.lines) if line.id}
    for name, action in window.window.actions_by_id.items():
        assert listed[name][0] == action.text().replace("&&", "&")
        assert listed[name][1] == "  ·  ".join(shown(key) for key in action.shortcuts() if not is_labelled(key))
    assert listed.keys() == window.window.actions_by_id.keys()
    fixed = {
        (line.heading, line.words): cells(page, row)[1]
        for row, line in enumerate(page.lines)
        if line.words and not line.id
    }
    assert fixed["In the inspector", "Pin"] == "P"
    assert fixed["In the thread", "Copy as Markdown"] == "Ctrl+Shift+C"
    assert QApplication.focusWidget() is page.search
    window.shortcut("show_shortcuts")
    assert window.presenters.pages.page is page
    window.press(Key.Key_Escape, widget=page.search)
    await window.until(lambda: window.window.stage.reading, "the transcript")
    await window.settled()
    assert window.presenters.pages.page is None


async def test_new_keys_are_pressed_count_at_once_and_are_kept(window: OpenWindow) -> None:
    page = await opened_page(window)
    go_to(page, "toggle_threads")
    type_keys(Key.Key_Return)
    assert page.capture.listening
    # a shortcut of the window is heard, not carried out
    type_keys(Key.Key_K, CTRL)
    assert window.presenters.palette.palette is None
    type_keys(Key.Key_Escape)
    type_keys(Key.Key_Return)
    type_keys(Key.Key_Y, CTRL | ALT)
    await window.settled()
    assert keys_of(window, "toggle_threads") == ["Ctrl+Alt+Y"]
    assert written(window) == {"toggle_threads": "Ctrl+Alt+Y"}
    assert cells(page, row_of(page, "toggle_threads"))[2].endswith("Ctrl+Alt+Y, changed")
    assert window.threads.collapse_button.toolTip().endswith("(Ctrl+Alt+Y)")
    assert QApplication.focusWidget() is page.table
    shown_before = window.threads.isVisible()
    type_keys(Key.Key_B, CTRL)
    assert window.threads.isVisible() == shown_before
    type_keys(Key.Key_Y, CTRL | ALT)
    assert window.threads.isVisible() != shown_before


async def test_no_line_moves_by_new_keys(window: OpenWindow) -> None:
    page = await opened_page(window)
    page.search.setText("find in")
    rows = [row for row in range(page.table.rowCount()) if not page.table.isRowHidden(row)]

    def places() -> list[tuple[int, int]]:
        return [(page.table.rowViewportPosition(row), page.table.columnViewportPosition(1)) for row in rows]

    before = places()
    page.table.setCurrentCell(row_of(page, "find"), 0)
    page.capture.listen()
    type_keys(Key.Key_F7)
    await window.settled()
    assert keys_of(window, "find") == ["F7"]
    assert places() == before


async def test_new_keys_take_the_place_of_all_that_an_action_had(window: OpenWindow) -> None:
    window.services.preferences.path.write_text('[shortcuts]\nwrap_code = ["F8", "F9"]\n')
    page = await opened_page(window)
    go_to(page, "wrap_code")
    assert keys_of(window, "wrap_code") == ["F8", "F9"]
    assert page.capture.text() == "F8  ·  F9"
    type_keys(Key.Key_Return)
    type_keys(Key.Key_F9)
    await window.settled()
    assert written(window) == {"wrap_code": "F9"}
    type_keys(Key.Key_Delete)
    await window.settled()
    assert (written(window), keys_of(window, "wrap_code")) == ({"wrap_code": ""}, [])
    type_keys(Key.Key_Return)
    type_keys(Key.Key_F10)
    await window.settled()
    type_keys(Key.Key_Return)
    type_keys(Key.Key_Backspace)
    await window.settled()
    assert (written(window), keys_of(window, "wrap_code")) == ({"wrap_code": ""}, [])
    for _ in range(4):
        page.undo_requested.emit()
    await window.settled()
    assert keys_of(window, "wrap_code") == ["F8", "F9"]
    page.redo_requested.emit()
    await window.settled()
    assert keys_of(window, "wrap_code") == ["F9"]


@pytest.mark.parametrize("take", [True, False])
async def test_keys_of_another_action_are_told_and_can_be_taken_over(window: OpenWindow, take: bool) -> None:
    page = await opened_page(window)
    go_to(page, "attach_files")
    type_keys(Key.Key_F2)
    type_keys(Key.Key_N, CTRL)
    assert "New thread" in page.told.text()
    assert keys_of(window, "attach_files") == ["Ctrl+Shift+A"]
    assert QApplication.focusWidget() is page.replace
    before = keys_of(window, "new_thread")
    if not take:
        type_keys(Key.Key_Escape)
        assert written(window) == {}
        assert page.replace.isHidden()
        return
    type_keys(Key.Key_Return)
    await window.settled()
    assert keys_of(window, "attach_files") == ["Ctrl+N"]
    assert "Ctrl+N" not in keys_of(window, "new_thread")
    assert cells(page, row_of(page, "new_thread"))[2].endswith("changed")
    assert window.window.toast.words == "Taken from “New thread”."
    type_keys(Key.Key_Z, CTRL)
    await window.settled()
    assert (keys_of(window, "new_thread"), keys_of(window, "attach_files")) == (before, ["Ctrl+Shift+A"])


@pytest.mark.parametrize(
    ("key", "modifiers", "why"),
    [
        (Key.Key_C, Held.NoModifier, "typing"),
        (Key.Key_C, SHIFT, "typing"),
        (Key.Key_Return, Held.NoModifier, "Enter"),
        (Key.Key_Return, CTRL, "Enter"),
        (Key.Key_Tab, Held.NoModifier, "Tab"),
        (Key.Key_C, CTRL, "text fields"),
        (Key.Key_Z, CTRL, "text fields"),
        (Key.Key_C, CTRL | SHIFT, "In the thread"),
        (Key.Key_W, ALT, "find"),
    ],
)
async def test_keys_that_must_stay_out_are_refused_with_words(
    window: OpenWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier, why: str
) -> None:
    page = await opened_page(window)
    go_to(page, "show_usage")
    type_keys(Key.Key_F2)
    type_keys(key, modifiers)
    assert why in page.told.text()
    assert page.capture.listening
    type_keys(Key.Key_U, CTRL | ALT)
    await window.settled()
    assert written(window) == {"show_usage": "Ctrl+Alt+U"}


async def test_one_and_all_are_reset_and_that_can_be_undone(window: OpenWindow) -> None:
    (window.services.preferences.path).write_text('[shortcuts]\nfind = "F8"\nquote = ""\n')
    page = await opened_page(window)
    assert keys_of(window, "find") == ["F8"]
    go_to(page, "find")
    page.reset.click()
    await window.settled()
    assert written(window) == {"quote": ""}
    page.undo_requested.emit()
    await window.settled()
    page.reset_all.click()
    await window.settled()
    assert written(window) == {}
    assert keys_of(window, "quote") == ["Ctrl+Shift+B"]
    window.window.toast.button.click()
    await window.settled()
    assert written(window) == {"find": "F8", "quote": ""}
    page.reset_all.setFocus()
    type_keys(Key.Key_Space)
    await window.settled()
    assert (written(window), page.reset_all.isVisible()) == ({}, False)
    toast = window.window.toast
    assert toast.isVisible()
    type_keys(Key.Key_Z, CTRL)
    await window.settled()
    assert written(window) == {"find": "F8", "quote": ""}
    # its button would take back what was done before
    assert not toast.isVisible()


async def test_it_is_said_that_all_are_reset_also_where_that_is_one(window: OpenWindow) -> None:
    (window.services.preferences.path).write_text('[shortcuts]\nfind = "F8"\n')
    page = await opened_page(window)
    page.reset_all.click()
    await window.settled()
    assert window.window.toast.words == "All shortcuts are at their defaults."


async def test_that_no_shortcut_matches_is_said_beneath_the_search(window: OpenWindow) -> None:
    page = await opened_page(window)
    above = page.hint.y()
    page.search.setText("no such thing")
    await window.settled()
    assert (page.hint.y(), page.table.isVisible()) == (above, False)


async def test_words_and_keys_find_their_lines(window: OpenWindow) -> None:
    page = await opened_page(window)
    window.type("inspector pin", page.search)
    assert [(line.heading, line.words) for line in shown_lines(page)] == [
        ("In the inspector", ""),
        ("In the inspector", "Pin"),
    ]
    assert not page.capture.isEnabled()
    page.search.setText("ctrl+k")
    assert [line.words for line in shown_lines(page) if line.words] == ["Command palette"]
    page.search.setText("ctrl+alt+j")
    assert shown_lines(page) == []
    assert "ctrl+alt+j" in page.hint.text()
    type_keys(Key.Key_Escape)
    assert len(shown_lines(page)) > 60
    assert window.presenters.pages.page is page


async def test_what_is_wrong_in_the_file_is_told_and_the_default_counts(window: OpenWindow) -> None:
    window.services.preferences.path.write_text('[shortcuts]\nfind = "Strg+F"\nfnd = "F8"\nquote = "C"\ngo_to = 3\n')
    page = await opened_page(window)
    assert "shortcuts.find" in page.problems.text()
    assert "did you mean shortcuts.find" in page.problems.text()
    assert "shortcuts.quote" in page.problems.text()
    assert keys_of(window, "find")[0] == QKeySequence.keyBindings(QKeySequence.StandardKey.Find)[0].toString()
    window.shortcut("preferences")
    preferences = window.presenters.pages.page
    assert isinstance(preferences, PreferencesPage)
    await window.until(lambda: preferences.complete, "the rows")
    for told in ("shortcuts.find", "shortcuts.quote", "shortcuts.go_to"):
        assert told in preferences.problems.text()


async def test_the_preferences_lead_here_and_their_search_finds_it(window: OpenWindow) -> None:
    window.shortcut("preferences")
    preferences = window.presenters.pages.page
    assert isinstance(preferences, PreferencesPage)
    await window.until(lambda: preferences.complete, "the rows")
    await window.settled()
    window.type("shortcut", preferences.search)
    assert preferences.hits.text() == "1 setting"
    preferences.shortcuts.button.click()
    await window.settled()
    assert isinstance(window.presenters.pages.page, ShortcutsPage)
