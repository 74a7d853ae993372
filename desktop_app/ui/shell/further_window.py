"""A further window of the process: how it is made and where it stands. Imported when there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize

from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.opening import furnish
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import COLUMN, GRID, Theme

WIDTH: Final = COLUMN + 6 * GRID
"""Of a window that shows one thread, without the list: the reading column and what stands beside it."""
STEP: Final = 5 * GRID
"""From the upper left corner of the window that it was opened from."""


def further_window(theme: Theme, place: Callable[[MainWindow], None]) -> MainWindow:
    """A window with panes and without a thread, in view; `place` puts it somewhere before."""
    window = MainWindow(theme)
    place(window)
    window.stage.set_empty(True)
    window.composer.focus_editor()
    window.show()
    window.raise_()
    window.activateWindow()
    return window


def put_back(window: MainWindow, state: WindowState, others: Sequence[MainWindow]) -> None:
    """Put a window back in its place; a step aside where another would lie right beneath it, as the screen is
    another one.
    """
    furnish(window, state)
    # a frame, which it has none of yet, may stand between the two
    while any((window.pos() - other.pos()).manhattanLength() < STEP for other in others):
        window.move(window.pos() + QPoint(STEP, STEP))


def place_beside(window: MainWindow, other: MainWindow) -> None:
    """As high as the other and a step aside, in view of the same screen; for one thread, so without the list."""
    window.list_slot.want(False)
    room = other.screen().availableGeometry()
    frame = other.frameGeometry().size() - other.size()
    usual = QSize(min(WIDTH, other.normalGeometry().width()), other.normalGeometry().height())
    window.resize(usual.boundedTo(room.size() - frame))
    place = QRect(other.pos() + QPoint(STEP, STEP), window.size() + frame)
    place.moveRight(min(place.right(), room.right()))
    place.moveBottom(min(place.bottom(), room.bottom()))
    window.move(max(place.left(), room.left()), max(place.top(), room.top()))
