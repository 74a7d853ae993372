"""Every menu that the window can open, with its submenus: no higher than a screen of 720 pixels, and one column."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from itertools import chain
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import desktop_app.ui
from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.core.tool_servers import add_by_parts
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.connections.tools_page import ToolsPage
from desktop_app.ui.conversation.error_cards import CardAction, CardContent, ErrorCard
from desktop_app.ui.help.help_pages import GuidePage
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_controls import PopupButton
from desktop_app.ui.prompts.prompt_pages import PromptsPage
from desktop_app.ui.shell.window_menu import SUBMENUS, TOP
from desktop_app.ui.shortcuts.keymap import ROWS
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.trash.trash_page import TrashPage
from desktop_app.ui.widgets.floating import Menu
from tests.fakes.listing_host import ListingHost
from tests.ui.attaching import attach, written
from tests.ui.menus import levels_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

LOWEST_SCREEN = 720
MOST = 10
PROJECTS = 40
PROSE = "The quick brown fox jumps over the lazy dog. "

Opened = Callable[[OpenWindow, Path], Awaitable[None]]
"""Opens one menu after the other, each with `seen`."""


def seen(*, listed: bool = False) -> None:
    """The menu that is open now is looked at and closed; `listed`: it lists what the user has, or chapters."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu), "in the look of all menus"
    for level in levels_of(menu):
        level.popup(QPoint(0, 0))
        assert 0 < level.height() < LOWEST_SCREEN
        shown = [action for action in level.actions() if action.isVisible() and not action.isSeparator()]
        assert len({level.actionGeometry(action).left() for action in shown}) == 1, "one column"
        words = [action.text() for action in shown]
        assert len(words) <= MOST or listed, words
        assert len(words) == len(set(words)), "nothing is said twice"
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()


