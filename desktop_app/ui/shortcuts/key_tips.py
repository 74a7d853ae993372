"""The way a button tells the keys of the action that it stands for."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.key_sequences import shown


class KeyTip(QObject):
    """Puts the action's keys behind the words of the button's tip, and keeps them true when they change."""

    def __init__(self, button: QAbstractButton, action: QAction) -> None:
        super().__init__(button)
        self._button = button
        self._action = action
        self._words = button.toolTip()
        action.changed.connect(self._tell)
        self._tell()

    def _tell(self) -> None:
        keys = shown(self._action.shortcut())
        told = tr("{words} ({keys})").format(words=self._words, keys=keys)
        self._button.setToolTip(told if keys else self._words)


def tell_keys(button: QAbstractButton, action: QAction) -> None:
    """Has a button's tip tell the keys of an action."""
    KeyTip(button, action)
