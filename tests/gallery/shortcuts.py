"""Shows the page of shortcuts: the line in which keys are changed, in every state, beneath the list."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app.ui.shortcuts.keymap import KeyMap, make_actions
from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

SAID = {"find": ("Ctrl+Alt+F", "F8"), "quote": (), "attach_files": ("Ctrl+K",)}


def fill(page: Page) -> None:
    """At rest, listening, refused, taken by another, changed, without keys, fixed; then the whole page."""
    _add(page, "At rest", {}, "go_to")
    _add(page, "It listens", {}, "go_to").capture.listen()
    for caption, keys in (
        ("What was pressed stays out", "C"),
        ("It is fixed somewhere", "Ctrl+Shift+C"),
        ("Another action has it", "Ctrl+F"),
    ):
        part = _add(page, caption, {}, "go_to")
        part.capture.listen()
        part.capture.heard.emit(QKeySequence(keys))
    _add(page, "Changed, with two", SAID, "find")
    _add(page, "Its default was given to another", SAID, "command_palette")
    fixed = _add(page, "Fixed", {}, "go_to")
    fixed.search.setText("inspector pin")
    _add(page, "The page", SAID, "find", height=60)
    _add(page, "What is wrong in the file is told", {"find": ("Strg+F",)}, "find", height=60)


def _add(
    page: Page, caption: str, said: Mapping[str, tuple[str, ...]], action: str, *, height: int = 0
) -> ShortcutsPage:
    """`height`: of the whole page, in steps of the grid; 0: the line beneath the list alone."""
    window = QWidget(page)
    window.hide()
    keymap = KeyMap(make_actions(window), window)
    keymap.take(said)
    whole = ShortcutsPage(page.theme, keymap, page)
    whole.reveal(action)
    whole.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if height:
        whole.setFixedSize(WIDTH, height * GRID)
    else:
        whole.hide()
    page.add(caption, whole if height else whole.bar)
    return whole
