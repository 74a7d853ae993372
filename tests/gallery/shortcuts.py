"""Shows the box in which keys are changed, in every state, and the list. Owns a window with the actions of the app."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app.ui.shortcuts.keymap import KeyMap, make_actions
from desktop_app.ui.shortcuts.shortcut_editor import KeysEditor, lines_of, places
from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

SAID = {"find": ("Ctrl+Alt+F", "F8"), "quote": (), "attach_files": ("Ctrl+K",)}


def fill(page: Page) -> None:
    """At rest, listening, refused, taken by another, changed, without keys, fixed; then the whole page."""
    page.add("At rest", _box(page, {}, "go_to"))
    listening = _box(page, {}, "go_to")
    listening.buttons[0].show_listening()
    page.add("It listens", listening)
    for caption, keys in (
        ("What was pressed stays out", "C"),
        ("It is fixed somewhere", "Ctrl+Shift+C"),
        ("Another action has it", "Ctrl+F"),
    ):
        box = _box(page, {}, "go_to")
        box.add.heard.emit(QKeySequence(keys))
        page.add(caption, box)
    page.add("Changed, with two", _box(page, SAID, "find"))
    page.add("Its default was given to another", _box(page, SAID, "command_palette"))
    page.add("Fixed", _box(page, {}, "", fixed="Pin"))
    for caption, said in (("The page", SAID), ("What is wrong in the file is told", {"find": ("Strg+F",)})):
        whole = ShortcutsPage(page.theme, _keymap(page, said), page)
        whole.reveal("find")
        whole.setFixedSize(WIDTH, 60 * GRID)
        whole.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page.add(caption, whole)


def _keymap(page: Page, said: Mapping[str, tuple[str, ...]]) -> KeyMap:
    window = QWidget(page)
    window.hide()
    keymap = KeyMap(make_actions(window), window)
    keymap.take(said)
    return keymap


def _box(page: Page, said: Mapping[str, tuple[str, ...]], action: str, *, fixed: str = "") -> KeysEditor:
    keymap = _keymap(page, said)
    box = KeysEditor(page.theme, keymap, page)
    lines = (one for one in lines_of(keymap, places()) if one.kind == ("fixed" if fixed else "action"))
    box.show_line(next(one for one in lines if one.id == action and fixed in one.words))
    return box
