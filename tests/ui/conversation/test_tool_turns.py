"""A turn with tools through the real window: one answer while it runs, when it is stopped, and when it is opened."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.messages import Failure, ToolCallPart
from desktop_app.core.stream_events import Ended, Failed, PartFinished, TextDelta, ThinkingDelta, ToolAsked
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow
from tests.ui.transcript.message.test_tool_rows import cards, notes

pytestmark = pytest.mark.slow


def look_up(call_id: str = "c1", query: str = "harbour master") -> PartFinished:
    return PartFinished(ToolCallPart(call_id, "search_this_thread", {"query": query}))


def lines(window: OpenWindow) -> list[str]:
    """The muted lines of the last answer."""
    return notes(window.transcript, window.transcript.row_layout.messages[-1].id)


def roles(window: OpenWindow) -> list[str]:
    return [message.role for message in window.transcript.row_layout.messages]


async def begin(window: OpenWindow) -> None:
    """A thread that has left out its first turns."""
    window.backend.accepts_tools = True
    for text in ("The harbour master is called Ingeborg Vestergaard.", *(f"Go on, {n}." for n in range(4))):
        await window.send(text)
    thread = window.app_state.current
    assert thread is not None
    opened = await window.opened_thread()
    await window.services.chat.context_editing.start_fresh(thread.id, opened.path[5].id)
    await window.settled()


async def test_a_turn_with_two_look_ups_is_one_answer(window: OpenWindow) -> None:
    await begin(window)
    first, second, third = Gate(), Gate(), Gate()
    window.backend.reply(TextDelta("Let me look."), look_up(), first, Ended("tool_use"))
    window.backend.reply(second, look_up("c2", "Vestergaard"), Ended("tool_use"))
    window.backend.reply(third, ThinkingDelta("So that is it."), TextDelta("Ingeborg Vestergaard."), Ended("end_turn"))
    await window.begin("Who is the harbour master?", first)
    shown = len(window.transcript.row_layout.messages)
    assert lines(window) == ["looking up earlier messages"]
    first.open()
    await second.arrive()
    await window.until(lambda: lines(window)[0].startswith("looked up 3"), "the result")
    assert window.composer.streaming
    assert lines(window) == ["looked up 3 earlier messages · Show", "Waiting for big"]
    second.open()
    await third.arrive()
    await window.until(lambda: len(window.backend.plans) == 8, "the third request")
    assert lines(window)[0] == "looked up 3 earlier messages · Show", (
        "both found the same message, and read those beside it"
    )
    third.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert len(window.transcript.row_layout.messages) == shown
    answer = window.transcript.row_layout.messages[-1]
    assert answer.text == "Let me look.\n\nIngeborg Vestergaard."
    stored = await window.opened_thread()
    assert len(stored.path) == 10 + 6
    assert window.transcript.accessible.text(shown - 1).endswith("Ingeborg Vestergaard.")
    # results are found at their line, and another thread and back shows the same
    assert window.transcript.navigation.scroll_to_message(stored.path[-2].id)
    before = [(m.id, m.parts, m.state) for m in window.transcript.row_layout.messages]
    window.shortcut("new_thread")
    await window.settled()
    await window.choose_thread(stored.thread.id)
    assert [(m.id, m.parts, m.state) for m in window.transcript.row_layout.messages] == before
    assert lines(window) == ["looked up 3 earlier messages · Show"]


async def test_a_program_that_runs_the_loop_itself_is_shown_the_same(window: OpenWindow) -> None:
    await begin(window)
    call, gate = look_up(), Gate()
    assert isinstance(call.part, ToolCallPart)
    asked = ToolAsked(call.part)
    window.backend.reply(
        TextDelta("Let me look."), call, asked, gate, TextDelta("Ingeborg Vestergaard."), Ended("end_turn")
    )
    await window.begin("Who is the harbour master?", gate)
    assert lines(window) == ["looked up 3 earlier messages · Show", "Waiting for big"]
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    sheet = window.transcript.path.layout_of(window.transcript.row_layout.messages[-1].id)
    assert lines(window) == ["looked up 3 earlier messages · Show"]
    assert window.transcript.row_layout.messages[-1].text == "Let me look.\n\nIngeborg Vestergaard."
    assert window.transcript.path.layout_of(window.transcript.row_layout.messages[-1].id) is sheet
    assert len((await window.opened_thread()).path) == 10 + 2


async def test_a_turn_goes_on_in_view_when_its_thread_is_opened_again(window: OpenWindow) -> None:
    await begin(window)
    gate = Gate()
    window.backend.reply(TextDelta("Let me look."), look_up(), Ended("tool_use"))
    window.backend.reply(TextDelta("It is "), gate, TextDelta("Ingeborg."), Ended("end_turn"))
    await window.begin("Who is it?", gate)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    window.shortcut("new_thread")
    await window.settled()
    await window.choose_thread(thread_id)
    assert roles(window)[-2:] == ["user", "assistant"]
    assert lines(window) == ["looked up 3 earlier messages · Show"]
    assert window.transcript.accessible.text(len(roles(window)) - 1).endswith("It is ")
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    assert window.transcript.row_layout.messages[-1].text == "Let me look.\n\nIt is Ingeborg."


async def test_stop_within_the_loop_says_so_and_sends_nothing_more(window: OpenWindow) -> None:
    await begin(window)
    gate = Gate()
    window.backend.reply(look_up(), gate, Ended("tool_use"))
    await window.begin("Who is it?", gate)
    window.press(Qt.Key.Key_Escape)
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert lines(window)[0] == "looking up earlier messages: stopped · Show"
    assert len(window.backend.plans) == 6


async def test_a_failure_in_the_second_answer_keeps_the_first(window: OpenWindow) -> None:
    await begin(window)
    window.backend.reply(TextDelta("Let me look."), look_up(), Ended("tool_use"))
    window.backend.reply(Failed(Failure("network", "Connection lost.", actions=("retry",))))
    await window.send("Who is it?")
    assert window.presenters.error_cards.card is not None
    assert lines(window)[0] == "looked up 3 earlier messages · Show"
    assert window.transcript.row_layout.messages[-1].state != "complete"


async def test_an_unknown_tool_is_a_card_that_failed(window: OpenWindow) -> None:
    await begin(window)
    window.backend.reply(PartFinished(ToolCallPart("c", "make_coffee", {"cups": 2})), Ended("tool_use"))
    await window.send("Coffee, please")
    assert cards(window.transcript, window.transcript.row_layout.messages[-1].id) == [
        "make_coffee, failed, collapsed. 2"
    ]
    assert window.transcript.row_layout.messages[-1].text == "answer 7"
