"""The row of buttons stands at one side of every message; beneath the last answer it rests without the pointer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.ui.theme.theme import OUTDENT
from desktop_app.ui.transcript.items.fold_items import AttachmentsItem
from tests.fakes.gated_backend import Gate
from tests.ui.attaching import attach, written
from tests.ui.conversation.test_branches import answered, entries, hover, press, talked
from tests.ui.open_window import OpenWindow


def card_widths(window: OpenWindow) -> dict[int, int]:
    """By message, how wide the text is that its card surrounds."""
    return {p.message: p.card for p in window.transcript.row_layout.placed if p.first and p.card}


async def test_beneath_the_last_answer_the_buttons_rest_without_the_pointer(window: OpenWindow) -> None:
    await talked(window)
    bar = window.transcript.actions_bar
    assert not bar.isVisible()
    assert bar.resting.isVisible()
    assert bar.resting.message_id == window.transcript.row_layout.messages[-1].id
    assert set(bar.resting.buttons) >= {"copy", "again", "details"}
    bar.resting.buttons["again"].click()
    await answered(window, 3)
    assert bar.resting.isVisible()
    assert bar.resting.message_id == window.transcript.row_layout.messages[-1].id


async def test_an_answer_that_failed_before_its_first_word_is_not_copied_or_rated(window: OpenWindow) -> None:
    window.backend.reply(Failed(Failure("overloaded", "Busy.")))
    window.enter("one")
    await window.until(lambda: window.presenters.error_cards.card, "the card")
    await window.settled()
    (_, answer) = window.transcript.row_layout.messages
    offered = [one.id for one in window.presenters.branches.actions.offers(answer.id)]
    assert offered == ["again", "again_with", "details"]
    window.presenters.marks.rate(answer.id, "up")
    await window.settled()
    assert window.presenters.marks.of(answer.id).rating == ""


async def test_the_pointer_on_the_last_answer_shows_one_row_at_the_same_place(window: OpenWindow) -> None:
    await talked(window)
    bar = window.transcript.actions_bar
    resting = bar.resting.geometry()
    hover(window, 3)
    assert bar.isVisible()
    assert not bar.resting.isVisible()
    assert bar.geometry() == resting
    hover(window, 1)
    assert bar.isVisible()
    assert bar.resting.isVisible()
    QApplication.sendEvent(window.transcript.viewport(), QEvent(QEvent.Type.Leave))
    assert not bar.isVisible()


async def test_nothing_rests_beneath_an_answer_that_is_coming(window: OpenWindow) -> None:
    await talked(window)
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    window.enter("three")
    await window.until(lambda: window.composer.streaming, "the answer's beginning")
    await window.until(lambda: len(window.transcript.row_layout.messages) == 6, "the answer")
    assert not window.transcript.actions_bar.resting.isVisible()
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()
    assert window.transcript.actions_bar.resting.isVisible()


async def test_all_messages_have_their_buttons_at_one_side(window: OpenWindow) -> None:
    """Also one with a line beneath it, which once had them at the right: the line makes room."""
    await talked(window)
    window.backend.reply(TextDelta("cut off"), Ended("max_tokens"))
    await window.send("three")
    view, bar = window.transcript, window.transcript.actions_bar
    lefts = set()
    for index in (0, 1, 4, 5):
        hover(window, index)
        lefts.add(bar.geometry().left())
        lines = [p for p in view.row_layout.placed if p.message == index and p.row.decoration]
        for line in lines:
            words_top = line.item_top + (line.row.item.height - view.text_style.small.pitch) // 2
            assert bar.geometry().center().y() + 8 <= words_top, "no button lies on words"
    assert len(lefts) == 1
    assert any(p.message == 5 and p.row.decoration == "state" for p in view.row_layout.placed)


async def test_the_arrows_between_versions_stand_in_the_row_of_the_buttons(window: OpenWindow) -> None:
    await talked(window)
    press(window, 3, "again")
    await answered(window, 3)
    view, resting = window.transcript, window.transcript.actions_bar.resting
    arrows = next(p for p in view.row_layout.placed if p.row.decoration == "branches")
    assert resting.isVisible()
    assert arrows.item_top <= resting.geometry().center().y() <= arrows.bottom
    assert view.column.left() < resting.geometry().left() < view.column.left() + 100


async def test_details_open_at_the_row_that_was_pressed(window: OpenWindow) -> None:
    await talked(window)
    resting = window.transcript.actions_bar.resting
    QTest.mouseClick(resting.buttons["details"], Qt.MouseButton.LeftButton)
    await window.settled()
    popover = QApplication.activePopupWidget()
    assert popover is not None
    assert popover.accessibleName() == "Details of the message"
    popover.close()


async def test_a_question_is_as_wide_as_its_text_and_no_wider_than_the_column(window: OpenWindow) -> None:
    await talked(window, "Hi", "A question that is longer than the first", "word " * 200)
    widths = card_widths(window)
    window.transcript.navigation.scroll_to_message(window.transcript.row_layout.messages[0].id)
    widths |= card_widths(window)
    column = window.transcript.column.width()
    assert widths[0] < widths[2] < widths[4] == column
    assert set(widths) == {0, 2, 4}, "answers have no card"


@pytest.mark.parametrize("width", [1440, 700])
async def test_the_card_is_painted_around_its_text_only(window: OpenWindow, width: int) -> None:
    window.window.resize(width, 700)
    await talked(window, "Hi")
    view = window.transcript
    placed = next(p for p in view.row_layout.placed if p.card)
    picture = view.viewport().grab().toImage()
    scale = picture.devicePixelRatio()
    row = round((placed.item_top + 4) * scale)
    card = view.text_style.color("question").rgb()
    painted = [x for x in range(picture.width()) if picture.pixel(x, row) == card]
    assert abs(min(painted) / scale - (view.column.left() - OUTDENT)) <= 1
    assert abs(max(painted) / scale - (view.column.left() + placed.card + OUTDENT)) <= 2


async def test_a_wider_window_measures_questions_again(window: OpenWindow) -> None:
    window.window.resize(600, 700)
    await talked(window, "A question that wraps where the window is narrow and fits one line where it is wide, as here")
    narrow = card_widths(window)[0]
    assert narrow == window.transcript.column.width()
    window.window.resize(1440, 700)
    await window.settled()
    assert narrow < card_widths(window)[0] < window.transcript.column.width()


def test_details_name_the_model_as_its_provider_does_never_by_its_id() -> None:
    from desktop_app.core.messages import Message, TextPart
    from desktop_app.ui.conversation.message_actions import details

    answer = Message(
        *("a", "t", "q", "assistant", (TextPart("x"),), "2026-01-01T00:00:00.000Z"),
        model="claude-sonnet-5-5-20260101",
        backend="anthropic",
    )
    told = dict(details(answer, "Claude Sonnet 5.5", "Anthropic", None))
    assert told["Model"] == "Claude Sonnet 5.5 · Anthropic"


async def test_the_menu_tells_the_keys_of_ratings_and_versions(window: OpenWindow) -> None:
    await talked(window)
    press(window, 3, "again")
    await answered(window, 3)
    found = entries(window, 3)
    actions = window.window.actions_by_id
    assert found["Rate up"].shortcut() == actions["rate_up"].shortcut()
    assert found["Write a note"].shortcut() == actions["note"].shortcut()
    assert found["Previous version (2 / 2)"].shortcut().toString() == "Alt+Left"


async def test_details_are_asked_of_the_backend_that_answered(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the window, too: the name that the backend has for the model's id."""
    await talked(window, "one")
    plain = window.backend.model("big")
    monkeypatch.setattr(window.backend, "model", lambda _id: replace(plain, name="Big Model 2"))
    press(window, 1, "details")
    popover = QApplication.activePopupWidget()
    assert popover is not None
    assert "Big Model 2 · Gated" in popover.accessibleDescription()
    popover.close()


async def test_a_question_with_an_attachment_is_as_wide_as_the_wider_of_both(
    window: OpenWindow, tmp_path: Path
) -> None:
    await attach(window, written(tmp_path, "notes.txt", "a short note"))
    await window.send("Hi")
    chip = next(p.row.item for p in window.transcript.row_layout.placed if isinstance(p.row.item, AttachmentsItem))
    assert card_widths(window)[0] == chip.text_width < window.transcript.column.width()


async def test_screen_readers_find_messages_only_while_buttons_rest(window: OpenWindow) -> None:
    await talked(window)
    assert window.transcript.actions_bar.resting.isVisible()
    seen = QAccessible.queryAccessibleInterface(window.transcript)
    assert seen is not None
    assert seen.childCount() == 4
