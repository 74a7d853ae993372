"""The 180K card: nothing is sent, the draft stays, and every button does what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.context.plan_questions import Remedy, offered_limit, refusal_remedies
from desktop_app.core.context.plan_text import price, thousands
from desktop_app.core.messages import DocumentPart
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.conversation.error_cards import CardAction, CardContent, ErrorCard
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.floating import Toast
from tests.counted_calls import CountedCalls
from tests.fakes.gated_backend import Gate, said
from tests.ui.long_threads import PRICES, SENTENCE, drafted, faded, long_path, put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

THREAD = f"{7:032x}"
LONG = "The quick brown fox jumps over the lazy dog. " * 20_000  # 900 KB


async def refused(window: OpenWindow) -> ErrorCard:
    """Sends 900 KB."""
    window.editor.replace_text(LONG)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    return card


async def test_900_kb_are_refused_inline_and_the_draft_is_still_there(window: OpenWindow) -> None:
    card = await refused(window)
    assert card.isVisible()
    assert card.content.heading.startswith("This message is too long to send (")
    assert card.content.heading.endswith(" estimated tokens, limit 180,000)")
    assert card.content.sentence == "Nothing was sent. Your draft is still below."
    assert card.content.biggest.startswith("Largest: your message ")
    assert window.backend.plans == []
    assert window.composer.text() == LONG
    assert (await window.opened_thread()).path == ()
    await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
    assert window.gauge.line.endswith(" · limit 180K"), "what the card offers is offered once"
    assert len([button for button in card.buttons if button.text() not in ("More", "Details")]) <= 3


async def test_what_was_pasted_and_is_too_long_to_be_typed_is_refused_as_the_document_it_became(
    window: OpenWindow,
) -> None:
    QApplication.clipboard().setText(LONG)
    window.editor.paste()
    window.press(Qt.Key.Key_Return)  # at once: it goes when it is attached
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.heading.endswith(", limit 180,000)")
    assert card.content.biggest.startswith("Largest: Pasted text.txt ")
    assert window.backend.plans == []
    (document,) = window.composer.attachments
    assert isinstance(document, DocumentPart)
    assert document.text == LONG


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


async def test_the_draft_can_go_into_a_new_thread(window: OpenWindow, data_dir: Path) -> None:
    await put_thread(data_dir, "Long", long_path(THREAD, 96, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.services.chat.context_editing.pin(THREAD, [m.id for m in window.transcript.row_layout.messages])
    await window.settled()
    first = window.app_state.thread_id
    window.editor.replace_text(LONG[:180_000])
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    card.action_requested.emit("new_thread")
    await window.until(lambda: window.app_state.thread_id not in (None, first), "the new thread")
    await window.settled()
    assert window.composer.text() == LONG[:180_000]
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
        assert window.presenters.error_cards.card is None
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


async def test_typing_in_a_book_stays_quick(window: OpenWindow) -> None:
    window.editor.replace_text("The quick brown fox jumps over the lazy dog.\n" * 20_000)
    await window.until(lambda: window.gauge.reading.state == "refused", "the gauge of the whole book")
    with CountedCalls() as work:
        window.type("some words")
        window.composer.repaint()
    assert work.calls / len("some words") < 1_800
    assert window.composer.text().endswith("some words")


async def crowded(window: OpenWindow, data_dir: Path, *, turns: int = 108, draft: int = 3_000) -> ErrorCard:
    """A thread whose pins leave no room: it is refused, and several ways out are real."""
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, turns, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.services.chat.context_editing.pin(
        THREAD, [message.id for message in window.transcript.row_layout.messages]
    )
    await window.settled()
    await drafted(window, SENTENCE * draft)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    return card


def names(card: ErrorCard) -> list[str]:
    return [action.id for action in card.content.actions]


def words(card: ErrorCard, name: str) -> str:
    action = card.content.action(name)
    assert action is not None
    return action.words


async def test_three_buttons_and_the_rest_under_more(window: OpenWindow, data_dir: Path) -> None:
    window.backend.window = 1_000_000
    card = await crowded(window, data_dir, turns=116)
    assert names(card) == ["raise_limit", "summarise", "unpin", "new_thread_summary", "new_thread", "switch_model"]
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert words(card, "raise_limit").startswith(f"Raise the limit to {thousands(offered_limit(plan) or 0)} · up to $")
    assert words(card, "raise_limit").endswith(" a turn")
    raised, summarised = (next(one for one in refusal_remedies(plan) if one.action == name) for name in names(card)[:2])
    assert (
        words(card, "summarise") == f"Summarize and continue · {price(summarised.cost_usd or 0.0, summarised.most_usd)}"
    )
    least = min(one.most_usd for one in refusal_remedies(plan) if one.most_usd)
    assert (card.buttons[0].property("kind") == "primary") is (raised.most_usd == least), "it forgets least"
    assert [button.text() for button in card.buttons[3:]] == ["More"]
    menu = card.buttons[3].menu()
    assert menu is not None
    assert len(menu.actions()) == 3
    assert window.editor.hasFocus(), "the keyboard stays where the draft is"


async def test_summarise_and_continue_summarises_then_sends_the_draft(window: OpenWindow, data_dir: Path) -> None:
    card = await crowded(window, data_dir)
    gate = Gate()
    # longer than one request: it is condensed in two
    window.backend.reply(TextDelta("Asked: "), gate, TextDelta("the figures."), Ended("end_turn"))
    window.backend.reply(TextDelta("Asked: the figures and more."), Ended("end_turn"))
    button = card.button("summarise")
    assert button is not None
    button.click()
    await gate.arrive()
    assert window.transcript.footer.notice is not None
    assert window.transcript.footer.notice[0].startswith("Summarizing 215 older messages")
    gate.open()
    await window.until(window.composer.is_empty, "the draft in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    plan = window.backend.plans[-1]
    assert plan.decision == "ok"
    assert plan.tokens.summary
    assert window.composer.is_empty()
    assert window.presenters.error_cards.card is None


async def test_a_summary_that_comes_to_nothing_sends_nothing_and_says_why(window: OpenWindow, data_dir: Path) -> None:
    card = await crowded(window, data_dir)
    for _ in range(2):
        window.backend.reply(TextDelta(" "), Ended("end_turn"))
    card.action_requested.emit("summarise")
    await window.until(lambda: window.transcript.footer.notice is not None, "a line about the summary")
    await window.settled()
    notice = window.transcript.footer.notice
    assert notice is not None
    assert notice[0] == "The summary was empty. Nothing was changed."
    assert not window.composer.is_empty()
    assert window.presenters.error_cards.card is card


async def test_a_refusal_tones_nothing_down_as_nothing_is_sent(window: OpenWindow, data_dir: Path) -> None:
    await put_thread(data_dir, "Long", long_path(THREAD, 20, 400))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    await drafted(window, LONG)
    assert window.gauge.reading.state == "refused"
    assert faded(window) == set()


async def test_unpin_makes_room_and_the_card_a_muted_line(window: OpenWindow, data_dir: Path) -> None:
    card = await crowded(window, data_dir)
    card.action_requested.emit("unpin")
    await window.until(lambda: card.resolved, "the muted line")
    await window.settled()
    assert (await window.thread()).choices.pinned == frozenset()
    toast: Toast = window.window.toast
    assert toast.words == "No longer pinned."
    toast.button.click()
    await window.settled()
    assert len((await window.thread()).choices.pinned) == 216


async def test_a_document_in_the_thread_can_be_left_out(window: OpenWindow, data_dir: Path) -> None:
    path = list(long_path(THREAD, 3, 100))
    report = DocumentPart("report with a very long name of the second quarter.pdf", SENTENCE * 17_000, "ab" * 32)
    path[0] = replace(path[0], parts=(report, *path[0].parts))
    await put_thread(data_dir, "Long", tuple(path))
    await window.app_state.open_thread(THREAD)
    window.editor.replace_text("What does it say?")
    await window.settled()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.biggest.startswith("Largest: report with")
    button = card.button("exclude")
    assert button is not None
    assert button.text() == "Leave out report with a very…rter.pdf"
    assert button.toolTip() == report.name
    button.click()
    await window.until(lambda: card.resolved, "the muted line")
    await window.settled()
    assert (await window.thread()).choices.excluded == {path[0].id}
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")


async def test_a_system_prompt_that_fills_the_request_can_be_shortened(window: OpenWindow) -> None:
    await window.send("hello")
    assert window.app_state.thread_id is not None
    await window.services.chat.set_system(window.app_state.thread_id, SENTENCE * 20_000)
    await window.settled()
    window.enter("again")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    asked: list[bool] = []
    window.presenters.remedies.system_prompt_requested.connect(lambda: asked.append(True))
    card.action_requested.emit("edit_system")
    await window.settled()
    assert asked == [True]


async def test_a_new_thread_with_a_summary_takes_the_draft_along(window: OpenWindow, data_dir: Path) -> None:
    card = await crowded(window, data_dir, draft=2_600)
    for _ in range(2):
        window.backend.reply(TextDelta("Asked: the figures."), Ended("end_turn"))
    card.action_requested.emit("new_thread_summary")
    await window.until(lambda: window.app_state.thread_id not in (None, THREAD), "the new thread")
    await window.settled()
    text = window.composer.text()
    assert text.startswith('Summary of "Long":')
    assert "Asked: the figures." in text
    assert text.endswith(SENTENCE.strip())
    assert window.presenters.error_cards.card is None
    await window.choose_thread(THREAD)
    assert window.composer.is_empty()


async def test_the_spending_cap_asks_and_can_be_passed_once(window: OpenWindow) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await window.services.preferences.set_value("costs.thread_cap_usd", 0.01)
    window.editor.replace_text(SENTENCE * 500)
    await window.settled()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.heading.startswith("This request would pass the cap of $0.01 for this thread")
    assert [action.words for action in card.content.actions] == ["Send anyway", "Change the cap"]
    assert window.backend.plans == []
    asked: list[bool] = []
    window.presenters.remedies.caps_requested.connect(lambda: asked.append(True))
    card.action_requested.emit("edit_caps")
    await window.settled()
    assert asked == [True]
    card.action_requested.emit("pass_cap")
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    assert window.presenters.error_cards.card is None


async def test_a_summary_before_a_cap_asks_and_goes_on(window: OpenWindow, data_dir: Path) -> None:
    card = await crowded(window, data_dir)
    await window.services.preferences.set_value("costs.thread_cap_usd", 0.01)
    card.action_requested.emit("summarise")
    await window.until(lambda: window.presenters.error_cards.card is not card, "the card of the cap")
    await window.settled()
    asking = window.presenters.error_cards.card
    assert asking is not None
    assert "cap of $0.01" in asking.content.heading
    window.backend.reply(TextDelta("Asked: "), Ended("end_turn"))
    window.backend.reply(TextDelta("Asked: the figures."), Ended("end_turn"))
    asking.action_requested.emit("pass_cap")
    await window.until(lambda: window.app_state.current and window.app_state.current.choices.summaries, "the summary")
    await window.settled()


def test_buttons_that_do_not_fit_stand_under_each_other(qtbot: QtBot) -> None:
    remedies = [CardAction(str(number), f"A rather long button {number}", Remedy("retry")) for number in range(3)]
    content = CardContent("Heading", "Sentence.", "", tuple(remedies), "", "Resolved")
    room = QWidget()
    qtbot.addWidget(room)
    card = ErrorCard(load_theme("light"), content, room)
    wide, narrow = card.heightForWidth(760), card.heightForWidth(380)
    assert narrow > wide
    card.resize(380, narrow)
    room.show()
    tops = [button.mapTo(card, QPoint()).y() for button in card.buttons]
    assert tops == sorted(set(tops))
    assert all(button.mapTo(card, button.rect().bottomRight()).x() < 380 for button in card.buttons)


async def test_a_card_without_a_draft_speaks_of_none(window: OpenWindow) -> None:
    """What must stay is too long by itself: the gauge's card offers what helps, and nothing that a draft needs."""
    window.backend.window = 12_000
    await window.send("Hello")
    await window.services.chat.set_system((await window.thread()).id, SENTENCE * 2_000)
    await window.until(lambda: window.gauge.reading.state == "refused", "the red gauge")
    window.gauge.room_requested.emit()
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.sentence == "Nothing was sent. The thread is unchanged."
    offered = {action.id for action in card.content.actions}
    assert "edit_system" in offered
    assert not offered & {"send_anyway", "edit_draft", "new_thread", "new_thread_summary"}
    window.type("and now?")
    await window.until(lambda: "draft" in card_of(window).content.sentence, "the card of the draft")


def card_of(window: OpenWindow) -> ErrorCard:
    card = window.presenters.error_cards.card
    assert card is not None
    return card
