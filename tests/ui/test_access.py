"""Everything can be reached with the keyboard, and everything has a name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QSlider, QWidget

from desktop_app.ui.gauge.popover import GaugePopover
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROLS = (QAbstractButton, QLineEdit, QPlainTextEdit, QSlider)


def unnamed(root: QWidget) -> list[QWidget]:
    """Controls below `root` that a screen reader could not name. Qt's own parts of a control are not counted."""
    found = []
    for widget in root.findChildren(QWidget):
        own = type(widget).__module__.startswith("desktop_app")
        control = isinstance(widget, CONTROLS) or (widget.focusPolicy() != Qt.FocusPolicy.NoFocus and own)
        inside = isinstance(widget.parentWidget(), QLineEdit)
        reader = QAccessible.queryAccessibleInterface(widget)
        if control and not inside and (reader is None or not reader.text(QAccessible.Text.Name)):
            found.append(widget)
    return found


async def test_every_control_has_an_accessible_name(window: OpenWindow) -> None:
    await window.send("hello")
    window.shortcut("show_gauge")
    assert window.composer.findChild(GaugePopover) is not None
    assert unnamed(window.window) == []
    window.shortcut("connections")
    await window.settled()
    assert unnamed(window.window) == []


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
    await window.until(lambda: window.desk.current is not None and window.desk.current.title == "alpha", "alpha")


async def test_shortcuts_are_not_given_twice(window: OpenWindow) -> None:
    keys = [key.toString() for action in window.window.actions_by_id.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert {"Ctrl+K", "Ctrl+N", "Ctrl+B", "F6", "Ctrl+Shift+G"} <= set(keys)
