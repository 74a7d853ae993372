"""No default is among the keys that desktops keep for themselves: such keys never reach the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from desktop_app.ui.shortcuts.keymap import ROWS, default_keys

ARROWS = ("Left", "Right", "Up", "Down")
GRABBED = {
    "openbox": (
        *(f"{held}+{way}" for held in ("Ctrl+Alt", "Alt+Shift") for way in ARROWS),
        *("Alt+F4", "Alt+Esc", "Alt+Space", "Alt+Tab", "Alt+Shift+Tab", "Ctrl+Alt+Tab", "Print", "Alt+Print"),
    ),
    "GNOME": (
        *(f"{held}+{way}" for held in ("Ctrl+Alt", "Ctrl+Alt+Shift") for way in ARROWS),
        *(f"Alt+F{number}" for number in (1, 2, 4, 5, 6, 7, 8, 10)),
        *("Alt+Tab", "Alt+Shift+Tab", "Alt+Esc", "Alt+Space", "Alt+`", "Ctrl+Alt+Tab", "Ctrl+Alt+L", "Ctrl+Alt+T"),
        *("F10", "Print", "Shift+Print", "Alt+Print", "Ctrl+Alt+Shift+R", "Ctrl+Alt+Del"),
    ),
    "KDE Plasma": (
        *(f"Alt+F{number}" for number in (1, 2, 3, 4)),
        *(f"Ctrl+F{number}" for number in (1, 2, 3, 4, 7, 8, 9, 10, 11, 12)),
        *(f"Ctrl+Alt+{key}" for key in ("A", "D", "K", "L", "T", "V", "X", "Esc", "Del", *ARROWS)),
        *("Alt+Tab", "Alt+Shift+Tab", "Alt+`", "Alt+Space", "Alt+Shift+F12", "Print", "Shift+Print"),
    ),
    "Windows": (
        *("Alt+Tab", "Alt+Shift+Tab", "Ctrl+Alt+Tab", "Alt+F4", "Alt+Esc", "Alt+Space", "Ctrl+Esc", "Ctrl+Shift+Esc"),
        *("Ctrl+Alt+Del", "Print", "Alt+Print", "F10", "Ctrl+Shift+0"),
    ),
    # Ctrl is ⌘ there, Alt is ⌥, Meta is ⌃
    "macOS": (
        *("Ctrl+Space", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+H", "Ctrl+Alt+H", "Ctrl+M", "Ctrl+`", "Ctrl+Alt+Esc"),
        *("Ctrl+Shift+Q", "Ctrl+Alt+Shift+Q", "Ctrl+Alt+D", "Ctrl+F5", "Ctrl+Alt+F5", "F11"),
        *(f"Ctrl+Shift+{number}" for number in (3, 4, 5)),
        *(f"Meta+{key}" for key in (*ARROWS, "F2", "F3", "F4", "F5", "F6", "F7", "F8")),
    ),
    "input methods": ("Ctrl+Space", "Shift+Space", "Ctrl+Shift+U", "Ctrl+;", "Ctrl+."),
    "graphics drivers on Windows": ("Alt+Z", "Alt+R", "Alt+F9", "Alt+F10", "Alt+F12"),
}
"""By whom: what each keeps as it is installed."""


@pytest.fixture
def defaults(qapp: QApplication) -> list[tuple[str, QKeySequence]]:
    """Of every action: the first keys, which are the ones told; further ones may be without use on some desktop."""
    return [
        (row.id, keys)
        for row in ROWS
        for keys in {*default_keys(row.id)[:1], *([QKeySequence(row.fallback)] if row.fallback else [])}
    ]


@pytest.mark.parametrize("by", GRABBED)
def test_no_default_is_grabbed(by: str, defaults: list[tuple[str, QKeySequence]]) -> None:
    theirs = {QKeySequence(text) for text in GRABBED[by]}
    assert not any(keys.isEmpty() for keys in theirs)
    assert [(name, keys.toString()) for name, keys in defaults if keys in theirs] == []


def test_no_default_holds_what_switches_layouts_or_writes(defaults: list[tuple[str, QKeySequence]]) -> None:
    """Alt+Shift goes from one keyboard layout to the next in many places; ⌥ with a letter writes on macOS."""
    held = Qt.KeyboardModifier
    for name, keys in defaults:
        stroke = keys[0]  # type: ignore[index]
        with_held = stroke.keyboardModifiers()
        assert with_held != held.AltModifier | held.ShiftModifier, name
        writes = Qt.Key.Key_Space.value <= stroke.key().value <= Qt.Key.Key_ydiaeresis.value
        assert not (writes and with_held == held.AltModifier), name
