"""What is asked before a thread passes its limit for the first time, and what a cold thread says when it is opened."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_app.core.context.plan import Overhead
from desktop_app.core.context.plan_text import dollars, price, thousands
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.conversation.error_cards import ErrorCard, describe_crossing
from tests.fakes.gated_backend import Gate, said
from tests.ui.long_threads import PRICES, SENTENCE, drafted, long_path, put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

THREAD = f"{7:032x}"
DRAFT = SENTENCE * 1_500


async def full(window: OpenWindow, data_dir: Path) -> None:
    """A thread of nearly 150K tokens with a model that takes a million, and a draft that passes 150K."""
    window.backend.window = 1_000_000
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    window.backend.overhead = Overhead(cache_marks=4)
    await put_thread(data_dir, "Long", long_path(THREAD, 96, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    await drafted(window, DRAFT)


async def asked(window: OpenWindow) -> ErrorCard:
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the question")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    return card


async def test_nothing_is_sent_before_the_question_is_answered(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    card = await asked(window)
    assert card.content.heading == "This thread passes 150K tokens"
    plan = window.presenters.gauge.plan
    assert plan is not None
    keep, raised = plan.advice.options
    told = [
        f"{price(one.cost_usd or 0, one.most_usd)}, then {dollars(one.turn_usd or 0)} a turn" for one in (keep, raised)
    ]
    assert [action.words for action in card.content.actions] == [f"Keep 150K · {told[0]}", f"Raise to 300K · {told[1]}"]
    assert (keep.cost_usd or 0) < (raised.cost_usd or 0)
    assert not any(button.property("kind") == "primary" for button in card.buttons), "one costs less, one forgets less"
    assert card.content.tone == "question"
    assert window.backend.plans == []
    assert window.composer.text() == DRAFT
    assert window.editor.hasFocus()
    window.shortcut("focus_card")
    assert card.buttons[0].hasFocus()


async def test_what_costs_less_and_forgets_less_is_the_obvious_choice(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    await asked(window)
    plan = window.presenters.gauge.plan
    assert plan is not None
    keep, raised = plan.advice.options
    cached = replace(raised, cost_usd=0.05, most_usd=0.06)
    offered = replace(plan, advice=replace(plan.advice, options=(keep, cached)))
    content = describe_crossing(offered)
    assert content.has_primary
    own = describe_crossing(replace(offered, limits=replace(plan.limits, soft=50_000)))
    assert not own.has_primary, "the user set a lower limit"
    assert own.actions[0].id == "keep_trimming"
    assert [action.id for action in content.actions] == ["raise_limit", "keep_trimming"]


async def test_keeping_the_limit_leaves_out_and_is_asked_only_once(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    button = (await asked(window)).button("keep_trimming")
    assert button is not None
    window.window.activateWindow()
    window.shortcut("focus_card")
    assert button.hasFocus()
    # where the keyboard would go by itself when the button is gone
    QWidget.setTabOrder(button, window.window.threads.search)
    window.press(Qt.Key.Key_Return, widget=button)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    assert window.backend.plans[0].decision == "trim"
    assert window.presenters.error_cards.card is None
    assert window.editor.hasFocus()
    assert (await window.thread()).soft_limit == 150_000
    await window.send("and then?")
    assert len(window.backend.plans) == 2


async def test_raising_the_limit_sends_everything(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    button = (await asked(window)).button("raise_limit")
    assert button is not None
    button.click()
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    assert window.backend.plans[0].decision == "ok"
    assert (await window.thread()).soft_limit == 300_000
    assert said(window.backend.plans[0])[-1] == ("user", (DRAFT.rstrip(),))


async def test_a_shorter_draft_makes_the_question_needless(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    card = await asked(window)
    window.editor.replace_text("short")
    await window.until(lambda: card.resolved, "the muted line")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")


async def test_a_queued_message_is_asked_about_too_and_comes_back(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    gate = Gate()
    window.backend.reply(TextDelta("One "), gate, Ended("end_turn"))
    window.editor.replace_text("short")
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    window.editor.replace_text(DRAFT)
    window.press(Qt.Key.Key_Return)
    assert window.composer.is_empty()
    gate.open()
    await window.until(lambda: window.presenters.error_cards.card is not None, "the question")
    await window.settled()
    assert window.composer.text() == DRAFT.rstrip()
    assert len(window.backend.plans) == 1


async def cold(window: OpenWindow, data_dir: Path) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    window.backend.overhead = Overhead(cache_marks=4)
    path = long_path(THREAD, 70, 1_500, age=timedelta(hours=5), cached=True)
    await put_thread(data_dir, "Long", path)
    await window.app_state.open_thread(THREAD)
    await window.settled()


async def test_a_cold_thread_says_what_the_next_message_costs_and_sends_all_the_same(
    window: OpenWindow, data_dir: Path
) -> None:
    await cold(window, data_dir)
    line = window.composer.cold_cache
    assert line.isVisible()
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert plan.price.cost_usd
    anew = f"{thousands(plan.tokens.total)} tokens again for {price(plan.price.cost_usd, plan.price.most_usd)}."
    assert line.words.startswith(f"This thread's cache has expired: sending reads {anew}")
    assert window.gauge.reading.line.endswith("cache expired")
    await window.send("Good morning")
    assert not line.isVisible()
    assert len(window.backend.plans) == 1


async def test_summarise_first_makes_the_next_message_small(window: OpenWindow, data_dir: Path) -> None:
    await cold(window, data_dir)
    plan = window.presenters.gauge.plan
    assert plan is not None
    window.backend.reply(TextDelta("Asked: the figures."), Ended("end_turn"))
    window.composer.cold_cache.button.click()
    await window.until(lambda: window.app_state.current and window.app_state.current.choices.summaries, "the summary")
    await window.settled()
    after = window.presenters.gauge.plan
    assert after is not None
    assert after.tokens.total < 0.1 * plan.tokens.total
    assert after.tokens.summary
    assert not window.composer.cold_cache.isVisible()
    kept = [placed.id for placed in after.placement.messages if placed.state == "whole"]
    assert kept == [placed.id for placed in (*plan.placement.messages[:1], *plan.placement.messages[-4:])]


async def test_the_line_can_be_closed_and_stays_away_for_this_thread(window: OpenWindow, data_dir: Path) -> None:
    await cold(window, data_dir)
    window.composer.cold_cache.cross.click()
    assert not window.composer.cold_cache.isVisible()
    window.type("hello")
    await window.settled()
    assert not window.composer.cold_cache.isVisible()


async def test_without_a_summary_to_offer_the_gauge_alone_says_it(window: OpenWindow, data_dir: Path) -> None:
    await cold(window, data_dir)
    plan = window.presenters.gauge.plan
    assert plan is not None
    window.presenters.cold_cache.plan_changed(
        replace(plan, advice=replace(plan.advice, options=plan.advice.options[:1]))
    )
    assert not window.composer.cold_cache.isVisible()
    assert window.gauge.reading.line.endswith("cache expired")


async def test_a_warm_thread_says_nothing(window: OpenWindow, data_dir: Path) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 70, 1_500, cached=True))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    assert not window.composer.cold_cache.isVisible()


async def at_the_limit(window: OpenWindow, data_dir: Path) -> None:
    """A thread whose own words pass 150K already, with a model that takes a million; it was never asked about that."""
    window.backend.window = 1_000_000
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    window.backend.overhead = Overhead(cache_marks=4)
    await put_thread(data_dir, "Long", long_path(THREAD, 110, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.settled()


async def the_question(window: OpenWindow) -> ErrorCard:
    await window.until(lambda: window.presenters.error_cards.card is not None, "the question")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.tone == "question"
    assert window.backend.plans == []
    return card


async def answered(window: OpenWindow) -> None:
    await window.until(lambda: window.backend.plans, "the request")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    assert len(window.backend.plans) == 1
    assert window.presenters.error_cards.card is None


async def test_a_question_written_anew_is_asked_about_too_and_keeps_its_words(
    window: OpenWindow, data_dir: Path
) -> None:
    await at_the_limit(window, data_dir)
    window.type("my draft")
    branches, view = window.presenters.branches, window.transcript
    question = view.row_layout.messages[-2].id
    branches.edit(question)
    panel = view.editing.panel
    panel.editor.replace_text("written anew")
    panel.yes.click()
    card = await the_question(window)
    assert (panel.isVisible(), panel.sending, panel.text) == (True, False, "written anew")
    assert panel.words.startswith("Nothing was sent yet.")
    assert panel.editor.hasFocus()
    assert window.composer.text() == "my draft"
    assert "draft" not in card.content.sentence
    # what is written until it is answered counts
    panel.editor.replace_text("written once more")
    window.presenters.error_cards.act("keep_trimming")
    await answered(window)
    assert said(window.backend.plans[0])[-1] == ("user", ("written once more",))
    assert window.backend.plans[0].decision == "trim"
    assert (await window.thread()).soft_limit == 150_000
    assert window.composer.text() == "my draft"
    assert not panel.isVisible()


async def test_an_edit_that_is_given_up_takes_its_question_along(window: OpenWindow, data_dir: Path) -> None:
    await at_the_limit(window, data_dir)
    window.type("my draft")
    window.presenters.branches.edit(window.transcript.row_layout.messages[-2].id)
    panel = window.transcript.editing.panel
    panel.editor.replace_text("written anew")
    panel.yes.click()
    card = await the_question(window)
    window.press(Qt.Key.Key_Escape, widget=panel.editor)
    assert card.resolved
    window.presenters.error_cards.act("raise_limit")
    await window.settled()
    assert window.backend.plans == [], "the draft is not what was asked about"
    assert window.composer.text() == "my draft"


async def test_an_answer_again_is_asked_about_too(window: OpenWindow, data_dir: Path) -> None:
    await at_the_limit(window, data_dir)
    window.type("my draft")
    before = [message.id for message in window.transcript.row_layout.messages]
    window.shortcut("try_again")
    await the_question(window)
    assert [message.id for message in window.transcript.row_layout.messages] == before
    window.presenters.error_cards.act("raise_limit")
    await answered(window)
    assert window.backend.plans[0].decision == "ok"
    assert (await window.thread()).soft_limit == 300_000
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[-1].id) == (2, 2)
    assert window.composer.text() == "my draft"


async def test_another_model_is_asked_by_its_own_limits(window: OpenWindow, data_dir: Path) -> None:
    await at_the_limit(window, data_dir)
    last = window.transcript.row_layout.messages[-1].id
    window.presenters.branches.actions.model_chosen.emit(last, "scripted", "small")
    await window.until(lambda: window.backend.plans or window.presenters.error_cards.card, "the end")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is None or card.content.tone == "error", "a model of 10,000 tokens has no higher limit to offer"


async def test_an_answers_rest_is_asked_about_too(window: OpenWindow, data_dir: Path) -> None:
    window.backend.window = 1_000_000
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    window.backend.overhead = Overhead(cache_marks=4)
    path = long_path(THREAD, 110, 1_500)
    cut = replace(path[-1], stop_reason="max_tokens")
    await put_thread(data_dir, "Long", (*path[:-1], cut))
    await window.app_state.open_thread(THREAD)
    await window.settled()
    window.type("my draft")
    window.shortcut("continue_answer")
    await the_question(window)
    window.presenters.error_cards.act("keep_trimming")
    await answered(window)
    assert said(window.backend.plans[0])[-1] == ("user", ("Go on exactly where your answer was cut off.",))
    assert window.composer.text() == "my draft"


async def test_a_draft_that_asks_takes_the_place_of_what_was_held_back(window: OpenWindow, data_dir: Path) -> None:
    await at_the_limit(window, data_dir)
    window.shortcut("try_again")
    held_back = await the_question(window)
    await drafted(window, "the draft instead")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card not in (None, held_back), "the draft's question")
    await the_question(window)
    window.presenters.error_cards.act("keep_trimming")
    await answered(window)
    assert said(window.backend.plans[0])[-1] == ("user", ("the draft instead",))


async def test_a_cap_stands_before_an_answer_again_and_is_passed_once(window: OpenWindow, data_dir: Path) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 70, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.services.preferences.set_value("costs.thread_cap_usd", 0.01)
    await window.settled()
    window.type("my draft")
    window.shortcut("try_again")
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    await window.settled()
    card = window.presenters.error_cards.card
    assert card is not None
    assert "cap" in card.content.heading
    assert window.backend.plans == []
    window.presenters.error_cards.act("pass_cap")
    await answered(window)
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[-1].id) == (2, 2)
    assert window.composer.text() == "my draft"


def wholly_in_view(window: OpenWindow, card: ErrorCard) -> bool:
    viewport = window.transcript.viewport()
    return card.isVisible() and viewport.rect().contains(card.geometry())


async def test_the_question_comes_into_view_for_whoever_reads_further_up(window: OpenWindow, data_dir: Path) -> None:
    await full(window, data_dir)
    window.transcript.scroll_by(-4_000)
    card = await asked(window)
    await window.until(lambda: wholly_in_view(window, card), "the question in view")
    assert window.editor.hasFocus()


async def test_the_spend_cap_comes_into_view_for_whoever_reads_further_up(window: OpenWindow, data_dir: Path) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(data_dir, "Long", long_path(THREAD, 70, 1_500))
    await window.app_state.open_thread(THREAD)
    await window.services.preferences.set_value("costs.thread_cap_usd", 0.01)
    await window.settled()
    window.transcript.scroll_by(-4_000)
    window.type("and then?")
    card = await asked(window)
    assert "cap" in card.content.heading
    await window.until(lambda: wholly_in_view(window, card), "the card in view")
    assert window.editor.hasFocus()
