"""The offline model: its short system prompt is shown as all that is sent, its first answer says what is better."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_app.core.model_catalog import ModelInfo, find_model, shipped_models
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.transcript.items.line_items import NoteItem
from tests.fakes.gated_backend import GatedBackend
from tests.ui.open_window import OpenWindow

SMALL = shipped_models("local")[0]


class SmallBackend(GatedBackend):
    """Plays the offline model."""

    default_model = SMALL.id

    def model(self, model_id: str) -> ModelInfo:
        return find_model("local", model_id)


@pytest_asyncio.fixture
async def offline(data_dir: Path, qapp: object) -> AsyncIterator[OpenWindow]:
    """A window in which the offline model was taken by a click."""
    async with OpenWindow.opened(data_dir, backend=None, local=SmallBackend("local")) as window:
        await window.until(lambda: window.window.stage.welcoming, "the cards")
        await window.settled()
        row = window.window.stage.welcome.row("local")
        assert row is not None
        QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
        await window.until(lambda: window.window.stage.reading, "the composer")
        await window.settled()
        yield window


def hint_of(window: OpenWindow) -> tuple[str, str] | None:
    line = window.transcript.decorations.hint
    return (
        (line.message_id, " ".join((line.text, *(words for words, _ in line.unfolded)))) if line is not None else None
    )


def click_words(window: OpenWindow) -> None:
    """Clicks the words at the end of the line."""
    view = window.transcript
    placed = [one for one in view.row_layout.placed if one.row.decoration == "hint"][-1]
    item = placed.row.item
    assert isinstance(item, NoteItem)
    x = next(x for x in range(view.column.width()) if item.button_at(x + 4, 8) == "open_connections")
    at = QPoint(view.column.left() + x + 8, placed.item_top + 8)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


async def test_the_short_system_prompt_is_in_the_plan_that_the_gauge_and_the_sender_read(offline: OpenWindow) -> None:
    await offline.send("hello")
    assert SMALL.system
    prepared = await offline.services.chat.prepared((await offline.thread()).id)
    plan = prepared.plan(())
    assert plan.request.system == SMALL.system
    assert plan.tokens.system > 0
    opened = await offline.opened_thread()
    request = await offline.services.chat.history.request(opened.path[-1].id)
    assert SMALL.system in str(request)
    await offline.services.chat.set_system(opened.thread.id, "Speak like a pirate.")
    prepared = await offline.services.chat.prepared(opened.thread.id)
    assert prepared.plan(()).request.system == "Speak like a pirate."


async def test_the_first_answer_says_what_gives_better_ones_and_leads_there(offline: OpenWindow) -> None:
    assert hint_of(offline) is None
    await offline.send("hello")
    opened = await offline.opened_thread()
    first = opened.path[-1].id
    shown = hint_of(offline)
    assert shown is not None
    assert shown[1] == "This tiny model is often wrong. A larger GGUF file or an API key gives real answers."
    await offline.send("again")
    assert hint_of(offline) == shown, "it stays beneath the first answer"
    click_words(offline)
    await offline.until(lambda: isinstance(offline.presenters.pages.page, ConnectionsPage), "the connections")
    await offline.settled()
    offline.press(Qt.Key.Key_Escape, widget=offline.presenters.pages.page)
    await offline.until(lambda: offline.window.stage.reading, "the thread")
    await offline.app_state.reopen()
    await offline.settled()
    assert hint_of(offline) == (offline.transcript.path.id_of(first), shown[1])
    offline.shortcut("new_thread")
    await offline.settled()
    assert hint_of(offline) is None


async def test_another_model_has_no_such_line(window: OpenWindow) -> None:
    await window.send("hello")
    assert hint_of(window) is None
