"""One theme counts: who follows it hears of every change, once, and whoever is gone is not asked any more."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.theme import Theme, load_theme, set_icon


class Follower(QLabel):
    """Counts how often it was told, and what the theme was then."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.seen: list[tuple[str, int, float]] = []
        theme.set_font("small", self)
        theme.follow(self.apply)

    def apply(self) -> None:
        self.seen.append((self.theme.name, self.theme.text_size, self.font().pointSizeF()))


def test_a_change_is_heard_once_and_fonts_come_first(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    follower = Follower(theme)
    qtbot.addWidget(follower)
    small = follower.font().pointSizeF()
    theme.change("dark", 22)
    assert follower.seen == [("light", 11, small), ("dark", 22, small + 11)]
    assert theme.color("background") == load_theme("dark").color("background")


def test_who_is_deleted_is_not_asked(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    follower = Follower(theme)
    follower.deleteLater()
    QCoreApplication.sendPostedEvents(follower, QEvent.Type.DeferredDelete)
    theme.change("dark", 11)
    assert len(follower.seen) == 1


def test_icons_are_drawn_in_the_new_color_and_size(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    button, label = QPushButton(), QLabel()
    for place in (button, label):
        qtbot.addWidget(place)
        set_icon(place, "close", theme)
    light, small = button.icon().pixmap(16).toImage(), label.pixmap().width()
    theme.change("dark", 22)
    assert button.icon().pixmap(16).toImage() != light
    assert label.pixmap().width() == 2 * small
