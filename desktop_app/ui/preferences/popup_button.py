"""The button that shows one of several values and opens a menu to choose another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import ElidedButton
from desktop_app.ui.widgets.floating import Menu


class PopupButton(ElidedButton):
    """`chosen(value)`: another one was chosen, in the menu or by Up and Down, which step without opening it."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, options: Mapping[Any, str], parent: QWidget) -> None:
        """`options`: the words of each value, in order."""
        super().__init__(theme, parent)
        self.options = options
        self.value: object = None
        self.menu_shown: Menu | None = None
        set_icon(self, "chevron", theme, size=12)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.clicked.connect(self.open)

    def show_value(self, value: object, words: str = "") -> None:
        """`words`: what stands for a value that is none of the options."""
        self.value = value
        self.setText(self.options.get(value, words))

    def open(self) -> None:
        """The menu, with what is chosen marked and under the keyboard."""
        menu = self.menu_shown = Menu(self)
        menu.setAccessibleName(self.accessibleName())
        group = QActionGroup(menu)
        for value, words in self.options.items():
            action = menu.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(value == self.value)
            action.triggered.connect(lambda _on=False, wished=value: self.chosen.emit(wished))
            group.addAction(action)
            if value == self.value:
                menu.setActiveAction(action)
        menu.open_at(self, end=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        values = list(self.options)
        at = values.index(self.value) + step if self.value in values else 0
        if 0 <= at < len(values):
            self.chosen.emit(values[at])
