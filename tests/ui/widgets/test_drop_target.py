"""The veil over a pane that something is dragged over."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.dragging import DropTarget


def test_its_painting_leaves_the_colours_of_the_theme_as_they_are(qtbot: QtBot) -> None:
    theme = load_theme("light")
    before = {role: QColor(color) for role, color in theme.colors.items()}
    pane = QWidget()
    qtbot.addWidget(pane)
    target = DropTarget(theme, pane, lambda: True)
    target.resize(300, 200)
    target.grab()
    # what is not opaque any more no longer covers the text that stood there before
    assert theme.colors == before
