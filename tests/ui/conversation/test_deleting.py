"""Deleting a message by its menu: the turn is gone from the view and from what is sent, and comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_app.core.context.plan import PlacedMessage
from desktop_app.core.messages import Failure, TextPart
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.ui.branches.branch_tree_popover import BranchTreePopover
from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.inspector.message_rows import MessageGroupRow
from tests.fakes.gated_backend import Gate, said
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture
async def talk(window: OpenWindow) -> AsyncIterator[OpenWindow]:
    """A window with three turns."""
    for turn in range(3):
        await window.send(f"question {turn}")
    yield window


def shown(window: OpenWindow) -> list[str]:
    return [message.text for message in window.transcript.row_layout.messages]


def open_menu(window: OpenWindow, index: int) -> QMenu:
    """The menu that a right click on a message opens."""
    view = window.transcript
    view.keyboard.focus_message(index)
    place = view.viewport().mapFromGlobal(view.message_corner(index)) + QPoint(4, 4)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=place)
    # the platform makes this of a right click
    where = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, where))
    assert view.menu is not None
    return view.menu


def click(menu: QMenu, words: str) -> None:
    """A click with the mouse on an entry."""
    entry = next(action for action in menu.actions() if action.text().startswith(words))
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


async def delete(window: OpenWindow, index: int) -> None:
    click(open_menu(window, index), "Delete")
    await window.settled()


async def test_the_turn_goes_and_the_next_question_goes_without_it(talk: OpenWindow) -> None:
    await delete(talk, 3)
    assert shown(talk) == ["question 0", "answer 1", "question 2", "answer 3"]
    assert talk.window.toast.words == "Question and answer deleted"
    talk.window.toast.hide()
    await talk.send("and now?")
    assert said(talk.backend.plans[-1])[2:4] == [("user", ("question 2",)), ("assistant", ("answer 3",))]
    assert shown(talk)[-2:] == ["and now?", "answer 4"]


async def test_of_the_last_turn_the_answer_alone_can_go_and_the_entry_says_which(talk: OpenWindow) -> None:
    menu = open_menu(talk, 5)
    assert "Delete answer" in [action.text() for action in menu.actions()]
    click(menu, "Delete answer")
    await talk.settled()
    assert shown(talk)[-1] == "question 2"
    click(open_menu(talk, 4), "Delete question")
    await talk.settled()
    assert shown(talk)[-1] == "answer 2"


async def test_a_click_on_undo_brings_it_back(talk: OpenWindow) -> None:
    await delete(talk, 0)
    assert shown(talk)[0] == "question 1"
    QTest.mouseClick(talk.window.toast.button, Qt.MouseButton.LeftButton)
    await talk.settled()
    assert shown(talk) == [
        f"{who} {turn + late}" for turn in range(3) for who, late in (("question", 0), ("answer", 1))
    ]


async def test_the_last_turn_goes_by_keyboard(talk: OpenWindow) -> None:
    view = talk.transcript
    view.keyboard.focus_message(4)
    corner = view.message_corner(4)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, view.viewport().mapFromGlobal(corner), corner))
    assert view.menu is not None
    for _ in view.menu.actions():
        QTest.keyClick(view.menu, Qt.Key.Key_Up)
        if view.menu.activeAction().text() == "Delete question and answer":
            break
    QTest.keyClick(view.menu, Qt.Key.Key_Return)
    await talk.settled()
    assert shown(talk)[-1] == "answer 2"
    await talk.send("instead")
    assert said(talk.backend.plans[-1])[-2:] == [("assistant", ("answer 2",)), ("user", ("instead",))]


async def test_the_card_of_a_failed_question_goes_with_it(talk: OpenWindow) -> None:
    talk.backend.reply(Failed(Failure("network", "The connection broke.")))
    await talk.send("a question that fails")
    await talk.until(lambda: talk.presenters.error_cards.card is not None, "the card")
    await delete(talk, 6)
    assert talk.presenters.error_cards.card is None
    assert shown(talk)[-1] == "answer 3"


async def test_a_question_that_the_provider_refuses_is_deleted_from_its_card(talk: OpenWindow) -> None:
    talk.backend.reply(Failed(Failure("backend", "It did not take this.", actions=("retry",))))
    await talk.send("a poisoned question")
    await talk.until(lambda: talk.presenters.error_cards.card is not None, "the card")
    card = talk.presenters.error_cards.card
    button = card.button("delete_question") if card is not None else None
    assert button is not None
    button.click()
    await talk.settled()
    assert talk.presenters.error_cards.card is None
    assert shown(talk)[-1] == "answer 3"


async def test_a_refused_question_that_went_along_with_the_next_is_deleted_from_its_line(talk: OpenWindow) -> None:
    for words in ("a poisoned question", "a good one"):
        talk.backend.reply(Failed(Failure("auth", "No credit is left.")))
        await talk.send(words)
        await talk.until(lambda: talk.presenters.error_cards.card is not None, "the card")
    assert said(talk.backend.plans[-1])[-1] == ("user", ("a poisoned question", "a good one"))
    placed = next(one for one in talk.transcript.row_layout.placed if one.row.decoration == "unanswered")
    talk.transcript.row_actions.press(placed, "delete")
    await talk.settled()
    assert shown(talk)[-2] == "a good one"
    await talk.send("again")
    assert said(talk.backend.plans[-1])[-1] == ("user", ("a good one", "again"))


async def test_with_everything_deleted_the_thread_is_empty(talk: OpenWindow) -> None:
    for _ in range(3):
        await delete(talk, 0)
    assert shown(talk) == []
    await talk.send("a new beginning")
    assert said(talk.backend.plans[-1]) == [("user", ("a new beginning",))]


async def test_while_an_answer_comes_there_is_nothing_to_delete_by(talk: OpenWindow) -> None:
    gate = Gate()
    talk.backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    await talk.begin("slow", gate)
    menu = open_menu(talk, 0)
    assert not any(action.text().startswith("Delete") for action in menu.actions())
    menu.close()
    gate.open()
    await talk.until(lambda: not talk.composer.streaming, "the end of the answer")
    await talk.settled()


async def test_the_inspector_says_that_it_is_not_searched_and_brings_it_back(talk: OpenWindow) -> None:
    await delete(talk, 2)
    talk.shortcut("toggle_inspector")
    await talk.settled()
    pane = talk.window.findChild(InspectorPane)
    assert pane is not None
    rows = pane.messages.model.rows()
    gone = [row for row in rows if isinstance(row, PlacedMessage) and row.deleted]
    assert len(gone) == 2
    assert [(row.group, row.count) for row in rows if isinstance(row, MessageGroupRow)][-1] == ("deleted", 2)
    index = pane.messages.model.index_of(gone[0].id)
    assert "not searched" in index.data(Qt.ItemDataRole.ToolTipRole)
    view = pane.messages.view
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    QTest.keyClick(view, Qt.Key.Key_B)
    await talk.settled()
    assert len(shown(talk)) == 6


async def test_after_a_restart_it_is_gone_from_the_first_paint_on(window: OpenWindow, data_dir: Path) -> None:
    for turn in range(3):
        await window.send(f"question {turn}")
    await delete(window, 2)
    thread_id = window.app_state.thread_id
    first = read_first_screen(data_dir / "history.db", thread_id=thread_id, tail=20)
    assert first is not None
    assert [message.text for message in first.path_tail] == shown(window)


async def edited(window: OpenWindow, message_id: str, text: str) -> str:
    """Asks something else in a question's place; the id of that."""
    thread_id = window.app_state.thread_id or ""
    await (await window.services.chat.start_edit(thread_id, message_id, (TextPart(text),)))
    await window.settled()
    path = (await window.services.chat.open_thread(thread_id)).path
    return next(message.id for message in path if message.text == text)


