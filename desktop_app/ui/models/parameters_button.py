"""The button that opens a thread's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import Theme

if TYPE_CHECKING:  # imported with the first click
    from desktop_app.ui.models.parameters_popover import ParametersPopover
    from desktop_app.ui.models.thread_parameters import ThreadParameters


class ParametersButton(QToolButton):
    """A click asks for the parameters, which `open` then shows above it."""

    wanted = Signal()
    parameters_chosen = Signal(object)  # Parameters
    recall_chosen = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._popover: ParametersPopover | None = None
        self.clicked.connect(self.wanted)
        self._theme = theme
        set_icon(self, "tune", theme)
        self.show_differences(())

    @property
    def popover(self) -> ParametersPopover | None:
        """The open popover."""
        return self._popover

    def show_differences(self, words: tuple[str, ...]) -> None:
        """Show the differences from the defaults, for the pointer and for screen readers."""
        name = self.tr("Parameters of this thread")
        told = f"{name}: {', '.join(words)}" if words else name
        self.setToolTip(told)
        self.setAccessibleName(told)

    def open(self, shown: ThreadParameters) -> None:
        """Opens the popover, or shows other parameters in the open one."""
        from desktop_app.ui.models.parameters_popover import ParametersPopover

        if self._popover is not None:
            self._popover.show_parameters(shown)
            return
        popover = self._popover = ParametersPopover(self._theme, shown, self)
        popover.parameters_chosen.connect(self.parameters_chosen)
        popover.recall_chosen.connect(self.recall_chosen)
        popover.hidden.connect(self._forget)
        popover.open_at(self)

    def _forget(self) -> None:
        if self._popover is not None:
            self._popover.deleteLater()
            self._popover = None
