"""The menu of models opens at once and fills in what backends say later."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.backends.backend_protocol import Availability
from desktop_app.core.errors import PlimsollError, TransientError
from desktop_app.core.messages import Failure
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.connections import available_models as connections
from desktop_app.ui.models.model_choice import price_words
from tests.fakes.gated_backend import GatedBackend
from tests.ui.open_window import OpenWindow


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own backend stands in the menu, too."""
    monkeypatch.setattr(connections, "NOT_OFFERED", ("anthropic", "claude-cli", "local"))


class SlowBackend(GatedBackend):
    """Says whether it can be used when the test lets it."""

    def __init__(self) -> None:
        super().__init__("scripted")
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def availability(self) -> Availability:
        self.asked += 1
        await self.may_answer.wait()
        return self.available


def words(window: OpenWindow) -> list[str]:
    return [] if (menu := window.composer.picker.menu_shown) is None else [row.text for row in menu.rows.rows]


def state_of(window: OpenWindow, title: str) -> str:
    menu = window.composer.picker.menu_shown
    assert menu is not None
    return next(row.detail for row in menu.rows.rows if row.text == title)


def slow(window: OpenWindow) -> SlowBackend:
    backend = SlowBackend()
    window.services.backends["scripted"] = backend  # type: ignore[index]
    return backend


async def test_the_menu_is_there_before_any_backend_has_answered(window: OpenWindow, offered: None) -> None:
    backend = slow(window)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    assert "Gated" in words(window)
    assert "small" not in words(window)
    await window.until(lambda: backend.asked, "the question")
    assert state_of(window, "Gated") == "Checking…"
    backend.may_answer.set()
    await window.until(lambda: "small" in words(window), "what the backend has on offer")
    assert state_of(window, "Gated") == "Connected"
    menu = window.composer.picker.menu_shown
    assert menu is not None
    menu.close()
    await window.settled()
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu again")
    assert "small" in words(window), "what was learnt is shown at once"
    await window.settled()


async def test_a_backend_that_does_not_answer_is_not_waited_for(
    window: OpenWindow, offered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_WAIT_S", 0.05)
    slow(window)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    assert "Gated" in words(window)
    assert state_of(window, "Gated") == "", "a computer that is busy is no server that is down"


async def test_a_server_that_is_silent_keeps_its_models_and_says_so(
    window: OpenWindow, offered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = GatedBackend("scripted")
    window.services.backends["scripted"] = backend  # type: ignore[index]

    async def refused() -> None:
        raise TransientError("network", "No server answers there.")

    monkeypatch.setattr(backend, "models", refused)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    assert state_of(window, "Gated") == "Not reachable"
    assert "big" in words(window)


async def test_what_answered_lately_is_known_to_the_menu(window: OpenWindow, offered: None) -> None:
    await window.send("with the big one")
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    menu = window.composer.picker.menu_shown
    assert menu is not None
    recent = {row.choice.model: row.choice.recent for row in menu.rows.rows if row.choice is not None}
    assert recent == {"big": 1, "small": 0}


async def test_the_button_shows_that_it_opens_a_list(window: OpenWindow) -> None:
    picker = window.composer.picker
    assert not picker.icon().isNull()
    assert picker.layoutDirection() == Qt.LayoutDirection.RightToLeft, "the chevron stands behind the words"


@pytest.mark.parametrize("detail", [Availability(False, "No key.", found=True), Availability(False, "Gone.")])
async def test_the_model_in_use_is_listed_while_its_connection_is_down(
    window: OpenWindow, offered: None, detail: Availability
) -> None:
    await window.send("with the big one")
    backend = GatedBackend("scripted")
    backend.available = detail
    window.services.backends["scripted"] = backend  # type: ignore[index]
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    assert words(window)[:2] == ["Gated", "big"]
    assert state_of(window, "Gated") in {detail.detail, "Not installed"}
    menu = window.composer.picker.menu_shown
    assert menu is not None
    assert menu.current is not None
    assert menu.current.model == "big"
    taken: list[tuple[str, str]] = []
    menu.chosen.connect(lambda *key: taken.append(key))
    QTest.keyClick(menu.search, Qt.Key.Key_Return)
    assert taken in ([], [("scripted", "big")]), "Enter keeps it"
    await window.settled()


async def test_a_model_that_its_provider_does_not_list_is_there_while_it_is_in_use(
    window: OpenWindow, offered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await window.send("hello")

    async def fewer() -> tuple[ModelInfo, ...]:
        return (window.backend.model("small"),)

    monkeypatch.setattr(window.backend, "models", fewer)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    assert words(window)[:3] == ["Gated", "big", "small"]


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (Failure("auth", "The key is gone.", actions=("add_key", "retry")), "Needs a key"),
        (Failure("backend", "It lists no models."), "It lists no models."),
    ],
)
async def test_a_server_that_answered_is_not_said_to_be_out_of_reach(
    window: OpenWindow, offered: None, monkeypatch: pytest.MonkeyPatch, failure: Failure, state: str
) -> None:
    backend = GatedBackend("scripted")
    window.services.backends["scripted"] = backend  # type: ignore[index]

    async def refused() -> None:
        raise PlimsollError(failure.code, failure.message, actions=failure.actions)

    monkeypatch.setattr(backend, "models", refused)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    assert state_of(window, "Gated") == state


async def test_the_window_that_a_refusal_told_is_shown(window: OpenWindow, offered: None) -> None:
    await window.services.chat.windows.learn("scripted", "big", 200_000)
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    menu = window.composer.picker.menu_shown
    assert menu is not None
    shown = {row.choice.model: row.choice.window for row in menu.rows.rows if row.choice is not None}
    assert shown["big"] == 200_000


async def test_new_threads_begin_with_the_first_model_chosen_until_another_is_named_for_them(
    window: OpenWindow, offered: None
) -> None:
    picker, preferences = window.composer.picker, window.services.preferences
    picker.model_chosen.emit("scripted", "small")
    await window.settled()
    await window.send("hello")
    assert (preferences.settings.default_backend, preferences.settings.backend("scripted").model) == (
        "scripted",
        "small",
    )
    picker.model_chosen.emit("scripted", "big")
    await window.settled()
    assert (await window.thread()).model == "big"
    window.shortcut("new_thread")
    await window.settled()
    assert picker.choice is not None
    assert picker.choice.model == "small", "what is chosen in a thread is that thread's own"

    picker.model_chosen.emit("scripted", "big")
    await window.settled()
    picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    menu = picker.menu_shown
    assert menu is not None
    assert [row.text for row in menu.rows.rows if "for new threads" in row.detail] == ["small"]
    assert menu.for_new.text() == "Use big for new threads"
    QTest.mouseClick(menu.for_new, Qt.MouseButton.LeftButton)
    await window.settled()
    assert preferences.settings.backend("scripted").model == "big"
    assert [row.text for row in menu.rows.rows if "for new threads" in row.detail] == ["big"]
    assert not menu.for_new.isVisible()


async def test_a_server_that_takes_a_key_is_not_said_to_be_free(
    window: OpenWindow, offered: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GatedBackend, "cost_kind", "free", raising=False)
    monkeypatch.setattr(window.services.connections, "asks_with_key", lambda _name: True)
    window.services.backends["scripted"] = GatedBackend("scripted")  # type: ignore[index]
    window.composer.picker.click()
    await window.until(lambda: words(window), "the menu")
    await window.settled()
    menu = window.composer.picker.menu_shown
    assert menu is not None
    assert {price_words(row.choice) for row in menu.rows.rows if row.choice is not None} == {""}
