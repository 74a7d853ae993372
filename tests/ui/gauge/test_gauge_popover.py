"""What the gauge's popover tells: counts, prices both ways, limits and where they come from, the slider's marks."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QStyle, QStyleOptionSlider, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.context.plan import (
    CacheLifetime,
    CacheMark,
    CachePromise,
    ContextPlan,
    LimitUse,
    Overhead,
    PlanWarning,
    RequestPrice,
)
from desktop_app.core.context.what_if import compared
from desktop_app.core.errors import TransientError
from desktop_app.core.messages import TextPart, ToolSpec
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.ui.gauge.gauge_popover import ChoicesTable, GaugePopover, _Bar, choice_rows
from desktop_app.ui.gauge.limit_drag import LimitSlider, _Marks
from desktop_app.ui.gauge.plan_facts import facts_of, read_plan
from desktop_app.ui.i18n.content_words import thousands
from desktop_app.ui.theme.theme import load_theme
from tests.core.paths import MODEL_200K, plan_for, prepare, talk, words
from tests.ui.long_threads import PRICES, drafted, long_path, put_thread
from tests.ui.open_window import OpenWindow

CLIFF = ModelInfo(
    "cliff", "Cliff", 1_000_000, 64_000, prices=PRICES, price_cliff=200_000, prices_above=PRICES, tokenizer="unknown"
)


def told(plan: ContextPlan, *, free: bool = False) -> dict[str, str]:
    return {fact.name: fact.value for fact in facts_of(plan, free=free)}


def priced(price: RequestPrice | None = None, *, turns_left: int | None = None) -> ContextPlan:
    path = talk("How?", words(40_000))
    plan = plan_for(path, "And now?", model=CLIFF, overhead=Overhead(cache_marks=4))
    request = replace(plan.request, marks=(CacheMark(1, 0, "5m"),))
    advice = plan.advice if turns_left is None else replace(plan.advice, turns_left=turns_left)
    return replace(plan, request=request, price=price or plan.price, advice=advice)


def test_the_price_is_told_as_it_is_expected_and_as_if_nothing_were_cached() -> None:
    plan = priced(RequestPrice(0.05, 0.06, 40_000))
    fresh = math.ceil(plan.tokens.upper * PRICES.cache_write_5m / 10_000) / 100  # a bound is rounded up
    assert told(plan)["Cost of sending"] == f"up to $0.06 cached · up to ${fresh:.2f} fresh"
    certain = replace(plan, tokens=replace(plan.tokens, doubt=0), price=replace(plan.price, most_usd=0.05))
    fresh = plan.tokens.total * PRICES.cache_write_5m / 1_000_000
    assert told(certain)["Cost of sending"] == f"$0.05 cached · ${fresh:.2f} fresh"
    whole = plan.tokens.upper * PRICES.cache_write_5m / 1_000_000
    seen = replace(plan, price=RequestPrice(0.9 * whole, whole, 40_000, at_most=True))  # all of it may have to be read
    assert told(seen)["Cost of sending"] == f"up to ${math.ceil(100 * whole) / 100:.2f}"
    unsure = told(priced(RequestPrice(0.54, 0.54, at_most=True)))
    assert unsure["Cost of sending"] == "up to $0.54, if nothing is cached"
    assert told(plan)["Read from the cache"].startswith("40K of ")
    cold = told(priced(RequestPrice(0.54, 0.54, cache_expired=True)))
    assert cold["Cost of sending"] == "$0.54, the cache has expired"
    assert "Read from the cache" not in cold
    assert told(priced(RequestPrice()))["Cost of sending"] == "unknown"
    assert not any("Cost" in name for name in told(plan, free=True))
    assert told(plan, free=True)["Read from the cache"] == told(plan)["Read from the cache"]


@pytest.mark.parametrize(("lifetime", "words_"), [("5m", "5 minutes, at 1.25 times"), ("1h", "an hour, at 2 times")])
def test_the_price_says_what_it_counts(lifetime: CacheLifetime, words_: str) -> None:
    """A bound above what input costs was taken for a wrong one."""
    plan = priced()
    marked = replace(plan, request=replace(plan.request, marks=(CacheMark(1, 0, lifetime),)))
    (cost,) = (fact for fact in facts_of(marked, free=False) if fact.name == "Cost of sending")
    kept = f"What is not read from the cache is kept there for {words_} the price of input."
    assert cost.tip == f"Without the answer.\n{kept}"
    unmarked = replace(plan, request=replace(plan.request, marks=()))
    (cost,) = (fact for fact in facts_of(unmarked, free=False) if fact.name == "Cost of sending")
    assert cost.tip == "Without the answer."


@pytest.mark.parametrize(
    ("source", "words_"),
    [
        ("learned", "1M, learned from a refusal"),
        ("override", "1M, set by you"),
        ("assumed", "unknown, 1M assumed"),
        ("provider", "1M"),
    ],
)
def test_the_models_limit_says_where_it_comes_from(source: str, words_: str) -> None:
    plan = priced()
    plan = replace(plan, model=replace(plan.model, window_source=source))  # type: ignore[arg-type]
    assert told(plan)["The model's window"] == words_


def test_the_forecast_and_the_count_with_its_error() -> None:
    plan = priced(turns_left=8)
    assert told(plan)["Until the limit"] == "about 8 turns left"
    assert told(priced(turns_left=100))["Until the limit"] == "about 100 turns left"
    assert "Until the limit" not in told(priced(turns_left=101)), "an estimate that says nothing"
    assert told(plan)["Tokens"] == f"{plan.tokens.total:,} ± {plan.tokens.doubt:,}"
    exact = replace(plan, tokens=replace(plan.tokens, doubt=0))
    assert told(exact)["Tokens"] == f"{plan.tokens.total:,}", "no ± 0"
    known = replace(plan, tokens=replace(plan.tokens, source="calibrated", doubt=0))
    assert (told(known)["Tokens"], told(known)["Source"]) == (f"{plan.tokens.total:,}", "counted by the provider")
    measured = replace(plan, tokens=replace(plan.tokens, source="measured", doubt=0))
    assert told(measured)["Tokens"] == f"{plan.tokens.total:,}"
    assert told(measured)["Source"] == "counted by the provider"


async def test_the_popover_marks_cliff_and_highest_limit_and_leads_to_the_inspector(window: OpenWindow) -> None:
    plan = priced()
    plan = replace(plan, advice=replace(plan.advice, warnings=(PlanWarning("near_turns", 5, 6, "5 of 6 turns"),)))
    window.presenters.gauge.plan = plan
    wanted: list[bool] = []
    window.presenters.gauge.inspector_requested.connect(lambda: wanted.append(True))
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    marks = popover.limit._marks(plan)
    assert [words_ for _, words_ in marks] == ["200K: costs more above", "Up to 750K with a 1M window"]
    assert 0.5 < marks[0][0] < 0.55, "half the way is for the first quarter"
    assert "5 of 6 turns" in popover.words()
    window.press(Qt.Key.Key_End, widget=popover.slider)
    assert popover.limit.tokens == 750_000, "the highest can be reached"
    popover.inspect.click()
    assert wanted == [True]


async def test_eight_lines_are_told_of_a_plan_and_the_rest_under_details(window: OpenWindow) -> None:
    plan = priced(RequestPrice(0.05, 0.06, 40_000), turns_left=8)
    plan = replace(plan, advice=replace(plan.advice, counts=(LimitUse("messages", 2, 12), LimitUse("turns", 1, 12))))
    window.presenters.gauge.plan = plan
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    assert popover.details is not None
    rest = [fact.name for fact in facts_of(plan, free=True)][8:]
    assert rest == ["Nothing is sent above"]
    assert not set(rest) & set(popover.words())
    height = popover.height()
    popover.details.click()
    assert set(rest) <= set(popover.words())
    assert popover.height() > height
    popover.show_plan(plan)
    assert set(rest) <= set(popover.words()), "it stays unfolded"


@pytest.mark.parametrize("points", [11, 17, 31])
async def test_the_popover_fits_the_screen_and_long_names_of_tools_lose_their_end(
    window: OpenWindow, points: int
) -> None:
    plan = priced(RequestPrice(0.05, 0.06, 40_000), turns_left=8)
    names = [f"Time__get_current_time_of_the_place_number_{n}_in_full" for n in range(30)]
    tools = tuple(ToolSpec(name, "", {"type": "object"}) for name in names)
    window.presenters.gauge.plan = replace(plan, request=replace(plan.request, tools=tools))
    popover = window.presenters.gauge.open_popover(load_theme("light", points))
    assert popover is not None
    assert popover.details is not None
    popover.details.click()
    await window.settled()
    assert popover.screen().availableGeometry().contains(popover.geometry())
    bar = popover.findChildren(QScrollArea)[0].verticalScrollBar()
    assert bar.maximum() > 0, "the rest can be reached"
    inside = popover.findChildren(QScrollArea)[0].viewport()
    for label in popover.findChildren(QLabel):
        if label.isVisible() and label.text():
            left = label.mapTo(inside, QPoint()).x()
            assert left >= 0
            assert left + label.width() <= inside.width(), label.text()
            longest = max(label.fontMetrics().horizontalAdvance(word) for word in label.text().split())
            assert longest <= label.width(), label.text()
    assert any(label.toolTip().startswith(names[0]) for label in popover.findChildren(QLabel))
    popover.close()


def test_the_time_until_which_it_is_cached_is_a_fact_where_it_is_promised() -> None:
    plan = priced()
    at = datetime(2026, 3, 18, 15, 42).astimezone()
    cached = replace(plan.price, cached_tokens=plan.tokens.total // 2)
    promise = CachePromise("promised", cached.cached_tokens, at.timestamp(), "5m", "a")
    said = told(replace(plan, price=replace(cached, cache=promise)))["Cached until"]
    assert re.fullmatch(r"3:42\W[Pp]\.?[Mm]\.?|15:42", said), said
    assert "Cached until" not in told(replace(plan, price=cached))


async def test_keeping_the_cache_is_offered_with_time_and_price(window: OpenWindow) -> None:
    window.presenters.gauge.plan = priced()
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    assert popover.keep.isHidden()
    wanted: list[bool] = []
    popover.keep.clicked.connect(lambda: wanted.append(True))
    before = popover.height()
    popover.show_keep("4:42 PM", "$0.05")
    assert popover.keep.text() == "Keep until 4:42 PM · $0.05"
    assert popover.height() > before
    popover.keep.click()
    assert wanted == [True]


async def test_a_cache_that_could_not_be_kept_is_said(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    await window.send("one")

    async def fails(thread_id: str, plan: ContextPlan) -> None:
        raise TransientError("overloaded", "Anthropic is overloaded at the moment. Try again in a while.")

    monkeypatch.setattr(window.services.chat.cache_keeping, "keep", fails)
    gauge = window.presenters.gauge
    gauge.plan = replace(priced(), price=replace(priced().price, cache=CachePromise("promised", 1, 1.0, "5m", "a")))
    popover = gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    popover.keep.click()
    await window.until(window.window.toast.isVisible, "why")
    words = "The cache was not kept. Anthropic is overloaded at the moment. Try again in a while."
    assert window.window.toast.words == words


@pytest.mark.parametrize("limit", [4_200, 12_300, 20_480])
def test_the_knob_stands_where_the_figure_is(qapp: object, limit: int) -> None:
    model = replace(MODEL_200K, window=32_768, window_source="assumed")
    parent = QWidget()
    slider = LimitSlider(load_theme("light"), plan_for((), "hi", model=model, soft_limit=limit), parent)
    share = (slider.slider.value() - slider.slider.minimum()) / (slider.slider.maximum() - slider.slider.minimum())
    most = slider.slider.maximum()
    assert (slider.tokens, abs(share - limit / most) < 0.01) == (limit, True)
    assert slider._marks(plan_for((), "hi", model=model))[-1] == (1.0, "Up to 20K with a 33K window")
    slider.slider.setValue(3_030)
    assert slider.tokens == 3_000, "rounded as people say it"
    slider.slider.setValue(most)
    assert slider.tokens == most


async def test_the_slider_has_room_for_low_limits_and_goes_where_it_is_clicked(window: OpenWindow) -> None:
    window.backend.window = 1_000_000
    await window.send("one")
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    slider, limit = popover.slider, popover.limit
    way = slider.width() - 14
    clicked = []
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 1.0):
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(7 + share * way), slider.height() // 2))
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        knob = slider.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
        )
        assert abs(knob.center().x() - (7 + share * way)) <= 3, "as near as whole pixels are"
        clicked.append(limit.tokens)
    assert clicked[0] == 1_000
    assert clicked[1] < 10_000
    assert 45_000 < clicked[2] < 50_000
    assert clicked[-1] == 750_000
    popover.close()
    await window.settled()


def test_the_highest_limit_is_told_also_in_long_words(qtbot: QtBot) -> None:
    parent = QWidget()
    marks = _Marks(
        load_theme("light"), ((1.0, "750K: the highest that any model with such a window takes " * 2),), parent
    )
    qtbot.addWidget(parent)
    marks.resize(200, marks.height())
    picture, lower = marks.grab().toImage(), range(8, marks.height())
    assert len({picture.pixel(x, y) for x in range(150) for y in lower}) > 1, "words left of the mark"


def test_the_bar_shows_what_sending_leaves_out_as_the_strip_does(qtbot: QtBot) -> None:
    """The strip was full and the bar a third full, of one plan."""
    theme, parent = load_theme("light"), QWidget()
    qtbot.addWidget(parent)
    plan = plan_for(talk("How?", *[words(3_000)] * 7, "And?"), "And now?", model=MODEL_200K, soft_limit=14_000)
    popover, reading = GaugePopover(theme, plan, free=False, parent=parent), read_plan(plan)
    assert (plan.decision, reading.state) == ("trim", "trim")
    assert reading.notch is not None
    bar = popover.findChild(_Bar)
    assert bar is not None
    picture = bar.grab().toImage()
    wide = picture.width()
    ground = [picture.pixelColor(x, 4) for x in range(wide)]
    track, leaving = theme.color("track"), theme.color("fill-warning")
    assert abs(ground.index(leaving) / wide - reading.notch) < 0.02, "as wide as what is sent"
    assert abs((ground.index(track) if track in ground else wide) / wide - reading.fill) < 0.02
    told = popover.words()
    gone = next(event.before for event in plan.advice.events if event.kind == "trimmed") - plan.tokens.total
    assert told[told.index("Left out by sending") + 1] == f"{gone:,}"


async def test_the_open_popover_follows_what_is_typed(window: OpenWindow) -> None:
    window.editor.replace_text("word " * 3_000)
    await window.settled()
    window.shortcut("show_gauge")
    popover = window.composer.findChild(GaugePopover)
    assert popover is not None
    before = popover.words()
    window.editor.replace_text("word " * 9_000)
    await window.until(lambda: popover.words() != before, "the new count")
    popover.close()


async def test_a_price_cliff_keeps_the_limit_down_until_it_is_accepted(window: OpenWindow) -> None:
    window.backend.window = 1_000_000
    window.backend.prices = PRICES
    window.backend.abilities = {"price_cliff": 200_000, "prices_above": PRICES}
    await window.services.preferences.set_value("context.soft_limit", 400_000)
    await window.send("one")
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    assert popover.choices.isVisible()
    assert "Kept to 200K: above, big costs more" in popover.words()
    assert (window.presenters.gauge.plan or priced()).limits.soft == 200_000
    popover.choices.accept.click()
    await window.until(lambda: (window.presenters.gauge.plan or priced()).limits.soft == 400_000, "the higher limit")
    await window.settled()
    assert (await window.thread()).choices.accepted_cliff
    assert "Goes above 200K, where big costs more" in popover.words()
    popover.choices.accept.click()
    await window.until(lambda: (window.presenters.gauge.plan or priced()).limits.soft == 200_000, "the cliff again")
    window.press(Qt.Key.Key_End, widget=popover.slider)
    await window.until(popover.choices.isHidden, "the thread's own limit was chosen with the price in view")
    popover.close()
    await window.settled()


async def test_a_limit_that_the_model_does_not_take_is_told_with_what_is_used(window: OpenWindow) -> None:
    await window.send("one")
    thread = await window.thread()
    await window.services.chat.set_soft_limit(thread.id, 400_000)
    window.presenters.gauge.refresh()
    await window.settled()
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    words = "The soft limit of this thread is 400,000, but big takes at most 150,000; 150,000 is used."
    assert words in popover.words()
    popover.close()
    await window.settled()


async def test_the_gauge_counts_messages_where_their_cap_is_nearer(window: OpenWindow) -> None:
    await window.services.preferences.set_value("context.max_messages", 4)
    await window.send("one")
    window.editor.replace_text("two")
    gauge = window.composer.gauge
    await window.until(lambda: gauge.reading.line == "3 of 4 messages", gauge.reading.line)
    await window.services.preferences.set_value("context.max_messages", 3)
    await window.until(lambda: gauge.reading.line == "3 of 3 messages · about 1 turn left", gauge.reading.line)
    assert gauge.reading.state == "near"
    assert gauge.reading.fill == gauge.reading.soft


async def test_a_window_that_a_refusal_taught_can_be_forgotten(window: OpenWindow) -> None:
    await window.send("one")
    await window.services.chat.windows.learn("scripted", "big", 90_000)
    window.presenters.gauge.refresh()
    await window.until(lambda: (window.presenters.gauge.plan or priced()).limits.window == 90_000, "what was learned")
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    assert "A refused request showed that big takes 90K" in popover.words()
    popover.choices.forget.click()
    await window.until(lambda: (window.presenters.gauge.plan or priced()).limits.window == 200_000, "the model's own")
    await window.settled()
    assert popover.choices.isHidden()
    assert await window.services.chat.windows.of("scripted", "big") is None
    popover.close()


async def test_choices_are_compared_in_the_popover_of_the_gauge(window: OpenWindow) -> None:
    window.backend.cost_kind, window.backend.prices = "money", PRICES
    await put_thread(window.session.paths.root, "Long", long_path(f"{77:032x}", 86, 1_500, cached=True))
    await window.app_state.open_thread(f"{77:032x}")
    await drafted(window, "And now?")
    popover = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    plan, sent = window.presenters.gauge.plan, len(window.backend.plans)
    popover.compare.click()
    await window.until(lambda: "As it is" in popover.words(), "the table")
    said = popover.words()
    assert {"Tokens", "Now", "Each turn", "Left out", "Step now", "After a summary"} <= set(said)
    assert plan is not None
    assert said[said.index("As it is") + 1] == thousands(plan.tokens.total)
    assert len(window.backend.plans) == sent, "nothing is sent"
    assert popover.limit.isHidden()
    assert popover.height() > 150
    popover.close()
    window.backend.cost_kind = "plan"
    of_plan = window.presenters.gauge.open_popover(window.session.appearance.theme)
    assert of_plan is not None
    of_plan.compare.click()
    await window.until(lambda: "As it is" in of_plan.words(), "the table")
    assert not {"Now", "Each turn"} & set(of_plan.words()), "a plan has no dollars"
    of_plan.close()


def test_where_there_is_one_choice_it_says_why(qtbot: QtBot) -> None:
    model = find_model("anthropic", "claude-sonnet-5")
    parent = QWidget()
    qtbot.addWidget(parent)
    table = ChoicesTable(load_theme("light"), parent)
    table.show_choices(compared(prepare(talk(words(500)), model=model), (TextPart("Hi"),)), set())
    said = [label.text() for label in table.findChildren(QLabel)]
    assert "Nothing to compare: no other limit changes it, and no other model was used lately" in said


def test_a_choice_like_the_one_before_is_left_away_and_one_too_long_says_so() -> None:
    model = find_model("anthropic", "claude-sonnet-5")
    path = talk(words(500), words(500), words(500), words(500))
    rows = choice_rows(compared(prepare(path, model=model), (TextPart("Hi"),)), {"anthropic"})
    assert [row[0] for row in rows] == ["", "As it is"]
    crowded = compared(prepare(path, model=model, soft_limit=5_500), (TextPart("Hi"),))
    assert [row[0] for row in choice_rows(crowded, {"anthropic"})][:3] == ["", "As it is", "Limit 11K"]
    small = replace(model, window=8_000, max_output=1_000)
    rows = choice_rows(compared(prepare(path, model=small), (TextPart(words(9_000)),)), {"anthropic"})
    assert rows[1][1].endswith("K, too long")
