"""A narrow window: the list yields, what lies at the side leaves the composer free, and the list keeps its width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.inspector.inspector_pane import TABS, TabStrip
from desktop_app.ui.shell.page_specs import PAGES
from desktop_app.ui.shell.side_slot import ListOverlay
from tests.ui.document_scenes import documents_of
from tests.ui.inspector.inspecting import Inspecting
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import make_threads
from tests.ui.shell.test_focus_return import by_hand
from tests.ui.views import thread_id

Key = Qt.Key


def place_of(widget: QWidget) -> QRect:
    """Where a widget stands in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def list_overlay(window: OpenWindow) -> ListOverlay:
    (overlay,) = window.window.findChildren(ListOverlay)
    return overlay


async def sized(window: OpenWindow, width: int, height: int = 600) -> None:
    window.window.resize(width, height)
    window.window.activateWindow()
    await window.settled()
    await by_hand(QApplication.processEvents)


async def test_the_list_is_away_in_a_narrow_window_and_back_in_a_wide_one(window: OpenWindow) -> None:
    await sized(window, 1000)
    width = window.threads.width()
    await sized(window, 480)
    assert not window.threads.isVisible()
    assert window.window.centre.width() == 480
    assert window.window.header.list_button.isVisible()
    await sized(window, 1000)
    assert window.threads.isVisible()
    assert window.threads.width() == width
    assert not window.window.header.list_button.isVisible()


async def test_a_list_that_was_hidden_stays_so_in_a_wide_window(window: OpenWindow) -> None:
    await sized(window, 1000)
    window.shortcut("toggle_threads")
    await sized(window, 480)
    window.shortcut("toggle_threads")
    assert window.threads.isVisible()
    window.shortcut("toggle_threads")
    assert not window.threads.isVisible()
    await sized(window, 1000)
    assert not window.threads.isVisible()


async def test_over_the_conversation_a_chosen_thread_closes_the_list(data_dir: Path, qapp: QApplication) -> None:
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        await sized(window, 480)
        QTest.mouseClick(window.window.header.list_button, Qt.MouseButton.LeftButton)
        assert window.threads.isVisible()
        assert window.window.centre.width() == 480, "the conversation keeps its place"
        assert place_of(window.threads).right() < 480 - 40
        await window.choose_thread(thread_id(3))
        assert not window.threads.isVisible()
        window.type("hello")
        assert window.editor.toPlainText() == "hello"


async def test_esc_a_click_beside_it_and_f6_close_the_list(window: OpenWindow) -> None:
    await sized(window, 480)
    ways: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyClick(window.threads.view, Key.Key_Escape),
        lambda: QTest.keyClick(window.editor, Key.Key_Escape),
        lambda: QTest.mouseClick(list_overlay(window), Qt.MouseButton.LeftButton, pos=QPoint(470, 300)),
        lambda: window.shortcut("next_pane"),
    )
    for close in ways:
        window.shortcut("toggle_threads")
        assert window.threads.isVisible()
        assert window.threads.view.hasFocus()
        close()
        assert not window.threads.isVisible()
        assert QApplication.focusWidget() is window.editor


async def test_searching_and_renaming_bring_the_list(window: OpenWindow) -> None:
    await window.send("hello")
    await sized(window, 480)
    window.shortcut("search_threads")
    assert window.threads.search.hasFocus()
    QTest.keyClick(window.threads.search, Key.Key_Escape)
    assert not window.threads.isVisible()
    window.shortcut("rename_thread")
    assert window.threads.isVisible()