async def test_the_other_version_is_shown_where_one_of_two_is_deleted_and_undo_shows_it_again(
    talk: OpenWindow,
) -> None:
    again = await edited(talk, talk.transcript.row_layout.messages[2].id, "question 1, better")
    assert shown(talk)[2:] == ["question 1, better", "answer 4"]
    await delete(talk, 2)
    assert talk.window.toast.words == "Version deleted. Another one is shown."
    assert shown(talk)[2:] == ["question 1", "answer 2", "question 2", "answer 3"]
    QTest.mouseClick(talk.window.toast.button, Qt.MouseButton.LeftButton)
    await talk.settled()
    assert shown(talk)[2:] == ["question 1, better", "answer 4"]
    assert talk.transcript.decorations.branch_of(again) == (2, 2)


async def test_a_question_whose_only_answer_is_deleted_stays_and_is_answered_again(talk: OpenWindow) -> None:
    await edited(talk, talk.transcript.row_layout.messages[2].id, "question 1, better")
    await delete(talk, 3)
    assert talk.window.toast.words == "Message deleted"
    assert shown(talk)[2:] == ["question 1, better"]
    click(open_menu(talk, 2), "Regenerate")
    await talk.until(lambda: shown(talk)[2:] == ["question 1, better", "answer 5"], "the new answer")
    assert said(talk.backend.plans[-1])[-1] == ("user", ("question 1, better",))


async def test_the_tree_leads_away_from_a_branch_whose_end_was_deleted(talk: OpenWindow) -> None:
    thread_id = talk.app_state.thread_id or ""
    again = await edited(talk, talk.transcript.row_layout.messages[2].id, "question 1, better")
    tip = (await talk.services.chat.open_thread(thread_id)).path[-1].id
    await talk.services.chat.context_editing.delete(thread_id, [again, tip], tip)  # as versions before left it
    await talk.settled()
    assert shown(talk) == ["question 0", "answer 1"]
    talk.shortcut("show_branches")
    await talk.settled()
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, BranchTreePopover)
    rows = [popover.rows.index(row) for row in range(popover.rows.rowCount())]
    chosen = next(row for row in rows if row.data() == "answer 3")
    popover.view.setCurrentIndex(chosen)
    QTest.keyClick(popover.view, Qt.Key.Key_Return)
    await talk.settled()
    assert shown(talk)[2:] == ["question 1", "answer 2", "question 2", "answer 3"]
