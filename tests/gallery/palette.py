"""Shows the rows of the command palette: each kind, what was typed marked in them, names that are too long."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop_app.ui.palette.palette_entries import PaletteEntry, PaletteRow
from desktop_app.ui.palette.palette_overlay import PaletteDelegate, PaletteRows, PaletteView
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

LONG = "Donaudampfschifffahrtsgesellschaftskapitän und andere sehr lange deutsche Wörter in einem Titel"
ALL = (
    PaletteRow(PaletteEntry("action", "new", "New thread", shortcut="Ctrl+N", icon="compose"), first=True),
    PaletteRow(PaletteEntry("action", "rest", "Send the draft", shortcut="Ctrl+Return")),
    PaletteRow(PaletteEntry("prompt", "p", "Summarize for the board", "Summarize {{text}} in five lines."), first=True),
    PaletteRow(PaletteEntry("thread", "1", "Ring buffer in Python", "Harbour"), first=True),
    PaletteRow(PaletteEntry("thread", "2", "A private one", private=True)),
    PaletteRow(PaletteEntry("thread", "3", LONG, "A project with a long name, too")),
    PaletteRow(PaletteEntry("model", "m", "Claude Sonnet", "Anthropic API", chosen=True), first=True),
)
FOUND = (
    PaletteRow(PaletteEntry("action", "a", "Switch the theme", shortcut="Ctrl+Shift+T"), "them", first=True),
    PaletteRow(PaletteEntry("thread", "t", "Whose theme it is, and what the others make of them"), "them", first=True),
    PaletteRow(PaletteEntry("thread", "l", f"{LONG} them"), "them"),
)


def fill(page: Page) -> None:
    """Lists without the field above them."""
    page.add("Every kind: an action, a prompt, threads, a model that is chosen", _list(page, ALL, 0))
    page.add("What was typed is marked; the second row is chosen", _list(page, FOUND, 1))


def _list(page: Page, rows: Sequence[PaletteRow], current: int) -> QFrame:
    frame = QFrame(page)
    frame.setProperty("kind", "popover")
    view = PaletteView(page.theme, frame)
    model = PaletteRows(view)
    view.setModel(model)
    delegate = PaletteDelegate(page.theme, view)
    view.setItemDelegate(delegate)
    view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    model.show(rows)
    view.setCurrentIndex(model.index(current, 0))
    column = QVBoxLayout(frame)
    column.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
    column.addWidget(view)
    frame.setFixedWidth(WIDTH)
    view.setFixedHeight(sum(view.sizeHintForRow(row) for row in range(len(rows))) + GRID // 2)
    return frame
