"""The 180K card: nothing is sent, the draft stays, and every button does what it says."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_app.ui.cards.error_card import ErrorCard
from tests.fakes.gated_backend import said
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

LONG = "The quick brown fox jumps over the lazy dog. " * 20_000  # 900 KB


async def refused(window: OpenWindow) -> ErrorCard:
    """Pastes 900 KB and presses Enter."""
    QApplication.clipboard().setText(LONG)
    window.editor.paste()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.trouble.card is not None, "the card")
    await window.settled()
    card = window.presenters.trouble.card
    assert card is not None
    return card


async def test_900_kb_are_refused_inline_and_the_draft_is_still_there(window: OpenWindow) -> None:
    card = await refused(window)
    assert card.isVisible()
    assert card.content.heading.startswith("This conversation is too long to continue (")
    assert "limit 180,000)" in card.content.heading
    assert card.content.sentence == "Nothing was sent. Your draft is still below."
    assert card.content.biggest.startswith("Largest: your message ")
    assert window.backend.plans == []
    assert window.composer.text() == LONG
    assert (await window.opened_thread()).path == ()
    await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
    assert window.gauge.reading.action == "Make room"
    assert len([button for button in card.buttons if button.text() not in ("More", "Details")]) <= 3


async def test_the_refused_draft_survives_a_restart(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await refused(window)
    async with OpenWindow.opened(data_dir) as window:
        assert window.composer.text() == LONG
        assert (await window.opened_thread()).path == ()


async def test_shortening_resolves_the_card_to_a_muted_line(window: OpenWindow) -> None:
    card = await refused(window)
    button = card.button("edit_draft")
    assert button is not None
    button.click()
    assert window.editor.hasFocus()
    window.editor.selectAll()
    window.type("short")
    await window.until(lambda: card.resolved, "the resolved card")
    assert not any(button.isVisible() for button in card.buttons)
    assert window.gauge.reading.state == "calm"
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    assert said(window.backend.plans[0]) == [("user", ("short",))]


async def test_the_draft_can_go_into_a_new_thread(window: OpenWindow) -> None:
    await window.send("an earlier turn")
    first = window.desk.thread_id
    card = await refused(window)
    card.action_requested.emit("new_thread")
    await window.until(lambda: window.desk.thread_id not in (None, first), "the new thread")
    await window.settled()
    assert window.composer.text() == LONG
    assert first is not None
    await window.choose_thread(first)
    assert window.composer.is_empty()


async def test_raising_the_limit_sends_again(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.backend.window = 1_000_000
        card = await refused(window)
        button = card.button("raise_limit")
        assert button is not None
        assert button.text().startswith("Raise the limit to ")
        button.click()
        await window.until(lambda: window.backend.plans, "the request")
        assert window.backend.plans[0].decision == "ok"
        assert (await window.thread()).soft_limit is not None
        await window.until(lambda: not window.composer.streaming, "the answer")
        assert window.presenters.trouble.card is None
        assert window.composer.is_empty()


async def test_where_the_model_takes_no_more_no_higher_limit_is_offered(window: OpenWindow) -> None:
    card = await refused(window)
    assert "raise_limit" not in [action.id for action in card.content.actions]


async def test_f6_goes_to_the_card_arrows_along_its_buttons_and_escape_back(window: OpenWindow) -> None:
    card = await refused(window)
    window.window.activateWindow()
    assert window.editor.hasFocus()
    window.shortcut("focus_card")
    assert card.buttons[0].hasFocus()
    window.press(Qt.Key.Key_Right, widget=card.buttons[0])
    assert card.buttons[1].hasFocus()
    window.press(Qt.Key.Key_Left, widget=card.buttons[1])
    assert card.buttons[0].hasFocus()
    window.press(Qt.Key.Key_Escape, widget=card.buttons[0])
    assert window.editor.hasFocus()


async def test_typing_in_a_pasted_book_stays_quick(window: OpenWindow) -> None:
    QApplication.clipboard().setText("The quick brown fox jumps over the lazy dog.\n" * 20_000)
    window.editor.paste()
    await window.until(lambda: window.gauge.reading.state == "refused", "the gauge of the whole book")
    begun = time.process_time()
    window.type("some words")
    window.composer.repaint()
    assert (time.process_time() - begun) / len("some words") < 0.05
    assert window.composer.text().endswith("some words")
