"""The theme that counts now: the setting, or the system's choice where the setting follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.style import apply_theme
from desktop_app.ui.theme.theme import Theme, ThemeName

if TYPE_CHECKING:  # reading settings is only paid for where there are any
    from desktop_app.core.settings import AppearanceSettings, ThemeChoice


class Appearance(QObject):
    """Changes the theme when the setting or the system's color scheme changed."""

    def __init__(self, choice: ThemeChoice = "system", text_size: int = 11, parent: QObject | None = None) -> None:
        """`text_size` in points."""
        super().__init__(parent)
        self._choice: ThemeChoice = choice
        self.theme = Theme(self._name(), text_size)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._look_again)

    def dress(self, app: QApplication) -> None:
        """Gives the whole application the look that counts, now and after every change."""
        self._app = app
        self._apply_theme()
        self.theme.changing.connect(self._apply_theme)

    def take(self, settings: AppearanceSettings) -> None:
        """The setting as it is now."""
        self._choice = settings.theme
        self._change(settings.text_size)

    def _look_again(self, _scheme: object = None) -> None:
        self._change(self.theme.text_size)

    def _change(self, text_size: int) -> None:
        name = self._name()
        if (name, text_size) != (self.theme.name, self.theme.text_size):
            self.theme.change(name, text_size)

    def _name(self) -> ThemeName:
        if self._choice != "system":
            return self._choice
        return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"

    def _apply_theme(self) -> None:
        apply_theme(self._app, self.theme)