def press(button: QWidget, *, listed: bool = False) -> None:
    assert isinstance(button, QAbstractButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    seen(listed=listed)


async def of_the_window(window: OpenWindow, _folder: Path) -> None:
    press(window.window.header.menu_button)


async def of_threads(window: OpenWindow, _folder: Path) -> None:
    for number in range(PROJECTS):
        await window.services.projects.create(f"Project {number}")
    await window.settled()
    thread = window.app_state.thread_id
    assert thread is not None
    view = window.threads.view
    view.menu_requested.emit(thread, QPoint(0, 0))
    seen(listed=True)
    view.project_menu_requested.emit((await window.services.projects.all())[0].id, QPoint(0, 0))
    seen()
    window.shortcut("move_thread")
    seen(listed=True)


async def of_messages(window: OpenWindow, _folder: Path) -> None:
    view = window.transcript
    for index in range(4):
        view.context_menu.open(index, "https://example.org", QPoint(0, 0))
        seen()
    view.selection.select_all()
    for index in range(4):
        view.context_menu.open(index, "", QPoint(0, 0))
        seen()


async def of_an_artifact(window: OpenWindow, _folder: Path) -> None:
    window.window.resize(1360, 860)
    view = window.transcript
    view.row_actions.message_acted.emit(view.messages[-1].id, "keep")
    await window.until(window.window.artifacts.isVisible, "the pane")
    await window.settled()
    pane = window.window.artifacts.content
    assert isinstance(pane, ArtifactPane)
    for button in (pane.export, pane.more):
        press(button)


async def of_the_inspector(window: OpenWindow, _folder: Path) -> None:
    window.shortcut("toggle_inspector")
    await window.settled()
    pane = window.window.inspector.content
    assert isinstance(pane, InspectorPane)
    await window.until(lambda: pane.messages.model.rowCount() > 2, "its rows")
    pane.messages.select([window.transcript.messages[0].id])
    rows = pane.messages.view.selected_messages()
    assert rows
    pane.messages.menu_for(rows).popup(QPoint(0, 0))
    seen()


async def of_prompts(window: OpenWindow, _folder: Path) -> None:
    window.shortcut("show_prompts")
    await window.until(lambda: isinstance(window.presenters.pages.page, PromptsPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, PromptsPage)
    press(page.more_button)


async def of_a_search(window: OpenWindow, _folder: Path) -> None:
    window.threads.search.setText("answer")
    await window.until(lambda: window.threads.results is not None, "the results")
    await window.settled()
    assert window.threads.results is not None
    for chip in window.threads.results.chips:
        press(chip)


async def of_services(window: OpenWindow, _folder: Path) -> None:
    window.shortcut("connections")
    await window.until(lambda: isinstance(window.presenters.pages.page, ConnectionsPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, ConnectionsPage)
    page.server.service.click()
    seen(listed=True)


async def of_the_trash(window: OpenWindow, _folder: Path) -> None:
    thread = window.app_state.thread_id
    assert thread is not None
    await window.services.library.delete(thread)
    window.shortcut("show_trash")
    await window.until(lambda: isinstance(window.presenters.pages.page, TrashPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, TrashPage)
    await window.until(lambda: page.rows.rowCount() > 0, "its row")
    page.view.setCurrentIndex(page.rows.index(0))
    page.view.customContextMenuRequested.emit(page.view.visualRect(page.rows.index(0)).center())
    seen()


async def of_an_attachment(window: OpenWindow, folder: Path) -> None:
    await attach(window, written(folder, "long.txt", PROSE * 3_000))
    await window.until(lambda: window.composer.tray.chips[0].told.tokens, "the tokens")
    chip = window.composer.tray.chips[0]
    chip.menu_requested.emit(chip.mapToGlobal(chip.rect().center()))
    seen()


async def of_a_card(window: OpenWindow, _folder: Path) -> None:
    ways = tuple(CardAction(str(number), f"A way out {number}", Remedy("retry")) for number in range(9))
    card = ErrorCard(load_theme("light"), CardContent("Heading", "Sentence.", "", ways, "", "Resolved"), window.window)
    more = next(button for button in card.buttons if button.text() == "More")
    assert isinstance(more, QPushButton)
    menu = more.menu()
    assert isinstance(menu, QMenu)
    menu.popup(QPoint(0, 0))
    seen()
    card.deleteLater()


async def of_the_guide(window: OpenWindow, _folder: Path) -> None:
    window.presenters.pages.show("help")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, GuidePage)
    page.contents_button.click()
    seen(listed=True)


async def of_preferences(window: OpenWindow, _folder: Path) -> None:
    window.shortcut("preferences")
    await window.until(lambda: isinstance(window.presenters.pages.page, PreferencesPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    shown = [button for button in page.findChildren(PopupButton) if button.isVisible()]
    assert shown
    for button in shown:
        press(button)


async def of_tools(window: OpenWindow, _folder: Path) -> None:
    servers, host = window.services.tool_servers, ListingHost()
    host.serve(servers)
    for number in range(PROJECTS):
        await window.services.projects.create(f"Project {number}")
    await servers.add(add_by_parts("Git", command="git-server"))
    await servers.connect("Git")
    window.shortcut("show_tools")
    await window.until(lambda: isinstance(window.presenters.pages.page, ToolsPage), "the page")
    page = window.presenters.pages.page
    assert isinstance(page, ToolsPage)
    await window.until(lambda: page.cards, "the server")
    (card,) = page.cards
    card.place.click()
    seen(listed=True)
    card.unfold.click()
    card.rows[0].consent.click()
    seen()


OPENED: dict[str, Opened] = {
    "shell/window_menu.py": of_the_window,
    "threads/threads_presenter.py": of_threads,
    "transcript/keyboard_navigation.py": of_messages,
    "artifacts/artifact_pane.py": of_an_artifact,
    "inspector/messages_tab.py": of_the_inspector,
    "prompts/prompt_pages.py": of_prompts,
    "threads/results_pane.py": of_a_search,
    "connections/connections_page.py": of_services,
    "connections/tools_page.py": of_tools,
    "trash/trash_page.py": of_the_trash,
    "preferences/setting_controls.py": of_preferences,
    "composer/composer_rows.py": of_an_attachment,
    "conversation/error_cards.py": of_a_card,
    "help/help_pages.py": of_the_guide,
}
"""What makes a menu, and how it is opened."""
NOT_WALKED = {"projects/documents_pane.py", "connections/welcome_pane.py"}
"""Five entries at most, named in `_show_menu`: a document that is read takes a process. The services of which one may
have made a key are those of `ServerForm`, less what runs here."""


ELSEWHERE = {
    "the menu of a message, or under it": (
        *("quote", "copy_markdown", "edit_question", "try_again", "continue_answer", "rate_up", "rate_down", "note"),
        *("keep_answer", "save_as_prompt", "copy_thread"),
    ),
    "the menu of a thread, or of the project, in the list": ("duplicate_thread", "move_thread", "open_project"),
    "a button of what it acts on": ("attach_files", "wrap_code", "run_artifact"),
    "a card, as long as it waits": ("allow_once", "allow_thread", "refuse_call", "focus_card"),
    "an edge to drag; for the keyboard": ("widen_threads", "narrow_threads", "widen_inspector", "narrow_inspector"),
    "a click there; for the keyboard": (
        *("find_next", "find_previous", "previous_question", "next_question", "next_thread", "previous_thread"),
        *("next_pane", "previous_pane"),
    ),
    "the window's own frame": ("close_window",),
}
"""The actions that the window's menu has no room for, ten entries at a level, by where they stand instead."""


def test_every_action_stands_in_the_menu_or_elsewhere() -> None:
    inside = {one for one in chain(TOP, *SUBMENUS.values()) if one is not None} - SUBMENUS.keys()
    elsewhere = list(chain(*ELSEWHERE.values()))
    assert sorted([*inside, *elsewhere]) == sorted(row.id for row in ROWS)


@pytest.mark.parametrize("place", OPENED)
async def test_no_menu_is_higher_than_the_lowest_screen(window: OpenWindow, tmp_path: Path, place: str) -> None:
    for question in ("one", "two"):
        window.backend.reply(TextDelta("An answer with words.\n\n" * 40), Ended("end_turn"))
        await window.send(question)
    await OPENED[place](window, tmp_path)
    await window.settled()


def test_every_place_that_makes_a_menu_is_walked() -> None:
    folder = Path(desktop_app.ui.__file__).parent
    made = {
        f"{path.relative_to(folder).parts[0]}/{path.name}"
        for path in folder.rglob("*.py")
        if re.search(r"[^\w.]Menu\(\w", path.read_text("utf-8")) and path.name != "floating.py"
    }
    assert made == set(OPENED) | NOT_WALKED


def test_a_menu_of_very_many_entries_scrolls(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    menu = Menu(parent)
    for number in range(200):
        menu.addAction(f"Project {number}")
    menu.popup(QPoint(0, 0))
    assert menu.height() < LOWEST_SCREEN
    for _ in range(199):
        QTest.keyClick(menu, Qt.Key.Key_Down)
    last = menu.actions()[198]
    assert menu.activeAction() is last
    assert menu.rect().contains(menu.actionGeometry(last).center())
    menu.close()
