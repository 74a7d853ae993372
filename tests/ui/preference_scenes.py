"""Pictures of the page of preferences. Values and models are made up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tests.set_time import days_ago

if TYPE_CHECKING:
    from desktop_app.ui.preferences.preferences_page import PreferencesPage
    from desktop_app.ui.preferences.sync_page import SyncPage
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


async def sync_shown(window: OpenWindow, **state: object) -> SyncPage:
    """The page of sync over an engine of which the state is told."""
    from desktop_app.ui.preferences.sync_page import SyncPage
    from tests.fakes.fake_sync import FakeSync

    engine = FakeSync(window.services.announcements)
    object.__setattr__(window.services, "sync", engine)
    if state:
        engine.become(**state)
    window.shortcut("show_sync")
    await window.until(lambda: isinstance(window.presenters.pages.page, SyncPage), "the page")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, SyncPage)
    return page


async def sync_place(window: OpenWindow) -> None:
    page = await sync_shown(window)
    page.place.setText("s3://notes/plimsoll")
    page.show_state()


async def sync_passphrase(window: OpenWindow) -> None:
    page = await sync_shown(window)
    page.show_step("new")
    page.secret.setText("quiet harbor lantern")
    page.show_state()


async def sync_devices(window: OpenWindow) -> None:
    """A folder that was swapped: rows with a ring, and the line at the list's foot."""
    from desktop_app.core.phrases import phrase
    from desktop_app.core.sync import SyncTrouble
    from tests.fakes.fake_sync import DEVICES

    threads = frozenset(one.thread.id for one in window.threads.model.threads()[:4])
    words = phrase("This place is not the one it was: it may have been emptied, or another is mounted there.")
    await sync_shown(
        window,
        place="/home/ada/Nextcloud/Plimsoll",
        device="Desk",
        devices=DEVICES,
        waiting=12,
        waiting_threads=threads,
        since=days_ago(2),
        trouble=SyncTrouble("store", words),
        bytes_sent=18_400_000,
        bytes_received=3_100_000,
    )


async def sync_apart(window: OpenWindow) -> None:
    """Instructions that were changed on two devices, and what was deleted and is still on one."""
    from desktop_app.core.sync import SyncApart
    from tests.fakes.fake_sync import DEVICES

    other = "Answer in the words of the harbor master.\nName the tide and the wind before anything else."
    project = SyncApart("project", "p", "Harbor", (("instructions", other),))
    state = {"place": "/home/ada/Sync", "device": "Desk", "devices": DEVICES, "apart": (project,)}
    await sync_shown(window, **state, still_on=("Laptop",))


async def sync_apart_thread(window: OpenWindow) -> None:
    from desktop_app.core.events import SyncChanged
    from desktop_app.core.sync import SyncApart, SyncStatus

    thread = window.app_state.thread_id or ""
    apart = SyncApart("thread", thread, "Tides", (("title", "Ebb and flow"), ("model", "echo-1")))
    window.services.announcements.publish(SyncChanged(SyncStatus("/home/ada/Sync", "Desk", apart=(apart,))))
    await window.settled()


async def sync_sheet(window: OpenWindow) -> None:
    from tests.fakes.fake_sync import DEVICES

    page = await sync_shown(window, place="/home/ada/Sync", device="Desk", devices=DEVICES)
    page.sheet_button.click()
    await window.settled()


async def sync_joining(window: OpenWindow) -> None:
    from tests.fakes.fake_sync import DEVICES

    await sync_shown(window, place="/home/ada/Sync", device="Desk", devices=DEVICES, progress=(30, 100))


PREFERENCE_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    preferences,
    preferences_problems,
    preferences_search,
    preferences_nothing_found,
    preferences_advanced,
    preferences_narrow,
    preferences_large_text,
    sync_place,
    sync_passphrase,
    sync_devices,
    sync_apart,
    sync_apart_thread,
    sync_sheet,
    sync_joining,
)
