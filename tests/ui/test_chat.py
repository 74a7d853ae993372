"""Sending, streaming, stopping: through the real window and a real history."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import Failure, Thread
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.fakes.gated_backend import Gate, said
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def is_streaming(window: OpenWindow) -> bool:
    return window.composer.streaming


async def test_a_sent_message_and_its_streamed_answer_are_shown_and_stored(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("The first "), gate, TextDelta("answer."), Ended("end_turn"))
    await window.begin("A first question", gate)
    assert window.composer.is_empty()
    assert window.composer.streaming
    assert window.composer.button.accessibleName() == "Stop"
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    opened = await window.opened_thread()
    assert [(message.role, message.text, message.state) for message in opened.path] == [
        ("user", "A first question", "complete"),
        ("assistant", "The first answer.", "complete"),
    ]
    assert (await window.thread()).title == "A first question"
    assert "A first question" in window.window.windowTitle()


async def test_the_third_turn_carries_the_first(window: OpenWindow) -> None:
    for text in ("My name is Ada", "What do I study", "Who am I"):
        await window.send(text)
    assert said(window.backend.plans[-1]) == [
        ("user", ("My name is Ada",)),
        ("assistant", ("answer 1",)),
        ("user", ("What do I study",)),
        ("assistant", ("answer 2",)),
        ("user", ("Who am I",)),
    ]


async def test_stop_keeps_the_partial_answer(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("Half of it"), gate, TextDelta(" never comes"), Ended("end_turn"))
    await window.begin("Go", gate)
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the stop")
    answer = (await window.opened_thread()).path[-1]
    assert (answer.text, answer.state, answer.stop_reason) == ("Half of it", "partial", "interrupted")
    assert window.backend.open_streams == 0


async def test_shift_enter_is_a_new_line_and_the_setting_swaps_it(window: OpenWindow) -> None:
    window.type("one")
    window.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    window.type("two")
    assert window.composer.text() == "one\ntwo"
    window.editor.enter_sends = False
    window.press(Qt.Key.Key_Return)
    assert window.composer.text() == "one\ntwo\n"
    assert window.backend.plans == []
    window.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    await window.until(lambda: window.backend.plans, "the sent request")
    assert said(window.backend.plans[0]) == [("user", ("one\ntwo",))]


async def test_enter_never_sends_while_an_input_method_composes(window: OpenWindow) -> None:
    window.type("ni")
    QApplication.sendEvent(window.editor, QInputMethodEvent("你好", []))
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert window.backend.plans == []
    committed = QInputMethodEvent()
    committed.setCommitString("你好")
    QApplication.sendEvent(window.editor, committed)
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.backend.plans, "the sent request")
    assert said(window.backend.plans[0]) == [("user", ("ni你好",))]


async def test_a_message_written_while_an_answer_streams_waits_for_its_end(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    window.enter("second")
    assert window.composer.queue.isVisible()
    assert window.composer.is_empty()
    assert len(window.backend.plans) == 1
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 2, "the queued message")
    assert said(window.backend.plans[1])[-1] == ("user", ("second",))
    assert not window.composer.queue.isVisible()


async def test_the_mouse_queues_what_is_written_while_an_answer_comes(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    await window.until(window.composer.is_empty, "the question in the history")
    button = window.composer.queue_button
    assert not button.isVisible()
    window.type("second")
    assert button.isVisible()
    assert "Enter" in button.toolTip()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (window.composer.is_empty(), button.isVisible(), window.editor.hasFocus()) == (True, False, True)
    assert window.composer.queue.isVisible()
    gate.open()
    await window.until(lambda: len(window.backend.plans) == 2, "the queued message")


async def test_a_queued_message_comes_back_on_escape_and_after_stop(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    window.enter("second")
    window.press(Qt.Key.Key_Escape)
    assert window.composer.text() == "second"
    assert window.composer.streaming
    window.press(Qt.Key.Key_Return)
    window.composer.button.click()
    await window.until(lambda: not window.composer.streaming, "the stop")
    await window.settled()
    assert window.composer.text() == "second"
    assert len(window.backend.plans) == 1


async def test_switching_threads_while_one_streams_mixes_nothing(window: OpenWindow) -> None:
    await window.send("the other thread")
    other = window.app_state.thread_id
    assert other is not None
    window.shortcut("new_thread")
    gate = Gate()
    window.backend.reply(TextDelta("slow "), gate, TextDelta("answer"), Ended("end_turn"))
    await window.begin("the streaming thread", gate)
    streaming = window.app_state.thread_id
    assert streaming is not None
    await window.choose_thread(other)
    assert not is_streaming(window)
    assert "answering" in str(window.threads.model.index_of(streaming).data(Qt.ItemDataRole.AccessibleTextRole))
    await window.choose_thread(streaming)
    assert is_streaming(window)
    await window.choose_thread(other)
    gate.open()
    await window.until(lambda: not window.services.chat.running(streaming), "the end of the other answer")
    await window.choose_thread(streaming)
    assert [message.text for message in (await window.opened_thread()).path] == ["the streaming thread", "slow answer"]
    await window.choose_thread(other)
    assert [message.text for message in (await window.opened_thread()).path] == ["the other thread", "answer 1"]


async def test_a_failed_answer_shows_its_card_and_trying_again_answers(window: OpenWindow) -> None:
    window.backend.reply(
        TextDelta("Some text"),
        Failed(Failure("overloaded", "The server is overloaded. Try again in a moment.", "529", ("retry",))),
    )
    await window.send("please")
    card = window.presenters.error_cards.card
    assert card is not None
    assert card.content.heading == "The server is overloaded"
    assert card.content.sentence == "Try again in a moment."
    assert [button.text() for button in card.buttons] == ["Continue", "Try again", "Details"], "some text is there"
    button = card.button("retry")
    assert button is not None
    button.click()
    await window.until(lambda: len(window.backend.plans) == 2, "the second try")
    await window.until(lambda: not window.composer.streaming, "the answer")
    path = (await window.opened_thread()).path
    assert [(message.role, message.text) for message in path] == [("user", "please"), ("assistant", "answer 2")]
    assert window.presenters.error_cards.card is None


async def test_choosing_another_model_in_mid_thread_keeps_the_history(window: OpenWindow) -> None:
    await window.send("with the big one")
    window.composer.picker.click()
    await window.until(lambda: window.composer.picker.menu_shown is not None, "the menu")
    window.composer.picker.model_chosen.emit("scripted", "small")
    await window.settled()
    assert window.composer.picker.text() == "small · Gated"
    await window.send("with the small one")
    assert window.backend.plans[-1].model.id == "small"
    assert len(said(window.backend.plans[-1])) == 3
    thread: Thread = await window.thread()
    assert (thread.backend, thread.model) == ("scripted", "small")
