"""The way actions make the panes beside the conversation wider and narrower. Uses no keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.theme.theme import GRID

STEP: Final = 4 * GRID
"""Pixels of one step."""


class PaneWidths:
    """The thread list and the inspector of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def steps(self) -> Mapping[str, Callable[..., None]]:
        """The function of each action that changes a width, by its id."""
        return {
            "widen_threads": partial(self._widen_threads, STEP),
            "narrow_threads": partial(self._widen_threads, -STEP),
            "widen_inspector": partial(self._widen_inspector, STEP),
            "narrow_inspector": partial(self._widen_inspector, -STEP),
        }

    def why_not(self, action: str) -> str:
        """Why the action can do nothing now, as one sentence; empty where it can."""
        wider, threads = action.startswith("widen"), action.endswith("threads")
        widths = self._threads_widths() if threads else self._inspector_widths()
        if widths is None:
            return tr("The thread list is hidden.") if threads else tr("The context inspector is closed.")
        least, width, most = widths
        if wider and width >= most:
            return tr("Largest width reached")
        return tr("Smallest width reached") if not wider and width <= least else ""

    def _threads_widths(self) -> tuple[int, int, int] | None:
        if self._window.list_slot.over:
            return (self._window.threads.width(),) * 3
        edge = self._window.splitter.edge_of(self._window.threads)
        return edge.widths if edge is not None else None

    def _inspector_widths(self) -> tuple[int, int, int] | None:
        slot = self._window.inspector
        if not slot.shown:
            return None
        edge = self._window.splitter.edge_of(slot)
        return edge.widths if edge is not None else slot.overlaid_widths

    def _widen_threads(self, pixels: int, _checked: bool = False) -> None:
        edge = self._window.splitter.edge_of(self._window.threads)
        if edge is not None:
            edge.widen(pixels)
            self._say(self._window.threads.width())

    def _widen_inspector(self, pixels: int, _checked: bool = False) -> None:
        slot = self._window.inspector
        edge = self._window.splitter.edge_of(slot)
        if edge is not None:
            edge.widen(pixels)
        elif slot.shown:
            slot.widen_overlaid(pixels)
        else:
            return
        self._say(slot.width())

    def _say(self, width: int) -> None:
        if QAccessible.isActive():
            words = tr("{count} pixels wide").format(count=width)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, words))
