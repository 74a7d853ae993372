"""Several threads answer at once: nothing is lost by looking elsewhere, by closing, or by opening again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.ui.threads.thread_rows import MARK_ROLE
from tests.fakes.gated_backend import Gate
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

LONG = "".join(f"Paragraph {number} of a long answer, which goes on for a while.\n\n" for number in range(40))


async def begun(window: OpenWindow, question: str, *pieces: str) -> tuple[str, list[Gate]]:
    """A thread whose answer has its first piece and waits before each of the others."""
    window.shortcut("new_thread")
    gates = [Gate() for _ in pieces[1:]]
    steps: list[TextDelta | Gate | Ended] = [TextDelta(pieces[0])]
    for gate, piece in zip(gates, pieces[1:], strict=True):
        steps += [gate, TextDelta(piece)]
    window.backend.reply(*steps, Ended("end_turn"))
    window.enter(question)
    await gates[0].arrive()
    assert window.app_state.thread_id is not None
    return window.app_state.thread_id, gates


def mark(window: OpenWindow, thread_id: str) -> object:
    return window.threads.model.index_of(thread_id).data(MARK_ROLE)


def answer(window: OpenWindow) -> str:
    """What the transcript shows as the last message."""
    window.transcript.refresh()
    return window.transcript.accessible.text(window.transcript.accessible.count() - 1)


async def test_three_answers_grow_at_once_and_each_is_whole(window: OpenWindow) -> None:
    made = [await begun(window, f"question {n}", f"begin {n} ", f"middle {n} ", f"end {n}") for n in range(3)]
    assert [mark(window, thread_id) for thread_id, _ in made] == ["running"] * 3
    for _, gates in made:
        gates[0].open()
    for _, gates in made:
        await gates[1].arrive()
    await window.choose_thread(made[0][0])
    await window.until(lambda: "begin 0 middle 0" in answer(window), "what came while another thread was open")
    for _, gates in made[::-1]:
        gates[1].open()
    for n, (thread_id, _) in enumerate(made):
        await window.until(lambda one=thread_id: not window.services.chat.running(one), "its end")  # type: ignore[misc]
        stored = (await window.services.chat.open_thread(thread_id)).path[-1]
        assert (stored.text, stored.state) == (f"begin {n} middle {n} end {n}", "complete")
    await window.until(lambda: "end 0" in answer(window), "the end of the open one")
    await window.until(lambda: [mark(window, one) for one, _ in made] == ["", "unread", "unread"], "the marks")
    await window.choose_thread(made[1][0])
    assert "begin 1 middle 1 end 1" in answer(window)
    assert mark(window, made[1][0]) == ""


async def test_an_answer_that_ends_beneath_a_page_is_marked_at_once_and_until_the_page_is_left(
    window: OpenWindow,
) -> None:
    thread_id, gates = await begun(window, "a question", "begin", "end")
    window.presenters.pages.show("usage")
    gates[0].open()
    await window.until(lambda: mark(window, thread_id) == "unread", "the dot")
    window.presenters.pages.leave()
    await window.until(lambda: mark(window, thread_id) == "", "it is seen")


async def test_switching_away_and_back_keeps_text_and_place(window: OpenWindow) -> None:
    (other,) = await threads_of(window, "another thread")
    thread_id, gates = await begun(window, "a long one", LONG, LONG, "The last words.")
    view = window.transcript
    await window.until(lambda: view.row_layout.extent > 2 * view.row_layout.view, "an answer longer than the view")
    await window.choose_thread(other)
    gates[0].open()
    await gates[1].arrive()
    await window.choose_thread(thread_id)
    assert window.composer.streaming
    await window.until(lambda: answer(window).count("Paragraph 39 ") == 2, "all that came meanwhile")
    place = view.row_layout.y
    gates[1].open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert answer(window).rstrip().endswith("The last words.")
    assert view.row_layout.y == place, "painted text does not move"
    assert (await window.opened_thread()).path[-1].text == LONG + LONG + "The last words."


async def test_a_failure_in_a_thread_that_is_not_open_is_marked(window: OpenWindow) -> None:
    (other,) = await threads_of(window, "another thread")
    window.shortcut("new_thread")
    gate = Gate()
    window.backend.reply(TextDelta("so"), gate, Failed(Failure("overloaded", "Busy.")))
    await window.begin("question", gate)
    failing = window.app_state.thread_id
    assert failing is not None
    await window.choose_thread(other)
    gate.open()
    await window.until(lambda: mark(window, failing) == "failed", "the mark")
    await window.choose_thread(failing)
    assert mark(window, failing) == ""
    assert window.presenters.error_cards.card is not None


async def test_each_thread_is_stopped_by_itself(window: OpenWindow) -> None:
    first, _ = await begun(window, "one", "one so far", "one's rest")
    second, gates = await begun(window, "two", "two so far ", "two's rest")
    await window.choose_thread(first)
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.services.chat.running(first), "the end of the first")
    assert window.services.chat.running(second)
    gates[0].open()
    await window.until(lambda: not window.services.chat.running(second), "the end of the second")
    texts = [(await window.services.chat.open_thread(one)).path[-1].text for one in (first, second)]
    assert texts == ["one so far", "two so far two's rest"]


async def test_what_came_is_there_after_closing_in_mid_answer(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        first, _ = await begun(window, "one", "one so far", "never")
        second, _ = await begun(window, "two", "two so far", "never")
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.is_open(second)
        assert "two so far" in answer(window)
        assert not window.composer.streaming
        for thread_id, text in ((first, "one so far"), (second, "two so far")):
            stored = (await window.services.chat.open_thread(thread_id)).path[-1]
            assert (stored.text, stored.state, stored.stop_reason) == (text, "partial", "interrupted")
        await window.send("and on")
        assert [message.text for message in (await window.opened_thread()).path][-2:] == ["and on", "answer 1"]
