"""The menu of a message: its place in the context can be changed there, by mouse and by keyboard, and changed back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.transcript.reading.keyboard_navigation import MessageEntries
from tests.ui.long_threads import PRICES, faded, long_path, put_thread, stepped
from tests.ui.menus import click_entry, entries_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

THREAD = f"{7:032x}"


@pytest_asyncio.fixture
async def talk(window: OpenWindow, data_dir: Path) -> AsyncIterator[OpenWindow]:
    """A window with a thread of twelve turns open."""
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 12, 400))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    yield window


def entries(window: OpenWindow, index: int) -> dict[str, QAction]:
    """The menu of message `index` by its words, opened by the keyboard."""
    view = window.transcript
    view.keyboard.focus_message(index)
    corner = view.message_corner(index)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, corner, view.viewport().mapToGlobal(corner)))
    return entries_of(view.menu)


async def chosen(window: OpenWindow, index: int, words: str) -> ContextChoices:
    """The thread's choices after an entry of the menu was taken."""
    entries(window, index)[words].trigger()
    await window.settled()
    return (await window.thread()).choices


def placed_line(window: OpenWindow) -> str | None:
    """The message that the load line stands above."""
    return window.transcript.decorations.load_line


async def test_pin_and_exclude_change_their_places_and_the_toast_takes_it_back(talk: OpenWindow) -> None:
    ids = [message.id for message in talk.transcript.row_layout.messages]
    assert (await chosen(talk, 4, "Pin")).pinned == {ids[4]}
    assert talk.window.toast.words == "Pinned: always sent."
    assert "Pin" not in entries(talk, 5), "the whole turn is pinned"
    assert (await chosen(talk, 5, "Unpin")).pinned == frozenset()
    choices = await chosen(talk, 4, "Exclude")
    assert choices.excluded == {ids[4]}
    assert faded(talk) == {4, 5}
    assert (await chosen(talk, 5, "Bring back")).excluded == frozenset()
    await chosen(talk, 8, "Exclude")
    talk.window.toast.button.click()
    await talk.settled()
    assert (await talk.thread()).choices.excluded == frozenset()
    assert faded(talk) == set()


async def test_start_fresh_from_here_makes_the_view_begin_with_this_turn(talk: OpenWindow) -> None:
    view = talk.transcript
    ids = [message.id for message in view.row_layout.messages]
    assert "Start fresh from here" not in entries(talk, 1), "the first turn is the beginning already"
    assert "Start fresh after this" not in entries(talk, 7)
    assert (await chosen(talk, 7, "Start fresh from here")).fresh_from == ids[5]
    assert placed_line(talk) == ids[6]
    assert (await chosen(talk, 7, "Undo fresh start")).fresh_from is None
    assert placed_line(talk) is None
    assert (await chosen(talk, 23, "Start fresh after this")).fresh_from == ids[23]
    plan = talk.presenters.gauge.plan
    assert plan is not None
    assert plan.request.history == ()


async def test_a_summary_up_to_here_or_of_what_is_selected(talk: OpenWindow) -> None:
    view = talk.transcript
    assert not [words for words in entries(talk, 5) if words.startswith("Summarize up to here")], "too little"
    priced = next(words for words in entries(talk, 15) if words.startswith("Summarize up to here"))
    assert priced.startswith("Summarize up to here · up to $0.0")
    view.selection.anchor, view.selection.caret = (4, 0, 0), (15, 0, 3)
    words = next(words for words in entries(talk, 10) if words.startswith("Summarize selected"))
    talk.backend.reply(TextDelta("Asked: the figures."), Ended("end_turn"))
    choices = await chosen(talk, 10, words)
    assert [summary.text for summary in choices.summaries] == ["Asked: the figures."]
    assert choices.summaries[0].sources == tuple(message.id for message in view.row_layout.messages[4:16])


async def test_the_inspector_is_asked_for_this_message(talk: OpenWindow) -> None:
    asked: list[str] = []
    talk.presenters.message_menu.inspector_requested.connect(asked.append)
    entries(talk, 3)["Show in inspector"].trigger()
    assert asked == [talk.transcript.row_layout.messages[3].id]
    await talk.settled()
    pane = talk.window.inspector.content
    assert isinstance(pane, InspectorPane)
    assert [placed.id for placed in pane.messages.view.selected_messages()] == asked


