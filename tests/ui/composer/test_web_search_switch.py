"""The switch for web search stands in the composer where the model can search, and is the thread's own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.open_window import OpenWindow


def click(window: OpenWindow) -> None:
    QTest.mouseClick(window.composer.web_search, Qt.MouseButton.LeftButton)


def searched(window: OpenWindow) -> bool:
    return window.backend.plans[-1].request.parameters.web_search


async def test_a_click_lets_the_next_request_search_and_another_takes_it_back(window: OpenWindow) -> None:
    window.backend.abilities = {"web_search": True}
    await window.send("A question")
    switch = window.composer.web_search
    assert switch.isVisible()
    click(window)
    await window.settled()
    assert switch.isChecked()
    assert "charge" in switch.toolTip()
    assert (await window.thread()).parameters.web_search
    await window.send("What is new today?")
    assert searched(window)
    click(window)
    await window.settled()
    await window.send("And without?")
    assert not searched(window)


async def test_it_is_each_threads_own_and_counts_before_the_thread_is_made(window: OpenWindow) -> None:
    window.backend.abilities = {"web_search": True}
    window.shortcut("new_thread")
    await window.settled()
    click(window)
    await window.settled()
    assert window.app_state.current is None
    await window.send("What is new today?")
    first = window.app_state.thread_id
    assert searched(window)
    window.shortcut("new_thread")
    await window.settled()
    assert not window.composer.web_search.isChecked()
    await window.send("Something else")
    assert not searched(window)
    assert first is not None
    await window.app_state.open_thread(first)
    await window.settled()
    assert window.composer.web_search.isChecked()


async def test_where_the_model_can_not_search_there_is_no_switch(window: OpenWindow) -> None:
    await window.send("A question")
    assert not window.composer.web_search.isVisible()


async def test_what_a_search_costs_is_said_where_it_is_known(window: OpenWindow) -> None:
    window.backend.abilities = {"web_search": True}
    window.backend.name = "anthropic"
    window.presenters.parameters.refresh()
    await window.settled()
    assert "$10" in window.composer.web_search.toolTip()
