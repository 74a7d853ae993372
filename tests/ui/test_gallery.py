"""The gallery shows every group in both themes, without data and without what the window's start avoids."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.ui.gauge.gauge_strip import GaugeStrip
from desktop_app.ui.theme.theme import load_theme
from tests.gallery.groups import GROUPS, page_of
from tests.gallery.page import Page
from tests.gallery.window import GalleryWindow
from tests.patience import PATIENCE_S

STATES = {"calm", "near", "trim", "return", "refused", "unknown"}


def words_of(label: QLabel) -> str:
    """What it says: a color within its text is the theme's."""
    return QTextDocumentFragment.fromHtml(label.text()).toPlainText()


@pytest.mark.slow
def test_each_tab_shows_its_group_in_both_themes(qtbot: QtBot) -> None:
    window = GalleryWindow()
    qtbot.addWidget(window)
    window.show()
    for place, title in enumerate(GROUPS.values()):
        window.tabs.setCurrentIndex(place)
        pages = window.area.findChildren(Page)
        assert [page.theme.name for page in pages] == ["light", "dark"], title
        captions = [{words_of(label) for label in page.findChildren(QLabel)} for page in pages]
        assert captions[0] == captions[1]


def test_tabs_are_reached_with_the_keyboard(qtbot: QtBot) -> None:
    window = GalleryWindow()
    qtbot.addWidget(window)
    window.show()
    QTest.keyClick(window.tabs, Qt.Key.Key_Right)
    assert window.area.findChildren(GaugeStrip)


def test_the_gauge_is_there_in_every_state(qtbot: QtBot) -> None:
    page = page_of("gauge", load_theme("light"))
    qtbot.addWidget(page)
    assert {strip.reading.state for strip in page.findChildren(GaugeStrip)} == STATES


def test_no_part_has_the_keyboard_by_chance(qtbot: QtBot) -> None:
    page = page_of("controls", load_theme("light"))
    qtbot.addWidget(page)
    page.show()
    assert not any(button.hasFocus() for button in page.findChildren(QPushButton))


def test_there_is_no_other_group() -> None:
    with pytest.raises(KeyError):
        page_of("nothing", load_theme("light"))


@pytest.mark.slow
def test_the_command_opens_it_and_writes_nothing(tmp_path: Path) -> None:
    seen = """
import os, sys
from PySide6.QtCore import QTimer
from tests.gallery import window

class Closing(window.GalleryWindow):
    def __init__(self):
        super().__init__()
        QTimer.singleShot(0, self, self.close)

window.GalleryWindow = Closing
status = window.show_gallery()
heavy = {"sqlmodel", "anthropic", "openai", "keyring"} & set(sys.modules)
assert not heavy, heavy
sys.exit(status)
"""
    environ = {**os.environ, "HOME": str(tmp_path), "PLIMSOLL_HOME": str(tmp_path / "data")}
    ran = subprocess.run(
        [sys.executable, "-c", seen], env=environ, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert list(tmp_path.iterdir()) == []
