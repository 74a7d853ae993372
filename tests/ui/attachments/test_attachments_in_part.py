"""A long document of which only the beginning is sent: by the card's button, by the chip's menu."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from desktop_app.core.attachment_facts import left_out_of
from desktop_app.core.messages import DocumentPart
from tests.ui.attaching import PROSE, attach, shown, written
from tests.ui.open_window import OpenWindow


def document(window: OpenWindow) -> DocumentPart:
    part = window.composer.attachments[0]
    assert isinstance(part, DocumentPart)
    return part


def entries(window: OpenWindow) -> dict[str, QAction]:
    """Opens the menu of the first chip."""
    chip = window.composer.tray.chips[0]
    chip.menu_requested.emit(chip.mapToGlobal(chip.rect().center()))
    menu = window.composer.tray.menu
    assert menu is not None
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def close_menu(window: OpenWindow) -> None:
    menu = window.composer.tray.menu
    assert menu is not None
    menu.close()


async def test_a_refused_document_is_sent_in_part_by_the_cards_button(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "huge.txt", PROSE * 12_000))
    window.enter("Sum this up")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    button = card.button("shorten_document")
    assert button is not None
    assert button.text() == "Use the first 40K tokens of huge.txt"
    button.click()
    await window.until(lambda: card.resolved, "the card's end")
    await window.settled()
    assert shown(window) == ["huge.txt"]
    assert window.composer.text() == "Sum this up"
    assert left_out_of(document(window)) > 100_000
    await window.until(lambda: window.composer.tray.chips[0].told.tokens.startswith("first ≈"), "the chip's words")
    hint = window.composer.tray.chips[0].told.hint
    assert "tokens at its end are left out; the model can search them" in hint
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    pending = window.backend.plans[0].request.pending
    assert pending is not None
    (sent, _) = pending.blocks
    assert isinstance(sent, DocumentPart)
    assert sent.text.endswith(" tokens left out]")
    assert window.backend.plans[0].tokens.documents <= 40_100


async def test_the_chips_menu_offers_parts_and_the_whole(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "long.txt", PROSE * 3_000))
    await window.until(lambda: window.composer.tray.chips[0].told.tokens, "the tokens")
    offered = entries(window)
    assert list(offered) == ["Open", "Whole document", "First 10K tokens", "First 40K tokens", "Remove"]
    assert [name for name, action in offered.items() if action.isChecked()] == ["Whole document"]
    offered["First 10K tokens"].trigger()
    close_menu(window)
    await window.until(lambda: window.composer.tray.chips[0].told.tokens.startswith("first ≈"), "the part")
    await window.settled()
    services = await window.app_state.services()
    (kept,) = await services.attachments.of(window.app_state.thread_id or "")
    assert kept == document(window)
    assert left_out_of(kept) > 20_000
    offered = entries(window)
    assert [name for name, action in offered.items() if action.isChecked()] == ["First 10K tokens"]
    offered["Whole document"].trigger()
    close_menu(window)
    await window.until(lambda: not left_out_of(document(window)), "the whole")
    await window.settled()


async def test_the_menu_of_a_short_document_offers_no_parts(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, written(tmp_path, "short.txt", PROSE))
    await window.until(lambda: window.composer.tray.chips[0].told.tokens, "the tokens")
    assert list(entries(window)) == ["Open", "Remove"]
    close_menu(window)
    await window.settled()
