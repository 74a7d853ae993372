"""The tray: a setting; closing the window leaves Plimsoll there, Quit ends it."""

from __future__ import annotations

import pytest

from desktop_app.ui.shell import background_presence as tray_module
from tests.ui.open_window import OpenWindow


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """A desktop with a tray; what it was asked to tell."""
    from desktop_app.ui.desktop.notifications import Notifications

    notices: list[tuple[str, str, str]] = []
    monkeypatch.setattr(tray_module, "has_tray", lambda: True)
    monkeypatch.setattr(Notifications, "tell", lambda _self, *notice: notices.append(notice))
    return notices


async def with_tray(window: OpenWindow) -> None:
    await window.services.preferences.set_value("window.tray", True)
    await window.settled()


def choose(window: OpenWindow, words: str) -> None:
    """Takes an entry of the tray's menu."""
    tray = window.session.presence.tray
    assert tray is not None
    next(action for action in tray.menu.actions() if action.text() == words).trigger()


async def test_there_is_none_until_it_is_asked_for(window: OpenWindow, told: list[tuple[str, str, str]]) -> None:
    shown = [window.session.presence.stays]
    for wanted in (True, False):
        await window.services.preferences.set_value("window.tray", wanted)
        shown.append(window.session.presence.stays)
    assert shown == [False, True, False]


async def test_closing_the_window_leaves_plimsoll_there_and_says_so_once(
    window: OpenWindow, told: list[tuple[str, str, str]]
) -> None:
    await with_tray(window)
    for _ in range(2):
        window.window.close()
        assert not window.window.isVisible()
        choose(window, "Show Plimsoll")
        assert window.window.isVisible()
    assert [headline for _, headline, _ in told] == ["Plimsoll is still running in the tray"]
    choose(window, "Quit")
    await window.until(window.session.ended.done, "the end")


async def test_the_action_quit_ends_it_also_with_a_tray(window: OpenWindow, told: list[tuple[str, str, str]]) -> None:
    await with_tray(window)
    window.shortcut("quit")
    await window.until(window.session.ended.done, "the end")


async def test_the_menu_opens_a_new_thread_and_the_quick_line(
    window: OpenWindow, told: list[tuple[str, str, str]]
) -> None:
    await with_tray(window)
    await window.send("hello")
    window.window.close()
    choose(window, "Quick question")
    line = window.session.presence.quick.window
    assert line is not None
    assert line.isVisible()
    assert not window.window.isVisible()
    choose(window, "New thread")
    assert window.window.isVisible()
    assert window.app_state.current is None
    choose(window, "Quit")
    await window.until(window.session.ended.done, "the end")


async def test_a_desktop_without_a_tray_is_said(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tray_module, "has_tray", lambda: False)
    await with_tray(window)
    assert window.session.presence.tray is None
    assert "no tray" in window.window.toast.words
    window.window.close()
    await window.until(window.session.ended.done, "the end")
