"""What the window says and shows when older messages come back."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Failure
from desktop_app.core.settings import ContextSettings
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.ui.gauge.gauge_popover import GaugePopover
from desktop_app.ui.theme.theme import load_theme
from tests.core.paths import plan_for
from tests.core.test_return_planning import long_talk, sent
from tests.fakes.gated_backend import Gate
from tests.ui.conversation.test_trim import filled
from tests.ui.long_threads import drafted
from tests.ui.open_window import OpenWindow


def with_an_offer() -> ContextPlan:
    path = long_talk(60, 80)
    path = sent(path, plan_for(path, "what", settings=ContextSettings(max_messages=30)))
    return plan_for(path, "more", settings=ContextSettings(max_messages=60))


def test_the_popover_offers_what_fits_again_at_its_price(qtbot: object) -> None:
    plan = with_an_offer()
    assert plan.advice.return_offer is not None
    parent = QWidget()
    popover = GaugePopover(load_theme("light"), plan, False, parent)
    assert any("older messages fit again" in words for words in popover.words())
    wished: list[str] = []
    popover.return_requested.connect(wished.append)
    button = next(button for button in popover.findChildren(QPushButton) if button.text() == "Bring back")
    button.click()
    assert wished == [plan.advice.return_offer.carrier]


@pytest.mark.slow
async def test_the_gauge_says_what_sending_takes_back_and_the_line_tells_it_afterwards(window: OpenWindow) -> None:
    await filled(window)
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    gone = window.presenters.gauge.plan
    assert gone is not None
    assert gone.placement.left_out > 0
    window.backend.window = 200_000
    window.presenters.gauge.refresh()
    await drafted(window, "And now?")
    await window.until(lambda: window.gauge.reading.state == "return", "the gauge's new state")
    reading, plan = window.gauge.reading, window.presenters.gauge.plan
    assert plan is not None
    assert reading.line == f"Sending brings back {plan.placement.newly_returned} older messages"
    assert (reading.action, reading.notch) == ("Review", None)
    assert all(placed.state != "left_out" for placed in plan.placement.messages), (
        "the inspector shows them as they will be"
    )
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()
    step = window.presenters.steps.steps[-1]
    assert step.words == f"{plan.placement.newly_returned} older messages brought back"
    window.presenters.steps.act(step.message_id, "undo")
    await window.settled()
    await window.until(
        lambda: window.presenters.gauge.plan is not None and window.presenters.gauge.plan.placement.left_out > 0,
        "the undone return",
    )


@pytest.mark.slow
async def test_while_the_answer_streams_the_gauge_wishes_nothing_that_is_done(window: OpenWindow) -> None:
    await filled(window)
    for wish in ("leaves out", "brings back"):
        gate = Gate()
        window.backend.reply(TextDelta("One "), gate, Ended("end_turn"))
        await window.until(partial(_says, window, wish), f"the gauge {wish}")
        window.press(Qt.Key.Key_Return)
        await gate.arrive()
        await window.settled()
        await window.until(lambda: "Sending" not in window.gauge.line, "what was sent")
        gate.open()
        await window.until(lambda: not window.composer.streaming, "the answer")
        await window.settled()
        window.backend.window = 200_000
        window.presenters.gauge.refresh()
        await drafted(window, "And now?")


@pytest.mark.slow
async def test_the_gauge_says_that_an_unanswered_question_goes_along_until_it_has_gone(window: OpenWindow) -> None:
    words, gate = "Also sends your unanswered question", Gate()
    window.backend.reply(Failed(Failure("overloaded", "Busy.")))
    await window.send("first")
    assert not _says(window, words), "nothing is written"
    await drafted(window, "And now?")
    await window.until(partial(_says, window, words), "what goes along")
    window.backend.reply(TextDelta("One "), gate, Ended("end_turn"))
    window.press(Qt.Key.Key_Return)
    await gate.arrive()
    await window.until(lambda: not _says(window, words), "what is being answered")
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()


def _says(window: OpenWindow, words: str) -> bool:
    return words in window.gauge.line
