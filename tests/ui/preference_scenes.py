"""Pictures of the page of preferences. Values and models are made up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.ui.preferences.preferences_page import PreferencesPage
    from tests.ui.open_window import OpenWindow

WRITTEN = """\
[context]
soft_limit = 90000
preserve_last_n = "many"
sof_limit = 3

[costs]
day_cap_usd = 5

[backends.openai]
base_url = "http://127.0.0.1:11434/v1"

[models."mistral-large-instruct-2411-q4_k_m-with-a-rather-long-name"]
window = 131072
"""


def add_to_file(window: OpenWindow) -> None:
    """The scene's theme stands in the file already and stays."""
    path = window.services.preferences.path
    path.write_text((path.read_text() if path.exists() else "") + WRITTEN)


async def shown(window: OpenWindow) -> PreferencesPage:
    """Opens the page and waits for its rows."""
    from desktop_app.ui.preferences.preferences_page import PreferencesPage

    window.shortcut("preferences")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    await window.settled()
    return page


async def preferences(window: OpenWindow) -> None:
    window.window.resize(1180, 980)
    window.window.activateWindow()
    await shown(window)


async def preferences_problems(window: OpenWindow) -> None:
    """A file with faults, and a value that is not taken."""
    from PySide6.QtCore import Qt

    from desktop_app.ui.preferences.setting_controls import PresetControl

    window.window.resize(1180, 1400)
    add_to_file(window)
    page = await shown(window)
    page.reveal("context.max_turns")
    control = page.rows["context.max_turns"].control
    assert isinstance(control, PresetControl)
    control.open_field()
    field = control.field
    window.window.activateWindow()
    field.setFocus()
    window.type("many", field)
    window.press(Qt.Key.Key_Return, widget=field)


async def preferences_search(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    page = await shown(window)
    page.search.setText("kept start")


async def preferences_nothing_found(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    page = await shown(window)
    page.search.setText("zebra")


async def preferences_advanced(window: OpenWindow) -> None:
    """The connections and models."""
    window.window.resize(1180, 1200)
    add_to_file(window)
    page = await shown(window)
    page.choose_section("advanced")


async def preferences_narrow(window: OpenWindow) -> None:
    window.shortcut("toggle_threads")
    window.window.resize(480, 900)
    add_to_file(window)
    await shown(window)


async def preferences_large_text(window: OpenWindow) -> None:
    window.shortcut("toggle_threads")
    window.window.resize(640, 900)
    page = await shown(window)
    page.value_chosen.emit("appearance.text_size", 18)
    await window.settled()


PREFERENCE_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    preferences,
    preferences_problems,
    preferences_search,
    preferences_nothing_found,
    preferences_advanced,
    preferences_narrow,
    preferences_large_text,
)
