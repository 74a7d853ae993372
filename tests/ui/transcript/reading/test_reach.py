"""Whatever a click does in the painted conversation, the keyboard does too: every target is a stop of the Tab key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.items.item import LINK
from tests.gallery.fitted import FittedTranscript
from tests.gallery.groups import page_of

pytestmark = pytest.mark.slow

STEP = 3
"""Pixels between the points that are tried; nothing to click is smaller."""
BY_OTHER_KEYS = {"bar"}
"""The bar beneath wide content: Left and Right move it."""
GROUPS = ("prose", "turns", "boundaries", "scripts")

Target = tuple[int, str]


def clickable(view: FittedTranscript) -> set[Target]:
    """What the pointer finds: number of the message and the button or link there."""
    found: set[Target] = set()
    for y in range(0, view.viewport().height(), STEP):
        for x in range(0, view.viewport().width(), STEP):
            if (touch := view.pointer.touch(QPoint(x, y))) is None or not (touch.button or touch.link):
                continue
            found.add((touch.placed.message, touch.button or f"{LINK}{touch.link}"))
    return {(message, button) for message, button in found if button not in BY_OTHER_KEYS}


def reached(view: FittedTranscript) -> set[Target]:
    """What Tab comes to, message after message, and after the last one what stands beneath it."""
    found: set[Target] = set()
    for number in range(len(view.row_layout.messages)):
        view.keyboard.focus_message(number)
        for _ in range(200):
            if not view.keyboard.tab(1):
                break
            assert view.keyboard.stop is not None
            found.add(view.keyboard.stop)
        else:
            raise AssertionError("Tab never left the message")
    return found


@contextmanager
def shown(group: str, qtbot: QtBot) -> Iterator[list[FittedTranscript]]:
    """The transcripts of a page of the gallery."""
    load_bundled_fonts()
    page = page_of(group, load_theme("light"))
    page.show()
    QApplication.processEvents()
    views = page.findChildren(FittedTranscript)
    yield views
    # lexers are loaded on a thread: none may be left behind when the view goes
    qtbot.waitUntil(lambda: not any(view.highlighter.busy for view in views))
    page.close()
    page.deleteLater()


@pytest.fixture
def transcripts(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[list[FittedTranscript]]:
    with shown(request.param, qtbot) as views:
        yield views


@pytest.mark.parametrize("transcripts", GROUPS, indirect=True)
def test_every_target_of_a_click_is_a_stop_of_the_tab_key(transcripts: list[FittedTranscript]) -> None:
    assert transcripts
    for view in transcripts:
        assert clickable(view) - reached(view) == set()


@pytest.mark.parametrize("transcripts", GROUPS, indirect=True)
def test_every_stop_looks_different_while_the_keyboard_is_on_it(transcripts: list[FittedTranscript]) -> None:
    for view in transcripts:
        for number in range(len(view.row_layout.messages)):
            view.keyboard.focus_message(number)
            before = view.viewport().grab().toImage()
            for _ in range(200):
                if not view.keyboard.tab(1):
                    break
                stop = view.keyboard.stop
                after = view.viewport().grab().toImage()
                assert after != before, f"nothing shows that the keyboard is on {stop} of message {number}"
                before = after


@pytest.mark.parametrize("transcripts", ["turns"], indirect=True)
def test_the_menu_key_and_enter_open_what_can_be_done(transcripts: list[FittedTranscript]) -> None:
    view = transcripts[0]
    view.keyboard.focus_message(0)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.menu is not None
    assert next(action.text() for action in view.menu.actions()) == "Copy message"
    view.menu.close()
