"""The buttons for what will answer: the model, which opens the choices, and the parameters of the thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.ui.theme.theme import Theme, set_icon
from desktop_app.ui.widgets.parts import ElidedButton

if TYPE_CHECKING:
    from desktop_app.ui.models.model_choice import ModelChoice
    from desktop_app.ui.models.model_menu import ModelMenu
    from desktop_app.ui.models.parameters_popover import ParametersPopover, ThreadParameters


class ModelPicker(ElidedButton):
    """Shows `Sonnet 5.5 · Claude program`, or `Sonnet 5.5 · high` where the thread asks for more than a model.

    A click asks for the choices, which `show_choices` then opens.
    """

    choices_requested = Signal()
    model_chosen = Signal(str, str)  # backend, model
    connections_requested = Signal()
    for_new_requested = Signal(str, str)  # backend, model
    model_shown = Signal(str)  # its name, "" while none is chosen

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setProperty("kind", "quiet")
        set_icon(self, "chevron", theme, size=12)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.clicked.connect(self.choices_requested)
        self.menu_shown: ModelMenu | None = None
        self._parameters: tuple[str, ...] = ()
        self._last: tuple[str, str] | None = None
        self.show_choice(None)

    @property
    def choice(self) -> ModelChoice | None:
        """The model that would answer now."""
        return self._choice

    def show_choice(self, choice: ModelChoice | None) -> None:
        """Show the model that will answer; None while nothing is chosen."""
        self._choice, self._last = choice, None
        self._show_words()

    @property
    def shown(self) -> tuple[tuple[str, str], tuple[str, ...]]:
        """The values that `show_last` shows again: model and backend, and the parameters asked of it."""
        choice = self._choice
        last = self._last or ("", "")
        return ((choice.model_name, choice.backend_title) if choice is not None else last), self._parameters

    def show_last(self, model: tuple[str, str], parameters: tuple[str, ...]) -> None:
        """The model and backend of last time, until it is known what will answer; empty: nothing is said yet."""
        self._last, self._parameters = model, parameters
        self._show_words()

    def show_parameters(self, words: tuple[str, ...]) -> None:
        """Show what the thread asks of its model beside the defaults."""
        if words != self._parameters:
            self._parameters = words
            self._show_words()

    def _show_words(self) -> None:
        choice = self._choice
        named = (choice.model_name, choice.backend_title) if choice is not None else self._last
        if named is None:
            words = told = self.tr("Choose a model")
        else:
            words = " · ".join(filter(None, (named[0], *(self._parameters or named[1:]))))
            told = ", ".join(filter(None, (*named, *self._parameters)))
        self.setText(words)
        self.model_shown.emit(named[0] if named is not None else "")
        self.setToolTip(told if named is not None and self._parameters else "")
        self.setAccessibleName(self.tr("Model: {words}").format(words=told if self._parameters else words))

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the menu, grouped by backend, each model with its window and price."""
        from desktop_app.ui.models.model_menu import ModelMenu

        chosen = self._choice.key if self._choice is not None else None
        menu = self.menu_shown = ModelMenu(self._theme, chosen, self)
        menu.chosen.connect(self.model_chosen)
        menu.connections_requested.connect(self.connections_requested)
        menu.for_new_requested.connect(self.for_new_requested)
        menu.hidden.connect(self._forget)
        menu.show_choices(choices)
        menu.open_at(self)

    def update_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Shows later facts in the open menu."""
        if self.menu_shown is not None:
            self.menu_shown.show_choices(choices)

    def _forget(self) -> None:
        if self.menu_shown is not None:
            self.menu_shown.deleteLater()
            self.menu_shown = None


class ParametersButton(QToolButton):
    """A click asks for the parameters, which `open` then shows above it."""

    wanted = Signal()
    parameters_chosen = Signal(object)  # Parameters
    recall_chosen = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.popover: ParametersPopover | None = None
        self.clicked.connect(self.wanted)
        self._theme = theme
        set_icon(self, "tune", theme)
        self.show_differences(())

    def show_differences(self, words: tuple[str, ...]) -> None:
        """Show the differences from the defaults, for the pointer and for screen readers."""
        name = self.tr("Parameters of this thread")
        told = f"{name}: {', '.join(words)}" if words else name
        self.setToolTip(told)
        self.setAccessibleName(told)

    def open(self, shown: ThreadParameters) -> None:
        """Opens the popover, or shows other parameters in the open one."""
        from desktop_app.ui.models.parameters_popover import ParametersPopover

        if self.popover is not None:
            self.popover.show_parameters(shown)
            return
        popover = self.popover = ParametersPopover(self._theme, shown, self)
        popover.parameters_chosen.connect(self.parameters_chosen)
        popover.recall_chosen.connect(self.recall_chosen)
        popover.hidden.connect(self._forget)
        popover.open_at(self)

    def _forget(self) -> None:
        if self.popover is not None:
            self.popover.deleteLater()
            self.popover = None
