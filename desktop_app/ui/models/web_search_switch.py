"""The switch beside the model that lets the provider search the web for answers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.ui.theme.icons import icon
from desktop_app.ui.theme.theme import Theme


class WebSearchSwitch(QToolButton):
    """Shown only where the model can search the web. `chosen(on)`: the user has switched it."""

    chosen = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setProperty("kind", "switch")
        self.setAccessibleName(self.tr("Search the web"))
        self.clicked.connect(self._choose)
        self._theme = theme
        theme.follow(self._apply_theme)
        self.hide()

    def _apply_theme(self) -> None:
        self.setIcon(icon("globe", self._theme, "accent" if self.isChecked() else "text-secondary"))

    def show_state(self, on: bool | None, price: str = "") -> None:
        """Show whether it is on, and the price of a search; None: the model can't search."""
        self.setVisible(on is not None)
        self.setChecked(bool(on))
        state = self.tr("Web search is on") if on else self.tr("Search the web")
        self.setToolTip(f"{state}. {price}" if price else state)
        self.setAccessibleDescription(price)
        self._apply_theme()

    def _choose(self, on: bool) -> None:
        self._apply_theme()
        self.chosen.emit(on)
