"""A draft that is too long, in a low window with large text: its card is read first, and nothing is offered twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.ui.conversation.error_cards import ErrorCard
from desktop_app.ui.theme.theme import load_theme
from tests.gallery.cards import TOO_LONG
from tests.ui.open_window import OpenWindow
from tests.ui.shell.test_focus_return import by_hand
from tests.ui.views import opened, resized

SENTENCE = "The quick brown fox jumps over the lazy dog. "
LONG = SENTENCE * 20_000
LOW = (480, 600)


@asynccontextmanager
async def refused(data_dir: Path, *, percent: int = 150) -> AsyncIterator[tuple[OpenWindow, ErrorCard]]:
    """A low window in which 900 KB were refused."""
    async with opened(data_dir, used=True, language="de", percent=percent) as window:
        await resized(window, LOW)
        window.shortcut("new_thread")
        window.composer.picker.model_chosen.emit("scripted", "big")
        await window.settled()
        window.editor.setPlainText(LONG)
        await window.settled()
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        await window.settled()
        card = window.presenters.error_cards.card
        assert card is not None
        await by_hand(QApplication.processEvents)  # the card is laid out
        yield window, card


def heading(card: ErrorCard) -> QLabel:
    return next(label for label in card.findChildren(QLabel) if label.text() == card.content.heading)


async def test_the_heading_is_in_view_and_the_composer_takes_a_third_at_most(data_dir: Path, qapp: object) -> None:
    async with refused(data_dir) as (window, card):
        viewport = window.transcript.viewport()
        top = heading(card).mapTo(viewport, QPoint(0, 0)).y()
        assert 0 <= top < viewport.height() // 3
        assert window.composer.height() <= LOW[1] // 3
        before = window.editor.height()
        window.editor.replace_text("short")
        await window.until(lambda: card.resolved, "the resolved card")
        window.editor.setPlainText(SENTENCE * 40)
        assert window.editor.height() > before


async def test_a_card_higher_than_the_view_is_shown_from_its_heading(data_dir: Path, qapp: object) -> None:
    async with refused(data_dir) as (window, _):
        await resized(window, (LOW[0], 380))
        window.press(Qt.Key.Key_Return)
        await window.settled()
        await by_hand(QApplication.processEvents)
        again = window.presenters.error_cards.card
        viewport = window.transcript.viewport()
        assert again is not None
        assert again.height() > viewport.height()
        assert heading(again).mapTo(viewport, QPoint(0, 0)).y() >= 0
        last = next(button for button in reversed(again.buttons) if button.isEnabled())
        assert last.mapTo(viewport, QPoint(0, last.height())).y() > viewport.height(), "below what is seen"
        last.setFocus(Qt.FocusReason.TabFocusReason)
        assert last.mapTo(viewport, QPoint(0, last.height())).y() <= viewport.height(), "brought into view"


async def test_a_message_that_is_too_long_by_itself_is_named_as_what_is_largest(window: OpenWindow) -> None:
    window.editor.setPlainText(LONG)
    await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert (window.gauge.reading.action, window.composer.button.property("rests")) == ("Make room", True)
    assert window.composer.button.isEnabled()
    await window.until(lambda: window.gauge.line.endswith(" · Make room"), "its words")
    window.composer.button.click()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    told = f"This message is too long to send ({plan.tokens.upper:,} estimated tokens, limit "
    assert card.content.heading.startswith(told)
    assert card.content.biggest.startswith("Largest: your message ")
    assert window.composer.button.toolTip() == window.gauge.reading.sentence
    window.editor.replace_text("short")
    await window.until(lambda: card.resolved, "the resolved card")
    assert window.composer.button.property("rests") is False
    assert window.composer.button.toolTip() == "Send"
    window.composer.document_wanted.emit(LONG)
    await window.until(
        lambda: window.presenters.error_cards.current, "the card, as it does not fit as a document either"
    )
    again = window.presenters.error_cards.card
    assert again is not None
    assert not again.resolved
    assert again.content.biggest.startswith("Largest: Pasted text.txt ")


async def test_a_long_draft_ends_with_a_whole_line(window: OpenWindow) -> None:
    for height in (500, 511, 700, 909):
        window.window.resize(1000, height)
        await window.settled()
        window.editor.setPlainText(SENTENCE * 400)
        assert window.editor.viewport().height() % window.editor.pitch <= 2, "above where letters begin"
        assert window.editor.verticalScrollBar().maximum() > 0


def test_the_sentences_begin_where_the_heading_does(qapp: object) -> None:
    for size in (11, 17):
        card = ErrorCard(load_theme("light", text_size=size), TOO_LONG)
        card.resize(600, card.heightForWidth(600))
        card.show()
        labels = [one for one in card.findChildren(QLabel) if one.text() in (TOO_LONG.heading, TOO_LONG.sentence)]
        lefts = {one.mapTo(card, QPoint(0, 0)).x() for one in labels}
        assert (len(labels), len(lefts)) == (2, 1)
        card.close()
