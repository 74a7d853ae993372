"""The control of a setting that names a model: a button that opens the list of models. Asks no connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.core.model_catalog import shipped_name
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.preferences.setting_controls import Control
from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import ElidedButton

if TYPE_CHECKING:  # imported with the first click
    from desktop_app.ui.models.model_menu import ModelMenu


class ModelControl(Control):
    """The default, the models on offer, or an ID that is written in the list's field of search.

    A click asks for the choices, which `show_choices` then opens.
    """

    models_requested = Signal()

    def __init__(self, theme: Theme, backend: str, parent: QWidget) -> None:
        """`backend`: whose models are offered; "": those of all connections, each ID once."""
        super().__init__(parent)
        self._theme = theme
        self._backend = backend
        self._value: str | None = None
        self._name = ""
        self._names: dict[str, str] = {}  # of models, as their connections call them
        self.menu_shown: ModelMenu | None = None
        self.button = ElidedButton(theme, self)
        set_icon(self.button, "chevron", theme, size=12)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.button.clicked.connect(self.models_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self.button)

    @property
    def own_model(self) -> tuple[str, str] | None:
        """The connection and the model that the setting names; None: the default, or a model of any connection."""
        return (self._backend, self._value) if self._backend and self._value else None

    def set_name(self, name: str, description: str) -> None:
        self._name = name
        self.button.setAccessibleDescription(description)
        self._show_words()

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = str(value) if value is not None else None
        self._show_words()

    @property
    def parts(self) -> list[QWidget]:
        return [self.button]

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the list, what counts marked and under the keyboard."""
        from desktop_app.ui.models.model_menu import ModelMenu

        offered = self._offered(choices)
        chosen = next((one.key for one in offered if one.model == (self._value or "") and one.available), None)
        menu = self.menu_shown = ModelMenu(self._theme, chosen, self.button, connections=False)
        menu.take_typed(self._backend)
        menu.chosen.connect(self._choose)
        menu.hidden.connect(self._forget)
        menu.show_choices(offered)
        menu.open_at(self.button, end=True)

    def update_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Shows later facts in the open list."""
        if self.menu_shown is not None:
            self.menu_shown.show_choices(self._offered(choices))

    # --- inside

    def _offered(self, choices: Sequence[ModelChoice]) -> Sequence[ModelChoice]:
        """The default first; of the open thread's costs nothing is said."""
        offered = {"": ModelChoice("", "", "", self.tr("Default"))}
        if self._value and not any(choice.model == self._value for choice in choices):
            offered[self._value] = ModelChoice("", "", self._value, self._value)
        further = []  # connections without a model
        for choice in choices:
            if self._backend not in ("", choice.backend):
                continue
            plain = replace(choice, lacks=(), anew="", recent=0)
            if choice.available:
                offered.setdefault(choice.model, plain)
                self._names[choice.model] = choice.model_name
            elif self._backend:
                further.append(plain)
        return (*offered.values(), *further)

    def _choose(self, _backend: str, model: str) -> None:
        if (model or None) != self._value:
            self.chosen.emit(model or None)

    def _forget(self) -> None:
        if self.menu_shown is not None:
            self.menu_shown.deleteLater()
            self.menu_shown = None

    def _show_words(self) -> None:
        words = self.tr("Default")
        if self._value:
            words = self._names.get(self._value) or shipped_name(self._value, self._backend or None)
        self.button.setText(words)
        self.button.setAccessibleName(f"{self._name}: {words}")
