"""The tree of a thread's branches in the window: what opens it, its keys, where it leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import TextPart, ThinkingPart, Usage
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.ui.branches.branch_tree_popover import BranchTreePopover
from desktop_app.ui.transcript.message.action_bar import TREE, BranchItem
from tests.fakes.gated_backend import Gate
from tests.ui.branches.forked import forked_path
from tests.ui.long_threads import put_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key = Qt.Key


def tree(window: OpenWindow) -> BranchTreePopover:
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, BranchTreePopover)
    return popup


def lines(popover: BranchTreePopover) -> list[str]:
    return [str(popover.rows.index(row).data()) for row in range(popover.rows.rowCount())]


def here(popover: BranchTreePopover) -> str:
    return str(popover.view.currentIndex().data())


def shown(window: OpenWindow) -> list[str]:
    return [message.text for message in window.transcript.row_layout.messages]


def keys(popover: BranchTreePopover, *pressed: Key) -> None:
    for key in pressed:
        QTest.keyClick(popover.search if popover.search.hasFocus() else popover.view, key)


def typed(popover: BranchTreePopover, text: str) -> None:
    """The first letter reaches the list, which hands the keyboard to the field."""
    QTest.keyClicks(popover.view, text[0])
    QTest.keyClicks(popover.search, text[1:])


async def opened(window: OpenWindow) -> BranchTreePopover:
    window.shortcut("show_branches")
    await window.settled()
    return tree(window)


async def forked(window: OpenWindow) -> None:
    """Three questions; the first answer has two versions, and each of them goes on."""
    for text in ("alpha", "beta"):
        await window.send(text)
    first = window.transcript.row_layout.messages[1].id
    window.presenters.branches.act(first, "again")
    await window.until(lambda: len(window.backend.plans) == 3, "the other answer")
    await window.until(lambda: not window.composer.streaming, "its end")
    await window.settled()
    await window.send("gamma")


async def long_thread(window: OpenWindow, turns: int = 300, branches: int = 24) -> str:
    thread_id = f"{5:032x}"
    await put_thread(window.session.paths.root, "Figures", forked_path(thread_id, turns, branches))
    await window.app_state.open_thread(thread_id)
    await window.settled()
    return thread_id


async def test_the_tree_shows_every_branch_and_begins_at_the_end_of_the_open_one(window: OpenWindow) -> None:
    await forked(window)
    popover = await opened(window)
    assert lines(popover) == ["alpha", "answer 1", "beta", "answer 2", "answer 3", "gamma", "answer 4"]
    assert [row.depth for row in popover.rows.rows] == [0, 1, 1, 1, 0, 0, 0]
    assert [row.on_path for row in popover.rows.rows] == [True, False, False, False, True, True, True]
    assert here(popover) == "answer 4"
    assert popover.foot.text() == "2 branches · 7 messages"


@pytest.mark.parametrize(("width", "height"), [(1180, 820), (480, 600)])
async def test_it_lies_within_the_window_and_shows_whole_rows(window: OpenWindow, width: int, height: int) -> None:
    await long_thread(window)
    window.window.resize(width, height)
    await window.settled()
    popover = await opened(window)
    frame = window.window.geometry().translated(
        window.window.mapToGlobal(QPoint(0, 0)) - window.window.geometry().topLeft()
    )
    assert frame.contains(popover.geometry())
    assert popover.view.viewport().height() % popover.delegate.height == 0
    rows = popover.view.viewport().height() // popover.delegate.height
    assert 8 <= rows <= 14
    typed(popover, "Point 17.")
    assert popover.view.viewport().height() == popover.delegate.height
    assert popover.view.isVisible()


async def test_enter_opens_the_branch_at_that_message_as_the_arrows_do(window: OpenWindow) -> None:
    await forked(window)
    popover = await opened(window)
    keys(popover, Key.Key_Home, Key.Key_Down, Key.Key_Down)
    assert here(popover) == "beta"
    keys(popover, Key.Key_Return)
    await window.settled()
    assert shown(window) == ["alpha", "answer 1", "beta", "answer 2"]
    assert (await window.thread()).tip == window.transcript.row_layout.messages[-1].id
    assert window.transcript.decorations.branch_of(window.transcript.row_layout.messages[1].id) == (1, 2)
    assert window.transcript.decorations.detour is None, "who chose a branch needs no way back from a hit"
    assert QApplication.activePopupWidget() is None
    popover = await opened(window)
    assert here(popover) == "answer 2"
    keys(popover, Key.Key_End)
    assert here(popover) == "answer 4"
    keys(popover, Key.Key_Return)
    await window.settled()
    assert shown(window)[-1] == "answer 4"


async def test_a_click_does_the_same(window: OpenWindow) -> None:
    await forked(window)
    popover = await opened(window)
    place = popover.view.visualRect(popover.rows.index(3)).center()
    QTest.mouseClick(popover.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    await window.settled()
    assert shown(window) == ["alpha", "answer 1", "beta", "answer 2"]


async def test_esc_closes_and_the_keyboard_is_where_it_was(window: OpenWindow) -> None:
    await forked(window)
    window.window.activateWindow()
    window.composer.focus_editor()
    before = shown(window)
    popover = await opened(window)
    keys(popover, Key.Key_Up, Key.Key_Escape)
    await window.settled()
    assert QApplication.activePopupWidget() is None
    assert window.editor.hasFocus()
    assert shown(window) == before


async def test_the_number_between_the_arrows_opens_it_at_that_message(window: OpenWindow) -> None:
    await forked(window)
    view = window.transcript
    view.navigation.scroll_to_message(view.row_layout.messages[1].id)
    placed = next(p for p in view.row_layout.placed if p.message == 1 and isinstance(p.row.item, BranchItem))
    x = next(x for x in range(200) if placed.row.item.button_at(x, 14) == TREE) + 3
    at = QPoint(view.column.left() + x, placed.item_top + 14)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    await window.settled()
    popover = tree(window)
    assert here(popover) == "answer 3"
    assert "Answer 2 of 2, show all branches" in [words for _, words in placed.row.item.buttons()]
    below = view.viewport().mapToGlobal(QPoint(0, placed.item_top)).y()
    assert popover.geometry().top() > below or popover.geometry().bottom() < below


async def test_a_thread_without_branches_says_so(window: OpenWindow) -> None:
    await window.send("alpha")
    window.shortcut("show_branches")
    await window.settled()
    assert QApplication.activePopupWidget() is None
    assert window.window.toast.words == "No branches yet. Edit a question or regenerate an answer to make one."


async def test_a_private_thread_has_its_tree_too(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    await window.settled()
    await forked(window)
    assert window.app_state.private
    popover = await opened(window)
    keys(popover, Key.Key_Home, Key.Key_Down, Key.Key_Return)
    await window.settled()
    assert shown(window)[1] == "answer 1"


async def test_while_an_answer_comes_the_thread_stays_on_its_branch_as_with_the_arrows(window: OpenWindow) -> None:
    await forked(window)
    gate = Gate()
    window.backend.reply(TextDelta("slow"), gate, Ended("end_turn"))
    window.type("delta")
    window.press(Key.Key_Return)
    await gate.arrive()
    popover = await opened(window)
    before = (await window.thread()).tip
    assert popover.foot.text() == "An answer is still coming. Stop it or wait until it is complete."
    keys(popover, Key.Key_Home, Key.Key_Down, Key.Key_Return)
    assert popover.isVisible()
    assert (await window.thread()).tip == before
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end of the answer")
    await window.settled()
    assert popover.foot.text() == "2 branches · 9 messages"
    assert here(popover) == "answer 1", "what the keyboard is on stays so"
    keys(popover, Key.Key_Return)
    await window.settled()
    assert shown(window) == ["alpha", "answer 1", "beta", "answer 2"]


async def test_long_stretches_are_folded_and_unfold_on_demand(window: OpenWindow) -> None:
    await long_thread(window)
    popover = await opened(window)
    assert popover.rows.rowCount() < 200
    assert popover.foot.text() == "25 branches · 684 messages"
    keys(popover, Key.Key_Home, Key.Key_Down)
    assert here(popover) == "23 messages"
    count = popover.rows.rowCount()
    keys(popover, Key.Key_Right)
    assert popover.rows.rowCount() == count + 23
    assert here(popover) == "23 messages"
    keys(popover, Key.Key_Down, Key.Key_Down)
    assert here(popover).startswith("Which region")
    keys(popover, Key.Key_Left)
    assert popover.rows.rowCount() == count
    assert here(popover) == "23 messages"
    keys(popover, Key.Key_Return)
    assert popover.rows.rowCount() == count + 23


async def test_what_is_typed_filters_over_all_messages_and_esc_shows_the_tree_again(window: OpenWindow) -> None:
    await long_thread(window)
    popover = await opened(window)
    count = popover.rows.rowCount()
    typed(popover, "point 17.")
    assert lines(popover) == ["Point 17. Revenue grew by 4 % to 12.4 m."]
    assert popover.search.hasFocus()
    keys(popover, Key.Key_Escape)
    assert popover.rows.rowCount() > count, "what was found is in no fold"
    assert here(popover).startswith("Point 17.")
    QTest.keyClicks(popover.search, "nothing of that kind")
    assert popover.nothing.isVisible()
    keys(popover, Key.Key_Return, Key.Key_Escape, Key.Key_Escape)
    assert not popover.isVisible()


async def test_what_is_found_on_another_branch_is_opened_there(window: OpenWindow) -> None:
    await long_thread(window)
    popover = await opened(window)
    typed(popover, "Try 4 of turn 276")
    keys(popover, Key.Key_Return)
    await window.settled()
    assert shown(window)[-1].startswith("Try 4 of turn 276")
    view = window.transcript
    assert any(placed.message == len(view.row_layout.messages) - 1 for placed in view.row_layout.placed)


async def test_tokens_are_those_of_the_plan_and_those_that_were_counted_elsewhere(window: OpenWindow) -> None:
    usage = UsageReported(Usage(input=50, output=700, thinking=200), "big")
    window.backend.reply(TextDelta("one"), usage, Ended("end_turn"))
    await forked(window)
    popover = await opened(window)
    plan = window.presenters.gauge.plan
    assert plan is not None
    texts = popover.rows.texts
    assert texts is not None
    for row in popover.rows.rows:
        message_id = row.groups[0][0]
        placed = next((one for one in plan.placement.messages if one.id == message_id), None)
        if placed is not None:
            assert texts.tokens[message_id] == placed.whole
    other = popover.rows.rows[1]
    message = (await window.opened_thread()).conversation[other.groups[0][0]]
    assert message.usage is not None
    assert texts.tokens[message.id] == message.usage.output - message.usage.thinking == 500
    asked = popover.rows.rows[2]
    prepared = await window.services.chat.prepared((await window.thread()).id)
    question = (await window.opened_thread()).conversation[asked.groups[0][0]]
    assert not any(isinstance(part, ThinkingPart) for part in question.parts)
    assert texts.tokens[question.id] == prepared.tokens_of(TextPart("beta"))


async def test_an_open_thread_costs_no_query(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await forked(window)
        read: list[str] = []
        history = window.services.chat.open_threads._history
        messages = history.messages

        async def counted(thread_id: str) -> object:
            read.append(thread_id)
            return await messages(thread_id)

        history.messages = counted  # type: ignore[method-assign, assignment]
        await opened(window)
        assert read == []


async def test_a_screen_reader_is_told_what_each_row_is(window: OpenWindow) -> None:
    await forked(window)
    popover = await opened(window)
    assert popover.accessibleName()
    assert popover.view.accessibleName() == "Branches of this thread"
    told = [str(popover.rows.index(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(7)]
    assert told[0].startswith("Question, alpha, ")
    assert told[0].endswith("open branch")
    assert told[1].startswith("Answer 1 of 2, answer 1, ")
    assert told[1].endswith("level 2")
    assert "open branch" not in told[1]
    interface = QAccessible.queryAccessibleInterface(popover.view)
    assert interface is not None
    assert interface.childCount() == 7
