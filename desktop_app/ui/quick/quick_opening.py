"""The quick line up to its first paint, where no window of this data folder is open. Never imports a controller."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from desktop_app.paths import DataPaths
from desktop_app.ui.quick.quick_window import QuickWindow
from desktop_app.ui.startup.application import read_appearance
from desktop_app.ui.state.window_state import WindowState


class QuickOpening:
    """The quick line as it is painted before anything else is loaded."""

    def __init__(self, app: QApplication, paths: DataPaths, *, safe_mode: bool = False) -> None:
        """`safe_mode`: without the settings of last time."""
        self.appearance = read_appearance(paths.settings, safe_mode=safe_mode)
        self.appearance.dress(app)
        self.state = WindowState(paths.window)
        self.window = QuickWindow(self.appearance.theme)
        self.window.set_text(self.state.quick_draft)
        self.window.appear()

    def keep_draft(self) -> None:
        """The line is closed before the rest of it is loaded: what was typed stays for the next time."""
        self.state.quick_draft = self.window.text()