async def test_the_words_of_a_steps_line_are_in_the_menu_of_its_question(window: OpenWindow) -> None:
    (cause,) = await stepped(window)
    await window.until(lambda: window.transcript.decorations.step is not None, "the line")
    await window.settled()
    ids = [message.id for message in window.transcript.row_layout.messages]
    menu = entries(window, ids.index(cause))
    assert {"Show", "Undo"} <= set(menu)
    step = window.transcript.decorations.step
    assert step is not None
    menu["Undo"].trigger()
    await window.until(lambda: (window.transcript.decorations.step or step).text.endswith("undone later"), "the end")
    await window.settled()
    assert (await window.thread()).choices.undone == {cause}


async def test_a_left_out_message_says_why_and_can_be_brought_back(window: OpenWindow) -> None:
    await stepped(window)
    left = sorted(faded(window))
    assert window.transcript.accessible.name(left[0]).endswith("left out to stay under the soft limit of 7.5K")
    message = window.transcript.row_layout.messages[left[0]].id
    window.press(Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier, widget=window.transcript)
    assert (await chosen(window, left[0], "Bring back")).pinned == {message}
    assert window.transcript.decorations.reasons[message] == "Pinned"


def right_click(window: OpenWindow, index: int) -> MessageEntries:
    """The menu that a right click on a message opens."""
    view = window.transcript
    view.keyboard.focus_message(index)
    place = view.viewport().mapFromGlobal(view.message_corner(index)) + QPoint(4, 4)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=place)
    # the platform makes this of a right click
    where = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, where))
    assert view.menu is not None
    return view.menu


def first_level(menu: MessageEntries) -> list[str]:
    """The words from top to bottom, "" for a line between groups."""
    return [action.text() for action in menu.actions() if action.isVisible()]


@pytest.mark.parametrize("index", [0, 7, 22, 23])
@pytest.mark.parametrize("selected", [False, True])
async def test_at_most_eight_entries_nothing_disabled_delete_last(talk: OpenWindow, index: int, selected: bool) -> None:
    view = talk.transcript
    if selected:
        view.selection.anchor, view.selection.caret = (4, 0, 0), (15, 0, 3)
    menu = right_click(talk, index)
    words = first_level(menu)
    assert len([one for one in words if one]) <= 8
    # what goes with a click is said: the last answer goes alone
    last = [one for one in words if one][-1]
    assert last == ("Delete answer" if index == 23 else "Delete question and answer")
    assert not words[words.index(last) - 1], "a group of its own"
    assert all(entry.isEnabled() for entry in entries_of(menu).values())
    assert all(len([one for one in submenu.actions() if one.text()]) <= 10 for submenu in (menu.context, menu.more))
    assert ("Copy" in words) == selected
    assert ("Copy message" in words) != selected
    menu.close()


async def test_the_entries_tell_the_keys_that_the_window_has_for_them(talk: OpenWindow) -> None:
    view = talk.transcript
    view.selection.anchor, view.selection.caret = (4, 0, 0), (5, 0, 3)
    found = entries_of(right_click(talk, 4))
    assert found["Copy"].shortcut().toString() == "Ctrl+C"
    assert found["Quote"].shortcut() == talk.window.actions_by_id["quote"].shortcut()
    assert found["Select all"].shortcut().toString() == "Ctrl+A"


async def test_clicks_lead_into_a_submenu(talk: OpenWindow) -> None:
    ids = [message.id for message in talk.transcript.row_layout.messages]
    click_entry(right_click(talk, 4), "Context", "Exclude")
    await talk.settled()
    assert (await talk.thread()).choices.excluded == {ids[4]}


def test_what_is_most_spare_gives_up_its_place(qtbot: QtBot) -> None:
    menu = MessageEntries(parent := QWidget())
    qtbot.addWidget(parent)
    for number in range(9):
        menu.add("copy" if number < 5 else "act", f"entry {number}", lambda: None, spare=number % 3)
    menu.add("delete", "Delete", lambda: None)
    menu.arrange()
    shown = [words for words in first_level(menu) if words]
    assert shown == ["entry 0", "entry 1", "entry 3", "entry 4", "entry 6", "entry 7", "More", "Delete"]
    assert [action.text() for action in menu.more.actions()] == ["entry 8", "entry 5", "entry 2"]
