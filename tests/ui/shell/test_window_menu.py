"""The window's menu: at most ten entries at a level, in groups, one column on a low screen, nothing that rests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop_app.ui.shell.window_menu import SUBMENUS, TOP, window_menu
from tests.ui.menus import click_entry, levels_of
from tests.ui.open_window import OpenWindow

LOWEST_SCREEN = 720
MOST = 10


def opened(window: OpenWindow) -> QMenu:
    """The window's menu, as a click on its button opens it."""
    QTest.mouseClick(window.window.header.menu_button, Qt.MouseButton.LeftButton)
    return next(one for one in window.window.header.findChildren(QMenu) if one.isVisible() and not one.title())


def entries(menu: QMenu) -> Iterator[QAction]:
    """What acts, at whatever level."""
    for level in levels_of(menu):
        yield from (action for action in level.actions() if not action.isSeparator() and action.menu() is None)


def test_at_most_ten_entries_at_one_level() -> None:
    for entries_of_level in (TOP, *SUBMENUS.values()):
        assert len([one for one in entries_of_level if one is not None]) <= MOST
    named = [one for one in chain(TOP, *SUBMENUS.values()) if one is not None]
    assert len(named) == len(set(named)), "nothing is offered twice"


def test_what_testers_did_not_find_under_view_is_not_there() -> None:
    assert {"show_usage", "show_trash"} <= set(TOP)
    assert "show_backups" in SUBMENUS["transfer"]
    assert "transfer" in TOP


@pytest.mark.slow
async def test_every_level_is_one_column_on_a_low_screen(window: OpenWindow) -> None:
    menu = opened(window)
    titles = [one.title() for one in levels_of(menu)][1:]
    assert titles == ["New", "Thread", "View", "Theme", "Import, export, backups", "Connections and tools", "Help"]
    for one in levels_of(menu):
        assert one.sizeHint().height() < LOWEST_SCREEN
        lefts = {one.actionGeometry(action).left() for action in one.actions()}
        assert len(lefts) == 1, "one column"
    shown = [action.text() for action in entries(menu)]
    assert len(shown) == len(set(shown))
    assert {"Larger text", "Smaller text", "Default text size", "Preferences", "Usage", "Trash", "Quit"} <= set(shown)
    assert menu.actions()[-1].shortcut().toString() == "Ctrl+Q"
    menu.close()


@pytest.mark.slow
async def test_more_entries_than_the_screen_is_high_scroll_and_make_no_second_column(window: OpenWindow) -> None:
    menu = window_menu(window.window.actions_by_id, window.window.header)
    for number in range(60):
        menu.addAction(f"entry {number}")
    menu.popup(window.window.pos())
    assert len({menu.actionGeometry(action).left() for action in menu.actions()}) == 1
    menu.close()


@pytest.mark.slow
async def test_what_a_page_covers_is_left_out(window: OpenWindow) -> None:
    window.shortcut("preferences")
    await window.until(lambda: window.presenters.pages.page, "the page")
    shown = list(entries(opened(window)))
    assert all(action.isEnabled() for action in shown)
    assert "Find in this thread" not in [action.text() for action in shown]


@pytest.mark.slow
async def test_an_entry_of_a_submenu_acts(window: OpenWindow) -> None:
    before = window.session.appearance.theme.text_size
    click_entry(opened(window), "View", "Larger text")
    await window.settled()
    assert window.session.appearance.theme.text_size > before


def test_no_menu_is_made_beside_the_one_look() -> None:
    """Every menu but the tray's, which the system draws, is a `Menu`: one radius, one shadow."""
    from pathlib import Path

    from desktop_app import ui

    folder = Path(ui.__file__).parent
    made = {
        f"{path.parent.name}/{path.name}"
        for path in folder.rglob("*.py")
        if re.search(r"\bQMenu\(|\(QMenu\)", path.read_text("utf-8"))
    }
    assert made == {"desktop/notifications.py", "widgets/floating.py"}


@pytest.mark.slow
async def test_check_marks_say_which_panes_are_shown_and_a_click_changes_it(window: OpenWindow) -> None:
    def checked() -> dict[str, bool]:
        menu = opened(window)
        found = {one.text(): one.isChecked() for one in entries(menu) if one.isCheckable()}
        menu.close()
        return found

    assert checked() == {
        "Thread list": True,
        "Context inspector": False,
        "System": True,
        "Light": False,
        "Dark": False,
    } | {name: False for name in checked() if name == "Artifacts"}
    menu = opened(window)
    click_entry(menu, "View", "Context inspector")
    await window.settled()
    assert window.window.inspector.shown
    assert checked()["Context inspector"]
    click_entry(opened(window), "View", "Thread list")
    await window.settled()
    assert not window.threads.isVisible()
    assert not checked()["Thread list"]


@pytest.mark.slow
async def test_the_keys_of_an_entry_stay_those_of_its_action(window: OpenWindow) -> None:
    menu = window_menu(window.window.actions_by_id, window.window.header)
    entry = next(one for one in entries(menu) if one.text() == "Context inspector")
    assert entry.shortcut().toString() == "Ctrl+I"
    window.window.activateWindow()
    window.press(Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier, window.editor)
    await window.settled()
    assert window.window.inspector.shown, "they mean one thing"
    menu.deleteLater()


@pytest.mark.slow
async def test_the_thread_of_the_menu_is_pinned_and_unpinned(window: OpenWindow) -> None:
    await window.send("hello")
    click_entry(opened(window), "Thread", "Pin")
    await window.settled()
    assert (await window.thread()).pinned
    shown = [action.text() for action in entries(opened(window))]
    assert "Unpin" in shown
    assert "Open in new window" in [action.text() for action in levels_of(opened(window))[2].actions()]
