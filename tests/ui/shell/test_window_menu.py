from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from tests.ui.open_window import OpenWindow

LOWEST_SCREEN = 720


def entries(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from entries(submenu)
        elif not action.isSeparator():
            yield action


@pytest.mark.slow
async def test_the_menu_and_its_submenus_are_one_column_on_a_low_screen(window: OpenWindow) -> None:
    QTest.mouseClick(window.window.header.menu_button, Qt.MouseButton.LeftButton)
    menu = next(one for one in window.window.header.findChildren(QMenu) if one.isVisible())
    submenus = [one for one in (action.menu() for action in menu.actions()) if isinstance(one, QMenu)]
    assert [one.title() for one in submenus] == ["Thread", "View"]
    for one in (menu, *submenus):
        assert one.sizeHint().height() < LOWEST_SCREEN
    shown = [action.text() for action in entries(menu)]
    assert len(shown) == len(set(shown))
    assert {"Larger text", "Smaller text", "Default text size", "Preferences", "Quit"} <= set(shown)
    menu.close()


@pytest.mark.slow
async def test_an_entry_of_a_submenu_acts(window: OpenWindow) -> None:
    QTest.mouseClick(window.window.header.menu_button, Qt.MouseButton.LeftButton)
    menu = next(one for one in window.window.header.findChildren(QMenu) if one.isVisible())
    view = next(action.menu() for action in menu.actions() if action.text() == "View")
    assert isinstance(view, QMenu)
    view.popup(menu.geometry().topLeft())
    before = window.session.appearance.theme.text_size
    larger = next(action for action in view.actions() if action.text() == "Larger text")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.actionGeometry(larger).center())
    await window.settled()
    assert window.session.appearance.theme.text_size > before
