"""What is asked of the model in a thread: only what it takes, stored at once, shown where it differs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_app.core.context.plan import Overhead
from desktop_app.core.messages import NO_PARAMETERS, Parameters, Usage
from desktop_app.core.model_catalog import ModelInfo, Prices
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.ui.connections import available_models as connections
from desktop_app.ui.models.model_picker import ParametersButton
from desktop_app.ui.models.parameters_popover import ParametersPopover, ThreadParameters, differences
from desktop_app.ui.theme.theme import load_theme
from tests.ui.open_window import OpenWindow
from tests.ui.tool_scenes import all_parameters

ABLE = {"efforts": ("low", "high"), "thinking": "choice", "web_search": True, "temperature": True}
PLAIN = ModelInfo("plain", "Plain", 8_000, 2_000)


@pytest.fixture
def button(qtbot: QtBot, qapp: QApplication) -> ParametersButton:
    made = ParametersButton(load_theme("light"), None)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    return made


def opened(button: ParametersButton, shown: ThreadParameters) -> ParametersPopover:
    button.open(shown)
    assert button.popover is not None
    return button.popover


def test_only_what_a_model_takes_is_offered(button: ParametersButton) -> None:
    popover = opened(button, ThreadParameters(PLAIN))
    assert popover.words() == ("Parameters of this thread", "This model has no parameters.")
    popover.close()
    assert button.popover is None
    few = ModelInfo("m", "M", 8_000, 2_000, thinking="always", temperature=True)
    popover = opened(button, ThreadParameters(few))
    assert (popover.effort, popover.thinking, popover.web, popover.recall) == (None,) * 4
    assert popover.temperature is not None
    popover.close()


def test_every_change_is_a_wish_at_once(button: ParametersButton) -> None:
    wishes: list[object] = []
    button.parameters_chosen.connect(wishes.append)
    button.recall_chosen.connect(wishes.append)
    popover = opened(button, all_parameters(effort="high"))
    assert popover.effort is not None
    assert popover.effort.value.text() == "High"
    popover.effort.slider.setValue(0)
    assert wishes.pop() == Parameters("low")
    QTest.keyClick(popover.effort.slider, Qt.Key.Key_Home)
    assert wishes.pop() == NO_PARAMETERS
    assert popover.effort.value.text() == "Model default"
    assert popover.effort.slider.property("resting") == "unknown", "no handle says where that is"
    popover.show_parameters(all_parameters(effort="high"))
    assert popover.thinking is not None
    assert popover.thinking.isChecked()
    popover.thinking.click()
    assert wishes.pop() == Parameters("high", thinking=False)
    assert popover.web is not None
    popover.web.click()
    assert wishes.pop() == Parameters("high", web_search=True)
    assert popover.recall is not None
    popover.recall.click()
    assert wishes.pop() is False
    assert popover.temperature is not None
    popover.temperature.slider.setValue(7)
    assert wishes.pop() == Parameters("high", temperature=0.7)
    assert popover.temperature.value.text() == "0.7"
    popover.show_parameters(all_parameters(temperature=0.7))
    assert not wishes, "showing is no wish"
    popover.close()


def test_a_default_is_said_as_what_it_is(button: ParametersButton) -> None:
    popover = opened(button, replace(all_parameters(), usual_temperature=1.0))
    assert popover.temperature is not None
    assert popover.temperature.value.text() == "Default (1)"
    assert popover.temperature.slider.accessibleName() == "Temperature: Default (1)"
    assert popover.temperature.slider.property("resting")
    wishes: list[object] = []
    button.parameters_chosen.connect(wishes.append)
    popover.temperature.slider.sliderReleased.emit()
    assert wishes == [Parameters(temperature=1.0)], "where the handle rests can be chosen, too"
    assert not popover.temperature.slider.property("resting")
    popover.close()
    popover = opened(button, all_parameters())
    assert popover.temperature is not None
    assert popover.temperature.value.text() == "Model default"
    assert popover.temperature.slider.property("resting") == "unknown", "no handle says otherwise"
    popover.close()


def test_a_value_from_elsewhere_has_its_place_on_the_slider(button: ParametersButton) -> None:
    popover = opened(button, all_parameters(temperature=1.35))
    assert popover.temperature is not None
    assert popover.temperature.value.text() == "1.35"
    assert popover.temperature.slider.value() == popover.temperature.slider.maximum()
    popover.close()


def test_the_value_follows_the_handle_and_counts_where_it_is_let_go(button: ParametersButton) -> None:
    wishes: list[object] = []
    button.parameters_chosen.connect(wishes.append)
    popover = opened(button, all_parameters())
    assert popover.temperature is not None
    slider = popover.temperature.slider
    slider.setSliderDown(True)
    slider.setSliderPosition(3)
    assert popover.temperature.value.text() == "0.3"
    slider.setSliderPosition(4)
    assert not wishes
    slider.setSliderDown(False)
    assert wishes == [Parameters(temperature=0.4)]
    popover.close()


def test_reset_takes_everything_back_and_is_there_only_then(button: ParametersButton) -> None:
    wishes: list[object] = []
    button.parameters_chosen.connect(wishes.append)
    button.recall_chosen.connect(wishes.append)
    popover = opened(button, all_parameters())
    assert not popover.reset.isVisible()
    popover.show_parameters(replace(all_parameters(effort="low", web_search=True), recall=False))
    assert popover.reset.isVisible()
    popover.reset.click()
    assert wishes == [True, NO_PARAMETERS]
    popover.show_parameters(all_parameters())
    assert not popover.reset.isVisible()
    popover.close()


def test_the_keyboard_reaches_all_of_it_and_every_control_has_a_name(button: ParametersButton) -> None:
    popover = opened(button, all_parameters())
    assert popover.effort is not None
    assert popover.thinking is not None
    assert popover.focusWidget() is popover.effort.slider
    assert popover.effort.slider.accessibleName() == "Effort: Model default"
    QTest.keyClick(popover.effort.slider, Qt.Key.Key_Right)
    assert popover.effort.slider.accessibleName() == "Effort: Extra high"
    QTest.keyClick(popover.effort.slider, Qt.Key.Key_Tab)
    assert popover.focusWidget() is popover.thinking
    assert popover.thinking.accessibleName() == "Thinking"
    QTest.keyClick(popover.thinking, Qt.Key.Key_Return)
    assert not popover.thinking.isChecked()
    assert all(label.width() <= popover.width() for label in popover.findChildren(QLabel))
    QTest.keyClick(popover, Qt.Key.Key_Escape)
    assert button.popover is None


def test_only_differences_are_told_and_only_those_that_count() -> None:
    assert differences(all_parameters()) == ()
    told = differences(all_parameters(effort="xhigh", thinking=False, web_search=True, temperature=0.3))
    assert told == ("extra high", "no thinking", "temperature 0.3")
    everything = Parameters("high", False, True, 0.3)
    assert differences(ThreadParameters(PLAIN, everything, recall=False)) == ()
    able = ModelInfo("m", "M", 8_000, 2_000, accepts_tools=True)
    assert differences(ThreadParameters(able, NO_PARAMETERS, recall=False)) == ("no look-ups",)


async def test_a_change_counts_from_the_next_message_on(window: OpenWindow) -> None:
    window.backend.abilities = dict(ABLE)
    window.backend.accepts_tools = True
    await window.send("A question")
    window.composer.parameters.click()
    await window.settled()
    popover = window.composer.parameters.popover
    assert popover is not None
    assert popover.effort is not None
    QTest.keyClick(popover.effort.slider, Qt.Key.Key_Space)
    await window.settled()
    assert popover.web is not None
    popover.web.click()
    await window.settled()
    assert window.composer.picker.text() == "big · high"
    assert "Gated" in window.composer.picker.accessibleName()
    assert (await window.thread()).parameters == Parameters("high", web_search=True)
    assert popover.recall is not None
    popover.recall.click()
    await window.settled()
    assert not (await window.thread()).choices.recall
    popover.close()
    await window.send("Another")
    assert window.backend.plans[-1].request.parameters == Parameters("high", web_search=True)
    assert window.backend.plans[-1].request.tools == ()
    window.shortcut("new_thread")
    await window.settled()
    assert window.composer.picker.text() == "big · Gated", "a new thread asks for nothing"


async def test_what_is_chosen_before_a_thread_is_made_is_the_threads_own(window: OpenWindow) -> None:
    window.backend.abilities = dict(ABLE)
    window.backend.accepts_tools = True
    window.shortcut("new_thread")
    await window.settled()
    window.shortcut("thread_parameters")
    await window.settled()
    popover = window.composer.parameters.popover
    assert popover is not None
    assert popover.effort is not None
    assert popover.recall is not None
    popover.effort.slider.setValue(0)
    popover.recall.click()
    await window.settled()
    assert window.app_state.current is None, "no thread is made by choosing"
    assert window.composer.picker.text() == "big · low · no look-ups"
    popover.close()
    await window.send("The first question")
    assert window.backend.plans[-1].request.parameters == Parameters("low")
    thread = await window.thread()
    assert (thread.parameters, thread.choices.recall) == (Parameters("low"), False)
    assert window.composer.picker.text() == "big · low · no look-ups"


async def test_what_a_change_and_another_model_cost_is_said_beforehand(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "NOT_OFFERED", ("anthropic", "claude-cli", "local"))
    backend = window.backend
    backend.abilities = dict(ABLE)
    backend.cost_kind = "money"
    backend.overhead = Overhead(cache_marks=4)
    backend.prices = Prices(3.0, 15.0, 0.3, 3.75, 6.0)
    usage = Usage(input=1_000, cache_write=60_000, output=20)
    backend.reply(TextDelta("Yes."), UsageReported(usage, "big"), Ended("end_turn"))
    window.editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 5_000)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans and not window.composer.streaming, "the answer")
    await window.settled()
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert plan.price.cached_tokens
    window.shortcut("thread_parameters")
    await window.settled()
    popover = window.composer.parameters.popover
    assert popover is not None
    assert popover.price.text().startswith("After a change the next message reads ")
    assert " again: $0." in popover.price.text()
    popover.close()
    window.composer.picker.click()
    await window.until(lambda: window.composer.picker.menu_shown is not None, "the menu")
    await window.settled()
    menu = window.composer.picker.menu_shown
    assert menu is not None
    assert menu.anew.text() == "big answers now"
    QTest.keyClick(menu.view, Qt.Key.Key_Down)
    assert menu.current is not None
    assert menu.current.model == "small"
    assert menu.anew.text().startswith("small · Leaves out older messages above ")


async def test_it_is_whole_in_a_small_window_with_large_text(window: OpenWindow) -> None:
    await window.services.preferences.set_value("appearance.text_size", 16)
    window.window.resize(480, 700)
    await window.settled()
    window.composer.parameters.open(all_parameters(effort="high"))
    popover = window.composer.parameters.popover
    assert popover is not None
    assert window.window.geometry().contains(popover.geometry())
    lowest = max(label.geometry().bottom() for label in popover.findChildren(QLabel) if label.isVisible())
    assert lowest < popover.height()
    for label in popover.findChildren(QLabel):
        assert not label.wordWrap() or label.height() >= label.heightForWidth(label.width())
    popover.close()


async def test_the_list_of_models_keeps_within_a_small_window(window: OpenWindow) -> None:
    window.window.resize(480, 700)
    await window.settled()
    window.composer.picker.click()
    await window.until(lambda: window.composer.picker.menu_shown is not None, "the menu")
    menu = window.composer.picker.menu_shown
    assert menu is not None
    assert window.window.geometry().left() < menu.geometry().left()
    assert menu.geometry().right() < window.window.geometry().right()
    assert menu.geometry().bottom() < window.window.geometry().bottom()
    menu.close()
    await window.settled()
