"""The gauge's states, words and keys, from real plans."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetricsF, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.context.limits import guess_decides
from desktop_app.core.model_catalog import WindowSource
from desktop_app.core.settings import ContextSettings
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.gauge.gauge_popover import GaugePopover, ModelLimitPopover
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.gauge.gauge_strip import TEXT_LEFT, GaugeStrip
from desktop_app.ui.gauge.plan_facts import read_plan
from desktop_app.ui.theme.theme import load_theme
from tests.core.paths import plan_for, sent_and_answered, small_model, talk, words
from tests.fakes.gated_backend import Gate
from tests.ui.long_threads import speak
from tests.ui.open_window import OpenWindow

NEVER_MS = 600_000

pytestmark = pytest.mark.slow

SENTENCE = "The quick brown fox jumps over the lazy dog. "  # about 10 tokens


def state_of(window: OpenWindow) -> str:
    return window.gauge.reading.state


async def typed(window: OpenWindow, sentences: int) -> None:
    window.editor.replace_text(SENTENCE * sentences)
    await window.settled()
    await window.until(lambda: window.presenters.gauge.plan is not None, "a plan")
    plan_of = window.presenters.gauge
    await window.until(
        lambda: plan_of.plan is not None and 8 * sentences < plan_of.plan.tokens.draft < 13 * sentences + 10,
        "the plan of this text",
    )


async def test_the_gauge_follows_what_is_typed(window: OpenWindow) -> None:
    await typed(window, 1)
    assert state_of(window) == "calm"
    amount = window.gauge.reading.line.removesuffix(" of 150K tokens · fills as you chat").removeprefix("≈")
    assert 0 < int(amount) < 20
    await typed(window, 4_000)
    assert state_of(window) == "calm"
    assert window.gauge.reading.line.endswith("of 150K")
    assert 0 < window.gauge.reading.fill < window.gauge.reading.soft < 1
    await typed(window, 13_500)
    assert state_of(window) == "near"
    await typed(window, 25_000)
    assert state_of(window) == "refused"
    assert window.gauge.reading.action == "Make room"


async def test_an_unknown_window_says_so(window: OpenWindow) -> None:
    await typed(window, 1)
    assert window.app_state.thread_id is not None
    await window.services.chat.facts.change(window.app_state.thread_id, model="nobody-knows-me")
    await window.settled()
    await typed(window, 1_000)
    assert state_of(window) == "unknown"
    assert window.gauge.reading.line.endswith("limit unknown")
    assert window.gauge.reading.action == "Set"


def rest_between_words(window: OpenWindow) -> QTimer:
    """The timer that runs from one change of the words to the next, which comes as long after as the test wants."""
    (timer,) = window.gauge.findChildren(QTimer)
    assert (timer.interval(), timer.isSingleShot()) == (250, True), "four changes a second"
    return timer


async def test_the_words_change_at_most_once_before_their_rest_is_over(window: OpenWindow) -> None:
    await typed(window, 3_000)
    rest_between_words(window).setInterval(NEVER_MS)
    before = window.gauge.text_changes
    for _ in range(60):
        window.editor.textCursor().insertText(SENTENCE * 40)
        await window.until(lambda: True, "a turn of the loop")
    await window.settled()
    assert window.gauge.text_changes - before <= 1, "the rest of the last one does not end"


async def test_a_change_of_state_waits_for_the_rest_too(window: OpenWindow) -> None:
    await typed(window, 3_000)
    plan = window.presenters.gauge.plan
    assert plan is not None
    near = replace(plan, tokens=replace(plan.tokens, draft=130_000))
    rest = rest_between_words(window)
    rest.setInterval(NEVER_MS)
    before = window.gauge.text_changes
    for number in range(60):
        window.gauge.show_reading(read_plan(near if number % 2 else plan))
        await window.until(lambda: True, "a turn of the loop")
    assert window.gauge.text_changes - before <= 1
    window.gauge.show_reading(read_plan(near))
    rest.setInterval(0)
    await window.until(lambda: window.gauge.line == read_plan(near).line, "the words of the last reading")
    assert window.gauge.text_changes - before <= 2


@pytest.mark.parametrize("refused", [False, True])
async def test_the_limit_of_an_unknown_model_can_be_set(window: OpenWindow, refused: bool) -> None:
    await typed(window, 1)
    assert window.app_state.thread_id is not None
    await window.services.chat.facts.change(window.app_state.thread_id, model="nobody-knows-me")
    await window.settled()
    await typed(window, 25_000 if refused else 1_000)
    if refused:
        window.press(Qt.Key.Key_Return, widget=window.editor)
        await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
        assert state_of(window) == "refused"
    await window.until(lambda: window.gauge.line.endswith("Set"), "the painted words")
    window.press(Qt.Key.Key_Return, widget=window.gauge)
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, ModelLimitPopover), "no dialog of the system's"
    left = popover.x() - window.gauge.mapToGlobal(QPoint(0, 0)).x()
    last = window.gauge.width() - popover.width()
    assert left == max(0, min(round(window.gauge.action_left()), last)), "at the word"
    assert "nobody-knows-me" in popover.field.accessibleName()
    popover.field.setText("12")
    window.press(Qt.Key.Key_Return, widget=popover.field)
    assert popover.problem.text() == "Enter a number of tokens from 2K to 100M, such as 128K."
    assert popover.isVisible()
    popover.field.setText("64K")
    window.press(Qt.Key.Key_Return, widget=popover.field)
    await window.settled()
    assert QApplication.activePopupWidget() is None
    assert window.services.preferences.settings.models["nobody-knows-me"].window == 64_000
    assert "window = 64000" in window.session.paths.settings.read_text("utf-8")


async def test_make_room_shows_what_can_be_done_without_sending(window: OpenWindow) -> None:
    await typed(window, 25_000)
    window.press(Qt.Key.Key_Return, widget=window.gauge)
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.heading.startswith("This message is too long to send (")
    assert [action.id for action in card.content.actions][:1] == ["edit_draft"]
    assert window.backend.plans == []


async def test_only_a_change_of_state_is_announced_and_once(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("desktop_app.ui.gauge.gauge_strip.QAccessible.isActive", lambda: True)
    monkeypatch.setattr(
        "desktop_app.ui.gauge.gauge_strip.QAccessible.updateAccessibility",
        lambda event: told.append(event.message()) if isinstance(event, QAccessibleAnnouncementEvent) else None,
    )
    await typed(window, 3_000)
    await typed(window, 4_000)
    await typed(window, 5_000)
    assert told == []
    await typed(window, 13_500)
    await typed(window, 13_600)
    assert len(told) == 1
    assert "of 150,000 tokens used" in told[0]


async def test_the_gauge_rests_while_an_answer_streams(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("a"), gate, Ended("end_turn"))
    await window.begin("go", gate)
    await window.until(lambda: not window.gauge._words_timer.isActive(), "the words of the question")
    shown = window.gauge.line
    window.editor.replace_text(SENTENCE * 14_000)
    await window.until(lambda: state_of(window) == "near", "the waiting reading")
    assert window.gauge.line == shown
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.until(lambda: window.gauge.line != shown, "the words of the new reading")


async def test_a_thread_that_still_answers_shows_its_own_gauge_when_it_is_opened_again(window: OpenWindow) -> None:
    await window.send("one")
    answering = str(window.app_state.thread_id)
    gate = Gate()
    window.backend.reply(TextDelta("a"), gate, Ended("end_turn"))
    await window.begin("go", gate)
    await window.until(lambda: not window.gauge._words_timer.isActive(), "the words of the question")
    shown = window.gauge.line
    window.shortcut("new_thread")
    await window.settled()
    window.editor.replace_text(SENTENCE * 14_000)
    await window.until(lambda: state_of(window) == "near" and window.gauge.line != shown, "the long message's gauge")
    await window.choose_thread(answering)
    await window.until(lambda: state_of(window) != "near", "that of the short thread")
    assert window.composer.streaming
    await window.until(lambda: not window.gauge._words_timer.isActive(), "its words")
    assert window.gauge.line == shown
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")


async def test_while_an_answer_comes_the_gauge_says_what_its_popover_says(window: OpenWindow) -> None:
    await window.send(SENTENCE * 40)
    gate = Gate()
    window.backend.reply(TextDelta("One."), gate, Ended("end_turn"))
    await window.begin("and more", gate)
    await typed(window, 4_000)
    still = window.gauge.sentence()
    presenter = window.presenters.gauge

    def next_request() -> str:
        assert presenter.plan is not None
        return read_plan(presenter.plan).sentence

    assert still != next_request(), "what was sent, while nobody looks"
    window.shortcut("show_gauge")
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None
    assert window.gauge.sentence() == next_request() != still
    window.press(Qt.Key.Key_Left, widget=popover.slider)
    await window.until(lambda: presenter.plan and presenter.plan.limits.soft == 145_000, "the moved limit")
    assert "145,000" in window.gauge.sentence() == next_request()
    window.press(Qt.Key.Key_Home, widget=popover.slider)  # which closes it
    await window.until(lambda: presenter.plan and presenter.plan.limits.soft == 150_000, "the default again")
    assert "150,000" in window.gauge.sentence() == next_request()
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert window.gauge.sentence() == next_request()


async def test_a_screen_reader_finds_a_progress_bar_whose_value_is_a_sentence(window: OpenWindow) -> None:
    await typed(window, 4_000)
    found = QAccessible.queryAccessibleInterface(window.gauge)
    assert found is not None
    assert found.role() == QAccessible.Role.ProgressBar
    assert found.text(QAccessible.Text.Value).endswith("of 150,000 tokens used.")


async def test_the_popover_names_the_categories_and_moves_the_limit(window: OpenWindow) -> None:
    await typed(window, 4_000)
    window.shortcut("show_gauge")
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None
    assert "Your message" in popover.words()
    assert "Conversation" not in popover.words()
    assert not any("Cost" in words for words in popover.words())
    window.press(Qt.Key.Key_Left, widget=popover.slider)
    await window.until(
        lambda: window.app_state.current is not None and window.app_state.current.soft_limit == 145_000,
        "the moved limit",
    )
    assert (await window.thread()).soft_limit == 145_000
    await window.until(lambda: "145K" in window.gauge.reading.line, "the gauge with the new limit")
    window.press(Qt.Key.Key_Home, widget=popover.slider)
    await window.until(
        lambda: window.app_state.current is not None and window.app_state.current.soft_limit is None,
        "the default again",
    )
    assert QApplication.activePopupWidget() is None


async def test_the_popover_opens_with_a_click_or_enter_and_closes_with_escape(window: OpenWindow) -> None:
    await typed(window, 10)
    window.press(Qt.Key.Key_Return, widget=window.gauge)
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None
    window.press(Qt.Key.Key_Escape, widget=popover)
    assert QApplication.activePopupWidget() is None


async def test_a_new_thread_has_a_value_before_the_first_key(window: OpenWindow) -> None:
    await window.until(lambda: window.presenters.gauge.plan is not None, "the plan of a thread not yet made")
    assert window.app_state.current is None
    assert window.gauge.line == "0 of 150K tokens · fills as you chat"
    found = QAccessible.queryAccessibleInterface(window.gauge)
    assert found.text(QAccessible.Text.Value) == "0 of 150,000 tokens used."
    await window.send("one")
    await window.until(lambda: window.gauge.line == "", "the words gone: below 10 % an answered thread says nothing")
    window.shortcut("new_thread")
    await window.settled()
    assert window.gauge.sentence() == "0 of 150,000 tokens used."
    assert await window.services.library.threads() != []
    assert window.app_state.current is None


async def test_the_price_says_that_the_cache_has_expired(window: OpenWindow) -> None:
    await typed(window, 4_000)
    plan = window.presenters.gauge.plan
    assert plan is not None
    cold = replace(plan, price=replace(plan.price, cost_usd=0.54, cache_expired=True))
    assert read_plan(cold, show_above_usd=0.25).line.endswith("of 150K · $0.54 · cache expired")
    assert read_plan(replace(cold, price=replace(cold.price, cache_expired=False)), show_above_usd=0.25).line.endswith(
        "of 150K · $0.54"
    )
    assert read_plan(cold, show_above_usd=1.0).line.endswith("of 150K · $0.54 · cache expired"), "below the threshold"
    free = replace(cold, price=replace(cold.price, cost_usd=0.0))
    assert "$" not in read_plan(free, show_above_usd=0.0).line
    assert "cache" not in read_plan(free, show_above_usd=0.0).line


async def test_the_price_stands_before_the_word_that_invites_and_only_where_something_is_sent(
    window: OpenWindow,
) -> None:
    await typed(window, 4_000)
    plan = window.presenters.gauge.plan
    assert plan is not None
    trim = replace(
        plan,
        decision="trim",
        placement=replace(plan.placement, newly_left_out=38),
        price=replace(plan.price, cost_usd=0.54),
    )
    reading = read_plan(trim, show_above_usd=0.25)
    assert (reading.line, reading.action) == ("Sending leaves out 38 older messages · $0.54", "Review")
    refused = read_plan(replace(plan, decision="refuse", price=replace(plan.price, cost_usd=0.54)), show_above_usd=0.25)
    assert "$" not in refused.line
    assert refused.action == "Make room"
    quiet = replace(
        plan, tokens=replace(plan.tokens, draft=100), price=replace(plan.price, cost_usd=0.54, cache_expired=True)
    )
    assert read_plan(quiet, show_above_usd=0.25).line == "≈100 of 150K tokens · fills as you chat", (
        "no price below 10 %"
    )


def test_the_words_follow_the_text_size_and_have_room(qtbot: QtBot) -> None:
    theme = load_theme("light", text_size=20)
    usual, large = GaugeStrip(load_theme("light")), GaugeStrip(theme)
    for strip in (usual, large):
        qtbot.addWidget(strip)
    assert usual.height() == 24
    assert large.height() > 32
    theme.change("light", 11)
    assert large.height() == usual.height()


@pytest.mark.parametrize("points", [9, 11, 14, 17, 20])
@pytest.mark.parametrize("width", [300, 360, 440, 600, 760])
@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("126K of 150K · about 1 turn left · up to $0.64", ""),
        ("126K von 150K · noch etwa 1 Runde · bis zu 0,64 $ · Cache abgelaufen", ""),
        ("150K 中的 126K · 大约还有 1 轮 · 最多 $0.64", ""),
        ("Beim Senden entfallen 38 ältere Nachrichten · 0,54 $", "Ansehen"),
    ],
)
def test_where_there_is_little_room_the_amount_stays_whole(
    qtbot: QtBot, points: int, width: int, line: str, action: str
) -> None:
    strip = GaugeStrip(load_theme("light", points))
    qtbot.addWidget(strip)
    strip.resize(width, strip.height())
    strip.show_reading(GaugeReading("near", 0.8, 0.8, line, action, ""))
    painted, metrics = strip._lead(TEXT_LEFT) + action, QFontMetricsF(load_theme("light", points).small_font())
    assert next(part for part in line.split(" · ") if "$" in part) in painted
    assert metrics.horizontalAdvance(painted) <= width
    if metrics.horizontalAdvance(strip.line) < width - 4:
        assert painted == strip.line, "all of it, where there is room"


async def test_only_the_inviting_word_does_what_it_says(window: OpenWindow) -> None:
    await typed(window, 10)
    plan = window.presenters.gauge.plan
    assert plan is not None
    strip = GaugeStrip(load_theme("light"))
    strip.resize(760, strip.height())
    strip.show_reading(read_plan(replace(plan, decision="trim", placement=replace(plan.placement, newly_left_out=38))))
    wishes: list[str] = []
    strip.opened.connect(lambda: wishes.append("popover"))
    strip.review_requested.connect(lambda: wishes.append("review"))
    low, word = strip.height() - 8, round(strip.action_left()) + 10
    for place in (QPoint(20, low), QPoint(word, low), QPoint(700, low), QPoint(word, 2), QPoint(700, 2)):
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=place)
    assert wishes == ["popover", "review", "popover", "popover", "popover"]


@pytest.mark.parametrize("source", ["assumed", "provider"])
@pytest.mark.parametrize("own", [None, 2_000])
@pytest.mark.parametrize("caps", [(0, 0), (12, 0), (0, 40)])
@pytest.mark.parametrize("draft", [5, 6_000])
@pytest.mark.parametrize("turns", [0, 2, 8, 16, 40])
@pytest.mark.parametrize("stepped", [False, True])
def test_a_guess_that_decides_is_named_and_can_be_set(
    qtbot: QtBot, *, turns: int, draft: int, caps: tuple[int, int], own: int | None, source: WindowSource, stepped: bool
) -> None:
    model, settings = (
        replace(small_model(), window_source=source),
        ContextSettings(max_messages=caps[0], max_turns=caps[1]),
    )
    path = talk(*[words(60)] * (2 * turns))
    if stepped:
        first = plan_for(path, words(5), model=model, settings=settings, soft_limit=own)
        path = sent_and_answered(path, first, words(5), words(60))
    plan = plan_for(path, words(draft), model=model, settings=settings, soft_limit=own)
    reading, guessed = read_plan(plan), source == "assumed" and own is None
    assert reading.assumed == (reading.action == "Set")
    assert guess_decides(plan) <= guessed, "a limit that is known, or that somebody set, is no guess"
    if plan.decision == "refuse":
        assert guess_decides(plan) == guessed
    if reading.state not in ("near", "calm"):
        assert guess_decides(plan) == ("assumed" in reading.line)
        assert ("assumed" in reading.sentence) == guess_decides(plan)
    if not reading.assumed:
        assert "assumed" not in reading.line
        return
    strip = GaugeStrip(load_theme("light"))
    qtbot.addWidget(strip)
    strip.resize(760, strip.height())
    strip.show_reading(reading)
    asked: list[bool] = []
    strip.limit_requested.connect(lambda: asked.append(True))
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(round(strip.action_left()) + 4, strip.height() - 8))
    QTest.keyClick(strip, Qt.Key.Key_Return)
    strip.set_explained(True)
    QTest.keyClick(strip, Qt.Key.Key_Return)
    assert len(asked) == 3


async def test_what_a_guess_leaves_out_says_so_in_thread_and_popover(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    await typed(window, 1)
    assert window.app_state.thread_id is not None
    await window.services.chat.facts.change(window.app_state.thread_id, model="nobody-knows-me")
    await window.settled()
    for _ in range(4):
        await speak(window, SENTENCE * 600)
    await typed(window, 600)
    await window.until(lambda: window.transcript.decorations.step is not None, "the line of the step")
    step = window.transcript.decorations.step
    assert step is not None
    assert step.text.endswith("older messages left out · limit 20K assumed")
    assert step.actions[0] == ("set_limit", "Set")
    window.press(Qt.Key.Key_Space, widget=window.gauge)
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, GaugePopover)
    assert "Limit 20K assumed" in popover.words()
    popover.choices.set_window.click()
    await window.until(lambda: isinstance(QApplication.activePopupWidget(), ModelLimitPopover), "the field")
    field = QApplication.activePopupWidget()
    assert isinstance(field, ModelLimitPopover)
    field.close()
    window.transcript.row_actions.action_requested.emit(step.message_id, "set_limit")
    field = QApplication.activePopupWidget()
    assert isinstance(field, ModelLimitPopover)
    field.field.setText("200K")
    told = replace(window.backend.model("nobody-knows-me"), window=200_000, window_source="override")
    monkeypatch.setattr(window.backend, "model", lambda _id: told)
    window.press(Qt.Key.Key_Return, widget=field.field)
    decorations = window.transcript.decorations
    await window.until(
        lambda: decorations.step is None or "assumed" not in decorations.step.text, "a limit that is known"
    )


def test_the_bar_and_its_marks_say_what_they_are(qtbot: QtBot) -> None:
    strip = GaugeStrip(load_theme("light"))
    qtbot.addWidget(strip)
    strip.resize(760, strip.height())
    strip.show_reading(GaugeReading("calm", 0.2, 0.5, "", "", "1,240 of 150,000 tokens used.", movable=True))
    told = {}
    for name, place in (("bar", QPoint(100, 3)), ("soft", QPoint(380, 3)), ("emergency", QPoint(758, 3))):
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(place),
            QPointF(place),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(strip, move)
        told[name] = strip.toolTip()
    assert told["bar"] == (
        "1,240 of 150,000 tokens used.\nThe size of the next request, the whole conversation included"
    )
    assert told["soft"] == (
        "The soft limit: beyond it, older messages are left out\nDrag to set the soft limit of this thread"
    )
    assert told["emergency"] == "The emergency limit: beyond it, nothing is sent"
