"""Owns which theme counts now: the setting, or the system's choice where the setting follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from desktop_app.ui.theme.theme import Theme, ThemeName, load_theme

if TYPE_CHECKING:  # reading settings is only paid for where there are any
    from desktop_app.core.settings import AppearanceSettings, ThemeChoice


class Appearance(QObject):
    """Announces a new theme when the setting or the system's colour scheme changed."""

    theme_changed = Signal(object)  # Theme

    def __init__(self, choice: ThemeChoice = "system", text_size: int = 11, parent: QObject | None = None) -> None:
        """`text_size` in points."""
        super().__init__(parent)
        self._choice: ThemeChoice = choice
        self._text_size = text_size
        self.theme = self._wanted()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._look_again)

    def take(self, settings: AppearanceSettings) -> None:
        """The setting as it is now."""
        self._choice, self._text_size = settings.theme, settings.text_size
        self._look_again()

    def _look_again(self, _scheme: object = None) -> None:
        wanted = self._wanted()
        if (wanted.name, wanted.text_size) != (self.theme.name, self.theme.text_size):
            self.theme = wanted
            self.theme_changed.emit(wanted)

    def _wanted(self) -> Theme:
        name: ThemeName
        if self._choice == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            name = "dark" if dark else "light"
        else:
            name = self._choice
        return load_theme(name, self._text_size)
