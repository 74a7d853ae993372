"""The place of the thread list: beside the conversation, or over it in a narrow window until something is chosen.

Knows nothing of its inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_app.ui.theme.theme import GRID, Theme

if TYPE_CHECKING:  # for a narrow window alone
    from desktop_app.ui.shell.list_overlay import ListOverlay

OVERLAY_BELOW: Final = 80 * GRID
"""Width of the window in pixels, at the usual text size, below which the list lies over the conversation."""


class ListSlot(QObject):
    """The place of the list in a window."""

    shown_changed = Signal(bool)

    def __init__(self, theme: Theme, splitter: QSplitter, threads: QWidget, window: QWidget) -> None:
        """`threads` is the first pane of the splitter."""
        super().__init__(window)
        self._theme, self._splitter, self._threads, self._window = theme, splitter, threads, window
        self._wanted = True  # in a window that is wide enough
        self._overlay: ListOverlay | None = None
        theme.changed.connect(self.fit)

    @property
    def wanted(self) -> bool:
        """True where a window that is wide enough shows the list."""
        return self._wanted

    @property
    def over(self) -> bool:
        """True where the list lies over the conversation now."""
        return self._overlay is not None and self._overlay.holds_list

    @property
    def shown(self) -> bool:
        """True where the list is seen now."""
        return self.over or (self._wanted and not self._is_narrow)

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < self._theme.pixels(OVERLAY_BELOW)

    def set_shown(self, shown: bool) -> None:
        """Shows or hides the list; in a narrow window only until something is chosen in it."""
        if not self._is_narrow:
            self.want(shown)
        elif shown:
            if self._overlay is None:
                from desktop_app.ui.shell.list_overlay import ListOverlay

                self._overlay = ListOverlay(self._theme, self._splitter, self._threads, self._window)
                self._overlay.left.connect(self.leave)
            self._overlay.take_list()
            self.fit()
        else:
            self.leave()

    def want(self, shown: bool) -> None:
        """Set whether the list is shown wherever the window is wide enough; a narrow one opens without it."""
        self._wanted = shown
        self.fit()

    def leave(self) -> bool:
        """Takes the list off the conversation; False where it does not lie there."""
        if self._overlay is None or not self._overlay.give_back():
            return False
        self.fit()
        return True

    def fit(self) -> None:
        """The window has another width, or the text another size."""
        if self.over and not self._is_narrow:
            self._wanted = True
            self.leave()
            return
        if self._overlay is not None and self.over:
            self._overlay.fit()
        else:
            self._threads.setVisible(self.shown)
        self.shown_changed.emit(self.shown)
