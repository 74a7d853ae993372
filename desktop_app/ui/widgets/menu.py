"""Owns the menu that every menu of the window is."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.ui.widgets.floating import Floating

HIGHEST = 640
"""Pixels of any menu: what is longer, as a list of many projects, scrolls."""


class Menu(QMenu):
    """A menu in the look of all that floats; `open_at` opens it beneath a button and destroys it when it closes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaximumHeight(HIGHEST)
        Floating(self)

    def add_submenu(self, words: str) -> Menu:
        """A menu within this one."""
        submenu = Menu(self)
        submenu.setTitle(words)
        self.addMenu(submenu)
        return submenu

    def open_at(self, button: QWidget, *, end: bool = False) -> None:
        """Opens beneath a button, the left edges in line, with `end` the right ones."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        left = button.width() - self.sizeHint().width() if end else 0
        self.popup(button.mapToGlobal(QPoint(left, button.height())))
