"""The way to a message on another branch, and back: from the search, the find bar and the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.history_records import SearchHit
from desktop_app.core.messages import Message
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.transcript.items.line_items import NoteItem
from tests.fakes.gated_backend import Gate
from tests.ui.conversation.test_branches import answered, entries, shown
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def two_branches(window: OpenWindow) -> Message:
    """A thread of one, two, three; and two, asked anew with another answer. The answer that is out of view is given."""
    window.backend.text = "\n\n" + "\n\n".join(f"paragraph {number}" for number in range(12))
    await window.send("one")
    window.backend.reply(TextDelta("the marlinspike lies in the locker"), Ended("end_turn"))
    await window.send("two")
    await window.send("three")
    hidden = window.transcript.row_layout.messages[3]
    assert "marlinspike" in hidden.text
    branches = window.presenters.branches
    branches.edit(window.transcript.row_layout.messages[2].id)
    panel = window.transcript.editing.panel
    panel.editor.replace_text("two, otherwise")
    panel.yes.click()
    await answered(window, 4)
    assert shown(window)[2] == "two, otherwise"
    return hidden


def hit_of(message: Message) -> SearchHit:
    return SearchHit(message.thread_id, "", message.id, "assistant", message.created, None, message.text)


def line(window: OpenWindow, index: int) -> NoteItem | None:
    """The line above a message that tells of the other branch."""
    rows = window.transcript.row_layout.message_layout(index).rows
    return next((row.item for row in rows if row.decoration == "detour" and isinstance(row.item, NoteItem)), None)


def in_view(window: OpenWindow, message: Message) -> bool:
    number = window.transcript.path.number(message.id)
    return any(placed.message == number for placed in window.transcript.row_layout.placed)


async def test_a_hit_on_another_branch_is_shown_there_and_the_way_back_leads_back(window: OpenWindow) -> None:
    hidden = await two_branches(window)
    view = window.transcript
    before, tip = shown(window), (await window.thread()).tip
    view.navigation.go_to_message(1)
    view.scroll_by(70)
    place = view.navigation.whereabouts
    assert place is not None
    assert in_view(window, view.row_layout.messages[2])
    window.presenters.message_search.jump(hit_of(hidden))
    await window.until(lambda: view.path.number(hidden.id) is not None, "the other branch")
    await window.settled()
    assert [text.partition("\n")[0] for text in shown(window)] == [
        *("one", "answer 1", "two", "the marlinspike lies in the locker", "three", "answer 3")
    ]
    assert in_view(window, hidden)
    assert view.row_layout.messages[view.row_layout.focused].id == hidden.id
    told = line(window, 3)
    assert told is not None
    assert told.note == "This message is on another branch of the thread"
    plan = window.presenters.gauge.plan
    assert plan is not None
    assert [placed.id for placed in plan.placement.messages] == [message.id for message in view.row_layout.messages], (
        "its own gauge"
    )
    view.row_actions.press(next(p for p in view.row_layout.placed if p.row.item is told), "detour_back")
    await window.settled()
    assert shown(window) == before
    assert (await window.thread()).tip == tip
    assert view.navigation.whereabouts == place
    assert all(line(window, index) is None for index in range(4))


async def test_the_keyboard_finds_the_way_back_in_the_menu(window: OpenWindow) -> None:
    hidden = await two_branches(window)
    before = shown(window)
    window.presenters.message_search.jump(hit_of(hidden))
    await window.until(lambda: window.transcript.path.number(hidden.id) is not None, "the other branch")
    await window.settled()
    assert "Go back to the previous branch" not in entries(window, 1)
    entries(window, 3)["Go back to the previous branch"].trigger()
    await window.settled()
    assert shown(window) == before


async def test_from_another_thread_and_whoever_asks_there_stays(window: OpenWindow) -> None:
    hidden = await two_branches(window)
    await threads_of(window, "elsewhere")
    window.presenters.message_search.jump(hit_of(hidden))
    await window.until(lambda: window.app_state.is_open(hidden.thread_id), "the thread")
    await window.settled()
    assert in_view(window, hidden)
    assert line(window, 3) is not None
    await window.send("on from here")
    assert shown(window)[4:6] != []
    assert line(window, 3) is None


async def test_while_an_answer_comes_the_branch_stays(window: OpenWindow) -> None:
    hidden = await two_branches(window)
    gate = Gate()
    window.backend.reply(TextDelta("x"), gate, Ended("end_turn"))
    await window.begin("more", gate)
    window.presenters.message_search.jump(hit_of(hidden))
    words = "This message is on another branch. You can view it when the answer is complete."
    await window.until(lambda: window.window.toast.words == words, "the toast")
    assert window.transcript.path.number(hidden.id) is None
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()


async def test_the_find_bar_counts_other_branches_and_leads_there(window: OpenWindow) -> None:
    hidden = await two_branches(window)
    view = window.transcript
    window.shortcut("find")
    bar = view.find_in_thread.bar
    bar.field.setText("marlinspike")
    await window.until(lambda: view.find_in_thread.done, "the reading")
    await window.until(bar.elsewhere.isVisible, "what is beside")
    assert (bar.count.text(), bar.elsewhere.text()) == ("No results", "1 on another branch")
    bar.elsewhere.click()
    await window.until(lambda: view.path.number(hidden.id) is not None, "the other branch")
    await window.settled()
    assert in_view(window, hidden)
    await window.until(lambda: bar.count.text() == "1 result" or "of 1" in bar.count.text(), "it is found here now")
    assert not bar.elsewhere.isVisible()
    bar.field.setText("otherwise")
    await window.until(bar.elsewhere.isVisible, "the question of the other branch")
    bar.field.setText("paragraph 3")
    await window.until(
        lambda: view.find_in_thread.done and bar.elsewhere.text() == "1 on another branch", "one more there"
    )
    bar.field.setText("")
    await window.until(lambda: not bar.elsewhere.isVisible(), "nothing is looked for")
    window.press(Qt.Key.Key_Escape, widget=bar.field)
    await window.settled()


async def test_the_command_line_names_a_message(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        hidden = await two_branches(window)
        await threads_of(window, "elsewhere")
    async with OpenWindow.opened(data_dir, open_thread=f"{hidden.thread_id}/{hidden.id[:12]}") as window:
        await window.until(lambda: window.app_state.is_open(hidden.thread_id), "the thread")
        await window.settled()
        assert in_view(window, hidden)
        assert line(window, 3) is not None
        # from a second start, while a page covers the transcript
        window.shortcut("show_usage")
        await window.settled()
        window.session.take_arguments({"open_thread": f"{hidden.thread_id[:10]}/{hidden.id}"})
        await window.until(lambda: window.window.stage.reading, "the transcript")
        await window.settled()
        assert in_view(window, hidden)
        window.session.take_arguments({"open_thread": f"{hidden.thread_id[:10]}/nothing"})
        await window.until(lambda: "no such message" in window.window.toast.words, "the toast")
        await window.settled()