async def test_the_list_is_back_at_the_next_start_with_its_width(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await sized(window, 1000)
        window.shortcut("widen_threads")
        width = window.threads.width()
        await sized(window, 480)
        window.shortcut("toggle_threads")
    async with OpenWindow.opened(data_dir) as window:
        assert window.window.width() == 480
        assert not window.threads.isVisible()
        await sized(window, 1000)
        assert window.threads.isVisible()
        assert window.threads.width() == width


async def test_no_page_changes_the_width_of_the_list(window: OpenWindow) -> None:
    await sized(window, 680)
    width = window.threads.width()
    for name, spec in PAGES.items():
        if spec.action and name != "new_project":
            window.shortcut(spec.action)
            await window.settled()
            await by_hand(QApplication.processEvents)
            assert (name, window.threads.width(), window.window.width()) == (name, width, 680)


PANES = ("inspector", "artifacts", "document")


@pytest.mark.parametrize("width", [480, 640, 900, 999])
@pytest.mark.parametrize("name", PANES)
async def test_no_pane_lies_over_the_composer_or_over_a_page(window: OpenWindow, name: str, width: int) -> None:
    document = (await documents_of(window, notes_txt=b"words"))["notes.txt"]
    await window.send("hello")
    slot = {"inspector": window.window.inspector, "artifacts": window.window.artifacts,
            "document": window.window.document}[name]  # fmt: skip

    async def opened() -> None:
        if name == "inspector":
            window.shortcut("toggle_inspector")
        elif name == "artifacts":
            window.transcript.row_actions.message_acted.emit(window.transcript.messages[-1].id, "keep")
        else:
            window.app_state.document_wanted.emit(document)
        await window.until(slot.isVisible, name)

    async def looked_at(height: int) -> None:
        await sized(window, width, height)
        pane = place_of(slot)
        assert not pane.intersects(place_of(window.composer))
        assert not pane.intersects(place_of(window.window.header))
        assert place_of(window.window.stage).contains(pane)
        button = window.composer.button
        assert window.window.childAt(place_of(button).center()) is button

    await sized(window, 1280, 860)
    await opened()
    for height in (600, 820):
        await looked_at(height)
    for opened_at in (1280, width):
        await sized(window, opened_at)
        window.shortcut("preferences")
        await window.until(lambda: window.presenters.pages.page is not None, "the page")
        await sized(window, width)
        page = window.presenters.pages.page
        assert page is not None
        over = window.window.childAt(place_of(window.window.stage).center())
        assert over is not None
        assert page.isAncestorOf(over)
        window.presenters.pages.leave()
        await window.until(slot.isVisible, "the pane again")
        await looked_at(600)


@pytest.mark.parametrize("width", [480, 900, 1280])
async def test_every_tab_of_the_inspector_is_in_view_with_large_text(window: OpenWindow, width: int) -> None:
    theme = window.session.appearance.theme
    await sized(window, width)
    inspecting = Inspecting(window)
    await inspecting.open()
    slot, tabs = window.window.inspector, inspecting.pane.tabs
    usual, font = slot.width(), tabs.font().pointSizeF()
    theme.change("light", 17)
    await by_hand(QApplication.processEvents)
    for tab in TABS:
        inspecting.pane.show_tab(tab)
        for place in range(tabs.count()):
            assert tabs.rect().contains(tabs.tabRect(place)), tabs.tabText(place)
            assert not tabs.tabToolTip(place), "whole words need no tip"
    assert tabs.geometry().right() < inspecting.pane.close_button.geometry().left()
    window.shortcut("toggle_inspector")
    theme.change("light", 11)
    window.shortcut("toggle_inspector")
    await by_hand(QApplication.processEvents)
    assert (slot.width(), tabs.font().pointSizeF()) == (usual, font), "the width that was chosen comes back"


async def test_with_very_large_text_the_inspector_is_no_wider_than_a_narrow_window(window: OpenWindow) -> None:
    await window.send("hello")
    window.session.appearance.theme.change("light", 20)
    await sized(window, 480)
    inspecting = Inspecting(window)
    await inspecting.open()
    await by_hand(QApplication.processEvents)
    assert place_of(window.window.stage).contains(place_of(window.window.inspector))
    assert place_of(window.window).contains(place_of(inspecting.pane.close_button))
    assert inspecting.pane.messages.view.width() <= 480


async def test_of_list_and_inspector_one_at_a_time_lies_over_a_narrow_window(window: OpenWindow) -> None:
    await window.send("hello")
    await sized(window, 480)
    window.shortcut("toggle_threads")
    assert window.threads.isVisible()
    window.shortcut("toggle_inspector")
    await window.until(window.window.inspector.isVisible, "the inspector")
    assert not window.threads.isVisible()
    window.shortcut("toggle_threads")
    assert window.threads.isVisible()
    await sized(window, 500)
    over = window.window.childAt(place_of(window.threads).center())
    assert over is not None
    assert list_overlay(window).isAncestorOf(over), "a resize leaves the list on top"


def test_tabs_without_room_are_elided_with_a_tip(qtbot: QtBot) -> None:
    tabs = TabStrip(None)
    qtbot.addWidget(tabs)
    for words in ("Nachrichten", "Anfragen", "Vergangenes"):
        tabs.addTab(words)
    tabs.resize(tabs.sizeHint().width() * 2 // 3, 30)
    tabs.show()
    assert all(tabs.rect().contains(tabs.tabRect(place)) for place in range(3))
    assert tabs.tabToolTip(2) == "Vergangenes"
    tabs.resize(tabs.sizeHint())
    assert not any(tabs.tabToolTip(place) for place in range(3))
