"""The entries of a menu with those of its submenus, as tests find and press them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu


def entries_of(menu: QMenu | None) -> dict[str, QAction]:
    """Every entry by its words, at whatever level; submenus among them."""
    assert menu is not None
    found: dict[str, QAction] = {}
    for action in menu.actions():
        if action.text():
            found[action.text()] = action
        if isinstance(inside := action.menu(), QMenu):
            found |= entries_of(inside)
    return found


def levels_of(menu: QMenu) -> list[QMenu]:
    """The menu and every submenu, at whatever level, in order."""
    found = [menu]
    for action in menu.actions():
        if isinstance(inside := action.menu(), QMenu):
            found += levels_of(inside)
    return found


def click_entry(menu: QMenu | None, *words: str) -> None:
    """Opens submenus with the arrow key and clicks with the mouse on the last of these words."""
    for word in words:
        assert menu is not None
        entry = next(action for action in menu.actions() if action.text() == word)
        if isinstance(inside := entry.menu(), QMenu):
            menu.setActiveAction(entry)
            QTest.keyClick(menu, Qt.Key.Key_Right)
            menu = inside
        else:
            QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
