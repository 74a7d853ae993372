"""The place of the window's buttons beside a page: in the margins of its column, over its header."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop_app.ui.theme.theme import GRID, column, space

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's word for a widget that may be of any width."""


def stand_beside_column(bar: QWidget, row: QHBoxLayout, buttons: Sequence[QToolButton], *, list_shown: bool) -> None:
    """`buttons` for the list, a new thread and the menu: narrower where the margins are.

    What has no room there at all is not shown. Of the bar only they are left.
    """
    for_list, for_new, for_menu = buttons
    left, width = column(bar.width() - space("scroll"))
    right = bar.width() - left - width
    wanted = for_new.sizeHint().width()
    for_list.setVisible(not list_shown and for_list.iconSize().width() <= left)
    for_new.setVisible(not list_shown and GRID + 2 * (wanted + GRID // 2) <= left)
    _set_slim(for_list, left if left < wanted else None)
    _set_slim(for_menu, right if right < wanted else None)
    free = [max(0, min(GRID, room - wanted)) for room in (left, right)]
    row.setContentsMargins(free[0], 0, free[1], 0)
    row.activate()
    places = [button.geometry() for button in buttons if not button.isHidden()]
    bar.setMask(reduce(QRegion.united, map(QRegion, places)))


def stand_in_bar(bar: QWidget, row: QHBoxLayout, buttons: Sequence[QToolButton]) -> None:
    """Without a page they are as wide as they want to be, and the whole bar is there."""
    bar.clearMask()
    row.setContentsMargins(GRID, 0, GRID, 0)
    for button in buttons:
        _set_slim(button, None)


def _set_slim(button: QToolButton, width: int | None) -> None:
    """So many pixels wide, which its icon has to itself; None: as wide as it wants to be."""
    button.setMinimumWidth(width or 0)
    button.setMaximumWidth(width or QWIDGETSIZE_MAX)
    if bool(button.property("slim")) != bool(width):
        button.setProperty("slim", bool(width))
        button.style().polish(button)
